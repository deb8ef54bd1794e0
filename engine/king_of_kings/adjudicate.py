"""A turn from its sheets to the next position, with what became of each line and what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.dice import Dice
from engine.core.ids import PowerId
from engine.core.play import Resolution
from engine.king_of_kings import turn
from engine.king_of_kings.model import Line, State
from engine.king_of_kings.results import results_of


def adjudicate(state: State, sheets: Mapping[PowerId, Sequence[Line]], dice: Dice) -> Resolution[State, Line]:
    """Carry out a turn. A nation that is missing in `sheets` sent none; an empty sheet is a sheet.

    Lines are carried out by their numbers, in whatever order they are handed over. Nothing happens in a game that is
    over.
    """
    if state.over is not None:
        return Resolution(state, (), ())
    done = turn.run(state, sheets, dice.streams())
    return Resolution(done.close(), results_of(done), tuple(done.events))
