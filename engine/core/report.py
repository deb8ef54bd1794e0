"""What is told of a phase, as phrases in sections; who writes it out (a message, a terminal, a file) is elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.phrases import Phrase


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its lines."""

    title: Phrase
    lines: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Sections in reading order; empty ones are left out by whoever makes the report."""

    sections: tuple[Section, ...]
