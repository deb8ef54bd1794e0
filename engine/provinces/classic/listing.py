"""Lists every legal order of a power, by unit. Suggestions, hints and the guided menu choose from it.

Fast because what two units can do for each other over borders depends only on these two: it is found once per board,
and for a position it is only looked up, pair by pair.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.provinces.board import Board, Terrain
from engine.provinces.classic.model import Convoy, Order, SupportHold, SupportMove, Unit
from engine.provinces.classic.notation import subject
from engine.provinces.classic.reach import ARMY, FLEET, Position, reach_of
from engine.provinces.orders import Build, Disband, Hold, Kind, Move, Remove, Retreat, Waive
from engine.provinces.phases import PhaseKind


def list_orders(position: Position, viewer: PowerId | None) -> Mapping[str, tuple[Order, ...]]:
    """All orders that a power may give, by subject: holds, moves, supports, convoys; help for its own units first.

    All in map order. A support for a fleet names the coast that it goes to, if there are several. Source: DATC 4.B.4.
    """
    if viewer is None or position.state.over is not None:
        return {}
    found = position.listed.get(viewer)
    if found is None:
        found = position.listed[viewer] = _list_orders(position, viewer)
    return found


def _list_orders(position: Position, viewer: PowerId) -> Mapping[str, tuple[Order, ...]]:
    kind = position.state.phase.kind
    if kind is PhaseKind.MOVEMENT:
        units = position.units_of(viewer)
        others = (*units, *(unit for unit in position.state.units if unit.power != viewer))
        return {province_of(unit.at): _unit_orders(position, unit, others) for unit in units}
    if kind is PhaseKind.RETREATS:
        return {
            province_of(d.unit.at): (
                *(Retreat(d.unit.kind, d.unit.at, place) for place in d.retreats),
                Disband(d.unit.kind, d.unit.at),
            )
            for d in position.state.dislodged
            if d.unit.power == viewer
        }
    return _adjustments(position, viewer)


def list_about(
    position: Position,
    viewer: PowerId,
    sorts: Collection[type],
    goal: ProvinceId | None,
    helped: ProvinceId | None,
    at: str | None = None,
) -> list[Order]:
    """Those of `list_orders`, in its order, that are of certain kinds and about a goal or a unit that is helped.

    Found separately, since it takes long to list all orders of a power.

    Args:
        goal: where the ordered unit, or the one that it helps, goes.
        helped: where the unit that is helped stands.
        at: the subject whose orders are wanted; `None`: all subjects.
    """
    if position.state.over is not None or position.state.phase.kind is not PhaseKind.MOVEMENT:
        listed = list_orders(position, viewer)
        return [
            order for key, orders in listed.items() if at in (None, key) for order in orders if type(order) in sorts
        ]
    units: Sequence[Unit] = [unit for unit in position.state.units if unit.power == viewer]
    others: Sequence[Unit] = ()
    if any(sort is not Move for sort in sorts):
        others = (*units, *(unit for unit in position.state.units if unit.power != viewer))
    if at is not None:
        units = [unit for unit in units if province_of(unit.at) == at]
    found: list[Order] = []
    is_sailed_to = goal is not None and position.has_port_fleet(goal)
    for unit in units:
        is_near = goal in position.reach.provinces(unit.kind, unit.at) or (is_sailed_to and unit.kind != FLEET)
        if goal is not None and is_near and Move in sorts:
            found += _moves_to(position, unit, goal)
        if others:
            found += _help_about(position, unit, others, sorts, goal, helped)
    return found


def _moves_to(position: Position, unit: Unit, goal: ProvinceId) -> Iterator[Order]:
    if goal in position.reach.provinces(unit.kind, unit.at):
        alone = _borders_of(position.reach.board).alone(unit.kind, unit.at)
        yield from (order for order in alone if isinstance(order, Move) and province_of(order.to) == goal)
    if unit.kind != FLEET and position.way(province_of(unit.at), goal):
        yield Move(unit.kind, unit.at, PlaceId(goal), via_convoy=True)


def _help_about(
    position: Position,
    unit: Unit,
    others: Sequence[Unit],
    sorts: Collection[type],
    goal: ProvinceId | None,
    helped: ProvinceId | None,
) -> Iterator[Order]:
    """Supports and convoys."""
    here = province_of(unit.at)
    if SupportMove in sorts or SupportHold in sorts:
        can_support = goal is not None and goal in position.reach.provinces(unit.kind, unit.at)
        for other in others:
            if province_of(other.at) == helped:
                found = _supports(position, unit, other)
            elif can_support and goal is not None:
                found = [order for order in _supports(position, unit, other, among=(goal,)) if _goes_to(order, goal)]
            else:
                continue
            yield from (order for order in found if type(order) in sorts)
    if Convoy in sorts and unit.kind == FLEET and position.reach.is_sea(here):
        for army in others:
            if army.kind == FLEET:
                continue
            origin = province_of(army.at)
            goals = position.routes(origin) if origin == helped else () if goal is None else (goal,)
            for to in goals:
                ways = position.way(origin, to)
                if ways and position.reach.is_among(here, ways.some):
                    yield Convoy(unit.kind, unit.at, army.kind, army.at, PlaceId(to))


def _goes_to(order: Order, goal: ProvinceId) -> bool:
    return isinstance(order, SupportMove) and province_of(order.to) == goal


def _unit_orders(position: Position, unit: Unit, others: Sequence[Unit]) -> tuple[Order, ...]:
    borders = _borders_of(position.reach.board)
    found = [*borders.alone(unit.kind, unit.at)]
    if unit.kind != FLEET:
        routes = position.routes(province_of(unit.at))
        found += [Move(unit.kind, unit.at, PlaceId(to), via_convoy=True) for to in routes]
    for other in others:
        found += _supports(position, unit, other)
    if position.reach.is_sea(province_of(unit.at)) and unit.kind == FLEET:
        here = province_of(unit.at)
        for army in others:
            if army.kind != FLEET:
                found += [
                    Convoy(unit.kind, unit.at, army.kind, army.at, PlaceId(to))
                    for to, routes in position.routes(province_of(army.at)).items()
                    if position.reach.is_among(here, routes.some)
                ]
    return tuple(found)


def _supports(
    position: Position, unit: Unit, other: Unit, *, among: Iterable[ProvinceId] | None = None
) -> Sequence[Order]:
    """Supports of one unit for another; by sea only to certain provinces, if these are given."""
    over_borders = _borders_of(position.reach.board).supports(unit.kind, unit.at, other.kind, other.at)
    if other.kind == FLEET:
        return over_borders
    return [*over_borders, *_convoy_supports(position, unit, other, among=among)]


def _convoy_supports(
    position: Position, unit: Unit, army: Unit, *, among: Iterable[ProvinceId] | None = None
) -> list[Order]:
    """Supports for a move that is possible only by sea, except by the only fleet that could carry it.

    Args:
        among: where to, in map order; `None`: anywhere.
    """
    here, origin = province_of(unit.at), province_of(army.at)
    if here == origin or not position.has_port_fleet(origin):
        return []
    over_land = position.reach.army[origin]
    found: list[Order] = []
    for to in position.reach.provinces_sorted(unit.kind, unit.at) if among is None else among:
        ways = None if to in over_land else position.way(origin, to)
        if ways and not (unit.kind == FLEET and position.reach.is_among(here, ways.all)):
            found.append(SupportMove(unit.kind, unit.at, army.kind, army.at, PlaceId(to)))
    return found


class _Borders:
    """What units can do over borders, found when first asked for."""

    def __init__(self, board: Board) -> None:
        self._reach = reach_of(board)
        self._alone: dict[tuple[Kind, PlaceId], tuple[Order, ...]] = {}
        self._supports: dict[tuple[Kind, PlaceId, Kind, PlaceId], tuple[Order, ...]] = {}

    def alone(self, kind: Kind, at: PlaceId) -> tuple[Order, ...]:
        """Holding, and the moves to neighbours."""
        found = self._alone.get((kind, at))
        if found is None:
            moves = (Move(kind, at, to) for to in sorted(self._reach.places(kind, at)))
            found = self._alone[kind, at] = (Hold(kind, at), *moves)
        return found

    def supports(self, kind: Kind, at: PlaceId, of_kind: Kind, of: PlaceId) -> tuple[Order, ...]:
        """Supports of one unit for another where it stands and for its moves."""
        key = (kind, at, of_kind, of)
        found = self._supports.get(key)
        if found is None:
            found = self._supports[key] = tuple(self._find_supports(kind, at, of_kind, of))
        return found

    def _find_supports(self, kind: Kind, at: PlaceId, of_kind: Kind, of: PlaceId) -> list[Order]:
        here, reached = province_of(at), self._reach.provinces(kind, at)
        if here == province_of(of):
            return []
        found: list[Order] = []
        if province_of(of) in reached:
            found.append(SupportHold(kind, at, of_kind, of))
        for to in sorted(self._reach.places(of_kind, of)):
            if province_of(to) in reached and province_of(to) != here:
                found.append(SupportMove(kind, at, of_kind, of, to))
        return found


@cache
def _borders_of(board: Board) -> _Borders:
    return _Borders(board)


def _adjustments(position: Position, viewer: PowerId) -> Mapping[str, tuple[Order, ...]]:
    if position.removals(viewer):
        return {province_of(unit.at): (Remove(unit.kind, unit.at),) for unit in position.removable(viewer)}
    if position.adjustment(viewer) <= 0:
        return {}
    provinces = position.reach.board.provinces
    found: dict[str, tuple[Order, ...]] = {}
    for site in position.building_sites(viewer):
        province = provinces[site]
        fleets = province.coasts or ((PlaceId(site),) if province.terrain is Terrain.COAST else ())
        found[site] = (Build(ARMY, PlaceId(site)), *(Build(FLEET, place) for place in fleets))
    return {**found, subject(Waive()): (Waive(),)}
