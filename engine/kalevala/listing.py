"""The common orders that a ruler may give now, and those among them that a beginning could become.

There are many more than these: any part of a stack may be named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.core.ids import PowerId
from engine.core.orders import Choice, Menu
from engine.core.phrases import phrase
from engine.kalevala import orders
from engine.kalevala.board import others
from engine.kalevala.coordinates import Province, gf_of, neighbours_of
from engine.kalevala.figures import warriors
from engine.kalevala.land import land_of
from engine.kalevala.model import EXPLORATION_UNITS, FULL, ORDERS_PART, View
from engine.kalevala.orders import Line, Order, named
from engine.kalevala.rounds import rehearse
from engine.kalevala.sheet import is_asked, subject
from engine.kalevala.tables import CLASS_PRICE


def legal(view: View) -> Mapping[str, tuple[Line, ...]]:
    """Explorations around the realm, entries into what was explored, single conversions: each stands by itself."""
    ruler = view.viewer
    if ruler is None or not is_asked(view):
        return {}
    found = _orders_of_p1(view, ruler) if view.state.part == ORDERS_PART else _orders_of_p3(view, ruler)
    listed: dict[str, list[Line]] = {}
    for order in (*found, orders.Pass()):
        line = Line(order, 1, str(order))
        if not rehearse(view.state, ruler, (line,)).is_refused(ruler, line):
            listed.setdefault(subject(order), []).append(Line(order))
    return {key: tuple(lines) for key, lines in listed.items()}


def _orders_of_p1(view: View, ruler: PowerId) -> Iterator[Order]:
    state, land = view.state, land_of(view.state)
    own = state.rulers[ruler]
    for source, stack in state.stacks.get(ruler, {}).items():
        if not warriors(stack):
            continue
        for target in neighbours_of(gf_of(source)):
            if land.may_be_linked(source, Province(target)) and Province(target) not in state.owned(ruler):
                yield from (orders.Explore(ee, source, Province(target)) for ee in range(1, EXPLORATION_UNITS + 1))
    for at in state.owned(ruler):
        money = state.stack(ruler, at).get("RE", 0)
        if money >= CLASS_PRICE[own.rank]:
            yield orders.Convert(at, named({own.core: 1}))
        yield orders.Watch(at, 1)
        for guest in others(state, ruler):
            yield orders.Allow(guest, at, 1)


def _orders_of_p3(view: View, ruler: PowerId) -> Iterator[Order]:
    state = view.state
    for row in state.explored.get(ruler, ()):
        stack = state.stack(ruler, row.source)
        kind = "B" if row.result == FULL and state.owners.get(row.target) is None else "K"
        kind = "E" if state.owners.get(row.target) == ruler else kind
        if warriors(stack) > 1:
            going = {item: count for item, count in stack.items() if item != "RE"}
            going = {item: max(1, count // 2) for item, count in going.items()}
            free = [ee for ee in range(1, EXPLORATION_UNITS + 1) if ee not in state.used.get(ruler, ())]
            yield from (orders.Enter(ee, row.source, kind, row.target, named(going)) for ee in free)
    for place, names in state.contested.items():
        yield from (orders.Settle(place, name) for name in names)


def suggest(view: View, typed: str, *, limit: int = 25) -> tuple[str, ...]:
    """Canonical orders that begin as typed; for nothing typed, the first of each subject."""
    found = legal(view)
    words = " ".join(typed.upper().split())
    if not words:
        return tuple(lines[0].canonical for lines in found.values())[:limit]
    texts = [line.canonical for lines in found.values() for line in lines]
    return tuple(text for text in texts if text.upper().startswith(words))[:limit]


def menu(view: View, path: Sequence[str], *, orders: Sequence[Line] = ()) -> Menu:
    """The guided flow: the verb, then the order."""
    found = legal(view)
    by_verb: dict[str, list[str]] = {}
    for lines in found.values():
        for line in lines:
            by_verb.setdefault(line.canonical.split()[0], []).append(line.canonical)
    if path and path[0] in by_verb:
        texts = by_verb[path[0]]
        if len(path) > 1 and path[1] in texts:
            return Menu(phrase("menu.done"), (), path[1])
        return Menu(phrase("menu.order"), tuple(Choice(text, text[:100]) for text in texts))
    return Menu(phrase("menu.verb"), tuple(Choice(verb, verb) for verb in by_verb))
