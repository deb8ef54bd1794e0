"""Who holds how many centres, and what wins instead of the most. Ruling Y34."""

from __future__ import annotations

from dataclasses import replace

from engine.core.phrases import phrase
from engine.core.standings import Standings
from engine.provinces.classic import standings as classic
from engine.young_kingdoms.model import View
from engine.young_kingdoms.victory import has_par


def standings(view: View) -> Standings:
    """The centres of each power; after the last year of a balanced game the most don't win."""
    state, found = view.state, classic.standings(view)
    if not has_par(state):
        return found
    return replace(found, decides=phrase("standings.par", year=state.options["last_year"]))
