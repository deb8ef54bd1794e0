"""The state of the game, for those who sit at the simulated table: what the page shows next to the messages, and where
the computer players find their legal orders. Players learn nothing here except about their own power.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Protocol, cast

from bot.model import Game, GameStatus, Seat, StoredSheet
from bot.play.eyes import Payload
from bot.play.world import Person, SimulatedServer
from bot.ports import Workers
from bot.services.context import Context
from bot.services.table import Table, read_table
from bot.text.catalogue import Words, common_words, words_of
from engine.core.ids import PowerId
from engine.core.orders import words_for
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing

UNFINISHED = (GameStatus.LOBBY, GameStatus.RUNNING, GameStatus.PAUSED)
_RANK = {GameStatus.RUNNING: 0, GameStatus.PAUSED: 0, GameStatus.LOBBY: 1}
"""The order of a channel's games; finished ones come last."""


class WiredApplication(Protocol):
    """The parts of what `bot.app` makes that are needed here."""

    @property
    def context(self) -> Context: ...


@dataclass(frozen=True, slots=True)
class GameNow:
    """The game of the channel that is being played.

    Args:
        table: `None` before the game begins.
        sheets: of the open phase.
    """

    game: Game
    seats: tuple[Seat, ...]
    table: Table | None
    sheets: Mapping[PowerId, StoredSheet]
    words: Words

    @property
    def title(self) -> str:
        """The phase in words."""
        return "" if self.table is None else self.words.plain(self.table.status.title)

    @property
    def is_over(self) -> bool:
        return self.game.status not in UNFINISHED

    def seat(self, person: Person) -> Seat | None:
        """The seat of a person."""
        return next((seat for seat in self.seats if seat.user_id == person.id), None)

    def power(self, person: Person) -> PowerId | None:
        """The power that a person plays."""
        seat = self.seat(person)
        return None if seat is None else seat.power

    def has_to_act(self, person: Person) -> bool:
        """Whether a person has something to do in this phase."""
        return self.table is not None and not self.is_over and self.power(person) in self.table.status.to_act

    def is_ready(self, person: Person) -> bool:
        seat = self.seat(person)
        return seat is not None and seat.is_ready

    def missing(self, power: PowerId) -> tuple[str, ...]:
        """What a power could still give orders for."""
        assert self.table is not None
        rules, view = self.table.rules, self.table.rules.sight.view(self.table.state, Playing(power))
        sheet = self.sheets.get(power)
        standing = read_orders(rules, view, "\n".join(sheet.orders)).values if sheet else ()
        return words_for(rules.orders.missing(view, standing), load_phrases(rules.info.id))

    def example(self, power: PowerId) -> str:
        """An order that a power could give now."""
        assert self.table is not None
        rules = self.table.rules
        orders = next(iter(rules.orders.legal(rules.sight.view(self.table.state, Playing(power))).values()), ())
        # The first one is to hold or to waive, in games that have this.
        return rules.orders.format(orders[min(1, len(orders) - 1)]) if orders else ""


class Watcher:
    """Reads the game again whenever something has happened.

    Args:
        robots: the people whom the computer plays.
    """

    def __init__(self, world: SimulatedServer, robots: Iterable[Person] = ()) -> None:
        self._world = world
        self.robots = frozenset(person.number for person in robots)
        self._seen = -1
        self.standing: GameNow | None = None

    @property
    def workers(self) -> Workers:
        """The bot's workers, for what takes long."""
        return cast(WiredApplication, self._world.application).context.workers

    async def refresh(self) -> GameNow | None:
        """The game as it is now."""
        change = self._world.env.change
        if change != self._seen:
            context = cast(WiredApplication, self._world.application).context
            self.standing = await asyncio.to_thread(_read, context, self._world.channel.id)
            self._seen = change
        return self.standing

    async def now(self) -> GameNow | None:
        """The same, read anew even if nothing was posted since."""
        self._seen = -1
        return await self.refresh()

    def find_person(self, name: str) -> Person | None:
        """A person by name or number, or by the power they play."""
        found = self._world.find_person(name)
        if found is not None or self.standing is None:
            return found
        wanted = name.strip().casefold().replace(" ", "_")
        return next((p for p in self._world.people if wanted in self._called(p)), None)

    def _called(self, person: Person) -> tuple[str, ...]:
        power = self.standing.power(person) if self.standing else None
        return () if power is None else (power.casefold(), self.role(person).casefold().replace(" ", "_"))

    # For the page

    def role(self, person: Person) -> str:
        power = self.standing.power(person) if self.standing else None
        return "" if power is None or self.standing is None else self.standing.words.name(power)

    def role_in_sentence(self, person: Person) -> str:
        """The role with its article, if it takes one."""
        power = self.standing.power(person) if self.standing else None
        return "" if power is None or self.standing is None else self.standing.words.in_sentence(power)

    def is_robot(self, person: Person) -> bool:
        return person.number in self.robots

    def strip(self, person: Person) -> Payload:
        """What to do now. `open` says where: `dm` or nothing; `next` is the number of another person to play."""
        standing = self.standing
        if standing is None:
            return _strip(f"You are {person.name}.", "", "No game yet: type <code>/game create</code>.")
        role = self.role(person)
        who = f"You are {person.name} and play {self.role_in_sentence(person)}." if role else f"You are {person.name}."
        if standing.game.status is GameStatus.LOBBY:
            return _strip(
                who,
                escape(standing.game.name),
                "The game has not begun: <code>/game join</code>, <code>/game start</code>.",
            )
        todo, where = self._todo(standing, person)
        return _strip(who, _phase(standing), todo, where, following=self._following(standing, person))

    def _todo(self, standing: GameNow, person: Person) -> tuple[str, str]:
        power = standing.power(person)
        if standing.is_over:
            return (
                "The game is over. <code>/history</code> shows how it went, <code>/game create</code> begins another.",
                "",
            )
        if standing.game.status is GameStatus.PAUSED:
            return "The game is paused; <code>/gm resume</code> lets it go on.", ""
        if power is None:
            return "You have no seat in this game; you can watch the channel.", ""
        if not standing.has_to_act(person):
            return f"You have nothing to decide in this phase. {self._waiting(standing, person)}", ""
        if standing.is_ready(person):
            return f"You are ready. {self._waiting(standing, person)}", ""
        if power not in standing.sheets or not standing.sheets[power].orders:
            example = escape(standing.example(power))
            return (
                "Your orders are wanted. Send them to the bot as a direct message, one a line, such as "
                f"<code>{example}</code> – or press {_label('edit')} or {_label('guide')} there.",
                "dm",
            )
        missing = standing.missing(power)
        left = f" Still without an order: {escape(', '.join(missing[:6]))}." if missing else ""
        return f"Your orders are in.{left} Change them as you like; when they stand, press {_label('ready')}.", "dm"

    def _waiting(self, standing: GameNow, person: Person) -> str:
        waiting = [self.role(other) for other in self._awaited(standing) if other is not person]
        return f"Waiting for {escape(', '.join(waiting))}." if waiting else "The phase is about to close."

    def _following(self, standing: GameNow, person: Person) -> Person | None:
        """Whom to play next on the page: the first for whom the game waits, once this one is done."""
        if standing.has_to_act(person) and not standing.is_ready(person):
            return None
        return next((other for other in self._awaited(standing) if not self.is_robot(other)), None)

    def _awaited(self, standing: GameNow) -> list[Person]:
        return [other for other in self._world.people if standing.has_to_act(other) and not standing.is_ready(other)]


def _strip(who: str, phase: str, todo: str, where: str = "", following: Person | None = None) -> Payload:
    then = None if following is None else {"number": str(following.number), "name": following.name}
    return {"who": who, "phase": phase, "todo": todo, "open": where, "next": then}


def _label(action: str) -> str:
    """The label of a button of the bot."""
    return f"<b>{escape(common_words().plainly(f'button.{action}'))}</b>"


def _phase(standing: GameNow) -> str:
    deadline = standing.game.deadline_at
    title = escape(standing.title)
    if deadline is None:
        return title
    return f"{title} · locks <time data-style='R' datetime='{deadline.isoformat()}'>{deadline:%d %b %H:%M} UTC</time>"


def _read(context: Context, channel_id: int) -> GameNow | None:
    with context.reading() as unit:
        # The newest game in progress; else the newest that can begin; else the newest finished one.
        found = sorted(unit.games.in_channel(channel_id), key=lambda game: _RANK.get(game.status, len(_RANK)))
        game = unit.games.find(found[0].id) if found else None
        if game is None:
            return None
        seats = tuple(unit.games.seats(game.id))
        table = None if game.document is None else read_table(context, game, seats)
        sheets: Mapping[PowerId, Any] = unit.sheets.of_phase(game.id, game.phase_no)
        return GameNow(game, seats, table, sheets, words_of(game))
