"""The land as provinces: parts of great fields, and the links between them on foot; `sea.waters` has their waters.

Source: rules R-009, R-082, R-084
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache

from engine.kalevala.coordinates import (
    Edge,
    GfId,
    Province,
    coordinate_of,
    gf_of,
    neighbours_of,
    order_of,
    part_of,
)
from engine.kalevala.model import PLAIN, GreatField, State, TradeCentre, Work
from engine.kalevala.tables import (
    AT_THE_SHORE,
    CANAL_PRICES,
    IMPASSABLE,
    PASS,
    PASS_PRICE,
    RIVER_SIDES,
    ROUGH,
    TERRAIN,
    UNSEEN,
)
from engine.lattice.great_fields import (
    CELLS,
    FieldCell,
    FieldDirection,
    FieldId,
    Side,
    around,
    axial_of,
    border,
    inner_neighbours,
    rim,
)

UNKNOWN = GreatField(cells=UNSEEN * CELLS)
"""A field about which a viewer knows nothing."""
_NUMBERS = range(1, CELLS + 1)
_HOME = FieldId(0, 0)
"""Stands for any field, where all are alike."""


def land_of(state: State) -> Land:
    """The land of a position; in a view, land that is not seen may be anything."""
    return Land(state.land, UNKNOWN if state.is_fogged else None if state.has_rim else PLAIN)


class Land:
    """The provinces of a map, worked out when asked for. What stands on them is not part of it.

    Args:
        fields: by id.
        beyond: a field that is not among them; `None`: there is nothing beyond.
    """

    def __init__(self, fields: Mapping[GfId, GreatField], beyond: GreatField | None) -> None:
        self._fields = fields
        self._beyond = beyond
        self._links: dict[Province, tuple[Province, ...]] = {}

    def exists(self, gf: GfId) -> bool:
        """Whether there is such a field."""
        return gf in self._fields or self._beyond is not None

    def field(self, gf: GfId | Province) -> GreatField:
        """A field; plain where the map says nothing."""
        return self._fields.get(gf_of(gf), self._beyond or PLAIN)

    def parts(self, gf: GfId) -> Mapping[int, frozenset[int]]:
        """The cells of each province of a field, by its number."""
        field = self.field(gf)
        if field.seen_parts is not None:
            return field.seen_parts
        return divided(field.cells, field.parts)

    def provinces(self, gf: GfId) -> tuple[Province, ...]:
        """The provinces of a field, in their order."""
        return tuple(self._name(gf, number) for number in self.parts(gf))

    def is_divided(self, gf: GfId) -> bool:
        """Whether a field has several provinces."""
        return self.field(gf).seen_parts is not None or len(self.parts(gf)) > 1

    def has(self, province: Province) -> bool:
        """Whether there is such a province."""
        gf = gf_of(province)
        return self.exists(gf) and province in self.provinces(gf)

    def cells(self, province: Province) -> frozenset[int]:
        """The cells of a province: all land without water and mountains, or all water."""
        return self.parts(gf_of(province)).get(part_of(province) or 1, frozenset())

    def at(self, gf: GfId, cell: int) -> Province | None:
        """The province of a cell; `None` for water and mountains between parts."""
        return next((self._name(gf, number) for number, cells in self.parts(gf).items() if cell in cells), None)

    def centre(self, province: Province) -> TradeCentre | None:
        """The trade centre of a province, or its site. If its cell isn't fixed, the first part has it."""
        centre = self.field(province).centre
        if centre is None:
            return None
        if centre.cell is None:
            return centre if (part_of(province) or 1) == 1 else None
        cells = self.cells(province)
        if centre.cell in cells:
            return centre
        # A centre on water or mountains belongs to the first part, so that it can have an owner.
        is_nobodys = self.at(gf_of(province), centre.cell) is None
        return centre if is_nobodys and (part_of(province) or 1) == 1 else None

    def works(self, province: Province) -> Iterator[Work]:
        """The works of a province; those between provinces, such as bridges, belong to each of them."""
        return (work for work in self.field(province).works if self.belongs(province, work))

    def belongs(self, province: Province, work: Work) -> bool:
        """Whether a work belongs to a province: on its cells, or on water or mountains next to them."""
        cells = self.cells(province)
        if work.type == "BR" and cells & set(work.banks):
            return True
        cell = work.edge.cell if work.edge is not None else work.cell
        if cell in cells:
            return True
        is_first = (part_of(province) or 1) == 1
        if cell is None:
            return is_first
        gf = gf_of(province)
        if self.field(gf).cells[cell - 1] == UNSEEN or self.at(gf, cell) is not None:
            return False
        beside = set(inner_neighbours(cell))
        return bool(beside & cells) or (is_first and not any(beside & part for part in self.parts(gf).values()))

    def is_at(self, province: Province, work: Work) -> bool:
        """Whether a work belongs to a province, or is on its border with another part of the same field."""
        return self.belongs(province, work) or (work.edge is not None and work.edge.touches(self.cells(province)))

    def beside(self, province: Province) -> frozenset[int]:
        """The water and mountains of a divided field next to a province, which its owner sees. Ruling KA16"""
        gf = gf_of(province)
        field = self.field(gf)
        nobodys = set(_NUMBERS).difference(*self.parts(gf).values())
        found = {cell for cell in nobodys if not self.cells(province).isdisjoint(inner_neighbours(cell))}
        passes = {work.cell for work in field.works if work.type == "pass" and work.cell in nobodys}
        frontier = [cell for cell in found if cell in passes]
        while frontier:
            for cell in inner_neighbours(frontier.pop()):
                if cell in passes and cell not in found:
                    found.add(cell)
                    frontier.append(cell)
        return frozenset(found)

    def links(self, province: Province) -> tuple[Province, ...]:
        """The provinces that figures can reach on foot in one step, in order."""
        found = self._links.get(province)
        if found is None:
            found = self._links[province] = tuple(sorted(set(self._find_links(province)), key=order_of))
        return found

    def is_linked(self, one: Province, other: Province) -> bool:
        """Whether figures can step from one to the other."""
        return other in self.links(one)

    def bridge_between(self, one: Province, other: Province) -> Work | None:
        """The only bridge that links two parts of a field, the one with the fewest hits. Source: rules R-084, 27.2"""
        field = self.field(one)
        if gf_of(one) != gf_of(other) or one == other:
            return None
        bridges = [work for work in field.works if work.type == "BR" and work.hits < IMPASSABLE]
        mine, theirs = self.cells(one), self.cells(other)
        joining = [work for work in bridges if mine & set(work.banks) and theirs & set(work.banks)]
        if not joining or any(theirs.intersection(inner_neighbours(cell)) for cell in mine):
            return None
        return None if other in self._over_passes(one) else min(joining, key=lambda work: work.hits)

    def may_be_linked(self, one: Province, named: Province) -> bool:
        """Whether a step into a province is possible as far as is known: cells not seen may be anything.

        A name without a part means any part; a part that isn't seen is somewhere among the cells not seen.
        """
        source, gf = gf_of(one), gf_of(named)
        if source != gf and gf not in neighbours_of(source):
            return False
        if any(named in (other, gf_of(other)) for other in self.links(one)):
            return True
        inside, outside = self.field(source), self.field(gf)
        if source == gf:
            return not self.has(named) and UNSEEN in inside.cells
        unseen = {cell for cell in _NUMBERS if inside.cells[cell - 1] == UNSEEN}
        mine = self.cells(one) if self.has(one) else unseen
        theirs = self.cells(named) if part_of(named) is not None and self.has(named) else None
        return any(
            here in mine and (there in theirs if theirs is not None else _may_be_land(outside.cells[there - 1]))
            for here, there in border(direction_of(source, gf))
            if here in unseen or outside.cells[there - 1] == UNSEEN
        )

    def is_sea(self, province: Province) -> bool:
        """Whether a province is only water, where there are only craft. Source: rules 8.1"""
        letters = {self.field(province).cells[cell - 1] for cell in self.cells(province)}
        return "W" in letters and not any(_may_be_land(letter) for letter in letters)

    def meant(
        self, named: Province, *, near: Iterable[Province] = (), own: Collection[Province] = ()
    ) -> Province | None:
        """The province that a name without a part means: one linked with `near`, own ones first, else the lowest.

        `None` if there is none. Source: rules R-082
        """
        gf = gf_of(named)
        if part_of(named) is not None:
            return named if self.has(named) else None
        if not self.exists(gf):
            return None
        provinces = self.provinces(gf)
        if len(provinces) == 1:
            return provinces[0]
        others = tuple(near)
        linked = [each for each in provinces if any(self.is_linked(other, each) for other in others)] or list(provinces)
        return next((each for each in linked if each in own), linked[0])

    def connected(self, start: Iterable[Province], within: Collection[Province]) -> set[Province]:
        """All provinces among some that can be reached from one of the starts over links."""
        reached = {province for province in start if province in within}
        frontier = list(reached)
        while frontier:
            for other in self.links(frontier.pop()):
                if other in within and other not in reached:
                    reached.add(other)
                    frontier.append(other)
        return reached

    def beside_cell(self, gf: GfId, cell: int) -> Iterator[tuple[GfId, int]]:
        """The small fields around one, also beyond the rim of its great field, as far as they exist."""
        return ((other, number) for other, number in _around(gf, cell) if self.exists(other))

    def areas(self, provinces: Collection[Province]) -> tuple[tuple[Province, ...], ...]:
        """Provinces grouped into connected areas, each in order, by their first province."""
        left, found = set(provinces), []
        for province in sorted(provinces, key=order_of):
            if province in left:
                area = self.connected((province,), left)
                left -= area
                found.append(tuple(sorted(area, key=order_of)))
        return tuple(found)

    def is_rough(self, province: Province) -> bool:
        """Whether on more than half of the land mounts and wagons have to be led. Rules R-017, ruling KA17"""
        land = self._ground(province)
        return 2 * sum(letter in ROUGH for letter in land) > len(land)

    def commonest(self, province: Province) -> str:
        """The most common terrain of a province's land; if several are equally common, the first.

        Source: rules R-018, ruling KA17
        """
        counts = Counter(self._ground(province))
        return counts.most_common(1)[0][0] if counts else "T"

    def _ground(self, province: Province) -> list[str]:
        """The letters of a province's land, in the order of its cells."""
        letters = (self.field(province).cells[cell - 1] for cell in sorted(self.cells(province)))
        return [letter for letter in letters if letter in TERRAIN and TERRAIN[letter].is_land]

    def _name(self, gf: GfId, number: int) -> Province:
        return Province(f"{gf}/{number}") if self.is_divided(gf) else Province(gf)

    def _find_links(self, province: Province) -> Iterator[Province]:
        gf, cells = gf_of(province), self.cells(province)
        field = self.field(gf)
        if not any(is_land(field.cells[cell - 1]) for cell in cells):
            return
        for other in neighbours_of(gf):
            if self.exists(other):
                yield from self._over_border(cells, gf, other)
        if field.parts is not None:
            touching = {number for cell in cells for number in inner_neighbours(cell)}
            yield from self._parts_of(gf, touching, province)
        for work in field.works:
            if work.type == "BR" and work.hits < IMPASSABLE and cells & set(work.banks):
                yield from self._parts_of(gf, work.banks, province)
        yield from self._over_passes(province)

    def _over_border(self, cells: frozenset[int], gf: GfId, other: GfId) -> Iterator[Province]:
        letters = self.field(other).cells
        reached = {theirs for mine, theirs in border(direction_of(gf, other)) if mine in cells}
        reached = {cell for cell in reached if is_land(letters[cell - 1])}
        if not reached:
            return
        for number, part in self.parts(other).items():
            if part & reached:
                yield self._name(other, number)

    def _parts_of(self, gf: GfId, cells: Iterable[int], but: Province) -> Iterator[Province]:
        for cell in cells:
            found = self.at(gf, cell)
            if found is not None and found != but:
                yield found

    def _over_passes(self, province: Province) -> Iterator[Province]:
        """Provinces beyond finished passes, each a chain of pass cells. Source: rules 13.2"""
        gf = gf_of(province)
        if not any(self._passes(each) for each in (gf, *neighbours_of(gf))):
            return
        frontier = [(gf, cell) for cell in self.cells(province)]
        seen = set(frontier)
        while frontier:
            at, cell = frontier.pop()
            for place in _around(at, cell):
                if place in seen or not self.exists(place[0]):
                    continue
                is_pass = place[1] in self._passes(place[0])
                if is_pass:
                    seen.add(place)
                    frontier.append(place)
                elif cell in self._passes(at):
                    found = self.at(*place)
                    if found is not None and found != province:
                        yield found

    def _passes(self, gf: GfId) -> set[int]:
        works = self.field(gf).works
        return {
            work.cell
            for work in works
            if work.type == "pass" and work.cell is not None and (work.paid is None or work.paid >= PASS_PRICE)
        }


def way_price(field: GreatField, what: str, cell: int) -> int | None:
    """What a small field of a canal or pass costs; `None`: there can't be one. Source: rules 13.1, 13.2"""
    letter = field.cells[cell - 1]
    if what == PASS:
        return PASS_PRICE if letter == _MOUNTAINS else None
    price = CANAL_PRICES.get(letter)
    if price is None:
        return None
    if letter in "Tt" and any(field.cells[other - 1] == "W" for other in inner_neighbours(cell)):
        price = AT_THE_SHORE
    sides = sum(edge.touches((cell,)) for edge in field.rivers)
    return price - (sides >= RIVER_SIDES)


_MOUNTAINS = "G"


def _around(gf: GfId, cell: int) -> Iterator[tuple[GfId, int]]:
    for number in inner_neighbours(cell):
        yield gf, number
    for other in neighbours_of(gf):
        for mine, theirs in border(direction_of(gf, other)):
            if mine == cell:
                yield other, theirs


@lru_cache(maxsize=10_000)
def direction_of(gf: GfId, other: GfId) -> FieldDirection:
    """In which direction a field has another one as its neighbour; it has to be one."""
    direction = coordinate_of(gf).field.direction_to(coordinate_of(other).field)
    assert direction is not None, "neighbours"
    return direction


def is_straight(first: Province, second: Province, third: Province) -> bool:
    """Whether three fields are in a line, each next to the following one."""
    one, two, three = (coordinate_of(each) for each in (first, second, third))
    step = two.u - one.u, two.v - one.v
    return (three.u - two.u, three.v - two.v) == step and one.plane == three.plane


def usual_gate(cell: int, centre: TradeCentre | None) -> Edge:
    """A gate towards the field of the trade centre, else towards the lowest cell of the rim. Source: rules R-027"""
    lowest = min(number for direction in FieldDirection for number in rim(direction))
    goal = centre.cell if centre is not None and centre.cell not in (None, cell) else lowest
    assert goal is not None, "a cell"
    goal_q, goal_r = axial_of(FieldCell(_HOME, goal))

    def away(side: Side) -> int:
        q, r = axial_of(around(FieldCell(_HOME, cell))[side])
        return max(abs(q - goal_q), abs(r - goal_r), abs(q + r - goal_q - goal_r))

    return Edge(cell, min(Side, key=lambda each: (away(each), each)) if cell != goal else Side.SE)


def is_land(letter: str) -> bool:
    """Whether this terrain is seen, and land."""
    return letter != UNSEEN and TERRAIN[letter].is_land


def _may_be_land(letter: str) -> bool:
    return letter == UNSEEN or TERRAIN[letter].is_land


@lru_cache(maxsize=5_000)
def divided(cells: str, parts: tuple[tuple[int, ...], ...] | None) -> Mapping[int, frozenset[int]]:
    """The provinces of a field, by number: as divided by battle or treaty, else by nature. Source: rules R-009

    Parts are numbered by their lowest cell. A field without land is a single province.
    """
    if parts is not None:
        ordered = sorted((frozenset(part) for part in parts if part), key=min)
        return dict(enumerate(ordered, 1))
    found = connected_cells(cells, lambda letter: letter == UNSEEN or TERRAIN[letter].is_land)
    return dict(enumerate(found, 1)) if found else {1: frozenset(_NUMBERS)}


def connected_cells(cells: str, belongs: Callable[[str], bool]) -> list[frozenset[int]]:
    """The cells whose letter belongs, as connected areas, by their lowest cell."""
    left = {cell for cell in _NUMBERS if belongs(cells[cell - 1])}
    found = []
    while left:
        frontier = [min(left)]
        area = set(frontier)
        while frontier:
            for other in inner_neighbours(frontier.pop()):
                if other in left and other not in area:
                    area.add(other)
                    frontier.append(other)
        left -= area
        found.append(frozenset(area))
    return found
