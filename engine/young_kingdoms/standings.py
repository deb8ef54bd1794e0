"""Who holds how many centres, and who needs how many. Ruling Y34."""

from __future__ import annotations

from dataclasses import replace

from engine.core.phrases import phrase
from engine.core.standings import Standings
from engine.provinces.classic import standings as classic
from engine.young_kingdoms.model import View


def standings(view: View) -> Standings:
    """The centres of each power; with `balanced` the most don't win."""
    found = classic.standings(view)
    return replace(found, decides=phrase("standings.balanced")) if view.state.options["balanced"] else found
