"""Refused lines: the code, the words that it points at, and what could have been meant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.cli import main
from engine.core.ids import PowerId
from engine.core.phrases import Catalogue
from engine.core.reading import adjudicate_texts, read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY, Playing
from engine.kregen.model import State
from engine.kregen.system import KREGEN

RULES = KREGEN


def position(phase: str, *units: str, **more: Any) -> State:
    """A position of units such as `zair A ZIM`."""
    season, year, kind = phase.split()
    rows = [dict(zip(("power", "kind", "at"), unit.split(), strict=True)) for unit in units]
    return RULES.play.load(
        {"phase": {"year": int(year), "season": season, "kind": kind}, "state": {"units": rows, **more}}
    )


MOVES = position(
    "spring 1 movement",
    "zair F SWD", "zair F SZR", "zair F SZR", "zair A ZIM", "zair A ZUL", "zair H ZY", "akhram A LIZ",
)  # fmt: skip
BUILDS = position("summer 1 adjustments", "zair A ZIM", "zair H ZUL", owners={"ZY": "zair", "ZIM": "zair"})
CAPITAL = position("spring 1 movement", "zair A ZY", "zair A ZY")
ISLAND = position("spring 1 movement", "zair A TKN", "magdag A MAG")

REFUSED = [
    # Text, code, the words that are pointed at, one of the hints ("" for none).
    (MOVES, "F SWD - KRO - BLD - MEG", "third_step", "- MEG", "F SWD - KRO, - BLD"),
    (MOVES, "H ZY - SWD - KRO - BLD", "third_step", "- BLD", "H ZY - SWD, - KRO"),
    (MOVES, "F SWD C A ZIM - JKA, - KRO", "convoy_last", "", "F SWD C A ZIM - JKA"),
    (MOVES, "A ZIM - SHP - RZK", "army_two_steps", "SHP", "A ZIM - SHP"),
    (MOVES, "A ZIM - JKA", "needs_route", "JKA", "A ZIM - SWD - JKA"),
    (MOVES, "A ZIM - SWD - MAG", "route_broken", "MAG", "A ZIM H"),
    (MOVES, "A ZIM - SWD", "army_to_sea", "SWD", "A ZIM H"),
    (MOVES, "F SWD - OCH", "fleet_inland", "OCH", "F SWD H"),
    (MOVES, "F SWD - BLD", "out_of_reach", "BLD", "F SWD - KRO, - BLD"),
    (MOVES, "F SZR - SWD (2)", "mark_not_needed", "2", "F SZR - SWD"),
    (MOVES, "FF SWD - KRO", "no_pair", "SWD", "F SWD - KRO"),
    (MOVES, "F ZIM - SHP", "no_such_unit", "ZIM", "A ZIM - SHP"),
    (MOVES, "A LIZ H", "not_your_unit", "LIZ", "A ZUL H"),
    (MOVES, "H ZY D", "heroes_stay", "ZY", "H ZY H"),
    (MOVES, "H ZY S A ZIM", "not_for_heroes", "", "H ZY H"),
    (MOVES, "A ZIM with H ZY", "heroes_only", "with", "A ZIM H"),
    (MOVES, "H ZY with A ZIM", "not_beside", "ZIM", "H ZY H"),
    (MOVES, "A ZUL S A LIZ", "holy_war", "LIZ", "A ZUL H"),
    (MOVES, "F SWD C A LIZ - JKA", "holy_war", "LIZ", "F SWD H"),
    (MOVES, "share with magdag", "holy_war", "magdag", "share with sanurkazz"),
    (MOVES, "H ZY betray to magdag", "holy_war", "magdag", "H ZY H"),
    (MOVES, "share with zair", "grant_to_self", "zair", "share with zandikar"),
    (MOVES, "share with zandkar", "unknown_power", "zandkar", "share with zandikar"),
    (MOVES, "share with mars", "unknown_power", "mars", "share with zandikar"),
    (MOVES, "let pass", "power_missing", "", "let pass zandikar"),
    (MOVES, "H ZY betray to", "power_missing", "", "H ZY betray to zandikar"),
    (MOVES, "A ZIM S F SWD - SZR", "army_helps_at_sea", "SZR", "A ZIM H"),
    (MOVES, "F SWD S A ZIM - SHP", "no_support_there", "SHP", "F SZR S A ZIM - SHP"),
    (MOVES, "A ZIM S A ZIM", "supports_itself", "ZIM", "A ZIM H"),
    (MOVES, "A ZIM S A ZUL - ZIM", "support_at_home", "ZIM", "A ZIM H"),
    (MOVES, "A ZIM S H ZY", "heroes_not_helped", "ZY", "A ZIM H"),
    (CAPITAL, "A ZY S A MAG", "no_support_there", "MAG", "A ZY H"),
    (ISLAND, "A TKN S A MAG", "supports_nobody", "MAG", "A TKN H"),
    (MOVES, "duel H ZY 101 capture", "bad_number", "101", "duel H ZY 100 capture"),
    (MOVES, "duel H ZY -1", "bad_number", "-1", "duel H ZY 0 kill"),
    (MOVES, "duel H ZY 3.5", "bad_number", "3.5", "duel H ZY 3 kill"),
    (MOVES, "duel H ZY high", "bad_number", "high", "duel H ZY 50 kill"),
    (MOVES, "duel F SWD 5", "heroes_duel", "F", ""),
    (MOVES, "H ZY duel magdag 35", "duel_first", "duel", "duel H ZY 35 kill"),
    (MOVES, "hero zy duels", "duel_first", "duels", "duel H ZY 50 kill"),
    (MOVES, "duel 50", "which_hero", "50", "duel H ZY 50 kill"),
    (MOVES, "duel 150 and capture", "which_hero", "150", "duel H ZY 100 capture"),
    (MOVES, "duel H ZIM 5", "no_such_unit", "ZIM", "duel H ZY 5 kill"),
    (MOVES, "A ZIM - ZYY", "unknown_province", "ZYY", "A ZIM - ZY"),
    (MOVES, "A ZIM sing", "unknown_verb", "sing", ""),
    (MOVES, "A ZIM - SHP (3)", "unknown_impulse", "(3", ""),
    (MOVES, "F SWD - ZUL/XC", "unknown_verb", "/XC", ""),
    (MOVES, "sing a song", "no_order", "sing a song", ""),
    (MOVES, "if hold ZYY: build: A ZY", "unknown_province", "ZYY", "if hold ZY: build: A ZY"),
    (MOVES, "if hold ZY and lost ZY: build: A ZY", "contradiction", "ZY", "if hold ZY: build: A ZY"),
    (MOVES, "if lost MAG: build: A ZY", "never_true", "MAG", "build: A ZY"),
    (MOVES, "if hold < 3: build: A ZY", "bad_comparison", "hold < 3", "if not hold >= 3: build: A ZY"),
    (MOVES, "if not hold <= 3.5: build: A ZY", "bad_comparison", "hold <= 3.5", "if hold >= 4: build: A ZY"),
    (MOVES, "if hold = 3: build: A ZY", "bad_comparison", "hold = 3", "if hold >= 3: build: A ZY"),
    (MOVES, "if hold SWD: build: A ZY", "not_a_centre", "SWD", "build: A ZY"),
    (MOVES, "build: A ZY, F MAG", "not_home", "MAG", "build: A ZY"),
    (MOVES, "build: A MAG", "not_home", "MAG", ""),
    (CAPITAL, "build: A ZIM, H ZY, H ZIM", "second_hero", "ZIM", "build: A ZIM, H ZY"),
    (MOVES, "retreat A MAG: CHU", "cannot_be_there", "MAG", ""),
    (MOVES, "retreat A ZIM: MAG", "out_of_reach", "MAG", ""),
    (MOVES, "BUILD A ZY", "wrong_phase", "", "build: A ZY"),
    (MOVES, "REMOVE F SWD", "wrong_phase", "", "remove: F SWD"),
    (CAPITAL, "A ZY - ZIM\nA ZY - ZIM", "too_many_together", "ZIM", "A ZY H"),
    (BUILDS, "A ZIM", "order_missing_now", "", ""),
    (BUILDS, "BUILD A ZIM", "no_room_to_build", "ZIM", "BUILD A ZY"),
    (BUILDS, "BUILD A ZY\nBUILD F ZY", "no_room_to_build", "ZY", ""),
    (BUILDS, "BUILD A MAG", "not_home", "MAG", "BUILD A ZY"),
    (BUILDS, "BUILD A ZUL", "not_held", "ZUL", "BUILD A ZY"),
    (BUILDS, "BUILD H ZY", "second_hero", "ZY", "BUILD A ZY"),
    (BUILDS, "REMOVE H ZUL", "heroes_stay", "ZUL", "REMOVE A ZIM"),
]


@pytest.mark.parametrize(("state", "text", "code", "pointed", "hint"), REFUSED, ids=[row[1] for row in REFUSED])
def test_refusal(state: State, text: str, code: str, pointed: str, hint: str) -> None:
    view = RULES.sight.view(state, Playing(PowerId("zair")))
    errors = read_orders(RULES, view, text).errors
    assert [error.code for error in errors] == [code]
    (error,) = errors
    assert error.line == text.count("\n") + 1
    if pointed:
        assert error.text[error.column - 1 : error.end - 1] == pointed
    assert hint in (*error.hints, "")
    assert len(error.hints) <= 3
    assert words_of(state).render(error.reason)
    for other in error.hints:
        assert read_orders(RULES, view, other).errors == (), other


@pytest.mark.parametrize(
    ("written", "least"),
    [("hold >= 3", "3"), ("hold>=3.5", "3.5"), ("hold 3", "3"), ("hold ≥ 3", "3"), ("hold > 3", "3.5")],
)
def test_points_in_a_condition_are_compared_as_they_are_written(written: str, least: str) -> None:
    """`> 3` was read as `>= 3`, and so was `< 3`."""
    read = read_orders(RULES, RULES.sight.view(MOVES, Playing(PowerId("zair"))), f"if {written}: build: A ZY")
    assert list(map(RULES.orders.format, read.values)) == [f"if hold >= {least}: build: A ZY"]


@pytest.mark.parametrize(
    ("state", "text", "order"),
    [
        (MOVES, "disband A ZIM", "A ZIM D"),
        (MOVES, "Disband fleet SWD", "F SWD D"),
        (BUILDS, "disband A ZIM", "REMOVE A ZIM"),
    ],
)
def test_to_disband_may_come_first(state: State, text: str, order: str) -> None:
    read = read_orders(RULES, RULES.sight.view(state, Playing(PowerId("zair"))), text)
    assert list(map(RULES.orders.format, read.values)) == [order]


def test_a_refusal_names_what_was_written_and_not_how_it_is_kept() -> None:
    """Here brackets were called a slash, which is how they are read."""
    view = RULES.sight.view(MOVES, Playing(PowerId("zair")))
    errors = read_orders(RULES, view, "A ZIM - SHP (3)\nF SWD - ZUL(xc)").errors
    told = [words_of(MOVES).render(error.reason) for error in errors]
    assert told[0].startswith('"(3)" can\'t be written here: (2) after an army')
    assert told[1].startswith('I don\'t understand "(xc)" here.')


def test_the_example_of_a_duel_has_another_number_than_whoever_sends_none() -> None:
    state = position("spring 1 movement", "zair H ZY", "magdag H SZR")
    view = RULES.sight.view(state, Playing(PowerId("zair")))
    told = [words_of(state).render(example) for example in RULES.telling.examples(view)]
    assert [line.partition(" is ")[0] for line in told if "duel" in line] == ["`duel H ZY 40 kill`"]


def words_of(state: State) -> Catalogue:
    """The words of Kregen with its proper names."""
    variant = state.variant
    names = {str(power.id): power.name for power in variant.powers.values()}
    names |= {str(at): place.name for at, place in variant.board.provinces.items()}
    return load_phrases("kregen").with_catalogue(Catalogue({}, names))


START = position("spring 1 setup")
LAIRS = ("YOB", "JOY", "SO1", "SO2", "SO3", "MUL", "SEW", "ENL")


@pytest.mark.parametrize(
    ("power", "text", "code"),
    [
        ("renders", "BUILD A YOB", "pirates_build_fleets"),
        ("renders", "BUILD F MAG", "no_pirate_centre"),
        ("renders", "BUILD F YOB\nBUILD F YOB", "one_fleet_each"),
        ("renders", "\n".join(f"BUILD F {at}" for at in LAIRS), "other_fleets_bound"),
        ("renders", "BUILD H BMA, JOY", "hero_costs_two"),
        ("renders", "capital YOB", "pirates_no_capital"),
        ("magdag", "capital CHU", "fixed_capital"),
        ("magdag", "BUILD H MAG, CHU", "pirates_only"),
        ("magdag", "BUILD H MAG\nBUILD H CHU", "second_hero"),
        ("magdag", "BUILD A CHU\nBUILD F CHU", "mixed_sector"),
        ("magdag", "BUILD A CHU\nBUILD A CHU", "no_room_at_start"),
        ("magdag", "BUILD A CHU\nBUILD A ZNX\nBUILD A MAG\nBUILD A MAG\nBUILD H MAG", "no_points"),
        ("akhram", "capital WAN\ncapital AKH", "duplicate"),
        ("akhram", "A AKH H", "wrong_phase"),
    ],
)
def test_set_up_is_refused_with_words(power: str, text: str, code: str) -> None:
    errors = read_orders(RULES, RULES.sight.view(START, Playing(PowerId(power))), text).errors
    assert {error.code for error in errors} == {code}
    assert all(words_of(START).render(error.reason) for error in errors)


@pytest.mark.parametrize("text", ["if hold ZY: sing", "duel H ZY 7 kill", "A ZIM -", "F SWD S", "H ZY with", ":", "if"])
def test_beginnings_are_refused_with_a_column_inside(text: str) -> None:
    view = RULES.sight.view(MOVES, Playing(PowerId("zair")))
    for error in read_orders(RULES, view, text).errors:
        assert 1 <= error.column < error.end <= len(text) + 1


def test_only_the_lines_subject_that_is_ones_own_is_told() -> None:
    view = RULES.sight.view(MOVES, Playing(PowerId("zair")))
    (own,) = read_orders(RULES, view, "A ZIM - MAG").errors
    (foreign,) = read_orders(RULES, view, "A LIZ - MAG").errors
    assert (own.subject, foreign.subject) == ("ZIM", None)


def test_nobody_orders_without_a_seat_or_after_the_end() -> None:
    (error,) = read_orders(RULES, RULES.sight.view(MOVES, EVERYBODY), "A ZIM H").errors
    assert error.code == "no_power"


def test_of_the_same_order_twice_on_a_line_the_first_stands() -> None:
    reading = read_orders(RULES, RULES.sight.view(MOVES, Playing(PowerId("zair"))), "A ZIM - SHP; A ZIM - SHP; A ZUL H")
    assert [RULES.orders.format(order) for order in reading.values] == ["A ZIM - SHP", "A ZUL H"]
    assert [error.code for error in reading.errors] == ["duplicate"]


def test_of_two_fleets_in_one_line_as_many_are_built_as_points_allow() -> None:
    state = position("summer 1 adjustments", "zair F ZIM", "zair A SHP", owners={"ZY": "zair"})
    reading = read_orders(RULES, RULES.sight.view(state, Playing(PowerId("zair"))), "BUILD FF ZY")
    assert [RULES.orders.format(order) for order in reading.values] == ["BUILD F ZY"]
    assert [error.code for error in reading.errors] == ["no_points"]


def test_pirates_is_a_heading_too_and_an_unknown_one_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game, orders = tmp_path / "game.json", tmp_path / "orders.txt"
    document = {"system": "kregen", "state": {"units": [{"power": "pirates", "kind": "F", "at": "SWD"}]}}
    game.write_text(json.dumps(document), encoding="utf-8")
    orders.write_text("[mars]\nA OLY H\n[Pirates]\nF SWD - JKA\n", encoding="utf-8")
    assert main(["adjudicate", str(game), str(orders), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [(error["line"], error["code"]) for error in answer["errors"]] == [(1, "unknown_power")]
    assert [(row["power"], row["order"], row["outcome"]) for row in answer["results"]] == [
        ("renders", "F SWD - JKA", "succeeds")
    ]


def test_newcomers_are_shown_a_voyage_that_leads_on_help_for_somebody_and_no_disbanding() -> None:
    """Here it was to Falturazz and back, help for an army where there is none, and the end of the own army."""
    state = position("spring 1 movement", "sanurkazz F FAL", "sanurkazz A ZND")
    told = {
        each.code: each.args for each in RULES.telling.examples(RULES.sight.view(state, Playing(PowerId("sanurkazz"))))
    }
    assert told["example.voyage"]["place"] != "FAL"
    assert "example.disband" not in told
    assert "example.support" not in told or " S A TIK" not in str(told["example.support"]["order"])


def test_the_first_steps_of_newcomers_meet_nobody_and_help_their_own() -> None:
    """Here they led into a garrison and through others' fleets, and helped the pirates' fleet in MAI."""
    state = position("spring 1 movement", "zair F ZUL", "zair F ZUL", "zair A ZIM", "renders F MAI", "renders F KRO")
    told = {each.code: each.args for each in RULES.telling.examples(RULES.sight.view(state, Playing(PowerId("zair"))))}
    assert told["example.march"]["place"] not in state.garrisons
    assert "KRO" not in str(told["example.voyage"]["order"])
    assert " S F MAI" not in str(told["example.support"]["order"])


def test_no_first_step_leads_alone_into_a_garrison_if_another_can_be_shown() -> None:
    """From Zulfiria an army can only march to the garrison of Lizz and to the pirates in Maizni."""
    units = ("zair A ZUL", "renders F MAI")
    for others, code in ((("zair F ZIM",), "example.voyage"), ((), "example.march")):
        state = position("spring 1 movement", *units, *others)
        assert "LIZ" in state.garrisons
        view = RULES.sight.view(state, Playing(PowerId("zair")))
        moves = [each.code for each in RULES.telling.examples(view) if each.code in ("example.march", "example.voyage")]
        assert moves == [code]


def test_the_support_of_the_first_steps_is_for_a_march_and_not_for_a_voyage() -> None:
    """An army in ZIM gets to LIZ by sea alone."""
    state = position("spring 1 movement", "zair A ZUL", "zair A ZIM", "zair A ZY", "renders F SWD")
    told = {each.code: each.args for each in RULES.telling.examples(RULES.sight.view(state, Playing(PowerId("zair"))))}
    assert " S A ZIM - LIZ" not in str(told.get("example.support"))


@pytest.mark.parametrize(
    ("text", "advised"),
    [
        ("A ZUL S A ZUL - MAI", ["advice.helps_itself"]),
        ("A ZUL S F SWD - LIZ\nF SWD - LIZ", []),
        # Another fleet may come there meanwhile.
        ("F SWD - KRO, S F SWD", []),
    ],
)
def test_a_unit_that_supports_itself_on_its_way_is_warned(text: str, advised: list[str]) -> None:
    view = RULES.sight.view(MOVES, Playing(PowerId("zair")))
    reading = read_orders(RULES, view, text)
    assert reading.errors == ()
    assert [advice.what.code for advice in RULES.orders.advise(view, reading.orders)] == advised


def test_an_army_that_supports_a_move_of_itself_is_told_that_it_can_not() -> None:
    closed, _ = adjudicate_texts(RULES, MOVES, {PowerId("zair"): "A ZUL S A ZUL - MAI"})
    (army,) = [result for result in closed.results if result.subject == "ZUL"]
    assert army.reason.code == "reason.void_itself"
    assert load_phrases("kregen").render(army.reason)
