"""What supports that lessen each other come to, found by trying everything: plain, and exponential.

`ring_answers` is arithmetic that knows no kernel; `try_all_strengths` stands in for the kernel's search for the answers
of a component, over the kernel's own equations. Source: rules of Feudal Europe, 6; ruling F13.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from engine.provinces.contest import components
from engine.provinces.contest.equations import Equations


def ring_answers(supports: Sequence[int], attacks: Sequence[int]) -> list[tuple[int, ...]]:
    """Every way in which a ring's supports can agree: each loses the attack on it, with the support of the one before.

    Args:
        supports: what each counts unlessened.
        attacks: the strength of the attack on each, which the one before supports.
    """
    return [
        strengths
        for strengths in product(*(range(support + 1) for support in supports))
        if all(
            strengths[place] == max(0, supports[place] - attacks[place] - strengths[place - 1])
            for place in range(len(supports))
        )
    ]


def try_all_strengths(
    equations: Equations, moves: Sequence[int], supports: Sequence[int] = ()
) -> list[components._Answer]:
    """The first two answers of a component: all strengths of all its supports, with each of them all that is open."""
    found = []
    for strengths in product(*(range(equations.supports[unit] + 1) for unit in supports)):
        given = {unit: (own, own) for unit, own in zip(supports, strengths, strict=True)}
        before = components._assume(equations, {}, given)
        found += [components._Answer(moved, given) for moved in _try_all_moves(equations, moves, supports)]
        components._forget(equations, before)
    return found[:2]


def _try_all_moves(equations: Equations, moves: Sequence[int], supports: Sequence[int]) -> Iterator[dict[int, bool]]:
    still_open = equations.decide(moves)
    if not still_open:
        if components._is_consistent(equations, moves, supports):
            yield {unit: bool(equations.moved[unit]) for unit in moves}
        return
    for guess in (False, True):
        before = components._assume(equations, {still_open[0]: guess})
        yield from _try_all_moves(equations, moves, supports)
        components._forget(equations, before)
