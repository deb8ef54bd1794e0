"""The waters of a land, for craft and swimmers: which of them touch, and where one comes ashore.

Source: rules 8.2, 9.3, R-082, R-084, rulings KA110, KA112
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from engine.kalevala.coordinates import GfId, Province, coordinate_of, gf_of, neighbours_of
from engine.kalevala.land import Land, connected_cells, direction_of, is_land, way_price
from engine.kalevala.model import GreatField, Work
from engine.kalevala.tables import CANAL, TERRAIN, UNSEEN
from engine.lattice.great_fields import FieldCell, Side, border, inner_neighbours, over


def waters_at(land: Land, province: Province) -> frozenset[int]:
    """The cells of the waters that a province borders, or that make it up."""
    cells = land.cells(province)
    shore = cells.union(*(inner_neighbours(cell) for cell in cells))
    return frozenset(cell for area in _waters(land, gf_of(province)) if area & shore for cell in area)


def _waters(land: Land, gf: GfId) -> list[frozenset[int]]:
    return waters_of(_wet(land, gf))


def _wet(land: Land, gf: GfId) -> str:
    """The terrain of a field for craft: finished canals are water. Ruling KA110"""
    field = land.field(gf)
    dug = {work.cell for work in field.works if work.type == CANAL and _is_finished(field, work)}
    if not dug:
        return field.cells
    return "".join("W" if cell in dug else letter for cell, letter in enumerate(field.cells, 1))


def _is_finished(field: GreatField, work: Work) -> bool:
    """Whether a field of a canal has been paid for."""
    if work.cell is None or work.paid is None:
        return work.cell is not None
    price = way_price(field, work.type, work.cell)
    return price is not None and work.paid >= price


@lru_cache(maxsize=5_000)
def waters_of(cells: str) -> list[frozenset[int]]:
    """The waters of a field, each connected over the edges of its cells."""
    return connected_cells(cells, lambda letter: letter != UNSEEN and TERRAIN[letter].is_water)


def may_be_sailed(land: Land, one: Province, named: Province) -> bool:
    """Whether waters of both provinces touch, as far as is known. Source: rules R-084"""
    return bool(_landings(land, one, named)) or _may_touch(land, one, named)


def is_sailed(land: Land, one: Province, named: Province) -> bool:
    """Whether known waters of both provinces touch."""
    return bool(_landings(land, one, named))


def sailed_to(land: Land, one: Province, named: Province, own: Collection[Province] = ()) -> Province | None:
    """The province that craft come to: the ruler's own first, else the lowest. Source: rules R-082, R-084"""
    found = _landings(land, one, named)
    return next((each for each in found if each in own), found[0] if found else None)


def _landings(land: Land, one: Province, named: Province) -> list[Province]:
    source, gf = gf_of(one), gf_of(named)
    if (source != gf and gf not in neighbours_of(source)) or not land.exists(gf):
        return []
    mine = waters_at(land, one)
    pairs = border(direction_of(source, gf)) if source != gf else tuple((cell, cell) for cell in mine)
    reached = {there for here, there in pairs if here in mine}
    letters = _wet(land, gf)
    reached = {cell for cell in reached if letters[cell - 1] != UNSEEN and TERRAIN[letters[cell - 1]].is_water}
    return [
        each for each in land.provinces(gf) if named in (each, gf) and each != one and reached & waters_at(land, each)
    ]


def _may_touch(land: Land, one: Province, named: Province) -> bool:
    """Whether cells that are not seen could be waters that touch."""
    source, gf = gf_of(one), gf_of(named)
    inside, outside = land.field(source).cells, land.field(gf).cells
    if source == gf:
        return UNSEEN in inside and not land.has(named)
    if gf not in neighbours_of(source):
        return False
    known = waters_at(land, one) if land.has(one) else set()
    return any(
        UNSEEN in (inside[here - 1], outside[there - 1])
        and (here in known or inside[here - 1] == UNSEEN)
        and (outside[there - 1] == UNSEEN or TERRAIN[outside[there - 1]].is_water)
        for here, there in border(direction_of(source, gf))
    )


def is_voyage(land: Land, way: Sequence[Province]) -> bool:
    """Whether craft can go along a way without leaving the water: they pass each province by a single water."""
    at = {(gf_of(way[0]), area) for area in _waters(land, gf_of(way[0])) if area & waters_at(land, way[0])}
    for one, other in pairwise(way):
        source, gf = gf_of(one), gf_of(other)
        own = waters_at(land, other)
        reached = set()
        for _, area in at:
            if source == gf:
                touched = set(area)
            else:
                touched = {there for here, there in border(direction_of(source, gf)) if here in area}
            reached |= {(gf, each) for each in _waters(land, gf) if each & touched and each & own}
        at = reached
    return bool(at)


def over_water(land: Land, province: Province, most: int) -> set[Province]:
    """The provinces whose shores craft can reach from a shore of this one in at most this many fields. Rules 8.2"""
    home = gf_of(province)
    shore = {(gf, area) for cell in land.cells(province) for gf, area in _waters_beside(land, home, cell)}
    reached = {(gf, area): int(gf != home) for gf, area in shore}
    frontier = sorted(reached, key=lambda water: (reached[water], water[0], min(water[1])))
    found: set[Province] = set()
    while frontier:
        gf, area = frontier.pop(0)
        steps = reached[gf, area]
        if steps > most:
            continue
        for cell in area:
            for other, number in land.beside_cell(gf, cell):
                if steps + int(other != gf) > most:
                    continue
                landing = land.at(other, number)
                if landing is not None and is_land(land.field(other).cells[number - 1]):
                    found.add(landing)
                water = next((each for each in _waters(land, other) if number in each), None)
                if water is not None and (other, water) not in reached:
                    reached[other, water] = steps + int(other != gf)
                    frontier.append((other, water))
    return found - {province}


def _waters_beside(land: Land, gf: GfId, cell: int) -> Iterator[tuple[GfId, frozenset[int]]]:
    for other, number in land.beside_cell(gf, cell):
        yield from ((other, area) for area in _waters(land, other) if number in area)


def banks(land: Land, one: Province, other: Province) -> list[int]:
    """The cells of the other province where swimmers from the first come ashore, over a strom one small field wide.

    Source: rules 9.3, ruling KA112
    """
    if one == other or land.is_linked(one, other):
        return []
    mine, theirs = land.cells(one), land.cells(other)
    source, target = gf_of(one), gf_of(other)
    found = set()
    for cell in theirs:
        if not is_land(land.field(target).cells[cell - 1]):
            continue
        for gf, water in land.beside_cell(target, cell):
            if land.field(gf).cells[water - 1] == "W" and any(
                place == source and bank in mine and is_land(land.field(place).cells[bank - 1])
                for place, bank in land.beside_cell(gf, water)
            ):
                found.add(cell)
    return sorted(found)


def inlets(land: Land, source: Province, target: Province) -> list[int]:
    """The cells of the target's waters into which craft come from the source: over the border, or from its bank."""
    mine = waters_at(land, source)
    theirs = waters_at(land, target)
    if gf_of(source) == gf_of(target):
        bank = land.cells(source)
        return sorted(cell for cell in theirs if cell in mine and not bank.isdisjoint(inner_neighbours(cell)))
    pairs = border(direction_of(gf_of(source), gf_of(target)))
    return sorted(there for here, there in pairs if here in mine and there in theirs)


def current(land: Land, one: Province, other: Province) -> int:
    """1 where a strom flows from one great field into the other, -1 where it flows the other way, otherwise 0."""
    return _flows_into(land, gf_of(one), gf_of(other)) - _flows_into(land, gf_of(other), gf_of(one))


def _flows_into(land: Land, gf: GfId, other: GfId) -> bool:
    home, goal = coordinate_of(gf), coordinate_of(other)
    return home.plane == goal.plane and any(
        over(FieldCell(home.field, cell), Side[side]).field == goal.field
        for cell, side in (land.field(gf).flow.items() if gf != other else ())
    )
