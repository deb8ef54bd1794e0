"""`/ally`, `/donate`, `/cede`: what their options complete to."""

from __future__ import annotations

import pytest

from bot.model import GameId, UserId
from bot.services import orders
from cogs.treaties import complete_own_place, complete_partner
from engine.core.ids import SystemId
from engine.core.specialities import Treaty
from engine.registry import systems
from tests.bot.services.world import ANN, BOB, CY, World
from tests.cogs.conftest import Interact

KINGS = systems[SystemId("king_of_kings")]
STRANGER = UserId(99)


@pytest.fixture
def world() -> World:
    return World({KINGS.info.id: KINGS})


@pytest.fixture
def game_id(world: World) -> GameId:
    """Three nations and the Monsters, after a turn in which each named its first province."""
    wishes = {ANN: "egyptians", BOB: "romans", CY: "persians"}
    game_id = world.start(wishes=wishes, system="king_of_kings", players=3)
    for user_id, name in ((ANN, "Thebes"), (BOB, "Ostia"), (CY, "Susa")):
        first, *_ = orders.places_to_cede(world.context, game_id, user_id)
        world.submit(game_id, user_id, f"NAME {first.value} {name}")
    world.ready(game_id, ANN, BOB, CY)
    return game_id


async def test_nations_are_the_others_that_somebody_plays(interact: Interact, game_id: GameId) -> None:
    everybody = await complete_partner(interact(ANN, options={}).discord, "")
    begun = await complete_partner(interact(ANN, options={}).discord, "ROM")
    assert {choice.name: choice.value for choice in everybody} == {"Romans": "romans", "Persians": "persians"}
    assert [choice.value for choice in begun] == ["romans"]
    assert await complete_partner(interact(STRANGER, options={}).discord, "") == []


async def test_places_are_ones_own_by_coordinates_and_name(interact: Interact, world: World, game_id: GameId) -> None:
    own = await complete_own_place(interact(ANN, options={}).discord, "")
    named = await complete_own_place(interact(ANN, options={}).discord, "theb")
    assert len(own) == 6
    assert [choice.name for choice in named] == [f"Thebes ({named[0].value.replace(' ', '/')})"]
    assert named[0] in own
    assert named == await complete_own_place(interact(ANN, options={}).discord, named[0].value)
    assert await complete_own_place(interact(ANN, options={}).discord, "ostia") == []
    assert await complete_own_place(interact(STRANGER, options={}).discord, "") == []


def test_place_may_be_written_by_its_name(world: World, game_id: GameId) -> None:
    thebes = next(choice for choice in orders.places_to_cede(world.context, game_id, ANN) if "Thebes" in choice.label)
    receipt = orders.make_treaty(world.context, game_id, ANN, Treaty.CEDE, other="romans", what="thebes")
    assert receipt.orders == (f"CEDE {thebes.value} romans",)
