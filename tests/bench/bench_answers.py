"""How long somebody waits for an answer while other games are at work: `python -m tests.bench.bench_answers`.

One game closes a phase with a sheet that takes seconds to read, 50 maps are drawn, and in another game a player
completes and sends orders all the while. Discord is one that takes no time.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from bot.app import Application, build_application
from bot.discord_messages import message_kwargs
from bot.model import ClosedBecause, GameId, Pace, StoredSheet, UserId
from bot.services import lobby, orders, turns
from bot.services.context import Context
from bot.services.sheets import SubmitMode
from bot.settings import Settings
from bot.text.message import Message, ScenePicture
from tests.bench.bench_loop import quicken
from tests.fakes import FakeClock

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOST, PLAYER = UserId(99), UserId(1)
LINES = 50_000
"""Of a sheet that is nonsense: 100 KiB, as much as can be sent."""
PICTURES = 50
AT_ONCE = 4
"""Maps that are asked for at the same time, as by the announcer."""
PAUSE_S = 0.01
WARM_S = 30.0
REST_S = 10.0
COUNTS = (0, 3)


def main() -> None:
    """Print the longest waits."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--workers", type=int, nargs="+", default=COUNTS, metavar="N")
    given = parser.parse_args()
    print("longest waits while one game closes a phase and 50 maps are drawn, and at rest, in ms\n")
    print(f"{'workers':>8} {'at work':>10} {'completion':>12} {'at rest':>8} {'order':>8} {'at rest':>8}")
    for count in given.workers:
        with tempfile.TemporaryDirectory() as folder:
            found = asyncio.run(measure(f"sqlite:///{Path(folder) / 'games.sqlite'}", count))
        print(
            f"{count:>8} {found.busy_s:>8.1f} s {found.completion_s * 1000:>12.0f}"
            f" {found.completion_at_rest_s * 1000:>8.0f} {found.order_s * 1000:>8.0f}"
            f" {found.order_at_rest_s * 1000:>8.0f}"
        )


@dataclass(frozen=True)
class Measured:
    """Seconds: how long others were at work, the longest waits meanwhile, and those when nobody was at work."""

    busy_s: float
    completion_s: float
    order_s: float
    completion_at_rest_s: float
    order_at_rest_s: float


async def measure(address: str, workers: int) -> Measured:
    """Let others work, and ask."""
    settings: Any = {"database_url": address, "workers": workers}
    application = build_application(Settings(**settings), clock=FakeClock(NOON))
    quicken(application)
    await asyncio.to_thread(application.warm_up)
    context = application.context
    slow, other = (
        await asyncio.to_thread(begin, context, "feudal"),
        await asyncio.to_thread(begin, context, "diplomacy"),
    )
    await asyncio.to_thread(fill, context, slow)
    await application.start()
    await asyncio.sleep(WARM_S if workers else 0)
    gate = asyncio.Semaphore(AT_ONCE)
    began = perf_counter()
    work = asyncio.gather(
        asyncio.to_thread(turns.close_phase, context, slow, 1, ClosedBecause.GAME_MASTER),
        *(draw(application, other, number, gate) for number in range(PICTURES)),
    )
    waits = await ask_all_the_while(application, other, work)
    busy_s = perf_counter() - began
    # What the machine itself, or others on it, make of it.
    at_rest = await ask_all_the_while(application, other, asyncio.ensure_future(asyncio.sleep(REST_S)))
    await application.close()
    return Measured(busy_s, *waits, *at_rest)


async def ask_all_the_while(
    application: Application, game_id: GameId, work: asyncio.Future[Any]
) -> tuple[float, float]:
    """The longest waits for a completion and for an order."""
    call, context = application.client.call, application.context
    order = partial(orders.submit, mode=SubmitMode.MERGE)
    completion_s, order_s = await asyncio.gather(
        asking(work, lambda: call(orders.suggest, context, game_id, PLAYER, "")),
        asking(work, lambda: call(order, context, game_id, PLAYER, "A VIE H")),
    )
    return completion_s, order_s


async def asking(work: asyncio.Future[Any], ask: Callable[[], Any]) -> float:
    """The longest of the waits for an answer, as long as there is work."""
    longest = 0.0
    while not work.done():
        began = perf_counter()
        await ask()
        longest = max(longest, perf_counter() - began)
        await asyncio.sleep(PAUSE_S)
    work.result()
    return longest


async def draw(application: Application, game_id: GameId, number: int, gate: asyncio.Semaphore) -> None:
    """Make a message with a map, as the announcer does."""
    async with gate:
        receipt = await asyncio.to_thread(orders.show, application.context, game_id, UserId(1 + number % 7))
        picture = ScenePicture(receipt.scene, "map.png", "A map.")
        await message_kwargs(Message("x", pictures=(picture,)), application._renderer)


def begin(context: Context, system: str) -> GameId:
    """A game in its first phase."""
    players = 7
    game_id = lobby.create_game(
        context,
        lobby.NewGame(system=system, name=system, players=players, pace=Pace("1d")),
        guild_id=1,
        channel_id=1,
        user_id=HOST,
    ).id
    for number in range(1, players + 1):
        wish = "austria" if system == "diplomacy" and number == PLAYER else None
        lobby.join_game(context, game_id, UserId(number), power=wish)
    lobby.start_game(context, game_id, HOST, is_manager=False)
    return game_id


def fill(context: Context, game_id: GameId) -> None:
    """Store a sheet that takes seconds to read."""
    with context.unit_of_work() as unit:
        seat = unit.games.seats(game_id)[0]
        assert seat.power is not None
        sheet = StoredSheet(game_id, 1, seat.power, (), (), 1, NOON)
        unit.sheets.save(replace(sheet, orders=("x",) * LINES))
        unit.commit()


if __name__ == "__main__":
    main()
