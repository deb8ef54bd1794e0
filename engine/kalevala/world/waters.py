"""Stroms, rivers and ascents of a world: water runs downhill to the sea, over every border. Source: rules 12.1, 30.2

A strom is water one small field wide, with a direction. A river is on the edges between small fields: it goes from
corner to corner; each corner is between three of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush

from engine.core.dice import Dice
from engine.kalevala.coordinates import Edge
from engine.kalevala.tables import TERRAIN
from engine.kalevala.world.mesh import BARRIERS, MOUNTAINS, WATER, Mesh
from engine.kalevala.world.relief import LEAST_LAND
from engine.lattice.great_fields import CELLS, Side

_LEAST_STROM, _MOST_STROM = 8, 26
"""The fewest and most small fields of a strom."""
_STROMS_A_RULER = 0.5
_LEAST_BANK = 8
"""The fewest small fields of a province that a strom cuts off."""
_SPRING = 44
"""How many corners have to drain into one for a river to begin there."""
_WINDING = 0.05
_ASCENTS = 5
"""One in this many edges between levels is an ascent."""


def _bend(q: int, r: int) -> float:
    """A small random height for each place, so that water winds through a plain instead of going straight."""
    mixed = (q * 0x9E3779B1 + r * 0x85EBCA77) & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    return _WINDING * (mixed >> 16) / 0x10000


# Stroms


def dig_stroms(mesh: Mesh, heights: list[float]) -> None:
    """Turn the lower courses of the greatest waters into stroms, as long as they leave provinces large enough."""
    sinks = [at for at in range(len(mesh)) if mesh.letters[at] == WATER and any(map(mesh.is_land, mesh.around(at)))]
    down, order = _drained(mesh, heights, sinks)
    gathered = [1] * len(mesh)
    above: dict[int, list[int]] = {}
    for at in reversed(order):
        if down[at] >= 0:
            gathered[down[at]] += gathered[at]
            above.setdefault(down[at], []).append(at)
    settled = {at for field in mesh.regions.settled for at in mesh.cells(field)}
    mouths = sorted(
        (at for at in order if down[at] >= 0 and mesh.letters[down[at]] == WATER), key=lambda at: (-gathered[at], at)
    )
    left = max(1, round(_STROMS_A_RULER * len(mesh.regions.homes)))
    for mouth in mouths:
        if left == 0:
            return
        course = list(_course(mesh, mouth, above, gathered, settled))
        while len(course) >= _LEAST_STROM and not _fits(mesh, course):
            course.pop()
        if len(course) >= _LEAST_STROM:
            left -= 1
            for at in course:
                mesh.letters[at] = WATER
                mesh.flow[at] = Side(mesh.beside[at].index(down[at]))


def _drained(mesh: Mesh, heights: list[float], sinks: Iterable[int]) -> tuple[list[int], list[int]]:
    """For each small field of land, the one that it drains into (-1: nowhere); and all, in order of rising water."""
    down = [-1] * len(mesh)
    seen = bytearray(len(mesh))
    heap = [(0.0, at) for at in sinks]
    for _, at in heap:
        seen[at] = 1
    heapify(heap)
    order = []
    while heap:
        height, at = heappop(heap)
        order.append(at)
        for other in mesh.beside[at]:
            if other >= 0 and not seen[other] and mesh.letters[other] not in BARRIERS:
                seen[other] = 1
                down[other] = at
                heappush(heap, (max(height, heights[other]) + _bend(*mesh.axial[other]), other))
    return down, order


def _course(
    mesh: Mesh, mouth: int, above: dict[int, list[int]], gathered: list[int], settled: set[int]
) -> Iterator[int]:
    """Upstream from a mouth, always along the larger water, clear of homes and of other waters."""
    at: int | None = mouth
    before = mesh.letters.index(WATER)
    for _ in range(_MOST_STROM):
        if at is None or at in settled or mesh.letters[at] in BARRIERS:
            return
        wet = [other for other in mesh.around(at) if mesh.letters[other] == WATER and other != before]
        if wet and at != mouth:
            return
        yield at
        before = at
        at = max(above.get(at, ()), key=lambda other: (gathered[other], -other), default=None)


def _fits(mesh: Mesh, course: list[int]) -> bool:
    """Whether every great field that a strom runs through keeps enough land, in provinces that are large enough."""
    wet = set(course)
    for field in sorted({at // CELLS for at in course}):
        land = [at for at in mesh.cells(field) if mesh.is_land(at) and at not in wet]
        parts = mesh.areas(land)
        if len(land) < LEAST_LAND + 8 or len(parts) > 2 or min(map(len, parts)) < _LEAST_BANK:
            return False
    return True


# Rivers


def let_rivers_run(mesh: Mesh, heights: list[float]) -> dict[int, set[Edge]]:
    """The edges with a river, by great field; one on a border is listed for both.

    Corner `2 * at` is the northern one of small field `at`, `2 * at + 1` its southern one.
    """
    places = [_places(mesh, corner) for corner in range(2 * len(mesh))]
    down = [-1] * len(places)
    seen = bytearray(len(places))
    heap = []
    for corner, around in enumerate(places):
        if any(at < 0 or mesh.letters[at] == WATER for at in around):
            seen[corner] = 1
            heap.append((0.0, corner))
    heapify(heap)
    order = []
    while heap:
        height, corner = heappop(heap)
        order.append(corner)
        for other in _beside(mesh, corner):
            if other >= 0 and not seen[other]:
                seen[other] = 1
                down[other] = corner
                one, two, three = places[other]
                own = (heights[one] + heights[two] + heights[three]) / 3
                heappush(heap, (max(height, own) + _bend(other, one), other))
    return _edges(mesh, places, down, order)


def _places(mesh: Mesh, corner: int) -> tuple[int, int, int]:
    """The three small fields at a corner; -1 beyond the edge of the world."""
    at, is_south = divmod(corner, 2)
    sides = mesh.beside[at]
    return (at, sides[Side.SW], sides[Side.SE]) if is_south else (at, sides[Side.NW], sides[Side.NE])


def _beside(mesh: Mesh, corner: int) -> tuple[int, int, int]:
    """The three corners at the other ends of a corner's edges; -1 beyond the edge of the world."""
    at, is_south = divmod(corner, 2)
    west, east, beyond = (Side.SW, Side.SE, Side.SE) if is_south else (Side.NW, Side.NE, Side.NE)
    one, two = mesh.beside[at][west], mesh.beside[at][east]
    three = mesh.beside[one][beyond] if one >= 0 else -1
    turned = 1 - is_south
    return tuple(2 * each + turned if each >= 0 else -1 for each in (one, two, three))  # type: ignore[return-value]


def _edges(
    mesh: Mesh, places: Sequence[tuple[int, int, int]], down: Sequence[int], order: Sequence[int]
) -> dict[int, set[Edge]]:
    gathered = [1] * len(places)
    found: dict[int, set[Edge]] = {}
    for corner in reversed(order):
        lower = down[corner]
        if lower < 0:
            continue
        gathered[lower] += gathered[corner]
        if gathered[corner] < _SPRING:
            continue
        # The edge is between the two small fields that touch both of its corners.
        one, other = (at for at in places[corner] if at in places[lower])
        letters = {mesh.letters[one], mesh.letters[other]}
        if WATER not in letters and letters != {MOUNTAINS}:
            for here, there in ((one, other), (other, one)):
                edge = Edge(here % CELLS + 1, Side(mesh.beside[here].index(there)))
                found.setdefault(here // CELLS, set()).add(edge)
    return {field: _written_once(edges) for field, edges in found.items()}


def _written_once(edges: Iterable[Edge]) -> set[Edge]:
    """Edges inside a great field have two names there: the lower one is kept."""
    return {edge for edge in edges if edge.other is None or edge < edge.other}


# Ascents


def find_ascents(mesh: Mesh, dice: Dice) -> dict[int, set[Edge]]:
    """The edges at which gear can climb a level, by great field; one on a border is listed for both."""
    found: dict[int, set[Edge]] = {}
    for at in range(len(mesh)):
        for side in (Side.E, Side.SE, Side.SW):
            other = mesh.beside[at][side]
            if other < 0 or not (mesh.is_land(at) and mesh.is_land(other)):
                continue
            levels = {TERRAIN[mesh.letters[each]].level for each in (at, other)}
            if len(levels) == 2 and dice.roll(f"ascent/{at}/{side}", sides=_ASCENTS) == 1:
                found.setdefault(at // CELLS, set()).add(Edge(at % CELLS + 1, side))
                found.setdefault(other // CELLS, set()).add(Edge(other % CELLS + 1, side.opposite))
    return {field: _written_once(edges) for field, edges in found.items()}
