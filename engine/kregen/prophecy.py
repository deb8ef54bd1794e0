"""Prophetic orders as values: what is to be done after a move season, and on which conditions.

`parse` reads them, `foresight` uses them. Source: rules 10.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.ids import PlaceId, ProvinceId
from engine.provinces.orders import Kind
from engine.provinces.pars import format_halves

HOLD, LOST, TOOK = "hold", "lost", "took"
BUILD, REMOVE = "build", "remove"


@dataclass(frozen=True, slots=True)
class Owned:
    """`hold ZY`, `lost ZY`, `took ZY`: owned now; owned when the season began and not now; the reverse."""

    deed: str
    at: ProvinceId


@dataclass(frozen=True, slots=True)
class Points:
    """`hold >= 3.5`: so many supply points, in halves."""

    least: int


@dataclass(frozen=True, slots=True)
class DrivenOut:
    """`dislodged A ZIM`: this unit of one's own was dislodged in the season."""

    kind: Kind
    at: ProvinceId


Fact = Owned | Points | DrivenOut


@dataclass(frozen=True, slots=True)
class Condition:
    """A fact, or with `not` before it the opposite."""

    fact: Fact
    is_denied: bool = False


@dataclass(frozen=True, slots=True)
class Refuge:
    """`retreat A ZIM: SHP, SEC, disband`: the first place that is open; `at` is where the unit is dislodged."""

    kind: Kind
    at: ProvinceId
    to: tuple[PlaceId, ...]
    disbands: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """`build: A ZIM, F ZY`, `remove: F SWD`: in this order, as far as points reach or as far as needed."""

    deed: str
    units: tuple[tuple[Kind, PlaceId], ...]


@dataclass(frozen=True, slots=True)
class Prophecy:
    """`if hold ZY and not lost ZIM: build: A ZIM`"""

    rule: Refuge | Plan
    conditions: tuple[Condition, ...] = ()


def head_of(prophecy: Prophecy) -> str:
    """What a prophecy is for: `if hold ZY: retreat A ZIM`."""
    rule = prophecy.rule
    what = f"retreat {rule.kind} {rule.at}" if isinstance(rule, Refuge) else rule.deed
    if not prophecy.conditions:
        return what
    return f"if {' and '.join(map(format_condition, prophecy.conditions))}: {what}"


def format_prophecy(prophecy: Prophecy) -> str:
    """Its canonical text."""
    rule = prophecy.rule
    if isinstance(rule, Plan):
        items = [f"{kind} {at}" for kind, at in rule.units]
    else:
        items = [*rule.to, *(["disband"] if rule.disbands else [])]
    return f"{head_of(prophecy)}: {', '.join(items)}"


def format_points(halves: int) -> str:
    """Points in words: `3`, `3.5`."""
    return format_halves(halves)


def format_fact(fact: Fact) -> str:
    """`hold ZY`"""
    match fact:
        case Owned(deed, at):
            return f"{deed} {at}"
        case Points(least):
            return f"hold >= {format_points(least)}"
        case DrivenOut(kind, at):
            return f"dislodged {kind} {at}"


def format_condition(condition: Condition) -> str:
    """`not hold ZY`"""
    return ("not " if condition.is_denied else "") + format_fact(condition.fact)
