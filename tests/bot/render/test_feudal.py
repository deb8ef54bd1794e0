"""What the map of Feudal Europe shows: castles, crowns, homes, dice, lists, and comers from outside."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from PIL import Image, ImageChops

from bot.render import glyphs, labels
from bot.render.basemap import OPEN_WATER, load_basemap
from bot.render.key import key_of
from bot.render.raster import draw_scene
from bot.render.style import load_style
from engine.core.ids import PlaceId, ProvinceId
from engine.pictures.legend import ArrowStatus
from engine.pictures.scene import Mark, Scene
from tests.bot.render.feudal_scenes import POWERS, arrow, lists, realm, signs, unit

MAP = partial(load_basemap, "feudal", "standard")


def differing_px(one: Scene, other: Scene) -> int:
    """How many pixels clearly differ."""
    pictures: list[Image.Image] = [draw_scene(scene).picture.convert("L") for scene in (one, other)]
    assert pictures[0].size == pictures[1].size
    return sum(ImageChops.difference(*pictures).histogram()[40:])


def test_the_flags_of_a_choice_bear_their_powers_letter_beside_the_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight colours alone would not tell everybody whose they are."""
    written: list[str] = []

    def noted(text: str, *rest: Any) -> Image.Image:
        written.append(text)
        return pennon(text, *rest)

    pennon = glyphs.pennon
    monkeypatch.setattr(glyphs, "pennon", noted)
    draw_scene(lists())
    assert written == ["L2", "R1", "×"]


def test_a_name_that_a_close_up_moves_into_sight_keeps_clear_of_the_die_beside_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sevastopol's, at the edge of what is shown around Serbia, had its die in the middle."""
    given: list[Any] = []
    monkeypatch.setattr("bot.render.raster.write_labels", lambda *all_of_it: given.append(all_of_it))
    draw_scene(replace(lists(), marks=signs(), focus=tuple(map(ProvinceId, ("SER", "BUL", "RUM")))))
    ((_, basemap, camera, obstacles),) = given
    name = next(label for label in labels.placed(basemap, camera, obstacles) if label.region.id == "SEV")
    anchor = basemap.anchors["SEV"].label
    assert name.at != camera.at(anchor), "it has moved"
    die = camera.at((anchor[0] - basemap.style.sizes["label"] * 1.5, anchor[1]))
    half = labels.half_size(basemap, camera, name.region)
    assert abs(name.at[0] - die[0]) > half[0] or abs(name.at[1] - die[1]) > half[1]


@pytest.mark.parametrize("kind", ["castle", "home", "die"])
def test_every_kind_of_mark_shows(kind: str) -> None:
    whole = realm()
    without = replace(whole, marks=tuple(mark for mark in whole.marks if mark.kind != kind))
    assert differing_px(whole, without) > 1000


@pytest.mark.parametrize("move", ["B move LON YOR", "B move KIE HOL"])
def test_no_order_hides_a_castle(move: str) -> None:
    """Neither the head of a short arrow to its land, nor the cross on one that begins beside it."""
    order = arrow(move, ArrowStatus.PENDING)
    castles = tuple(Mark("castle", PlaceId(place), POWERS["B"]) for place in ("YOR", "KIE"))
    still = replace(realm(), units=(unit(f"B K {order.start}"),), marks=castles, arrows=())
    moves = [replace(still, arrows=(replace(order, status=status),)) for status in ArrowStatus]
    basemap, drawn = MAP(), [draw_scene(scene).picture for scene in (still, *moves)]
    frame = (drawn[0].width - basemap.size[0]) / 2
    left, top = frame, drawn[0].height - basemap.size[1] - frame
    half = basemap.style.sizes["castle"] * 0.7
    anchors = [basemap.anchors[castle.place] for castle in castles]
    middles = [(x + left, y + top) for x, y in (anchor.centre or anchor.unit for anchor in anchors)]
    boxes = [(x - half, y - half, x + half, y + half) for x, y in middles]
    seen = [[picture.crop(box).tobytes() for box in boxes] for picture in drawn]
    assert all(each == seen[0] for each in seen)


def test_the_key_tells_barbarians_and_nomads_from_armies_and_what_dotted_lines_are() -> None:
    style = load_style("feudal", "standard")
    told = [text for _, text in key_of(realm(), style)]
    assert {"army", "barbarian", "nomads", "castle", "crossing"} <= set(told)
    roamers = replace(realm(), units=tuple(unit(text) for text in ("b A NWY", "n A UKR")))
    assert "army" not in [text for _, text in key_of(roamers, style)], "their signs are their own"
    signs = [sign.tobytes() for sign, _ in key_of(realm(), style)]
    assert len(signs) == len(set(signs))


def test_castles_of_different_owners_differ() -> None:
    mine, yours = (
        replace(lists(), marks=(Mark("castle", PlaceId("PAR"), POWERS[letter]),), legend=()) for letter in "LB"
    )
    assert differing_px(mine, yours) > 100


def test_a_castle_stands_for_its_centre() -> None:
    castle = Mark("castle", PlaceId("PAR"), POWERS["L"])
    alone = replace(lists(), marks=(castle,))
    both = replace(lists(), marks=(castle, Mark("centre", PlaceId("PAR"), POWERS["L"])))
    assert differing_px(alone, both) == 0


@pytest.mark.parametrize(("one", "other"), [("A", "N"), ("N", "K"), ("K", "W"), ("W", "A")])
def test_kinds_of_units_have_shapes_of_their_own(one: str, other: str) -> None:
    first, second = (replace(lists(), units=(unit(f"L {kind} PAR"),)) for kind in (one, other))
    assert differing_px(first, second) > 250


@pytest.mark.parametrize("nobodys", ["n", "b"])
def test_nomads_and_barbarians_do_not_look_like_anybodys_army(nobodys: str) -> None:
    theirs, mine = (replace(lists(), units=(unit(f"{letter} A UKR"),)) for letter in (nobodys, "L"))
    assert differing_px(theirs, mine) > 250


def test_who_comes_from_outside_has_an_arrow_beside_his_place() -> None:
    nomad = replace(lists(), units=(unit("n A UKR"),))
    coming = replace(nomad, arrows=(arrow("n move UKR UKR", ArrowStatus.SUCCEEDED),))
    assert differing_px(nomad, coming) > 150


def test_lists_show_ranks_owners_and_clashes() -> None:
    whole = lists()
    other_rank = tuple(replace(mark, label="3") if mark.label == "2" else mark for mark in whole.marks)
    no_clash = tuple(mark for mark in whole.marks if mark.label != "×")
    assert differing_px(whole, replace(whole, marks=other_rank)) > 20
    assert differing_px(whole, replace(whole, marks=no_clash)) > 150


def test_the_seas_are_water_without_a_name() -> None:
    assert MAP().regions.getpixel((647, 537)) == OPEN_WATER  # the middle of the North Sea
    assert all(region.kind != "sea" for region in MAP().provinces.values())
