"""The ground of a picture of squares: sea and shore, land by its owner, borders, the grid and a compass."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.render import glyphs
from bot.render.grid_canvas import GridCanvas, put
from bot.render.ornaments import wavelets
from bot.render.style import Colour, PowerStyle, Style, mixed
from engine.pictures.grid_scene import Cell, Square

_NEIGHBOURS: tuple[tuple[int, int], ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
_AROUND = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if (x, y) != (0, 0))
_SILTED = 0.3
"""How far land may reach into water beside it, as a share of a square."""
_OWNED_SEA = 96
"""How much of its owner's tint water takes, of 255."""


def ground(canvas: GridCanvas) -> Image.Image:
    """The map without anything that stands on it."""
    style = canvas.style
    water = bytes(255 if canvas.is_water(cell) else 0 for cell in canvas.cells())
    sea, land, coast = _sea_and_shore(water, (canvas.columns, canvas.rows), canvas.side, style)
    picture = sea.copy()
    for cell, square in canvas.squares():
        if square.owner is not None and square.is_water:
            tile = _soil(canvas, cell, square, 0)
            picture.paste(tile, canvas.corner(cell), Image.new("L", tile.size, _OWNED_SEA))
    picture.paste(_land(canvas), (0, 0), land)
    draw = ImageDraw.Draw(picture)
    for cell, square in canvas.squares():
        if square.is_water:
            _borders(draw, canvas, cell, square)
    _compass(picture, canvas)
    _grid(picture, canvas)
    _ink(picture, style.colours["coast"], coast)
    return picture


def land_colour(power: PowerStyle, style: Style) -> Colour:
    """What a power's land is tinted with."""
    return mixed(power.colour, style.colours["paper"], style.tint["inside"])


@lru_cache(maxsize=2)
def _sea_and_shore(
    water: bytes, size: tuple[int, int], side: int, style: Style
) -> tuple[Image.Image, Image.Image, Image.Image]:
    """The sea with its waves, the mask of the land, and the mask of the coast; the same for every turn of a game."""
    full = size[0] * side, size[1] * side
    small = max(full[0] // 4, 1), max(full[1] // 4, 1)
    cells = Image.frombytes("L", size, water)
    # The corners are rounded and the shore is frayed, always alike, so that land looks grown and not built.
    smooth = cells.resize(small, Image.Resampling.NEAREST).filter(ImageFilter.GaussianBlur(side * 0.05))
    smooth = ImageChops.add(smooth, _fraying(size, small), scale=1.0, offset=-64).resize(full, Image.Resampling.BICUBIC)
    land = smooth.point([min(255, max(0, (118 - value) * 12 + 128)) for value in range(256)])
    coast = smooth.point([max(0, 255 - abs(value - 118) * 10) for value in range(256)])
    depth = land.reduce(4).filter(ImageFilter.GaussianBlur(side * 0.11)).resize(full, Image.Resampling.BILINEAR)
    picture = _shaded(depth, style.colours["sea"], style.colours["sea_shore"])
    waves = wavelets(ImageChops.invert(land), max(side * 0.62, 26))
    _ink(picture, mixed(style.colours["sea_ink"], style.colours["sea"], 0.5), waves)
    return picture, land, coast


def _shaded(mask: Image.Image, low: Colour, high: Colour) -> Image.Image:
    """A picture that goes from the one colour to the other as the mask does from 0 to 255."""
    shades = [mixed(high, low, value / 255) for value in range(256)]
    return Image.merge("RGB", [mask.point([shade[channel] for shade in shades]) for channel in range(3)])


def _ink(picture: Image.Image, colour: Colour, mask: Image.Image) -> None:
    """The colour where the mask is; half as long as it takes to paste a mere colour."""
    picture.paste(Image.new("RGB", picture.size, colour), (0, 0), mask)


def _fraying(size: tuple[int, int], small: tuple[int, int]) -> Image.Image:
    grain = size[0] * 4, size[1] * 4
    noise = Image.frombytes("L", grain, Random(2002).randbytes(grain[0] * grain[1]))  # looks alone depend on it
    return noise.point([28 + value * 72 // 256 for value in range(256)]).resize(small, Image.Resampling.BICUBIC)


# --- The land -----------------------------------------------------------------------------------------------


def _land(canvas: GridCanvas) -> Image.Image:
    """All land, in squares; what the shore leaves of it is seen."""
    picture = Image.new("RGB", canvas.size, canvas.style.colours["paper"])
    squares = [(cell, square) for cell, square in canvas.squares() if not square.is_water]
    silted = round(canvas.side * _SILTED)
    for cell, square in squares:
        if any(canvas.is_water((cell[0] + x, cell[1] + y)) for x, y in _AROUND):
            left, top = canvas.corner(cell)
            picture.paste(_soil(canvas, cell, square, silted), (left - silted, top - silted))
    for cell, square in squares:
        picture.paste(_soil(canvas, cell, square, 0), canvas.corner(cell))
    draw = ImageDraw.Draw(picture)
    for cell, square in squares:
        _borders(draw, canvas, cell, square)
    return picture


def _soil(canvas: GridCanvas, cell: Cell, square: Square, beyond: int) -> Image.Image:
    """A square's ground, and some pixels beyond; hatchings go on from square to square."""
    style, side = canvas.style, canvas.side + 2 * beyond
    if square.owner is None:
        return Image.new("RGB", (side, side), style.soils.get(square.terrain, style.colours["paper"]))
    tile = _tile(canvas.powers[square.owner], side + glyphs.HATCH_TILE_PX, style)
    left, top = ((place - beyond) % glyphs.HATCH_TILE_PX for place in canvas.corner(cell))
    return tile.crop((left, top, left + side, top + side))


@lru_cache(maxsize=256)
def _tile(power: PowerStyle, side: int, style: Style) -> Image.Image:
    """A square of a power's land."""
    tile = Image.new("RGB", (side, side), land_colour(power, style))
    pattern = glyphs.hatching(power.hatch, (side, side)).point([round(value * 0.55) for value in range(256)])
    tile.paste(mixed(power.colour, style.colours["paper"], 0.62), (0, 0), pattern)
    return tile


def _borders(draw: ImageDraw.ImageDraw, canvas: GridCanvas, cell: Cell, square: Square) -> None:
    """A band in the owner's colour, with a dark rim, where a square borders on another's; a coast is border enough."""
    if square.owner is None:
        return
    band, rim = max(2, round(canvas.side * 0.085)), max(1, round(canvas.side * 0.03))
    (left, top), last = canvas.corner(cell), canvas.side - 1
    colour = canvas.powers[square.owner].colour
    for dx, dy in _NEIGHBOURS:
        there = (cell[0] + dx, cell[1] + dy)
        other = canvas.scene.squares.get(there)
        owner = other.owner if other is not None else None
        if owner == square.owner or (owner is None and canvas.is_water(there) != square.is_water):
            continue
        for width, fill in ((band, colour), (rim, mixed(glyphs.DARK, colour, 0.7))):
            box = {
                (0, -1): (left, top, left + last, top + width - 1),
                (1, 0): (left + last - width + 1, top, left + last, top + last),
                (0, 1): (left, top + last - width + 1, left + last, top + last),
                (-1, 0): (left, top, left + width - 1, top + last),
            }[dx, dy]
            draw.rectangle(box, fill=fill)


def _grid(picture: Image.Image, canvas: GridCanvas) -> None:
    width, height = canvas.size
    ink, faint = canvas.style.colours["faint_ink"], 105
    upright, level = Image.new("L", (1, height), faint), Image.new("L", (width, 1), faint)
    for column in range(1, canvas.columns):
        picture.paste(ink, (column * canvas.side, 0), upright)
    for row in range(1, canvas.rows):
        picture.paste(ink, (0, row * canvas.side), level)


# --- The compass --------------------------------------------------------------------------------------------

_COMPASS_SQUARES = range(4, 8)


def _compass(picture: Image.Image, canvas: GridCanvas) -> None:
    """A compass rose on the widest empty water, if there is any wide enough."""
    spans = _empty_waters(canvas)
    reach, (x, y) = max(spans.items(), key=lambda item: item[0], default=(0, (0, 0)))
    if reach < _COMPASS_SQUARES[0]:
        return
    span = min(reach, _COMPASS_SQUARES[-1])
    inset = (reach - span) / 2
    colours = canvas.style.colours
    radius = round(span * canvas.side * 0.34)
    rose = glyphs.compass(radius, colours["sea_ink"], colours["halo"], canvas.style.fonts["title"])
    left, top = canvas.corner((x, y))
    away = (inset + span / 2) * canvas.side
    put(picture, rose, (left + away, top + away))


def _empty_waters(canvas: GridCanvas) -> dict[int, Cell]:
    """The first block of empty water of each size, by its side in squares: its north-western corner."""
    taken = {cell for march in canvas.scene.marches for cell in march.way}
    spans: dict[Cell, int] = {}
    found: dict[int, Cell] = {}
    for x, y in reversed(list(canvas.cells())):
        square = canvas.scene.squares.get((x, y))
        if (x, y) in taken or (square is not None and not _is_empty_water(square)):
            continue
        around = (spans.get((x + 1, y), 0), spans.get((x, y + 1), 0), spans.get((x + 1, y + 1), 0))
        spans[x, y] = 1 + min(around)
        found[spans[x, y]] = (x, y)
    return found


def _is_empty_water(square: Square) -> bool:
    return square.is_water and not (square.troops or square.signs or square.owner or square.name)
