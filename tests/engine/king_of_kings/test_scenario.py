"""Games from scenario files, and ends by agreement."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from engine.cli import main
from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.core.reading import read_orders
from engine.core.report import Report
from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY, Playing
from engine.king_of_kings.board import variant_of
from engine.king_of_kings.model import State
from engine.king_of_kings.turn import run
from tests.pictured import as_board
from tests.random_king_of_kings import RULES, audit, wild_sheet

FOLDER = Path(__file__).parents[3] / "assets" / "king_of_kings" / "scenarios"
FILES = sorted(FOLDER.glob("*.json"))
WORDS = load_phrases("king_of_kings")
AGREED = phrase("agreed.draw", powers=())


def start(scenario: dict[str, Any], **given: Any) -> State:
    return RULES.scenarios.start(scenario, **{"players": None, "options": {}, "seed": "scenario", **given})


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_bundled_scenario_plays_to_its_end(file: Path) -> None:
    state = start(json.loads(file.read_text(encoding="utf-8")))
    chance = random.Random(file.stem)
    while state.over is None:
        sheets = {}
        for nation in RULES.play.status(state).to_act:
            text = wild_sheet(state, nation, chance)
            if text is not None:
                sheets[nation] = read_orders(RULES, RULES.sight.view(state, Playing(nation)), text).values
        turn = run(state, sheets, RULES.play.dice(state).streams())
        after = turn.close()
        assert audit(state, turn, after) == []
        assert RULES.play.load(RULES.play.dump(after)) == after
        state = after


def test_sentences_say_the_before_peoples_alone_unless_the_scenario_says_otherwise() -> None:
    nations = [
        {"name": "Rome"},
        {"name": "Gauls"},
        {"name": "Suebi", "article": False},
        {"name": "Sharks", "article": True},
    ]
    state = start({"state": {"nations": nations}}, players=4)
    names = [power.in_sentence for power in variant_of(state).powers.values()]
    assert names == ["Rome", "the Gauls", "Suebi", "the Sharks", "the Monsters"]
    document = RULES.play.dump(state)
    assert RULES.play.load(document) == state
    assert ["article" in row for row in document["state"]["nations"]] == [False, False, True, True, False]
    with pytest.raises(DocumentError, match="neither true nor false"):
        start({"state": {"nations": [{"name": "Rome", "article": "the"}, {"name": "Gauls"}]}})


def test_a_name_that_the_scenario_gives_is_no_other_nations() -> None:
    """The fifth nation is usually called so, and the scenario was refused for a second one that it does not name."""
    nations = [{"name": "Gauls"}, {"name": "Rome"}]
    state = start({"state": {"nations": nations}}, players=5)
    names = [nation.name for nation in state.nations.values() if not nation.is_monsters]
    assert names == ["Gauls", "Rome", "persians", "carthaginians", "egyptians"]
    homes = {province.home_of for province in state.provinces} - {None}
    assert homes == {name.casefold() for name in names}


def test_example_replaces_troops_terrain_tables_and_options() -> None:
    state = start(json.loads((FOLDER / "narrow_seas.json").read_text(encoding="utf-8")))
    assert list(state.rules.troops) == list("HARMWSTG")
    assert state.rules.terrain["oasis"].gold == 2
    assert state.rules.build["desert"] is not None
    assert state.rules.build["desert"].to == "oasis"
    assert (state.options.end_turn, state.options.sea_ownership) == (15, True)
    assert [nation.name for nation in state.nations.values() if not nation.is_monsters] == [
        "Athens", "Persia", "Carthage", "Rome"
    ]  # fmt: skip
    assert state.at(6, 1).name == "Athens"


def test_scenario_without_a_map_gets_one_made_by_lot() -> None:
    scenario = {
        "players": 3,
        "options": {"end_turn": 9},
        "generator": {"side": 17, "start_gold": 50, "start_units": {"F": 1, "B": 2}},
        "state": {"nations": [{"name": "Red"}, {"name": "Blue", "gold": 60}]},
    }
    state = start(scenario)
    assert state.width == 17
    assert [(nation.name, nation.gold) for nation in state.nations.values()] == [
        ("Red", 50), ("Blue", 60), ("persians", 50), ("monsters", 0)
    ]  # fmt: skip
    homes = [province for province in state.provinces if province.home_of == "red"]
    assert [province.units for province in homes] == [{"red": {"F": 1, "B": 2}}] * 6
    assert start(scenario, players=5).nations.keys() == {
        "red",
        "blue",
        "persians",
        "carthaginians",
        "gauls",
        "monsters",
    }


def test_options_given_besides_win() -> None:
    assert start({"options": {"end_turn": 9}}, players=2, options={"end_turn": 4}).options.end_turn == 4


def test_side_of_the_map_is_an_option() -> None:
    assert RULES.play.start(variant="classic", players=2, options={"map_side": 20}, seed="side").width == 20


@pytest.mark.parametrize(
    ("scenario", "given", "where"),
    [
        ([], {}, "scenario"),
        ({"system": "kregen"}, {}, "system"),
        ({"players": "many"}, {}, "players"),
        ({"players": 99999}, {}, "players"),
        ({"generator": {"side": 5}}, {}, "options.map_side"),
        ({"generator": {"side": "wide"}}, {}, "generator.side"),
        ({"generator": {"tides": 3}}, {}, "generator.tides"),
        ({"generator": {"start_units": {"Q": 1}}}, {}, "state.provinces"),
        ({"generator": {"start_units": ["F"]}}, {}, "generator.start_units"),
        ({"generator": {"side": 20}, "state": {"map": ["PP"]}}, {}, "generator"),
        ({"state": {"map": ["PP"], "nations": [{"name": "red"}, {"name": "blue"}]}}, {"players": 3}, "players"),
        ({"state": {"map": ["PP"], "nations": [{"name": "red"}, {"name": "blue"}]}}, {"players": 1}, "players"),
        ({"players": 3, "state": {"map": ["PP"], "nations": [{"name": "red"}, {"name": "blue"}]}}, {}, "players"),
        ({"players": True, "state": {"map": ["PP"], "nations": [{"name": "red"}, {"name": "blue"}]}}, {}, "players"),
        ({"state": {"map": ["PP"], "nations": [{"name": "red"}]}}, {}, "state.nations"),
        ({"generator": {"side": 200}}, {}, "options.map_side"),
        ({"state": {"nations": [{"name": str(number)} for number in range(9)]}}, {}, "state.nations"),
        ({"options": {"weather": True}}, {}, "options.weather"),
        ({}, {"options": {"map_side": 3}}, "options.map_side"),
        ({}, {"players": 14, "options": {"map": "ring", "map_side": 41}}, "options.map_side"),
    ],
)
def test_what_is_wrong_with_a_scenario_is_said(scenario: Any, given: dict[str, Any], where: str) -> None:
    with pytest.raises(DocumentError) as error:
        start(scenario, **given)
    assert error.value.where.startswith(where)


# Ends by agreement


def position(**fame: int) -> State:
    """Nations that differ in fame alone."""
    names = list(fame)
    return RULES.play.load(
        {
            "state": {
                "map": ["~".join("P" * len(names))],
                "nations": [{"name": name, "fame": fame[name]} for name in names],
                "provinces": [{"x": 2 * index, "y": 0, "units": {name: {"F": 1}}} for index, name in enumerate(names)],
            }
        }
    )


def test_ranking_decides_a_unanimous_end() -> None:
    """Source: rules 13; ruling K-69."""
    state = position(red=3, blue=8, green=5)
    assert RULES.play.consent_needed(state) == 3
    ended = RULES.play.end(state, RULES.play.leaders(state), AGREED)
    assert RULES.play.status(ended).winners == ("blue",)
    assert ended.ending is not None
    assert ended.ending.reason == "vote"
    assert [row.nation for row in ended.ending.ranking] == ["blue", "green", "red"]
    assert RULES.play.load(RULES.play.dump(ended)) == ended


def test_draw_is_shared_as_agreed() -> None:
    """Source: ruling K-69."""
    state = position(red=3, blue=8, green=5)
    assert RULES.play.status(RULES.play.end(state, list(state.nations), AGREED)).winners == ("red", "blue", "green")


def test_concession_is_won_by_whom_it_is_made_to() -> None:
    state = position(red=3, blue=8, green=5)
    ended = RULES.play.end(state, [PowerId("green")], AGREED)
    assert RULES.play.status(ended).winners == ("green",)


def test_game_called_off_has_no_winner() -> None:
    ended = RULES.play.end(position(red=3, blue=8), (), AGREED)
    assert RULES.play.status(ended).winners == ()
    assert RULES.play.load(RULES.play.dump(ended)) == ended


def test_owned_land_that_is_loyal_to_nobody_stays() -> None:
    state = RULES.play.load(
        {
            "options": {"loyalty": True},
            "dice": {"loyalty/1,0": [21]},
            "state": {
                "map": ["PP"],
                "nations": [{"name": "red"}],
                "provinces": [
                    {"x": 0, "y": 0, "units": {"red": {"F": 1}}},
                    {"x": 1, "y": 0, "owner": "red", "loyal_to": None},
                ],
            },
        }
    )
    assert RULES.play.adjudicate(state, {}, RULES.play.dice(state)).state.at(1, 0).owner == "red"


# The command


def test_scenario_file_is_given_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "small.json"
    file.write_text(json.dumps({"players": 2, "options": {"end_turn": 3}}), encoding="utf-8")
    assert main(["new", "king_of_kings", "--scenario", str(file), "--option", "loyalty=true"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in document["state"]["nations"]] == ["egyptians", "romans", "monsters"]
    assert (document["options"]["end_turn"], document["options"]["loyalty"]) == (3, True)


@pytest.mark.parametrize(
    ("system", "text"),
    [
        ("diplomacy", "{}"),
        ("king_of_kings", "[]"),
        ("king_of_kings", "not JSON"),
        ("king_of_kings", '{"players": 2, "players": 3}'),
        ("king_of_kings", " " * (1024 * 1024) + "{}"),
    ],
)
def test_scenario_file_that_can_not_be_used_is_refused(
    system: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "small.json"
    file.write_text(text, encoding="utf-8")
    assert main(["new", system, "--scenario", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


# The form: slips are named, and nothing takes long


OWN = [{"name": "hoplites", "symbol": "H", "land_move": 2}]
TWO: dict[str, Any] = {
    "map": ["P~P"],
    "nations": [{"name": "red"}, {"name": "blue"}],
    "provinces": [{"x": 0, "y": 0, "owner": "red"}, {"x": 2, "y": 0, "owner": "blue"}],
}


@pytest.mark.parametrize(
    ("scenario", "where", "problem"),
    [
        ({"optoins": {}}, "optoins", "did you mean options?"),
        ({"weather": 1}, "weather", "there are format, system"),
        ({"state": {**TWO, "trops": []}}, "state.trops", "did you mean troops?"),
        ({"state": {**TWO, "nations": [{"name": "red", "glod": 3}]}}, "state.nations[0].glod", "did you mean gold?"),
        ({"state": {**TWO, "provinces": [{"x": 0, "y": 0, "unit": {}}]}}, "state.provinces[0].unit", "units?"),
        ({"state": {**TWO, "troops": [{"name": "foot", "hit": 3}]}}, "state.troops[0].hit", "no such key"),
        ({"state": {**TWO, "terrain": {"oasis": {"lettre": "A"}}}}, "state.terrain.oasis.lettre", "letter?"),
        ({"seed": "x"}, "seed", "belongs to a game"),
        ({"phase": {"turn": 4}}, "phase", "belongs to a game"),
        ({"state": {**TWO, "result": {}}}, "state.result", "belongs to a game"),
        ({"state": {**TWO, "nations": [{"name": "red", "missed": 4}]}}, "state.nations[0].missed", "belongs"),
        ({"name": "x" * 61}, "name", "longer than 60"),
        ({"name": 7}, "name", "not a text"),
        ({"about": "a\x00b"}, "about", "not a text"),
        ({"state": {**TWO, "nations": [{"name": "@everyone"}]}}, "state.nations[0].name", "is no name"),
        ({"state": {**TWO, "nations": [{"name": "<@1>"}]}}, "state.nations[0].name", "is no name"),
        ({"state": {**TWO, "nations": [{"name": "7"}]}}, "state.nations[0].name", "is no name"),
        ({"state": {**TWO, "nations": [{"name": "r" * 2000}]}}, "state.nations[0].name", "is no name"),
        ({"state": {**TWO, "nations": [{"name": "None"}]}}, "state.nations[0].name", "take another name"),
        ({"state": {**TWO, "nations": [{"name": "ALL"}]}}, "state.nations[0].name", "the whole map"),
        ({"state": {**TWO, "nations": [{"name": "Monsters"}]}}, "state.nations[0].name", "controller monsters"),
        ({"state": {**TWO, "nations": [{"name": "end"}]}}, "state.nations[0].name", "the end of a sheet"),
        ({"state": {**TWO, "nations": [{"name": "red"}, {"name": "RED"}]}}, "state.nations[1].name", "two nations"),
        ({"state": {**TWO, "nations": [{"name": "red"}] * 5000}}, "state.nations", "100 are the most"),
        ({"state": {**TWO, "map": ["P" * 5000] * 5000}}, "state.map", "250 are the most"),
        ({"state": {**TWO, "map": ["P" * 5000]}}, "state.map[0]", "250 are the most"),
        ({"state": {**TWO, "map": ["P" * 250] * 250}}, "state.map", "250 by 250 are 62500 squares; 14400 are the most"),
        (
            {"state": {"nations": TWO["nations"], "provinces": [{"x": 249, "y": 0}, {"x": 0, "y": 99}]}},
            "state.provinces",
            "250 by 100 are 25000 squares",
        ),
        ({"state": {"nations": TWO["nations"], "provinces": [{"x": 4999, "y": 4999}]}}, "state.provinces[0].x", "249"),
        ({"state": {**TWO, "provinces": [{"x": 0, "y": 0, "units": {"red": {"F": 10**6}}}]}}, "state.prov", "999"),
        ({"generator": {"start_units": {"F": 1000}}}, "generator.start_units", "999"),
        ({"generator": {"garrison": {"f": 1, "F": 1}}}, "generator.garrison", "stands in it twice"),
        ({"generator": {"start_units": {"H": 1}}, "state": {"troops": OWN}}, "generator.garrison", "own troops"),
        ({"state": {**TWO, "troops": [{"name": "Atlantes", "symbol": "A"}]}}, "state.troops[0].name", "everybody"),
        ({"state": {**TWO, "terrain": {"`": {"letter": "A"}}}}, "state.terrain.`", "is no name"),
        ({"state": {**TWO, "terrain": {"ice": {"letter": "`"}}}}, "state.terrain.ice.letter", "plain keyboard"),
        ({"state": {**TWO, "terrain": {"ice": {"letter": "P"}}}}, "state.terrain", "several terrains"),
        ({"state": {**TWO, "troops": [{"name": "f**t", "symbol": "F"}]}}, "state.troops[0].name", "is no name"),
        ({"state": {**TWO, "troops": [{"name": "foot"}] * 99}}, "state.troops", "26 are the most"),
        ({"state": {**TWO, "troops": [{"name": "foot", "land_move": 51}]}}, "state.troops[0].land_move", "50"),
        ({"state": {**TWO, "terrain": {str(n): {} for n in range(99)}}}, "state.terrain", "40 are the most"),
        ({"state": {**TWO, "terrain": {"Ice": {"letter": "1"}, "ice": {"letter": "2"}}}}, "state.terrain", "twice"),
        ({"state": {**TWO, "provinces": [{"x": 0, "y": 0, "units": {"red": {}, "Red": {}}}]}}, "state.prov", "twice"),
        ({"state": {**TWO, "provinces": [{"x": 0, "y": 0, "units": {"red": {"F": 1, "f": 2}}}]}}, "state.p", "twice"),
        ({"options": {"general_turns": [1] * 101}}, "options.general_turns", "100 are the most"),
        ({"state": {**TWO, "nations": [{"name": "red", "gold": True}]}}, "state.nations[0].gold", "whole number"),
        ({"state": {**TWO, "nations": [{"name": "red", "gold": float("nan")}]}}, "state.nations[0].gold", "whole"),
    ],
)
def test_slip_or_excess_in_a_scenario_is_refused_with_its_place(
    scenario: dict[str, Any], where: str, problem: str
) -> None:
    """Source: rulings K-90, K-92"""
    with pytest.raises(DocumentError) as error:
        start(scenario)
    assert error.value.where.startswith(where)
    assert problem in error.value.problem


FOOT = {"name": "foot", "symbol": "F", "land_move": 2, "casualty_land": 1}
GALLEY = {"name": "galley", "symbol": "G", "sea_move": 5, "casualty_sea": 1, "flags": ["transport"]}
CART = {"name": "cart", "symbol": "C", "land_move": 3, "casualty_land": 2, "flags": ["transport"]}


def at_sea(**units: int) -> list[dict[str, Any]]:
    return [*TWO["provinces"], {"x": 1, "y": 0, "units": {"blue": units}}]


@pytest.mark.parametrize(
    ("scenario", "where", "problem"),
    [
        ({"state": {**TWO, "provinces": TWO["provinces"][:1]}}, "state.nations[1]", "blue has no province"),
        ({"state": {**TWO, "provinces": at_sea(F=2)}}, "state.provinces[2].units", "2 of the units of blue are at sea"),
        ({"state": {**TWO, "provinces": at_sea(F=2, S=1)}}, "state.provinces[2].units", "1 of the units of blue"),
        ({"state": {**TWO, "provinces": at_sea(F=1, S=3)}}, "state.provinces[2].units", "a hand for every two"),
        ({"state": {**TWO, "provinces": at_sea(C=1, S=3)}}, "state.provinces[2].units", "castle of blue can't stand"),
        ({"state": {**TWO, "troops": [FOOT, GALLEY]}}, "state.troops", "nobody can man the galley"),
        ({"state": {**TWO, "troops": [FOOT, CART]}}, "state.troops[1].flags", "cart carry at sea alone"),
        ({"state": {**TWO, "troops": [FOOT]}, "options": {"general_turns": [2]}}, "options.general_turns", "general"),
        (
            {"state": {**TWO, "troops": [FOOT], "nations": [{"name": "red", "credits": 1}, {"name": "blue"}]}},
            "state.nations[0].credits",
            "no type of the troops has the flag general",
        ),
    ],
)
def test_scenario_that_would_strand_somebody_is_refused(scenario: dict[str, Any], where: str, problem: str) -> None:
    """Source: ruling K-93"""
    with pytest.raises(DocumentError) as error:
        start(scenario)
    assert error.value.where == where
    assert problem in error.value.problem


def test_what_can_be_played_is_no_slip() -> None:
    """Source: ruling K-93"""
    pirates = [*TWO["nations"], {"name": "pirates", "controller": "monsters"}]
    units = [*TWO["provinces"], {"x": 1, "y": 0, "units": {"pirates": {"S": 3}}}]
    start({"state": {**TWO, "nations": pirates, "provinces": units}})
    start({"state": {**TWO, "troops": [FOOT, GALLEY]}, "options": {"crew": False}})
    start({"state": {**TWO, "provinces": at_sea(F=1, S=2)}})
    assert start({"state": {**TWO, "troops": [FOOT]}}).options.general_turns == ()


def test_position_of_a_game_that_has_not_gone_on_is_a_scenario() -> None:
    document = RULES.play.dump(start({"state": TWO}))
    del document["seed"]
    assert start(document).provinces == start({"state": TWO}).provinces


def test_with_fewer_players_the_last_nations_are_the_servers() -> None:
    """Source: ruling K-91"""
    scenario = json.loads((FOLDER / "narrow_seas.json").read_text(encoding="utf-8"))
    status = RULES.play.status(start(scenario, players=3))
    assert status.to_act == ("athens", "persia", "carthage")
    assert status.out == ("rome", "pirates")


def test_own_troops_are_named_wherever_the_standard_ones_would_be() -> None:
    state = start(json.loads((FOLDER / "wells_of_saba.json").read_text(encoding="utf-8")))
    view = RULES.sight.view(state, Playing(PowerId("saba")))
    briefing = render(RULES.telling.briefing(view))
    assert "`PLA X Y MA`" in briefing
    assert "7/4" not in briefing
    table = render(RULES.telling.text_board(view))
    assert re.search(r"Gold +Wood +Spea +Arch +Came +Elep +Towe +Mali +Men", table)
    template = RULES.orders.template(view, ())
    assert "A oasis, U dunes" in table
    assert "; 2 1 plains, SP 2 AR 2 CA 1, T" in template
    kinds = {choice.label for choice in RULES.orders.menu(view, ("PLA", "PLA 1 1")).choices}
    assert any("elephants" in label for label in kinds)
    key = {row.sign: WORDS.render(row.what) for row in as_board(RULES.telling.scene(view)).key}
    assert (key["oasis"], key["E"]) == ("oasis", "elephants")


def test_own_tables_are_told_with_the_position_and_standard_ones_are_not() -> None:
    state = start(json.loads((FOLDER / "wells_of_saba.json").read_text(encoding="utf-8")))
    board = render(RULES.telling.text_board(RULES.sight.view(state, EVERYBODY)))
    told = [" ".join(line.split()) for line in board.splitlines()]
    assert "E elephants 65 50 20 2 0 20 0 3 4/0 courage +5" in told
    assert "M malik 50 50 15 4 0 0 0 0 6/0 leads and To Hit of all +10" in told
    assert "A oasis 3 6 0 1 30 built up to town, 20%" in told
    assert "D desert 0 0 0 1 - built up to oasis, 20%" in told
    assert "U against C: -5/-10" in told
    assert not any(line.startswith("P plains 2 2") for line in told)
    examples = RULES.telling.examples(RULES.sight.view(state, Playing(PowerId("saba"))))
    assert "example.tables" in [example.code for example in examples]
    classic = RULES.play.start(variant="classic", players=2, options={}, seed="x")
    assert "of this game" not in render(RULES.telling.text_board(RULES.sight.view(classic, EVERYBODY)))
    others = RULES.telling.examples(RULES.sight.view(classic, Playing(next(iter(classic.nations)))))
    assert "example.tables" not in [example.code for example in others]


def test_own_terrain_tells_whether_it_is_sea() -> None:
    scenario = json.loads((FOLDER / "wells_of_saba.json").read_text(encoding="utf-8"))
    scenario["state"]["terrain"]["reef"] = {"letter": "B", "food": 1, "move": 3, "sea": True}
    board = render(RULES.telling.text_board(RULES.sight.view(start(scenario), EVERYBODY)))
    told = [" ".join(line.split()) for line in board.splitlines()]
    assert "B reef 1 0 0 3 - a sea area" in told
    assert "U dunes 0 0 0 2 20 built up to desert, 50%" in told


def test_game_master_sets_own_troops_and_terrain() -> None:
    state = start(json.loads((FOLDER / "wells_of_saba.json").read_text(encoding="utf-8")))
    after = RULES.edits.edit(RULES.edits.edit(state, "units 3 0 saba EL 2"), "terrain 3 0 oasis")
    assert (after.at(3, 0).terrain, after.at(3, 0).units) == ("oasis", {"saba": {"E": 2}})
    with pytest.raises(DocumentError, match="SP, AR, CA, EL, TO, MA"):
        RULES.edits.edit(state, "units 3 0 saba HO 2")


def test_game_master_sets_terrain_of_several_words() -> None:
    state = start({"state": {**TWO, "terrain": {"salt lake": {"letter": "l"}}}})
    assert RULES.edits.edit(state, "terrain 0 0 Salt Lake").at(0, 0).terrain == "salt lake"
    with pytest.raises(DocumentError, match="salt pan"):
        RULES.edits.edit(state, "terrain 0 0 salt pan")


def render(report: Report) -> str:
    return "\n".join(WORDS.render(line) for section in report.sections for line in (section.title, *section.lines))


def test_only_a_map_of_its_own_can_be_shown_before_the_start() -> None:
    assert RULES.scenarios.has_own_map({"state": TWO})
    assert not RULES.scenarios.has_own_map({"state": {"nations": [{"name": "red"}]}})
