"""What is printed on a map as decoration: wavelets, dotted ways and courses on the water, suns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.render.style import Colour

OVERSAMPLING = 2
LARGE = 4
"""How many times as large small pictures are drawn."""


def wavelets(water: Image.Image, spacing_px: float) -> Image.Image:
    """Small waves in rows where the water is wide, as on old maps; always the same ones."""
    waves = Image.new("L", water.size, 0)
    for wave, at in _wavelets(water, spacing_px):
        waves.paste(255, at, wave)
    return ImageChops.multiply(waves, water)


def print_wavelets(picture: Image.Image, colour: Colour, water: Image.Image, spacing_px: float) -> None:
    """The same in a colour on a picture: wave by wave, as there are few of them for the pixels of a sea."""
    for wave, (left, top) in _wavelets(water, spacing_px):
        shown = water.crop((left, top, left + wave.width, top + wave.height))
        picture.paste(colour, (left, top), ImageChops.multiply(wave, shown))


def _wavelets(water: Image.Image, spacing_px: float) -> Iterator[tuple[Image.Image, tuple[int, int]]]:
    """The waves, with the upper left corner of each."""
    chance = Random(815)  # looks alone depend on it
    room = water.reduce(LARGE).filter(ImageFilter.GaussianBlur(spacing_px * 0.5 / LARGE))
    wave = _wavelet(spacing_px * 0.34)
    for row in range(round(water.height / spacing_px) + 1):
        for column in range(round(water.width / spacing_px / 1.6) + 1):
            x = (column + row % 2 / 2 + chance.uniform(-0.2, 0.2)) * spacing_px * 1.6
            y = (row + chance.uniform(-0.15, 0.15)) * spacing_px
            if x < water.width and y < water.height and _value(room, x / LARGE, y / LARGE) > 236:
                yield wave, (round(x - wave.width / 2), round(y - wave.height / 2))


def _value(mask: Image.Image, x: float, y: float) -> float:
    value = mask.getpixel((int(x), int(y)))
    return float(value) if isinstance(value, (int, float)) else 0.0


def _wavelet(reach_px: float) -> Image.Image:
    """Two crests next to each other, their hollows open below."""
    half = math.ceil(reach_px * 1.1)
    wave = Image.new("L", (2 * half * LARGE, 2 * half * LARGE), 0)
    draw, crest, middle = ImageDraw.Draw(wave), reach_px * LARGE * 0.5, half * LARGE
    for x in (middle - crest, middle + crest):
        draw.arc((x - crest, middle - crest * 0.7, x + crest, middle + crest * 0.9), 190, 350, fill=255, width=6)
    return wave.reduce(LARGE)


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


def rhumbs(water: Image.Image, ring: Sequence[float], points: int = 16) -> tuple[Image.Image, Image.Image]:
    """Rhumb lines as on old charts, only on the water: principal ones, and those between.

    Args:
        ring: middle and radius of the ring on which the points lie that the courses join.
    """
    x, y, radius = (value * OVERSAMPLING for value in ring)
    angles = [2 * math.pi * turn / points for turn in range(points)]
    nodes = [(x + radius * math.sin(angle), y - radius * math.cos(angle)) for angle in angles]
    size = (water.width * OVERSAMPLING, water.height * OVERSAMPLING)
    masks = []
    for parity in (0, 1):
        large = Image.new("L", size, 0)
        draw = ImageDraw.Draw(large)
        for here, there in combinations(range(points), 2):
            if (here + there) % 2 == parity and (there - here) % points not in (1, points - 1):
                draw.line(_beyond(nodes[here], nodes[there], 2.0), fill=255, width=2)
        masks.append(ImageChops.multiply(large.reduce(OVERSAMPLING), water))
    return masks[0], masks[1]


def _beyond(a: tuple[float, float], b: tuple[float, float], share: float) -> list[tuple[float, float]]:
    """The line through two points, extended beyond them by a share of its length."""
    across, down = (b[0] - a[0]) * share, (b[1] - a[1]) * share
    return [(a[0] - across, a[1] - down), (b[0] + across, b[1] + down)]


def suns(radius_px: float, great: Colour, small: Colour, ink: Colour, paper: Colour) -> Image.Image:
    """Two suns close together, a great one and a small one before it, with rays straight and waved."""
    radius = radius_px * LARGE
    half = math.ceil(radius * 1.1)
    picture = Image.new("RGBA", (2 * half, 2 * half), (*ink, 0))
    draw = ImageDraw.Draw(picture)
    _sun(draw, (half - radius * 0.16, half + radius * 0.14), radius * 0.86, (great, ink, paper), 16)
    _sun(draw, (half + radius * 0.56, half - radius * 0.54), radius * 0.48, (small, ink, paper), 12)
    return picture.convert("RGBa").reduce(LARGE).convert("RGBA")


def _sun(
    draw: ImageDraw.ImageDraw,
    at: tuple[float, float],
    radius: float,
    colours: tuple[Colour, Colour, Colour],
    rays: int,
) -> None:
    """A disc with a rim, and rays around it, every other one longer and bent."""
    colour, ink, paper = colours
    for turn in range(rays):
        angle = 2 * math.pi * turn / rays
        long = turn % 2 == 0
        tip, breadth, lean = (1.0, 0.13, 0.0) if long else (0.86, 0.11, 0.10)
        bends = (
            (0.56, -breadth),
            (0.74, lean - breadth / 2),
            (tip, -lean * 0.6),
            (0.74, lean + breadth),
            (0.56, breadth),
        )
        points = [
            (at[0] + reach * radius * math.sin(angle + bend), at[1] - reach * radius * math.cos(angle + bend))
            for reach, bend in bends
        ]
        draw.polygon(points, fill=(*(colour if long else paper), 255), outline=(*ink, 255), width=LARGE)
    for reach, fill in ((0.60, ink), (0.56, paper), (0.52, ink), (0.49, colour)):
        size = radius * reach
        draw.ellipse((at[0] - size, at[1] - size, at[0] + size, at[1] + size), fill=(*fill, 255))
