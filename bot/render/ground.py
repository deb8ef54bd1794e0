"""The ground of a picture of tiles: sea and shore, land in its owners' colours, borders, the grid and a compass."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from functools import lru_cache
from itertools import groupby
from math import ceil
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.render import glyphs
from bot.render.fog import PALE, fog_mask, lay
from bot.render.glyphs import put
from bot.render.lull import in_a_lull
from bot.render.ornaments import print_wavelets
from bot.render.style import Colour, PowerStyle, Style, mixed
from bot.render.tile_canvas import Pixel, TileCanvas, Viewport, polygons_of
from engine.lattice.tiling import Point, TileId
from engine.pictures.tiles import UNKNOWN, Tile

_SEA, _UNKNOWN = 255, 100
"""How tiles stand out from land, which is 0; a shore lies at 118: there is none where known land borders on what is not
known, and that of known water lies beyond the border, under the fog."""
_SOFT = 0.06
"""How soft the edge of fog is, in tiles."""
_SILTED = 0.3
"""How far land may reach into water next to it, as a share of a tile."""
_OWNED_SEA = 96
"""How much of its owner's tint water takes, out of 255."""
_LINE = 105
"""How strong the lines between tiles are, out of 255."""


def ground(canvas: TileCanvas) -> Image.Image:
    """The map without anything on it."""
    style = canvas.style
    is_in_fog = canvas.scene.is_in_fog
    shapes = bytes(_UNKNOWN if canvas.scene.is_unknown(at) else _SEA * canvas.is_water(at) for at in canvas.polygons)
    # In a turn the picture of the whole board is needed several times, with many players' close-ups in between.
    water = _sea_close_up if canvas.scene.focus else _sea_of_all
    sea, land, coast = water(canvas.sight, shapes, _UNKNOWN if is_in_fog else _SEA, style)
    picture = sea.copy()
    for at, tile in canvas.tiles():
        if tile.owner is not None and tile.is_water:
            _lay(picture, canvas, at, tile, strength=_OWNED_SEA)
    picture.paste(_land(canvas), (0, 0), land)
    draw = ImageDraw.Draw(picture)
    for at, tile in canvas.tiles():
        if tile.is_water:
            _borders(draw, canvas, at, tile)
    _compass(picture, canvas)
    _ink(picture, style.colours["coast"], coast)
    if is_in_fog:
        _lay_fog(picture, canvas)
        return picture
    outside = _outside(canvas.sight)
    if outside is not None:
        picture.paste(style.colours["halo"], (0, 0), outside)
    return picture


def _lay_fog(picture: Image.Image, canvas: TileCanvas) -> None:
    """What is only remembered fades, and everything unknown is blank."""
    soft, colour = canvas.side * _SOFT, canvas.style.colours["fog"]
    known = [(tile.is_remembered, canvas.sight.corners(at)) for at, tile in canvas.tiles() if tile.terrain != UNKNOWN]
    if any(is_remembered for is_remembered, _ in known):
        clear = (corners for is_remembered, corners in known if not is_remembered)
        lay(picture, fog_mask(picture.size, clear, soft), colour, strength=PALE)
    lay(picture, fog_mask(picture.size, (corners for _, corners in known), soft), colour)


def land_colour(power: PowerStyle, style: Style) -> Colour:
    """The tint of a power's land."""
    return mixed(power.colour, style.colours["paper"], style.tint["inside"])


def _sea_and_shore(
    sight: Viewport, shapes: bytes, beyond: int, style: Style
) -> tuple[Image.Image, Image.Image, Image.Image]:
    """The sea with its waves, the mask of the land, and the mask of the coast; the same for every turn of a game.

    Args:
        shapes: those of each tile in sight; `beyond`: what is off the board.
    """
    full, side, tiles = sight.size, sight.side, tuple(polygons_of(sight))
    small = max(full[0] // 4, 1), max(full[1] // 4, 1)
    shape = Image.new("L", small, beyond)
    draw = ImageDraw.Draw(shape)
    for at, value in zip(tiles, shapes, strict=True):
        if value != beyond:
            draw.polygon(sight.polygon(at, side=side * small[0] / full[0]), fill=value)
    # The corners are rounded and the shore is frayed, always in the same way, so that land looks natural.
    smooth = shape.filter(ImageFilter.GaussianBlur(side * 0.05))
    smooth = ImageChops.add(smooth, _fraying(sight, small), scale=1.0, offset=-64)
    smooth = smooth.resize(full, Image.Resampling.BICUBIC)
    land = smooth.point([min(255, max(0, (118 - value) * 12 + 128)) for value in range(256)])
    coast = smooth.point([max(0, 255 - abs(value - 118) * 10) for value in range(256)])
    depth = land.reduce(4).filter(ImageFilter.GaussianBlur(side * 0.11)).resize(full, Image.Resampling.BILINEAR)
    picture = _shaded(depth, style.colours["sea"], style.colours["sea_shore"])
    ink = mixed(style.colours["sea_ink"], style.colours["sea"], 0.5)
    print_wavelets(picture, ink, ImageChops.invert(land), max(side * 0.62, 26))
    _lines(picture, sight, set(tiles), style)
    return picture, land, coast


_sea_of_all = lru_cache(maxsize=1)(_sea_and_shore)
_sea_close_up = lru_cache(maxsize=2)(_sea_and_shore)
in_a_lull(_sea_of_all.cache_clear)
in_a_lull(_sea_close_up.cache_clear)


def _shaded(mask: Image.Image, low: Colour, high: Colour) -> Image.Image:
    """A picture that changes from one colour to the other as the mask goes from 0 to 255."""
    shades = [mixed(high, low, value / 255) for value in range(256)]
    picture = mask.copy()
    picture.putpalette([channel for shade in shades for channel in shade])
    return picture.convert("RGB")


def _ink(picture: Image.Image, colour: Colour, mask: Image.Image) -> None:
    """Lay the colour where the mask is, twice as fast as by pasting a plain colour."""
    picture.paste(Image.new("RGB", picture.size, colour), (0, 0), mask)


def _fraying(sight: Viewport, small: Pixel) -> Image.Image:
    left, top, right, bottom = sight.box
    grain = ceil((right - left) * 4), ceil((bottom - top) * 4)
    noise = Image.frombytes("L", grain, Random(2002).randbytes(grain[0] * grain[1]))  # looks alone depend on it
    return noise.point([28 + value * 72 // 256 for value in range(256)]).resize(small, Image.Resampling.BICUBIC)


# --- The land -----------------------------------------------------------------------------------------------


def _land(canvas: TileCanvas) -> Image.Image:
    """All land, in tiles; the shore's mask decides what of it is seen."""
    picture = Image.new("RGB", canvas.size, canvas.style.colours["paper"])
    tiles = [(at, tile) for at, tile in canvas.tiles() if not tile.is_water]
    for at, tile in tiles:
        if any(map(canvas.is_water, canvas.sight.board.around(at))):
            _lay(picture, canvas, at, tile, beyond=_SILTED)
    for at, tile in tiles:
        _lay(picture, canvas, at, tile)
    draw = ImageDraw.Draw(picture)
    for at, tile in tiles:
        _borders(draw, canvas, at, tile)
    _lines(picture, canvas.sight, {at for at, _ in tiles}, canvas.style)
    return picture


def _lay(
    picture: Image.Image, canvas: TileCanvas, at: TileId, tile: Tile, *, beyond: float = 0.0, strength: int = 255
) -> None:
    """A tile's ground; hatchings continue from tile to tile.

    Args:
        beyond: this many tiles more on every side.
        strength: out of 255.
    """
    style = canvas.style
    if tile.owner is None:
        polygon = canvas.sight.polygon(at, beyond=beyond, is_shared=True)
        ImageDraw.Draw(picture).polygon(polygon, fill=style.soils.get(tile.terrain, style.colours["paper"]))
        return
    (left, top), (width, height), mask = _stamps(canvas.sight, beyond, strength)[at]
    step = glyphs.HATCH_TILE_PX
    soil = _soil(canvas.powers[tile.owner], max(width, height) + step, style)
    x, y = left % step, top % step
    picture.paste(soil.crop((x, y, x + width, y + height)), (left, top), mask)


class _Stamps(dict[TileId, tuple[Pixel, Pixel, Image.Image | None]]):
    """For each tile, its corner, size and mask; a mask that would hide nothing is left out."""

    def __init__(self, sight: Viewport, beyond: float, strength: int) -> None:
        super().__init__()
        self._sight, self._beyond, self._strength = sight, beyond, strength

    def __missing__(self, at: TileId) -> tuple[Pixel, Pixel, Image.Image | None]:
        polygon = self._sight.polygon(at, beyond=self._beyond, is_shared=self._strength == 255)
        left, top = min(x for x, _ in polygon), min(y for _, y in polygon)
        self[at] = (left, top), *_mask(tuple((x - left, y - top) for x, y in polygon), self._strength)
        return self[at]


_stamps = lru_cache(maxsize=8)(_Stamps)


@lru_cache(maxsize=64)
def _mask(polygon: tuple[Pixel, ...], strength: int) -> tuple[Pixel, Image.Image | None]:
    size = max(x for x, _ in polygon) + 1, max(y for _, y in polygon) + 1
    mask = Image.new("L", size)
    ImageDraw.Draw(mask).polygon(polygon, fill=strength)
    return size, mask if mask.getextrema() != (255, 255) else None


@lru_cache(maxsize=256)
def _soil(power: PowerStyle, side: int, style: Style) -> Image.Image:
    """A square of a power's land."""
    soil = Image.new("RGB", (side, side), land_colour(power, style))
    pattern = glyphs.hatching(power.hatch, (side, side)).point([round(value * 0.55) for value in range(256)])
    soil.paste(mixed(power.colour, style.colours["paper"], 0.62), (0, 0), pattern)
    return soil


def _borders(draw: ImageDraw.ImageDraw, canvas: TileCanvas, at: TileId, tile: Tile) -> None:
    """A band in the owner's colour, with a dark rim, where a tile borders on another's; coasts need none."""
    if tile.owner is None:
        return
    band, rim = max(2, round(canvas.side * 0.085)), max(1, round(canvas.side * 0.03))
    colour = canvas.powers[tile.owner].colour
    for side, there in enumerate(canvas.sight.board.neighbours(at)):
        other = canvas.scene.tiles.get(there)
        owner = other.owner if other is not None else None
        if owner == tile.owner or (owner is None and canvas.is_water(there) != tile.is_water):
            continue
        for width, fill in ((band, colour), (rim, mixed(glyphs.DARK, colour, 0.7))):
            draw.polygon(_along(canvas.polygons[at], side, width), fill=fill)


def _along(polygon: Sequence[Pixel], side: int, width: int) -> list[Pixel]:
    """The strip of a tile along one of its sides, up to the two next to it."""
    count = len(polygon)
    before, start, end, after = (polygon[(side + number) % count] for number in (-1, 0, 1, 2))
    # Along the adjacent sides, which are perpendicular to it only in a square.
    far = (width - 1) / math.sin(2 * math.pi / count)
    return [start, end, _towards(end, after, far), _towards(start, before, far)]


def _towards(start: Pixel, end: Pixel, far: float) -> Pixel:
    share = far / math.dist(start, end)
    return round(start[0] + (end[0] - start[0]) * share), round(start[1] + (end[1] - start[1]) * share)


def _lines(picture: Image.Image, sight: Viewport, tiles: Container[TileId], style: Style) -> None:
    """The lines around tiles, each once."""
    draw, ink = ImageDraw.Draw(picture, "RGBA"), (*style.colours["faint_ink"], _LINE)
    for line, beside in _sides(sight):
        if any(at in tiles for at in beside):
            draw.line(line, fill=ink)


@lru_cache(maxsize=4)
def _sides(sight: Viewport) -> tuple[tuple[tuple[Pixel, ...], tuple[TileId, ...]], ...]:
    """All sides between tiles, each once: the lines, and the tiles between which they are."""
    found: list[tuple[tuple[Pixel, ...], tuple[TileId, ...]]] = []
    for at in polygons_of(sight):
        corners = [(int(x), int(y)) for x, y in sight.corners(at)]
        around = sight.board.neighbours(at)
        ours = [number for number, there in enumerate(around) if at < there and there in sight.board]
        for _, run in groupby(enumerate(ours), key=lambda item: item[1] - item[0]):
            sides = [side for _, side in run]
            line = [corners[side % len(corners)] for side in (*sides, sides[-1] + 1)]
            found.append((tuple(line), (at, *(around[side] for side in sides))))
    return tuple(found)


@lru_cache(maxsize=4)
def _outside(sight: Viewport) -> Image.Image | None:
    """The mask of what is off the board, if anything is."""
    mask = Image.new("L", sight.size, 255)
    draw = ImageDraw.Draw(mask)
    for at in polygons_of(sight):
        draw.polygon(sight.polygon(at, is_shared=True), fill=0)
    return mask if mask.getbbox() else None


in_a_lull(_outside.cache_clear)


# --- The compass --------------------------------------------------------------------------------------------

_COMPASS_TILES = range(4, 8)
_COARSE_PX = 4
"""The size of a tile on the picture that is used to find a place for the compass."""


def _compass(picture: Image.Image, canvas: TileCanvas) -> None:
    """A compass rose on the widest empty water, if any is wide enough."""
    found = _widest_water(canvas)
    if found is None:
        return
    (x, y), reach = found
    colours = canvas.style.colours
    radius = round(min(reach, _COMPASS_TILES[-1]) * canvas.side * 0.34)
    rose = glyphs.compass(radius, colours["sea_ink"], colours["halo"], canvas.style.fonts["title"])
    put(picture, rose, (x, y))


def _widest_water(canvas: TileCanvas) -> tuple[Point, int] | None:
    """The middle, in pixels, and the width, in tiles, of the largest square that is all empty water.

    If there are several, the first from the north-west.
    """
    left, top, right, bottom = canvas.sight.box
    size = ceil((right - left) * _COARSE_PX) + 2, ceil((bottom - top) * _COARSE_PX) + 2
    empty = Image.new("L", size)
    draw = ImageDraw.Draw(empty)
    taken = {at for march in canvas.scene.marches for at in march.way}
    for at in canvas.polygons:
        tile = canvas.scene.tiles.get(at)
        is_empty = not canvas.scene.is_in_fog if tile is None else _is_empty_water(tile)
        if at not in taken and is_empty:
            draw.polygon([(x + 1, y + 1) for x, y in canvas.sight.polygon(at, side=_COARSE_PX)], fill=255)
    fits = dict[int, Pixel]()
    least, most = _COMPASS_TILES[0], int(min(right - left, bottom - top))
    while least <= most:
        reach = (least + most + 1) // 2 if fits else least
        corner = _first_square(empty, reach * _COARSE_PX)
        if corner is None:
            most = reach - 1
        else:
            fits[reach] = corner
            least = reach + 1
    if not fits:
        return None
    reach = max(fits)
    x, y = ((place - 1) / _COARSE_PX + reach / 2 for place in fits[reach])
    return (x * canvas.side, y * canvas.side), reach


def _first_square(mask: Image.Image, side: int) -> Pixel | None:
    """The upper left corner of the first white square of this many pixels, row by row; `None`: there is none."""
    for across, down in ((1, 0), (0, 1)):
        reach = 1
        while reach < side:
            step = min(reach, side - reach)
            mask = ImageChops.darker(mask, ImageChops.offset(mask, -across * step, -down * step))
            reach += step
    box = mask.getbbox()
    if box is None:
        return None
    row = mask.crop((0, box[1], mask.width, box[1] + 1)).getbbox()
    assert row is not None
    return row[0], box[1]


def _is_empty_water(tile: Tile) -> bool:
    return tile.is_water and not (tile.troops or tile.signs or tile.owner or tile.name)
