"""A phase of Kregen from its orders to the start of the next: the course of a game.

    set-up → Spring move → (retreats) → (Summer builds) → Fall move → (retreats) → (Winter builds) → Spring …

Phases in brackets come only if somebody has something to decide in them that he did not foretell. Source: rules 5, 10.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.core.dice import Dice
from engine.core.events import Event
from engine.core.ids import PowerId
from engine.core.outcome import OrderResult
from engine.core.play import Resolution
from engine.kregen.adjustments import adjudicate_adjustments
from engine.kregen.legality import find_objection
from engine.kregen.model import HERO, Order, State
from engine.kregen.prophecy import Prophecy
from engine.kregen.retreats import adjudicate_retreats
from engine.kregen.season import adjudicate_movement
from engine.kregen.setup import adjudicate_setup
from engine.kregen.status import to_act
from engine.kregen.victory import find_end, leaders_of
from engine.provinces.dislodged import dislodged_row
from engine.provinces.phases import Phase, PhaseKind, Season

_BUILDS_OF = {Season.SPRING: Season.SUMMER, Season.FALL: Season.WINTER}


def adjudicate(state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice) -> Resolution[State, Order]:
    """Carry out the orders of the present phase, and pass through what follows as far as nobody has to decide anything.

    A game that is over stays as it is.
    """
    if state.over:
        return Resolution(state, (), ())
    done = _close(state, sheets, dice)
    # Forced dice apply to this phase only.
    after, results, events = replace(done.state, forced_dice={}), list(done.results), list(done.events)
    while not after.over and after.phase.kind in (PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS) and not to_act(after):
        # Orders that were foretold, or that left no choice, are reported with those of the closed phase.
        passed = _close(after, {}, dice)
        after = passed.state
        results += passed.results
        events += passed.events
    return replace(done, state=after, results=_with_numbers(results), events=tuple(events))


def _with_numbers(results: Sequence[OrderResult[Order]]) -> tuple[OrderResult[Order], ...]:
    """Results whose subjects are unique: of two fleets in a sector the second is `SWD 2`."""
    counts: Counter[tuple[PowerId, str]] = Counter()
    found = []
    for result in results:
        key = result.power, result.subject
        counts[key] += 1
        number = counts[key]
        found.append(result._replace(subject=f"{result.subject} {number}") if number > 1 else result)
    return tuple(found)


def _close(state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice) -> Resolution[State, Order]:
    year, season = state.phase.year, state.phase.season
    match state.phase.kind:
        case PhaseKind.SETUP:
            done = adjudicate_setup(state, sheets)
            after = replace(done.state, phase=Phase(year, season, PhaseKind.MOVEMENT))
            return Resolution(after, done.results, done.events)
        case PhaseKind.MOVEMENT:
            return _close_movement(state, sheets, dice)
        case PhaseKind.RETREATS:
            done = adjudicate_retreats(state, sheets)
            after, won = _end_season(done.state)
            return Resolution(after, done.results, (*done.events, *won))
        case _:
            done = adjudicate_adjustments(state, sheets)
            after, won = _end_if_won(done.state, is_new_year=season is Season.WINTER)
            is_summer = season is Season.SUMMER
            following = Phase(year, Season.FALL, PhaseKind.MOVEMENT) if is_summer else state.phase.next_spring
            after = replace(after, phase=following, prophecies={}, owners_before=None, driven=())
            return Resolution(after, done.results, (*done.events, *won))


def _close_movement(state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice) -> Resolution[State, Order]:
    moved = adjudicate_movement(state, sheets, dice)
    rows = tuple(map(dislodged_row, moved.dislodged))
    after = replace(
        moved.state,
        prophecies=_filed(state, sheets),
        owners_before=state.owners,
        driven=tuple(replace(row.unit, rests=0) for row in moved.dislodged),
    )
    if after.dislodged:
        after = replace(after, phase=replace(state.phase, kind=PhaseKind.RETREATS))
        return Resolution(after, moved.results, moved.events, rows)
    after, won = _end_season(after)
    return Resolution(after, moved.results, (*moved.events, *won), rows)


def _filed(state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> dict[PowerId, tuple[Prophecy, ...]]:
    """The prophecies of each sheet that can be given, in the order of their lines."""
    filed = {
        power: tuple(
            order
            for order in sheets.get(power, ())
            if isinstance(order, Prophecy) and find_objection(state, power, order) is None
        )
        for power in state.variant.powers
    }
    return {power: lines for power, lines in filed.items() if lines}


def _end_season(state: State) -> tuple[State, tuple[Event, ...]]:
    phase = Phase(state.phase.year, _BUILDS_OF[state.phase.season], PhaseKind.ADJUSTMENTS)
    rested = tuple(replace(unit, rests=max(0, unit.rests - 1)) if unit.kind == HERO else unit for unit in state.units)
    return _end_if_won(replace(state, phase=phase, units=rested), is_new_year=False)


def _end_if_won(state: State, *, is_new_year: bool) -> tuple[State, tuple[Event, ...]]:
    over = find_end(state, is_new_year=is_new_year)
    return (state, ()) if over is None else (replace(state, over=over), (Event(over.why),))


_CONSENTING = 5


def consent_needed(state: State) -> int:
    """How many players must agree to end a game. Source: rules 11, Ruling K11."""
    return _CONSENTING


def leaders(state: State) -> tuple[PowerId, ...]:
    """Who wins if the game ends here by consent, in seat order. Source: rules 11."""
    return leaders_of(state)
