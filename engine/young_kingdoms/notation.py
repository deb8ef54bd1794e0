"""The canonical text and the subject of every order."""

from __future__ import annotations

from engine.core.ids import province_of
from engine.provinces.classic import notation as classic
from engine.provinces.orders import Hold
from engine.young_kingdoms.model import (
    CASTS,
    SORCERER,
    CardOrder,
    CastAttack,
    CastHere,
    CastOnPlace,
    CastOnUnit,
    CastSelf,
    CastSupport,
    Give,
    Order,
    Place,
    Ride,
    ShareOrder,
    Unshare,
)

SPELL = "SPELL"
"""Subject of a spell, of which there is one a turn."""


def format_order(order: Order) -> str:
    """The order's canonical text, all in upper case."""
    match order:
        case Ride(at):
            return f"S {at} RIDES F {at}"
        case CastAttack(card, at, to):
            return f"CAST {card} FROM {at} - {to}"
        case CastSupport(card, of_kind, of, to):
            return f"CAST {card} S {of_kind} {of}" + (f" - {to}" if to else "")
        case CastSelf(card, to):
            return f"CAST {card} S SELF" + (f" - {to}" if to else "")
        case CastHere(card):
            return f"CAST {card}"
        case CastOnUnit(card, of_kind, of):
            return f"CAST {card} ON {of_kind} {of}"
        case CastOnPlace(card, to):
            return f"CAST {card} ON {to}"
        case ShareOrder(at, power):
            return f"SHARE {at} WITH {power.upper().replace('_', ' ')}"
        case Unshare(at):
            return f"UNSHARE {at}"
        case CardOrder(verb, kind, at):
            return f"{verb.upper()} SPELL {kind} {at}"
        case Give(kind, at, power, of_kind, of):
            owner = f"{power.upper().replace('_', ' ')} " if power else ""
            return f"GIVE SPELL {kind} {at} TO {owner}{of_kind} {of}"
        case Place(kind, at):
            return f"PLACE {kind} {at}"
        case _:
            return classic.format_order(order)


def subject(order: Order) -> str:
    """What the order is for: `BUD`, `S MEL`, `SPELL`, `SHARE MEL ARGIMILIAR`, `UNSHARE MEL`, `CARD BAK`, `PLACE F`."""
    if isinstance(order, CASTS):
        return SPELL
    match order:
        case Ride(at):
            return f"{SORCERER} {at}"
        case ShareOrder(at, power):
            return f"SHARE {at} {power.upper()}"
        case Unshare(at):
            return f"UNSHARE {at}"
        case CardOrder(_, _, at) | Give(_, at):
            return f"CARD {province_of(at)}"
        case Place(kind, _):
            return f"PLACE {kind}"
    if getattr(order, "kind", None) == SORCERER:
        return f"{SORCERER} {order.at}"  # type: ignore[union-attr]
    return classic.subject(order)


def excludes(one: Order, other: Order) -> bool:
    """Whether a sheet can't hold both: two orders for one thing, or a way of the sorcerer and a spell that bars it."""
    if subject(one) == subject(other):
        return one != other
    for way, spell in ((one, other), (other, one)):
        if isinstance(spell, CASTS) and subject(way).startswith(f"{SORCERER} "):
            return not is_hold(way) or isinstance(spell, CastAttack | CastSelf)
    return False


def is_hold(order: Order) -> bool:
    """Whether an order of a unit is to stay."""
    return isinstance(order, Hold)
