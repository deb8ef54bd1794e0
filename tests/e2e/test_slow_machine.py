"""On a slow machine the computer's players do what they do on a fast one: who acts has seen all that came before."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.table import open_table

PHASES = 2
Sheets = list[tuple[str, list[tuple[str, tuple[str, ...]]]]]


async def test_the_same_seed_gives_the_same_game_however_slow_the_machine_is(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    quick = await _play(tmp_path_factory.mktemp("quick"))
    async with _hogged_loop():
        slow = await _play(tmp_path_factory.mktemp("slow"))
    assert len(quick) == PHASES
    assert slow == quick


async def _play(folder: Path) -> Sheets:
    """The orders of a game's first phases, of all powers."""
    powers = ("france", "germany", "russia")
    async with open_table(folder, people=3, players="3", seed="hazel", wishes=powers) as table:
        for _ in range(PHASES):
            await table.robots.play_phase()
        await table.quiet()
        with table.application.context.unit_of_work() as unit:
            (game,) = unit.games.in_channel(table.world.channel.id)
            records = unit.phases.of_game(game.id)
    return [(record.code, sorted((p, sheet.orders) for p, sheet in record.sheets.items())) for record in records]


@contextlib.asynccontextmanager
async def _hogged_loop() -> AsyncIterator[None]:
    """Most of the event loop's time is somebody else's."""

    async def hog() -> None:
        while True:
            time.sleep(0.12)  # noqa: ASYNC251 - that is the point
            await asyncio.sleep(0.02)

    task = asyncio.create_task(hog())
    try:
        yield
    finally:
        task.cancel()
