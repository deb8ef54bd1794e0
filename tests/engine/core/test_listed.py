"""Orders that follow from a list of the legal ones, by the toy's."""

from __future__ import annotations

import pytest

from engine.core.ids import PowerId
from engine.core.listed import WhyNot, listed_orders
from engine.core.orders import ReadOrder
from engine.core.phrases import phrase
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from tests.toy_system import RED, TOY, ToyOrder, ToyView, format_order, legal, objection

ORDERS = TOY.orders
STATE = TOY.play.start(variant="standard", players=3, options={"gold": 2}, seed="list")
VIEW: ToyView = TOY.sight.view(STATE, Playing(RED))


def test_each_line_is_read_in_its_columns_without_its_comment() -> None:
    parsed = ORDERS.parse("# for red\n\n  bid 2  # all of it\nsing\n", VIEW)
    assert parsed.orders == (ReadOrder(ToyOrder("BID", "2"), 3, 3, 8, "  bid 2  # all of it"),)
    (error,) = parsed.errors
    assert (error.line, error.column, error.end, error.code) == (4, 1, 5, "unknown_verb")
    assert error.hints == ("BID", "DIG", "PEEK")


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("BID 2\nDIG", []),
        ("BID 3", ["too_much"]),
        ("PAY green", ["wrong_phase"]),
        ("PEEK red", ["bad_argument"]),
        ("BID 1\nBID 2", ["duplicate"]),
        ("BID 3\nBID 2", ["too_much"]),
    ],
)
def test_what_is_not_listed_or_comes_twice_is_refused(text: str, codes: list[str]) -> None:
    errors = read_orders(TOY, VIEW, text).errors
    assert [error.code for error in errors] == codes
    assert all(error.subject and error.order for error in errors)


def test_the_first_of_two_is_named_to_who_sent_both() -> None:
    (error,) = read_orders(TOY, VIEW, "BID 1\nBID 2").errors
    assert error.args == {"order": "BID 1"}


def test_only_canonical_texts_are_read_back() -> None:
    assert ORDERS.read("BID 2", VIEW) == ToyOrder("BID", "2")
    assert ORDERS.read("bid 2", VIEW) is None
    assert ORDERS.read("sing", VIEW) is None


@pytest.mark.parametrize("text", ["", " ", "# BID 2", "BID 2 ", "BID 2  # all of it", "BID 2\nDIG"])
def test_a_line_is_read_only_if_it_is_bare(text: str) -> None:
    def read_line(line: str, view: ToyView) -> WhyNot:
        raise AssertionError(f"asked for {line!r}")

    orders = listed_orders(
        legal=legal,
        read_line=read_line,
        objection=objection,
        format=format_order,
        subject=lambda order: order.verb,
        prompt=phrase("toy.prompt"),
        otherwise=phrase("toy.otherwise"),
    )
    assert orders.read(text, VIEW) is None


def test_a_new_order_takes_the_place_of_the_one_for_its_subject() -> None:
    bid, dig = ToyOrder("BID", "1"), ToyOrder("DIG")
    assert ORDERS.amend(VIEW, (dig, bid), (ToyOrder("BID", "2"),)) == (ToyOrder("BID", "2"), dig)


def test_what_is_missing_is_named_with_the_way_to_it_and_left_open_in_the_template() -> None:
    given = (ToyOrder("BID", "1"),)
    assert [(each.name, each.path) for each in ORDERS.missing(VIEW, given)] == [("DIG", ("DIG",)), ("PEEK", ("PEEK",))]
    assert ORDERS.template(VIEW, given).splitlines() == ["BID 1", "# DIG", "# PEEK"]
    assert ORDERS.otherwise(VIEW, given)
    assert not ORDERS.otherwise(VIEW, (*given, ToyOrder("DIG"), ToyOrder("PEEK", "green")))


def test_completion_begins_with_one_order_for_each_subject() -> None:
    assert ORDERS.suggest(VIEW, "") == ("BID 0", "DIG", "PEEK green")
    assert ORDERS.suggest(VIEW, "pe") == ("PEEK green", "PEEK blue")
    assert ORDERS.suggest(VIEW, "b", limit=2) == ("BID 0", "BID 1")


def test_the_guided_flow_goes_from_subject_to_order() -> None:
    assert [choice.value for choice in ORDERS.menu(VIEW, ()).choices] == ["BID", "DIG", "PEEK"]
    assert [choice.value for choice in ORDERS.menu(VIEW, ("BID",)).choices] == ["BID 0", "BID 1", "BID 2"]
    assert ORDERS.menu(VIEW, ("BID", "BID 2")).order == "BID 2"
    assert ORDERS.menu(VIEW, ("PAY",)) == ORDERS.menu(VIEW, ())


def test_who_may_order_nothing_has_an_empty_sheet() -> None:
    view = TOY.sight.view(STATE, Playing(PowerId("white")))
    assert (ORDERS.template(view, ()), ORDERS.missing(view, ()), ORDERS.suggest(view, "")) == ("", (), ())
