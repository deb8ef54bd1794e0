"""What is printed on a map for its looks, as masks: wavelets and dotted ways on the water. Used by the base map."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

OVERSAMPLING = 2


def wavelets(water: Image.Image, spacing_px: float) -> Image.Image:
    """Small waves in rows where the water is wide, as scribes drew the sea; always the same ones."""
    chance = Random(815)  # looks alone depend on it
    room = water.filter(ImageFilter.GaussianBlur(spacing_px * 0.5))
    large = Image.new("L", (water.width * OVERSAMPLING, water.height * OVERSAMPLING), 0)
    draw = ImageDraw.Draw(large)
    for row in range(round(water.height / spacing_px) + 1):
        for column in range(round(water.width / spacing_px / 1.6) + 1):
            x = (column + row % 2 / 2 + chance.uniform(-0.2, 0.2)) * spacing_px * 1.6
            y = (row + chance.uniform(-0.15, 0.15)) * spacing_px
            if x < water.width and y < water.height and _value(room, x, y) > 236:
                _wavelet(draw, x * OVERSAMPLING, y * OVERSAMPLING, spacing_px * 0.34 * OVERSAMPLING)
    return ImageChops.multiply(large.reduce(OVERSAMPLING), water)


def _value(mask: Image.Image, x: float, y: float) -> float:
    value = mask.getpixel((int(x), int(y)))
    return float(value) if isinstance(value, (int, float)) else 0.0


def _wavelet(draw: ImageDraw.ImageDraw, x: float, y: float, reach: float) -> None:
    """Two crests beside each other, their hollows open below."""
    for middle in (x - reach * 0.5, x + reach * 0.5):
        half = reach * 0.5
        draw.arc((middle - half, y - half * 0.7, middle + half, y + half * 0.9), 190, 350, fill=255, width=3)


def dotted(points: Sequence[tuple[float, float]], spacing_px: float) -> list[tuple[float, float]]:
    """Points at even distances along a line, its ends among them."""
    steps = [math.dist(a, b) for a, b in pairwise(points)]
    count = max(1, round(sum(steps) / spacing_px))
    result = [points[0]]
    for number in range(1, count):
        left = sum(steps) * number / count
        for (a, b), step in zip(pairwise(points), steps, strict=True):
            if left <= step:
                share = left / step
                result.append((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share))
                break
            left -= step
    return [*result, points[-1]]
