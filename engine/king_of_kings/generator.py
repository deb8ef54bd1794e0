"""The scenario generator of the Classic game: a fair random map, as the `state` of a game.json.

Land is raised from noise, cities are placed as far apart as possible, then coasts are shifted until every nation has
as much neutral land around it as the others, and good land is shared out. All dice are keyed by the seed.
Source: rules 12 (rulings K-53, K-64 to K-66).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from copy import copy
from dataclasses import dataclass
from itertools import chain, product
from math import isqrt
from types import MappingProxyType
from typing import Any

from engine.core.dice import Dice
from engine.core.errors import DocumentError
from engine.core.variant import load_variant
from engine.king_of_kings.tables import standard
from engine.lattice.squares import Grid, grid_of

MONSTERS = "monsters"
"""The nation that holds the neutral towns."""
SYSTEM, CLASSIC = "king_of_kings", "classic"
MOST_SIDE = 60
"""The most nations for which a map is made fair; the time that this takes grows fast with the number."""
_MOST_ROUGH_SIDE = 250
GIVEN = ("side", "start_gold", "start_wood", "start_units", "garrison")
"""What a scenario may say about a random map."""
_LETTERS = {
    "cultivated": "C", "plains": "P", "grassland": "G", "desert": "D", "steppes": "S", "forest": "F", "hills": "H",
    "mountains": "M", "marsh": "R", "swamps": "W", "town": "T", "city": "Y", "sea": "~",
}  # fmt: skip
_LEAST_SEA = 5
"""The fewest cells of a water that is not filled in."""
_MARGIN = 2
"""How many cells there are between a city and the edge of the map."""
_TOWN_GAP = 3
"""How many steps a neutral town is from a home or another town, if there is room."""
# How long coasts are shifted: drafts that are made, and random changes when nothing helps, in so many cells each;
# unless somebody has more than so many times another's land. Land may grow or shrink by so much of the map.
_MOST_TRIES = 500
_MOST_KICKS, _KICK = 20, 3
_HOPELESS = 1.3
_MOST_CANDIDATES = 6
_MOST_SWAPS = 8
_SLACK_PERCENT = 4
_NEW_LAND, _RELIEF, _RAIN = "land", "relief", "rain"


@dataclass(frozen=True, slots=True)
class Land:
    """A map with its nations' homes. Cells are numbered row by row from 0.

    Args:
        side: the length of the square's side.
        soil: the cells that are land.
        homes: for each nation its six provinces, the city first.
        towns: the neutral towns.
        terrain: by cell, the letter.
    """

    side: int
    soil: frozenset[int]
    homes: tuple[tuple[int, ...], ...]
    towns: tuple[int, ...]
    terrain: str


def classic(
    nations: int,
    seed: str,
    *,
    side: int | None = None,
    given: Mapping[str, Any] = MappingProxyType({}),
    make: Callable[..., Land] | None = None,
) -> dict[str, Any]:
    """The first position of a Classic game as the `state` of a game.json; the same for the same arguments.

    Args:
        nations: how many play; the Monsters come besides.
        side: of the square map; left out, it grows with the nations.
        given: a scenario's own `side` and beginning: `start_gold`, `start_wood`, `start_units`, `garrison`.
        make: what makes the map; left out, `make_land`.

    Raises:
        DocumentError: more nations than there are names, a map that can't hold them, or an unknown key.
    """
    for key in given:
        if key not in GIVEN:
            raise DocumentError(f"generator.{key}", f"there is no such key; there are {', '.join(GIVEN)}")
    side = given.get("side", side)
    if side is not None and (not isinstance(side, int) or isinstance(side, bool)):
        raise DocumentError("generator.side", f"{side!r} is not a whole number")
    return position((make or make_land)(nations, seed, side=side), {key: given[key] for key in given if key != "side"})


def make_land(nations: int, seed: str, *, side: int | None = None) -> Land:
    """The first of the seed's maps that passes the test of fairness.

    Raises:
        DocumentError: the map is too small for so many nations.
    """
    for land in drafts(nations, seed, side=side):
        if unfairness(land) is None:
            return land
    raise DocumentError("options.map_side", f"no fair map of this size holds {nations} nations")


def drafts(nations: int, seed: str, *, side: int | None = None) -> Iterator[Land]:
    """Maps with room for everybody, one after the other, fair or not.

    Raises:
        DocumentError: the side is too short for this many nations.
    """
    most = len(load_variant(SYSTEM, CLASSIC).tables["nations"])
    if not 1 <= nations <= most:
        raise DocumentError("players", f"{nations} can't play; 1 to {most} can")
    plan = Plan.of(nations, side, MOST_SIDE)
    for number in range(_MOST_TRIES):
        land = _attempt(plan, Dice(seed).for_phase(f"map/{plan.side}/{nations}/{number}"))
        if land is not None:
            yield land


def rough_draft(nations: int, seed: str, *, side: int) -> Land:
    """A map with room for everybody, not made fair, for sizes at which that takes too long.

    Raises:
        DocumentError: no map of this side has room for this many nations.
    """
    plan = Plan.of(nations, side, _MOST_ROUGH_SIDE)
    for number in range(_MOST_TRIES):
        dice = Dice(seed).for_phase(f"map/{plan.side}/{nations}/{number}")
        soil = raise_land(plan, dice)
        homes = _settle(plan, dice, soil)
        if homes is not None:
            letters = cover(plan, dice, soil, homes, ())
            return Land(plan.side, frozenset(soil), homes, (), "".join(letters))
    raise DocumentError("options.map_side", f"no map of this size holds {nations} nations")


def unfairness(land: Land) -> str | None:
    """What is unfair about a map; `None`: nothing.

    A fair map has homes of six connected provinces with the same terrains and a harbour; cities a number of steps apart
    and near the sea; counts of neutral provinces around the homes that differ little, both by steps over land and as
    the crow flies; and counts of towns there.
    """
    rules = load_variant(SYSTEM, CLASSIC).settings["generator"]
    grid = grid_of(land.side, land.side)
    wanted = sorted(_LETTERS[name] for name in rules["home"])
    sea = frozenset(grid.cells) - land.soil
    for home in land.homes:
        if sorted(land.terrain[cell] for cell in home) != wanted:
            return "homes differ"
        if len(parts(grid, home)) > 1:
            return "a home is torn"
        if min(steps_between(grid, home[0], cell) for cell in sea) > rules["coast_within"]:
            return "a city is far from the sea"
        if all(set(grid.neighbours[cell]) <= land.soil for cell in home):
            return "a home has no harbour"
    cities = [home[0] for home in land.homes]
    for index, city in enumerate(cities):
        if any(steps_between(grid, city, other) < rules["home_distance"] for other in cities[:index]):
            return "cities are too close"
    neutral = land.soil.difference(*land.homes)
    for ground in (land.soil, frozenset(grid.cells)):
        counts = [len(distances(grid, home, ground, rules["fair_within"]).keys() & neutral) for home in land.homes]
        if not _is_even(counts, rules["fair_percent"]):
            return "some have more land around them"
    reaches = [distances(grid, home, land.soil, rules["fair_within"]).keys() for home in land.homes]
    towns = [len(reach & set(land.towns)) for reach in reaches]
    if max(towns) - min(towns) > rules["fair_towns"]:
        return "some have more towns around them"
    return None


def _is_even(counts: Sequence[int], percent: int) -> bool:
    """Whether the largest value exceeds the smallest by at most this many percent of the smallest."""
    return (max(counts) - min(counts)) * 100 <= percent * min(counts)


# The plan and the ground


@dataclass(frozen=True, slots=True)
class Plan:
    """The aims for a map; `rings` are the up to eight cells around each cell."""

    nations: int
    grid: Grid
    rules: Mapping[str, Any]
    rings: tuple[tuple[int, ...], ...]

    @staticmethod
    def of(nations: int, side: int | None, most: int) -> Plan:
        """The aims for so many nations.

        Args:
            side: in provinces; `None`: the least that is enough.
            most: the largest side that can be asked for.

        Raises:
            DocumentError: the side is too short or too long.
        """
        rules = load_variant(SYSTEM, CLASSIC).settings["generator"]
        # The square root, rounded up.
        least = max(rules["least_side"], isqrt(rules["cells_a_nation"] * nations - 1) + 1)
        if side is not None and not least <= side <= most:
            raise DocumentError("options.map_side", f"{nations} nations need from {least} to {most}, not {side}")
        grid = grid_of(side or least, side or least)
        return Plan(nations, grid, rules, tuple(tuple(_ring(grid, cell)) for cell in grid.cells))

    @property
    def side(self) -> int:
        """The length of the map's sides, in provinces."""
        return self.grid.width

    @property
    def land_cells(self) -> int:
        """How many provinces are to be land."""
        return len(self.grid) * int(self.rules["land_percent"]) // 100


def _ring(grid: Grid, cell: int) -> Iterator[int]:
    x, y = cell % grid.width, cell // grid.width
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            found = grid.find(x + dx, y + dy)
            if found is not None and found != cell:
                yield found


def steps_between(grid: Grid, here: int, there: int) -> int:
    """Steps from one cell to another, whatever lies between."""
    side = grid.width
    return abs(here % side - there % side) + abs(here // side - there // side)


def distances(grid: Grid, start: Iterable[int], ground: Set[int], most: int | None = None) -> dict[int, int]:
    """The steps over this ground from the nearest start, for the cells within reach, including the starts."""
    found = dict.fromkeys(start, 0)
    edge: Sequence[int] = list(found)
    steps = 0
    while edge and steps != most:
        steps += 1
        beyond: list[int] = []
        for cell in edge:
            for other in grid.neighbours[cell]:
                if other in ground and other not in found:
                    found[other] = steps
                    beyond.append(other)
        edge = beyond
    return found


def parts(grid: Grid, ground: Iterable[int]) -> list[set[int]]:
    """The connected parts of a ground, the largest first."""
    found = []
    left = set(ground)
    while left:
        part = set(distances(grid, (min(left),), left))
        found.append(part)
        left -= part
    return sorted(found, key=lambda part: (-len(part), min(part)))


def _attempt(plan: Plan, dice: Dice) -> Land | None:
    """A map, fair or not; `None` if there was no room for the nations."""
    soil = raise_land(plan, dice)
    homes = _settle(plan, dice, soil)
    if homes is None:
        return None
    soil = _shift_coasts(plan, dice, soil, homes)
    towns = _found_towns(plan, soil, homes)
    letters = cover(plan, dice, soil, homes, towns)
    share_out(plan, letters, sorted(soil.difference(towns, *homes)), _reaches(plan, soil, homes))
    return Land(plan.side, frozenset(soil), homes, towns, "".join(letters))


# Land and sea


def _noise(dice: Dice, name: str, side: int, period: int) -> list[float]:
    """A smooth height from 0 to 1 for each cell: hills and hollows about as wide as the period."""
    count = side // period + 2
    shift = (dice.roll(f"{name}/{period}/x", sides=period), dice.roll(f"{name}/{period}/y", sides=period))
    knots = [
        [dice.roll(f"{name}/{period}/{x},{y}", sides=1000) / 1000 for x in range(count + 1)] for y in range(count + 1)
    ]
    steps = [_step((index + shift[0]) % period / period) for index in range(side)]
    rises = [_step((index + shift[1]) % period / period) for index in range(side)]
    heights = []
    for y in range(side):
        above, below = knots[(y + shift[1]) // period], knots[(y + shift[1]) // period + 1]
        for x in range(side):
            at = (x + shift[0]) // period
            upper = above[at] + (above[at + 1] - above[at]) * steps[x]
            lower = below[at] + (below[at + 1] - below[at]) * steps[x]
            heights.append(upper + (lower - upper) * rises[y])
    return heights


def _step(part: float) -> float:
    return part * part * (3 - 2 * part)


def plateau(side: int, cell: int) -> float:
    """How much lower the ground is here: hardly at all, except at the edge of the map."""
    middle = (side - 1) / 2
    return 0.2 * (max(abs(cell % side - middle), abs(cell // side - middle)) / middle) ** 4


def raise_land(plan: Plan, dice: Dice, slope: Callable[[int, int], float] = plateau) -> set[int]:
    """The highest cells of a noise, without islets and ponds, in at most this many continents.

    Source: ruling K-65.

    Args:
        slope: how much lower the ground is, given the side of the map and the cell; heights are 0 to 1.8.
    """
    side, grid = plan.side, plan.grid
    broad = _noise(dice, _NEW_LAND, side, max(4, side // 3))
    fine = _noise(dice, _NEW_LAND, side, 4)
    heights = [broad[cell] + 0.8 * fine[cell] - slope(side, cell) for cell in range(len(grid))]
    ranked = sorted(range(len(grid)), key=lambda cell: (-heights[cell], cell))
    soil = set(ranked[: plan.land_cells])
    for continent in parts(grid, soil)[int(plan.rules["most_continents"]) :]:
        soil -= continent
    waters = parts(grid, set(grid.cells) - soil)
    for pond in waters[1:]:
        if len(pond) < _LEAST_SEA:
            soil |= pond
    while len(soil) < plan.land_cells:
        shore = [cell for cell in ranked if cell not in soil and not soil.isdisjoint(grid.neighbours[cell])]
        soil.update(shore[: plan.land_cells - len(soil)])
    return soil


# Homes


def _settle(plan: Plan, dice: Dice, soil: Set[int]) -> tuple[tuple[int, ...], ...] | None:
    """A home for each nation, its city as far from all others as possible; nations get them at random."""
    grid, within = plan.grid, int(plan.rules["coast_within"])
    from_sea = distances(grid, set(grid.cells) - soil, soil)
    sites = [
        cell
        for cell in sorted(soil)
        if from_sea.get(cell, len(grid)) <= within
        and all(_MARGIN <= place < plan.side - _MARGIN for place in divmod(cell, plan.side))
    ]
    if not sites:
        return None
    cities = [dice.pick("first city", sites)]
    gaps = [steps_between(grid, cities[0], cell) for cell in sites]
    while len(cities) < plan.nations:
        best = max(range(len(sites)), key=lambda index: gaps[index])
        if gaps[best] < plan.rules["home_distance"]:
            return None
        cities.append(sites[best])
        gaps = [min(gap, steps_between(grid, sites[best], cell)) for gap, cell in zip(gaps, sites, strict=True)]
    return grow_homes(plan, dice, soil, from_sea, cities)


def grow_homes(
    plan: Plan, dice: Dice, soil: Set[int], from_sea: Mapping[int, int], cities: Sequence[int]
) -> tuple[tuple[int, ...], ...] | None:
    """Each city's home, in random order; `None`: there is no room for one of them."""
    homes: list[tuple[int, ...]] = []
    taken = set(cities)
    for city in dice.shuffled("cities", cities):
        home = _grow_home(plan, dice, soil, from_sea, city, taken)
        if home is None:
            return None
        homes.append(home)
        taken |= set(home)
    return tuple(homes)


def _grow_home(
    plan: Plan, dice: Dice, soil: Set[int], from_sea: Mapping[int, int], city: int, taken: Set[int]
) -> tuple[int, ...] | None:
    """A city with its way to the sea and the land around it, as many provinces as a home has. Source: ruling K-65."""
    grid = plan.grid
    home = [city]
    while from_sea[home[-1]] > 1:
        down = [cell for cell in grid.neighbours[home[-1]] if from_sea.get(cell, len(grid)) < from_sea[home[-1]]]
        free = [cell for cell in down if cell not in taken]
        if not free:
            return None
        home.append(dice.pick(f"way/{home[-1]}", free))
    while len(home) < len(plan.rules["home"]):
        rim = sorted({other for cell in home for other in grid.neighbours[cell] if other in soil} - taken - set(home))
        if not rim:
            return None
        nearest = min(steps_between(grid, city, cell) for cell in rim)
        home.append(
            dice.pick(f"home/{city}/{len(home)}", [cell for cell in rim if steps_between(grid, city, cell) == nearest])
        )
    return tuple(home)


# Fairness


def _shift_coasts(plan: Plan, dice: Dice, soil: set[int], homes: Sequence[Sequence[int]]) -> set[int]:
    """The land after changing cells of its coasts until every home has about the same neutral land around it.

    One cell at a time, taken from the nation with most around it or given to the one with least. If that stops
    helping, but is not hopeless, a few coasts are changed at random.
    """
    balance = _Balance(plan, soil, homes)
    for attempt in range(_MOST_KICKS):
        while not balance.is_even() and balance.improve():
            pass
        if balance.is_even() or balance.spread() > _HOPELESS:
            break
        for number in range(_KICK):
            nation = dice.roll(f"coast/{attempt}/{number}/nation", sides=plan.nations) - 1
            coast = balance.coast(nation)
            if coast:
                balance.change(dice.pick(f"coast/{attempt}/{number}", coast))
    return balance.soil


class _Balance:
    """The neutral land around each home, kept up to date while coasts are shifted.

    Counted in two ways: by steps over land (`walked`), and as the crow flies (`flown`).
    """

    def __init__(self, plan: Plan, soil: Set[int], homes: Sequence[Sequence[int]]) -> None:
        self.plan = plan
        self.soil = set(soil)
        self.homes = homes
        self.within = int(plan.rules["fair_within"])
        self.settled = frozenset(cell for home in homes for cell in home)
        everything = frozenset(plan.grid.cells)
        discs = [set(distances(plan.grid, home, everything, self.within)) for home in homes]
        self.near: dict[int, list[int]] = {}
        """The nations to which a cell is near, as the crow flies."""
        for nation, disc in enumerate(discs):
            for cell in disc - self.settled:
                self.near.setdefault(cell, []).append(nation)
        harbours = {sea for cell in self.settled for sea in plan.grid.neighbours[cell] if sea not in self.soil}
        self.shifting = [sorted(disc - self.settled - harbours) for disc in discs]
        """The cells that may change near each nation: the sea at homes stays."""
        self.flown = [len(disc & self.soil - self.settled) for disc in discs]
        self.walked = [self._walk(nation) for nation in range(len(homes))]
        self.stuck: set[tuple[int, bool]] = set()
        """Nations near which no change helps, until a cell near them changes."""

    def is_even(self) -> bool:
        """Whether the map is as fair as it has to be."""
        return all(_is_even(counts, self.plan.rules["fair_percent"]) for counts in (self.walked, self.flown))

    def spread(self) -> float:
        """The ratio of the most neutral land around a nation to the least."""
        return max(max(counts) / max(1, min(counts)) for counts in (self.walked, self.flown))

    def coast(self, nation: int) -> list[int]:
        """Cells near a nation that can change sides without tearing the land or sea that loses them, in map order."""
        return [cell for cell in self.shifting[nation] if self._can_change(cell)]

    def improve(self) -> bool:
        """Make one change that helps; false if nothing helps."""
        before = self._cost()
        surplus = len(self.soil) - self.plan.land_cells
        slack = len(self.plan.grid) * _SLACK_PERCENT // 100
        ways = sorted((True, False), key=lambda is_rise: is_rise == (surplus > 0))
        for is_rise in ways:
            if surplus * (1 if is_rise else -1) > slack:
                continue
            for nation in self._extremes(is_rise):
                if (nation, is_rise) in self.stuck:
                    continue
                for cell in self._candidates(nation, is_rise)[:_MOST_CANDIDATES]:
                    undo = self.change(cell)
                    if self._cost() < before:
                        return True
                    self._restore(cell, undo)
                self.stuck.add((nation, is_rise))
        return False

    def _extremes(self, is_rise: bool) -> Iterable[int]:
        """The nations with least around them, or most, by either count: a tenth of all."""
        few = 1 + len(self.homes) // 10
        ranked = (
            sorted(range(len(counts)), key=lambda nation: counts[nation], reverse=not is_rise)[:few]
            for counts in (self.walked, self.flown)
        )
        return dict.fromkeys(chain.from_iterable(zip(*ranked, strict=True)))

    def change(self, cell: int) -> dict[int, int]:
        """Turn land into sea or sea into land. Returns what could be reached on foot before, by nation."""
        self._flip(cell)
        undo = {nation: self.walked[nation] for nation in self.near[cell]}
        self.stuck -= {(nation, is_rise) for nation in undo for is_rise in (True, False)}
        for nation in undo:
            self.walked[nation] = self._walk(nation)
        return undo

    def _restore(self, cell: int, undo: Mapping[int, int]) -> None:
        self._flip(cell)
        for nation, walked in undo.items():
            self.walked[nation] = walked

    def _flip(self, cell: int) -> None:
        self.soil ^= {cell}
        for nation in self.near[cell]:
            self.flown[nation] += 1 if cell in self.soil else -1

    def _cost(self) -> float:
        """How uneven it is."""
        return _unevenness(self.walked) + _unevenness(self.flown)

    def _candidates(self, nation: int, is_rise: bool) -> list[int]:
        """Cells near a nation that can change in this way, first those that help others too."""
        mean = (sum(self.walked) + sum(self.flown)) / len(self.homes)
        need = [mean - walked - flown for walked, flown in zip(self.walked, self.flown, strict=True)]
        sign = -1 if is_rise else 1
        found = [
            (sign * sum(need[other] for other in self.near[cell]), cell)
            for cell in self.shifting[nation]
            if (cell in self.soil) is not is_rise and self._can_change(cell)
        ]
        return [cell for _, cell in sorted(found)]

    def _can_change(self, cell: int) -> bool:
        grid, is_land = self.plan.grid, cell in self.soil
        beside = [other for other in grid.neighbours[cell] if (other in self.soil) is is_land]
        if not 0 < len(beside) < len(grid.neighbours[cell]):
            return False
        ring = self.plan.rings[cell]
        same = {other for other in ring if (other in self.soil) is is_land}
        return set(distances(grid, beside[:1], same)).issuperset(beside)

    def _walk(self, nation: int) -> int:
        return len(distances(self.plan.grid, self.homes[nation], self.soil, self.within).keys() - self.settled)


# Towns and terrain


def _found_towns(plan: Plan, soil: Set[int], homes: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Neutral towns, one by one for the nation with fewest within reach, away from homes and from each other."""
    grid = plan.grid
    settled = {cell for home in homes for cell in home}
    reaches = _reaches(plan, soil, homes)
    gaps = {cell: min(steps_between(grid, cell, other) for other in settled) for cell in sorted(soil - settled)}
    near_to = {cell: tuple(nation for nation, reach in enumerate(reaches) if cell in reach) for cell in gaps}
    kinds = frozenset(near_to.values())
    counts = [0] * len(homes)
    towns: list[int] = []
    for _ in range(len(gaps) // int(plan.rules["provinces_a_town"])):
        poorest = min(range(len(homes)), key=lambda nation: counts[nation])
        near = [cell for cell in gaps if cell in reaches[poorest] and gaps[cell] >= _TOWN_GAP]
        free = near or [cell for cell in gaps if gaps[cell]]
        envy = {nations: _envy(counts, nations) for nations in kinds}
        town = min(free, key=lambda cell: (envy[near_to[cell]], -gaps[cell], cell))
        towns.append(town)
        for nation in near_to[town]:
            counts[nation] += 1
        gaps = {cell: min(gap, steps_between(grid, town, cell)) for cell, gap in gaps.items()}
    return tuple(towns)


def _reaches(plan: Plan, soil: Set[int], homes: Sequence[Sequence[int]]) -> list[Set[int]]:
    """For each nation, the neutral land near its home, over land."""
    settled = {cell for home in homes for cell in home}
    within = int(plan.rules["fair_within"])
    return [distances(plan.grid, home, soil, within).keys() - settled for home in homes]


def _envy(counts: Sequence[int], nations: Sequence[int]) -> int:
    """How uneven the counts of towns would be after another town near these nations."""
    after = [count + (nation in nations) for nation, count in enumerate(counts)]
    least = min(after)
    return sum((count - least) ** 2 for count in after)


def cover(plan: Plan, dice: Dice, soil: Set[int], homes: Sequence[Sequence[int]], towns: Sequence[int]) -> list[str]:
    """The terrain of every cell: the same in all homes, the rest in the shares of the table, in ranges and valleys."""
    letters = ["~"] * len(plan.grid)
    around = [_LETTERS[name] for name in plan.rules["home"]]
    for home in homes:
        shuffled = dice.shuffled(f"terrain/{home[0]}", around[1:])
        for cell, letter in zip(home, (around[0], *shuffled), strict=True):
            letters[cell] = letter
    for cell in towns:
        letters[cell] = _LETTERS["town"]
    wild = sorted(cell for cell in soil if letters[cell] == "~")
    relief, rain = (_rough(plan, dice, name) for name in (_RELIEF, _RAIN))
    left = wild
    for name, key in (("mountains", relief), ("hills", relief)):
        left = _take(plan, letters, wild, name, sorted(left, key=lambda cell: (-key[cell], cell)))
    for name in ("swamps", "marsh"):
        left = _take(plan, letters, wild, name, sorted(left, key=lambda cell: (relief[cell] - rain[cell], cell)))
    for name in ("forest", "grassland", "cultivated", "plains", "steppes", "desert"):
        left = _take(plan, letters, wild, name, sorted(left, key=lambda cell: (-rain[cell], cell)))
    for cell in left:
        letters[cell] = _LETTERS["plains"]
    return letters


def share_out(plan: Plan, letters: list[str], wild: Sequence[int], reaches: Sequence[Set[int]]) -> None:
    """Swap good land near nations that have much with poor land near those that have little, until all are about even.

    Every kind of terrain stays as common as it was.
    """
    worth = {kind.letter: kind.food + 2 * kind.gold + kind.wood // 2 for kind in standard().terrain.values()}
    near = {cell: [nation for nation, reach in enumerate(reaches) if cell in reach] for cell in wild}
    sums = [sum(worth[letters[cell]] for cell in wild if cell in reach) for reach in reaches]
    while not _is_even(sums, int(plan.rules["fair_percent"])):
        mean = sum(sums) / len(sums)
        surplus = {cell: sum(sums[nation] - mean for nation in near[cell]) for cell in wild}
        good = sorted(wild, key=lambda cell: (-surplus[cell] * worth[letters[cell]], cell))[:_MOST_SWAPS]
        poor = sorted(wild, key=lambda cell: (surplus[cell] / (1 + worth[letters[cell]]), cell))[:_MOST_SWAPS]
        swaps = {}
        for one, other in product(good, poor):
            after = list(sums)
            gain = worth[letters[one]] - worth[letters[other]]
            for nation in near[one]:
                after[nation] -= gain
            for nation in near[other]:
                after[nation] += gain
            swaps[one, other] = after
        one, other = min(swaps, key=lambda pair: _unevenness(swaps[pair]))
        if _unevenness(swaps[one, other]) >= _unevenness(sums):
            return
        letters[one], letters[other] = letters[other], letters[one]
        sums = swaps[one, other]


def _unevenness(counts: Sequence[int]) -> float:
    """How uneven values are: 0 if all are equal; the extremes weigh most."""
    return sum((count * len(counts) / sum(counts) - 1) ** 4 for count in counts)


def _take(plan: Plan, letters: list[str], wild: Sequence[int], name: str, ranked: Sequence[int]) -> list[int]:
    """Give this terrain to the first of the ranked cells, as many as its share needs. Returns the rest."""
    weights = plan.rules["weights"]
    count = round(len(wild) * weights[name] / sum(weights.values()))
    for cell in ranked[:count]:
        letters[cell] = _LETTERS[name]
    return list(ranked[count:])


def _rough(plan: Plan, dice: Dice, name: str) -> list[float]:
    """Noise with additional randomness in every cell, so that no nation is in a wide stretch of one terrain."""
    smooth = _noise(dice, name, plan.side, 4)
    return [height + dice.roll(f"{name}/{cell}", sides=1000) / 1600 for cell, height in enumerate(smooth)]


# The document


def position(land: Land, given: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """The map with everybody's first units, as the `state` of a game.json; `given` replaces parts of it."""
    variant = load_variant(SYSTEM, CLASSIC)
    rules = {**variant.settings["generator"], **given}
    names = [row["id"] for row in variant.tables["nations"]][: len(land.homes)]
    side = land.side
    provinces: dict[int, dict[str, Any]] = {}
    for name, home in zip(names, land.homes, strict=True):
        for cell in home:
            provinces[cell] = {"owner": name, "home_of": name, "units": {name: copy(rules["start_units"])}}
    for cell in land.towns:
        provinces[cell] = {"owner": MONSTERS, "units": {MONSTERS: copy(rules["garrison"])}}
    nations: list[dict[str, Any]] = [
        {"name": name, "gold": rules["start_gold"], "wood": rules["start_wood"]} for name in names
    ]
    return {
        "map": [land.terrain[row * side : (row + 1) * side] for row in range(side)],
        "nations": [*nations, {"name": MONSTERS, "controller": MONSTERS}],
        "provinces": [{"x": cell % side, "y": cell // side, **row} for cell, row in sorted(provinces.items())],
    }
