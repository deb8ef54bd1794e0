"""The ground of a picture of great fields: the land, its owners, faded parts, and the fog."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.render import glyphs
from bot.render.field_sight import relief_of
from bot.render.fog import PALE, fog_mask, lay
from bot.render.land import land, polygons
from bot.render.style import PowerStyle, mixed
from bot.render.tile_canvas import TileCanvas
from engine.lattice.great_fields import CELL, CELLS
from engine.lattice.tiling import Point


def ground_of(canvas: TileCanvas) -> tuple[Image.Image, Image.Image]:
    """The land with everything flat on it, and the mask of the fog."""
    relief, style = relief_of(canvas), canvas.style
    if not relief.plots:
        return Image.new("RGB", canvas.size, style.colours["fog"]), Image.new("L", canvas.size, 255)
    picture = land(relief).copy()
    for power, areas in _areas(canvas).items():
        _tint(picture, canvas, canvas.powers[power], areas)
    soft = canvas.side * (0.034 if canvas.scene.opened is None else CELL * 0.12)
    clear = {at: tile.cells.grounds for at, tile in canvas.tiles() if tile.cells and not tile.is_remembered}
    pale = {at: tile.cells.grounds for at, tile in canvas.tiles() if tile.cells and tile.is_remembered}
    if pale:
        faded = fog_mask(canvas.size, polygons(relief, clear), soft)
        lay(picture, faded, style.colours["fog"], strength=PALE)
    fog = fog_mask(canvas.size, polygons(relief, clear | pale), soft)
    lay(picture, fog, style.colours["fog"])
    return picture, fog


def _areas(canvas: TileCanvas) -> dict[str, list[list[Point]]]:
    """The land of each power, as polygons: whole fields, or the cells of their parts."""
    relief = relief_of(canvas)
    found: dict[str, list[list[Point]]] = {}
    for at, tile in canvas.tiles():
        if tile.cells is None:
            continue
        for part in tile.cells.parts:
            if part.owner is None:
                continue
            if relief.is_coarse or (not part.label and canvas.scene.opened is None):
                areas = [canvas.sight.corners(at)]
            elif not part.label:
                areas = list(polygons(relief, {at: "." * CELLS}))
            else:
                areas = [relief.corners(at, cell) for cell in sorted(part.cells)]
            found.setdefault(part.owner, []).extend(areas)
    return found


_TINT, _HATCH, _BAND = 0.13, 0.24, 0.085
_FAINT = 0.55
"""How strong both are on an opened field, compared with that."""


def _tint(picture: Image.Image, canvas: TileCanvas, power: PowerStyle, areas: Sequence[Sequence[Point]]) -> None:
    """A power's land: a tint of its colour, and along its border a band of it, hatched in its pattern."""
    xs, ys = [x for area in areas for x, _ in area], [y for area in areas for _, y in area]
    band = max(canvas.side * _BAND, 3.0) if canvas.scene.opened is None else canvas.side * CELL * 0.20
    margin = math.ceil(band) + 2
    left, top = max(math.floor(min(xs)) - margin, 0), max(math.floor(min(ys)) - margin, 0)
    right = min(math.ceil(max(xs)) + margin, picture.width)
    bottom = min(math.ceil(max(ys)) + margin, picture.height)
    if right <= left or bottom <= top:
        return
    size = right - left, bottom - top
    # Drawn with room around, so that the edge of the picture is not drawn as a border.
    small = Image.new("L", (size[0] // 2 + 1, size[1] // 2 + 1))
    draw = ImageDraw.Draw(small)
    for area in areas:
        draw.polygon([((x - left) / 2, (y - top) / 2) for x, y in area], fill=255)
    inner = small.filter(ImageFilter.GaussianBlur(band / 3))
    edge = ImageChops.multiply(inner.point([255 if value < 226 else 0 for value in range(256)]), small)
    area_mask, edge_mask = (each.resize(size, Image.Resampling.BILINEAR) for each in (small, edge))
    pattern = glyphs.hatching(power.hatch, size)
    share = 1.0 if canvas.scene.opened is None else _FAINT
    faint = area_mask.point([round(value * _TINT * share) for value in range(256)])
    hatched = ImageChops.multiply(area_mask, pattern).point([round(value * _HATCH * share) for value in range(256)])
    strong = edge_mask.point([round(value * 0.86) for value in range(256)])
    colour = Image.new("RGB", size, power.colour)
    dark = Image.new("RGB", size, mixed(glyphs.DARK, power.colour, 0.55))
    picture.paste(colour, (left, top), ImageChops.lighter(ImageChops.lighter(faint, hatched), strong))
    in_band = ImageChops.multiply(edge_mask, pattern).point([round(value * 0.6) for value in range(256)])
    picture.paste(dark, (left, top), in_band)
