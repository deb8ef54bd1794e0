"""Outlines of the tokens on the map, as polygons; `glyphs.py` paints them. Styles name them by kind of unit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum, auto
from itertools import pairwise

Vertices = Sequence[tuple[float, float]]


class Fill(Enum):
    """What a part of a token is filled with."""

    BODY = auto()
    """The colour of its power."""
    PLAIN = auto()
    """Sailcloth, bone."""
    GOLD = auto()


Shape = tuple[tuple[Vertices, Fill], ...]
"""Polygons from the lowest to the highest; half a token's width is the unit, the middle the anchor."""


def arc(
    centre: tuple[float, float], radius: tuple[float, float], start: float, end: float, steps: int = 16
) -> list[tuple[float, float]]:
    """Points on part of an ellipse, both ends included; angles in degrees, clockwise from the right."""
    angles = [math.radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return [(centre[0] + radius[0] * math.cos(angle), centre[1] + radius[1] * math.sin(angle)) for angle in angles]


def curve(*points: tuple[float, float], steps: int = 14) -> list[tuple[float, float]]:
    """A quadratic or cubic Bézier curve through its control points' ends."""
    result = []
    for step in range(steps + 1):
        level = list(points)
        while len(level) > 1:
            level = [
                (a[0] + (b[0] - a[0]) * step / steps, a[1] + (b[1] - a[1]) * step / steps) for a, b in pairwise(level)
            ]
        result.append(level[0])
    return result


_SHIELD: Shape = (
    (
        [
            *curve((-0.88, -0.86), (-0.44, -0.72), (0.0, -0.98)),
            *curve((0.0, -0.98), (0.44, -0.72), (0.88, -0.86)),
            *curve((0.88, -0.86), (1.06, 0.55), (0.0, 1.12)),
            *curve((0.0, 1.12), (-1.06, 0.55), (-0.88, -0.86)),
        ],
        Fill.BODY,
    ),
)
_SHIP: Shape = (
    ([*curve((0.10, -1.30), (0.62, -0.86), (0.92, -0.30)), (0.10, -0.30)], Fill.PLAIN),
    ([*curve((-0.10, -1.14), (-0.36, -0.72), (-0.84, -0.30)), (-0.10, -0.30)], Fill.PLAIN),
    (
        [
            *curve((-1.32, -0.22), (-1.0, -0.10), (0.0, -0.10)),
            *curve((0.0, -0.10), (1.0, -0.10), (1.32, -0.22)),
            *curve((1.32, -0.22), (1.20, 1.02), (0.42, 1.04)),
            *curve((-0.42, 1.04), (-1.20, 1.02), (-1.32, -0.22)),
        ],
        Fill.BODY,
    ),
)
_DISC: Shape = ((arc((0.0, 0.0), (0.94, 0.94), 0, 360, 48), Fill.BODY),)

# A knight: a horse's head as on chessboards.
_HORSE: Shape = (
    (
        [
            (-0.92, 1.06),
            (-0.92, 0.86),
            (-0.74, 0.74),
            *curve((-0.74, 0.74), (-0.78, 0.36), (-0.36, -0.02)),
            *curve((-0.36, -0.02), (-0.62, 0.22), (-0.86, 0.20)),
            (-1.08, 0.02),
            (-1.02, -0.20),
            *curve((-1.02, -0.20), (-0.62, -0.62), (-0.46, -0.90)),
            (-0.34, -1.26),
            (-0.08, -1.00),
            *curve((-0.08, -1.00), (0.94, -0.96), (0.86, 0.72)),
            (0.96, 0.86),
            (0.96, 1.06),
        ],
        Fill.BODY,
    ),
)
# A king: a shield under a crown.
_CROWN: Shape = (
    (
        [
            (-0.86, -0.66),
            (-1.0, -1.46),
            (-0.52, -1.10),
            (0.0, -1.66),
            (0.52, -1.10),
            (1.0, -1.46),
            (0.86, -0.66),
        ],
        Fill.GOLD,
    ),
)
# A wizard: a pointed hat, bent at its tip, on a wide brim.
_HAT: Shape = (
    (
        [
            *curve((-0.84, 0.72), (-0.62, -0.20), (-0.30, -0.92)),
            *curve((-0.30, -0.92), (-0.02, -1.50), (0.72, -1.34)),
            *curve((0.72, -1.34), (0.40, -1.12), (0.44, -0.80)),
            *curve((0.44, -0.80), (0.70, -0.10), (0.84, 0.72)),
        ],
        Fill.BODY,
    ),
    (
        [
            *curve((-1.22, 0.80), (-0.6, 0.56), (0.0, 0.64)),
            *curve((0.0, 0.64), (0.6, 0.56), (1.22, 0.80)),
            *curve((1.22, 0.80), (0.6, 1.16), (0.0, 1.12)),
            *curve((0.0, 1.12), (-0.6, 1.16), (-1.22, 0.80)),
        ],
        Fill.BODY,
    ),
)
_STAR: Shape = (
    (
        [
            (
                0.10 + (0.30 if turn % 2 == 0 else 0.12) * math.sin(math.pi * turn / 5),
                -0.72 - (0.30 if turn % 2 == 0 else 0.12) * math.cos(math.pi * turn / 5),
            )
            for turn in range(10)
        ],
        Fill.GOLD,
    ),
)
_TENT: Shape = (
    (
        [
            (-0.20, -1.24),
            (0.0, -0.98),
            (0.20, -1.24),
            (0.32, -1.12),
            *curve((0.14, -0.86), (0.34, 0.30), (1.08, 1.0)),
            *curve((-1.08, 1.0), (-0.34, 0.30), (-0.14, -0.86)),
            (-0.32, -1.12),
        ],
        Fill.BODY,
    ),
)
# A helmet with horns.
_HORNS: Shape = (
    (
        [
            *curve((-0.62, -0.36), (-1.04, -0.56), (-0.98, -1.36)),
            *curve((-0.98, -1.36), (-1.52, -0.50), (-0.80, 0.16)),
        ],
        Fill.PLAIN,
    ),
    (
        [
            *curve((0.62, -0.36), (1.04, -0.56), (0.98, -1.36)),
            *curve((0.98, -1.36), (1.52, -0.50), (0.80, 0.16)),
        ],
        Fill.PLAIN,
    ),
    ([*arc((0.0, 0.14), (0.84, 1.04), 180, 360, 28), (0.92, 0.86), (-0.92, 0.86)], Fill.BODY),
)
# A galley with a ram, under a lateen sail.
_GALLEY: Shape = (
    (
        [
            *curve((0.62, -1.36), (0.80, -0.78), (0.66, -0.26)),
            *curve((0.66, -0.26), (-0.20, -0.34), (-1.02, -0.30)),
            *curve((-1.02, -0.30), (-0.30, -0.66), (0.62, -1.36)),
        ],
        Fill.PLAIN,
    ),
    (
        [
            *curve((-1.02, -0.78), (-1.40, -0.62), (-1.30, -0.14)),
            *curve((-1.30, -0.14), (-1.20, 0.98), (-0.42, 1.02)),
            *curve((0.48, 1.02), (1.06, 0.94), (1.56, 0.56)),
            *curve((1.56, 0.56), (1.10, 0.42), (1.20, -0.30)),
            *curve((1.20, -0.30), (0.20, 0.02), (-0.98, -0.16)),
            *curve((-0.98, -0.16), (-1.10, -0.52), (-1.02, -0.78)),
        ],
        Fill.BODY,
    ),
)
# A hero: a helmet under a crest.
_HELM: Shape = (
    (
        [
            *arc((0.0, 0.0), (1.18, 1.42), 204, 336, 24),
            *arc((0.0, 0.0), (0.66, 0.76), 336, 204, 24),
        ],
        Fill.GOLD,
    ),
    (
        [
            *arc((0.0, 0.10), (0.86, 1.0), 180, 360, 28),
            *curve((0.86, 0.10), (0.90, 0.70), (0.66, 1.12)),
            *curve((0.66, 1.12), (0.0, 0.92), (-0.66, 1.12)),
            *curve((-0.66, 1.12), (-0.90, 0.70), (-0.86, 0.10)),
        ],
        Fill.BODY,
    ),
)
SHAPES: dict[str, Shape] = {
    "shield": _SHIELD,
    "ship": _SHIP,
    "disc": _DISC,
    "horse": _HORSE,
    "king": (*_CROWN, *_SHIELD),
    "hat": _HAT,
    "starred_hat": (*_HAT, *_STAR),
    "tent": _TENT,
    "horns": _HORNS,
    "galley": _GALLEY,
    "helm": _HELM,
}

KEEP: Vertices = (
    (-0.92, 1.0), (-0.80, -0.36), (-0.98, -0.52), (-0.98, -1.06), (-0.56, -1.06), (-0.56, -0.74),
    (-0.22, -0.74), (-0.22, -1.06), (0.22, -1.06), (0.22, -0.74), (0.56, -0.74), (0.56, -1.06),
    (0.98, -1.06), (0.98, -0.52), (0.80, -0.36), (0.92, 1.0),
)  # fmt: skip


def height(shape: str) -> float:
    """How far a token reaches from its anchor."""
    return max(max(abs(x), abs(y)) for outline, _ in SHAPES[shape] for x, y in outline)
