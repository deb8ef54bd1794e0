"""Scenarios and sheets of strangers: whatever stands in them, reading one ends in a game or in a plain refusal."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from engine.core.errors import DocumentError
from engine.core.json_text import read_json
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.king_of_kings.parse import FORMATS
from tests.examples import few
from tests.random_king_of_kings import RULES

WHOLE: dict[str, Any] = {
    "format": 1,
    "system": "king_of_kings",
    "name": "The Ford",
    "about": "Who holds the ford.",
    "players": 2,
    "options": {"end_turn": 6, "storage_gold": None, "general_turns": [1], "nmr": "hold", "crew": False},
    "state": {
        "map": ["PYf~RYP", "GPPfPPG"],
        "terrain": {"ford": {"letter": "f", "food": 0, "gold": 8, "wood": 0, "move": 2, "cap": 20, "sea": False}},
        "build": {"marsh": [30, "plains"], "ford": None},
        "tactics": {"FT": [5, 0]},
        "troops": [
            {
                "name": "hoplites", "symbol": "H", "hit_first": 40, "hit_later": 30, "armour": 5, "land_move": 2,
                "sea_move": 0, "gold": 8, "wood": 0, "food": 1, "casualty_land": 2, "casualty_sea": 0,
                "morale_bonus": 0, "hit_bonus": 0, "flags": ["crew"],
            },
            {"name": "ships", "symbol": "S", "sea_move": 5, "casualty_sea": 1, "flags": ["transport"]},
            {"name": "strategos", "symbol": "G", "land_move": 4, "casualty_land": 4, "flags": ["general"]},
        ],
        "nations": [
            {"name": "Athens", "number": 1, "gold": 40, "wood": 1, "food": 0, "fame": 1, "credits": 1,
             "status": {"Sparta": 1}, "controller": "player"},
            {"name": "Sparta", "gold": 40},
            {"name": "Thracians", "controller": "monsters"},
        ],
        "provinces": [
            {"x": 1, "y": 0, "name": "Old Fort", "owner": "Athens", "loyal_to": "Athens", "home_of": "Athens",
             "tactic": "C", "terrain": "city", "units": {"Athens": {"H": 2}}},
            {"x": 5, "y": 0, "owner": "Sparta"},
            {"x": 3, "y": 0, "units": {"Athens": {"S": 1, "H": 1}}},
        ],
    },
}  # fmt: skip
BY_LOT: dict[str, Any] = {
    "players": 2,
    "options": {"map_side": 12},
    "generator": {"side": 12, "start_gold": 60, "start_wood": 0, "start_units": {"F": 1}, "garrison": {"F": 1}},
    "state": {"nations": [{"name": "Athens"}], "build": {"desert": [25, "plains"]}},
}

Path = tuple[str | int, ...]


def paths(value: Any, at: Path = ()) -> Iterator[Path]:
    """Every place in a document, itself too."""
    yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from paths(part, (*at, key))


def placed(document: Any, at: Path, value: Any) -> Any:
    """The document with another value in a place."""
    if not at:
        return value
    changed = copy.deepcopy(document)
    part = changed
    for key in at[:-1]:
        part = part[key]
    part[at[-1]] = value
    return changed


def keyed(document: Any, at: Path, key: str) -> Any:
    """The document with a key more, or another name for a part."""
    changed = copy.deepcopy(document)
    part = changed
    for step in at:
        part = part[step]
    if isinstance(part, dict):
        part[key] = next(iter(part.values()), 1)
    return changed


WORDS = st.one_of(
    st.text(st.characters(), max_size=12),
    st.sampled_from(
        ["²", "٣", "½", "\ud800", "\0", "", " ", "none", "true", "ß", "ﬁ", "H", "P" * 300, "9" * 400, "1e9"]
    ),
)
NUMBERS = st.one_of(
    st.integers(),
    st.sampled_from([10**400, -(10**400), 10**9, 10**6, 250, 1000, -1, 0]),
    st.floats(),
    st.booleans(),
    st.none(),
)
NESTED: Any = [[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]
VALUES = st.recursive(
    st.one_of(WORDS, NUMBERS, st.just(NESTED)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(WORDS, inner, max_size=4)),
    max_leaves=8,
)
ANY_TIME = settings(max_examples=few(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def start(scenario: Any, **given_: Any) -> None:
    """Set a game up; only a plain refusal may come instead."""
    try:
        state = RULES.scenarios.start(scenario, **{"players": None, "options": {}, "seed": "any", **given_})
    except DocumentError as error:
        refusal = error
    else:
        assert RULES.play.load(RULES.play.dump(state)) == state
        return
    assert refusal.where
    assert refusal.problem


@ANY_TIME
@given(st.sampled_from(list(paths(WHOLE))), VALUES)
@example(("players",), "²")
def test_any_value_in_any_place_of_a_scenario_is_taken_or_refused(at: Path, value: Any) -> None:
    start(placed(WHOLE, at, value))


@ANY_TIME
@given(st.sampled_from(list(paths(WHOLE))), WORDS)
def test_any_key_in_any_place_of_a_scenario_is_taken_or_refused(at: Path, key: str) -> None:
    start(keyed(WHOLE, at, key))


@settings(ANY_TIME, max_examples=few(8))
@given(st.sampled_from(list(paths(BY_LOT))), VALUES)
def test_any_value_in_any_place_of_a_scenario_by_lot_is_taken_or_refused(at: Path, value: Any) -> None:
    start(placed(BY_LOT, at, value))


@ANY_TIME
@given(st.sampled_from([info.name for info in RULES.info.options]), VALUES)
def test_any_value_of_any_option_is_taken_or_refused(name: str, value: Any) -> None:
    start(WHOLE, options={name: value})


@ANY_TIME
@given(st.sampled_from(list(paths(WHOLE))), VALUES)
def test_any_value_in_any_place_of_a_position_is_taken_or_refused(at: Path, value: Any) -> None:
    """A game.json, as `python -m engine` and an import read it."""
    position = placed(WHOLE, at, value)
    try:
        state = RULES.play.load(position)
    except DocumentError:
        return
    assert RULES.play.load(RULES.play.dump(state)) == state


@pytest.mark.parametrize("text", ['{"name": "\\ud800"}', '{"\\udfff": 1}', '["\\uD83D", 1]'])
def test_half_a_character_is_refused(text: str) -> None:
    """Nobody could be told of it, and nothing store it."""
    with pytest.raises(DocumentError, match="half a character"):
        read_json(text)


def test_a_pair_of_halves_is_a_character() -> None:
    assert read_json('{"name": "\\ud83d\\ude00"}') == {"name": "😀"}


# Sheets

STATE = RULES.scenarios.start(WHOLE, players=None, options={}, seed="any")
VIEW = RULES.sight.view(STATE, Playing(STATE.find_nation("Athens").id))
TOKENS = st.one_of(
    WORDS,
    st.sampled_from(
        [*FORMATS, *"NSEWFPTUC", "AT", "HO", "SH", "7", "-0", "+1", "1/0", "1,0", "²", "٣", "Athens", "Sparta"]
    ),
    st.integers().map(str),
)
LINES = st.one_of(
    st.lists(TOKENS, max_size=9).map(" ".join),
    st.text(st.characters(), max_size=40),
    st.builds("{} {}".format, TOKENS, TOKENS),
    st.sampled_from(
        ["BEGIN", "END", "PASS", "GAME 22", "GAME ²", "Terrania 23", "Terrania ²", "[Sparta]", "[²]", "- - -"]
    ),
)


@ANY_TIME
@given(st.lists(LINES, max_size=8).map("\n".join))
@example("choose ² Paris")
@example("Terrania 23\nLAND 1 0 HO ² E\n² 3\nDON ² 3")
def test_any_text_is_read_line_by_line(text: str) -> None:
    """Whatever a line holds, it costs no other line, and what can be read comes out the same again."""
    reading = read_orders(RULES, VIEW, f"{text}\nNAME 1 0 Good")
    for error in reading.errors:
        assert 1 <= error.column <= error.end
    for line in reading.values:
        again = read_orders(RULES, VIEW, line.canonical)
        assert [other.order for other in again.values] == [line.order]
    json.dumps([line.canonical for line in reading.values])


@ANY_TIME
@given(st.text(st.characters(), max_size=60))
def test_any_change_of_a_game_master_is_taken_or_refused(text: str) -> None:
    for words in (text, f"gold Athens {text}", f"units 1 0 Athens HO {text}", f"option end_turn {text}"):
        try:
            RULES.edits.edit(STATE, words)
        except DocumentError:
            continue


TRICKY: tuple[Any, ...] = (
    "²",
    "٣",
    "½",
    "",
    " ",
    "-",
    "--5",
    "+1",
    "1.5",
    "1e9",
    "9" * 400,
    10**400,
    -1,
    1.0,
    float("nan"),
    True,
    [],
    {},
)


@pytest.mark.parametrize("name", [info.name for info in RULES.info.options])
@pytest.mark.parametrize("value", TRICKY, ids=lambda value: ascii(value)[:12])
def test_no_value_of_an_option_breaks_the_reading(name: str, value: Any) -> None:
    """What looks like a number need not be one."""
    start(WHOLE, options={name: value})
    start({**WHOLE, "options": {name: value}})


@pytest.mark.parametrize("value", TRICKY, ids=lambda value: ascii(value)[:12])
def test_no_number_of_players_breaks_the_reading(value: Any) -> None:
    start({**WHOLE, "players": value})
    start({**BY_LOT, "players": value})
