"""Order lines to the king and about him. Source: rules 18, 32"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from engine.kalevala.kings.facts import KINDS_OF_KINGS, OEH, RE
from engine.kalevala.kings.orders import (
    KingAbdicate,
    KingCreate,
    KingHeal,
    KingPalace,
    KingPay,
    KingPower,
    KingRansom,
    KingRelease,
)
from engine.kalevala.line_words import LineWords, UnreadableLine

KingOrder: TypeAlias = (
    KingCreate | KingPalace | KingPay | KingHeal | KingPower | KingAbdicate | KingRansom | KingRelease
)


def king(words: LineWords) -> KingOrder:
    """`KING …`."""
    read = _VERBS.get(words.word().upper())
    if read is None:
        raise UnreadableLine
    return read(words)


def _create(words: LineWords) -> KingOrder:
    given = words.word().casefold()
    kind = next((each for each in KINDS_OF_KINGS if each.casefold() == given), None)
    text = words.quoted()
    if kind is None:
        raise UnreadableLine
    words.need("KF")
    return KingCreate(kind, text, words.cell())


def _palace(words: LineWords) -> KingOrder:
    words.need("KF")
    return KingPalace(words.cell())


def _pay(words: LineWords) -> KingOrder:
    what = words.word().upper()
    if what not in (RE, OEH):
        raise UnreadableLine
    return KingPay(what)


def _power(words: LineWords) -> KingOrder:
    count = words.number()
    words.need("ZEH")
    return KingPower(count, words.figures())


def _release(words: LineWords) -> KingOrder:
    who = words.name()
    return KingRelease(who, words.number() if words.take("FOR") else 0)


_VERBS: Mapping[str, Callable[[LineWords], KingOrder]] = {
    "CREATE": _create,
    "PALACE": _palace,
    "PAY": _pay,
    "HEAL": lambda words: KingHeal(),
    "POWER": _power,
    "ABDICATE": lambda words: KingAbdicate(),
    "RANSOM": lambda words: KingRansom(words.number()),
    "RELEASE": _release,
}
FORMS: Mapping[str, str] = {"KING": 'KING CREATE Kr "A tall man in grey" KF 20'}
MORE_FORMS: Mapping[str, tuple[str, ...]] = {
    "KING": (
        "KING PALACE KF 20",
        "KING PAY RE",
        "KING POWER 10 ZEH 4LC",
        "KING RANSOM 30",
        "KING RELEASE bert FOR 30",
    )
}
READERS: Mapping[str, Callable[[LineWords], KingOrder]] = {"KING": king}
