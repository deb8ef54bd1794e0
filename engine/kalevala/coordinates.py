"""Names of places: great fields `2D+4`, their parts `2E+4/2`, edges `12/NE`. Source: rules R-007, R-008."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import lru_cache
from typing import NamedTuple, NewType

from engine.lattice.great_fields import CELLS, FieldCell, FieldId, Side, over

GfId = NewType("GfId", str)
"""A great field, by the canonical text of its coordinate: `2D+4`."""
Province = NewType("Province", str)
"""A province: the field's id, or with the number of its part where the land is divided: `2E+4/2`."""

USUAL_PLANE = 2
_LETTERS = {2: "ABCDEFGHIKLMNOPQRSTUVWXYZ"}
_HOME = FieldId(0, 0)
"""Any field: all are alike."""
_ALL = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST_PRIMES = 9
_COORDINATE = re.compile(r"(?P<plane>[1-9])?(?P<letter>[A-Za-z])(?P<primes>['’´]{0,9})(?P<sign>[+\-−]?)(?P<v>\d{1,3})")
_PROVINCE = re.compile(r"(?P<gf>[^/]+?)(?:/(?P<part>\d{1,2}))?")
_EDGE = re.compile(r"(?P<cell>\d{1,2})/(?P<side>[A-Za-z]{1,2})")


class Coordinate(NamedTuple):
    """A great field: its plane, the index of its letter, its latitude. Sorts by these."""

    plane: int
    u: int
    v: int

    @property
    def field(self) -> FieldId:
        """Its place on its plane."""
        return FieldId(self.u, self.v)


class Edge(NamedTuple):
    """A side of a small field."""

    cell: int
    side: Side

    def __str__(self) -> str:
        return f"{self.cell}/{self.side.name}"

    @property
    def beyond(self) -> FieldCell:
        """The small field on its other side, seen from field (0, 0)."""
        return over(FieldCell(_HOME, self.cell), self.side)

    @property
    def other(self) -> Edge | None:
        """The same edge by its other name; `None` on the rim of the great field."""
        beyond = self.beyond
        return Edge(beyond.cell, self.side.opposite) if beyond.field == _HOME else None

    def is_same(self, other: Edge | None) -> bool:
        """Whether both names are of one edge."""
        return other is not None and other in (self, self.other)

    def touches(self, cells: Container[int]) -> bool:
        """Whether one of the small fields on its sides is among these, in the same great field."""
        return self.cell in cells or (self.other is not None and self.other.cell in cells)


def _alphabet(plane: int) -> str:
    return _LETTERS.get(plane, _ALL)


@lru_cache(maxsize=20_000)
def parse_gf(text: str, plane: int | None = USUAL_PLANE) -> GfId | None:
    """The field of a text in any case, with or without plane and sign; `None` if it is none.

    Args:
        plane: the one that is meant where none is named; `None`: it has to be named.
    """
    match = _COORDINATE.fullmatch(text.strip())
    if match is None:
        return None
    named = int(match["plane"]) if match["plane"] else plane
    if named is None:
        return None
    index = _alphabet(named).find(match["letter"].upper())
    if index < 0:
        return None
    v = int(match["v"])
    if match["sign"] in ("-", "−"):
        v = -v
    return format_gf(Coordinate(named, index + len(_alphabet(named)) * len(match["primes"]), v))


@lru_cache(maxsize=20_000)
def format_gf(coordinate: Coordinate) -> GfId:
    """The canonical text: `2A'+12`."""
    alphabet = _alphabet(coordinate.plane)
    primes, index = divmod(coordinate.u, len(alphabet))
    return GfId(f"{coordinate.plane}{alphabet[index]}{chr(39) * primes}{coordinate.v:+d}")


@lru_cache(maxsize=20_000)
def coordinate_of(gf: GfId | Province) -> Coordinate:
    """Where a field lies; of a province, where its field lies."""
    match = _COORDINATE.fullmatch(gf.partition("/")[0])
    assert match is not None, f"{gf!r} is canonical"
    plane = int(match["plane"])
    alphabet = _alphabet(plane)
    u = alphabet.index(match["letter"]) + len(alphabet) * len(match["primes"])
    return Coordinate(plane, u, int(match["sign"] + match["v"]))


def field_at(plane: int, field: FieldId) -> GfId | None:
    """The name of a place on a plane; `None` beyond its letters."""
    alphabet = _alphabet(plane)
    if not 0 <= field.u < len(alphabet) * (_MOST_PRIMES + 1) or abs(field.v) > 999:
        return None
    return format_gf(Coordinate(plane, field.u, field.v))


@lru_cache(maxsize=20_000)
def neighbours_of(gf: GfId) -> tuple[GfId, ...]:
    """The fields around one, clockwise from the north."""
    at = coordinate_of(gf)
    found = (field_at(at.plane, field) for field in at.field.neighbours())
    return tuple(each for each in found if each is not None)


def direction_between(start: Province, end: Province) -> str:
    """In which direction of one province another lies next to it: `N`, `NE` … `NW`; `HERE` in the same field."""
    one, other = coordinate_of(start), coordinate_of(end)
    direction = one.field.direction_to(other.field)
    return "HERE" if direction is None else direction.name


@lru_cache(maxsize=20_000)
def parse_province(text: str, plane: int | None = USUAL_PLANE) -> Province | None:
    """The province of a text; only the land knows whether it is divided like that."""
    match = _PROVINCE.fullmatch(text.strip())
    if match is None:
        return None
    gf = parse_gf(match["gf"], plane)
    if gf is None:
        return None
    return Province(gf) if match["part"] is None else Province(f"{gf}/{int(match['part'])}")


def gf_of(province: GfId | Province) -> GfId:
    """The field that a province is, or is a part of."""
    return GfId(province.partition("/")[0])


def part_of(province: Province) -> int | None:
    """The number of a part; `None` for a whole field."""
    part = province.partition("/")[2]
    return int(part) if part else None


@lru_cache(maxsize=20_000)
def order_of(province: GfId | Province) -> tuple[int, int, int, int]:
    """By what provinces are sorted: plane, letter, latitude, part."""
    at = coordinate_of(province)
    return at.plane, at.u, at.v, part_of(Province(province)) or 0


def parse_edge(text: str) -> Edge | None:
    """The edge of a text `12/NE`; `None` if it is none."""
    match = _EDGE.fullmatch(text.strip())
    if match is None or not 1 <= int(match["cell"]) <= CELLS or match["side"].upper() not in Side.__members__:
        return None
    return Edge(int(match["cell"]), Side[match["side"].upper()])
