"""Canonical texts read back by their shapes."""

from __future__ import annotations

import pytest

from engine.core.canonical import reader
from engine.core.ids import PlaceId, ProvinceId
from engine.kregen import canonical, model
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
    assert is_on({ProvinceId("BUD"), ProvinceId("SER")}, Move("A", PlaceId("BUD"), PlaceId("SER")))
    assert is_on({ProvinceId("STP")}, Hold("F", PlaceId("STP/NC")))
    assert not is_on({ProvinceId("BUD")}, Move("A", PlaceId("BUD"), PlaceId("SER")))


PROPHECIES = (
    "if hold ZY and not lost ZIM: build: A ZIM, F ZY",
    "if hold >= 3.5: remove: F SWD",
    "retreat A ZIM: SHP, RZK, disband",
    "if dislodged A ZIM: retreat F ZY: SWD",
)


@pytest.mark.parametrize("text", [*PROPHECIES, "A ZIM - SWD - JKA, S F ZY (2)", "FF ZY C A ZIM - SZM and A ZY - SHP"])
def test_kregens_orders_of_many_parts_are_read(text: str) -> None:
    order = canonical.read(text)
    assert order is not None
    assert model.format_order(order) == text


@pytest.mark.parametrize(
    "text", ["if hold: build: A ZIM", "if hold >= x: build: A ZIM", "AF ZIM H", "retreat A: X", "A"]
)
def test_what_is_no_order_of_kregen_is_none(text: str) -> None:
    assert canonical.read(text) is None


def test_a_map_must_have_the_places_of_every_step() -> None:
    provinces = set(map(ProvinceId, ("ZIM", "SHP", "SWD")))
    for text, is_there in (("A ZIM - SWD - SHP", True), ("A ZIM - SWD - JKA", False), ("A ZIM H, S A XX", False)):
        order = canonical.read(text)
        assert order is not None
        assert canonical.is_on_map(provinces, order) is is_there
