"""The canonical text and the subject of every order."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.canonical import reader
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.provinces.classic import notation as classic
from engine.provinces.orders import Hold, Waive
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


def _power(words: str) -> PowerId:
    return PowerId(words.lower().replace(" ", "_"))


def _ride(at: str, place: str) -> Ride:
    return Ride(PlaceId(at))


_read: Callable[[str], Order | None] = reader(
    ("S {at} RIDES F {place}", _ride),
    ("CAST {card} FROM {at} - {to}", lambda card, at, to: CastAttack(int(card), at, to)),
    ("CAST {card} S SELF", lambda card: CastSelf(int(card))),
    ("CAST {card} S SELF - {to}", lambda card, to: CastSelf(int(card), to)),
    ("CAST {card} S {of_kind} {of}", lambda card, of_kind, of: CastSupport(int(card), of_kind, of)),
    ("CAST {card} S {of_kind} {of} - {to}", lambda card, of_kind, of, to: CastSupport(int(card), of_kind, of, to)),
    ("CAST {card} ON {of_kind} {of}", lambda card, of_kind, of: CastOnUnit(int(card), of_kind, of)),
    ("CAST {card} ON {to}", lambda card, to: CastOnPlace(int(card), to)),
    ("CAST {card}", lambda card: CastHere(int(card))),
    ("SHARE {at} WITH {power+}", lambda at, power: ShareOrder(ProvinceId(at), _power(power))),
    ("UNSHARE {at}", Unshare),
    ("GIVE SPELL {kind} {at} TO {of_kind} {of}", lambda kind, at, of_kind, of: Give(kind, at, None, of_kind, of)),
    (
        "GIVE SPELL {kind} {at} TO {power+} {of_kind} {of}",
        lambda kind, at, power, of_kind, of: Give(kind, at, _power(power), of_kind, of),
    ),
    ("{verb} SPELL {kind} {at}", lambda verb, kind, at: CardOrder(verb.lower(), kind, at)),
    ("PLACE {kind} {at}", Place),
)


def read(text: str) -> Order | None:
    """The order of a canonical text; `None` for any other text."""
    return _read(text) or classic.read(text)


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
    if not isinstance(order, Waive) and order.kind == SORCERER:
        return f"{SORCERER} {order.at}"
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
