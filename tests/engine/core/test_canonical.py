"""Canonical texts read back by their shapes."""

from __future__ import annotations

import pytest

from engine.core.canonical import reader
from engine.core.ids import PlaceId
from engine.provinces.classic.notation import format_order, read
from engine.provinces.orders import Hold, Move, is_on

SHARES = reader(("SHARE {at} WITH {power+}", lambda at, power: (at, power)), ("WAIVE", lambda: "waived"))


@pytest.mark.parametrize("text", ["", "SHARE MEL", "SHARE MEL WITH ", "SHARE  MEL WITH X", "waive", "WAIVE 2", "\n"])
def test_what_has_another_shape_is_nothing(text: str) -> None:
    assert SHARES(text) is None


def test_fields_are_words_or_several() -> None:
    assert SHARES("SHARE MEL WITH THE ISLE OF MISTS") == ("MEL", "THE ISLE OF MISTS")


@pytest.mark.parametrize("text", ["X BUD H", "A BUD", "a bud - ser", "A BUD -SER", "A BUD - SER VIA", "BUILD X BUD"])
def test_orders_of_units_that_there_are_not_are_none(text: str) -> None:
    assert read(text) is None


def test_an_order_is_read_as_it_is_written() -> None:
    order = Move("A", PlaceId("LON"), PlaceId("BEL"), via_convoy=True)
    assert read(format_order(order)) == order


def test_an_order_lies_on_a_map_that_has_all_its_places() -> None:
    assert is_on({"BUD", "SER"}, Move("A", PlaceId("BUD"), PlaceId("SER")))
    assert is_on({"STP"}, Hold("F", PlaceId("STP/NC")))
    assert not is_on({"BUD"}, Move("A", PlaceId("BUD"), PlaceId("SER")))
