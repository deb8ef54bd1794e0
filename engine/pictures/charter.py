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
        items: what, each in a line of its own; nothing where it does nothing.
    """

    power: PowerId
    heading: Phrase
    items: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class Charter(Depiction):
    """Two powers side by side; what is written below them, and in words for whoever can't see it.

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
        """All that stands on it."""
        return self.about
