"""Chance as an input. A roll depends on the seed and its label alone, so a new roll never shifts another."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias, TypeVar

from engine.core.errors import DocumentError
from engine.core.phrases import Phrase

T = TypeVar("T")
ForcedRoll: TypeAlias = int | tuple[int, ...]
"""One forced entry of a stream: a number, the sum of several dice, or these dice one by one."""
D100 = 100
D6 = 6


@dataclass(frozen=True, slots=True)
class Roll:
    """One roll that was made from a stream.

    Args:
        number: of the roll in its stream, from 1.
        dice: what each showed; `None` if only their sum was given.
        purpose: what it was for; `None`: nobody has said.
    """

    stream: str
    number: int
    dice: tuple[int, ...] | None
    total: int
    purpose: Phrase | None = None

    def to_row(self, purpose: str | None) -> dict[str, Any]:
        """The row that `adjudicate --json` gives, with the purpose in words."""
        dice = None if self.dice is None else list(self.dice)
        return {"stream": self.stream, "n": self.number, "dice": dice, "sum": self.total, "for": purpose}


class Throw(NamedTuple):
    """Several dice thrown at once; `dice` is `None` if only their sum was given."""

    total: int
    dice: tuple[int, ...] | None
    number: int = 3
    sides: int = D6

    @property
    def is_triple(self) -> bool:
        """Whether all dice show the same number. A sum says so only if no other dice add up to it."""
        if self.dice is None:
            return self.total in (self.number, self.number * self.sides)
        return len(set(self.dice)) == 1


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice of one phase.

    Args:
        seed: secret until the phase has closed.
        forced: results by label that are given instead of drawn, for tests and for checking a report.
        rows: the same for streams, by their names in lower case: the first rolls of each stream named.
        log: where rolls are recorded, by stream and number, for anybody who wants to see them; no roll depends on it.
    """

    seed: str
    forced: Mapping[str, int] = field(default_factory=dict)
    rows: Mapping[str, Sequence[ForcedRoll]] = field(default_factory=dict)
    log: dict[tuple[str, int], Roll] | None = field(default=None, compare=False, repr=False)

    def roll(self, label: str, *, sides: int, least: int = 1, purpose: Phrase | None = None) -> int:
        """One of `sides` whole numbers from `least`, each equally likely; the same label always gives the same.

        Raises:
            DocumentError: another number is forced.
        """
        number = self.forced.get(label)
        if number is None:
            number = self._below(label, sides) + least
        elif not least <= number < least + sides:
            raise _beyond(f"dice.{label}", number, least, least + sides - 1)
        self.note(Roll(label, 1, (number,), number, purpose))
        return number

    def pick(self, label: str, options: Sequence[T], *, purpose: Phrase | None = None) -> T:
        """One of the options, each equally likely. The order of the options matters: sort them if they have none."""
        place = self._below(label, len(options))
        self.note(Roll(label, 1, (place + 1,), place + 1, purpose))
        return options[place]

    def shuffled(self, label: str, items: Sequence[T], *, purpose: Phrase | None = None) -> tuple[T, ...]:
        """The items in random order: each roll picks the next one among those left."""
        left, drawn = list(items), []
        for number in range(1, len(items) + 1):
            place = self._below(f"{label}/{number - 1}", len(left))
            self.note(Roll(label, number, (place + 1,), place + 1, purpose))
            drawn.append(left.pop(place))
        return tuple(drawn)

    def for_phase(self, phase: str) -> Dice:
        """The dice of a phase of the game that has this seed."""
        digest = hashlib.sha256(f"{self.seed}\n{phase}".encode(errors="surrogatepass"))
        return Dice(digest.hexdigest(), self.forced, self.rows, self.log)

    def streams(self) -> Streams:
        """The phase's streams, each at its beginning."""
        return Streams(self)

    def logged(self) -> Dice:
        """The same dice, which record what is rolled with them."""
        return Dice(self.seed, self.forced, self.rows, {})

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """The rolls that were recorded, in the order rolled."""
        return tuple((self.log or {}).values())

    def note(self, roll: Roll) -> None:
        """Record a roll, if rolls are recorded; the same one asked for again is still one roll."""
        if self.log is not None:
            self.log.setdefault((roll.stream, roll.number), roll)

    def _below(self, label: str, limit: int) -> int:
        # 256 bits make the bias of the remainder smaller than anyone could ever measure.
        digest = hashlib.sha256(f"{self.seed}\n{label}".encode(errors="surrogatepass")).digest()
        return int.from_bytes(digest) % limit


def _beyond(where: str, number: object, least: int, most: int) -> DocumentError:
    return DocumentError(where, f"{number} is not from {least} to {most}")


def seal(seed: str) -> str:
    """The fingerprint of a seed (SHA-256, in hex), which may be published while the seed is secret.

    Anybody who knows it from the start of a game can check at its end that all dice were fixed beforehand.
    """
    return hashlib.sha256(seed.encode(errors="surrogatepass")).hexdigest()


class Streams:
    """Dice for games that roll in sequences: each purpose takes the next roll of its stream, forced rolls first.

    The only part of the dice that changes when used; so each phase makes its own, and a roll of one stream never
    shifts another stream's.
    """

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self._taken: dict[str, int] = {}

    def roll(self, stream: str, *, sides: int, purpose: Phrase | None = None) -> int:
        """The stream's next whole number from 1 to `sides`.

        Raises:
            DocumentError: the entry that is forced in its place is not such a number; it names the place.
        """
        number, entry = self._next(stream)
        if entry is None:
            value = self._dice._below(f"{stream}#{number}", sides) + 1
        else:
            value = _single(entry, f"dice.{stream}[{number - 1}]", sides)
        self._dice.note(Roll(stream, number, (value,), value, purpose))
        return value

    def throw(self, stream: str, *, count: int = 3, sides: int = D6, purpose: Phrase | None = None) -> Throw:
        """The stream's next throw of several dice at once. Either their sum can be forced, or all of them one by one.

        Raises:
            DocumentError: the entry that is forced in its place is not such dice; it names the place.
        """
        number, entry = self._next(stream)
        where = f"dice.{stream}[{number - 1}]"
        if entry is None:
            dice = tuple(self._dice._below(f"{stream}#{number}/{die}", sides) + 1 for die in range(1, count + 1))
            thrown = Throw(sum(dice), dice, count, sides)
        elif isinstance(entry, int):
            if not count <= entry <= count * sides:
                raise _beyond(where, entry, count, count * sides)
            thrown = Throw(entry, None, count, sides)
        else:
            if len(entry) != count:
                raise DocumentError(where, f"has {len(entry)} dice, not {count}")
            for place, die in enumerate(entry):
                if not 1 <= die <= sides:
                    raise _beyond(f"{where}[{place}]", die, 1, sides)
            thrown = Throw(sum(entry), entry, count, sides)
        self._dice.note(Roll(stream, number, thrown.dice, thrown.total, purpose))
        return thrown

    def d100(self, stream: str, purpose: Phrase | None = None) -> int:
        """The stream's next percentile roll."""
        return self.roll(stream, sides=D100, purpose=purpose)

    def forced(self, stream: str) -> Sequence[ForcedRoll]:
        """The forced entries of a stream whose numbers are not single rolls (a playing order)."""
        return self._dice.rows.get(stream.casefold(), ())

    def shuffled(self, stream: str, items: Sequence[T], *, purpose: Phrase | None = None) -> tuple[T, ...]:
        """The items in random order."""
        return self._dice.shuffled(stream, items, purpose=purpose)

    @property
    def taken(self) -> Mapping[str, int]:
        """How many rolls each stream has given."""
        return self._taken

    def _next(self, stream: str) -> tuple[int, ForcedRoll | None]:
        """The number of a stream's next roll, and what is forced for it."""
        number = self._taken[stream] = self._taken.get(stream, 0) + 1
        row = self._dice.rows.get(stream.casefold(), ())
        return number, row[number - 1] if number <= len(row) else None


def _single(entry: ForcedRoll, where: str, sides: int) -> int:
    if not isinstance(entry, int):
        raise DocumentError(where, "are several dice where one is rolled")
    if not 1 <= entry <= sides:
        raise _beyond(where, entry, 1, sides)
    return entry
