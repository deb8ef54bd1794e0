"""The generator of random maps for `map=ring`: an even map (`even_ground`) with a continent around an inland sea.

On other even maps nations in the middle have many rivals around them and lose. Here everybody is between two rivals,
and cities are moved to the middle between their two nearest ones. With many nations that is not enough: those with most
room won 1.4 times their share. So cities are moved until all have about as much (`spacing`), and coasts shifted until
all have about as much land around them (`shores`). Source: ruling K-98
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from math import hypot
from typing import NamedTuple

from engine.core.dice import Dice
from engine.king_of_kings.even_ground import (
    are_apart,
    first_even,
    furnish,
    nearest_land,
    ratio,
    shift_coasts,
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
from engine.king_of_kings.shores import even_shores
from engine.king_of_kings.spacing import evenly_spaced, inequality, scatter, steps_apart
from engine.lattice.squares import Grid

INLAND_SHARE = 25
"""The inland sea has at least one cell in this many of the map."""
_MOST_TRIES = 600
_PLANS, _MOVES = 12, 4
"""The number of plans for cities that are compared, and of times that cities move between their nearest rivals."""
_ROOM = 3
"""How much more even distances weigh than evenly shared land, which shifted coasts can mend later."""
_PLANS_FOR_MANY, _HOMES = 4, 24
"""The number of plans for many cities that are compared, and of drafts of their homes."""
_RIVALS = 2
_SIDES = 4


@dataclass(frozen=True, slots=True)
class _Recipe:
    """How a ring is made.

    Args:
        radius: of the circle on which the land is highest, in sides of the map.
        steepness: how fast the ground falls off from there.
        most_crowded: by a number of nearest rivals, the largest ratio of the distances from one city to them and from
            another.
        settle: finds the homes, and the land with shifted coasts; `None` if there is no room.
    """

    radius: float
    steepness: float
    most_crowded: Mapping[int, float]
    settle: Callable[[_Recipe, _Ground, Dice], _Settled | None]


@dataclass(frozen=True, slots=True)
class _Ground:
    """Land around an inland sea, before anybody lives there.

    Args:
        soil: the cells that are land; `continent`: those of its largest part.
        from_sea: the steps over land from the ocean, of each cell.
        sites: the cells on which a city may stand.
    """

    plan: Plan
    soil: Set[int]
    continent: Set[int]
    from_sea: Mapping[int, int]
    sites: Sequence[int]

    @staticmethod
    def of(plan: Plan, soil: Set[int], inland: Set[int]) -> _Ground:
        """The ground around this inland sea."""
        grid, within = plan.grid, int(plan.rules["coast_within"])
        continent = parts(grid, soil)[0]
        from_sea = distances(grid, set(grid.cells) - soil - inland, soil)
        sites = [cell for cell in sorted(continent) if from_sea.get(cell, len(grid)) <= within]
        return _Ground(plan, soil, continent, from_sea, sites)

    def spread(self, dice: Dice, number: int) -> list[int]:
        """Cities as far apart as possible, starting with a random one."""
        return spread(self.plan, self.sites, dice.pick(f"first city/{number}", self.sites))


class _Settled(NamedTuple):
    soil: Set[int]
    homes: tuple[tuple[int, ...], ...]


def _settle_few(recipe: _Recipe, ground: _Ground, dice: Dice) -> _Settled | None:
    """Homes by the plan, of several, that gives all the most equal room and land."""
    plan, soil = ground.plan, ground.soil
    plans = []
    for number in range(_PLANS):
        cities = ground.spread(dice, number)
        for _ in range(_MOVES):
            cities = _between(ground, cities)
        plans.append(tuple(sorted(cities)))
    apart = [cities for cities in dict.fromkeys(plans) if are_apart(plan, cities)]
    if not apart:
        return None
    best = min(
        apart,
        key=lambda cities: unevenly_shared(plan.grid, soil, cities) + _ROOM * crowding(plan.grid, soil, cities),
    )
    homes = grow_homes(plan, dice, soil, ground.from_sea, best)
    if homes is None or not _have_room(recipe, plan, soil, homes):
        return None
    return _Settled(shift_coasts(plan, dice, soil, homes), homes)


def _settle_many(recipe: _Recipe, ground: _Ground, dice: Dice) -> _Settled | None:
    """Homes by the plan, of several, whose cities have the most equal room; then by the most equal land of several."""
    plan, grid, soil, sites = ground.plan, ground.plan.grid, ground.soil, set(ground.sites)
    plans = []
    for number in range(_PLANS_FOR_MANY):
        cities = _between(ground, ground.spread(dice, number))
        plans.append(evenly_spaced(plan, dice.for_phase(f"plan/{number}"), sites, cities))
    apart = [cities for cities in plans if are_apart(plan, cities)]
    if not apart:
        return None
    best = min(apart, key=lambda cities: inequality(grid, cities))
    drafts = (
        grow_homes(plan, dice.for_phase(f"homes/{number}"), soil, ground.from_sea, sorted(best))
        for number in range(_HOMES)
    )
    grown = [homes for homes in drafts if homes is not None]
    if not grown:
        return None
    homes = min(grown, key=lambda homes: scatter([len(region) for region in nearest_land(grid, soil, homes)]))
    if not _have_room(recipe, plan, soil, homes):
        return None
    return _Settled(even_shores(plan, dice, soil, homes), homes)


_MOST_SIDE_FOR_MANY = 40
"""Larger maps of more than `FEW` nations are seldom a ring at the first attempts, and an attempt takes a second."""
FEW = 8
"""The number of nations up to which cities only have to be between their two nearest rivals."""
_FOR_FEW = _Recipe(0.34, 43.0, {2: 1.2}, _settle_few)
_FOR_MANY = _Recipe(0.36, 80.0, {2: 1.1, 4: 1.15}, _settle_many)


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
    inland = inland_sea(plan.grid, soil)
    settled = recipe.settle(recipe, _Ground.of(plan, soil, inland), dice) if inland else None
    if settled is None:
        return None
    # Shifted coasts may have made it stop being a ring.
    is_ring = inland_sea(plan.grid, settled.soil) and _have_room(recipe, plan, settled.soil, settled.homes)
    return furnish(plan, dice, settled.soil, settled.homes) if is_ring else None


def _have_room(recipe: _Recipe, plan: Plan, soil: Set[int], homes: Sequence[Sequence[int]]) -> bool:
    """Whether the cities are about equally far apart."""
    apart = steps_apart(plan.grid, soil, [home[0] for home in homes])
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


def crowding(grid: Grid, soil: Set[int], cities: Sequence[int]) -> float:
    """The largest ratio of the steps over land to one city's nearest rivals and to another's."""
    return _crowding(steps_apart(grid, soil, cities), _RIVALS)


def _crowding(apart: Sequence[Sequence[int]], rivals: int) -> float:
    return ratio([sum(steps[1 : 1 + rivals]) for steps in apart])


def _between(ground: _Ground, cities: Sequence[int]) -> list[int]:
    """Each city moved, within the land nearest to it, to the middle of that land and between its two nearest rivals."""
    plan, grid, sites = ground.plan, ground.plan.grid, set(ground.sites)
    gap, moved = int(plan.rules["home_distance"]), list(cities)
    for place, region in enumerate(nearest_land(grid, ground.continent, [[city] for city in cities])):
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
