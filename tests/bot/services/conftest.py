"""A game of King of Kings of three people; modules about other games make their own."""

from __future__ import annotations

import pytest

from bot.model import GameId
from engine.registry import systems
from tests.bot.services.world import ANN, BOB, CY, World


@pytest.fixture
def world() -> World:
    return World(systems)


@pytest.fixture
def game_id(world: World) -> GameId:
    return world.start(wishes={ANN: "", BOB: "", CY: ""}, system="king_of_kings", players=3)
