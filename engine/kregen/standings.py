"""Who has how many supply points: the one figure that nations and pirates have in common. Source: rules 2, 11."""

from __future__ import annotations

from engine.core.phrases import Phrase, phrase
from engine.core.standings import Standings
from engine.kregen.model import State, View
from engine.kregen.supply import points
from engine.kregen.victory import has_par, last_year


def standings(view: View) -> Standings:
    """The supply points of each power, counted in halves inside."""
    state = view.state
    figures = {power: points(state, power) / 2 for power in state.variant.powers}
    return Standings(phrase("standings.points"), state.phase.year, figures, _what_decides(state))


def _what_decides(state: State) -> Phrase:
    year = last_year(state)
    if not year:
        return phrase("standings.cities")
    return phrase("standings.par" if has_par(state) else "standings.centres", year=year)
