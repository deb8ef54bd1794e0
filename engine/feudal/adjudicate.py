"""A phase of Feudal Europe from its orders to the start of the next: the course of a game.

    lists of centres, round by round → castles → Spring, Summer, Fall: movement → (retreats of knights)
    → the year's end → winter adjustments → Spring …

Phases in brackets come only if there is something to do in them. What happens within a phase is in `choosing`,
`movement`, `retreats` and `adjustments`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.core.dice import Dice
from engine.core.events import Event
from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.core.play import Over, Resolution
from engine.feudal.adjustments import adjudicate_adjustments, end_year
from engine.feudal.choosing import adjudicate_castles, adjudicate_choice, is_castle_round
from engine.feudal.model import BARBARIANS, Order, State
from engine.feudal.movement import adjudicate_movement
from engine.feudal.retreats import adjudicate_retreats
from engine.provinces.dislodged import dislodged_row
from engine.provinces.phases import Phase, PhaseKind, Season

_NEXT = {Season.SPRING: Season.SUMMER, Season.SUMMER: Season.FALL}


def adjudicate(state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice) -> Resolution[State, Order]:
    """Carry out the orders of the present phase. A game that is over stays as it is."""
    if state.over:
        return Resolution(state, (), ())
    resolution = _close(state, sheets, dice)
    # Forced dice apply to this phase only.
    return replace(resolution, state=replace(resolution.state, forced_dice={}))


def _close(state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice) -> Resolution[State, Order]:
    match state.phase.kind:
        case PhaseKind.SETUP if is_castle_round(state):
            return adjudicate_castles(state, sheets)
        case PhaseKind.SETUP:
            return adjudicate_choice(state, sheets, dice)
        case PhaseKind.MOVEMENT:
            return _close_movement(state, sheets, dice)
        case PhaseKind.RETREATS:
            retreated = adjudicate_retreats(state, sheets)
            after, events = _end_season(state, retreated.state)
            return Resolution(after, retreated.results, (*retreated.events, *events))
        case _:
            return _close_adjustments(state, sheets)


def _close_movement(state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice) -> Resolution[State, Order]:
    moved = adjudicate_movement(state, sheets, dice)
    rows = tuple(map(dislodged_row, moved.dislodged))
    if moved.state.dislodged:
        phase = Phase(state.phase.year, state.phase.season, PhaseKind.RETREATS)
        after, events = _end_if_alone(state, replace(moved.state, phase=phase))
    else:
        after, events = _end_season(state, moved.state)
    return Resolution(after, moved.results, (*moved.events, *events), rows)


def _end_season(before: State, state: State) -> tuple[State, tuple[Event, ...]]:
    """What follows when nobody has to retreat any more: victory is looked for, and after Fall the year ends.

    Source: rules 2; ruling F19.
    """
    state, events = _end_if_alone(before, state)
    if not state.over:
        state, won = _end_if_won(state)
        events = (*events, *won)
    if state.over:
        return state, events
    year = state.phase.year
    if state.phase.season in _NEXT:
        return replace(state, phase=Phase(year, _NEXT[state.phase.season], PhaseKind.MOVEMENT)), events
    state, closing = end_year(replace(state, phase=Phase(year, Season.WINTER, PhaseKind.ADJUSTMENTS)))
    state, gone = _without_landless(state)
    return state, (*events, *closing, *gone)


def _end_if_won(state: State) -> tuple[State, tuple[Event, ...]]:
    """Seventeen centres win; if two have them at once play goes on. Source: rule 13; ruling F19."""
    held = Counter(owner for owner in state.centres.values() if owner not in (None, BARBARIANS))
    leaders = [power for power in state.powers if held[power] >= int(state.options["victory_centres"])]
    if len(leaders) != 1:
        return state, ()
    why = phrase("event.victory", power=leaders[0], count=held[leaders[0]])
    return replace(state, over=Over((leaders[0],), why)), (Event(why),)


def _without_landless(state: State) -> tuple[State, tuple[Event, ...]]:
    """Who owns no centre when units are built is out, as if the King were dead. Source: rules 5; ruling F8."""
    landless = [power for power in state.in_game if not state.owned(power)]
    if not landless:
        return state, ()
    out = tuple(power for power in state.powers if power in state.out or power in landless)
    after, events = _end_if_alone(state, replace(state, out=out))
    return after, (*(Event(phrase("event.landless", power=power)) for power in landless), *events)


def _end_if_alone(before: State, state: State) -> tuple[State, tuple[Event, ...]]:
    """Whoever is left alone wins; if the last ones went out together, they draw. Source: rules 13; ruling F20."""
    left, were = state.in_game, before.in_game
    if len(left) > 1 or left == were:
        return state, ()
    why = phrase("event.last_king", power=left[0]) if left else phrase("event.no_king", powers=were)
    return replace(state, over=Over(left or were, why)), (Event(why),)


def _close_adjustments(state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> Resolution[State, Order]:
    state, gone = _without_landless(state)
    if state.over:
        return Resolution(state, (), gone)
    adjusted = adjudicate_adjustments(state, sheets)
    after = replace(state, phase=state.phase.next_spring, units=adjusted.units, magic=())
    return Resolution(after, adjusted.results, (*gone, *adjusted.events))
