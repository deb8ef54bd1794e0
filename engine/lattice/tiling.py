"""What boards of squares and of hexes have in common: tiles, each a polygon, side by side.

The middles of neighbours are 1 apart. x grows eastward, y southward.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

TileId = tuple[int, int]
"""Of a square its column and row; of a hex its axial q and r."""
Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Tiling(Protocol):
    """A board of equal tiles."""

    @property
    def box(self) -> Box:
        """All of the board."""

    @property
    def columns(self) -> Sequence[float]:
        """Where the middles of its columns lie, if people count by columns and rows; otherwise empty."""

    @property
    def rows(self) -> Sequence[float]:
        """Where the middles of its rows lie, if people count by columns and rows; otherwise empty."""

    def __hash__(self) -> int:
        """Boards are values."""

    def __contains__(self, tile: object, /) -> bool:
        """Whether the tile lies on the board."""

    def within(self, box: Box) -> Iterator[TileId]:
        """The tiles of the board that reach into a box, row by row."""

    def at(self, point: Point) -> TileId:
        """The tile that a point lies on, on the board or off it."""

    def middle(self, tile: TileId) -> Point:
        """The middle of a tile."""

    def corners(self, tile: TileId) -> tuple[Point, ...]:
        """The polygon, clockwise; its first side runs from the first corner to the second."""

    def neighbours(self, tile: TileId) -> tuple[TileId, ...]:
        """The tile beyond each side, in the order of the sides, on the board or off it."""

    def around(self, tile: TileId) -> tuple[TileId, ...]:
        """The tiles that touch a tile, even at a corner, on the board or off it."""
