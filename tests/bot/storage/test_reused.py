"""A PostgreSQL database that a test has used is given to the next one only if it is as good as a fresh copy."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.conftest import is_emptied


def test_rows_and_counted_numbers_are_gone(postgresql_url: str, migrated_shape: tuple[Any, ...]) -> None:
    tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
    with psycopg.connect(postgresql_url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("INSERT INTO meta VALUES ('key', 'value')")
        numbers = [name for (name,) in connection.execute("SELECT sequencename FROM pg_sequences")]
        assert numbers
        for name in numbers:
            connection.execute(f"SELECT nextval('{name}')".encode())
    assert is_emptied(postgresql_url, migrated_shape)
    with psycopg.connect(postgresql_url) as connection:
        for (table,) in connection.execute(tables).fetchall():
            assert connection.execute(f"SELECT * FROM {table}".encode()).fetchall() == []
        for name in numbers:
            assert connection.execute(f"SELECT nextval('{name}')".encode()).fetchone() == (1,)


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE seats ADD COLUMN colour text",
        "ALTER TABLE games ALTER COLUMN name DROP NOT NULL",
        "ALTER TABLE games ADD CONSTRAINT short CHECK (length(name) < 9)",
        "CREATE INDEX by_name ON games (name)",
        "DROP TABLE notices",
        "UPDATE alembic_version SET version_num = '0'",
        "CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    ],
)
def test_one_that_was_built_otherwise_is_not(change: str, postgresql_url: str, migrated_shape: tuple[Any, ...]) -> None:
    assert is_emptied(postgresql_url, migrated_shape)
    with psycopg.connect(postgresql_url, autocommit=True) as connection:
        connection.execute(change.encode())
    assert not is_emptied(postgresql_url, migrated_shape)


def test_one_in_which_somebody_is_still_at_work_is_not(postgresql_url: str, migrated_shape: tuple[Any, ...]) -> None:
    with psycopg.connect(postgresql_url):
        assert not is_emptied(postgresql_url, migrated_shape)
