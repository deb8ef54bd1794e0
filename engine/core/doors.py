"""Special ways to give orders, as data: a game says what they are called, what they take, and which order they make.

What Discord has to know of a door before anybody plays is a fact about the game (`engine.core.facts.DoorInfo`); what it
does is one of the rules, and here. A door has a slash command, and may have a button, a form, a part in the guided
flow, or something to show. Whatever goes in comes out as orders. One service and one cog serve the doors of all games;
nothing there knows what a door is for. Its words are phrases of the game's own catalogue:

    door.<family>.about      what a group of commands is for, where the family's commands are a group
    door.<family>.help       what it is for: a line of `/help`, under "Also possible now"
    door.<family>.elsewhere  the answer in games that have no such door: game
    door.<id>.about          what the command does
    door.<id>.<option>       what one of its options is; `.choice.<value>` what one of its choices is called
    door.<id>.button         its button
    door.<id>.closed         why it can't be used now: title
    door.<id>.label, .placeholder    its form; the latter may name its example: example
    door.<id>.heading, .none, .nobody, .alt    its page's heading; the answer where the page is empty, or where the
                             viewer can't see one; the picture's description
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic

from engine.core.depiction import Depiction
from engine.core.facts import DoorInfo, DoorOption
from engine.core.orders import Choice, O
from engine.core.phrases import Phrase
from engine.core.sight import V


@dataclass(frozen=True, slots=True)
class Doubt:
    """Options from which no order can be made.

    Args:
        what: why.
        written: what could not be understood.
        known: what would be.
    """

    what: Phrase
    written: str
    known: tuple[str, ...]


def _no_example(view: object) -> str:
    return ""


def _as_written(text: str) -> str:
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorForm(Generic[V, O]):
    """A form of lines."""

    text: Callable[[V, Sequence[O]], str]
    """Its text when it opens, given the orders in the sheet."""
    read: Callable[[str], str] = _as_written
    """Turns the submitted text into orders."""
    replaces: Callable[[O], bool] | None = None
    """Which orders in the sheet are replaced by what was written, even if that is nothing."""
    example: Callable[[V], str] = _no_example
    """Somebody or something of the position that its placeholder names as `example`."""


@dataclass(frozen=True, slots=True)
class Page:
    """What a door shows to a single player.

    Args:
        lines: in words.
        listed: canonical orders under titles.
        picture: a picture of the player's cards.
        alt: the picture in words, line by line.
    """

    lines: tuple[Phrase, ...] = ()
    listed: tuple[tuple[Phrase, tuple[str, ...]], ...] = ()
    picture: Depiction | None = None
    alt: tuple[Phrase, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to see."""
        return self.picture is None and not self.lines and not any(orders for _, orders in self.listed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Door(Generic[V, O]):
    """A special way to give orders."""

    info: DoorInfo
    """Its command, one of those in `SystemInfo.doors`."""
    completions: Mapping[str, Callable[[V, Sequence[O]], tuple[Choice, ...]]] = field(default_factory=dict)
    """By option, its possible values for a viewer with these orders in the sheet, in a sensible order: maybe many."""
    order: Callable[[V, Sequence[O], Mapping[str, str]], str | Doubt] | None = None
    """The order that the options (as written; those left out are missing) make with the orders in the sheet.

    `None`: the first option is an order as it is.
    """
    replaces: Callable[[O], bool] | None = None
    """Which orders in the sheet are replaced by that order, even if it is empty."""
    is_open: Callable[[V, Sequence[O]], bool] | None = None
    """Whether somebody who has something to decide can use it now; `None`: always, impossible orders are refused."""
    form: DoorForm[V, O] | None = None
    """Many lines at once."""
    path: Callable[[V], tuple[str, ...]] | None = None
    """The choices of the guided flow that lead to its orders; empty where there are none."""
    page: Callable[[V, Sequence[O]], Page | None] | None = None
    """Its page for the viewer with these orders in the sheet; `None`: the viewer can't see one."""
    answer: Callable[[V, Sequence[O], Mapping[str, str]], Page | Doubt] | None = None
    """A page for its options (those left out are missing) and the orders in the sheet. It gives no orders.

    It may take seconds and is computed in a worker. The buttons of its family are below it.
    """
    briefing: Callable[[V], Phrase | None] | None = None
    """Its paragraph in the viewer's briefing, together with its page's picture and its buttons; `None`: none.

    Without a page its own button is there, so it needs something that the button opens (`has_button`).
    """

    brings_page: Callable[[V], bool] | None = None
    """Whether the briefing includes its page's picture, or only a button that leads there. `None`: it always does."""

    is_at_once: bool = False
    """Its button gives the order that it makes without options."""

    def __post_init__(self) -> None:
        """Make sure that the rules keep what the command promises."""
        promised = {option.name for option in self.info.options if option.is_completed}
        assert promised == set(self.completions), f"/{self.info.command} completes {promised}"
        assert (self.info.form is None) == (self.form is None), f"/{self.info.command} has a form, or none"
        leads = self.page is not None or self.has_button
        assert self.briefing is None or leads, f"/{self.info.command}: the button in its briefing leads nowhere"

    @property
    def id(self) -> str:
        """Its word in custom ids and phrases."""
        return self.info.id

    @property
    def family(self) -> str:
        """What it shares phrases and a page's buttons with."""
        return self.info.family

    @property
    def command(self) -> str:
        """Its slash command."""
        return self.info.command

    @property
    def options(self) -> tuple[DoorOption, ...]:
        """What its command takes."""
        return self.info.options

    @property
    def has_button(self) -> bool:
        """Whether it can be entered without options."""
        ways = (self.form, self.path, self.brings_page, self.answer)
        return self.is_at_once or any(way is not None for way in ways)
