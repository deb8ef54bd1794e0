"""The canonical text of orders and units, as people script against it: `A BUD - SER`, `F NTH C A LON - BEL`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.core.canonical import reader
from engine.core.ids import province_of
from engine.provinces.classic.model import Convoy, Order, SupportHold, SupportMove, Unit
from engine.provinces.orders import Build, Disband, Hold, Move, Remove, Retreat, Waive


def format_unit(unit: Unit) -> str:
    """`A BUD`, `F STP/SC`"""
    return f"{unit.kind} {unit.at}"


def format_order(order: Order) -> str:
    """The order's canonical text. All waived builds of a sheet read `WAIVE`; the first is number 1, and so on."""
    match order:
        case Hold(kind, at):
            return f"{kind} {at} H"
        case Move(kind, at, to, via_convoy):
            return f"{kind} {at} - {to} VIA CONVOY" if via_convoy else f"{kind} {at} - {to}"
        case SupportHold(kind, at, of_kind, of):
            return f"{kind} {at} S {of_kind} {of}"
        case SupportMove(kind, at, of_kind, of, to):
            return f"{kind} {at} S {of_kind} {of} - {to}"
        case Convoy(kind, at, of_kind, of, to):
            return f"{kind} {at} C {of_kind} {of} - {to}"
        case Retreat(kind, at, to):
            return f"{kind} {at} R {to}"
        case Disband(kind, at):
            return f"{kind} {at} D"
        case Build(kind, at):
            return f"BUILD {kind} {at}"
        case Remove(kind, at):
            return f"REMOVE {kind} {at}"
        case _:
            return "WAIVE"


read: Callable[[str], Order | None] = reader(
    ("{kind:AFS} {at} H", Hold),
    ("{kind:AFS} {at} - {to}", Move),
    ("{kind:AFS} {at} - {to} VIA CONVOY", partial(Move, via_convoy=True)),
    ("{kind:AFS} {at} S {of_kind} {of}", SupportHold),
    ("{kind:AFS} {at} S {of_kind} {of} - {to}", SupportMove),
    ("{kind:AFS} {at} C {of_kind} {of} - {to}", Convoy),
    ("{kind:AFS} {at} R {to}", Retreat),
    ("{kind:AFS} {at} D", Disband),
    ("BUILD {kind:AFS} {at}", Build),
    ("REMOVE {kind:AFS} {at}", Remove),
    ("WAIVE", Waive),
)
"""The order of a canonical text; `None` for any other text. Every waived build is the first of its sheet."""


def subject(order: Order) -> str:
    """What the order is for: the province of its unit; each waived build is something of its own."""
    if isinstance(order, Waive):
        return "WAIVE" if order.number == 1 else f"WAIVE {order.number}"
    return province_of(order.at)
