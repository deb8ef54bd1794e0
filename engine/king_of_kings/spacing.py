"""Moves cities of a random map until all are about as far away from the two nearest others, and from the four nearest.

Source: ruling K-98
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from engine.king_of_kings.generator import Plan, steps_between
from engine.lattice.squares import Grid

_REACH = 2
"""How many steps a city is moved at most at a time."""
_OUTER = 0.25
"""The weight of differences in the room to four rivals, against those in the room to two."""


def evenly_spaced(plan: Plan, sites: Set[int], cities: Sequence[int]) -> list[int]:
    """The cities moved one by one, to sites, for as long as that makes their distances more equal."""
    grid, gap, cities = plan.grid, int(plan.rules["home_distance"]), list(cities)
    rows = [[steps_between(grid, city, other) for other in cities] for city in cities]
    best, is_better = _inequality(rows), True
    while is_better:
        is_better = False
        for place, city in enumerate(list(cities)):
            for cell in _around(grid, city):
                row = [0 if at == place else steps_between(grid, cell, other) for at, other in enumerate(cities)]
                if cell not in sites or min((*row[:place], *row[place + 1 :]), default=gap) < gap:
                    continue
                tried = [[*other[:place], steps, *other[place + 1 :]] for other, steps in zip(rows, row, strict=True)]
                tried[place] = row
                value = _inequality(tried)
                if value < best - 1e-9:
                    best, is_better, cities[place], moved = value, True, cell, tried
            if cities[place] != city:
                rows = moved
    return cities


def _around(grid: Grid, cell: int) -> Iterator[int]:
    """The cells to which a city may be moved."""
    x, y = cell % grid.width, cell // grid.width
    for dy in range(-_REACH, _REACH + 1):
        for dx in range(-_REACH, _REACH + 1):
            found = grid.find(x + dx, y + dy)
            if found is not None and 0 < abs(dx) + abs(dy) <= _REACH:
                yield found


def _inequality(rows: Sequence[Sequence[int]]) -> float:
    """How much the distances to the nearest rivals differ, as the crow flies, as a sum of squares."""
    near = [sorted(row)[1:] for row in rows]
    return _scatter([sum(row[:2]) for row in near]) + _OUTER * _scatter([sum(row[:4]) for row in near])


def _scatter(values: Sequence[int]) -> float:
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values)
