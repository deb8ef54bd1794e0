"""Whole pictures against the ones that somebody has looked at.

python -m pytest tests/bot/render/test_pictures.py                     compares
REGENERATE_PICTURES=1 python -m pytest tests/bot/render/test_pictures.py   draws them anew: look at them, then commit
"""

from __future__ import annotations

import importlib
import io
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from bot.render import render_scene
from engine.core.ids import ProvinceId
from engine.lattice.hexes import Top
from engine.pictures.hand import Hand
from engine.pictures.tiles import AnyScene
from tests.bot.render.feudal_scenes import lists, realm
from tests.bot.render.kregen import ORDERS, pending, results
from tests.bot.render.scenes import crowded, dislodged, start
from tests.bot.render.tile_scenes import hexes
from tests.bot.render.tile_scenes import realm as squares
from tests.bot.render.young_kingdoms import hand_of, magic

GOLDEN = Path(__file__).resolve().parents[2] / "pictures"
FAILED = Path(__file__).resolve().parents[3] / "build" / "pictures"
WIDTH_PX = 800
CLEARLY = 64
"""Of 255: a pixel whose channel differs by more is unlike. Another version's rounding stays far below."""
UNLIKE_PX = 150
"""So many pixels may be unlike; a missing unit makes more than twice as many."""

SCENES: dict[str, Callable[[], AnyScene | Hand]] = {
    "start": start,
    "orders": crowded,
    "retreats": dislodged,
    "feudal": realm,
    "feudal_lists": lists,
    "young_kingdoms": magic,
    "squares": squares,
    "hexes": lambda: hexes(Top.POINTY),
    "hexes_flat": lambda: hexes(Top.FLAT),
    "kregen": results,
    "kregen_close_up": lambda: pending("zair", ORDERS["zair"]),
    "hand": lambda: hand_of(1, 4, 7, 8, 9, 10),
    "close_up": lambda: replace(crowded(), focus=(ProvinceId("MUN"), ProvinceId("KIE"))),
}


def rendered(scene: AnyScene | Hand) -> Image.Image:
    with Image.open(io.BytesIO(render_scene(scene, width_px=WIDTH_PX))) as picture:
        return picture.convert("RGB")


def count_unlike(one: Image.Image, other: Image.Image) -> int:
    """Pixels in which the pictures clearly differ."""
    red, green, blue = ImageChops.difference(one, other).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return sum(most.histogram()[CLEARLY + 1 :])


def test_a_missing_unit_would_be_noticed() -> None:
    whole = start()
    assert count_unlike(rendered(whole), rendered(replace(whole, units=whole.units[1:]))) > 2 * UNLIKE_PX


@pytest.mark.parametrize("name", ["guide", "guide_kalevala", "guide_kings", "sizes", "dense"])
def test_what_draws_the_pictures_of_the_docs_can_be_run(name: str) -> None:
    """One of them imported a name that was gone, and no test noticed."""
    importlib.import_module(f"tests.bot.render.{name}")


@pytest.mark.parametrize("name", SCENES)
def test_picture_looks_as_it_did(name: str) -> None:
    drawn = rendered(SCENES[name]())
    path = GOLDEN / f"{name}.png"
    if os.environ.get("REGENERATE_PICTURES"):
        drawn.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    with Image.open(path) as file:
        expected = file.convert("RGB")
    assert drawn.size == expected.size
    unlike_px = count_unlike(drawn, expected)
    if unlike_px > UNLIKE_PX:
        FAILED.mkdir(parents=True, exist_ok=True)
        drawn.save(FAILED / f"{name}-drawn.png")
        expected.save(FAILED / f"{name}-expected.png")
        difference = ImageChops.difference(drawn, expected)
        difference.point([min(255, value * 4) for value in range(256)] * 3).save(FAILED / f"{name}-difference.png")
    assert unlike_px <= UNLIKE_PX, f"see {FAILED}/{name}-*.png"
