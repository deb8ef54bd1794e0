"""What a picture of King of Kings shows, as data."""

from __future__ import annotations

from typing import Any

from engine.core.ids import PowerId
from engine.core.viewer import Playing
from engine.king_of_kings.model import State, View
from engine.king_of_kings.system import KING_OF_KINGS
from engine.pictures.legend import ArrowStatus
from engine.pictures.tiles import Shown
from tests.pictured import as_board

RULES = KING_OF_KINGS
RED, BLUE = PowerId("red"), PowerId("blue")


def position(**more: Any) -> State:
    return RULES.play.load({
        "system": "king_of_kings", "seed": "s", "options": {"loyalty": True},
        "state": {
            "map": ["PPF~", "GTH~"],
            "nations": [{"name": "red", "fame": 3}, {"name": "blue", "gold": 20}],
            "provinces": [
                {"x": 0, "y": 0, "units": {"red": {"F": 3, "C": 1, "G": 1}}, "home_of": "red", "tactic": "C"},
                {"x": 1, "y": 1, "owner": "red", "loyal_to": "blue", "name": "Ur"},
                {"x": 2, "y": 1, "units": {"blue": {"B": 2, "G": 1}}},
                {"x": 3, "y": 1, "units": {"red": {"S": 2, "F": 1}, "blue": {"S": 1, "F": 1}}},
            ],
        },
        **more,
    })  # fmt: skip


def test_squares_show_terrain_owner_home_troops_tactic_and_signs() -> None:
    squares = as_board(RULES.telling.scene(View(position(), None))).tiles
    assert (squares[0, 0].owner, squares[0, 0].home_of, squares[0, 0].note) == (RED, RED, "c")
    assert squares[0, 0].troops[0].text.split() == ["3F", "C", "G"]
    assert (squares[1, 1].terrain, squares[1, 1].name, squares[1, 1].signs) == ("town", "Ur", ("isolated", "disloyal"))
    assert {troops.power: troops.text for troops in squares[3, 1].troops} == {RED: "1F 2S", BLUE: "1F 1S"}
    assert (3, 0) not in squares


def test_pending_orders_show_their_ways_and_where_something_is_raised() -> None:
    view = realm()
    lines = [read.order for read in RULES.orders.parse("LAND 0 0 FO 1 E E\nPLA 0 0 FO", view).orders]
    scene = as_board(RULES.telling.scene(view, orders=lines))

    assert [(march.power, march.way, march.status) for march in scene.marches] == [
        (RED, ((0, 0), (1, 0), (2, 0)), ArrowStatus.PENDING)
    ]
    assert "ordered" in scene.tiles[0, 0].signs


def test_only_what_will_be_raised_is_marked() -> None:
    assert raised("PLA 9 9 FO 2 0 FO 0 0 FO") == [(0, 0)]
    assert raised("PLA 0 0 FO\nBUILD 2 0\nBUILD 1 0") == [(0, 0), (1, 0)]
    assert raised("BUILD 0 0\nBUILD 1 0") == [(0, 0)]


def realm() -> View:
    """Two provinces of a nation, and gold for one improvement and one unit."""
    nations = [{"name": "red", "gold": 18, "wood": 10}, {"name": "blue"}]
    provinces = [{"x": 0, "y": 0, "units": {"red": {"F": 2}}}, {"x": 1, "y": 0, "owner": "red"}]
    state = {"map": ["PPPP"], "nations": nations, "provinces": provinces}
    return RULES.sight.view(RULES.play.load({"system": "king_of_kings", "seed": "s", "state": state}), Playing(RED))


def raised(text: str) -> list[tuple[int, int]]:
    """The squares with a sign of what is placed or built."""
    lines = [read.order for read in RULES.orders.parse(text, realm()).orders]
    scene = as_board(RULES.telling.scene(realm(), orders=lines))
    return [at for at, square in scene.tiles.items() if "ordered" in square.signs]


def test_results_show_what_failed_and_where_battles_were() -> None:
    state = position()
    text = "LAND 0 0 FO 3 S E\nLAND 1 0 FO W"
    sheets = {RED: [read.order for read in RULES.orders.parse(text, RULES.sight.view(state, Playing(RED))).orders]}
    other = "LAND 2 1 BO 2 W"
    sheets[BLUE] = [read.order for read in RULES.orders.parse(other, RULES.sight.view(state, Playing(BLUE))).orders]
    resolution = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
    scene = as_board(RULES.telling.scene(View(state, None), results=resolution.results, events=resolution.events))

    assert {(march.power, march.way, march.status) for march in scene.marches} == {
        (RED, ((0, 0), (0, 1), (1, 1)), ArrowStatus.SUCCEEDED),
        (RED, ((1, 0), (0, 0)), ArrowStatus.FAILED),
        (BLUE, ((2, 1), (1, 1)), ArrowStatus.SUCCEEDED),
    }
    assert [cell for cell, square in scene.tiles.items() if "battle" in square.signs] == [(1, 1)]


def test_legend_counts_provinces_might_and_fame() -> None:
    (red, blue) = as_board(RULES.telling.scene(View(position(), RED))).legend
    assert dict(red.figures) == {"provinces": 2, "might": 6, "fame": 3}
    assert dict(blue.figures)["might"] == 4


def test_ways_are_shown_as_far_as_they_were_gone() -> None:
    """Movement points end the first march before its last step; the second one is not made at all."""
    state = position(options={})
    text = "LAND 2 1 BO 1 W W N\nLAND 1 1 FO N E"
    sheets = {BLUE: [read.order for read in RULES.orders.parse(text, RULES.sight.view(state, Playing(BLUE))).orders]}
    resolution = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
    scene = as_board(RULES.telling.scene(View(state, None), results=resolution.results))
    ways = [(march.way, march.status) for march in scene.marches]
    assert sorted(ways) == [
        (((1, 1), (1, 0)), ArrowStatus.FAILED),
        (((2, 1), (1, 1), (0, 1)), ArrowStatus.SUCCEEDED),
    ]


def test_every_nation_has_a_letter_of_its_own() -> None:
    names = ("Pirates", "Persia", "medes", "Monsters", "Pisa", "P", "P.", "Mo")
    powers = RULES.play.variant(
        RULES.play.load({"state": {"map": ["P"], "nations": [{"name": name} for name in names]}})
    ).powers
    assert [power.letter for power in powers.values()] == ["P", "Pe", "M", "Mo", "Pi", "P2", "P3", "M2"]


def test_the_key_explains_a_games_own_terrain_and_troops() -> None:
    game = {"map": ["A"], "terrain": {"oasis": {"letter": "A"}}, "troops": [{"name": "riders", "symbol": "R"}]}
    key = as_board(
        RULES.telling.scene(View(RULES.play.load({"state": {**game, "nations": [{"name": "red"}]}}), None))
    ).key
    told = {(row.shown, row.sign): (row.what.args.get("name"), row.letter) for row in key}
    assert told[Shown.TERRAIN, "oasis"] == ("oasis", "A")
    assert [row.sign for row in key if row.shown is Shown.TROOPS] == ["R"]
