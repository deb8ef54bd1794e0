"""A game of Diplomacy among seven people, and interactions of theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.model import GameId, UserId
from engine.core.ids import SystemId
from engine.registry import systems
from tests.bot.services.world import World
from tests.cogs.stubs import StubClient, StubInteraction

POWERS = ("austria", "england", "france", "germany", "italy", "russia", "turkey")
PLAYERS = {UserId(number): power for number, power in enumerate(POWERS, start=1)}

Interact = Callable[..., StubInteraction]
"""Makes an interaction of a person."""


@pytest.fixture
def world() -> World:
    return World({SystemId("diplomacy"): systems[SystemId("diplomacy")]})


@pytest.fixture
def game_id(world: World) -> GameId:
    return world.start(wishes=PLAYERS, system="diplomacy", name="War", players=7)


@pytest.fixture
def client(world: World) -> StubClient:
    return StubClient(world.context)


@pytest.fixture
def interact(client: StubClient) -> Interact:
    def make(user_id: int, **changes: Any) -> StubInteraction:
        return StubInteraction(client, UserId(user_id), **changes)

    return make
