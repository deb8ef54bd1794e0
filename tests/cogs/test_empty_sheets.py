"""Choosing to do nothing, in a game of sheets."""

from __future__ import annotations

import re

import pytest

from bot.services import orders
from engine.core.ids import PowerId, SystemId
from engine.registry import systems
from tests.bot.services.test_battles import ANNA, PLAYERS
from tests.bot.services.world import World
from tests.cogs.conftest import Interact
from tests.cogs.test_presses import press

KALEVALA = systems[SystemId("kalevala")]


@pytest.fixture
def world() -> World:
    return World({KALEVALA.info.id: KALEVALA})


async def test_choosing_it_brings_the_receipt_however_often(interact: Interact, world: World) -> None:
    game_id = world.start(wishes=PLAYERS, system="kalevala", players=6)
    choices = [choice.value for choice in orders.menu(world.context, game_id, ANNA, ()).choices]
    number = choices.index("PASS")

    for _ in range(2):
        done = await press(interact(ANNA), f"so:unit:game{game_id}:1:receipt-{number}")

        assert re.search(r"`PASS`", done.text)
        sheet = world.sheet(game_id, PowerId("anna"))
        assert sheet is not None
        assert sheet.orders == ("PASS",)
