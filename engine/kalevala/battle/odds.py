"""Exact chances of three dice. Source: rules 16.4, B4"""

from __future__ import annotations

from functools import cache
from itertools import product

NATURAL, KNIFE = 12, 14
"""The sum of the dice that is needed to kill, and that an archer needs with his knife. Source: rules B7"""
_WAYS = {total: sum(1 for dice in product(range(1, 7), repeat=3) if sum(dice) == total) for total in range(3, 19)}
_ALL = 6**3


@cache
def duel(needed: int, ahead: int) -> float:
    """The chance that a figure this many GP ahead kills, which takes this roll and the higher total."""
    ways = sum(
        one * other
        for mine, one in _WAYS.items()
        if mine >= needed
        for theirs, other in _WAYS.items()
        if mine + ahead > theirs
    )
    return ways / _ALL**2


@cache
def at_least(needed: int) -> float:
    """The chance of rolling at least this much on three dice."""
    return sum(ways for total, ways in _WAYS.items() if total >= needed) / _ALL
