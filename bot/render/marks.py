"""The marks of a map of provinces: centres, castles, cities, and signs next to units."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from bot.render import glyphs
from bot.render.basemap import Anchor
from bot.render.glyphs import put
from bot.render.map_canvas import MapCanvas
from bot.render.places import Spots
from bot.render.signs import OVER_UNITS, SIGNS
from bot.render.sites import SITES, Site, site_mark
from engine.core.ids import province_of
from engine.lattice.tiling import Point
from engine.pictures.scene import Mark, Scene


def draw_marks(picture: Image.Image, scene: Scene, canvas: MapCanvas) -> None:
    """The marks that stand at the anchors of their places."""
    castles = {mark.place for mark in scene.marks if mark.kind == "castle"}
    _draw_sites(picture, scene, canvas)
    for mark in scene.marks:
        if mark.kind == "centre" and mark.place in castles:
            continue  # the castle is its sign
        if mark.kind in SIGNS or mark.kind in SITES or mark.kind in _OF_SITES:
            continue
        if mark.place in canvas.basemap.anchors or province_of(mark.place) in canvas.basemap.anchors:
            _draw_mark(picture, mark, canvas)


_OF_SITES = frozenset({"capital", "garrison", "plundered"})
"""Marks that are part of the sign of a site."""


def _draw_sites(picture: Image.Image, scene: Scene, canvas: MapCanvas) -> None:
    strong = canvas.basemap.style.fonts["strong"]
    about = {(mark.kind, mark.place): mark for mark in scene.marks if mark.kind in _OF_SITES}
    for mark in scene.marks:
        if mark.kind not in SITES or province_of(mark.place) not in canvas.basemap.anchors:
            continue
        power = canvas.powers[mark.power] if mark.power else None
        garrison = about.get(("garrison", mark.place))
        site = Site(
            mark.kind,
            power.colour if power else None,
            power.letter if power else "",
            garrison=garrison.label if garrison else "",
            is_capital=("capital", mark.place) in about,
            is_plundered=("plundered", mark.place) in about,
        )
        anchor = canvas.anchor(mark.place)
        put(picture, site_mark(site, canvas.size("centre"), strong), canvas.camera.at(anchor.centre or anchor.unit))


def _draw_mark(picture: Image.Image, mark: Mark, canvas: MapCanvas) -> None:
    strong = canvas.basemap.style.fonts["strong"]
    anchor = canvas.anchor(mark.place)
    power = canvas.powers[mark.power] if mark.power else None
    if mark.kind == "centre":
        colour, letter = (power.colour, power.letter) if power else (None, "")
        glyph = glyphs.centre_mark(colour, letter, canvas.size("centre"), strong)
        put(picture, glyph, canvas.camera.at(anchor.centre or anchor.unit))
        return
    if mark.kind in _MARKS:
        glyph, at = _MARKS[mark.kind](mark, anchor, canvas)
        put(picture, glyph, canvas.camera.at(at))
        return
    text = mark.label or mark.kind[:1].upper()
    put(
        picture,
        glyphs.label_plate(text, canvas.size("label") * 0.75, strong),
        canvas.camera.at(_beside(anchor, canvas)),
    )


def _castle(mark: Mark, anchor: Anchor, canvas: MapCanvas) -> tuple[Image.Image, Point]:
    power = canvas.powers[mark.power] if mark.power else None
    colour, letter = (power.colour, power.letter) if power else (None, "")
    strong = canvas.basemap.style.fonts["strong"]
    return glyphs.castle_mark(colour, letter, canvas.size("castle"), strong), anchor.centre or anchor.unit


def _home(mark: Mark, anchor: Anchor, canvas: MapCanvas) -> tuple[Image.Image, Point]:
    colour = canvas.powers[mark.power].colour if mark.power else glyphs.STONE
    return glyphs.home_mark(colour, canvas.size("centre")), anchor.centre or anchor.unit


def _die(mark: Mark, anchor: Anchor, canvas: MapCanvas) -> tuple[Image.Image, Point]:
    return glyphs.die_mark(int(mark.label), canvas.size("die")), die_spot(anchor, canvas)


def die_spot(anchor: Anchor, canvas: MapCanvas) -> Point:
    """Where on the map a die stands: to the left of its space's name, wherever a close-up moves the name."""
    return anchor.label[0] - canvas.basemap.style.sizes["label"] * 1.5, anchor.label[1]


def _choice(mark: Mark, anchor: Anchor, canvas: MapCanvas) -> tuple[Image.Image, Point]:
    power = canvas.powers[mark.power] if mark.power else None
    colour, letter = (power.colour, power.letter) if power is not None else (glyphs.STONE, "")
    strong = canvas.basemap.style.fonts["strong"]
    return glyphs.pennon(f"{letter}{mark.label}", colour, canvas.size("centre") * 1.65, strong), anchor.unit


_MARKS: dict[str, Callable[[Mark, Anchor, MapCanvas], tuple[Image.Image, Point]]] = {
    "castle": _castle,
    "home": _home,
    "die": _die,
    "choice": _choice,
}
"""Marks with a picture of their own: the glyph, and where on the map it stands."""


def _beside(anchor: Anchor, canvas: MapCanvas) -> Point:
    """Where marks without an anchor of their own stand: at the upper right of the unit."""
    away = canvas.basemap.style.sizes["unit"] * 1.1
    return anchor.unit[0] + away, anchor.unit[1] - away


def draw_signs(picture: Image.Image, canvas: MapCanvas, found: Spots, *, over_units: bool) -> None:
    """The signs drawn over the units, or those under them."""
    strong = canvas.basemap.style.fonts["strong"]
    for mark, at in found.marks.items():
        if (mark.kind in OVER_UNITS) == over_units:
            colour = canvas.powers[mark.power].colour if mark.power else None
            put(picture, SIGNS[mark.kind](colour, mark.label, canvas.size("unit"), strong), canvas.camera.at(at))
