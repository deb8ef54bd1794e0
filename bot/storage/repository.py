"""The repositories of `bot.ports` in SQL. They speak domain values; each call is one or two statements."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, CursorResult, bindparam, delete, func, insert, inspect, or_, true, update
from sqlalchemy.orm import aliased, defer
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from bot.model import (
    LONGEST_REST,
    Act,
    Ballot,
    Delivery,
    Game,
    GameId,
    GameStatus,
    Mailbox,
    Outgoing,
    PhaseRecord,
    Proposal,
    Seat,
    StoredSheet,
    UserId,
)
from bot.ports import LeftOut
from bot.storage import codec
from bot.storage.damage import reading_of, rows_despite_damage
from bot.storage.tables import (
    ActRow,
    BallotRow,
    GameRow,
    MailboxRow,
    MetaRow,
    NoticesRow,
    OutboxRow,
    PhaseRow,
    ProposalRow,
    Row,
    SeatRow,
    SheetRow,
)
from engine.core.ids import PowerId, SystemId

# The session remembers rows that it has read; these are written past it, so every read fetches the row again.
_AFRESH = {"populate_existing": True}


AnyRow = TypeVar("AnyRow", bound=Row)


class SqlGames:
    """Games, and the seats in them.

    Args:
        holds: a game that is read is locked until the transaction ends.
    """

    def __init__(self, session: Session, *, holds: bool = True) -> None:
        self._session = session
        self._holds = holds
        self._left_out: list[LeftOut] = []

    def add(self, game: Game) -> Game:
        named = game if game.token else replace(game, token=new_token())
        values = codec.game_columns(named) | codec.token_columns(named)
        values |= codec.phase_columns(named) | codec.scenario_columns(named)
        game_id = self._session.execute(insert(GameRow).values(values).returning(col(GameRow.id))).scalar_one()
        return replace(named, id=GameId(game_id))

    def find(self, game_id: GameId) -> Game | None:
        # Code that reads a game may be about to act on what it read: on PostgreSQL the row stays locked until the
        # transaction ends, so an order can't be accepted for a phase that is being closed. (SQLite has one writer.)
        query = _selecting(GameRow, ("id",), holds=self._holds)
        with reading_of(game_id):
            row = self._session.exec(query, params={"id": game_id}, execution_options=_AFRESH).one_or_none()
            return None if row is None else codec.game_from(row, document=row.document, scenario_text=row.scenario_text)

    def find_by_token(self, token: str) -> GameId | None:
        found = self._session.exec(select(GameRow.id).where(col(GameRow.token) == token)).one_or_none()
        return None if found is None else GameId(found)

    def update(self, game: Game) -> None:
        self._write(game, codec.game_columns(game))

    def advance(self, game: Game, *, expected_phase_no: int) -> bool:
        values = codec.game_columns(game) | codec.phase_columns(game)
        return self._write(game, values, expected_phase_no=expected_phase_no) == 1

    def in_guild(self, guild_id: int) -> Sequence[Game]:
        return self._newest_first(col(GameRow.guild_id) == guild_id)

    def in_channel(self, channel_id: int) -> Sequence[Game]:
        return self._newest_first(col(GameRow.channel_id) == channel_id)

    def all(self) -> Sequence[Game]:
        """Every game, newest first; without documents."""
        return self._newest_first(true())

    def of_user(self, user_id: UserId) -> Sequence[Game]:
        query = _games_of(user_id).where(col(GameRow.status).not_in(_FINISHED))
        return self._without_documents(query.order_by(col(GameRow.deadline_at).asc().nulls_last(), col(GameRow.id)))

    def finished_of_user(self, user_id: UserId) -> Sequence[Game]:
        query = _games_of(user_id).where(col(GameRow.status).in_(_FINISHED))
        last_first = (col(GameRow.opened_at).desc().nulls_last(), col(GameRow.id).desc())
        return self._without_documents(query.order_by(*last_first))

    def due(self, now: datetime) -> Sequence[tuple[GameId, int]]:
        query = (
            select(GameRow.id, GameRow.phase_no)
            .where(
                col(GameRow.status) == str(GameStatus.RUNNING),
                col(GameRow.deadline_at) <= now,
                or_(col(GameRow.retry_at).is_(None), _has_come(col(GameRow.retry_at), now)),
            )
            .order_by(col(GameRow.deadline_at), col(GameRow.id))
        )
        return tuple((GameId(game_id), phase_no) for game_id, phase_no in self._session.exec(query))

    def to_retry(self, now: datetime) -> Sequence[tuple[GameId, int]]:
        query = (
            select(GameRow.id, GameRow.phase_no)
            .where(col(GameRow.status) == str(GameStatus.RUNNING), _has_come(col(GameRow.retry_at), now))
            .order_by(col(GameRow.retry_at), col(GameRow.id))
        )
        return tuple((GameId(game_id), phase_no) for game_id, phase_no in self._session.exec(query))

    def to_remind(self, now: datetime) -> Sequence[tuple[GameId, int]]:
        query = (
            select(GameRow.id, GameRow.phase_no)
            .where(col(GameRow.status) == str(GameStatus.RUNNING), col(GameRow.remind_at) <= now)
            .order_by(col(GameRow.remind_at), col(GameRow.id))
        )
        return tuple((GameId(game_id), phase_no) for game_id, phase_no in self._session.exec(query))

    def deadlines(self) -> Sequence[tuple[GameId, int, datetime]]:
        query = (
            select(GameRow.id, GameRow.phase_no, GameRow.deadline_at)
            .where(col(GameRow.status) == str(GameStatus.RUNNING), col(GameRow.deadline_at).is_not(None))
            .order_by(col(GameRow.deadline_at), col(GameRow.id))
        )

        def read(query: Any) -> Sequence[tuple[GameId, int, datetime]]:
            return [(GameId(game_id), phase_no, at) for game_id, phase_no, at in self._session.exec(query) if at]

        return rows_despite_damage(self._session, query, col(GameRow.id), read, self._leave_out)

    def left_out(self) -> Sequence[LeftOut]:
        return tuple(self._left_out)

    def numbers(self) -> Sequence[GameId]:
        """The numbers of all games, also of those that can't be read."""
        return tuple(GameId(game_id) for game_id in self._session.exec(select(GameRow.id).order_by(col(GameRow.id))))

    def players(self) -> Sequence[UserId]:
        first = func.min(col(GameRow.deadline_at))
        query = (
            select(SeatRow.user_id)
            .join(GameRow, col(GameRow.id) == col(SeatRow.game_id))
            .where(col(GameRow.status).in_(_GOING), col(SeatRow.user_id).is_not(None))
            .group_by(col(SeatRow.user_id))
            .order_by(first.asc().nulls_last(), col(SeatRow.user_id))
        )
        return tuple(UserId(user_id) for user_id in self._session.exec(query) if user_id is not None)

    def systems(self) -> frozenset[SystemId]:
        query = select(GameRow.system).where(col(GameRow.status).not_in(_FINISHED)).distinct()
        return frozenset(SystemId(name) for name in self._session.exec(query))

    def seats(self, game_id: GameId) -> Sequence[Seat]:
        query = _selecting(SeatRow, ("game_id",), order="number")
        with reading_of(game_id):
            rows = self._session.exec(query, params={"game_id": game_id}, execution_options=_AFRESH)
            return tuple(map(codec.seat_from, rows))

    def save_seat(self, seat: Seat) -> None:
        _put(self._session, SeatRow, codec.seat_columns(seat), key=("game_id", "number"))

    def remove_seat(self, game_id: GameId, number: int) -> None:
        self._session.execute(delete(SeatRow).where(col(SeatRow.game_id) == game_id, col(SeatRow.number) == number))

    def _write(self, game: Game, values: codec.Columns, **expected: int) -> int:
        """How many rows were changed: none if the game is another by now than is expected."""
        query = _updating(GameRow, frozenset(values), tuple(expected))
        result = self._session.execute(query, {**values, "which": game.id, **expected})
        assert isinstance(result, CursorResult)
        return result.rowcount

    def _newest_first(self, condition: Any) -> Sequence[Game]:
        query = select(GameRow).where(condition)
        return self._without_documents(query.order_by(col(GameRow.created_at).desc(), col(GameRow.id).desc()))

    def _without_documents(self, query: SelectOfScalar[GameRow]) -> Sequence[Game]:
        long_columns = (GameRow.document, GameRow.scenario_text)
        without = [defer(column, raiseload=True) for column in long_columns]  # type: ignore[arg-type]

        def read(query: Any) -> Sequence[Game]:
            rows = self._session.exec(query.options(*without), execution_options=_AFRESH)
            return [codec.game_from(row, document=None, scenario_text=None) for row in rows]

        return rows_despite_damage(self._session, query, col(GameRow.id), read, self._leave_out)

    def _leave_out(self, game_id: int) -> None:
        query = select(GameRow.channel_id, GameRow.name).where(col(GameRow.id) == game_id)
        channel_id, name = self._session.exec(query).one()
        self._left_out.append(LeftOut(GameId(game_id), channel_id, name))


_GOING = (str(GameStatus.RUNNING), str(GameStatus.PAUSED))
_FINISHED = (str(GameStatus.OVER), str(GameStatus.CANCELLED))


def _games_of(user_id: UserId) -> SelectOfScalar[GameRow]:
    return select(GameRow).join(SeatRow, col(SeatRow.game_id) == col(GameRow.id)).where(col(SeatRow.user_id) == user_id)


class SqlSheets:
    """Order sheets of phases that are open."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, game_id: GameId, phase_no: int, power: PowerId) -> StoredSheet | None:
        which = {"game_id": game_id, "phase_no": phase_no, "power": power}
        query = _selecting(SheetRow, tuple(which))
        with reading_of(game_id):
            row = self._session.exec(query, params=which, execution_options=_AFRESH).one_or_none()
            return None if row is None else codec.sheet_from(row)

    def of_phase(self, game_id: GameId, phase_no: int) -> Mapping[PowerId, StoredSheet]:
        which = {"game_id": game_id, "phase_no": phase_no}
        query = _selecting(SheetRow, tuple(which), order="power")
        with reading_of(game_id):
            rows = self._session.exec(query, params=which, execution_options=_AFRESH)
            return {PowerId(row.power): codec.sheet_from(row) for row in rows}

    def save(self, sheet: StoredSheet) -> None:
        _put(self._session, SheetRow, codec.sheet_columns(sheet), key=("game_id", "phase_no", "power"))


class SqlPhases:
    """Closed phases."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, record: PhaseRecord) -> None:
        self._session.execute(insert(PhaseRow).values(codec.record_columns(record)))

    def find(self, game_id: GameId, phase_no: int) -> PhaseRecord | None:
        query = select(PhaseRow).where(col(PhaseRow.game_id) == game_id, col(PhaseRow.phase_no) == phase_no)
        with reading_of(game_id):
            row = self._session.exec(query, execution_options=_AFRESH).one_or_none()
            return None if row is None else codec.record_from(row)

    def of_game(self, game_id: GameId) -> Sequence[PhaseRecord]:
        query = select(PhaseRow).where(col(PhaseRow.game_id) == game_id).order_by(col(PhaseRow.phase_no))
        with reading_of(game_id):
            return tuple(codec.record_from(row) for row in self._session.exec(query, execution_options=_AFRESH))

    def codes(self, game_id: GameId) -> Sequence[tuple[int, str]]:
        query = (
            select(PhaseRow.phase_no, PhaseRow.code)
            .where(col(PhaseRow.game_id) == game_id, col(PhaseRow.is_undone).is_(False))
            .order_by(col(PhaseRow.phase_no))
        )
        return tuple((phase_no, code) for phase_no, code in self._session.exec(query))

    def number_before(self, game_id: GameId, phase_no: int) -> int:
        query = select(func.max(PhaseRow.phase_no)).where(
            col(PhaseRow.game_id) == game_id, col(PhaseRow.phase_no) < phase_no
        )
        return self._session.exec(query).one() or 0

    def mark_undone(self, game_id: GameId, *, from_phase_no: int) -> None:
        self._session.execute(
            update(PhaseRow)
            .where(col(PhaseRow.game_id) == game_id, col(PhaseRow.phase_no) >= from_phase_no)
            .values(is_undone=True)
            .execution_options(synchronize_session=False)
        )


class SqlActs:
    """What changed positions between closings."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, act: Act) -> None:
        self._session.execute(insert(ActRow).values(codec.act_columns(act)))

    def of_game(self, game_id: GameId) -> Sequence[Act]:
        query = select(ActRow).where(col(ActRow.game_id) == game_id)
        with reading_of(game_id):
            rows = self._session.exec(
                query.order_by(col(ActRow.phase_no), col(ActRow.number)), execution_options=_AFRESH
            )
            return tuple(codec.act_from(row) for row in rows)


class SqlOutbox:
    """Messages to send."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, message: Outgoing) -> Outgoing:
        found = self._session.execute(_posting(), codec.outgoing_columns(message))
        return replace(message, id=found.scalar_one())

    def pending(self, now: datetime, *, limit: int = 50) -> Sequence[Outgoing]:
        query = _next_in_queues().where(_has_come(col(OutboxRow.not_before), now)).limit(limit)

        def read(query: Any) -> Sequence[Outgoing]:
            return [codec.outgoing_from(row) for row in self._session.exec(query, execution_options=_AFRESH)]

        # A queue whose first message can't be read has to wait; it belongs to a single game.
        return rows_despite_damage(self._session, query, col(OutboxRow.id), read, lambda _: None)

    def update(self, message: Outgoing) -> None:
        query = update(OutboxRow).where(col(OutboxRow.id) == message.id).values(codec.outgoing_columns(message))
        self._session.execute(query.execution_options(synchronize_session=False))

    def update_all(self, messages: Sequence[Outgoing]) -> None:
        if not messages:
            return
        columns = [codec.outgoing_columns(message) for message in messages]
        rows = [{**each, "which": message.id} for each, message in zip(columns, messages, strict=True)]
        self._session.connection().execute(_updating(OutboxRow, frozenset(columns[0])), rows)

    def find(self, message_id: int) -> Outgoing | None:
        query = select(OutboxRow).where(col(OutboxRow.id) == message_id)
        row = self._session.exec(query, execution_options=_AFRESH).one_or_none()
        return None if row is None else codec.outgoing_from(row)

    def last_of_phase(self, game_id: GameId, phase_no: int, kinds: Collection[str]) -> Outgoing | None:
        query = (
            select(OutboxRow)
            .where(
                col(OutboxRow.game_id) == game_id,
                col(OutboxRow.phase_no) == phase_no,
                col(OutboxRow.kind).in_(sorted(map(str, kinds))),
                col(OutboxRow.is_edit).is_(False),
            )
            .order_by(col(OutboxRow.id).desc())
            .limit(1)
        )
        row = self._session.exec(query, execution_options=_AFRESH).one_or_none()
        return None if row is None else codec.outgoing_from(row)

    def has_later_edit(self, message: Outgoing) -> bool:
        query = select(OutboxRow.id).where(
            col(OutboxRow.game_id) == message.game_id,
            col(OutboxRow.phase_no) == message.phase_no,
            col(OutboxRow.kind) == message.kind,
            col(OutboxRow.is_edit).is_(True),
            col(OutboxRow.delivery) == str(Delivery.PENDING),
            col(OutboxRow.id) > message.id,
        )
        return self._session.exec(query.limit(1)).one_or_none() is not None

    def of_game(
        self, game_id: GameId, *, delivery: Delivery | None = None, kind: str | None = None
    ) -> Sequence[Outgoing]:
        query = select(OutboxRow).where(col(OutboxRow.game_id) == game_id).order_by(col(OutboxRow.id))
        if delivery is not None:
            query = query.where(col(OutboxRow.delivery) == str(delivery))
        if kind is not None:
            query = query.where(col(OutboxRow.kind) == str(kind))
        with reading_of(game_id):
            return tuple(codec.outgoing_from(row) for row in self._session.exec(query, execution_options=_AFRESH))


class SqlBallots:
    """Votes of the present phase."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def cast(self, ballot: Ballot) -> None:
        key = ("game_id", "phase_no", "power", "kind")
        _put(self._session, BallotRow, codec.ballot_columns(ballot), key=key)

    def of_phase(self, game_id: GameId, phase_no: int) -> Sequence[Ballot]:
        query = (
            select(BallotRow)
            .where(col(BallotRow.game_id) == game_id, col(BallotRow.phase_no) == phase_no)
            .order_by(col(BallotRow.power), col(BallotRow.kind))
        )
        with reading_of(game_id):
            return tuple(codec.ballot_from(row) for row in self._session.exec(query, execution_options=_AFRESH))

    def propose(self, proposal: Proposal) -> None:
        query = dialect_of(self._session).insert(ProposalRow).values(codec.proposal_columns(proposal))
        self._session.execute(query.on_conflict_do_nothing())

    def proposals(self, game_id: GameId, phase_no: int) -> Sequence[Proposal]:
        query = (
            select(ProposalRow)
            .where(col(ProposalRow.game_id) == game_id, col(ProposalRow.phase_no) == phase_no)
            .order_by(col(ProposalRow.kind), col(ProposalRow.winner))
        )
        return tuple(codec.proposal_from(row) for row in self._session.exec(query, execution_options=_AFRESH))


def new_token() -> str:
    """A token that no other game has, in whatever database; never one that could be read as a number."""
    return f"g{secrets.token_hex(8)}"


class SqlMailboxes:
    """Which direct messages were handled."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, user_id: UserId) -> Mailbox | None:
        query = select(MailboxRow).where(col(MailboxRow.user_id) == user_id)
        row = self._session.exec(query, execution_options=_AFRESH).one_or_none()
        return None if row is None else codec.mailbox_from(row)

    def save(self, mailbox: Mailbox) -> None:
        _put(self._session, MailboxRow, codec.mailbox_columns(mailbox), key=("user_id",))


class SqlNotices:
    """What people don't want to be told."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def off(self, user_id: UserId) -> Set[str]:
        query = select(NoticesRow).where(col(NoticesRow.user_id) == user_id)
        row = self._session.exec(query, execution_options=_AFRESH).one_or_none()
        return frozenset() if row is None else frozenset(row.off)

    def save(self, user_id: UserId, off: Set[str]) -> None:
        _put(self._session, NoticesRow, {"user_id": user_id, "off": sorted(off)}, key=("user_id",))


class SqlFacts:
    """Facts about the database as a whole."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, name: str) -> str | None:
        query = select(MetaRow.value).where(col(MetaRow.key) == name)
        return self._session.exec(query).one_or_none()

    def swap(self, name: str, old: str | None, new: str) -> bool:
        if old is None:
            query = dialect_of(self._session).insert(MetaRow).values(key=name, value=new).on_conflict_do_nothing()
            return self._session.execute(query.returning(col(MetaRow.key))).scalar_one_or_none() is not None
        is_old = (col(MetaRow.key) == name, col(MetaRow.value) == old)
        return _count(self._session, update(MetaRow).where(*is_old).values(value=new)) == 1


def _put(session: Session, table: type[Row], values: codec.Columns, *, key: tuple[str, ...]) -> None:
    """Add a row, or replace the one with its key."""
    session.execute(_putting(session.get_bind().dialect.name, table, frozenset(values), key), values)


# Statements that are needed all the time are put together once: that takes as long as carrying them out.


@cache
def _putting(dialect: str, table: type[Row], names: frozenset[str], key: tuple[str, ...]) -> Any:
    query = _dialect(dialect).insert(_table(table))
    rest = {name: query.excluded[name] for name in sorted(names) if name not in key}
    return query.on_conflict_do_update(index_elements=key, set_=rest)


@cache
def _selecting(
    table: type[AnyRow], by: tuple[str, ...], *, order: str | None = None, holds: bool = False
) -> SelectOfScalar[AnyRow]:
    """The rows with certain values, which are parameters called like their columns."""
    query = select(table).where(*(col(getattr(table, name)) == bindparam(name) for name in by))
    if order is not None:
        query = query.order_by(col(getattr(table, order)))
    return query.with_for_update() if holds else query


@cache
def _updating(table: type[Row], names: frozenset[str], expected: tuple[str, ...] = ()) -> Any:
    """Changes the row whose id is the parameter `which`; what else is expected of it are parameters `expected_…`."""
    target = _table(table)
    conditions = [target.c.id == bindparam("which")]
    conditions += [target.c[name.removeprefix("expected_")] == bindparam(name) for name in expected]
    return update(target).where(*conditions).values({name: bindparam(name) for name in sorted(names)})


@cache
def _posting() -> Any:
    return insert(_table(OutboxRow)).returning(col(OutboxRow.id))


@cache
def _has_come(at: Any, now: datetime) -> ColumnElement[bool]:
    """`has_come` of a column."""
    return or_(at <= now, at > now + LONGEST_REST)


def _next_in_queues() -> SelectOfScalar[OutboxRow]:
    """The first waiting message of each queue."""
    earlier = aliased(OutboxRow)
    has_earlier = (
        select(earlier.id)
        .where(
            col(earlier.delivery) == str(Delivery.PENDING),
            col(earlier.game_id) == col(OutboxRow.game_id),
            col(earlier.target) == col(OutboxRow.target),
            col(earlier.target_id) == col(OutboxRow.target_id),
            col(earlier.id) < col(OutboxRow.id),
        )
        .exists()
    )
    is_first = col(OutboxRow.delivery) == str(Delivery.PENDING), ~has_earlier
    return select(OutboxRow).where(*is_first).order_by(col(OutboxRow.id))


def _table(row: type[Row]) -> Any:
    return inspect(row).local_table


def _dialect(name: str) -> Any:
    return import_module(f"sqlalchemy.dialects.{name}")


def dialect_of(session: Session) -> Any:
    """What has the database's own INSERT, which knows what to do about a row that is there already."""
    return _dialect(session.get_bind().dialect.name)


def _count(session: Session, query: Any) -> int:
    """How many rows a statement changed."""
    result = session.execute(query.execution_options(synchronize_session=False))
    assert isinstance(result, CursorResult)
    return result.rowcount
