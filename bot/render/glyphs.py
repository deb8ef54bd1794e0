"""Small pictures that stand on the map (units, centres, badges) and hatchings: drawn large, made smaller, cached."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.render.shapes import KEEP, SHAPES, Fill, height
from bot.render.style import Colour, font, mixed, readable_on
from engine.core.identity import ByIdentity
from engine.lattice.tiling import Point

OVERSAMPLING = 4
LIGHT: Colour = (255, 252, 244)
DARK: Colour = (33, 25, 18)

GOLD: Colour = (240, 196, 60)
STONE: Colour = (196, 188, 172)

_LETTER_AT = {
    "disc": (0.0, 0.0),
    "ship": (0.0, 0.44),
    "horse": (0.12, 0.40),
    "hat": (0.02, 0.14),
    "starred_hat": (0.02, 0.16),
    "tent": (0.0, 0.36),
    "horns": (0.0, 0.20),
    "galley": (-0.02, 0.44),
    "helm": (0.0, 0.16),
}
_LETTER_SIZE = {
    "ship": 1.14,
    "horse": 1.1,
    "hat": 0.98,
    "starred_hat": 0.98,
    "tent": 1.0,
    "horns": 1.1,
    "galley": 1.14,
    "helm": 1.16,
}


def put(picture: Image.Image, glyph: Image.Image, at: Point) -> None:
    """Put a glyph onto a picture, its middle at a point."""
    picture.paste(glyph, (round(at[0] - glyph.width / 2), round(at[1] - glyph.height / 2)), glyph)


@lru_cache(maxsize=256)  # some 60 kB each
def unit_token(
    shape: str, colour: Colour, letter: str, radius_px: float, file: str, *, kind: str = "", is_dislodged: bool = False
) -> Image.Image:
    """A unit: its shape says the kind, colour and letter the power. A dislodged one is paler, with a broken outline.

    Args:
        kind: letter of the kind, shown in a corner, for kinds whose shape doesn't say it.
    """
    radius = radius_px * OVERSAMPLING
    half = math.ceil(radius * max(1.6, height(shape) + 0.32))
    body = faded(colour) if is_dislodged else colour
    polygons = [
        (
            [(half + x * radius, half + y * radius) for x, y in outline],
            {Fill.BODY: body, Fill.GOLD: GOLD}.get(fill, LIGHT),
        )
        for outline, fill in SHAPES[shape]
    ]
    silhouette = Image.new("L", (2 * half, 2 * half), 0)
    for points, _ in polygons:
        ImageDraw.Draw(silhouette).polygon(points, fill=255)
    token = Image.new("RGBA", silhouette.size, (*LIGHT, 0))
    _stamp(token, _spread(silhouette, radius * 0.21), LIGHT, 0.92)
    outline = _spread(silhouette, radius * 0.115)
    if is_dislodged:
        outline = ImageChops.lighter(ImageChops.multiply(outline, _spokes(outline.size)), silhouette)
    _stamp(token, outline, DARK, 1.0)
    draw = ImageDraw.Draw(token)
    for points, fill in polygons:
        draw.polygon(points, fill=(*fill, 255))
        if fill == LIGHT:
            continue
        draw.line([*points, points[0]], fill=(*mixed(DARK, body, 0.55), 255), width=round(radius * 0.05))
    at_x, at_y = _LETTER_AT.get(shape, (0.0, -0.02))
    draw.text(
        (half + at_x * radius, half + at_y * radius),
        letter,
        font=font(file, radius * _LETTER_SIZE.get(shape, 1.24)),
        fill=(*readable_on(body, DARK, LIGHT), 255),
        anchor="mm",
    )
    if kind:
        _corner(draw, (half + 0.72 * radius, half + 0.66 * radius), radius * 0.44, kind, file)
    return smaller(token)


def faded(colour: Colour) -> Colour:
    """The colour of a power's dislodged units."""
    return mixed(colour, LIGHT, 0.55)


def dimmed(token: Image.Image) -> Image.Image:
    """A unit set back behind others: what is below it shows through."""
    return _dimmed(ByIdentity(token))


_DIM = 0.5
"""The opacity of a dimmed unit."""


@lru_cache(maxsize=256)
def _dimmed(token: ByIdentity[Image.Image]) -> Image.Image:
    pale = token.value.copy()
    pale.putalpha(token.value.getchannel("A").point([round(value * _DIM) for value in range(256)]))
    return pale


def dimmed_on(plate: Image.Image, ground: Colour) -> Image.Image:
    """A plate set back behind others: as if what lies below it were of this colour, whatever it is."""
    return _dimmed_on(ByIdentity(plate), ground)


@lru_cache(maxsize=256)
def _dimmed_on(plate: ByIdentity[Image.Image], ground: Colour) -> Image.Image:
    pale = Image.blend(Image.new("RGB", plate.value.size, ground), plate.value.convert("RGB"), _DIM)
    pale.putalpha(plate.value.getchannel("A"))
    return pale


@lru_cache(maxsize=256)
def centre_mark(colour: Colour | None, letter: str, radius_px: float, file: str) -> Image.Image:
    """A supply centre: a star in a ring; an owned one is filled, with its owner's letter."""
    radius = radius_px * OVERSAMPLING
    half = math.ceil(radius * 1.4)
    mark, draw = blank_sign(half)
    _circle(draw, half, half, radius * 1.22, (*LIGHT, 225))
    _circle(draw, half, half, radius * 1.06, (*DARK, 255))
    _circle(draw, half, half, radius * 0.90, (*LIGHT, 255))
    if colour is None:
        points = [
            (
                half + length * radius * math.sin(turn * math.pi / 5),
                half - length * radius * math.cos(turn * math.pi / 5),
            )
            for turn in range(10)
            for length in (0.80 if turn % 2 == 0 else 0.33,)
        ]
        draw.polygon(points, fill=(*DARK, 255))
    else:
        _circle(draw, half, half, radius * 0.76, (*colour, 255))
        ink = readable_on(colour, DARK, LIGHT)
        draw.text((half, half), letter, font=font(file, radius * 1.24), fill=(*ink, 255), anchor="mm")
    return smaller(mark)


@lru_cache(maxsize=256)
def castle_mark(colour: Colour | None, letter: str, radius_px: float, file: str) -> Image.Image:
    """A keep with three merlons in its owner's colour, with the owner's letter; a gate where nobody owns it."""
    radius = radius_px * OVERSAMPLING
    half = math.ceil(radius * 1.5)
    points = [(half + x * radius, half + y * radius) for x, y in KEEP]
    mark = Image.new("RGBA", (2 * half, 2 * half), (*LIGHT, 0))
    silhouette = Image.new("L", mark.size, 0)
    ImageDraw.Draw(silhouette).polygon(points, fill=255)
    _stamp(mark, _spread(silhouette, radius * 0.24), LIGHT, 0.92)
    _stamp(mark, _spread(silhouette, radius * 0.13), DARK, 1.0)
    draw = ImageDraw.Draw(mark)
    body = colour or STONE
    draw.polygon(points, fill=(*body, 255))
    joint = (*mixed(readable_on(body, DARK, LIGHT), body, 0.55), 255)
    draw.line([(half - 0.8 * radius, half - 0.36 * radius), (half + 0.8 * radius, half - 0.36 * radius)], joint, 5)
    if colour is None:
        draw.pieslice(
            (half - 0.3 * radius, half + 0.2 * radius, half + 0.3 * radius, half + 1.8 * radius), 180, 360, DARK
        )
    else:
        ink = readable_on(body, DARK, LIGHT)
        draw.text((half, half + 0.30 * radius), letter, font=font(file, radius * 1.12), fill=(*ink, 255), anchor="mm")
    return smaller(mark)


@lru_cache(maxsize=32)
def home_mark(colour: Colour, radius_px: float) -> Image.Image:
    """A palisade around a centre that is somebody's home."""
    radius = radius_px * OVERSAMPLING
    half = math.ceil(radius * 2.1)
    mark, draw = blank_sign(half)
    for spread, fill in ((0.34, LIGHT), (0.20, DARK), (0.0, colour)):
        for turn in range(10):
            angle = math.radians(turn * 36)
            foot = (half + 1.38 * radius * math.sin(angle), half - 1.38 * radius * math.cos(angle))
            _circle(draw, *foot, radius * (0.22 + spread), (*fill, 255))
    return smaller(mark)


_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@lru_cache(maxsize=16)
def die_mark(pips: int, radius_px: float) -> Image.Image:
    """A die showing this many pips, one to six."""
    radius = radius_px * OVERSAMPLING
    half = math.ceil(radius * 1.2)
    mark, draw = blank_sign(half)
    box = (half - radius, half - radius, half + radius, half + radius)
    draw.rounded_rectangle(box, radius * 0.36, fill=(*LIGHT, 255), outline=(*DARK, 255), width=round(radius * 0.14))
    for x, y in _PIPS[pips]:
        _circle(draw, half + x * radius * 0.5, half + y * radius * 0.5, radius * 0.19, (*DARK, 255))
    return smaller(mark)


@lru_cache(maxsize=128)
def pennon(text: str, colour: Colour, radius_px: float, file: str) -> Image.Image:
    """A small forked flag with a letter and a number: the choices of a list, in their order, and whose it is."""
    radius = radius_px * OVERSAMPLING
    half = math.ceil(radius * 2.9)
    mark, draw = blank_sign(half)
    face = font(file, radius * 1.5)
    near, far = -1.0, max(1.5, face.getlength(text) / radius + 0.2)
    pole = (half + near * radius, half - 1.5 * radius, half + near * radius, half + 1.3 * radius)
    flag = [
        (half + x * radius, half + y * radius)
        for x, y in ((near, -1.4), (far, -1.4), (far - 0.5, -0.6), (far, 0.2), (near, 0.2), (near, -1.4))
    ]
    for width, fill in ((0.46, LIGHT), (0.24, DARK)):
        draw.line(pole, fill=(*fill, 255), width=round(radius * (width + 0.12)))
        draw.line(flag, fill=(*fill, 255), width=round(radius * width), joint="curve")
    draw.polygon(flag, fill=(*colour, 255))
    ink = readable_on(colour, DARK, LIGHT)
    middle = half + (near + far - 0.5) / 2 * radius
    draw.text((middle, half - 0.6 * radius), text, font=face, fill=ink, anchor="mm")
    return smaller(mark)


@lru_cache(maxsize=64)
def badge(sign: str, colour: Colour, radius_px: float) -> Image.Image:
    """A small disc with a sign: `cross` (failed, removed) or `plus` (built)."""
    radius = radius_px * OVERSAMPLING
    half = math.ceil(radius * 1.25)
    picture, draw = blank_sign(half)
    _circle(draw, half, half, radius * 1.12, (*DARK, 255))
    _circle(draw, half, half, radius * 0.96, (*LIGHT, 255))
    reach = radius * (0.50 if sign == "cross" else 0.62)
    ends = [((-1, -1), (1, 1)), ((-1, 1), (1, -1))] if sign == "cross" else [((-1, 0), (1, 0)), ((0, -1), (0, 1))]
    for (ax, ay), (bx, by) in ends:
        line = [(half + ax * reach, half + ay * reach), (half + bx * reach, half + by * reach)]
        draw.line(line, fill=(*colour, 255), width=round(radius * 0.36))
    return smaller(picture)


@lru_cache(maxsize=64)
def numeral(text: str, colour: Colour, radius_px: float, file: str) -> Image.Image:
    """A character on a small disc of a colour."""
    radius = radius_px * OVERSAMPLING
    half = math.ceil(radius * 1.4)
    picture, draw = blank_sign(half)
    for reach, fill in ((1.30, LIGHT), (1.12, DARK), (0.94, colour)):
        _circle(draw, half, half, radius * reach, (*fill, 255))
    ink = readable_on(colour, DARK, LIGHT)
    draw.text((half, half), text, font=font(file, radius * 1.62), fill=(*ink, 255), anchor="mm")
    return smaller(picture)


@lru_cache(maxsize=64)
def label_plate(text: str, size_px: float, file: str) -> Image.Image:
    """A word on a small plate, for marks that have no picture of their own."""
    face = font(file, size_px * OVERSAMPLING)
    left, top, right, bottom = face.getbbox(text or "•", anchor="mm")
    pad = size_px * OVERSAMPLING * 0.3
    width, height = math.ceil(right - left + 2 * pad), math.ceil(bottom - top + 2 * pad)
    plate = Image.new("RGBA", (width, height), (*LIGHT, 0))
    draw = ImageDraw.Draw(plate)
    draw.rounded_rectangle(
        (0, 0, width - 1, height - 1), pad, fill=(*LIGHT, 255), outline=(*DARK, 255), width=OVERSAMPLING * 2
    )
    draw.text(
        (width / 2 - (left + right) / 2, height / 2 - (top + bottom) / 2),
        text or "•",
        font=face,
        fill=DARK,
        anchor="mm",
    )
    return smaller(plate)


@lru_cache(maxsize=8)
def compass(radius_px: float, ink: Colour, paper: Colour, file: str) -> Image.Image:
    """A compass rose of sixteen points with an N above it."""
    radius = radius_px * OVERSAMPLING
    half = math.ceil(radius * 1.45)
    rose = Image.new("RGBA", (2 * half, 2 * half), (*ink, 0))
    draw = ImageDraw.Draw(rose)
    for share, width in ((0.74, 0.012), (0.70, 0.028), (0.40, 0.012)):
        reach = radius * share
        draw.ellipse(
            (half - reach, half - reach, half + reach, half + reach), outline=(*ink, 210), width=round(radius * width)
        )
    for tick in range(64):
        angle = tick * math.pi / 32
        inner = 0.63 if tick % 4 == 0 else 0.66
        ends = [
            (half + radius * reach * math.sin(angle), half - radius * reach * math.cos(angle))
            for reach in (inner, 0.70)
        ]
        draw.line(ends, fill=(*ink, 210), width=round(radius * 0.012))
    for offset, step, length, breadth in ((22.5, 45, 0.52, 0.10), (45.0, 90, 0.72, 0.15), (0.0, 90, 1.0, 0.17)):
        for turn in range(360 // step):
            _point(draw, half, math.radians(offset + turn * step), (radius * length, radius * breadth), ink, paper)
    draw.text((half, half - radius * 1.2), "N", font=font(file, radius * 0.36), fill=(*ink, 255), anchor="mm")
    return smaller(rose)


def _point(
    draw: ImageDraw.ImageDraw, half: float, angle: float, size: tuple[float, float], ink: Colour, paper: Colour
) -> None:
    """One point of a rose: a dark and a light half."""
    length, breadth = size
    tip = (half + length * math.sin(angle), half - length * math.cos(angle))
    for side, fill in ((-1, paper), (1, ink)):
        turn = angle + side * math.pi / 4
        foot = (half + breadth * math.sin(turn), half - breadth * math.cos(turn))
        draw.polygon([(half, half), foot, tip], fill=(*fill, 255), outline=(*ink, 255))


HatchPainter = Callable[[ImageDraw.ImageDraw, int], None]


def _rising(draw: ImageDraw.ImageDraw, side: int) -> None:
    for start in (-side, 0, side):
        draw.line([(start, side), (start + side, 0)], fill=255, width=side // 5)


def _falling(draw: ImageDraw.ImageDraw, side: int) -> None:
    for start in (-side, 0, side):
        draw.line([(start, 0), (start + side, side)], fill=255, width=side // 5)


def _level(draw: ImageDraw.ImageDraw, side: int) -> None:
    draw.line([(0, side // 2), (side, side // 2)], fill=255, width=side // 5)


def _upright(draw: ImageDraw.ImageDraw, side: int) -> None:
    draw.line([(side // 2, 0), (side // 2, side)], fill=255, width=side // 5)


def _dots(draw: ImageDraw.ImageDraw, side: int) -> None:
    radius = side * 0.15
    for x, y in ((side / 4, side / 4), (side * 3 / 4, side * 3 / 4)):
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)


def _crossed(draw: ImageDraw.ImageDraw, side: int) -> None:
    for start in (-side, 0, side):
        draw.line([(start, side), (start + side, 0)], fill=255, width=side // 9)
        draw.line([(start, 0), (start + side, side)], fill=255, width=side // 9)


def _waves(draw: ImageDraw.ImageDraw, side: int) -> None:
    points = [(x, side / 2 + side * 0.2 * math.sin(2 * math.pi * x / side)) for x in range(-2, side + 3)]
    draw.line(points, fill=255, width=side // 6)


def _bricks(draw: ImageDraw.ImageDraw, side: int) -> None:
    for y in (side // 4, side * 3 // 4):
        draw.line([(0, y), (side, y)], fill=255, width=side // 10)
    draw.line([(side // 2, side // 4), (side // 2, side * 3 // 4)], fill=255, width=side // 10)
    draw.line([(0, side * 3 // 4), (0, side), (0, 0), (0, side // 4)], fill=255, width=side // 10)


def _squares(draw: ImageDraw.ImageDraw, side: int) -> None:
    draw.rectangle((side * 0.3, side * 0.3, side * 0.7, side * 0.7), fill=255)


def _chevrons(draw: ImageDraw.ImageDraw, side: int) -> None:
    for top in (0, -side, side):
        draw.line(
            [(0, top + side * 0.7), (side / 2, top + side * 0.3), (side, top + side * 0.7)], fill=255, width=side // 7
        )


def _grid(draw: ImageDraw.ImageDraw, side: int) -> None:
    draw.line([(0, side // 2), (side, side // 2)], fill=255, width=side // 9)
    draw.line([(side // 2, 0), (side // 2, side)], fill=255, width=side // 9)


def _ermine(draw: ImageDraw.ImageDraw, side: int) -> None:
    """Ermine tails: three dots over a spot that ends in points."""
    x, y, unit = side * 0.5, side * 0.5, side * 0.11
    for dx, dy in ((0, -2.9), (-1.3, -1.7), (1.3, -1.7)):
        draw.ellipse((x + (dx - 0.7) * unit, y + (dy - 0.7) * unit, x + (dx + 0.7) * unit, y + (dy + 0.7) * unit), 255)
    tail = [(0.0, -1.2), (1.8, 2.8), (0.6, 2.2), (0.0, 3.4), (-0.6, 2.2), (-1.8, 2.8)]
    draw.polygon([(x + dx * unit, y + dy * unit) for dx, dy in tail], fill=255)


_HATCHES: dict[str, HatchPainter] = {
    "rising": _rising,
    "falling": _falling,
    "level": _level,
    "upright": _upright,
    "dots": _dots,
    "crossed": _crossed,
    "waves": _waves,
    "bricks": _bricks,
    "squares": _squares,
    "chevrons": _chevrons,
    "grid": _grid,
    "ermine": _ermine,
}
HATCH_TILE_PX = 16


def hatching(
    name: str, size: tuple[int, int], tile_px: int = HATCH_TILE_PX, *, start: tuple[int, int] = (0, 0)
) -> Image.Image:
    """A hatching as a mask, mode L, 255 where its lines are.

    Args:
        start: where the mask begins on a sheet hatched all over, so that masks side by side match.
    """
    tile, left, top = _hatch_tile(name, tile_px), start[0] % tile_px, start[1] % tile_px
    strip = Image.new("L", (size[0], tile_px))
    for x in range(-left, size[0], tile_px):
        strip.paste(tile, (x, 0))
    pattern = Image.new("L", size)
    for y in range(-top, size[1], tile_px):
        pattern.paste(strip, (0, y))
    return pattern


@lru_cache(maxsize=32)
def _hatch_tile(name: str, tile_px: int) -> Image.Image:
    """The tile that a hatching repeats; never change it."""
    large = Image.new("L", (tile_px * OVERSAMPLING, tile_px * OVERSAMPLING), 0)
    _HATCHES[name](ImageDraw.Draw(large), large.width)
    return large.reduce(OVERSAMPLING)


def _corner(draw: ImageDraw.ImageDraw, at: tuple[float, float], radius: float, letter: str, file: str) -> None:
    _circle(draw, *at, radius, (*DARK, 255))
    _circle(draw, *at, radius * 0.82, (*LIGHT, 255))
    draw.text(at, letter, font=font(file, radius * 1.5), fill=(*DARK, 255), anchor="mm")


def _circle(draw: ImageDraw.ImageDraw, x: float, y: float, radius: float, fill: tuple[int, int, int, int]) -> None:
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill)


def _spread(mask: Image.Image, by: float) -> Image.Image:
    """The mask grown by some pixels."""
    blurred = mask.reduce(2).filter(ImageFilter.GaussianBlur(by / 2)).resize(mask.size, Image.Resampling.BILINEAR)
    return blurred.point([255 if value > 24 else 0 for value in range(256)])


def _spokes(size: tuple[int, int], count: int = 11) -> Image.Image:
    """Wedges around the centre, for broken outlines."""
    wedges = Image.new("L", size, 0)
    draw = ImageDraw.Draw(wedges)
    step = 360 / count
    for turn in range(count):
        draw.pieslice((-size[0], -size[1], 2 * size[0], 2 * size[1]), turn * step, (turn + 0.58) * step, fill=255)
    return wedges


def _stamp(picture: Image.Image, mask: Image.Image, colour: Colour, strength: float) -> None:
    layer = Image.new("RGBA", picture.size, (*colour, 0))
    layer.putalpha(mask.point([round(value * strength) for value in range(256)]))
    picture.alpha_composite(layer)


def blank_sign(half_px: int) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """A transparent square for a sign, twice as wide as this, and what draws on it."""
    picture = Image.new("RGBA", (2 * half_px, 2 * half_px), (*LIGHT, 0))
    return picture, ImageDraw.Draw(picture)


def smaller(picture: Image.Image) -> Image.Image:
    """What was painted `OVERSAMPLING` times as large, reduced to its size."""
    return picture.convert("RGBa").reduce(OVERSAMPLING).convert("RGBA")
