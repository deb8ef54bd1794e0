"""The small fields (KF) of a battle site, over all its great fields. Source: rules 12.1, 16.3, B4"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from engine.kalevala.battle.boards import Board
from engine.kalevala.coordinates import GfId, Province, coordinate_of, field_at, gf_of, order_of
from engine.kalevala.land import Land
from engine.kalevala.model import GreatField
from engine.kalevala.tables import BUILDINGS, FULL_ROOM, TERRAIN
from engine.lattice.great_fields import CELLS, FieldCell, Side, axial_of, over

Kf: TypeAlias = int
"""A small field of the site, by its place in `Battlefield.places`: by great field, then number."""
NOWHERE: Kf = -1
DANGEROUS = frozenset("SMUVDECIJK")
"""Swamp, mangrove, desert, ice. Source: rules B16"""
SINKING = frozenset("SMUV")
COVERED = frozenset("thb")
"""Forest. Source: rules B9"""


@dataclass(frozen=True, slots=True)
class Battlefield:
    """The land of a battle. Lists go by small field.

    Args:
        places: the great field and the number there.
        provinces: whose land a figure may stand on; `None`: nobody can.
        around: the six neighbours by side, `NOWHERE` beyond the site.
        centres: the fields of trade centres, by province.
        safe: where nothing is to be feared: fields of trade centres, roads, works.
        rivers: pairs that a river parts, without a bridge.
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

    def cells(self, province: Province) -> list[Kf]:
        """The fields of a province on which one can stand."""
        return [kf for kf, other in enumerate(self.provinces) if other == province]

    def distance(self, one: Kf, other: Kf) -> int:
        """How many steps, straight over whatever lies between."""
        (q1, r1), (q2, r2) = self.axial[one], self.axial[other]
        dq, dr = q2 - q1, r2 - r1
        return max(abs(dq), abs(dr), abs(dq + dr))

    def side(self, one: Kf, other: Kf) -> Side | None:
        """By which side a field touches another; `None`: they don't touch."""
        around = self.around[one]
        return Side(around.index(other)) if other in around else None

    def side_toward(self, one: Kf, other: Kf) -> Side:
        """The side that looks toward another field, near or far; of equals the first clockwise from the east."""
        (q1, r1), (q2, r2) = self.axial[one], self.axial[other]
        x, y = (q2 - q1) + (r2 - r1) / 2, (r2 - r1) * 0.866
        return max(Side, key=lambda side: (_SIDE_X[side] * x + _SIDE_Y[side] * y, -side))

    def is_climbable(self, one: Kf, other: Kf) -> bool:
        """Whether neighbours are no more than a level apart. Source: rules 16.3, B7"""
        return abs(self.levels[one] - self.levels[other]) <= 1

    @property
    def board(self) -> Board:
        """Its fields as bits."""
        return _board(self)

    def named(self, kf: Kf) -> str:
        """`2D+5:19`, as plans name it."""
        gf, cell = self.places[kf]
        return f"{gf}:{cell}"

    # A ground is told apart by being the same one: it is made once a battle.
    def __hash__(self) -> int:
        return id(self)


_SIDE_X = (1.0, 0.5, -0.5, -1.0, -0.5, 0.5)
_SIDE_Y = (0.0, 0.866, 0.866, 0.0, -0.866, -0.866)


@lru_cache(maxsize=8)
def _board(ground: Battlefield) -> Board:
    return Board(ground)


def ground_of(land: Land, provinces: Collection[Province]) -> Battlefield:
    """The ground of a site: all small fields of its great fields, of which only those of its provinces are open."""
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
    return Battlefield(
        places=places,
        index=index,
        provinces=owners,
        letters=letters,
        levels=tuple(TERRAIN[letter].level for letter in letters),
        rooms=tuple(
            FULL_ROOM if kf in fields_of_centres else TERRAIN[letter].room for kf, letter in enumerate(letters)
        ),
        around=around,
        axial=tuple(axial_of(FieldCell(coordinate_of(gf).field, cell)) for gf, cell in places),
        centres=centres,
        safe=fields_of_centres | frozenset(_safe(land, fields, index)),
        rivers=frozenset(_rivers(land, fields, index, around)),
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


def _has_bridge(field: GreatField, edge: object) -> bool:
    return any(work.type == "Br" and work.edge is not None and work.edge.is_same(edge) for work in field.works)  # type: ignore[arg-type]
