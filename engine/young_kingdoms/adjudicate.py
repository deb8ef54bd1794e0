"""A phase of the Young Kingdoms from its orders to the start of the next: the course of a year.

    set-up → spring movement → (retreats) → fall movement → (retreats) → centres change hands → (adjustments) → spring …

Phases in brackets come only if there is something to do in them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.core.events import Event
from engine.core.ids import PowerId, ProvinceId, province_of
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import phrase
from engine.core.play import Resolution
from engine.provinces.classic.adjustments import adjudicate_adjustments, has_adjustments
from engine.provinces.classic.model import Unit
from engine.provinces.dislodged import dislodged_row
from engine.provinces.orders import Build, Remove, Waive
from engine.provinces.phases import Phase, PhaseKind, Season
from engine.young_kingdoms.battlefield import field_of
from engine.young_kingdoms.cards import hide_by_lot
from engine.young_kingdoms.legality import placed_units
from engine.young_kingdoms.magic import Sheets, accept
from engine.young_kingdoms.model import SORCERER, Order, Place, State
from engine.young_kingdoms.notation import format_order, subject
from engine.young_kingdoms.retreats import adjudicate_all_retreats
from engine.young_kingdoms.status import eliminated
from engine.young_kingdoms.turn import adjudicate_turn
from engine.young_kingdoms.victory import find_end


def adjudicate(state: State, sheets: Sheets) -> Resolution[State, Order]:
    """Carry out the orders of the present phase. A game that is over stays as it is. Source: rules 1.1."""
    if state.over:
        return Resolution(state, (), ())
    state = hide_by_lot(state)
    match state.phase.kind:
        case PhaseKind.SETUP:
            return _close_setup(state, sheets)
        case PhaseKind.MOVEMENT:
            return _close_movement(state, sheets)
        case PhaseKind.RETREATS:
            retreated = adjudicate_all_retreats(state, sheets)
            after, events = _end_season(retreated.state)
            return Resolution(after, retreated.results, (*retreated.events, *events, *_eliminations(state, after)))
        case _:
            return _close_adjustments(state, sheets)


# The set-up


def _close_setup(state: State, sheets: Sheets) -> Resolution[State, Order]:
    """Those who choose where they begin are placed. Source: rules 1.1; ruling Y1."""
    field = field_of(state)
    units, sorcerers = list(state.units), list(state.sorcerers)
    results = []
    for power in state.variant.powers:
        orders = {subject(order): order for order in reversed(accept(field, power, sheets.get(power, ())))}
        for unit in placed_units(field, power):
            order = orders.get(f"PLACE {unit.kind}")
            at = order.at if isinstance(order, Place) else unit.at
            placed = Unit(power, unit.kind, at)
            pieces = sorcerers if unit.kind == SORCERER else units
            pieces[pieces.index(unit)] = placed
            reason = phrase("outcome.placed" if order else "outcome.not_placed", place=at)
            place = Place(unit.kind, at)
            results.append(OrderResult(power, place, format_order(place), subject(place), Outcome.SUCCEEDS, reason))
    order_of = {province: index for index, province in enumerate(state.variant.board.provinces)}
    units.sort(key=lambda unit: order_of[province_of(unit.at)])
    phase = Phase(state.phase.year, Season.SPRING, PhaseKind.MOVEMENT)
    return Resolution(replace(state, units=tuple(units), sorcerers=tuple(sorcerers), phase=phase), tuple(results), ())


# Movement


def _close_movement(state: State, sheets: Sheets) -> Resolution[State, Order]:
    moved = adjudicate_turn(state, sheets)
    rows = tuple(map(dislodged_row, moved.rows))
    if any(row.retreats for row in moved.rows):
        phase = Phase(state.phase.year, state.phase.season, PhaseKind.RETREATS)
        after = replace(moved.state, phase=phase)
        return Resolution(after, moved.results, (*moved.events, *_eliminations(state, after)), rows)
    lost = tuple(
        Event(phrase("event.nowhere_to_go", power=row.unit.power, unit=f"{row.unit.kind} {row.unit.at}"))
        for row in moved.rows
    )
    settled, found = _lose(moved.state)
    after, events = _end_season(settled)
    return Resolution(after, moved.results, (*moved.events, *lost, *found, *events, *_eliminations(state, after)), rows)


def _lose(state: State) -> tuple[State, tuple[Event, ...]]:
    """The same without units that have nowhere to go; who took their places takes their cards."""
    if not state.dislodged:
        return state, ()
    retreated = adjudicate_all_retreats(state, {})
    return retreated.state, retreated.events


def _end_season(state: State) -> tuple[State, tuple[Event, ...]]:
    """What follows when nobody has to retreat any more."""
    year = state.phase.year
    if state.phase.season is Season.SPRING:
        after = replace(state, strong=frozenset(), phase=Phase(year, Season.FALL, PhaseKind.MOVEMENT))
        return after, ()
    after, events = _with_owners(state)
    after = replace(after, strong=frozenset(), phase=Phase(year, Season.WINTER, PhaseKind.ADJUSTMENTS))
    over = find_end(after)
    if over:
        return replace(after, over=over), (*events, Event(over.why))
    if not has_adjustments(after):
        after = replace(after, phase=after.phase.next_spring)
    return after, events


def _with_owners(state: State) -> tuple[State, tuple[Event, ...]]:
    """A centre belongs to whose ordinary unit stands there, else to whose sorcerer does that had strength this Fall.

    Source: rules 3.9; rulings Y12, Y32.
    """
    ordinary = {
        province_of(unit.at): unit.power
        for unit in state.units
        # Ruling Y32: hordes in civil disorder capture nothing any more.
        if province_of(unit.at) not in state.hordes or state.has_sorcerer(unit.power)
    }
    magical = {province_of(unit.at): unit.power for unit in state.sorcerers if unit.power in state.strong}
    owners = {centre: ordinary.get(centre, magical.get(centre, owner)) for centre, owner in state.centres.items()}
    homes = dict(state.new_homes)
    for centre, power in magical.items():
        had_none = power not in state.centres.values()
        if had_none and centre in owners and centre not in ordinary and centre not in homes.get(power, ()):
            homes[power] = (*homes.get(power, ()), centre)
    ordered = {power: homes[power] for power in state.variant.powers if power in homes}
    after = replace(state, centres=owners, new_homes=ordered)
    events = []
    for power in state.variant.powers:
        won = tuple(at for at, owner in owners.items() if owner == power and state.centres[at] != power)
        if won:
            events.append(Event(phrase("event.took", power=power, places=won)))
    return after, tuple(events)


def _eliminations(before: State, after: State) -> tuple[Event, ...]:
    already = eliminated(before)
    return tuple(Event(phrase("event.eliminated", power=power)) for power in eliminated(after) if power not in already)


# Adjustments


def _close_adjustments(state: State, sheets: Sheets) -> Resolution[State, Order]:
    field = field_of(state)
    given: Mapping[PowerId, list[Order]] = {
        power: accept(field, power, sheets.get(power, ())) for power in state.variant.powers
    }
    plain = {
        power: [order for order in orders if isinstance(order, Build | Remove | Waive)]
        for power, orders in given.items()
    }
    adjusted = adjudicate_adjustments(state, plain)
    standing = {province_of(unit.at) for unit in adjusted.units}
    after = replace(_cards_after(state, standing), units=adjusted.units, phase=state.phase.next_spring)
    return Resolution(after, adjusted.results, (*adjusted.events, *_eliminations(state, after)))


def _cards_after(state: State, standing: set[ProvinceId]) -> State:
    """Cards of removed units lie where they were; a sorcerer who stands there does not find them."""
    fallen = [one for one in state.carried if one.at not in standing]
    if not fallen:
        return state
    hidden = {at: list(cards) for at, cards in state.hidden.items()}
    for one in fallen:
        if not field_of(state).reach.is_sea(one.at):
            hidden.setdefault(one.at, []).append(one.card)
    ordered = {at: tuple(sorted(hidden[at])) for at in state.variant.board.provinces if hidden.get(at)}
    carried = tuple(one for one in state.carried if one.at in standing)
    return replace(state, hidden=ordered, carried=carried)
