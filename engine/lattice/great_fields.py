"""Great fields: a plane of hexagons, each made of 48 small ones, so that the small ones tile the plane too.

A small hexagon ("cell") stands on a corner. Inside a field cells are numbered 1 to 48 from the top left to the bottom
right, in rows of 4, 5, 6, 7, 8, 7, 6 and 5. On the plane they have axial coordinates (q, r); fields have axial
coordinates (u, v), of which v grows to the north-east and u to the south-east.
"""

from __future__ import annotations

from enum import Enum, IntEnum
from functools import cache
from typing import NamedTuple

from engine.lattice import hexes
from engine.lattice.hexes import Top
from engine.lattice.tiling import Point, TileId

CELLS = 48
"""How many cells a field has."""
CELL = 1 / (8 * hexes.middle_of((0, 1), Top.POINTY)[1])
"""How far apart the middles of neighbouring cells are if those of neighbouring fields are 1 apart."""
_ROWS = (4, 5, 6, 7, 8, 7, 6, 5)
_FIRST_Q = (0, -1, -2, -3, -4, -4, -4, -4)


class Side(IntEnum):
    """The sides of a cell, clockwise from the east."""

    E = 0
    SE = 1
    SW = 2
    W = 3
    NW = 4
    NE = 5

    @property
    def opposite(self) -> Side:
        """The side that a neighbour shares with this one."""
        return Side((self + 3) % 6)


class FieldDirection(Enum):
    """From a field to its neighbours: the steps in (u, v), clockwise from the north."""

    N = (-1, 1)
    NE = (0, 1)
    SE = (1, 0)
    S = (1, -1)
    SW = (0, -1)
    NW = (-1, 0)


class FieldId(NamedTuple):
    """The place of a field on its plane."""

    u: int
    v: int

    def step(self, direction: FieldDirection) -> FieldId:
        """The neighbour in a direction."""
        return FieldId(self.u + direction.value[0], self.v + direction.value[1])

    def neighbours(self) -> tuple[FieldId, ...]:
        """The six around it, clockwise from the north."""
        return tuple(self.step(direction) for direction in FieldDirection)

    def direction_to(self, other: FieldId) -> FieldDirection | None:
        """In which direction a neighbour lies; `None` for any other field."""
        step = (other.u - self.u, other.v - self.v)
        return next((direction for direction in FieldDirection if direction.value == step), None)

    def distance(self, other: FieldId) -> int:
        """The number of steps from one field to another."""
        du, dv = other.u - self.u, other.v - self.v
        return max(abs(du), abs(dv), abs(du + dv))


class FieldCell(NamedTuple):
    """A cell, by its field and its number there."""

    field: FieldId
    cell: int


_SIDES = {
    Side.E: (1, 0),
    Side.SE: (0, 1),
    Side.SW: (-1, 1),
    Side.W: (-1, 0),
    Side.NW: (0, -1),
    Side.NE: (1, -1),
}
_AXIAL = tuple(
    (first + column, row)
    for row, (count, first) in enumerate(zip(_ROWS, _FIRST_Q, strict=True))
    for column in range(count)
)
_NUMBER = {axial: number for number, axial in enumerate(_AXIAL, 1)}
_TO_SOUTH_EAST, _TO_NORTH_EAST = (4, 4), (8, -4)


def axial_of(place: FieldCell) -> tuple[int, int]:
    """The coordinates of a cell on the plane."""
    q, r = _AXIAL[place.cell - 1]
    (u, v), (sq, sr), (nq, nr) = place.field, _TO_SOUTH_EAST, _TO_NORTH_EAST
    return q + u * sq + v * nq, r + u * sr + v * nr


@cache
def _from_home(cell: int, side: Side) -> tuple[tuple[int, int], int]:
    """The step in (u, v), and the number, from a cell over one of its sides."""
    q, r = _AXIAL[cell - 1]
    dq, dr = _SIDES[side]
    q, r = q + dq, r + dr
    for du, dv in ((0, 0), *(direction.value for direction in FieldDirection)):
        inside = (q - 4 * du - 8 * dv, r - 4 * du + 4 * dv)
        if inside in _NUMBER:
            return (du, dv), _NUMBER[inside]
    raise AssertionError("the fields tile the plane")


def over(place: FieldCell, side: Side) -> FieldCell:
    """The cell on the other side of an edge, in the same field or a neighbour."""
    (du, dv), cell = _from_home(place.cell, side)
    return FieldCell(FieldId(place.field.u + du, place.field.v + dv), cell)


def around(place: FieldCell) -> tuple[FieldCell, ...]:
    """The six cells around one, clockwise from the east."""
    return tuple(over(place, side) for side in Side)


@cache
def inner_neighbours(cell: int) -> tuple[int, ...]:
    """The neighbours of a cell in its own field, clockwise from the east."""
    found = (_from_home(cell, side) for side in Side)
    return tuple(number for step, number in found if step == (0, 0))


@cache
def side_between(cell: int, other: int) -> Side | None:
    """The side by which a cell touches another of its field; `None` if they don't touch."""
    return next((side for side in Side if _from_home(cell, side) == ((0, 0), other)), None)


@cache
def border(direction: FieldDirection) -> tuple[tuple[int, int], ...]:
    """The pairs of cells that touch across a border: the field's own, then the neighbour's, by number."""
    pairs = {
        (cell, number)
        for cell in range(1, CELLS + 1)
        for step, number in (_from_home(cell, side) for side in Side)
        if step == direction.value
    }
    return tuple(sorted(pairs))


@cache
def rim(direction: FieldDirection) -> tuple[int, ...]:
    """The cells that touch the neighbour in a direction, by number."""
    return tuple(sorted({own for own, _ in border(direction)}))


@cache
def distance(one: int, other: int) -> int:
    """The number of steps from a cell to another of the same field, straight over whatever lies between."""
    (q1, r1), (q2, r2) = _AXIAL[one - 1], _AXIAL[other - 1]
    dq, dr = q2 - q1, r2 - r1
    return max(abs(dq), abs(dr), abs(dq + dr))


def tile_of(field: FieldId) -> TileId:
    """A field as a tile of a board of hexes with a side on top."""
    return field.u + field.v, -field.v


@cache
def outline() -> tuple[Point, ...]:
    """The outline of a field along the sides of its cells, as `corners_of_cell` has them."""
    sides = {
        _rounded(corners[side]): corners[(side + 1) % 6]
        for cell in range(1, CELLS + 1)
        for corners in (corners_of_cell(cell),)
        for side in Side
        if cell_over(cell, side)[0] != (0, 0)
    }
    at = corners_of_cell(1)[Side.NW]
    found = []
    for _ in sides:
        found.append(at)
        at = sides[_rounded(at)]
    return tuple(found)


def _rounded(point: Point) -> Point:
    return round(point[0], 6), round(point[1], 6)


@cache
def cell_over(cell: int, side: Side) -> tuple[TileId, int]:
    """The cell beyond a side: how far its tile is from this one, and its number there."""
    (du, dv), number = _from_home(cell, side)
    return (du + dv, -dv), number


@cache
def middle_of_cell(cell: int) -> Point:
    """Where a cell lies, seen from the middle of its field, if fields are 1 apart."""
    places = [hexes.middle_of(axial, Top.POINTY) for axial in _AXIAL]
    middle_x, middle_y = (sum(line) / CELLS for line in zip(*places, strict=True))
    x, y = places[cell - 1]
    return (x - middle_x) * CELL, (y - middle_y) * CELL


@cache
def corners_of_cell(cell: int) -> tuple[Point, ...]:
    """The corners of a cell, clockwise from the east: its side number `n` runs from the corner `n` to the next."""
    middle_x, middle_y = middle_of_cell(cell)
    x, y = hexes.middle_of((0, 0), Top.POINTY)
    corners = hexes.Hexes(frozenset(((0, 0),)), Top.POINTY).corners((0, 0))
    # The first side of a hex faces north-east, that of a cell east.
    turned = (*corners[1:], corners[0])
    return tuple((middle_x + (at_x - x) * CELL, middle_y + (at_y - y) * CELL) for at_x, at_y in turned)
