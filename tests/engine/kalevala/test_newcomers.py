"""What somebody reads who has never heard of Kalevala: their realm in words, orders to begin with, near misses."""

from __future__ import annotations

import json
import re

import pytest

from engine.answers import answer_line
from engine.core.events import visible_events
from engine.core.ids import PowerId
from engine.core.reading import adjudicate_texts, read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY, Playing
from engine.kalevala.coordinates import GfId
from engine.kalevala.describe import about, known_fields
from engine.kalevala.document import load
from engine.kalevala.guide import common
from engine.kalevala.land import land_of
from engine.kalevala.model import View
from engine.kalevala.orders import Explore
from engine.kalevala.system import KALEVALA

WORDS = load_phrases("kalevala")
START = load({"system": "kalevala", "seed": "one"})


@pytest.fixture
def bert() -> View:
    return KALEVALA.sight.view(START, Playing(PowerId("bert")))


def test_first_steps_read_the_own_sheet_out_and_explain_each_short_word_where_it_first_stands(bert: View) -> None:
    steps = [WORDS.render(step) for step in KALEVALA.telling.examples(bert)]
    assert steps[0].startswith(
        "`3BB 7LB Z/30 20RE` in your sheet means that in 2H+5 you have 3 class B archers, 7 class B lancers, "
        "a wizard with 30 spell points (ZEH) and 20 RE."
    )
    asked = [WORDS.render(line) for section in KALEVALA.telling.briefing(bert).sections for line in section.lines]
    told = re.sub("`[^`]*`", "", "\n".join((*asked, *steps)))
    for word, meaning in {
        "RE": "RE (money and material)",
        "EE": "exploration units (EE)",
        "GF": "great field (GF)",
        "KF": "small field (KF)",
        "HZ": "trade centre (HZ)",
    }.items():
        assert told.index(meaning) <= told.index(word), word


def test_each_example_does_what_is_said_of_it(bert: View) -> None:
    *examples, each = [step for step in KALEVALA.telling.examples(bert) if "order" in step.args]
    orders = [str(step.args["order"]) for step in examples]
    assert [order.split()[0] for order in orders] == ["EXPLORE", "CONVERT", "MOVE", "BUILD", "WATCH"]
    assert "5 class B lancers" in WORDS.render(examples[1])
    for order in orders:
        reading = read_orders(KALEVALA, bert, order)
        assert [line.level for line in KALEVALA.orders.rehearse(bert, reading.orders).lines] != ["error"]
    together = KALEVALA.orders.rehearse(bert, read_orders(KALEVALA, bert, "\n".join(orders)).orders).lines
    assert [line.line for line in together if line.level == "error"] == [4], "the RE are spent"
    assert f"after the others `{orders[3]}`" in WORDS.render(each)


def test_everybody_hears_what_a_window_is_for_and_a_ruler_what_to_send(bert: View) -> None:
    (own,) = KALEVALA.telling.briefing(bert).sections
    (public,) = KALEVALA.telling.briefing(KALEVALA.sight.view(START, EVERYBODY)).sections
    assert "Send a sheet of orders" in WORDS.render(own.lines[0])
    assert "rulers arm" in WORDS.render(public.lines[0])


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("EXPLOR 1 2G+5 > 2F+6", "EXPLORE 1 2G+5 > 2F+6"),
        ("convrt 2H+5 5LB", "CONVERT 2H+5 5LB"),
        ("MOV 1BB 2G+5 > 2H+4", "MOVE 1BB 2G+5 > 2H+4"),
        ("EXPLOR 1", None),
        ("hello there", None),
        ("al anna", "ALLY anna"),
        ("all hold", None),
    ],
)
def test_a_misspelt_order_is_offered_as_it_was_meant(bert: View, written: str, meant: str | None) -> None:
    (error,) = read_orders(KALEVALA, bert, written).errors
    assert WORDS.render(error.reason).endswith(".")
    assert error.hints == (() if meant is None else (meant,))


def test_scouts_and_entries_without_a_number_are_offered_with_one_that_is_free(bert: View) -> None:
    sheet = "EXPLORE 2 2G+5 > 2F+6\nEXPLORE 2G+5 > 2F+5\nEXPLORE 2G+5 2F+6\nENTER 2G+5 K 2F+6 2BB\nEXPLORE 2G+5"
    errors = read_orders(KALEVALA, bert, sheet).errors
    assert [error.hints for error in errors] == [
        ("EXPLORE 1 2G+5 > 2F+5",),
        ("EXPLORE 3 2G+5 > 2F+6",),
        ("ENTER 4 2G+5 K 2F+6 2BB",),
        (),
    ]


def test_a_refused_line_is_given_its_reason_and_no_code(bert: View) -> None:
    reading = read_orders(KALEVALA, bert, "CONVERT 2A+1 5LB")
    (line,) = KALEVALA.orders.rehearse(bert, reading.orders).lines
    assert "V0" not in WORDS.render(line.what)
    assert line.notes == ()


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("PERMIT nobody 2D+4 3", "no other ruler has that name"),
        ("PERMIT bert 2D+5 3", "that is not your province"),
        ("REVOKE bert", "no such permission"),
        ("SAIL 2LS 2D+4 > 2C+4", "that craft of yours is not in 2D+4. Craft there: "),
        ("SAIL LS[1L] 2D+4 > 2D+5", "2D+5 is neither yours, nor open to you"),
        ("AGENT 3 SCOUT", "no agent with that number"),
        ("AGENT 2 SCOUT", "he is a captive"),
        ("AGENT 1 GROUP 1L", "groups are formed in your own land"),
        ("AGENT 1 MOVE 2D+4 > 2D+5", "he is not in 2D+4"),
        ("WATCH 2D+4 4\nCARAVAN 1 FORM 2D+4 1K 1L", "on watch"),
        ("CAPITAL 2D+4", "or only a fortress"),
        ("LEAVE 3", "an absence lasts two great rounds at most"),
    ],
)
def test_a_refusal_says_which_of_several_reasons_it_is(order: str, words: str) -> None:
    position = {
        "rulers": {"anna": {}, "bert": {}},
        "gf": {"2D+4": {"hz": {"type": "F", "kf": 19}}},
        "owners": {"2D+4": "anna", "2D+5": "bert"},
        "stacks": {"anna": {"2D+4": "3L 1K LS[1L]"}, "bert": {"2D+5": "3L"}},
        "agents": [
            {"ruler": "anna", "n": 1, "at": "2D+5"},
            {"ruler": "anna", "n": 2, "at": "2D+5", "captive": "bert"},
        ],
    }
    state = load({"system": "kalevala", "phase": {"gr": 1, "part": 1}, "state": position})
    view = KALEVALA.sight.view(state, Playing(PowerId("anna")))
    lines = KALEVALA.orders.rehearse(view, read_orders(KALEVALA, view, order).orders).lines
    assert words in WORDS.render(lines[-1].what)


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("BUILD 2D+4 Bf KF 7", "the step before it is missing"),
        ("BUILD 2D+4 Tu KF 19", "something stands there already"),
        ("BUILD 2D+4 Tu KF 7\nBUILD 2D+4 Bf KF 7", "has grown in this great round already"),
        ("BUILD 2D+4 Tt KF 20", "needs a priest of yours"),
        ("BUILD 2D+4 Tt KF 21", "something stands there already"),
        ("BUILD 2D+4 Tu KF 7 GATE 8/E", "gates belong on the sides of that small field"),
        ("BUILD 2D+4 Bf KF 1", "it would overtop the mountains"),
        ("BUILD 2D+4 Tu KF 3", "without a foundation"),
        ("BUILD 2D+4 Ma EDGE 7/E GATE OPENS 9", "one of the two small fields beside it"),
        ("BUILD 2D+4 Br EDGE 7/E", "along which a river runs"),
        ("BUILD 2D+4 BR KF 48 BANKS 47,42", "opposite each other"),
        ("TEAR 2D+4 Tu KF 7", "no such work of yours"),
        ("TEAR 2D+4 Fu KF 1", "a building stands on that foundation"),
        ("REPAIR 2D+4 Tu KF 19", "is not damaged"),
        ("GHZ 2D+4 KF 20", "needs a tower or keep of yours"),
    ],
)
def test_a_builder_is_told_what_bars_a_work(order: str, words: str) -> None:
    works: list[dict[str, object]] = [
        {"type": "Tu", "kf": 19},
        {"type": "Tt", "kf": 20, "paid": 20},
        {"type": "Tt", "kf": 21},
        {"type": "Tu", "kf": 1},
        {"type": "Fu", "kf": 1},
    ]
    position = {
        "rulers": {"anna": {}},
        "gf": {"2D+4": {"kf": "BTSTTTTT" + "T" * 39 + "W", "works": works}},
        "owners": {"2D+4": "anna"},
        "stacks": {"anna": {"2D+4": "3L 90RE"}},
    }
    state = load({"system": "kalevala", "phase": {"gr": 1, "part": 1}, "state": position})
    view = KALEVALA.sight.view(state, Playing(PowerId("anna")))
    lines = KALEVALA.orders.rehearse(view, read_orders(KALEVALA, view, order).orders).lines
    assert words in WORDS.render(lines[-1].what)


@pytest.mark.parametrize(("gone", "more", "free"), [("1L", "9L", "8L 4IP"), ("9L 4IP", "3L", "nothing")])
def test_a_march_of_too_many_says_who_is_still_free(gone: str, more: str, free: str) -> None:
    position = {
        "rulers": {"anna": {"capital": "2D+4"}},
        "gf": {"2D+4": {"hz": {"type": "Hstd", "kf": 19}}},
        "owners": {"2D+4": "anna", "2D+5": "anna"},
        "stacks": {"anna": {"2D+4": "9L 4IP", "2D+5": "3L"}},
    }
    state = load({"system": "kalevala", "phase": {"gr": 1, "part": 1}, "state": position})
    view = KALEVALA.sight.view(state, Playing(PowerId("anna")))
    reading = read_orders(KALEVALA, view, f"MOVE 3L 2D+5 > 2D+4\nMOVE {gone} 2D+4 > 2D+5\nMOVE {more} 2D+4 > 2D+5")
    told = WORDS.render(KALEVALA.orders.rehearse(view, reading.orders).lines[-1].what)
    assert f"Free in 2D+4: {free} " in told


@pytest.mark.parametrize(
    ("part", "order", "window"),
    [(1, "ENTER 1 2D+4 B 2D+5 3L", "deeds"), (1, "BATTLE 2D+4: FLEE", "deeds"), (3, "MOVE 3L 2D+4 > 2D+5", "orders")],
)
def test_an_order_for_the_other_window_is_told_which_one_that_is(part: int, order: str, window: str) -> None:
    """Source: rules 5.1"""
    state = load(
        {"system": "kalevala", "phase": {"gr": 1, "part": part}, "state": {"stacks": {"anna": {"2D+4": "9L"}}}}
    )
    view = KALEVALA.sight.view(state, Playing(PowerId("anna")))
    told = [
        WORDS.render(each.what)
        for each in KALEVALA.orders.rehearse(view, read_orders(KALEVALA, view, order).orders).lines
    ]
    assert told
    assert all(f"that is for the window of {window}" in words for words in told)


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("AGENT 1 DO REVOLT", "he was found before he had done anything"),
        ("AGENT 2 BACK", "no land of yours is within two great fields"),
        ("CARAVAN 1 MOVE 2D+4 > 2D+5", "caravans go there in the window of orders"),
        ("CARAVAN 2 MOVE 2D+5 > 2D+6", "the way was barred"),
    ],
)
def test_why_a_line_failed_is_said_of_whoever_it_was_for(order: str, words: str) -> None:
    """Source: rules 21.6, 22.3"""
    state = {
        "rulers": {"anna": {}, "bert": {}},
        "owners": {"2D+4": "anna", "2D+5": "anna", "2D+6": "bert", "2H+2": "bert"},
        "stacks": {"anna": {"2D+4": "5L"}, "bert": {"2D+6": "5L", "2H+2": "5L"}},
        "agents": [
            {"ruler": "anna", "n": 1, "at": "2D+6", "re": 30, "scouted": True},
            {"ruler": "anna", "n": 2, "at": "2H+2", "re": 30},
        ],
        "caravans": [
            {"ruler": "anna", "n": 1, "at": "2D+4", "load": "1K"},
            {"ruler": "anna", "n": 2, "at": "2D+5", "load": "1K"},
        ],
    }
    options = {"agents": True, "merchants": True}
    game = {"system": "kalevala", "phase": {"gr": 2, "part": 3}, "options": options, "state": state}
    asked = {"game": {**game, "dice": {"agent/anna/1": [1]}}, "orders": {"anna": [order], "bert": ["CLOSE 2D+6"]}}
    answer = answer_line(json.dumps(asked).encode())
    assert words in answer["results"][0]["text"]


@pytest.mark.parametrize(
    ("part", "order", "words"),
    [
        (1, "SPREAD 1L 2D+4 > 2D+5", "what one battle won"),
        (1, "CAPITAL 2D+5", "only when the old one is lost"),
        (1, "ABANDON 2D+5", "figures or RE of yours are still there"),
        (1, "CONVERT 2D+4 1Ag", "where the headquarters (GHZ)"),
        (1, "CONVERT 2D+4 1FS", "at a shore"),
        (1, "PEOPLE 1", "nothing on that plane"),
        (1, "LEAVE 1", "in these twelve great rounds already"),
        (1, "MOVE 1L 1On 2D+4 > 2D+5", "takes two men or horses"),
        (3, "SETTLE 2D+4 TO anna", "you don't contest that land"),
        (3, "BATTLE 2D+4", "there was no battle there"),
    ],
)
def test_a_refusal_gives_the_reason_that_this_order_has(part: int, order: str, words: str) -> None:
    """Source: rules R-104"""
    state = {
        "rulers": {"anna": {"capital": "2D+4", "leave": [1]}},
        "gf": {"2D+4": {"hz": {"type": "Hstd", "kf": 19}}, "2D+5": {"hz": {"type": "Std", "kf": 19}}},
        "owners": {"2D+4": "anna", "2D+5": "anna"},
        "stacks": {"anna": {"2D+4": "5L 1On 20RE", "2D+5": "5L"}},
    }
    options = {"agents": True, "planes": True, "sea": True}
    game = {"system": "kalevala", "phase": {"gr": 2, "part": part}, "options": options, "state": state}
    answer = answer_line(json.dumps({"game": game, "orders": {"anna": [order]}}).encode())
    assert words in answer["results"][0]["text"]


def test_who_contests_land_is_told_what_it_cost_and_that_nobody_explores_from_there() -> None:
    position = {
        "rulers": {"anna": {}, "bert": {}},
        "gf": {"2D+5": {"hz": {"type": "Mkt", "kf": 19}}},
        "owners": {"2D+4": "anna", "2D+6": "bert"},
        "stacks": {"anna": {"2D+4": "5L"}, "bert": {"2D+6": "1L 4RE"}},
        "explored": {ruler: [{"from": at, "to": "2D+5"}] for ruler, at in (("anna", "2D+4"), ("bert", "2D+6"))},
    }
    state = load({"system": "kalevala", "phase": {"gr": 2, "part": 3}, "state": position})
    texts = {"anna": "ENTER 2 2D+4 B 2D+5 3L", "bert": "ENTER 2 2D+6 B 2D+5 1L 4RE"}
    sheets = {
        PowerId(ruler): read_orders(KALEVALA, KALEVALA.sight.view(state, Playing(PowerId(ruler))), text).values
        for ruler, text in texts.items()
    }
    done = KALEVALA.play.adjudicate(state, sheets, KALEVALA.play.dice(state))
    told = {
        ruler: [WORDS.render(each.what) for each in visible_events(done.events, Playing(PowerId(ruler)))]
        for ruler in texts
    }
    assert "To come to 2D+5 has cost you 2L." in told["anna"]
    assert "To come to 2D+5 has cost you 4RE." in told["bert"]
    view = KALEVALA.sight.view(done.state, Playing(PowerId("anna")))
    assert "contested by Anna and Bert" in "\n".join(
        WORDS.render(line) for line in known_fields(view.state, PowerId("anna"))
    )
    (line,) = KALEVALA.orders.rehearse(view, read_orders(KALEVALA, view, "EXPLORE 1 2D+5 > 2D+6").orders).lines
    assert "2D+5 is contested" in WORDS.render(line.what)


def test_a_divided_field_is_described_by_the_parts_that_one_knows() -> None:
    strom = "TTTT TTTTT TTTTTT TTTTTTT WWWWWWWW TTTTTTT TTTTTT TTTTT"
    told = []
    for more in ({}, {"2D+4/2": "1L"}):
        stacks = {"anna": {"2D+4/1": "1L", **more}}
        position = {"gf": {"2D+4": {"kf": strom}}, "owners": {"2D+4/1": "anna"}, "stacks": stacks}
        seen = KALEVALA.sight.view(load({"system": "kalevala", "state": position}), Playing(PowerId("anna"))).state
        lines = about(seen, land_of(seen), GfId("2D+4"), (), is_remembered=False)
        told.append("\n".join(WORDS.render(line) for line in lines))
    assert "divided into parts, of which you know 2D+4/1" in told[0]
    assert "divided into 2 parts" in told[1]


def test_whoever_scouts_with_all_units_is_told_before_and_after_that_none_is_left_to_enter_with(bert: View) -> None:
    ways = [order for order in common(bert) if isinstance(order, Explore)]
    targets = list(dict.fromkeys((order.source, order.target) for order in ways))[:6]
    sheet = [f"EXPLORE {ee} {source} > {target}" for ee, (source, target) in enumerate(targets, start=1)]
    said = "Exploration units (EE) left: none, so you can enter no land in the deeds of this great round"
    five, six = (read_orders(KALEVALA, bert, "\n".join(sheet[:count])).orders for count in (5, 6))
    assert said not in map(WORDS.render, KALEVALA.orders.rehearse(bert, five).left)
    assert said in map(WORDS.render, KALEVALA.orders.rehearse(bert, six).left)
    state = adjudicate_texts(KALEVALA, START, {PowerId("bert"): "\n".join(sheet)})[0].state
    *_, step = KALEVALA.telling.examples(KALEVALA.sight.view(state, Playing(PowerId("bert"))))
    assert "all six have been used for scouting" in WORDS.render(step)
