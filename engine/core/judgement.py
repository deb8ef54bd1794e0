"""What the computer needs to know of a game to play it: what an order does, and how good a position is.

Everything here is made from a View, or from a State that such a player imagines: it knows no more than a person would.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Generic, Protocol

from engine.core.ids import PowerId
from engine.core.orders import O
from engine.core.sight import S, V

Worth = Mapping[PowerId, float]
"""How well each power stands, in a measure of the game's own: more is better, and a tenth of a centre is little."""


class Chance(Protocol):
    """A source of random numbers: `random.Random`, seeded by the caller."""

    def random(self) -> float:
        """A number of at least 0 and below 1, each equally likely."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What a unit's order is about.

    Args:
        origin: the space in which the unit stands.
        goal: the space in which it means to stand after the phase; `origin` for an order that stays.
        helps: the origin and goal of the unit that it helps; `None` for one that acts for itself.
    """

    origin: str
    goal: str
    helps: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement(Generic[S, V, O]):
    """How the computer values orders and positions of a game."""

    imagine: Callable[[V], S]
    """A position that fits what the viewer knows, to try orders in."""

    measure: Callable[[S], Callable[[S], Worth]]
    """From the position before a phase, a function that values each power's standing in a position after it."""

    intent: Callable[[O], Intent | None]
    """What an order is about; `None` for orders that aren't a unit's: a build, a choice, a message."""

    appeal: Callable[[S, PowerId], Callable[[O], float]]
    """How much a power would like an order of its own to work, whatever stands in its way; below 0: it never gives
    it."""

    draft: Callable[[S, PowerId, Chance, float], Sequence[O]] | None = None
    """A whole sheet that a power might send, in games in which orders build upon each other: the computer chooses among
    such sheets, and puts none together by `intent` and `appeal`. The number says how wild it may be, from 0 upwards."""

    draft_skilled: Callable[[S, PowerId, Chance, float], Sequence[O]] | None = None
    """The same as the strongest level drafts it; `None`: it drafts as the others do, and only compares more drafts."""

    weigh: Callable[[V, str], Callable[[Sequence[O]], float]] | None = None
    """From a view and a seed for trials (the same for all drafts that are compared, never the game's own), a function
    that says what a drafted sheet is likely to bring its power, in games of which a player sees too little to play it
    out: the best of some drafts is sent."""

    is_tried: Callable[[O], bool] = lambda order: True
    """Whether a trial can show what an order is good for; what it can't show is left to `besides`."""

    besides: Callable[[S, PowerId, Sequence[O], Chance, float], Sequence[O]] | None = None
    """What is sent with the orders that were found: secret numbers, orders in advance. The last number says how wild
    it may be, from 0 upwards."""

    cost: int = 1
    """The cost of trying out orders, as a multiple of Diplomacy's."""

    in_character: Callable[[float], Judgement[S, V, O]] | None = None
    """The same for a player to whom dangers count so many times as much as usual; `None`: all players are alike."""


def in_characters(judge: Callable[[float], Judgement[S, V, O]]) -> Judgement[S, V, O]:
    """The usual judgement of a game, with those of cautious and bold players.

    Args:
        judge: the judgement of a player to whom dangers count so many times as much as usual.
    """
    judged = cache(judge)
    return replace(judged(1.0), in_character=judged)
