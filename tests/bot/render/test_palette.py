"""Pictures in 256 colours."""

from __future__ import annotations

from dataclasses import replace

from PIL import ImageChops

from bot.render.encode import draw
from bot.render.palette import reduced
from engine.core.ids import ProvinceId
from tests.bot.render.scenes import crowded, start

CLEARLY = 48
"""Of 255."""


def test_pictures_of_a_map_share_its_palette() -> None:
    whole, close_up = draw(crowded()), draw(replace(start(), focus=(ProvinceId("MUN"),)))
    assert whole.palette is not None
    assert whole.palette is close_up.palette


def test_a_picture_with_all_powers_and_failed_orders_has_about_its_colours() -> None:
    drawing = draw(crowded())
    difference = ImageChops.difference(drawing.picture, reduced(drawing, drawing.picture).convert("RGB"))
    assert difference.point(lambda value: 255 if value >= CLEARLY else 0).getbbox() is None
