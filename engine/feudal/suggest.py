"""Completes what a player types to legal orders. Whatever is suggested can be read and is legal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.core.gazetteer import gazetteer_of
from engine.core.words import tokens_of
from engine.feudal.check import check
from engine.feudal.listing import legal
from engine.feudal.model import Castle, Choose, Immobilize, Order, Support, View, format_order, subject
from engine.feudal.parse import KIND_WORDS, parse
from engine.provinces.matching import LONGEST, Matcher, PlaceSlot, Slot, WordSlot
from engine.provinces.orders import Build, Disband, Hold, Move, Retreat, Waive

_MOST_WORDS = 24


def suggest(view: View, typed: str, *, limit: int = 25) -> tuple[str, ...]:
    """Legal orders that a beginning could become, best first; for nothing typed, the first of each subject.

    Of several orders, separated by `;` or line ends, the last is completed and the others are kept in front.
    """
    text = typed.replace("\n", ";")[-4000:]
    head, _, tail = text.rpartition(";")
    kept = parse(head, view)
    if kept.errors or any(check(view, kept.orders)):
        return ()
    taken = {subject(read.order) for read in kept.orders}
    listed = {key: orders for key, orders in legal(view).items() if key not in taken}
    front = "".join(f"{format_order(read.order)}; " for read in kept.orders)
    texts = (front + found for found in dict.fromkeys(_completions(view, listed, tail)))
    return tuple(found for found in texts if len(found) <= LONGEST)[:limit]


def _completions(view: View, listed: Mapping[str, Sequence[Order]], tail: str) -> Iterable[str]:
    words = tuple(token.word for token in tokens_of(tail[:200]) if token.word not in ("…", ":"))
    if not words:
        return [format_order(orders[0]) for orders in listed.values()]
    if len(words) > _MOST_WORDS:
        return []
    matcher = Matcher(gazetteer_of(view.state.variant), words)
    ranked: list[tuple[int, int, str]] = []
    for orders in listed.values():
        for order in orders:
            cost = matcher.cost_of(_slots(order))
            if cost is not None:
                ranked.append((cost, len(ranked), format_order(order)))
    return [*_as_read(view, listed, tail), *(text for _, _, text in sorted(ranked))]


def _as_read(view: View, listed: Mapping[str, Sequence[Order]], tail: str) -> list[str]:
    """What the words say already."""
    parsed = parse(tail, view)
    if len(parsed.orders) != 1 or parsed.errors or any(check(view, parsed.orders)):
        return []
    order = parsed.orders[0].order
    return [format_order(order)] if order in listed.get(subject(order), ()) else []


def _words(*words: str, is_optional: bool = False) -> WordSlot:
    return WordSlot(frozenset(words), is_optional)


def _kind(kind: str) -> WordSlot:
    return WordSlot(frozenset(word for word, meant in KIND_WORDS.items() if meant == kind), is_optional=True)


_TO = _words("-", "to", "move", "moves", is_optional=True)


def _slots(order: Order) -> tuple[Slot, ...]:
    """What a text of the order consists of."""
    match order:
        case Hold(kind, at):
            return _kind(kind), PlaceSlot(at), _words("h", "hold", "holds")
        case Move(kind, at, to):
            return _kind(kind), PlaceSlot(at), _TO, PlaceSlot(to)
        case Support(kind, at, of_kind, of, to, is_distant):
            verb = _words("s2", "distant") if is_distant else _words("s", "support", "supports")
            helped = (_kind(of_kind), PlaceSlot(of)) if of is not None else (_kind(of_kind),)
            goal = (_TO, PlaceSlot(to)) if to is not None else ()
            return (_kind(kind), PlaceSlot(at), verb, *helped, *goal)
        case Immobilize(kind, at, of_kind, of):
            return _kind(kind), PlaceSlot(at), _words("i", "immobilize"), _kind(of_kind), PlaceSlot(of)
        case Retreat(kind, at, to):
            return _kind(kind), PlaceSlot(at), _words("r", "retreat", "-", "to"), PlaceSlot(to)
        case Disband(kind, at):
            return _kind(kind), PlaceSlot(at), _words("d", "disband")
        case Build(kind, at):
            return _words("build", "b", is_optional=True), _kind(kind), PlaceSlot(at)
        case Waive():
            return (_words("waive"),)
        case Choose(rank, centre):
            return _words("choose", "choice"), _words(str(rank), is_optional=True), PlaceSlot(centre)
        case Castle(centre):
            return _words("castle", is_optional=True), PlaceSlot(centre)
