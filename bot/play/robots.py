"""The computer players: they send orders through the real bot, in varying ways, and say when they are ready."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial

from bot.play.eyes import Payload, parts
from bot.play.watch import GameNow, Watcher
from bot.play.world import Answer, Person, SimulatedServer
from bot.services.computer import computer_orders
from bot.text.custom_ids import Action, parse_custom_id
from engine.computer.levels import Level

LONGEST_MESSAGE = 2_000
"""The most characters of a message; longer texts are sent as files."""
DRAW_CHANCE = 0.03
GUIDED_STEPS = 12
DEFAULT_CHANCE = 0.4
_Way = Callable[[Person, Sequence[str]], Awaitable[None]]
"""A way to send orders."""


class Robots:
    """All computer players of a game.

    Args:
        seed: the same seed gives the same orders, sent in the same ways.
        level: how well they play; `None`: at random.
        votes_for_draw: whether one should vote for a draw now.
    """

    def __init__(
        self,
        world: SimulatedServer,
        watch: Watcher,
        people: Iterable[Person],
        *,
        seed: str,
        level: Level | None = None,
        votes_for_draw: Callable[[GameNow], bool] | None = None,
    ) -> None:
        self._world = world
        self._watch = watch
        self._votes_for_draw = votes_for_draw
        self._seed = seed
        self._level = level
        self.people = tuple(people)

    async def play_phase(self) -> None:
        """Have each that has something to decide, and is not ready yet, do its part of the open phase."""
        standing = await self._watch.now()
        if standing is None or standing.table is None:
            return
        phase_no = standing.game.phase_no
        for person in self._shuffled(phase_no):
            await self.play_person(person, phase_no)

    async def play_person(self, person: Person, phase_no: int) -> None:
        """Have one do its part of a phase, if the phase is still open and waits for it."""
        standing = await self._watch.now()
        if standing is None or standing.game.phase_no != phase_no:
            return
        if standing.has_to_act(person) and not standing.is_ready(person):
            await self._play(person, standing)

    def _shuffled(self, phase_no: int) -> list[Person]:
        people = list(self.people)
        random.Random(f"{self._seed}/{phase_no}").shuffle(people)
        return people

    async def _play(self, person: Person, standing: GameNow) -> None:
        power = standing.power(person)
        assert power is not None
        chance = random.Random(f"{self._seed}/{standing.game.phase_no}/{power}")
        assert standing.table is not None, "the game has begun"
        work = partial(computer_orders, standing.table.rules, standing.game.document or {}, power, self._level, chance)
        orders, has_defaults, chance = await asyncio.to_thread(self._watch.workers.run, work)
        if has_defaults and self._level is None and chance.random() < DEFAULT_CHANCE:
            await self._by_default(person)
        elif orders:
            ways: list[_Way] = [self._by_message, self._by_command, self._by_form]
            if self._level is None:
                # In which an order stays random where the others give none.
                led = [door.id for door in standing.table.rules.doors if door.path]
                ways.append(partial(self._by_guide, led=led))
            is_long = sum(len(order) + 1 for order in orders) > LONGEST_MESSAGE
            way = self._by_message if is_long else chance.choice(ways)
            await way(person, orders)
        has_a_whim = chance.random() < DRAW_CHANCE and self._level is None
        if has_a_whim or (self._votes_for_draw is not None and self._votes_for_draw(standing)):
            await self.vote_draw(person)
        await self._say_ready(person, chance, standing.game.phase_no)

    # The ways to send orders

    async def _by_message(self, person: Person, orders: Sequence[str]) -> None:
        text = "\n".join(orders)
        if len(text) <= LONGEST_MESSAGE:
            await self._world.say(person, person.dm_channel_id, text)
        else:
            await self._world.say(person, person.dm_channel_id, "", [("orders.txt", text.encode())])
        await self._world.settled()

    async def _by_command(self, person: Person, orders: Sequence[str]) -> None:
        await self._world.complete(person, self._world.channel.id, "orders enter", "text", orders[0][:3], {})
        options = {"text": "; ".join(orders)}
        await self._world.slash(person, self._world.channel.id, "orders enter", options)
        await self._world.settled()

    async def _by_form(self, person: Person, orders: Sequence[str]) -> None:
        pressed = await self.press(person, Action.EDIT)
        if pressed is None or pressed.modal is None:
            await self._by_message(person, orders)
            return
        field = next(field for field in pressed.modal["fields"] if field["kind"] == "text")
        values = {field["custom_id"]: "\n".join(orders)}
        await self._world.submit(person, int(pressed.modal["id"]), values)
        await self._world.settled()

    async def _by_default(self, person: Person) -> None:
        """Take what the rules would do, with one button."""
        await self.press(person, Action.DEFAULT)

    async def _by_guide(self, person: Person, orders: Sequence[str], *, led: Sequence[str] = ()) -> None:
        """Choose an order or two in the menus, then write the rest.

        Args:
            led: the buttons of the game that lead into the menus; they are tried first.
        """
        chance = random.Random(f"{self._seed}/guide/{list(orders)}")
        answer = None
        for word in (*led, Action.GUIDE):
            answer = answer or await self.press(person, word)
        for _ in range(GUIDED_STEPS if answer is not None else 0):
            menu = self._newest(person, answer)
            if menu is None:
                break
            message, part = menu
            value = chance.choice(part["options"])["value"]
            answer = await self._world.select(person, int(message["id"]), part["custom_id"], [value])
            await self._world.settled()
        await self._by_message(person, orders)

    def _newest(self, person: Person, answer: Answer | None) -> tuple[Payload, Payload] | None:
        """The menu in what the bot answered, if there is one."""
        sight = self._world.sight(person)
        for message_id in answer.message_ids if answer else ():
            message = sight.message(message_id)
            for part in parts(message) if message else ():
                if part["kind"] == "select" and part["options"] and not part["disabled"]:
                    assert message is not None
                    return message, part
        return None

    async def _say_ready(self, person: Person, chance: random.Random, phase_no: int) -> None:
        if chance.random() < 0.5 and await self.press(person, Action.READY) is not None:
            standing = await self._watch.now()
            # The last one to press closes the phase: in the next phase nobody has orders yet to be ready with.
            if standing is None or standing.game.phase_no != phase_no:
                return
            if standing.is_ready(person) or not standing.has_to_act(person):
                return
        await self._world.slash(person, self._world.channel.id, "orders ready", {"sure": True})
        await self._world.settled()

    async def vote_draw(self, person: Person) -> None:
        """Vote for a draw, by the command."""
        await self._world.slash(person, self._world.channel.id, "game vote", {"vote": "draw"})
        await self._world.settled()

    async def press(self, person: Person, action: str) -> Answer | None:
        """Press the newest button for an action in the person's direct messages; `None` if there is none."""
        for message in reversed(self._world.sight(person).messages(person.dm_channel_id, last=20)):
            for part in parts(message):
                custom_id = parse_custom_id(part.get("custom_id") or "")
                if part["kind"] == "button" and not part["disabled"] and custom_id and custom_id.action == action:
                    answer = await self._world.click(person, int(message["id"]), part["custom_id"])
                    await self._world.settled()
                    return answer
        return None
