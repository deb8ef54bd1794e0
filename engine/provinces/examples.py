"""Examples for newcomers: a few of the orders that a power may give, with what they do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from engine.core.ids import province_of
from engine.core.phrases import Phrase, phrase
from engine.provinces.orders import Build, Disband, Hold, Kind, Move, Remove, Retreat


def common_examples(
    orders: Iterable[Any], text: Callable[[Any], str], *, free: Collection[str] = ()
) -> Iterator[Phrase]:
    """One order of each kind that is the same in all these games; others are left out.

    Args:
        orders: legal ones, in any number.
        text: gives their canonical form.
        free: centres that nobody owns: a move to one of them is shown rather than another, but none to where a unit
            of the power's own stands.
    """
    found = tuple(orders)
    moves = [order for order in found if isinstance(order, Move) and not order.via_convoy]
    held = {province_of(order.at) for order in moves}
    apart = [order for order in moves if province_of(order.to) not in held]
    taking = [order for order in apart if province_of(order.to) in free]
    for move in (taking or apart or moves)[:1]:
        code = "example.take" if taking else "example.move"
        yield phrase(code, order=text(move), kind=_named(move.kind), place=province_of(move.to))
    for kind, code in _CODES.items():
        for order in found:
            if isinstance(order, kind):
                place = province_of(order.to if isinstance(order, Retreat) else order.at)
                yield phrase(code, order=text(order), kind=_named(order.kind), place=place)
                break


def _named(kind: Kind) -> Phrase:
    """The word that newcomers need for a letter such as `A`."""
    return phrase(f"key.kind_{kind}")


_CODES: dict[type[Hold] | type[Retreat] | type[Disband] | type[Build] | type[Remove], str] = {
    Hold: "example.hold",
    Retreat: "example.retreat",
    Disband: "example.disband",
    Build: "example.build",
    Remove: "example.remove",
}
