"""How far everybody has come, counted: what charts are drawn from."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.ids import PowerId
from engine.core.phrases import Phrase


@dataclass(frozen=True, slots=True)
class Standings:
    """The figures by which powers are compared in a position, as one viewer may know them.

    Args:
        what: the figure in words, over time: "Supply centres by year".
        time: what the game counts its time by at this position: its year, turn or round.
        figures: of every power whose standing is known, in seat order; those that are out have theirs too, usually 0.
    """

    what: Phrase
    time: int
    figures: Mapping[PowerId, float]


def figure_text(figure: float) -> str:
    """A figure as it is written: halves as such, other fractions to the second place."""
    whole = math.floor(figure)
    if figure - whole == 0.5:
        return f"{whole or ''}½"
    return f"{figure:.2f}".rstrip("0").rstrip(".")
