"""What the services need of the world, as protocols. Adapters fulfil them: storage, renderer, schedule, client."""

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
from engine.core.ids import PowerId

P = ParamSpec("P")
T = TypeVar("T")


class GameRepository(Protocol):
    """Games, and the seats in them.

    Of a single game whatever can't be read raises `DamagedGame`, here and in the other repositories.
    """

    def add(self, game: Game) -> Game:
        """Store a new game; the returned one has its id, and a token that no other game has if it came without."""

    def find(self, game_id: GameId) -> Game | None:
        """The game, or `None`. Unless the unit of work only reads, its row is held until that ends: nobody else changes
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

        Else do nothing: `False`.
        One UPDATE … WHERE phase_no = n: of any number of callers exactly one gets `True`.
        """

    def in_guild(self, guild_id: int) -> Sequence[Game]:
        """The games of a server, newest first; without documents (`document=None`)."""

    def in_channel(self, channel_id: int) -> Sequence[Game]:
        """The games of a channel, newest first; without documents."""

    def of_user(self, user_id: UserId) -> Sequence[Game]:
        """The games in which a user has a seat and which are not over, by deadline; without documents."""

    def finished_of_user(self, user_id: UserId) -> Sequence[Game]:
        """The games in which a user has a seat and which are over or cancelled, the last first; without documents."""

    def due(self, now: datetime) -> Sequence[tuple[GameId, int]]:
        """Running games whose deadline has passed: ids and phase numbers, most overdue first. Uses an index.

        Those whose closing failed are left out until it may be tried again.
        """

    def to_retry(self, now: datetime) -> Sequence[tuple[GameId, int]]:
        """Running games whose closing failed and may be tried again: ids and phase numbers, longest waiting first."""

    def to_remind(self, now: datetime) -> Sequence[tuple[GameId, int]]:
        """Running games whose `remind_at` has come: ids and phase numbers, longest waiting first. Uses an index."""

    def deadlines(self) -> Sequence[tuple[GameId, int, datetime]]:
        """Running games with a deadline, by deadline: id, phase number, deadline."""

    def players(self) -> Sequence[UserId]:
        """Everybody with a seat in a game that runs or is paused, once; by the first deadline of their games."""

    def left_out(self) -> Sequence[LeftOut]:
        """The games that the lists of this unit of work have left out so far, since they can't be read."""

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
    """Closed phases. They are added, and marked undone, but never changed."""

    def add(self, record: PhaseRecord) -> None:
        """Store a closed phase."""

    def find(self, game_id: GameId, phase_no: int) -> PhaseRecord | None:
        """One closed phase."""

    def of_game(self, game_id: GameId) -> Sequence[PhaseRecord]:
        """All closed phases in order, undone ones among them."""

    def codes(self, game_id: GameId) -> Sequence[tuple[int, str]]:
        """Numbers and codes of the closed phases that are not undone, in order; cheap."""

    def number_before(self, game_id: GameId, phase_no: int) -> int:
        """The number of the phase that was closed before this one, undone or not; 0: none was. Cheap."""

    def mark_undone(self, game_id: GameId, *, from_phase_no: int) -> None:
        """Mark this phase and all later ones undone."""


class ActRepository(Protocol):
    """What changed positions between closings. Acts are added, never changed."""

    def add(self, act: Act) -> None:
        """Store an act."""

    def of_game(self, game_id: GameId) -> Sequence[Act]:
        """All acts of a game, by phase and number, those in phases that were undone among them."""


class OutboxRepository(Protocol):
    """Messages to send."""

    def add(self, message: Outgoing) -> Outgoing:
        """Queue a message; the returned one has its id."""

    def pending(self, now: datetime, *, limit: int = 50) -> Sequence[Outgoing]:
        """What may be tried now, as queued; a message waits for earlier ones of its game to the same target."""

    def update(self, message: Outgoing) -> None:
        """Store how the delivery stands."""

    def update_all(self, messages: Sequence[Outgoing]) -> None:
        """Store how the deliveries of several messages stand, at once."""

    def find(self, message_id: int) -> Outgoing | None:
        """One message by its outbox id."""

    def last_of_phase(self, game_id: GameId, phase_no: int, kinds: Collection[str]) -> Outgoing | None:
        """The last message of a phase that is of one of these kinds and no change of another one."""

    def has_later_edit(self, message: Outgoing) -> bool:
        """Whether another change of what this one changes waits to be made."""

    def of_game(
        self, game_id: GameId, *, delivery: Delivery | None = None, kind: str | None = None
    ) -> Sequence[Outgoing]:
        """A game's messages, oldest first; those that stand so, and are of this kind, if it is given."""


class BallotRepository(Protocol):
    """Votes of the present phase."""

    def cast(self, ballot: Ballot) -> None:
        """Add or replace a seat's vote of this kind."""

    def of_phase(self, game_id: GameId, phase_no: int) -> Sequence[Ballot]:
        """All votes of a phase, by power and kind."""

    def propose(self, proposal: Proposal) -> None:
        """Store what is voted on; what has been proposed in the phase already stays as it was proposed."""

    def proposals(self, game_id: GameId, phase_no: int) -> Sequence[Proposal]:
        """All that was proposed in a phase, by kind and winner."""


class FactRepository(Protocol):
    """Facts about the database as a whole, by name."""

    def find(self, name: str) -> str | None:
        """The value, or `None`."""

    def swap(self, name: str, old: str | None, new: str) -> bool:
        """Store a value if the stored one is the old one (`None`: there is none); else do nothing, `False`.

        Of any number of callers with the same old value exactly one gets `True`.
        """


class MailboxRepository(Protocol):
    """What was seen to of direct messages."""

    def find(self, user_id: UserId) -> Mailbox | None:
        """A person's, or `None` if none was ever kept."""

    def save(self, mailbox: Mailbox) -> None:
        """Add or replace a person's."""


class NoticesRepository(Protocol):
    """What people do not want to be told."""

    def off(self, user_id: UserId) -> Set[str]:
        """The kinds of notices that a person has turned off."""

    def save(self, user_id: UserId, off: Set[str]) -> None:
        """Store them."""


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
        """Make everything done in this block lasting, at once.

        Raises:
            StorageUnavailable: the database stayed locked or away through all retries; nothing was changed.
        """


class UnitOfWorkFactory(Protocol):
    """Opens units of work."""

    def __call__(self, *, reading: bool = False) -> UnitOfWork:
        """A unit of work, to be entered.

        Args:
            reading: it shows the database as it was at one moment; it waits for nobody and holds up nobody. Whatever
                would change something raises `ReadsOnly`.
        """


class ReadsOnly(Exception):
    """A unit of work that only reads was told to change something. It hasn't."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A game whose record can't be read, as far as it can."""

    id: GameId
    channel_id: int
    name: str


class DamagedGame(Exception):
    """What is stored of a game can't be read. It is left out of lists; whoever asks for it alone gets this."""

    def __init__(self, game_id: GameId) -> None:
        super().__init__(f"game {game_id}")
        self.game_id = game_id


class StorageUnavailable(Exception):
    """The database is locked or gone, and stayed so through every retry. What was asked has not been done."""


class Clock(Protocol):
    """What time it is."""

    def now(self) -> datetime:
        """Aware UTC."""


class Alarm(Protocol):
    """Rings when a phase is due: it only says so, any number of times; the sweep would find it anyway."""

    def set(self, game_id: GameId, phase_no: int, at: datetime) -> None:
        """Ring at a time; a later call for the same game replaces it."""

    def cancel(self, game_id: GameId) -> None:
        """Don't ring for this game."""

    def mail(self) -> None:
        """Messages were queued: whoever sends them may look now."""


class Renderer(Protocol):
    """Draws scenes, hands of cards, charts and films. Slow (tenths of a second): never call it on the event loop."""

    def draw(self, shown: Depiction, /, *, width_px: int | None = None, with_key: bool = False) -> Picture:
        """The picture of a scene or a hand; `with_key` adds a legend and a key.

        Raises:
            WorkFailed: it can't be drawn within the limits of a job.
        """


class Workers(Protocol):
    """Does what takes long, where it is in nobody's way."""

    def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """What a function gives for these arguments. Blocks until it is done: never call it on the event loop.

        Args:
            work: a function of a module, which depends on nothing but its arguments. They may cross to another process,
                and what it returns back: values, documents and the rules of games do, repositories don't.

        Raises:
            WorkFailed: it took too much time or memory. What the function raises comes through.
        """

    def run_here(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """The same for what is known to be short: it is done in this process, and doesn't wait for what is long."""


class WorkFailed(Exception):
    """A job was ended before it was done; the text says why, and holds nothing of the job itself."""


class WorkersStopped(WorkFailed):
    """The bot ends, and its workers do no more jobs."""


Json = Mapping[str, Any]
