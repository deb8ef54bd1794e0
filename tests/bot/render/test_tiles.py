"""Boards of squares and of hexes: what is shown where, for any terrain, size and close-up."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image, ImageChops

from bot.render import encode, realms, render_scene, tile_canvas, tiles
from bot.render.glyphs import DARK
from bot.render.ground import _land, ground, land_colour
from bot.render.style import contrast, load_style, mixed
from bot.render.terrain import pictogram
from bot.render.tile_canvas import TileCanvas
from engine.core.ids import SystemId
from engine.core.phrases import phrase
from engine.core.viewer import EVERYBODY
from engine.lattice.hexes import CORNER, Hexes, Top, disc
from engine.lattice.squares import Squares
from engine.lattice.tiling import Box, Point
from engine.pictures.legend import ArrowStatus
from engine.pictures.tiles import KeyRow, Shown, Tile, TileScene, Trail, Troops
from engine.registry import systems
from tests.bot.render.tile_scenes import CARTHAGE, LETTERS, ROME, hexes, realm


def drawn(scene: TileScene, *, with_key: bool = False) -> Image.Image:
    with Image.open(io.BytesIO(render_scene(scene, with_key=with_key))) as picture:
        return picture.convert("RGB")


def test_every_terrain_has_a_picture_unlike_every_other() -> None:
    pictures = [pictogram(terrain, 0, 60, (0, 0, 0), (255, 255, 255)) for terrain in LETTERS.values()]
    assert all(picture is not None for picture in pictures)
    assert len({picture.tobytes() for picture in pictures if picture}) == len(LETTERS)


def test_a_terrain_without_a_picture_shows_its_letter() -> None:
    scene = realm()
    other = replace(scene, tiles={**scene.tiles, (10, 1): replace(scene.tiles[10, 1], letter="B")})
    assert ImageChops.difference(drawn(scene), drawn(other)).getbbox() is not None


@pytest.mark.parametrize(
    "changed",
    [
        {"owner": CARTHAGE},
        {"troops": ()},
        {"note": "c"},
        {"signs": ("isolated",)},
        {"signs": ("disloyal",)},
        {"signs": ("battle",)},
        {"home_of": CARTHAGE},
    ],
)
def test_whatever_changes_on_a_square_shows_on_that_square_alone(changed: dict[str, object]) -> None:
    scene = replace(realm(), marches=())
    square = scene.tiles[2, 2]
    other = replace(scene, tiles={**scene.tiles, (2, 2): replace(square, **changed)})  # type: ignore[arg-type]
    # The palette of a picture shifts with all that is on it: only what is clearly unlike counts.
    difference = ImageChops.difference(drawn(scene), drawn(other)).convert("L")
    box = difference.point([255 if value > 56 else 0 for value in range(256)]).getbbox()
    assert box is not None
    side_px = 110
    assert box[2] - box[0] <= side_px * 1.4
    assert box[3] - box[1] <= side_px * 1.4


def test_close_up_shows_its_squares_larger() -> None:
    whole, close = drawn(realm()), drawn(replace(realm(), focus=((2, 2),)))
    assert close.width < whole.width
    assert close.width > 4 * 150


def test_a_huge_map_is_drawn_within_the_sizes_that_can_be_sent() -> None:
    square = Tile("plains", "P", owner=CARTHAGE)
    scene = replace(realm(), board=Squares(120, 120), tiles={(x, y): square for x in range(120) for y in range(120)})
    png = render_scene(scene)
    assert len(png) < 2_000_000
    assert max(drawn(scene).size) < 4000


def test_a_terrain_without_a_picture_is_explained_under_the_map() -> None:
    row = KeyRow(Shown.TERRAIN, "oasis", phrase("key.name", name="oasis"), "A")
    unseen = KeyRow(Shown.TERRAIN, "reef", phrase("key.name", name="reef"), "B")
    plain = drawn(realm(), with_key=True)
    explained = drawn(replace(realm(), key=(row,)), with_key=True)
    assert explained.height > plain.height
    assert drawn(replace(realm(), key=(row, unseen)), with_key=True).height == explained.height
    assert ImageChops.difference(drawn(replace(realm(), key=(unseen,)), with_key=True), plain).getbbox() is None


def test_the_shields_of_home_provinces_are_explained_where_there_are_any() -> None:
    row = KeyRow(Shown.SIGN, "home", phrase("key.home"))
    homes = {at: replace(tile, home_of=tile.owner) for at, tile in realm().tiles.items()}
    none = {at: replace(tile, home_of=None) for at, tile in realm().tiles.items()}
    heights = [
        drawn(replace(realm(), tiles=tiles, key=key), with_key=True).height
        for tiles in (homes, none)
        for key in ((), (row,))
    ]
    assert heights[1] > heights[0]
    assert heights[3] == heights[2]


@pytest.mark.parametrize("way", [((8, 2), (8, 3), (8, 4)), ((8, 4), (8, 3), (8, 2)), ((7, 3), (8, 3), (9, 3))])
def test_what_stands_on_a_square_is_readable_whoever_passes(way: tuple[tuple[int, int], ...]) -> None:
    scene = replace(realm(), marches=(), legend=())
    passed = replace(scene, marches=(Trail(CARTHAGE, way),))
    box = (960, 526, 1014, 550)
    before, after = drawn(scene).crop(box).convert("L"), drawn(passed).crop(box).convert("L")
    assert before.point([255 if value < 60 else 0 for value in range(256)]).getbbox() is not None
    assert ImageChops.difference(before, after).point([255 if v > 90 else 0 for v in range(256)]).getbbox() is None


def test_the_troops_that_are_attacked_are_readable_below_the_attackers_arrow() -> None:
    """Those of others are pale on the map of a nation's orders; its arrows covered them."""
    scene = replace(realm(), marches=(), legend=(), lit=CARTHAGE)
    attacked = next(at for at, tile in scene.tiles.items() if [each.power for each in tile.troops] == [ROME])
    x, y = attacked
    passed = replace(scene, marches=(Trail(CARTHAGE, ((x, y + 1), attacked)),))
    bare = replace(scene, tiles={**scene.tiles, attacked: replace(scene.tiles[attacked], troops=())})
    before, after, none = (drawn(each).convert("L") for each in (scene, passed, bare))
    plate = ImageChops.difference(before, none).point([255 * (value > 40) for value in range(256)])
    arrow = ImageChops.difference(before, after).point([255 * (value > 40) for value in range(256)])
    assert plate.getbbox()
    assert arrow.getbbox()
    assert ImageChops.darker(plate, arrow).getbbox() is None


def test_large_maps_have_the_names_of_nations_on_their_land() -> None:
    square = Tile("plains", "P", owner=CARTHAGE)
    land = {(x, y): square for x in range(16) for y in range(6)}
    scene = replace(realm(), tiles=land, marches=(), legend=())
    names = [replace(scene, powers=(scene.powers[0], replace(scene.powers[1], name=name))) for name in ("A", "B")]
    for size, is_named in (((30, 8), True), ((16, 8), False)):
        one, other = (drawn(replace(named, board=Squares(*size))) for named in names)
        assert (ImageChops.difference(one, other).getbbox() is not None) is is_named


def test_troops_of_many_nations_stand_on_their_square_alone() -> None:
    scene = replace(realm(), marches=())
    crowd = tuple(Troops(power, "12S 2F 3B 8H G") for power in (ROME, CARTHAGE, ROME, CARTHAGE))
    full = replace(scene, tiles={**scene.tiles, (9, 5): replace(scene.tiles[9, 5], troops=crowd)})
    bare = replace(scene, tiles={**scene.tiles, (9, 5): replace(scene.tiles[9, 5], troops=())})
    difference = ImageChops.difference(drawn(full), drawn(bare)).convert("L")
    box = difference.point([255 if value > 56 else 0 for value in range(256)]).getbbox()
    assert box is not None
    assert box[3] - box[1] <= 112
    assert box[2] - box[0] <= 112


# However large a board is


def vast(wide: int, high: int) -> TileScene:
    """A board of land and water that nobody could take in."""
    scene = realm()
    kinds = list(scene.tiles.values())
    squares = {(x, y): kinds[(x * 31 + y * 17) % len(kinds)] for y in range(high) for x in range(wide) if (x * y) % 3}
    return replace(scene, board=Squares(wide, high), tiles=squares, marches=())


@pytest.mark.parametrize(
    ("size", "focus"),
    [((250, 250), ((0, 0), (249, 249))), ((250, 40), ((0, 0), (249, 0))), ((2000, 3), ())],
)
def test_a_picture_is_bounded_however_large_its_board(
    size: tuple[int, int], focus: tuple[tuple[int, int], ...]
) -> None:
    """A close-up of two far corners once took 4 GB. Discord takes 8 MB from a bot."""
    picture = encode.encoded(replace(vast(*size), focus=focus))
    assert max(picture.width_px, picture.height_px) < tiles.MOST_PX + 400
    assert picture.width_px * picture.height_px <= encode.MOST_PX
    assert len(picture.file) <= encode.MOST_BYTES


def test_a_picture_with_too_many_bytes_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = encode.encoded(realm())
    monkeypatch.setattr(encode, "MOST_BYTES", len(whole.file) // 3)
    smaller = encode.encoded(realm())
    assert len(smaller.file) <= len(whole.file) // 3
    assert smaller.width_px / smaller.height_px == pytest.approx(whole.width_px / whole.height_px, rel=0.02)


def test_of_very_many_ways_those_that_failed_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tile_canvas, "MOST_WAYS", 2)
    ways = [Trail(ROME, ((1, y), (2, y)), ArrowStatus.FAILED if y < 2 else ArrowStatus.SUCCEEDED) for y in range(4)]
    few = replace(realm(), marches=tuple(ways[2:]))
    assert ImageChops.difference(drawn(replace(few, marches=tuple(ways))), drawn(few)).getbbox() is None


def test_a_way_of_very_many_steps_is_drawn_in_part() -> None:
    there_and_back = tuple((1 + step % 2, 1) for step in range(60_000))
    scene = replace(realm(), marches=(Trail(ROME, there_and_back),))
    part = replace(scene, marches=(Trail(ROME, there_and_back[: tile_canvas.MOST_STEPS + 1]),))
    assert ImageChops.difference(drawn(scene), drawn(part)).getbbox() is None


# Hexes, which are tiles like any other


@pytest.fixture(params=Top)
def hex_scene(request: pytest.FixtureRequest) -> TileScene:
    return hexes(request.param)


@pytest.mark.parametrize("changed", [{"owner": ROME}, {"troops": ()}, {"tag": "99"}, {"terrain": "desert"}])
def test_whatever_changes_on_a_hex_shows_on_that_hex_alone(hex_scene: TileScene, changed: dict[str, Any]) -> None:
    scene = replace(hex_scene, marches=())
    other = replace(scene, tiles={**scene.tiles, (2, -1): replace(scene.tiles[2, -1], **changed)})
    difference = ImageChops.difference(drawn(scene), drawn(other)).convert("L")
    box = difference.point([255 if value > 56 else 0 for value in range(256)]).getbbox()
    assert box is not None
    corner_to_corner_px = 110 * 2 * CORNER
    assert box[2] - box[0] <= corner_to_corner_px * 1.2
    assert box[3] - box[1] <= corner_to_corner_px * 1.2


def test_nothing_is_drawn_beyond_the_hexes_of_a_board(hex_scene: TileScene) -> None:
    """In the corners of the picture there is the page's colour; a square board has no such corners."""
    canvas = tiles._canvas(hex_scene, load_style(hex_scene.system, hex_scene.variant))
    picture = ground(canvas)
    page = canvas.style.colours["halo"]
    board, (left, top, _, _) = hex_scene.board, canvas.sight.box
    for x in range(0, picture.width, 7):
        for y in range(0, picture.height, 7):
            at = board.at((left + (x + 0.5) / canvas.side, top + (y + 0.5) / canvas.side))
            away = min(math.dist(canvas.middle(each), (x, y)) for each in board.within(board.box))
            if at not in board and away > canvas.side * CORNER + 2:
                assert picture.getpixel((x, y)) == page
            elif at in board and away < canvas.side * 0.4:
                assert picture.getpixel((x, y)) != page


def test_between_hexes_of_one_owner_no_paper_shows(hex_scene: TileScene) -> None:
    """Slanted sides once had a row of light points on them."""
    ours = {at: replace(tile, owner=ROME, terrain="none") for at, tile in hex_scene.tiles.items() if not tile.is_water}
    canvas = tiles._canvas(replace(hex_scene, tiles=ours, marches=()), load_style(hex_scene.system, hex_scene.variant))
    paper = canvas.style.colours["paper"]
    land = _land(canvas)
    for at in ours:
        x, y = canvas.middle(at)
        reach = round(canvas.side * 0.7)
        for across in range(-reach, reach, 2):
            point = round(x) + across, round(y)
            spot = canvas.sight.box[0] + point[0] / canvas.side, canvas.sight.box[1] + point[1] / canvas.side
            if hex_scene.board.at(spot) in ours and point[0] < land.width:
                assert land.getpixel(point) != paper


def test_close_ups_of_hexes_are_larger_and_nearer(hex_scene: TileScene) -> None:
    wide = replace(hex_scene, board=Hexes(frozenset(disc((0, 0), 15)), Top.FLAT))
    close = replace(wide, focus=((2, -1),))
    assert tiles._sight(close).side > tiles._sight(wide).side
    left, top, right, bottom = tiles._sight(close).box
    x, y = wide.board.middle((2, -1))
    assert left < x - 1.5 < x + 1.5 < right
    assert top < y - 2 < y + 2 < bottom


def test_plates_stand_where_a_tile_is_broad_enough_for_them(hex_scene: TileScene) -> None:
    assert tiles._foot(Squares(3, 3)) == pytest.approx(0.96)
    assert 0.75 < tiles._foot(hex_scene.board) < 0.9


def test_every_nation_is_named_on_a_board_of_fourteen_and_no_name_covers_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At the start none has land as wide as its name."""
    rules = systems[SystemId("king_of_kings")]
    state = rules.play.start(variant="classic", players=14, options={}, seed="names")
    scene = rules.telling.scene(rules.sight.view(state, EVERYBODY))
    assert isinstance(scene, TileScene)
    boxes: dict[str, Box] = {}

    def note(_: object, canvas: TileCanvas, power: str, middle: Point, size: float, _look: object) -> None:
        boxes[power] = realms._box(middle, realms._width(canvas, power) * size, size)

    monkeypatch.setattr(realms, "_write", note)
    drawn(scene)
    assert sorted(boxes) == sorted(power.id for power in scene.powers if power.id != "monsters")
    left, top, right, bottom = scene.board.box
    for box in boxes.values():
        others = [other for other in boxes.values() if other is not box]
        assert realms._is_free(box, (left, top, right, bottom), others)


def test_a_name_across_a_realm_can_be_read_on_its_land() -> None:
    """Both have the nation's colour, and the letters let the land through."""
    rules = systems[SystemId("king_of_kings")]
    scene = rules.telling.scene(
        rules.sight.view(rules.play.start(variant="classic", players=14, options={}, seed="names"), EVERYBODY)
    )
    assert isinstance(scene, TileScene)
    style = load_style("king_of_kings", "classic")
    for power in tile_canvas.power_styles(scene, style).values():
        land = land_colour(power, style)
        ink = mixed(mixed(DARK, power.colour, realms._ACROSS.dark), land, realms._ACROSS.letters / 255)
        assert contrast(ink, land) > 3.0, power.name


def test_a_name_avoids_troops_where_its_realm_has_room_for_it_elsewhere() -> None:
    squares, power = Squares(30, 9), ROME
    free = {(x, y): Tile("plains", "P", owner=power) for x in range(12) for y in (3, 4, 5)}
    assert realms._best_stretch(free, squares, 6.0)[0] == pytest.approx((6, 4.5), abs=0.5)
    held = {at: replace(tile, troops=(Troops(power, "1F 1B G"),) if at[1] == 4 else ()) for at, tile in free.items()}
    assert realms._best_stretch(held, squares, 6.0)[0][1] in (3.5, 5.5)
    edge = {at: replace(tile, troops=(Troops(power, "1F 1B G"),) if at[0] > 9 else ()) for at, tile in free.items()}
    (x, _), size = realms._best_stretch(edge, squares, 7.5)
    assert x + size * 7.5 / 2 <= 10


def test_a_name_beside_a_realm_shuns_plates_of_two_lines_more_than_others() -> None:
    """HITTITES lost half its letters under them."""
    owner = ROME
    costs = [
        realms._busy(Tile("plains", "P", owner=owner, troops=(Troops(owner, text),) if text else ()), "red")
        for text in ("", "1F", "1F 1B", "1F 1H C 2S")
    ]
    assert costs == sorted(set(costs))
    assert costs[-1] > realms._busy(Tile("plains", "P", owner=CARTHAGE), "red"), "foreign land without troops"
