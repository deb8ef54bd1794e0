"""The units of a map of provinces as tokens, and lines from tokens without room in their own land to that land."""

from __future__ import annotations

import math

from PIL import Image

from bot.render import arrows, glyphs
from bot.render.glyphs import put
from bot.render.map_canvas import MapCanvas
from bot.render.places import STACK_STEP, Spots, tie
from engine.core.ids import PlaceId, province_of
from engine.lattice.tiling import Point
from engine.pictures.scene import Scene


def draw_units(picture: Image.Image, scene: Scene, canvas: MapCanvas, found: Spots) -> None:
    """The units, dislodged ones above others; if one power's are lit, the others' are dimmed."""
    for unit in sorted(scene.units, key=lambda unit: unit.is_dislodged):
        if unit in found.units:
            drawn = token(canvas, unit.power, unit.kind, is_dislodged=unit.is_dislodged, corner=unit.label)
            is_lit = scene.lit in (None, unit.power)
            put_stack(picture, canvas, drawn if is_lit else glyphs.dimmed(drawn), found.units[unit], unit.count)


def token(canvas: MapCanvas, power: str, kind: str, *, is_dislodged: bool = False, corner: str = "") -> Image.Image:
    """A unit of a power as it is drawn. `corner`: what its corner says instead of its kind."""
    style, look = canvas.basemap.style, canvas.powers[power]
    shape = look.shape or style.kinds.get(kind, "disc")
    return glyphs.unit_token(
        shape,
        look.colour,
        look.letter,
        canvas.size("unit") * style.scales.get(kind, 1.0),
        style.fonts["strong"],
        kind=corner or ("" if look.shape or (kind in style.kinds and shape != "disc") else kind),
        is_dislodged=is_dislodged,
    )


def put_stack(picture: Image.Image, canvas: MapCanvas, drawn: Image.Image, spot: Point, count: int) -> None:
    """Several tokens of one kind, the first in front."""
    at, step = canvas.camera.at(spot), canvas.size("unit") * STACK_STEP
    for number in reversed(range(count)):
        put(picture, drawn, (at[0] + number * step, at[1] - number * step))


def draw_ties(picture: Image.Image, canvas: MapCanvas, found: Spots) -> None:
    """Lines from tokens without room in their own land to that land."""
    for unit, spot in found.units.items():
        _draw_tie(picture, canvas, unit.power, unit.place, spot)
    for build, spot in found.builds.items():
        _draw_tie(picture, canvas, build.power, build.start, spot)


def _draw_tie(picture: Image.Image, canvas: MapCanvas, power: str, place: str, spot: Point) -> None:
    is_known = province_of(PlaceId(place)) in canvas.basemap.anchors
    land = tie(canvas.basemap, place, spot) if is_known else None
    if land is None:
        return
    at, end, radius = canvas.camera.at(spot), canvas.camera.at(land), canvas.size("unit")
    far = math.dist(at, end) or 1.0
    # It has to show beyond the token, which may hide the nearest of its land.
    out = max(far, radius * 1.3)
    end = at[0] + (end[0] - at[0]) * out / far, at[1] + (end[1] - at[1]) * out / far
    width, pen = canvas.size("arrow") * 0.55, arrows.Pen(picture)
    layers = [(width * 1.9, glyphs.LIGHT), (width * 1.4, glyphs.DARK), (width * 0.7, canvas.powers[power].colour)]
    pen.lines([arrows.path([at, end])], layers)
    knob = [arrows.path([end, (end[0] + 0.1, end[1])])]
    pen.lines(knob, [(layer * 2.0, ink) for layer, ink in layers])
