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
        rows: the same for streams: the first rolls of each stream that is named.
    """

    seed: str
    forced: Mapping[str, int] = field(default_factory=dict)
    rows: Mapping[str, Sequence[int]] = field(default_factory=dict)

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
        return Dice(
            hashlib.sha256(f"{self.seed}\n{phase}".encode(errors="surrogatepass")).hexdigest(), self.forced, self.rows
        )

    def streams(self) -> Streams:
        """The phase's streams, each at its beginning."""
        return Streams(self)

    def _below(self, label: str, limit: int) -> int:
        # 256 bits make the bias of the remainder smaller than anyone could ever measure.
        digest = hashlib.sha256(f"{self.seed}\n{label}".encode(errors="surrogatepass")).digest()
        return int.from_bytes(digest) % limit


def seal(seed: str) -> str:
    """The fingerprint of a seed (SHA-256, in hex), which may be told while the seed is secret.

    Whoever knows it from the start of a game can tell at its end that all dice were fixed beforehand.
    """
    return hashlib.sha256(seed.encode(errors="surrogatepass")).hexdigest()


class Streams:
    """Dice for games that roll in sequences: each need takes the next roll of its stream, forced rolls first.

    The one thing of the dice that changes by being used; so a phase makes its own, and a roll of one stream never
    shifts another stream's.
    """

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self._taken: dict[str, int] = {}

    def roll(self, stream: str, *, sides: int) -> int:
        """The stream's next whole number from 1 to `sides`. A forced one beyond them wraps round."""
        taken = self._taken.get(stream, 0)
        self._taken[stream] = taken + 1
        row = self._dice.rows.get(stream, ())
        if taken < len(row):
            return (row[taken] - 1) % sides + 1
        return self._dice.roll(f"{stream}#{taken + 1}", sides=sides)

    def d100(self, stream: str) -> int:
        """The stream's next roll of percent."""
        return self.roll(stream, sides=100)

    def forced(self, stream: str) -> Sequence[int]:
        """The numbers given for a stream, for those that are no rolls one by one (a playing order)."""
        return self._dice.rows.get(stream, ())

    def shuffled(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:
        """The items in an order drawn by lot."""
        return self._dice.shuffled(stream, items)

    @property
    def taken(self) -> Mapping[str, int]:
        """How many rolls each stream has given."""
        return self._taken
