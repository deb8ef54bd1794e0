"""Draws a scene of tiles, squares or hexes: the ground, terrain, ways over it, troops, signs and coordinates."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from PIL import Image, ImageDraw

from bot.render import glyphs
from bot.render.camera import LEAST_ZOOM, MOST_SHAPE, extent
from bot.render.glyphs import put
from bot.render.ground import ground, land_colour
from bot.render.marches import draw_marches
from bot.render.panels import board, key_size, with_key_for
from bot.render.panels import sheet as whole_sheet
from bot.render.realms import write_names
from bot.render.style import Colour, Style, font, load_style, mixed, readable_on, wrapped
from bot.render.terrain import LOOKS, pictogram
from bot.render.tile_canvas import TileCanvas, Viewport, polygons_of, power_styles, write, written
from engine.core.variant import load_phrases
from engine.lattice.tiling import Box, TileId, Tiling
from engine.pictures.legend import ArrowStatus
from engine.pictures.realm import is_large
from engine.pictures.tiles import UNKNOWN, KeyRow, Shown, Tile, TileScene

WIDTH_PX, WIDEST_PX = 1840, 2400
"""The largest width of the whole map, if its tiles have `LEGIBLE_PX` in it, and if they don't."""
LEGIBLE_PX = 60
"""On tiles of this size everything can be read."""
TILE_PX = range(22, 111)
"""Tiles are as large as the width allows, within bounds."""
CLOSE_UP_PX = range(60, 106, 5)
"""Those of close-ups are few, so that what was drawn for one can be used in others."""
CLOSE_UP_WIDTH_PX = 1800
MOST_PX = 2640
"""The largest width of any picture of tiles, whatever their number; tiles become smaller if necessary."""
LEAST_PX = 8
"""The smallest side of a tile; if the board is too large even so, only the first part is shown."""
LEAST_SHAPE = 1.0
"""Width over height of a close-up: a chat fits a taller one into its height, and phones show a wider one smaller."""
AROUND = 2
"""How many tiles are shown around the subject of a close-up."""


def draw_tiles(scene: TileScene, *, with_key: bool = False) -> tuple[Image.Image, tuple[Colour, ...]]:
    """The picture of a scene of tiles, and the colours that must stay as they are.

    Args:
        with_key: a sheet with legend and key, not the board alone.
    """
    style = load_style(scene.system, scene.variant)
    canvas = _canvas(scene, style)
    picture = ground(canvas)
    for at, tile in canvas.tiles():
        _terrain(picture, canvas, at, tile)
    write_names(picture, canvas)
    draw_marches(picture, canvas)
    for at, tile in canvas.tiles():
        if canvas.is_fine:
            _what_is_there(picture, canvas, at, tile)
        else:
            _that_somebody_is_there(picture, canvas, at, tile)
    picture = _with_rim(picture, canvas)
    if with_key:
        shown = _with_those_in_sight(canvas)
        style = with_key_for(style, picture.width, len(shown.legend))
        rows = _key_in_sight(canvas)
        key = [(_key_sign(row, style), load_phrases(scene.system).render(row.what)) for row in rows]
        picture = whole_sheet(picture, shown, style, canvas.powers, key)
    else:
        picture = board(picture, scene, style, None)
    meaningful = [glyphs.LIGHT, glyphs.DARK, *style.colours.values()]
    meaningful += [tint for power in canvas.powers.values() for tint in (power.colour, land_colour(power, style))]
    return picture, tuple(dict.fromkeys(meaningful))[:200]


def _with_those_in_sight(canvas: TileCanvas) -> TileScene:
    """The scene; the legend of a close-up has the viewer and the nations in sight."""
    scene = canvas.scene
    if not scene.focus:
        return scene
    seen = {scene.viewer, *(march.power for march in canvas.marches())}
    for _, tile in canvas.tiles():
        seen |= {tile.owner, tile.home_of, *(troops.power for troops in tile.troops)}
    return replace(scene, legend=tuple(row for row in scene.legend if row.power in seen))


def _canvas(scene: TileScene, style: Style) -> TileCanvas:
    sight = _sight(scene)
    return TileCanvas(scene, style, power_styles(scene, style), sight, polygons_of(sight))


def _sight(scene: TileScene) -> Viewport:
    """The part of the board to show, and its scale."""
    near = _close_up(scene)
    left, top, right, bottom = near or scene.board.box
    wide, high = min(right - left, MOST_PX // LEAST_PX), min(bottom - top, MOST_PX // LEAST_PX)
    span = max(wide, high, 1)
    sizes, room = TILE_PX, max(WIDTH_PX, min(LEGIBLE_PX * span, WIDEST_PX))
    if near is not None:
        sizes, room = CLOSE_UP_PX, CLOSE_UP_WIDTH_PX
    side = max((size for size in sizes if size * span <= room), default=sizes[0])
    side = min(side, int(MOST_PX / span))
    return Viewport(scene.board, (left, top, left + wide, top + high), side)


def _close_up(scene: TileScene) -> Box | None:
    """The part of the board that is shown; `None`: all of it, also if a player's realm is nearly the whole board.

    For such a realm on a large board what matters is where something is done.
    """
    if scene.lit is None or not scene.focus:
        return _around(scene.board, scene.focus) if scene.focus else None
    ways = [at for march in scene.marches if march.power == scene.lit for at in march.way]
    for tiles in (scene.focus, ways if is_large(scene) else ()):
        near = _around(scene.board, tiles) if tiles else None
        if near is not None and extent(near) * LEAST_ZOOM <= extent(scene.board.box):
            return near
    return None


def _around(board: Tiling, tiles: Sequence[TileId]) -> Box:
    """Some tiles and what is around them on the board, at least as wide as high."""
    left, top, right, bottom = board.box
    columns, rows = zip(*map(board.middle, tiles), strict=True)
    west, east = _with_margin(columns, left, right)
    north, south = _with_margin(rows, top, bottom)
    high = max(south - north, math.ceil((east - west) / MOST_SHAPE))
    wide = max(east - west, math.ceil(high * LEAST_SHAPE))
    left, right = _span((west, east), wide, left, right)
    top, bottom = _span((north, south), high, top, bottom)
    return left, top, right, bottom


def _with_margin(middles: Sequence[float], least: float, most: float) -> tuple[float, float]:
    """The range from the first to the last of some tiles and what is around them, within the board."""
    return max(min(middles) - 0.5 - AROUND, least), min(max(middles) + 0.5 + AROUND, most)


def _span(ends: tuple[float, float], length: float, least: float, most: float) -> tuple[float, float]:
    """The range of this many tiles around the middle of another one, within the board."""
    length = min(length, most - least)
    first = least + math.floor((sum(ends) - length) / 2 - least)
    first = min(max(first, least), most - length)
    return first, first + length


def _terrain(picture: Image.Image, canvas: TileCanvas, at: TileId, tile: Tile) -> None:
    if tile.terrain == UNKNOWN or (tile.is_water and tile.terrain == "sea"):
        return
    look = (at[0] * 7 + at[1] * 13) % LOOKS
    drawn = _terrain_sign(canvas.style, tile.terrain, tile.letter, look, canvas.side)
    x, y = canvas.middle(at)
    put(picture, drawn, (x, y if drawn.height >= canvas.side else y - canvas.side * 0.14))


def _terrain_sign(style: Style, terrain: str, letter: str, look: int, side: int) -> Image.Image:
    """The picture of a terrain; if it has none, its letter on a coin."""
    body = mixed(style.colours["halo"], style.colours["paper"], 0.6)
    drawn = pictogram(terrain, look, side, style.colours["ink"], body)
    return drawn or glyphs.numeral(letter, style.colours["halo"], side * 0.17, style.fonts["title"])


def _what_is_there(picture: Image.Image, canvas: TileCanvas, at: TileId, tile: Tile) -> None:
    left, top = canvas.corner(at)
    side, style = canvas.side, canvas.style
    if tile.is_water:
        _ships(picture, canvas, at, tile)
    if tile.home_of is not None:
        power = canvas.powers[tile.home_of]
        token = glyphs.unit_token("shield", power.colour, power.letter, side * 0.125, style.fonts["strong"])
        put(picture, token, (left + side * 0.17, top + side * 0.18))
    elif tile.owner is not None:
        mark = left + side * 0.15, top + side * 0.16
        write(picture, style, mark, canvas.powers[tile.owner].letter, side * 0.20)
    if tile.tag:
        write(picture, style, (left + side / 2, top + side * 0.08), tile.tag, side * 0.16, face="sea", ink="faint_ink")
    if tile.note:
        write(picture, style, (left + side * 0.86, top + side * 0.15), tile.note, side * 0.22, face="sea")
    foot = top + side * _foot(canvas.scene.board)
    for plate in reversed(_plates(canvas, tile)):
        picture.paste(plate, (round(left + (side - plate.width) / 2), round(foot - plate.height)), plate)
        foot -= plate.height - side * 0.02
    if tile.name:
        _name(picture, canvas, tile.name, (left + side / 2, foot), room=foot - top - side * 0.42)
    if "battle" in tile.signs:
        above = max(min(top + side * 0.38, foot - side * 0.22), top - side * 0.1)
        put(picture, _swords(side * 0.24), (left + side * 0.5, above))
    for place, sign in enumerate(sign for sign in tile.signs if sign != "battle"):
        mark = left + side * 0.86, top + side * (0.38 + 0.2 * place)
        write(picture, style, mark, _SIGNS.get(sign, sign[:1]), side * 0.30, ink="failed")


_BROAD = 0.7
"""How wide a tile must be where a plate is, in tiles."""


@lru_cache(maxsize=16)
def _foot(board: Tiling) -> float:
    """How far below the upper end of a tile plates are: at its lower end, or where it is wide enough for them."""
    (middle_x, middle_y), corners = board.middle((0, 0)), board.corners((0, 0))
    broad = [
        y + (to_y - y) * (x - _BROAD / 2) / (x - to_x) if x != to_x else max(y, to_y)
        for (x, y), (to_x, to_y) in (
            ((start[0] - middle_x, start[1] - middle_y), (end[0] - middle_x, end[1] - middle_y))
            for start, end in pairwise((*corners, corners[0]))
        )
        if x >= _BROAD / 2 >= to_x or (x == to_x and x >= _BROAD / 2)
    ]
    return 0.46 + min(max(broad), 0.5)


_SIGNS = {"isolated": "!", "disloyal": "*", "ordered": "+"}


def _that_somebody_is_there(picture: Image.Image, canvas: TileCanvas, at: TileId, tile: Tile) -> None:
    """A disc in the colour of the nation there, and the sign of a battle."""
    x, y = canvas.middle(at)
    for troops in tile.troops[:1]:
        colour = canvas.powers[troops.power].colour
        disc = glyphs.numeral("", colour, canvas.side * 0.17, canvas.style.fonts["strong"])
        put(picture, canvas.seen(disc, troops.power), (x, y))
    if "battle" in tile.signs:
        put(picture, _swords(canvas.side * 0.45), (x, y))


def _ships(picture: Image.Image, canvas: TileCanvas, at: TileId, tile: Tile) -> None:
    """A galley for each fleet on a tile of sea, as long as their plates leave room."""
    x, y = canvas.middle(at)
    side, count = canvas.side, len(tile.troops)
    if count > 2:
        return
    radius = side * (0.17 if count == 1 else 0.135)
    for place, troops in enumerate(tile.troops):
        power = canvas.powers[troops.power]
        token = glyphs.unit_token("galley", power.colour, power.letter, radius, canvas.style.fonts["strong"])
        token = canvas.seen(token, troops.power)
        put(picture, token, (x + (place - (count - 1) / 2) * side * 0.44, y - side * (0.19 if count == 1 else 0.27)))


def _plates(canvas: TileCanvas, tile: Tile) -> list[Image.Image]:
    """A plate for each nation's troops, small enough to stand one above the other on the tile."""
    scale, file = 1.0, canvas.style.fonts["strong"]
    while True:
        looks = [(troops.text, canvas.powers[troops.power]) for troops in tile.troops]
        plates = [_troops_plate(text, power.letter, power.colour, canvas.side, scale, file) for text, power in looks]
        if sum(plate.height for plate in plates) < canvas.side or scale < _SMALLEST:
            ground = _ground_of(canvas, tile)
            return [
                canvas.seen_on(plate, troops.power, ground) for plate, troops in zip(plates, tile.troops, strict=True)
            ]
        scale *= 0.85


def _ground_of(canvas: TileCanvas, tile: Tile) -> Colour:
    if tile.is_water:
        return canvas.style.colours["sea"]
    if tile.owner is not None:
        return land_colour(canvas.powers[tile.owner], canvas.style)
    return canvas.style.soils.get(tile.terrain, canvas.style.colours["paper"])


_SMALLEST = 0.5
"""The smallest legible size of plates, as a share of their usual one."""


@lru_cache(maxsize=4096)
def _troops_plate(text: str, letter: str, colour: Colour, side: int, share: float, file: str) -> Image.Image:
    """Troops on a plate, with the owner's colour and letter on the left; letters are `share` of their usual size."""
    scale = 2
    room = side * 0.94 * scale
    size = side * 0.25 * share * scale
    lines = [""] * 3
    while len(lines) > 2 and size > side * 0.15 * share * scale:
        size *= 0.9
        face = font(file, size)
        tab = max(size * 0.95, face.getlength(letter) * 0.9 + size * 0.35)
        lines = wrapped(text, file, size, room - tab - size * 0.4)
    width = round(tab + max(face.getlength(line) for line in lines) + size * 0.55)
    height = round(size * 1.06 * len(lines) + size * 0.22)
    plate = Image.new("RGBA", (width, height), (*glyphs.LIGHT, 0))
    draw = ImageDraw.Draw(plate)
    corner = size * 0.28
    draw.rounded_rectangle((0, 0, width - 1, height - 1), corner, fill=(*glyphs.LIGHT, 255))
    draw.rounded_rectangle((0, 0, tab, height - 1), corner, fill=(*colour, 255))
    draw.rounded_rectangle((0, 0, width - 1, height - 1), corner, outline=(*glyphs.DARK, 255), width=scale + 1)
    ink = readable_on(colour, glyphs.DARK, glyphs.LIGHT)
    draw.text((tab * 0.5, height / 2), letter, font=font(file, size * 0.9), fill=(*ink, 255), anchor="mm")
    for row, line in enumerate(lines):
        at = tab + size * 0.2, size * (0.62 + 1.06 * row)
        draw.text(at, line, font=face, fill=(*glyphs.DARK, 255), anchor="lm")
    return plate.reduce(scale)


def _name(picture: Image.Image, canvas: TileCanvas, name: str, foot: tuple[float, float], *, room: float) -> None:
    """A place's name above everything there, in as many lines as it needs; one without room is left out."""
    size = canvas.side * 0.17
    lines = wrapped(name, canvas.style.fonts["sea"], size, canvas.side * 1.04)
    widest = max(font(canvas.style.fonts["sea"], size).getlength(line) for line in lines)
    if widest > canvas.side * 1.15 or len(lines) * size * 0.92 > room:
        return
    for row, line in enumerate(reversed(lines)):
        write(picture, canvas.style, (foot[0], foot[1] - size * (0.5 + 0.92 * row)), line, size, face="sea")


@lru_cache(maxsize=16)
def _swords(radius_px: float) -> Image.Image:
    """Two swords crossed: a battle was fought here."""
    scale = 4
    half = round(radius_px * 1.25 * scale)
    reach = radius_px * scale
    picture, draw = glyphs.blank_sign(half)
    for width, fill in ((0.36, glyphs.LIGHT), (0.22, glyphs.DARK), (0.11, (163, 18, 42))):
        for side in (-1, 1):
            blade = [(half - side * reach * 0.8, half + reach * 0.8), (half + side * reach * 0.8, half - reach * 0.8)]
            hilt = [
                (half - side * reach * 0.85, half + reach * 0.25),
                (half - side * reach * 0.25, half + reach * 0.85),
            ]
            for line in (blade, hilt):
                draw.line(line, fill=(*fill, 255), width=round(reach * width))
    return picture.convert("RGBa").reduce(scale).convert("RGBA")


# --- The key and the rim ------------------------------------------------------------------------------------


def _key_in_sight(canvas: TileCanvas) -> Iterator[KeyRow]:
    """The rows of the key: the signs that are on the picture."""
    seen: set[tuple[Shown, str]] = set()
    for _, tile in canvas.tiles():
        seen.add((Shown.TERRAIN, tile.terrain))
        seen |= {(Shown.SIGN, sign) for sign in tile.signs}
        if tile.is_remembered:
            seen.add((Shown.SIGN, "remembered"))
        if tile.home_of is not None:
            seen.add((Shown.SIGN, "home"))
        if canvas.is_fine:
            seen.add((Shown.NOTE, tile.note))
            words = (word for troops in tile.troops for word in troops.text.split())
            seen |= {(Shown.TROOPS, word.lstrip("0123456789")) for word in words}
    if any(march.status is ArrowStatus.FAILED for march in canvas.marches()):
        seen.add((Shown.SIGN, "failed"))
    return (row for row in canvas.scene.key if (row.shown, row.sign) in seen)


def _key_sign(row: KeyRow, style: Style) -> Image.Image:
    """A sign as the key shows it."""
    size = key_size(style)
    if row.shown is Shown.TERRAIN:
        side = round(size * 1.5)
        swatch = Image.new("RGBA", (side, side), style.soils.get(row.sign, style.colours["paper"]))
        drawn = _terrain_sign(style, row.sign, row.letter, 0, side)
        swatch.alpha_composite(drawn, ((side - drawn.width) // 2, (side - drawn.height) // 2))
        ImageDraw.Draw(swatch).rectangle((0, 0, side - 1, side - 1), outline=style.colours["coast"])
        return swatch
    if row.sign == "home":
        return glyphs.unit_token("shield", style.colours["faint_ink"], "", size * 0.5, style.fonts["strong"])
    if row.sign == "battle":
        return _swords(size * 0.6)
    if row.sign == "failed":
        return glyphs.badge("cross", style.colours["failed"], size * 0.5)
    face, ink = (
        ("sea", "ink") if row.shown is Shown.NOTE else ("strong", "ink" if row.shown is Shown.TROOPS else "failed")
    )
    return written(style, _SIGNS.get(row.sign, row.sign), size, face=face, ink=ink)


_MARGIN_PX = 8
"""The margins of a board without columns and rows."""


def _with_rim(picture: Image.Image, canvas: TileCanvas) -> Image.Image:
    """The map within a strip with the columns above and below, and the rows at both sides."""
    board, (left, top, _, _) = canvas.scene.board, canvas.sight.box
    strip = round(max(26.0, min(canvas.side * 0.36, 40.0))) if board.columns else _MARGIN_PX
    style = canvas.style
    result = Image.new("RGB", (picture.width + 2 * strip, picture.height + 2 * strip), style.colours["halo"])
    result.paste(picture, (strip, strip))
    draw = ImageDraw.Draw(result)
    draw.rectangle(
        (strip - 2, strip - 2, strip + picture.width + 1, strip + picture.height + 1),
        outline=style.colours["frame"],
        width=2,
    )
    face = font(style.fonts["strong"], min(strip * 0.62, canvas.side * 0.62))
    ink = style.colours["ink"]
    for number, at in _shown(board.columns, left, canvas.side, picture.width):
        for y in (strip / 2, result.height - strip / 2):
            draw.text((strip + at, y), str(number), font=face, fill=ink, anchor="mm")
    for number, at in _shown(board.rows, top, canvas.side, picture.height):
        for x in (strip / 2, result.width - strip / 2):
            draw.text((x, strip + at), str(number), font=face, fill=ink, anchor="mm")
    return result


def _shown(middles: Sequence[float], first: float, side: int, room: int) -> Iterator[tuple[int, float]]:
    """The coordinates that are written, and where: all of them, or every fifth if tiles are small."""
    for number, middle in enumerate(middles):
        at = (middle - first) * side
        if 0 < at < room and (side >= 34 or number % 5 == 0):
            yield number, at
