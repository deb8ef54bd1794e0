"""Completes what a player types to legal orders. Whatever is suggested can be read and is legal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.words import tokens_of
from engine.provinces.classic import suggest as classic
from engine.provinces.matching import LONGEST
from engine.young_kingdoms.battlefield import field_of
from engine.young_kingdoms.check import check
from engine.young_kingdoms.listing import list_orders
from engine.young_kingdoms.model import Order, View
from engine.young_kingdoms.notation import excludes, format_order
from engine.young_kingdoms.parse import parse


def legal(view: View) -> Mapping[str, tuple[Order, ...]]:
    """All orders that the viewer may give now, by subject."""
    return list_orders(field_of(view.state), view.viewer)


def suggest(view: View, typed: str, *, limit: int = 25) -> tuple[str, ...]:
    """Legal orders that a beginning could become, best first; for nothing typed, the first of each subject.

    Of several orders, separated by `;` or line ends, the last is completed and the others are kept in front.
    """
    head, _, tail = typed.replace("\n", ";")[-4000:].rpartition(";")
    kept: list[Order] = []
    if head.strip(" ;"):
        parsed = parse(head, view)
        if parsed.errors or any(check(view, parsed.orders)):
            return ()
        kept = [read.order for read in parsed.orders]
    listed = {
        key: tuple(order for order in orders if not any(excludes(order, one) or order == one for one in kept))
        for key, orders in legal(view).items()
    }
    front = "".join(f"{format_order(order)}; " for order in kept)
    texts = (front + text for text in dict.fromkeys(_completions(view, listed, tail)))
    return tuple(text for text in texts if len(text) <= LONGEST)[:limit]


def _completions(view: View, listed: Mapping[str, Sequence[Order]], tail: str) -> list[str]:
    words = [token.word for token in tokens_of(tail[:200]) if token.word not in ("…", ":")]
    if not words:
        return [format_order(orders[0]) for orders in listed.values() if orders]
    texts = [format_order(order) for orders in listed.values() for order in orders]
    begun = [text for text in texts if _begins(text, words)]
    allowed = set(texts)
    read = [format_order(one.order) for one in parse(tail, view).orders]
    others = [text for text in classic.suggest(view, tail, limit=50) if text in allowed]
    return [*(text for text in read if text in allowed), *begun, *others]


def _begins(text: str, words: Sequence[str]) -> bool:
    """Whether words typed so far, the last perhaps unfinished, are the beginning of a text."""
    own = [token.word for token in tokens_of(text)]
    if len(words) > len(own):
        return False
    return own[: len(words) - 1] == list(words[:-1]) and own[len(words) - 1].startswith(words[-1])
