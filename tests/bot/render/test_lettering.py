"""Titles with a halo."""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops, ImageDraw

from bot.render.lettering import write_haloed
from bot.render.style import font, load_style

INK, HALO, PAPER = (20, 30, 40), (250, 240, 220), (120, 150, 160)
AS_POSTED = load_style("diplomacy", "standard").fonts


@pytest.mark.parametrize("role", ["title", "text"])
@pytest.mark.parametrize("size_px", [17.0, 31.4, 66.0])
@pytest.mark.parametrize("at", [(30.0, 60.0), (12.5, 61.3)])
def test_a_title_set_from_letters_looks_like_one_written_at_once(
    role: str, size_px: float, at: tuple[float, float]
) -> None:
    file, text = AS_POSTED[role], "AVATAR, To Wyrd: Fall 1901 – “ÉÅj” movement"
    halo_px = max(2, round(size_px * 0.09))
    picture = Image.new("RGB", (1500, 120), PAPER)
    other = picture.copy()
    write_haloed(picture, at, text, file, size_px, ink=INK, halo=HALO, halo_px=halo_px)
    ImageDraw.Draw(other).text(
        at, text, font=font(file, size_px), fill=INK, anchor="lm", stroke_width=halo_px, stroke_fill=HALO
    )
    off = ImageChops.difference(picture, other).convert("L")
    # Where two letters share a pixel it is rounded otherwise.
    assert off.point(lambda value: 255 if value > 2 else 0).getbbox() is None


def test_blanks_alone_leave_the_picture_as_it_is() -> None:
    picture = Image.new("RGB", (80, 40), PAPER)
    write_haloed(picture, (10, 20), "  ", AS_POSTED["title"], 20, ink=INK, halo=HALO, halo_px=3)
    assert picture.getcolors() == [(80 * 40, PAPER)]
