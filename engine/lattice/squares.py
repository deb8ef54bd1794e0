"""The square grid: cells as numbers in map order, their neighbours, the spiral walk, and the board that a map draws.

A cell is `y * width + x`, so ascending cells are map order (ascending Y, then X). Source: ruling K-01.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import count
from math import ceil, floor
from typing import NewType

from engine.lattice.tiling import Box, Point, TileId

Cell = NewType("Cell", int)
"""A cell's number in map order."""


class Direction(StrEnum):
    """A step on the grid; north is towards smaller Y. In the order of the rules."""

    NORTH = "N"
    SOUTH = "S"
    EAST = "E"
    WEST = "W"

    @property
    def opposite(self) -> Direction:
        """The opposite direction."""
        return _OPPOSITE[self]


_OPPOSITE = {
    Direction.NORTH: Direction.SOUTH,
    Direction.SOUTH: Direction.NORTH,
    Direction.EAST: Direction.WEST,
    Direction.WEST: Direction.EAST,
}
_STEP = {Direction.NORTH: (0, -1), Direction.SOUTH: (0, 1), Direction.EAST: (1, 0), Direction.WEST: (-1, 0)}
_SPIRAL = (Direction.EAST, Direction.NORTH, Direction.WEST, Direction.SOUTH)


@dataclass(frozen=True, slots=True)
class Grid:
    """A board of `width` by `height` cells that does not wrap.

    Attributes:
        steps: for each cell, where each direction leads (N, S, E, W); `None` beyond the edge.
        neighbours: for each cell, the cells next to it, in the order N, S, E, W.
    """

    width: int
    height: int
    steps: tuple[dict[Direction, Cell | None], ...] = field(init=False, compare=False, repr=False)
    neighbours: tuple[tuple[Cell, ...], ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        steps = tuple(
            {way: self.find(x + dx, y + dy) for way, (dx, dy) in _STEP.items()}
            for y in range(self.height)
            for x in range(self.width)
        )
        near = tuple(tuple(cell for cell in row.values() if cell is not None) for row in steps)
        object.__setattr__(self, "steps", steps)
        object.__setattr__(self, "neighbours", near)

    def __len__(self) -> int:
        return self.width * self.height

    @property
    def cells(self) -> Iterator[Cell]:
        """Every cell, in map order."""
        return map(Cell, range(len(self)))

    def find(self, x: int, y: int) -> Cell | None:
        """The cell at coordinates; `None` off the map."""
        return Cell(y * self.width + x) if 0 <= x < self.width and 0 <= y < self.height else None

    def xy(self, cell: Cell) -> tuple[int, int]:
        """The coordinates of a cell."""
        y, x = divmod(cell, self.width)
        return x, y

    def name(self, cell: Cell) -> str:
        """The coordinates as streams of dice and ids name them: `7,18`."""
        x, y = self.xy(cell)
        return f"{x},{y}"

    def step(self, cell: Cell, way: Direction) -> Cell | None:
        """The next cell in a direction; `None` beyond the edge."""
        return self.steps[cell][way]

    def beyond(self, cell: Cell, way: Direction) -> tuple[int, int]:
        """The coordinates that a step leads to, on the map or off it."""
        (x, y), (dx, dy) = self.xy(cell), _STEP[way]
        return x + dx, y + dy

    def spiral(self, start: Cell) -> Iterator[Cell]:
        """Every cell once, from `start` outward anticlockwise. Source: ruling K-48.

        >>> grid = grid_of(12, 12)
        >>> [grid.name(cell) for cell, _ in zip(grid.spiral(grid.find(5, 5)), range(6))]
        ['5,5', '6,5', '6,4', '5,4', '4,4', '4,5']
        """
        (x, y), left = self.xy(start), len(self)
        for turn in count(-1):
            # The runs have the lengths 1, 1, 2, 2, 3, 3, …; the first "run" is the start itself.
            for _ in range(1 if turn < 0 else turn // 2 + 1):
                if turn >= 0:
                    dx, dy = _STEP[_SPIRAL[turn % 4]]
                    x, y = x + dx, y + dy
                cell = self.find(x, y)
                if cell is not None:
                    yield cell
                    left -= 1
                    if not left:
                        return


@lru_cache(maxsize=16)
def grid_of(width: int, height: int) -> Grid:
    """The grid of a size, made once."""
    return Grid(width, height)


_SIDES: tuple[TileId, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
_AROUND = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if (x, y) != (0, 0))


@dataclass(frozen=True, slots=True)
class Squares:
    """A board of squares as a map draws it: a square with its column and row as its id, its first side northward."""

    width: int
    height: int

    @property
    def box(self) -> Box:
        return 0.0, 0.0, self.width, self.height

    @property
    def columns(self) -> Sequence[float]:
        return [number + 0.5 for number in range(self.width)]

    @property
    def rows(self) -> Sequence[float]:
        return [number + 0.5 for number in range(self.height)]

    def __contains__(self, tile: object, /) -> bool:
        return isinstance(tile, tuple) and 0 <= tile[0] < self.width and 0 <= tile[1] < self.height

    def within(self, box: Box) -> Iterator[TileId]:
        left, top, right, bottom = box
        for y in range(max(floor(top), 0), min(ceil(bottom), self.height)):
            for x in range(max(floor(left), 0), min(ceil(right), self.width)):
                yield x, y

    def at(self, point: Point) -> TileId:
        return floor(point[0]), floor(point[1])

    def middle(self, tile: TileId) -> Point:
        return tile[0] + 0.5, tile[1] + 0.5

    def corners(self, tile: TileId) -> tuple[Point, ...]:
        x, y = tile
        return (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)

    def neighbours(self, tile: TileId) -> tuple[TileId, ...]:
        x, y = tile
        return tuple((x + dx, y + dy) for dx, dy in _SIDES)

    def around(self, tile: TileId) -> tuple[TileId, ...]:
        x, y = tile
        return tuple((x + dx, y + dy) for dx, dy in _AROUND)
