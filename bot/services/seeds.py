"""Where a game's dice came from: one secret seed, until a rollback or an import lets it go on with another.

A seed is told when the game is over; from then on nothing more may be drawn from it. A new one begins after a number
that no closed phase has: each rollback leaves one out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from bot.model import Game, GameStatus, PhaseRecord
from engine.core.dice import seal
from engine.registry import AnySystem


@dataclass(frozen=True, slots=True)
class SeedSpan:
    """Phases that followed one another, and the seed of their dice: secret as long as it has not been told.

    Args:
        first_code: of the first of the phases; it may be the present one.
        records: those of them that are closed, undone ones too.
        is_told: the game was over with these phases behind it, so everybody may know the seed.
    """

    seed: str
    first_code: str
    records: tuple[PhaseRecord, ...]
    is_told: bool

    @property
    def seal(self) -> str:
        """The fingerprint that was announced before the first of these phases could be closed."""
        return seal(self.seed)


def seed_of(document: Mapping[str, Any]) -> str:
    """The seed in a position's document."""
    return str(document["seed"])


def with_seed(document: Mapping[str, Any], seed: str) -> dict[str, Any]:
    """The same position, with dice to come from another seed. What was drawn or dealt before stays."""
    return {**document, "seed": seed}


def seed_spans(rules: AnySystem, game: Game, records: Sequence[PhaseRecord]) -> tuple[SeedSpan, ...]:
    """A game's seeds in order; the last is the present one.

    The seed of a span is the one at its end: that one was told, or is still in use. A record in it that began with
    another is not as it was played.

    Args:
        game: one that has begun, with its document.
        records: all its closed phases, in order.
    """
    assert game.document is not None, "a game that has begun has a position"
    parts = _between_gaps(records, game.phase_no)
    seeds = [*(seed_of(part[-1].end) for part in parts[:-1]), seed_of(game.document)]
    ends = [rules.play.status(rules.play.load(part[-1].end)).winners is not None for part in parts[:-1]]
    ends.append(game.status is GameStatus.OVER)
    spans = []
    for seed, group in groupby(range(len(parts)), key=seeds.__getitem__):
        numbers = tuple(group)
        closed = tuple(record for number in numbers for record in parts[number])
        first_code = closed[0].code if closed else game.phase_code
        spans.append(SeedSpan(seed, first_code, closed, is_told=any(ends[numbers[0] :])))
    return tuple(spans)


def _between_gaps(records: Sequence[PhaseRecord], phase_no: int) -> list[list[PhaseRecord]]:
    """The records, parted where a number has none; last those that led to the present phase, which may be none."""
    parts: list[list[PhaseRecord]] = [[]]
    for record in records:
        if parts[-1] and record.phase_no != parts[-1][-1].phase_no + 1:
            parts.append([])
        parts[-1].append(record)
    if parts[-1] and phase_no != parts[-1][-1].phase_no + 1:
        parts.append([])
    return parts
