"""A retreats phase: dislodged units go where they still can, or disband.

adjudicate → retreats
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.ids import PowerId, ProvinceId, province_of
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Phrase, phrase
from engine.provinces.classic.model import Dislodged, Order, State, Unit
from engine.provinces.classic.notation import format_order
from engine.provinces.classic.numbering import numbered
from engine.provinces.orders import Disband, Retreat


@dataclass(frozen=True, slots=True)
class Retreated:
    """The end of a retreats phase; units and results in map order."""

    units: tuple[Unit, ...]
    results: tuple[OrderResult[Order], ...]


def adjudicate_retreats(state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> Retreated:
    """Carry out the retreats. A unit without a possible order disbands; so do all with the same destination.

    Source: Diplomacy, rules 2.3, 7.2.
    """
    orders = {row: _order_for(row, sheets.get(row.unit.power, ())) for row in state.dislodged}
    wanted = Counter(province_of(order.to) for order in orders.values() if isinstance(order, Retreat))
    standing = list(state.units)
    results: list[OrderResult[Order]] = []
    for row, order in orders.items():
        unit = row.unit
        if isinstance(order, Retreat) and wanted[province_of(order.to)] == 1:
            standing.append(Unit(unit.power, unit.kind, order.to))
            outcome, reason = Outcome.RETREATS, phrase("outcome.retreated")
        else:
            outcome, reason = Outcome.DISBANDS, _why_disbanded(row, order, orders)
        done = order or Disband(unit.kind, unit.at)
        results.append(OrderResult(unit.power, done, format_order(done), province_of(unit.at), outcome, reason))
    spaces = numbered(state.variant.board).space_of
    standing.sort(key=lambda unit: spaces[unit.at])
    return Retreated(tuple(standing), tuple(results))


def _order_for(row: Dislodged, orders: Sequence[Order]) -> Retreat | Disband | None:
    """The first possible order for a dislodged unit."""
    for order in orders:
        if (
            isinstance(order, Retreat | Disband)
            and (order.kind, order.at) == (row.unit.kind, row.unit.at)
            and (isinstance(order, Disband) or order.to in row.retreats)
        ):
            return order
    return None


def _why_disbanded(
    row: Dislodged, order: Retreat | Disband | None, orders: Mapping[Dislodged, Retreat | Disband | None]
) -> Phrase:
    if isinstance(order, Retreat):
        place: ProvinceId = province_of(order.to)
        others = tuple(
            f"{other.unit.kind} {other.unit.at}"
            for other, wish in orders.items()
            if other != row and isinstance(wish, Retreat) and province_of(wish.to) == place
        )
        return phrase("outcome.retreats_met", units=others, place=place)
    if not row.retreats:
        return phrase("outcome.nowhere_to_go")
    return phrase("outcome.disbanded" if order else "outcome.no_retreat_order")
