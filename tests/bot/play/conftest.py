"""A world with the little bot in it, and its page."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

pytest.importorskip("simcord", reason="simcord, of the extra `play`, is not installed")

from bot.play.page import PageServer
from bot.play.world import SimulatedServer
from tests.bot.play.little_bot import LittleApplication, LittleGuide


@pytest.fixture
async def world() -> AsyncIterator[SimulatedServer]:
    async with SimulatedServer(LittleApplication, people=3) as world:
        yield world


@pytest.fixture
async def page(world: SimulatedServer) -> AsyncIterator[PageServer]:
    page = PageServer(world, LittleGuide())
    await page.start(18765)
    yield page
    await page.close()
