"""Orders that games on a map of provinces have in common, and what is common to their texts.

`kind` and `at` name the unit that is ordered, `at` with its coast where it stands on one.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from engine.core.ids import PlaceId, ProvinceId, province_of

Kind = str
"""Letter of a kind of unit: `A` army, `F` fleet; games add letters of their own."""

BLANK = "…"
"""Marks in a template what is to be filled in; a line that still has it is not an order."""


class Planned:
    """An order that carries its plan, once that has been made: how the rules of a game read it.

    The plan isn't a part of what the order says: it is neither compared nor stored, and many orders have none.
    """

    __slots__ = ("plan",)


@dataclass(frozen=True, slots=True)
class Hold(Planned):
    """`A BUD H`"""

    kind: Kind
    at: PlaceId


@dataclass(frozen=True, slots=True)
class Move(Planned):
    """`A BUD - SER`, `A LON - BEL VIA CONVOY`"""

    kind: Kind
    at: PlaceId
    to: PlaceId
    via_convoy: bool = False


@dataclass(frozen=True, slots=True)
class Retreat:
    """`A VIE R TYR`"""

    kind: Kind
    at: PlaceId
    to: PlaceId


@dataclass(frozen=True, slots=True)
class Disband:
    """`A VIE D`: a dislodged unit gives up."""

    kind: Kind
    at: PlaceId


@dataclass(frozen=True, slots=True)
class Build:
    """`BUILD F STP/NC`"""

    kind: Kind
    at: PlaceId


@dataclass(frozen=True, slots=True)
class Remove:
    """`REMOVE A BER`"""

    kind: Kind
    at: PlaceId


@dataclass(frozen=True, slots=True)
class Waive:
    """`WAIVE`: one build fewer. `number` distinguishes several in one sheet, from 1."""

    number: int = 1


_PLACES = ("at", "of", "to", "centre")


def is_on(provinces: Container[ProvinceId], order: object) -> bool:
    """Whether a map has all places of an order, which may come from a text that could not be read."""
    places = (getattr(order, name, None) for name in _PLACES)
    return all(province_of(place) in provinces for place in places if place is not None)
