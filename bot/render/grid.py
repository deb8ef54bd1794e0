"""Draws a scene of squares: the ground, terrain, ways over it, troops and signs, and coordinates on the rim."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from PIL import Image, ImageDraw

from bot.render import glyphs
from bot.render.camera import LEAST_SHAPE, LEAST_ZOOM, MOST_SHAPE
from bot.render.grid_canvas import GridCanvas, put, write, written
from bot.render.ground import ground, land_colour
from bot.render.marches import draw_marches
from bot.render.panels import board, key_size
from bot.render.panels import sheet as whole_sheet
from bot.render.realms import write_names
from bot.render.style import Colour, PowerStyle, Style, font, load_style, mixed, readable_on
from bot.render.terrain import LOOKS, pictogram
from engine.core.variant import load_phrases
from engine.pictures.grid_scene import Cell, GridScene, KeyRow, Shown, Square
from engine.pictures.legend import ArrowStatus
from engine.pictures.realm import is_large

WIDEST_PX = 2400
"""Of the whole map; its squares are as large as that allows, within bounds."""
SQUARE_PX = range(22, 111)
CLOSE_UP_PX = range(60, 161)
CLOSE_UP_WIDTH_PX = 1800
MOST_PX = 2640
"""Across any picture of squares, however many there are: they get smaller then than they should be."""
LEAST_PX = 8
"""Of a square; of a board that is too large for these the first part is shown."""
MANY = 42
"""With more nations than this the legend is written smaller."""
AROUND = 2
"""Squares shown around what a close-up is about."""


def draw_grid(scene: GridScene, *, with_key: bool = False) -> tuple[Image.Image, tuple[Colour, ...]]:
    """The picture of a scene of squares, and the colours that must stay as they are.

    Args:
        with_key: the sheet with a legend and a key besides, not the board alone.
    """
    style = load_style(scene.system, scene.variant)
    if len(scene.legend) > MANY:
        style = replace(style, sizes={**style.sizes, "legend": style.sizes["legend"] * 0.72})
    canvas = _canvas(scene, style)
    picture = ground(canvas)
    for cell, square in canvas.squares():
        _terrain(picture, canvas, cell, square)
    write_names(picture, canvas)
    draw_marches(picture, canvas)
    for cell, square in canvas.squares():
        if canvas.is_fine:
            _what_is_there(picture, canvas, cell, square)
        else:
            _that_somebody_is_there(picture, canvas, cell, square)
    picture = _with_rim(picture, canvas)
    if with_key:
        key = [(_key_sign(row, canvas), load_phrases(scene.system).render(row.what)) for row in _key_in_sight(canvas)]
        picture = whole_sheet(picture, _with_those_in_sight(canvas), style, canvas.powers, key)
    else:
        picture = board(picture, scene, style, None)
    meaningful = [glyphs.LIGHT, glyphs.DARK, *style.colours.values()]
    meaningful += [tint for power in canvas.powers.values() for tint in (power.colour, land_colour(power, style))]
    return picture, tuple(dict.fromkeys(meaningful))[:200]


def _with_those_in_sight(canvas: GridCanvas) -> GridScene:
    """The scene; of a close-up the legend tells of the viewer and of whoever is to be seen."""
    scene = canvas.scene
    if not scene.focus:
        return scene
    seen = {scene.viewer, *(march.power for march in canvas.marches())}
    for _, square in canvas.squares():
        seen |= {square.owner, square.home_of, *(troops.power for troops in square.troops)}
    return replace(scene, legend=tuple(row for row in scene.legend if row.power in seen))


def _canvas(scene: GridScene, style: Style) -> GridCanvas:
    powers = {}
    for place, power in enumerate(scene.powers):
        colour, hatch = style.power(power.id, place)
        ink = mixed(colour, style.colours["paper"], 0.62)
        powers[str(power.id)] = PowerStyle(colour, hatch, power.letter, power.name, ink)
    (left, wide), (top, high) = (0, scene.size[0]), (0, scene.size[1])
    sizes, room = SQUARE_PX, WIDEST_PX
    if (near := _close_up(scene)) is not None:
        (left, wide), (top, high) = near
        sizes, room = CLOSE_UP_PX, CLOSE_UP_WIDTH_PX
    wide, high = min(wide, MOST_PX // LEAST_PX), min(high, MOST_PX // LEAST_PX)
    span = max(wide, high)
    side = min(max(room // span, sizes[0]), sizes[-1], MOST_PX // span)
    return GridCanvas(scene, style, powers, left, top, wide, high, side)


_Span = tuple[int, int]
"""The first column or row, and how many."""


def _close_up(scene: GridScene) -> tuple[_Span, _Span] | None:
    """The columns and rows that are shown; `None`: all, as of somebody's own realm that is nearly the whole board.

    Of such a realm on a large board what matters is where something is done.
    """
    if scene.lit is None or not scene.focus:
        return _around(scene, scene.focus) if scene.focus else None
    ways = [cell for march in scene.marches if march.power == scene.lit for cell in march.way]
    for cells in (scene.focus, ways if is_large(scene) else ()):
        near = _around(scene, cells) if cells else None
        if near is not None and max(near[0][1], near[1][1]) * LEAST_ZOOM <= max(scene.size):
            return near
    return None


def _around(scene: GridScene, cells: Sequence[Cell]) -> tuple[_Span, _Span]:
    """Some squares and what is around them, wider than high."""
    columns, rows = zip(*cells, strict=True)
    wide, high = (max(line) - min(line) + 1 + 2 * AROUND for line in (columns, rows))
    high = max(min(high, scene.size[1]), math.ceil(wide / MOST_SHAPE))
    wide = max(wide, math.ceil(high * LEAST_SHAPE))
    return _span(columns, wide, scene.size[0]), _span(rows, high, scene.size[1])


def _span(line: Sequence[int], length: int, limit: int) -> _Span:
    """So many squares around the middle of some, on the board."""
    length = min(length, limit)
    first = (min(line) + max(line) + 1 - length) // 2
    return min(max(first, 0), limit - length), length


# --- What stands on a square --------------------------------------------------------------------------------


def _terrain(picture: Image.Image, canvas: GridCanvas, cell: Cell, square: Square) -> None:
    if square.is_water and square.terrain == "sea":
        return
    look = (cell[0] * 7 + cell[1] * 13) % LOOKS
    drawn = _terrain_sign(canvas.style, square.terrain, square.letter, look, canvas.side)
    x, y = canvas.middle(cell)
    put(picture, drawn, (x, y if drawn.height >= canvas.side else y - canvas.side * 0.14))


def _terrain_sign(style: Style, terrain: str, letter: str, look: int, side: int) -> Image.Image:
    """The picture of a terrain; the letter of one that has none, on a coin."""
    body = mixed(style.colours["halo"], style.colours["paper"], 0.6)
    drawn = pictogram(terrain, look, side, style.colours["ink"], body)
    return drawn or glyphs.numeral(letter, style.colours["halo"], side * 0.17, style.fonts["title"])


def _what_is_there(picture: Image.Image, canvas: GridCanvas, cell: Cell, square: Square) -> None:
    left, top = canvas.corner(cell)
    side, style = canvas.side, canvas.style
    if square.is_water:
        _ships(picture, canvas, cell, square)
    if square.home_of is not None:
        power = canvas.powers[square.home_of]
        token = glyphs.unit_token("shield", power.colour, power.letter, side * 0.125, style.fonts["strong"])
        put(picture, token, (left + side * 0.17, top + side * 0.18))
    elif square.owner is not None:
        at = left + side * 0.15, top + side * 0.16
        write(picture, style, at, canvas.powers[square.owner].letter, side * 0.20)
    if square.note:
        write(picture, style, (left + side * 0.86, top + side * 0.15), square.note, side * 0.22, face="sea")
    foot = top + side * 0.96
    for plate in reversed(_plates(canvas, square)):
        picture.paste(plate, (round(left + (side - plate.width) / 2), round(foot - plate.height)), plate)
        foot -= plate.height - side * 0.02
    if square.name:
        _name(picture, canvas, square.name, (left + side / 2, foot), room=foot - top - side * 0.42)
    if "battle" in square.signs:
        above = max(min(top + side * 0.38, foot - side * 0.22), top - side * 0.1)
        put(picture, _swords(side * 0.24), (left + side * 0.5, above))
    for place, sign in enumerate(sign for sign in square.signs if sign != "battle"):
        at = left + side * 0.86, top + side * (0.38 + 0.2 * place)
        write(picture, style, at, _SIGNS.get(sign, sign[:1]), side * 0.30, ink="failed")


_SIGNS = {"isolated": "!", "disloyal": "*", "ordered": "+"}


def _that_somebody_is_there(picture: Image.Image, canvas: GridCanvas, cell: Cell, square: Square) -> None:
    """A disc in the colour of whoever is there, and that there was a battle."""
    x, y = canvas.middle(cell)
    for troops in square.troops[:1]:
        colour = canvas.powers[troops.power].colour
        disc = glyphs.numeral("", colour, canvas.side * 0.17, canvas.style.fonts["strong"])
        put(picture, canvas.seen(disc, troops.power), (x, y))
    if "battle" in square.signs:
        put(picture, _swords(canvas.side * 0.45), (x, y))


def _ships(picture: Image.Image, canvas: GridCanvas, cell: Cell, square: Square) -> None:
    """A galley for each fleet of a sea square, as long as their plates leave room."""
    x, y = canvas.middle(cell)
    side, count = canvas.side, len(square.troops)
    if count > 2:
        return
    radius = side * (0.17 if count == 1 else 0.135)
    for place, troops in enumerate(square.troops):
        power = canvas.powers[troops.power]
        token = glyphs.unit_token("galley", power.colour, power.letter, radius, canvas.style.fonts["strong"])
        token = canvas.seen(token, troops.power)
        put(picture, token, (x + (place - (count - 1) / 2) * side * 0.44, y - side * (0.19 if count == 1 else 0.27)))


def _plates(canvas: GridCanvas, square: Square) -> list[Image.Image]:
    """A plate for each nation's troops, small enough to stand one above the other on the square."""
    scale, file = 1.0, canvas.style.fonts["strong"]
    while True:
        looks = [(troops.text, canvas.powers[troops.power]) for troops in square.troops]
        plates = [_troops_plate(text, power.letter, power.colour, canvas.side, scale, file) for text, power in looks]
        if sum(plate.height for plate in plates) < canvas.side or scale < _SMALLEST:
            return [canvas.seen(plate, troops.power) for plate, troops in zip(plates, square.troops, strict=True)]
        scale *= 0.85


_SMALLEST = 0.5
"""What plates are still legible at, as a share of their usual size."""


@lru_cache(maxsize=4096)
def _troops_plate(text: str, letter: str, colour: Colour, side: int, share: float, file: str) -> Image.Image:
    """Troops on a plate, its owner's colour and letter on the left; its letters are `share` of their usual size."""
    scale = 2
    room = side * 0.94 * scale
    size = side * 0.25 * share * scale
    lines = [""] * 3
    while len(lines) > 2 and size > side * 0.15 * share * scale:
        size *= 0.9
        face = font(file, size)
        tab = max(size * 0.95, face.getlength(letter) * 0.9 + size * 0.35)
        lines = _lines(text, file, size, room - tab - size * 0.4)
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


def _lines(text: str, file: str, size: float, room: float) -> list[str]:
    face = font(file, size)
    lines: list[str] = []
    for word in text.split() or [""]:
        if lines and face.getlength(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _name(picture: Image.Image, canvas: GridCanvas, name: str, foot: tuple[float, float], *, room: float) -> None:
    """A place's name over whatever stands there, in as many lines as it takes; one that has no room is left out."""
    size = canvas.side * 0.17
    lines = _lines(name, canvas.style.fonts["sea"], size, canvas.side * 1.04)
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
    picture = Image.new("RGBA", (2 * half, 2 * half), (*glyphs.LIGHT, 0))
    draw = ImageDraw.Draw(picture)
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


def _key_in_sight(canvas: GridCanvas) -> Iterator[KeyRow]:
    """What the key has to explain: the signs that are on the picture."""
    seen: set[tuple[Shown, str]] = set()
    for _, square in canvas.squares():
        seen.add((Shown.TERRAIN, square.terrain))
        seen |= {(Shown.SIGN, sign) for sign in square.signs}
        if canvas.is_fine:
            seen.add((Shown.NOTE, square.note))
            words = (word for troops in square.troops for word in troops.text.split())
            seen |= {(Shown.TROOPS, word.lstrip("0123456789")) for word in words}
    if any(march.status is ArrowStatus.FAILED for march in canvas.marches()):
        seen.add((Shown.SIGN, "failed"))
    return (row for row in canvas.scene.key if (row.shown, row.sign) in seen)


def _key_sign(row: KeyRow, canvas: GridCanvas) -> Image.Image:
    """A sign as the key shows it."""
    style = canvas.style
    size = key_size(style)
    if row.shown is Shown.TERRAIN:
        side = round(size * 1.5)
        tile = Image.new("RGBA", (side, side), style.soils.get(row.sign, style.colours["paper"]))
        drawn = _terrain_sign(style, row.sign, row.letter, 0, side)
        tile.alpha_composite(drawn, ((side - drawn.width) // 2, (side - drawn.height) // 2))
        ImageDraw.Draw(tile).rectangle((0, 0, side - 1, side - 1), outline=style.colours["coast"])
        return tile
    if row.sign == "battle":
        return _swords(size * 0.6)
    if row.sign == "failed":
        return glyphs.badge("cross", style.colours["failed"], size * 0.5)
    face, ink = (
        ("sea", "ink") if row.shown is Shown.NOTE else ("strong", "ink" if row.shown is Shown.TROOPS else "failed")
    )
    return written(style, _SIGNS.get(row.sign, row.sign), size, face=face, ink=ink)


def _with_rim(picture: Image.Image, canvas: GridCanvas) -> Image.Image:
    """The map within a strip that tells columns above and below, rows at both sides."""
    strip = round(max(26.0, min(canvas.side * 0.36, 40.0)))
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
    for number in _shown(canvas.left, canvas.columns, canvas.side):
        x = strip + (number - canvas.left + 0.5) * canvas.side
        for y in (strip / 2, result.height - strip / 2):
            draw.text((x, y), str(number), font=face, fill=ink, anchor="mm")
    for number in _shown(canvas.top, canvas.rows, canvas.side):
        y = strip + (number - canvas.top + 0.5) * canvas.side
        for x in (strip / 2, result.width - strip / 2):
            draw.text((x, y), str(number), font=face, fill=ink, anchor="mm")
    return result


def _shown(first: int, count: int, side: int) -> Iterable[int]:
    """The coordinates that are written: every one, or every fifth where squares are small."""
    return (number for number in range(first, first + count) if side >= 34 or number % 5 == 0)
