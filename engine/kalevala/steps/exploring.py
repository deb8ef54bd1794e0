"""EXPLORE: tested against what the ruler knows, then queued for P2. Source: rules 12.1, 12.2, R-029, R-084, R-104"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.caravans.facts import Caravan, strange_ones
from engine.kalevala.coordinates import Province, gf_of, part_of
from engine.kalevala.figures import kind_of, warriors
from engine.kalevala.land import Land, is_straight
from engine.kalevala.model import EXPLORATION_UNITS
from engine.kalevala.modules import has_module
from engine.kalevala.orders import Explore, Line
from engine.kalevala.sea import waters
from engine.kalevala.steps.changing import is_through, leads
from engine.kalevala.tables import Group
from engine.kalevala.window import Scout, Window

FARTHEST = 3


def explore(window: Window, ruler: PowerId, line: Line, order: Explore) -> None:
    """Queue an exploration. What only the land itself could reveal turns out in P2."""
    used = window.used.setdefault(ruler, set())
    scouts = _possible(window, ruler, line, order)
    if not scouts:
        start = window.own_place(ruler, order.source)
        is_contested = start is not None and _is_contested(window, ruler, start)
        window.refuse(ruler, line, "V02", place=order.source, which="contested" if is_contested else "")
        return
    if not 1 <= order.ee <= EXPLORATION_UNITS or order.ee in used:
        window.refuse(ruler, line, "V13", number=order.ee)
        return
    straight = [scout for scout in scouts if _goes_straight(window, scout)]
    if not straight:
        window.refuse(ruler, line, "V15", place=order.source)
        return
    if not _is_neighbour(window, straight[0]):
        which = "plane" if is_through(order.source, order.target) else ""
        window.refuse(ruler, line, "V03", place=order.target, which=which)
        return
    near = [scout for scout in straight if scout.depth <= FARTHEST]
    if not near:
        window.refuse(ruler, line, "V04", place=order.target)
        return
    barred = window.rulers[ruler].remembers_bar(order.source, order.target, window.gr)
    if barred:
        window.warn(ruler, line, "W8", place=order.target, gr=barred)
    used.add(order.ee)
    window.scouts.append(replace(near[0], is_sure=_is_sure(window, near[0])))


def _possible(window: Window, ruler: PowerId, line: Line, order: Explore) -> list[Scout]:
    """Whether it starts in a province with a warrior of the ruler's, or in the target of an earlier exploration."""
    start = window.own_place(ruler, order.source)
    if start is None or not warriors(window.stack(ruler, start)):
        start = next((each.at for each in _with_men(window, ruler) if _is_same(each.at, order.source)), start)
    if start is not None and _has_men(window, ruler, start) and not _is_contested(window, ruler, start):
        return [Scout(ruler, line, order, start, 1, None, has_craft(window, ruler, start))]
    return [
        Scout(
            ruler,
            line,
            order,
            order.source,
            1 if _is_own_target(window, earlier) else earlier.depth + 1,
            earlier.order.ee,
            earlier.by_craft or (start is not None and has_craft(window, ruler, start)),
        )
        for earlier in window.scouts
        if earlier.ruler == ruler and _is_same(earlier.order.target, order.source)
    ]


def has_craft(window: Window, ruler: PowerId, at: Province) -> bool:
    """Whether the ruler has craft in a province, in a game with the module for the sea. Source: rules R-084"""
    led = (item for each in _with_men(window, ruler) if each.at == at for item in each.load)
    is_known = has_module(window.state, "sea")
    return is_known and any(kind_of(item).group is Group.SHIP for item in (*window.stack(ruler, at), *led))


def _with_men(window: Window, ruler: PowerId) -> Iterator[Caravan]:
    """The ruler's caravans with warriors, who can look ahead. Source: rules 21.6"""
    return (each for each in window.caravans.values() if each.ruler == ruler and warriors(each.load))


def _has_men(window: Window, ruler: PowerId, at: Province) -> bool:
    return window.has_warrior(ruler, at) or any(each.at == at for each in _with_men(window, ruler))


def _is_own_target(window: Window, scout: Scout) -> bool:
    """Whether scouts come to a province of their ruler's, from which depth is counted from 0 again.

    Source: rules R-109
    """
    return window.find_own(scout.ruler, scout.order.target) is not None


def _is_neighbour(window: Window, scout: Scout) -> bool:
    """Whether the target can be reached from the source as far as the ruler knows. Source: rules R-084, R-104"""
    _, land = window.sight(scout.ruler)
    target = scout.order.target
    if _goes_through(window, scout) or looks_around(window, scout):
        return True
    return any(
        land.may_be_linked(source, target) or (scout.by_craft and waters.may_be_sailed(land, source, target))
        for source in _starts(land, scout)
    )


def looks_around(window: Window, scout: Scout) -> bool:
    """Whether scouts stay in own land, to look at what a foreign caravan there carries. Source: rules 21.6, KA310"""
    seen, _ = window.sight(scout.ruler)
    is_here = _is_same(scout.order.target, scout.source) and window.owners.get(scout.source) == scout.ruler
    return is_here and any(row.get("at") == scout.source for row in strange_ones(seen.modules))


def _goes_through(window: Window, scout: Scout) -> bool:
    """Whether scouts go through a portal next to the mystic. Source: rules 14.1, ruling KA201"""
    return (
        scout.after is None
        and is_through(scout.source, scout.order.target)
        and leads(window, scout.ruler, scout.source, scout.order.target)
    )


def _is_sure(window: Window, scout: Scout) -> bool:
    """Whether the ruler can be sure that scouts arrive: over land or water that was seen, not over bridges."""
    if _goes_through(window, scout) or looks_around(window, scout):
        return True
    if scout.after is not None and not _before(window, scout).is_sure:
        return False
    _, land = window.sight(scout.ruler)
    target = scout.order.target
    return all(
        any(
            target in (other, gf_of(other)) and land.bridge_between(source, other) is None
            for other in land.links(source)
        )
        or (scout.by_craft and waters.is_sailed(land, source, target))
        for source in _starts(land, scout)
    )


def set_out(window: Window) -> None:
    """At the end of P1 scouts stay at home if no warrior is left where they start, and so do those after them; at a
    portal also if the mystic has left. Source: rulings KA22, KA201
    """
    for ruler in window.rulers:
        scouts = sorted((each for each in window.scouts if each.ruler == ruler), key=lambda each: each.line.number)
        gone: set[int] = set()
        for scout in scouts:
            if scout.after in gone or (scout.after is None and not _has_men(window, ruler, scout.source)):
                window.void(ruler, scout.line, "V02", place=scout.source)
            elif is_through(scout.source, scout.order.target) and not _goes_through(window, scout):
                window.void(ruler, scout.line, "V03", which="closed_portal")
            else:
                continue
            gone.add(scout.order.ee)
            window.scouts.remove(scout)


def _is_contested(window: Window, ruler: PowerId, province: Province) -> bool:
    """While land is contested nobody explores from there. Source: rules R-112"""
    return ruler in window.contested.get(province, ())


def _is_same(one: Province, other: Province) -> bool:
    return one == other or (gf_of(one) == gf_of(other) and "/" not in one + other)


def _goes_straight(window: Window, scout: Scout) -> bool:
    if scout.after is None:
        return True
    return is_straight(_before(window, scout).source, scout.source, scout.order.target)


def _before(window: Window, scout: Scout) -> Scout:
    """The exploration in whose target this one starts."""
    return next(each for each in window.scouts if each.ruler == scout.ruler and each.order.ee == scout.after)


def _starts(land: Land, scout: Scout) -> list[Province]:
    """The provinces where an exploration may start: a chain may go on from any part that the name can mean."""
    source = scout.source
    if scout.after is None or part_of(source) is not None:
        return [source]
    parts = land.provinces(gf_of(source)) if land.exists(gf_of(source)) else ()
    return list(dict.fromkeys((*parts, source)))
