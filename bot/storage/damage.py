"""Stored rows that can't be read. One game's damage affects no other: lists leave it out, and go on."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from sqlmodel import Session

from bot.faults import describe_fault
from bot.model import GameId
from bot.ports import DamagedGame

T = TypeVar("T")

_DAMAGE = (ValueError, TypeError, LookupError, AttributeError)
"""The errors of reading a text that is no time, no JSON, or JSON of something else."""

logger = logging.getLogger(__name__)


@contextmanager
def reading_of(game_id: GameId) -> Iterator[None]:
    """A context in which rows of one game are read.

    Raises:
        DamagedGame: one of them can't be.
    """
    try:
        yield
    except _DAMAGE as error:
        raise DamagedGame(game_id) from error


def rows_despite_damage(
    session: Session,
    query: Any,
    number: Any,
    read: Callable[[Any], Sequence[T]],
    leave_out: Callable[[int], None],
) -> tuple[T, ...]:
    """What a query finds, without the rows that can't be read.

    Args:
        number: the column that identifies a row.
        read: carries out a query and reads its rows.
        leave_out: receives the numbers of those that are left out.
    """
    try:
        return tuple(read(query))
    except _DAMAGE:
        # At least one row can't be read: each is read by itself.
        numbers = session.execute(query.with_only_columns(number)).scalars().all()
    found: list[T] = []
    for each in numbers:
        try:
            found += read(query.where(number == each))
        except _DAMAGE as error:
            _log_once(f"{number.class_.__tablename__} {each}", describe_fault(error))
            leave_out(each)
    return tuple(found)


_logged: set[str] = set()


def _log_once(row: str, fault: str) -> None:
    """Lists are read all the time."""
    if row not in _logged:
        _logged.add(row)
        logger.error("a record can't be read: %s: %s", row, fault)
