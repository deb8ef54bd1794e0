"""What a game master may do to a position between two closings, in games whose rules allow it. It sees the State."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from engine.core.doors import Doubt
from engine.core.events import Event
from engine.core.ids import PowerId
from engine.core.orders import Choice
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
class SecretChoice(Generic[S]):
    """What the rules leave to a game master who does not play, to be chosen in secret, one thing after another.

    Its command, in the group `/gm`, is a fact about the game (`SystemInfo.secret_choice`). Its words are phrases of the
    game's own catalogue, like those of a door:

        door.<id>.about, <option>   what the command does; what one of its options is
        door.<id>.help      what it is for: a line of `/help` for game masters
        door.<id>.none      the answer where nothing is left to choose, also in other games: game
        door.<id>.plays     the answer to a game master who plays: game
        door.<id>.knows     why somebody who could choose can't take a seat afterwards: game
        door.<id>.joined    what a game master who takes a seat is told
    """

    is_open: Callable[[S], bool]
    """Whether anything is left to choose. Before the seed is known the answer is the same."""

    left: Callable[[S], tuple[Phrase, ...]]
    """What is left to choose, and from what; it also says if nothing is left."""

    completions: Mapping[str, Callable[[S], tuple[Choice, ...]]]
    """By option, its possible values, in a sensible order."""

    choose: Callable[[S, Mapping[str, str]], str | Doubt | None]
    """The choice that the command's options make (as written; those left out are missing), as it is kept.

    `None`: they make none, and ask only what is left.
    """

    make: Callable[[S, str], S]
    """The same game with a choice, as it is kept.

    Raises:
        DocumentError: the text is no choice, or not one that could be made now.
    """

    confirmed: Callable[[str], Phrase]
    """A choice, as it is kept, in a sentence for whoever has made it."""

    told: Callable[[str], Phrase]
    """The same for everybody, once it may be told: part of a sentence.

    Raises:
        DocumentError: the text is no choice.
    """

    as_in: Callable[[S, S], S]
    """The same game with the choices that were made in another position of it (the last argument): version 0.1.0 kept
    no choices."""
