"""Whatever is written is answered line by line, and nothing is lost."""

from __future__ import annotations

import json
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.answers import answer_line
from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala.check import advise
from engine.kalevala.coordinates import Province
from engine.kalevala.document import load
from engine.kalevala.figures import parse_figures
from engine.kalevala.forms import FORMS
from engine.kalevala.model import FULL, Explored
from engine.kalevala.parse import MOST_LINES
from engine.kalevala.system import KALEVALA

START = load({"system": "kalevala", "seed": "x"})
ANNA = KALEVALA.sight.view(START, Playing("anna"))  # type: ignore[arg-type]
BERT = KALEVALA.sight.view(START, Playing("bert"))  # type: ignore[arg-type]
_SCOUTED = {PowerId("anna"): (Explored(1, Province("2E+8"), Province("2D+9"), FULL),)}
DEEDS = KALEVALA.sight.view(START.replace(part=3, explored=_SCOUTED), Playing(PowerId("anna")))
WORDS = [
    *(word for form in FORMS.values() for word in form.split()),
    *("2E+8", "2E+7", "2F+7", "2G+6", "5L", "1RE", ">", "PEOPLE", "\u00e4", '"', "9999999", "-1", "LS[2L", "2E+8/9"),
]


def batch(**request: Any) -> dict[str, Any]:
    return answer_line(json.dumps(request).encode())


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), max_size=6))
def test_lines_of_any_words_are_answered_one_by_one(lines: list[str]) -> None:
    answer = batch(game={"system": "kalevala"}, orders={"anna": lines})
    assert "error" not in answer
    wanted = [number for number, line in enumerate(lines, 1) if line.strip()]
    assert [row["line"] for row in answer["results"]] == wanted
    assert all(row["text"] for row in answer["results"])


@given(st.text(max_size=200))
def test_no_text_breaks_the_reading(text: str) -> None:
    parsed = KALEVALA.orders.parse(text, ANNA)
    for read in parsed.orders:
        again = KALEVALA.orders.parse(KALEVALA.orders.format(read.order), ANNA)
        assert [each.order for each in again.orders] == [read.order]


@pytest.mark.parametrize("form", FORMS.values())
def test_what_is_written_for_an_order_reads_back_to_it(form: str) -> None:
    read = KALEVALA.orders.parse(form, ANNA).orders[0]
    assert KALEVALA.orders.format(read.order) == form
    assert KALEVALA.orders.parse(form.replace(",", " ").replace(" > ", ">"), ANNA).orders[0].order == read.order


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("ENTER 2 2D+4 B 2D+5 3LB KF", 'ENTER 6 2E+8 B 2D+9 3LB 8RE LOSS 6RE HZ KF 32 NAME "Wurezburg"'),
        ("ENTER 2 2D+4 B 2D+5 3LB HZ", 'ENTER 6 2E+8 B 2D+9 3LB 8RE LOSS 6RE HZ KF 32 NAME "Wurezburg"'),
        ("ENTER 2 2D+4 B", "ENTER 1 2E+8 B 2D+9 3B"),
        ("WAR bert or", "WAR fina"),
    ],
)
def test_a_form_shown_has_the_keywords_of_the_line_however_short(written: str, form: str) -> None:
    (error,) = KALEVALA.orders.parse(written, DEEDS).errors
    assert error.args["form"] == phrase("form.written", form=form)


def test_a_sheet_of_ten_thousand_lines() -> None:
    lines = ["WATCH 2E+8 1", "nonsense", "CONVERT 2E+8 1L", "# nothing"] * 2500
    answer = batch(game={"system": "kalevala"}, orders={"anna": lines})
    assert len(answer["results"]) == 7500


def test_a_sheet_holds_so_many_lines_and_refuses_the_rest() -> None:
    lines = ["# a comment", "nonsense", *["CONVERT 2E+8 1L"] * MOST_LINES, "END", "# another"]
    parsed = KALEVALA.orders.parse("\n".join(lines), ANNA)
    assert (len(parsed.orders), [error.code for error in parsed.errors]) == (MOST_LINES, ["V01"])
    parsed = KALEVALA.orders.parse("\n".join([*lines, "PASS", "CONVERT 2E+8 1L"]), ANNA)
    assert len(parsed.orders) == MOST_LINES
    assert [(error.line, error.code) for error in parsed.errors[1:]] == [
        (len(lines) + 1, "too_many_lines"),
        (len(lines) + 2, "too_many_lines"),
    ]


def test_a_letter_of_100_kB_arrives_whole() -> None:
    text = "Sampo " * 17_000
    answer = batch(game={"system": "kalevala"}, orders={"anna": [f'LETTER bert "{text}"']})
    letters = [event["args"]["text"] for event in answer["events"] if event["code"] == "letter"]
    assert letters == [text.strip()]


@pytest.mark.parametrize("text", ["KrK\u00f6/4/0", "krk\u00d6/4/0", "KrKoe/4/0", normalize("NFD", "KrK\u00f6/4/0")])
def test_umlauts_in_every_spelling(text: str) -> None:
    assert parse_figures(text) == {"KrK\u00f6/4/0": 1}


PLAIN = st.none() | st.booleans() | st.integers(-2, 99) | st.sampled_from(WORDS)
NAMES = st.sampled_from([*WORDS[:9], "anna", "2E+8", "hz", "kf", "letters"])
JSON = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner), max_leaves=6)
KEYS = st.sampled_from(
    "rulers gf owners stacks explored used known newly permits contested watch queue".split()  # noqa: SIM905
)


@given(st.dictionaries(KEYS, JSON))
def test_a_document_is_read_or_its_fault_is_named(state: dict[str, Any]) -> None:
    try:
        loaded = load({"system": "kalevala", "state": state})
    except DocumentError:
        return
    assert load(json.loads(json.dumps(KALEVALA.play.dump(loaded)))) == loaded


def test_what_is_wrong_with_a_plan_is_said_line_by_line() -> None:
    state = {
        "rulers": {"anna": {}, "bert": {}},
        "owners": {"2D+4": "anna", "2C+4": "anna", "2D+5": "bert"},
        "stacks": {"anna": {"2D+4": "9L 2On Z/9/4", "2C+4": "2L"}, "bert": {"2D+5": "1L"}},
        "gf": {"2D+4": {"kf": "W" + "T" * 47}},
        "explored": {"anna": [{"from": "2D+4", "to": "2D+5"}]},
    }
    lines = {
        "ENTER 2 2D+4 K 2D+5 9L 2On Z/9/4": None,
        "BATTLE 2D+4": None,
        "PLACE 1 4L": "V20: there is no room for that many, or the ground is wrong",
        "PLACE 9 5L": "V20: there is no room for that many, or the ground is wrong",
        "PLACE 10 4L": None,
        "PLACE 11 6L": "V31: these figures are named in another line already",
        "AIM nobody KILL": "V02: no group in the plan has that name",
        "PHALANX 10": None,
        "STRIKE 10": None,
        "PHALANX 9": None,
        "STRIKE 1": "V02: no PHALANX line in the plan names that field",
        "STRIKE 11": "V02: no PHALANX line in the plan names that field",
        "SIDE carl": "V02: no other ruler has that name",
        "AIM ALL TAKE KF 2D+4:1": "V20: that small field is water",
        "PHALANX 1": "V20: there is no room for four",
        "FIRE 1On KF 19+1": "V20: stones hit whoever is on the platform anyway",
        "CAST WEAKEN KF 1,19": "V20: the fields of one spell have to touch each other",
        "CAST PETRIFY BEST": "V28: your wizard has not learnt that spell yet",
        "CAST PARALYSE BEST MAX 1": "V29: that pays for nobody",
        "TRIPLE PETRIFY": "V28: a triple brings a spell on figures that your wizard has learnt",
        "CHALLENGE carl": "V02: no wizard of yours is there, or no other ruler has that name",
        "BATTLE 2C+4 VS 2D+5": "V02: a plan is for a battle in a province that is yours",
        "COUNTER 20": "V02: no wizard of yours is there",
        "BATTLE 2D+5": "V02: a plan is for a battle in a province that is yours",
        "AIM ALL HOLD": "V02: a plan is for a battle in a province that is yours",
    }
    game = {"system": "kalevala", "phase": {"gr": 2, "part": 3}, "state": state}
    rows = {row["order"]: row for row in batch(game=game, orders={"anna": [*lines]})["results"]}
    for line, wanted in lines.items():
        said = f"{rows[line]['why']}: {rows[line]['text']}" if rows[line]["outcome"] == "refused" else None
        assert said == wanted or (wanted and said and said.startswith(wanted)), line


def test_a_wizard_who_can_pay_for_nobody_is_asked_about_before_the_battle() -> None:
    """Not in a standing defence, since he gains more until it is needed."""
    state = {
        "rulers": {"anna": {}, "bert": {}},
        "owners": {"2D+4": "anna", "2D+5": "bert"},
        "stacks": {"anna": {"2D+4": "9L Z/3"}, "bert": {"2D+5": "1L"}},
        "explored": {"anna": [{"from": "2D+4", "to": "2D+5"}]},
    }
    game = {"system": "kalevala", "phase": {"gr": 2, "part": 3}, "state": state}
    attack = ["ENTER 2 2D+4 K 2D+5 8L Z/3", "BATTLE 2D+4", "CAST PARALYSE BEST", "CAST WEAKEN BEST", "END"]
    defence = ["DEFEND 2D+4", "CAST PETRIFY BEST", "END"]
    view = KALEVALA.sight.view(load(game), Playing(PowerId("anna")))
    words = load_phrases("kalevala")
    told = [
        (each.line, words.render(each.what))
        for each in advise(view, KALEVALA.orders.parse("\n".join((*attack, *defence)), view).orders)
    ]
    assert [line for line, _ in told] == [3]
    assert "has 3 ZEH, and this spell costs at least 4" in told[0][1]


def test_a_work_told_by_small_and_capital_letters_is_asked_about_and_no_other_order_is_proposed() -> None:
    view = KALEVALA.sight.view(load({"system": "kalevala"}), Playing(PowerId("anna")))
    (asked,) = KALEVALA.orders.parse("BUILD 2E+8 bf KF 19", view).errors
    assert asked.hints == ("BUILD 2E+8 Bf KF 19", "BUILD 2E+8 BF KF 19")
    (unread,) = KALEVALA.orders.parse("BUILD 2E+8 Tu", view).errors
    assert unread.hints == ()
    assert load_phrases("kalevala").render(unread.reason).endswith("`BUILD 2E+8 Bf KF 19`.")
    bridges = KALEVALA.orders.parse("BUILD 2E+8 BR EDGE 12/E\nBUILD 2E+8 br KF 20 BANKS 19,21", view).orders
    assert [read.order.canonical for read in bridges] == ["BUILD 2E+8 Br EDGE 12/E", "BUILD 2E+8 BR KF 20 BANKS 19,21"]


def test_a_line_of_a_plan_that_stands_alone_is_told_where_it_belongs() -> None:
    words = load_phrases("kalevala")
    (astray,) = KALEVALA.orders.parse("AIM ALL HOLD", ANNA).errors
    assert "below a line `BATTLE` or `DEFEND`" in words.render(astray.reason)
    (wrong,) = KALEVALA.orders.parse("DEFEND 2E+8\nAIM ALL DANCE", ANNA).errors
    assert "write it like this: `AIM " in words.render(wrong.reason)
    assert not KALEVALA.orders.parse("DEFEND 2E+8: AIM ALL HOLD", ANNA).errors


def test_scouts_who_turn_aside_are_told_of_scouts_and_not_of_entries() -> None:
    game = {"system": "kalevala", "seed": "x"}
    rows = batch(game=game, orders={"anna": ["EXPLORE 1 2E+7 > 2D+8", "EXPLORE 2 2D+8 > 2C+8"]})["results"]
    assert [row["text"] for row in rows[1:]] == ["scouts go on only in a straight line"]


def test_a_check_and_the_adjudication_refuse_a_line_in_the_same_closer_words() -> None:
    game, sheet = {"system": "kalevala", "seed": "x"}, {"anna": ["WAR bert", "PERMIT anna ALL 3"]}
    said = [
        "that is for the window of deeds, the second of a great round; this is the window of orders",
        "no other ruler has that name",
    ]
    assert [row["message"] for row in batch(game=game, orders=sheet, check="anna")["errors"]] == said
    answer = batch(game=game, orders=sheet)
    assert [row["message"] for row in answer["errors"]] == [row["text"] for row in answer["results"]] == said


@pytest.mark.parametrize("line", ["HANDOVER 1On AT 2E+8 TO Anna FOR 2Sk", "FIEF 2E+7 TO anna 3", "ACCEPT 2E+7 OF ANNA"])
def test_a_deed_with_oneself_is_refused_as_one(line: str) -> None:
    game = {"system": "kalevala", "seed": "x", "phase": {"gr": 1, "part": 3}}
    (row,) = batch(game=game, orders={"anna": [line]})["results"]
    assert (row["why"], row["text"].partition(";")[0]) == ("V02", "that is your own name")


def test_a_letter_to_oneself_is_refused_as_one() -> None:
    for line in ('LETTER anna "To me"', 'express Anna "To me"'):
        (error,) = KALEVALA.orders.parse(line, ANNA).errors
        said = "this can't be read as an order: nobody writes letters to themselves."
        assert (error.code, load_phrases("kalevala").render(error.reason)) == ("V01", said)


def test_a_long_text_about_a_king_is_told_how_long_it_may_be() -> None:
    order = f'KING CREATE Kr "{"x" * 301}" KF 20'
    (row,) = batch(game={"system": "kalevala", "seed": "x"}, orders={"anna": [order]})["results"]
    assert row["why"] == "V07"
    assert row["text"] == "what a king looks like is told in 300 letters at most, and this has 301"


def test_list_marks_and_the_numbers_of_a_receipt_before_a_line_are_ignored() -> None:
    text = "1. EXPLORE 1 2E+8 > 2E+7\n- DEFEND 2E+8\n  * AIM ALL HOLD\n> 2) MOVE 2LB 2E+8 > 2F+7\n(3) PASS"
    read = KALEVALA.orders.parse(text, ANNA)
    assert not read.errors
    assert [KALEVALA.orders.format(each.order) for each in read.orders] == [
        "EXPLORE 1 2E+8 > 2E+7", "DEFEND 2E+8:", "DEFEND 2E+8: AIM ALL HOLD", "MOVE 2LB 2E+8 > 2F+7", "PASS",
    ]  # fmt: skip
    assert [each.column for each in read.orders] == [4, 3, 5, 6, 5]


@pytest.mark.parametrize("arrow", ["-", "to", "TO", "->", "→", "–"])
def test_a_way_with_another_arrow_is_refused_with_the_order_that_is_meant(arrow: str) -> None:
    for order in ("EXPLORE 1 2E+8 > 2E+7", "MOVE 2LB 2E+8 > 2F+7 > 2G+6"):
        (error,) = KALEVALA.orders.parse(order.replace(">", arrow), ANNA).errors
        assert error.hints == (order,)


def test_an_entry_says_which_figures_there_are() -> None:
    state = {
        "rulers": {"anna": {}, "bert": {}},
        "owners": {"2D+4": "anna", "2D+6": "bert"},
        "stacks": {"anna": {"2D+4": "9L 2On"}},
        "explored": {"anna": [{"ee": 1, "from": "2D+4", "to": "2D+5"}]},
    }
    game = {"system": "kalevala", "state": state, "phase": {"gr": 2, "part": 3}}
    (row,) = batch(game=game, orders={"anna": ["ENTER 1 2D+4 B 2D+5 10L"]})["results"]
    assert row["text"].startswith("you don't have these figures in 2D+4.")
    assert row["text"].endswith("You have there: 9L 2On")
    (row,) = batch(game=game, orders={"anna": ["ENTER 1 2D+6 B 2D+5 10L"]})["results"]
    assert row["text"].endswith("You have there: nothing")


def test_a_move_says_whether_the_figures_are_missing_or_the_way_is_not_open() -> None:
    state = {
        "rulers": {"anna": {}, "bert": {}},
        "owners": {"2D+4": "anna", "2C+4": "anna", "2D+5": "bert"},
        "stacks": {"anna": {"2D+4": "9L 2On"}},
    }
    lines = {
        "MOVE 10L 2D+4 > 2C+4": "you don't have these figures there. Free in 2D+4: 9L 2On",
        "MOVE 1L 2D+4 > 2D+5": "2D+5 is not yours",
        "MOVE 1L 2C+4 > 2D+4": "you have nobody in 2C+4",
    }
    rows = batch(game={"system": "kalevala", "state": state}, orders={"anna": [*lines]})["results"]
    assert {row["order"]: row["text"].partition(". Figures move")[0] for row in rows} == lines


@pytest.mark.parametrize(
    ("line", "hints"),
    [
        ("explore 1 2e+8 2e+7", ("EXPLORE 1 2E+8 > 2E+7",)),
        ("MOVE 2 LB 1 RE 2E+8 2F+7 > 2G+6", ("MOVE 2LB 1RE 2E+8 > 2F+7 > 2G+6",)),
        ("CONVERT 2E+8 5 L", ("CONVERT 2E+8 5L",)),
        ("ENTER 4 2E+8 B 2E+7 5 L LOSS 2 L", ("ENTER 4 2E+8 B 2E+7 5L LOSS 2L",)),
        ("CONVERT 2E+8: 5LB, 2On", ("CONVERT 2E+8 5LB 2On",)),
        ("ENTER 4 2E+8 B 2E+7: 5 LB, LOSS 2LB", ("ENTER 4 2E+8 B 2E+7 5LB LOSS 2LB",)),
        ("LETTER bert: Keep the peace", ('LETTER bert "Keep the peace"',)),
        ("LETTER bert Keep the peace; we have land", ('LETTER bert "Keep the peace; we have land"',)),
        ("courier The harvest was good", ('COURIER "The harvest was good"',)),
        (f"COURIER {'long ' * 100}", ()),
        ("LETTER bert", ()),
    ],
)
def test_a_line_without_arrows_or_quotation_marks_or_with_blanks_in_figures_is_refused_with_the_order_that_is_meant(
    line: str, hints: tuple[str, ...]
) -> None:
    (error,) = KALEVALA.orders.parse(line, ANNA).errors
    assert error.hints == hints


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("LETTER bert “Peace; or #war”", 'LETTER bert "Peace; or #war"'),
        ("LETTER bert „He said “no” to me“ AS Ukko # now", 'LETTER bert "He said “no” to me" AS ukko'),
        ("COURIER «Good harvest»", 'COURIER "Good harvest"'),
        ("ENTER 4 2E+8 B 2E+7 5LB NAME “Borg”", 'ENTER 4 2E+8 B 2E+7 5LB NAME "Borg"'),
        ('LETTER bert "The “good” king"', 'LETTER bert "The “good” king"'),
        ("EXPLORE 1 2E+8 > 2E+7 # “north”; or not", "EXPLORE 1 2E+8 > 2E+7"),
    ],
)
def test_the_quotation_marks_of_phones_are_read_like_plain_ones(line: str, order: str) -> None:
    read = KALEVALA.orders.parse(line, ANNA)
    assert not read.errors
    assert [KALEVALA.orders.format(each.order) for each in read.orders] == [order]


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("EXPLORE 2E+7", "EXPLORE 1 2E+7 > 2D+8"),
        ("CONVERT 2E+8 axes", "CONVERT 2E+8 10L"),
        ("WATCH 2E+8", "WATCH 2E+7 1"),
        ("BUILD 2E+8 Tu KF 19 GATE", "BUILD 2E+8 Tu KF 19 GATE 19/SE"),
        ("ENTER 2E+8", 'ENTER 6 2E+8 B 2D+9 3LB 8RE LOSS 6RE HZ KF 32 NAME "Wurezburg"'),
        ("LETTER", 'LETTER fina "text"'),
        ('LETTER bert "Hello" AS', 'LETTER fina "text" AS sham'),
        ("FIEF 2E+7", "FIEF 2E+8 TO fina 10"),
    ],
)
def test_a_line_that_cannot_be_read_is_shown_an_order_of_ones_own_unless_that_lacks_a_keyword(
    line: str, form: str
) -> None:
    """Otherwise one that names places and another ruler of the reader's game."""
    (error,) = KALEVALA.orders.parse(line, ANNA).errors
    assert load_phrases("kalevala").render(error.reason).endswith(f"write it like this: `{form}`.")


@pytest.mark.parametrize(
    ("line", "verb", "hints"),
    [
        ("load 4 archers 2E+8 LS", "BOARD", ("BOARD 4B 2E+8 LS",)),
        ("scout 2E+8 > 2E+7", "EXPLORE", ("EXPLORE 1 2E+8 > 2E+7",)),
        ("recruit 5 lancers in 2E+8", "CONVERT", ()),
        ("send 2 onagers to bert", "HANDOVER", ()),
        ("send 2 onagers from 2E+8 to 2F+7", "MOVE", ("MOVE 2On 2E+8 > 2F+7",)),
        ("say Keep the peace", "LETTER", ()),
        ("steal 20RE", "AGENT 1 DO THEFT", ("AGENT 1 DO THEFT 20RE",)),
        ("wait", "PASS", ("PASS",)),
    ],
)
def test_an_everyday_word_for_an_order_is_answered_with_the_orders_own(
    line: str, verb: str, hints: tuple[str, ...]
) -> None:
    (error,) = KALEVALA.orders.parse(line, ANNA).errors
    said = load_phrases("kalevala").render(error.reason)
    assert f"that order is called `{verb}`; write it like this: `{verb.split()[0]}" in said
    assert error.hints == hints


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("MOVE 3 light horses 2E+8 > 2F+7", "MOVE 3IP 2E+8 > 2F+7"),
        ("CONVERT 2E+8 two lancers", ""),
        ("CONVERT at 2E+8 1 Siege Tower, 2 rams", "CONVERT 2E+8 1Bt 2Wi"),
        ("CONVERT 2E+8 5 class B lancers", "CONVERT 2E+8 5LB"),
        ('LETTER bert "I have 5 lancers', ""),
    ],
)
def test_figures_in_words_are_refused_with_the_order_in_codes(line: str, order: str) -> None:
    (error,) = KALEVALA.orders.parse(line, ANNA).errors
    assert error.hints == ((order,) if order else ())


def test_of_several_classes_in_words_the_one_that_somebody_has_is_meant() -> None:
    (error,) = KALEVALA.orders.parse("MOVE 2 archers 2H+5 > 2H+4", BERT).errors
    assert error.hints == ("MOVE 2BB 2H+5 > 2H+4",)


def test_of_several_forms_the_one_with_the_keyword_of_the_line_is_shown() -> None:
    for line, form in (("AGENT 1 SCOUT 2D+5", "AGENT 1 SCOUT"), ("AGENT 1 STEAL RE", "AGENT 1 DO STEAL 1IP")):
        (error,) = KALEVALA.orders.parse(line, ANNA).errors
        assert load_phrases("kalevala").render(error.reason).endswith(f"write it like this: `{form}`.")


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("ENTER 3 2F+7 2G+6 5L", "ENTER 3 2F+7 B 2G+6 5L"),
        ("ENTER 3 2F+7 > 2G+6 5 lancers LOSS 2L", "ENTER 3 2F+7 B 2G+6 5L LOSS 2L"),
        ("enter 2F+7 to 2G+6 5L", "ENTER 1 2F+7 B 2G+6 5L"),
        ("occupy 2F+7 -> 2G+6 5L", "ENTER 1 2F+7 B 2G+6 5L"),
        ("ENTER 3 2F+7 > 2E+7 5L", "ENTER 3 2F+7 E 2E+7 5L"),
        ("ENTER 3 2F+7", ""),
        ("ENTER 3 2F+7 > here 5L", ""),
    ],
)
def test_an_entry_without_a_kind_is_refused_with_the_one_of_the_kind_that_fits(line: str, order: str) -> None:
    (error,) = KALEVALA.orders.parse(line, ANNA).errors
    assert error.hints == ((order,) if order else ())


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("NAME 2E+8 Old Town", 'NAME 2E+8 "Old Town"'),
        ("NAME 2E+8 RIVER Vuoksi", 'NAME 2E+8 RIVER "Vuoksi"'),
        ("ENTER 3 2F+7 B 2G+6 5L NAME Nordhafen", 'ENTER 3 2F+7 B 2G+6 5L NAME "Nordhafen"'),
        ("GOD CREATE Ukko with the hammer WEAK 2E+8 KF 19", 'GOD CREATE "Ukko with the hammer" WEAK 2E+8 KF 19'),
        ("KING CREATE Kr a tall man KF 20", 'KING CREATE Kr "a tall man" KF 20'),
        ("NAME 2E+8", ""),
        (f"NAME 2E+8 {'long ' * 20}", ""),
    ],
)
def test_a_name_without_quotation_marks_is_refused_with_the_order_that_has_them(line: str, order: str) -> None:
    (error,) = KALEVALA.orders.parse(line, ANNA).errors
    assert error.hints == ((order,) if order else ())
