"""What a game master does to a position between two closings, in games whose rules let one. It sees the State."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from engine.core.events import Event
from engine.core.ids import ProvinceId
from engine.core.phrases import Phrase
from engine.core.sight import S


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits(Generic[S]):
    """A game master may change a position, which everybody is told."""

    forms: Callable[[S], tuple[str, ...]]
    """How each change is written in this game, for completion and hints."""

    edit: Callable[[S, str], S]
    """The same game with a change.

    Raises:
        DocumentError: the text is no change, or it would make a position that can't be.
    """

    text: Callable[[str], str]
    """The words in which a change is told everywhere; they are the same change."""

    told: Callable[[Sequence[Event]], tuple[str, ...]]
    """The changes, in these words, that the report of a phase with such events tells of by itself."""

    advice: Callable[[S, S], Phrase | None]
    """What a game master should know of a change that was just made, from before and after; `None`: nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hiding(Generic[S]):
    """A game master chooses where secret cards lie."""

    aside: Callable[[S], tuple[int, ...]]
    """The numbers of the cards that wait to be hidden; empty where nothing is left to choose."""

    places: Callable[[S], tuple[ProvinceId, ...]]
    """Where one of them may be hidden now, in map order."""

    hide: Callable[[S, Mapping[ProvinceId, int]], S]
    """The same game with cards that were set aside, by their numbers, hidden in such places."""

    hide_as: Callable[[S, S], S]
    """The same game with the cards that were set aside hidden as far, and where, they are in another position."""
