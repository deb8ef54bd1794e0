"""The generator of random maps for `map=ring`: an even map (`even_ground`) with a continent around an inland sea.

On other even maps nations in the middle have many rivals around them and lose. Here everybody is between two rivals,
and cities are moved to the middle between their two nearest ones. Source: ruling K-98
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
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
    soil = raise_land(plan, dice, lambda side, cell: slope(side, cell, radius=_RADIUS, steepness=_STEEPNESS))
    return settled(plan, dice, soil, _choose_cities, _are_even)


Choose = Callable[[Plan, Dice, Set[int], "Ground"], Sequence[int] | None]
"""Chooses the cities of a ring; `None`: there is no good place for them."""
AreEven = Callable[[Grid, Set[int], Sequence[int]], bool]
"""Whether cities are about equally far apart."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Where cities of a ring may stand.

    Args:
        continent: the largest part of the land.
        from_ocean: the steps to water that is not the inland sea.
        sites: of the continent, the cells near enough to the ocean.
    """

    continent: Set[int]
    from_ocean: Mapping[int, int]
    sites: Sequence[int]


def settled(plan: Plan, dice: Dice, soil: Set[int], choose: Choose, are_even: AreEven) -> Land | None:
    """A map with this land around an inland sea, evenly shared or not; `None` if this attempt gave none."""
    sea = inland_sea(plan.grid, soil)
    if not sea:
        return None
    ground = _ground(plan, soil, sea)
    cities = choose(plan, dice, soil, ground)
    homes = None if cities is None else grow_homes(plan, dice, soil, ground.from_ocean, cities)
    if homes is None or not are_even(plan.grid, soil, [home[0] for home in homes]):
        return None
    land = furnish(plan, dice, soil, homes)
    # Shifted coasts may have made it stop being a ring.
    is_ring = land is not None and inland_sea(plan.grid, land.soil)
    return land if land and is_ring and are_even(plan.grid, land.soil, [home[0] for home in homes]) else None


def _ground(plan: Plan, soil: Set[int], inland: Set[int]) -> Ground:
    within = int(plan.rules["coast_within"])
    continent = parts(plan.grid, soil)[0]
    from_ocean = distances(plan.grid, set(plan.grid.cells) - soil - inland, soil)
    sites = [cell for cell in sorted(continent) if from_ocean.get(cell, len(plan.grid)) <= within]
    return Ground(continent, from_ocean, sites)


def slope(side: int, cell: int, *, radius: float, steepness: float) -> float:
    """How much lower the ground is away from a circle around the middle of the map.

    Args:
        radius: of the circle, in sides of the map.
        steepness: how fast the ground falls off.
    """
    middle = (side - 1) / 2
    away = hypot(cell % side - middle, cell // side - middle) / side - radius
    return steepness * away * away


def inland_sea(grid: Grid, soil: Set[int]) -> set[int]:
    """The largest water with land all around it; empty if there is none, or only a small one."""
    waters = parts(grid, set(grid.cells) - soil)
    sea = next((part for part in waters if all(len(grid.neighbours[cell]) == _SIDES for cell in part)), set())
    return sea if len(sea) * INLAND_SHARE >= len(grid) else set()


def crowding(grid: Grid, soil: Set[int], cities: Sequence[int], rivals: int = _RIVALS) -> float:
    """The largest ratio of the steps over land to one city's nearest rivals and to another's."""
    steps = [distances(grid, [city], soil) for city in cities]
    return ratio([sum(sorted(away.get(city, len(grid)) for city in cities)[1 : 1 + rivals]) for away in steps])


def _are_even(grid: Grid, soil: Set[int], cities: Sequence[int]) -> bool:
    return crowding(grid, soil, cities) <= MOST_CROWDED


def _choose_cities(plan: Plan, dice: Dice, soil: Set[int], ground: Ground) -> Sequence[int] | None:
    """The plan, of several, that gives all nations the most equal room."""
    grid, sites = plan.grid, set(ground.sites)
    plans = []
    for number in range(_PLANS):
        cities = spread(plan, ground.sites, dice.pick(f"first city/{number}", ground.sites))
        for _ in range(_MOVES):
            cities = between(plan, sites, ground.continent, cities)
        plans.append(tuple(sorted(cities)))
    apart = [cities for cities in dict.fromkeys(plans) if are_apart(plan, cities)]
    return min(apart, key=lambda it: _ROOM * crowding(grid, soil, it) + unevenly_shared(grid, soil, it), default=None)


def between(plan: Plan, sites: Set[int], continent: Set[int], cities: Sequence[int]) -> list[int]:
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
