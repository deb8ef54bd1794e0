"""A frame of knotwork around a picture: a plait of two bands between two rules, with a knot at each corner."""

from __future__ import annotations

import math
from functools import lru_cache

from PIL import Image, ImageDraw

from bot.render.style import Colour, Style

BAND_PX = 22
"""The width of the frame."""
_OVERSAMPLING = 4
_WAVE_PX = 24
"""The approximate distance from a crossing to the next but one."""


def framed(picture: Image.Image, style: Style) -> Image.Image:
    """The picture within its frame."""
    size = picture.width + 2 * BAND_PX, picture.height + 2 * BAND_PX
    result = _frame(size, style.colours["knot"], style.colours["frame"], style.colours["band"]).copy()
    result.paste(picture, (BAND_PX, BAND_PX))
    return result


@lru_cache(maxsize=4)
def _frame(size: tuple[int, int], band: Colour, ink: Colour, paper: Colour) -> Image.Image:
    width, height = size
    result = Image.new("RGB", size, paper)
    draw = ImageDraw.Draw(result)
    draw.rectangle((0, 0, width - 1, height - 1), outline=ink, width=3)
    inner = BAND_PX - 3
    draw.rectangle((inner, inner, width - 1 - inner, height - 1 - inner), outline=ink, width=3)
    across = _plait(width - 2 * BAND_PX, band, ink, paper)
    down = _plait(height - 2 * BAND_PX, band, ink, paper).transpose(Image.Transpose.ROTATE_90)
    result.paste(across, (BAND_PX, 3))
    result.paste(across, (BAND_PX, height - inner))
    result.paste(down, (3, BAND_PX))
    result.paste(down, (width - inner, BAND_PX))
    corner = _corner(band, ink, paper)
    for x in (0, width - BAND_PX):
        for y in (0, height - BAND_PX):
            result.paste(corner, (x, y))
    return result


def _plait(length: int, band: Colour, ink: Colour, paper: Colour) -> Image.Image:
    """Two bands that wind around each other, each over and under in turn."""
    high, waves = BAND_PX - 6, max(1, round(length / _WAVE_PX))
    strip = Image.new("RGB", (waves * _WAVE_PX, high))
    for number in range(waves):
        strip.paste(_wave(band, ink, paper), (number * _WAVE_PX, 0))
    return strip.resize((length, high), Image.Resampling.BICUBIC)


@lru_cache(maxsize=4)
def _wave(band: Colour, ink: Colour, paper: Colour) -> Image.Image:
    """The plait from a crossing to the next but one."""
    high, wave = (BAND_PX - 6) * _OVERSAMPLING, _WAVE_PX * _OVERSAMPLING
    picture = Image.new("RGB", (wave, high), paper)
    draw = ImageDraw.Draw(picture)
    reach, steps = high * 0.27, 16

    def piece(middle: float, sign: int, beyond: float) -> None:
        start, end = middle - wave / 4 - beyond, middle + wave / 4 + beyond
        xs = [start + (end - start) * step / steps for step in range(steps + 1)]
        line = [(x, high / 2 + sign * reach * math.sin(2 * math.pi * x / wave)) for x in xs]
        for width, colour in ((high * 0.30, ink), (high * 0.17, band)):
            edges = [(x, y - width / 2) for x, y in line] + [(x, y + width / 2) for x, y in reversed(line)]
            draw.polygon(edges, fill=colour)

    # At each crossing one band lies above; it is drawn last there.
    for crossing, sign in ((0, 1), (2, 1), (1, -1)):
        piece(crossing * wave / 2, -sign, 0)
        piece(crossing * wave / 2, sign, 3)
    return picture.reduce(_OVERSAMPLING)


def _corner(band: Colour, ink: Colour, paper: Colour) -> Image.Image:
    """A knot of four loops in a square."""
    side = BAND_PX * _OVERSAMPLING
    picture = Image.new("RGB", (side, side), paper)
    draw = ImageDraw.Draw(picture)
    rule = 3 * _OVERSAMPLING
    draw.rectangle((0, 0, side - 1, side - 1), outline=ink, width=rule)
    middle, reach = side / 2, side * 0.30
    points = [
        (
            middle + reach * math.cos(angle) * (0.55 + 0.45 * math.cos(4 * angle)),
            middle + reach * math.sin(angle) * (0.55 + 0.45 * math.cos(4 * angle)),
        )
        for angle in (2 * math.pi * step / 96 + math.pi / 4 for step in range(97))
    ]
    for width, colour in ((side * 0.15, ink), (side * 0.08, band)):
        draw.line(points, fill=colour, width=round(width), joint="curve")
    return picture.reduce(_OVERSAMPLING)
