"""The small fields of a site as bits of whole numbers, which keeps large sites fast.

A set of fields is one number; a step to a side shifts all its fields at once. How far it is from everywhere to some
goals is found ring by ring, and only as far as somebody asks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from engine.lattice.great_fields import Side

if TYPE_CHECKING:
    from engine.kalevala.battle.ground import Battlefield, Kf

Fields: TypeAlias = int
"""A set of small fields, as the sum of their bits."""
_STEPS: Mapping[Side, tuple[int, int]] = {
    Side.E: (1, 0), Side.SE: (0, 1), Side.SW: (-1, 1), Side.W: (-1, 0), Side.NW: (0, -1), Side.NE: (1, -1),
}  # fmt: skip


class Board:
    """The fields of a ground as bits.

    Args:
        bits: the bit of each small field.
    """

    def __init__(self, ground: Battlefield) -> None:
        self._ground = ground
        self._by_axial: dict[tuple[int, int], Kf] = {}
        self._storeys: dict[tuple[int, int], list[Kf]] = {}
        for kf, place in enumerate(ground.axial):
            self._by_axial.setdefault(place, kf)
            self._storeys.setdefault(place, []).append(kf)
        width = _narrowest(ground.axial)
        least = min((q + r * width for q, r in ground.axial), default=0)
        most = max((q + r * width for q, r in ground.axial), default=0) - least
        self._width, self._least = width, least
        # What lies above a field, as storeys do, has a bit beyond all fields.
        self.bits: tuple[Fields, ...] = tuple(
            1 << (q + r * width - least if self._by_axial[q, r] == kf else most + 1 + kf)
            for kf, (q, r) in enumerate(ground.axial)
        )
        self._by_length = {bit.bit_length(): kf for kf, bit in enumerate(self.bits)}
        self.all: Fields = self.of(range(len(self.bits)))
        self._rows: defaultdict[int, Fields] = defaultdict(int)
        """The fields of each row."""
        self._upper: list[Kf] = []
        for kf, (q, r) in enumerate(ground.axial):
            if self._by_axial[q, r] == kf:
                self._rows[r] |= self.bits[kf]
            else:
                self._upper.append(kf)
        self._shifts = tuple(_STEPS[side][0] + _STEPS[side][1] * width for side in Side)
        self._within: dict[tuple[Kf, int], Sequence[tuple[Kf, int]]] = {}
        self._within_bits: dict[tuple[Kf, int], Fields] = {}
        self._seen: dict[tuple[Kf, Kf], bool] = {}
        self._top = max(ground.heights, default=0)
        self._seen_bits: dict[tuple[Kf, int], Fields] = {}
        self._is_flat = min(ground.heights, default=0) == self._top

    def of(self, fields: Iterable[Kf]) -> Fields:
        """Some fields as a set."""
        found = 0
        for kf in fields:
            found |= self.bits[kf]
        return found

    def members(self, fields: Fields) -> Iterator[Kf]:
        """The fields of a set."""
        while fields:
            last = fields.bit_length()
            yield self._by_length[last]
            fields ^= 1 << (last - 1)

    def beyond(self, fields: Fields, paths: Paths) -> Fields:
        """The fields one step away from those of a set."""
        found = 0
        for shift, able in zip(self._shifts, paths.sides, strict=True):
            moving = fields & able
            if moving:
                found |= moving << shift if shift > 0 else moving >> -shift
        for one, other in paths.joined:
            if fields & one:
                found |= other
        return found

    def within(self, kf: Kf, steps: int) -> Sequence[tuple[Kf, int]]:
        """The fields within a distance of one, with itself and all storeys, and how far each is; nothing is in the
        way.
        """
        found = self._within.get((kf, steps))
        if found is None:
            q, r = self._ground.axial[kf]
            places = (
                ((q + dq, r + dr), max(abs(dq), abs(dr), abs(dq + dr)))
                for dr in range(-steps, steps + 1)
                for dq in range(max(-steps, -steps - dr), min(steps, steps - dr) + 1)
            )
            found = self._within[kf, steps] = [
                (other, away) for place, away in places for other in self._storeys.get(place, ())
            ]
        return found

    def around(self, kf: Kf, steps: int) -> Fields:
        """The same as a set."""
        found = self._within_bits.get((kf, steps))
        if found is None:
            found = self._within_bits[kf, steps] = self._find_around(kf, steps)
        return found

    def _find_around(self, kf: Kf, steps: int) -> Fields:
        """Look row by row, and then at what lies above the fields."""
        q, r = self._ground.axial[kf]
        found = 0
        for dr in range(-steps, steps + 1):
            row = self._rows.get(r + dr)
            if row:
                first = q + max(-steps, -steps - dr) + (r + dr) * self._width - self._least
                run = (1 << 2 * steps + 1 - abs(dr)) - 1
                found |= (run << first if first >= 0 else run >> -first) & row
        for other in self._upper:
            if self._ground.distance(kf, other) <= steps:
                found |= self.bits[other]
        return found

    def is_in_sight(self, one: Kf, other: Kf) -> bool:
        """Whether two fields see each other: nothing between them is higher than both."""
        levels, heights = self._ground.levels, self._ground.heights
        highest = max(levels[one], levels[other])
        if highest == self._top:
            return True
        found = self._seen.get((one, other))
        if found is None:
            between = self.between(one, other)
            found = self._seen[one, other] = all(heights[kf] <= highest for kf in between)
        return found

    def in_sight(self, kf: Kf, steps: int) -> Fields:
        """The fields within a distance of one that see it and are seen from it."""
        if self._is_flat:
            return self.around(kf, steps)
        found = self._seen_bits.get((kf, steps))
        if found is None:
            near = (other for other, _ in self.within(kf, steps) if self.is_in_sight(other, kf))
            found = self._seen_bits[kf, steps] = self.of(near)
        return found

    def between(self, one: Kf, other: Kf) -> Sequence[Kf]:
        """The fields of the site on the line between two fields, without these two."""
        ground = self._ground
        steps = ground.distance(one, other)
        (q1, r1), (q2, r2) = ground.axial[one], ground.axial[other]
        found = []
        for step in range(1, steps):
            part = step / steps
            # A little to one side, so that a line along an edge is always the same one.
            place = _rounded(q1 + (q2 - q1) * part + 1e-6, r1 + (r2 - r1) * part + 2e-6)
            if place in self._by_axial:
                found.append(self._by_axial[place])
        return found


class Paths:
    """Where a step of some kind leads from each field.

    Args:
        beyond: the fields that a field leads to; most of them are its neighbours, others are joined to it, like
        storeys.
    """

    def __init__(self, ground: Battlefield, beyond: Callable[[Kf], Iterable[Kf]]) -> None:
        self.next = tuple(tuple(beyond(kf)) for kf in range(len(ground.places)))
        self.sides = [0] * len(Side)
        self.joined: list[tuple[Fields, Fields]] = []
        """Fields that lead to others that are on none of their sides."""
        bits = ground.board.bits
        for kf, others in enumerate(self.next):
            around = ground.around[kf]
            for other in others:
                if other in around:
                    self.sides[around.index(other)] |= bits[kf]
                else:
                    self.joined.append((bits[kf], bits[other]))


def _narrowest(axial: Sequence[tuple[int, int]]) -> int:
    """The least number of bits in a row that gives each field its own."""
    count = len(set(axial))
    rows, columns = ([place[axis] for place in axial] or [0] for axis in (1, 0))
    # So many bits there have to be at least, over all rows.
    width = max(1, (count - 1 - (max(columns) - min(columns))) // max(1, max(rows) - min(rows)))
    while len({q + r * width for q, r in axial}) < count:
        width += 1
    return width


def _rounded(q: float, r: float) -> tuple[int, int]:
    s = -q - r
    rq, rr, rs = round(q), round(r), round(s)
    if abs(rq - q) > max(abs(rr - r), abs(rs - s)):
        rq = -rr - rs
    elif abs(rr - r) > abs(rs - s):
        rr = -rq - rs
    return rq, rr


class Ways:
    """The number of steps from each field to the nearest of some goals, over ground that nobody blocks."""

    def __init__(self, board: Board, goals: Fields, closed: Fields, paths: Paths) -> None:
        self._board = board
        self._free = board.all & ~closed
        self._paths = paths
        self._rings = [goals]  # what lies at most this many steps away
        self._front = goals

    def steps(self, kf: Kf) -> int | None:
        """The number of steps from a field; `None` if no way leads there."""
        bit, rings = self._board.bits[kf], self._rings
        while not rings[-1] & bit:
            known = rings[-1]
            ring = known | (self._board.beyond(self._front, self._paths) & self._free)
            if ring == known:
                return None
            self._front = ring ^ known
            rings.append(ring)
        return bisect_left(rings, True, key=lambda ring: bool(ring & bit))


class Nearness:
    """The distance from a field to the nearest of some others, ignoring whatever lies between."""

    def __init__(self, ground: Battlefield, others: Iterable[Kf]) -> None:
        self._axial = ground.axial
        rows: defaultdict[int, list[int]] = defaultdict(list)
        for other in others:
            q, r = ground.axial[other]
            rows[r].append(q)
        self._rows = {r: sorted(row) for r, row in rows.items()}
        self._known: dict[Kf, int] = {}

    def away(self, kf: Kf) -> int:
        """The distance from a field; there has to be at least one of the others."""
        found = self._known.get(kf)
        if found is None:
            found = self._known[kf] = self._find(*self._axial[kf])
        return found

    def _find(self, q: int, r: int) -> int:
        assert self._rows, "somebody is there"
        best: int | None = None
        away = 0
        while best is None or away < best:
            for row in {r - away, r + away} & self._rows.keys():
                # So many steps lead to any of these places of the row; to one next to them, one more for each place.
                first, last = sorted((q, q - (row - r)))
                places = self._rows[row]
                after = bisect_left(places, first)
                if after < len(places):
                    best = _least(best, away + max(0, places[after] - last))
                if after:
                    best = _least(best, away + first - places[after - 1])
            away += 1
        return best


def _least(one: int | None, other: int) -> int:
    return other if one is None or other < one else one


class WaysOver:
    """Where a step leads from each field, for figures and for gear, and which fields can be struck from it.

    Args:
        back: from where a step of figures leads to each field; gates open from one side.
        fight: the same of blows.
        find_haul: makes the ways of gear, once somebody has any.
    """

    def __init__(self, walk: Paths, back: Paths, fight: Paths, find_haul: Callable[[], Paths]) -> None:
        self.walk = walk
        self.back = back
        self.fight = fight
        self.steps_to: dict[Kf, Mapping[Kf, int]] = {}
        """From which fields a move can lead to some others, and with how many steps, as far as somebody has asked."""
        self._find_haul = find_haul

    @cached_property
    def haul(self) -> Paths:
        """The ways of gear."""
        return self._find_haul()
