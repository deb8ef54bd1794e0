"""What is printed on a board: the title, and the headline where the map keeps room."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from bot.render import panels
from bot.render.lettering import write_haloed
from bot.render.panels import SLIM_PX, board, key_size
from bot.render.raster import draw_scene
from bot.render.style import Style, cut, font, load_style
from bot.render.tiles import draw_tiles
from engine.core.ids import SystemId
from engine.core.phrases import Phrase, phrase
from engine.core.viewer import EVERYBODY
from engine.lattice.tiling import Point
from engine.pictures.scene import Scene
from engine.pictures.tiles import TileScene
from engine.registry import systems
from tests.bot.render.feudal_scenes import realm
from tests.bot.render.kregen import results
from tests.bot.render.scenes import crowded, words

NEWS = "Melnibone takes Ilmar, Lormyr and 3 more"
LONG = phrase("phase.choice", season=phrase("phase.season.spring"), year=815, round=1, list=2)


@pytest.mark.parametrize(
    ("scene", "title", "least"),
    [(realm(), None, 1.0), (realm(), LONG, 1.0), (crowded(), None, 0.69)],
    ids=["feudal", "feudal with a long title", "diplomacy"],
)
def test_the_headline_has_room_on_the_board(
    scene: Scene, title: Phrase | None, least: float, monkeypatch: pytest.MonkeyPatch
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
    assert min(lines.values()) >= style.sizes["caption"] * least


@pytest.mark.parametrize("scene", [realm(), crowded()], ids=["feudal", "diplomacy"])
def test_a_long_headline_stays_in_the_water_kept_for_it(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    style = load_style(scene.system, scene.variant)
    right = style.decorations["title"][2]
    ends: list[float] = []

    def noted(picture: Image.Image, at: Point, text: str, file: str, size_px: float, **rest: Any) -> None:
        ends.append(at[0] + font(file, size_px).getlength(text))

    monkeypatch.setattr(panels, "write_haloed", noted)
    news = " · ".join(f"Melnibone takes Ilmar, Lormyr and {count} more" for count in (3, 4))
    board(Image.new("RGB", (1000, 300)), replace(scene, caption=words(news)), style, style.decorations["title"])
    assert len(ends) >= 2
    assert max(ends) <= right + SLIM_PX + 1


def test_a_narrow_picture_keeps_the_deadline_rather_than_the_games_name(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    def noted(text: str, file: str, size: float, room: float) -> str:
        written.append(cut(text, file, size, room))
        return written[-1]

    monkeypatch.setattr(panels, "cut", noted)
    caption = phrase("message.caption_until", game="The Long War of the North", deadline="Sun 29 Nov 2026, 12:30 UTC")
    style = load_style("young_kingdoms", "standard")
    for width in (760, 1600):
        board(Image.new("RGB", (width, 400)), replace(crowded(), title=words("Turn 1"), caption=caption), style, None)
    narrow, wide = (text for text in written if "orders until" in text)
    assert narrow == "orders until Sun 29 Nov 2026, 12:30 UTC"
    assert wide == "The Long War of the North · orders until Sun 29 Nov 2026, 12:30 UTC"


def test_the_young_kingdoms_whose_waters_are_narrow_have_their_title_above() -> None:
    """Beside it in the Pale Sea a headline would cover the fleets there."""
    assert "title" not in load_style("young_kingdoms", "standard").decorations


@pytest.mark.parametrize("scene", [realm(), crowded(), results()], ids=["feudal", "diplomacy", "kregen"])
def test_the_words_of_the_legend_and_the_key_can_be_read_where_a_chat_first_shows_the_sheet(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[float] = []

    def noted(picture: Image.Image, rows: object, style: Style, top: float) -> None:
        share = min(550 / picture.width, 350 / picture.height)
        sizes.extend((key_size(style) * share, style.sizes["legend"] * share))

    monkeypatch.setattr(panels, "_key", noted)
    draw_scene(scene, with_key=True)
    key_px, legend_px = sizes
    assert key_px > 6.5
    assert legend_px > 5.2


def test_a_sheet_of_fourteen_nations_can_be_read_on_a_phone_and_is_mostly_map(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = systems[SystemId("king_of_kings")]
    state = rules.play.start(variant="classic", players=14, options={}, seed="sheet")
    scene = rules.telling.scene(rules.sight.view(state, EVERYBODY))
    assert isinstance(scene, TileScene)
    sizes: list[float] = []

    def noted(picture: Image.Image, rows: object, style: Style, top: float) -> None:
        sizes.append(style.sizes["legend"] * 350 / picture.width)

    monkeypatch.setattr(panels, "_key", noted)
    picture, _ = draw_tiles(scene, with_key=True)
    assert sizes[0] > 6.5
    assert picture.height < picture.width * 1.5
