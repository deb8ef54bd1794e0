"""The one protocol that every game fulfils. Whoever knows it can run any game without knowing which.

    start → State → view(viewer) → View → parse, check, suggest, … → orders → adjudicate → Resolution(State, …)

Only `start`, `load`, `dump`, `status` and `adjudicate` see the State. Everything that is told to a player comes from a
View, which holds what this viewer may know; so a map, a report or an error message can't tell a secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from engine.core.dice import Dice
from engine.core.errors import OrderError
from engine.core.events import Event
from engine.core.grid_scene import AnyScene
from engine.core.ids import PowerId, ProvinceId, SystemId
from engine.core.outcome import OrderResult
from engine.core.phrases import Phrase
from engine.core.report import Report
from engine.core.scene import Hand
from engine.core.variant import Variant

S = TypeVar("S")
"""A system's State: the whole truth. Frozen."""
V = TypeVar("V")
"""A system's View: what one viewer may know of a State. Frozen."""
O = TypeVar("O")  # noqa: E741 - the protocol's letter for an order
"""A system's Order. Frozen, hashable, told apart by value."""


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """A choice that the maker of a game has.

    Args:
        name: as in `--option name=value` and a document's `options`.
        default: its type (bool, int, str) is the option's type.
        choices: the only values; empty: any of the type (an int between `least` and `most`).
        description: one line, as a phrase of the system's catalogue.
    """

    name: str
    default: bool | int | str
    description: Phrase
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class SystemInfo:
    """Facts about a system.

    Args:
        seats: the numbers of players that it can be played by, ascending.
        has_secrets: whether a State holds what some players may not know (pending orders are always secret).
        has_dice: whether chance decides anything.
        has_sheets: whether a player's orders are one sheet of lines in their order, so that a text sent later takes
            the place of the earlier one; else each order takes the place of what it excludes.
    """

    id: SystemId
    name: str
    line: str
    seats: tuple[int, ...]
    variants: tuple[str, ...]
    options: tuple[OptionInfo, ...]
    has_secrets: bool
    has_dice: bool
    has_sheets: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """Where a game stands; public.

    Args:
        code: short and sortable within a game: `S1901M`. Unique in a game.
        title: the phase in words.
        kind: the system's word for the kind of phase (`movement`, `retreats`), by which phase lengths are set.
        to_act: powers that have something to decide in this phase, in seat order. Nobody: the phase passes at once.
        out: powers that take no further part.
        winners: of a game that is over, in seat order; `None` while it runs.
        why_over: why the game ended.
        may_negotiate: whether the rules let players talk about the game in this phase.
    """

    code: str
    title: Phrase
    kind: str
    to_act: tuple[PowerId, ...]
    out: tuple[PowerId, ...] = ()
    winners: tuple[PowerId, ...] | None = None
    why_over: Phrase | None = None
    may_negotiate: bool = True


@dataclass(frozen=True, slots=True)
class ReadOrder(Generic[O]):
    """An order as read from a player's text, and where it stood: line from 1, columns from 1, the end exclusive."""

    order: O
    line: int
    column: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Parsed(Generic[O]):
    """A text read: its orders and what could not be read, each in the order of the lines."""

    orders: tuple[ReadOrder[O], ...]
    errors: tuple[OrderError, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """A warning about a legal order that will hardly be meant; the order stands."""

    line: int
    what: Phrase


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose: `value` goes into the guided flow's path or a command, `label` (≤ 100 letters) is shown."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Menu:
    """The next step of the guided flow.

    Args:
        prompt: what is to be chosen.
        choices: nothing but legal ones, in a sensible order; may be more than a select menu holds.
        order: the canonical text of the order once nothing is left to choose; then `choices` is empty.
    """

    prompt: Phrase
    choices: tuple[Choice, ...]
    order: str | None = None


@dataclass(frozen=True, slots=True)
class Resolution(Generic[S]):
    """A phase adjudicated.

    Args:
        state: the start of the next phase.
        results: one for each order that counted, defaults for missing orders included; in map order.
        events: what else happened, in the order of telling.
        dislodged: JSON rows as `adjudicate --json` gives them, for systems that have dislodged units; else empty.
    """

    state: S
    results: tuple[OrderResult, ...]
    events: tuple[Event, ...]
    dislodged: tuple[Mapping[str, Any], ...] = ()


class GameSystem(Protocol[S, V, O]):
    """A game's rules. All functions are pure; none reads a clock or draws chance other than from `Dice`."""

    @property
    def info(self) -> SystemInfo:
        """Facts about the system."""

    def variant(self, state: S) -> Variant:
        """The map and powers that a game is played with."""

    # The game

    def start(self, *, variant: str, players: int, options: Mapping[str, Any], seed: str) -> S:
        """A new game at its first phase.

        Raises:
            DocumentError: an unknown variant, option or value, or a number of players that the system can't seat.
        """

    def load(self, document: Mapping[str, Any]) -> S:
        """The game of a game.json document; whatever it leaves out takes its default.

        Raises:
            DocumentError: where and what is wrong with it.
        """

    def dump(self, state: S) -> dict[str, Any]:
        """The game.json document of a game; `load` reads it back to an equal state."""

    def status(self, state: S) -> Status:
        """Where the game stands."""

    def dice(self, state: S) -> Dice:
        """The dice of the present phase, from the game's seed."""

    def adjudicate(self, state: S, sheets: Mapping[PowerId, Sequence[O]], dice: Dice) -> Resolution[S]:
        """Carry out the orders of a phase.

        Total: a power that is missing in `sheets`, and a unit without an order, does the system's default; an order
        that can't be given is passed over as if it had not been sent. Neither the order of the powers nor that of
        independent orders matters. `sheets` should hold what `check` accepted.
        """

    def end(self, state: S, winners: Sequence[PowerId], why: Phrase) -> S:
        """The game ended by agreement (a draw, a concession, the game master): the same position, over."""

    # What a viewer may know

    def view(self, state: S, viewer: PowerId | None) -> V:
        """What a power may know; `None`: what everybody may."""

    def parse(self, text: str, view: V) -> Parsed[O]:
        """Read orders, one a line; `#` starts a comment, blank lines are nothing. Never raises on any text."""

    def format(self, order: O) -> str:
        """The order's canonical text, which `parse` reads back to an equal order."""

    def subject(self, order: O) -> str:
        """What the order is for: a later order for the same subject replaces it (`BUD`)."""

    def check(self, view: V, orders: Sequence[ReadOrder[O]]) -> tuple[OrderError, ...]:
        """Which of the orders the viewer may not give now, and why; of two that exclude each other, the later."""

    def advise(self, view: V, orders: Sequence[ReadOrder[O]]) -> tuple[Advice, ...]:
        """Legal orders that will hardly be meant, such as a support for a unit that is ordered to do something else."""

    def amend(self, view: V, standing: Sequence[O], new: Sequence[O]) -> tuple[O, ...]:
        """A sheet with new orders put in: each replaces what it excludes, the rest stands."""

    def missing(self, view: V, orders: Sequence[O]) -> tuple[str, ...]:
        """What the viewer could still give an order for (`A BUD`, `1 build`), in map order."""

    def otherwise(self, view: V, orders: Sequence[O]) -> tuple[Phrase, ...]:
        """What becomes of whatever is missing if no order comes, in sentences; nothing where nothing is missing."""

    def template(self, view: V, orders: Sequence[O]) -> str:
        """An order sheet to fill in: one line for each thing to order, with the standing orders filled in."""

    def suggest(self, view: V, typed: str, *, limit: int = 25) -> tuple[str, ...]:
        """Canonical legal orders that a beginning could become, best first; for nothing typed, one for each subject."""

    def menu(self, view: V, path: Sequence[str], *, orders: Sequence[O] = ()) -> Menu:
        """The guided flow's step after the choices in `path`. An unknown or outdated choice starts again.

        Args:
            orders: those that stand; where an order can't take the place of another one, who has one is left out.
        """

    def legal(self, view: V) -> Mapping[str, tuple[O, ...]]:
        """All orders that the viewer may give now, by subject, each list in canonical order."""

    # What is told and shown

    def report(self, view: V, results: Sequence[OrderResult], events: Sequence[Event]) -> Report:
        """A closed phase in words. `view` is of the state after it; results and events are what the viewer may know."""

    def briefing(self, view: V) -> Report:
        """What is asked of the viewer in this phase; for the public, what the phase is about."""

    def text_board(self, view: V) -> Report:
        """The whole position in words, for those who can't see the map."""

    def scene(
        self,
        view: V,
        *,
        orders: Iterable[O] = (),
        results: Sequence[OrderResult] = (),
        events: Sequence[Event] = (),
    ) -> AnyScene:
        """The position with pending orders, or with what came of the phase that began with it, drawn in.

        Results and events are what the viewer may know.
        """


@runtime_checkable
class OffersDefaults(Protocol):
    """What a system may fulfil besides: it tells what it does for a power that sends nothing, and a button takes it."""

    def default(self, view: Any) -> str:
        """The canonical orders, one a line; empty where the phase has none worth offering."""


def default_orders(rules: object, view: object) -> str:
    """The default sheet that a system offers a viewer now; empty if it offers none."""
    return rules.default(view) if isinstance(rules, OffersDefaults) else ""


@runtime_checkable
class TakesScenarios(Protocol):
    """What a system may fulfil besides: a game can start from somebody's own scenario.

    A scenario is a JSON object. Whatever else stands in it, `name` is what it is called and `about` what people should
    know of it; both may be left out.
    """

    def start_from(
        self, scenario: Mapping[str, Any], *, players: int | None, options: Mapping[str, Any], seed: str
    ) -> Any:
        """A new game as a scenario sets it up. Options given besides win over the scenario's.

        Args:
            players: how many play; `None` leaves it to the scenario.

        Raises:
            DocumentError: where and what is wrong with the scenario, or it is for another number of players.
        """

    def has_own_map(self, scenario: Mapping[str, Any]) -> bool:
        """Whether it brings its board along, so that it can be looked at before there is a seed."""


@runtime_checkable
class HidesCards(Protocol):
    """What a system may fulfil besides: a game master chooses where its secret cards lie. It sees the State."""

    def aside(self, state: Any) -> tuple[int, ...]:
        """The numbers of the cards that wait to be hidden; empty where nothing is left to choose."""

    def hiding_places(self, state: Any) -> tuple[ProvinceId, ...]:
        """Where one of them may be hidden now, in map order."""

    def hide(self, state: Any, place: ProvinceId, card: int) -> Any:
        """The same game with a card that was set aside hidden in one of these places."""

    def hide_as(self, state: Any, other: Any) -> Any:
        """The same game with the cards that were set aside hidden as far, and where, they are in another position."""


@dataclass(frozen=True, slots=True)
class Request:
    """What an order wants of another power: it comes to nothing unless that power agrees.

    Args:
        power: who is asked.
        what: the question, for that power.
        answer: the canonical order by which it agrees.
    """

    power: PowerId
    what: Phrase
    answer: str


@runtime_checkable
class NeedsConsent(Protocol):
    """What a system may fulfil besides: some of its orders need another power's, which is then asked for it."""

    def requests(self, view: Any, orders: Sequence[Any]) -> tuple[Request, ...]:
        """What the orders ask of others; whoever gives such an order wants these others to know of it."""


@runtime_checkable
class EndsByConsent(Protocol):
    """What a system may fulfil besides: some players' consent, or the game master's, ends a game that has a winner."""

    def consent_needed(self, state: Any) -> int:
        """How many players must agree; where fewer are in the game, all of them."""

    def leaders(self, state: Any) -> tuple[PowerId, ...]:
        """Who wins if the game ends so now, in seat order."""


def leaders_of(rules: object, state: object) -> tuple[PowerId, ...]:
    """Who wins a game that is ended as it stands; nobody, where a system has no rule for it."""
    return rules.leaders(state) if isinstance(rules, EndsByConsent) else ()


@dataclass(frozen=True, slots=True)
class Duellist:
    """Somebody of a player's for whom a number may be sent in secret, in case of a duel.

    Args:
        name: as orders name it (`H ZY`).
        rivals: whose it could meet in this phase; nobody's: a number may be sent all the same.
        order: the canonical order that says its number; empty while none was sent.
        blank: the beginning of such an order, to be filled in.
    """

    name: str
    rivals: tuple[PowerId, ...]
    order: str
    blank: str


@runtime_checkable
class FightsDuels(Protocol):
    """What a system may fulfil besides: duels are decided by numbers that both sides send with their orders."""

    def duellists(self, view: Any, orders: Sequence[Any]) -> tuple[Duellist, ...]:
        """Those for whom the viewer may send a number now, in map order; with the orders given so far."""


@runtime_checkable
class FilesProphecies(Protocol):
    """What a system may fulfil besides: with the orders of a phase others may be filed for the phases after it."""

    def is_prophecy(self, order: Any) -> bool:
        """Whether an order is for a later phase."""

    def filed(self, view: Any) -> tuple[str, ...]:
        """The canonical texts of what the viewer filed in an earlier phase and is still in force."""

    def prophecies(self, view: Any) -> tuple[str, ...]:
        """Canonical texts of prophecies that the viewer could file now, to choose from; none where it can't be done."""


class CardDeed(StrEnum):
    """What is done with cards: played from the hand, or what their carriers do with them."""

    CAST = "cast"
    GIVE = "give"


@runtime_checkable
class HoldsCards(Protocol):
    """What a system with secret cards can do besides. Views are its own, as everywhere."""

    def hand(self, view: Any) -> Hand | None:
        """The viewer's cards; `None` for whoever can't hold any."""

    def card_orders(self, view: Any, deed: CardDeed) -> tuple[str, ...]:
        """The canonical texts of the legal orders for cards."""

    def card_path(self, view: Any, deed: CardDeed) -> tuple[str, ...]:
        """The choices of the guided flow that lead to these orders; empty where there are none."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What would become of one line of a sheet if the phase closed now.

    Args:
        line: its number; 0: what concerns no single line.
        part: of an order of several parts, from 1; `None`: the whole line.
        parts: how many the order has.
        code: the system's word for it; `ok` where nothing is to be said.
        level: `ok`, `warning` (it would be carried out otherwise than it says) or `error` (it would fail).
        what: why, for the player; of an error the phrase `error.<code>`.
        is_likely: whether others may still change it.
        notes: what it costs, what is left then, where it ends.
        is_impossible: whether it names what there is not, so that it would fail whatever else happens.
        hints: up to three orders that may be meant instead, best first.
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
        """The part to be named in words: an order of one part needs no number for it."""
        return self.part if self.parts > 1 else None

    def as_error(self, read: ReadOrder[Any]) -> OrderError:
        """The failure that is foreseen, as an error where the order stands."""
        return OrderError(read.line, read.column, read.end, read.text, self.code, self.what.args, self.hints)


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A sheet carried out on trial: at least one forecast for each line, by line, and what is left in the end."""

    lines: tuple[Forecast, ...]
    left: tuple[Phrase, ...] = ()


@runtime_checkable
class Rehearses(Protocol):
    """What a system may fulfil besides: it carries out a sheet on trial. There `check` refuses nothing, and an order
    that would fail stands all the same: when its turn comes the position may be another. Only single orders that are
    impossible are not put into a sheet."""

    def rehearse(self, view: Any, orders: Sequence[ReadOrder[Any]]) -> Rehearsal:
        """What would become of the viewer's orders now, by what the viewer may know."""


@runtime_checkable
class TellsLines(Protocol):
    """What a system may fulfil besides: its results tell of the lines of sheets, in a JSON form of their own."""

    def result_rows(
        self,
        view: Any,
        results: Sequence[OrderResult],
        refused: Mapping[PowerId, Sequence[OrderError]],
        say: Callable[[Phrase], str],
    ) -> list[dict[str, Any]]:
        """The results as `adjudicate --json` gives them, lines refused in reading among them. `say` has the words."""

    def failures(self, results: Sequence[OrderResult]) -> Mapping[PowerId, tuple[OrderError, ...]]:
        """The lines that stood and failed, as errors."""


class Treaty(StrEnum):
    """A dealing with another power."""

    ALLY = "ally"
    DONATE = "donate"
    CEDE = "cede"


@runtime_checkable
class MakesTreaties(Protocol):
    """What a system may fulfil besides: dealings with other powers are orders, and have commands of their own."""

    def treaty(self, view: Any, treaty: Treaty, other: str, what: str) -> str:
        """The text of the order.

        Args:
            other: the power that it is made with, by name, id or number, as it was written.
            what: how close an alliance is, how much is given, or which place is ceded.
        """

    def partners(self, view: Any) -> tuple[Choice, ...]:
        """The powers that the viewer may deal with, in seat order; each `value` can stand for `other`."""

    def places_to_cede(self, view: Any) -> tuple[Choice, ...]:
        """The places that the viewer could cede, in map order; each `value` can stand for `what`."""


@runtime_checkable
class TakesEdits(Protocol):
    """What a system may fulfil besides: a game master may change a position, which everybody is told."""

    def edit_forms(self, state: Any) -> tuple[str, ...]:
        """How each change is written in this game, for completion and hints."""

    def edit(self, state: Any, text: str) -> Any:
        """The same game with a change. It sees the State.

        Raises:
            DocumentError: the text is no change, or it would make a position that can't be.
        """

    def edit_text(self, text: str) -> str:
        """The words in which the change is told everywhere; they are the same change."""

    def edits_told(self, events: Sequence[Event]) -> tuple[str, ...]:
        """The changes, in these words, that the report of a phase with such events tells of by itself."""

    def edit_advice(self, before: Any, after: Any) -> Phrase | None:
        """What a game master should know of a change that was just made; `None`: nothing. It sees the States."""
