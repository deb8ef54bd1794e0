"""The position as a picture's data, with pending orders or a phase's results drawn in as arrows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId, ProvinceId, SystemId, province_of
from engine.core.outcome import OrderResult
from engine.pictures.legend import ArrowStatus, LegendRow
from engine.pictures.scene import Arrow, ArrowKind, Mark, Scene
from engine.provinces.board import Terrain
from engine.provinces.classic.model import Convoy, Order, State, SupportHold, SupportMove, View
from engine.provinces.classic.status import status
from engine.provinces.drawing import status_of, unit_marks
from engine.provinces.orders import Build, Disband, Hold, Move, Remove, Retreat, is_on

_Drawn = tuple[PowerId, Order, ArrowStatus]


def scene(
    view: View,
    *,
    orders: Iterable[Order] = (),
    results: Sequence[OrderResult[Order]] = (),
    events: Sequence[Event] = (),
) -> Scene:
    """The position; with the viewer's pending orders, or with the results of the phase that began with it.

    A result whose order could not be read has no arrow.
    """
    state = view.state
    drawn = [*_pending(view, orders), *_adjudicated(state, results)]
    return Scene(
        system=SystemId(state.variant.system),
        variant=state.variant.id,
        title=status(state).title,
        fills=_fills(state),
        units=unit_marks(state.units, state.dislodged),
        marks=tuple(Mark("centre", PlaceId(centre), owner) for centre, owner in state.centres.items()),
        arrows=_arrows(state, drawn),
        legend=_legend(state),
        viewer=view.viewer,
    )


def _pending(view: View, orders: Iterable[Order]) -> list[_Drawn]:
    return [(view.viewer, order, ArrowStatus.PENDING) for order in orders if view.viewer is not None]


def _adjudicated(state: State, results: Sequence[OrderResult[Order]]) -> list[_Drawn]:
    return [
        (result.power, order, status_of(order, result.outcome))
        for result in results
        if (order := result.order) is not None and is_on(state.variant.board.provinces, order)
    ]


def _fills(state: State) -> Mapping[ProvinceId, PowerId]:
    provinces = state.variant.board.provinces
    fills = {
        province_of(unit.at): unit.power
        for unit in state.units
        if provinces[province_of(unit.at)].terrain is not Terrain.SEA and not provinces[province_of(unit.at)].is_centre
    }
    return fills | {centre: owner for centre, owner in state.centres.items() if owner is not None}


def _legend(state: State) -> tuple[LegendRow, ...]:
    centres = Counter(owner for owner in state.centres.values() if owner)
    units = Counter(unit.power for unit in (*state.units, *(row.unit for row in state.dislodged)))
    out = status(state).out
    return tuple(
        LegendRow(power, (("centres", centres[power]), ("units", units[power])), is_out=power in out)
        for power in state.variant.powers
    )


def _arrows(state: State, drawn: Sequence[_Drawn]) -> tuple[Arrow, ...]:
    convoys: dict[tuple[ProvinceId, ProvinceId], list[PlaceId]] = {}
    for _, order, _ in drawn:
        if isinstance(order, Convoy):
            convoys.setdefault((province_of(order.of), province_of(order.to)), []).append(order.at)
    arrows = (_arrow(state, power, order, outcome, convoys) for power, order, outcome in drawn)
    return tuple(arrow for arrow in arrows if arrow is not None)


def _arrow(
    state: State,
    power: PowerId,
    order: Order,
    outcome: ArrowStatus,
    convoys: Mapping[tuple[ProvinceId, ProvinceId], Sequence[PlaceId]],
) -> Arrow | None:
    match order:
        case Hold(kind, at):
            return Arrow(ArrowKind.HOLD, power, at, at, status=outcome, unit_kind=kind)
        case Move(kind, at, to):
            fleets = convoys.get((province_of(at), province_of(to)), ())
            route = _route(state, at, to, fleets)
            return Arrow(ArrowKind.MOVE, power, at, to, via=route, status=outcome, unit_kind=kind)
        case SupportHold(kind, at, _, of):
            return Arrow(ArrowKind.SUPPORT_HOLD, power, at, of, via=(of,), status=outcome, unit_kind=kind)
        case SupportMove(kind, at, _, of, to):
            return Arrow(ArrowKind.SUPPORT_MOVE, power, at, to, via=(of,), status=outcome, unit_kind=kind)
        case Convoy(kind, at, _, of, to):
            return Arrow(ArrowKind.CONVOY, power, at, to, via=(of,), status=outcome, unit_kind=kind)
        case Retreat(kind, at, to):
            return Arrow(ArrowKind.RETREAT, power, at, to, status=outcome, unit_kind=kind)
        case Disband(kind, at):
            return Arrow(ArrowKind.DISBAND, power, at, at, status=outcome, unit_kind=kind)
        case Build(kind, at):
            return Arrow(ArrowKind.BUILD, power, at, at, status=outcome, unit_kind=kind)
        case Remove(kind, at):
            return Arrow(ArrowKind.REMOVE, power, at, at, status=outcome, unit_kind=kind)
        case _:
            return None


def _route(state: State, start: PlaceId, end: PlaceId, fleets: Sequence[PlaceId]) -> tuple[PlaceId, ...]:
    """The shortest chain of the convoying fleets from start to end; empty where they make none."""
    borders = state.variant.board.fleet_moves
    by_sea = {place for coast in _coasts(state, end) for place in borders[coast]}
    paths: list[tuple[PlaceId, ...]] = [
        (fleet,) for fleet in sorted(fleets) if any(fleet in borders[coast] for coast in _coasts(state, start))
    ]
    seen = {path[0] for path in paths}
    for path in paths:  # grows as it is read: breadth first
        if path[-1] in by_sea:
            return path
        for fleet in sorted(fleets):
            if fleet not in seen and fleet in borders[path[-1]]:
                seen.add(fleet)
                paths.append((*path, fleet))
    return ()


def _coasts(state: State, place: PlaceId) -> tuple[PlaceId, ...]:
    province = province_of(place)
    return (PlaceId(province), *state.variant.board.provinces[province].coasts)
