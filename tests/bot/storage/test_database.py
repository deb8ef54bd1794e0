"""The database beneath the ports: its tables and their history, its locks, its losses, and what it never says."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from bot.model import GameId, Seat, Target, UserId
from bot.ports import StorageUnavailable
from bot.storage.database import BadDatabaseAddress, Database, DatabaseTooNew, Patience, read_address
from tests.bot.test_ports import AUSTRIA, ITALY, NOW, a_game, a_message, a_sheet
from tests.conftest import MakeDatabase

HASTY = Patience(attempts=3, first_wait_s=0.01, busy_s=0.1)


@pytest.fixture
def database(any_url: str) -> Iterator[Database]:
    """A fresh database of each kind."""
    database = Database(any_url, patience=HASTY)
    yield database
    database.close()


# Tables and migrations


def test_migrated_tables_are_those_the_code_knows(database: Database) -> None:
    assert database.drift() == []
    assert not database.pending_migrations()


def test_drift_is_found(database: Database) -> None:
    with database.engine.begin() as connection:
        connection.execute(text("DROP INDEX ix_games_due"))
        connection.execute(text("ALTER TABLE seats ADD COLUMN hat INTEGER"))
    assert len(database.drift()) == 2


def test_migrating_again_changes_nothing(database: Database) -> None:
    with database.unit_of_work() as work:
        game = work.games.add(a_game())
        work.commit()
    database.migrate()
    with database.unit_of_work() as work:
        assert work.games.find(game.id) == game


@pytest.mark.skipif(os.name != "posix", reason="who may read a file is told otherwise there")
def test_an_sqlite_file_is_for_the_bot_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "games.sqlite"
    database = Database(f"sqlite:///{path}")
    database.migrate()
    with database.unit_of_work() as work:
        work.games.add(a_game())
        work.commit()
        modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    database.close()
    assert modes == dict.fromkeys(("games.sqlite", "games.sqlite-wal", "games.sqlite-shm"), 0o600)
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name != "posix", reason="who may read a file is told otherwise there")
def test_an_sqlite_file_that_others_could_read_is_taken_from_them_with_a_word(
    sqlite_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    path.chmod(0o644)
    folder_mode = path.parent.stat().st_mode
    database = Database(sqlite_url)
    database.migrate()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode == folder_mode
    assert [record.getMessage() for record in caplog.records] == [
        f"others on this machine could read {path}; from now on only the bot's own user can"
    ]
    caplog.clear()
    database.migrate()
    assert not caplog.records
    database.close()


def test_many_may_migrate_at_once(tmp_path: Path) -> None:
    databases = [Database(f"sqlite:///{tmp_path / 'new' / 'games.sqlite'}") for _ in range(4)]
    threads = [threading.Thread(target=database.migrate) for database in databases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [database.drift() for database in databases] == [[]] * 4
    for database in databases:
        database.close()


def test_a_migration_can_be_taken_back(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    from alembic import command

    from bot.storage.database import _configuration

    with database.engine.begin() as connection:
        command.downgrade(_configuration(connection), "base")
    assert database.pending_migrations()
    with caplog.at_level(logging.INFO):
        database.migrate()
    assert "the database was brought up to date" in caplog.text
    assert database.drift() == []


def test_games_from_before_scenarios_are_kept(database: Database) -> None:
    with database.unit_of_work() as work:
        game = work.games.add(a_game())
        work.commit()
    _as_of(database, "0001")
    with database.unit_of_work() as work:
        kept = work.games.find(game.id)
    assert kept is not None
    assert kept == replace(game, token=kept.token, has_numbered_buttons=True)


def test_games_of_the_first_version_keep_their_buttons_and_get_a_token(database: Database) -> None:
    with database.unit_of_work() as work:
        games = [work.games.add(a_game()) for _ in range(3)]
        work.commit()
    _as_of(database, "0004")
    with database.unit_of_work() as work:
        kept = [work.games.find(game.id) for game in games]
        new = work.games.add(a_game())
    assert all(game is not None and game.has_numbered_buttons for game in kept)
    assert len({game.token for game in kept if game is not None and game.token}) == 3
    assert not new.has_numbered_buttons


def test_who_played_a_seat_before_is_known_from_the_messages_of_the_first_version(database: Database) -> None:
    with database.unit_of_work() as work:
        game = work.games.add(a_game())
        for number, power, user in ((1, AUSTRIA, UserId(5)), (2, ITALY, None)):
            work.games.save_seat(Seat(game.id, number, power, user))
        for power, former in ((AUSTRIA, 3), (AUSTRIA, 4), (AUSTRIA, 3), (AUSTRIA, 5), (ITALY, 6)):
            private = replace(a_message(game), target=Target.USER, target_id=former, payload={"power": power})
            work.outbox.add(private)
        work.commit()
    _as_of(database, "0004")
    with database.unit_of_work() as work:
        assert [seat.former for seat in work.games.seats(game.id)] == [(3, 4), (6,)]


def _as_of(database: Database, revision: str) -> None:
    """Take the tables back to an earlier version and bring them up to date again."""
    from alembic import command

    from bot.storage.database import _configuration

    with database.engine.begin() as connection:
        command.downgrade(_configuration(connection), revision)
    database.migrate()


def test_messages_queued_by_an_older_version_are_sent_by_this_one(database: Database) -> None:
    with database.unit_of_work() as work:
        game = work.games.add(a_game())
        message = work.outbox.add(a_message(game))
        work.commit()
    _as_of(database, "0002")
    with database.unit_of_work() as work:
        assert work.outbox.pending(NOW) == (message,)


def test_the_tables_of_a_later_version_are_left_alone(database: Database) -> None:
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(DatabaseTooNew, match="later version"):
        database.migrate()


def test_the_folder_of_a_new_file_is_made(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'a' / 'b' / 'games.sqlite'}")
    database.migrate()
    database.close()
    assert (tmp_path / "a" / "b" / "games.sqlite").exists()


def test_sqlite_keeps_what_it_acknowledged(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    with database.engine.connect() as connection:
        settings = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    database.close()
    assert settings == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_times_come_back_in_utc_whatever_zone_they_were_given_in(database: Database) -> None:
    with database.unit_of_work() as work:
        game = work.games.add(a_game(deadline_at=NOW.astimezone(timezone(timedelta(hours=2)))))
        again = work.games.find(game.id)
    assert again is not None
    assert again.deadline_at == NOW
    assert again.deadline_at.tzinfo is UTC


def test_a_user_has_one_seat_in_a_game(database: Database) -> None:
    with database.unit_of_work() as work:
        game = work.games.add(a_game())
        work.games.save_seat(Seat(game.id, 1, None, UserId(7)))
        with pytest.raises(Exception, match=r"(?i)unique"):
            work.games.save_seat(Seat(game.id, 2, None, UserId(7)))


def test_a_seat_belongs_to_a_game(database: Database) -> None:
    with database.unit_of_work() as work, pytest.raises(Exception, match=r"(?i)foreign key"):
        work.games.save_seat(Seat(GameId(99), 1, None, UserId(7)))


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("SELECT id FROM games WHERE status = 'running' AND deadline_at <= '2026'", "ix_games_due"),
        ("SELECT id FROM games WHERE status = 'running' AND remind_at <= '2026'", "ix_games_to_remind"),
        ("SELECT id FROM games WHERE status = 'running' AND retry_at <= '2026'", "ix_games_to_retry"),
        ("SELECT id FROM games WHERE guild_id = 1", "ix_games_guild_id"),
        ("SELECT id FROM games WHERE channel_id = 1", "ix_games_channel_id"),
        ("SELECT game_id FROM seats WHERE user_id = 1", "ix_seats_user_id"),
        ("SELECT id FROM outbox WHERE game_id = 1", "ix_outbox_game_id"),
        ("SELECT kind FROM outbox WHERE delivery = 'pending'", "ix_outbox_queue"),
    ],
)
def test_frequent_questions_use_an_index(sqlite_url: str, query: str, index: str) -> None:
    database = Database(sqlite_url)
    with database.engine.connect() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}").all()
    database.close()
    assert index in str(plan)


def test_sending_reads_nothing_that_was_sent(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    plans: list[str] = []
    with database.unit_of_work() as work:
        connection = work._session.connection()

        def explain(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_rest: Any) -> None:
            if statement.startswith("SELECT outbox"):
                raw: sqlite3.Connection = connection.connection.driver_connection
                plans.append(str(raw.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()))

        event.listen(connection, "before_cursor_execute", explain)
        work.outbox.pending(NOW)
    database.close()
    assert "ix_outbox_queue (delivery=?)" in plans[0]
    assert "ix_outbox_queue (delivery=? AND game_id=? AND target=? AND target_id=? AND" in plans[0]
    assert "SCAN outbox" not in plans[0]


def test_a_database_keeps_its_tag_and_shares_it_with_no_other(make_database: MakeDatabase) -> None:
    first, second = Database(make_database()), Database(make_database())
    assert first.tag() == first.tag() != second.tag()
    first.close()
    second.close()


# Locks and losses


def test_a_lock_that_goes_away_is_waited_for(sqlite_url: str) -> None:
    database = Database(sqlite_url, patience=Patience(attempts=20, first_wait_s=0.01, busy_s=0.05))
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.3, other.rollback)
    release.start()
    with database.unit_of_work() as work:
        work.games.add(a_game())
        work.commit()
    release.join()
    other.close()
    database.close()


def test_a_lock_that_stays_is_told(sqlite_url: str) -> None:
    database = Database(sqlite_url, patience=HASTY)
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageUnavailable, match="locked"), database.unit_of_work():
        pass
    other.rollback()
    other.close()
    with database.unit_of_work() as work:
        assert list(work.games.deadlines()) == []
    database.close()


def test_a_game_that_another_process_holds_is_told(postgresql_url: str) -> None:
    database, other = Database(postgresql_url, patience=HASTY), Database(postgresql_url)
    with database.unit_of_work() as work:
        game = work.games.add(a_game())
        work.commit()
    with other.engine.begin() as connection:
        connection.execute(text("SELECT id FROM games FOR UPDATE"))
        with database.unit_of_work() as work, pytest.raises(StorageUnavailable, match="lock timeout"):
            work.games.find(game.id)
    database.close()
    other.close()


def test_a_server_that_restarted_is_found_again(postgresql_url: str) -> None:
    database = Database(postgresql_url, patience=HASTY)
    with database.unit_of_work() as work:
        assert list(work.games.deadlines()) == []
    _cut_off(postgresql_url)
    with database.unit_of_work() as work:
        assert list(work.games.deadlines()) == []
    database.close()


def test_a_connection_lost_half_way_is_told_and_nothing_is_done(postgresql_url: str) -> None:
    database = Database(postgresql_url, patience=HASTY)
    with database.unit_of_work() as work:
        game = work.games.add(a_game())
        _cut_off(postgresql_url)
        with pytest.raises(StorageUnavailable):
            work.commit()
    with database.unit_of_work() as work:
        assert work.games.find(game.id) is None
    database.close()


def test_a_commit_whose_answer_was_lost_still_counts(postgresql_url: str) -> None:
    database = Database(postgresql_url, patience=HASTY)

    def lose_the_answer(connection: Any) -> None:
        connection.connection.driver_connection.commit()
        _cut_off(postgresql_url)
        connection.exec_driver_sql("SELECT 1")

    event.listen(database.engine, "commit", lose_the_answer, once=True)
    with database.unit_of_work() as work:
        game = work.games.add(a_game())
        work.commit()
    with database.unit_of_work() as work:
        assert work.games.find(game.id) == game
    database.close()


def test_a_server_that_is_not_there_is_told() -> None:
    database = Database("postgresql://someone:hunter2@127.0.0.1:1/games", patience=HASTY)
    with pytest.raises(StorageUnavailable) as told, database.unit_of_work():
        pass
    assert "hunter2" not in str(told.value)
    database.close()


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    path.write_bytes(b"this is no database at all" * 50)
    database = Database(f"sqlite:///{path}", patience=HASTY)
    with pytest.raises(StorageUnavailable, match="not a database"):
        database.migrate()
    database.close()


def test_a_folder_that_can_not_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    database = Database(f"sqlite:///{tmp_path / 'file' / 'games.sqlite'}", patience=HASTY)
    with pytest.raises(StorageUnavailable, match="folder"):
        database.migrate()


# Addresses


@pytest.mark.parametrize("address", ["postgres://u:p@h/d", "postgresql://u:p@h/d", "postgresql+psycopg2://u:p@h/d"])
def test_every_way_to_write_postgresql_is_understood(address: str) -> None:
    assert read_address(address).render_as_string(hide_password=False) == "postgresql+psycopg://u:p@h/d"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "games.sqlite",
        "sqlite://",
        "sqlite:///:memory:",
        "mysql://root:hunter2@h/d",
        "postgresql://u:hunter2@h:port/d",
    ],
)
def test_a_bad_address_is_told_without_the_password(address: str) -> None:
    with pytest.raises(BadDatabaseAddress) as told:
        Database(address)
    assert "hunter2" not in str(told.value)


# Secrets


def test_neither_errors_nor_logs_show_an_order(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("sqlalchemy.engine").setLevel(logging.DEBUG)
    try:
        with database.unit_of_work() as work, pytest.raises(Exception, match=r"(?i)foreign") as told:
            work.sheets.save(a_sheet(a_game(id=GameId(99)), orders=("A PAR - BUR",)))
        with database.unit_of_work() as work:
            game = work.games.add(a_game())
            work.sheets.save(a_sheet(game, orders=("A PAR - BUR",)))
            work.outbox.add(a_message(game, payload={"orders": "A PAR - BUR"}))
            work.commit()
    finally:
        logging.getLogger("sqlalchemy.engine").setLevel(logging.NOTSET)
    assert "PAR" not in str(told.value)
    assert "sheets" in caplog.text
    assert "PAR" not in caplog.text
    assert "secret" not in caplog.text


def test_fresh_databases_are_independent(make_database: MakeDatabase) -> None:
    first, second = Database(make_database()), Database(make_database())
    with first.unit_of_work() as work:
        work.games.add(a_game())
        work.commit()
    with second.unit_of_work() as work:
        assert list(work.games.deadlines()) == []
    first.close()
    second.close()


def _cut_off(address: str) -> None:
    """End every other connection to a PostgreSQL database, as a restart of the server would."""
    database = Database(address)
    with database.engine.begin() as connection:
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        )
    database.close()
