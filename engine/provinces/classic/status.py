"""Where a game stands: its phase in words, who has to decide something, who is out, who has won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.core.dice import Dice
from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.core.play import Over, Status
from engine.provinces.classic.adjustments import balance, open_homes
from engine.provinces.classic.model import AnyState, State
from engine.provinces.phases import PhaseKind, title


def status(state: State) -> Status:
    """The public facts about the present phase."""
    over = state.over
    return Status(
        code=state.phase.code,
        title=title(state.phase, over),
        kind=str(state.phase.kind),
        to_act=() if over else tuple(power for power in state.variant.powers if _has_a_choice(state, power)),
        out=eliminated(state),
        over=over,
    )


def _has_a_choice(state: State, power: PowerId) -> bool:
    """Whether a power has anything to decide; a phase in which nobody has is not waited for.

    Source: Diplomacy, rules 2.2.
    """
    if state.phase.kind is PhaseKind.MOVEMENT:
        return any(unit.power == power for unit in state.units)
    if state.phase.kind is PhaseKind.RETREATS:
        return any(row.unit.power == power and row.retreats for row in state.dislodged)
    free = balance(state, power)
    if free > 0:
        return bool(open_homes(state, power))
    # A power that has to remove every unit has nothing to choose.
    return free < 0 and -free < sum(unit.power == power for unit in state.units)


def eliminated(state: State) -> tuple[PowerId, ...]:
    """The powers that have neither a unit nor a centre, in seat order."""
    alive = {unit.power for unit in state.units} | {row.unit.power for row in state.dislodged}
    alive.update(owner for owner in state.centres.values() if owner)
    return tuple(power for power in state.variant.powers if power not in alive)


def end(state: AnyState, winners: Sequence[PowerId], why: Phrase) -> AnyState:
    """The game ended by agreement: the same position, over. Winners come in seat order.

    Source: Diplomacy, rules 8.2.
    """
    return replace(state, over=Over.of(state.variant.powers, winners, why))


def dice(state: State) -> Dice:
    """The dice of the present phase."""
    return Dice(state.seed, state.forced_dice).for_phase(state.phase.code)
