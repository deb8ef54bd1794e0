"""Lines to a god. Source: rules 24, 32, R-127"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from engine.kalevala.god_orders import GodAura, GodCreate, GodEnter, GodLearn, GodMove, GodScout
from engine.kalevala.line_words import LineWords, UnreadableLine
from engine.kalevala.orders import Absent

GodOrder: TypeAlias = GodCreate | GodLearn | GodMove | GodScout | GodAura | GodEnter | Absent


def god(words: LineWords) -> GodOrder:
    """`GOD …`."""
    verb = words.word().upper()
    read = _VERBS.get(verb)
    if read is None:
        raise UnreadableLine
    return read(words)


def _create(words: LineWords) -> GodOrder:
    text = words.quoted()
    words.need("WEAK")
    at = words.place()
    words.need("KF")
    return GodCreate(text, at, words.cell())


def _among_humans(verb: str) -> Callable[[LineWords], GodOrder]:
    """What belongs to battles, in which gods don't fight yet."""

    def read(words: LineWords) -> GodOrder:
        rest = [verb]
        while words.peek():
            rest.append(words.word())
        return Absent(f"GOD {' '.join(rest)}")

    return read


_VERBS: Mapping[str, Callable[[LineWords], GodOrder]] = {
    "CREATE": _create,
    "LEARN": lambda words: GodLearn(words.word().upper()),
    "MOVE": lambda words: GodMove(words.number()),
    "SCOUT": lambda words: GodScout(words.number() if words.peek() else 1),
    "AURA": lambda words: GodAura(),
    "ENTER": lambda words: GodEnter(words.number()),
    "APPEAR": _among_humans("APPEAR"),
    "CALL": _among_humans("CALL"),
}
FORMS: Mapping[str, str] = {"GOD": "GOD SCOUT"}
READERS: Mapping[str, Callable[[LineWords], GodOrder]] = {"GOD": god}
