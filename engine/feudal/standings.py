"""Who holds how many centres, by which the game is won."""

from __future__ import annotations

from engine.core.phrases import phrase
from engine.core.standings import Standings
from engine.feudal.model import View


def standings(view: View) -> Standings:
    """The centres of each power."""
    state = view.state
    return Standings(
        phrase("standings.centres"), state.phase.year, {power: len(state.owned(power)) for power in state.powers}
    )
