"""One transaction over all repositories. On SQLite it holds the write lock from its beginning to its end, unless it
only reads.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Protocol, Self, TypeVar

from sqlalchemy import Engine, event, text
from sqlalchemy.orm import ORMExecuteState
from sqlmodel import Session

from bot.ports import (
    ActRepository,
    BallotRepository,
    FactRepository,
    GameRepository,
    MailboxRepository,
    NoticesRepository,
    OutboxRepository,
    PhaseRepository,
    ReadsOnly,
    SheetRepository,
    StorageUnavailable,
)
from bot.storage.repository import (
    SqlActs,
    SqlBallots,
    SqlFacts,
    SqlGames,
    SqlMailboxes,
    SqlNotices,
    SqlOutbox,
    SqlPhases,
    SqlSheets,
)

T = TypeVar("T")


class Source(Protocol):
    """What a unit of work needs from its database."""

    engine: Engine
    reading_engine: Engine

    @property
    def is_sqlite(self) -> bool: ...

    def enter_queue(self, *, reading: bool) -> None: ...

    def leave_queue(self, *, reading: bool) -> None: ...

    def retrying(self, attempt: Callable[[], T]) -> T: ...

    def has_committed(self, transaction_id: str) -> bool: ...


class SqlUnitOfWork:
    """The unit of work of `bot.ports`, in SQL.

    It waits for a database that is locked or away at the beginning, when nothing has been done yet; once begun,
    losing the database means that nothing was done, and is reported at once.
    """

    games: GameRepository
    sheets: SheetRepository
    phases: PhaseRepository
    acts: ActRepository
    outbox: OutboxRepository
    ballots: BallotRepository
    facts: FactRepository
    mailboxes: MailboxRepository
    notices: NoticesRepository

    def __init__(self, source: Source, *, reading: bool = False) -> None:
        self._source = source
        self._reading = reading

    def __enter__(self) -> Self:
        self._source.enter_queue(reading=self._reading)
        try:
            self._session = self._source.retrying(self._begin)
        except BaseException:
            self._source.leave_queue(reading=self._reading)
            raise
        self.games = SqlGames(self._session, holds=not self._reading)
        self.sheets = SqlSheets(self._session)
        self.phases = SqlPhases(self._session)
        self.acts = SqlActs(self._session)
        self.outbox = SqlOutbox(self._session)
        self.ballots = SqlBallots(self._session)
        self.facts = SqlFacts(self._session)
        self.mailboxes = SqlMailboxes(self._session)
        self.notices = SqlNotices(self._session)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            # A connection that can't even roll back is gone, and its transaction with it.
            with suppress(StorageUnavailable):
                self._session.close()
        finally:
            self._source.leave_queue(reading=self._reading)

    def commit(self) -> None:
        if self._reading:
            return
        transaction_id = self._transaction_id()
        try:
            self._session.commit()
        except StorageUnavailable:
            # The connection may have broken after the server had done it: then it is done.
            if transaction_id is None or not self._source.has_committed(transaction_id):
                raise

    def _begin(self) -> Session:
        engine = self._source.reading_engine if self._reading else self._source.engine
        session = Session(engine, autoflush=False, expire_on_commit=False)
        if self._reading:
            event.listen(session, "do_orm_execute", _refuse_changes)
        try:
            session.connection()
        except BaseException:
            session.close()
            raise
        return session

    def _transaction_id(self) -> str | None:
        """What the server calls this transaction, if it has written anything."""
        if self._source.is_sqlite:
            return None
        query = text("select cast(pg_current_xact_id_if_assigned() as text)")
        found = self._session.connection().execute(query).scalar_one()
        return None if found is None else str(found)


def _refuse_changes(asked: ORMExecuteState) -> None:
    if not asked.is_select:
        raise ReadsOnly
