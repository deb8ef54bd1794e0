"""Turns of people: what one person asks for is done one thing after the other, and keeps nobody else waiting."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary

from bot.model import UserId


class OneByOne:
    """A lock for each person, kept while it is held or waited for. For the event loop alone."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[UserId, asyncio.Lock] = WeakValueDictionary()

    def turn_of(self, user_id: UserId) -> asyncio.Lock:
        """The lock of a person."""
        return self._locks.setdefault(user_id, asyncio.Lock())
