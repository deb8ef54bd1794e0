"""A phase of Kregen from its orders to the start of the next: the course of a game.

set-up → Spring move → (retreats) → Summer builds → Fall move → (retreats) → Winter builds → Spring …
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.core.dice import Dice
from engine.core.events import Event
from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.core.system import Resolution
from engine.diplomacy.model import Over, Phase, PhaseKind, Season
from engine.kregen.between import adjudicate_adjustments, adjudicate_retreats, adjudicate_setup
from engine.kregen.model import FLEET, PIRATES, Dislodged, Order, State
from engine.kregen.sea import sea_of
from engine.kregen.season import adjudicate_movement
from engine.kregen.supply import points

_BUILDS_OF = {Season.SPRING: Season.SUMMER, Season.FALL: Season.WINTER}
_LEAST_OF_EACH = 5
"""Squares and circles that a nation needs to win."""


def adjudicate(state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice) -> Resolution[State]:
    """Carry out the orders of the present phase. A game that is over stays as it is."""
    if state.over:
        return Resolution(state, (), ())
    resolution = _close(state, sheets, dice)
    # Dice that were forced were forced for this phase.
    return replace(resolution, state=replace(resolution.state, forced_dice={}))


def _close(state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice) -> Resolution[State]:
    year, season = state.phase.year, state.phase.season
    match state.phase.kind:
        case PhaseKind.SETUP:
            done = adjudicate_setup(state, sheets)
            after = replace(done.state, phase=Phase(year, season, PhaseKind.MOVEMENT))
            return Resolution(after, done.results, done.events)
        case PhaseKind.MOVEMENT:
            moved = adjudicate_movement(state, sheets, dice)
            rows = tuple(map(_dislodged_row, moved.dislodged))
            if moved.state.dislodged:
                after = replace(moved.state, phase=Phase(year, season, PhaseKind.RETREATS))
                return Resolution(after, moved.results, moved.events, rows)
            after, won = _end_season(moved.state)
            return Resolution(after, moved.results, (*moved.events, *won), rows)
        case PhaseKind.RETREATS:
            done = adjudicate_retreats(state, sheets)
            after, won = _end_season(done.state)
            return Resolution(after, done.results, (*done.events, *won))
        case _:
            done = adjudicate_adjustments(state, sheets)
            after, won = _end_if_won(done.state)
            spring = Phase(year + 1, Season.SPRING, PhaseKind.MOVEMENT)
            following = Phase(year, Season.FALL, PhaseKind.MOVEMENT) if season is Season.SUMMER else spring
            return Resolution(replace(after, phase=following), done.results, (*done.events, *won))


def _end_season(state: State) -> tuple[State, tuple[Event, ...]]:
    phase = Phase(state.phase.year, _BUILDS_OF[state.phase.season], PhaseKind.ADJUSTMENTS)
    return _end_if_won(replace(state, phase=phase))


def _dislodged_row(row: Dislodged) -> dict[str, Any]:
    return {
        "power": row.unit.power,
        "kind": row.unit.kind,
        "at": row.unit.at,
        "from": row.came_from,
        "retreats": list(row.retreats),
    }


def _end_if_won(state: State) -> tuple[State, tuple[Event, ...]]:
    """An empire of cities on both shores, or of pirates at sea; of several the greatest. Source: rules 11."""
    winners = [power for power in state.variant.powers if _has_won(state, power)]
    if not winners:
        return state, ()
    best = max(_size(state, power) for power in winners)
    winners = [power for power in winners if _size(state, power) == best]
    why = phrase("event.victory", powers=tuple(winners))
    return replace(state, over=Over(tuple(winners), why)), (Event(why),)


def _has_won(state: State, power: PowerId) -> bool:
    settings = state.variant.settings
    if power == PIRATES:
        fleets = sum(unit.power == power and unit.kind == FLEET for unit in state.units)
        return fleets >= int(settings["victory_fleets"])
    city = sea_of(state.variant).city
    shapes = [city[sector] for sector, owner in state.owners.items() if owner == power and sector in city]
    enough = all(shapes.count(shape) >= _LEAST_OF_EACH for shape in ("square", "circle"))
    return enough and len(shapes) >= int(settings["victory_cities"])


def _size(state: State, power: PowerId) -> tuple[int, int]:
    """Supply centres, then supply points."""
    city = sea_of(state.variant).city
    held = sum(owner == power and (at in city or power == PIRATES) for at, owner in state.owners.items())
    return held, points(state, power)
