"""Shortlists made from a guided flow: its choices are followed until they make whole orders."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from engine.core.orders import MOST_AT_ONCE, Choice, Menu, Shortlist

LONGEST = 100
"""The most letters of a value and of a label; longer orders are left to the guided flow."""
_OPENED = 120
"""How many menus are looked into for one shortlist."""


def joined(labels: Sequence[str]) -> str:
    """The labels of the choices that lead to an order, joined: one that ends with an ellipsis is continued by the next.

    >>> joined(["supports…", "Army Vienna", "to Galicia"])
    'supports Army Vienna to Galicia'
    >>> joined(["Army Budapest", "holds"])
    'Army Budapest: holds'
    """
    first, *others = labels or ("",)
    if first.endswith("…"):
        return " ".join(label.removesuffix("…") for label in (first, *others))
    return ": ".join((first, *others))


def shortlist(first: Choice, found: Iterable[tuple[str, str]], stands: Collection[str] = ()) -> Shortlist:
    """The shortlist of orders with what they do, likeliest first; only as many are made as are shown."""
    orders = dict(islice(found, MOST_AT_ONCE + 1))
    short = [
        Choice(order, label[:LONGEST])
        for order, label in orders.items()
        if len(order) <= LONGEST and "\n" not in order and label
    ]
    kept = tuple(short[:MOST_AT_ONCE])
    return Shortlist(first, kept, is_all=len(kept) == len(orders), stands=tuple(stands))


def walked(
    step: Callable[[tuple[str, ...]], Menu], firsts: Collection[str], standing: Collection[str]
) -> tuple[Shortlist, ...]:
    """Shortlists for any guided flow: the fewer choices lead to an order, the likelier it is assumed to be.

    Args:
        step: what comes after some choices.
        firsts: the first choices that are asked for.
        standing: the orders in the sheet.
    """
    return tuple(_walked(step, first, standing) for first in step(()).choices if first.value in firsts)


def _walked(step: Callable[[tuple[str, ...]], Menu], first: Choice, standing: Collection[str]) -> Shortlist:
    to_open: deque[tuple[tuple[str, ...], tuple[str, ...]]] = deque([((first.value,), ())])

    def found() -> Iterator[tuple[str, str]]:
        for _ in range(_OPENED):
            if not to_open:
                return
            path, labels = to_open.popleft()
            menu = step(path)
            if menu.order is not None:
                yield menu.order, joined(labels) or first.label
            to_open.extend(((*path, each.value), (*labels, each.label)) for each in menu.choices)

    orders = list(islice(found(), MOST_AT_ONCE + 1))
    stands = [order for order, _ in orders if order in standing]
    made = shortlist(first, orders, stands)
    return replace(made, is_all=made.is_all and not to_open)
