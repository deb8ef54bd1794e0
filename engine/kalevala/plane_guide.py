"""What could be ordered of a mystic, as whole orders for the guided flow, likeliest first. Source: rules 14"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.core.ids import PowerId
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import Figures, format_figures, kind_of, number_of
from engine.kalevala.model import State
from engine.kalevala.orders import Order, Whole, named
from engine.kalevala.plane_orders import MakePortal, Rift, Transfer
from engine.kalevala.planes import MOST_PEOPLE, MYSTIC, STORE, mystic_in, portals_in
from engine.kalevala.steps.magic import find_wizard
from engine.kalevala.working import Round

_STEPS = (10, 20, 30)


@dataclass(frozen=True, slots=True)
class Hermitage:
    """What a ruler's mystic could do.

    Args:
        trial: the window with the lines that stand.
        may: whether an order would not be refused beside them.
        say: a label of the catalogue.
    """

    state: State
    ruler: PowerId
    trial: Round
    may: Callable[[Order], bool]
    say: Callable[..., str]


def orders_of(cell: Hermitage) -> Whole:
    """Portals to make, ways through them, ZEH from the wizard."""
    found = cell.trial.find_mystic(cell.ruler)
    if found is None:
        return
    place, _ = found
    yield from _tried(cell, MakePortal(place), "plane_portal", place=place)
    for target in _far_sides(cell, place):
        for load in _loads(cell.trial.stack(cell.ruler, place)):
            order = Rift((place, target), named(load))
            yield from _tried(cell, order, "plane_rift", place=target, figures=format_figures(load))
    wizard = find_wizard(cell.trial, cell.ruler)
    have = number_of(wizard[1]) if wizard is not None else 0
    for amount in dict.fromkeys((*_STEPS, min(have, STORE))):
        if 0 < amount <= have:
            yield from _tried(cell, Transfer(amount), "plane_transfer", amount=amount)


def _far_sides(cell: Hermitage, place: Province) -> Iterator[Province]:
    made = (*cell.trial.portals.values(), *portals_in(cell.state.modules))
    ends = (Province(end) for portal in made for end in (portal.at, portal.to))
    own = set(cell.trial.owned(cell.ruler))
    for end in dict.fromkeys(ends):
        if any(portal.leads(place, end) for portal in made):
            yield cell.trial.land.meant(end, own=own) or end


def _loads(stack: Figures) -> Iterator[Figures]:
    """The mystic alone; with as many warriors of the likeliest kinds as go; these without him."""
    mystic = mystic_in(stack)
    alone = {mystic: 1} if mystic is not None else {}
    yield alone
    for item, count in stack.items():
        kind = kind_of(item)
        if kind.is_warrior and kind.code != MYSTIC and kind.price:
            some = min(count, MOST_PEOPLE // kind.price)
            yield {**alone, item: some}
            yield {item: some}


def _tried(cell: Hermitage, order: Order, code: str, **args: object) -> Whole:
    if cell.may(order):
        yield order, cell.say(code, **args)
