"""How long the event loop is held while phases close and maps are drawn: `python -m tests.bench.bench_loop`.

A watchman sleeps for a millisecond at a time, and measures by how much he overslept. Discord is one that takes no time.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace
from typing import Any

from bot.app import Application, build_application
from bot.model import Pace, UserId
from bot.services import lobby
from bot.services.context import Context
from bot.settings import Settings
from tests.fakes import FakeClock

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def main() -> None:
    """Print the longest times that the loop was held."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--phases", type=int, default=10, metavar="N")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        held_ms = sorted(asyncio.run(watch(f"sqlite:///{Path(folder) / 'games.sqlite'}", arguments.phases)))
    longest = ", ".join(f"{duration:.0f}" for duration in reversed(held_ms[-5:]))
    print(f"{arguments.phases} phases closed, drawn and announced; the loop was held for at most {longest} ms")


async def watch(address: str, phases: int) -> list[float]:
    """Milliseconds by which the watchman overslept, each time."""
    clock = FakeClock(NOON)
    settings: Any = {"database_url": address}
    application = build_application(Settings(**settings), clock=clock)
    quicken(application)
    await asyncio.to_thread(application.warm_up)
    await asyncio.to_thread(_begin, application.context)
    await application.sweep()
    held_ms: list[float] = []
    watchman = asyncio.create_task(_stand_watch(held_ms))
    for _ in range(phases):
        clock.advance(timedelta(days=1))
        await application.sweep()
    watchman.cancel()
    await application.close()
    return held_ms


async def _stand_watch(held_ms: list[float]) -> None:
    while True:
        began = perf_counter()
        await asyncio.sleep(0.001)
        held_ms.append((perf_counter() - began) * 1000 - 1)


def quicken(application: Application) -> None:
    """Messages are made as ever, but go nowhere."""

    async def send(**_: object) -> Any:
        return SimpleNamespace(id=1)

    async def create_dm(_user: object) -> Any:
        return SimpleNamespace(send=send)

    client: Any = application.client
    client.create_dm = create_dm
    client.get_partial_messageable = lambda _channel_id: SimpleNamespace(send=send)


def _begin(context: Context) -> None:
    host = UserId(99)
    game_id = lobby.create_game(
        context,
        lobby.NewGame(system="diplomacy", name="Game", players=7, pace=Pace("1d")),
        guild_id=1,
        channel_id=1,
        user_id=host,
    ).id
    for number in range(1, 8):
        lobby.join_game(context, game_id, UserId(number), power=None)
    lobby.start_game(context, game_id, host, is_manager=False)


if __name__ == "__main__":
    main()
