"""What a picture of a charter shows: what two powers have agreed on, each with what it gives."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.depiction import Depiction
from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.core.variant import Power


@dataclass(frozen=True, slots=True)
class CharterSide:
    """One of the two.

    Args:
        heading: what it does: gives, holds.
        items: what, each in a line of its own; empty if it does nothing.
    """

    power: PowerId
    heading: Phrase
    items: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class Charter(Depiction):
    """Two powers side by side; the text below them, and a description for people who can't see it.

    Args:
        powers: of the variant, in the order in which they have their colours.
    """

    powers: tuple[Power, ...]
    left: CharterSide
    right: CharterSide
    foot: Phrase
    about: tuple[Phrase, ...]

    @property
    def in_words(self) -> tuple[Phrase, ...]:
        """Everything written on it."""
        return self.about
