"""Who holds how many centres, by which games with the rules of armies and fleets are won."""

from __future__ import annotations

from collections import Counter

from engine.core.phrases import phrase
from engine.core.standings import Standings
from engine.provinces.classic.model import View


def standings(view: View) -> Standings:
    """The centres of each power."""
    state = view.state
    held = Counter(owner for owner in state.centres.values() if owner)
    figures = {power: held[power] for power in state.variant.powers}
    return Standings(phrase("standings.centres"), state.phase.year, figures)
