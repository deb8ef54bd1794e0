"""Maps of squares: what is shown where, for any terrain, size and close-up."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from bot.render import encode, grid, grid_canvas, render_scene
from bot.render.terrain import pictogram
from engine.core.phrases import phrase
from engine.pictures.grid_scene import GridScene, KeyRow, March, Shown, Square, Troops
from engine.pictures.legend import ArrowStatus
from tests.bot.render.grid_scenes import CARTHAGE, LETTERS, ROME, realm


def drawn(scene: GridScene, *, with_key: bool = False) -> Image.Image:
    with Image.open(io.BytesIO(render_scene(scene, with_key=with_key))) as picture:
        return picture.convert("RGB")


def test_every_terrain_has_a_picture_unlike_every_other() -> None:
    pictures = [pictogram(terrain, 0, 60, (0, 0, 0), (255, 255, 255)) for terrain in LETTERS.values()]
    assert all(picture is not None for picture in pictures)
    assert len({picture.tobytes() for picture in pictures if picture}) == len(LETTERS)


def test_a_terrain_without_a_picture_shows_its_letter() -> None:
    scene = realm()
    other = replace(scene, squares={**scene.squares, (10, 1): replace(scene.squares[10, 1], letter="B")})
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
    square = scene.squares[2, 2]
    other = replace(scene, squares={**scene.squares, (2, 2): replace(square, **changed)})  # type: ignore[arg-type]
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
    assert close.width > 5 * 150


def test_a_huge_map_is_drawn_within_the_sizes_that_can_be_sent() -> None:
    square = Square("plains", "P", owner=CARTHAGE)
    scene = replace(realm(), size=(120, 120), squares={(x, y): square for x in range(120) for y in range(120)})
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


@pytest.mark.parametrize("way", [((8, 2), (8, 3), (8, 4)), ((8, 4), (8, 3), (8, 2)), ((7, 3), (8, 3), (9, 3))])
def test_what_stands_on_a_square_is_readable_whoever_passes(way: tuple[tuple[int, int], ...]) -> None:
    scene = replace(realm(), marches=(), legend=())
    passed = replace(scene, marches=(March(CARTHAGE, way),))
    box = (960, 526, 1014, 550)
    before, after = drawn(scene).crop(box).convert("L"), drawn(passed).crop(box).convert("L")
    assert before.point([255 if value < 60 else 0 for value in range(256)]).getbbox() is not None
    assert ImageChops.difference(before, after).point([255 if v > 90 else 0 for v in range(256)]).getbbox() is None


def test_large_maps_have_the_names_of_nations_on_their_land() -> None:
    square = Square("plains", "P", owner=CARTHAGE)
    land = {(x, y): square for x in range(16) for y in range(6)}
    scene = replace(realm(), squares=land, marches=(), legend=())
    names = [replace(scene, powers=(scene.powers[0], replace(scene.powers[1], name=name))) for name in ("A", "B")]
    for size, is_named in (((30, 8), True), ((16, 8), False)):
        one, other = (drawn(replace(named, size=size)) for named in names)
        assert (ImageChops.difference(one, other).getbbox() is not None) is is_named


def test_troops_of_many_nations_stand_on_their_square_alone() -> None:
    scene = replace(realm(), marches=())
    crowd = tuple(Troops(power, "12S 2F 3B 8H G") for power in (ROME, CARTHAGE, ROME, CARTHAGE))
    full = replace(scene, squares={**scene.squares, (9, 5): replace(scene.squares[9, 5], troops=crowd)})
    bare = replace(scene, squares={**scene.squares, (9, 5): replace(scene.squares[9, 5], troops=())})
    difference = ImageChops.difference(drawn(full), drawn(bare)).convert("L")
    box = difference.point([255 if value > 56 else 0 for value in range(256)]).getbbox()
    assert box is not None
    assert box[3] - box[1] <= 112
    assert box[2] - box[0] <= 112


# However large a board is


def vast(wide: int, high: int) -> GridScene:
    """A board of land and water that nobody could take in."""
    scene = realm()
    kinds = list(scene.squares.values())
    squares = {(x, y): kinds[(x * 31 + y * 17) % len(kinds)] for y in range(high) for x in range(wide) if (x * y) % 3}
    return replace(scene, size=(wide, high), squares=squares, marches=())


@pytest.mark.parametrize(
    ("size", "focus"),
    [((250, 250), ((0, 0), (249, 249))), ((250, 40), ((0, 0), (249, 0))), ((2000, 3), ())],
)
def test_a_picture_is_bounded_however_large_its_board(
    size: tuple[int, int], focus: tuple[tuple[int, int], ...]
) -> None:
    """A close-up of two far corners once took 4 GB. Discord takes 8 MB from a bot."""
    picture = encode.encoded(replace(vast(*size), focus=focus))
    assert max(picture.width_px, picture.height_px) < grid.MOST_PX + 400
    assert picture.width_px * picture.height_px <= encode.MOST_PX
    assert len(picture.file) <= encode.MOST_BYTES


def test_a_picture_with_too_many_bytes_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = encode.encoded(realm())
    monkeypatch.setattr(encode, "MOST_BYTES", len(whole.file) // 3)
    smaller = encode.encoded(realm())
    assert len(smaller.file) <= len(whole.file) // 3
    assert smaller.width_px / smaller.height_px == pytest.approx(whole.width_px / whole.height_px, rel=0.02)


def test_of_very_many_ways_those_that_failed_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid_canvas, "MOST_WAYS", 2)
    ways = [March(ROME, ((1, y), (2, y)), ArrowStatus.FAILED if y < 2 else ArrowStatus.SUCCEEDED) for y in range(4)]
    few = replace(realm(), marches=tuple(ways[2:]))
    assert ImageChops.difference(drawn(replace(few, marches=tuple(ways))), drawn(few)).getbbox() is None


def test_a_way_of_very_many_steps_is_drawn_in_part() -> None:
    there_and_back = tuple((1 + step % 2, 1) for step in range(60_000))
    scene = replace(realm(), marches=(March(ROME, there_and_back),))
    part = replace(scene, marches=(March(ROME, there_and_back[: grid_canvas.MOST_STEPS + 1]),))
    assert ImageChops.difference(drawn(scene), drawn(part)).getbbox() is None
