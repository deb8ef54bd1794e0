"""A window from its sheets to the next position, with what became of each line and what happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from engine.core.dice import Dice
from engine.core.ids import PowerId
from engine.core.outcome import OrderResult, Outcome
from engine.core.play import Resolution
from engine.kalevala import rounds
from engine.kalevala.model import State
from engine.kalevala.orders import Line
from engine.kalevala.results import result_of, results_of
from engine.kalevala.working import Verdict


def adjudicate(state: State, sheets: Mapping[PowerId, Sequence[Line]], dice: Dice) -> Resolution[State, Line]:
    """Carry out a window. A ruler who is missing in `sheets` sent none; an empty sheet is a sheet.

    Lines are carried out by their numbers, in whatever order they are handed over. Nothing happens in a game that is
    over.
    """
    if state.over is not None:
        return Resolution(state, (), ())
    sent = {ruler: lines for ruler, lines in sheets.items() if ruler in state.rulers and state.rulers[ruler].is_played}
    done = rounds.run(state, sent, dice.streams())
    return Resolution(done.close(), (*results_of(done), *_unheard(state, sheets)), tuple(done.events))


def _unheard(state: State, sheets: Mapping[PowerId, Sequence[Line]]) -> Iterator[OrderResult[Line]]:
    """The lines of rulers whom nobody plays, each refused. Source: rules R-102, ruling KA28"""
    for ruler, own in state.rulers.items():
        if not own.is_played:
            for place, line in enumerate(sheets.get(ruler, ()), 1):
                verdict = Verdict(Outcome.INVALID, ["V02"], args={"place": ruler})
                yield result_of(ruler, line if line.number else replace(line, number=place), verdict)
