"""Shifts the coasts of a random map until nobody has more land of their own, or more land around them, than others.

A nation with much land within a few steps of its city is attacked from all sides and loses, whoever that land belongs
to. Source: ruling K-98
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from engine.core.dice import Dice
from engine.king_of_kings.even_ground import can_change, nearest_land, ratio
from engine.king_of_kings.generator import Plan, distances, steps_between
from engine.king_of_kings.spacing import RIVALS, scatter, steps_apart
from engine.lattice.squares import Grid

_AROUND = 5
"""The steps over land within which land is counted as around a city."""
_WEIGHT = 0.25
"""The weight of differences in the land around cities, against those in nearest land."""
_SLACK_PERCENT = 9
_SHIFTS = 200
_EVEN_NEAREST, _EVEN_AROUND = 1.12, 1.15
"""The ratios of the most to the least at which nothing is shifted any more."""
_GAIN = 0.5
"""How much more even a shift must make things."""


@dataclass(frozen=True, slots=True)
class _Shores:
    """Coasts between shifts.

    Args:
        land: the cells that are land.
        nearest: for each nation, its nearest neutral provinces.
        around: for each city, the land within some steps.
    """

    land: Set[int]
    nearest: Sequence[int]
    around: Sequence[int]

    @property
    def is_even(self) -> bool:
        return ratio(self.nearest) <= _EVEN_NEAREST and ratio(self.around) <= _EVEN_AROUND

    @property
    def inequality(self) -> float:
        return scatter(self.nearest) + _WEIGHT * scatter(self.around)


def even_shores(plan: Plan, dice: Dice, soil: Set[int], homes: Sequence[Sequence[int]]) -> Set[int]:
    """The land after coasts were shifted cell by cell, for as long as that makes it more even.

    Homes keep their harbours, and their cities the steps over land to the nearest others.
    """
    grid, cities = plan.grid, [home[0] for home in homes]
    shores = _Shores(soil, _count_nearest(grid, soil, homes), [land_around(grid, soil, city) for city in cities])
    for number in range(_SHIFTS):
        better = None if shores.is_even else next(_shifted(plan, dice, number, shores, homes), None)
        if better is None:
            break
        shores = better
    return shores.land


def land_around(grid: Grid, soil: Set[int], city: int) -> int:
    """How many provinces are within a few steps over land, the city included."""
    return len(distances(grid, [city], soil, _AROUND))


def _shifted(plan: Plan, dice: Dice, number: int, shores: _Shores, homes: Sequence[Sequence[int]]) -> Iterator[_Shores]:
    """The coasts after each shift that helps."""
    grid, land, cities = plan.grid, shores.land, [home[0] for home in homes]
    settled = {cell for home in homes for cell in home}
    harbours = {sea for cell in settled for sea in grid.neighbours[cell] if sea not in land}
    coast = [
        cell
        for cell in sorted(set(grid.cells) - settled - harbours)
        if any((other in land) is not (cell in land) for other in grid.neighbours[cell])
    ]
    slack = len(grid) * _SLACK_PERCENT // 100
    rivals = _rivals(grid, land, cities)
    for cell in dice.shuffled(f"shore/{number}", coast):
        changed = land ^ {cell}
        if abs(len(changed) - plan.land_cells) > slack or not can_change(plan, land, cell):
            continue
        around = [
            land_around(grid, changed, city) if steps_between(grid, city, cell) <= _AROUND else before
            for city, before in zip(cities, shores.around, strict=True)
        ]
        tried = _Shores(changed, _count_nearest(grid, changed, homes), around)
        if tried.inequality < shores.inequality - _GAIN and _rivals(grid, changed, cities) == rivals:
            yield tried


def _count_nearest(grid: Grid, land: Set[int], homes: Sequence[Sequence[int]]) -> Sequence[int]:
    return [len(region) for region in nearest_land(grid, land, homes)]


def _rivals(grid: Grid, land: Set[int], cities: Sequence[int]) -> Sequence[Sequence[int]]:
    """For each city, the steps over land to the nearest others."""
    return [steps[1 : RIVALS + 1] for steps in steps_apart(grid, land, cities)]
