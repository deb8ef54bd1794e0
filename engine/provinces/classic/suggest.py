"""Completes what a player types to legal orders, and lists them. Whatever is suggested can be read and is legal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import zip_longest

from engine.core.words import tokens_of
from engine.provinces.classic.check import check
from engine.provinces.classic.language import KINDS, VERBS, Verb, language_of
from engine.provinces.classic.listing import list_orders
from engine.provinces.classic.model import Convoy, Order, SupportHold, SupportMove, View
from engine.provinces.classic.notation import format_order, subject
from engine.provinces.classic.parse import parse
from engine.provinces.classic.reach import position_of
from engine.provinces.matching import LONGEST, KindSlot, Matcher, PlaceSlot, Slot, WordSlot
from engine.provinces.orders import Build, Disband, Hold, Kind, Move, Remove, Retreat

_MOST_WORDS = 24


def legal(view: View) -> Mapping[str, tuple[Order, ...]]:
    """All orders that the viewer may give now, by subject."""
    return list_orders(position_of(view.state), view.viewer)


def suggest(view: View, typed: str, *, limit: int = 25) -> tuple[str, ...]:
    """Legal orders that a beginning could become, best first; for nothing typed, some of each subject.

    Of several orders, separated by `;` or line ends, the last is completed and the others are kept in front; if that
    becomes too long for a completion, or one of the others is not a legal order, there is nothing to suggest.
    """
    kept, tail = _split(view, typed)
    if kept is None:
        return ()
    taken = {subject(order) for order in kept}
    listed = {key: orders for key, orders in legal(view).items() if key not in taken}
    front = "".join(f"{format_order(order)}; " for order in kept)
    found = dict.fromkeys(_completions(view, listed, tail))
    texts = (front + text for text in found)
    return tuple(text for text in texts if len(text) <= LONGEST)[:limit]


def _split(view: View, typed: str) -> tuple[list[Order] | None, str]:
    """The orders before the last, and the text of the last; `None` if they are not all legal."""
    text = typed.replace("\n", ";")[-4000:]
    head, _, tail = text.rpartition(";")
    if not head.strip(" ;"):
        return [], tail
    parsed = parse(head, view)
    if parsed.errors or any(check(view, parsed.orders)):
        return None, tail
    return [read.order for read in parsed.orders], tail


def _completions(view: View, listed: Mapping[str, Sequence[Order]], tail: str) -> Iterable[str]:
    words = tuple(token.word for token in tokens_of(tail[:200]) if token.word not in ("…", ":"))
    if not words:
        return _a_taste(listed)
    if len(words) > _MOST_WORDS:
        return []
    matcher = Matcher(language_of(view.state.variant).gazetteer, words)
    ranked: list[tuple[int, int, str]] = []
    for orders in listed.values():
        for order in orders:
            cost = matcher.cost_of(_slots(order))
            if cost is not None:
                ranked.append((cost, len(ranked), format_order(order)))
    found = [*_as_read(view, listed, tail), *(text for _, _, text in sorted(ranked))]
    return found or _of_similar_units(view, listed, words)


def _a_taste(listed: Mapping[str, Sequence[Order]]) -> list[str]:
    """Something for every unit, moves first: a newcomer learns more from them than from holds."""
    by_unit = [sorted(orders, key=lambda order: not isinstance(order, Move)) for orders in listed.values()]
    rounds = zip_longest(*by_unit)
    return [format_order(order) for orders in rounds for order in orders if order is not None]


def _of_similar_units(view: View, listed: Mapping[str, Sequence[Order]], words: Sequence[str]) -> list[str]:
    """Orders of the units whose place is spelled most like the words."""
    names = [word for word in words if word not in KINDS]
    near = language_of(view.state.variant).gazetteer.near(names)
    return [format_order(order) for province in near for order in listed.get(province, ())]


def _as_read(view: View, listed: Mapping[str, Sequence[Order]], tail: str) -> list[str]:
    """What the words already say, or what they may have been meant to say."""
    parsed = parse(tail, view)
    refused = tuple(filter(None, check(view, parsed.orders)))
    if len(parsed.orders) == 1 and not parsed.errors and not refused:
        order = parsed.orders[0].order
        return [format_order(order)] if subject(order) in listed else []
    allowed = {format_order(order) for orders in listed.values() for order in orders}
    return [hint for error in (*parsed.errors, *refused) for hint in error.hints if hint in allowed]


def _verb(*verbs: Verb, also: Iterable[str] = (), is_optional: bool = False) -> WordSlot:
    words = {word for word, verb in VERBS.items() if verb in verbs}
    return WordSlot(frozenset(words | set(also)), is_optional)


_TO = _verb(Verb.MOVE, also=("-",), is_optional=True)
_RETREAT = _verb(Verb.RETREAT, Verb.MOVE, also=("-",))
_HOLD = _verb(Verb.HOLD)
_SUPPORT = _verb(Verb.SUPPORT)
_CONVOY = _verb(Verb.CONVOY)
_DISBAND = _verb(Verb.DISBAND)
_BUILD = _verb(Verb.BUILD, is_optional=True)
_REMOVE = _verb(Verb.DISBAND, is_optional=True)
_WAIVE = _verb(Verb.WAIVE)
_VIA = WordSlot(frozenset({"via", "v", "by", "convoy", "c"}), is_optional=True)


@cache
def _kind(kind: Kind) -> KindSlot:
    return KindSlot(frozenset(word for word, known in KINDS.items() if known == kind))


def _slots(order: Order) -> tuple[Slot, ...]:
    """What a text of the order consists of."""
    match order:
        case Hold(kind, at):
            return _kind(kind), PlaceSlot(at), _HOLD
        case Move(kind, at, to, via_convoy):
            via = (_VIA, _VIA) if via_convoy else ()
            return (_kind(kind), PlaceSlot(at), _TO, PlaceSlot(to), *via)
        case SupportHold(kind, at, of_kind, of):
            return _kind(kind), PlaceSlot(at), _SUPPORT, _kind(of_kind), PlaceSlot(of)
        case SupportMove(kind, at, of_kind, of, to):
            return _kind(kind), PlaceSlot(at), _SUPPORT, _kind(of_kind), PlaceSlot(of), _TO, PlaceSlot(to)
        case Convoy(kind, at, of_kind, of, to):
            return _kind(kind), PlaceSlot(at), _CONVOY, _kind(of_kind), PlaceSlot(of), _TO, PlaceSlot(to)
        case Retreat(kind, at, to):
            return _kind(kind), PlaceSlot(at), _RETREAT, PlaceSlot(to)
        case Disband(kind, at):
            return _kind(kind), PlaceSlot(at), _DISBAND
        case Build(kind, at):
            return _BUILD, _kind(kind), PlaceSlot(at)
        case Remove(kind, at):
            return _REMOVE, _kind(kind), PlaceSlot(at)
        case _:
            return (_WAIVE,)
