"""Where provinces' names stand: at their anchors, or clear of what lies there."""

from __future__ import annotations

from functools import partial
from itertools import product

import pytest
from PIL import Image

from bot.render import labels
from bot.render.basemap import load_basemap
from bot.render.camera import Camera, as_posted, close_up, whole
from bot.render.labels import Obstacle
from bot.render.raster import draw_scene
from engine.pictures.scene import Scene
from tests.bot.render import kregen, young_kingdoms
from tests.bot.render.scenes import crowded

MAP = partial(load_basemap, "diplomacy", "standard")


def placed(*obstacles: Obstacle) -> dict[str, labels.Label]:
    return {label.region.id: label for label in labels.placed(MAP(), whole(MAP()), obstacles)}


def test_without_anything_in_the_way_labels_stand_at_their_anchors() -> None:
    """But for a few that make room for a neighbour's."""
    found = placed()
    assert sum(label.at == MAP().anchors[name].label for name, label in found.items()) > 0.9 * len(found)


@pytest.mark.parametrize("province", ["SPA", "UKR", "NTH", "BUL", "MOS"])
def test_a_label_under_a_unit_moves_to_free_room_in_its_own_province(province: str) -> None:
    anchor = MAP().anchors[province].label
    found = placed(Obstacle(anchor, 30, 2.0))[province]
    assert found.at != anchor
    assert abs(found.at[0] - anchor[0]) + abs(found.at[1] - anchor[1]) > 30
    x, y = round(found.at[0]), round(found.at[1])
    number = MAP().provinces[province].number
    assert all(MAP().regions.getpixel((x + dx, y + dy)) == number for dx, dy in product((-20, 0, 20), (-6, 0, 6)))


SCENES = {
    "diplomacy": crowded,
    "young_kingdoms": young_kingdoms.magic,
    "kregen": kregen.results,
}


@pytest.mark.parametrize("name", SCENES)
def test_no_name_is_hidden_that_has_room_in_its_land(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the maps have them, several names of these crowded scenes are covered by a quarter or more.

    Placed, none loses more than a fifth of what is to be read, unless every spot of its land is as bad: in Diplomacy's
    scene Picardy is full with its own army and the head of Brest's arrow.
    """
    scene: Scene = SCENES[name]()
    base = load_basemap(scene.system, scene.variant)
    seen: list[Obstacle] = []

    def write(picture: Image.Image, basemap: object, camera: object, obstacles: list[Obstacle]) -> None:
        seen.extend(obstacles)

    monkeypatch.setattr("bot.render.raster.write_labels", write)
    draw_scene(scene)
    camera = whole(base)
    near = labels.Near(seen, camera)
    found = list(labels.placed(base, camera, seen))
    halves = [labels.half_size(base, camera, label.region) for label in found]
    at_anchors = [
        near.covered(base.anchors[label.region.id].label, half) for label, half in zip(found, halves, strict=True)
    ]
    assert sum(share > 0.25 for share in at_anchors) >= 2, "the scene is crowded"
    hidden = [label for label, half in zip(found, halves, strict=True) if near.share_hidden(label.at, half) > 0.2]
    for label in hidden:
        half = labels.half_size(base, camera, label.region)
        spots = labels.spots_of(base, label.region)
        assert all(near.share_hidden(spot, half) > 0.2 for spot in spots), "there is room"


@pytest.mark.parametrize("around", ["MUN", "BUD", "SWE", "TUN", "SPA"])
def test_the_edge_of_a_close_up_cuts_no_name(around: str) -> None:
    """Such as "BE", or "PIE" without its feet: such names stood at the edges of every close-up."""
    camera = as_posted(close_up(MAP(), [around]), MAP())
    found = placed_in(camera)
    seen = [camera.shows(camera.at(MAP().anchors[name].label), (0, 0)) for name in found]
    assert not all(seen), "one has moved into sight"
    for label in found.values():
        half = labels.half_size(MAP(), camera, label.region)
        assert camera.shows(label.at, half), "whole"
        if label.lines:
            assert camera.shows((label.at[0], label.at[1] + camera.length(24)), half)


def placed_in(camera: Camera) -> dict[str, labels.Label]:
    return {label.region.id: label for label in labels.placed(MAP(), camera, ())}
