"""Where a game stands: its phase in words, who has to decide something, who is out, who has won."""

from __future__ import annotations

from engine.core.ids import PowerId
from engine.core.play import Status
from engine.provinces.classic import status as classic
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
    return tuple(power for power in classic.eliminated(state) if not state.has_sorcerer(power))
