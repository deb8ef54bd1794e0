"""`/ally`, `/donate`, `/cede`: what their options complete to; help once a sheet is in."""

from __future__ import annotations

import pytest

from bot.model import GameId, UserId
from bot.services import doors
from bot.services.guidance import guidance
from bot.services.sheets import SubmitMode
from bot.text.compose import compose
from bot.text.help import help_message
from engine.core.ids import PowerId, SystemId
from engine.registry import systems
from tests.bot.services.world import ANN, BOB, CY, World
from tests.cogs.conftest import Interact, completed
from tests.cogs.test_presses import button_of, press

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
        first, *_ = doors.complete(world.context, game_id, user_id, "cede", "place", "")
        world.submit(game_id, user_id, f"NAME {first.value} {name}")
    world.ready(game_id, ANN, BOB, CY)
    return game_id


async def test_nations_are_the_others_that_somebody_plays(interact: Interact, game_id: GameId) -> None:
    everybody = await completed(interact(ANN, options={}), "ally", "nation", "")
    begun = await completed(interact(ANN, options={}), "ally", "nation", "ROM")
    assert {choice.name: choice.value for choice in everybody} == {"Romans": "romans", "Persians": "persians"}
    assert [choice.value for choice in begun] == ["romans"]
    assert await completed(interact(STRANGER, options={}), "ally", "nation", "") == []


async def test_places_are_ones_own_by_coordinates_and_name(interact: Interact, world: World, game_id: GameId) -> None:
    own = await completed(interact(ANN, options={}), "cede", "place", "")
    named = await completed(interact(ANN, options={}), "cede", "place", "theb")
    assert len(own) == 6
    assert [choice.name for choice in named] == [f"Thebes ({named[0].value.replace(' ', '/')})"]
    assert named[0] in own
    assert named == await completed(interact(ANN, options={}), "cede", "place", named[0].value)
    assert await completed(interact(ANN, options={}), "cede", "place", "ostia") == []
    assert await completed(interact(STRANGER, options={}), "cede", "place", "") == []


def test_place_may_be_written_by_its_name(world: World, game_id: GameId) -> None:
    (thebes,) = doors.complete(world.context, game_id, ANN, "cede", "place", "Thebes")
    receipt = doors.order(world.context, game_id, ANN, "cede", {"nation": "romans", "place": "thebes"})
    assert receipt.orders == (f"CEDE {thebes.value} romans",)


def test_help_after_a_sheet_says_that_it_is_in_and_points_to_no_text_below(world: World, game_id: GameId) -> None:
    world.submit(game_id, ANN, "PASS")
    person = guidance(world.context, ANN, guild_id=None, channel_id=None)
    (message, *_) = help_message(person, lambda name: f"/{name}")
    assert "Your sheet is in. If you send another, it replaces this one." in message.embeds[0].description
    assert "This is your whole sheet" not in message.embeds[0].description


async def test_ready_is_asked_about_when_nothing_of_a_sheet_could_be_taken(
    interact: Interact, world: World, game_id: GameId
) -> None:
    """Else somebody who only chatted would do nothing this turn without a warning."""
    world.submit(game_id, ANN, "who wants peace?", mode=SubmitMode.AS_SENT)
    asked = await press(interact(ANN), f"so:ready:{world.game(game_id).token}:2")
    assert "You have not sent a sheet." in asked.text
    assert not world.seat(game_id, PowerId("egyptians")).is_ready

    answered = await press(interact(ANN), button_of(asked, "ready"))
    assert "You are **ready**" in answered.text


def test_an_alliance_that_only_one_side_raised_is_said_to_have_come_to_nothing(world: World, game_id: GameId) -> None:
    world.submit(game_id, ANN, "ALL romans 1")
    world.submit(game_id, BOB, "ALL persians 1")
    world.submit(game_id, CY, "ALL romans 1")
    world.forget_mail()
    world.ready(game_id, ANN, BOB, CY)
    assert "Your alliance with the Romans did not rise: only one of you raised" in letter(world, game_id, ANN)
    assert "Your alliance with the Egyptians did not rise" in letter(world, game_id, BOB)
    assert "did not rise" not in letter(world, game_id, CY)


def letter(world: World, game_id: GameId, user_id: UserId) -> str:
    """The message to a player that opens the next turn."""
    mine = [out for out in world.outbox(game_id) if out.kind == "briefing" and out.target_id == user_id]
    return "\n".join(
        embed.description for out in mine for message in compose(world.context, out) for embed in message.embeds
    )


@pytest.mark.parametrize("text", ["ally romans", "ALL Romans", "alliance romans"])
def test_an_alliance_without_a_number_is_taken_for_the_next_step(world: World, game_id: GameId, text: str) -> None:
    receipt = world.submit(game_id, ANN, text)
    assert [hint.casefold() for error in receipt.errors for hint in error.hints] == ["all romans 1"]
