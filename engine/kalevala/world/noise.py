"""Smooth heights by lot, the same for the same dice, over the whole plane of small fields."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from engine.core.dice import Dice
from engine.lattice.great_fields import Field, Place, axial_of

_ROW = 0.8660254037844386
"""How far rows of small fields are apart, where the middles of two in a row are 1 apart."""
_STEPS = 1_000
_MIDDLE = 20
"""A small field next to the middle of its great field."""


def middle_of(field: Field) -> tuple[float, float]:
    """Where a great field lies, in widths of small ones."""
    return point_of(axial_of(Place(field, _MIDDLE)))


def point_of(axial: tuple[int, int]) -> tuple[float, float]:
    """Where a small field lies."""
    q, r = axial
    return q + r / 2, r * _ROW


class Noise:
    """Hills and hollows of several widths, each half as high as the one before; from 0 to 1.

    Args:
        widths: in small fields, the widest first.
    """

    def __init__(self, dice: Dice, name: str, widths: Sequence[float]) -> None:
        self._dice = dice
        self._layers = [(width, 0.5**place, f"{name}/{width}", {}) for place, width in enumerate(widths)]
        self._whole = sum(height for _, height, _, _ in self._layers)

    def at(self, x: float, y: float) -> float:
        """The height of a point."""
        total = 0.0
        knots: dict[tuple[int, int], float]
        for width, height, name, knots in self._layers:
            at_x, at_y = x / width, y / width
            left, top = floor(at_x), floor(at_y)
            across, down = at_x - left, at_y - top
            across *= across * (3 - 2 * across)
            down *= down * (3 - 2 * down)
            corners = []
            for knot in ((left, top), (left + 1, top), (left, top + 1), (left + 1, top + 1)):
                value = knots.get(knot)
                if value is None:
                    value = self._dice.roll(f"{name}/{knot[0]},{knot[1]}", sides=_STEPS) / _STEPS
                    knots[knot] = value
                corners.append(value)
            upper = corners[0] + (corners[1] - corners[0]) * across
            lower = corners[2] + (corners[3] - corners[2]) * across
            total += height * (upper + (lower - upper) * down)
        return total / self._whole
