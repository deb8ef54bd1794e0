"""The guide offers what would be carried out, goes on where the sheet stops, and has words for every piece."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from engine.computer.levels import CARE, Level, think
from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.core.reading import adjudicate_texts, read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala.document import load
from engine.kalevala.guide import RulerGuide, menu, shortlists
from engine.kalevala.model import State, View
from engine.kalevala.orders import Line
from engine.kalevala.results import said
from engine.kalevala.rounds import rehearse
from engine.kalevala.system import KALEVALA
from engine.kalevala.tables import CENTRES, KINDS, WORKS
from tests.engine.kalevala.test_first_rounds import WINDOWS
from tests.random_kalevala import wild_sheet

GUIDE = (Path(__file__).parents[3] / "docs/kalevala.md").read_text(encoding="utf-8")
ANNA = PowerId("anna")


def windows() -> list[State]:
    """The four windows of the first two great rounds."""
    found = [load({"system": "kalevala", "seed": "one"})]
    for texts in WINDOWS[:3]:
        sheets = {PowerId(ruler): text for ruler, text in texts.items()}
        found.append(adjudicate_texts(KALEVALA, found[-1], sheets)[0].state)
    return found


def seen(state: State, ruler: str = "anna") -> View:
    return KALEVALA.sight.view(state, Playing(PowerId(ruler)))


def read(view: View, text: str) -> tuple[Line, ...]:
    return read_orders(KALEVALA, view, text).values


@pytest.mark.parametrize("number", range(4))
def test_what_is_offered_beside_a_sheet_is_not_refused(number: int) -> None:
    state = windows()[number]
    for ruler in ("anna", "fina"):
        view = seen(state, ruler)
        standing = read(view, WINDOWS[number][ruler])
        for kind in RulerGuide(view, standing).open_kinds:
            for short in shortlists(view, {kind}, standing):
                for order in short.orders[::6]:
                    sheet = KALEVALA.orders.amend(view, standing, read(view, order.value))
                    text = "\n".join(map(KALEVALA.orders.format, sheet))
                    lines = read(view, text)
                    done = rehearse(view.state, PowerId(ruler), lines)
                    new = next(line for line in lines if line.canonical == order.value)
                    assert not done.is_refused(PowerId(ruler), new), order


@pytest.mark.parametrize("number", [0, 2])
def test_a_line_tried_below_those_that_stand_is_judged_as_in_the_whole_sheet(number: int) -> None:
    state, chance = windows()[number], random.Random(number)
    judged = set()
    for ruler in ("anna", "dora"):
        view = seen(state, ruler)
        for _ in range(6):
            standing = read(view, wild_sheet(state, PowerId(ruler), chance) or "PASS")
            guide = RulerGuide(view, standing)
            for line in read(view, wild_sheet(state, PowerId(ruler), chance) or "PASS"):
                sheet = read(view, "\n".join(each.canonical for each in KALEVALA.orders.amend(view, standing, (line,))))
                new = next(each for each in reversed(sheet) if each.order == line.order)
                whole = not rehearse(view.state, PowerId(ruler), sheet).is_refused(PowerId(ruler), new)
                assert guide.may(line.order) == whole, (line, standing)
                judged.add(whole)
    assert judged == {True, False}


def test_exploration_units_go_on_where_the_sheet_stops_and_end_with_six() -> None:
    view = seen(windows()[0])
    standing = read(view, "EXPLORE 1 2E+7 > 2E+6\nEXPLORE 2 2F+7 > 2G+6")
    offered = [choice.value for choice in menu(view, ("EXPLORE",), orders=standing).choices]
    assert offered
    assert all(text.startswith("EXPLORE 3 ") for text in offered)
    assert "EXPLORE 3 2E+6 > 2E+5" in offered, "on in a straight line"
    every = read(view, "\n".join(f"EXPLORE {ee} 2E+7 > 2E+6" for ee in range(1, 7)))
    assert "EXPLORE" not in [choice.value for choice in menu(view, (), orders=every).choices]


def test_an_occupation_says_what_pays_for_it_and_names_the_trade_centre() -> None:
    view = seen(windows()[1])
    way = next(choice.value for choice in menu(view, ("ENTER",)).choices if choice.value.endswith(">2E+6"))
    first = menu(view, ("ENTER", way)).choices[0].value
    more = [choice.value for choice in menu(view, ("ENTER", way, first)).choices]
    assert first in more
    assert any(" LOSS " in text and " NAME " in text for text in more)
    for text in more:
        done = menu(view, ("ENTER", way, first, text))
        assert done.order == text
        assert not rehearse(view.state, ANNA, read(view, text)).is_refused(ANNA, read(view, text)[0])


def test_land_of_nobody_is_offered_before_anybody_is_attacked() -> None:
    state = windows()[1]
    first, *others = state.explored[ANNA]
    view = seen(replace(state, owners={**state.owners, first.target: PowerId("bert")}))
    (short,) = shortlists(view, {"ENTER"}, ())
    offered = [order.value.split()[3:5] for order in short.orders]
    assert offered[0] == ["B", others[0].target]
    assert offered[-1] == ["K", first.target]


def test_marches_of_two_steps_mixed_stacks_walls_and_repairs_are_offered() -> None:
    document = {
        "system": "kalevala",
        "state": {
            "rulers": {"anna": {}},
            "owners": dict.fromkeys(("2D+4", "2D+5", "2D+6"), "anna"),
            "gf": {
                "2D+4": {
                    "kf": "T" * 48,
                    "hz": {"type": "Std", "kf": 19},
                    "river": ["12/E"],
                    "works": [{"type": "Tu", "kf": 19, "hits": 2, "damaged": 1}],
                }
            },
            "stacks": {"anna": {"2D+4": "9L 4B 4IP 40RE"}},
        },
    }
    guide = RulerGuide(seen(load(document)), ())
    orders = {str(order) for kind in guide.open_kinds for order, _ in guide.whole(kind)}
    wanted = {
        "MOVE 4B 2D+4 > 2D+5", "MOVE 4B 2L 40RE 2D+4 > 2D+5 > 2D+6", "MOVE 2B 4L 40RE 2D+4 > 2D+5",
        "BUILD 2D+4 Ma EDGE 19/E GATE", "BUILD 2D+4 Br EDGE 12/E", "REPAIR 2D+4 Tu KF 19",
    }  # fmt: skip
    assert wanted <= orders, wanted - orders


def test_nobody_is_let_in_but_rulers_with_whom_one_can_have_dealings() -> None:
    whom = {choice.value for choice in menu(seen(windows()[0]), ("PERMIT",)).choices}
    assert whom == {"bert", "carl", "dora", "emil", "fina"}


def test_a_sheet_begins_with_what_there_is_and_lines_that_would_work() -> None:
    view = seen(windows()[2])
    notes = KALEVALA.orders.template(view, ()).splitlines()
    assert notes[-1] == "PASS"
    assert "# 2E+8 7B 14L Z/30 20RE" in notes
    possible = [note[2:] for note in notes if note[2:].split()[0] in ("ARM", "EXPLORE", "CONVERT")]
    assert possible
    done = rehearse(view.state, ANNA, read(view, "\n".join(possible)))
    assert not [line for line in done.lines(ANNA) if done.is_refused(ANNA, line)]


def test_every_piece_has_words_and_stands_in_the_glossary() -> None:
    words = load_phrases("kalevala").codes
    assert not {f"figure.{code}" for code in KINDS} - words
    assert not {f"work.{code}" for code in WORKS} - words
    assert not {f"centre.{code}" for code in CENTRES} - words
    glossary = GUIDE[GUIDE.index("## German to English") :]
    listed = {code for row in glossary.splitlines() if row.startswith("|") for code in _codes(row)}
    weapons = {code for code in KINDS if KINDS[code].is_warrior}
    kings = {"KrKö", "AgKö", "PrKö"}
    assert not ({*KINDS, *WORKS, *CENTRES} - weapons - kings) - listed
    assert {"A", "L", "S", "B"} <= listed


def _codes(row: str) -> list[str]:
    return [code.strip() for code in row.split("|")[1].split(",")]


def test_marches_of_wagons_are_offered_with_the_teams_that_stand_there() -> None:
    document = {
        "system": "kalevala",
        "state": {
            "rulers": {"anna": {}},
            "owners": {"2D+4": "anna", "2D+5": "anna"},
            "stacks": {"anna": {"2D+4": "5L 2QuW 3QIP 6QsP"}},
        },
    }
    view = seen(load(document))
    offered = {str(order) for order, _ in RulerGuide(view, ()).whole("MOVE")}
    assert {"MOVE 3L QuW/3 2D+4 > 2D+5", "MOVE 3L QuW(4) 2D+4 > 2D+5"} <= offered
    beside = RulerGuide(view, read(view, "MOVE 3L QuW/3 2D+4 > 2D+5"))
    assert beside.may(read(view, "MOVE 2L QuW(4) 2D+4 > 2D+5")[0].order)
    assert not beside.may(read(view, "MOVE 2L QuW/3 2D+4 > 2D+5")[0].order), "there is but one team of them"


def test_nobody_is_sent_again_where_scouts_found_no_way() -> None:
    """Neither the guide nor the computer offers it for an epoch; a person may write it, and is warned."""
    barred = [["2D+4", "2E+4", 3], ["2D+4", "2D+99", 3]]
    position = {
        "rulers": {"anna": {"barred": barred}, "bert": {}},
        "owners": {"2D+4": "anna", "2H+4": "bert"},
        "stacks": {"anna": {"2D+4": "9L"}, "bert": {"2H+4": "3L"}},
    }
    for gr, is_offered in ((4, False), (14, False), (15, True)):
        state = load({"system": "kalevala", "seed": "x", "phase": {"gr": gr, "part": 1}, "state": position})
        view = seen(state)
        offered = [order.value for short in shortlists(view, {"EXPLORE"}, ()) for order in short.orders]
        assert any("2D+5" in text for text in offered)
        assert ("EXPLORE 1 2D+4 > 2E+4" in offered) is is_offered
        (line,) = read(view, "EXPLORE 1 2D+4 > 2E+4")
        verdict = rehearse(view.state, ANNA, (line,)).verdict(ANNA, line)
        assert ("W8" in verdict.codes) is not is_offered
        assert KALEVALA.judgement is not None
        sheet = think(KALEVALA, KALEVALA.judgement, view, ANNA, CARE[Level.FAIR], random.Random("x"))
        assert is_offered or not any("2D+4 > 2E+4" in text for text in sheet)


def test_who_is_protected_is_told_so_even_on_the_way_into_natives_land() -> None:
    position = {
        "rulers": {"anna": {"protected": 4}, "bert": {}},
        "owners": {"2D+4": "anna", "2D+6": "bert"},
        "stacks": {"anna": {"2D+4": "9L"}, "bert": {"2D+6": "3L"}},
        "explored": {"anna": [{"ee": 1, "from": "2D+4", "to": "2D+5"}]},
    }
    view = seen(load({"system": "kalevala", "seed": "x", "phase": {"gr": 3, "part": 3}, "state": position}))
    (line,) = read(view, "ENTER 2 2D+4 B 2D+5 3L")
    reason = said(rehearse(view.state, ANNA, (line,)).verdict(ANNA, line), line)
    assert (reason.code, reason.args["until"]) == ("error.V17_protected", 4)


def test_who_is_sent_beside_a_battle_is_asked_about_it() -> None:
    """Into own land: whether they join one beside it; as guests: for whom they fight. Each choice stands."""
    state = {
        "rulers": {"anna": {}, "bert": {}, "carl": {}},
        "owners": {"2D+4": "anna", "2D+5": "anna", "2E+4": "bert"},
        "stacks": {"anna": {"2D+4": "9L", "2D+5": "1L"}, "bert": {"2E+4": "1L"}},
        "explored": {"anna": [{"from": "2D+4", "to": "2D+5"}, {"from": "2D+4", "to": "2E+4", "ee": 2}]},
        "permits": [{"of": "bert", "to": "anna", "until": 9}],
    }
    view = seen(load({"system": "kalevala", "phase": {"gr": 2, "part": 3}, "state": state}))
    for target, wanted in (("2D+5", ("", " JOIN")), ("2E+4", ("", " SIDE carl"))):
        order = next(
            choice.value
            for group in menu(view, ("ENTER",)).choices
            for choice in menu(view, ("ENTER", group.value)).choices
            if f" E {target} " in choice.value
        )
        path = ("ENTER", next(c.value for c in menu(view, ("ENTER",)).choices if target in c.value), order)
        step = menu(view, path)
        assert [choice.value for choice in step.choices] == [f"{order}{rest}" for rest in wanted]
        for choice in step.choices:
            lines = read(view, menu(view, (*path, choice.value)).order or "")
            assert [line.canonical for line in lines] == [choice.value]
            assert not rehearse(view.state, ANNA, lines).is_refused(ANNA, lines[0])


@pytest.mark.parametrize("number", [0, 1])
def test_a_closed_door_does_not_send_the_reader_to_the_window_that_is_open(number: int) -> None:
    words = load_phrases("kalevala")
    view = seen(windows()[number])
    here = ("orders", "deeds")[number]
    closed = [door for door in KALEVALA.doors if door.is_open is not None and not door.is_open(view, ())]
    assert {door.id for door in closed} > {"ransom", "release", "kingsransom", "kingsrelease", "kingspay"}
    for door in closed:
        said = words.render(phrase(f"door.{door.id}.closed", title=f"Great round 1, {here}"))
        assert not (f"in Great round 1, {here}" in said and f"for the window of {here}" in said), said


def test_the_guide_has_a_question_for_every_kind_of_order() -> None:
    """Of those of agents and gods it had none: whoever chose them was told that something went wrong."""
    words = load_phrases("kalevala")
    kinds = {code.removeprefix("menu.kind_") for code in words.codes if code.startswith("menu.kind_")}
    for kind in kinds - {"PASS", "PLAN"}:
        assert words.render(phrase(f"menu.which_{kind}"))
        # There is but one group of ways to begin.
        assert kind == "BEGIN" or words.render(phrase(f"menu.what_{kind}"))
