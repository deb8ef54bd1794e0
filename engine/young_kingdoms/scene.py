"""The position as a picture's data.

Besides Diplomacy's: sorcerers are units of the kind `S`; marks `fortress` (label: its strength; power: its owner, if it
has one), `horde` (on a horde's army), `barred` (a space that spell 10 closes, from the orders or results drawn).
Magical attacks are moves in the manner `magic`, spells that support are supports in it; spells on a unit, a space or
the sorcerer's own are `strike`. Where cards lie is shown to nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import get_args

from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId, province_of
from engine.core.outcome import OrderResult
from engine.pictures.legend import ArrowStatus, LegendRow
from engine.pictures.scene import Arrow, ArrowKind, Mark, Scene
from engine.provinces.classic import scene as classic
from engine.provinces.classic.model import Convoy, SupportMove
from engine.provinces.classic.model import Order as OrdinaryOrder
from engine.provinces.drawing import status_of, unit_marks
from engine.provinces.orders import Hold, Move, Retreat, is_on
from engine.young_kingdoms.model import (
    CASTS,
    SORCERER,
    CastAttack,
    CastHere,
    CastOnPlace,
    CastOnUnit,
    CastSelf,
    CastSupport,
    Order,
    Ride,
    State,
    View,
)
from engine.young_kingdoms.results import CUT_BUT_MOVED
from engine.young_kingdoms.status import eliminated


def scene(
    view: View,
    *,
    orders: Iterable[Order] = (),
    results: Sequence[OrderResult[Order]] = (),
    events: Sequence[Event] = (),
) -> Scene:
    """The position; with the viewer's pending orders, or with the results of the phase that began with it."""
    state, orders = view.state, tuple(orders)
    plain = [order for order in orders if _is_ordinary(order)]
    drawn: list[tuple[PowerId, Order, ArrowStatus]] = []
    if view.viewer is not None:
        drawn += [(view.viewer, order, ArrowStatus.PENDING) for order in orders if not _is_ordinary(order)]
    for result in results:
        order = result.order
        if order is not None and not _is_ordinary(order) and is_on(state.variant.board.provinces, order):
            drawn.append((result.power, *_as_carried_out(state, result.power, order, result)))
    of_plain = [result for result in results if _is_ordinary(result.order)]
    base = classic.scene(view, orders=plain, results=of_plain)  # type: ignore[arg-type]
    arrows = [arrow for power, order, status in drawn for arrow in _arrows(state, power, order, status)]
    barred = [Mark("barred", order.to, power) for power, order, _ in drawn if isinstance(order, CastOnPlace)]
    return replace(
        base,
        units=(*base.units, *unit_marks(state.sorcerers, state.driven)),
        marks=(*base.marks, *_fortresses(state), *_hordes(state), *barred),
        arrows=(*base.arrows, *arrows),
        legend=_legend(base.legend, state),
    )


def _as_carried_out(
    state: State, power: PowerId, order: Order, result: OrderResult[Order]
) -> tuple[Order, ArrowStatus]:
    """An order and how it ended; a sorcerer who moved though its support was cut has simply moved. Ruling Y17."""
    own = state.sorcerer(power)
    if isinstance(order, CastSelf) and order.to and own is not None and result.reason.code == CUT_BUT_MOVED:
        return Move(SORCERER, own.at, order.to), ArrowStatus.SUCCEEDED
    return order, status_of(order, result.outcome)


_ORDINARY = get_args(OrdinaryOrder)


def _is_ordinary(order: Order | None) -> bool:
    """Whether Diplomacy draws the order: it has nothing to do with a sorcerer."""
    kinds = (getattr(order, "kind", None), getattr(order, "of_kind", None))
    return isinstance(order, _ORDINARY) and SORCERER not in kinds


def _fortresses(state: State) -> Iterable[Mark]:
    for at, fortress in state.fortresses.items():
        if fortress.strength:
            yield Mark("fortress", PlaceId(at), fortress.owner, str(fortress.strength))


def _hordes(state: State) -> Iterable[Mark]:
    return (Mark("horde", unit.at, unit.power) for unit in state.units if province_of(unit.at) in state.hordes)


def _legend(rows: Iterable[LegendRow], state: State) -> tuple[LegendRow, ...]:
    out = eliminated(state)
    return tuple(replace(row, is_out=row.power in out) for row in rows)


def _arrows(state: State, power: PowerId, order: Order, status: ArrowStatus) -> Iterable[Arrow]:
    own = state.sorcerer(power)
    if isinstance(order, CASTS) and own is None:
        return
    here = own.at if own is not None else PlaceId("")
    match order:
        case Hold(kind, at):
            yield Arrow(ArrowKind.HOLD, power, at, at, status=status, unit_kind=kind)
        case Move(kind, at, to):
            yield Arrow(ArrowKind.MOVE, power, at, to, status=status, unit_kind=kind)
        case Retreat(kind, at, to):
            yield Arrow(ArrowKind.RETREAT, power, at, to, status=status, unit_kind=kind)
        case Ride(at):
            yield Arrow(ArrowKind.HOLD, power, at, at, status=status, unit_kind=SORCERER)
        case SupportMove(kind, at, _, of, to):
            yield Arrow(ArrowKind.SUPPORT_MOVE, power, at, to, via=(of,), status=status, unit_kind=kind)
        case Convoy(kind, at, _, of, to):
            yield Arrow(ArrowKind.CONVOY, power, at, to, via=(of,), status=status, unit_kind=kind)
        case CastAttack(_, at, to):
            yield Arrow(ArrowKind.MOVE, power, at, to, status=status, unit_kind=SORCERER, manner="magic")
        case CastHere():
            yield Arrow(ArrowKind.STRIKE, power, here, here, status=status, unit_kind=SORCERER)
        case CastOnUnit(_, _, target) | CastOnPlace(_, target):
            yield Arrow(ArrowKind.STRIKE, power, here, target, status=status, unit_kind=SORCERER)
        case CastSelf(_, to):
            kind_ = ArrowKind.MOVE if to else ArrowKind.STRIKE
            yield Arrow(kind_, power, here, to or here, status=status, unit_kind=SORCERER, manner="magic")
        case CastSupport(_, _, of, to):
            kind_ = ArrowKind.SUPPORT_MOVE if to else ArrowKind.SUPPORT_HOLD
            yield Arrow(kind_, power, here, to or of, (of,), status, unit_kind=SORCERER, manner="magic")
