"""The simulated server: one guild, one game channel, the bot with only the permissions of its invite link, and as many
people as the game has seats. Everything that a person does goes through here and reaches the real bot as it would from
Discord.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any, Protocol, Self

import discord
import simcord

from bot.play.eyes import Eyes, Payload, select_parts
from bot.play.live import LiveClock, LiveEnv

BOT_NAME = "Sealed Orders"
GUILD_NAME = "The Round Table"
CHANNEL_NAME = "game"

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    embed_links=True,
    attach_files=True,
    read_message_history=True,
)
"""What the README's invite link asks for."""

NAMES = (
    "Ada", "Bruno", "Chiara", "Dimitri", "Elif", "Femke", "Goran", "Hanna", "Ibrahim", "Jelena", "Kofi", "Lucía",
    "Mateo", "Nadia", "Olu", "Priya", "Quentin", "Rosa", "Sven", "Tamar", "Ulla", "Viktor", "Wanda", "Xenia", "Yusuf",
    "Zofia",
)  # fmt: skip

BEAT_S, REST_BEAT_S = 0.2, 1.0
"""How often timers are checked: while something happens, and after `REST_AFTER_S` without any activity."""
REST_AFTER_S = 3.0
LOOK_EVERY_S = 0.005
LOOKS_AT_REST = 2
"""So often in a row the bot is seen at rest before that is believed: something may be between two tasks."""
REST_WITHIN_S = 300.0
"""So long nothing that anybody could see has happened before the bot is taken to hang: a large game on a slow machine
takes long, but message by message."""


class WiredBot(Protocol):
    """The bot, wired; `bot.app.build_application` makes one."""

    @property
    def client(self) -> discord.Client:
        """Not started yet: the world logs it in."""

    async def sweep(self) -> None:
        """Do all that is due now, and send all that there is to say."""

    async def note_presence(self) -> None:
        """Record that it was there all the time, however far the clock has jumped."""

    async def close(self) -> None:
        """Stop everything that it started."""


class PlayError(Exception):
    """Something that a person could not have done in Discord either; the message says why."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the table; the first one makes the game and manages the server."""

    number: int
    name: str
    actor: simcord.MemberActor

    @property
    def id(self) -> int:
        return self.actor.id

    @property
    def dm_channel_id(self) -> int:
        return self.actor.user.dm_channel.id


@dataclass(frozen=True, slots=True)
class Answer:
    """What the bot did with an interaction.

    Args:
        modal: the form that it opened, for the page and for `SimulatedServer.submit`.
        messages: gives the ids of what it has answered so far, ephemeral or not.
        is_failed: it did not answer at all ("This interaction failed").
    """

    modal: Payload | None = None
    messages: Callable[[], tuple[int, ...]] = tuple
    is_failed: bool = False

    @property
    def message_ids(self) -> tuple[int, ...]:
        """The answers so far; once the bot has settled, all of them."""
        return self.messages()


class SimulatedServer:
    """A simulated server with the bot in it.

    Args:
        build: makes the bot; called again at each restart, with the same clock.
        people: how many; at least one.
    """

    def __init__(self, build: Callable[[LiveClock], WiredBot], *, people: int) -> None:
        self.clock = LiveClock()
        self._build = build
        self._wanted = people
        self._lock = asyncio.Lock()
        self._modals: dict[int, tuple[Person, simcord.InteractionResult]] = {}
        self._beating: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self.application = self._build(self.clock)
        self.env = LiveEnv(self.application.client, clock=self.clock, bot_name=BOT_NAME)
        await self.env.start()
        self._beating = asyncio.create_task(self._beat())
        self.guild = self.env.create_guild(GUILD_NAME)
        self._restrict_bot()
        self.channel = self.guild.create_text_channel(CHANNEL_NAME, topic="Where the game is played")
        hosts = self.guild.create_role("Host", permissions=discord.Permissions(manage_guild=True))
        self.people = tuple(self._add_person(number, hosts) for number in range(1, self._wanted + 1))
        await self.settled()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._beating is not None:
            self._beating.cancel()
            with suppress(asyncio.CancelledError):
                await self._beating
        await self.application.close()
        async with self._lock:
            await self.env.shutdown()

    def _restrict_bot(self) -> None:
        backend = self.env.backend
        role = next(role for role in backend.guilds[self.guild.id].roles.values() if role.managed)
        role.permissions = PERMISSIONS.value

    def _add_person(self, number: int, hosts: simcord.RoleHandle) -> Person:
        name = NAMES[number - 1] if number <= len(NAMES) else f"Player {number}"
        user = self.env.create_user(name.lower().replace(" ", ""), global_name=name)
        actor = self.guild.add_member(user, roles=[hosts] if number == 1 else [])
        self.env.backend.get_dm_channel(user.id)  # from now on it can be seen and written to
        return Person(number, name, actor)

    async def _beat(self) -> None:
        """Fire timers that simcord would keep for its tests' own clock."""
        change, still_s = -1, 0.0
        while True:
            beat_s = REST_BEAT_S if still_s >= REST_AFTER_S else BEAT_S
            await asyncio.sleep(beat_s)
            async with self._lock:
                await self.env.settle()
            still_s = still_s + beat_s if self.env.change == change else 0.0
            change = self.env.change

    async def restart(self) -> None:
        """Stop the bot and start a new one on the same database; messages and people stay."""
        await self.application.close()
        async with self._lock:
            self.application = self._build(self.clock)
            self._modals.clear()
            await self.env.restart_bot(self.application.client)
        await self.settled()

    async def skip(self, seconds: float) -> None:
        """Jump ahead; everything that falls due meanwhile is done at the new time."""
        self.clock.skip(seconds)
        await self.application.note_presence()
        await self.env.as_bot(self.application.sweep())
        await self.settled()

    async def open_channel(self, name: str) -> simcord.ChannelHandle:
        """Another channel of the server."""
        async with self._acting():
            return self.guild.create_text_channel(name)

    async def refuse(self, method: str, path: str, *, status: int, times: int | None, **what: Any) -> None:
        """Have Discord answer this many requests to a path with an error; `None`: all of them."""
        async with self._acting():
            self.env.inject_error(method, path, status=status, times=times, **what)

    # Who and what

    def sight(self, person: Person) -> Eyes:
        """The eyes of this person."""
        return Eyes(self.env, person.id)

    def find_person(self, name: str) -> Person | None:
        """A person by name, whatever its case, or by number or id."""
        wanted = name.strip().casefold()
        return next((p for p in self.people if wanted in (p.name.casefold(), str(p.number), str(p.id))), None)

    # Doing

    async def say(self, person: Person, channel_id: int, text: str, files: Sequence[tuple[str, bytes]] = ()) -> int:
        """Write a message, to a channel or to the bot; returns its id."""
        if not text.strip() and not files:
            raise PlayError("An empty message can't be sent.")
        if len(text) > 2000:
            raise PlayError(f"A message may have 2,000 characters; this one has {len(text):,}.")
        async with self._acting():
            if channel_id == person.dm_channel_id:
                stored = self.env.backend.store_attachments(channel_id, files)
                message = await person.actor.send_dm(text, attachments=stored)
            else:
                channel = self._channel(person, channel_id)
                message = await person.actor.send(channel, text, attachments=files)
        return message.id

    async def slash(self, person: Person, channel_id: int, command: str, options: Mapping[str, Any]) -> Answer:
        """Use a slash command; options as a person would type or pick them."""
        spec = self._command(person, channel_id, command)
        known = {option["name"]: option for option in spec["options"]}
        unknown = sorted(set(options) - set(known))
        if unknown:
            raise PlayError(f"/{command} has no option {unknown[0]}; it has: {', '.join(known) or 'none'}.")
        values = {name: self._option(known[name], value) for name, value in options.items()}
        lacking = [name for name, option in known.items() if option["required"] and name not in values]
        if lacking:
            raise PlayError(f"/{command} needs {', '.join(lacking)}.")
        async with self._acting():
            if channel_id == person.dm_channel_id:
                result = await person.actor.user.slash(command, **values)
            else:
                result = await person.actor.slash(self._channel(person, channel_id), command, **values)
        return await self._answer(person, result)

    async def complete(
        self, person: Person, channel_id: int, command: str, option: str, typed: str, filled: Mapping[str, Any]
    ) -> list[Payload]:
        """What the bot suggests for an option."""
        known = {entry["name"]: entry for entry in self._command(person, channel_id, command)["options"]}
        others = {}
        for name, value in filled.items():
            with suppress(PlayError):
                others[name] = self._option(known[name], value)
        async with self._acting():
            if channel_id == person.dm_channel_id:
                await person.actor.user.autocomplete(command, option, typed, **others)
            else:
                await person.actor.autocomplete(self._channel(person, channel_id), command, option, typed, **others)
            record = max(
                (r for r in self.env.backend.interactions.values() if r.user_id == person.id),
                key=lambda record: record.id,
            )
        await self._worked(lambda: record.responded)
        return list(record.autocomplete_choices or [])

    async def click(self, person: Person, message_id: int, custom_id: str) -> Answer:
        """Press a button."""
        doer, message = self._seen(person, message_id)
        async with self._acting():
            result = await doer.click(message, custom_id=custom_id)
        return await self._answer(person, result)

    async def select(self, person: Person, message_id: int, custom_id: str, values: Sequence[str]) -> Answer:
        """Choose in a select menu; people and channels are given by id or name."""
        doer, message = self._seen(person, message_id)
        async with self._acting():
            result = await doer.select(
                message, self._picked(person, message_id, custom_id, values), custom_id=custom_id
            )
        return await self._answer(person, result)

    async def submit(self, person: Person, modal_id: int, values: Mapping[str, Any]) -> Answer:
        """Send a form. One that Discord itself refuses may be tried again."""
        owner, shown = self._modals.get(modal_id, (None, None))
        if owner is not person or shown is None:
            raise PlayError("That form is gone; open it again.")
        async with self._acting():
            doer = person.actor if shown._interaction.guild_id is not None else person.actor.user
            result = await doer.submit_modal(shown, dict(values))
        del self._modals[modal_id]
        return await self._answer(person, result)

    # Waiting

    async def until(self, condition: Callable[[], bool], within_s: float) -> bool:
        """Wait until something holds; `False` if it doesn't in time."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + within_s
        while not condition():
            if loop.time() > deadline:
                return False
            await asyncio.sleep(0.01)
        return True

    async def settled(self, *, within_s: float = REST_WITHIN_S) -> None:
        """Wait until the bot has finished what follows from what happened: answering, storing, drawing and sending.

        Raises:
            PlayError: it is still at work.
        """
        async with self._lock:
            await self.env.settle()
        await self._worked(lambda: False, within_s=within_s)

    async def _worked(self, is_done: Callable[[], bool], *, within_s: float = REST_WITHIN_S) -> bool:
        """Wait until something is done, or the bot rests without having done it. Returns whether it is done."""
        loop = asyncio.get_running_loop()
        change, deadline = self.env.change, loop.time() + within_s
        looks_at_rest = 0
        while not (is_done() or looks_at_rest == LOOKS_AT_REST):
            if self.env.change != change:
                change, deadline = self.env.change, loop.time() + within_s
            if loop.time() > deadline:
                raise PlayError(f"The bot is still at work after {within_s:.0f} seconds in which nothing happened.")
            await asyncio.sleep(LOOK_EVERY_S)
            looks_at_rest = 0 if self.env.is_busy else looks_at_rest + 1
        return is_done()

    # Helpers

    @asynccontextmanager
    async def _acting(self) -> AsyncIterator[None]:
        """Act for one person at a time; what Discord would refuse raises a `PlayError`."""
        async with self._lock:
            try:
                yield
            except (simcord.SetupError, simcord.OptionError, simcord.BackendError) as error:
                raise PlayError(str(error)) from error

    async def _answer(self, person: Person, result: simcord.InteractionResult) -> Answer:
        if not await self._worked(lambda: result.acknowledged):
            return Answer(is_failed=True)
        modal = result.modal
        if modal is not None:
            number = result._interaction.id
            self._modals[number] = (person, result)
            return Answer(modal=modal_parts(number, modal))
        return Answer(messages=partial(_message_ids, result))

    def _channel(self, person: Person, channel_id: int) -> simcord.ChannelHandle:
        if not self.sight(person).may_open(channel_id):
            raise PlayError("There is no such channel.")
        return simcord.ChannelHandle(self.env, self.guild, self.env.backend.channels[channel_id])

    def _seen(self, person: Person, message_id: int) -> tuple[Any, simcord.ResponseMessage]:
        record = self.sight(person).find(message_id)
        if record is None:
            raise PlayError("That message is gone.")
        doer = person.actor.user if record.channel_id == person.dm_channel_id else person.actor
        return doer, simcord.ResponseMessage(self.env, record)

    def _command(self, person: Person, channel_id: int, command: str) -> Payload:
        commands = self.sight(person).commands(channel_id)
        found = next((entry for entry in commands if entry["name"] == command), None)
        if found is None:
            raise PlayError(f"There is no command /{command} here.")
        return found

    def _picked(self, person: Person, message_id: int, custom_id: str, values: Sequence[str]) -> list[Any]:
        record = self.sight(person).find(message_id)
        menus = [part for row in record.components for part in row.get("components", ())] if record else []
        menu = next((part for part in menus if part.get("custom_id") == custom_id), None)
        kind = select_parts(menu)["of"] if menu is not None else "string"
        return [value if kind == "string" else self._handle(kind, value) for value in values]

    def _option(self, option: Payload, value: Any) -> Any:
        """What was typed for an option, as Discord would send it."""
        kind = option["kind"]
        if kind == "attachment":
            if isinstance(value, str):
                raise PlayError(f"{option['name']} is a file: type the command alone, and choose it in the form.")
            return value
        text = str(value).strip() if kind != "string" else str(value)
        for choice in option["choices"]:
            if text.casefold() in (str(choice["name"]).casefold(), str(choice["value"]).casefold()):
                return choice["value"]
        if kind == "string":
            return text
        if kind == "boolean":
            return _boolean(option["name"], text)
        if kind in ("integer", "number"):
            try:
                return int(text) if kind == "integer" else float(text)
            except ValueError:
                raise PlayError(f"{option['name']} must be a number, not {text!r}.") from None
        return self._handle(kind, text)

    def _handle(self, kind: str, text: str) -> Any:
        """The person, channel or role meant."""
        name = text.strip("<@&#!>")
        person = self.find_person(name) if kind in ("user", "mentionable") else None
        if person is not None:
            return person.actor
        found = self.guild.channels.items() if kind == "channel" else self.guild.roles.items()
        for known, handle in found:
            if kind != "user" and name.casefold() in (known.casefold(), str(handle.id)):
                return handle
        raise PlayError(f"There is no {kind} called {text!r} here.")


def _message_ids(result: simcord.InteractionResult) -> tuple[int, ...]:
    return tuple(message.id for message in [*filter(None, [result.response]), *result.followups])


def _boolean(name: str, text: str) -> bool:
    if text.casefold() in ("yes", "true", "on", "1"):
        return True
    if text.casefold() in ("no", "false", "off", "0"):
        return False
    raise PlayError(f"{name} must be yes or no, not {text!r}.")


def modal_parts(number: int, modal: Mapping[str, Any]) -> Payload:
    """A form, as the page and the scripts read it."""
    return {
        "id": str(number),
        "title": modal["title"],
        "fields": [field for component in modal["components"] for field in _fields(component)],
    }


def _fields(component: Mapping[str, Any]) -> list[Payload]:
    if component["type"] == 10:
        return [{"kind": "note", "label": component["content"]}]
    if component["type"] == 1:
        return [field for child in component["components"] for field in _fields(child)]
    if component["type"] == 18:
        frame = {"label": component["label"], "description": component.get("description") or ""}
        return [{**field, **frame} for field in _fields(component["component"])]
    if component["type"] == 4:
        return [_text_field(component)]
    field = select_parts(component) if "options" in component or component["type"] in (5, 6, 7, 8) else {}
    return [
        {
            "kind": "select",
            "custom_id": component["custom_id"],
            "label": component.get("label") or "",
            "description": "",
            "required": component.get("required", True),
            **field,
        }
    ]


def _text_field(component: Mapping[str, Any]) -> Payload:
    return {
        "kind": "text",
        "custom_id": component["custom_id"],
        "label": component.get("label") or "",
        "description": "",
        "long": component["style"] == 2,
        "value": component.get("value") or "",
        "placeholder": component.get("placeholder") or "",
        "required": component.get("required", True),
        "least": component.get("min_length") or 0,
        "most": component.get("max_length") or 4000,
    }
