"""What an animation shows: one scene after the other, each for a certain time."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.depiction import Depiction
from engine.core.phrases import Phrase
from engine.pictures.chart import Chart


@dataclass(frozen=True, slots=True)
class Frame:
    """A scene of a film.

    Args:
        seconds: how long it is shown.
        chart: the standings that are shown with it; all steps of a film have one, or none has.
    """

    scene: Depiction
    seconds: float
    chart: Chart | None = None


@dataclass(frozen=True, slots=True)
class Film(Depiction):
    """Scenes of one board, in the order of showing."""

    steps: tuple[Frame, ...]

    @property
    def in_words(self) -> tuple[Phrase, ...]:
        return tuple(line for step in self.steps for line in step.scene.in_words)
