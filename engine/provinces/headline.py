"""The headline of a phase on a map of provinces: whose centres changed hands, who fell, who won."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core import headline as core
from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.core.play import Over
from engine.provinces.phases import Phase, PhaseKind, Season


@dataclass(frozen=True, slots=True)
class Standing:
    """How things stood, as everybody may know it.

    Args:
        owners: of centres, cities or whatever is fought for.
        out: who was out of the game.
    """

    phase: Phase
    over: Over | None
    owners: Mapping[Any, PowerId | None]
    out: tuple[PowerId, ...]


EACH_SEASON = frozenset(Season)


def headline(
    before: Standing,
    after: Standing,
    powers: Mapping[PowerId, object],
    *,
    counts_after: Collection[Season] = EACH_SEASON,
    besides: Sequence[Phrase] = (),
) -> tuple[Phrase, ...]:
    """The news of the phase that led from one to the other; for a movement phase also that there is none.

    Args:
        powers: those who can take something, in seat order.
        counts_after: the seasons after which something can change hands.
        besides: lesser news that only this game has.
    """
    took: dict[PowerId, list[str]] = {power: [] for power in powers}
    for at, owner in after.owners.items():
        if owner in took and before.owners.get(at) != owner:
            took[owner].append(at)
    is_over = before.phase.kind is PhaseKind.MOVEMENT and after.phase.kind is not PhaseKind.RETREATS
    is_decided = is_over and before.phase.season in counts_after
    when = phrase("headline.when", season=phrase(f"phase.season.{before.phase.season}"), year=before.phase.year)
    news = core.headline(
        winners=after.over.winners if after.over and not before.over else (),
        fallen=tuple(power for power in after.out if power not in before.out),
        took=took,
        otherwise=when if is_decided and not besides else None,
    )
    return (*news, *besides)
