"""Who has how many supply points: the one figure that nations and pirates have in common."""

from __future__ import annotations

from engine.core.phrases import phrase
from engine.core.standings import Standings
from engine.kregen.model import View
from engine.kregen.supply import points


def standings(view: View) -> Standings:
    """The supply points of each power, counted in halves inside."""
    state = view.state
    figures = {power: points(state, power) / 2 for power in state.variant.powers}
    return Standings(phrase("standings.points"), state.phase.year, figures)
