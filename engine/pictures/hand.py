"""What a picture of cards shows."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.depiction import Depiction
from engine.core.phrases import Phrase


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card as its holder sees it.

    Args:
        emblem: its drawing, by name.
        is_used: it was played and is shown as spent.
    """

    number: int
    name: Phrase
    text: Phrase
    emblem: str
    is_used: bool = False


@dataclass(frozen=True, slots=True)
class Hand(Depiction):
    """Cards side by side, as a picture shows them; for their holder alone."""

    cards: tuple[CardFace, ...]
