"""The chronicle of a power: all that its player was told, and nothing else."""

from __future__ import annotations

import pytest

from bot.model import GameId, UserId
from bot.services import doors
from bot.services.chronicle import Chronicle, chronicle
from bot.services.errors import Refused
from bot.text.chronicle import CHRONICLE_FILE, chronicle_messages
from bot.text.discord_limits import breaches
from engine.core.ids import SystemId
from engine.pictures.film import Film
from engine.registry import systems
from tests.bot.services.world import World

KALEVALA, DIPLOMACY = SystemId("kalevala"), SystemId("diplomacy")
RULERS = ("anna", "bert", "carl", "dora", "emil", "fina")
PLAYERS = {UserId(number): ruler for number, ruler in enumerate(RULERS, start=1)}
ANNA, BERT, CARL, STRANGER = UserId(1), UserId(2), UserId(3), UserId(99)


@pytest.fixture
def world() -> World:
    return World(systems)


@pytest.fixture
def game_id(world: World) -> GameId:
    return world.start(wishes=PLAYERS, system=KALEVALA, players=6)


def page_of(found: Chronicle) -> str:
    [message] = chronicle_messages(found)
    assert breaches(message) == []
    [page] = [file.text for file in message.files if file.filename == CHRONICLE_FILE]
    return page


def test_it_has_what_its_player_was_told_and_nobody_elses_secrets(world: World, game_id: GameId) -> None:
    with pytest.raises(Refused):
        chronicle(world.context, game_id, ANNA)
    world.submit(game_id, ANNA, "EXPLORE 1 2E+7 > 2E+6")
    doors.order(world.context, game_id, ANNA, "letter", {"ruler": "bert", "text": "The <i>wolves</i> come"})
    world.pass_deadline(game_id)
    world.pass_deadline(game_id)
    pages = {who: page_of(chronicle(world.context, game_id, who)) for who in (ANNA, BERT, CARL)}
    assert "<code>EXPLORE 1 2E+7 &gt; 2E+6</code>" in pages[ANNA]
    assert "EXPLORE" not in pages[BERT]
    assert "The &lt;i&gt;wolves&lt;/i&gt; come" in pages[BERT]
    assert "wolves&lt;" not in pages[CARL]
    with pytest.raises(Refused):
        chronicle(world.context, game_id, STRANGER)


def test_its_figures_are_told_when_they_change(world: World, game_id: GameId) -> None:
    for _ in range(3):
        world.pass_deadline(game_id)
    page = page_of(chronicle(world.context, game_id, ANNA))
    assert "<th>Core troops</th>" in page
    assert page.count("<tr>") == 3, "the heads, the beginning, and the first arming"


def test_its_film_is_the_map_as_its_player_knew_it(world: World, game_id: GameId) -> None:
    world.submit(game_id, ANNA, "EXPLORE 1 2E+7 > 2E+6")
    world.pass_deadline(game_id)
    found = chronicle(world.context, game_id, ANNA)
    assert isinstance(found.film, Film)
    assert found.shown == 1
    first, last = (step.scene for step in found.film.steps)
    assert {step.scene.viewer for step in found.film.steps} == {"anna"} == {found.film.viewer}
    assert first != last


def test_games_with_a_public_board_have_it_too(world: World) -> None:
    game_id = world.start(
        wishes=dict(zip(PLAYERS, ("austria", "england", "france", "germany", "italy", "russia"), strict=True))
        | {UserId(7): "turkey"},
        system=DIPLOMACY,
        players=7,
    )
    world.submit(game_id, ANNA, "A BUD - SER")
    world.pass_deadline(game_id)
    page = page_of(chronicle(world.context, game_id, ANNA))
    assert "A BUD - SER" in page
    assert "<table>" not in page
