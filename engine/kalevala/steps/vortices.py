"""Vortices: mystics pull others' figures through a portal against their will. Source: rules 14.1, 14.3, ruling KA236

First those who stand in the great field of the portal, with caravans and before all entries; then those who come to
attack it, before the battle.
"""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.figures import Figures, common, format_figures, kind_of, minus, number_of, warriors
from engine.kalevala.orders import Line, named
from engine.kalevala.planes.facts import RIFT_MONEY, is_within_limits, mystic_in, price_of_vortex
from engine.kalevala.planes.orders import Vortex
from engine.kalevala.steps import changing
from engine.kalevala.steps.realm import is_known_to_be_barred, is_shielded
from engine.kalevala.steps.sailing import crosses_water
from engine.kalevala.tables import Group
from engine.kalevala.window import Entering, Window

_PULLED = (Group.HUMAN, Group.ANIMAL, Group.GEAR)
_STAY = ("Z", "My", "K", "Ag", "Sl")
"""Wizards and mystics resist; a vortex is for armies."""


def order(window: Window, ruler: PowerId, line: Line, order: Vortex) -> None:
    """Say whom the mystic should pull through. It is refused only for what his ruler knows; P4 shows who is there."""
    source, figures = window.own_place(ruler, order.path[0]), dict(order.figures)
    mystic = None if source is None else mystic_in(window.stack(ruler, source))
    is_known = order.who in window.rulers and order.who != ruler
    code = None
    if source is None or mystic is None or not is_known or not all(map(_is_pulled, figures)):
        code = "V02"
    elif is_known_to_be_barred(window, ruler, PowerId(order.who)):
        code = "V17"
    elif changing.far_side(window, ruler, source, order.path[1]) is None:
        code = "V03"
    elif ruler in window.mystics_at_work.vortices:
        code = "V05"
    elif not is_within_limits(figures):
        code = "V07"
    elif window.free_money(ruler, source) < RIFT_MONEY:
        code = "V09"
    elif number_of(mystic) - window.mystics_at_work.zeh_due[ruler] < price_of_vortex(figures):
        code = "V29"
    if code is not None:
        have = 0 if source is None else window.free_money(ruler, source)
        cost = RIFT_MONEY if code == "V09" else price_of_vortex(figures)
        window.refuse(ruler, line, code, place=order.path[0], cost=cost, have=have)
    else:
        window.mystics_at_work.vortices[ruler] = line, figures
        window.mystics_at_work.money_due[ruler, source or order.path[0]] += RIFT_MONEY
        window.mystics_at_work.zeh_due[ruler] += price_of_vortex(figures)


def _is_pulled(item: str) -> bool:
    return kind_of(item).group in _PULLED and kind_of(item).code not in _STAY


def pull_away(window: Window) -> None:
    """Pull those who stand there, before anybody enters."""
    for ruler, (line, wanted) in list(window.mystics_at_work.vortices.items()):
        order, left = _order_of(line), wanted
        here, victim = _place_of(window, ruler, order), PowerId(order.who)
        parts = sorted(window.land.provinces(gf_of(here)), key=lambda part: part != here)
        for part in parts:
            caught = common(left, window.stack(victim, part))
            if caught and _pull(window, ruler, line, caught, part):
                left = minus(left, caught)


def swallow(window: Window) -> None:
    """Pull those who come to attack the great field of the portal; a vortex that found nobody fails."""
    for ruler, (line, wanted) in list(window.mystics_at_work.vortices.items()):
        order = _order_of(line)
        place, victim, left = _place_of(window, ruler, order), PowerId(order.who), wanted
        for number, entry in enumerate(list(window.entering)):
            if entry.ruler != victim or gf_of(entry.target) != gf_of(place) or not _comes_over_land(window, entry):
                continue
            caught = common(left, common(dict(entry.order.figures), window.stack(victim, entry.source)))
            if caught and _pull(window, ruler, line, caught, entry.source):
                left = minus(left, caught)
                rest = minus(dict(entry.order.figures), caught)
                window.entering[number] = replace(entry, order=replace(entry.order, figures=named(rest)))
                if not warriors(rest):
                    window.entered.add((victim, entry.order.ee))
                    window.fail(victim, entry.line, "swallowed", place=entry.target)
        if left == dict(order.figures) and not window.verdict(ruler, line).codes:
            window.fail(ruler, line, "unmet")


def _comes_over_land(window: Window, entry: Entering) -> bool:
    is_pending = (entry.ruler, entry.order.ee) not in window.entered
    return is_pending and not crosses_water(entry.order) and not changing.is_through(entry.source, entry.target)


def _place_of(window: Window, ruler: PowerId, order: Vortex) -> Province:
    """Where the portal is, or the part of its great field in which the mystic stands."""
    named, mystic = order.path[0], window.find_mystic(ruler)
    return mystic[0] if mystic is not None and gf_of(mystic[0]) == gf_of(named) else named


def _order_of(line: Line) -> Vortex:
    assert isinstance(line.order, Vortex), "nothing else is among them"
    return line.order


def _pull(window: Window, ruler: PowerId, line: Line, caught: Figures, origin: Province) -> bool:
    """Pay, and put them on the other side. Returns whether it could be paid for."""
    order = _order_of(line)
    place, victim = _place_of(window, ruler, order), PowerId(order.who)
    mystic = mystic_in(window.stack(ruler, place))
    far = changing.far_side(window, ruler, place, order.path[1])
    _, wanted = window.mystics_at_work.vortices[ruler]
    is_first = wanted == dict(order.figures)
    cost = RIFT_MONEY if is_first else 0
    zeh = price_of_vortex(caught)
    if is_shielded(window, victim):
        window.void(ruler, line, "V17")  # Ruling KA285
        return False
    if mystic is None or far is None or number_of(mystic) < zeh or window.money(ruler, place) < cost:
        window.void(ruler, line, "V02" if mystic is None else "V03" if far is None else "V29", place=place, cost=zeh)
        return False
    window.mystics_at_work.vortices[ruler] = line, minus(wanted, caught)
    window.book(ruler, place, "RE", -cost, "rift")
    changing.spend(window, ruler, place, zeh, "rift")
    window.shift(victim, caught, origin, far, is_marked=False)
    args = {"gf": place, "to": far, "figures": format_figures(caught), "by": ruler, "of": victim}
    window.tell("vortex", [ruler], args, words="vortex")
    window.tell("vortex", [victim], args, words="vortex_victim")
    return True
