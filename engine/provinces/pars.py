"""Pars: what a power comes to in an average game, so that powers with unequal starts can be compared.

Counted in halves of what wins (centres, cities, fleets), for whole numbers are too coarse to even a game out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase


def read_par(settings: Mapping[str, Any], power: PowerId) -> int:
    """A power's par, in halves, from the settings of a variant."""
    return int(2 * settings["par"][power])


def most_above(above: Mapping[PowerId, int]) -> tuple[PowerId, ...]:
    """The powers furthest above their pars or, if all are below, least below them; in the order given."""
    most = max(above.values(), default=0)
    return tuple(power for power, halves in above.items() if halves == most)


def above_or_below(above: int, par: int, words: str) -> Phrase:
    """How far above or below its par a power is, by the phrases `above` and `below` of these words, or `at`.

    Args:
        above: in halves; less than nothing if it is below.
        par: in halves.
    """
    code = "above" if above > 0 else "below" if above < 0 else "at"
    return phrase(f"{words}.{code}", count=format_halves(abs(above)), par=format_halves(par))


def format_halves(halves: int) -> str:
    """`3`, `3.5`"""
    return f"{halves // 2}.5" if halves % 2 else str(halves // 2)
