"""Orders that void others, resolved before anything moves: a separate stage before the contest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.provinces.contest.equations import Truth


@dataclass(frozen=True, slots=True)
class Voiding:
    """Which orders others have voided, before anything moves.

    Args:
        voided: units whose order counts for nothing, by the unit that voided it.
        failed: units whose order to void another's failed.
        circles: units whose orders depended on each other in a circle, ascending; all of these stay.
    """

    voided: Mapping[int, int]
    failed: frozenset[int]
    circles: frozenset[int]


def settle_voids(side: Sequence[int], at: Sequence[int], to: Sequence[int], voids: Mapping[int, int]) -> Voiding:
    """Find out which orders that void another unit's order succeed.

    void of a unit = some order that voids it succeeds
    such an order succeeds = its unit is not voided, and no other side's unit that is not voided attacks it

    As with attacks, what follows from the orders is decided first. Whatever is left depends on itself: each order
    affects only one unit, so what is open forms circles, on which nothing else depends; none of their orders counts.

    Args:
        voids: by unit, the unit whose order it would void.
    """
    if not voids:
        return Voiding({}, frozenset(), frozenset())
    attackers = [
        [other for other, space in enumerate(to) if space == at[unit] and side[other] != side[unit]]
        for unit in range(len(at))
    ]
    by: dict[int, list[int]] = {}
    for unit, victim in voids.items():
        by.setdefault(victim, []).append(unit)
    voided: list[Truth] = [None if unit in by else False for unit in range(len(at))]
    succeeds: dict[int, Truth] = dict.fromkeys(voids)
    still_open = len(at) + len(voids) + 1
    while still_open > (still_open := voided.count(None) + sum(truth is None for truth in succeeds.values())):
        for unit in voids:
            obstacles = [voided[unit], *(_not(voided[other]) for other in attackers[unit])]
            succeeds[unit] = _not(_any(obstacles))
        for victim, authors in by.items():
            voided[victim] = _any([succeeds[author] for author in authors])
    in_circle = {unit for unit, truth in enumerate(voided) if truth is None}
    in_circle |= {unit for unit, truth in succeeds.items() if truth is None}
    return Voiding(
        voided={unit: next(one for one in by[unit] if succeeds[one]) for unit in by if voided[unit]},
        failed=frozenset(unit for unit, truth in succeeds.items() if truth is False),
        circles=frozenset(in_circle),
    )


def _any(truths: Sequence[Truth]) -> Truth:
    return True if True in truths else None if None in truths else False


def _not(truth: Truth) -> Truth:
    return None if truth is None else not truth
