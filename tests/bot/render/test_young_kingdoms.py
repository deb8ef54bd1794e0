"""What the map of the Young Kingdoms shows besides armies and fleets: sorcerers beside units, signs, and magic."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import pytest
from PIL import ImageChops

from bot.render import lull
from bot.render.basemap import load_basemap
from bot.render.places import spots
from bot.render.raster import draw_scene
from bot.render.signs import SIGNS
from bot.render.style import load_style
from engine.core.ids import PlaceId
from engine.pictures.legend import ArrowStatus
from engine.pictures.scene import Mark
from tests.bot.render.scenes import changed_px
from tests.bot.render.young_kingdoms import FORTRESSES, POWERS, VARIANT, arrow, board

MAP = partial(load_basemap, "young_kingdoms", "standard")
RADIUS = load_style("young_kingdoms", "standard").sizes["unit"]


@pytest.mark.parametrize("place", [place for place in VARIANT.board.provinces if place != "LCI"])
def test_a_sorcerer_beside_a_unit_covers_it_little_and_stays_on_the_map(place: str) -> None:
    marks = (Mark("fortress", PlaceId(place), None, "1"),) if place in FORTRESSES else ()
    scene = replace(board(units=(f"L A {place}", f"M S {place}")), marks=marks)
    found = spots(scene, MAP(), SIGNS)
    main, beside = (found.units[each] for each in scene.units)
    assert main == MAP().anchors[place].unit
    assert math.dist(main, beside) > RADIUS * 1.3
    assert 0 < beside[0] < MAP().size[0]
    assert 0 < beside[1] < MAP().size[1]


def test_a_fortress_stays_where_it_is_whoever_stands_there() -> None:
    empty, full = board(units=()), board(units=("M F MEL", "M S MEL", "P S MEL"))
    fortress = next(mark for mark in full.marks if mark.kind == "fortress" and mark.place == "MEL")
    assert spots(empty, MAP(), SIGNS).marks[fortress] == spots(full, MAP(), SIGNS).marks[fortress]


def test_three_units_at_a_place_stand_apart() -> None:
    scene = board(units=("L F SOC", "M S SOC", "P S SOC"))
    found = spots(scene, MAP(), SIGNS)
    one, two, three = (found.units[each] for each in scene.units)
    assert min(math.dist(one, two), math.dist(two, three), math.dist(one, three)) > RADIUS


@pytest.mark.parametrize(
    "mark",
    [
        Mark("fortress", PlaceId("FIL"), None, "1"),
        Mark("fortress", PlaceId("FIL"), POWERS["P"], "2"),
        Mark("horde", PlaceId("SEA"), POWERS["A"]),
        Mark("barred", PlaceId("MID")),
    ],
)
def test_every_sign_can_be_seen(mark: Mark) -> None:
    assert changed_px(board(), board(marks=(mark,))) > 200


def test_the_strength_of_a_fortress_can_be_read() -> None:
    one, two = (Mark("fortress", PlaceId("FIL"), None, strength) for strength in "12")
    assert changed_px(board(marks=(one,)), board(marks=(two,))) > 40


def test_a_magical_attack_does_not_look_like_a_march() -> None:
    plain = board(arrows=(arrow("M S move MEL SOC"),))
    by_magic = board(arrows=(arrow("M S move MEL SOC", manner="magic"),))
    assert changed_px(plain, by_magic) > 300


def test_a_spell_begins_at_the_sorcerer_and_not_at_the_fleet_beside_it() -> None:
    by_fleet = board(arrows=(arrow("M F strike MEL IOP"),))
    by_sorcerer = board(arrows=(arrow("M S strike MEL IOP"),))
    assert changed_px(by_fleet, by_sorcerer) > 300


def test_what_failed_by_magic_is_crossed_out() -> None:
    for text in ("M S move MEL SOC", "M S strike MEL SOC", "M S strike MEL MEL", "M S support_hold MEL IOP IOP"):
        done, failed = (
            board(arrows=(arrow(text, status, "magic"),)) for status in (ArrowStatus.SUCCEEDED, ArrowStatus.FAILED)
        )
        assert changed_px(done, failed) > 300, text


def test_a_fleet_and_the_sorcerer_that_rides_it_have_two_arrows() -> None:
    fleet = arrow("M F move MEL SOC")
    assert changed_px(board(arrows=(fleet,)), board(arrows=(fleet, arrow("M S move MEL SOC")))) > 300


def test_beyond_the_worlds_edge_is_nothing() -> None:
    blank = MAP().regions.point([255 if value == 0 else 0 for value in range(256)])
    assert sum(blank.histogram()[255:]) > 20_000
    box = blank.getbbox()
    assert box is not None
    assert box[2:] == MAP().size


def test_sorcerers_have_a_shape_of_their_own() -> None:
    assert len({MAP().style.kinds[kind] for kind in "AFS"}) == 3


def test_a_ground_that_is_drawn_on_from_another_has_every_pixel_of_one_drawn_by_itself() -> None:
    first = board()
    barred = replace(first, marks=(Mark("barred", PlaceId("BAK")), Mark("barred", PlaceId("MID"))))
    nobodys = replace(first, fills={})
    moved = replace(barred, fills=dict(zip(first.fills, reversed(list(first.fills.values())), strict=True)))
    following = [first, barred, nobodys, moved, first]
    drawn_on = [draw_scene(scene).picture for scene in following]
    for scene, picture in zip(following, drawn_on, strict=True):
        lull.let_go()
        assert ImageChops.difference(draw_scene(scene).picture, picture).getbbox() is None
    assert ImageChops.difference(drawn_on[1], drawn_on[3]).getbbox() is not None
