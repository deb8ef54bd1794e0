"""Orders, from a player's text to a sheet, with all the help along the way. Everything here is made from a View."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from engine.core.depiction import Depiction
from engine.core.errors import OrderError
from engine.core.ids import PowerId
from engine.core.phrases import Catalogue, Phrase
from engine.core.sight import V

O = TypeVar("O")  # noqa: E741 - the letter for an order beside S and V
"""A system's Order. Frozen, hashable, compared by value."""
_V_contra = TypeVar("_V_contra", contravariant=True)
_O_contra = TypeVar("_O_contra", contravariant=True)


class ReadOrder(NamedTuple, Generic[O]):
    """An order as read from a player's text, and where it stood: line from 1, columns from 1, the end exclusive."""

    order: O
    line: int
    column: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Parsed(Generic[O]):
    """The result of reading a text: its orders and what could not be read, each in the order of the lines."""

    orders: tuple[ReadOrder[O], ...]
    errors: tuple[OrderError, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """A warning about a legal order that is probably a mistake; the order stands.

    Args:
        failing: the lines that will fail with the sheet as it is.
        code: the system's word for it, for programs; empty: the code of the phrase.
    """

    line: int
    what: Phrase
    failing: tuple[int, ...] = ()
    code: str = ""

    @property
    def program_code(self) -> str:
        """The code for programs: the system's, or that of the phrase without its section."""
        return self.code or self.what.code.partition(".")[2] or self.what.code


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose.

    Args:
        value: goes into the guided flow's path or a command.
        label: is shown (100 characters).
        on_request: of a first choice: what it leads to is only shown to whoever asks for it.
    """

    value: str
    label: str
    on_request: bool = False


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that has no order yet.

    Args:
        name: what it is called: as orders name it (`A BUD`), or a phrase (`1 build`).
        path: the guided flow's choices that lead to orders for it; empty: any of the first ones does.
    """

    name: str | Phrase
    path: tuple[str, ...] = ()


def names_of(missing: Iterable[Missing]) -> tuple[str | Phrase, ...]:
    """What is missing, as an argument of a phrase."""
    return tuple(each.name for each in missing)


def words_for(missing: Iterable[Missing], words: Catalogue) -> tuple[str, ...]:
    """What is missing, each in words."""
    return tuple(words.listed((each.name,)) for each in missing)


@dataclass(frozen=True, slots=True)
class Menu:
    """The next step of the guided flow.

    Args:
        prompt: what is to be chosen.
        choices: nothing but legal ones, in a sensible order; may be more than a select menu holds.
        order: the canonical text of the order once nothing is left to choose; then `choices` is empty. A block is
            written line by line.
        picture: of the choices, where words would not do; its `in_words` describes it.
    """

    prompt: Phrase
    choices: tuple[Choice, ...]
    order: str | None = None
    picture: Depiction | None = None


MOST_AT_ONCE = 24
"""How many whole orders a shortlist has: together with the way to all others they fill a menu."""


@dataclass(frozen=True, slots=True)
class Shortlist:
    """Whole orders under one of the guided flow's first choices, so that the next choice is the last.

    Args:
        first: the first choice, such as a unit.
        orders: `value` is an order's canonical text, `label` what it does; likeliest first, `MOST_AT_ONCE` at most.
        is_all: whether there are no others under that choice.
        stands: all orders under that choice that are in the sheet.
    """

    first: Choice
    orders: tuple[Choice, ...]
    is_all: bool
    stands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """What an order asks of another power: it has no effect unless that power agrees.

    Args:
        power: who is asked.
        what: the question, for that power.
        answer: the canonical order by which it agrees.
    """

    power: PowerId
    what: Phrase
    answer: str


@dataclass(frozen=True, slots=True)
class Forecast:
    """What would become of one line of a sheet if the phase closed now.

    Args:
        line: its number; 0: it is not about a single line.
        part: of an order of several parts, from 1; `None`: the whole line.
        parts: how many the order has.
        code: the system's word for it; `ok` if there is nothing to say.
        level: `ok`, `warning` (it would be carried out differently) or `error` (it would fail).
        what: why, for the player.
        is_likely: whether others may still change it.
        notes: what it costs, what is left then, where it ends.
        is_impossible: whether it names something that does not exist, so that it would fail whatever else happens.
        hints: up to three orders that may have been meant instead, best first.
    """

    line: int
    part: int | None
    code: str
    level: str
    what: Phrase
    is_likely: bool = False
    notes: tuple[Phrase, ...] = ()
    parts: int = 1
    is_impossible: bool = False
    hints: tuple[str, ...] = ()

    @property
    def named_part(self) -> int | None:
        """The number by which texts name the part: an order of one part needs none."""
        return self.part if self.parts > 1 else None

    def as_error(self, read: ReadOrder[Any]) -> OrderError:
        """The expected failure, as an error at the order's place in the text."""
        return OrderError(
            read.line, read.column, read.end, read.text, self.code, self.what.args, self.hints, why=self.what
        )


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A sheet rehearsed: at least one forecast for each line, by line, and what is left in the end."""

    lines: tuple[Forecast, ...]
    left: tuple[Phrase, ...] = ()


class Suggest(Protocol[_V_contra]):
    """Completes what was typed."""

    def __call__(self, view: _V_contra, typed: str, /, *, limit: int = 25) -> tuple[str, ...]:
        """Canonical legal orders that a beginning could become, best first; for nothing typed, one for each subject."""


class NextStep(Protocol[_V_contra, _O_contra]):
    """Leads to an order, one choice after another."""

    def __call__(self, view: _V_contra, path: Sequence[str], /, *, orders: Sequence[_O_contra] = ()) -> Menu:
        """The guided flow's step after the choices in `path`. After an unknown or outdated choice it starts again.

        Args:
            orders: those in the sheet; if orders can't replace each other, what already has one is left out.
        """


def _no_default(view: object) -> str:
    return ""


def _no_shortlists(view: object, firsts: Collection[str], orders: Sequence[object]) -> tuple[Shortlist, ...]:
    return ()


def _no_requests(view: object, orders: Sequence[object]) -> tuple[Request, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders(Generic[V, O]):
    """How orders are read, checked, combined, and found."""

    parse: Callable[[str, V], Parsed[O]]
    """Read orders, one a line; `#` starts a comment, blank lines are ignored. Never raises on any text."""

    format: Callable[[O], str]
    """The order's canonical text, which `parse` reads back to an equal order."""

    subject: Callable[[O], str]
    """What the order is for: a later order for the same subject replaces it (`BUD`)."""

    read: Callable[[str, V], O | None]
    """The order of a canonical text, whoever gave it; `None` for any other text. Stored results get their orders back.

    Any view with the game's own vocabulary (a rulebook) will do; places need not be on its map.
    """

    check: Callable[[V, Sequence[ReadOrder[O]]], tuple[OrderError | None, ...]]
    """A verdict on each of the orders, in their order: why the viewer may not give it now, or `None` if it is accepted.

    If two exclude each other, the later one is refused.
    """

    advise: Callable[[V, Sequence[ReadOrder[O]]], tuple[Advice, ...]]
    """Legal orders that are probably mistakes, such as a support for a unit that is ordered to do something else."""

    amend: Callable[[V, Sequence[O], Sequence[O]], tuple[O, ...]]
    """A sheet with new orders (the last argument) added: each replaces what it excludes, the rest is kept."""

    missing: Callable[[V, Sequence[O]], tuple[Missing, ...]]
    """Everything that can still be given an order, in map order."""

    otherwise: Callable[[V, Sequence[O]], tuple[Phrase, ...]]
    """What happens to each thing that still has no order if none comes, in sentences; empty if nothing is missing."""

    template: Callable[[V, Sequence[O]], str]
    """An order sheet to fill in: one line for each thing to order, with the orders already given filled in."""

    suggest: Suggest[V]
    """Canonical legal orders that a beginning could become, best first."""

    menu: NextStep[V, O]
    """The guided flow's step after some choices."""

    legal: Callable[[V], Mapping[str, tuple[O, ...]]]
    """All orders that the viewer may give now, by subject, each list in canonical order."""

    shortlists: Callable[[V, Collection[str], Sequence[O]], tuple[Shortlist, ...]] = _no_shortlists
    """Whole orders for some of the guided flow's first choices, in its order; the last argument is the present sheet.

    Without it menus lead to orders only choice by choice. `engine.core.shortlists.walked` makes it from any `menu`.
    """

    default: Callable[[V], str] = _no_default
    """A sheet for players who don't want to decide anything, as canonical orders, one a line; a button sends it.

    As a rule it is what the system does for a power that sends nothing. Empty if there is none worth offering.
    """

    keywords: tuple[str, ...] = ()
    """The words of orders, in full (`support`, `build`): a line that can't be read may have one of them misspelt."""

    opens_block: Callable[[str], bool] | None = None
    """Which lines open a block that ends with `END`; `parse` reads it with `engine.core.blocks`. `None`: none does."""

    requests: Callable[[V, Sequence[O]], tuple[Request, ...]] = _no_requests
    """What the orders ask of others; a player who gives such an order wants those others to know of it."""

    rehearse: Callable[[V, Sequence[ReadOrder[O]]], Rehearsal] | None = None
    """How the viewer's orders would turn out now, judging by what the viewer may know; `None`: they can't be rehearsed.

    Where they can, `check` refuses nothing, and an order that would fail is still accepted: when its turn comes the
    position may have changed. Only single orders that are impossible are not added to a sheet.
    """
