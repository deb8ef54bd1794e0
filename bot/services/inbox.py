"""What the bot remembers about the direct messages it was sent, so that none is missed or counted twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.model import Mailbox, UserId
from bot.ports import UnitOfWork
from bot.services.context import Context

_READ_UNTIL = "messages_read_until"
"""The fact that all direct messages from players that were sent before a certain moment have been handled."""
_READ_SINCE = "messages_read_since"
"""Since when that is known: messages to earlier versions may have been missed."""
_ABSENCES = "absence"
"""From when until when the bot was away, two moments for each time, in order."""
_MOST_ABSENCES = 100
"""How many are remembered, the latest."""
_SLACK = timedelta(minutes=3)
"""How long a connection may be dead before anybody notices: messages sent in that time are looked at again."""
_LONGEST_GAP = timedelta(days=1)
"""Messages are read from so far back where it isn't known for certain since when; older ones are of no use."""


class AlreadyTaken(Exception):
    """The orders of a message were taken by another process on the same database, which also answers it."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Where one person's messages may have been missed.

    Args:
        since: nothing was missed before; `None`: nobody knows.
    """

    mailbox: Mailbox
    since: datetime | None


def players(context: Context) -> Sequence[UserId]:
    """Whose messages to read after the bot was away: all who can give orders, by when their phase closes."""
    with context.reading() as unit:
        return tuple(unit.games.players())


def find_unread(context: Context, user_id: UserId) -> Unread:
    """From which message on a person's messages have to be read."""
    with context.reading() as unit:
        until, now = read_until(unit), context.clock.now()
        if until is not None and until > now:
            # Noted by a clock that ran ahead. What was answered then is known, and is not answered again.
            until = now - _LONGEST_GAP
        return Unread(_mailbox(unit, user_id), None if until is None else until - _SLACK)


def find_mailbox(context: Context, user_id: UserId) -> Mailbox:
    """Which of a person's messages were handled."""
    with context.reading() as unit:
        return _mailbox(unit, user_id)


def is_known(context: Context) -> bool:
    """Whether it was ever known that no message was missed: not before the first start that recorded this."""
    with context.reading() as unit:
        return read_until(unit) is not None


def note_channel(context: Context, user_id: UserId, channel_id: int) -> None:
    """Store where a person's direct messages are."""
    with context.unit_of_work() as unit:
        unit.mailboxes.save(replace(_mailbox(unit, user_id), channel_id=channel_id))
        unit.commit()


def note_answered(context: Context, user_id: UserId, channel_id: int, message_id: int) -> None:
    """A message has been answered, and with it everything that matters in the earlier ones."""
    with context.unit_of_work() as unit:
        mailbox = _mailbox(unit, user_id)
        answered_id = max(mailbox.answered_id, message_id)
        unit.mailboxes.save(replace(mailbox, channel_id=channel_id, answered_id=answered_id))
        unit.commit()


def note_taken(unit: UnitOfWork, user_id: UserId, message_id: int | None) -> None:
    """Called in the unit of work that stores the orders of a message: they are never taken again.

    Raises:
        AlreadyTaken: those of this message, or of a later one, were.
    """
    if message_id is not None:
        mailbox = _mailbox(unit, user_id)
        if message_id <= mailbox.taken_id:
            raise AlreadyTaken
        unit.mailboxes.save(replace(mailbox, taken_id=message_id))


def note_read_until(context: Context, moment: datetime, *, was_away: bool = False) -> None:
    """Record that all direct messages that players sent before a certain moment have been handled.

    Args:
        was_away: those since the last such moment, if that is long ago, were missed at first.
    """
    with context.unit_of_work() as unit:
        old = unit.facts.find(_READ_UNTIL)
        _forget_absences_after(unit, moment)
        if old is None:
            unit.facts.swap(_READ_SINCE, None, moment.isoformat())
        elif was_away and moment - datetime.fromisoformat(old) > _SLACK:
            _add_absence(unit, old, moment.isoformat())
        unit.facts.swap(_READ_UNTIL, old, moment.isoformat())
        unit.commit()


def note_moved(unit: UnitOfWork, moment: datetime, now: datetime) -> None:
    """A game came from a database that knew until when messages had been handled: what was sent since then is read.

    Not if this database knows that for itself.
    """
    if read_until(unit) is None and now - _LONGEST_GAP <= moment <= now:
        unit.facts.swap(_READ_SINCE, None, moment.isoformat())
        unit.facts.swap(_READ_UNTIL, None, moment.isoformat())


def read_until(unit: UnitOfWork) -> datetime | None:
    """The moment before which all direct messages from players have been handled; `None`: nobody knows."""
    stored = unit.facts.find(_READ_UNTIL)
    return None if stored is None else datetime.fromisoformat(stored)


def is_all_read(unit: UnitOfWork, begin: datetime, end: datetime) -> bool:
    """Whether all direct messages that players sent between two moments have certainly been handled."""
    until, since = read_until(unit), unit.facts.find(_READ_SINCE)
    return until is not None and since is not None and datetime.fromisoformat(since) <= begin and end <= until


def time_away(unit: UnitOfWork, begin: datetime, end: datetime, now: datetime) -> timedelta:
    """How much of the time between two moments before now the bot is known to have been away, all in all."""
    absences, until = _absences(unit), read_until(unit)
    if until is not None and until < end and now - end > _SLACK:
        # What was missed is not read yet. Soon after the end the bot may also be there, and unable to read.
        absences.append((until, end))
    parts = (min(back, end) - max(since, begin) for since, back in absences)
    return sum((part for part in parts if part > timedelta()), timedelta())


def _absences(unit: UnitOfWork) -> list[tuple[datetime, datetime]]:
    moments = map(datetime.fromisoformat, (unit.facts.find(_ABSENCES) or "").split())
    return list(zip(moments, moments, strict=True))


def _add_absence(unit: UnitOfWork, since: str, back: str) -> None:
    stored = unit.facts.find(_ABSENCES)
    kept = (stored or "").split()[-2 * (_MOST_ABSENCES - 1) :]
    unit.facts.swap(_ABSENCES, stored, " ".join((*kept, since, back)))


def _forget_absences_after(unit: UnitOfWork, now: datetime) -> None:
    """A clock that ran ahead has put them in the future; now it is set back."""
    stored, absences = unit.facts.find(_ABSENCES), _absences(unit)
    if stored is not None and absences and absences[-1][1] > now:
        kept = [moment.isoformat() for since, back in absences if since < now for moment in (since, min(back, now))]
        unit.facts.swap(_ABSENCES, stored, " ".join(kept))


def _mailbox(unit: UnitOfWork, user_id: UserId) -> Mailbox:
    return unit.mailboxes.find(user_id) or Mailbox(user_id)
