"""Whether many games cost more than few: `python -m tests.bench.bench_scale`.

For 10, 100 and 1,000 running games in one database it prints the curve: statements and milliseconds for each closed
phase (orders read, adjudicated, stored, announcements queued), for announcing it, and for a minute's sweep that finds
nothing to do. `--database` takes an address of an empty PostgreSQL database; the default is a new SQLite file.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from sqlalchemy import event

from bot.announcing.announcer import Announcer
from bot.model import ClosedBecause, Game, GameId, Outgoing, Pace, Seat, StoredSheet, Target, UserId
from bot.services import lobby, orders, positions, turns
from bot.services.arrivals import Arrival
from bot.services.context import Context
from bot.services.sheets import SubmitMode
from bot.storage import Database
from bot.text.compose import compose
from bot.text.message import Message
from engine.registry import systems
from tests.fakes import FakeAlarm, FakeClock

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
SIZES = (10, 100, 1000)
CLOSED = 10
"""Phases closed in each measurement, each of another game."""


Pattern = tuple[Game, Sequence[Seat], Sequence[StoredSheet], Sequence[Outgoing]]
"""A game, its seats, its sheets, and what it announced."""


@dataclass(frozen=True)
class Cost:
    """Statements and milliseconds of one thing; of several alike the median."""

    statements: float
    duration_ms: float

    def __str__(self) -> str:
        return f"{self.statements:7.1f} SQL {self.duration_ms:7.1f} ms"


@dataclass(frozen=True)
class Costs:
    """What things cost among so many running games."""

    games: int
    close: Cost
    announce: Cost
    sweep: Cost


def main() -> None:
    """Print the curve."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--database", metavar="URL", help="an empty PostgreSQL database; default: new SQLite files")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N")
    arguments = parser.parse_args()
    print(f"{'games':>6} | {'a closed phase':>22} | {'announcing it':>22} | {'an idle sweep':>22}")
    with tempfile.TemporaryDirectory() as folder:
        table = ManyGames(arguments.database or f"sqlite:///{Path(folder) / 'games.sqlite'}")
        for size in arguments.sizes:
            costs = table.measure(size)
            cells = [
                f"{c.statements:7.1f} SQL {c.duration_ms:7.1f} ms" for c in (costs.close, costs.announce, costs.sweep)
            ]
            print(f"{size:>6} | {' | '.join(f'{cell:>22}' for cell in cells)}")
        table.close()


@dataclass(frozen=True)
class Announced:
    """What announcing took; loads: of positions from their documents."""

    statements: int
    transactions: int
    loads: int


class ManyGames:
    """A database that is filled with running games, copies of a few.

    Args:
        patterns: how many games there are copies of. They differ in their orders, which are drawn by lot but for those
            of the first.
    """

    def __init__(self, address: str, patterns: int = 1) -> None:
        self._database = Database(address)
        self._database.migrate()
        self._clock = FakeClock(NOON)
        unit_of_work = self._database.unit_of_work
        self._context = Context(unit_of_work, self._clock, FakeAlarm(), systems, lambda: "seed")
        self._announcer = Announcer(self._context, compose, self)
        self._statements = self._transactions = 0
        event.listen(self._database.engine, "before_cursor_execute", self._count)
        event.listen(self._database.engine, "begin", self._count_transaction)
        self._patterns = [self._read_pattern(self._begin(number)) for number in range(patterns)]
        self._games: list[GameId] = []

    def close(self) -> None:
        """Give up the connections."""
        self._database.close()

    async def send(self, target: Target, target_id: int, message: Message, *, nonce: str) -> int:
        """A Discord that takes no time."""
        return 1

    async def edit(self, target: Target, target_id: int, message_id: int, message: Message) -> bool:
        """A Discord that takes no time."""
        return True

    async def find(
        self, target: Target, target_id: int, message: Message, *, nonce: str, since: datetime, known: Set[int]
    ) -> int | None:
        """A Discord in which nothing is ever in doubt."""
        return None

    def measure(self, size: int) -> Costs:
        """What things cost among so many games; at least as many as there are already."""
        self.fill(size)
        due = self._games[-CLOSED:]
        self._clock.advance(timedelta(seconds=1))
        sweep = self._cost([lambda: turns.sweep(self._context)] * CLOSED)
        close = self._cost([partial(self._close, game_id) for game_id in due])
        announce = self._cost([lambda: asyncio.run(self._announcer.drain())])
        each = Cost(announce.statements / len(due), announce.duration_ms / len(due))
        return Costs(size, close, each, sweep)

    def announced(self, games: int) -> Announced:
        """What it takes to announce one phase of each of some games, all at once."""
        self.fill(len(self._games) + games)
        for game_id in self._games[-games:]:
            self._close(game_id)
        positions.forget()
        self._statements = self._transactions = 0
        asyncio.run(self._announcer.drain())
        return Announced(self._statements, self._transactions, positions.loads())

    def _cost(self, works: Sequence[Callable[[], object]]) -> Cost:
        statements, durations_ms = [], []
        for work in works:
            self._statements = 0
            began = perf_counter()
            work()
            durations_ms.append((perf_counter() - began) * 1000)
            statements.append(self._statements)
        return Cost(median(statements), median(durations_ms))

    def _count(self, *_: object) -> None:
        self._statements += 1

    def _count_transaction(self, *_: object) -> None:
        self._transactions += 1

    def _close(self, game_id: GameId) -> None:
        if not turns.close_phase(self._context, game_id, 1, ClosedBecause.GAME_MASTER):
            raise AssertionError(f"game {game_id} was closed already")

    def _begin(self, number: int) -> GameId:
        """A game of seven in which everybody has ordered: in the first what is suggested, else by lot."""
        context, host = self._context, UserId(99)
        game_id = lobby.create_game(
            context,
            lobby.NewGame(system="diplomacy", name=f"Pattern {number}", players=7, pace=Pace("1d")),
            guild_id=1,
            channel_id=1,
            user_id=host,
        ).id
        for player in range(1, 8):
            lobby.join_game(context, game_id, UserId(player), power=None)
        lobby.start_game(context, game_id, host, is_manager=False)
        lot = Random(number) if number else None
        for player in range(1, 8):
            text = self._text(game_id, UserId(player), lot)
            orders.submit(context, game_id, UserId(player), text, mode=SubmitMode.MERGE, arrival=Arrival(phase_no=1))
        asyncio.run(self._announcer.drain())
        return game_id

    def _text(self, game_id: GameId, user_id: UserId, lot: Random | None) -> str:
        if lot is None:
            return "\n".join(orders.suggest(self._context, game_id, user_id, ""))
        by_unit = defaultdict[str, list[str]](list)
        for kind in ("A ", "F "):
            for line in orders.suggest(self._context, game_id, user_id, kind):
                by_unit[line[:5]].append(line)
        return "\n".join(map(lot.choice, by_unit.values()))

    def _read_pattern(self, game_id: GameId) -> Pattern:
        """The game that the others are copies of."""
        with self._context.unit_of_work() as unit:
            game = unit.games.find(game_id)
            assert game is not None, "it was begun"
            sheets = tuple(unit.sheets.of_phase(game_id, 1).values())
            return game, unit.games.seats(game_id), sheets, unit.outbox.of_game(game_id)

    def fill(self, size: int) -> list[GameId]:
        """Copies of the patterns in turn, each with its own players and channel, until there are so many; their ids."""
        with self._context.unit_of_work() as unit:
            for number in range(len(self._games), size):
                first, seats, sheets, sent = self._patterns[number % len(self._patterns)]
                game = unit.games.add(replace(first, name=f"Game {number}", channel_id=1000 + number, token=""))
                for seat in seats:
                    user_id = UserId(1000 * (number + 1) + seat.number)
                    unit.games.save_seat(replace(seat, game_id=game.id, user_id=user_id))
                for sheet in sheets:
                    unit.sheets.save(replace(sheet, game_id=game.id))
                for message in sent:
                    unit.outbox.add(replace(message, game_id=game.id))
                self._games.append(game.id)
            unit.commit()
        return self._games


if __name__ == "__main__":
    main()
