"""The chronicle of a power: all that its player was told, and nothing else."""

from __future__ import annotations

import re

import pytest

from bot.model import GameId, UserId
from bot.services import doors
from bot.services.chronicle import Chronicle, chronicle
from bot.services.errors import Refused
from bot.services.lobby import join_game, leave_game
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


def test_of_a_single_phase_it_does_not_say_from_it_to_itself(world: World, game_id: GameId) -> None:
    world.pass_deadline(game_id)
    [message] = chronicle_messages(chronicle(world.context, game_id, ANNA))
    assert "From **" not in message.content
    world.pass_deadline(game_id)
    [message] = chronicle_messages(chronicle(world.context, game_id, ANNA))
    assert "From **" in message.content


def test_its_figures_are_told_when_they_change(world: World, game_id: GameId) -> None:
    world.pass_in_silence(game_id, 3)
    page = page_of(chronicle(world.context, game_id, ANNA))
    assert "<th>Core troops</th>" in page
    assert page.count("<tr>") == 3, "the heads, the beginning, and the first arming"


def test_after_each_epoch_it_sums_up_what_changed(world: World, game_id: GameId) -> None:
    for _ in range(26):
        for user in PLAYERS:
            world.submit(game_id, user, "PASS")
        world.pass_deadline(game_id)
    page = page_of(chronicle(world.context, game_id, ANNA))
    sums = [row for row in page.split("<tr>") if "all in all" in row]
    assert len(sums) == 1, "the second epoch is not over"
    assert "Epoch 1, all in all" in sums[0]
    assert "±0" in sums[0], "no province was won"
    assert re.search(r">\+\d", sums[0]), "RE were gathered"


def test_a_newcomers_begins_when_they_come(world: World) -> None:
    options = {"places": "1"}
    game_id = world.start(wishes=PLAYERS, system=KALEVALA, players=6, options=options, name="Long")
    for _ in range(4):
        for user in PLAYERS:
            world.submit(game_id, user, "PASS")
        world.pass_deadline(game_id)
    newcomer = UserId(900)
    join_game(world.context, game_id, newcomer, power="gerd")
    assert len(chronicle(world.context, game_id, newcomer).chapters) == 1
    world.submit(game_id, newcomer, "BEGIN LAND")
    for _ in range(2):
        world.pass_deadline(game_id)
    found = chronicle(world.context, game_id, newcomer)
    assert [chapter.title.args["gr"] for chapter in found.chapters] == [3, 3]
    page = page_of(found)
    assert "You are allotted" in page
    with pytest.raises(Refused):
        chronicle(world.context, game_id, STRANGER)


def test_who_takes_a_realm_over_has_its_whole_chronicle_and_who_left_none(world: World, game_id: GameId) -> None:
    world.submit(game_id, ANNA, "EXPLORE 1 2E+7 > 2E+6")
    world.pass_deadline(game_id)
    leave_game(world.context, game_id, ANNA)
    world.pass_deadline(game_id)
    newcomer = UserId(900)
    join_game(world.context, game_id, newcomer, power="anna")
    page = page_of(chronicle(world.context, game_id, newcomer))
    assert "EXPLORE 1 2E+7 &gt; 2E+6" in page
    assert "Your realm is vacant now" in page
    with pytest.raises(Refused):
        chronicle(world.context, game_id, ANNA)


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
