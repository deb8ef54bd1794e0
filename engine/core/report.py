"""The report of a phase, as phrases in sections. The text of messages, terminals and files is made elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.core.phrases import Phrase


class SectionKind(StrEnum):
    """How a section is shown."""

    STORY = "story"
    """As text, wherever the report is shown."""
    TABLE = "table"
    """The same, with its columns aligned."""
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
    """Sections in reading order, without empty ones."""

    sections: tuple[Section, ...]

    @property
    def has_details(self) -> bool:
        """Whether it contains more than is shown in a chat."""
        return any(section.kind is SectionKind.DETAIL for section in self.sections)
