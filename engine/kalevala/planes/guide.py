"""What a mystic could be ordered to do, as complete orders for the guided flow, likeliest first. Source: rules 14"""

from __future__ import annotations

from collections.abc import Iterator

from engine.kalevala.board import others
from engine.kalevala.coordinates import Province
from engine.kalevala.counsel import Counsel
from engine.kalevala.figures import Figures, format_figures, kind_of, number_of, price_of, worth
from engine.kalevala.orders import Whole, named
from engine.kalevala.planes.facts import MOST_PEOPLE, MYSTIC, STORE, mystic_in, portals_in, price_of_vortex
from engine.kalevala.planes.orders import MakePortal, Rift, Transfer, Vortex
from engine.kalevala.steps.magic import find_wizard
from engine.kalevala.wizards.spells import factor_of

_STEPS = (10, 20, 30)


def orders_of(counsel: Counsel) -> Whole:
    """Portals to make, journeys through them, ZEH from the wizard."""
    found = counsel.trial.find_mystic(counsel.ruler)
    if found is None:
        return
    place, _ = found
    yield from counsel.tried(MakePortal(place), "plane_portal", place=place)
    for target in _far_sides(counsel, place):
        for load in _loads(counsel.trial.stack(counsel.ruler, place)):
            order = Rift((place, target), named(load))
            yield from counsel.tried(order, "plane_rift", place=target, figures=format_figures(load))
    wizard = find_wizard(counsel.trial, counsel.ruler)
    have = number_of(wizard[1]) if wizard is not None else 0
    for amount in dict.fromkeys((*_STEPS, min(have, STORE))):
        if 0 < amount <= have:
            yield from counsel.tried(Transfer(amount), "plane_transfer", amount=amount)


def deeds_of(counsel: Counsel) -> Whole:
    """In the window of deeds: the figures at his portal that he could pull through."""
    found = counsel.trial.find_mystic(counsel.ruler)
    if found is None:
        return
    place, mystic = found
    for target in _far_sides(counsel, place):
        for who in others(counsel.state, counsel.ruler):
            pulled = _pulled(counsel.state.stack(who, place), number_of(mystic))
            if pulled:
                order = Vortex(who, (place, target), named(pulled))
                args = {"ruler": who, "place": target, "figures": format_figures(pulled)}
                yield from counsel.tried(order, "plane_vortex", **args)


def _pulled(stack: Figures, zeh: int) -> Figures:
    """As many warriors of a stack as a vortex holds and the ZEH pay for, the best first."""
    found: dict[str, int] = {}
    for item in sorted(stack, key=price_of, reverse=True):
        left = min(
            (MOST_PEOPLE - worth(found)) // max(1, price_of(item)), (zeh - price_of_vortex(found)) // factor_of(item)
        )
        if kind_of(item).is_warrior and left > 0:
            found[item] = min(stack[item], left)
    return found


def _far_sides(counsel: Counsel, place: Province) -> Iterator[Province]:
    made = (*counsel.trial.portals.values(), *portals_in(counsel.state.modules))
    ends = (Province(end) for portal in made for end in (portal.at, portal.to))
    own = set(counsel.trial.owned(counsel.ruler))
    for end in dict.fromkeys(ends):
        if any(portal.leads(place, end) for portal in made):
            yield counsel.trial.land.meant(end, own=own) or end


def _loads(stack: Figures) -> Iterator[Figures]:
    """The mystic alone; with as many warriors of the likeliest kinds as can go; those warriors without him."""
    mystic = mystic_in(stack)
    alone = {mystic: 1} if mystic is not None else {}
    yield alone
    for item, count in stack.items():
        kind = kind_of(item)
        if kind.is_warrior and kind.code != MYSTIC and kind.price:
            some = min(count, MOST_PEOPLE // kind.price)
            yield {**alone, item: some}
            yield {item: some}
