"""EXPLORE: scouts are queued for P2, tested by what their ruler knows. Source: rules 12.1, 12.2, R-029, R-084, R-104"""

from __future__ import annotations

from engine.core.ids import PowerId
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.figures import warriors
from engine.kalevala.land import is_straight
from engine.kalevala.model import EXPLORATION_UNITS
from engine.kalevala.orders import Explore, Line
from engine.kalevala.working import Round, Scout

FARTHEST = 3


def explore(round_: Round, ruler: PowerId, line: Line, order: Explore) -> None:
    """Queue an exploration. What only the land could tell is found out in P2."""
    used = round_.used.setdefault(ruler, set())
    scouts = _possible(round_, ruler, line, order)
    if not scouts:
        round_.refuse(ruler, line, "V02", place=order.source)
        return
    if not 1 <= order.ee <= EXPLORATION_UNITS or order.ee in used:
        round_.refuse(ruler, line, "V13", number=order.ee)
        return
    straight = [scout for scout in scouts if _goes_straight(round_, scout)]
    if not straight:
        round_.refuse(ruler, line, "V15", place=order.source)
        return
    _, land = round_.sight(ruler)
    source = straight[0].source
    if not land.may_be_linked(_known_name(round_, ruler, source), gf_of(order.target)):
        round_.refuse(ruler, line, "V03", place=order.target)
        return
    near = [scout for scout in straight if scout.depth <= FARTHEST]
    if not near:
        round_.refuse(ruler, line, "V04", place=order.target)
        return
    used.add(order.ee)
    round_.scouts.append(near[0])


def _possible(round_: Round, ruler: PowerId, line: Line, order: Explore) -> list[Scout]:
    """From an own warrior's province, or from the target of an earlier exploration."""
    start = round_.own_place(ruler, order.source)
    if start is not None and warriors(round_.stack(ruler, start)) and not _is_contested(round_, ruler, start):
        return [Scout(ruler, line, order, start, 1, None)]
    return [
        Scout(ruler, line, order, order.source, earlier.depth + 1, earlier.order.ee)
        for earlier in round_.scouts
        if earlier.ruler == ruler and _is_same(earlier.order.target, order.source)
    ]


def _is_contested(round_: Round, ruler: PowerId, province: Province) -> bool:
    """While land is contested nobody explores from there. Source: rules R-112"""
    return ruler in round_.contested.get(province, ())


def _is_same(one: Province, other: Province) -> bool:
    return one == other or (gf_of(one) == gf_of(other) and "/" not in one + other)


def _goes_straight(round_: Round, scout: Scout) -> bool:
    if scout.after is None:
        return True
    before = next(each for each in round_.scouts if each.ruler == scout.ruler and each.order.ee == scout.after)
    return is_straight(before.source, scout.source, scout.order.target)


def _known_name(round_: Round, ruler: PowerId, province: Province) -> Province:
    """The province as the ruler's own map has it."""
    _, land = round_.sight(ruler)
    return land.meant(province) or province
