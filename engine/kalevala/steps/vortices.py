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
from engine.kalevala.working import Entering, Round

_PULLED = (Group.HUMAN, Group.ANIMAL, Group.GEAR)
_STAY = ("Z", "My", "K", "Ag", "Sl")
"""Wizards and mystics resist; a vortex is for armies."""


def order(round_: Round, ruler: PowerId, line: Line, order: Vortex) -> None:
    """Say whom the mystic should pull through. It is refused only for what his ruler knows; P4 shows who is there."""
    source, figures = round_.own_place(ruler, order.path[0]), dict(order.figures)
    mystic = None if source is None else mystic_in(round_.stack(ruler, source))
    is_known = order.who in round_.rulers and order.who != ruler
    code = None
    if source is None or mystic is None or not is_known or not all(map(_is_pulled, figures)):
        code = "V02"
    elif is_known_to_be_barred(round_, ruler, PowerId(order.who)):
        code = "V17"
    elif changing.far_side(round_, ruler, source, order.path[1]) is None:
        code = "V03"
    elif ruler in round_.mystics_at_work.vortices:
        code = "V05"
    elif not is_within_limits(figures):
        code = "V07"
    elif round_.free_money(ruler, source) < RIFT_MONEY:
        code = "V09"
    elif number_of(mystic) - round_.mystics_at_work.zeh_due[ruler] < price_of_vortex(figures):
        code = "V29"
    if code is not None:
        have = 0 if source is None else round_.free_money(ruler, source)
        cost = RIFT_MONEY if code == "V09" else price_of_vortex(figures)
        round_.refuse(ruler, line, code, place=order.path[0], cost=cost, have=have)
    else:
        round_.mystics_at_work.vortices[ruler] = line, figures
        round_.mystics_at_work.money_due[ruler, source or order.path[0]] += RIFT_MONEY
        round_.mystics_at_work.zeh_due[ruler] += price_of_vortex(figures)


def _is_pulled(item: str) -> bool:
    return kind_of(item).group in _PULLED and kind_of(item).code not in _STAY


def pull_away(round_: Round) -> None:
    """Pull those who stand there, before anybody enters."""
    for ruler, (line, wanted) in list(round_.mystics_at_work.vortices.items()):
        order, left = _order_of(line), wanted
        here, victim = _place_of(round_, ruler, order), PowerId(order.who)
        parts = sorted(round_.land.provinces(gf_of(here)), key=lambda part: part != here)
        for part in parts:
            caught = common(left, round_.stack(victim, part))
            if caught and _pull(round_, ruler, line, caught, part):
                left = minus(left, caught)


def swallow(round_: Round) -> None:
    """Pull those who come to attack the great field of the portal; a vortex that found nobody fails."""
    for ruler, (line, wanted) in list(round_.mystics_at_work.vortices.items()):
        order = _order_of(line)
        place, victim, left = _place_of(round_, ruler, order), PowerId(order.who), wanted
        for number, entry in enumerate(list(round_.entering)):
            if entry.ruler != victim or gf_of(entry.target) != gf_of(place) or not _comes_over_land(round_, entry):
                continue
            caught = common(left, common(dict(entry.order.figures), round_.stack(victim, entry.source)))
            if caught and _pull(round_, ruler, line, caught, entry.source):
                left = minus(left, caught)
                rest = minus(dict(entry.order.figures), caught)
                round_.entering[number] = replace(entry, order=replace(entry.order, figures=named(rest)))
                if not warriors(rest):
                    round_.entered.add((victim, entry.order.ee))
                    round_.fail(victim, entry.line, "swallowed", place=entry.target)
        if left == dict(order.figures) and not round_.verdict(ruler, line).codes:
            round_.fail(ruler, line, "unmet")


def _comes_over_land(round_: Round, entry: Entering) -> bool:
    is_pending = (entry.ruler, entry.order.ee) not in round_.entered
    return is_pending and not crosses_water(entry.order) and not changing.is_through(entry.source, entry.target)


def _place_of(round_: Round, ruler: PowerId, order: Vortex) -> Province:
    """Where the portal is, or the part of its great field in which the mystic stands."""
    named, mystic = order.path[0], round_.find_mystic(ruler)
    return mystic[0] if mystic is not None and gf_of(mystic[0]) == gf_of(named) else named


def _order_of(line: Line) -> Vortex:
    assert isinstance(line.order, Vortex), "nothing else is among them"
    return line.order


def _pull(round_: Round, ruler: PowerId, line: Line, caught: Figures, origin: Province) -> bool:
    """Pay, and put them on the other side. Returns whether it could be paid for."""
    order = _order_of(line)
    place, victim = _place_of(round_, ruler, order), PowerId(order.who)
    mystic = mystic_in(round_.stack(ruler, place))
    far = changing.far_side(round_, ruler, place, order.path[1])
    _, wanted = round_.mystics_at_work.vortices[ruler]
    is_first = wanted == dict(order.figures)
    cost = RIFT_MONEY if is_first else 0
    zeh = price_of_vortex(caught)
    if is_shielded(round_, victim):
        round_.void(ruler, line, "V17")  # Ruling KA285
        return False
    if mystic is None or far is None or number_of(mystic) < zeh or round_.money(ruler, place) < cost:
        round_.void(ruler, line, "V02" if mystic is None else "V03" if far is None else "V29", place=place, cost=zeh)
        return False
    round_.mystics_at_work.vortices[ruler] = line, minus(wanted, caught)
    round_.book(ruler, place, "RE", -cost, "rift")
    changing.spend(round_, ruler, place, zeh, "rift")
    round_.shift(victim, caught, origin, far, is_marked=False)
    args = {"gf": place, "to": far, "figures": format_figures(caught), "by": ruler, "of": victim}
    round_.tell("vortex", [ruler], args, words="vortex")
    round_.tell("vortex", [victim], args, words="vortex_victim")
    return True
