"""What Kregen's map shows: sites by shape, stacks, heroes beside units, two impulses, steps that join, the key."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

import pytest

from bot.render import order_lines, render_scene
from bot.render.basemap import load_basemap
from bot.render.key import key_of
from bot.render.places import spots
from bot.render.raster import draw_scene
from bot.render.signs import SIGNS, faith_sign
from bot.render.sites import SITES, Site, site_mark
from bot.render.style import load_style
from engine.core.ids import PlaceId, PowerId
from engine.core.variant import load_variant
from engine.lattice.tiling import Point
from engine.pictures.scene import Arrow, ArrowKind, Mark, Scene, UnitMark
from engine.provinces.board import Terrain
from engine.provinces.variants import with_board
from tests.bot.render.kregen import ORDERS, pending, position, results
from tests.bot.render.scenes import changed_px

MAP = partial(load_basemap, "kregen", "standard")
STYLE = load_style("kregen", "standard")
RADIUS = STYLE.sizes["unit"]
BOARD = with_board(load_variant("kregen", "standard")).board
LANDS = [province.id for province in BOARD.provinces.values() if province.terrain is not Terrain.SEA]
ZAIR, MAGDAG = PowerId("zair"), PowerId("magdag")


def empty() -> Scene:
    return replace(position(), units=(), arrows=())


def move(start: str, end: str, manner: str = "first", *, is_onward: bool = False, kind: str = "F") -> Arrow:
    places = PlaceId(start), PlaceId(end)
    return Arrow(ArrowKind.MOVE, MAGDAG, *places, unit_kind=kind, manner=manner, is_onward=is_onward)


def test_every_site_has_its_own_shape() -> None:
    glyphs = [site_mark(Site(shape), 13, STYLE.fonts["strong"]).tobytes() for shape in SITES]
    assert len(set(glyphs)) == 4


@pytest.mark.parametrize(
    "site",
    [
        Site("square", garrison="1"),
        Site("square", is_capital=True),
        Site("square", is_plundered=True),
        Site("square", (0, 80, 40), "M"),
    ],
)
def test_a_site_shows_garrison_capital_plunder_and_owner(site: Site) -> None:
    plain, told = (site_mark(each, 13, STYLE.fonts["strong"]) for each in (Site("square"), site))
    assert plain.tobytes() != told.tobytes()


@pytest.mark.parametrize("kind", ["capital", "garrison", "plundered"])
def test_what_belongs_to_a_site_is_part_of_its_sign(kind: str) -> None:
    plain = replace(empty(), marks=(Mark("square", PlaceId("MYZ")),))
    assert changed_px(plain, replace(plain, marks=(*plain.marks, Mark(kind, PlaceId("MYZ"), label="1")))) > 60


@pytest.mark.parametrize("place", LANDS)
def test_a_hero_beside_an_army_covers_it_little_and_stays_on_the_map(place: str) -> None:
    army, hero = UnitMark(ZAIR, "A", PlaceId(place)), UnitMark(ZAIR, "H", PlaceId(place))
    found = spots(replace(position(), units=(army, hero)), MAP(), SIGNS)
    assert math.dist(found.units[army], found.units[hero]) > RADIUS * 1.3
    assert all(0 < value < limit for value, limit in zip(found.units[hero], MAP().size, strict=True))


def test_a_hero_does_not_stand_where_the_dislodged_unit_is() -> None:
    at = PlaceId("SHP")
    units = (UnitMark(ZAIR, "A", at), UnitMark(ZAIR, "H", at), UnitMark(MAGDAG, "F", at, is_dislodged=True, count=2))
    found = spots(replace(position(), units=units), MAP(), SIGNS)
    assert math.dist(found.units[units[1]], found.units[units[2]]) > RADIUS


def test_two_fleets_look_like_two() -> None:
    one, two = (replace(empty(), units=(UnitMark(MAGDAG, "F", PlaceId("OVL"), count=count),)) for count in (1, 2))
    assert changed_px(one, two) > 300


def test_the_second_impulse_does_not_look_like_the_first() -> None:
    one, two = (replace(empty(), arrows=(move("OVL", "RNS", manner),)) for manner in ("first", "second"))
    assert changed_px(one, two) > 200


def test_steps_of_a_fleet_join_where_the_first_ends() -> None:
    base = replace(empty(), units=(UnitMark(MAGDAG, "F", PlaceId("MAG")),))
    steps = move("MAG", "OVL"), move("OVL", "RNS", "second")
    joined = steps[0], replace(steps[1], is_onward=True)
    assert changed_px(replace(base, arrows=steps), replace(base, arrows=joined)) > 100


def test_a_heros_walk_is_thinner_than_a_fleets_move() -> None:
    hero, fleet = (replace(empty(), arrows=(move("SOZ", "RNS", kind=kind),)) for kind in "HF")
    assert changed_px(empty(), hero) < changed_px(empty(), fleet)


def test_a_duel_has_its_sign() -> None:
    scene = empty()
    assert changed_px(scene, replace(scene, marks=(*scene.marks, Mark("swords", PlaceId("ZIM"))))) > 200


def test_the_numbers_of_two_orders_that_begin_side_by_side_can_both_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """An army and a hero leave Zimurz by the same convoy."""
    found: list[Point] = []

    def noted(spots: Sequence[Point], radius: float, taken: Sequence[tuple[Point, float]]) -> Point:
        found.append(clearest(spots, radius, taken))
        return found[-1]

    clearest = order_lines._clearest
    monkeypatch.setattr(order_lines, "_clearest", noted)
    draw_scene(replace(pending("zair", ORDERS["zair"]), focus=(), lit=None))
    assert len(found) > 3
    apart = min(math.dist(one, other) for one, other in combinations(found, 2))
    assert apart > RADIUS * 0.8


def test_the_faiths_have_signs_of_their_own() -> None:
    assert faith_sign("zair", 14).tobytes() != faith_sign("grodno", 14).tobytes()
    signs = {power: look["sign"] for power, look in STYLE.powers.items() if "sign" in look}
    faiths = with_board(load_variant("kregen", "standard")).settings["faiths"]
    assert signs == {power: {"green": "grodno", "red": "zair"}[faith] for power, faith in faiths.items()}


def test_faiths_differ_in_hatching_too() -> None:
    straight = {look["hatch"] for look in STYLE.powers.values() if look.get("sign") == "grodno"}
    aslant = {look["hatch"] for look in STYLE.powers.values() if look.get("sign") == "zair"}
    assert (straight, aslant) == ({"level", "upright", "grid"}, {"rising", "falling", "crossed"})


def test_the_key_tells_of_the_signs_on_the_picture_alone() -> None:
    told = [text for _, text in key_of(position(), STYLE)]
    assert {"army", "fleet", "northern city", "pirate centre", "garrison"} <= set(told)
    assert not {"second impulse", "failed", "move"} & set(told)
    assert {"second impulse", "failed", "move"} <= {text for _, text in key_of(results(), STYLE)}
    assert len(told) == len(set(told))


def test_a_board_has_no_key() -> None:
    scene = position()
    assert draw_scene(scene).picture.height < draw_scene(scene, with_key=True).picture.height - 200


def test_the_whole_map_with_everything_is_a_small_file() -> None:
    assert len(render_scene(results())) < 2_000_000
