"""A phase in one line."""

from __future__ import annotations

from engine.core.phrases import Phrase
from engine.feudal.model import State, View
from engine.provinces import headline as provinces
from engine.provinces.headline import Standing


def headline(before: View, after: View) -> tuple[Phrase, ...]:
    """Who took what, who fell, who won, or that nothing changed hands where that might have been expected."""
    return provinces.headline(_standing(before.state), _standing(after.state), dict.fromkeys(after.state.powers))


def _standing(state: State) -> Standing:
    return Standing(state.phase, state.over, state.centres, state.out)
