"""The generator of random maps for `map=spaced`: a ring (`ring`) on which all have about as much room.

On plain rings of fourteen nations, those whose two nearest rivals are farthest away won 1.4 times their share. Here
cities are moved until everybody is about as far away from the two nearest rivals, and from the four nearest, as
everybody else. Source: ruling K-99
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from engine.core.dice import Dice
from engine.king_of_kings.even_ground import are_apart, first_even, spread, unevenly_shared
from engine.king_of_kings.generator import MOST_SIDE, Land, Plan, raise_land, steps_between
from engine.king_of_kings.ring import Ground, between, crowding, settled, slope
from engine.lattice.squares import Grid

MOST_CROWDED = {2: 1.1, 4: 1.15}
"""By a number of nearest rivals, the largest ratio of the distances from one city to them and from another."""
_RADIUS, _STEEPNESS = 0.36, 80.0
_MOST_TRIES = 600
_PLANS = 12
_REACH = 2
"""How many steps a city is moved at most at a time."""
_OUTER = 0.25
"""The weight of differences in the room to four rivals, against those in the room to two."""


def make_land(nations: int, seed: str, *, side: int | None = None) -> Land:
    """The first map of the seed that is even and on which all have about as much room.

    Raises:
        DocumentError: the map is too small for this many nations.
    """
    return first_even(Plan.of(nations, side, MOST_SIDE), seed, "spaced", _attempt, tries=_MOST_TRIES)


def _attempt(plan: Plan, dice: Dice) -> Land | None:
    soil = raise_land(plan, dice, lambda side, cell: slope(side, cell, radius=_RADIUS, steepness=_STEEPNESS))
    return settled(plan, dice, soil, _choose_cities, are_spaced)


def are_spaced(grid: Grid, soil: Set[int], cities: Sequence[int]) -> bool:
    """Whether cities are about equally far away from their nearest rivals, over land."""
    return all(crowding(grid, soil, cities, rivals) <= most for rivals, most in MOST_CROWDED.items())


def _choose_cities(plan: Plan, dice: Dice, soil: Set[int], ground: Ground) -> Sequence[int] | None:
    """Of several plans with equal room for all, the one that shares the land most evenly."""
    sites = frozenset(ground.sites)
    plans = []
    for number in range(_PLANS):
        cities = spread(plan, ground.sites, dice.pick(f"first city/{number}", ground.sites))
        cities = between(plan, sites, ground.continent, cities)
        plans.append(tuple(sorted(_spaced(plan, sites, cities))))
    fit = [cities for cities in dict.fromkeys(plans) if are_apart(plan, cities) and are_spaced(plan.grid, soil, cities)]
    return min(fit, key=lambda cities: unevenly_shared(plan.grid, soil, cities), default=None)


def _spaced(plan: Plan, sites: Set[int], cities: Sequence[int]) -> Sequence[int]:
    """The cities moved one by one for as long as that makes distances more equal."""
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
