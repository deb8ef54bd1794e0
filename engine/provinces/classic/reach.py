"""Where units can go: over borders (`Reach`, made once per board) and by sea with the fleets present (`Position`).

Used by reading, checking, suggesting and the guided menu. Nothing here knows anybody's orders: an order is legal
if it could be valid with the units where they are. Source: DATC 4.E.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property, singledispatch
from typing import NamedTuple

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.provinces.board import Board, Terrain
from engine.provinces.classic.model import Dislodged, Order, State, Unit
from engine.provinces.classic.numbering import Post, numbered
from engine.provinces.orders import Kind
from engine.provinces.phases import PhaseKind

FLEET: Kind = "F"
ARMY: Kind = "A"
_MOST_POSITIONS = 64
_MOST_ROUTES = 4096


class Routes(NamedTuple):
    """The convoy routes between two provinces, without detours: a fleet that is on none of them carries nobody.

    Args:
        some: the sea provinces that are on at least one of them, a sum of `Reach.sea_bit`. Source: DATC 6.G.19.
        all: the same of those that are on each of them. Source: DATC 6.D.31.
    """

    some: int
    all: int


class Reach:
    """The borders of a board as sets."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.province: Mapping[PlaceId, ProvinceId] = {place: province_of(place) for place in board.places}
        self.army = {province: frozenset(moves) for province, moves in board.army_moves.items()}
        self.fleet = {place: frozenset(moves) for place, moves in board.fleet_moves.items()}
        self._fleet_provinces = {
            place: frozenset(province_of(to) for to in moves) for place, moves in board.fleet_moves.items()
        }
        self._order = {province: number for number, province in enumerate(board.provinces)}
        seas = (province.id for province in board.provinces.values() if province.terrain is Terrain.SEA)
        bits: dict[str, int] = {sea: 1 << index for index, sea in enumerate(seas)}
        self.sea_bit: Mapping[str, int] = bits
        self._sea_neighbours: dict[int, int] = dict.fromkeys(bits.values(), 0)
        self._shores: dict[int, tuple[ProvinceId, ...]] = {}
        self._ports: dict[ProvinceId, int] = {}
        for sea, bit in bits.items():
            shores: list[ProvinceId] = []
            for to in sorted(self._fleet_provinces[PlaceId(sea)]):
                if to in bits:
                    self._sea_neighbours[bit] |= bits[to]
                else:
                    shores.append(to)
                    self._ports[to] = self._ports.get(to, 0) | bit
            self._shores[bit] = tuple(shores)
        self._sorted: dict[tuple[Kind, PlaceId], tuple[ProvinceId, ...]] = {}
        self._routes: dict[tuple[int, ProvinceId], Mapping[ProvinceId, Routes]] = {}

    def places(self, kind: Kind, at: PlaceId) -> frozenset[PlaceId]:
        """Where a unit can go over a border. Source: Diplomacy, rules 1.3."""
        if kind == FLEET:
            return self.fleet.get(at, frozenset())
        return self.army.get(province_of(at), frozenset())  # type: ignore[return-value]

    def provinces(self, kind: Kind, at: PlaceId) -> frozenset[ProvinceId]:
        """The provinces that a unit can go to over a border, on whichever coast: what it can support."""
        if kind == FLEET:
            return self._fleet_provinces.get(at, frozenset())
        return self.army.get(province_of(at), frozenset())

    def provinces_sorted(self, kind: Kind, at: PlaceId) -> tuple[ProvinceId, ...]:
        """The same in map order."""
        key = (kind, at)
        found = self._sorted.get(key)
        if found is None:
            reached = self.provinces(kind, at)
            found = self._sorted[key] = tuple(province for province in self.board.provinces if province in reached)
        return found

    def coasts(self, at: PlaceId, province: ProvinceId) -> tuple[PlaceId, ...]:
        """The places in a province that a fleet can go to, sorted."""
        return tuple(to for to in self.board.fleet_moves.get(at, ()) if province_of(to) == province)

    def way(self, fleets: int, origin: ProvinceId, there: ProvinceId) -> Routes | None:
        """What `routes` says about one province, found separately; `None` if it says nothing.

        Source: Diplomacy, rules 6.1.
        """
        start, end = self._ports.get(origin, 0) & fleets, self._ports.get(there, 0) & fleets
        if not start or not end or origin == there:
            return None
        some, each = 0, -1
        ways = [(bit, 0, start) for bit in _bits(start)]
        while ways:
            sea, path, closed = ways.pop()
            path |= sea
            if sea & end:
                some, each = some | path, each & path
                continue
            around = self._sea_neighbours[sea]
            onward = around & fleets & ~closed & ~path
            if onward:
                ways.extend([(bit, path, closed | around) for bit in _bits(onward)])
        return Routes(some, each) if some else None

    def ports(self, province: ProvinceId) -> int:
        """The sea provinces off a province, as a sum of `sea_bit`."""
        return self._ports.get(province, 0)

    def is_among(self, province: ProvinceId, seas: int) -> bool:
        """Whether a province is one of some sea provinces (a sum of `sea_bit`)."""
        return bool(self.sea_bit.get(province, 0) & seas)

    def is_sea(self, province: ProvinceId) -> bool:
        """Whether fleets there can convoy."""
        return province in self.sea_bit

    def routes(self, fleets: int, origin: ProvinceId) -> Mapping[ProvinceId, Routes]:
        """Where an army can get by sea with fleets in these sea provinces (a sum of `sea_bit`), in map order."""
        key = (fleets, origin)
        found = self._routes.get(key)
        if found is None:
            if len(self._routes) >= _MOST_ROUTES:
                self._routes.clear()
            found = self._routes[key] = self._find_routes(fleets, origin)
        return found

    def _find_routes(self, fleets: int, origin: ProvinceId) -> Mapping[ProvinceId, Routes]:
        """Follows every route without a shortcut: each fleet on it touches only those before and after it."""
        start = self._ports.get(origin, 0)
        found: dict[ProvinceId, Routes] = {}
        ways = [(bit, 0, start, frozenset((origin,))) for bit in _bits(start & fleets)]
        while ways:
            sea, path, closed, passed = ways.pop()
            path |= sea
            shores = self._shores[sea]
            for shore in shores:
                if shore not in passed:
                    if shore in found:
                        some, each = found[shore]
                        found[shore] = Routes(some | path, each & path)
                    else:
                        found[shore] = Routes(path, path)
            onward = self._sea_neighbours[sea] & fleets & ~closed & ~path
            if onward:
                closed |= self._sea_neighbours[sea]
                passed = passed.union(shores)
                ways.extend((bit, path, closed, passed) for bit in _bits(onward))
        return {shore: found[shore] for shore in sorted(found, key=self._order.__getitem__)}


class Position:
    """Which units are where in a State, and what follows from it."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.reach = reach_of(state.variant.board)
        province = self.reach.province
        self.unit_at: dict[ProvinceId, Unit] = {province[unit.at]: unit for unit in state.units}
        self.dislodged_at: dict[ProvinceId, Dislodged] = {
            province[dislodged.unit.at]: dislodged for dislodged in state.dislodged
        }
        bits = self.reach.sea_bit
        self._ways: dict[tuple[ProvinceId, ProvinceId], Routes | None] = {}
        self.listed: dict[PowerId, Mapping[str, tuple[Order, ...]]] = {}
        """By power, what `list_orders` has found."""
        self._fleets = sum([bits[unit.at] for unit in state.units if unit.at in bits and unit.kind == FLEET])

    @cached_property
    def kind_at(self) -> Mapping[PlaceId, Kind]:
        """The kinds of the units by the places where they stand."""
        return {unit.at: unit.kind for unit in self.state.units}

    @cached_property
    def holders(self) -> Mapping[Post, PowerId]:
        """Whose the units are, by where they stand and of which kind they are."""
        posts = numbered(self.reach.board).posts
        return {posts[unit.kind][unit.at]: unit.power for unit in self.state.units}

    def routes(self, origin: ProvinceId) -> Mapping[ProvinceId, Routes]:
        """Where an army in a province could be convoyed with the fleets on the board."""
        return self.reach.routes(self._fleets, origin)

    def way(self, origin: ProvinceId, there: ProvinceId) -> Routes | None:
        """The routes by which an army in one province could be convoyed to another, if there are any."""
        key = origin, there
        if key not in self._ways:
            self._ways[key] = self.reach.way(self._fleets, origin, there)
        return self._ways[key]

    def has_port_fleet(self, origin: ProvinceId) -> bool:
        """Whether there is a fleet off a province: without one no army can be convoyed from there."""
        return bool(self.reach.ports(origin) & self._fleets)

    def routes_without(self, origin: ProvinceId, idle: frozenset[ProvinceId]) -> Mapping[ProvinceId, Routes]:
        """The same if the fleets in some sea provinces do something else."""
        bits = self.reach.sea_bit
        return self.reach.routes(self._fleets & ~sum(bits.get(sea, 0) for sea in idle), origin)

    def can_be_at(self, unit: Unit, province: ProvinceId) -> bool:
        """Whether a unit could end the phase in another province, over a border or by sea."""
        if province in self.reach.provinces(unit.kind, unit.at):
            return True
        return unit.kind != FLEET and self.way(province_of(unit.at), province) is not None

    def adjustment(self, power: PowerId) -> int:
        """How many units a power may build; below 0: how many it has to remove."""
        centres = sum(owner == power for owner in self.state.centres.values())
        return centres - len(self.removable(power))

    def removable(self, power: PowerId) -> tuple[Unit, ...]:
        """The units of a power that need a centre each, in map order."""
        return tuple(unit for unit in self.state.units if unit.power == power)

    def homes(self, power: PowerId) -> tuple[ProvinceId, ...]:
        """The centres where a power could build if it owned them and they were empty, in map order."""
        return self.reach.board.homes(power)

    def building_sites(self, power: PowerId) -> tuple[ProvinceId, ...]:
        """The home centres that a power owns and that are empty, in map order."""
        return tuple(
            home for home in self.homes(power) if self.state.centres.get(home) == power and home not in self.unit_at
        )

    def builds(self, power: PowerId) -> int:
        """How many units a power can build: as many as it is due and has room for."""
        return max(0, min(self.adjustment(power), len(self.building_sites(power))))

    def removals(self, power: PowerId) -> int:
        """How many units a power has to remove."""
        return max(0, -self.adjustment(power))

    def units_of(self, power: PowerId | None) -> tuple[Unit, ...]:
        """The units that a power orders in this phase, in map order."""
        if self.state.phase.kind is PhaseKind.RETREATS:
            return tuple(d.unit for d in self.state.dislodged if d.unit.power == power)
        return tuple(unit for unit in self.state.units if unit.power == power)


@cache
def reach_of(board: Board) -> Reach:
    """The reach of a board, made once."""
    return Reach(board)


@singledispatch
def make_position(state: State) -> Position:
    """The position of a State; games based on Diplomacy register the function that makes theirs."""
    return Position(state)


_positions: dict[int, Position] = {}


def position_of(state: State) -> Position:
    """The position of a State; made once while the State is in use."""
    found = _positions.get(id(state))
    # The position holds its state, so that no other state can have its id meanwhile.
    if found is not None and found.state is state:
        return found
    if len(_positions) >= _MOST_POSITIONS:
        _positions.clear()
    found = _positions[id(state)] = make_position(state)
    return found


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        bit = mask & -mask
        found.append(bit)
        mask ^= bit
    return found
