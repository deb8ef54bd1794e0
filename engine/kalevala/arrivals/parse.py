"""The line that says how a ruler begins. Source: rules 4.3, ruling KA225"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.kalevala.arrivals.orders import WAYS, Begin
from engine.kalevala.line_words import LineWords, UnreadableLine


def _begin(words: LineWords) -> Begin:
    way = words.word().upper()
    if way not in WAYS:
        raise UnreadableLine
    return Begin(way)


FORMS: Mapping[str, str] = {"BEGIN": "BEGIN LAND"}
"""How the line is written."""
MORE_FORMS: Mapping[str, tuple[str, ...]] = {"BEGIN": ("BEGIN FLEET", "BEGIN HORDE")}
READERS: Mapping[str, Callable[[LineWords], Begin]] = {"BEGIN": _begin}
"""By its first word, what reads the line."""
