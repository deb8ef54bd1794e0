"""The generator of random maps for `map=ring`: an even map (`even_ground`) with a continent around an inland sea.

On other even maps nations in the middle have many rivals around them and lose. Here everybody is between two rivals,
and cities are moved to the middle between their two nearest ones. With many nations that is not enough: those with most
room won 1.4 times their share, so all are moved until they have about as much (`spacing`). Source: ruling K-98
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from math import hypot

from engine.core.dice import Dice
from engine.king_of_kings.even_ground import (
    are_apart,
    first_even,
    furnish,
    nearest_land,
    ratio,
    spread,
    steps_to_all,
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
from engine.king_of_kings.spacing import evenly_spaced
from engine.lattice.squares import Grid

INLAND_SHARE = 25
"""The inland sea has at least one cell in this many of the map."""
_MOST_TRIES = 600
_PLANS = 12
_RIVALS = 2
_SIDES = 4


@dataclass(frozen=True, slots=True)
class _Recipe:
    """How a ring is made.

    Args:
        radius: of the circle on which the land is highest, in sides of the map.
        steepness: how fast the ground falls off from there.
        moves: how often cities are moved to the middle between their two nearest rivals.
        is_spaced: whether they are moved then until all have about as much room.
        most_crowded: by a number of nearest rivals, the largest ratio of the distances from one city to them and from
            another.
        room: how much more even distances weigh than evenly shared land, which shifted coasts can mend later.
    """

    radius: float
    steepness: float
    moves: int
    is_spaced: bool
    most_crowded: Mapping[int, float]
    room: float


_MOST_SIDE_FOR_MANY = 40
"""Larger maps of more than `FEW` nations are seldom a ring at the first attempts, and an attempt takes a second."""
FEW = 8
"""The number of nations up to which cities only have to be between their two nearest rivals."""
_FOR_FEW = _Recipe(0.34, 43.0, moves=4, is_spaced=False, most_crowded={2: 1.2}, room=3)
_FOR_MANY = _Recipe(0.36, 80.0, moves=1, is_spaced=True, most_crowded={2: 1.1, 4: 1.15}, room=0)


def make_land(nations: int, seed: str, *, side: int | None = None) -> Land:
    """The first map of the seed that is even and has an inland sea.

    Raises:
        DocumentError: the map is too small for this many nations, or so large that making it would take too long.
    """
    recipe, most = (_FOR_FEW, MOST_SIDE) if nations <= FEW else (_FOR_MANY, _MOST_SIDE_FOR_MANY)
    return first_even(Plan.of(nations, side, most), seed, "ring", partial(_attempt, recipe), tries=_MOST_TRIES)


def _attempt(recipe: _Recipe, plan: Plan, dice: Dice) -> Land | None:
    """A ring, evenly shared or not; `None` if this attempt gave none."""
    soil = raise_land(plan, dice, partial(_slope, recipe))
    sea = inland_sea(plan.grid, soil)
    homes = _settle(recipe, plan, dice, soil, sea) if sea else None
    if homes is None or not _is_ring(recipe, plan, soil, homes):
        return None
    land = furnish(plan, dice, soil, homes)
    # Shifted coasts may have made it stop being a ring.
    return land if land is not None and _is_ring(recipe, plan, land.soil, homes) else None


def _is_ring(recipe: _Recipe, plan: Plan, soil: Set[int], homes: Sequence[Sequence[int]]) -> bool:
    """Whether there is an inland sea, and the cities are about equally far apart."""
    return bool(inland_sea(plan.grid, soil)) and _have_room(recipe, plan, soil, [home[0] for home in homes])


def _have_room(recipe: _Recipe, plan: Plan, soil: Set[int], cities: Sequence[int]) -> bool:
    apart = _steps_apart(plan.grid, soil, cities)
    return all(_crowding(apart, rivals) <= most for rivals, most in recipe.most_crowded.items())


def _slope(recipe: _Recipe, side: int, cell: int) -> float:
    """How much lower the ground is away from a circle around the middle of the map."""
    middle = (side - 1) / 2
    away = hypot(cell % side - middle, cell // side - middle) / side - recipe.radius
    return recipe.steepness * away * away


def inland_sea(grid: Grid, soil: Set[int]) -> set[int]:
    """The largest water with land all around it; empty if there is none, or only a small one."""
    waters = parts(grid, set(grid.cells) - soil)
    sea = next((part for part in waters if all(len(grid.neighbours[cell]) == _SIDES for cell in part)), set())
    return sea if len(sea) * INLAND_SHARE >= len(grid) else set()


def crowding(grid: Grid, soil: Set[int], cities: Sequence[int], rivals: int = _RIVALS) -> float:
    """The largest ratio of the steps over land to one city's nearest rivals and to another's."""
    return _crowding(_steps_apart(grid, soil, cities), rivals)


def _steps_apart(grid: Grid, soil: Set[int], cities: Sequence[int]) -> Sequence[Sequence[int]]:
    """For each city the steps over land to all of them, itself included, nearest first."""
    found = (distances(grid, [city], soil) for city in cities)
    return [sorted(away.get(city, len(grid)) for city in cities) for away in found]


def _crowding(apart: Sequence[Sequence[int]], rivals: int) -> float:
    return ratio([sum(steps[1 : 1 + rivals]) for steps in apart])


def _settle(
    recipe: _Recipe, plan: Plan, dice: Dice, soil: Set[int], inland: Set[int]
) -> tuple[tuple[int, ...], ...] | None:
    """A home with an ocean harbour for each nation, by the plan, of several, that gives all the most equal room."""
    grid, within = plan.grid, int(plan.rules["coast_within"])
    continent = parts(grid, soil)[0]
    from_sea = distances(grid, set(grid.cells) - soil - inland, soil)
    sites = [cell for cell in sorted(continent) if from_sea.get(cell, len(grid)) <= within]
    plans = []
    for number in range(_PLANS):
        cities = spread(plan, sites, dice.pick(f"first city/{number}", sites))
        for _ in range(recipe.moves):
            cities = _between(plan, set(sites), continent, cities)
        if recipe.is_spaced:
            cities = evenly_spaced(plan, set(sites), cities)
        plans.append(tuple(sorted(cities)))
    apart = [cities for cities in dict.fromkeys(plans) if are_apart(plan, cities)]
    if recipe.is_spaced:
        apart = [cities for cities in apart if _have_room(recipe, plan, soil, cities)]
    if not apart:
        return None

    def unevenness(cities: Sequence[int]) -> float:
        shared = unevenly_shared(grid, soil, cities)
        return shared + recipe.room * crowding(grid, soil, cities) if recipe.room else shared

    return grow_homes(plan, dice, soil, from_sea, min(apart, key=unevenness))


def _between(plan: Plan, sites: Set[int], continent: Set[int], cities: Sequence[int]) -> list[int]:
    """Each city moved, within the land nearest to it, to the middle of that land and between its two nearest rivals."""
    grid, gap, moved = plan.grid, int(plan.rules["home_distance"]), list(cities)
    for place, region in enumerate(nearest_land(grid, continent, [[city] for city in cities])):
        own = sorted({cities[place], *region})
        others = [*moved[:place], *moved[place + 1 :]]
        away = steps_to_all(grid, own)
        ranked = []
        for cell in (cell for cell in own if cell in sites):
            near = sorted(steps_between(grid, cell, other) for other in others)[:_RIVALS]
            if not near or near[0] >= gap:
                ranked.append((2 * (near[-1] - near[0] if near else 0) + away[cell] / len(own), cell))
        moved[place] = min(ranked)[1] if ranked else cities[place]
    return moved
