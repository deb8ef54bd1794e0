"""A window from its sheets to the next position, with what became of each line and what happened."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from engine.core.dice import Dice
from engine.core.errors import DocumentError
from engine.core.events import Event, Facts
from engine.core.ids import PowerId
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import phrase
from engine.core.play import Resolution
from engine.core.viewer import Playing
from engine.kalevala import rounds
from engine.kalevala.document import load
from engine.kalevala.masters.decrees import FORBID, SET, corrected
from engine.kalevala.model import ORDERS_PART, REALM, VACANT, Decree, State
from engine.kalevala.orders import Line
from engine.kalevala.results import result_of, results_of
from engine.kalevala.trade.fiefs import fief_row, fiefs_in, open_to_claims
from engine.kalevala.view import view
from engine.kalevala.window import Verdict
from engine.kalevala.writing import dump, position_of


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
    allowed, forbidden = _without_forbidden(state, sent)
    done = rounds.run(taken_over(state, sent), allowed, dice.streams())
    closed, corrections = _corrected(done.close(), state.decrees)
    results = (*results_of(done), *forbidden, *_unheard(state, sheets))
    return Resolution(closed, results, (*done.events, *corrections))


def taken_over(state: State, sent: Collection[PowerId]) -> State:
    """The position in which anybody who sends a sheet for a vacant realm is its new ruler.

    It stays protected until their first window of orders is over, and as long as new rulers are. Source: rules 31,
    ruling KA53
    """
    first = state.gr if state.part == ORDERS_PART else state.gr + 1
    until = first - 1 + int(state.options.get("shield", 0))
    new = {
        ruler: replace(own, kind=own.was or REALM, was="", nmr=0, protected=until)
        if own.kind == VACANT and ruler in sent
        else own
        for ruler, own in state.rulers.items()
    }
    if new == state.rulers:
        return state
    fresh = {ruler for ruler, own in new.items() if own != state.rulers[ruler]}
    fiefs = [open_to_claims(fief, fresh) for fief in fiefs_in(state.modules)]
    return state.replace(rulers=new, modules={**state.modules, "fiefs": [fief_row(fief) for fief in fiefs]})


def _without_forbidden(
    state: State, sheets: Mapping[PowerId, Sequence[Line]]
) -> tuple[Mapping[PowerId, Sequence[Line]], list[OrderResult[Line]]]:
    """The sheets without the lines that a game master forbids, and the results of those. Ruling KA195

    Raises:
        DocumentError: there is no such line.
    """
    forbidden = {(each.ruler, int(each.words[0])) for each in state.decrees if each.kind == FORBID}
    if not forbidden:
        return sheets, []
    numbered = {ruler: [numbered_line(line, n) for n, line in enumerate(lines, 1)] for ruler, lines in sheets.items()}
    there = {(ruler, line.number) for ruler, lines in numbered.items() for line in lines}
    for ruler, number in sorted(forbidden - there, key=str):
        raise DocumentError("ruling", f"{ruler} sent no line {number}")
    allowed = {
        ruler: [line for line in lines if (ruler, line.number) not in forbidden] for ruler, lines in numbered.items()
    }
    results = [
        result_of(ruler, line, Verdict(Outcome.INVALID, ["V32"], args={}))
        for ruler, lines in numbered.items()
        for line in lines
        if (ruler, line.number) in forbidden
    ]
    return allowed, results


def _corrected(state: State, decrees: Sequence[Decree]) -> tuple[State, list[Event]]:
    """The position with single values that a game master sets; those who now see something else are notified.

    Raises:
        DocumentError: the result would not be a valid position.
    """
    corrections = [each for each in decrees if each.kind == SET]
    if not corrections:
        return state, []
    found = state
    for decree in corrections:
        found = load(corrected(dump(found), decree))
    seers = [ruler for ruler in state.rulers if _seen(found, ruler) != _seen(state, ruler)]
    words = phrase("event.decree_set")
    return found, [Event(words, frozenset([ruler]), Facts("decree", {"kind": SET})) for ruler in seers]


def _seen(state: State, ruler: PowerId) -> object:
    return position_of(view(state, Playing(ruler)).state) if ruler in state.rulers else None


def numbered_line(line: Line, place: int) -> Line:
    """A line with a number: its own, or that of its place."""
    return line if line.number else replace(line, number=place)


def _unheard(state: State, sheets: Mapping[PowerId, Sequence[Line]]) -> Iterator[OrderResult[Line]]:
    """The lines of rulers whom nobody plays, all of them refused. Source: rules R-102, ruling KA28"""
    for ruler, own in state.rulers.items():
        if not own.may_be_played:
            for place, line in enumerate(sheets.get(ruler, ()), 1):
                verdict = Verdict(Outcome.INVALID, ["V02"], args={"place": ruler})
                yield result_of(ruler, numbered_line(line, place), verdict)
