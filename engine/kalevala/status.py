"""Where a game stands. Source: rules 5.1, R-005"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.core.dice import Dice
from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.core.play import Over, Status
from engine.kalevala.info import DEEDS_KIND, ORDERS_KIND
from engine.kalevala.model import EXPECTED, ORDERS_PART, State


def status(state: State) -> Status:
    """The window whose sheets are awaited. Marauders are out of the game; a vacant realm can be taken over."""
    over = state.over
    played = tuple(ruler for ruler, own in state.rulers.items() if own.may_be_played)
    kind = ORDERS_KIND if state.part == ORDERS_PART else DEEDS_KIND
    return Status(
        code=code(state),
        title=phrase(f"phase.{kind}", gr=state.gr, part=state.part),
        kind=kind,
        to_act=() if over is not None else played,
        out=tuple(ruler for ruler in state.rulers if ruler not in played),
        over=over,
        places=tuple(ruler for ruler, own in state.rulers.items() if own.kind == EXPECTED),
        is_by_invitation=bool(state.options.get("invitation")),
        may_negotiate=False,  # rulers don't know who plays whom: they write letters
    )


def code(state: State) -> str:
    """`3.1`: the great round and the part."""
    return state.time


def dice(state: State) -> Dice:
    """The dice of the present window."""
    return Dice(state.seed, rows=state.dice).for_phase(code(state))


def end(state: State, winners: Sequence[PowerId], why: Phrase) -> State:
    """The game ends by agreement: the same position, marked as over."""
    return replace(state, over=Over.of(state.rulers, winners, why))
