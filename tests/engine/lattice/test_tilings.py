"""What holds on every board of tiles, and what hexes are by themselves."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import pytest

from engine.lattice.hexes import Hexes, Top, disc, distance, neighbours, ring, tile_at
from engine.lattice.squares import Squares
from engine.lattice.tiling import Tiling

BOARDS: dict[str, Tiling] = {
    "squares": Squares(6, 5),
    "pointy": Hexes(frozenset(disc((0, 0), 3)), Top.POINTY),
    "flat": Hexes(frozenset(disc((2, -1), 3)), Top.FLAT),
}


@pytest.fixture(params=BOARDS)
def board(request: pytest.FixtureRequest) -> Tiling:
    return BOARDS[request.param]


def middle_of_side(board: Tiling, tile: tuple[int, int], side: int) -> tuple[float, float]:
    corners = board.corners(tile)
    (x, y), (to_x, to_y) = corners[side], corners[(side + 1) % len(corners)]
    return round((x + to_x) / 2, 6), round((y + to_y) / 2, 6)


def test_each_side_is_shared_with_the_neighbour_over_it(board: Tiling) -> None:
    for tile in board.within(board.box):
        around = board.neighbours(tile)
        assert len(around) == len(board.corners(tile))
        for side, other in enumerate(around):
            back = board.neighbours(other).index(tile)
            assert middle_of_side(board, tile, side) == middle_of_side(board, other, back)
            assert math.dist(board.middle(tile), board.middle(other)) == pytest.approx(1)
            assert (other in board) is (other in set(board.within(board.box)))


def test_corners_go_clockwise_about_the_middle(board: Tiling) -> None:
    tile = next(board.within(board.box))
    corners, (x, y) = board.corners(tile), board.middle(tile)
    assert sum(a for a, _ in corners) / len(corners) == pytest.approx(x)
    assert sum(b for _, b in corners) / len(corners) == pytest.approx(y)
    for (from_x, from_y), (to_x, to_y) in pairwise((*corners, corners[0])):
        assert (from_x - x) * (to_y - y) - (from_y - y) * (to_x - x) > 0


def test_tiles_cover_the_plane_once(board: Tiling) -> None:
    """Points everywhere lie on the tile that is nearest; its polygon has them inside."""
    left, top, right, bottom = board.box
    for number in range(400):
        point = left + (right - left) * (number % 20 + 0.31) / 20, top + (bottom - top) * (number // 20 + 0.47) / 20
        tile = board.at(point)
        corners = board.corners(tile)
        for (x, y), (to_x, to_y) in pairwise((*corners, corners[0])):
            assert (to_x - x) * (point[1] - y) - (to_y - y) * (point[0] - x) >= -1e-9


def test_the_box_holds_all_corners_and_no_more(board: Tiling) -> None:
    corners = [corner for tile in board.within(board.box) for corner in board.corners(tile)]
    xs, ys = zip(*corners, strict=True)
    assert board.box == pytest.approx((min(xs), min(ys), max(xs), max(ys)))


def test_what_is_in_sight_comes_row_by_row(board: Tiling) -> None:
    middles = [board.middle(tile) for tile in board.within(board.box)]
    assert middles == sorted(middles, key=lambda point: (round(point[1], 6), point[0]))
    tile = next(board.within(board.box))
    x, y = board.middle(tile)
    assert list(board.within((x - 0.1, y - 0.1, x + 0.1, y + 0.1))) == [tile]


def test_whatever_touches_a_tile_is_around_it(board: Tiling) -> None:
    tiles = list(board.within(board.box))
    rounded = {tile: {(round(x, 6), round(y, 6)) for x, y in board.corners(tile)} for tile in tiles}
    for tile in tiles:
        touching = {other for other in tiles if other != tile and rounded[other] & rounded[tile]}
        assert touching == {other for other in board.around(tile) if other in board}


def test_only_squares_are_counted_by_columns_and_rows() -> None:
    assert list(BOARDS["squares"].columns) == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]
    assert not BOARDS["pointy"].columns
    assert not BOARDS["flat"].rows


# Hexes


def test_rings_hold_all_that_is_at_their_distance() -> None:
    middle = (3, -2)
    for radius in range(5):
        tiles = list(ring(middle, radius))
        assert len(set(tiles)) == len(tiles) == (6 * radius or 1)
        assert {distance(middle, tile) for tile in tiles} == {radius}
        assert all(distance(one, other) == 1 for one, other in pairwise(tiles))


def test_a_disc_is_its_rings() -> None:
    assert Counter(distance((0, 0), tile) for tile in disc((0, 0), 3)) == {0: 1, 1: 6, 2: 12, 3: 18}


def test_distance_is_the_length_of_the_shortest_way() -> None:
    reached, edge = {(0, 0): 0}, [(0, 0)]
    for far in range(1, 5):
        edge = [tile for near in edge for tile in neighbours(near) if tile not in reached]
        reached |= dict.fromkeys(edge, far)
    assert all(distance((0, 0), tile) == far for tile, far in reached.items())


@pytest.mark.parametrize("top", Top)
def test_the_first_neighbour_lies_north_east_and_the_others_follow_clockwise(top: Top) -> None:
    board = Hexes(frozenset(disc((0, 0), 1)), top)
    angles = [math.degrees(math.atan2(*reversed(board.middle(tile)))) % 360 for tile in board.neighbours((0, 0))]
    first = 300 if top is Top.POINTY else 330
    assert angles == pytest.approx([(first + 60 * number) % 360 for number in range(6)], abs=1e-6)
    assert tile_at(board.middle((1, 0)), top) == (1, 0)


def test_rows_are_level_with_a_corner_on_top_and_columns_upright_with_a_side_on_top() -> None:
    pointy, flat = BOARDS["pointy"], BOARDS["flat"]
    assert pointy.middle((2, 1))[1] == pointy.middle((0, 1))[1]
    assert flat.middle((1, 2))[0] == flat.middle((1, 0))[0]


def test_a_board_without_hexes_is_empty() -> None:
    nothing = Hexes(frozenset(), Top.FLAT)
    assert nothing.box == (0, 0, 0, 0)
    assert not list(nothing.within((-9, -9, 9, 9)))
