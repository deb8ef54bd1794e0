"""Trade centres, sites and marauders of a world: dealt at random, then exchanged until each realm has as much nearby.

Source: rules R-094, R-095
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.core.dice import Dice
from engine.kalevala.coordinates import GfId, Province, coordinate_of
from engine.kalevala.land import Land
from engine.kalevala.tables import CENTRES, TERRAIN
from engine.kalevala.world.promise import ratio, shares_of, steps_over
from engine.lattice.great_fields import distance

SITES: Mapping[str, int] = {"": 50, "F": 10, "Mkt": 20, "Std": 13, "Phstd": 5, "Hstd": 2}
"""How many of a hundred great fields of natives have each kind of trade centre. Source: rules R-094"""
RULERS_A_MARAUDER = 2
"""How many rulers there are for each area of marauders. Source: rules R-094"""
MARAUDERS_CENTRE = "Std"
_MIDDLE = 19
_GREAT = 8
"""The RE from which a centre counts as a prize, which is never next to a home."""
_FAR = 2
_EXCHANGES, _HELPED, _DEALS = 20, 6, 60
"""The most exchanges for each ruler; how many rulers are helped first; the number of deals to choose from, which is
divided by the number of rulers.
"""
_STEEP = 20
"""How much more a large difference from the mean weighs than a small one: the weight of its square."""
_PARTNERS = 12
_BOTH = 2
"""What the average ruler has: all of what sites arm, and all of what they cost, each scaled to 1."""
_LEAST_GAIN = 1e-9
ARMING = {code: float(CENTRES[code].arming) if code else 0.0 for code in SITES}
LOSSES = {code: float(CENTRES[code].losses) if code else 0.0 for code in SITES}


def site_of(land: Land, gf: GfId) -> tuple[Province, int]:
    """The province and small field of a great field's trade centre: the open ground nearest to the middle."""
    province = max(land.provinces(gf), key=lambda each: (len(land.cells(each)), each))
    letters = land.field(gf).cells
    cells = sorted(land.cells(province), key=lambda cell: (distance(cell, _MIDDLE), cell))
    return province, min(cells, key=lambda cell: (_is_poor(letters[cell - 1]), distance(cell, _MIDDLE), cell))


def _is_poor(letter: str) -> int:
    """How unsuitable a terrain is for a town."""
    return (TERRAIN[letter].room < 4) + 2 * (letter not in "TtHhBb") + (TERRAIN[letter].level > 2)


def deal(
    land: Land, dice: Dice, free: Sequence[GfId], homes: Sequence[Sequence[Province]], marauders: int
) -> tuple[dict[GfId, str], tuple[GfId, ...]]:
    """Returns the trade centre of each great field, and the great fields that marauders hold."""
    sites = {gf: site_of(land, gf)[0] for gf in free}
    provinces = [province for gf in free for province in land.provinces(gf)]
    shares = shares_of(land, provinces, homes)
    near = {gf: shares[province] for gf, province in sites.items()}
    steps = steps_over(land, (province for home in homes for province in home))
    far = {gf: steps.get(province, _FAR) for gf, province in sites.items()}
    held = _marauders(free, near, far, marauders)
    table = _DealTable(near, far, held, len(homes))
    rounds = max(1, _DEALS // len(homes))
    deals = [_exchanged(dice.for_phase(f"deal/{number}"), table, free) for number in range(rounds)]
    types = min(deals, key=table.unevenness)
    return {**types, **dict.fromkeys(held, MARAUDERS_CENTRE)}, held


@dataclass(frozen=True)
class _DealTable:
    """What a deal is judged by: whose each great field is, in what shares, and how far from homes it is."""

    near: Mapping[GfId, Mapping[int, float]]
    far: Mapping[GfId, int]
    held: Sequence[GfId]
    rulers: int

    def sums(self, types: Mapping[GfId, str]) -> tuple[list[float], list[float]]:
        """For each ruler, what the sites nearby arm, and what it costs to occupy them."""
        gains, costs = [0.0] * self.rulers, [0.0] * self.rulers
        for gf in (*types, *self.held):
            for ruler, share in self.near[gf].items():
                gains[ruler] += share * ARMING[types.get(gf, MARAUDERS_CENTRE)]
                costs[ruler] += share * LOSSES[types.get(gf, "")]
        return gains, costs

    def bars(self, code: str, gf: GfId) -> bool:
        """Whether a great field may not have a centre: prizes are apart from homes, the greatest between realms."""
        return ARMING[code] >= _GREAT and (self.far[gf] < _FAR or (ARMING[code] > _GREAT and len(self.near[gf]) == 1))

    def unevenness(self, types: Mapping[GfId, str]) -> float:
        """How much better off the richest ruler is, in whichever of the two is shared less evenly."""
        return max(ratio(values) for values in self.sums(types))


def _marauders(
    free: Sequence[GfId], near: Mapping[GfId, Mapping[int, float]], far: Mapping[GfId, int], number: int
) -> tuple[GfId, ...]:
    """Great fields between realms, as far from homes and from each other as possible."""
    found: list[GfId] = []
    gaps = dict.fromkeys(free, 6)
    while len(found) < min(number, len(free)):
        best = max(free, key=lambda gf: (gf not in found, min(far[gf], _FAR), min(gaps[gf], 6), len(near[gf]), gf))
        found.append(best)
        at = coordinate_of(best).field
        gaps = {gf: min(gap, at.distance(coordinate_of(gf).field)) for gf, gap in gaps.items()}
    return tuple(found)


def _dealt(dice: Dice, free: Sequence[GfId], table: _DealTable) -> dict[GfId, str]:
    """A random deal, in the shares of the table; the greatest centres first, where they are allowed."""
    counts = {code: len(free) * share // 100 for code, share in SITES.items()}
    rests = sorted(SITES, key=lambda code: (-(len(free) * SITES[code] % 100), code))
    for code in rests[: len(free) - sum(counts.values())]:
        counts[code] += 1
    left = list(dice.shuffled("sites", free))
    found: dict[GfId, str] = {}
    for code in reversed(tuple(SITES)):
        for _ in range(counts[code]):
            gf = next((each for each in left if not table.bars(code, each)), left[0])
            left.remove(gf)
            found[gf] = code
    return found


def _exchanged(dice: Dice, table: _DealTable, free: Sequence[GfId]) -> dict[GfId, str]:
    """A deal after exchanging sites in pairs as long as that evens out what they arm and what occupying them costs."""
    types = _dealt(dice, [gf for gf in free if gf not in table.held], table)
    deal = _OpenDeal(table, types)
    for _ in range(_EXCHANGES * table.rulers):
        if not any(deal.help(ruler) for ruler in deal.worst_off()):
            break
    return types


class _OpenDeal:
    """A deal that is still being changed."""

    def __init__(self, table: _DealTable, types: dict[GfId, str]) -> None:
        self.table = table
        self.types = types
        self.gains, self.costs = table.sums(types)
        self.mean_gain = max(1.0, sum(self.gains) / table.rulers)
        self.mean_cost = max(1.0, sum(self.costs) / table.rulers)
        self.offs = [self._off(ruler) for ruler in range(table.rulers)]
        self.own: list[list[GfId]] = [[] for _ in range(table.rulers)]
        for gf in sorted(types):
            for ruler in table.near[gf]:
                self.own[ruler].append(gf)

    def worst_off(self) -> list[int]:
        """The rulers farthest from the mean, the worst first."""
        return sorted(range(self.table.rulers), key=lambda ruler: -self.offs[ruler])[:_HELPED]

    def _off(self, ruler: int, gain: float = 0.0, cost: float = 0.0) -> float:
        gains = ((self.gains[ruler] + gain) / self.mean_gain - 1) ** 2
        costs = ((self.costs[ruler] + cost) / self.mean_cost - 1) ** 2
        return gains + _STEEP * gains * gains + (costs + _STEEP * costs * costs)

    def help(self, ruler: int) -> bool:
        """Make the exchange of a nearby site that helps most. Returns whether there was one."""
        best: tuple[float, GfId, GfId] | None = None
        others = self._partners(ruler)
        for one in self.own[ruler]:
            first = self.types[one]
            for other in others:
                second = self.types[other]
                if first == second or self._bars(second, one) or self._bars(first, other):
                    continue
                change = self._change(one, other)
                if change < -_LEAST_GAIN and (best is None or (change, one, other) < best):
                    best = change, one, other
        if best is None:
            return False
        _, one, other = best
        for place, gain, cost in self._effects(one, other):
            self.gains[place] += gain
            self.costs[place] += cost
            self.offs[place] = self._off(place)
        self.types[one], self.types[other] = self.types[other], self.types[one]
        return True

    def _bars(self, code: str, gf: GfId) -> bool:
        return ARMING[code] >= _GREAT and self.table.bars(code, gf)

    def _partners(self, ruler: int) -> list[GfId]:
        """The sites near rulers who have most of what this ruler lacks, or least of what this ruler has too much of."""
        over = self.gains[ruler] / self.mean_gain + self.costs[ruler] / self.mean_cost
        signs = 1 if over < _BOTH else -1
        ranked = sorted(
            range(self.table.rulers),
            key=lambda each: (-signs * (self.gains[each] / self.mean_gain + self.costs[each] / self.mean_cost), each),
        )
        chosen = ranked[:_PARTNERS]
        return sorted({gf for each in chosen for gf in self.own[each]} | set(self.own[ruler]))

    def _change(self, one: GfId, other: GfId) -> float:
        total = 0.0
        for ruler, gain, cost in self._effects(one, other):
            total += self._off(ruler, gain, cost) - self.offs[ruler]
        return total

    def _effects(self, one: GfId, other: GfId) -> Iterator[tuple[int, float, float]]:
        """For each ruler, what an exchange of two sites adds to what they arm, and to what they cost."""
        first, second = self.types[one], self.types[other]
        gain, cost = ARMING[second] - ARMING[first], LOSSES[second] - LOSSES[first]
        near, far = self.table.near[one], self.table.near[other]
        for ruler in near.keys() | far.keys():
            share = near.get(ruler, 0.0) - far.get(ruler, 0.0)
            yield ruler, share * gain, share * cost
