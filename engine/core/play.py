"""The game itself, from its first position to its end. Everything here sees the State."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from engine.core.dice import Dice, Roll
from engine.core.events import Event
from engine.core.ids import PowerId
from engine.core.orders import O
from engine.core.outcome import OrderResult
from engine.core.phrases import Phrase
from engine.core.sight import S
from engine.core.variant import Variant

_S_co = TypeVar("_S_co", covariant=True)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Over:
    """The end of a game: who won, in seat order, and why it ended."""

    winners: tuple[PowerId, ...]
    why: Phrase

    @classmethod
    def of(cls, powers: Iterable[PowerId], winners: Collection[PowerId], why: Phrase) -> Over:
        """The end of a game whose powers are given in seat order, and whose winners in any."""
        return cls(tuple(power for power in powers if power in winners), why)


@dataclass(frozen=True, slots=True)
class Status:
    """Where a game stands; public.

    Args:
        code: short, sortable and unique within a game: `S1901M`.
        title: the phase in words.
        kind: the system's word for the kind of phase (`movement`, `retreats`), by which phase lengths are set.
        to_act: powers with something to decide in this phase, in seat order. If there are none, it passes at once.
        out: powers that take no further part.
        over: how it ended; `None` while it runs.
        may_negotiate: whether the rules let players talk about the game in this phase.
        places: powers that are kept for players who come later, in seat order: no player is assigned to them at random.
        is_by_invitation: a player who wants one of the places, or a power that nobody plays, has to ask a game master.
    """

    code: str
    title: Phrase
    kind: str
    to_act: tuple[PowerId, ...]
    out: tuple[PowerId, ...] = ()
    over: Over | None = None
    may_negotiate: bool = True
    places: tuple[PowerId, ...] = ()
    is_by_invitation: bool = False

    @property
    def winners(self) -> tuple[PowerId, ...] | None:
        """Who won a game that is over, in seat order; `None` while it runs."""
        return None if self.over is None else self.over.winners

    @property
    def why_over(self) -> Phrase | None:
        """Why the game ended; `None` while it runs."""
        return None if self.over is None else self.over.why

    @property
    def may_be_joined(self) -> bool:
        """Whether anybody may take over a power that nobody plays, without asking."""
        return not self.is_by_invitation


@dataclass(frozen=True, slots=True)
class Resolution(Generic[S, O]):
    """A phase adjudicated.

    Args:
        state: the start of the next phase.
        results: one for each order that counted, including defaults for missing orders; in map order.
        events: what else happened, in the order of the report.
        dislodged: JSON rows as `adjudicate --json` prints them, for systems that have dislodged units; otherwise empty.
        rolls: the rolls of the dice, in the order rolled, if they are recorded (`Dice.logged`). Only for masters.
    """

    state: S
    results: tuple[OrderResult[O], ...]
    events: tuple[Event, ...]
    dislodged: tuple[Mapping[str, Any], ...] = ()
    rolls: tuple[Roll, ...] = ()


class Start(Protocol[_S_co]):
    """Makes first positions."""

    def __call__(self, *, variant: str, players: int, options: Mapping[str, Any], seed: str) -> _S_co:
        """A new game at its first phase.

        Raises:
            DocumentError: an unknown variant, option or value, or a number of players that the system can't seat.
        """


def _nobody(state: object) -> tuple[PowerId, ...]:
    return ()


def _unchanged(state: _T) -> _T:
    return state


@dataclass(frozen=True, slots=True, kw_only=True)
class Play(Generic[S, O]):
    """How a game is played. All functions are pure; none reads a clock or uses any chance except `Dice`."""

    start: Start[S]
    """A new game at its first phase."""

    sketch: Start[S] | None = None
    """The same powers and status as `start` gives, for use before a game begins; `None`: `start` is quick."""

    load: Callable[[Mapping[str, Any]], S]
    """The game of a game.json document; whatever it leaves out has its default.

    Raises:
        DocumentError: where and what is wrong with it.
    """

    dump: Callable[[S], dict[str, Any]]
    """The game.json document of a game; `load` reads it back to an equal state."""

    variant: Callable[[S], Variant]
    """The whole map and all powers of a game. What viewers may know of them comes from `Sight.atlas`."""

    status: Callable[[S], Status]
    """Where the game stands."""

    dice: Callable[[S], Dice]
    """The dice of the present phase, from the game's seed."""

    adjudicate: Callable[[S, Mapping[PowerId, Sequence[O]], Dice], Resolution[S, O]]
    """Carry out the orders of a phase, by power.

    Total: a power without a sheet, and a unit without an order, does the system's default; an order that
    can't be given is ignored as if it had not been sent. Neither the order of the powers nor that of independent
    orders matters. The sheets should hold what `check` accepted.
    """

    excused: Callable[[S], S] = _unchanged
    """The position of a phase that counts as missed for nobody, for `adjudicate`: the host was away, or a game master
    cut the phase short. No document holds it. Rules that don't count missed phases leave the position as it is.
    """

    end: Callable[[S, Sequence[PowerId], Phrase], S]
    """The game ended by agreement (a draw, a concession, the game master): the same position, over."""

    leaders: Callable[[S], tuple[PowerId, ...]] = _nobody
    """Who wins a game that is ended as it stands, in seat order; nobody unless the rules say who."""

    consent_needed: Callable[[S], int] | None = None
    """How many players must agree to end the game as it stands; if fewer are in the game, all of them.

    `None`: the rules have no such end.
    """


class StartFrom(Protocol[_S_co]):
    """Makes first positions from scenarios."""

    def __call__(
        self, scenario: Mapping[str, Any], /, *, players: int | None, options: Mapping[str, Any], seed: str
    ) -> _S_co:
        """A new game as a scenario sets it up. Options that are given take precedence over the scenario's.

        Args:
            players: how many play; `None` leaves it to the scenario.

        Raises:
            DocumentError: where and what is wrong with the scenario, or it is for another number of players.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenarios(Generic[S]):
    """A game can start from somebody's own scenario.

    A scenario is a JSON object. Whatever else it contains, `name` is what it is called and `about` what people should
    know about it; both may be left out.
    """

    start: StartFrom[S]
    """A new game as a scenario sets it up."""

    has_own_map: Callable[[Mapping[str, Any]], bool]
    """Whether it includes its board, so that it can be looked at before there is a seed."""
