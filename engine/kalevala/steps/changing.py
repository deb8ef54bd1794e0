"""Mystics and their portals: TRANSFER, PORTAL and RIFT in P1, scouts and entries through portals.

Source: rules 14, R-036, R-037, rulings KA200 to KA205
"""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.coordinates import Province, coordinate_of, gf_of
from engine.kalevala.figures import MONEY, Figures, format_figures, is_part, kind_of, number_of
from engine.kalevala.orders import Line
from engine.kalevala.planes.facts import (
    FAR_SIDE,
    HOME_SIDE,
    MYSTIC,
    RIFT_MONEY,
    RIFT_ZEH,
    STORE,
    TOLL,
    Portal,
    is_free,
    is_within_limits,
    mystic_in,
    mystic_item,
    portals_in,
)
from engine.kalevala.planes.orders import MakePortal, Rift, Transfer
from engine.kalevala.steps.magic import find_wizard
from engine.kalevala.steps.marching import is_carried
from engine.kalevala.window import Window
from engine.kalevala.wizards.spells import known_of, wizard_item


def transfer(window: Window, ruler: PowerId, line: Line, order: Transfer) -> None:
    """The wizard gives the mystic ZEH. Source: rules 14.3, R-037"""
    wizard, mystic = find_wizard(window, ruler), window.find_mystic(ruler)
    if wizard is None or mystic is None:
        window.refuse(ruler, line, "V02")
        return
    if coordinate_of(wizard[0]).plane != coordinate_of(mystic[0]).plane:
        window.refuse(ruler, line, "V03")
        return
    have, room = number_of(wizard[1]), max(0, STORE - number_of(mystic[1]))
    if order.amount > have or not room:
        window.refuse(ruler, line, "V29")
        return
    amount = min(order.amount, room)
    if amount < order.amount:
        window.warn(ruler, line, "W1", amount=amount)
    window.change_number(ruler, *wizard, wizard_item(have - amount, known_of(wizard[1])), "transfer")
    window.change_number(ruler, *mystic, mystic_item(number_of(mystic[1]) + amount), "transfer")


def make(window: Window, ruler: PowerId, line: Line, order: MakePortal) -> None:
    """Make one side of a portal: at home, on a site in own land, or where the mystic has come through it.

    Rules 14.2, KA200
    """
    own, mystic = window.portals.get(ruler), window.find_mystic(ruler)
    place = window.own_place(ruler, order.at)
    if mystic is None or place != mystic[0]:
        which = "no_mystic" if mystic is None else "mystic_elsewhere"
        window.refuse(ruler, line, "V02", place=order.at if mystic is None else mystic[0], which=which)
        return
    far = window.land.field(place).portal
    is_far = own is not None and own.to == gf_of(place)
    if not is_far and window.owners.get(place) != ruler:
        window.refuse(ruler, line, "V02", place=order.at)
        return
    if (own is None and far is None) or (own is not None and (own.is_whole or not is_far)):
        which = "portal_site" if own is None else "portal_whole" if own.is_whole else "portal_far"
        window.refuse(ruler, line, "V21", place=order.at if own is None else own.to, which=which)
        return
    cost = FAR_SIDE if is_far else HOME_SIDE
    if number_of(mystic[1]) < cost:
        window.refuse(ruler, line, "V29")
        return
    spend(window, ruler, place, cost, "portal")
    if own is not None:
        window.portals[ruler] = replace(own, is_whole=True)
    elif far is not None:
        window.portals[ruler] = Portal(ruler, place, far)
    made = window.portals[ruler]
    words = "portal_whole" if made.is_whole else "portal"
    window.tell("portal", [ruler], {"gf": made.at, "to": made.to, "whole": made.is_whole}, words=words)


def rift(window: Window, ruler: PowerId, line: Line, order: Rift) -> None:
    """Send figures from own land to own land; only the mystic can go to any. Source: rules 14.1, ruling KA202"""
    source = window.own_place(ruler, order.path[0])
    figures = {} if source is None else _as_they_are(window, ruler, source, dict(order.figures))
    if source is None or not is_part(figures, window.stack(ruler, source)):
        window.refuse(ruler, line, "V02", place=order.path[0])
        return
    target = far_side(window, ruler, source, order.path[1])
    is_going_alone = is_free(figures) and mystic_in(figures) is not None
    is_home = window.owners.get(source) == ruler
    is_own = is_home and target is not None and window.owners.get(target) == ruler
    if mystic_in(window.stack(ruler, source)) is None or (target is not None and not (is_own or is_going_alone)):
        window.refuse(ruler, line, "V02", place=source)
        return
    if target is None:
        window.refuse(ruler, line, "V03", place=order.path[1])
        return
    on_watch = window.breaks_watch(ruler, source, figures)
    if on_watch or not is_part(figures, window.unmarked(ruler, source)):
        window.refuse(ruler, line, "V05", place=source, which="watch" if on_watch else "")
        return
    code = flaw(window, ruler, source, figures)
    if code is not None:
        have = window.money(ruler, source) - figures.get(MONEY, 0)
        window.refuse(ruler, line, code, place=source, cost=RIFT_MONEY, have=have)
        return
    going = pay(window, ruler, source, figures)
    window.shift(ruler, going, source, target)
    args = {"gf": target, "from": source, "figures": format_figures(going)}
    window.tell("rift", [ruler], args, origin=source)
    host = window.owners.get(target)
    if host not in (None, ruler) and window.dice is not None:
        window.tell("rift_guest", [host], {"gf": target, "by": ruler})


def leads(window: Window, ruler: PowerId, source: Province, target: Province) -> bool:
    """Whether a portal that the ruler knows leads there from where the mystic is. Rules 14.2, ruling KA201"""
    if mystic_in(window.stack(ruler, source)) is None:
        return False
    seen, _ = window.sight(ruler)
    own = window.portals.get(ruler)
    known = [*portals_in(seen.modules), *([own] if own is not None else ())]
    return any(portal.leads(source, target) for portal in known)


def flaw(
    window: Window, ruler: PowerId, source: Province, figures: Figures, *, due: tuple[int, int] = (0, 0)
) -> str | None:
    """What prevents figures from going through: carriers, the room of a rift, its price. `due`: RE and ZEH for others.

    Source: rules R-103
    """
    if not is_carried(figures):
        return "V06"
    if not is_within_limits(figures):
        return "V07"
    if is_free(figures):
        return None
    if window.money(ruler, source) - figures.get(MONEY, 0) - due[0] < RIFT_MONEY:
        return "V09"
    mystic = mystic_in(window.stack(ruler, source))
    return "V29" if mystic is None or number_of(mystic) - due[1] < RIFT_ZEH else None


def pay(window: Window, ruler: PowerId, source: Province, figures: Figures) -> Figures:
    """The mystic pays for a rift. Returns the figures that go through it, with the ZEH that they have left.

    Rules 14.1, ruling KA203
    """
    if is_free(figures):
        return figures
    window.book(ruler, source, MONEY, -RIFT_MONEY, "rift")
    window.spent[ruler] += RIFT_MONEY
    spend(window, ruler, source, RIFT_ZEH, "rift")
    going: dict[str, int] = {}
    for item, count in figures.items():
        left = item
        if kind_of(item).code == "Z":
            zeh = number_of(item)
            left = wizard_item(zeh - -(-zeh // TOLL), known_of(item))
            window.change_number(ruler, source, item, left, "rift")
        going[left] = count
    return _as_they_are(window, ruler, source, going)


def far_side(window: Window, ruler: PowerId, source: Province, named: Province) -> Province | None:
    """The province on the other side of a portal; `None`: no portal leads there."""
    if not leads(window, ruler, source, named):
        return None
    own = set(window.owned(ruler))
    return window.land.meant(named, own=own) or Province(gf_of(named))


def _as_they_are(window: Window, ruler: PowerId, place: Province, figures: Figures) -> Figures:
    """The same figures, but the mystic with the ZEH that he has now: lines call him `My`."""
    there = mystic_in(window.stack(ruler, place))
    return {
        (there if there is not None and kind_of(item).code == MYSTIC else item): count
        for item, count in figures.items()
    }


def spend(window: Window, ruler: PowerId, place: Province, zeh: int, why: str) -> None:
    """The mystic who is there has spent ZEH."""
    mystic = mystic_in(window.stack(ruler, place))
    assert mystic is not None, "a mystic was looked for before"
    window.change_number(ruler, place, mystic, mystic_item(number_of(mystic) - zeh), why)


def is_through(source: Province, target: Province) -> bool:
    """Whether only a portal can lead from one province to the other: they lie on different planes. Ruling KA200"""
    return coordinate_of(source).plane != coordinate_of(target).plane


def find_beyond(window: Window, ruler: PowerId, source: Province, named: Province) -> Province | None:
    """Where scouts arrive through a portal."""
    return far_side(window, ruler, source, named) if is_through(source, named) else None
