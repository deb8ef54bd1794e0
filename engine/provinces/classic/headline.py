"""A phase in one line."""

from __future__ import annotations

from engine.core.phrases import Phrase
from engine.provinces import headline as provinces
from engine.provinces.classic.model import State, View
from engine.provinces.classic.status import eliminated
from engine.provinces.headline import Standing
from engine.provinces.phases import Season


def headline(before: View, after: View) -> tuple[Phrase, ...]:
    """Who took what, who fell, who won, or that nothing changed hands where that might have been expected."""
    standings, powers = (_standing(before.state), _standing(after.state)), after.state.variant.powers
    return provinces.headline(*standings, powers, counts_after={Season.FALL})


def _standing(state: State) -> Standing:
    return Standing(state.phase, state.over, state.centres, eliminated(state))
