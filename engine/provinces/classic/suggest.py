"""Completes what a player types to legal orders, and lists them. Whatever is suggested reads and checks clean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from engine.core.gazetteer import Gazetteer
from engine.core.ids import PlaceId, province_of
from engine.core.words import tokens_of
from engine.provinces.classic.check import check
from engine.provinces.classic.language import KINDS, VERBS, Verb, language_of
from engine.provinces.classic.listing import list_orders
from engine.provinces.classic.model import (
    Build,
    Convoy,
    Disband,
    Hold,
    Kind,
    Move,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    View,
)
from engine.provinces.classic.notation import format_order, subject
from engine.provinces.classic.parse import parse
from engine.provinces.classic.reach import position_of

LONGEST = 100
"""A choice of Discord's completion has no more characters."""
_MOST_WORDS = 24


def legal(view: View) -> Mapping[str, tuple[Order, ...]]:
    """All orders that the viewer may give now, by subject."""
    return list_orders(position_of(view.state), view.viewer)


def suggest(view: View, typed: str, *, limit: int = 25) -> tuple[str, ...]:
    """Legal orders that a beginning could become, best first; for nothing typed, some of each subject.

    Of several orders, parted by `;` or line ends, the last is completed and the others are kept in front; where that
    grows too long for a completion, or one of the others is no legal order, there is nothing to suggest.
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
    if parsed.errors or check(view, parsed.orders):
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
            cost = matcher.cost(order)
            if cost is not None:
                ranked.append((cost, len(ranked), format_order(order)))
    found = [*_as_read(view, listed, tail), *(text for _, _, text in sorted(ranked))]
    return found or _of_similar_units(view, listed, words)


def _a_taste(listed: Mapping[str, Sequence[Order]]) -> list[str]:
    """Something of every unit, moves first: a newcomer learns more from them than from holds."""
    by_unit = [sorted(orders, key=lambda order: not isinstance(order, Move)) for orders in listed.values()]
    rounds = zip_longest(*by_unit)
    return [format_order(order) for orders in rounds for order in orders if order is not None]


def _of_similar_units(view: View, listed: Mapping[str, Sequence[Order]], words: Sequence[str]) -> list[str]:
    """Orders of the units whose place is spelled most like the words."""
    names = [word for word in words if word not in KINDS]
    near = language_of(view.state.variant).gazetteer.near(names)
    return [format_order(order) for province in near for order in listed.get(province, ())]


def _as_read(view: View, listed: Mapping[str, Sequence[Order]], tail: str) -> list[str]:
    """What the words say already, or what they were perhaps meant to say."""
    parsed = parse(tail, view)
    refused = check(view, parsed.orders)
    if len(parsed.orders) == 1 and not parsed.errors and not refused:
        order = parsed.orders[0].order
        return [format_order(order)] if subject(order) in listed else []
    allowed = {format_order(order) for orders in listed.values() for order in orders}
    return [hint for error in (*parsed.errors, *refused) for hint in error.hints if hint in allowed]


@dataclass(frozen=True, slots=True)
class KindSlot:
    """A letter or word for a kind of unit."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class PlaceSlot:
    """A name of a place, with its coast."""

    place: PlaceId


@dataclass(frozen=True, slots=True)
class WordSlot:
    """One of some words."""

    words: frozenset[str]
    is_optional: bool = False


Slot = KindSlot | PlaceSlot | WordSlot


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


def _slots(order: Order) -> tuple[Slot, ...]:
    """What a text of the order consists of."""
    match order:
        case Hold(kind, at):
            return KindSlot(kind), PlaceSlot(at), _HOLD
        case Move(kind, at, to, via_convoy):
            via = (_VIA, _VIA) if via_convoy else ()
            return (KindSlot(kind), PlaceSlot(at), _TO, PlaceSlot(to), *via)
        case SupportHold(kind, at, of_kind, of):
            return KindSlot(kind), PlaceSlot(at), _SUPPORT, KindSlot(of_kind), PlaceSlot(of)
        case SupportMove(kind, at, of_kind, of, to):
            return KindSlot(kind), PlaceSlot(at), _SUPPORT, KindSlot(of_kind), PlaceSlot(of), _TO, PlaceSlot(to)
        case Convoy(kind, at, of_kind, of, to):
            return KindSlot(kind), PlaceSlot(at), _CONVOY, KindSlot(of_kind), PlaceSlot(of), _TO, PlaceSlot(to)
        case Retreat(kind, at, to):
            return KindSlot(kind), PlaceSlot(at), _RETREAT, PlaceSlot(to)
        case Disband(kind, at):
            return KindSlot(kind), PlaceSlot(at), _DISBAND
        case Build(kind, at):
            return _BUILD, KindSlot(kind), PlaceSlot(at)
        case Remove(kind, at):
            return _REMOVE, KindSlot(kind), PlaceSlot(at)
        case _:
            return (_WAIVE,)


class Matcher:
    """Compares what is typed with the beginnings of orders."""

    def __init__(self, gazetteer: Gazetteer, words: tuple[str, ...]) -> None:
        self._gazetteer = gazetteer
        self._words = words

    def cost(self, order: Order) -> int | None:
        """How far-fetched it is that the words are the beginning of the order; `None` if they are not."""
        return self.cost_of(_slots(order))

    def cost_of(self, slots: Sequence[Slot]) -> int | None:
        """The same of any text, told by what it consists of."""
        return self._cost(slots, 0)

    def _cost(self, slots: Sequence[Slot], at: int) -> int | None:
        if at == len(self._words):
            return 0
        if not slots:
            return None
        costs = self._costs(slots[0], slots[1:], at)
        return min((cost for cost in costs if cost is not None), default=None)

    def _costs(self, slot: Slot, rest: Sequence[Slot], at: int) -> list[int | None]:
        word, is_last = self._words[at], at == len(self._words) - 1
        match slot:
            case KindSlot(kind):
                is_kind = KINDS.get(word) == kind or (is_last and _begins(word, kind))
                return [self._cost(rest, at + 1) if is_kind else None, self._cost(rest, at)]
            case WordSlot(words, is_optional):
                costs = [self._cost(rest, at)] if is_optional else []
                if word in words or (is_last and len(word) > 1 and any(known.startswith(word) for known in words)):
                    costs.append(self._cost(rest, at + 1))
                return costs
            case PlaceSlot(place):
                return [
                    self._place_cost(place, rest, at, end) for end in range(at + 1, min(at + 5, len(self._words) + 1))
                ]

    def _place_cost(self, place: PlaceId, rest: Sequence[Slot], at: int, end: int) -> int | None:
        words = self._words[at:end]
        if "/" in words or words[-1] == "-" or not self._gazetteer.could_become(words, province_of(place)):
            return None
        cost = self._cost(rest, self._after_coast(place, end))
        # A single letter is more likely a kind or a verb than the beginning of a name.
        return None if cost is None else cost + (3 if len("".join(words)) == 1 else 0)

    def _after_coast(self, place: PlaceId, at: int) -> int:
        coast = place.partition("/")[2].lower()
        following = self._words[at : at + 2]
        if coast and following[:1] == ("/",):
            return at + 2 if following[1:] and coast.startswith(following[1][:2]) else at + len(following[:1])
        return at + 1 if coast and following[:1] == (coast,) else at


def _begins(word: str, kind: Kind) -> bool:
    return any(known.startswith(word) for known, known_kind in KINDS.items() if known_kind == kind)
