"""The second generator of random maps, for `map=balanced`: it evens out what decides a game.

The first (`generator`) counts neutral land within some steps of each home: twice what two nations want. Here each
province is counted for the home that is nearest over land. Homes stand on one continent, so that nobody is alone on an
island; cities are moved to the middle of their land, coasts are shifted until everybody has as much land, each gets as
many towns, and good land is shared out. Source: ruling K-97
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence, Set

from engine.core.dice import Dice
from engine.core.errors import DocumentError
from engine.king_of_kings.generator import (
    MOST_SIDE,
    Land,
    Plan,
    cover,
    distances,
    grow_homes,
    parts,
    raise_land,
    share_out,
    steps_between,
)
from engine.king_of_kings.tables import standard
from engine.lattice.squares import Grid

MOST_UNEVEN = 1.35
"""How many times as much of the nearest land, and of its gold, as the poorest the richest may have."""
_MOST_TRIES = 200
_PLANS, _MOVES, _SHIFTS = 6, 4, 160
"""The number of plans for cities that are compared, of times that cities move to their middles, and of coast shifts."""
_SLACK_PERCENT = 6
_EVEN = 1.12
_TOWN_GAP = 2


def make_land(nations: int, seed: str, *, side: int | None = None) -> Land:
    """The first even map for a seed.

    Raises:
        DocumentError: the map is too small for this many nations.
    """
    return first_even(Plan.of(nations, side, MOST_SIDE), seed, "even", _attempt, tries=_MOST_TRIES)


def first_even(plan: Plan, seed: str, kind: str, attempt: Callable[[Plan, Dice], Land | None], *, tries: int) -> Land:
    """The first even map of this many attempts.

    Args:
        kind: the kind of map; its dice have this name, so it must never change.

    Raises:
        DocumentError: none is even.
    """
    for number in range(tries):
        land = attempt(plan, Dice(seed).for_phase(f"{kind}/{plan.side}/{plan.nations}/{number}"))
        if land is not None and max(unevenness(plan.grid, land)) <= MOST_UNEVEN:
            return land
    raise DocumentError("options.map_side", f"no {kind} map of this size holds {plan.nations} nations")


def unevenness(grid: Grid, land: Land) -> tuple[float, float]:
    """How many times as much nearest neutral land, or gold from it, as the poorest nation the richest has."""
    gold = {kind.letter: kind.gold for kind in standard().terrain.values()}
    regions = nearest_land(grid, land.soil, land.homes)
    counts = [float(len(region)) for region in regions]
    riches = [float(sum(gold[land.terrain[cell]] for cell in region)) for region in regions]
    return ratio(counts), ratio(riches)


def ratio(counts: Sequence[float]) -> float:
    """The largest value divided by the smallest, which is taken to be at least one."""
    return max(counts) / max(1.0, min(counts))


def nearest_land(grid: Grid, soil: Set[int], homes: Sequence[Collection[int]]) -> list[set[int]]:
    """For each nation, the neutral land nearest to its home, over land; what is equally near to two is left out."""
    # A set of nations is a number with a bit for each: large maps ask thousands of times.
    nearest = {cell: 1 << nation for nation, home in enumerate(homes) for cell in home}
    settled, edge = set(nearest), list(nearest)
    while edge:
        reached: dict[int, int] = {}
        for cell in edge:
            nations = nearest[cell]
            for other in grid.neighbours[cell]:
                if other in soil and other not in nearest:
                    reached[other] = reached.get(other, 0) | nations
        nearest |= reached
        edge = list(reached)
    regions: list[set[int]] = [set() for _ in homes]
    for cell, nations in nearest.items():
        if cell not in settled and nations.bit_count() == 1:
            regions[nations.bit_length() - 1].add(cell)
    return regions


def _attempt(plan: Plan, dice: Dice) -> Land | None:
    """A map, even or not; `None` if there was no room for the nations or towns on one continent."""
    soil = raise_land(plan, dice)
    homes = _settle(plan, dice, soil)
    return None if homes is None else furnish(plan, dice, shift_coasts(plan, dice, soil, homes), homes)


def furnish(plan: Plan, dice: Dice, soil: Set[int], homes: tuple[tuple[int, ...], ...]) -> Land | None:
    """The map for given land and homes, with towns and terrains; `None`: no room for towns."""
    regions = nearest_land(plan.grid, soil, homes)
    towns = _found_towns(plan, soil, homes, regions)
    if towns is None:
        return None
    letters = cover(plan, dice, soil, homes, towns)
    share_out(plan, letters, sorted(set(soil).difference(towns, *homes)), [region - set(towns) for region in regions])
    return Land(plan.side, frozenset(soil), homes, towns, "".join(letters))


# Homes


def _settle(plan: Plan, dice: Dice, soil: Set[int]) -> tuple[tuple[int, ...], ...] | None:
    """A home for each nation on the largest continent, by the plan, of several, that shares it most evenly."""
    grid, within = plan.grid, int(plan.rules["coast_within"])
    continent = parts(grid, soil)[0]
    from_sea = distances(grid, set(grid.cells) - set(soil), soil)
    sites = [cell for cell in sorted(continent) if from_sea.get(cell, len(grid)) <= within]
    plans = []
    for number in range(_PLANS):
        cities = spread(plan, sites, dice.pick(f"first city/{number}", sites))
        for _ in range(_MOVES):
            cities = _middles(plan, sites, continent, cities)
        plans.append(cities)
    apart = [cities for cities in plans if are_apart(plan, cities)]
    if not apart:
        return None
    best = min(apart, key=lambda cities: unevenly_shared(grid, soil, cities))
    return grow_homes(plan, dice, soil, from_sea, best)


def are_apart(plan: Plan, cities: Sequence[int]) -> bool:
    """Whether all cities are as far from each other as homes have to be."""
    least = plan.rules["home_distance"]
    pairs = ((one, other) for place, one in enumerate(cities) for other in cities[:place])
    return all(steps_between(plan.grid, one, other) >= least for one, other in pairs)


def unevenly_shared(grid: Grid, soil: Set[int], cities: Sequence[int]) -> float:
    """The largest ratio of the land nearest to one city to that nearest to another."""
    return ratio([len(region) for region in nearest_land(grid, soil, [[city] for city in cities])])


def spread(plan: Plan, sites: Sequence[int], first: int) -> list[int]:
    """Cities as far apart as possible, starting with this one."""
    cities = [first]
    gaps = {cell: steps_between(plan.grid, first, cell) for cell in sites}
    while len(cities) < plan.nations:
        best = max(sites, key=lambda cell: (gaps[cell], -cell))
        cities.append(best)
        gaps = {cell: min(gap, steps_between(plan.grid, best, cell)) for cell, gap in gaps.items()}
    return cities


def _middles(plan: Plan, sites: Sequence[int], continent: Set[int], cities: Sequence[int]) -> list[int]:
    """Each city moved to the most central site of the land that is nearest to it."""
    grid, moved = plan.grid, []
    allowed = set(sites)
    for city, region in zip(cities, nearest_land(grid, continent, [[city] for city in cities]), strict=True):
        own = sorted({city, *region})
        choice = [cell for cell in own if cell in allowed]
        away = steps_to_all(grid, own)
        moved.append(min(choice, key=lambda cell: (away[cell], cell)))
    return moved


def steps_to_all(grid: Grid, cells: Collection[int]) -> dict[int, int]:
    """For each of these cells, the steps to all of them together, whatever lies between."""
    columns, rows = Counter(cell % grid.width for cell in cells), Counter(cell // grid.width for cell in cells)
    across, down = ({at: sum(abs(at - to) * n for to, n in lines.items()) for at in lines} for lines in (columns, rows))
    return {cell: across[cell % grid.width] + down[cell // grid.width] for cell in cells}


# Coasts


def shift_coasts(plan: Plan, dice: Dice, soil: Set[int], homes: Sequence[Sequence[int]]) -> set[int]:
    """The land after changing coasts cell by cell: given to the nation with least, or taken from that with most."""
    grid, land = plan.grid, set(soil)
    settled = {cell for home in homes for cell in home}
    harbours = {sea for cell in settled for sea in grid.neighbours[cell] if sea not in land}
    slack = len(grid) * _SLACK_PERCENT // 100
    done: set[int] = set()
    for number in range(_SHIFTS):
        regions = nearest_land(grid, land, homes)
        counts = [len(region) for region in regions]
        if ratio(counts) <= _EVEN:
            break
        surplus = len(land) - plan.land_cells
        for is_rise in (surplus <= 0, surplus > 0):
            if abs(surplus + (1 if is_rise else -1)) > slack:
                continue
            nation = counts.index(min(counts) if is_rise else max(counts))
            around = {sea for cell in (*regions[nation], *homes[nation]) for sea in grid.neighbours[cell]} - land
            wanted = around if is_rise else regions[nation]
            cells = [cell for cell in sorted(wanted - harbours - done - settled) if can_change(plan, land, cell)]
            if cells:
                cell = dice.pick(f"coast/{number}", cells)
                land ^= {cell}
                done.add(cell)
                break
        else:
            break
    return land


def can_change(plan: Plan, soil: Set[int], cell: int) -> bool:
    """Whether a cell can change: what loses it is not torn apart, and what gains it joins it at a side."""
    grid, is_land = plan.grid, cell in soil
    beside = [other for other in grid.neighbours[cell] if (other in soil) is is_land]
    if not 0 < len(beside) < len(grid.neighbours[cell]):
        return False
    same = {other for other in plan.rings[cell] if (other in soil) is is_land}
    return set(distances(grid, beside[:1], same)).issuperset(beside)


# Towns


def _found_towns(
    plan: Plan, soil: Set[int], homes: Sequence[Sequence[int]], regions: Sequence[Set[int]]
) -> tuple[int, ...] | None:
    """Equally many neutral towns in the land nearest to each nation, as far from homes and each other as possible."""
    grid = plan.grid
    each = len(set(soil).difference(*homes)) // int(plan.rules["provinces_a_town"]) // plan.nations
    gaps: Mapping[int, int] = {
        cell: min(steps_between(grid, cell, other) for home in homes for other in home)
        for region in regions
        for cell in sorted(region)
    }
    towns: list[int] = []
    for _ in range(max(1, each)):
        for region in regions:
            free = [cell for cell in sorted(region) if gaps[cell] >= _TOWN_GAP]
            if not free:
                return None
            town = max(free, key=lambda cell: (gaps[cell], -cell))
            towns.append(town)
            gaps = {cell: min(gap, steps_between(grid, town, cell)) for cell, gap in gaps.items()}
    return tuple(towns)
