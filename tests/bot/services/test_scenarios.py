"""Games from somebody's own scenario: set up, looked at, begun, carried over, and whatever can be wrong with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.model import Game, UserId
from bot.services import inspect, lobby, overview, transfer
from bot.services.errors import Refused
from bot.services.region import suggest_regions_of
from bot.services.scenarios import LONGEST_SCENARIO, ScenarioFile
from bot.services.table import powers_of
from bot.text.catalogue import words_of
from bot.text.failure import refused_message
from bot.text.games import call_for_players, info_message
from engine.core.ids import PowerId, SystemId
from engine.registry import Systems, systems
from tests.bot.services.world import ANN, BOB, CHANNEL, CREATOR, CY, DAN, GUILD, World

KINGS = SystemId("king_of_kings")
NARROW_SEAS = Path(__file__).parents[3] / "assets" / "king_of_kings" / "scenarios" / "narrow_seas.json"
TWO: dict[str, Any] = {
    "map": ["P~P"],
    "nations": [{"name": "Red"}, {"name": "McBlue"}],
    "provinces": [{"x": 0, "y": 0, "units": {"Red": {"F": 1}}}, {"x": 2, "y": 0, "units": {"McBlue": {"F": 1}}}],
}


def world() -> World:
    return World(systems)


def file_of(scenario: Any, filename: str) -> ScenarioFile:
    return ScenarioFile(filename, scenario if isinstance(scenario, str) else json.dumps(scenario))


def create(table: World, scenario: Any, *, filename: str = "duel.json", **changes: Any) -> Game:
    arguments: dict[str, Any] = {"system": str(KINGS), "players": None, "scenario": file_of(scenario, filename)}
    return table.game(table.create(**arguments | changes))


def test_a_scenario_says_how_many_play_and_what_it_is_called() -> None:
    game = create(world(), NARROW_SEAS.read_text(encoding="utf-8"))
    assert game.players == 4
    assert game.scenario is not None
    assert (game.scenario.name, game.scenario.filename) == ("Narrow Seas", "duel.json")
    assert game.scenario.text == NARROW_SEAS.read_text(encoding="utf-8")
    assert words_of(game).name("carthage") == "Carthage"


def test_a_scenario_without_a_name_is_called_after_its_file() -> None:
    game = create(world(), {"state": TWO}, filename="../@every*one\u202e `x`.JSON")
    assert game.scenario is not None
    assert (game.scenario.name, game.scenario.filename) == ("every_one_x", "every_one_x.json")


def test_it_begins_as_it_was_looked_at() -> None:
    table = world()
    game = create(table, {"state": TWO, "options": {"end_turn": 9}}, options={"end_turn": "7"})
    seen = inspect.board(table.context, game.id, DAN)
    assert [power.name for power in powers_of(table.context, game.id, DAN)] == ["Red", "McBlue"]
    assert "McBlue" in suggest_regions_of(table.context, game.id, DAN, "mc")
    lobby.join_game(table.context, game.id, ANN, power="mcblue")
    lobby.join_game(table.context, game.id, BOB, power=None)
    lobby.start_game(table.context, game.id, CREATOR, is_manager=False)
    begun = inspect.board(table.context, game.id, DAN)
    assert begun.scene == seen.scene
    assert table.seat(game.id, PowerId("mcblue")).user_id == ANN
    document = table.game(game.id).document
    assert document is not None
    assert document["options"]["end_turn"] == 7


def test_a_map_that_is_still_to_be_drawn_is_not_shown() -> None:
    table = world()
    game = create(table, {"players": 3, "generator": {"side": 14}, "state": {"nations": [{"name": "Athens"}]}})
    assert inspect.preview_board(table.context, game) is None
    with pytest.raises(Refused) as refusal:
        inspect.board(table.context, game.id, ANN)
    assert refusal.value.what.code == "refused.not_started"
    assert [power.name for power in powers_of(table.context, game.id, DAN)][:1] == ["Athens"]


def test_fewer_may_play_and_the_rest_is_the_servers() -> None:
    table = world()
    game = create(table, NARROW_SEAS.read_text(encoding="utf-8"))
    for person in (ANN, BOB):
        lobby.join_game(table.context, game.id, person, power=None)
    lobby.start_game(table.context, game.id, CREATOR, is_manager=False)
    assert {str(seat.power) for seat in table.seats(game.id)} == {"athens", "persia"}


def test_one_alone_is_not_enough() -> None:
    table = world()
    game = create(table, {"state": TWO})
    lobby.join_game(table.context, game.id, ANN, power=None)
    with pytest.raises(Refused) as refusal:
        lobby.start_game(table.context, game.id, CREATOR, is_manager=False)
    assert refusal.value.what.code == "refused.too_few_players"


def test_a_wish_for_a_nation_that_few_players_leave_to_the_server_is_refused() -> None:
    table = world()
    game = create(table, NARROW_SEAS.read_text(encoding="utf-8"), players=3)
    assert [power.name for power in powers_of(table.context, game.id, DAN)] == ["Athens", "Persia", "Carthage"]
    for wish in ("Rome", "Pirates"):
        with pytest.raises(Refused) as refusal:
            lobby.join_game(table.context, game.id, CY, power=wish)
        assert refusal.value.what.code == "refused.power_not_played"


def test_a_nation_is_wished_for_without_its_accents() -> None:
    table = world()
    names = ("Elan", "Élan", "Brûle")
    owned = [{"x": x, "y": 0, "owner": name} for x, name in enumerate(names)]
    nations = [{"name": name} for name in names]
    game = create(table, {"state": {"map": ["PPP"], "nations": nations, "provinces": owned}})
    typed = {ANN: "ÉLAN", BOB: "brule", CY: "elan"}
    wishes = [lobby.join_game(table.context, game.id, who, power=wish).wish for who, wish in typed.items()]
    assert wishes == ["élan", "brûle", "elan"]


def test_the_call_and_the_info_show_the_file() -> None:
    table = world()
    game = create(table, {"name": "A @here *duel*", "about": "No\nmercy.", "state": TWO})
    board = inspect.preview_board(table.context, game)
    (call,) = call_for_players(game, systems[KINGS].info, CREATOR, board)
    assert "A @here \\*duel\\*" in call.content
    assert "> No mercy." in call.content
    assert [(file.filename, json.loads(file.text)["state"]) for file in call.files] == [("duel.json", TWO)]
    assert len(call.pictures) == 1
    (info,) = info_message(overview.game_info(table.context, game.id, ANN), systems[KINGS].info)
    assert [file.filename for file in info.files] == ["duel.json"]
    assert "duel.json" in info.embeds[0].description


def test_an_exported_lobby_is_carried_over_with_its_scenario() -> None:
    table = world()
    game = create(table, {"state": TWO})
    exported = json.loads(json.dumps(transfer.export_game(table.context, game.id)))
    lobby.end_game(table.context, game.id, CREATOR, is_manager=False)
    copy = transfer.import_game(table.context, exported, guild_id=GUILD, channel_id=CHANNEL, user_id=DAN)
    assert table.game(copy.id).scenario == game.scenario
    for person in (ANN, BOB):
        lobby.join_game(table.context, copy.id, person, power=None)
    lobby.start_game(table.context, copy.id, DAN, is_manager=False)
    document = table.game(copy.id).document
    assert document is not None
    assert document["state"]["map"] == ["P~P"]


def test_exports_from_before_scenarios_are_read() -> None:
    table = world()
    game_id = table.create(system=str(KINGS), players=2)
    exported = transfer.export_game(table.context, game_id)
    del exported["game"]["scenario"]
    lobby.end_game(table.context, game_id, CREATOR, is_manager=False)
    copy = transfer.import_game(table.context, exported, guild_id=GUILD, channel_id=CHANNEL, user_id=DAN)
    assert table.game(copy.id).scenario is None


# Whatever can be wrong


@pytest.mark.parametrize(
    ("scenario", "changes", "code", "said"),
    [
        ("{", {}, "bad_scenario", "line 1, column 2"),
        ('{"a": 1,\n "b": 2,}', {}, "bad_scenario", "line 2, column 9"),
        ("[]", {}, "scenario_no_object", "in braces"),
        ('"text"', {}, "scenario_no_object", "in braces"),
        ("", {}, "bad_scenario", "line 1"),
        ("[" * 200_000, {}, "bad_scenario", "more than 12 deep"),
        ('{"players": ' + "9" * 9000 + "}", {}, "bad_scenario", "too long a number"),
        ('{"players": NaN}', {}, "bad_scenario", "NaN"),
        ('{"state": {}, "state": {}}', {}, "bad_scenario", "twice"),
        (" " * (LONGEST_SCENARIO + 1), {}, "scenario_too_long", "has 1025 kB, and I read at most 1024 kB"),
        ({"state": {**TWO, "map": ["P" * 121] * 120}}, {}, "bad_scenario", "14520 squares; 14400 are the most"),
        ({"state": {**TWO, "trops": []}}, {}, "bad_scenario", "did you mean troops?"),
        ({"seed": "loaded"}, {}, "bad_scenario", "belongs to a game"),
        ({"dice": {"order": [1]}}, {}, "bad_scenario", "belongs to a game"),
        ({"over": {"winners": []}}, {}, "bad_scenario", "belongs to a game"),
        ({"phase": {"turn": 99}}, {}, "bad_scenario", "belongs to a game"),
        ({"system": "kregen"}, {}, "bad_scenario", "kregen"),
        ({"state": TWO}, {"players": 5}, "bad_scenario", "for 2, not for 5"),
        ({"state": TWO}, {"players": 1}, "bad_scenario", "not for 1"),
        ({"state": TWO, "players": True}, {}, "bad_scenario", "True"),
        ({"state": TWO}, {"options": {"weather": "yes"}}, "unknown_option", "weather"),
        ({"state": TWO, "options": {"end_turn": "soon"}}, {}, "bad_scenario", "soon"),
        ({"state": TWO}, {"variant": "classic"}, "variant_of_scenario", "leave out"),
        ({"state": TWO}, {"system": "diplomacy"}, "no_scenarios", "King of Kings"),
        ({"state": {**TWO, "nations": [{"name": "<@123> `@everyone`"}]}}, {}, "bad_scenario", "\\<@123> \\`"),
        ({"state": {**TWO, "nations": [{"name": "x" * 100_000}]}}, {}, "bad_scenario", "is no name"),
        ({"x" * 100_000: 1}, {}, "bad_scenario", "no such key"),
        ({"state": {**TWO, "nations": [{"name": f"n{n}"} for n in range(20_000)]}}, {}, "bad_scenario", "100"),
        ({"state": {**TWO, "map": ["P" * 900] * 900}}, {}, "bad_scenario", "250"),
        ({"generator": {"side": 250}}, {}, "bad_scenario", "16 to 60"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_set_up(
    scenario: Any, changes: dict[str, Any], code: str, said: str
) -> None:
    table = world()
    with pytest.raises(Refused) as refusal:
        create(table, scenario, **changes)
    assert refusal.value.what.code == f"refused.{code}"
    message = refused_message(refusal.value).content
    assert said in message
    assert len(message) < 1500
    assert not table.storage.tables.games


def test_the_games_that_take_scenarios_are_named_without_loading_their_rules() -> None:
    diplomacy = SystemId("diplomacy")
    known = Systems({diplomacy: systems[diplomacy], KINGS: None})
    with pytest.raises(Refused, match="no_scenarios") as refusal:
        create(World(known), {"state": TWO}, system="diplomacy")
    assert "King of Kings" in refused_message(refusal.value).content
    assert known._known[KINGS] is None


def test_a_large_scenario_fits() -> None:
    nations = [{"name": f"n{number}"} for number in range(100)]
    provinces = [
        {"x": number, "y": 2 * y, "owner": f"n{number}", "home_of": f"n{number}", "units": {f"n{number}": {"F": 2}}}
        for number in range(100)
        for y in range(60)
    ]
    scenario = json.dumps({"state": {"map": ["PG" * 60] * 120, "nations": nations, "provinces": provinces}})
    assert len(scenario) < LONGEST_SCENARIO
    table = world()
    game = create(table, scenario)
    assert game.players == 100
    lobby.join_game(table.context, game.id, UserId(7), power="n42")
