"""Where a game stands: its phase in words, who has to decide something, who is out, who has won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.core.dice import Dice
from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.core.play import Over, Status
from engine.kregen.foresight import is_foretold
from engine.kregen.land import land_of
from engine.kregen.model import PIRATES, State
from engine.kregen.supply import balance, possible_builds
from engine.provinces import phases
from engine.provinces.phases import PhaseKind, Season


def status(state: State) -> Status:
    """The public facts about the present phase."""
    over = state.over
    return Status(
        code=code(state),
        title=title(state),
        kind=str(state.phase.kind),
        to_act=() if over else to_act(state),
        out=eliminated(state),
        over=over,
    )


def code(state: State) -> str:
    """`S1M`; Summer is `U`, for Spring has the S, and the set-up `S1S`."""
    letter = "U" if state.phase.season is Season.SUMMER else state.phase.season[0].upper()
    return f"{letter}{state.phase.year}{state.phase.kind[0].upper()}"


def title(state: State) -> Phrase:
    """The phase in words: `Spring 1, movement`."""
    return phases.title(state.phase, state.over)


def to_act(state: State) -> tuple[PowerId, ...]:
    """Who has something left to decide, in seat order: whose prophecies settle it is not waited for. Ruling K6."""
    return tuple(
        power for power in state.variant.powers if has_a_choice(state, power) and not is_foretold(state, power)
    )


def has_a_choice(state: State, power: PowerId) -> bool:
    """Whether a power has something to decide in this phase, whatever it foretold."""
    match state.phase.kind:
        case PhaseKind.SETUP:
            return True
        case PhaseKind.MOVEMENT:
            return any(unit.power == power and not unit.rests for unit in state.units)
        case PhaseKind.RETREATS:
            return any(row.unit.power == power and row.retreats for row in state.dislodged)
        case _:
            free = balance(state, power)
            if free > 0:
                return bool(possible_builds(state, power))
            return free < 0


def eliminated(state: State) -> tuple[PowerId, ...]:
    """The powers that have neither a unit nor a hero, nor a city or X of their own, in seat order. Ruling K19."""
    if state.phase.kind is PhaseKind.SETUP:
        return ()
    land = land_of(state.variant)
    alive = {unit.power for unit in (*state.units, *(row.unit for row in state.dislodged))}
    alive |= {power for at, power in state.owners.items() if at in land.city or power == PIRATES}
    return tuple(power for power in state.variant.powers if power not in alive)


def end(state: State, winners: Sequence[PowerId], why: Phrase) -> State:
    """The game ended by agreement: the same position, over. Winners come in seat order."""
    return replace(state, over=Over.of(state.variant.powers, winners, why))


def dice(state: State) -> Dice:
    """The dice of the present phase."""
    return Dice(state.seed, state.forced_dice).for_phase(code(state))
