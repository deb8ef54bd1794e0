"""Where a game stands: its phase in words, who has to decide something, who is out, who has won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.core.dice import Dice
from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.core.play import Over, Status
from engine.provinces.phases import PhaseKind, title
from engine.young_kingdoms.battlefield import field_of
from engine.young_kingdoms.legality import placed_units
from engine.young_kingdoms.model import State


def status(state: State) -> Status:
    """The public facts about the present phase."""
    over = state.over
    return Status(
        code=state.phase.code,
        title=title(state.phase, over),
        kind=str(state.phase.kind),
        to_act=() if over else tuple(power for power in state.variant.powers if has_a_choice(state, power)),
        out=eliminated(state),
        over=over,
    )


def has_a_choice(state: State, power: PowerId) -> bool:
    """Whether a power has something to decide in this phase."""
    field = field_of(state)
    match state.phase.kind:
        case PhaseKind.SETUP:
            return bool(placed_units(field, power))
        case PhaseKind.MOVEMENT:
            return any(unit.power == power for unit in (*state.units, *state.sorcerers))
        case PhaseKind.RETREATS:
            rows = (*state.dislodged, *state.driven)
            return any(row.unit.power == power and row.retreats for row in rows)
    free = field.adjustment(power)
    if free > 0:
        return bool(field.building_sites(power))
    # A power that has to remove every unit has nothing to choose.
    return free < 0 and -free < len(field.removable(power))


def eliminated(state: State) -> tuple[PowerId, ...]:
    """The powers that have neither a unit nor a centre nor a living sorcerer, in seat order. Source: rules 3.8."""
    alive = {unit.power for unit in state.units} | {row.unit.power for row in state.dislodged}
    alive.update(owner for owner in state.centres.values() if owner)
    return tuple(power for power in state.variant.powers if power not in alive and not state.has_sorcerer(power))


def end(state: State, winners: Sequence[PowerId], why: Phrase) -> State:
    """The game ended by agreement: the same position, over. Winners come in seat order."""
    return replace(state, over=Over.of(state.variant.powers, winners, why))


def dice(state: State) -> Dice:
    """The dice of the present phase."""
    return Dice(state.seed, state.forced_dice).for_phase(state.phase.code)
