"""The ports in memory, for tests of the services: a storage with real transactions, a set clock, and recorders.

`FakeStorage` keeps the promises that the SQL storage is held to by the same port tests. `crash_before` makes it die at
the n-th statement, as a process might.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping, Sequence, Set
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Any, Self

from bot.model import (
    Act,
    Ballot,
    BallotKind,
    Delivery,
    Game,
    GameId,
    GameStatus,
    Mailbox,
    Outgoing,
    PhaseRecord,
    Picture,
    Proposal,
    Seat,
    StoredSheet,
    Target,
    UserId,
    has_come,
)
from bot.ports import (
    ActRepository,
    BallotRepository,
    FactRepository,
    GameRepository,
    LeftOut,
    MailboxRepository,
    NoticesRepository,
    OutboxRepository,
    PhaseRepository,
    ReadsOnly,
    SheetRepository,
    StorageUnavailable,
    UnitOfWork,
    UnitOfWorkFactory,
)
from engine.core.depiction import Depiction
from engine.core.ids import PowerId, SystemId

GOING = frozenset({GameStatus.LOBBY, GameStatus.RUNNING, GameStatus.PAUSED})


class Crash(BaseException):
    """The process dies here. No `except Exception` may catch it."""


@dataclass
class Tables:
    """Everything stored. Values are frozen, so a shallow copy of each table is a snapshot."""

    games: dict[GameId, Game] = field(default_factory=dict)
    seats: dict[tuple[GameId, int], Seat] = field(default_factory=dict)
    sheets: dict[tuple[GameId, int, PowerId], StoredSheet] = field(default_factory=dict)
    phases: dict[tuple[GameId, int], PhaseRecord] = field(default_factory=dict)
    acts: dict[tuple[GameId, int, int], Act] = field(default_factory=dict)
    outbox: dict[int, Outgoing] = field(default_factory=dict)
    ballots: dict[tuple[GameId, int, PowerId, BallotKind], Ballot] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)
    mailboxes: dict[UserId, Mailbox] = field(default_factory=dict)
    notices: dict[UserId, frozenset[str]] = field(default_factory=dict)
    proposals: dict[tuple[GameId, int, BallotKind, str], Proposal] = field(default_factory=dict)
    last_game_id: int = 0
    last_message_id: int = 0

    def snapshot(self) -> Tables:
        """An independent copy."""
        changed = copy(self)
        for name in (
            "games", "seats", "sheets", "phases", "acts", "outbox", "ballots", "proposals", "facts", "mailboxes",
            "notices",
        ):  # fmt: skip
            setattr(changed, name, dict(getattr(self, name)))
        return changed


class FakeStorage:
    """A database in memory. Units of work of several threads follow one another, as with SQLite.

    Attributes:
        statements: how many reads, writes and commits there were.
        crash_before: the number of the statement (from 1) at which the process dies; `None`: it lives.
        is_away: every unit of work fails as if the database could not be reached.
    """

    def __init__(self) -> None:
        self.tables = Tables()
        self.statements = 0
        self.crash_before: int | None = None
        self.is_away = False
        self.lock = threading.Lock()
        self._here = threading.local()

    def unit_of_work(self, *, reading: bool = False) -> FakeUnitOfWork:
        """Open a unit of work; never inside another one of the same thread."""
        return FakeUnitOfWork(self, reading=reading)

    def count(self) -> None:
        """One statement more; here the crash happens."""
        self.statements += 1
        if self.crash_before is not None and self.statements >= self.crash_before:
            raise Crash(f"at statement {self.statements}")

    @property
    def is_open_here(self) -> bool:
        """Whether this thread has a unit of work open."""
        return getattr(self._here, "is_open", False)

    def take(self, *, reading: bool) -> None:
        """Wait for one's turn, unless it is to read."""
        if self.is_open_here:
            raise RuntimeError("a unit of work inside a unit of work")
        if not reading:
            self.lock.acquire()
        self._here.is_open = True

    def give(self, *, reading: bool) -> None:
        """Let the next one in."""
        self._here.is_open = False
        if not reading:
            self.lock.release()


class FakeUnitOfWork:
    """Works on a snapshot, which `commit` makes the truth."""

    games: GameRepository
    sheets: SheetRepository
    phases: PhaseRepository
    acts: ActRepository
    outbox: OutboxRepository
    ballots: BallotRepository
    facts: FactRepository
    mailboxes: MailboxRepository
    notices: NoticesRepository

    def __init__(self, storage: FakeStorage, *, reading: bool = False) -> None:
        self.storage = storage
        self.reading = reading
        self.tables = Tables()

    def __enter__(self) -> Self:
        if self.storage.is_away:
            raise StorageUnavailable("the database is away")
        self.storage.take(reading=self.reading)
        self.tables = self.storage.tables.snapshot()
        self.games = FakeGames(self)
        self.sheets = FakeSheets(self)
        self.phases = FakePhases(self)
        self.outbox = FakeOutbox(self)
        self.acts = FakeActs(self)
        self.ballots = FakeBallots(self)
        self.facts = FakeFacts(self)
        self.mailboxes = FakeMailboxes(self)
        self.notices = FakeNotices(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.storage.give(reading=self.reading)

    def commit(self) -> None:
        """Make the snapshot the truth, and go on with a new one."""
        if self.reading:
            return
        self.storage.count()
        self.storage.tables = self.tables
        self.tables = self.storage.tables.snapshot()

    def use(self) -> Tables:
        """The tables, for one statement."""
        self.storage.count()
        return self.tables

    def change(self) -> Tables:
        """The tables, for one statement that changes them."""
        if self.reading:
            raise ReadsOnly
        return self.use()


@dataclass
class _Repository:
    unit: FakeUnitOfWork

    @property
    def tables(self) -> Tables:
        return self.unit.use()

    @property
    def tables_to_change(self) -> Tables:
        return self.unit.change()


class FakeGames(_Repository):
    """Games and seats."""

    def add(self, game: Game) -> Game:
        _require_aware(game)
        tables = self.tables_to_change
        tables.last_game_id += 1
        token = game.token or f"game{tables.last_game_id}"
        if any(other.token == token for other in tables.games.values()):
            raise ValueError(f"{token} names another game")
        stored = replace(game, id=GameId(tables.last_game_id), token=token)
        tables.games[stored.id] = stored
        return stored

    def find(self, game_id: GameId) -> Game | None:
        return self.tables.games.get(game_id)

    def find_by_token(self, token: str) -> GameId | None:
        return next((game.id for game in self.tables.games.values() if game.token == token), None)

    def update(self, game: Game) -> None:
        _require_aware(game)
        games = self.tables_to_change.games
        stored = games.get(game.id)
        if stored is not None:
            games[game.id] = replace(
                game,
                scenario=stored.scenario,
                token=stored.token,
                has_numbered_buttons=stored.has_numbered_buttons,
                document=stored.document,
                phase_no=stored.phase_no,
                phase_code=stored.phase_code,
                phase_title=stored.phase_title,
                opened_at=stored.opened_at,
                deadline_at=stored.deadline_at,
                time_left_s=stored.time_left_s,
                remind_at=stored.remind_at,
            )

    def advance(self, game: Game, *, expected_phase_no: int) -> bool:
        _require_aware(game)
        games = self.tables_to_change.games
        stored = games.get(game.id)
        if stored is None or stored.phase_no != expected_phase_no:
            return False
        games[game.id] = replace(
            game,
            scenario=stored.scenario,
            token=stored.token,
            has_numbered_buttons=stored.has_numbered_buttons,
        )
        return True

    def in_guild(self, guild_id: int) -> Sequence[Game]:
        return _newest_first(game for game in self.tables.games.values() if game.guild_id == guild_id)

    def in_channel(self, channel_id: int) -> Sequence[Game]:
        return _newest_first(game for game in self.tables.games.values() if game.channel_id == channel_id)

    def of_user(self, user_id: UserId) -> Sequence[Game]:
        games = [game for game in self._games_of(user_id) if game.status in GOING]
        games.sort(key=lambda game: (game.deadline_at is None, game.deadline_at, game.id))
        return tuple(map(_as_listed, games))

    def finished_of_user(self, user_id: UserId) -> Sequence[Game]:
        games = [game for game in self._games_of(user_id) if game.status not in GOING]
        games.sort(key=lambda game: (game.opened_at is not None, game.opened_at, game.id), reverse=True)
        return tuple(map(_as_listed, games))

    def _games_of(self, user_id: UserId) -> Sequence[Game]:
        ids = {seat.game_id for seat in self.tables.seats.values() if seat.user_id == user_id}
        return [self.tables.games[game_id] for game_id in ids]

    def due(self, now: datetime) -> Sequence[tuple[GameId, int]]:
        return tuple(
            (game_id, phase_no)
            for game_id, phase_no, deadline in self.deadlines()
            if deadline <= now and has_come(self.tables.games[game_id].retry_at or now, now)
        )

    def to_retry(self, now: datetime) -> Sequence[tuple[GameId, int]]:
        rows = [
            (game.retry_at, game.id, game.phase_no)
            for game in self.tables.games.values()
            if game.status is GameStatus.RUNNING and game.retry_at is not None and has_come(game.retry_at, now)
        ]
        return tuple((game_id, phase_no) for _, game_id, phase_no in sorted(rows))

    def to_remind(self, now: datetime) -> Sequence[tuple[GameId, int]]:
        rows = [
            (game.remind_at, game.id, game.phase_no)
            for game in self.tables.games.values()
            if game.status is GameStatus.RUNNING and game.remind_at is not None and game.remind_at <= now
        ]
        return tuple((game_id, phase_no) for _, game_id, phase_no in sorted(rows))

    def deadlines(self) -> Sequence[tuple[GameId, int, datetime]]:
        rows = [
            (game.deadline_at, game.id, game.phase_no)
            for game in self.tables.games.values()
            if game.status is GameStatus.RUNNING and game.deadline_at is not None
        ]
        return tuple((game_id, phase_no, deadline) for deadline, game_id, phase_no in sorted(rows))

    def players(self) -> Sequence[UserId]:
        tables = self.tables
        games = {game.id: game for game in tables.games.values() if game.status in GOING - {GameStatus.LOBBY}}
        first: dict[UserId, datetime] = {}
        for seat in tables.seats.values():
            if seat.user_id is not None and seat.game_id in games:
                deadline = games[seat.game_id].deadline_at or datetime.max.replace(tzinfo=UTC)
                first[seat.user_id] = min(deadline, first.get(seat.user_id, deadline))
        return tuple(sorted(first, key=lambda user_id: (first[user_id], user_id)))

    def systems(self) -> frozenset[SystemId]:
        return frozenset(game.system for game in self.tables.games.values() if game.status in GOING)

    def left_out(self) -> Sequence[LeftOut]:
        return ()

    def seats(self, game_id: GameId) -> Sequence[Seat]:
        return tuple(seat for key, seat in sorted(self.tables.seats.items()) if key[0] == game_id)

    def save_seat(self, seat: Seat) -> None:
        self.tables_to_change.seats[seat.game_id, seat.number] = seat

    def remove_seat(self, game_id: GameId, number: int) -> None:
        self.tables_to_change.seats.pop((game_id, number), None)


class FakeSheets(_Repository):
    """Order sheets."""

    def find(self, game_id: GameId, phase_no: int, power: PowerId) -> StoredSheet | None:
        return self.tables.sheets.get((game_id, phase_no, power))

    def of_phase(self, game_id: GameId, phase_no: int) -> Mapping[PowerId, StoredSheet]:
        rows = sorted(self.tables.sheets.items())
        return {power: sheet for (game, phase, power), sheet in rows if (game, phase) == (game_id, phase_no)}

    def save(self, sheet: StoredSheet) -> None:
        _require_aware(sheet)
        self.tables_to_change.sheets[sheet.game_id, sheet.phase_no, sheet.power] = sheet


class FakePhases(_Repository):
    """Closed phases."""

    def add(self, record: PhaseRecord) -> None:
        _require_aware(record)
        phases = self.tables_to_change.phases
        if (record.game_id, record.phase_no) in phases:
            raise ValueError(f"phase {record.phase_no} of game {record.game_id} is stored already")
        phases[record.game_id, record.phase_no] = record

    def find(self, game_id: GameId, phase_no: int) -> PhaseRecord | None:
        return self.tables.phases.get((game_id, phase_no))

    def of_game(self, game_id: GameId) -> Sequence[PhaseRecord]:
        return tuple(record for key, record in sorted(self.tables.phases.items()) if key[0] == game_id)

    def codes(self, game_id: GameId) -> Sequence[tuple[int, str]]:
        return tuple((record.phase_no, record.code) for record in self.of_game(game_id) if not record.is_undone)

    def number_before(self, game_id: GameId, phase_no: int) -> int:
        return max((number for game, number in self.tables.phases if game == game_id and number < phase_no), default=0)

    def mark_undone(self, game_id: GameId, *, from_phase_no: int) -> None:
        phases = self.tables_to_change.phases
        for key, record in list(phases.items()):
            if key[0] == game_id and key[1] >= from_phase_no:
                phases[key] = replace(record, is_undone=True)


class FakeOutbox(_Repository):
    """Messages to send."""

    def add(self, message: Outgoing) -> Outgoing:
        _require_aware(message)
        tables = self.tables_to_change
        tables.last_message_id += 1
        stored = replace(message, id=tables.last_message_id)
        tables.outbox[stored.id] = stored
        return stored

    def pending(self, now: datetime, *, limit: int = 50) -> Sequence[Outgoing]:
        heads: dict[tuple[GameId, Target, int], Outgoing] = {}
        for message in self.tables.outbox.values():
            if message.delivery is Delivery.PENDING:
                heads.setdefault((message.game_id, message.target, message.target_id), message)
        return tuple(message for message in heads.values() if has_come(message.not_before, now))[:limit]

    def update(self, message: Outgoing) -> None:
        _require_aware(message)
        outbox = self.tables_to_change.outbox
        if message.id in outbox:
            outbox[message.id] = message

    def update_all(self, messages: Sequence[Outgoing]) -> None:
        for message in messages:
            self.update(message)

    def find(self, message_id: int) -> Outgoing | None:
        return self.tables.outbox.get(message_id)

    def last_of_phase(self, game_id: GameId, phase_no: int, kinds: Collection[str]) -> Outgoing | None:
        found = [
            message
            for message in self.tables.outbox.values()
            if (message.game_id, message.phase_no) == (game_id, phase_no)
            and message.kind in kinds
            and not message.is_edit
        ]
        return found[-1] if found else None

    def has_later_edit(self, message: Outgoing) -> bool:
        same = (message.game_id, message.phase_no, message.kind)
        return any(
            other.is_edit and other.delivery is Delivery.PENDING and other.id > message.id
            for other in self.tables.outbox.values()
            if (other.game_id, other.phase_no, other.kind) == same
        )

    def of_game(
        self, game_id: GameId, *, delivery: Delivery | None = None, kind: str | None = None
    ) -> Sequence[Outgoing]:
        return tuple(
            message
            for message in self.tables.outbox.values()
            if message.game_id == game_id and delivery in (None, message.delivery) and kind in (None, message.kind)
        )


class FakeActs(_Repository):
    """What changed positions between closings."""

    def add(self, act: Act) -> None:
        acts, key = self.tables_to_change.acts, (act.game_id, act.phase_no, act.number)
        if key in acts:
            raise ValueError(f"{key} is another act")
        acts[key] = act

    def of_game(self, game_id: GameId) -> Sequence[Act]:
        return tuple(act for key, act in sorted(self.tables.acts.items()) if key[0] == game_id)


class FakeBallots(_Repository):
    """Votes."""

    def cast(self, ballot: Ballot) -> None:
        self.tables_to_change.ballots[ballot.game_id, ballot.phase_no, ballot.power, ballot.kind] = ballot

    def of_phase(self, game_id: GameId, phase_no: int) -> Sequence[Ballot]:
        rows = sorted(self.tables.ballots.items())
        return tuple(ballot for key, ballot in rows if key[:2] == (game_id, phase_no))

    def propose(self, proposal: Proposal) -> None:
        key = (proposal.game_id, proposal.phase_no, proposal.kind, proposal.winner or "")
        self.tables.proposals.setdefault(key, proposal)

    def proposals(self, game_id: GameId, phase_no: int) -> Sequence[Proposal]:
        rows = sorted(self.tables.proposals.items(), key=lambda row: row[0])
        return tuple(proposal for key, proposal in rows if key[:2] == (game_id, phase_no))


class FakeNotices(_Repository):
    """What people do not want to be told."""

    def off(self, user_id: UserId) -> Set[str]:
        return self.tables.notices.get(user_id, frozenset())

    def save(self, user_id: UserId, off: Set[str]) -> None:
        self.tables_to_change.notices[user_id] = frozenset(off)


class FakeMailboxes(_Repository):
    """What was seen to of direct messages."""

    def find(self, user_id: UserId) -> Mailbox | None:
        return self.tables.mailboxes.get(user_id)

    def save(self, mailbox: Mailbox) -> None:
        self.tables_to_change.mailboxes[mailbox.user_id] = mailbox


class FakeFacts(_Repository):
    """Facts about the storage."""

    def find(self, name: str) -> str | None:
        return self.tables.facts.get(name)

    def swap(self, name: str, old: str | None, new: str) -> bool:
        facts = self.tables_to_change.facts
        if facts.get(name) != old:
            return False
        facts[name] = new
        return True


@dataclass
class FakeClock:
    """Shows what it was set to."""

    moment: datetime

    def now(self) -> datetime:
        return self.moment

    def advance(self, by: timedelta) -> None:
        """Let time pass."""
        self.moment += by


@dataclass
class FakeAlarm:
    """Remembers what it was set to."""

    settings: dict[GameId, tuple[int, datetime]] = field(default_factory=dict)
    mails: int = 0

    def set(self, game_id: GameId, phase_no: int, at: datetime) -> None:
        self.settings[game_id] = (phase_no, at)

    def cancel(self, game_id: GameId) -> None:
        self.settings.pop(game_id, None)

    def mail(self) -> None:
        self.mails += 1


@dataclass
class FakeRenderer:
    """Draws nothing and remembers what it should have drawn."""

    drawn: list[Any] = field(default_factory=list)
    with_key: list[bool] = field(default_factory=list)

    def draw(self, shown: Depiction, /, *, width_px: int | None = None, with_key: bool = False) -> Picture:
        self.drawn.append(shown)
        self.with_key.append(with_key)
        width = width_px or 1200
        return Picture(file=b"\x89PNG\r\n\x1a\n", width_px=width, height_px=width * 3 // 4)


def _newest_first(games: Any) -> Sequence[Game]:
    ordered = sorted(games, key=lambda game: (game.created_at, game.id), reverse=True)
    return tuple(map(_as_listed, ordered))


def _as_listed(game: Game) -> Game:
    """Without what is long."""
    scenario = None if game.scenario is None else replace(game.scenario, text=None)
    return replace(game, document=None, scenario=scenario)


def _require_aware(value: Any) -> None:
    """Refuse naive times, as the storage does.

    Raises:
        ValueError: a time without a zone.
    """
    for name in value.__slots__:
        moment = getattr(value, name)
        if isinstance(moment, datetime) and moment.tzinfo is None:
            raise ValueError(f"{name} is a naive time")


def _fulfils(storage: FakeStorage) -> tuple[UnitOfWorkFactory, UnitOfWork]:
    """For the type checker: the fakes are what the ports ask for."""
    return storage.unit_of_work, FakeUnitOfWork(storage)
