"""Chance as an input. A roll depends on the seed and its label alone, so a new roll never shifts another."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice of one phase.

    Args:
        seed: secret until the phase has closed.
        forced: results by label that are given instead of drawn, for tests and for checking a report.
    """

    seed: str
    forced: Mapping[str, int] = field(default_factory=dict)

    def roll(self, label: str, *, sides: int) -> int:
        """A whole number from 1 to `sides`, each equally likely; the same label always gives the same number."""
        if label in self.forced:
            return self.forced[label]
        return self._below(label, sides) + 1

    def pick(self, label: str, options: Sequence[T]) -> T:
        """One of the options, each equally likely. The order of the options matters: sort what has none."""
        return options[self._below(label, len(options))]

    def shuffled(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """The items in an order drawn by lot."""
        left = list(items)
        return tuple(left.pop(self._below(f"{label}/{index}", len(left))) for index in range(len(items)))

    def for_phase(self, phase: str) -> Dice:
        """The dice of a phase of the game that has this seed."""
        return Dice(hashlib.sha256(f"{self.seed}\n{phase}".encode()).hexdigest(), self.forced)

    def _below(self, label: str, limit: int) -> int:
        # 256 bits make the bias of the remainder smaller than anyone could ever measure.
        digest = hashlib.sha256(f"{self.seed}\n{label}".encode()).digest()
        return int.from_bytes(digest) % limit
