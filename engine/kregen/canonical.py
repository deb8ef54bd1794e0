"""Reads canonical orders back without a view: what `model.format_order` writes."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from functools import partial
from itertools import chain

from engine.core.canonical import reader
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.kregen.model import (
    LET_PASS,
    SHARE,
    SPARE,
    ActStep,
    Aid,
    Betray,
    BuildHero,
    Capital,
    Convoy,
    Duel,
    Go,
    Grant,
    Manoeuvre,
    Order,
    Sail,
    Stay,
    Support,
    With,
)
from engine.kregen.prophecy import (
    BUILD,
    HOLD,
    LOST,
    REMOVE,
    TOOK,
    Condition,
    DrivenOut,
    Fact,
    Owned,
    Plan,
    Points,
    Prophecy,
    Refuge,
)
from engine.provinces.orders import Build, Disband, Remove, Retreat, Waive, is_on

_LATE = " (2)"


def read(text: str) -> Order | None:
    """The order of a canonical text; `None` for any other text."""
    return _order(text) or _act(text) or _prophecy(text)


def is_on_map(provinces: Container[ProvinceId], order: Order) -> bool:
    """Whether a map has all places of an order, which may come from a text that nobody could read."""
    match order:
        case Manoeuvre(_, at, steps):
            return all(place in provinces for place in chain((at,), *map(_places, steps)))
        case BuildHero(at, besides):
            return province_of(at) in provinces and besides in provinces
        case Duel(at):
            return at in provinces
        case Grant() | Prophecy():
            return True
        case _:
            return is_on(provinces, order)


def _places(step: ActStep) -> Iterator[ProvinceId]:
    match step:
        case Go(to):
            yield province_of(to)
        case Sail(route, to):
            yield from (*route, to)
        case Support(_, of, goal):
            yield from (of,) if goal is None else (of, goal)
        case Convoy(loads):
            yield from chain.from_iterable(loads)
        case With(_, at, place):
            if at is not None:
                yield at
            if place is not None:
                yield province_of(place)


def _duel(at: str, number: str, how: str, of: str | None = None) -> Duel:
    return Duel(ProvinceId(at), int(number), how == "capture", None if of is None else PowerId(of))


_order: Callable[[str], Order | None] = reader(
    ("{kind:AFH} {at} D", Disband),
    ("{kind:AFH} {at} R {to}", Retreat),
    ("BUILD H {at}, {besides}", BuildHero),
    ("BUILD {kind:AFH} {at}", Build),
    ("REMOVE {kind:AFH} {at}", Remove),
    ("WAIVE", Waive),
    ("capital {at}", Capital),
    ("duel H {at} {number:0123456789+} {how}", _duel),
    ("duel H {at} of {of} {number:0123456789+} {how}", _duel),
    (f"{SHARE} {{power}}", partial(Grant, SHARE)),
    (f"{SPARE} {{power}}", partial(Grant, SPARE)),
    (f"{LET_PASS} {{power}}", partial(Grant, LET_PASS)),
)


# Acts


def _go(way: str) -> ActStep:
    *route, to = way.split(" - ")
    return Sail(tuple(map(ProvinceId, route)), ProvinceId(to)) if route else Go(PlaceId(to))


def _convoy(loads: str) -> Convoy:
    pairs = (load.removeprefix("A ").split(" - ") for load in loads.split(" and "))
    return Convoy(tuple((ProvinceId(pair[0]), ProvinceId(pair[-1])) for pair in pairs))


_step: Callable[[str], ActStep | None] = reader(
    ("H", Stay),
    ("aid", Aid),
    ("betray to {to}", Betray),
    ("C", Convoy),
    ("C {loads+}", _convoy),
    ("S {of_kind:AFH} {of}", Support),
    ("S {of_kind:AFH} {of} - {to}", Support),
    ("with {kind:AFH}", With),
    ("with {kind:AFH} {at}", With),
    ("with {kind:AFH} - {to}", With),
    ("with {kind:AFH} {at} - {to}", With),
    ("- {way+}", _go),
)


def _act(text: str) -> Manoeuvre | None:
    kind, _, rest = text.partition(" ")
    at, _, rest = rest.partition(" ")
    if kind not in ("A", "F", "H", "AA", "FF", "HH") or not at:
        return None
    steps = [_step(step) for step in rest.removesuffix(_LATE).split(", ")]
    known = tuple(step for step in steps if step is not None)
    if len(known) < len(steps):
        return None
    return Manoeuvre(kind[0], ProvinceId(at), known, rest.endswith(_LATE), len(kind) > 1)


# Prophecies


def _points(least: str) -> Points | None:
    try:
        return Points(round(float(least) * 2))
    except (ValueError, OverflowError):
        return None


_fact: Callable[[str], Fact | None] = reader(
    ("hold >= {least}", _points),
    *((f"{deed} {{at}}", partial(Owned, deed)) for deed in (HOLD, LOST, TOOK)),
    ("dislodged {kind:AFH} {at}", DrivenOut),
)


def _prophecy(text: str) -> Prophecy | None:
    conditions: list[Condition] = []
    if text.startswith("if "):
        written, _, text = text.removeprefix("if ").partition(": ")
        for each in written.split(" and "):
            fact = _fact(each.removeprefix("not "))
            if fact is None:
                return None
            conditions.append(Condition(fact, each.startswith("not ")))
    what, _, written = text.partition(": ")
    items = written.split(", ") if written else []
    rule = _refuge(what, items) if what.startswith("retreat ") else _plan(what, items)
    return None if rule is None else Prophecy(rule, tuple(conditions))


def _refuge(what: str, items: list[str]) -> Refuge | None:
    words = what.split()
    if len(words) != len(("retreat", "A", "ZIM")):
        return None
    disbands = items[-1:] == ["disband"]
    return Refuge(words[1], ProvinceId(words[2]), tuple(map(PlaceId, items[: len(items) - disbands])), disbands)


def _plan(deed: str, items: list[str]) -> Plan | None:
    if deed not in (BUILD, REMOVE):
        return None
    units = [item.partition(" ") for item in items]
    return Plan(deed, tuple((kind, PlaceId(at)) for kind, _, at in units))
