"""A ruler's picture: what it shows of the land, of orders, and nothing of what the ruler does not know."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest

from bot.render import render_scene
from engine.core.ids import PowerId
from engine.core.phrases import Catalogue
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY, Playing
from engine.kalevala.coordinates import GfId, Province
from engine.kalevala.document import load
from engine.kalevala.model import State, TradeCentre
from engine.kalevala.orders import Line
from engine.kalevala.scene import GROUNDS
from engine.kalevala.system import KALEVALA
from engine.kalevala.tables import TERRAIN
from engine.lattice.great_fields import Side
from engine.pictures.cells import CellSign, EdgeSign
from engine.pictures.legend import ArrowStatus
from engine.pictures.realm import own_realm, whole_board, with_failing
from engine.pictures.tiles import UNKNOWN, Tile, TileScene
from tests.engine.kalevala.hidden import variants
from tests.random_kalevala import wild_sheet

ANNA, BERT = PowerId("anna"), PowerId("bert")


def scene_of(state: State, ruler: PowerId = ANNA, orders: str = "") -> TileScene:
    view = KALEVALA.sight.view(state, Playing(ruler))
    lines: tuple[Line, ...] = read_orders(KALEVALA, view, orders).values
    scene = KALEVALA.telling.scene(view, orders=lines)
    assert isinstance(scene, TileScene)
    return scene


def tiles_of(scene: TileScene) -> dict[str, Tile]:
    return {tile.tag: tile for tile in scene.tiles.values()}


@cache
def scouted() -> State:
    """Anna has looked at natives, a field cut by a strom, and has been told of the land alone elsewhere."""
    return load(
        {
            "system": "kalevala",
            "phase": {"gr": 4, "part": 3},
            "state": {
                "rulers": {"anna": {"capital": "2D+4"}, "bert": {}},
                "gf": {
                    "2D+4": {
                        "kf": "T" * 18 + "HW" + "T" * 28,
                        "river": ["12/NE"],
                        "ascent": ["19/E"],
                        "hz": {"type": "Hstd", "kf": 19, "name": "Turku"},
                        "works": [
                            {"type": "Tu", "kf": 12, "gates": ["12/SE"]},
                            {"type": "Ma", "edge": "11/E", "gate": True, "opens": 11},
                            {"type": "Br", "edge": "12/NE"},
                        ],
                    },
                    "2E+4": {"kf": "B" * 48, "hz": {"type": "F", "kf": 7}},
                    "2D+5": {
                        "kf": "TWTTTTWTTTTTWTTTTTTWTTTTTTWTTTTTTWTTTTTWTTTTWTTT",
                        "flow": {"2": "SE", "7": "SE"},
                    },
                    "2D+3": {"kf": "S" * 48, "hz": {"type": "Mkt", "kf": 3}},
                    "2F+9": {"kf": "D" * 48},
                },
                "owners": {"2D+4": "anna", "2E+4": "bert", "2D+5/1": "anna", "2D+5/2": "bert"},
                "stacks": {
                    "anna": {"2D+4": "14L 7B Z/30", "2D+5/1": "3L"},
                    "bert": {"2E+4": "9LB Z/77", "2D+5/2": "8LB", "2D+3": "5LB"},
                },
                "explored": {"anna": [{"from": "2D+4", "to": "2E+4", "result": "full"}]},
                "known": {"anna": ["2D+3"]},
            },
        }
    )


def test_the_realm_at_the_start_is_known_and_around_it_are_names_alone() -> None:
    scene = scene_of(load({"system": "kalevala", "seed": "ukko"}))
    tiles = tiles_of(scene)
    known = {tag for tag, tile in tiles.items() if tile.terrain != UNKNOWN}
    assert known == {"2E+8", "2F+7", "2E+7"}
    assert all(tile == Tile(UNKNOWN, "?", tag=tag) for tag, tile in tiles.items() if tag not in known)
    assert tiles["2E+8"].signs == ("capital",)
    assert tiles["2E+8"].owner == ANNA
    assert [(each.power, each.text) for each in tiles["2F+7"].troops] == [(ANNA, "3B 7L")]
    assert scene.is_in_fog


def test_a_field_is_shown_by_its_cells() -> None:
    cells = tiles_of(scene_of(scouted()))["2D+4"].cells
    assert cells is not None
    assert cells.grounds[17:20] == "THW"
    assert set(cells.signs) == {CellSign("Hstd", 19), CellSign("tower", 12)}
    assert set(cells.edges) == {
        EdgeSign("river", 12, Side.NE),
        EdgeSign("bridge", 12, Side.NE),
        EdgeSign("ascent", 19, Side.E),
        EdgeSign("wall", 11, Side.E),
        EdgeSign("gate", 11, Side.E),
        EdgeSign("gate", 12, Side.SE),
    }


def test_what_scouts_saw_is_clear_and_what_is_remembered_is_faded_and_bare() -> None:
    tiles = tiles_of(scene_of(scouted()))
    assert not tiles["2E+4"].is_remembered
    assert [(each.power, each.text) for each in tiles["2E+4"].troops] == [(BERT, "9LB 1Z")]
    assert tiles["2D+3"].is_remembered
    assert (tiles["2D+3"].troops, tiles["2D+3"].owner) == ((), None)
    assert tiles["2D+3"].cells is not None
    assert tiles["2D+3"].cells.signs == ()
    assert "2F+9" not in tiles


def test_a_trade_centre_is_shown_as_it_was_seen_last_to_whoever_saw_it() -> None:
    market = {GfId("2D+3"): TradeCentre("Mkt", 7), GfId("2E+4"): TradeCentre("Hstd", 19)}
    state = replace(scouted(), centres={ANNA: market, BERT: {GfId("2D+4"): TradeCentre("F")}})
    tiles = tiles_of(scene_of(state))
    assert tiles["2D+3"].is_remembered
    assert tiles["2D+3"].cells is not None
    assert tiles["2D+3"].cells.signs == (CellSign("Mkt", 7),)
    assert tiles["2E+4"].cells is not None
    assert CellSign("Hstd", 19) not in tiles["2E+4"].cells.signs, "what scouts see now counts, not what they saw"
    words = load_phrases("kalevala").with_catalogue(Catalogue({}, {"anna": "Anna", "bert": "Bert"}))
    told = [words.render(each) for each in scene_of(state).in_words]
    assert any(line.startswith("2D+3: swamp and market (Mkt) on KF 7; seen on") for line in told), told
    assert "2D+3" not in KALEVALA.sight.view(state, Playing(BERT)).state.centres.get(BERT, {})
    assert ANNA not in KALEVALA.sight.view(state, Playing(BERT)).state.centres


def test_pictures_and_words_tell_when_land_was_seen_last() -> None:
    state = scouted()
    state = replace(state, gr=4, seen={ANNA: {Province("2D+3"): 2}})
    scene = scene_of(state)
    assert tiles_of(scene)["2D+3"].note == "GR 2"
    words = load_phrases("kalevala").with_catalogue(Catalogue({}, {"anna": "Anna", "bert": "Bert"}))
    told = [words.render(each) for each in scene.in_words]
    assert "2D+3: swamp; last seen in round 2; who holds it now is not known" in told
    assert any(line.startswith("2D+4: ") and "capital (Hstd)" in line and "Anna's, with" in line for line in told)


def test_a_step_too_far_is_drawn_as_failed_and_a_place_far_away_is_not() -> None:
    state = load({"system": "kalevala", "seed": "ukko"})
    far = scene_of(state, orders="MOVE 3L 2E+7 > 2E+9\nMOVE 3L 2E+7 > 2A+1").marches
    assert [len(march.way) for march in far] == [2]


def test_of_a_divided_field_the_own_part_alone_is_seen() -> None:
    tile = tiles_of(scene_of(scouted()))["2D+5"]
    assert tile.cells is not None
    assert tile.owner == ANNA
    assert [part.owner for part in tile.cells.parts] == [ANNA]
    assert tile.cells.grounds[2] == "?"
    assert [each.text for each in tile.troops] == ["/1 3L"]


def test_orders_are_ways_with_their_numbers() -> None:
    state = load({"system": "kalevala", "seed": "ukko"})
    text = "EXPLORE 1 2E+7 > 2E+6\nEXPLORE 2 2E+6 > 2E+5\nMOVE 3L 2E+7 > 2E+8\nWATCH 2E+8 1\nEXPLORE 3 2E+8 > 2A+1"
    marches = scene_of(state, orders=text).marches
    assert [(march.manner, march.label, len(march.way)) for march in marches] == [
        ("explore", "1", 2),
        ("explore", "2", 2),
        ("move", "", 2),
    ]
    entered = scene_of(scouted(), orders="ENTER 1 2D+4 K 2E+4 5L").marches
    assert [(march.manner, march.label) for march in entered] == [("enter", "1K")]
    assert scene_of(state).marches == ()


def test_orders_that_will_fail_and_those_that_failed_are_drawn_so() -> None:
    state = load({"system": "kalevala", "seed": "ukko"})
    both, failing = "EXPLORE 1 2E+7 > 2E+6\nMOVE 30L 2E+7 > 2E+6", "MOVE 30L 2E+7 > 2E+6"
    shown = with_failing(scene_of(state, orders=both), scene_of(state, orders=failing))
    assert isinstance(shown, TileScene)
    assert [march.status for march in shown.marches] == [ArrowStatus.PENDING, ArrowStatus.FAILED]
    view = KALEVALA.sight.view(state, Playing(ANNA))
    sheets = {ANNA: read_orders(KALEVALA, view, both).values}
    done = KALEVALA.play.adjudicate(state, sheets, KALEVALA.play.dice(state))
    told = KALEVALA.telling.scene(view, results=done.results)
    assert isinstance(told, TileScene)
    assert [march.status for march in told.marches] == [ArrowStatus.SUCCEEDED, ArrowStatus.FAILED]


def test_a_close_up_is_told_in_words_that_say_what_the_viewer_knows() -> None:
    scene = scene_of(scouted())
    at = next(at for at, tile in scene.tiles.items() if tile.tag == "2D+4")
    told = [each.code for each in replace(scene, opened=at).in_words]
    assert told == [
        "about.land", "about.centre", "about.river", "about.ascent", "about.works", "about.owner", "about.figures",
    ]  # fmt: skip
    known = [tag for tag, tile in tiles_of(scene).items() if tile.cells]
    assert [each.args["place"] for each in scene.in_words] == known, "of the whole, every field that is known"
    assert isinstance(whole := whole_board(replace(scene, opened=at)), TileScene)
    assert whole.opened is None


def test_whoever_plays_nobody_sees_no_land() -> None:
    scene = KALEVALA.telling.scene(KALEVALA.sight.view(scouted(), EVERYBODY))
    assert isinstance(scene, TileScene)
    assert scene.tiles == {}
    assert render_scene(scene)[:4] == b"\x89PNG"


def test_every_terrain_is_told_in_the_key() -> None:
    assert set(GROUNDS) == set(TERRAIN)
    assert {row.letter for row in scene_of(scouted()).key if row.letter} == set(TERRAIN)


@pytest.mark.parametrize("seed", ["louhi", "ahti"])
def test_worlds_that_differ_in_what_is_hidden_give_equal_scenes_and_pictures(seed: str) -> None:
    chance = random.Random(seed)
    state = load({"system": "kalevala", "seed": seed})
    for _ in range(3):
        sheets = {}
        for ruler in KALEVALA.play.status(state).to_act:
            text = wild_sheet(state, ruler, chance)
            if text is not None:
                view = KALEVALA.sight.view(state, Playing(ruler))
                sheets[ruler] = read_orders(KALEVALA, view, text).values
        state = KALEVALA.play.adjudicate(state, sheets, KALEVALA.play.dice(state)).state
    text = wild_sheet(state, ANNA, chance) or "PASS"
    shown = scene_of(state, orders=text)
    for number, other in enumerate(variants(state, Playing(ANNA))):
        there = scene_of(other, orders=text)
        assert repr(there) == repr(shown)
        if number == 0:
            assert render_scene(own_realm(there, ANNA)) == render_scene(own_realm(shown, ANNA))
