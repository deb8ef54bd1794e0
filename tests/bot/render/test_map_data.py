"""The drawing agrees with the graph: what touches in regions.png is in borders.csv, and everything has its place."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image

from bot.render.basemap import OPEN_WATER, Basemap, load_basemap
from bot.render.style import ASSETS
from engine.core.ids import PlaceId, ProvinceId, province_of
from engine.core.variant import load_variant
from engine.provinces.board import Board, Terrain
from engine.provinces.variants import BoardVariant, with_board

MAPS = sorted((path.parent.parent.name, path.parent.name) for path in ASSETS.glob("*/*/regions.png"))
LEAST_BORDER_PX = 18
"""Shorter than this nobody sees a border."""
A_CORNER_PX = 4
"""Longer than this anybody does."""


@pytest.fixture(params=MAPS, ids="/".join)
def map_(request: pytest.FixtureRequest) -> tuple[Basemap, BoardVariant]:
    system, variant = request.param
    return load_basemap(system, variant), with_board(load_variant(system, variant))


@pytest.fixture
def drawn(map_: tuple[Basemap, BoardVariant]) -> tuple[Basemap, Board]:
    basemap, variant = map_
    return basemap, variant.board


def neighbours(board: Board) -> set[frozenset[ProvinceId]]:
    moves = board.fleet_moves.items()
    found = {frozenset((province_of(here), province_of(there))) for here, targets in moves for there in targets}
    for here, targets in board.army_moves.items():
        found |= {frozenset((here, there)) for there in targets}
    return found


def linked(basemap: Basemap) -> set[frozenset[str]]:
    """What is joined by a line across the water."""
    return {frozenset(link["between"]) for link in basemap.style.decorations.get("links", ())}


def straits(variant: BoardVariant) -> set[frozenset[str]]:
    """Army crossings of water that is a province of its own."""
    return {frozenset((row["a"], row["b"])) for row in variant.tables.get("straits", ())}


def over_rivers(variant: BoardVariant) -> set[frozenset[str]]:
    """What may lie on two banks of a river that is a province of its own."""
    rivers = (row["banks"].split(";") for row in variant.tables.get("rivers", ()))
    return {frozenset(pair) for banks in rivers for pair in combinations(banks, 2)}


def contacts(regions: Image.Image) -> Counter[frozenset[int]]:
    """Pixel sides that each pair of regions shares."""
    found: Counter[frozenset[int]] = Counter()
    width, height = regions.size
    for dx, dy in ((1, 0), (0, 1)):
        here = regions.crop((0, 0, width - dx, height - dy))
        there = regions.crop((dx, dy, width, height))
        pairs = Image.merge("RGB", (here, there, Image.new("L", here.size))).getcolors(65536)
        assert pairs is not None
        for count, colour in pairs:
            assert isinstance(colour, tuple)
            one, other, _ = colour
            if one != other:
                found[frozenset((one, other))] += count
    return found


def test_regions_that_border_touch_and_others_do_not(map_: tuple[Basemap, BoardVariant]) -> None:
    basemap, variant = map_
    board = variant.board
    ids = {region.number: region.id for region in basemap.provinces.values()}
    closed = {province.id for province in board.provinces.values() if province.terrain is Terrain.IMPASSABLE}
    touching = {
        frozenset(ids[number] for number in pair): count
        for pair, count in contacts(basemap.regions).items()
        if not pair & {0, OPEN_WATER}
    }
    wanted = neighbours(board) - linked(basemap)
    short = {pair for pair in wanted if touching.get(pair, 0) < LEAST_BORDER_PX}
    # Those on two banks touch the same river instead.
    missing = {tuple(sorted(pair)): touching.get(pair, 0) for pair in short - over_rivers(variant)}
    surplus = {
        tuple(sorted(pair)): count
        for pair, count in touching.items()
        if count > A_CORNER_PX and pair not in wanted and not pair & closed
    }
    assert (missing, surplus) == ({}, {})


def test_links_across_water_join_neighbours_from_shore_to_shore(map_: tuple[Basemap, BoardVariant]) -> None:
    basemap, variant = map_
    assert straits(variant) <= linked(basemap)
    for link in basemap.style.decorations.get("links", ()):
        assert frozenset(link["between"]) in neighbours(variant.board) | straits(variant)
        for province, (x, y) in zip(link["between"], (link["through"][0], link["through"][-1]), strict=True):
            around = basemap.regions.crop((x - 8, y - 8, x + 9, y + 9)).histogram()
            assert around[basemap.provinces[province].number] > 0, (province, link["between"])


def test_every_place_has_an_anchor_in_its_own_region(drawn: tuple[Basemap, Board]) -> None:
    basemap, board = drawn
    closed = {province.id for province in board.provinces.values() if province.terrain is Terrain.IMPASSABLE}
    assert set(basemap.anchors) >= set(board.places) - closed
    strays = [
        place
        for place, anchor in basemap.anchors.items()
        if basemap.regions.getpixel((int(anchor.unit[0]), int(anchor.unit[1])))
        != basemap.provinces[province_of(PlaceId(place))].number
    ]
    assert strays == []


def test_every_supply_centre_is_drawn_in_its_own_region(drawn: tuple[Basemap, Board]) -> None:
    basemap, board = drawn
    for centre in board.centres:
        anchor = basemap.anchors[centre]
        assert anchor.centre is not None, centre
        left, top = (int(value) - 6 for value in anchor.centre)
        around = basemap.regions.crop((left, top, left + 13, top + 13)).histogram()
        assert around[basemap.provinces[centre].number] > 60, centre


def test_units_of_different_provinces_hardly_cover_each_other(drawn: tuple[Basemap, Board]) -> None:
    basemap, _ = drawn
    provinces = [(place, anchor.unit) for place, anchor in basemap.anchors.items() if "/" not in place]
    near = [
        (one, other)
        for number, (one, (ax, ay)) in enumerate(provinces)
        for other, (bx, by) in provinces[number + 1 :]
        if abs(ax - bx) < 44 and abs(ay - by) < 44
    ]
    assert near == []


def test_regions_are_a_palette_image_with_a_number_for_every_province(drawn: tuple[Basemap, Board]) -> None:
    basemap, board = drawn
    numbers = {number for number, count in enumerate(basemap.regions.histogram()) if count}
    assert numbers - {0, OPEN_WATER} == set(range(1, len(board.provinces) + 1))


@pytest.mark.parametrize(("system", "variant"), MAPS)
def test_regions_file_is_small_and_paletted(system: str, variant: str) -> None:
    path: Path = ASSETS / system / variant / "regions.png"
    with Image.open(path) as picture:
        assert picture.mode == "P"
    assert path.stat().st_size < 300_000
