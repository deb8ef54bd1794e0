"""The canonical text of orders and units, as people script against it: `A BUD - SER`, `F NTH C A LON - BEL`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from engine.core.canonical import reader
from engine.core.ids import province_of
from engine.provinces.classic.model import Convoy, Order, SupportHold, SupportMove, Unit
from engine.provinces.orders import Build, Disband, Hold, Move, Remove, Retreat, Waive


def format_unit(unit: Unit) -> str:
    """`A BUD`, `F STP/SC`"""
    return f"{unit.kind} {unit.at}"


def format_order(order: Order) -> str:
    """The order's canonical text. All waived builds of a sheet read `WAIVE`; the first is number 1, and so on."""
    return _TEXTS[type(order)](order)


_TEXTS: Mapping[type, Callable[[Any], str]] = {
    Hold: lambda order: f"{order.kind} {order.at} H",
    Move: lambda order: f"{order.kind} {order.at} - {order.to}{' VIA CONVOY' if order.via_convoy else ''}",
    SupportHold: lambda order: f"{order.kind} {order.at} S {order.of_kind} {order.of}",
    SupportMove: lambda order: f"{order.kind} {order.at} S {order.of_kind} {order.of} - {order.to}",
    Convoy: lambda order: f"{order.kind} {order.at} C {order.of_kind} {order.of} - {order.to}",
    Retreat: lambda order: f"{order.kind} {order.at} R {order.to}",
    Disband: lambda order: f"{order.kind} {order.at} D",
    Build: lambda order: f"BUILD {order.kind} {order.at}",
    Remove: lambda order: f"REMOVE {order.kind} {order.at}",
    Waive: lambda order: "WAIVE",
}
"""By the type of an order: much faster than `match`, which matters as every order is put into words."""

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
