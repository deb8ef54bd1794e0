"""Order lines to temples. Source: rules 20.1, 32"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from engine.kalevala.agents.facts import GARRISON, NEAR, OWNER, RULER
from engine.kalevala.line_words import LineWords, UnreadableLine
from engine.kalevala.priests.facts import FREE
from engine.kalevala.priests.orders import Gift, Oracle, Pray

TempleOrder: TypeAlias = Gift | Pray | Oracle


def _pray(words: LineWords) -> TempleOrder:
    at, priest = words.place(), words.find_priest()
    if priest is None:
        raise UnreadableLine
    return Pray(at, priest, words.number())


def _oracle(words: LineWords) -> TempleOrder:
    at, amount = words.place(), words.number()
    if words.peek().startswith('"'):
        return Oracle(at, amount, FREE, words.quoted())
    question = words.word().upper()
    if question == RULER:
        return Oracle(at, amount, question, words.name())
    if question not in (OWNER, GARRISON, NEAR):
        raise UnreadableLine
    return Oracle(at, amount, question, words.place())


FORMS: Mapping[str, str] = {
    "GIFT": "GIFT 2D+4 10",
    "PRAY": "PRAY 2D+4 Pr 10",
    "ORACLE": "ORACLE 2D+4 10 GARRISON 2D+5",
}
READERS: Mapping[str, Callable[[LineWords], TempleOrder]] = {
    "GIFT": lambda words: Gift(words.place(), words.number()),
    "PRAY": _pray,
    "ORACLE": _oracle,
}
