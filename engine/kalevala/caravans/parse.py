"""Lines to caravans and against them. Source: rules 21, 32"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from engine.kalevala.caravans.facts import EXPLORING
from engine.kalevala.caravans.orders import CaravanDissolve, CaravanForm, CaravanMove, CloseLand
from engine.kalevala.line_words import LineWords, UnreadableLine

CaravanOrder: TypeAlias = CaravanForm | CaravanMove | CaravanDissolve | CloseLand


def caravan(words: LineWords) -> CaravanOrder:
    """`CARAVAN n …`."""
    number = words.number()
    verb = words.word().upper()
    if verb == "FORM":
        at = words.place()
        figures = words.figures()
        return CaravanForm(number, at, figures, words.take(EXPLORING))
    if verb == "MOVE":
        return CaravanMove(number, words.path())
    if verb == "DISSOLVE":
        return CaravanDissolve(number)
    raise UnreadableLine


FORMS: Mapping[str, str] = {"CARAVAN": "CARAVAN 1 FORM 2D+4 1K 4On", "CLOSE": "CLOSE 2D+4"}
"""How each line is written."""
MORE_FORMS: Mapping[str, tuple[str, ...]] = {"CARAVAN": ("CARAVAN 1 MOVE 2D+4 > 2D+5", "CARAVAN 1 DISSOLVE")}
READERS: Mapping[str, Callable[[LineWords], CaravanOrder]] = {
    "CARAVAN": caravan,
    "CLOSE": lambda words: CloseLand(words.place()),
}
"""By its first word, what reads a line."""
