"""Lines to agents and about them. Source: rules 22, 32"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from engine.kalevala.agents.facts import GARRISON, KING, NEAR, OWNER, RULER, STOWS
from engine.kalevala.agents.orders import (
    HIDE,
    IN_BATTLE,
    AgentBack,
    AgentGroup,
    AgentMisdeed,
    AgentMove,
    AgentRide,
    AgentScout,
    AgentStance,
    Ransom,
    Release,
    Seize,
)
from engine.kalevala.line_words import LineWords, UnreadableLine
from engine.kalevala.war.plans import LAST_ROUND

AgentOrder: TypeAlias = (
    AgentGroup | AgentMove | AgentScout | AgentRide | AgentMisdeed | AgentBack | AgentStance | Seize | Ransom | Release
)


def agent(words: LineWords) -> AgentOrder:
    """`AGENT n …`."""
    number = words.number()
    verb = words.word().upper()
    if verb == "GROUP":
        return AgentGroup(number, () if words.take("NONE") else words.figures())
    if verb == "MOVE":
        return AgentMove(number, words.path())
    if verb == "SCOUT":
        return AgentScout(number)
    if verb == "RIDE":
        return AgentRide(number, words.number())
    if verb == "BACK":
        return AgentBack(number)
    if verb == "DO":
        return _misdeed(words, number)
    if verb in IN_BATTLE:
        return _stance(words, number, verb)
    raise UnreadableLine


def _stance(words: LineWords, number: int, what: str) -> AgentOrder:
    """`SHOW KR 3`; who only hides needs no round."""
    if what == HIDE and not words.peek():
        return AgentStance(number, what)
    words.need("KR")
    round_ = words.number()
    if round_ > LAST_ROUND:
        raise UnreadableLine
    return AgentStance(number, what, round_)


def _misdeed(words: LineWords, number: int) -> AgentOrder:
    misdeed = words.word().upper()
    read = _MISDEEDS.get(misdeed)
    if read is None:
        raise UnreadableLine
    found = read(words, number)
    if isinstance(found, AgentMisdeed) and misdeed != "LETTERS" and words.take("TIMES"):
        times = words.number()
        found = AgentMisdeed(
            number, misdeed, found.figures, found.question, found.about, found.place, found.cell, found.edge, times
        )
    return found


def _ask(words: LineWords, number: int) -> AgentOrder:
    question = words.word().upper()
    if question == RULER:
        return AgentMisdeed(number, "ASK", question=question, about=words.name())
    if question not in (OWNER, GARRISON, NEAR):
        raise UnreadableLine
    return AgentMisdeed(number, "ASK", question=question, about=words.place())


def _people(misdeed: str) -> Callable[[LineWords, int], AgentOrder]:
    def read(words: LineWords, number: int) -> AgentOrder:
        return AgentMisdeed(number, misdeed, ((KING, 1),) if words.take("KING") else words.figures())

    return read


def _figures(misdeed: str) -> Callable[[LineWords, int], AgentOrder]:
    return lambda words, number: AgentMisdeed(number, misdeed, words.figures())


def _theft(words: LineWords, number: int) -> AgentOrder:
    """Goods that somebody has, or any magical thing that lies on a small field."""
    if words.take("KF"):
        return AgentMisdeed(number, "THEFT", cell=words.cell())
    return AgentMisdeed(number, "THEFT", words.figures())


def _letters(words: LineWords, number: int) -> AgentOrder:
    return AgentMisdeed(number, "LETTERS", times=words.number() if words.peek() else 1)


def _sneak(words: LineWords, number: int) -> AgentOrder:
    for stow in STOWS:
        if words.take(stow):
            return AgentMisdeed(number, "SNEAK", about=stow)
    words.need("KF")
    return AgentMisdeed(number, "SNEAK", cell=words.cell())


def _bribe(words: LineWords, number: int) -> AgentOrder:
    return AgentMisdeed(number, "BRIBE", place=words.place() if words.peek() else None)


_MISDEEDS: Mapping[str, Callable[[LineWords, int], AgentOrder]] = {
    "ASK": _ask,
    "STEAL": _figures("STEAL"),
    "SABOTAGE": _figures("SABOTAGE"),
    "MURDER": _people("MURDER"),
    "KIDNAP": _people("KIDNAP"),
    "LETTERS": _letters,
    "SNEAK": _sneak,
    "GATE": lambda words, number: AgentMisdeed(number, "GATE", edge=words.edge()),
    "BRIBE": _bribe,
    "GUIDE": lambda words, number: AgentMisdeed(number, "GUIDE", place=words.place()),
    "THEFT": _theft,
    "REVOLT": lambda words, number: AgentMisdeed(number, "REVOLT"),
}


def seize(words: LineWords) -> AgentOrder:
    """`SEIZE gf`."""
    return Seize(words.place())


def ransom(words: LineWords) -> AgentOrder:
    """`RANSOM n RE`."""
    return Ransom(words.number(), words.number())


def release(words: LineWords) -> AgentOrder:
    """`RELEASE who AT gf [FOR RE]`."""
    who = words.name()
    words.need("AT")
    at = words.place()
    return Release(who, at, words.number() if words.take("FOR") else 0)


FORMS: Mapping[str, str] = {
    "AGENT": "AGENT 1 DO MURDER 2BB",
    "SEIZE": "SEIZE 2E+4",
    "RANSOM": "RANSOM 1 30",
    "RELEASE": "RELEASE bert AT 2D+4 FOR 30",
}
MORE_FORMS: Mapping[str, tuple[str, ...]] = {
    "AGENT": (
        "AGENT 1 GROUP 1LB 30RE",
        "AGENT 1 MOVE 2D+4 > 2D+5",
        "AGENT 1 SCOUT",
        "AGENT 1 BACK",
        "AGENT 1 SHOW KR 3",
        "AGENT 1 HIDE KR 6",
        "AGENT 1 LEAVE KR 6",
        "AGENT 1 DO ASK GARRISON 2D+5",
        "AGENT 1 DO STEAL 1IP",
        "AGENT 1 DO SABOTAGE 1On",
        "AGENT 1 DO KIDNAP 1L",
        "AGENT 1 DO LETTERS 3",
        "AGENT 1 DO SNEAK KF 19",
        "AGENT 1 DO GATE 19/SE",
        "AGENT 1 DO BRIBE 2D+5",
        "AGENT 1 DO GUIDE 2D+5",
        "AGENT 1 DO THEFT 20RE",
        "AGENT 1 DO THEFT KF 20",
    )
}
READERS: Mapping[str, Callable[[LineWords], AgentOrder]] = {
    "AGENT": agent,
    "SEIZE": seize,
    "RANSOM": ransom,
    "RELEASE": release,
}
