"""The small fields (KF) of a battle site, in all its great fields. Source: rules 12.1, 16.3, B4"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise, permutations
from typing import TypeAlias

from engine.kalevala.battle.boards import Board, Fields
from engine.kalevala.coordinates import Edge, GfId, Province, coordinate_of, field_at, gf_of, order_of
from engine.kalevala.land import Land, usual_gate
from engine.kalevala.model import GreatField, Work
from engine.kalevala.sea.waters import waters_at
from engine.kalevala.tables import BANNED, BUILDINGS, FULL_ROOM, PASS_PRICE, TERRAIN, WORKS
from engine.lattice.great_fields import CELLS, FieldCell, Side, axial_of, over

Kf: TypeAlias = int
"""A small field of the site, as an index of `Battlefield.places` (by great field, then number)."""
NOWHERE: Kf = -1
DANGEROUS = frozenset("SMUVDECIJK")
"""Swamp, mangrove, desert, ice. Source: rules B16"""
DECK = 8
"""The room of the largest craft in REH, and so of a small field on which one lies. Ruling KA106"""
SINKING = frozenset("SMUV")
COVERED = frozenset("thb")
"""Forest. Source: rules B9"""


@dataclass(frozen=True, slots=True)
class Building:
    """A tower, keep or temple. Source: rules 27, B12, B15

    Args:
        place: the great field and the number there.
        floors: where its storeys are in the lists of a ground, from the ground floor up.
        has_platform: the last of them is one; a temple has none.
        gates: the sides on which it has one.
        hits: how often it was hit before.
        broken: the sides on which the gate is broken. Ruling KA77
        is_hard: a god has made its walls harder. Source: rules 24.1
    """

    type: str
    place: tuple[GfId, int]
    floors: tuple[Kf, ...]
    has_platform: bool
    gates: frozenset[Side]
    hits: int
    broken: frozenset[Side] = frozenset()
    is_hard: bool = False

    @property
    def kf(self) -> Kf:
        """The index of its ground floor, which is its small field."""
        return self.floors[0]

    @property
    def platform(self) -> Kf | None:
        """The open top; `None` for a temple."""
        return self.floors[-1] if self.has_platform else None

    @property
    def inside(self) -> tuple[Kf, ...]:
        """The storeys under the platform, the lowest first."""
        return self.floors[:-1] if self.has_platform else self.floors


@dataclass(frozen=True, slots=True)
class EdgeWall:
    """A wall (Ma) or a bridge over a river (Br) on the edge between two fields. Source: rules 27, B12

    Args:
        opens: of a gate, the field from which it is opened.
    """

    name: tuple[GfId, Edge]
    one: Kf
    other: Kf
    has_gate: bool
    opens: Kf
    hits: int
    is_broken: bool = False


@dataclass(frozen=True, slots=True)
class Battlefield:
    """The land of a battle. Lists have an entry for each small field and, after these, for each upper storey of a
    building.

    Args:
        places: the great field and the number there.
        provinces: whose land a figure may stand on; `None`: nobody can.
        around: the six neighbours by side, `NOWHERE` beyond the site.
        centres: the fields of trade centres, by province.
        safe: where nothing is to be feared: fields of trade centres, roads, works.
        rivers: pairs that a river parts, without a bridge.
        ascents: pairs between whose levels gear can be moved.
        cliffs: pairs between which nobody steps or fights, as next to a stream bridge.
        heights: over what a shot has to go: the level, or the top of a building.
        stairs: from a storey to the next, and from platform to platform.
        waters: on which craft sail; only battles with craft have some. Nobody else goes there.
        crossings: the fields of stream bridges, with what each has suffered before.
    """

    places: tuple[tuple[GfId, int], ...]
    index: Mapping[tuple[GfId, int], Kf]
    provinces: tuple[Province | None, ...]
    letters: str
    levels: tuple[int, ...]
    rooms: tuple[int, ...]
    around: tuple[tuple[Kf, ...], ...]
    axial: tuple[tuple[int, int], ...]
    centres: Mapping[Province, Kf]
    safe: frozenset[Kf]
    rivers: frozenset[tuple[Kf, Kf]]
    heights: tuple[int, ...]
    buildings: tuple[Building, ...] = ()
    walls: tuple[EdgeWall, ...] = ()
    bridges: tuple[EdgeWall, ...] = ()
    stairs: Mapping[Kf, tuple[Kf, ...]] = field(default_factory=dict)
    waters: frozenset[Kf] = frozenset()
    crossings: Mapping[Kf, int] = field(default_factory=dict)

    @property
    def open_count(self) -> int:
        """The number of places that are small fields; the others are storeys."""
        return len(self.index)

    cliffs: frozenset[tuple[Kf, Kf]] = frozenset()
    ascents: frozenset[tuple[Kf, Kf]] = frozenset()

    def cells(self, province: Province) -> list[Kf]:
        """The fields of a province on which somebody can stand, without storeys."""
        return list(_cells(self).get(province, ()))

    def building(self, kf: Kf) -> Building | None:
        """The building on a field, or the one that a storey belongs to."""
        return next((each for each in self.buildings if kf in each.floors), None)

    def floor(self, kf: Kf) -> int:
        """The storey of a place, counted from 0, or -1 on open ground."""
        found = self.building(kf)
        return -1 if found is None else found.floors.index(kf)

    def distance(self, one: Kf, other: Kf) -> int:
        """The distance in steps, ignoring whatever lies between."""
        (q1, r1), (q2, r2) = self.axial[one], self.axial[other]
        dq, dr = q2 - q1, r2 - r1
        return max(abs(dq), abs(dr), abs(dq + dr))

    def side(self, one: Kf, other: Kf) -> Side | None:
        """The side on which a field touches another; `None` if they don't touch."""
        around = self.around[one]
        return Side(around.index(other)) if other in around else None

    def side_toward(self, one: Kf, other: Kf) -> Side:
        """The side that faces another field at any distance; of equals the first clockwise from the east."""
        (q1, r1), (q2, r2) = self.axial[one], self.axial[other]
        x, y = (q2 - q1) + (r2 - r1) / 2, (r2 - r1) * 0.866
        return max(Side, key=lambda side: (_SIDE_X[side] * x + _SIDE_Y[side] * y, -side))

    def is_climbable(self, one: Kf, other: Kf) -> bool:
        """Whether neighbours are at most one level apart, with nothing else between them. Source: rules 16.3, B7"""
        return abs(self.levels[one] - self.levels[other]) <= 1 and (one, other) not in self.cliffs

    def suits(self, code: str, kf: Kf) -> bool:
        """Whether a kind of figure may ever stand in a field. Source: rules R-018, ruling KA64"""
        return code not in BANNED or kf in self.centres.values() or self.letters[kf] not in BANNED[code]

    def unsuited(self, code: str) -> Fields:
        """The fields where a kind of figure may not stand."""
        return _unsuited(self, code)

    @property
    def board(self) -> Board:
        """Its fields as bits."""
        return _board(self)

    def named(self, kf: Kf) -> str:
        """`2D+5:19`, as plans name it."""
        gf, cell = self.places[kf]
        floor = self.floor(kf)
        return f"{gf}:{cell}" if floor < 0 else f"{gf}:{cell}+{floor}"

    # A ground is compared by identity: it is made once a battle.
    def __hash__(self) -> int:
        return id(self)


_SIDE_X = (1.0, 0.5, -0.5, -1.0, -0.5, 0.5)
_SIDE_Y = (0.0, 0.866, 0.866, 0.0, -0.866, -0.866)


@lru_cache(maxsize=8)
def _board(ground: Battlefield) -> Board:
    return Board(ground)


@lru_cache(maxsize=8 * len(BANNED))
def _unsuited(ground: Battlefield, code: str) -> Fields:
    return ground.board.of(kf for kf in range(len(ground.places)) if not ground.suits(code, kf))


@lru_cache(maxsize=8)
def _cells(ground: Battlefield) -> Mapping[Province, list[Kf]]:
    found: dict[Province, list[Kf]] = {}
    for kf, province in enumerate(ground.provinces[: ground.open_count]):
        if province is not None and kf not in ground.waters:
            found.setdefault(province, []).append(kf)
    return found


def ground_of(land: Land, provinces: Collection[Province], *, has_craft: bool = False) -> Battlefield:
    """Make the ground of a site from all small fields of its great fields; only those of its provinces are open.

    Args:
        has_craft: the waters of its provinces are open too.
    """
    fields = sorted({gf_of(province) for province in provinces}, key=order_of)
    places = tuple((gf, cell) for gf in fields for cell in range(1, CELLS + 1))
    index = {place: kf for kf, place in enumerate(places)}
    of_site = {(gf_of(each), cell): each for each in provinces for cell in land.cells(each)}
    letters = "".join(land.field(gf).cells for gf in fields)
    owners = tuple(of_site.get(place) if TERRAIN[letters[kf]].is_land else None for kf, place in enumerate(places))
    centres = {}
    for each in provinces:
        centre = land.centre(each)
        kf = None if centre is None or centre.cell is None else index[gf_of(each), centre.cell]
        if kf is not None and owners[kf] == each:
            centres[each] = kf
    fields_of_centres = frozenset(centres.values())
    around = tuple(tuple(_over(index, place, side) for side in Side) for place in places)
    levels = tuple(TERRAIN[letter].level for letter in letters)
    rooms = tuple(FULL_ROOM if kf in fields_of_centres else TERRAIN[letter].room for kf, letter in enumerate(letters))
    open_land = Battlefield(
        places=places,
        index=index,
        provinces=owners,
        letters=letters,
        levels=levels,
        rooms=rooms,
        around=around,
        axial=tuple(axial_of(FieldCell(coordinate_of(gf).field, cell)) for gf, cell in places),
        centres=centres,
        safe=fields_of_centres | frozenset(_safe(land, fields, index)),
        rivers=frozenset(_rivers(land, fields, index, around)),
        ascents=frozenset(_ascents(land, fields, index, around)),
        heights=levels,
        walls=tuple(_on_edges("Ma", land, fields, index, around)),
        bridges=tuple(_on_edges("Br", land, fields, index, around)),
    )
    open_land = _crossed(open_land, land, provinces)
    if has_craft:
        open_land = _flooded(open_land, land, provinces)
    return _built_up(open_land, land, [(gf, work) for gf in fields for work in land.field(gf).works])


def _on_edges(
    kind: str,
    land: Land,
    fields: Iterable[GfId],
    index: Mapping[tuple[GfId, int], Kf],
    around: tuple[tuple[Kf, ...], ...],
) -> Iterable[EdgeWall]:
    """The walls, or the bridges over rivers, with the edges on which they stand."""
    for gf in fields:
        for work in land.field(gf).works:
            if work.type == kind and work.edge is not None:
                one = index[gf, work.edge.cell]
                other = around[one][work.edge.side]
                if other != NOWHERE:
                    opens = other if work.opens is not None and work.opens != work.edge.cell else one
                    yield EdgeWall((gf, work.edge), one, other, work.has_gate, opens, work.hits, bool(work.broken))


def _built_up(ground: Battlefield, land: Land, works: Iterable[tuple[GfId, Work]]) -> Battlefield:
    """Add the storeys of buildings to a ground, after its fields. Source: rules 27.3."""
    found: list[Building] = []
    count = len(ground.places)
    upper: list[Kf] = []  # of each storey above the ground its field
    stairs: dict[Kf, list[Kf]] = {}
    rooms = list(ground.rooms)
    heights, levels = list(ground.heights), list(ground.levels)
    for gf, work in works:
        kf = None if work.cell is None or work.type not in BUILDINGS else ground.index[gf, work.cell]
        if kf is None or ground.provinces[kf] is None or not TERRAIN[ground.letters[kf]].is_land:
            continue  # nobody gets into a temple in the water. Ruling KA184
        is_temple = work.type == "Tt" and work.paid is None
        storeys = WORKS[work.type].storeys
        floors = [kf]
        for storey in range(1, storeys if is_temple else storeys + 1):
            floors.append(count + len(upper))
            upper.append(kf)
            levels.append(ground.levels[kf] + storey)
        rooms[kf] = FULL_ROOM
        heights[kf] = ground.levels[kf] + storeys
        for one, other in pairwise(floors):
            stairs.setdefault(one, []).append(other)
            stairs.setdefault(other, []).append(one)
        cell = ground.places[kf][1]
        gates = frozenset(gate.side for gate in work.gates if gate.cell == cell)
        gates = gates or frozenset((usual_gate(cell, land.field(gf).centre).side,))
        broken = frozenset(gate.side for gate in work.broken if gate.cell == cell) & gates
        floor_list = tuple(floors)
        found.append(Building(work.type, (gf, cell), floor_list, not is_temple, gates, work.hits, broken, work.is_hard))
    if not found:
        return ground
    for here, there in permutations(found, 2):
        if here.platform is not None and there.platform is not None and there.kf in ground.around[here.kf]:
            stairs[here.platform].append(there.platform)
    extra = len(upper)
    return replace(
        ground,
        places=(*ground.places, *(ground.places[kf] for kf in upper)),
        provinces=(*ground.provinces, *(ground.provinces[kf] for kf in upper)),
        letters=ground.letters + "".join(ground.letters[kf] for kf in upper),
        levels=tuple(levels),
        heights=(*heights, *levels[count:]),
        rooms=(*rooms, *(FULL_ROOM for _ in upper)),
        around=(*ground.around, *((NOWHERE,) * 6 for _ in range(extra))),
        axial=(*ground.axial, *(ground.axial[kf] for kf in upper)),
        safe=ground.safe | frozenset(range(count, count + extra)),
        buildings=tuple(found),
        stairs={kf: tuple(beside) for kf, beside in stairs.items()},
    )


def _flooded(ground: Battlefield, land: Land, provinces: Collection[Province]) -> Battlefield:
    """Open the waters next to the provinces of a ground; a water shared by several belongs to the lowest of them.
    Ruling KA106
    """
    owners, rooms = list(ground.provinces), list(ground.rooms)
    waters = set()
    for province in sorted(provinces, key=order_of):
        for cell in waters_at(land, province):
            kf = ground.index[gf_of(province), cell]
            if owners[kf] is None:
                owners[kf], rooms[kf] = province, DECK
                waters.add(kf)
    return replace(ground, provinces=tuple(owners), rooms=tuple(rooms), waters=frozenset(waters))


def _crossed(ground: Battlefield, land: Land, provinces: Collection[Province]) -> Battlefield:
    """Add stream bridges and passes to a ground; each lies as high as the lowest land at its ends. KA62

    One steps onto a bridge only from its banks.
    """
    owners, levels, rooms = list(ground.provinces), list(ground.levels), list(ground.rooms)
    walls = set(ground.cliffs)
    crossings: dict[Kf, int] = {}
    waiting = [(gf, work) for gf in dict.fromkeys(map(gf_of, provinces)) for work in land.field(gf).works]
    is_growing = True
    while is_growing:  # a pass may be a chain of several
        is_growing = False
        for gf, work in waiting:
            is_bridge = work.type == "BR"
            is_pass = work.type == "pass" and (work.paid is None or work.paid >= PASS_PRICE)
            if work.cell is None or not (is_bridge or is_pass):
                continue
            kf = ground.index[gf, work.cell]
            around = [other for other in ground.around[kf] if other != NOWHERE]
            banks = [ground.index[gf, cell] for cell in work.banks] if is_bridge else around
            ends = sorted(other for other in banks if owners[other] is not None)
            if ends and owners[kf] is None:
                owners[kf], rooms[kf] = owners[ends[0]], FULL_ROOM
                levels[kf] = min(levels[other] for other in ends)
                crossings |= {kf: work.hits} if is_bridge else {}
                walls |= {pair for other in around if other not in banks for pair in ((kf, other), (other, kf))}
                is_growing = True
    return replace(
        ground,
        provinces=tuple(owners),
        levels=tuple(levels),
        heights=tuple(levels),
        rooms=tuple(rooms),
        cliffs=frozenset(walls),
        crossings=crossings,
    )


def _over(index: Mapping[tuple[GfId, int], Kf], place: tuple[GfId, int], side: Side) -> Kf:
    gf, cell = place
    at = coordinate_of(gf)
    beyond = over(FieldCell(at.field, cell), side)
    other = gf if beyond.field == at.field else field_at(at.plane, beyond.field)
    return NOWHERE if other is None else index.get((other, beyond.cell), NOWHERE)


def _safe(land: Land, fields: Iterable[GfId], index: Mapping[tuple[GfId, int], Kf]) -> Iterable[Kf]:
    for gf in fields:
        field = land.field(gf)
        for work in field.works:
            if work.type in BUILDINGS and work.cell is not None:
                yield index[gf, work.cell]
        if field.has_road:
            yield from (index[gf, cell] for cell in range(1, CELLS + 1))


def _rivers(
    land: Land, fields: Iterable[GfId], index: Mapping[tuple[GfId, int], Kf], around: tuple[tuple[Kf, ...], ...]
) -> Iterable[tuple[Kf, Kf]]:
    for gf in fields:
        field = land.field(gf)
        for edge in field.rivers:
            one = index[gf, edge.cell]
            other = around[one][edge.side]
            if other != NOWHERE and not _has_bridge(field, edge):
                yield one, other
                yield other, one


def _ascents(
    land: Land, fields: Iterable[GfId], index: Mapping[tuple[GfId, int], Kf], around: tuple[tuple[Kf, ...], ...]
) -> Iterable[tuple[Kf, Kf]]:
    for gf in fields:
        for edge in land.field(gf).ascents:
            one = index[gf, edge.cell]
            other = around[one][edge.side]
            if other != NOWHERE:
                yield one, other
                yield other, one


def _has_bridge(field: GreatField, edge: object) -> bool:
    return any(work.type == "Br" and work.edge is not None and work.edge.is_same(edge) for work in field.works)  # type: ignore[arg-type]
