"""Stroms, rivers and ascents of a world: water runs downhill to the sea, over every border. Source: rules 12.1, 30.2

A strom is water one small field wide, with a direction. A river lies on the edges between small fields: it goes from
corner to corner, each of which lies between three of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import NamedTuple, TypeAlias

from engine.core.dice import Dice
from engine.kalevala.coordinates import Edge
from engine.kalevala.tables import TERRAIN
from engine.kalevala.world.ground import BARRIERS, MOUNTAINS, WATER, Ground
from engine.kalevala.world.relief import LEAST_LAND
from engine.lattice.great_fields import CELLS, Side

_LEAST_STROM, _MOST_STROM = 8, 26
"""Small fields of a strom."""
_STROMS_A_RULER = 0.5
_LEAST_BANK = 8
"""Small fields of a province that a strom cuts off."""
_SPRING = 44
"""Corners that drain into one where a river begins."""
_WINDING = 0.05
_ASCENTS = 5
"""One in so many edges between levels is an ascent."""


class Corner(NamedTuple):
    """The northern or the southern corner of a small field, by its axial coordinates."""

    q: int
    r: int
    is_north: bool


Axial: TypeAlias = tuple[int, int]


def _bend(q: int, r: int) -> float:
    """A little height of its own for each place, so that water winds through a plain instead of going straight."""
    mixed = (q * 0x9E3779B1 + r * 0x85EBCA77) & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    return _WINDING * (mixed >> 16) / 0x10000


# Stroms


def dig_stroms(ground: Ground, heights: list[float]) -> None:
    """Turn the lower courses of the greatest waters into stroms, as long as they leave provinces large enough."""
    sinks = [at for at in range(len(ground)) if ground.letters[at] == WATER and any(map(ground.is_land, ground.around(at)))]
    down, order = _drained(ground, heights, sinks)
    gathered = [1] * len(ground)
    above: dict[int, list[int]] = {}
    for at in reversed(order):
        if down[at] >= 0:
            gathered[down[at]] += gathered[at]
            above.setdefault(down[at], []).append(at)
    settled = {at for field in ground.regions.settled for at in ground.cells(field)}
    mouths = sorted(
        (at for at in order if down[at] >= 0 and ground.letters[down[at]] == WATER), key=lambda at: (-gathered[at], at)
    )
    left = max(1, round(_STROMS_A_RULER * len(ground.regions.homes)))
    for mouth in mouths:
        if left == 0:
            return
        course = list(_course(ground, mouth, above, gathered, settled))
        while len(course) >= _LEAST_STROM and not _fits(ground, course):
            course.pop()
        if len(course) >= _LEAST_STROM:
            left -= 1
            for at in course:
                ground.letters[at] = WATER
                ground.flow[at] = Side(ground.beside[at].index(down[at]))


def _drained(ground: Ground, heights: list[float], sinks: Iterable[int]) -> tuple[list[int], list[int]]:
    """By small field of land the one that it drains into (-1: nowhere), and all in the order in which water rises."""
    down = [-1] * len(ground)
    seen = bytearray(len(ground))
    heap = [(0.0, at) for at in sinks]
    for _, at in heap:
        seen[at] = 1
    heapify(heap)
    order = []
    while heap:
        height, at = heappop(heap)
        order.append(at)
        for other in ground.beside[at]:
            if other >= 0 and not seen[other] and ground.letters[other] not in BARRIERS:
                seen[other] = 1
                down[other] = at
                heappush(heap, (max(height, heights[other]) + _bend(*ground.axial[other]), other))
    return down, order


def _course(
    ground: Ground, mouth: int, above: dict[int, list[int]], gathered: list[int], settled: set[int]
) -> Iterator[int]:
    """Upstream from a mouth, always along the greater water, clear of homes and of other waters."""
    at: int | None = mouth
    before = ground.letters.index(WATER)
    for _ in range(_MOST_STROM):
        if at is None or at in settled or ground.letters[at] in BARRIERS:
            return
        wet = [other for other in ground.around(at) if ground.letters[other] == WATER and other != before]
        if wet and at != mouth:
            return
        yield at
        before = at
        at = max(above.get(at, ()), key=lambda other: (gathered[other], -other), default=None)


def _fits(ground: Ground, course: list[int]) -> bool:
    """Whether every great field that a strom runs through stays one with land enough, in provinces large enough."""
    wet = set(course)
    for field in sorted({at // CELLS for at in course}):
        land = [at for at in ground.cells(field) if ground.is_land(at) and at not in wet]
        parts = ground.areas(land)
        if len(land) < LEAST_LAND + 8 or len(parts) > 2 or min(map(len, parts)) < _LEAST_BANK:
            return False
    return True


# Rivers


def let_rivers_run(ground: Ground, heights: list[float]) -> dict[int, set[Edge]]:
    """The edges with a river, by great field; one on a border stands in both."""
    at_axial = {axial: at for at, axial in enumerate(ground.axial)}
    corners: dict[Corner, tuple[int, ...]] = {}
    for q, r in ground.axial:
        for corner in (Corner(q, r, True), Corner(q, r, False)):
            corners[corner] = tuple(at_axial.get(place, -1) for place in _places(corner))
    heap = []
    seen: set[Corner] = set()
    for corner, places in corners.items():
        if any(at < 0 or ground.letters[at] == WATER for at in places):
            seen.add(corner)
            heap.append((0.0, corner))
    heapify(heap)
    down: dict[Corner, Corner] = {}
    order = []
    while heap:
        height, corner = heappop(heap)
        order.append(corner)
        for other in _beside(corner):
            if other in corners and other not in seen:
                seen.add(other)
                down[other] = corner
                own = sum(heights[at] for at in corners[other]) / 3
                heappush(heap, (max(height, own) + _bend(2 * other.q + other.is_north, other.r), other))
    return _edges(ground, at_axial, down, order)


def _places(corner: Corner) -> tuple[Axial, Axial, Axial]:
    """The three small fields at a corner."""
    q, r, is_north = corner
    return ((q, r), (q, r - 1), (q + 1, r - 1)) if is_north else ((q, r), (q - 1, r + 1), (q, r + 1))


def _beside(corner: Corner) -> tuple[Corner, Corner, Corner]:
    """The three corners at the other ends of a corner's edges."""
    q, r, is_north = corner
    if is_north:
        return Corner(q, r - 1, False), Corner(q + 1, r - 1, False), Corner(q + 1, r - 2, False)
    return Corner(q, r + 1, True), Corner(q - 1, r + 1, True), Corner(q - 1, r + 2, True)


def _edges(
    ground: Ground, at_axial: dict[Axial, int], down: dict[Corner, Corner], order: list[Corner]
) -> dict[int, set[Edge]]:
    gathered = dict.fromkeys(order, 1)
    for corner in reversed(order):
        if corner in down:
            gathered[down[corner]] += gathered[corner]
    found: dict[int, set[Edge]] = {}
    for corner, lower in down.items():
        if gathered[corner] < _SPRING:
            continue
        # The edge lies between the two small fields that touch both of its corners.
        one, other = (at_axial.get(place, -1) for place in _places(corner) if place in _places(lower))
        if min(one, other) < 0:
            continue
        letters = {ground.letters[one], ground.letters[other]}
        if WATER not in letters and letters != {MOUNTAINS}:
            for here, there in ((one, other), (other, one)):
                edge = Edge(here % CELLS + 1, Side(ground.beside[here].index(there)))
                found.setdefault(here // CELLS, set()).add(edge)
    return {field: _written_once(edges) for field, edges in found.items()}


def _written_once(edges: Iterable[Edge]) -> set[Edge]:
    """Edges inside a great field have two names there: the lower one is kept."""
    return {edge for edge in edges if edge.other is None or edge < edge.other}


# Ascents


def find_ascents(ground: Ground, dice: Dice) -> dict[int, set[Edge]]:
    """The edges at which gear gets up a level, by great field; one on a border stands in both."""
    found: dict[int, set[Edge]] = {}
    for at in range(len(ground)):
        for side in (Side.E, Side.SE, Side.SW):
            other = ground.beside[at][side]
            if other < 0 or not (ground.is_land(at) and ground.is_land(other)):
                continue
            levels = {TERRAIN[ground.letters[each]].level for each in (at, other)}
            if len(levels) == 2 and dice.roll(f"ascent/{at}/{side}", sides=_ASCENTS) == 1:
                found.setdefault(at // CELLS, set()).add(Edge(at % CELLS + 1, side))
                found.setdefault(other // CELLS, set()).add(Edge(other % CELLS + 1, side.opposite))
    return {field: _written_once(edges) for field, edges in found.items()}
