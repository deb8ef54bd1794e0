"""The square grid: directions, neighbours, and the spiral by which the server walks the map."""

from __future__ import annotations

from itertools import islice

import pytest

from engine.lattice.squares import Direction, Grid, grid_of


@pytest.fixture
def grid() -> Grid:
    return grid_of(12, 11)


def test_north_is_towards_smaller_y_and_the_map_does_not_wrap(grid: Grid) -> None:
    """Source: rules 1, 5.1."""
    corner = grid.find(0, 0)
    assert corner is not None
    assert grid.step(corner, Direction.NORTH) is grid.step(corner, Direction.WEST) is None
    assert [grid.name(cell) for cell in grid.neighbours[corner]] == ["0,1", "1,0"]
    inner = grid.find(5, 5)
    assert inner is not None
    assert [grid.name(cell) for cell in grid.neighbours[inner]] == ["5,4", "5,6", "6,5", "4,5"]
    assert grid.find(12, 0) is grid.find(0, 11) is grid.find(-1, 0) is None


def test_cells_are_numbered_in_map_order(grid: Grid) -> None:
    """Source: ruling K-01."""
    assert [grid.xy(cell) for cell in grid.cells] == [(x, y) for y in range(11) for x in range(12)]


def test_spiral_goes_outward_anticlockwise(grid: Grid) -> None:
    """Source: W12; ruling K-48."""
    start = grid.find(5, 5)
    assert start is not None
    walk = [grid.name(cell) for cell in islice(grid.spiral(start), 11)]
    assert walk == ["5,5", "6,5", "6,4", "5,4", "4,4", "4,5", "4,6", "5,6", "6,6", "7,6", "7,5"]


@pytest.mark.parametrize("size", [(1, 1), (1, 7), (4, 3), (12, 11)])
def test_spiral_meets_every_cell_once_from_anywhere(size: tuple[int, int]) -> None:
    grid = grid_of(*size)
    for start in grid.cells:
        assert sorted(grid.spiral(start)) == list(grid.cells)
