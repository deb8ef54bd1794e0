"""Reads prophecies: conditions, and the rule that holds if they are met."""

from __future__ import annotations

import re

from engine.core.ids import PlaceId, province_of
from engine.core.words import Token
from engine.kregen.prophecy import (
    BUILD,
    HOLD,
    LOST,
    REMOVE,
    TOOK,
    Condition,
    DrivenOut,
    Fact,
    Owned,
    Plan,
    Points,
    Prophecy,
    Refuge,
    format_condition,
)  # fmt: skip
from engine.kregen.reader import DISBAND, Reader, UnreadableOrder
from engine.provinces.orders import Kind

_DEEDS = {
    **dict.fromkeys(("hold", "holds", "held", "own", "owns"), HOLD),
    **dict.fromkeys(("lost", "lose"), LOST),
    **dict.fromkeys(("took", "take", "taken"), TOOK),
}
_POINTS = re.compile(r"(\d{1,4})(?:(½)|\.(5)(?!\d)|\s+(1/2))?(?![\w.]*\d)")
_AT_LEAST = ("", ">=", "=>", "≥", "⩾", ">")
_AT_MOST = ("<=", "=<", "≤", "⩽")
_LESS = ("<", "=<", "≤", "⩽")


def read_prophecy(line: Reader) -> Prophecy:
    """The prophecy that begins here, `if held ZIM: retreat A ZUL: SHP`; conditions may be missing.

    Raises:
        UnreadableOrder: it is none.
    """
    conditions = []
    if line.skip("if"):
        while True:
            conditions.append(_condition(line))
            if line.skip(":"):
                break
            if not line.skip("and", ","):
                raise UnreadableOrder("colon_missing", line.token())
    return Prophecy(_rule(line), tuple(conditions))


def _condition(line: Reader) -> Condition:
    is_denied = line.skip("not")
    return Condition(_fact(line, is_denied=is_denied), is_denied)


def _fact(line: Reader, *, is_denied: bool) -> Fact:
    token = line.token()
    if line.skip("dislodged"):
        kind, at = line.kind_and_place()
        return DrivenOut(kind, province_of(at))
    if token is None or token.word not in _DEEDS:
        raise UnreadableOrder("unknown_condition", token, word=token.word if token else "")
    line.position += 1
    deed = _DEEDS[token.word]
    if deed == HOLD and (line.word() == "-" or line.word()[:1].isdecimal()):
        return _least(line, token, is_denied=is_denied)
    return Owned(deed, line.sector())


def _least(line: Reader, hold: Token, *, is_denied: bool) -> Points:
    """`>= 3` or just `3`; `> 3` is half a point more. What is less than a number is not read as the opposite."""
    line.skip("-")
    number = line.token()
    sign = line.text[hold.end : number.start].replace(" ", "") if number else ""
    least = _points(line) + (sign == ">")
    if number is None or sign in _AT_LEAST:
        return Points(least)
    last = line.tokens[line.position - 1]
    least += sign in _AT_MOST
    is_less = sign.startswith(_LESS)
    fact = format_condition(Condition(Points(least), is_denied != is_less))
    start = line.text[: hold.start].rstrip()
    before = start.removesuffix("not").rstrip() if is_denied else start
    hints = [f"{before} {fact}{line.text[last.end :]}"]
    raise UnreadableOrder("bad_comparison", hold, last, hints, sign=sign)


def _points(line: Reader) -> int:
    """Supply points in halves: `3`, `3.5`, `3½`, `3 1/2`."""
    token = line.token()
    match = _POINTS.match(line.text, token.start) if token else None
    if token is None or match is None:
        raise UnreadableOrder("bad_points", token, word=token.word if token else "")
    while line.position < len(line.tokens) and line.tokens[line.position].start < match.end():
        line.position += 1
    return 2 * int(match[1]) + any(match.group(2, 3, 4))


def _rule(line: Reader) -> Refuge | Plan:
    token = line.token()
    if line.skip("retreat"):
        return _refuge(line)
    if line.skip(BUILD, "builds"):
        return Plan(BUILD, _planned(line))
    if line.skip(REMOVE, "removes"):
        return Plan(REMOVE, _planned(line))
    raise UnreadableOrder("unknown_rule", token, word=token.word if token else "")


def _planned(line: Reader) -> tuple[tuple[Kind, PlaceId], ...]:
    line.skip(":")
    return tuple(line.unit_list())


def _refuge(line: Reader) -> Refuge:
    kind, at = line.kind_and_place()
    if not line.skip(":"):
        raise UnreadableOrder("colon_missing", line.token())
    places: list[PlaceId] = []
    while True:
        if line.skip(*DISBAND):
            return Refuge(kind, province_of(at), tuple(places), disbands=True)
        places.append(line.place())
        if not line.skip(",", "and", "then"):
            return Refuge(kind, province_of(at), tuple(places))
