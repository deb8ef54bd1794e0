"""The phases of a year, and the end of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.core.documents import mapping_of, word_of
from engine.core.errors import DocumentError
from engine.core.phrases import Phrase, phrase
from engine.core.play import Over


class Season(StrEnum):
    """Season of a phase; adjustments are in winter."""

    SPRING = "spring"
    SUMMER = "summer"
    FALL = "fall"
    WINTER = "winter"


class PhaseKind(StrEnum):
    """What is ordered in a phase."""

    SETUP = "setup"
    MOVEMENT = "movement"
    RETREATS = "retreats"
    ADJUSTMENTS = "adjustments"


@dataclass(frozen=True, slots=True, order=True)
class Phase:
    """A phase; a retreats phase has the season of its movement."""

    year: int
    season: Season
    kind: PhaseKind

    @property
    def code(self) -> str:
        """`S1901M`: season, year, kind."""
        return f"{self.season[0].upper()}{self.year}{self.kind[0].upper()}"

    @property
    def next_spring(self) -> Phase:
        """The moves with which the next year begins."""
        return Phase(self.year + 1, Season.SPRING, PhaseKind.MOVEMENT)


def title(phase: Phase, over: Over | None = None) -> Phrase:
    """A phase in words, `Spring 1901, movement`; of a game that is over, of which no phase is open, only the year."""
    if over is not None:
        return phrase("phase.over", year=phase.year)
    return phrase(f"phase.{phase.kind}", season=phrase(f"phase.season.{phase.season}"), year=phase.year)


def phase_of(first: Mapping[str, Any], given: Any, seasons: Mapping[PhaseKind, Sequence[Season]]) -> Phase:
    """The phase of a document: what it leaves out is as in the first phase, the season the first one of its kind.

    Raises:
        DocumentError: a game can't be in such a phase.
    """
    given = mapping_of({} if given is None else given, "phase")
    row = {**first, **given}
    year = row["year"]
    if not isinstance(year, int) or isinstance(year, bool) or not 1 <= year <= 9999:
        raise DocumentError("phase.year", f"{year!r} is not a year")
    kind = word_of(PhaseKind, row["kind"], "phase.kind")
    if kind not in seasons:
        raise DocumentError("phase.kind", f"there is no {kind} in this game")
    season = word_of(Season, row["season"] if "season" in given else seasons[kind][0], "phase.season")
    if season not in seasons[kind]:
        raise DocumentError("phase.season", f"{kind} are in {' or '.join(seasons[kind])}, not in {season}")
    return Phase(year, season, kind)


def phase_row(phase: Phase) -> dict[str, Any]:
    """The phase as documents have it; `phase_of` reads it back."""
    return {"year": phase.year, "season": str(phase.season), "kind": str(phase.kind)}
