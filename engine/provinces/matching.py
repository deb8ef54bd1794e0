"""Compares what a player types with the beginnings of orders, each given as the words and names that it consists of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.gazetteer import Gazetteer
from engine.core.ids import PlaceId, province_of

LONGEST = 100
"""The most characters that a choice in Discord's completion can have."""


@dataclass(frozen=True, slots=True)
class KindSlot:
    """A letter or word for a kind of unit, which may be left out."""

    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class PlaceSlot:
    """A name of a place, with its coast."""

    place: PlaceId


@dataclass(frozen=True, slots=True)
class WordSlot:
    """One of some words."""

    words: frozenset[str]
    is_optional: bool = False


Slot = KindSlot | PlaceSlot | WordSlot


class Matcher:
    """Compares what is typed with the beginnings of orders."""

    def __init__(self, gazetteer: Gazetteer, words: tuple[str, ...]) -> None:
        self._gazetteer = gazetteer
        self._words = words

    def cost_of(self, slots: Sequence[Slot]) -> int | None:
        """How far-fetched it is that the words begin a text with these parts; `None` if they don't."""
        return self._cost(slots, 0)

    def _cost(self, slots: Sequence[Slot], at: int) -> int | None:
        if at == len(self._words):
            return 0
        if not slots:
            return None
        costs = self._costs(slots[0], slots[1:], at)
        return min((cost for cost in costs if cost is not None), default=None)

    def _costs(self, slot: Slot, rest: Sequence[Slot], at: int) -> list[int | None]:
        word, is_last = self._words[at], at == len(self._words) - 1
        match slot:
            case KindSlot(words):
                is_kind = word in words or (is_last and any(known.startswith(word) for known in words))
                return [self._cost(rest, at + 1) if is_kind else None, self._cost(rest, at)]
            case WordSlot(words, is_optional):
                costs = [self._cost(rest, at)] if is_optional else []
                if word in words or (is_last and len(word) > 1 and any(known.startswith(word) for known in words)):
                    costs.append(self._cost(rest, at + 1))
                return costs
            case PlaceSlot(place):
                return [
                    self._place_cost(place, rest, at, end) for end in range(at + 1, min(at + 5, len(self._words) + 1))
                ]

    def _place_cost(self, place: PlaceId, rest: Sequence[Slot], at: int, end: int) -> int | None:
        words = self._words[at:end]
        if "/" in words or words[-1] == "-" or not self._gazetteer.could_become(words, province_of(place)):
            return None
        cost = self._cost(rest, self._after_coast(place, end))
        # A single letter is more likely to be a kind or a verb than the beginning of a name.
        return None if cost is None else cost + (3 if len("".join(words)) == 1 else 0)

    def _after_coast(self, place: PlaceId, at: int) -> int:
        coast = place.partition("/")[2].lower()
        following = self._words[at : at + 2]
        if coast and following[:1] == ("/",):
            return at + 2 if following[1:] and coast.startswith(following[1][:2]) else at + len(following[:1])
        return at + 1 if coast and following[:1] == (coast,) else at
