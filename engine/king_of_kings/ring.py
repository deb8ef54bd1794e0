"""The generator of random maps for `map=ring`: an even map (`even_ground`) with a continent around an inland sea.

On other even maps nations in the middle have many rivals around them and lose. Here everybody is between two rivals,
and cities are moved to the middle between their two nearest ones. Source: ruling K-98
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from math import hypot

from engine.core.dice import Dice
from engine.king_of_kings.even_ground import (
    are_apart,
    first_even,
    furnish,
    nearest_land,
    ratio,
    spread,
    unevenly_shared,
)
from engine.king_of_kings.generator import (
    MOST_SIDE,
    Land,
    Plan,
    distances,
    grow_homes,
    parts,
    raise_land,
    steps_between,
)
from engine.lattice.squares import Grid

MOST_CROWDED = 1.2
"""The largest ratio of the distances of one city's two nearest rivals to those of another's."""
INLAND_SHARE = 25
"""The inland sea has at least one cell in this many of the map."""
_RADIUS, _STEEPNESS = 0.34, 43.0
"""The radius of the circle on which the land is highest, in sides of the map, and how fast the ground falls off."""
_MOST_TRIES = 600
_PLANS, _MOVES = 12, 4
_ROOM = 3
"""How much more even distances of cities weigh than evenly shared land: coasts can be shifted later."""
_RIVALS = 2
_SIDES = 4


def make_land(nations: int, seed: str, *, side: int | None = None) -> Land:
    """The first map of the seed that is even and has an inland sea.

    Raises:
        DocumentError: the map is too small for this many nations.
    """
    return first_even(Plan.of(nations, side, MOST_SIDE), seed, "ring", _attempt, tries=_MOST_TRIES)


def _attempt(plan: Plan, dice: Dice) -> Land | None:
    """A ring, even or not; `None` if this attempt gave none."""
    soil = raise_land(plan, dice, _slope)
    sea = inland_sea(plan.grid, soil)
    homes = _settle(plan, dice, soil, sea) if sea else None
    if homes is None or not _is_ring(plan, soil, homes):
        return None
    land = furnish(plan, dice, soil, homes)
    # Shifted coasts may have made it stop being a ring.
    return land if land is not None and _is_ring(plan, land.soil, homes) else None


def _is_ring(plan: Plan, soil: Set[int], homes: Sequence[Sequence[int]]) -> bool:
    """Whether there is an inland sea, and the cities are about equally far apart."""
    cities = [home[0] for home in homes]
    return bool(inland_sea(plan.grid, soil)) and crowding(plan.grid, soil, cities) <= MOST_CROWDED


def _slope(side: int, cell: int) -> float:
    """How much lower the ground is away from a circle around the middle of the map."""
    middle = (side - 1) / 2
    away = hypot(cell % side - middle, cell // side - middle) / side - _RADIUS
    return _STEEPNESS * away * away


def inland_sea(grid: Grid, soil: Set[int]) -> set[int]:
    """The largest water with land all around it; empty if there is none, or only a small one."""
    waters = parts(grid, set(grid.cells) - soil)
    sea = next((part for part in waters if all(len(grid.neighbours[cell]) == _SIDES for cell in part)), set())
    return sea if len(sea) * INLAND_SHARE >= len(grid) else set()


def crowding(grid: Grid, soil: Set[int], cities: Sequence[int]) -> float:
    """The largest ratio of the steps over land to one city's two nearest rivals and to another's."""
    steps = [distances(grid, [city], soil) for city in cities]
    return ratio([sum(sorted(away.get(city, len(grid)) for city in cities)[1 : 1 + _RIVALS]) for away in steps])


def _settle(plan: Plan, dice: Dice, soil: Set[int], inland: Set[int]) -> tuple[tuple[int, ...], ...] | None:
    """A home with an ocean harbour for each nation, by the plan, of several, that gives all the most equal room."""
    grid, within = plan.grid, int(plan.rules["coast_within"])
    continent = parts(grid, soil)[0]
    from_sea = distances(grid, set(grid.cells) - soil - inland, soil)
    sites = [cell for cell in sorted(continent) if from_sea.get(cell, len(grid)) <= within]
    plans = []
    for number in range(_PLANS):
        cities = spread(plan, sites, dice.pick(f"first city/{number}", sites))
        for _ in range(_MOVES):
            cities = _between(plan, set(sites), continent, cities)
        plans.append(tuple(sorted(cities)))
    apart = [cities for cities in dict.fromkeys(plans) if are_apart(plan, cities)]
    if not apart:
        return None
    best = min(apart, key=lambda it: _ROOM * crowding(grid, soil, it) + unevenly_shared(grid, soil, it))
    return grow_homes(plan, dice, soil, from_sea, best)


def _between(plan: Plan, sites: Set[int], continent: Set[int], cities: Sequence[int]) -> list[int]:
    """Each city moved, within the land nearest to it, to the middle of that land and between its two nearest rivals."""
    grid, gap, moved = plan.grid, int(plan.rules["home_distance"]), list(cities)
    for place, region in enumerate(nearest_land(grid, continent, [[city] for city in cities])):
        own = sorted({cities[place], *region})
        others = [*moved[:place], *moved[place + 1 :]]
        ranked = []
        for cell in own:
            near = sorted(steps_between(grid, cell, other) for other in others)[:_RIVALS]
            if cell in sites and (not near or near[0] >= gap):
                from_middle = sum(steps_between(grid, cell, other) for other in own) / len(own)
                ranked.append((2 * (near[-1] - near[0] if near else 0) + from_middle, cell))
        moved[place] = min(ranked)[1] if ranked else cities[place]
    return moved
