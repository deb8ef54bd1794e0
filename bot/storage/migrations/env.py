"""Run by Alembic for every command. The bot hands its own connection over; a developer's shell gives an address."""

from __future__ import annotations

import os
from typing import Any, Literal

from alembic import context
from sqlalchemy import Connection
from sqlalchemy.types import TypeDecorator

from bot.storage.database import Database
from bot.storage.tables import Row


def _plain_type(kind: str, item: Any, _context: object) -> str | Literal[False]:
    """A migration names the database's types, not ours, which may change after it was written."""
    if kind != "type" or not isinstance(item, TypeDecorator):
        return False
    return f"sa.{item.impl!r}"


def _run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Row.metadata,
        compare_type=True,
        # SQLite alters a table by building it anew.
        render_as_batch=connection.dialect.name == "sqlite",
        render_item=_plain_type,
    )
    with context.begin_transaction():
        context.run_migrations()


_given: Connection | None = context.config.attributes.get("connection")
if _given is not None:
    _run(_given)
else:
    with Database(os.environ["DATABASE_URL"]).engine.begin() as _own:
        _run(_own)
