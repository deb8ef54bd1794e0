"""What part of a map somebody's own realm shows, in every game."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import ImageChops

from bot.render.basemap import load_basemap
from bot.render.camera import LEAST_SHAPE, LEAST_ZOOM, MOST_SHAPE, as_posted, realm, whole
from bot.render.raster import _camera, draw_scene
from bot.render.tiles import AROUND, _sight
from engine.core.ids import PlaceId, PowerId, ProvinceId, SystemId, province_of
from engine.core.variant import Power
from engine.core.viewer import EVERYBODY
from engine.lattice.squares import Squares
from engine.lattice.tiling import TileId
from engine.pictures.realm import own_part, own_realm
from engine.pictures.scene import Arrow, ArrowKind, Scene, UnitMark
from engine.pictures.tiles import Tile, TileScene
from engine.registry import systems
from tests.bot.render.scenes import start

FRANCE = PowerId("france")
BASE = load_basemap("diplomacy", "standard")
GERMANY = tuple(map(ProvinceId, ("MUN", "BER", "KIE")))
FAR_APART = tuple(map(ProvinceId, ("POR", "STP", "SMY")))


def test_a_realm_has_its_neighbours_units_in_sight() -> None:
    found = realm(BASE, GERMANY, GERMANY)
    assert found is not None
    for near in ("TYR", "BUR", "RUH", "SIL", "DEN", "PRU", "BOH"):
        x, y = found.at(BASE.anchors[near].unit)
        assert 0 < x < found.size[0], near
        assert 0 < y < found.size[1], near
    assert found.zoom >= LEAST_ZOOM
    assert LEAST_SHAPE - 0.01 <= found.size[0] / found.size[1] <= MOST_SHAPE + 0.01


def test_a_realm_that_is_nearly_the_board_is_shown_with_all_of_it() -> None:
    assert realm(BASE, FAR_APART, FAR_APART) is None
    shown = replace(start(), focus=FAR_APART, lit=FRANCE)
    assert _camera(shown, BASE) == whole(BASE)


def test_a_realm_almost_as_wide_as_the_map_is_shown_if_a_chat_shows_it_larger() -> None:
    """A chat gives both the same height: England with Norway and Sweden becomes larger by half."""
    held = tuple(map(ProvinceId, ("EDI", "LVP", "LON", "NWY", "SWE")))
    found = realm(BASE, (*held, ProvinceId("NTH"), ProvinceId("STP")), held)
    assert found is not None
    shown, board = as_posted(found, BASE), whole(BASE)
    on_screen = [
        min(550 / camera.size[0], 350 / camera.size[1]) * camera.zoom * camera.scale for camera in (shown, board)
    ]
    assert on_screen[0] >= LEAST_ZOOM * on_screen[1]


def test_a_fleet_that_goes_to_sea_does_not_take_the_whole_sea_into_sight() -> None:
    home = tuple(map(ProvinceId, ("BRE", "PAR", "MAR")))
    at_home, at_sea = realm(BASE, home, home), realm(BASE, (*home, ProvinceId("MAO")), home)
    assert at_home is not None
    assert at_sea is not None
    x, y = at_sea.at(BASE.anchors["MAO"].unit)
    assert 0 < x < at_sea.size[0]
    assert 0 < y < at_sea.size[1]
    assert at_sea.zoom >= 0.9 * at_home.zoom


def test_of_a_realm_all_over_a_large_board_it_is_where_something_is_done() -> None:
    base = load_basemap("kregen", "standard")
    power = PowerId("renders")
    places = [PlaceId(province) for province in list(base.provinces)[::7] if base.provinces[province].kind == "sea"]
    units = tuple(UnitMark(power, "F", at) for at in places)
    here, there = places[0], min(base.borders[province_of(places[0])])
    move = Arrow(ArrowKind.MOVE, power, here, PlaceId(there), unit_kind="F")
    holds = tuple(Arrow(ArrowKind.HOLD, power, at, at, unit_kind="F") for at in places[1:])
    scene = own_part(Scene(SystemId("kregen"), "standard", start().title, units=units, arrows=(move, *holds)), power)
    assert isinstance(scene, Scene)
    camera = _camera(scene, base)
    assert camera.zoom > 1.5
    for at in (here, there):
        x, y = camera.at(base.anchors[at].unit)
        assert 0 < x < camera.size[0]
        assert 0 < y < camera.size[1]


@pytest.mark.parametrize("corner", [(8, 1), (0, 8), (4, 4)])
def test_a_realm_of_four_squares_by_four_is_shown_larger_than_a_board_of_twelve(corner: TileId) -> None:
    """A chat has more room beside a square board than above it, and nothing lies beyond the edge of the board."""
    own = Tile("plains", "P", owner=FRANCE)
    tiles: dict[TileId, Tile] = {(corner[0] + dx, corner[1] + dy): own for dx in range(4) for dy in range(4)}
    board = Squares(12, 12)
    scene = own_realm(
        TileScene(SystemId("king_of_kings"), "classic", start().title, board, tiles, (Power(FRANCE, "France", "F"),)),
        FRANCE,
    )
    assert isinstance(scene, TileScene)
    sight = _sight(scene)
    left, top, right, bottom = sight.box
    assert bottom - top <= 12 / LEAST_ZOOM
    assert left <= max(corner[0] - AROUND, 0)
    assert right >= min(corner[0] + 4 + AROUND, 12)
    assert top <= max(corner[1] - AROUND, 0)
    assert bottom >= min(corner[1] + 4 + AROUND, 12)


def test_others_units_are_dimmed() -> None:
    shown = start()
    lit = replace(shown, lit=FRANCE)
    plain, dimmed = (draw_scene(scene).picture for scene in (shown, lit))

    def differs(place: str) -> bool:
        x, y = (round(value) for value in BASE.anchors[place].unit)
        box = (x, y, x + 20, y + 20)
        return ImageChops.difference(plain.crop(box), dimmed.crop(box)).getbbox() is not None

    assert differs("MUN")
    assert not differs("PAR")


@pytest.mark.parametrize("system", ["diplomacy", "young_kingdoms", "kregen"])
def test_every_realm_at_the_start_is_shown_larger_than_on_the_whole_board(system: str) -> None:
    rules = systems[SystemId(system)]
    state = rules.play.start(variant="standard", players=max(rules.info.seats), options={}, seed="realm")
    shown = rules.telling.scene(rules.sight.view(state, EVERYBODY))
    assert isinstance(shown, Scene)
    base = load_basemap(system, "standard")
    # Russia reaches from the White Sea to the Black one, and has the whole board.
    for power in {unit.power for unit in shown.units} - {PowerId("russia")}:
        scene = own_realm(shown, power)
        assert isinstance(scene, Scene)
        assert _camera(scene, base).zoom >= LEAST_ZOOM, power
