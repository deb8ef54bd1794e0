"""Order lines to a god. Source: rules 24, 32, R-127"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from engine.kalevala.gods.orders import (
    GodAppear,
    GodAura,
    GodCall,
    GodCarry,
    GodCreate,
    GodEnter,
    GodLearn,
    GodMove,
    GodPass,
    GodScout,
    GodSee,
    GodSpeed,
)
from engine.kalevala.line_words import LineWords, UnreadableLine

GodOrder: TypeAlias = (
    GodCreate | GodLearn | GodMove | GodScout | GodAura | GodEnter | GodAppear | GodCall
    | GodSee | GodSpeed | GodCarry | GodPass
)  # fmt: skip


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


def _appear(words: LineWords) -> GodOrder:
    at = words.place()
    words.need("FOR")
    helped = words.name()
    words.need("AGAINST")
    return GodAppear(at, helped, words.name(), _abilities(words))


def _abilities(words: LineWords) -> tuple[str, ...]:
    """One or more abilities, separated by commas or blanks."""
    written = [words.word()]
    while words.peek():
        written.append(words.word())
    return tuple(name for name in ",".join(written).upper().split(",") if name)


def _carry(words: LineWords) -> GodOrder:
    figures = words.figures()
    words.need("AT")
    at = words.place()
    words.need("TO")
    return GodCarry(figures, at, words.place())


def _pass(words: LineWords) -> GodOrder:
    at = words.place()
    words.need("KF")
    cells = [words.cell()]
    while words.peek():
        cells.append(words.cell())
    return GodPass(at, tuple(cells))


_VERBS: Mapping[str, Callable[[LineWords], GodOrder]] = {
    "CREATE": _create,
    "LEARN": lambda words: GodLearn(words.word().upper()),
    "MOVE": lambda words: GodMove(words.number()),
    "SCOUT": lambda words: GodScout(words.number() if words.peek() else 1),
    "AURA": lambda words: GodAura(),
    "ENTER": lambda words: GodEnter(words.number()),
    "APPEAR": _appear,
    "CALL": lambda words: GodCall(_abilities(words)),
    "SEE": lambda words: GodSee(words.place()),
    "SPEED": lambda words: GodSpeed(words.place()),
    "CARRY": _carry,
    "PASS": _pass,
}
FORMS: Mapping[str, str] = {"GOD": "GOD SCOUT"}
MORE_FORMS: Mapping[str, tuple[str, ...]] = {
    "GOD": (
        'GOD CREATE "A tall woman in grey" WEAK 2D+4 KF 20',
        "GOD LEARN PARALYSE",
        "GOD MOVE 3",
        "GOD ENTER 3",
        "GOD APPEAR 2D+5 FOR anna AGAINST bert PARALYSE",
        "GOD CALL PARALYSE,BASE",
        "GOD SEE 2D+5",
        "GOD SPEED 2D+4",
        "GOD CARRY 1K AT 2D+4 TO 2E+4",
        "GOD PASS 2D+4 KF 12",
    )
}
READERS: Mapping[str, Callable[[LineWords], GodOrder]] = {"GOD": god}
