"""When what a player sends was sent, and for which phase: it counts as if it had been done at that moment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ByMessage:
    """What matters about the direct message that orders came in.

    Args:
        id: Discord's; the orders of one message are taken once. `None`: that is not noted.
        was_missed: it was read only after the bot had been away.
        edited_at: when its text was last changed before it was read, if it was; not later than now. What it said before
            that nobody knows.
    """

    id: int | None
    was_missed: bool = False
    edited_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Arrival:
    """Where a command, a press, a form or a message stands among the phases.

    It counts from when it was sent, however long it was under way: for no phase that opened later, but for one whose
    deadline has passed since, if that is not closed yet.

    Args:
        at: when it was sent, by Discord's time stamp; not later than now. `None`: just now.
        phase_no: the phase that it was meant for, as a button or a form names it; `None`: the present one.
        message: the direct message, if it came in one.
    """

    at: datetime | None = None
    phase_no: int | None = None
    message: ByMessage | None = None

    def moment(self, now: datetime) -> datetime:
        """When it was sent."""
        return now if self.at is None else self.at


NOW = Arrival()
"""Of what comes just now, for the present phase."""
