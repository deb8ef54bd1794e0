"""Many games with one deadline: `python -m tests.bench.bench_deadline --games 1000`.

Games of Diplomacy of seven players in one SQLite file, in their first spring; up to fifty of them have orders of their
own, drawn by lot, and the others are copies of these in turn. Their deadline comes, they are closed, drawn in worker
processes, and posted to a Discord that takes no time and counts. Meanwhile somebody in one of them asks for
completions, twice a second. Printed are minutes of the processor, workers included, whether all was posted, and the
longest waits for a completion, which alone are of the clock on the wall.

With `--public-maps` only the two maps for the channel are drawn, as 0.1.0 did, and none of the seven players' own.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import tempfile
import time
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from bot.app import Application, build_application
from bot.discord_messages import message_kwargs
from bot.model import Delivery, GameId, UserId
from bot.ports import Renderer
from bot.services import orders
from bot.settings import Settings
from bot.text.message import Message
from tests.bench.bench_scale import NOON, ManyGames
from tests.fakes import FakeClock

PATTERNS = 50
"""How many games differ in their orders."""
ASKED_EVERY_S = 0.5
LONG_S = 0.1
MOST_SWEEPS = 20


def main() -> None:
    """Print what one deadline of so many games takes."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--public-maps", action="store_true")
    given = parser.parse_args()
    if given.public_maps:
        _draw_no_maps_of_realms()
    with tempfile.TemporaryDirectory() as folder:
        address = f"sqlite:///{Path(folder) / 'games.sqlite'}"
        # The patterns are due too.
        patterns = min(PATTERNS, (given.games + 1) // 2)
        table = ManyGames(address, patterns)
        ids = table.fill(given.games - patterns)
        table.close()
        before = _processor_s()
        sent, waits, left = asyncio.run(_deadline(address, ids))
        # Workers are waited for when the application is closed: until then their time is not told.
        in_bot, in_workers = (after - earlier for earlier, after in zip(before, _processor_s(), strict=True))
        spent = in_bot + in_workers
    print(
        f"{given.games} games with one deadline: {spent / 60:.2f} minutes of the processor, start and workers included"
    )
    each = [f"{seconds / given.games * 1000:.0f}" for seconds in (spent, in_bot, in_workers)]
    print(f"  {each[0]} ms a game, {each[1]} of them in the bot and {each[2]} in its workers")
    print(f"  {sent['messages']} messages, {sent['files']} files posted")
    print(f"  games not closed or with something left to post: {left}")
    longest = ", ".join(f"{wait * 1000:.0f}" for wait in sorted(waits)[-5:])
    late = sum(wait > LONG_S for wait in waits)
    print(f"  {len(waits)} completions asked for meanwhile, {late} over 100 ms; the longest waits were {longest} ms")


def _draw_no_maps_of_realms() -> None:
    async def with_public_maps(message: Message, renderer: Renderer) -> dict[str, Any]:
        public = tuple(picture for picture in message.pictures if not getattr(picture.scene, "focus", None))
        return await message_kwargs(replace(message, pictures=public), renderer)

    mock.patch("bot.discord_sender.message_kwargs", with_public_maps).start()


def _processor_s() -> tuple[float, float]:
    """Seconds of the processor so far: this process's, and those of workers that have ended."""
    own, workers = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime, workers.ru_utime + workers.ru_stime


async def _deadline(address: str, ids: list[GameId]) -> tuple[Counter[str], list[float], int]:
    """What was posted, how long completions took in seconds, and how many games something is left of."""
    settings: Any = {"database_url": address}
    application = build_application(Settings(**settings), clock=FakeClock(NOON + timedelta(days=1, seconds=2)))
    sent = Counter[str]()
    _count_posts(application, sent)
    await asyncio.to_thread(application.warm_up)
    waits: list[float] = []
    asking = asyncio.create_task(_ask(application, ids[0], waits))
    left = len(ids)
    for _ in range(MOST_SWEEPS):
        await application.sweep()
        left = await asyncio.to_thread(_left, application, ids)
        if not left:
            break
    asking.cancel()
    await application.close()
    return sent, waits, left


def _count_posts(application: Application, sent: Counter[str]) -> None:
    async def send(**given: Any) -> Any:
        sent["messages"] += 1
        sent["files"] += len(given.get("files", ()))
        return SimpleNamespace(id=sent["messages"])

    async def edit(**_: object) -> None:
        sent["changes"] += 1

    async def create_dm(_user: object) -> Any:
        return place

    place = SimpleNamespace(send=send, get_partial_message=lambda _id: SimpleNamespace(edit=edit))
    client: Any = application.client
    client.create_dm = create_dm
    client.get_partial_messageable = lambda _channel_id: place


async def _ask(application: Application, game_id: GameId, waits: list[float]) -> None:
    while True:
        began = time.monotonic()
        await asyncio.to_thread(orders.suggest, application.context, game_id, UserId(1001), "A ")
        waits.append(time.monotonic() - began)
        await asyncio.sleep(ASKED_EVERY_S)


def _left(application: Application, ids: list[GameId]) -> int:
    """Games in which the phase is open still, or whose posts are not all sent."""
    with application.context.reading() as unit:
        return sum(
            game is None
            or game.phase_no == 1
            or any(message.delivery is not Delivery.SENT for message in unit.outbox.of_game(game.id))
            for game in map(unit.games.find, ids)
        )


if __name__ == "__main__":
    main()
