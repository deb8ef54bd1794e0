"""What a viewer does not know of a board of tiles is blank: there is nothing of it in the scene, nor on the picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from bot.render.ground import ground
from bot.render.style import Colour, load_style
from bot.render.tile_canvas import Viewport, polygons_of
from bot.render.tiles import _canvas, draw_tiles
from engine.lattice.hexes import Top
from engine.lattice.tiling import TileId
from engine.pictures.tiles import UNKNOWN, Tile, TileScene
from tests.bot.render.tile_scenes import hexes, realm

BOARDS: dict[str, Callable[[], TileScene]] = {
    "squares": realm,
    "flat hexes": lambda: hexes(Top.FLAT),
    "pointy hexes": lambda: hexes(Top.POINTY),
}
each_board = pytest.mark.parametrize("board", BOARDS)
SIDE_PX = 32


def is_west(scene: TileScene, at: TileId) -> bool:
    left, _, right, _ = scene.board.box
    return scene.board.middle(at)[0] < (left + right) / 2


def in_fog(scene: TileScene) -> TileScene:
    """The scene as somebody has it who knows its west alone."""
    tiles = {at: tile for at, tile in scene.tiles.items() if is_west(scene, at)}
    return replace(scene, is_in_fog=True, tiles=tiles, marches=())


def drawn(scene: TileScene) -> Image.Image:
    """What lies flat on the picture of a scene, small."""
    sight = Viewport(scene.board, scene.board.box, SIDE_PX)
    canvas = _canvas(scene, load_style(scene.system, scene.variant))
    return ground(replace(canvas, sight=sight, polygons=polygons_of(sight)))


def colour(scene: TileScene, name: str) -> Colour:
    return load_style(scene.system, scene.variant).colours[name]


@each_board
def test_worlds_that_differ_in_the_fog_alone_give_equal_scenes(board: str) -> None:
    one = BOARDS[board]()
    tiles = {at: tile if is_west(one, at) else Tile("swamps", "W") for at, tile in one.tiles.items()}
    other = replace(one, tiles=tiles)
    assert drawn(one).tobytes() != drawn(other).tobytes()
    assert repr(in_fog(one)) == repr(in_fog(other))


@each_board
def test_away_from_what_is_known_there_is_nothing_but_blank_parchment(board: str) -> None:
    picture = drawn(in_fog(BOARDS[board]()))
    east = picture.crop((picture.width // 2 + SIDE_PX, 0, picture.width, picture.height))
    assert east.getcolors() == [(east.width * east.height, colour(BOARDS[board](), "fog"))]


@each_board
def test_what_is_known_shows_as_it_does_without_fog(board: str) -> None:
    scene = BOARDS[board]()
    foggy, clear = drawn(in_fog(scene)), drawn(replace(scene, marches=()))
    left, top, *_ = scene.board.box
    inner = [at for at in scene.tiles if all(map(scene.tiles.get, scene.board.around(at)))]
    inner = [at for at in inner if all(is_west(scene, other) for other in scene.board.around(at))]
    for x, y in map(scene.board.middle, inner):
        at = round((x - left) * SIDE_PX), round((y - top) * SIDE_PX)
        assert foggy.getpixel(at) == clear.getpixel(at)


def test_a_tile_of_which_the_name_is_known_shows_nothing_but_that() -> None:
    west = in_fog(hexes(Top.FLAT))
    named = replace(west, tiles={**west.tiles, (2, 0): Tile(UNKNOWN, "?", tag="17")})
    assert drawn(named).tobytes() == drawn(west).tobytes()
    box = ImageChops.difference(draw_tiles(west)[0], draw_tiles(named)[0]).getbbox()
    assert box is not None
    assert max(box[2] - box[0], box[3] - box[1]) < 60


@each_board
def test_what_is_remembered_is_faded(board: str) -> None:
    west = in_fog(BOARDS[board]())
    old = replace(west, tiles={at: replace(tile, is_remembered=True) for at, tile in west.tiles.items()})
    blank = drawn(replace(west, tiles={}))

    def strong(picture: Image.Image) -> int:
        return sum(ImageChops.difference(picture, blank).convert("L").histogram()[48:])

    assert strong(drawn(old)) < strong(drawn(west))


@each_board
@pytest.mark.parametrize("tile", [Tile("plains", "P"), Tile("sea", "~", is_water=True)])
def test_no_shore_is_drawn_where_knowledge_ends(board: str, tile: Tile) -> None:
    scene = replace(BOARDS[board](), marches=(), powers=(), legend=())
    west = [at for at in scene.board.within(scene.board.box) if is_west(scene, at)]

    def has_shore(shown: TileScene) -> bool:
        return colour(scene, "coast") in {each for _, each in drawn(shown).getcolors(1 << 20) or ()}

    assert has_shore(replace(scene, tiles=dict.fromkeys(west, Tile("plains", "P"))))
    assert not has_shore(replace(scene, is_in_fog=True, tiles=dict.fromkeys(west, tile)))
