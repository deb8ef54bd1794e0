"""A token stands in its own land or is tied to it by a line: in every province, however many stand there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import ImageChops

from bot.render import tokens
from bot.render.basemap import load_basemap
from bot.render.camera import close_up
from bot.render.places import _region_at, spots, tie
from bot.render.raster import draw_scene
from bot.render.signs import SIGNS
from engine.core.ids import PlaceId, PowerId, ProvinceId, SystemId
from engine.core.phrases import phrase
from engine.pictures.scene import Scene, UnitMark

MAPS = ("diplomacy", "young_kingdoms", "feudal", "kregen")
POWERS = {"diplomacy": "france", "young_kingdoms": "lormyr", "feudal": "lion", "kregen": "zair"}


def scene_at(system: str, place: str) -> Scene:
    """Three units at a place, two of them driven out of it or beside the first."""
    power = PowerId(POWERS[system])
    units = (
        UnitMark(power, "A", PlaceId(place)),
        UnitMark(power, "S" if system == "young_kingdoms" else "H", PlaceId(place)),
        UnitMark(power, "A", PlaceId(place), is_dislodged=True),
    )
    return Scene(SystemId(system), "standard", phrase("phase.over", year=1), units=units)


@pytest.mark.parametrize("system", MAPS)
def test_every_token_stands_in_its_own_land_or_is_tied_to_it(system: str) -> None:
    base = load_basemap(system, "standard")
    tied = 0
    for place in base.anchors:
        region = base.provinces[place.partition("/")[0]]
        if region.kind == "impassable":
            continue
        for spot in spots(scene_at(system, place), base, SIGNS).units.values():
            land = tie(base, place, spot)
            tied += land is not None
            assert _region_at(base, spot if land is None else land) == region.number, place
    assert tied or system == "feudal"


def test_the_line_shows_beside_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    base = load_basemap("kregen", "standard")
    unit = UnitMark(PowerId("zair"), "A", PlaceId("MUL"), is_dislodged=True)
    shown = replace(scene_at("kregen", "MUL"), units=(unit,), focus=(ProvinceId("MUL"),))
    with_line = draw_scene(shown).picture
    monkeypatch.setattr(tokens, "tie", lambda *_: None)
    without = draw_scene(shown).picture
    box = ImageChops.difference(with_line, without).getbbox()
    assert box is not None
    camera = close_up(base, ["MUL"])
    assert (box[2] - box[0]) * (box[3] - box[1]) < camera.length(base.style.sizes["unit"]) ** 2 * 4
