"""Who owns how many provinces, turn by turn. Source: rules 11, 13."""

from __future__ import annotations

from engine.core.phrases import phrase
from engine.core.standings import Standings
from engine.king_of_kings.model import View
from engine.king_of_kings.report import figures_of


def standings(view: View) -> Standings:
    """The provinces of each played nation; Monsters don't count."""
    state = view.state
    figures = figures_of(state)
    owned = {nation.id: figures[nation.id].provinces for nation in state.nations.values() if not nation.is_monsters}
    return Standings(phrase("standings.provinces"), state.turn, owned, phrase("standings.decides"))
