"""The database itself: its address, its connections, and its migrations.

`bot.app` opens one of these; the services get its `unit_of_work`.
"""

from __future__ import annotations

import logging
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import URL, Connection, Engine, ExceptionContext, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlmodel import Session, col, select

from bot.model import Game, GameId
from bot.ports import StorageUnavailable
from bot.storage.privacy import make_private_file, make_private_folder
from bot.storage.repository import SqlGames, dialect_of
from bot.storage.tables import MetaRow, Row, dump_json
from bot.storage.unit_of_work import SqlUnitOfWork

# Alembic is loaded where there is something to migrate, and psycopg, by SQLAlchemy, where the database is PostgreSQL: a
# start without them takes less time and memory.
if TYPE_CHECKING:
    import psycopg
    from alembic.config import Config

T = TypeVar("T")

logger = logging.getLogger(__name__)

_MIGRATIONS = Path(__file__).parent / "migrations"
_READS_ONLY = "reads_only"
"""Execution option of connections on which nothing is changed."""
_MIGRATION_LOCK = 0x5EA1ED
"""Number of the advisory lock under which PostgreSQL is migrated."""


class BadDatabaseAddress(ValueError):
    """A DATABASE_URL that can't be used. The message never holds a password."""


class DatabaseTooNew(Exception):
    """A later version of the bot has migrated this database."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a locked or lost database.

    Args:
        attempts: tries to begin a transaction.
        first_wait_s: between the first two tries; each further wait is twice as long, up to `longest_wait_s`.
        busy_s: how long one try waits for a lock of another process.
    """

    attempts: int = 5
    first_wait_s: float = 0.1
    busy_s: float = 2.0
    longest_wait_s: float = 60.0


class Database:
    """One database, open for any number of threads.

    Args:
        address: as in DATABASE_URL: `sqlite:///data/sealed_orders.sqlite`, `postgresql://user:password@host/name`.

    Raises:
        BadDatabaseAddress: the address can't be read, or names a kind of database that isn't supported.
    """

    def __init__(self, address: str, *, patience: Patience | None = None) -> None:
        self.patience = patience or Patience()
        self.url = read_address(address)
        self.engine = _open(self.url, self.patience)
        self.reading_engine: Engine = self.engine.execution_options(**{_READS_ONLY: True})
        # SQLite has one writer at a time: threads queue here instead of polling the file for its lock.
        self._turnstile = threading.Lock() if self.is_sqlite else None
        self._open_here = threading.local()

    @property
    def is_sqlite(self) -> bool:
        """Whether this is a file rather than a server."""
        return self.url.get_backend_name() == "sqlite"

    def unit_of_work(self, *, reading: bool = False) -> SqlUnitOfWork:
        """A new unit of work; the factory that the services get."""
        return SqlUnitOfWork(self, reading=reading)

    def migrate(self, *, patience: Patience | None = None) -> None:
        """Bring the tables up to date; any number of processes may do so at once.

        An SQLite file is made for the bot's own user alone; if others could read it, their access is removed.

        Args:
            patience: in place of the database's usual one.

        Raises:
            DatabaseTooNew: the tables are from a later version of the bot.
            StorageUnavailable: the database could not be reached, or stayed locked.
        """
        self.retrying(self._migrate, patience)

    def all_games(self) -> Sequence[Game]:
        """Every game that can be read, newest first, without documents."""
        with Session(self.engine) as session:
            return SqlGames(session).all()

    def game_numbers(self) -> Sequence[GameId]:
        """The numbers of all games, also of those that can't be read."""
        with Session(self.engine) as session:
            return SqlGames(session).numbers()

    def pending_migrations(self) -> bool:
        """Whether `migrate` would change anything.

        Raises:
            DatabaseTooNew: the tables are from a later version of the bot.
        """
        with self.engine.begin() as connection:
            if not set(_made(connection)) <= set(_known()):
                raise DatabaseTooNew(_TOO_NEW)
            return not _is_up_to_date(connection)

    def drift(self) -> list[Any]:
        """Differences between the tables in the database and those the code knows; none in a migrated one."""
        from alembic.autogenerate import compare_metadata
        from alembic.migration import MigrationContext

        with self.engine.begin() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            return list(compare_metadata(context, Row.metadata))

    def tag(self) -> str:
        """A few characters that identify this database among all others, drawn when first asked for.

        Ids of messages begin at 1 in every database; Discord must not take one for a message of another.
        """
        return self.retrying(self._tag)

    def close(self) -> None:
        """Give up all connections."""
        self.engine.dispose()

    def enter_queue(self, *, reading: bool) -> None:
        """Wait until this thread may begin a transaction; there is nothing to wait for if it only reads.

        Raises:
            RuntimeError: this thread already has one open: the second would wait for the first for ever.
        """
        if getattr(self._open_here, "is_open", False):
            raise RuntimeError("a unit of work inside another one")
        turnstile = None if reading else self._turnstile
        if turnstile and not turnstile.acquire(timeout=self.patience.attempts * self.patience.busy_s):
            raise StorageUnavailable("the database is busy")
        self._open_here.is_open = True

    def leave_queue(self, *, reading: bool) -> None:
        """Let the next thread begin."""
        self._open_here.is_open = False
        if self._turnstile and not reading:
            self._turnstile.release()

    def retrying(self, attempt: Callable[[], T], patience: Patience | None = None) -> T:
        """The result of something that may be tried again as a whole, tried until the patience ends.

        Raises:
            StorageUnavailable: as the last try did.
        """
        patience = patience or self.patience
        wait_s = patience.first_wait_s
        for _ in range(patience.attempts - 1):
            try:
                return attempt()
            except StorageUnavailable as error:
                logger.warning("database unavailable, trying again in %.1f s: %s", wait_s, error)
                time.sleep(wait_s)
                wait_s = min(2 * wait_s, patience.longest_wait_s)
        return attempt()

    def has_committed(self, transaction_id: str) -> bool:
        """Whether a transaction took effect whose commit was cut off (PostgreSQL).

        Raises:
            StorageUnavailable: the server doesn't say.
        """
        return self.retrying(lambda: self._has_committed(transaction_id))

    def _migrate(self) -> None:
        if self.is_sqlite and self.url.database:
            path = Path(self.url.database)
            make_private_folder(path.parent)
            make_private_file(path)
        # Rebuilding a table on SQLite must not cascade into the tables that point to it.
        engine = _open(self.url, self.patience, foreign_keys=False) if self.is_sqlite else self.engine
        try:
            with engine.begin() as connection:
                if not self.is_sqlite:
                    connection.execute(text("select pg_advisory_xact_lock(:number)"), {"number": _MIGRATION_LOCK})
                if not _is_up_to_date(connection):
                    before = ", ".join(_made(connection)) or "none"
                    _upgrade(connection)
                    logger.info("the database was brought up to date: tables %s → %s", before, max(_known()))
        finally:
            if engine is not self.engine:
                engine.dispose()

    def _tag(self) -> str:
        with Session(self.engine) as session:
            drawn = dialect_of(session).insert(MetaRow).values(key="tag", value=secrets.token_hex(3))
            session.execute(drawn.on_conflict_do_nothing())
            tag = session.exec(select(MetaRow.value).where(col(MetaRow.key) == "tag")).one()
            session.commit()
        return tag

    def _has_committed(self, transaction_id: str) -> bool:
        with self.engine.begin() as connection:
            query = text("select pg_xact_status(cast(cast(:transaction_id as text) as xid8))")
            status = connection.execute(query, {"transaction_id": transaction_id}).scalar_one()
        if status == "in progress":
            raise StorageUnavailable("the server has not finished with the transaction")
        return bool(status == "committed")


def read_address(address: str) -> URL:
    """The database that a DATABASE_URL names.

    Raises:
        BadDatabaseAddress: says what is wrong, without repeating what may hold a password.
    """
    try:
        url = make_url(address.strip())
    except (ArgumentError, ValueError):
        raise BadDatabaseAddress(
            "it can't be read; it looks like sqlite:///data/sealed_orders.sqlite or postgresql://user:password@host/name"
        ) from None
    kind = url.get_backend_name()
    if kind in {"postgresql", "postgres"}:
        return url.set(drivername="postgresql+psycopg")
    if kind != "sqlite":
        raise BadDatabaseAddress(f"{kind} is not supported; sqlite and postgresql are")
    if url.database in {None, "", ":memory:"}:
        raise BadDatabaseAddress("an SQLite database needs a file: sqlite:///data/sealed_orders.sqlite")
    return url.set(drivername="sqlite+pysqlite")


def _open(url: URL, patience: Patience, *, foreign_keys: bool = True) -> Engine:
    # Parameters hold orders and seeds: neither logs nor errors may show them.
    if url.get_backend_name() == "sqlite":
        engine = create_engine(url, hide_parameters=True, json_serializer=dump_json)
        _prepare_sqlite(engine, busy_ms=round(patience.busy_s * 1000), foreign_keys=foreign_keys)
    else:
        arguments = {"connect_timeout": max(2, round(patience.busy_s))}
        engine = create_engine(
            url, hide_parameters=True, json_serializer=dump_json, pool_pre_ping=True, connect_args=arguments
        )
        _prepare_postgresql(engine, lock_ms=round(patience.attempts * patience.busy_s * 1000))
    event.listen(engine, "handle_error", _as_unavailable, retval=True)
    return engine


def _prepare_sqlite(engine: Engine, *, busy_ms: int, foreign_keys: bool) -> None:
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        # Python's module would begin transactions late, by its own rules; `begin` below does it instead.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {busy_ms}")
        connection.execute("PRAGMA journal_mode = WAL")
        # An order that was acknowledged survives a power cut.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")

    def begin(connection: Connection) -> None:
        # A writer takes the lock before anything is read: a lock that had to be upgraded later could be refused half
        # way. A reader needs none: in WAL mode it sees the database as it is now, whoever writes meanwhile.
        connection.exec_driver_sql("BEGIN" if _is_reading(connection) else "BEGIN IMMEDIATE")

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", begin)


def _prepare_postgresql(engine: Engine, *, lock_ms: int) -> None:
    def prepare(connection: psycopg.Connection[Any], _record: object) -> None:
        connection.execute(f"SET lock_timeout = {lock_ms}")
        # A process that hangs must not hold a game's lock for ever.
        connection.execute("SET idle_in_transaction_session_timeout = 120000")
        connection.execute("SET timezone = 'UTC'")
        connection.commit()

    def begin(connection: Connection) -> None:
        if _is_reading(connection):
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", begin)


def _is_reading(connection: Connection) -> bool:
    return bool(connection.get_execution_options().get(_READS_ONLY))


def _as_unavailable(context: ExceptionContext) -> BaseException | None:
    """Turns a locked or lost database into our own exception, wherever it shows."""
    error = context.original_exception
    if isinstance(error, StorageUnavailable):
        return error
    is_gone = isinstance(error, PoolTimeout) or _is_sqlite_gone(error) or _is_postgresql_gone(context)
    return StorageUnavailable(str(error).partition("\n")[0]) if is_gone else None


def _is_sqlite_gone(error: BaseException) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(error, sqlite3.Error) and code is not None and code & 0xFF in _SQLITE_GONE


_SQLITE_GONE = frozenset({
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_PROTOCOL,
})  # fmt: skip


def _is_postgresql_gone(context: ExceptionContext) -> bool:
    if context.dialect.name != "postgresql":
        return False
    driver = context.dialect.loaded_dbapi
    return isinstance(context.original_exception, (driver.OperationalError, driver.InterfaceError))


def _is_up_to_date(connection: Connection) -> bool:
    """Whether the last migration has been made."""
    return _made(connection) == [max(_known())]


def _made(connection: Connection) -> Sequence[str]:
    """The last migration that was made; none in an empty database."""
    if not inspect(connection).has_table(_VERSION_TABLE):
        return []
    return connection.exec_driver_sql(f"SELECT version_num FROM {_VERSION_TABLE}").scalars().all()


def _known() -> Sequence[str]:
    """The migrations of this version of the bot."""
    return [path.name.partition("_")[0] for path in (_MIGRATIONS / "versions").glob("[0-9]*.py")]


_TOO_NEW = "the database was written by a later version of this bot"
_VERSION_TABLE = "alembic_version"


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.util import CommandError

    try:
        command.upgrade(_configuration(connection), "head")
    except CommandError as error:
        raise DatabaseTooNew(_TOO_NEW) from error


def _configuration(connection: Connection) -> Config:
    from alembic.config import Config

    configuration = Config()
    configuration.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    configuration.attributes["connection"] = connection
    return configuration
