"""How far each power has come, in figures: what charts are drawn from."""

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
        time: the year, turn or round of this position.
        figures: for every power whose standing is known, in seat order; those that are out have one too, usually 0.
        decides: what wins the game, in a sentence, if it isn't this figure.
    """

    what: Phrase
    time: int
    figures: Mapping[PowerId, float]
    decides: Phrase | None = None


def figure_text(figure: float) -> str:
    """A figure as it is written: halves as ½, other fractions to two decimal places."""
    whole = math.floor(figure)
    if figure - whole == 0.5:
        return f"{whole or ''}½"
    return f"{figure:.2f}".rstrip("0").rstrip(".")
