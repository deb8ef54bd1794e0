"""Smooth random heights, the same for the same dice, over the whole plane of small fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import floor

from engine.core.dice import Dice
from engine.lattice.great_fields import FieldCell, FieldId, axial_of

_ROW = 0.8660254037844386
"""How far apart rows of small fields are, if the middles of neighbours in a row are 1 apart."""
_STEPS = 1_000
_MIDDLE = 20
"""A small field next to the middle of its great field."""


def middle_of(field: FieldId) -> tuple[float, float]:
    """Where a great field is, in widths of small ones."""
    return point_of(axial_of(FieldCell(field, _MIDDLE)))


def point_of(axial: tuple[int, int]) -> tuple[float, float]:
    """Where a small field is."""
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
        """Add hills of one width: each point is between four knots, whose heights are random."""
        columns, rows = _between([x for x, _ in points], width), _between([y for _, y in points], width)
        roll, label = self._dice.roll, f"{self._name}/{width}"
        knots = [
            [roll(f"{label}/{x},{y}", sides=_STEPS) / _STEPS for x in range(columns.first, columns.last + 1)]
            for y in range(rows.first, rows.last + 1)
        ]
        across_of, down_of = columns.places, rows.places
        for place, (x, y) in enumerate(points):
            left, across = across_of[x]
            top, down = down_of[y]
            above, below = knots[top], knots[top + 1]
            upper = above[left] + (above[left + 1] - above[left]) * across
            lower = below[left] + (below[left + 1] - below[left]) * across
            found[place] += height * (upper + (lower - upper) * down)


@dataclass(frozen=True, slots=True)
class _Between:
    """Knots along one axis.

    Args:
        places: for each coordinate, the index of the knot before it, and how far it is towards the next, smoothed.
    """

    first: int
    last: int
    places: Mapping[float, tuple[int, float]]


def _between(coordinates: Iterable[float], width: float) -> _Between:
    # Small fields are in rows and columns: there are far fewer coordinates than points.
    different = set(coordinates)
    first, last = floor(min(different) / width), floor(max(different) / width) + 1
    places = {}
    for each in different:
        off = each / width - first
        knot = int(off)
        off -= knot
        places[each] = knot, off * (off * (3 - 2 * off))
    return _Between(first, last, places)
