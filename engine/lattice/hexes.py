"""Hexes by axial coordinates: neighbours, distances, rings, and the polygons that a map draws.

A tile is (q, r). With a corner on top (`Top.POINTY`) q grows eastward and r to the south-east, so that rows are level;
with a side on top (`Top.FLAT`) q grows to the south-east and r southward, so that columns are upright.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from engine.lattice.tiling import Box, Point, TileId

STEPS: tuple[TileId, ...] = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""To the six neighbours, clockwise. The first leads north-east where a corner is on top, and where a side is."""
CORNER = 1 / math.sqrt(3)
"""How far corners are from the middle if the middles of neighbours are 1 apart."""


class Top(StrEnum):
    """What a hex turns northward: a corner or a side."""

    POINTY = "pointy"
    FLAT = "flat"


def neighbours(tile: TileId) -> tuple[TileId, ...]:
    """The six tiles around, in the order of `STEPS`."""
    q, r = tile
    return tuple((q + dq, r + dr) for dq, dr in STEPS)


def distance(one: TileId, other: TileId) -> int:
    """The smallest number of steps from one to the other."""
    q, r = other[0] - one[0], other[1] - one[1]
    return max(abs(q), abs(r), abs(q + r))


def ring(middle: TileId, radius: int) -> Iterator[TileId]:
    """The tiles at a distance, clockwise from the one in the direction of the first step.

    >>> list(ring((0, 0), 1)) == list(STEPS)
    True
    """
    if not radius:
        yield middle
        return
    q, r = (at + step * radius for at, step in zip(middle, STEPS[0], strict=True))
    for dq, dr in (*STEPS[2:], *STEPS[:2]):
        for _ in range(radius):
            yield q, r
            q, r = q + dq, r + dr


def disc(middle: TileId, radius: int) -> Iterator[TileId]:
    """The tiles up to a distance, from the middle outwards."""
    for far in range(radius + 1):
        yield from ring(middle, far)


def middle_of(tile: TileId, top: Top) -> Point:
    """Where the middle of a tile lies; that of (0, 0) at (0, 0), those of neighbours 1 apart."""
    q, r = tile
    if top is Top.POINTY:
        return q + r / 2, r * 1.5 * CORNER
    return q * 1.5 * CORNER, r + q / 2


def tile_at(point: Point, top: Top) -> TileId:
    """The tile that a point lies on."""
    x, y = point
    if top is Top.POINTY:
        r = y / (1.5 * CORNER)
        q = x - r / 2
    else:
        q = x / (1.5 * CORNER)
        r = y - q / 2
    whole = [round(each) for each in (q, r, -q - r)]
    off = [abs(near - each) for near, each in zip(whole, (q, r, -q - r), strict=True)]
    # The three add up to 0: the one that was rounded most follows from the others.
    most = off.index(max(off))
    if most < 2:
        whole[most] = -whole[1 - most] - whole[2]
    return whole[0], whole[1]


_TURN = {Top.POINTY: -90, Top.FLAT: -60}
"""Degrees, clockwise from the east, at which the first corner lies: the first side faces the first neighbour."""
_CORNERS = {
    top: tuple(
        (CORNER * math.cos(math.radians(turn + 60 * number)), CORNER * math.sin(math.radians(turn + 60 * number)))
        for number in range(6)
    )
    for top, turn in _TURN.items()
}


@dataclass(frozen=True)
class Hexes:
    """A board of hexes, of any shape."""

    tiles: frozenset[TileId]
    top: Top

    @cached_property
    def _in_rows(self) -> tuple[tuple[TileId, Point], ...]:
        placed = ((tile, self.middle(tile)) for tile in self.tiles)
        return tuple(sorted(placed, key=lambda row: (round(row[1][1], 6), row[1][0])))

    @cached_property
    def _reach(self) -> Point:
        """How far a tile reaches from its middle, sideways and upward."""
        return max(x for x, _ in _CORNERS[self.top]), max(y for _, y in _CORNERS[self.top])

    @cached_property
    def box(self) -> Box:
        if not self.tiles:
            return (0.0, 0.0, 0.0, 0.0)
        (across, down), middles = self._reach, [middle for _, middle in self._in_rows]
        xs, ys = zip(*middles, strict=True)
        return min(xs) - across, min(ys) - down, max(xs) + across, max(ys) + down

    @property
    def columns(self) -> tuple[float, ...]:
        return ()

    @property
    def rows(self) -> tuple[float, ...]:
        return ()

    def __contains__(self, tile: object, /) -> bool:
        return tile in self.tiles

    def within(self, box: Box) -> Iterator[TileId]:
        (left, top, right, bottom), (across, down) = box, self._reach
        for tile, (x, y) in self._in_rows:
            if left - across < x < right + across and top - down < y < bottom + down:
                yield tile

    def at(self, point: Point) -> TileId:
        return tile_at(point, self.top)

    def middle(self, tile: TileId) -> Point:
        return middle_of(tile, self.top)

    def corners(self, tile: TileId) -> tuple[Point, ...]:
        middle_x, middle_y = self.middle(tile)
        return tuple((middle_x + x, middle_y + y) for x, y in _CORNERS[self.top])

    def neighbours(self, tile: TileId) -> tuple[TileId, ...]:
        return neighbours(tile)

    def around(self, tile: TileId) -> tuple[TileId, ...]:
        return neighbours(tile)
