"""How a computer's player thinks about Kalevala: free land before war, men where the border is, a guarded capital.

It scouts what lies beside its men, occupies the natives' land that pays best, arms where that land is, keeps men at
home in proportion to the foreigners it has seen, and attacks only what it has explored and found much weaker. Its
sheets are drafted as a whole, each line beside those that stand, so they never ask for what the books don't hold; what
it does not see it does not know. Source: docs/kalevala.md, "Rulers that the computer plays"
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from engine.core.ids import PowerId
from engine.core.judgement import Chance, Judgement, Worth, in_characters
from engine.kalevala.arrivals.facts import ways_of
from engine.kalevala.arrivals.orders import Begin
from engine.kalevala.computer.rehearsal import weigh
from engine.kalevala.computer.sheet import ComputerSheet
from engine.kalevala.computer.skilled import SkilledSheet
from engine.kalevala.model import EXPECTED, MARAUDER, ORDERS_PART, State, View
from engine.kalevala.orders import Line, Pass
from engine.kalevala.steps import scoring
from engine.kalevala.tables import UNSEEN
from engine.kalevala.window import Window

_ODDS, _USUAL, _ANY_ODDS = 0.7, 0.35, (0.7, 1.0, 1.4, 2.0)
"""The odds that attacks of skilled sheets need; the wildness above which they are drawn, and from what. Of several such
sheets the one is sent whose attacks did best when they were rehearsed."""
_COST = 60
_LIKELY = "T"
"""What unknown land is taken for."""


def imagine(view: View) -> State:
    """What is seen, with lowland wherever nothing is known: sheets can be played out on it."""
    land = {
        gf: replace(field, cells=field.cells.replace(UNSEEN, _LIKELY)) if UNSEEN in field.cells else field
        for gf, field in view.state.land.items()
    }
    return view.state.replace(land=land)


def measure(state: State) -> Callable[[State], Worth]:
    """Tells how everybody stands by the chronicle's score, as far as it is known."""
    return _worth


def _worth(state: State) -> Worth:
    window = Window(state, {}, None)
    return {ruler: scoring.score(window, ruler) for ruler, own in state.rulers.items() if own.kind != MARAUDER}


def draft(state: State, power: PowerId, chance: Chance, wildness: float, *, caution: float = 1.0) -> Sequence[Line]:
    """A whole sheet for the window."""
    return _draft(state, power, lambda view: ComputerSheet(view, chance, wildness, caution=caution))


def draft_skilled(
    state: State, power: PowerId, chance: Chance, wildness: float, *, caution: float = 1.0
) -> Sequence[Line]:
    """The same as the strong level writes it; wilder ones attack against worse odds, or only against better ones."""
    odds = _ANY_ODDS[int(chance.random() * len(_ANY_ODDS))] if wildness > _USUAL else _ODDS
    return _draft(state, power, lambda view: SkilledSheet(view, chance, wildness, odds, caution=caution))


def _draft(state: State, power: PowerId, begin: Callable[[View], ComputerSheet]) -> Sequence[Line]:
    if state.rulers[power].kind == EXPECTED and (ways := ways_of(state, power)):
        return (Line(Begin(ways[0])),)
    if not state.owned(power) and not state.stacks.get(power):
        return (Line(Pass()),)
    sheet = begin(View(state, power))
    if state.part == ORDERS_PART:
        sheet.write_orders()
    else:
        sheet.write_deeds()
    return tuple(sheet.lines) or (Line(Pass()),)


JUDGEMENT: Judgement[State, View, Line] = in_characters(
    lambda caution: Judgement(
        imagine=imagine,
        measure=measure,
        intent=lambda _: None,
        appeal=lambda state, power: lambda _: 0.0,
        draft=partial(draft, caution=caution),
        draft_skilled=partial(draft_skilled, caution=caution),
        weigh=weigh,
        cost=_COST,
    )
)
