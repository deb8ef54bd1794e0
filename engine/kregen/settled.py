"""What phases give back: results in one order, whatever the order of the lines was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.core.events import Event
from engine.core.ids import PowerId, province_of
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Phrase, phrase
from engine.kregen.land import land_of
from engine.kregen.model import HERO, BuildHero, Order, State, Unit, format_order, subject
from engine.provinces.orders import Build, Remove

B = TypeVar("B", Build, Remove, Build | BuildHero)


@dataclass(frozen=True, slots=True)
class Settled:
    """The end of a phase without moves; the phase of the state is still the same."""

    state: State
    results: tuple[OrderResult[Order], ...]
    events: tuple[Event, ...] = ()


_DONE = phrase("reason.done")


def result_of(power: PowerId, order: Order, outcome: Outcome, reason: Phrase = _DONE) -> OrderResult[Order]:
    """The public result of an order."""
    return OrderResult(power, order, format_order(order), subject(order), outcome, reason)


def result_of_build(power: PowerId, build: Build | BuildHero, objection: str | None) -> OrderResult[Order]:
    """The result of a build, or what forbade it: `objection` is the code with which it would have been refused."""
    if objection is None:
        return result_of(power, build, Outcome.BUILDS)
    why = {"no_points": "reason.no_points", "second_hero": "reason.second_hero"}.get(
        objection, "reason.no_room_to_build"
    )
    return result_of(power, build, Outcome.VOID, phrase(why, place=province_of(build.at)))


def in_order_of_units(state: State, rows: Iterable[tuple[Unit, OrderResult[Order]]]) -> tuple[OrderResult[Order], ...]:
    """Results in map order of the units; in a sector heroes come last, and like units by the text of their orders."""
    order, powers = land_of(state.variant).order, list(state.variant.powers)
    return tuple(
        result
        for _, result in sorted(
            rows,
            key=lambda row: (order[row[0].sector], row[0].kind == HERO, powers.index(row[0].power), row[1].text),
        )
    )


def in_map_order_of_places(state: State, orders: Iterable[B]) -> Sequence[B]:
    """Builds or removals in map order; in a sector armies, fleets, heroes."""
    order = land_of(state.variant).order
    return sorted(orders, key=lambda one: (order[province_of(one.at)], subject(one), format_order(one)))
