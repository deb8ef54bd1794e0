"""A phase of standard Diplomacy from its orders to the start of the next: the course of a year.

    spring movement → (retreats) → fall movement → (retreats) → centres change hands → (winter adjustments) → spring …

Phases in brackets come only if there is something to do in them. What happens within a phase is in `movement`,
`retreats` and `adjustments`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from engine.core.events import Event
from engine.core.ids import PowerId, ProvinceId, province_of
from engine.core.phrases import phrase
from engine.core.play import Resolution
from engine.provinces.classic.adjustments import adjudicate_adjustments, has_adjustments
from engine.provinces.classic.model import Dislodged, Order, State, Unit
from engine.provinces.classic.movement import adjudicate_movement
from engine.provinces.classic.retreats import adjudicate_retreats
from engine.provinces.classic.status import eliminated
from engine.provinces.classic.victory import find_end
from engine.provinces.dislodged import dislodged_row
from engine.provinces.phases import Phase, PhaseKind, Season


def adjudicate(state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> Resolution[State, Order]:
    """Carry out the orders of the present phase. A game that is over stays as it is. Source: rules 2.1, 2.2."""
    if state.over:
        return Resolution(state, (), ())
    if state.phase.kind is PhaseKind.MOVEMENT:
        return _close_movement(state, sheets)
    if state.phase.kind is PhaseKind.RETREATS:
        retreated = adjudicate_retreats(state, sheets)
        after, events = _end_season(state, retreated.units)
        return Resolution(after, retreated.results, events)
    adjusted = adjudicate_adjustments(state, sheets)
    after = replace(state, units=adjusted.units, phase=state.phase.next_spring)
    return Resolution(after, adjusted.results, (*adjusted.events, *_eliminations(state, after)))


def _close_movement(state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> Resolution[State, Order]:
    moved = adjudicate_movement(state, sheets)
    rows = tuple(map(dislodged_row, moved.dislodged))
    if any(row.retreats for row in moved.dislodged):
        phase = Phase(state.phase.year, state.phase.season, PhaseKind.RETREATS)
        after = _with_position(state, phase, moved.units, moved.dislodged)
        return Resolution(after, moved.results, moved.events, rows)
    lost = tuple(
        Event(phrase("event.nowhere_to_go", power=row.unit.power, unit=f"{row.unit.kind} {row.unit.at}"))
        for row in moved.dislodged
    )
    after, events = _end_season(state, moved.units)
    return Resolution(after, moved.results, (*moved.events, *lost, *events), rows)


def _end_season(before: State, units: tuple[Unit, ...]) -> tuple[State, tuple[Event, ...]]:
    """What follows when nobody has to retreat any more, and these units are left."""
    year = before.phase.year
    if before.phase.season is Season.SPRING:
        after = _with_position(before, Phase(year, Season.FALL, PhaseKind.MOVEMENT), units)
        return after, _eliminations(before, after)
    winter = Phase(year, Season.WINTER, PhaseKind.ADJUSTMENTS)
    owners = _owners_after_fall(before.centres, units)
    after = replace(before, units=units, dislodged=(), phase=winter, centres=owners)
    events = (*_changes_of_hands(before, after), *_eliminations(before, after))
    over = find_end(after)
    if over:
        return replace(after, over=over), (*events, Event(over.why))
    if not has_adjustments(after):
        after = replace(after, phase=winter.next_spring)
    return after, events


def _with_position(state: State, phase: Phase, units: tuple[Unit, ...], dislodged: tuple[Dislodged, ...] = ()) -> State:
    """The same game at another phase. Written out, for it is much faster than `replace`."""
    return State(
        state.variant,
        state.rulebook,
        state.options,
        state.seed,
        phase,
        units,
        dislodged,
        state.centres,
        state.over,
        state.forced_dice,
    )


def _owners_after_fall(
    centres: Mapping[ProvinceId, PowerId | None], units: Iterable[Unit]
) -> dict[ProvinceId, PowerId | None]:
    """A centre belongs to whose unit stands there; else to whose it was. Source: rules 7.3."""
    standing = {province_of(unit.at): unit.power for unit in units}
    return {centre: standing.get(centre, owner) for centre, owner in centres.items()}


def _changes_of_hands(before: State, after: State) -> Iterable[Event]:
    for power in after.variant.powers:
        won = tuple(
            centre for centre, owner in after.centres.items() if owner == power and before.centres[centre] != power
        )
        if won:
            yield Event(phrase("event.took", power=power, places=won))


def _eliminations(before: State, after: State) -> tuple[Event, ...]:
    if before.centres is after.centres and len(after.units) == len(before.units) + len(before.dislodged):
        return ()
    already = eliminated(before)
    return tuple(Event(phrase("event.eliminated", power=power)) for power in eliminated(after) if power not in already)
