"""What a game master may change between two turns. Source: rules 15."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.core.viewer import EVERYBODY
from engine.king_of_kings.model import State, Tactic
from engine.king_of_kings.system import KING_OF_KINGS

RULES = KING_OF_KINGS
RED, BLUE = PowerId("red"), PowerId("blue")


def position() -> State:
    return RULES.play.load({
        "system": "king_of_kings", "seed": "s",
        "state": {
            "map": ["PPF~", "GTH~"],
            "nations": [{"name": "red", "gold": 1, "fame": 3}, {"name": "blue"}],
            "provinces": [
                {"x": 0, "y": 0, "units": {"red": {"F": 3}}, "name": "Ur"},
                {"x": 2, "y": 1, "units": {"blue": {"B": 2}}},
            ],
        },
    })  # fmt: skip


def after(text: str) -> State:
    return RULES.edits.edit(position(), text)


@pytest.mark.parametrize("what", ["gold", "wood", "food", "fame", "credits"])
def test_figures_of_nations(what: str) -> None:
    assert getattr(after(f"{what} Red 12").nations[RED], what) == 12


def test_provinces() -> None:
    assert after("owner 1 1 blue").at(1, 1).owner == BLUE
    assert after("owner 1 1 2").at(1, 1).loyal_to == BLUE
    assert after("owner 1/1 blue") == after("owner 1 1 blue")
    assert after("terrain 1 1 city").at(1, 1).terrain == "city"
    assert after("terrain 3 0 forest").at(3, 0).terrain == "forest"
    assert after("tactic 0 0 c").at(0, 0).tactic is Tactic.COUNTER
    assert after("units 0 0 red HO 2 FO 1").at(0, 0).units[RED] == {"F": 1, "H": 2}
    assert after("units 0 0 red none").at(0, 0).units == {}
    assert after("units 1 1 red FO 1").at(1, 1).owner == RED
    assert after("name 0 0 none").at(0, 0).name is None


@pytest.mark.parametrize("word", sorted({form.split()[0] for form in RULES.edits.forms(position())}))
def test_a_change_without_its_words_is_answered_with_one_that_could_be_made_here(word: str) -> None:
    with pytest.raises(DocumentError, match="write, for example, “") as caught:
        after(word)
    assert caught.value.where == word
    example = caught.value.problem.split("“")[1].rstrip("”")
    assert after(example) != position()


def test_land_changes_hands_with_the_units_on_it() -> None:
    assert after("owner 0 0 blue").at(0, 0).units == {BLUE: {"F": 3}}
    with pytest.raises(DocumentError, match="units 0 0 red none"):
        after("owner 0 0 none")
    with pytest.raises(DocumentError, match="owner 0 0 blue"):
        after("units 0 0 blue FO 1")


def test_statuses_and_awards() -> None:
    assert after("status red blue 3").nations[RED].status[BLUE] == 3
    assert after("award red 5").nations[RED].fame == 8


def test_options_hold_from_the_next_turn_on() -> None:
    """Section 17: `set option` (from next turn)."""
    state = RULES.edits.edit(
        RULES.edits.edit(after("option loyalty yes"), "option storage_gold none"), "option general_turns 2 4"
    )
    assert (state.options.loyalty, state.options.storage_gold) == (False, 5)
    assert RULES.play.load(RULES.play.dump(state)) == state
    board = RULES.telling.text_board(RULES.sight.view(state, EVERYBODY))
    told = [
        line.args["options"] for part in board.sections for line in part.lines if line.code == "report.next_options"
    ]
    assert told == ["loyalty yes, storage_gold -, general_turns 2/4"]
    later = RULES.play.adjudicate(state, {}, RULES.play.dice(state)).state
    assert (later.options.loyalty, later.options.storage_gold, later.options.general_turns) == (True, None, (2, 4))
    assert later.next_options is None
    assert after("option general_turns 2,4") == after("option general_turns 2 4")
    alone = after("option general_turns 4").next_options
    assert alone is not None
    assert alone.general_turns == (4,)
    assert RULES.edits.edit(state, "option loyalty no").next_options != state.next_options


def test_a_nation_falls_and_rises() -> None:
    fallen = after("kill blue")
    assert fallen.nations[BLUE].eliminated == 1
    assert fallen.at(2, 1).owner is None
    assert fallen.at(2, 1).units == {}
    assert RULES.edits.edit(fallen, "revive blue").nations[BLUE].eliminated is None


def test_revived_nations_that_missed_their_turns_are_played_again() -> None:
    document = dict(RULES.play.dump(position()))
    document["state"] = {
        **document["state"],
        "nations": [
            {"name": "red", "controller": "monsters", "missed": 5},
            {"name": "blue"},
            {"name": "wolves", "controller": "monsters"},
        ],
    }
    state = RULES.play.load(document)
    assert not state.is_played(RED)
    revived = RULES.edits.edit(RULES.edits.edit(state, "revive red"), "revive wolves")
    assert revived.is_played(RED)
    assert revived.nations[RED].missed == 0
    assert not revived.is_played(PowerId("wolves"))


@pytest.mark.parametrize(
    "text",
    [
        "", "gold", "gold red", "gold red many", "gold green 3", "gold red -3", "owner 9 9 red", "owner 0 0 none",
        "units 0 0 red XX 1", "units 0 0 red FO", "units 0 0 red FO 10000", "units 0 0 blue FO 1",
        "status red red 3", "status red blue 6",
        "terrain 0 0 lava", "tactic 0 0 X", "option nothing 3", "option loyalty", "option max_orders many",
        "name 0 0 Rome", "owner 3 0 red", "tactic 3 0 F",
    ],
)  # fmt: skip
def test_what_can_not_be_is_refused_and_changes_nothing(text: str) -> None:
    with pytest.raises(DocumentError):
        after(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("status red blue 6", "status red blue 6: 6 is not from 0 to 5"),
        ("Option end_turn 0", "option end_turn 0: 0 is not from 1 to 9999"),
        ("tactic 0/0 X", "tactic 0 0 X: 'X' is none of F, P, T, U, C"),
    ],
)
def test_what_is_wrong_is_told_by_the_change_and_not_by_its_place_in_the_document(text: str, told: str) -> None:
    with pytest.raises(DocumentError) as caught:
        after(text)
    assert str(caught.value) == told


def test_sea_is_owned_where_the_option_allows_it() -> None:
    with pytest.raises(DocumentError, match="is sea"):
        after("owner 3 0 red")
    owning = RULES.play.adjudicate(after("option sea_ownership yes"), {}, RULES.play.dice(position())).state
    assert RULES.edits.edit(owning, "owner 3 0 red").at(3, 0).owner == RED


def test_every_form_that_is_offered_is_understood() -> None:
    words = {"NATION": "red", "X": "1", "Y": "1", "NAME": "max_generals", "VALUE": "2"}
    for form in RULES.edits.forms(position()):
        text = " ".join(words.get(word, word) for word in form.split()).replace("red red", "red blue")
        assert isinstance(after(text), State), form


def test_hints_name_the_troops_that_there_are() -> None:
    document = RULES.play.dump(position())
    legion = {"name": "Legion", "symbol": "L", "land_move": 2, "casualty_land": 1}
    galley = {"name": "Galley", "symbol": "Y", "sea_move": 5, "casualty_sea": 1, "flags": ["transport"]}
    document["state"]["troops"] = [galley, legion]
    for province in document["state"]["provinces"]:
        province["units"] = {nation: {"L": 1} for nation in province.get("units", {})}
    state = RULES.play.load(document)
    assert "units X Y NATION LE 2" in RULES.edits.forms(state)
    assert not any(" FO" in form for form in RULES.edits.forms(state))
    advice = RULES.edits.advice(
        state, RULES.edits.edit(RULES.edits.edit(state, "units 0 0 red none"), "owner 0 0 none")
    )
    assert advice is not None
    assert advice.args["units"] == "LE 2"


def test_the_next_report_tells_what_was_changed_and_later_ones_do_not() -> None:
    state = RULES.edits.edit(after("gold red 12"), "award blue 2")
    assert RULES.play.load(RULES.play.dump(state)) == state
    resolution = RULES.play.adjudicate(state, {}, RULES.play.dice(state))
    told: list[Any] = [event.what.args["what"] for event in resolution.events if event.what.code == "event.game_master"]
    assert told == ["gold red 12", "award blue 2"]
    assert resolution.state.notes == ()


def test_who_has_nothing_after_a_change_falls_and_the_game_master_is_told_so() -> None:
    """Source: rules 13, a nation without a province and a unit is eliminated"""
    start, killed = after("gold red 1"), after("kill red")
    revived = RULES.edits.edit(killed, "revive red")
    advice = RULES.edits.advice(killed, revived)
    assert advice == Phrase("edit.nothing_left", {"nation": "red", "name": "red", "units": "FO 2"})
    assert RULES.edits.advice(start, killed) is None
    assert RULES.edits.advice(revived, RULES.edits.edit(revived, "gold red 9")) is None
    settled = RULES.edits.edit(RULES.edits.edit(revived, "owner 1 0 red"), "units 1 0 red FO 2")
    assert RULES.edits.advice(revived, settled) is None
    for state, falls in ((revived, True), (settled, False)):
        closed = RULES.play.adjudicate(state, {}, RULES.play.dice(state)).state
        assert (closed.nations[RED].eliminated is not None) == falls
