"""The geometry of great fields."""

from __future__ import annotations

import pytest

from engine.lattice.great_fields import (
    CELLS,
    FieldCell,
    FieldDirection,
    FieldId,
    Side,
    around,
    axial_of,
    border,
    inner_neighbours,
    over,
    rim,
    side_between,
)

HOME = FieldId(3, 5)
RIMS = {
    FieldDirection.N: (1, 2, 3, 4),
    FieldDirection.NE: (4, 9, 15, 22, 30),
    FieldDirection.SE: (30, 37, 43, 48),
    FieldDirection.S: (44, 45, 46, 47, 48),
    FieldDirection.SW: (23, 31, 38, 44),
    FieldDirection.NW: (1, 5, 10, 16, 23),
}


@pytest.mark.parametrize("direction", FieldDirection)
def test_each_border_has_eight_pairs_on_the_cells_of_its_rim(direction: FieldDirection) -> None:
    assert len(border(direction)) == 8
    assert rim(direction) == RIMS[direction]


def test_corner_cells_touch_the_neighbours_that_they_should() -> None:
    """Cell 1 has two neighbours in the north and one in the north-west; cell 30 one in the north-east, two beyond."""
    found = [place for place in around(FieldCell(HOME, 1)) if place.field != HOME]
    north, north_west = HOME.step(FieldDirection.N), HOME.step(FieldDirection.NW)
    assert sorted(found) == sorted([FieldCell(north, 44), FieldCell(north, 45), FieldCell(north_west, 30)])
    found = [place for place in around(FieldCell(HOME, 30)) if place.field != HOME]
    north_east, south_east = HOME.step(FieldDirection.NE), HOME.step(FieldDirection.SE)
    assert sorted(found) == sorted([FieldCell(north_east, 44), FieldCell(south_east, 1), FieldCell(south_east, 5)])


def test_the_cells_of_a_field_and_its_neighbours_tile_the_plane() -> None:
    fields = (HOME, *HOME.neighbours())
    places = {axial_of(FieldCell(field, cell)) for field in fields for cell in range(1, CELLS + 1)}
    assert len(places) == len(fields) * CELLS
    assert {axial_of(place) for cell in range(1, CELLS + 1) for place in around(FieldCell(HOME, cell))} <= places


def test_over_an_edge_and_back_leads_home() -> None:
    for cell in range(1, CELLS + 1):
        for side in Side:
            there = over(FieldCell(HOME, cell), side)
            assert over(there, side.opposite) == FieldCell(HOME, cell)
            if there.field == HOME:
                assert there.cell in inner_neighbours(cell)
                assert side_between(cell, there.cell) is side


def test_directions_and_distances_of_fields() -> None:
    assert HOME.direction_to(FieldId(2, 6)) is FieldDirection.N
    assert HOME.direction_to(FieldId(5, 5)) is None
    assert [HOME.distance(field) for field in HOME.neighbours()] == [1] * 6
    assert HOME.distance(FieldId(5, 3)) == 2
