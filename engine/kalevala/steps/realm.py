"""WATCH, PERMIT, REVOKE, ABANDON, CAPITAL, PEOPLE, LEAVE, WAR, PEACE, ALLY, UNALLY.

Source: rules 8.2, 8.5, 15.2, 16.1, 22.2, R-097, R-104, R-110
"""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.board import marauders_of
from engine.kalevala.coordinates import Province, coordinate_of, gf_of
from engine.kalevala.figures import warriors
from engine.kalevala.model import MARAUDER, Permit
from engine.kalevala.orders import Abandon, Allow, Capital, Leave, Line, People, Revoke, Stance, Watch
from engine.kalevala.working import Round

MOST_PERMITTED = 10
MOST_LEAVE = 2
EPOCH = 12


def watch(round_: Round, ruler: PowerId, line: Line, order: Watch) -> None:
    """Set warriors of a province on watch for this great round."""
    at = round_.find_own(ruler, order.at)
    if at is None or warriors(round_.stack(ruler, at)) < order.count:
        round_.refuse(ruler, line, "V02", place=order.at)
        return
    round_.watch.setdefault(ruler, {})[at] = order.count


def permit(round_: Round, ruler: PowerId, line: Line, order: Allow) -> None:
    """Let a ruler into a province, or all of them. Source: rules R-110"""
    guest = _other(round_, ruler, order.who)
    at = None if order.at is None else round_.find_own(ruler, order.at)
    if guest is None or (order.at is not None and at is None):
        round_.refuse(ruler, line, "V02", place=order.at or order.who, which="ruler" if guest is None else "place")
        return
    if order.rounds > MOST_PERMITTED:
        round_.refuse(ruler, line, "V07", most=MOST_PERMITTED)
        return
    until = round_.gr + order.rounds - 1
    others = [each for each in round_.permits if (each.giver, each.guest, each.where) != (ruler, guest, at)]
    round_.permits = [*others, Permit(ruler, guest, at, until)]


def revoke(round_: Round, ruler: PowerId, line: Line, order: Revoke) -> None:
    """Withdraw a permission, at once for P3; without a province, all that the other ruler has. Source: rules R-110"""
    guest = _other(round_, ruler, order.who)
    at = None if order.at is None else round_.own_place(ruler, order.at)
    given = [
        each
        for each in round_.permits
        if each.giver == ruler
        and each.guest == guest
        and (order.at is None or each.where in (at, order.at) or (at is not None and str(each.where) == gf_of(at)))
    ]
    if not given:
        which = "ruler" if guest is None else "permission"
        round_.refuse(ruler, line, "V02", place=order.at or order.who, which=which)
        return
    round_.permits = [each for each in round_.permits if each not in given]


def is_permitted(round_: Round, host: PowerId, guest: PowerId, place: Province) -> bool:
    """Whether a guest may be in a province of a host as things stand in the window."""
    permits = replace(round_.state, permits=tuple(round_.permits))
    return permits.permits_entry(host, guest, place, round_.gr)


def abandon(round_: Round, ruler: PowerId, line: Line, order: Abandon) -> None:
    """Give a province back to the natives. Source: rules 8.5"""
    at = round_.find_own(ruler, order.at)
    if at is None:
        round_.refuse_land(ruler, line, order.at)
        return
    if round_.stack(ruler, at):
        round_.refuse(ruler, line, "V20", place=at)
        return
    release(round_, at)


def release(round_: Round, at: Province) -> None:
    """A province falls to the natives; its trade centre is a site again. Source: rules 8.5"""
    owner = round_.owners.pop(at, None)
    round_.set_centre(at, is_founded=False)
    if owner is not None:
        round_.newly.get(owner, {}).pop(at, None)
        round_.watch.get(owner, {}).pop(at, None)
        round_.known.setdefault(owner, set()).add(at)


def name_capital(round_: Round, ruler: PowerId, line: Line, order: Capital) -> None:
    """Name a capital; it can be changed only when the old one is lost. Source: rules 8.2, R-010

    A lost one was replaced at the opening of the window, by this line if it fits.
    """
    at = round_.find_own(ruler, order.at)
    if at is None:
        round_.refuse_land(ruler, line, order.at)
        return
    centre = round_.centre(at)
    if centre is None or not centre.centre.arming:
        round_.refuse(ruler, line, "V08", place=at)
        return
    if round_.accounts[ruler].get("capital") != at:
        round_.refuse(ruler, line, "V05", place=at)


def move_people(round_: Round, ruler: PowerId, line: Line, order: People) -> None:
    """Choose the plane of the people's arming. Source: rules 8.2"""
    if not any(coordinate_of(province).plane == order.plane for province in round_.owned(ruler)):
        round_.refuse(ruler, line, "V02", place=str(order.plane))
        return
    round_.rulers[ruler] = replace(round_.rulers[ruler], people=order.plane)


def take_leave(round_: Round, ruler: PowerId, line: Line, order: Leave) -> None:
    """Announce an absence, once an epoch: protected, and no missing sheets. Source: rules R-097, R-117, ruling KA5"""
    own = round_.rulers[ruler]
    if any(_epoch(gr) == _epoch(round_.gr) for gr in own.leave):
        round_.refuse(ruler, line, "V05", place=str(round_.gr))
        return
    if order.rounds > MOST_LEAVE:
        round_.refuse(ruler, line, "V07", most=MOST_LEAVE)
        return
    leave = tuple(range(round_.gr, round_.gr + order.rounds))
    round_.rulers[ruler] = replace(own, leave=leave, protected=max(own.protected, leave[-1]))


_KEPT = {"WAR": ("wars", True), "PEACE": ("wars", False), "ALLY": ("allies", True), "UNALLY": ("allies", False)}


def take_stance(round_: Round, ruler: PowerId, line: Line, order: Stance) -> None:
    """Declare war, peace or an alliance, or end it. Source: rules R-041, B1

    A pair is stored for the ruler who set it: each of the two sets their own.
    """
    other = _other(round_, ruler, order.who)
    if other is None:
        round_.refuse(ruler, line, "V02", place=order.who)
        return
    key, is_set = _KEPT[order.verb]
    pair = [str(ruler), str(other)]
    rows = [list(row) for row in round_.modules.get(key, ()) if list(row) != pair]
    round_.modules = {**round_.modules, key: [*rows, pair] if is_set else rows}


def are_allied(round_: Round, one: PowerId, other: PowerId) -> bool:
    """Whether both have set ALLY for each other. Source: rules B1, ruling KA40"""
    return has_allied(round_, one, other) and has_allied(round_, other, one)


def has_allied(round_: Round, one: PowerId, other: PowerId) -> bool:
    """Whether the first has set ALLY for the other."""
    return _is_set(round_, "allies", one, other)


def are_at_war(round_: Round, one: PowerId, other: PowerId) -> bool:
    """Whether one of the two has declared war on the other, and they are no allies. Source: R-041, ruling KA40"""
    is_declared = has_declared(round_, one, other) or has_declared(round_, other, one)
    return is_declared and not are_allied(round_, one, other)


def has_declared(round_: Round, one: PowerId, other: PowerId) -> bool:
    """Whether the first has declared war on the other."""
    return _is_set(round_, "wars", one, other)


def is_shielded(round_: Round, host: PowerId | None) -> bool:
    """Whether a realm is under protection; marauders are not new rulers. Peaceful trade goes on.

    Source: R-012, R-123, rulings KA288, KA305
    """
    if host is None:
        return False
    own = round_.rulers[host]
    return own.protected >= round_.gr or (own.kind != MARAUDER and _shields_all(round_))


def is_known_to_be_barred(round_: Round, ruler: PowerId, other: PowerId | None) -> bool:
    """Whether a ruler can know that protection bars the way to another's land: their own, or that of new rulers.

    Source: rules R-123, rulings KA29, KA288
    """
    if round_.rulers[ruler].protected >= round_.gr:
        return True
    return other not in marauders_of(round_.state.variant) and _shields_all(round_)


def _shields_all(round_: Round) -> bool:
    return round_.gr <= int(round_.state.options.get("shield", 0))


def _is_set(round_: Round, key: str, one: PowerId, other: PowerId) -> bool:
    return (one, other) in (tuple(row) for row in round_.modules.get(key, ()))


def _epoch(gr: int) -> int:
    return (gr - 1) // EPOCH


def _other(round_: Round, ruler: PowerId, name: str) -> PowerId | None:
    found = PowerId(name)
    return found if found in round_.rulers and found != ruler else None
