"""`/gm set`: what the game master is told besides that it is done."""

from __future__ import annotations

import pytest

from bot.model import GameId
from cogs.gm import GameMaster
from engine.core.ids import SystemId
from engine.registry import systems
from tests.bot.services.world import ANN, BOB, CREATOR, CY, World
from tests.cogs.conftest import Interact, run
from tests.cogs.stubs import StubInteraction

KINGS = systems[SystemId("king_of_kings")]


@pytest.fixture
def world() -> World:
    return World({KINGS.info.id: KINGS})


@pytest.fixture
def game_id(world: World) -> GameId:
    wishes = {ANN: "egyptians", BOB: "romans", CY: "persians"}
    return world.start(wishes=wishes, system="king_of_kings", players=3)


async def change(interaction: StubInteraction, text: str) -> str:
    """What is answered to `/gm set`."""
    return (await run(GameMaster(), interaction, "set", change=text)).text


async def test_a_revived_nation_that_has_nothing_is_pointed_out(interact: Interact, game_id: GameId) -> None:
    killed = await change(interact(CREATOR), "kill romans")
    revived = await change(interact(CREATOR), "revive romans")
    assert killed == "Done, and announced in the channel of **Vault one**."
    assert revived.startswith(killed)
    assert "Romans have neither land" in revived
    assert "`/gm set change:units X Y romans FO 2`" in revived
