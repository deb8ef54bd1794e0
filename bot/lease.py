"""A right that at most one process has at a time, kept in the database that they share.

No wall clock is used: a process that wants the right watches the holder's beat by a clock of its own that only runs
forward, and takes it when the beat has been still for long enough. The holder, by a clock of the same kind, stops well
before that. So neither a crash nor clocks that differ, jump or are set lead to two holders, or to none for long.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from bot.ports import UnitOfWork, UnitOfWorkFactory


@dataclass(frozen=True, slots=True)
class Timing:
    """How long a lease lasts, in seconds.

    Args:
        renew_s: the time between two beats of the holder.
        hold_s: for how long after its last beat the holder relies on its right.
        take_s: a holder without a beat for this long is taken to be gone; longer than `hold_s`, for safety.
    """

    renew_s: float = 3.0
    hold_s: float = 12.0
    take_s: float = 25.0


class Lease:
    """One process's claim to the right; its methods block on the database.

    Args:
        name: the name of the fact in which the right is kept.
        now_s: seconds that only run forward.
    """

    def __init__(
        self,
        unit_of_work: UnitOfWorkFactory,
        name: str,
        *,
        timing: Timing | None = None,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.timing = timing or Timing()
        self._unit_of_work = unit_of_work
        self._name = name
        self._now_s = now_s
        self._holder = secrets.token_hex(8)
        self._beats = 0
        self._left = _FREE
        self._held_until_s: float | None = None
        self._watched: str | None = None
        self._watched_since_s = 0.0

    @property
    def left_s(self) -> float:
        """For how long this process may still rely on its right; 0 if it has none."""
        return 0.0 if self._held_until_s is None else max(0.0, self._held_until_s - self._now_s())

    def take(self) -> bool:
        """Take the right if it is free or its holder is gone, or keep it if it is ours; returns whether it is ours now.

        Raises:
            StorageUnavailable: nobody knows.
        """
        began_s = self._now_s()
        with self._unit_of_work() as unit:
            # Usually it is as this process left it.
            if unit.facts.swap(self._name, self._left, self._beat(1)):
                unit.commit()
                return self._taken(began_s)
            stored = unit.facts.find(self._name)
            is_mine = self._is_mine(stored)
            if not (is_mine or self._may_take(stored, began_s)):
                self._held_until_s = None
                return False
            if not unit.facts.swap(self._name, stored, self._beat(1)):
                return False
            unit.commit()
            return self._taken(began_s)

    def is_held_within(self, unit: UnitOfWork) -> bool:
        """Whether the database still says that the right is ours."""
        return self._is_mine(unit.facts.find(self._name))

    def give_back(self) -> None:
        """Let anybody take it at once.

        Raises:
            StorageUnavailable: then it expires by itself.
        """
        self._held_until_s = None
        with self._unit_of_work() as unit:
            if unit.facts.swap(self._name, self._beat(), _FREE):
                unit.commit()
                self._left = _FREE

    def _beat(self, ahead: int = 0) -> str:
        return f"{self._holder}:{self._beats + ahead}"

    def _taken(self, began_s: float) -> bool:
        self._beats += 1
        self._left = self._beat()
        self._held_until_s = began_s + self.timing.hold_s
        return True

    def _is_mine(self, stored: str | None) -> bool:
        return stored is not None and stored.partition(":")[0] == self._holder

    def _may_take(self, stored: str | None, now_s: float) -> bool:
        if stored is None or stored == _FREE:
            return True
        if stored != self._watched:
            self._watched, self._watched_since_s = stored, now_s
        return now_s - self._watched_since_s >= self.timing.take_s


_FREE = ""
