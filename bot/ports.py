"""What the services need from outside, as protocols. Adapters implement them: storage, renderer, schedule, client."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Any, ParamSpec, Protocol, Self, TypeVar

from bot.model import (
    Act,
    Ballot,
    Delivery,
    Game,
    GameId,
    Mailbox,
    Outgoing,
    PhaseRecord,
    Picture,
    Proposal,
    Seat,
    StoredSheet,
    UserId,
)
from engine.core.depiction import Depiction
from engine.core.ids import PowerId, SystemId

P = ParamSpec("P")
T = TypeVar("T")


class GameRepository(Protocol):
    """Games, and the seats in them.

    A single game that can't be read raises `DamagedGame`, here and in the other repositories.
    """

    def add(self, game: Game) -> Game:
        """Store a new game; the returned one has its id, and a unique token if it came without one."""

    def find(self, game_id: GameId) -> Game | None:
        """The game, or `None`. Unless the unit of work only reads, its row is locked until that ends: nobody can change
        the game meanwhile.
        """

    def find_by_token(self, token: str) -> GameId | None:
        """The game that a token names, or `None`."""

    def update(self, game: Game) -> None:
        """Store every field but the scenario and the token, which never change, and those of the phase.

        These are `document`, `phase_no`, `phase_code`, `phase_title`, `opened_at`, `deadline_at`, `time_left_s` and
        `remind_at`: only `advance` changes them.
        """

    def advance(self, game: Game, *, expected_phase_no: int) -> bool:
        """Store every field but the scenario and the token if the stored `phase_no` is the expected one.

        Otherwise do nothing: `False`.
        One UPDATE … WHERE phase_no = n: of any number of callers exactly one gets `True`.
        """

    def in_guild(self, guild_id: int) -> Sequence[Game]:
        """The games of a server, newest first; without documents (`document=None`)."""

    def in_channel(self, channel_id: int) -> Sequence[Game]:
        """The games of a channel, newest first; without documents."""

    def of_user(self, user_id: UserId) -> Sequence[Game]:
        """The games in which a user has a seat and which are not over, by deadline; without documents."""

    def finished_of_user(self, user_id: UserId) -> Sequence[Game]:
        """The games in which a user has a seat and which are over or cancelled, latest first; without documents."""

    def due(self, now: datetime) -> Sequence[tuple[GameId, int]]:
        """Running games whose deadline has passed: ids and phase numbers, most overdue first. Uses an index.

        Games whose closing failed are left out until it may be tried again.
        """

    def to_retry(self, now: datetime) -> Sequence[tuple[GameId, int]]:
        """Running games whose closing failed and may be tried again: ids and phase numbers, longest waiting first."""

    def to_remind(self, now: datetime) -> Sequence[tuple[GameId, int]]:
        """Running games whose `remind_at` has come: ids and phase numbers, longest waiting first. Uses an index."""

    def deadlines(self) -> Sequence[tuple[GameId, int, datetime]]:
        """Running games with a deadline, by deadline: id, phase number, deadline."""

    def players(self) -> Sequence[UserId]:
        """Everybody with a seat in a game that is running or paused, once; by the first deadline of their games."""

    def systems(self) -> frozenset[SystemId]:
        """What is played: the systems of all games that are not over."""

    def left_out(self) -> Sequence[LeftOut]:
        """The games that the lists of this unit of work have left out so far because they can't be read."""

    def seats(self, game_id: GameId) -> Sequence[Seat]:
        """The seats of a game by number."""

    def save_seat(self, seat: Seat) -> None:
        """Add a seat, or replace the one with its game and number."""

    def remove_seat(self, game_id: GameId, number: int) -> None:
        """Take a seat away (in the lobby)."""


class SheetRepository(Protocol):
    """Order sheets of phases that are open."""

    def find(self, game_id: GameId, phase_no: int, power: PowerId) -> StoredSheet | None:
        """The sheet, or `None` when nothing was sent."""

    def of_phase(self, game_id: GameId, phase_no: int) -> Mapping[PowerId, StoredSheet]:
        """All sheets of a phase, by power."""

    def save(self, sheet: StoredSheet) -> None:
        """Add or replace a sheet."""


class PhaseRepository(Protocol):
    """Closed phases. They are added, and marked as undone, but never changed otherwise."""

    def add(self, record: PhaseRecord) -> None:
        """Store a closed phase."""

    def find(self, game_id: GameId, phase_no: int) -> PhaseRecord | None:
        """One closed phase."""

    def of_game(self, game_id: GameId) -> Sequence[PhaseRecord]:
        """All closed phases in order, including undone ones."""

    def codes(self, game_id: GameId) -> Sequence[tuple[int, str]]:
        """Numbers and codes of the closed phases that are not undone, in order; cheap."""

    def number_before(self, game_id: GameId, phase_no: int) -> int:
        """The number of the phase that was closed before this one, undone or not; 0: there was none. Cheap."""

    def mark_undone(self, game_id: GameId, *, from_phase_no: int) -> None:
        """Mark this phase and all later ones as undone."""


class ActRepository(Protocol):
    """What changed positions between closings. Acts are added, never changed."""

    def add(self, act: Act) -> None:
        """Store an act."""

    def of_game(self, game_id: GameId) -> Sequence[Act]:
        """All acts of a game, by phase and number, including those in phases that were undone."""


class OutboxRepository(Protocol):
    """Messages to send."""

    def add(self, message: Outgoing) -> Outgoing:
        """Queue a message; the returned one has its id."""

    def pending(self, now: datetime, *, limit: int = 50) -> Sequence[Outgoing]:
        """The messages that may be tried now, in order; each waits for earlier ones of its game to the same target."""

    def update(self, message: Outgoing) -> None:
        """Store the state of the delivery."""

    def update_all(self, messages: Sequence[Outgoing]) -> None:
        """Store the state of the deliveries of several messages, at once."""

    def find(self, message_id: int) -> Outgoing | None:
        """One message by its outbox id."""

    def last_of_phase(self, game_id: GameId, phase_no: int, kinds: Collection[str]) -> Outgoing | None:
        """The last message of a phase that is of one of these kinds and is not a change of another one."""

    def has_later_edit(self, message: Outgoing) -> bool:
        """Whether another change of the same message is waiting."""

    def of_game(
        self, game_id: GameId, *, delivery: Delivery | None = None, kind: str | None = None
    ) -> Sequence[Outgoing]:
        """A game's messages, oldest first; if given, only those in this state and of this kind."""


class BallotRepository(Protocol):
    """Votes of the present phase."""

    def cast(self, ballot: Ballot) -> None:
        """Add or replace a seat's vote of this kind."""

    def of_phase(self, game_id: GameId, phase_no: int) -> Sequence[Ballot]:
        """All votes of a phase, by power and kind."""

    def propose(self, proposal: Proposal) -> None:
        """Store what is voted on; what was already proposed in the phase stays as it was proposed."""

    def proposals(self, game_id: GameId, phase_no: int) -> Sequence[Proposal]:
        """Everything that was proposed in a phase, by kind and winner."""


class FactRepository(Protocol):
    """Facts about the database as a whole, by name."""

    def find(self, name: str) -> str | None:
        """The value, or `None`."""

    def swap(self, name: str, old: str | None, new: str) -> bool:
        """Store a value if the stored one is the old one (`None`: there is none); otherwise do nothing, `False`.

        Of any number of callers with the same old value, exactly one gets `True`.
        """


class MailboxRepository(Protocol):
    """Which direct messages were handled."""

    def find(self, user_id: UserId) -> Mailbox | None:
        """A person's record, or `None` if there never was one."""

    def save(self, mailbox: Mailbox) -> None:
        """Add or replace a person's record."""


class NoticesRepository(Protocol):
    """What people don't want to be told."""

    def off(self, user_id: UserId) -> Set[str]:
        """The kinds of notices that a person has turned off."""

    def save(self, user_id: UserId, off: Set[str]) -> None:
        """Store which kinds of notices a person has turned off, in place of those stored before."""


class UnitOfWork(Protocol):
    """One transaction. Leaving the block without `commit` rolls everything back."""

    games: GameRepository
    sheets: SheetRepository
    phases: PhaseRepository
    acts: ActRepository
    outbox: OutboxRepository
    ballots: BallotRepository
    facts: FactRepository
    mailboxes: MailboxRepository
    notices: NoticesRepository

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def commit(self) -> None:
        """Make everything done in this block permanent, at once.

        Raises:
            StorageUnavailable: the database stayed locked or away through all retries; nothing was changed.
        """


class UnitOfWorkFactory(Protocol):
    """Opens units of work."""

    def __call__(self, *, reading: bool = False) -> UnitOfWork:
        """A unit of work, to be entered.

        Args:
            reading: it shows the database as it was at one moment; it waits for nobody and holds up nobody. What
                would change something raises `ReadsOnly`.
        """


class ReadsOnly(Exception):
    """A unit of work that only reads was told to change something. It didn't."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What can be read of a game whose record is damaged."""

    id: GameId
    channel_id: int
    name: str


class DamagedGame(Exception):
    """A game's record can't be read. It is left out of lists; asking for it alone raises this."""

    def __init__(self, game_id: GameId) -> None:
        super().__init__(f"game {game_id}")
        self.game_id = game_id


class StorageUnavailable(Exception):
    """The database is locked or gone, and stayed so through all retries. What was asked for has not been done."""


class Clock(Protocol):
    """Knows what time it is."""

    def now(self) -> datetime:
        """Aware UTC."""


class Alarm(Protocol):
    """Rings when a phase is due: that is only a signal, and may come any number of times; the sweep finds it anyway."""

    def set(self, game_id: GameId, phase_no: int, at: datetime) -> None:
        """Ring at a time; a later call for the same game replaces it."""

    def cancel(self, game_id: GameId) -> None:
        """Don't ring for this game."""

    def mail(self) -> None:
        """Messages were queued: the announcer may look now."""


class Renderer(Protocol):
    """Draws scenes, hands of cards, charts and films. Slow (tenths of a second): never call it on the event loop."""

    def draw(self, shown: Depiction, /, *, width_px: int | None = None, with_key: bool = False) -> Picture:
        """The picture of a scene or a hand; `with_key` adds a legend and a key.

        Raises:
            WorkFailed: it can't be drawn within the limits of a job.
        """


class Workers(Protocol):
    """Does long jobs where they are in nobody's way."""

    def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """What a function returns for these arguments. Blocks until it is done: never call it on the event loop.

        Args:
            work: a module's function that depends only on its arguments. They may be passed to another process,
                and its result back: values, documents and the rules of games can be, repositories can't.

        Raises:
            WorkFailed: it took too much time or memory. Exceptions of the function are passed on.
        """

    def run_here(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """The same for jobs known to be short: they are done in this process, and don't wait for long ones."""


class WorkFailed(Exception):
    """A job was ended before it was done; the text says why, and contains nothing of the job itself."""


class WorkersStopped(WorkFailed):
    """The bot is stopping, and its workers accept no more jobs."""


Json = Mapping[str, Any]
