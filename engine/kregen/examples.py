"""For newcomers to Kregen: the goal of a nation or of the pirates, and orders to begin with."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from engine.core.ids import PlaceId, ProvinceId, province_of
from engine.core.phrases import Phrase, phrase
from engine.kregen.listing import legal
from engine.kregen.model import FLEET, HERO, PIRATES, Capital, Duel, Go, Manoeuvre, Order, Support, View, format_order
from engine.kregen.prophecy import format_points
from engine.kregen.status import status
from engine.kregen.victory import has_par, last_year, numbers_of, par
from engine.provinces.examples import common_examples
from engine.provinces.orders import Disband


def goal(view: View) -> Phrase:
    """Cities of both shapes for nations, fleets for the pirates; then what the end of the last year comes to."""
    state, viewer = view.state, view.viewer
    needed, year = numbers_of(state), last_year(state)
    code = "goal" if viewer is None else "goal_pirates" if viewer == PIRATES else "goal_nation"
    at_once = phrase(f"about.{code}", cities=needed.cities, each=needed.each, fleets=needed.fleets)
    if not has_par(state):
        return phrase("about.goal_until", goal=at_once, year=year) if year else at_once
    if viewer is not None:
        return phrase(f"about.{code}_handicap", goal=at_once, year=year, par=format_points(par(state, viewer)))
    pars = sorted(par(state, power) for power in state.variant.powers if power != PIRATES)
    least, most, fleets = map(format_points, (pars[0], pars[-1], par(state, PIRATES)))
    return phrase("about.goal_handicap", goal=at_once, year=year, least=least, most=most, fleets=fleets)


def examples(view: View) -> tuple[Phrase, ...]:
    """A capital; a march, a voyage of two steps, a hero's way, a support, a duel; a way to retreat; a unit to build."""
    if view.viewer not in status(view.state).to_act:
        return ()
    orders = [order for listed in legal(view).values() for order in listed]
    # To give up a unit is no advice for a season of moves.
    is_season = any(isinstance(order, Manoeuvre) for order in orders)
    common = [order for order in orders if not (is_season and isinstance(order, Disband))]
    state = view.state
    held = {*state.garrisons, *(unit.sector for unit in state.units)}
    return (*_capital(orders), *_of_a_season(orders, held), *common_examples(common, format_order))


def _capital(orders: Iterable[Order]) -> Iterator[Phrase]:
    for order in [order for order in orders if isinstance(order, Capital)][:1]:
        yield phrase("example.capital", order=format_order(order), place=order.at)


def _meets_somebody(order: Order, held: Collection[ProvinceId]) -> bool:
    steps = order.steps if isinstance(order, Manoeuvre) else ()
    return any(isinstance(step, Go) and province_of(step.to) in held for step in steps)


def _of_a_season(orders: Sequence[Order], held: Collection[ProvinceId]) -> Iterator[Phrase]:
    """Examples of moves; of a support for a unit of the same power, that gets there without fleets to carry it.

    A move that meets a unit or a garrison would bounce alone: it is shown only if no other can be.
    """
    marches = {
        (order.kind, order.at, province_of(order.steps[0].to))
        for order in orders
        if isinstance(order, Manoeuvre) and isinstance(order.steps[0], Go)
    }
    found: dict[str, Phrase] = {}
    bouncing: dict[str, Phrase] = {}
    for order in orders:
        match order:
            case Duel():
                # The first on the list has 0, which is what goes for whoever sends none.
                shown = replace(order, number=_NUMBER)
                found.setdefault("duel", phrase("example.duel", order=format_order(shown)))
            case Manoeuvre(_, at, (Go(), Go(back))) if province_of(back) == at:
                pass
            case Manoeuvre(_, _, (Support(kind, of, goal),)) if (kind, of, goal) not in marches:
                pass
            case Manoeuvre(kind, _, steps, False, False):
                code = _code_of(kind, steps)
                shown_in = bouncing if _meets_somebody(order, held) else found
                if code is not None and code not in shown_in:
                    last = steps[-1]
                    to = last.to if isinstance(last, Go | Support) and last.to is not None else order.at
                    shown_in[code] = phrase(
                        f"example.{code}", order=format_order(order), place=province_of(PlaceId(to))
                    )
    if not found.keys() & set(_MOVES):
        found |= bouncing
    yield from (found[code] for code in (*_MOVES, "support", "duel") if code in found)


_MOVES = ("march", "voyage", "hero")
"""Examples that are moves, in the order in which they are shown."""


_NUMBER = 40
"""Of the duel that is shown as an example."""


def _code_of(kind: str, steps: tuple[object, ...]) -> str | None:
    """What an order is an example of, if it is one of those worth showing."""
    match steps:
        case (Go(), Go()) if kind == FLEET:
            return "voyage"
        case (Go(),) if kind not in (FLEET, HERO):
            return "march"
        case (Go(), Go()) if kind == HERO:
            return "hero"
        case (Support(_, _, to),) if to is not None:
            return "support"
    return None
