"""Titles and captions: composed of letters that were drawn once, since drawing and outlining a letter takes long."""

from __future__ import annotations

import math
from functools import lru_cache

from PIL import Image, ImageChops, ImageDraw

from bot.render.style import Colour, font, length
from engine.lattice.tiling import Point

_Mask = tuple[Image.Image, tuple[int, int]]
"""Mode L, and where its upper left corner is, from where the letter or line begins."""


def write_haloed(
    picture: Image.Image, at: Point, text: str, file: str, size_px: float, *, ink: Colour, halo: Colour, halo_px: int
) -> None:
    """Write a line of text, legible on whatever lies below it.

    Args:
        at: where the line begins, at half of its height.
        halo_px: how far the halo reaches around the letters.
    """
    write(picture, at, text, file, size_px, ink=halo, stroke_px=halo_px)
    write(picture, at, text, file, size_px, ink=ink)


def write(
    picture: Image.Image, at: Point, text: str, file: str, size_px: float, *, ink: Colour, stroke_px: int = 0
) -> None:
    """Write a line of text. The pixels are those that Pillow's `text` gives with the anchor `lm`, but for rounding.

    Args:
        at: where the line begins, at half of its height.
        stroke_px: how much bolder the letters are, on every side.
    """
    found = _line(text, file, round(size_px), stroke_px)  # fonts have whole sizes
    if found is not None:
        mask, (left, top) = found
        # Letters stand on whole pixels.
        picture.paste(ink, (math.floor(at[0] + 0.5) + left, math.floor(at[1] + 0.5) + top), mask)


@lru_cache(maxsize=16)  # pictures of one phase have the same title
def _line(text: str, file: str, size_px: int, stroke: int) -> _Mask | None:
    """The mask of a line; `None`: it covers nothing."""
    letters: list[_Mask] = []
    reached = 0.0
    for before, letter in zip(("", *text), text, strict=False):
        # Some pairs of letters are closer than others.
        start = reached - length(before, file, size_px)
        reached = start + length(before + letter, file, size_px)
        found = _letter(letter, file, size_px, stroke)
        if found is not None:
            mask, (left, top) = found
            letters.append((mask, (left + round(reached - length(letter, file, size_px)), top)))
    return _joined(letters) if letters else None


@lru_cache(maxsize=1024)
def _letter(letter: str, file: str, size_px: int, stroke: int) -> _Mask | None:
    face = font(file, size_px)
    left, top, right, bottom = face.getbbox(letter, anchor="lm", stroke_width=stroke)
    corner = math.floor(left) - 1, math.floor(top) - 1
    mask = Image.new("L", (math.ceil(right) + 2 - corner[0], math.ceil(bottom) + 2 - corner[1]))
    ImageDraw.Draw(mask).text((-corner[0], -corner[1]), letter, 255, face, "lm", stroke_width=stroke)
    box = mask.getbbox()
    return None if box is None else (mask.crop(box), (corner[0] + box[0], corner[1] + box[1]))


def _joined(letters: list[_Mask]) -> _Mask:
    """Letters as one mask; where two share a pixel, each covers its share of what the other leaves."""
    left, top = min(left for _, (left, _) in letters), min(top for _, (_, top) in letters)
    right = max(left + mask.width for mask, (left, _) in letters)
    bottom = max(top + mask.height for mask, (_, top) in letters)
    line = Image.new("L", (right - left, bottom - top))
    for mask, corner in letters:
        x, y = corner[0] - left, corner[1] - top
        box = x, y, x + mask.width, y + mask.height
        line.paste(ImageChops.screen(line.crop(box), mask), box)
    return line, (left, top)
