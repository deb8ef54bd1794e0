"""What single rows cost: `python -m tests.bench.bench_rows`, part of `make bench`.

Microseconds of processor time for each call, SQLite in a file, the best of several rounds. Nothing of it is committed.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from datetime import timedelta

from pydantic import SecretStr

from bot.app import build_application
from bot.ports import UnitOfWork
from bot.settings import Settings
from tests.bench.bench_memory import play

ROUNDS, CALLS = 5, 200


def main() -> None:
    """Print a row for each call."""
    with tempfile.TemporaryDirectory() as folder:
        address = SecretStr(f"sqlite:///{folder}/games.sqlite")
        application = build_application(Settings(database_url=address, workers=0))
        play(application, "rows", "diplomacy", 7)
        context = application.context
        with context.unit_of_work() as unit:
            (game,) = unit.games.in_channel(2)
            seats, (message, *_) = unit.games.seats(game.id), unit.outbox.of_game(game.id)
        power = next(seat.power for seat in seats if seat.power is not None)
        soon = context.clock.now() + timedelta(minutes=1)
        calls: dict[str, Callable[[UnitOfWork], object]] = {
            "the next messages to send": lambda unit: unit.outbox.pending(soon, limit=1),
            "posting a message": lambda unit: unit.outbox.add(message),
            "writing a seat": lambda unit: unit.games.save_seat(seats[0]),
            "changing a game": lambda unit: unit.games.update(game),
            "reading a game": lambda unit: unit.games.find(game.id),
            "its seats": lambda unit: unit.games.seats(game.id),
            "the sheet of a seat": lambda unit: unit.sheets.find(game.id, game.phase_no, power),
        }
        for name, call in calls.items():
            with context.unit_of_work() as unit:
                print(f"{name:<28}{_best_us(call, unit):>7.0f}", flush=True)
        application.database.close()


def _best_us(call: Callable[[UnitOfWork], object], unit: UnitOfWork) -> float:
    best_s = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        for _ in range(CALLS):
            call(unit)
        best_s = min(best_s, time.process_time() - began)
    return best_s / CALLS * 1e6


if __name__ == "__main__":
    main()
