"""A game of the real bot in a simulated Discord, for end-to-end tests: what people see, and what nobody may see."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import timedelta
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from bot.app import Application, build_application
from bot.play.eyes import Payload, parts, plain_text
from bot.play.live import LiveClock
from bot.play.robots import Robots
from bot.play.watch import GameNow, Watcher
from bot.play.world import Answer, Person, SimulatedServer
from bot.ports import Renderer
from bot.settings import Settings
from engine.core.ids import PowerId
from engine.core.viewer import viewer_of
from tests.discord_contract import check_intents, check_requests, check_uploads
from tests.e2e.copies import copy_quickly
from tests.e2e.plain_renderer import PlainRenderer


@dataclass
class LiveGame:
    """A world in which a game is being played."""

    world: SimulatedServer
    watch: Watcher
    robots: Robots

    @property
    def application(self) -> Application:
        application = self.world.application
        assert isinstance(application, Application)
        return application

    def player(self, power: str) -> Person:
        """Whoever plays a power."""
        person = self.watch.find_person(power)
        assert person is not None, f"nobody plays {power}"
        return person

    async def standing(self) -> GameNow:
        standing = await self.watch.now()
        assert standing is not None
        return standing

    # Doing: each returns what the bot said to that, in words

    async def slash(self, power: str, command: str, **options: Any) -> str:
        person = self.player(power)
        return await self.said(person, await self.world.slash(person, self.world.channel.id, command, options))

    async def message(self, power: str, text: str, files: tuple[tuple[str, bytes], ...] = ()) -> str:
        """A direct message to the bot."""
        person = self.player(power)
        before = self.message_ids(person)
        await self.world.say(person, person.dm_channel_id, text, files)
        await self.quiet()
        fresh = [m for m in self.messages(person, known=before) if m["author"]["bot"]]
        return "\n".join(plain_text(message) for message in fresh)

    async def click(self, power: str, label: str) -> Answer:
        """The newest such button that the player sees."""
        person = self.player(power)
        message, part = self.button(person, label)
        answer = await self.world.click(person, int(message["id"]), part["custom_id"])
        await self.quiet()
        return answer

    def button(self, person: Person, label: str) -> tuple[Payload, Payload]:
        for message in reversed(self.messages(person)):
            for part in parts(message):
                if part["kind"] == "button" and part["label"] == label:
                    return message, part
        raise AssertionError(f"{person.name} sees no button {label!r}")

    async def said(self, person: Person, answer: Answer) -> str:
        """The words of an answer, once nothing in it is still to come."""
        assert not answer.is_failed, "the bot did not answer"
        await self.quiet()
        sight = self.world.sight(person)
        return "\n".join(plain_text(m) for number in answer.message_ids if (m := sight.message(number)) is not None)

    # Seeing

    def message_ids(self, person: Person) -> set[str]:
        """The ids of all that somebody sees."""
        return self.world.sight(person).message_ids()

    def messages(self, person: Person, *, known: Set[str] = frozenset()) -> list[Payload]:
        """All that somebody sees, oldest first, but for what they know already."""
        sight = self.world.sight(person)
        found = [message for channel_id in sight.channel_ids() for message in sight.messages(channel_id, known=known)]
        return sorted(found, key=lambda message: int(message["id"]))

    def channel_text(self) -> str:
        """Everything public."""
        messages = self.world.sight(self.world.people[0]).messages(self.world.channel.id)
        return "\n".join(plain_text(message) for message in messages if not message["ephemeral"])

    def dm_text(self, power: str) -> str:
        person = self.player(power)
        return "\n".join(plain_text(m) for m in self.world.sight(person).messages(person.dm_channel_id))

    async def orders(self, power: str) -> tuple[str, ...]:
        """What stands in the store."""
        standing = await self.standing()
        seat_power = standing.power(self.player(power))
        sheet = standing.sheets.get(seat_power) if seat_power is not None else None
        return () if sheet is None else sheet.orders

    # Waiting

    async def quiet(self) -> None:
        """Until the bot has nothing left to do, or to say before some later time."""
        await self.world.settled()
        with self.application.context.unit_of_work() as unit:
            assert not unit.outbox.pending(self.world.clock.now()), "the bot rests, and has not sent everything"

    async def skip(self, **time: float) -> None:
        """Jump ahead, and let the alarm's minute come."""
        await self.world.skip(timedelta(**time).total_seconds())
        await self.quiet()

    # What Discord would say to all this

    def complaints(self) -> list[str]:
        """Every request so far that Discord would not have taken, and every error that the bot ran into."""
        env = self.world.env
        attachments = [
            attachment
            for channel in env.backend.messages.values()
            for message in channel.values()
            for attachment in message.attachments
        ]
        return [
            *map(str, check_requests(env.http_requests)),
            *check_intents(self.application.client.intents),
            *check_uploads(attachments),
            *map(repr, env.errors),
        ]


@contextlib.asynccontextmanager
async def open_table(
    folder: Path,
    *,
    renderer: Renderer | None = None,
    workers: int = 0,
    people: int = 7,
    begins: bool = True,
    seed: str = "1",
    wishes: Sequence[str] = (),
    **create: Any,
) -> AsyncIterator[LiveGame]:
    """A game made by slash commands; begun unless said otherwise.

    Args:
        renderer: free of cost unless given, or there are workers to draw.
        workers: how many processes the bot has besides its own.
        wishes: the powers that the people ask for; the others are drawn by a lot that no seed repeats.
        create: options of `/game create`; a file is its name with its bytes.
    """
    seeds = iter(f"{seed}/{number}" for number in range(10**6))

    def build(clock: LiveClock) -> Application:
        settings = Settings(database_url=SecretStr(f"sqlite:///{folder / 'games.sqlite'}"), workers=workers)
        drawing: Renderer | None = renderer or (None if workers else PlainRenderer())
        return build_application(settings, clock=clock, renderer=drawing, seeds=lambda: next(seeds))

    with pytest.MonkeyPatch.context() as patch:
        # On a slow machine a form would open empty, for fear of Discord's three seconds; here nobody is in a hurry.
        patch.setattr("cogs._sheets._FORM_PATIENCE_S", 600.0)
        copy_quickly(patch)
        async with SimulatedServer(build, people=people) as world:
            watch = Watcher(world)
            table = LiveGame(world, watch, Robots(world, watch, world.people, seed=seed))
            host, channel_id = world.people[0], world.channel.id
            options: Mapping[str, Any] = {"system": "diplomacy", "name": "Sunday Table", "phases": "1d", **create}
            await table.said(host, await world.slash(host, channel_id, "game create", options))
            for person, wish in zip_longest(world.people, wishes):
                wanted = {"power": wish} if wish else {}
                await table.said(person, await world.slash(person, channel_id, "game join", wanted))
            if begins:
                await table.said(host, await world.slash(host, channel_id, "game start", {}))
            await table.quiet()
            await watch.now()
            yield table


_ORDER_IN_TEXT = r"(?<![SC] )(?<!\w){order}(?!\w)"
"""An order as an order: not as what somebody else's order supports or convoys."""


def leaks(table: LiveGame, standing: GameNow, since: Mapping[int, set[str]]) -> list[str]:
    """Pending orders that somebody else sees.

    What the viewer may order in the same words, like `WAIVE`, is no sign of another's sheet among private messages.

    Args:
        since: the messages that each person saw before the phase, by the person's number.
    """
    found = []
    new_to = {person.number: table.messages(person, known=since[person.number]) for person in table.world.people}
    for power, sheet in standing.sheets.items():
        for person in table.world.people:
            own = standing.power(person)
            if own == power:
                continue
            new = new_to[person.number]
            public = [message for message in new if _is_public(table, message)]
            for order in sheet.orders:
                if _shows(public, order) or (_shows(new, order) and not _is_open_to(order, standing, own)):
                    found.append(f"{own} sees {order!r} of {power}")
    return found


def _is_public(table: LiveGame, message: Payload) -> bool:
    return message["channel"] == str(table.world.channel.id) and not message["ephemeral"]


def _shows(messages: Iterable[Payload], order: str) -> bool:
    shown = "\n".join(map(_everything, messages))
    return re.search(_ORDER_IN_TEXT.format(order=re.escape(order)), shown) is not None


def _is_open_to(order: str, standing: GameNow, viewer: PowerId | None) -> bool:
    """Whether the viewer may give an order of these words."""
    if viewer is None or standing.table is None:
        return False
    rules = standing.table.rules
    view = rules.sight.view(standing.table.state, viewer_of(viewer))
    legal = {rules.orders.format(choice) for orders in rules.orders.legal(view).values() for choice in orders}
    return order in legal | {choice.value for choice in rules.orders.menu(view, ()).choices}


def _everything(message: Payload) -> str:
    """A message with all that is in it but what its menus offer, which is the viewer's own to choose."""
    shown: Callable[[Payload], str] = lambda part: "" if part["kind"] == "select" else str(part)  # noqa: E731
    return "\n".join([plain_text(message), *map(str, message["files"]), *map(shown, parts(message))])
