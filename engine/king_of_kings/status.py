"""Where a game stands."""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.phrases import phrase
from engine.core.play import Over, Status
from engine.king_of_kings.info import KIND
from engine.king_of_kings.model import State


def status(state: State) -> Status:
    """The turn whose orders are awaited; nations run by the server are out, as are the fallen ones."""
    over = state.over
    return Status(
        code=code(state),
        title=phrase("phase.turn", turn=state.turn),
        kind=KIND,
        to_act=() if over is not None else tuple(filter(state.is_played, state.nations)),
        out=tuple(nation for nation in state.nations if not state.is_played(nation)),
        over=None if over is None else Over.of(state.nations, over.winners, over.why),
    )


def code(state: State) -> str:
    """`T4`."""
    return f"T{state.turn}"


def dice(state: State) -> Dice:
    """The dice of the present turn. Source: rules 14."""
    return Dice(state.seed, rows=state.dice).for_phase(code(state))
