"""Signs of places that are worth holding, distinguished by shape: square, round and lozenge-shaped cities, and an X."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFilter

from bot.render.glyphs import DARK, GOLD, LIGHT, OVERSAMPLING, STONE
from bot.render.shapes import Vertices, arc, curve
from bot.render.style import Colour, font, readable_on

_CROSS = 0.34
SITES: dict[str, Vertices] = {
    "square": ((-0.90, -0.90), (0.90, -0.90), (0.90, 0.90), (-0.90, 0.90)),
    "circle": arc((0.0, 0.0), (1.02, 1.02), 0, 360, 48),
    "diamond": ((0.0, -1.30), (1.30, 0.0), (0.0, 1.30), (-1.30, 0.0)),
    "x": tuple(
        (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn))
        for turn in (math.radians(45 + quarter * 90) for quarter in range(4))
        for x, y in ((_CROSS, -_CROSS), (1.18, -_CROSS), (1.18, _CROSS))
    ),
}
"""Outlines by the kind of mark, in radii."""
_FLAME: Vertices = [
    *curve((0.0, 1.0), (-1.0, 0.7), (-0.62, -0.16)),
    *curve((-0.62, -0.16), (-0.34, 0.22), (-0.24, 0.06)),
    *curve((-0.24, 0.06), (-0.42, -0.62), (0.16, -1.12)),
    *curve((0.16, -1.12), (0.10, -0.52), (0.52, -0.20)),
    *curve((0.52, -0.20), (1.00, 0.52), (0.0, 1.0)),
]
_FIRE: Colour = (214, 62, 24)


@dataclass(frozen=True, slots=True)
class Site:
    """What a sign shows besides its shape.

    Args:
        colour, letter: of the owner; nobody's are of stone.
        garrison: its strength, under battlements; empty: there is none.
        is_capital: in a ring of gold.
        is_plundered: in flames.
    """

    shape: str
    colour: Colour | None = None
    letter: str = ""
    garrison: str = ""
    is_capital: bool = False
    is_plundered: bool = False


@lru_cache(maxsize=256)
def site_mark(site: Site, radius_px: float, file: str) -> Image.Image:
    """The sign of a site; its middle is the middle of the shape."""
    radius = radius_px * OVERSAMPLING
    half = math.ceil(radius * 2.1)
    body = site.colour or (STONE if site.garrison else LIGHT)
    outlines = [_at(SITES[site.shape], half, radius)]
    if site.garrison:
        outlines += [_at(_merlon(left, site.shape), half, radius) for left in (-0.98, 0.42)]
    mark = Image.new("RGBA", (2 * half, 2 * half), (*LIGHT, 0))
    silhouette = Image.new("L", mark.size, 0)
    for outline in outlines:
        ImageDraw.Draw(silhouette).polygon(outline, fill=255)
    rims = [(0.30, LIGHT), (0.17, DARK)]
    if site.is_capital:
        rims = [(0.60, LIGHT), (0.48, DARK), (0.36, GOLD), (0.15, DARK)]
    for reach, colour in rims:
        mark.paste((*colour, 255), (0, 0), _grown(silhouette, radius * reach))
    draw = ImageDraw.Draw(mark)
    for outline in reversed(outlines):
        draw.polygon(outline, fill=(*body, 255))
    text = site.garrison or ("" if site.shape == "x" else site.letter)
    ink = readable_on(body, DARK, LIGHT)
    draw.text((half, half + radius * 0.02), text, font=font(file, radius * 1.36), fill=(*ink, 255), anchor="mm")
    if site.is_plundered:
        _burn(draw, (half + radius * 1.12, half - radius * 0.96), radius * 0.80)
    return mark.convert("RGBa").reduce(OVERSAMPLING).convert("RGBA")


def _merlon(left: float, shape: str) -> Vertices:
    top = -1.70 if shape == "diamond" else -1.46
    return ((left, top), (left + 0.56, top), (left + 0.56, -0.3), (left, -0.3))


def _burn(draw: ImageDraw.ImageDraw, at: tuple[float, float], size: float) -> None:
    for grow, colour in ((1.42, LIGHT), (1.22, DARK), (0.94, _FIRE), (0.44, GOLD)):
        lift = size * 0.34 * (0.94 - grow) if grow < 0.94 else 0.0
        points = [(at[0] + x * size * grow, at[1] + lift + y * size * grow) for x, y in _FLAME]
        draw.polygon(points, fill=(*colour, 255))


def _at(points: Vertices, half: float, radius: float) -> list[tuple[float, float]]:
    return [(half + x * radius, half + y * radius) for x, y in points]


def _grown(mask: Image.Image, by: float) -> Image.Image:
    size = 2 * round(by) + 1
    if size < 3:
        return mask
    return mask.filter(ImageFilter.GaussianBlur(by)).point([255 if value > 16 else 0 for value in range(256)])
