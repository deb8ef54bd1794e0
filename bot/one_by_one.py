"""Turns of people: what one person asks for is done one thing after the other, and keeps nobody else waiting."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary

from bot.model import UserId

LONGEST_WAIT_S = 10.0
"""How long at most a phase that is due, or what somebody presses, waits for sheets that came before."""


class OneByOne:
    """A lock for each person, kept while it is held or waited for. For the event loop alone."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[UserId, asyncio.Lock] = WeakValueDictionary()

    def turn_of(self, user_id: UserId) -> asyncio.Lock:
        """The lock of a person."""
        return self._locks.setdefault(user_id, asyncio.Lock())

    async def wait(self, within_s: float, *, of: UserId | None = None) -> None:
        """Wait until all that was asked for by now is done, but no longer than that.

        Args:
            of: by this person; `None`: by anybody.
        """
        passing = [
            asyncio.create_task(_pass(lock)) for user_id, lock in self._locks.items() if of is None or user_id == of
        ]
        if not passing:
            return
        try:
            await asyncio.wait(passing, timeout=within_s)
        finally:
            for each in passing:
                each.cancel()


async def _pass(lock: asyncio.Lock) -> None:
    async with lock:
        """It comes after all who were waiting before."""
