"""A window from its sheets to the next position, with what became of each line and what happened."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from engine.core.dice import Dice
from engine.core.ids import PowerId
from engine.core.outcome import OrderResult, Outcome
from engine.core.play import Resolution
from engine.kalevala import rounds
from engine.kalevala.fiefs import fief_row, fiefs_in, open_to_claims
from engine.kalevala.model import ORDERS_PART, REALM, VACANT, State
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
    sent = {
        ruler: lines for ruler, lines in sheets.items() if ruler in state.rulers and state.rulers[ruler].may_be_played
    }
    done = rounds.run(taken_over(state, sent), sent, dice.streams())
    return Resolution(done.close(), (*results_of(done), *_unheard(state, sheets)), tuple(done.events))


def taken_over(state: State, sent: Collection[PowerId]) -> State:
    """The position in which whoever sends a sheet for a vacant realm is its new ruler.

    It stays protected until their first window of orders is over, and as long as new rulers are. Source: rules 31,
    ruling KA53
    """
    first = state.gr if state.part == ORDERS_PART else state.gr + 1
    until = first - 1 + int(state.options.get("shield", 0))
    new = {
        ruler: replace(own, kind=REALM, nmr=0, protected=until) if own.kind == VACANT and ruler in sent else own
        for ruler, own in state.rulers.items()
    }
    if new == state.rulers:
        return state
    fresh = {ruler for ruler, own in new.items() if own != state.rulers[ruler]}
    fiefs = [open_to_claims(fief, fresh) for fief in fiefs_in(state.modules)]
    return state.replace(rulers=new, modules={**state.modules, "fiefs": [fief_row(fief) for fief in fiefs]})


def _unheard(state: State, sheets: Mapping[PowerId, Sequence[Line]]) -> Iterator[OrderResult[Line]]:
    """The lines of rulers whom nobody plays, each refused. Source: rules R-102, ruling KA28"""
    for ruler, own in state.rulers.items():
        if not own.may_be_played:
            for place, line in enumerate(sheets.get(ruler, ()), 1):
                verdict = Verdict(Outcome.INVALID, ["V02"], args={"place": ruler})
                yield result_of(ruler, line if line.number else replace(line, number=place), verdict)
