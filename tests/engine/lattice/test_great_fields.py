"""The geometry of great fields."""

from __future__ import annotations

import pytest

from engine.lattice.great_fields import (
    CELLS,
    Direction,
    Field,
    Place,
    Side,
    around,
    axial_of,
    border,
    inner_neighbours,
    over,
    rim,
    side_between,
)

HOME = Field(3, 5)
RIMS = {
    Direction.N: (1, 2, 3, 4),
    Direction.NE: (4, 9, 15, 22, 30),
    Direction.SE: (30, 37, 43, 48),
    Direction.S: (44, 45, 46, 47, 48),
    Direction.SW: (23, 31, 38, 44),
    Direction.NW: (1, 5, 10, 16, 23),
}


@pytest.mark.parametrize("direction", Direction)
def test_each_border_has_eight_pairs_on_the_cells_of_its_rim(direction: Direction) -> None:
    assert len(border(direction)) == 8
    assert rim(direction) == RIMS[direction]


def test_corner_cells_touch_the_neighbours_that_they_should() -> None:
    """Cell 1 has two neighbours in the north and one in the north-west; cell 30 one in the north-east, two beyond."""
    found = [place for place in around(Place(HOME, 1)) if place.field != HOME]
    north, north_west = HOME.step(Direction.N), HOME.step(Direction.NW)
    assert sorted(found) == sorted([Place(north, 44), Place(north, 45), Place(north_west, 30)])
    found = [place for place in around(Place(HOME, 30)) if place.field != HOME]
    north_east, south_east = HOME.step(Direction.NE), HOME.step(Direction.SE)
    assert sorted(found) == sorted([Place(north_east, 44), Place(south_east, 1), Place(south_east, 5)])


def test_the_cells_of_a_field_and_its_neighbours_tile_the_plane() -> None:
    fields = (HOME, *HOME.neighbours())
    places = {axial_of(Place(field, cell)) for field in fields for cell in range(1, CELLS + 1)}
    assert len(places) == len(fields) * CELLS
    assert {axial_of(place) for cell in range(1, CELLS + 1) for place in around(Place(HOME, cell))} <= places


def test_over_an_edge_and_back_leads_home() -> None:
    for cell in range(1, CELLS + 1):
        for side in Side:
            there = over(Place(HOME, cell), side)
            assert over(there, side.opposite) == Place(HOME, cell)
            if there.field == HOME:
                assert there.cell in inner_neighbours(cell)
                assert side_between(cell, there.cell) is side


def test_directions_and_distances_of_fields() -> None:
    assert HOME.direction_to(Field(2, 6)) is Direction.N
    assert HOME.direction_to(Field(5, 5)) is None
    assert [HOME.distance(field) for field in HOME.neighbours()] == [1] * 6
    assert HOME.distance(Field(5, 3)) == 2
