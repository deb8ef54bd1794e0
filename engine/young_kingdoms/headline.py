"""A phase in one line."""

from __future__ import annotations

from engine.core.phrases import Phrase
from engine.provinces.classic import headline as classic
from engine.young_kingdoms.model import View
from engine.young_kingdoms.status import eliminated


def headline(before: View, after: View) -> tuple[Phrase, ...]:
    """Who took what, who fell, who won, or that nothing changed hands where that might have been expected."""
    return classic.news(before.state, after.state, eliminated)
