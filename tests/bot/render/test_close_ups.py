"""Close-ups of every part of every map: their proportions, and titles that have room on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

import pytest
from PIL import Image

from bot.render import panels, tiles
from bot.render.basemap import load_basemap
from bot.render.camera import (
    CLOSE_UP_PX,
    GROWTH,
    LEAST_SHAPE,
    MOST_SHAPE,
    MOST_UNSCALED_PX,
    as_posted,
    close_up,
    whole,
)
from bot.render.raster import _camera
from bot.render.style import load_style
from bot.render.tiles import draw_tiles
from engine.core.ids import PlaceId, PowerId, ProvinceId, SystemId
from engine.core.phrases import phrase
from engine.core.viewer import EVERYBODY
from engine.pictures.close_ups import close_ups
from engine.pictures.scene import Arrow, ArrowKind, Scene
from engine.pictures.tiles import TileScene
from engine.registry import systems

MAPS = ("diplomacy", "young_kingdoms", "feudal", "kregen")
KINGS = systems[SystemId("king_of_kings")]
LONGEST = {
    "diplomacy": phrase("phase.adjustments", season=phrase("phase.season.winter"), year=1908),
    "young_kingdoms": phrase("phase.adjustments", season=phrase("phase.season.winter"), year=1408),
    "feudal": phrase("phase.choice", season=phrase("phase.season.spring"), year=815, round=3, list=2),
    "kregen": phrase("phase.adjustments", season=phrase("phase.season.summer"), year=18),
}


def board_of(players: int) -> TileScene:
    state = KINGS.play.start(variant="classic", players=players, options={}, seed="close-ups")
    shown = KINGS.telling.scene(KINGS.sight.view(state, EVERYBODY))
    assert isinstance(shown, TileScene)
    return shown


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that did not fit."""
    found: list[str] = []
    fitted = panels._fitted

    def spy(text: str, file: str, size: float, room: float) -> str:
        shown = fitted(text, file, size, room)
        if shown != " ".join(text.split()):
            found.append(shown)
        return shown

    monkeypatch.setattr(panels, "_fitted", spy)
    return found


@pytest.mark.parametrize("system", MAPS)
def test_every_province_and_realm_close_up_is_wider_than_high(system: str, cut: list[str]) -> None:
    base, style = load_basemap(system, "standard"), load_style(system, "standard")
    rules = systems[SystemId(system)]
    state = rules.play.start(variant="standard", players=max(rules.info.seats), options={}, seed="close-ups")
    shown = rules.telling.scene(rules.sight.view(state, EVERYBODY))
    assert isinstance(shown, Scene)
    realms = [[at for at, owner in shown.fills.items() if owner == power] for power in rules.play.variant(state).powers]
    parts: list[Iterable[str]] = [*([one] for one in base.provinces), *filter(None, realms)]
    sizes = {close_up(base, focus).size for focus in parts}
    for width, height in sizes:
        assert LEAST_SHAPE - 0.02 <= width / height <= MOST_SHAPE + 0.02
        assert width >= 0.7 * base.size[0]
    scene = Scene(SystemId(system), "standard", LONGEST[system])
    for size in {min(sizes), max(sizes)}:
        panels.board(Image.new("RGB", size), scene, style, None)
    if "title" in style.decorations:
        panels.board(Image.new("RGB", base.size), scene, style, style.decorations["title"])
    assert cut == []


def test_a_close_up_of_what_happened_at_sea_shows_no_more_of_an_ocean_than_its_units() -> None:
    """Around Coast Iguana it was the whole board: the ocean west of it reaches from its top to its bottom."""
    base = load_basemap("kregen", "standard")
    places = tuple(map(ProvinceId, ("NOO", "CIG", "SOO")))
    arrows = (
        Arrow(ArrowKind.MOVE, PowerId("akhram"), PlaceId("NOO"), PlaceId("CIG"), unit_kind="F"),
        Arrow(ArrowKind.MOVE, PowerId("zair"), PlaceId("SOO"), PlaceId("CIG"), unit_kind="F"),
    )
    (around,) = close_ups(Scene(SystemId("kregen"), "standard", LONGEST["kregen"], arrows=arrows))
    assert isinstance(around.scene, Scene)
    camera = _camera(around.scene, base)
    assert camera.zoom > 1.5
    unit = base.style.sizes["unit"]
    assert all(camera.shows(camera.at(base.anchors[at].unit), (unit, unit)) for at in places)


def test_a_close_up_of_nearly_the_whole_map_is_posted_as_large_as_any_other() -> None:
    base = load_basemap("kregen", "standard")
    near = close_up(base, ["HUN", "TKK"])
    assert near.zoom == 1.0
    assert near != whole(base)
    assert as_posted(near, base).size[0] <= CLOSE_UP_PX
    assert as_posted(whole(base), base) == whole(base)


def test_a_close_up_has_the_pixels_of_the_map_unless_it_would_be_too_large() -> None:
    base = load_basemap("diplomacy", "standard")
    cameras = {close_up(base, [one, *there]) for one, there in base.borders.items()} - {whole(base)}
    for near in cameras:
        width, height = near.window[2] - near.window[0], near.window[3] - near.window[1]
        posted = as_posted(near, base)
        assert posted.is_unscaled == (width <= MOST_UNSCALED_PX)
        assert posted.size == (width, height) if posted.is_unscaled else posted.size[0] <= CLOSE_UP_PX


def test_what_stands_on_close_ups_comes_in_few_sizes_so_that_it_is_drawn_once() -> None:
    base = load_basemap("kregen", "standard")
    cameras = {as_posted(close_up(base, [one, *base.borders[one]]), base) for one in base.borders}
    sizes = {camera.length(100) for camera in cameras}
    assert len(sizes) <= len({camera.zoom for camera in cameras}) / 4
    for camera in cameras:
        assert camera.length(100) == pytest.approx(100 * camera.zoom**GROWTH * camera.scale, rel=0.06)


@pytest.mark.parametrize("players", [2, 5, 14])
def test_close_ups_of_squares_are_at_least_as_wide_as_high(players: int) -> None:
    scene = board_of(players)
    columns, rows = len(scene.board.columns), len(scene.board.rows)
    realms = [tuple(at for at, tile in scene.tiles.items() if tile.owner == power.id) for power in scene.powers]
    for focus in [*(((x, y),) for x, y in product(range(0, columns, 3), range(0, rows, 3))), *filter(None, realms)]:
        canvas = tiles._canvas(replace(scene, focus=focus), load_style(scene.system, scene.variant))
        assert set(focus) <= set(canvas.polygons)
        left, top, right, bottom = canvas.sight.box
        wide, high = right - left, bottom - top
        is_all = high == rows or wide == columns  # the monsters are everywhere
        assert is_all or tiles.LEAST_SHAPE <= wide / high <= MOST_SHAPE + 0.2, focus


def test_a_tall_realm_of_squares_is_not_made_small_on_phones_by_columns_far_off() -> None:
    focus = tuple((19, y) for y in range(9, 19))
    scene = replace(board_of(14), focus=focus)
    left, top, right, bottom = tiles._canvas(scene, load_style(scene.system, scene.variant)).sight.box
    assert right - left == bottom - top == len(focus) + 2 * tiles.AROUND


def test_the_title_of_a_close_up_of_squares_has_room(cut: list[str]) -> None:
    scene = replace(board_of(5), title=phrase("phase.turn", turn=100), focus=((0, 0),))
    draw_tiles(scene)
    assert cut == []
