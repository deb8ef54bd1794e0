"""How a game is described to people, in words and pictures. Everything here is made from a View."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from engine.core.depiction import Depiction
from engine.core.errors import OrderError
from engine.core.events import Event
from engine.core.ids import PowerId
from engine.core.orders import O
from engine.core.outcome import OrderResult
from engine.core.phrases import Phrase
from engine.core.report import Report
from engine.core.sight import V
from engine.core.standings import Standings

_V_contra = TypeVar("_V_contra", contravariant=True)
_O_contra = TypeVar("_O_contra", contravariant=True)


class DrawScene(Protocol[_V_contra, _O_contra]):
    """Describes what to draw."""

    def __call__(
        self,
        view: _V_contra,
        /,
        *,
        orders: Iterable[_O_contra] = (),
        results: Sequence[OrderResult[_O_contra]] = (),
        events: Sequence[Event] = (),
    ) -> Depiction:
        """The position, with pending orders or with the results of the phase that began with it drawn in.

        Results and events are what the viewer may know.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows(Generic[V, O]):
    """Results in a JSON form of the game's own, one row for each line of a sheet."""

    of_results: Callable[
        [V, Sequence[OrderResult[O]], Mapping[PowerId, Sequence[OrderError]], Callable[[Phrase], str]],
        list[dict[str, Any]],
    ]
    """The results as `adjudicate --json` prints them, with the lines refused in reading. The function has the words."""

    failures: Callable[[Sequence[OrderResult[O]]], Mapping[PowerId, tuple[OrderError, ...]]]
    """The lines that were accepted and failed, as errors."""

    in_a_line: Callable[[Mapping[str, Any]], str] | None = None
    """A row as it is printed; `None`: it has `power`, `order`, `outcome` and `why`, as in games without rows."""

    told: Callable[[Mapping[str, Any], Callable[[str], str]], str] | None = None
    """A row for whoever reads a phase in words, with the function that gives powers' names; `None`: as above."""


def _no_headline(before: object, after: object) -> tuple[Phrase, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Album:
    """One event described in detail, with pictures in viewing order.

    Args:
        title: what happened.
        lines: a page to be read aloud.
        pictures: each describes in words what it shows.
    """

    title: Phrase
    lines: tuple[Phrase, ...]
    pictures: tuple[Depiction, ...]


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a player has written for everybody to read.

    Args:
        author: the name under it.
        text: as it was written.
    """

    author: Phrase
    text: str


@dataclass(frozen=True, slots=True)
class Newspaper:
    """An issue of a game's newspaper.

    Args:
        title: which issue it is.
        news: what everybody may know has happened.
        contributions: in the order in which they are printed; an issue has at least one.
    """

    title: Phrase
    news: tuple[Phrase, ...]
    contributions: tuple[Contribution, ...]


def _no_albums(before: object, events: Sequence[Event]) -> tuple[Album, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling(Generic[V, O]):
    """How a game is described."""

    report: Callable[[V, Sequence[OrderResult[O]], Sequence[Event]], Report]
    """A closed phase in words. The view is of the state after it; results and events are what the viewer may know."""

    briefing: Callable[[V], Report]
    """What is asked of the viewer in this phase; for the public, what the phase is about."""

    goal: Callable[[V], Phrase]
    """What has to be reached to win, in one sentence: by the viewer; for the public, by anybody."""

    examples: Callable[[V], tuple[Phrase, ...]]
    """For newcomers, what the viewer could order in this phase, the most useful first, each in a sentence of its own.

    Its `order` could be sent as it is, on its own. Empty if the viewer has nothing to decide.
    """

    text_board: Callable[[V], Report]
    """The whole position in words, for those who can't see the map."""

    scene: DrawScene[V, O]
    """The position as a picture, with orders or their results."""

    headline: Callable[[V, V], tuple[Phrase, ...]] = _no_headline
    """A closed phase in one line, in parts, the most important news first, from the positions before and after it.

    Empty if the phase is not worth one.
    """

    albums: Callable[[V, Sequence[Event]], tuple[Album, ...]] = _no_albums
    """The events of a closed phase that deserve pages and pictures, sent with the viewer's private report.

    The view is of the position before it; events are what the viewer may know. Reports have it only in their details.
    """

    newspaper: Callable[[V, Sequence[Event], Sequence[Event]], Newspaper | None] | None = None
    """What players have written for everybody, posted with the results as a page: from the public's view of the
    position after the phase, its events, and those of the phase before it, as far as everybody may know them. It
    returns `None` if there is no issue this time; `None`: the game has no newspaper.
    """

    standings: Callable[[V], Standings] | None = None
    """The figure by which powers are compared, for charts; `None`: no figure shows who is ahead."""

    measures: Callable[[V], tuple[tuple[Phrase, float], ...]] | None = None
    """Figures about the viewer's own side, each with what it counts: the same in every phase, for a table of how they
    changed. `None`: nothing is counted.
    """

    era: Callable[[V], Phrase] | None = None
    """Which part of a long game the present phase belongs to, for a summary of each; `None`: the game has no parts."""

    rows: Rows[V, O] | None = None
    """Results line by line; `None`: the game has no form of its own for them."""

    ledger: Callable[[V], Report] | None = None
    """The viewer's accounts in full, for a file that comes with the report; `None`: the game keeps none."""
