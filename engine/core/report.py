"""The report of a phase, as phrases in sections. Messages, terminals and files are written elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.core.phrases import Phrase


class SectionKind(StrEnum):
    """How a section is shown."""

    STORY = "story"
    """For reading, wherever the report is shown."""
    TABLE = "table"
    """The same, its columns one below the other."""
    DETAIL = "detail"
    """For readers who want every detail: shown only in files, where there is room for everything."""


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
        """Whether it holds more than is shown in a chat."""
        return any(section.kind is SectionKind.DETAIL for section in self.sections)
