"""Documents of King of Kings: what is left out takes its default, what is wrong is named."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.king_of_kings.model import Options, State, Tactic
from engine.king_of_kings.system import KING_OF_KINGS
from engine.king_of_kings.tables import standard
from tests.examples import few

RULES = KING_OF_KINGS

EXAMPLE: dict[str, Any] = {
    "format": 1,
    "system": "king_of_kings",
    "seed": "abc",
    "phase": {"turn": 4},
    "options": {"loyalty": True},
    "dice": {"battle/1,0": [12, 80]},
    "state": {
        "map": ["PPF~", "GTH~"],
        "nations": [{"name": "red", "gold": 12, "status": {"blue": 2}}, {"name": "blue", "controller": "monsters"}],
        "provinces": [
            {"x": 0, "y": 0, "units": {"red": {"F": 2, "C": 1}}},
            {"x": 1, "y": 0, "owner": "blue"},
            {"x": 3, "y": 1, "units": {"red": {"S": 2, "F": 1}, "blue": {"S": 1, "F": 1}}},
        ],
    },
}
"""The example of rules 1."""


WHOLE = {
    **EXAMPLE,
    "over": {"winners": ["red"], "why": "x", "phrase": {"code": "over.vote", "args": {}}},
    "state": {
        **EXAMPLE["state"],
        "troops": [
            {"name": "Foot", "symbol": "F", "flags": ["crew"], "food": 1},
            {"name": "Castle", "symbol": "C"},
            {"name": "Ship", "symbol": "S", "sea_move": 3},
        ],
        "terrain": {"oasis": {"letter": "A", "food": 2, "cap": 20, "sea": False}},
        "tactics": {"FP": [1, 2]},
        "build": {"oasis": [25, "town"], "plains": None},
        "result": {
            "reason": "end_turn",
            "winners": ["red"],
            "ranking": [{"nation": "red", "place": 1, "average": 1.5, "fame": 1, "gold": 2, "might": 3}],
        },
    },
}
"""A document with every key."""


def load(**state: Any) -> State:
    """The game of a position."""
    return RULES.play.load({"state": {"map": ["P~"], "nations": [{"name": "red"}], **state}})


def test_example_of_the_rule_page_is_read() -> None:
    state = RULES.play.load(EXAMPLE)
    red, blue = state.nations.values()
    assert (state.turn, state.seed, state.options) == (4, "abc", Options(loyalty=True))
    assert (red.number, red.gold, red.status, red.is_monsters) == (1, 12, {"blue": 2}, False)
    assert (blue.number, blue.is_monsters, blue.eliminated) == (2, True, None)
    assert state.at(0, 0).owner == state.at(0, 0).loyal_to == "red"
    assert (state.at(0, 0).units, state.at(0, 0).tactic) == ({"red": {"F": 2, "C": 1}}, Tactic.STANDARD)
    assert (state.at(1, 0).owner, state.at(1, 0).terrain) == ("blue", "plains")
    assert state.at(3, 1).owner is None
    assert state.at(3, 1).units == {"red": {"F": 1, "S": 2}, "blue": {"F": 1, "S": 1}}
    assert state.rules is standard()
    assert state.dice == {"battle/1,0": (12, 80)}


def test_what_is_written_reads_back_equal() -> None:
    state = RULES.play.load(EXAMPLE)
    document = json.loads(json.dumps(RULES.play.dump(state)))
    assert RULES.play.load(document) == state
    assert document["options"]["general_turns"] == [3, 8, 13]
    assert document["options"]["fame_limit"] is None


def test_board_without_a_map_reaches_as_far_as_its_provinces() -> None:
    provinces = [{"x": 2, "y": 1, "terrain": "Town", "owner": "RED"}, {"x": 0, "y": 0, "terrain": "sea"}]
    state = RULES.play.load({"state": {"nations": [{"name": "red"}], "provinces": provinces}})
    assert (state.width, len(state.provinces)) == (3, 6)
    assert [province.terrain for province in state.provinces] == ["sea", "sea", "sea", "sea", "sea", "town"]
    assert state.at(2, 1).owner == "red"


def test_document_without_a_position_is_a_new_game() -> None:
    state = RULES.play.load({"seed": "s"})
    assert state == RULES.play.load({"seed": "s"})
    assert sum(not nation.is_monsters for nation in state.nations.values()) == 7


def test_scenario_replaces_every_table() -> None:
    state = load(
        map=["A~"],
        troops=[
            {"name": "Marines", "symbol": "m", "hit_first": 40, "land_move": 2, "sea_move": 10, "flags": ["crew"]},
            {"name": "Galley", "symbol": "G", "hit_first": 50, "hit_later": 30, "sea_move": 10, "casualty_sea": 1},
        ],
        terrain={"oasis": {"letter": "A", "food": 2, "gold": 1, "cap": 30}, "sea": {"letter": "~", "sea": True}},
        tactics={"fp": [1, 2]},
        build={"oasis": [25, "town"], "plains": None},
        provinces=[{"x": 0, "y": 0, "units": {"red": {"m": 3}}}],
    )
    marines, galley = state.rules.troops.values()
    assert (marines.symbol, marines.keyword, marines.hit_later, marines.is_amphibious) == ("M", "MA", 40, True)
    assert (galley.hit_later, galley.is_ship, galley.is_combat) == (30, True, False)
    assert (state.rules.terrain["oasis"].cap, state.rules.terrain["oasis"].move) == (30, 1)
    assert state.rules.tactics[Tactic.FRONTAL, Tactic.PINCER] == (1, 2)
    assert state.rules.tactics[Tactic.FRONTAL, Tactic.FRONTAL] == (10, 10)
    assert (state.rules.build["plains"], state.at(0, 0).units) == (None, {"red": {"M": 3}})
    assert RULES.play.load(json.loads(json.dumps(RULES.play.dump(state)))) == state


@pytest.mark.parametrize("word", [None, "none", "NULL", ""])
def test_limits_may_be_none(word: str | None) -> None:
    state = RULES.play.load({"options": {"storage_gold": word, "fame_limit": "60"}, "state": EXAMPLE["state"]})
    assert (state.options.storage_gold, state.options.fame_limit) == (None, 60)


@pytest.mark.parametrize(
    ("state", "where"),
    [
        ({"map": ["P?"]}, "state.map[0]"),
        ({"map": ["P~", "P"]}, "state.map[1]"),
        ({"map": []}, "state.map"),
        ({"map": "P~"}, "state.map"),
        ({"nations": [{}]}, "state.nations[0].name"),
        ({"nations": [{"name": "two words"}]}, "state.nations[0].name"),
        ({"nations": [{"name": "red"}, {"name": "RED"}]}, "state.nations[1].name"),
        ({"nations": [{"name": "red", "number": 2}, {"name": "blue"}]}, "state.nations[1].number"),
        ({"nations": [{"name": "red", "gold": -1}]}, "state.nations[0].gold"),
        ({"nations": [{"name": "red", "gold": "many"}]}, "state.nations[0].gold"),
        ({"nations": [{"name": "red", "controller": "me"}]}, "state.nations[0].controller"),
        ({"nations": [{"name": "red", "status": {"blue": 1}}]}, "state.nations[0].status.blue"),
        ({"nations": [{"name": "red", "status": {"red": 6}}]}, "state.nations[0].status.red"),
        ({"provinces": [{"x": 0}]}, "state.provinces[0].y"),
        ({"provinces": [{"x": 2, "y": 0}]}, "state.provinces[0]"),
        ({"provinces": [{"x": 0, "y": 0}, {"x": 0, "y": 0}]}, "state.provinces[1]"),
        ({"provinces": [{"x": 0, "y": 0, "terrain": "ice"}]}, "state.provinces[0].terrain"),
        ({"provinces": [{"x": 0, "y": 0, "owner": "blue"}]}, "state.provinces[0].owner"),
        ({"provinces": [{"x": 0, "y": 0, "tactic": "X"}]}, "state.provinces[0].tactic"),
        ({"provinces": [{"x": 0, "y": 0, "name": "n" * 25}]}, "state.provinces[0].name"),
        ({"provinces": [{"x": 0, "y": 0, "units": {"red": {"Z": 1}}}]}, "state.provinces[0].units.red"),
        ({"provinces": [{"x": 0, "y": 0, "units": {"red": {"F": -1}}}]}, "state.provinces[0].units.red.F"),
        ({"provinces": [{"x": 0, "y": 0, "units": {"red": 3}}]}, "state.provinces[0].units.red"),
        (
            {
                "nations": [{"name": "red"}, {"name": "blue"}],
                "provinces": [{"x": 0, "y": 0, "units": {"red": {"F": 1}, "blue": {"F": 1}}}],
            },
            "state.provinces[0].units",
        ),
        (
            {
                "nations": [{"name": "red"}, {"name": "blue"}],
                "provinces": [{"x": 0, "y": 0, "owner": "blue", "units": {"red": {"F": 1}}}],
            },
            "state.provinces[0].owner",
        ),
        ({"map": None, "provinces": [{"x": 0, "y": 0}]}, "state.provinces[0].terrain"),
        ({"troops": []}, "state.troops"),
        ({"troops": [{"name": "Foot", "symbol": "FF"}]}, "state.troops[0].symbol"),
        ({"troops": [{"name": "F", "symbol": "F"}]}, "state.troops[0].name"),
        ({"troops": [{"name": "Foot", "symbol": "F"}, {"name": "Fool", "symbol": "L"}]}, "state.troops[1].name"),
        ({"troops": [{"name": "Foot", "symbol": "F"}, {"name": "Bow", "symbol": "f"}]}, "state.troops[1].symbol"),
        ({"troops": [{"name": "Foot", "symbol": "F", "flags": ["wings"]}]}, "state.troops[0].flags"),
        ({"terrain": {"oasis": {}}}, "state.terrain.oasis.letter"),
        ({"terrain": {"oasis": {"letter": "P"}}}, "state.terrain"),
        ({"tactics": {"FX": [1, 2]}}, "state.tactics.FX"),
        ({"tactics": {"FP": [1]}}, "state.tactics.FP"),
        ({"build": {"oasis": [5, "town"]}}, "state.build.oasis"),
        ({"build": {"plains": [5, "oasis"]}}, "state.build.plains"),
        ({"build": {"plains": 5}}, "state.build.plains"),
        ({"result": {"winners": ["blue"]}}, "state.result.winners[0]"),
    ],
)
def test_what_is_wrong_is_named(state: dict[str, Any], where: str) -> None:
    with pytest.raises(DocumentError) as error:
        load(**state)
    assert error.value.where == where


@pytest.mark.parametrize(
    ("document", "where"),
    [
        ({"format": 2}, "format"),
        ({"system": "diplomacy"}, "system"),
        ({"phase": {"turn": 0}}, "phase.turn"),
        ({"options": {"weather": True}}, "options.weather"),
        ({"options": {"loyalty": "perhaps"}}, "options.loyalty"),
        ({"options": {"nmr": "shrug"}}, "options.nmr"),
        ({"options": {"storage_gold": -1}}, "options.storage_gold"),
        ({"options": {"general_turns": [3, "x"]}}, "options.general_turns"),
        ({"dice": {"order": 1}}, "dice.order"),
        ({"dice": {"order": [0]}}, "dice.order[0]"),
        ({"over": {"winners": ["green"]}}, "over.winners[0]"),
    ],
)
def test_what_is_wrong_around_the_position_is_named(document: dict[str, Any], where: str) -> None:
    with pytest.raises(DocumentError) as error:
        RULES.play.load({**EXAMPLE, **document})
    assert error.value.where == where


def test_null_is_as_left_out() -> None:
    """Section 1: what is left out takes its default; only `loyal_to` and limits have `null` as a value of their own."""
    nation = {"name": "red", "number": None, "controller": None, "gold": None, "status": None, "eliminated": None}
    place = {"x": 0, "y": 0, "terrain": None, "owner": None, "tactic": None, "name": None, "units": {"red": {"F": 1}}}
    state = {"map": ["P"], "nations": [nation], "provinces": [place], "terrain": None, "troops": None, "result": None}
    bare = {"map": ["P"], "nations": [{"name": "red"}], "provinces": [{"x": 0, "y": 0, "units": {"red": {"F": 1}}}]}
    options = {"loyalty": None, "general_turns": None, "fame_limit": None}
    assert RULES.play.load({"options": options, "state": state}) == RULES.play.load({"state": bare})
    place["loyal_to"] = None
    assert RULES.play.load({"state": state}).at(0, 0).loyal_to is None


def test_status_of_a_nation_to_itself_is_nothing() -> None:
    """Section 1: what is written reads back to the same."""
    state = RULES.play.load({"state": {"map": ["P"], "nations": [{"name": "Red", "status": {"RED": 5}}]}})
    assert state.nations[PowerId("red")].status == {}


def test_game_that_is_over_reads_back() -> None:
    result = {
        "reason": "end_turn",
        "winners": ["red"],
        "ranking": [{"nation": "red", "place": 1, "average": 1.67, "fame": 12, "gold": 30, "might": 7}],
    }
    phase = {"turn": 20, "ended": True}
    state = RULES.play.load({**EXAMPLE, "phase": phase, "state": {**EXAMPLE["state"], "result": result}})
    assert RULES.play.status(state).winners == ("red",)
    document = RULES.play.dump(state)
    assert (document["phase"], document["state"]["result"]) == (phase, result)
    assert document["over"]["winners"] == ["red"]
    assert RULES.play.load(document) == state
    assert RULES.play.adjudicate(state, {}, RULES.play.dice(state)).state is state


ODD: tuple[Any, ...] = (None, True, -1, 0, 3, 10**12, 1.5, "", "x", "red", [], {}, [1], ["red"], {"x": 1}, [[]], [{}])
WEIRD: st.SearchStrategy[Any] = st.sampled_from(ODD)


@settings(max_examples=few(40), deadline=None)
@given(data=st.data())
def test_any_document_is_read_or_refused(data: st.DataObject) -> None:
    document = json.loads(json.dumps(WHOLE))
    for _ in range(data.draw(st.integers(1, 3))):
        _spoil(document, data)
    try:
        state = RULES.play.load(document)
    except DocumentError:
        return
    assert RULES.play.load(json.loads(json.dumps(RULES.play.dump(state)))) == state


def _spoil(part: Any, data: st.DataObject) -> None:
    """Put something else in place of a part, somewhere."""
    keys = list(part) if isinstance(part, dict) else list(range(len(part)))
    if not keys:
        return
    key = data.draw(st.sampled_from(keys))
    if isinstance(part[key], dict | list) and part[key] and data.draw(st.booleans()):
        _spoil(part[key], data)
    else:
        part[key] = deepcopy(data.draw(WEIRD))


@pytest.mark.parametrize(
    ("state", "where", "problem"),
    [
        ({"map": ["P" * 251] * 250, "nations": []}, "state.map", "62750 squares; 62500 are the most"),
        ({"provinces": [{"x": 62_499, "y": 1, "terrain": "plains"}]}, "state.map", "125000 squares"),
        (
            {"map": ["P"], "nations": [{"name": f"n{n}"} for n in range(1001)]},
            "state.nations",
            "has 1001 nations; 1000",
        ),
    ],
)
def test_a_document_that_nothing_could_hold_is_refused(state: dict[str, Any], where: str, problem: str) -> None:
    """A few letters may ask for a board of millions of squares."""
    with pytest.raises(DocumentError, match=problem) as error:
        RULES.play.load({"state": state})
    assert error.value.where == where


def test_the_largest_board_of_version_0_1_0_is_read() -> None:
    assert len(RULES.play.load({"state": {"map": ["P" * 250] * 250, "nations": [{"name": "red"}]}}).provinces) == 62_500
