"""The parts of large boards where something happened."""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import PlaceId, PowerId, ProvinceId, SystemId
from engine.core.phrases import phrase
from engine.lattice.hexes import Hexes, Top, disc
from engine.lattice.squares import Squares
from engine.pictures.close_ups import MOST, close_ups
from engine.pictures.legend import ArrowStatus
from engine.pictures.scene import Arrow, ArrowKind, Mark, Scene
from engine.pictures.tiles import Tile, TileScene, Trail
from tests.bot.render.kregen import document, results
from tests.bot.render.scenes import crowded

ZAIR = PowerId("zair")
EMPTY = Scene(SystemId("kregen"), "standard", phrase("phase.over", year=1))


def move(start: str, end: str, status: ArrowStatus = ArrowStatus.SUCCEEDED) -> Arrow:
    return Arrow(ArrowKind.MOVE, ZAIR, PlaceId(start), PlaceId(end), status=status, unit_kind="A")


def test_the_first_part_is_where_most_happened() -> None:
    state = document(("zair A ZIM", "zair A SEC", "zandikar A SHP", "magdag A CHU"), garrisons=())
    orders = {"zair": ("A ZIM - SHP", "A SEC S A ZIM - SHP"), "zandikar": ("A SHP H",), "magdag": ("A CHU - MAG",)}
    first, second = close_ups(results(state, orders))
    assert isinstance(first.scene, Scene)
    assert isinstance(second.scene, Scene)
    assert set(first.scene.focus) == {"ZIM", "SHP", "SEC"}
    assert set(second.scene.focus) == {"CHU", "MAG"}
    assert first.scene.arrows == second.scene.arrows == results(state, orders).arrows


def test_units_that_hold_are_no_news() -> None:
    hold = Arrow(ArrowKind.HOLD, ZAIR, PlaceId("ZIM"), PlaceId("ZIM"), status=ArrowStatus.SUCCEEDED, unit_kind="A")
    assert close_ups(replace(EMPTY, arrows=(hold,))) == ()
    assert [part.place for part in close_ups(replace(EMPTY, marks=(Mark("swords", PlaceId("ZIM")),)))] == ["ZIM"]


def test_a_board_that_can_be_read_has_none_and_so_has_a_close_up() -> None:
    assert close_ups(crowded()) == ()
    shown = replace(EMPTY, arrows=(move("ZIM", "SHP"),))
    assert close_ups(shown)
    assert close_ups(replace(shown, focus=(ProvinceId("ZIM"),))) == ()


def test_parts_of_squares_are_named_by_what_stands_there() -> None:
    squares = {(3, 3): Tile("plain", "P", name="Rome", signs=("battle",)), (17, 17): Tile("plain", "P")}
    ways = (Trail(ZAIR, ((17, 17), (18, 17))), Trail(ZAIR, ((17, 17), (17, 16))))
    scene = TileScene(SystemId("king_of_kings"), "classic", EMPTY.title, Squares(20, 20), squares, (), marches=ways)
    assert [part.place for part in close_ups(scene)] == ["17 17", "Rome"]


def test_parts_of_boards_of_hexes_reach_three_hexes_far() -> None:
    board = Hexes(frozenset(disc((0, 0), 12)), Top.FLAT)
    tiles = {(0, 0): Tile("plain", "P", tag="2D+4", signs=("battle",)), (9, 0): Tile("plain", "P", signs=("battle",))}
    ways = (Trail(ZAIR, ((3, 0), (2, 0))), Trail(ZAIR, ((0, -4), (0, -3))))
    first, second = close_ups(TileScene(SystemId("king_of_kings"), "classic", EMPTY.title, board, tiles, (), ways))
    assert (first.place, second.place) == ("2D+4", "9 0")
    assert isinstance(first.scene, TileScene)
    assert set(first.scene.focus) == {(0, 0), (3, 0), (2, 0), (0, -3)}


def test_there_are_no_more_than_buttons_can_name() -> None:
    ways = tuple(Trail(ZAIR, ((x, y), (x, y + 1), (x, y))) for x in range(0, 90, 9) for y in range(0, 90, 9))
    many = tuple(march for march in ways for _ in range(3))
    scene = TileScene(SystemId("king_of_kings"), "classic", EMPTY.title, Squares(99, 99), {}, (), marches=many)
    assert len(close_ups(scene)) == MOST
