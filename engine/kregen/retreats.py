"""Retreats: as ordered, as foretold, or by default. Source: rules 5, 8.6, Rulings K9, K10."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId, province_of
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Phrase, phrase
from engine.kregen.document import in_map_order
from engine.kregen.foresight import foretold_retreat
from engine.kregen.land import land_of
from engine.kregen.legality import find_objection
from engine.kregen.model import FLEET, HERO, Dislodged, Order, State, Unit
from engine.kregen.reasons import named
from engine.kregen.season import take
from engine.kregen.settled import Settled, in_order_of_units, result_of
from engine.provinces.orders import Disband, Retreat


def adjudicate_retreats(state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> Settled:
    """Units go where they may; those that meet are disbanded, but for two fleets of one player. Then heroes go."""
    sent = {power: [o for o in sheets.get(power, ()) if find_objection(state, power, o) is None] for power in sheets}
    ordered = [
        (row, _order_for(row, sent.get(row.unit.power, [])) or foretold_retreat(state, row)) for row in state.dislodged
    ]
    goals = [(row, order.to if isinstance(order, Retreat) else None, order is not None) for row, order in ordered]
    rows, standing, events = _retreat_units(goals, state.units)
    active = set()
    for row, goal, _ in goals:
        if row.unit.kind == HERO:
            hero, result = _retreat_hero(state, row, goal, standing)
            rows.append((row.unit, result))
            if hero:
                standing.append(hero)
                active |= set() if hero.rests else {(hero.power, hero.sector)}
            else:
                events.append(Event(phrase("event.hero_lost", power=row.unit.power, unit=row.unit.name)))
    after = replace(state, units=in_map_order(land_of(state.variant), standing), dislodged=())
    after, taken = take(after, active)
    return Settled(after, in_order_of_units(state, rows), (*events, *taken))


Goals = Sequence[tuple[Dislodged, PlaceId | None, bool]]
"""Where each wishes to go, and whether that was ordered or foretold."""


def _retreat_units(
    goals: Goals, standing: Sequence[Unit]
) -> tuple[list[tuple[Unit, OrderResult[Order]]], list[Unit], list[Event]]:
    """Units with their results, everything that stands on the board then, events."""
    results, after, events = [], list(standing), []
    for row, goal, is_given in goals:
        unit = row.unit
        if unit.kind == HERO:
            continue
        if goal is None:
            given_up, why = Disband(unit.kind, unit.at), "disbanded" if is_given else "no_retreat_order"
            results.append((unit, result_of(unit.power, given_up, Outcome.DISBANDS, phrase(f"reason.{why}"))))
            continue
        meets = [
            other.unit
            for other, place, _ in goals
            if other is not row and other.unit.kind != HERO and place and province_of(place) == province_of(goal)
        ]
        order = Retreat(unit.kind, unit.at, goal)
        if meets and not _is_pair(unit, meets):
            others = named((other.power, other.name) for other in meets)
            met = phrase("reason.retreats_met", who=others, place=province_of(goal))
            results.append((unit, result_of(unit.power, order, Outcome.BOUNCES, met)))
            events.append(Event(phrase("event.disbanded", power=unit.power, unit=unit.name)))
        else:
            results.append((unit, result_of(unit.power, order, Outcome.RETREATS)))
            after.append(replace(unit, at=goal))
    return results, after, events


def _is_pair(unit: Unit, others: Sequence[Unit]) -> bool:
    return len(others) == 1 and others[0].power == unit.power and unit.kind == others[0].kind == FLEET


def _retreat_hero(
    state: State, row: Dislodged, goal: PlaceId | None, standing: Sequence[Unit]
) -> tuple[Unit | None, OrderResult[Order]]:
    """A hero goes where no other player's unit has just gone: as wished, else to the first such place. Ruling K9."""
    order = land_of(state.variant).order
    foreign = {unit.sector for unit in standing if unit.kind != HERO and unit.power != row.unit.power}
    refuges = [place for place in row.retreats if province_of(place) not in foreign]
    refuges.sort(key=lambda place: order[province_of(place)])
    place = goal if goal in refuges else next(iter(refuges), None)
    hero = row.unit

    def taking(places: Iterable[PlaceId]) -> tuple[Phrase, ...]:
        sectors = set(map(province_of, places))
        there = (unit for unit in standing if unit.sector in sectors)
        return named((unit.power, unit.name) for unit in there if unit.power != hero.power and unit.kind != HERO)

    if place is None:
        wished = Retreat(HERO, hero.at, goal or row.retreats[0])
        why = phrase("reason.no_refuge", who=taking(row.retreats))
        return None, result_of(hero.power, wished, Outcome.DESTROYED, why)
    why = phrase("reason.done")
    if goal is None:
        why = phrase("reason.first_refuge")
    elif goal != place:
        why = phrase("reason.refuge_taken", who=taking([goal]), place=province_of(goal))
    return replace(hero, at=place), result_of(hero.power, Retreat(HERO, hero.at, place), Outcome.RETREATS, why)


def _order_for(row: Dislodged, orders: list[Order]) -> Retreat | Disband | None:
    for order in orders:
        if (
            isinstance(order, Retreat | Disband)
            and order.kind == row.unit.kind
            and province_of(order.at) == row.unit.sector
            and (isinstance(order, Disband) or order.to in row.retreats)
        ):
            orders.remove(order)
            return order
    return None
