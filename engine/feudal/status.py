"""Where a game stands: its phase in words, who has to decide something, who is out, who has won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.core.dice import Dice
from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.core.play import Over, Status
from engine.feudal import choosing
from engine.feudal.model import State
from engine.provinces import phases
from engine.provinces.phases import Phase, PhaseKind


def status(state: State) -> Status:
    """The public facts about the present phase."""
    over = state.over
    return Status(
        code=code(state),
        title=title(state),
        kind=str(state.phase.kind),
        to_act=() if over else tuple(power for power in state.in_game if _has_a_choice(state, power)),
        out=state.out,
        over=over,
        # Source: rules 3, "not during center selection"; castles are named when all centres are chosen.
        may_negotiate=state.phase.kind is not PhaseKind.SETUP or choosing.is_castle_round(state),
    )


def code(state: State) -> str:
    """`S815M`; in the set-up `S815SBA` for the second centre's first list, `S815SX` for the castles.

    Summer is `U`, for Spring has the S.
    """
    phase = state.phase
    if phase.kind is PhaseKind.SETUP:
        choice = "ABCDEFG"[choosing.round_number(state) - 1 : choosing.round_number(state)] + "ABC"[state.setup.lists]
        return f"{phase.code}{'X' if choosing.is_castle_round(state) else choice}"
    return f"{_LETTERS[phase.season]}{phase.year}{phase.kind[0].upper()}"


_LETTERS = {"spring": "S", "summer": "U", "fall": "F", "winter": "W"}


def title(state: State) -> Phrase:
    """A phase in words: `Spring 815, movement`."""
    if state.over is not None:
        return phases.title(state.phase, state.over)
    args = {"season": season_name(state.phase), "year": state.phase.year}
    if state.phase.kind is not PhaseKind.SETUP:
        return phrase(f"phase.{state.phase.kind}", **args)
    if choosing.is_castle_round(state):
        return phrase("phase.castles", **args)
    if choosing.is_quick(state):
        return phrase("phase.quick_choice", list=state.setup.lists + 1, **args)
    return phrase("phase.choice", round=choosing.round_number(state), list=state.setup.lists + 1, **args)


def season_name(phase: Phase) -> Phrase:
    """`Spring`"""
    return phrase(f"phase.season.{phase.season}")


def _has_a_choice(state: State, power: PowerId) -> bool:
    match state.phase.kind:
        case PhaseKind.SETUP:
            return choosing.is_castle_round(state) or bool(choosing.legal_centres(state, power))
        case PhaseKind.MOVEMENT:
            return any(unit.power == power for unit in state.units)
        case PhaseKind.RETREATS:
            return any(row.unit.power == power and row.retreats for row in state.dislodged)
        case _:
            return bool(state.owned(power))


def end(state: State, winners: Sequence[PowerId], why: Phrase) -> State:
    """The game ended by agreement: the same position, over. Winners come in seat order."""
    return replace(state, over=Over.of(state.powers, winners, why))


def dice(state: State) -> Dice:
    """The dice of the present phase."""
    # A barbarian's forced die is a space, which only the drawing of its move understands.
    forced = {label: value for label, value in state.forced_dice.items() if isinstance(value, int)}
    return Dice(state.seed, forced).for_phase(code(state))
