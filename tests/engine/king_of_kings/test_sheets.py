"""Sheets of King of Kings as players write them, and what the dry run says of them."""

from __future__ import annotations

import json
import random
import re
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.orders import Rehearsal
from engine.core.phrases import Phrase
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY, Playing
from engine.king_of_kings.check import remark_on
from engine.king_of_kings.info import SHEET_FILE
from engine.king_of_kings.model import Line, State
from engine.king_of_kings.system import KING_OF_KINGS
from tests.contract.games import random_game
from tests.examples import few

RULES = KING_OF_KINGS


def position(**changes: Any) -> State:
    """Red with a little land, a store and an ally."""
    return RULES.play.load(
        {
            "options": changes.pop("options", {}),
            "state": {
                "map": ["PGP~", "HCP~"],
                "nations": [
                    {"name": "red", "gold": 30, "wood": 20, "status": {"blue": 2}},
                    {"name": "blue", "status": {"red": 2}},
                ],
                "provinces": [
                    {"x": 0, "y": 0, "units": {"red": {"F": 3, "B": 1}}},
                    {"x": 0, "y": 1, "owner": "red"},
                    {"x": 1, "y": 1, "owner": "red"},
                    {"x": 2, "y": 1, "units": {"red": {"S": 2, "F": 1}}},
                    {"x": 2, "y": 0, "units": {"blue": {"F": 1}}},
                ],
                **changes,
            },
        }
    )


def orders_of(text: str) -> tuple[Line, ...]:
    """What of a text red could order."""
    return read_orders(RULES, RULES.sight.view(position(), Playing(position().find_nation("red").id)), text).values


def rehearsed(text: str, state: State | None = None) -> Rehearsal:
    """What would become of red's sheet."""
    state = state or position()
    view = RULES.sight.view(state, Playing(next(iter(state.nations))))
    return RULES.orders.rehearse(view, read_orders(RULES, view, text).orders)


def say(what: Phrase) -> str:
    """The words."""
    return load_phrases("king_of_kings").render(what)


# Reading


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("place 7 18 footsoldiers 8 18 CASTLES", "PLA 7 18 FO 8 18 CA"),
        ("don Blue 35", "DONATE blue 35"),
        ("DONATE 2 035", "DONATE blue 35"),
        ("cede 7 18 2", "CEDE 7 18 blue"),
        ("all Blue 3", "ALL blue 3"),
        ("ALL Nobody 3", "ALL nobody 3"),
        ("name 7 18   New  Rome ", "NAME 7 18 New  Rome"),
        ("def 7 18 c 8 18 F", "DEF 7 18 C 8 18 F"),
        ("SEA 12 7 BOWMEN 3 SHIP 3 W W S W S W W N", "SEA 12 7 BO 3 SH 3 W W S W S W W N"),
        ("LAND 8 18 T AT FOOT 1 E E", "LAND 8 18 T AT FO 1 E E"),
        ("LAND 8 18 foot 2 at foot north East s", "LAND 8 18 AT FO 3 N E S"),
        ("land 13 8 u at sh 2 n", "LAND 13 8 U AT SH 2 N"),
        ("LAND +1 -1 at n # on!", "LAND 1 -1 AT N"),
        ("\u200bLAND\u00a01\u30001 at\tn\ufeff", "LAND 1 1 AT N"),
        ("`build 1 1`", "BUILD 1 1"),
        ("PASS", "PASS"),
        ("Dear game master,\nBEGIN ; nothing this time\n\nEND\nYours, R.", "PASS"),
    ],
)
def test_orders_are_read_as_players_write_them(written: str, canonical: str) -> None:
    (line,) = orders_of(written)
    assert RULES.orders.format(line) == canonical
    (again,) = orders_of(canonical)
    assert again == line


def test_another_nations_heading_is_refused_and_costs_nothing_else() -> None:
    """Source: ruling K-74."""
    state = position()
    view = RULES.sight.view(state, Playing(next(iter(state.nations))))
    reading = read_orders(RULES, view, "[blue]\nDEF 0 0 F\n[red]\n[whoever]\nDEF 1 1 C")
    assert [(error.line, error.code) for error in reading.errors] == [(1, "E02")]
    assert [read.line for read in reading.orders] == [2, 5]


def test_ten_thousand_lines_are_answered_line_by_line() -> None:
    state = position(options={"max_orders": 20})
    view = RULES.sight.view(state, Playing(next(iter(state.nations))))
    reading = read_orders(RULES, view, "DEF 0 0 F\n" * 10_000)
    assert len(reading.orders) == 20
    assert [error.line for error in reading.errors] == list(range(21, 10_001))
    assert {error.code for error in reading.errors} == {"E05"}


LONG = ("LAND 0 0 AT " + "N " * 5000, "PLA" + " 0 0 FO" * 1500, "x" * 10_000, "DONATE b " + "9" * 9999)


@pytest.mark.parametrize("line", LONG, ids=lambda line: line[:6])
def test_lines_of_ten_thousand_characters_are_read_or_refused(line: str) -> None:
    state = position()
    view = RULES.sight.view(state, Playing(next(iter(state.nations))))
    reading = read_orders(RULES, view, f"{line}\nDEF 0 0 F")
    assert len(reading.orders) + len(reading.errors) == 2
    assert reading.orders[-1].order.canonical == "DEF 0 0 F"
    resolution = RULES.play.adjudicate(state, {view.viewer: reading.values}, RULES.play.dice(state))
    assert resolution.state.at(0, 0).tactic == "F"


KEYWORDS = "PLA BUILD DON CEDE ALL NAME DEF SEA LAND BEGIN END PASS AT FO BO HO GE CA SH [red]"
SHORT = "N S E W F P T U C 0 1 2 3 -1 9 # ; red blue"
WORDS = st.sampled_from((*KEYWORDS.split(), *SHORT.split()))


@settings(max_examples=few(30), deadline=None)
@given(lines=st.lists(st.lists(WORDS | st.text(max_size=4), max_size=9).map(" ".join), max_size=12))
def test_every_line_has_one_answer_at_least_and_none_costs_another(lines: list[str]) -> None:
    state = position()
    red = next(iter(state.nations))
    view = RULES.sight.view(state, Playing(red))
    reading = read_orders(RULES, view, "\n".join(lines))
    resolution = RULES.play.adjudicate(state, {red: reading.values}, RULES.play.dice(state))
    rows = RULES.telling.rows.of_results(
        RULES.sight.view(resolution.state, EVERYBODY), resolution.results, {red: reading.errors}, say
    )
    answered = {row["line"] for row in rows if row["nation"] == "red"}
    # The PASS that stands for BEGIN and END with nothing between them has no number: it is no line.
    assert answered - {0} == {read.order.number for read in reading.orders} - {0} | {e.line for e in reading.errors}
    assert RULES.play.load(json.loads(json.dumps(RULES.play.dump(resolution.state)))) == resolution.state
    for read in reading.orders:
        assert read_orders(RULES, view, read.order.canonical).values == (read.order,)


def test_everybody_may_know_everything_once_the_turn_has_run() -> None:
    """Source: rules 11; ruling K-51. Until then nobody knows a sheet: views are of the State, which holds none."""
    state = position()
    red = next(iter(state.nations))
    resolution = RULES.play.adjudicate(state, {red: orders_of("DEF 0 0 F\nPLA 9 9 FO")}, RULES.play.dice(state))
    assert {result.audience for result in resolution.results} == {None}
    assert {event.audience for event in resolution.events} == {None}
    assert RULES.play.dump(RULES.sight.view(resolution.state, EVERYBODY).state) == RULES.play.dump(resolution.state)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("PLA 0 0 FO 2", "PLA 0 0 FO"),
        ("place 0 0 2 FO", "PLA 0 0 FO"),
        ("PLA 2 1 SH 3", "PLA 2 1 SH 2 1 SH 2 1 SH"),
        ("MARCH 0 0 E", "LAND 0 0 AT E"),
        ("donate 5 gold to blue", "DONATE blue 5"),
        ("give blue 5 gold", "DONATE blue 5"),
        ("5 gold to blue", None),
        ("ally with blue", "ALL blue 3"),
        ("move 0/0 fo 2 e", "LAND 0 0 fo 2 e"),
        ("LAND 0 0 E", "LAND 0 0 AT E"),
        ("SAIL 2 1 AT N", "SEA 2 1 AT N"),
        ("GIVE blue 3", "DONATE blue 3"),
        ("BILD 0 0", "BUILD 0 0"),
        ("ALY blue 1", "ALL blue 1"),
        ("ALL blue +1", "ALL blue 3"),
        ("ATTACK!", None),
        ("BUILD 0", None),
        ("CEDE 0", "CEDE X Y PLAYER"),
        ("MARCH 0 0 9", None),
        ("hello", None),
    ],
)
def test_a_line_that_cannot_be_read_is_offered_as_it_was_meant(written: str, meant: str | None) -> None:
    state = position()
    view = RULES.sight.view(state, Playing(next(iter(state.nations))))
    (error,) = read_orders(RULES, view, written).errors
    assert error.hints == (() if meant is None else (meant,))


def test_pass_with_more_in_its_line_is_told_to_stand_alone() -> None:
    state = position()
    view = RULES.sight.view(state, Playing(next(iter(state.nations))))
    (error,) = read_orders(RULES, view, "pass please").errors
    assert "PASS stands alone" in say(error.reason)


@pytest.mark.parametrize(
    ("written", "keyword"),
    [("move my army to 9 9", "LAND"), ("LAND 0 0", "LAND"), ("build a city", "BUILD"), ("put troops in 5 5", "PLA")],
)
def test_a_line_that_means_nothing_is_answered_with_an_order_that_this_nation_could_give(
    written: str, keyword: str
) -> None:
    """The answer was the form of the order, `LAND X Y TACTIC AT TYPE AMOUNT DIRECTION`, which is nothing to send."""
    view = RULES.sight.view(position(), Playing(next(iter(position().nations))))
    (error,) = read_orders(RULES, view, written).errors
    example = re.search(f"for example, `({keyword} .*)`", say(error.reason))
    assert example is not None
    reading = read_orders(RULES, view, example[1])
    assert (reading.errors, len(reading.orders)) == ((), 1)


# The dry run


def test_rehearsal_says_what_each_line_costs_and_what_is_left() -> None:
    rehearsal = rehearsed("PLA 0 0 HO 1 1 FO\nBUILD 0 1\nPLA 2 1 SH 2 1 SH\nPLA 1 1 BO\nDONATE blue 3")
    found = [(f.line, f.part, f.code, [say(note) for note in f.notes]) for f in rehearsal.lines]
    assert found == [
        (0, None, "W08", []),
        (1, None, "ok", ["costs 18 gold; 9 gold and 20 wood are left"]),
        (2, None, "E06", []),
        (3, None, "ok", ["costs 20 wood; 9 gold and 0 wood are left"]),
        (4, 1, "E14", []),
        (5, None, "ok", ["costs 3 gold; 27 gold and 20 wood are left"]),
    ]
    assert [say(left) for left in rehearsal.left] == ["Left before the harvest: 5 gold, 0 wood."]


def test_rehearsal_tells_the_chance_of_a_build() -> None:
    (forecast,) = [forecast for forecast in rehearsed("BUILD 0 1").lines if forecast.line == 1]
    assert say(forecast.notes[1]) == "15% to become grassland; the gold is gone either way"


def test_rehearsal_tells_what_nothing_could_make_right() -> None:
    """Source: ruling K-82"""
    rehearsal = rehearsed("ALL bleu 1\nALL red 1\nDEF 0 0 F 99 0 C\nCEDE 0 0 blu\nALL blue 5\nLAND 1 0 AT N")
    found = [(f.line, f.part, f.code, f.is_impossible, f.hints) for f in rehearsal.lines if f.level == "error"]
    assert found == [
        (1, None, "E11", True, ("ALL blue 1",)),
        (2, None, "E11", True, ("ALL blue 1",)),
        (3, 2, "E03", True, ()),
        (4, None, "E11", True, ("CEDE 0 0 blue",)),
        (5, None, "E09", False, ()),
        (6, None, "E04", False, ()),
    ]


def test_rehearsal_marks_what_others_may_change() -> None:
    rehearsal = rehearsed("PLA 0 0 HO 1 1 FO\nBUILD 0 1\nALL blue 3\nDONATE blue 3\nPLA 9 9 FO")
    assert {f.line: f.is_likely for f in rehearsal.lines} == {0: False, 1: False, 2: True, 3: False, 4: True, 5: False}
    words = [say(remark_on(f)) for f in rehearsal.lines if f.line in (2, 5)]
    assert words == [
        "* not enough gold: it takes 12, there is 9. (likely; others may change it)",
        "* 9/9 is off the map.",
    ]


def test_rehearsal_marks_orders_that_others_may_clear_the_way_for() -> None:
    """What comes second is carried out after all if others make the first one fail; an ALL depends on nobody else."""
    state = position(
        nations=[{"name": "red", "status": {"blue": 5}}, {"name": "blue", "status": {"red": 5}}, {"name": "green"}],
        provinces=[
            {"x": 0, "y": 0, "units": {"red": {"F": 1}}},
            {"x": 1, "y": 0, "units": {"red": {"H": 1}}},
            {"x": 0, "y": 1, "owner": "red"},
        ],
    )
    sheet = "LAND 0 0 FO E\nLAND 1 0 HO S\nCEDE 0 1 blue\nCEDE 0 0 blue\nALL green 1\nALL green 0"
    found = {f.line: (f.code, f.is_likely) for f in rehearsed(sheet, state).lines if f.level == "error"}
    assert found == {2: ("E16", True), 4: ("E10", True), 6: ("E10", False)}


def test_rehearsal_throws_no_dice_and_fights_no_battles() -> None:
    state = position(nations=[{"name": "red", "gold": 12}, {"name": "blue"}])
    rehearsal = rehearsed("BUILD 1 1\nLAND 0 0 FO 3 E E", state)
    assert [(f.line, f.code, f.is_likely) for f in rehearsal.lines] == [(1, "ok", False), (2, "W06", True)]
    assert [say(note) for note in rehearsal.lines[1].notes] == ["ends in 2/0"]


def test_line_that_would_fail_stands_all_the_same() -> None:
    state = position()
    view = RULES.sight.view(state, Playing(next(iter(state.nations))))
    reading = read_orders(RULES, view, "PLA 3 0 SH\nLAND 2 0 AT N")
    assert (len(reading.orders), reading.errors) == (2, ())
    assert {advice.line for advice in RULES.orders.advise(view, reading.orders)} == {0, 1, 2}


def test_rehearsal_of_the_public_and_of_the_fallen_is_empty() -> None:
    state = position()
    assert RULES.orders.rehearse(RULES.sight.view(state, EVERYBODY), ()).lines == ()


# Putting orders in


def test_single_orders_go_to_the_end_and_take_the_place_of_what_they_exclude() -> None:
    view = RULES.sight.view(position(), Playing(next(iter(position().nations))))
    standing = orders_of("DEF 0 0 F\nLAND 0 0 FO 1 E\nALL blue 3\nPASS")
    new = orders_of("ALL blue 1\nLAND 0 0 FO 2 S\nDEF 0 0 C")
    texts = [RULES.orders.format(line) for line in RULES.orders.amend(view, standing, new)]
    assert texts == ["LAND 0 0 FO 1 E", "ALL blue 1", "LAND 0 0 FO 2 S", "DEF 0 0 C"]
    assert [RULES.orders.format(line) for line in RULES.orders.amend(view, standing, orders_of("PASS"))] == ["PASS"]


def test_full_sheet_refuses_what_is_added_and_loses_nothing() -> None:
    """Source: ruling K-12; no line costs another."""
    state = position(options={"max_orders": 2})
    view = RULES.sight.view(state, Playing(next(iter(state.nations))))
    amended = RULES.orders.amend(view, orders_of("DEF 0 0 F\nDEF 0 1 F"), orders_of("DEF 1 1 F"))
    reading = read_orders(RULES, view, "\n".join(RULES.orders.format(line) for line in amended))
    assert [RULES.orders.format(line) for line in reading.values] == ["DEF 0 0 F", "DEF 0 1 F"]
    assert [(error.code, error.text) for error in reading.errors] == [("E05", "DEF 1 1 F")]


def test_template_can_be_sent_back_as_it_is() -> None:
    state = position()
    view = RULES.sight.view(state, Playing(next(iter(state.nations))))
    empty = read_orders(RULES, view, RULES.orders.template(view, ()))
    assert ([RULES.orders.format(line) for line in empty.values], empty.errors) == (["PASS"], ())
    standing = orders_of("DEF 0 0 F\nNAME 0 0 New Rome")
    again = read_orders(RULES, view, RULES.orders.template(view, standing))
    assert (again.values, again.errors) == (standing, ())


# What is offered


def test_orders_that_are_offered_can_be_carried_out() -> None:
    """Each of a sample of the legal orders, alone in a sheet, fails in no rehearsal."""
    chance = random.Random(3)
    for step in random_game(RULES.info.id)[::6]:
        state = cast(State, step.state)
        for nation in RULES.play.status(state).to_act[:4]:
            view = RULES.sight.view(state, Playing(nation))
            orders = [order for orders in RULES.orders.legal(view).values() for order in orders]
            for order in chance.sample(orders, min(20, len(orders))):
                rehearsal = RULES.orders.rehearse(view, read_orders(RULES, view, RULES.orders.format(order)).orders)
                assert [f.code for f in rehearsal.lines if f.level == "error"] == [], order.canonical


@pytest.mark.parametrize(
    ("filename", "line"),
    [("SP3.R4", "GAME 4"), ("sp12.r012", "GAME 12"), ("SP3.R", None), ("SP3.R4.txt", None), ("orders.txt", None)],
)
def test_a_file_named_as_the_rules_say_tells_its_turn(filename: str, line: str | None) -> None:
    assert SHEET_FILE.find_line(filename) == line


def test_list_marks_and_the_numbers_of_a_receipt_before_a_line_are_ignored() -> None:
    view = RULES.sight.view(position(), Playing("red"))  # type: ignore[arg-type]
    plain = "DONATE blue 5\nALL blue 1\nPASS"
    marked = "1. DONATE blue 5\n- ALL blue 1\n> (3) PASS"
    read = read_orders(RULES, view, marked)
    assert not read.refused
    assert read.values == read_orders(RULES, view, plain).values
