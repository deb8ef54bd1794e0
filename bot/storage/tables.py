"""The rows of the database, and nothing else: the codec turns them into domain values, the repositories ask for them.

`table=True` models don't validate; what goes in was checked by the services. Every time is a UTC column.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, BigInteger, DateTime, ForeignKey, Index, MetaData, Text, UniqueConstraint
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel


class UtcDateTime(TypeDecorator[datetime]):
    """A moment: aware in, aware UTC out, on every database. A naive one is refused: nobody knows what it means."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a time without its zone can't be stored: {value.isoformat()}")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        # SQLite keeps no zone; what it holds was converted on the way in.
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class JsonText(TypeDecorator[Any]):
    """JSON kept to the letter: key order, and any character that a player may type.

    On PostgreSQL this is `json` rather than `jsonb`, which reorders keys and refuses the escape of NUL.
    """

    impl = JSON(none_as_null=True)
    cache_ok = True


def dump_json(value: Any) -> str:
    """Compact JSON; read-only mappings count as objects."""
    return json.dumps(value, separators=(",", ":"), default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


class Row(SQLModel):
    """What all tables share: one catalogue in which every constraint has a name, for migrations to call it by."""

    metadata: ClassVar[MetaData] = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class GameRow(Row, table=True):
    """A game. `document` holds the secret seed."""

    __tablename__ = "games"
    __table_args__ = (
        Index("ix_games_due", "status", "deadline_at"),
        Index("ix_games_to_remind", "status", "remind_at"),
        Index("ix_games_to_retry", "status", "retry_at"),
        Index("ix_games_guild_id", "guild_id"),
        Index("ix_games_channel_id", "channel_id"),
        Index("ix_games_token", "token", unique=True),
        {"sqlite_autoincrement": True},  # an id in an old button never names a newer game
    )

    id: int = Field(primary_key=True)
    name: str = Field(sa_type=Text)
    guild_id: int = Field(sa_type=BigInteger)
    channel_id: int = Field(sa_type=BigInteger)
    creator_id: int = Field(sa_type=BigInteger)
    game_masters: list[int] = Field(sa_type=JsonText)
    system: str = Field(max_length=64)
    variant: str = Field(max_length=64)
    players: int
    options: dict[str, Any] = Field(sa_type=JsonText)
    pace: dict[str, Any] = Field(sa_type=JsonText)
    status: str = Field(max_length=16)
    created_at: datetime = Field(sa_type=UtcDateTime)
    document: dict[str, Any] | None = Field(default=None, sa_type=JsonText)
    phase_no: int
    phase_code: str = Field(max_length=64)
    phase_title: dict[str, Any] | None = Field(default=None, sa_type=JsonText)
    opened_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    deadline_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    remind_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    time_left_s: int | None = None
    scenario: dict[str, Any] | None = Field(default=None, sa_type=JsonText)
    scenario_text: str | None = Field(default=None, sa_type=Text)
    trouble: str = Field(max_length=16)
    token: str = Field(max_length=32)
    has_numbered_buttons: bool
    own_seed: str | None = Field(default=None, sa_type=Text)
    last_link: str | None = Field(default=None, sa_type=Text)
    failures: int = 0
    retry_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    has_acts: bool = False
    computer: str | None = Field(default=None, max_length=16)


def _game_key() -> Any:
    """The game that a row belongs to, as the first part of its primary key."""
    return Field(sa_column_args=(ForeignKey("games.id", ondelete="CASCADE"),), primary_key=True)


class SeatRow(Row, table=True):
    """A place in a game; a user has at most one in each."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("game_id", "user_id"), Index("ix_seats_user_id", "user_id"))

    game_id: int = _game_key()
    number: int = Field(primary_key=True)
    power: str | None = Field(default=None, max_length=64)
    user_id: int | None = Field(default=None, sa_type=BigInteger)
    wish: str | None = Field(default=None, max_length=64)
    is_ready: bool
    missed: int
    is_open: bool
    dms_closed: bool
    former: list[int] = Field(sa_type=JsonText)
    is_removed: bool
    word: str = Field(default="", sa_type=Text)
    computer: str | None = Field(default=None, max_length=16)


class SheetRow(Row, table=True):
    """The orders of a seat for a phase. Secret until the phase closes."""

    __tablename__ = "sheets"

    game_id: int = _game_key()
    phase_no: int = Field(primary_key=True)
    power: str = Field(primary_key=True, max_length=64)
    typed: list[str] = Field(sa_type=JsonText)
    orders: list[str] = Field(sa_type=JsonText)
    version: int
    accepted_at: datetime = Field(sa_type=UtcDateTime)
    earlier: list[list[str]] = Field(default_factory=list, sa_type=JsonText)
    sent: int = 0


class PhaseRow(Row, table=True):
    """A closed phase, whole."""

    __tablename__ = "phases"

    game_id: int = _game_key()
    phase_no: int = Field(primary_key=True)
    code: str = Field(max_length=64)
    start_document: dict[str, Any] = Field(sa_type=JsonText)
    end_document: dict[str, Any] = Field(sa_type=JsonText)
    sheets: dict[str, Any] = Field(sa_type=JsonText)
    results: list[dict[str, Any]] = Field(sa_type=JsonText)
    events: list[dict[str, Any]] = Field(sa_type=JsonText)
    rules_version: str = Field(max_length=64)
    opened_at: datetime = Field(sa_type=UtcDateTime)
    deadline_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    closed_at: datetime = Field(sa_type=UtcDateTime)
    closed_because: str = Field(max_length=32)
    late_s: int
    is_undone: bool
    is_excused: bool = False


class ActRow(Row, table=True):
    """What somebody did to a position between two closings. Some of them are secret."""

    __tablename__ = "acts"

    game_id: int = _game_key()
    phase_no: int = Field(primary_key=True)
    number: int = Field(primary_key=True)
    actor: int = Field(sa_type=BigInteger)
    kind: str = Field(max_length=16)
    text: str = Field(sa_type=Text)
    at: datetime = Field(sa_type=UtcDateTime)


class OutboxRow(Row, table=True):
    """A message to send. The queue index finds what is pending without reading what was sent."""

    __tablename__ = "outbox"
    __table_args__ = (
        Index("ix_outbox_queue", "delivery", "game_id", "target", "target_id", "id"),
        Index("ix_outbox_game_id", "game_id"),
        {"sqlite_autoincrement": True},  # a nonce is never used again
    )

    id: int = Field(primary_key=True)
    game_id: int = Field(sa_column_args=(ForeignKey("games.id", ondelete="CASCADE"),))
    phase_no: int
    target: str = Field(max_length=16)
    target_id: int = Field(sa_type=BigInteger)
    kind: str = Field(max_length=32)
    payload: dict[str, Any] = Field(sa_type=JsonText)
    created_at: datetime = Field(sa_type=UtcDateTime)
    not_before: datetime = Field(sa_type=UtcDateTime)
    delivery: str = Field(max_length=16)
    attempts: int
    faults: int
    tried_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    composed: list[dict[str, Any]] | None = Field(default=None, sa_type=JsonText)
    message_id: int | None = Field(default=None, sa_type=BigInteger)
    error: str = Field(sa_type=Text)
    is_edit: bool = False


class BallotRow(Row, table=True):
    """A seat's secret vote."""

    __tablename__ = "ballots"

    game_id: int = _game_key()
    phase_no: int = Field(primary_key=True)
    power: str = Field(primary_key=True, max_length=64)
    kind: str = Field(primary_key=True, max_length=16)
    in_favour: bool
    winner: str | None = Field(default=None, max_length=64)


class MailboxRow(Row, table=True):
    """Which of somebody's direct messages were handled."""

    __tablename__ = "mailboxes"

    user_id: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    channel_id: int | None = Field(default=None, sa_type=BigInteger)
    taken_id: int = Field(sa_type=BigInteger)
    answered_id: int = Field(sa_type=BigInteger)


class NoticesRow(Row, table=True):
    """Direct messages that somebody does not want."""

    __tablename__ = "notices"

    user_id: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    off: list[str] = Field(sa_type=JsonText)


class ProposalRow(Row, table=True):
    """What is voted on in a phase, and who has to agree."""

    __tablename__ = "proposals"

    game_id: int = _game_key()
    phase_no: int = Field(primary_key=True)
    kind: str = Field(primary_key=True, max_length=16)
    winner: str = Field(primary_key=True, max_length=64)
    voters: dict[str, int | None] = Field(sa_type=JsonText)


class MetaRow(Row, table=True):
    """Facts about the database as a whole, by name."""

    __tablename__ = "meta"

    key: str = Field(primary_key=True, max_length=64)
    value: str = Field(sa_type=Text)
