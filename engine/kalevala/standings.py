"""The scores as last announced, epoch by epoch. Source: rules R-093, ruling KA54"""

from __future__ import annotations

from engine.core.phrases import phrase
from engine.core.standings import Standings
from engine.kalevala.model import View
from engine.kalevala.steps.scoring import EPOCH


def standings(seen: View) -> Standings:
    """Nothing before the first table is announced: until then a score is a secret."""
    scores = {ruler: own.told for ruler, own in seen.state.rulers.items() if own.told is not None}
    return Standings(phrase("standings.scores"), (seen.state.gr - 1) // EPOCH + 1, scores)
