"""Where a game stands."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.dice import Dice
from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.core.play import Status
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
        winners=None if over is None else _in_seat_order(state, over.winners),
        why_over=None if over is None else over.why,
    )


def code(state: State) -> str:
    """`T4`."""
    return f"T{state.turn}"


def _in_seat_order(state: State, nations: Sequence[PowerId]) -> tuple[PowerId, ...]:
    return tuple(nation for nation in state.nations if nation in nations)


def dice(state: State) -> Dice:
    """The dice of the present turn. Source: rules 14."""
    return Dice(state.seed, rows=state.dice).for_phase(code(state))
