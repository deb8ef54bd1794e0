"""What is printed on a board: the title, and the headline where the map keeps room."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from bot.render import panels
from bot.render.lettering import write_haloed
from bot.render.panels import board
from bot.render.style import font, load_style
from engine.core.phrases import Phrase, phrase
from engine.lattice.tiling import Point
from engine.pictures.scene import Scene
from tests.bot.render.feudal_scenes import realm
from tests.bot.render.scenes import crowded, words
from tests.bot.render.young_kingdoms import magic

NEWS = "Melnibone takes Ilmar, Lormyr and 3 more"
LONG = phrase("phase.choice", season=phrase("phase.season.spring"), year=815, round=1, list=2)


@pytest.mark.parametrize(
    ("scene", "title"),
    [(magic(), None), (realm(), None), (realm(), LONG), (crowded(), None)],
    ids=["young_kingdoms", "feudal", "feudal in two lines", "diplomacy"],
)
def test_the_headline_has_room_on_the_board(
    scene: Scene, title: Phrase | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    style = load_style(scene.system, scene.variant)
    written: dict[str, float] = {}

    def noted(picture: Image.Image, at: Point, text: str, file: str, size_px: float, **rest: Any) -> None:
        written[text] = font(file, size_px).size
        write_haloed(picture, at, text, file, size_px, **rest)

    monkeypatch.setattr(panels, "write_haloed", noted)
    shown = replace(scene, title=title or scene.title, caption=words(NEWS))
    board(Image.new("RGB", (1000, 300)), shown, style, style.decorations["title"])
    lines = {text: size for text, size in written.items() if text in NEWS and len(text) > 1}
    assert " ".join(lines) == NEWS
    assert min(lines.values()) >= style.sizes["caption"] * 0.69
