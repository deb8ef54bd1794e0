"""Pictures of hexes made of hexes: what part is shown, how large they get, and that what is written can be read."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations, product

import pytest
from PIL import Image, ImageChops

from bot.render import field_frame, panels, render_scene
from bot.render.field_key import rows_in_sight
from bot.render.field_sight import OPENED_PX, REALM_PX, canvas_of, relief_of, sight_of
from bot.render.field_ways import box_of, draw_ways
from bot.render.field_words import plates_of, rows_of, words_on
from bot.render.film import on_one_sheet
from bot.render.great_fields import draw_great_fields
from bot.render.style import load_style, shrunk
from bot.services.region import close_up
from bot.text.board import board_picture
from bot.text.catalogue import words_for
from engine.core.ids import PowerId, SystemId
from engine.core.phrases import phrase
from engine.core.report import Report
from engine.core.variant import Power, load_phrases
from engine.kalevala.document import load
from engine.kalevala.scene import GROUNDS
from engine.lattice.great_fields import CELLS, FieldId, tile_of
from engine.lattice.hexes import Hexes, Top
from engine.lattice.tiling import TileId
from engine.pictures.cells import Cells, CellSign, Part
from engine.pictures.film import Frame
from engine.pictures.legend import LegendRow
from engine.pictures.realm import is_large, own_realm
from engine.pictures.tiles import UNKNOWN, Shown, Tile, TileScene, Trail, Troops
from tests.bot.test_ports import a_game
from tests.engine.kalevala.test_scene import ANNA, scene_of, scouted

KINDS = ("F", "Mkt", "Std", "Phstd", "Hstd")
RULERS = tuple(PowerId(f"ruler{number}") for number in range(60))
CROWD = "140AC 70BC 40El 20RE Z/99 12On 30IP"


@cache
def world(radius: int, stacks: int = 4) -> TileScene:
    """Fields all owned, named and crowded, within a distance of one."""
    fields = [
        FieldId(u, v) for u in range(-radius, radius + 1) for v in range(-radius, radius + 1) if abs(u + v) <= radius
    ]
    tiles: dict[TileId, Tile] = {}
    for number, field in enumerate(fields):
        letters = "TtHhBbGWSDIQ"
        grounds = "".join(letters[(number + cell * cell) % len(letters)] for cell in range(CELLS))
        owner = RULERS[number % len(RULERS)]
        tiles[tile_of(field)] = Tile(
            "lowland",
            "T",
            name="Longest Name of All the Northern Towns",
            tag=f"2{'ABCDEFGH'[number % 8]}'{field.v:+d}",
            owner=owner,
            troops=tuple(Troops(RULERS[(number + each) % len(RULERS)], CROWD) for each in range(stacks)),
            signs=("capital", "contested"),
            cells=Cells(
                grounds,
                signs=(CellSign(KINDS[number % 5], 19),),
                parts=(Part(frozenset(range(1, CELLS + 1)), owner),),
            ),
        )
    return TileScene(
        SystemId("kalevala"),
        "small",
        phrase("board.title", time="1.1"),
        Hexes(frozenset(tiles), Top.FLAT),
        tiles,
        tuple(Power(ruler, ruler.title(), f"R{number}") for number, ruler in enumerate(RULERS)),
        legend=tuple(LegendRow(ruler, (("provinces", 19),)) for ruler in RULERS),
        viewer=RULERS[0],
        is_in_fog=True,
        grounds=GROUNDS,
    )


def at(shown: TileScene, tag: str) -> TileId:
    return next(place for place, tile in shown.tiles.items() if tile.tag == tag)


# What part is shown


def test_a_field_that_is_named_is_opened_and_all_shows_the_whole() -> None:
    shown = scene_of(scouted())
    for text in ("2D+4", "2d+4", "2d4", "Turku"):
        opened = close_up(None, shown, text)
        assert isinstance(opened, TileScene)
        assert opened.opened == at(shown, "2D+4")
        assert opened.is_close_up
    both = close_up(None, shown, "2D+4, 2E+4")
    assert isinstance(both, TileScene)
    assert both.opened is None
    assert len(both.focus) == 2
    whole = close_up(None, opened, "all")
    assert isinstance(whole, TileScene)
    assert (whole.opened, whole.focus) == (None, ())


def test_a_realm_is_shown_with_what_is_known_around_it() -> None:
    shown = own_realm(scene_of(scouted()), ANNA)
    assert isinstance(shown, TileScene)
    left, top, right, bottom = sight_of(shown).box
    for tag in ("2D+4", "2D+5", "2E+4", "2D+3"):
        x, y = shown.board.middle(at(shown, tag))
        assert left < x - 0.5 < x + 0.5 < right
        assert top < y - 0.5 < y + 0.5 < bottom


def test_a_film_of_a_world_that_is_found_by_and_by_shows_as_much_of_it_in_every_step() -> None:
    steps = tuple(Frame(world(radius), 1.0) for radius in (0, 2, 1))
    sizes = {sight_of(step.scene).size for step in on_one_sheet(steps) if isinstance(step.scene, TileScene)}
    assert sizes == {sight_of(world(2)).size}


def test_a_world_of_nine_fields_across_is_too_large_to_be_read_as_a_whole() -> None:
    assert is_large(world(4))
    assert not is_large(world(2))


# How large pictures are


@pytest.mark.parametrize("radius", [0, 4, 19])
def test_pictures_have_a_bounded_size_however_large_the_world(radius: int) -> None:
    shown = world(radius)
    for part in (shown, own_realm(shown, RULERS[0])):
        assert isinstance(part, TileScene)
        width, height = sight_of(part).size
        assert width * height <= REALM_PX * 1.01
    opened = replace(shown, opened=next(iter(shown.tiles)))
    width, height = sight_of(opened).size
    assert width * height <= OPENED_PX * 1.01


def test_a_world_of_more_than_a_thousand_fields_is_drawn_field_by_field_not_cell_by_cell() -> None:
    shown = world(19)
    assert len(shown.tiles) > 1_000
    assert relief_of(canvas_of(shown, load_style("kalevala", "small"))).is_coarse
    assert not relief_of(canvas_of(world(4), load_style("kalevala", "small"))).is_coarse


# What is written


@pytest.mark.parametrize("stacks", [0, 1, 2, 3, 9])
def test_nothing_that_is_written_on_fields_covers_anything_else_that_is(stacks: int) -> None:
    canvas = canvas_of(world(2, stacks), load_style("kalevala", "small"))
    boxes = []
    for place, tile in canvas.tiles():
        for glyph, (x, y) in words_on(canvas, place, tile, plates_of(canvas, tile)):
            boxes.append((x - glyph.width / 2, y - glyph.height / 2, x + glyph.width / 2, y + glyph.height / 2))
    assert len(boxes) >= 19 * (2 if stacks < 2 else 1 + min(stacks, 3))
    for one, other in combinations(boxes, 2):
        across = min(one[2], other[2]) - max(one[0], other[0])
        down = min(one[3], other[3]) - max(one[1], other[1])
        assert min(across, down) <= 2, (one, other)


@pytest.mark.parametrize("label", ["3", "12B"])
@pytest.mark.parametrize("is_outward", [True, False])
@pytest.mark.parametrize("count", [1, 3])
def test_the_number_of_an_order_covers_no_coordinates(label: str, is_outward: bool, count: int) -> None:
    middle = tile_of(FieldId(0, 0))
    around = world(1, 1).board.neighbours(middle)
    ways = [(middle, there) if is_outward else (there, middle) for there in around]
    for way in ways:
        marches = tuple(Trail(RULERS[0], way, label=label, manner=f"{lane}") for lane in range(count))
        scene = replace(world(1, 1), marches=marches)
        canvas = canvas_of(scene, load_style("kalevala", "small"))
        words = [
            box_of(*each)
            for place, tile in canvas.tiles()
            for plates in [plates_of(canvas, tile)]
            for each in list(words_on(canvas, place, tile, plates))[len(plates) :]
        ]
        numbers = [box_of(*each) for each in draw_ways(Image.new("RGB", canvas.size), canvas, words)]
        assert len(numbers) == count
        for number, word in product(numbers, words):
            across = min(number[2], word[2]) - max(number[0], word[0])
            down = min(number[3], word[3]) - max(number[1], word[1])
            assert min(across, down) <= 2, way


@pytest.mark.parametrize("side", range(6))
def test_no_order_that_leaves_or_enters_the_capital_covers_its_crown(side: int) -> None:
    plain, middle = world(1, 1), tile_of(FieldId(0, 0))
    plain = replace(plain, tiles={at: replace(tile, signs=()) for at, tile in plain.tiles.items()})
    crowned = replace(plain, tiles={**plain.tiles, middle: replace(plain.tiles[middle], signs=("capital",))})
    there = plain.board.neighbours(middle)[side]
    crown = difference(plain, crowned)
    assert crown.getbbox()
    for way in ((middle, there), (there, middle)):
        order = difference(plain, replace(plain, marches=(Trail(RULERS[0], way, label="3", manner="explore"),)))
        assert order.getbbox()
        assert ImageChops.darker(crown, order).getbbox() is None


def difference(one: TileScene, other: TileScene) -> Image.Image:
    """Where the pictures of two scenes clearly differ."""
    found = ImageChops.difference(draw_great_fields(one)[0], draw_great_fields(other)[0]).convert("L")
    return found.point([255 * (value > 40) for value in range(256)])


@pytest.mark.parametrize("kind", KINDS)
def test_when_a_field_was_last_seen_is_not_written_on_its_trade_centre(kind: str) -> None:
    plain, middle = world(0, 0), tile_of(FieldId(0, 0))
    cells = plain.tiles[middle].cells
    assert cells is not None
    bare = replace(plain.tiles[middle], name="", owner=None, signs=(), cells=replace(cells, signs=()))
    built = replace(bare, cells=replace(cells, signs=(CellSign(kind, 19),)))
    seen = [replace(plain, tiles={middle: tile}) for tile in (bare, built, replace(bare, note="GR 12"))]
    centre, note = (difference(seen[0], other) for other in seen[1:])
    assert centre.getbbox()
    assert note.getbbox()
    assert ImageChops.darker(centre, note).getbbox() is None


def test_a_field_without_its_owners_troops_bears_the_owners_letter() -> None:
    canvas = canvas_of(world(1, 0), load_style("kalevala", "small"))
    assert all(len(plates_of(canvas, tile)) == 1 for _, tile in canvas.tiles())


def test_the_key_explains_the_signs_of_this_picture_and_no_others() -> None:
    style = load_style("kalevala", "small")
    shown = scene_of(scouted())
    words = load_phrases("kalevala")

    def key(part: TileScene) -> set[str]:
        return {row.sign for row in rows_in_sight(canvas_of(part, style))}

    realm, opened = key(shown), key(replace(shown, opened=at(shown, "2D+4")))
    assert {"T", "B", "S", "Hstd", "F", "capital", "remembered", "fog"} <= realm
    assert not {"tower", "gate", "wall", "D", "site"} & realm
    assert {"tower", "gate", "wall", "bridge", "river", "ascent"} <= opened
    assert not {"B", "F", "remembered", "explore"} & opened
    assert all(words.render(row.what) for row in shown.key)
    assert len({(row.shown, row.sign) for row in shown.key}) == len(shown.key)
    assert {row.shown for row in shown.key} >= {Shown.WAY, Shown.EDGE, Shown.CELL}


def test_a_close_up_has_words_for_its_own_beside_it() -> None:
    shown = scene_of(scouted())
    opened = replace(shown, opened=at(shown, "2D+4"))
    words, game = words_for(SystemId("kalevala"), "small"), a_game()
    alt = board_picture(words, game, opened, Report(()), deadline_at=None).alt
    assert "2D+4: 46 KF of lowland" in alt
    assert "capital (Hstd) Turku on KF 19" in alt
    whole = board_picture(words, game, shown, Report(()), deadline_at=None).alt
    assert "46 KF of lowland" not in whole
    assert "2D+4: lowland" in whole


@pytest.mark.parametrize("with_key", [False, True])
def test_unknown_fields_can_be_opened_and_show_numbers_on_blank_parchment(with_key: bool) -> None:
    shown = scene_of(scouted())
    unknown = next(place for place, tile in shown.tiles.items() if tile.terrain == UNKNOWN)
    opened = close_up(None, shown, shown.tiles[unknown].tag)
    assert isinstance(opened, TileScene)
    assert opened.opened == unknown
    assert render_scene(opened, width_px=200, with_key=with_key)[:4] == b"\x89PNG"


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Filled with what is written above and below great fields, as it is shortened."""
    texts: list[str] = []

    def noted(text: str, file: str, size: float, room: float) -> tuple[str, float]:
        texts.append(shrunk(text, file, size, room)[0])
        return shrunk(text, file, size, room)

    monkeypatch.setattr(field_frame, "shrunk", noted)
    return texts


def test_the_title_of_a_small_realm_is_smaller_and_not_cut(written: list[str]) -> None:
    render_scene(replace(world(0), title=phrase("board.realm", ruler=RULERS[0], time="12.3")))
    assert written
    assert all(text.endswith("12.3") for text in written), written


def test_the_sheet_with_the_key_of_an_opened_field_is_headed_by_its_tag(monkeypatch: pytest.MonkeyPatch) -> None:
    titles: list[str] = []

    def noted(text: str, file: str, size: float, room: float) -> tuple[str, float]:
        titles.append(text)
        return shrunk(text, file, size, room)

    monkeypatch.setattr(panels, "shrunk", noted)
    shown = scene_of(scouted())
    render_scene(close_up(None, shown, "2D+4"), width_px=200, with_key=True)
    render_scene(shown, width_px=200, with_key=True)
    assert titles[0] == f"2D+4 · {titles[1]}"


def test_next_to_a_long_title_the_deadline_stays_whole_and_the_games_name_gives_way(written: list[str]) -> None:
    caption = phrase("message.caption_until", game="The Long War of the North", deadline="Sat 28 Nov 2026, 14:54 UTC")
    render_scene(replace(scene_of(scouted()), caption=caption))
    assert written[1] == "orders until Sat 28 Nov 2026, 14:54 UTC"


@pytest.mark.parametrize("known", [["2D+4"], ["2D+4", "2D+5"], ["2D+4", "2D+5", "2D+6"]], ids=len)
def test_above_a_realm_of_one_province_nothing_is_cut(written: list[str], known: list[str]) -> None:
    document = {"system": "kalevala", "phase": {"gr": 13, "part": 3}, "state": {
        "rulers": {"emil": {"capital": "2D+4"}}, "gf": {name: {"kf": "T" * 48} for name in known},
        "owners": {"2D+4": "emil"}, "known": {"emil": known[1:]},
    }}  # fmt: skip
    caption = phrase("message.caption_until", game="Land", deadline="Mon 30 Nov 2026, 01:45 UTC")
    render_scene(replace(scene_of(load(document), PowerId("emil")), caption=caption))
    assert written[0] == "Realm of Emil · 13.3"
    assert not any("…" in text for text in written[:2])


def test_a_caption_keeps_the_games_name_only_where_it_stays_large(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[tuple[str, float]] = []

    def noted(text: str, file: str, size: float, room: float) -> tuple[str, float]:
        written.append(shrunk(text, file, size, room))
        return written[-1]

    monkeypatch.setattr(field_frame, "shrunk", noted)
    for length in range(1, 20):
        caption = phrase("message.caption_until", game="x" * length, deadline="28 Nov, 14:54")
        render_scene(replace(scene_of(scouted()), caption=caption))
    named = [size for text, size in written if text.startswith("x")]
    assert 0 < len(named) < 19
    assert min(named) > 0.8 * load_style("kalevala", "small").sizes["caption"]


def test_what_is_aboard_of_craft_stays_together_on_a_plate_or_is_left_out_whole() -> None:
    assert rows_of("14L 3LS[2B 5L] 5RE", len, room=12, most=3) == ["14L", "3LS[2B 5L]", "5RE"]
    assert rows_of("14L 3LS[2B 5L 1Z/30 5RE] 2A 7RE", len, room=12, most=2) == ["14L 3LS[…]", "2A 7RE"]
    assert rows_of("14L 3LS[2B 5L 1Z/30 5RE] 2A 7RE", len, room=9, most=2) == ["14L", "3LS[…] +2"]
