"""Smooth heights by lot, the same for the same dice, over the whole plane of small fields."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from engine.core.dice import Dice
from engine.lattice.great_fields import FieldCell, FieldId, axial_of

_ROW = 0.8660254037844386
"""How far rows of small fields are apart, where the middles of two in a row are 1 apart."""
_STEPS = 1_000
_MIDDLE = 20
"""A small field next to the middle of its great field."""


def middle_of(field: FieldId) -> tuple[float, float]:
    """Where a great field lies, in widths of small ones."""
    return point_of(axial_of(FieldCell(field, _MIDDLE)))


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
        self._name = name
        self._widths = widths

    def over(self, points: Sequence[tuple[float, float]]) -> list[float]:
        """The heights of points."""
        found = [0.0] * len(points)
        height, whole = 1.0, 0.0
        for width in self._widths:
            self._add(found, points, width, height)
            whole += height
            height /= 2
        return [each / whole for each in found]

    def _add(self, found: list[float], points: Sequence[tuple[float, float]], width: float, height: float) -> None:
        """Add hills of one width: each point lies between four knots, whose heights are drawn by lot."""
        west, north = (floor(min(point[axis] for point in points) / width) for axis in (0, 1))
        east, south = (floor(max(point[axis] for point in points) / width) + 1 for axis in (0, 1))
        roll, label = self._dice.roll, f"{self._name}/{width}"
        knots = [
            [roll(f"{label}/{x},{y}", sides=_STEPS) / _STEPS for x in range(west, east + 1)]
            for y in range(north, south + 1)
        ]
        for place, (x, y) in enumerate(points):
            across, down = x / width - west, y / width - north
            left, top = int(across), int(down)
            across -= left
            down -= top
            across *= across * (3 - 2 * across)
            down *= down * (3 - 2 * down)
            above, below = knots[top], knots[top + 1]
            upper = above[left] + (above[left + 1] - above[left]) * across
            lower = below[left] + (below[left + 1] - below[left]) * across
            found[place] += height * (upper + (lower - upper) * down)
