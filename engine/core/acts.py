"""What a game master may do to a position between two closings, in games whose rules allow it. It sees the State."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from engine.core.events import Event
from engine.core.ids import PowerId, ProvinceId
from engine.core.phrases import Phrase
from engine.core.sight import S


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits(Generic[S]):
    """A game master may change a position; every change is announced."""

    forms: Callable[[S], tuple[str, ...]]
    """How each change is written in this game, for completion and hints."""

    edit: Callable[[S, str], S]
    """The same game with a change.

    Raises:
        DocumentError: the text is not a change, or the change would make an impossible position.
    """

    text: Callable[[str], str]
    """The change in canonical words, as announcements and reports quote it; `edit` reads them back."""

    reported: Callable[[Sequence[Event]], tuple[str, ...]]
    """The changes (in canonical words) that the report of a phase with these events already mentions."""

    advice: Callable[[S, S], Phrase | None]
    """A warning about a change that was just made, from the positions before and after it; `None`: there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulings(Generic[S]):
    """A game master may change, in secret, how something ended in the phase that closed last.

    That phase is carried out again from its first position and its orders; those for whom something changed are told.
    """

    forms: Callable[[S, Sequence[Event]], tuple[str, ...]]
    """How rulings on a phase with these events, after which this is the position, are written, for completion and
    hints.
    """

    text: Callable[[str], str]
    """A ruling as it is kept."""

    begin: Callable[[S, Sequence[str], Sequence[Event]], S]
    """The position in which that phase began, changed so that it ends as ruled; the events are those it ended with.

    Raises:
        DocumentError: there is nothing that could be ruled on like this. Carrying the phase out may raise it too.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating(Generic[S]):
    """What becomes of a power whose player leaves, where the rules say more than that nobody gives it orders."""

    left: Callable[[S, PowerId], S]
    """The same game when the player of a power has left for good, and nobody plays it; equal if that is irrelevant to
    the rules."""

    taken: Callable[[S, PowerId], S]
    """The same game when somebody plays it again; equal if nobody had left it, or it has gone on without a player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hiding(Generic[S]):
    """A game master chooses where secret cards lie."""

    aside: Callable[[S], tuple[int, ...]]
    """The numbers of the cards that are still to be hidden; empty once nothing is left to choose."""

    places: Callable[[S], tuple[ProvinceId, ...]]
    """Where a card may be hidden now, in map order."""

    hide: Callable[[S, Mapping[ProvinceId, int]], S]
    """The same game with some of these cards, given by their numbers, hidden in the given places."""

    hide_as: Callable[[S, S], S]
    """The same game with its cards hidden where another position (the last argument) has them."""
