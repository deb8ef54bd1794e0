"""A retreats phase: dislodged knights and Kings go where they still can. Source: rules 6 and 10."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import phrase
from engine.feudal.model import Dislodged, Order, State, Unit, format_order
from engine.feudal.movement import bury_kings, capture, in_map_order
from engine.provinces.orders import Disband, Retreat


@dataclass(frozen=True, slots=True)
class Retreated:
    """The end of a retreats phase; the phase of `state` is still the same."""

    state: State
    results: tuple[OrderResult[Order], ...]
    events: tuple[Event, ...]


def adjudicate_retreats(state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> Retreated:
    """Carry out the retreats. All that want to go to one space are disbanded, and with his King all of a player's."""
    orders = {row.unit.at: _order_for(row, sheets.get(row.unit.power, ())) for row in state.dislodged}
    wanted = Counter(order.to for order, _ in orders.values() if isinstance(order, Retreat))
    lost = [row.unit for row in state.dislodged if not _gets_away(orders[row.unit.at][0], wanted)]
    dead = {unit.power for unit in lost if unit.kind == "K"}
    standing = {unit.at: unit for unit in state.units}
    results: list[OrderResult[Order]] = []
    for row in state.dislodged:
        order, is_given = orders[row.unit.at]
        outcome, why = Outcome.DISBANDS, phrase("outcome.disbanded" if is_given else "outcome.nowhere_to_go")
        if isinstance(order, Retreat):
            if wanted[order.to] > 1:
                why = phrase("outcome.retreats_met", units=_others(row, order, state, orders), place=order.to)
            elif row.unit.power in dead and row.unit not in lost:
                why = phrase("outcome.king_lost")
            else:
                outcome = Outcome.RETREATS
                why = phrase("outcome.retreated" if is_given else "outcome.retreated_by_default")
                standing[order.to] = replace(row.unit, at=order.to)
        results.append(OrderResult(row.unit.power, order, format_order(order), row.unit.at, outcome, why))
    after, captures = capture(state, standing)
    after = replace(after, units=in_map_order(after, standing), dislodged=())
    after, deaths = bury_kings(after, lost)
    return Retreated(after, tuple(results), (*captures, *deaths))


def _order_for(row: Dislodged, orders: Sequence[Order]) -> tuple[Retreat | Disband, bool]:
    """The first possible order for a knight, or the first space of its list; whether it was given.

    Source: ruling F14.
    """
    for order in orders:
        match order:
            case Retreat(_, at, to) if at == row.unit.at and to in row.retreats:
                return Retreat(row.unit.kind, at, to), True
            case Disband(_, at) if at == row.unit.at:
                return Disband(row.unit.kind, at), True
    if row.retreats:
        return Retreat(row.unit.kind, row.unit.at, row.retreats[0]), False
    return Disband(row.unit.kind, row.unit.at), False


def _gets_away(order: Retreat | Disband, wanted: Mapping[PlaceId, int]) -> bool:
    return isinstance(order, Retreat) and wanted[order.to] == 1


def _others(
    row: Dislodged, order: Retreat, state: State, orders: Mapping[PlaceId, tuple[Retreat | Disband, bool]]
) -> tuple[str, ...]:
    units: list[Unit] = []
    for other in state.dislodged:
        wish = orders[other.unit.at][0]
        if other != row and isinstance(wish, Retreat) and wish.to == order.to:
            units.append(other.unit)
    return tuple(unit.name for unit in units)
