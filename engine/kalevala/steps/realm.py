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
from engine.kalevala.window import Window

MOST_PERMITTED = 10
MOST_LEAVE = 2
EPOCH = 12


def watch(window: Window, ruler: PowerId, line: Line, order: Watch) -> None:
    """Set warriors of a province on watch for this great round."""
    at = window.find_own(ruler, order.at)
    if at is None or warriors(window.stack(ruler, at)) < order.count:
        window.refuse(ruler, line, "V02", place=order.at)
        return
    window.watch.setdefault(ruler, {})[at] = order.count


def permit(window: Window, ruler: PowerId, line: Line, order: Allow) -> None:
    """Let a ruler into a province, or all of them. Source: rules R-110"""
    guest = _other(window, ruler, order.who)
    at = None if order.at is None else window.find_own(ruler, order.at)
    if guest is None or (order.at is not None and at is None):
        window.refuse(ruler, line, "V02", place=order.at or order.who, which="ruler" if guest is None else "place")
        return
    if order.rounds > MOST_PERMITTED:
        window.refuse(ruler, line, "V07", most=MOST_PERMITTED)
        return
    until = window.gr + order.rounds - 1
    others = [each for each in window.permits if (each.giver, each.guest, each.where) != (ruler, guest, at)]
    window.permits = [*others, Permit(ruler, guest, at, until)]


def revoke(window: Window, ruler: PowerId, line: Line, order: Revoke) -> None:
    """Withdraw a permission, at once for P3; without a province, all that the other ruler has. Source: rules R-110"""
    guest = _other(window, ruler, order.who)
    at = None if order.at is None else window.own_place(ruler, order.at)
    given = [
        each
        for each in window.permits
        if each.giver == ruler
        and each.guest == guest
        and (order.at is None or each.where in (at, order.at) or (at is not None and str(each.where) == gf_of(at)))
    ]
    if not given:
        which = "ruler" if guest is None else "permission"
        window.refuse(ruler, line, "V02", place=order.at or order.who, which=which)
        return
    window.permits = [each for each in window.permits if each not in given]


def is_permitted(window: Window, host: PowerId, guest: PowerId, place: Province) -> bool:
    """Whether a guest may be in a province of a host as things stand in the window."""
    permits = replace(window.state, permits=tuple(window.permits))
    return permits.permits_entry(host, guest, place, window.gr)


def abandon(window: Window, ruler: PowerId, line: Line, order: Abandon) -> None:
    """Give a province back to the natives. Source: rules 8.5"""
    at = window.find_own(ruler, order.at)
    if at is None:
        window.refuse_land(ruler, line, order.at)
        return
    if window.stack(ruler, at):
        window.refuse(ruler, line, "V20", place=at)
        return
    release(window, at)


def release(window: Window, at: Province) -> None:
    """A province falls to the natives; its trade centre is a site again. Source: rules 8.5"""
    owner = window.owners.pop(at, None)
    window.set_centre(at, is_founded=False)
    if owner is not None:
        window.newly.get(owner, {}).pop(at, None)
        window.watch.get(owner, {}).pop(at, None)
        window.known.setdefault(owner, set()).add(at)


def name_capital(window: Window, ruler: PowerId, line: Line, order: Capital) -> None:
    """Name a capital; it can be changed only when the old one is lost. Source: rules 8.2, R-010

    A lost one was replaced at the opening of the window, by this line if it fits.
    """
    at = window.find_own(ruler, order.at)
    if at is None:
        window.refuse_land(ruler, line, order.at)
        return
    centre = window.centre(at)
    if centre is None or not centre.centre.arming:
        window.refuse(ruler, line, "V08", place=at)
        return
    if window.accounts[ruler].get("capital") != at:
        window.refuse(ruler, line, "V05", place=at)


def move_people(window: Window, ruler: PowerId, line: Line, order: People) -> None:
    """Choose the plane of the people's arming. Source: rules 8.2"""
    if not any(coordinate_of(province).plane == order.plane for province in window.owned(ruler)):
        window.refuse(ruler, line, "V02", place=str(order.plane))
        return
    window.rulers[ruler] = replace(window.rulers[ruler], people=order.plane)


def take_leave(window: Window, ruler: PowerId, line: Line, order: Leave) -> None:
    """Announce an absence, once an epoch: protected, and no missing sheets. Source: rules R-097, R-117, ruling KA5"""
    own = window.rulers[ruler]
    if any(_epoch(gr) == _epoch(window.gr) for gr in own.leave):
        window.refuse(ruler, line, "V05", place=str(window.gr))
        return
    if order.rounds > MOST_LEAVE:
        window.refuse(ruler, line, "V07", most=MOST_LEAVE)
        return
    leave = tuple(range(window.gr, window.gr + order.rounds))
    window.rulers[ruler] = replace(own, leave=leave, protected=max(own.protected, leave[-1]))


_KEPT = {"WAR": ("wars", True), "PEACE": ("wars", False), "ALLY": ("allies", True), "UNALLY": ("allies", False)}


def take_stance(window: Window, ruler: PowerId, line: Line, order: Stance) -> None:
    """Declare war, peace or an alliance, or end it. Source: rules R-041, B1

    A pair is stored for the ruler who set it: each of the two sets their own.
    """
    other = _other(window, ruler, order.who)
    if other is None:
        window.refuse(ruler, line, "V02", place=order.who)
        return
    key, is_set = _KEPT[order.verb]
    pair = [str(ruler), str(other)]
    rows = [list(row) for row in window.modules.get(key, ()) if list(row) != pair]
    window.modules = {**window.modules, key: [*rows, pair] if is_set else rows}


def are_allied(window: Window, one: PowerId, other: PowerId) -> bool:
    """Whether both have set ALLY for each other. Source: rules B1, ruling KA40"""
    return has_allied(window, one, other) and has_allied(window, other, one)


def has_allied(window: Window, one: PowerId, other: PowerId) -> bool:
    """Whether the first has set ALLY for the other."""
    return _is_set(window, "allies", one, other)


def are_at_war(window: Window, one: PowerId, other: PowerId) -> bool:
    """Whether one of the two has declared war on the other, and they are no allies. Source: R-041, ruling KA40"""
    is_declared = has_declared(window, one, other) or has_declared(window, other, one)
    return is_declared and not are_allied(window, one, other)


def has_declared(window: Window, one: PowerId, other: PowerId) -> bool:
    """Whether the first has declared war on the other."""
    return _is_set(window, "wars", one, other)


def is_shielded(window: Window, host: PowerId | None) -> bool:
    """Whether a realm is under protection; marauders are not new rulers. Peaceful trade goes on.

    Source: R-012, R-123, rulings KA288, KA305
    """
    if host is None:
        return False
    own = window.rulers[host]
    return own.protected >= window.gr or (own.kind != MARAUDER and _shields_all(window))


def is_known_to_be_barred(window: Window, ruler: PowerId, other: PowerId | None) -> bool:
    """Whether a ruler can know that protection bars the way to another's land: their own, or that of new rulers.

    Source: rules R-123, rulings KA29, KA288
    """
    if window.rulers[ruler].protected >= window.gr:
        return True
    return other not in marauders_of(window.state.variant) and _shields_all(window)


def _shields_all(window: Window) -> bool:
    return window.gr <= int(window.state.options.get("shield", 0))


def _is_set(window: Window, key: str, one: PowerId, other: PowerId) -> bool:
    return (one, other) in (tuple(row) for row in window.modules.get(key, ()))


def _epoch(gr: int) -> int:
    return (gr - 1) // EPOCH


def _other(window: Window, ruler: PowerId, name: str) -> PowerId | None:
    found = PowerId(name)
    return found if found in window.rulers and found != ruler else None
