"""What a chart shows: how far each power had come, year by year."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.core.depiction import Depiction
from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.core.variant import Power


@dataclass(frozen=True, slots=True)
class Chart(Depiction):
    """Standings over time, a line for each power. `title` says what is counted.

    Args:
        times: the years, turns or rounds; the first figure is that of the start, before the first of them.
        powers: all that the game names, in seat order.
        courses: the figures of each power that is drawn, one for the start and one for the end of each time.
        scale: a figure for which there must be room, even if nobody has it.
        decides: what wins the game, if it isn't what is counted.
        outcome: who has won.
    """

    times: tuple[int, ...]
    powers: tuple[Power, ...]
    courses: Mapping[PowerId, tuple[float, ...]]
    scale: float = 0.0
    decides: Phrase | None = None
    outcome: Phrase | None = None

    @property
    def notes(self) -> tuple[Phrase, ...]:
        """What a reader has to know besides the figures: who has won, and by what."""
        return tuple(note for note in (self.outcome, self.decides) if note is not None)

    @property
    def most(self) -> float:
        """The greatest figure for which there has to be room."""
        return max([1.0, self.scale, *(figure for figures in self.courses.values() for figure in figures)])

    def until(self, time: int) -> Chart:
        """The same chart, of the same size, as of the end of a certain time: what came later is left out."""
        known = sum(each <= time for each in self.times) + 1
        courses = {power: figures[:known] for power, figures in self.courses.items()}
        return replace(self, courses=courses, scale=self.most, outcome=None)
