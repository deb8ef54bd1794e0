"""Voyages in the guided flow: going aboard, sailing, going ashore, ferries, entries by sea.

Everything is tried out before it is offered, so no craft is offered a voyage that it can't make: with nobody to steer
it, with too large a load, or over unknown waters. Swimming is never offered. Source: rules 9.3
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.kalevala import orders
from engine.kalevala.coordinates import Province, order_of
from engine.kalevala.counsel import Counsel
from engine.kalevala.figures import MONEY, Figures, count_of, format_figures, kind_of, load_of, plus, total, warriors
from engine.kalevala.orders import Whole, named
from engine.kalevala.parties import parts_of, some_of
from engine.kalevala.sea import waters
from engine.kalevala.sea.craft import HOLDS, craft_among, hull_of, is_steered, on_land, space_of, speed_of


def board(counsel: Counsel) -> Whole:
    """Aboard each craft: as many warriors as it has room for, with RE; half of them; some with animals and gear."""
    for at in harbours(counsel):
        stack = counsel.stack(at)
        for craft in craft_among(stack):
            for going in _crews(on_land(stack), HOLDS[hull_of(craft)] - space_of(load_of(craft))):
                order = orders.Embark(named(going), at, craft)
                yield from counsel.tried(order, "boarded", craft=craft, place=at, figures=format_figures(going))


def _crews(stack: Figures, room: int) -> Iterator[Figures]:
    """Likely crews: all warriors that fit, except one who stays ashore; half of them; a few with each kind of thing."""
    fighting = {item: count for item, count in stack.items() if kind_of(item).is_warrior}
    spare = warriors(fighting) - 1
    offered: list[Figures] = []
    for size in dict.fromkeys((min(room, spare), min(room, spare) // 2, min(room, warriors(fighting)), 1)):
        if size <= 0:
            continue
        crew = some_of(fighting, size)
        if not crew:
            continue
        money = min(stack.get(MONEY, 0), 10 * size)
        for going in ({**crew, MONEY: money} if money else crew, crew):
            if going not in offered:
                offered.append(going)
                yield going
    for item in stack:
        if item not in fighting and item != MONEY:
            each = space_of({item: 1}) or 1
            men = min(spare, room // 2)
            count = min(stack[item], (room - men) // each)
            if men > 0 and count > 0:
                yield plus(some_of(fighting, men), {item: count})


def sail(counsel: Counsel) -> Whole:
    """The whole fleet that can sail, or one craft of it, to each place within reach, the nearest first."""
    for source in harbours(counsel):
        for fleet in _fleets(counsel.stack(source)):
            for path in _ways(counsel, source, speed_of(fleet)):
                order = orders.Sail(named(fleet), path)
                yield from counsel.tried(order, "sailed", place=path[-1], figures=format_figures(fleet))


def _fleets(stack: Figures) -> Iterator[Figures]:
    """Craft with somebody to steer them: all together, then each kind by itself, then one of each."""
    able = {item: count for item, count in craft_among(stack).items() if is_steered(item)}
    found: list[Figures] = []
    for fleet in (able, *({item: count} for item, count in able.items()), *({item: 1} for item in able)):
        if fleet and fleet not in found:
            found.append(fleet)
            yield fleet


def _ways(counsel: Counsel, source: Province, steps: int) -> Iterator[tuple[Province, ...]]:
    open_ = _waters(counsel)
    ways: dict[Province, tuple[Province, ...]] = {source: (source,)}
    frontier = [source]
    for _ in range(steps):
        reached = []
        for at in frontier:
            for other in open_:
                if other not in ways and waters.is_sailed(counsel.land, at, other):
                    ways[other] = (*ways[at], other)
                    reached.append(other)
        frontier = reached
    return (way for place, way in ways.items() if place != source)


def land(counsel: Counsel) -> Whole:
    """Who goes ashore from the craft in a province: everybody and everything, only the warriors, or half of them."""
    for at in harbours(counsel):
        loads = total(
            {item: count * number for item, count in load_of(craft).items()}
            for craft, number in craft_among(counsel.stack(at)).items()
        )
        fighting = {item: count for item, count in loads.items() if kind_of(item).is_warrior}
        offered: list[Figures] = []
        for going in (loads, fighting, some_of(fighting, warriors(fighting) // 2)):
            if going and going not in offered:
                offered.append(going)
                order = orders.Disembark(named(going), at)
                yield from counsel.tried(order, "landed", place=at, figures=format_figures(going))


def ferry(counsel: Counsel) -> Whole:
    """Crossings from shore to shore where no land joins them."""
    own = counsel.state.owned(counsel.ruler)
    for source in own:
        stack = on_land(counsel.stack(source))
        targets = [
            place
            for place in own
            if waters.is_sailed(counsel.land, source, place) and not counsel.land.is_linked(source, place)
        ]
        for target in targets if stack else ():
            for going in parts_of(stack, keeps=1):
                order = orders.Ferry(named(going), source, target)
                yield from counsel.tried(order, "ferried", place=target, figures=format_figures(going))


def parties(stack: Figures) -> Iterator[Figures]:
    """Fleets that could enter by sea, with the wizard if there is one."""
    for fleet in _fleets(stack):
        yield from _with_wizard(fleet, stack)


def sparing_parties(stack: Figures) -> Iterator[Figures]:
    """The same of an invader's fleet on the high sea, as long as a craft stays with RE that are not aboard, which sink
    without one. Source: ruling KA211
    """
    spared = _all_but_one(stack) if stack.get(MONEY) else {}
    if spared:
        yield from _with_wizard(spared, stack)


def _with_wizard(fleet: Figures, stack: Figures) -> Iterator[Figures]:
    yield fleet
    if count_of(stack, "Z"):
        yield {**fleet, **{item: count for item, count in stack.items() if kind_of(item).code == "Z"}}


def _all_but_one(stack: Figures) -> Figures:
    """All craft that can sail but the one with the least aboard, unless others stay anyway."""
    able = {item: count for item, count in craft_among(stack).items() if is_steered(item)}
    if not able or len(able) < len(craft_among(stack)):
        return {}
    least = min(able, key=lambda item: (space_of(load_of(item)), item))
    return {item: count - (item == least) for item, count in able.items() if count > (item == least)}


def harbours(counsel: Counsel) -> list[Province]:
    """The provinces where the ruler has craft."""
    own = counsel.state.stacks.get(counsel.ruler, {})
    return [place for place in sorted(own, key=order_of) if craft_among(counsel.stack(place))]


def _waters(counsel: Counsel) -> list[Province]:
    """Where the ruler's craft may go: the ruler's provinces, and seas that they have sailed."""
    seas = map(Province, counsel.state.modules.get("seas", {}).get(counsel.ruler, ()))
    return sorted({*counsel.state.owned(counsel.ruler), *seas}, key=order_of)
