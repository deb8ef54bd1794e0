"""A phase in one line."""

from __future__ import annotations

from dataclasses import replace

from engine.core.phrases import Phrase
from engine.feudal.model import BARBARIANS, State, View
from engine.provinces import headline as provinces
from engine.provinces.headline import Standing


def headline(before: View, after: View) -> tuple[Phrase, ...]:
    """Who took what, the barbarians too, who fell, who won, or that nothing changed hands where it might have."""
    takers = dict.fromkeys((*after.state.powers, BARBARIANS))
    news = provinces.headline(_standing(before.state), _standing(after.state), takers)
    return tuple(_of_barbarians(part) if part.args.get("power") == BARBARIANS else part for part in news)


def _of_barbarians(took: Phrase) -> Phrase:
    return replace(took, code="headline.barbarians_took")


def _standing(state: State) -> Standing:
    return Standing(state.phase, state.over, state.centres, state.out)
