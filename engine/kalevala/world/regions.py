"""Where a world's homes and seas are, great field by great field: homes far apart, with as much land near each.

Source: rules R-094, R-095, ruling KA50
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.core.dice import Dice
from engine.kalevala.world.noise import Noise, middle_of
from engine.kalevala.world.promise import ratio
from engine.lattice.great_fields import FieldId

FIELDS_A_RULER = 19
"""How many great fields a world has for each ruler. Source: rules R-094"""
SEAS_A_RULER = 4
"""How many of these are pure water."""
APART = 4
"""The fewest steps between two capitals, so that no two homes touch."""
FARTHEST = 7
"""The most steps over land from a capital to the nearest other one."""
_PLANS, _MOVES, _SHIFTS = 3, 12, 30
"""The number of plans compared, of times that capitals move to their middles, and of fields shifted for each ruler."""
_LOOSENINGS = 4
_WINDOW, _SHORE = 9, 3
"""Within how many steps of a shifted field the effect is checked, and how many steps from a home its shore is."""
_EVEN = 1.06
_SLACK = 0.1
"""By what share of itself the sea may grow or shrink while land is shared out."""
_AROUND = 6
"""How many fields are around one that is not at the edge."""
_HOME = 7
"""How many fields a home has."""
_WAYS_OUT = 3
_RIM_SEA = 0.22


@dataclass(frozen=True, slots=True)
class Regions:
    """The great fields of a world by number, in order from the middle outward.

    Args:
        fields: where they are.
        beside: the numbers of the fields around each.
        homes: for each ruler, the capital first.
        sea: those that are pure water.
    """

    fields: tuple[FieldId, ...]
    beside: tuple[tuple[int, ...], ...]
    homes: tuple[tuple[int, ...], ...]
    sea: frozenset[int]

    @property
    def settled(self) -> frozenset[int]:
        """All fields of homes."""
        return frozenset(number for home in self.homes for number in home)


def regions(rulers: int, dice: Dice) -> Regions | None:
    """Homes and seas of a world; `None` if this draw has no room for all homes, or separates them."""
    fields = _region(FIELDS_A_RULER * rulers)
    beside = _beside(fields)
    capitals = _settle(rulers, dice, fields, beside)
    if capitals is None:
        return None
    homes = tuple((capital, *beside[capital]) for capital in capitals)
    sea = _seas(dice, fields, beside, homes)
    if not _is_joined(beside, homes, sea):
        return None
    sea = _shift(dice, beside, homes, sea)
    return Regions(fields, beside, homes, frozenset(sea))


def _region(count: int) -> tuple[FieldId, ...]:
    """This many fields around a middle, as round as possible; no coordinate is below 0."""
    side = 0
    while 3 * side * (side + 1) + 1 < count:
        side += 1
    origin = FieldId(0, 0)
    around = [FieldId(u, v) for u in range(-side, side + 1) for v in range(-side, side + 1)]
    near = [field for field in around if origin.distance(field) <= side]
    near.sort(key=lambda field: (origin.distance(field), _squared(field), field))
    return tuple(FieldId(field.u + side, field.v + side + 1) for field in near[:count])


def _squared(field: FieldId) -> int:
    """The distance from the middle in a straight line, squared."""
    return field.u * field.u + field.v * field.v + field.u * field.v


def _beside(fields: Sequence[FieldId]) -> tuple[tuple[int, ...], ...]:
    numbers = {field: number for number, field in enumerate(fields)}
    return tuple(tuple(numbers[other] for other in field.neighbours() if other in numbers) for field in fields)


# Homes


def _settle(
    rulers: int, dice: Dice, fields: Sequence[FieldId], beside: Sequence[Sequence[int]]
) -> tuple[int, ...] | None:
    """A capital for each ruler, in random order: of several plans the one that shares the fields most evenly."""
    sites = [number for number, others in enumerate(beside) if len(others) == _AROUND]
    best: tuple[float, list[int]] | None = None
    for plan in range(_PLANS):
        capitals = _spread(rulers, fields, sites, dice.pick(f"first capital/{plan}", sites))
        for _ in range(_MOVES):
            capitals = _middles(fields, beside, set(sites), capitals)
        capitals = _loosened(beside, set(sites), capitals)
        if all(_gap(fields, capitals, place) >= APART for place in range(rulers)):
            unevenness = ratio(shares(beside, [[each] for each in capitals], range(len(fields))))
            if best is None or unevenness < best[0]:
                best = unevenness, capitals
    return None if best is None else dice.shuffled("homes", best[1])


def _gap(fields: Sequence[FieldId], capitals: Sequence[int], place: int) -> int:
    own = fields[capitals[place]]
    return min((own.distance(fields[each]) for other, each in enumerate(capitals) if other != place), default=APART)


def _spread(rulers: int, fields: Sequence[FieldId], sites: Sequence[int], first: int) -> list[int]:
    """Capitals as far apart as possible, starting with this one."""
    capitals = [first]
    gaps = [fields[first].distance(fields[site]) for site in sites]
    while len(capitals) < rulers:
        best = max(range(len(sites)), key=lambda place: (gaps[place], -place))
        capitals.append(sites[best])
        at = fields[sites[best]]
        gaps = [min(gap, at.distance(fields[site])) for gap, site in zip(gaps, sites, strict=True)]
    return capitals


def _middles(
    fields: Sequence[FieldId], beside: Sequence[Sequence[int]], sites: Collection[int], capitals: Sequence[int]
) -> list[int]:
    """Each capital moved to the most central site of the fields that are nearest to it."""
    nearest = _nearest(beside, [[capital] for capital in capitals], range(len(beside)))
    own: list[list[int]] = [[] for _ in capitals]
    for number, bits in nearest.items():
        for ruler in _rulers_of(bits):
            own[ruler].append(number)
    moved = list(capitals)
    crowd = Counter(number for capital in capitals for number in _around(beside, capital))
    for ruler, region in enumerate(own):
        crowd -= Counter(_around(beside, moved[ruler]))
        choice = [site for site in region if site in sites and not crowd[site]]
        choice.append(moved[ruler])
        moved[ruler] = _middle(fields, region, choice)
        crowd += Counter(_around(beside, moved[ruler]))
    return moved


def _middle(fields: Sequence[FieldId], region: Sequence[int], choice: Iterable[int]) -> int:
    """The site that is nearest to the middle of a region, in a straight line."""
    u, v = (sum(fields[each][axis] for each in region) for axis in (0, 1))
    count = len(region)

    def _off(site: int) -> tuple[int, int]:
        at = fields[site]
        return _squared(FieldId(count * at.u - u, count * at.v - v)), site

    return min(choice, key=_off)


def _loosened(beside: Sequence[Sequence[int]], sites: Collection[int], start: Sequence[int]) -> list[int]:
    """Capitals with least or most around them, moved by a step as long as that evens things out."""
    capitals = list(start)
    everything = range(len(beside))
    now = shares(beside, [[each] for each in capitals], everything)
    for _ in range(_LOOSENINGS):
        ranked = sorted(range(len(capitals)), key=lambda ruler: now[ruler])
        extreme = 1 + len(capitals) // 6
        before = list(capitals)
        for ruler in dict.fromkeys((*ranked[:extreme], *ranked[-extreme:])):
            crowd = {
                number
                for other, capital in enumerate(capitals)
                if other != ruler
                for number in _around(beside, capital)
            }
            for site in [site for site in beside[capitals[ruler]] if site in sites and site not in crowd]:
                tried = [*capitals[:ruler], site, *capitals[ruler + 1 :]]
                after = shares(beside, [[each] for each in tried], everything)
                if _spread_of(after) < _spread_of(now):
                    capitals, now = tried, after
        if capitals == before:
            break
    return capitals


def _around(beside: Sequence[Sequence[int]], capital: int) -> set[int]:
    """The fields that are too near a capital for another one."""
    return _within(beside, [capital], APART - 1)


# Which fields are nearest to which ruler


def _nearest(
    beside: Sequence[Sequence[int]], homes: Sequence[Iterable[int]], ground: Collection[int]
) -> dict[int, int]:
    """For each field of an area, the rulers whose homes are nearest by steps over this area, each as a bit."""
    left = bytearray(len(beside))
    for number in ground:
        left[number] = 1
    found: dict[int, int] = {}
    edge: dict[int, int] = {}
    for ruler, home in enumerate(homes):
        for number in home:
            edge[number] = edge.get(number, 0) | 1 << ruler
            left[number] = 0
    while edge:
        found |= edge
        beyond: dict[int, int] = {}
        for number, rulers in edge.items():
            for other in beside[number]:
                if left[other]:
                    beyond[other] = beyond.get(other, 0) | rulers
        for number in beyond:
            left[number] = 0
        edge = beyond
    return found


@lru_cache(maxsize=20_000)
def _rulers_of(bits: int) -> tuple[int, ...]:
    """The rulers for whom bits are set."""
    return tuple(ruler for ruler in range(bits.bit_length()) if bits >> ruler & 1)


def shares(beside: Sequence[Sequence[int]], homes: Sequence[Iterable[int]], ground: Collection[int]) -> list[float]:
    """How much of an area is nearest to each ruler; what is equally near to several is shared among them."""
    found = [0.0] * len(homes)
    for bits, count in Counter(_nearest(beside, homes, ground).values()).items():
        rulers = _rulers_of(bits)
        for ruler in rulers:
            found[ruler] += count / len(rulers)
    return found


# Seas


def _seas(
    dice: Dice, fields: Sequence[FieldId], beside: Sequence[Sequence[int]], homes: Sequence[Sequence[int]]
) -> set[int]:
    """The lowest fields by a noise, as many near each home; the world's edge is lowered."""
    settled = {number for home in homes for number in home}
    noise = Noise(dice, "sea", (28, 14))
    heights = [
        height - (_RIM_SEA if len(others) < _AROUND else 0)
        for height, others in zip(noise.over(list(map(middle_of, fields))), beside, strict=True)
    ]
    total = SEAS_A_RULER * len(homes)
    nearest = _nearest(beside, homes, range(len(fields)))
    quota = [float(SEAS_A_RULER)] * len(homes)
    sea: set[int] = set()
    for is_strict in (True, False):
        for number in sorted(set(nearest) - settled, key=lambda number: (heights[number], number)):
            rulers = _rulers_of(nearest[number])
            if len(sea) < total and number not in sea and (not is_strict or all(quota[each] > 0 for each in rulers)):
                sea.add(number)
                for ruler in rulers:
                    quota[ruler] -= 1 / len(rulers)
    return sea


def _is_joined(beside: Sequence[Sequence[int]], homes: Sequence[Sequence[int]], sea: Collection[int]) -> bool:
    """Whether there is a way over land from each home to every other one, and at least two ways out of each."""
    ground = set(range(len(beside))) - set(sea)
    reached, edge = {homes[0][0]}, [homes[0][0]]
    while edge:
        for other in beside[edge.pop()]:
            if other in ground and other not in reached:
                reached.add(other)
                edge.append(other)
    if any(home[0] not in reached for home in homes):
        return False
    return all(
        len({other for own in home for other in beside[own]} & ground - set(home)) >= _WAYS_OUT for home in homes
    )


def _shift(
    dice: Dice, beside: Sequence[Sequence[int]], homes: Sequence[Sequence[int]], start: Collection[int]
) -> set[int]:
    """The sea, after changing fields of its shores one by one so that each home has as much land nearest to it."""
    sea = set(start)
    settled = {number: ruler for ruler, home in enumerate(homes) for number in home}
    slack = max(1, round(_SLACK * len(sea)))
    most, least = len(sea) + slack, len(sea) - slack
    now = shares(beside, homes, set(range(len(beside))) - sea)
    for number in range(_SHIFTS * len(homes)):
        if ratio([share - _HOME for share in now]) <= _EVEN:
            break
        ranked = sorted(range(len(homes)), key=lambda ruler: now[ruler])
        is_rise = dice.roll(f"shift/{number}/how", sides=2) == 1
        worst = ranked[: 1 + len(homes) // 8] if is_rise else ranked[-1 - len(homes) // 8 :]
        ruler = dice.pick(f"shift/{number}/whose", worst)
        cells = _shore_of(beside, homes, sea, ruler, is_rise=is_rise)
        cells = [cell for cell in cells if cell not in settled]
        if not cells or not least <= len(sea) + (-1 if is_rise else 1) <= most:
            continue
        cell = dice.pick(f"shift/{number}/where", cells)
        window = _within(beside, [cell], _WINDOW)
        near = _inside(homes, settled, window)
        before = shares(beside, near, window - sea)
        sea ^= {cell}
        after = shares(beside, near, window - sea)
        then = [share + new - old for share, new, old in zip(now, after, before, strict=True)]
        if _spread_of(then) < _spread_of(now) and _is_joined(beside, homes, sea):
            now = then
        else:
            sea ^= {cell}
    return sea


def _within(beside: Sequence[Sequence[int]], start: Iterable[int], steps: int) -> set[int]:
    """The fields within this many steps."""
    found = set(start)
    edge = set(found)
    for _ in range(steps):
        edge = {other for number in edge for other in beside[number]} - found
        found |= edge
    return found


def _inside(homes: Sequence[Sequence[int]], settled: Mapping[int, int], window: Collection[int]) -> list[Sequence[int]]:
    """The homes with fields in a section of the map; others are left out."""
    near = {settled[number] for number in window if number in settled}
    return [home if ruler in near else () for ruler, home in enumerate(homes)]


def _spread_of(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values)


def _shore_of(
    beside: Sequence[Sequence[int]], homes: Sequence[Sequence[int]], sea: Collection[int], ruler: int, *, is_rise: bool
) -> list[int]:
    """What may become land, or sea, so that a ruler has more, or less: fields of the shore within three steps."""
    near = _within(beside, homes[ruler], _SHORE)
    return sorted(
        number
        for number in near
        if (number in sea) is is_rise
        and (len(beside[number]) < _AROUND or any((other in sea) is not is_rise for other in beside[number]))
    )
