"""A phase in one line."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.provinces import headline as provinces
from engine.provinces.classic.model import AnyState, View
from engine.provinces.classic.status import eliminated
from engine.provinces.headline import Standing
from engine.provinces.phases import Season


def headline(before: View, after: View) -> tuple[Phrase, ...]:
    """Who took what, who fell, who won, or that nothing changed hands where that might have been expected."""
    return news(before.state, after.state, eliminated)


def news(
    before: AnyState, after: AnyState, eliminated: Callable[[AnyState], tuple[PowerId, ...]]
) -> tuple[Phrase, ...]:
    """The same for any of these games; they differ in who is out of the game."""

    def standing(state: AnyState) -> Standing:
        return Standing(state.phase, state.over, state.centres, eliminated(state))

    return provinces.headline(standing(before), standing(after), after.variant.powers, counts_after={Season.FALL})
