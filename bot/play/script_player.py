"""Plays the steps of a script in a world, and reports each outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from bot.play.eyes import Payload, bare_text, parts, plain_text
from bot.play.robots import Robots
from bot.play.script import Disappointed, ScriptLine
from bot.play.watch import Watcher
from bot.play.world import Answer, Person, PlayError, SimulatedServer

PHASE_WITHIN_S = 120.0
EXPECT_WITHIN_S = 10.0
UNITS_S = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class ScriptPlayer:
    """Plays steps in a world.

    Args:
        tell: gets every line that is played, with its outcome.
    """

    def __init__(
        self, world: SimulatedServer, watch: Watcher, robots: Robots | None, tell: Callable[[str], None]
    ) -> None:
        self._world = world
        self._watch = watch
        self._robots = robots
        self._tell = tell
        self._answers: dict[int, Answer] = {}

    async def play(self, steps: tuple[ScriptLine, ...]) -> None:
        """Play every step in turn.

        Raises:
            Disappointed: at the first that could not be done.
        """
        for step in steps:
            self._tell(f"» {step.written}")
            await self._watch.now()
            try:
                await self._do(step)
            except PlayError as error:
                raise Disappointed(step.line, step.written, str(error)) from error

    async def _do(self, step: ScriptLine) -> None:
        doings: Mapping[str, Callable[[ScriptLine], Awaitable[None]]] = {
            "dm": self._message,
            "say": self._message,
            "slash": self._slash,
            "click": self._click,
            "select": self._select,
            "fill": self._fill,
            "expect": self._expect,
            "wait": self._wait,
            "skip": self._skip,
            "restart": lambda _: self._world.restart(),
            "robots": self._let_robots_play,
        }
        await doings[step.verb](step)

    def _person(self, step: ScriptLine) -> Person:
        person = self._watch.find_person(step.who)
        if person is None:
            names = ", ".join(
                f"{p.name} ({self._watch.role(p)})" if self._watch.role(p) else p.name for p in self._world.people
            )
            raise Disappointed(step.line, step.written, f"nobody here is called {step.who!r}; there are {names}")
        return person

    # Doing

    async def _message(self, step: ScriptLine) -> None:
        person = self._person(step)
        before = self._ids(person)
        channel_id = self._world.channel.id if step.verb == "say" else person.dm_channel_id
        await self._world.say(person, channel_id, step.text)
        await self._world.settled()
        fresh = [message for message in self._messages(person) if int(message["id"]) not in before]
        answers = tuple(int(message["id"]) for message in fresh if message["author"]["bot"])
        self._answers[person.number] = Answer(messages=lambda: answers)
        self._show(person, before)

    async def _slash(self, step: ScriptLine) -> None:
        person = self._person(step)
        await self._note(step, person, self._world.slash(person, self._world.channel.id, step.text, step.values))

    async def _click(self, step: ScriptLine) -> None:
        person = self._person(step)
        for message in reversed(self._messages(person)):
            for part in parts(message):
                if part["kind"] == "button" and _is_called(part["label"], step.text) and not part["disabled"]:
                    await self._note(step, person, self._world.click(person, int(message["id"]), part["custom_id"]))
                    return
        raise Disappointed(step.line, step.written, f"{person.name} sees no button called {step.text!r}")

    async def _select(self, step: ScriptLine) -> None:
        person = self._person(step)
        for message in reversed(self._messages(person)):
            for part in parts(message):
                options = part.get("options", ()) if part["kind"] == "select" else ()
                chosen = next(
                    (o for o in options if _is_called(o["label"], step.text) or o["value"] == step.text), None
                )
                if chosen is not None:
                    doing = self._world.select(person, int(message["id"]), part["custom_id"], [chosen["value"]])
                    await self._note(step, person, doing)
                    return
        raise Disappointed(step.line, step.written, f"{person.name} sees no menu that offers {step.text!r}")

    async def _fill(self, step: ScriptLine) -> None:
        person = self._person(step)
        shown = self._answers.get(person.number)
        if shown is None or shown.modal is None:
            raise Disappointed(step.line, step.written, f"no form is open for {person.name}")
        values = {}
        for name, value in step.values.items():
            found = next((entry for entry in shown.modal["fields"] if _is_field(entry, name)), None)
            if found is None:
                raise Disappointed(step.line, step.written, f"the form has no field called {name!r}")
            values[found["custom_id"]] = value if found["kind"] == "text" else [_option_value(found, value)]
        await self._note(step, person, self._world.submit(person, int(shown.modal["id"]), values))

    async def _note(self, step: ScriptLine, person: Person, doing: Awaitable[Answer]) -> None:
        before = self._ids(person)
        answer = await doing
        if answer.is_failed:
            raise Disappointed(step.line, step.written, "the bot did not answer")
        await self._world.settled()
        self._answers[person.number] = answer
        if answer.modal is not None:
            self._tell(f"  [form] {answer.modal['title']}")
            for entry in answer.modal["fields"]:
                self._tell(_indented(f"{entry['label']}:\n{entry.get('value', '')}", "  [form] "))
        self._show(person, before)

    async def _skip(self, step: ScriptLine) -> None:
        await self._world.skip(int(step.text[:-1]) * UNITS_S[step.text[-1]])

    async def _let_robots_play(self, step: ScriptLine) -> None:
        if self._robots is None:
            raise Disappointed(step.line, step.written, "there are no robots; start with --bots")
        await self._robots.play_phase()

    # Waiting and looking

    async def _wait(self, step: ScriptLine) -> None:
        if step.text == "idle":
            await self._world.settled()
        elif step.text in ("phase", "over"):
            await self._wait_for_phase(step)
        else:
            await asyncio.sleep(float(step.text[:-1]))

    async def _wait_for_phase(self, step: ScriptLine) -> None:
        """Wait until the next phase is open, or the game is over; robots do their part meanwhile."""
        standing = await self._watch.now()
        if standing is None:
            raise Disappointed(step.line, step.written, "there is no game")
        phase_no = standing.game.phase_no
        before = {person.number: self._ids(person) for person in self._world.people}
        loop = asyncio.get_running_loop()
        deadline = loop.time() + PHASE_WITHIN_S
        while not standing.is_over and (step.text == "over" or standing.game.phase_no == phase_no):
            if standing.game.phase_no != phase_no:
                phase_no, deadline = standing.game.phase_no, loop.time() + PHASE_WITHIN_S
            if loop.time() > deadline:
                todo = bare_text(self._watch.strip(self._world.people[0])["todo"])
                raise Disappointed(step.line, step.written, f"nothing happened; {todo}")
            if self._robots is not None:
                await self._robots.play_phase()
            await asyncio.sleep(0.2)
            standing = await self._watch.now() or standing
        await self._world.settled()
        self._show(self._world.people[0], before[1])

    async def _expect(self, step: ScriptLine) -> None:
        """Check once the bot is at rest, and wait for what a timer may still bring."""
        await self._world.settled()
        met = await self._world.until(
            lambda: (step.text.casefold() in self._seen(step).casefold()) is not step.lacks,
            0 if step.lacks else EXPECT_WITHIN_S,
        )
        if not met:
            seen = self._seen(step)
            tail = seen[-1500:] or "nothing at all"
            verb = "is there all the same" if step.lacks else "is not there"
            raise Disappointed(step.line, step.written, f"{step.text!r} {verb}; there is:\n{_indented(tail, '      ')}")

    def _seen(self, step: ScriptLine) -> str:
        person = self._person(step) if step.who else self._world.people[0]
        sight, where = self._world.sight(person), step.values["where"]
        if where == "channel":
            return "\n".join(plain_text(m) for m in sight.messages(self._world.channel.id) if not m["ephemeral"])
        if where == "dm":
            return "\n".join(plain_text(message) for message in sight.messages(person.dm_channel_id))
        answer = self._answers.get(person.number, Answer())
        if where == "form":
            fields = answer.modal["fields"] if answer.modal else ()
            return "\n".join(f"{entry['label']}\n{entry.get('value', '')}" for entry in fields)
        return "\n".join(plain_text(m) for id_ in answer.message_ids if (m := sight.message(id_)))

    def _messages(self, person: Person) -> list[Payload]:
        """All messages that a person sees, oldest first."""
        sight = self._world.sight(person)
        messages = [message for channel_id in sight.channel_ids() for message in sight.messages(channel_id)]
        return sorted(messages, key=lambda message: int(message["id"]))

    def _ids(self, person: Person) -> set[int]:
        return {int(message["id"]) for message in self._messages(person)}

    def _show(self, person: Person, before: set[int]) -> None:
        for message in self._messages(person):
            if int(message["id"]) not in before and message["author"]["bot"]:
                where = (
                    "only " + person.name
                    if message["ephemeral"]
                    else "dm"
                    if int(message["channel"]) == person.dm_channel_id
                    else "#"
                )
                self._tell(_indented(plain_text(message), f"  [{where}] "))


def _indented(text: str, mark: str) -> str:
    return "\n".join(f"{mark}{line}" for line in text.splitlines())


def _is_called(label: str, wanted: str) -> bool:
    """Whether a label, or a word in it, begins with the text that is wanted, whatever the case."""
    plain, wanted = label.casefold(), wanted.casefold()
    return plain.startswith(wanted) or any(word.startswith(wanted) for word in plain.split())


def _is_field(entry: Payload, name: str) -> bool:
    if entry["kind"] == "note":
        return False
    return entry["kind"] == "text" if not name else name in (entry["custom_id"],) or _is_called(entry["label"], name)


def _option_value(entry: Payload, wanted: str) -> str:
    options = entry.get("options", ())
    return next((str(o["value"]) for o in options if _is_called(o["label"], wanted) or o["value"] == wanted), wanted)
