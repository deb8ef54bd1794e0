"""What is told of a phase, as phrases in sections; who writes it out (a message, a terminal, a file) is elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.core.phrases import Phrase


class SectionKind(StrEnum):
    """How a section is shown."""

    STORY = "story"
    """For reading, wherever the report is told."""
    TABLE = "table"
    """The same, its columns one below the other."""
    DETAIL = "detail"
    """For whoever wants to know it exactly: told only where there is room for everything, in a file."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its lines."""

    title: Phrase
    lines: tuple[Phrase, ...]
    kind: SectionKind = SectionKind.STORY


@dataclass(frozen=True, slots=True)
class Report:
    """Sections in reading order; empty ones are left out by whoever makes the report."""

    sections: tuple[Section, ...]

    @property
    def has_details(self) -> bool:
        """Whether there is more in it than is told in a chat."""
        return any(section.kind is SectionKind.DETAIL for section in self.sections)
