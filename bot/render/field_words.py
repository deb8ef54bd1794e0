"""What stands on great fields: trade centres, stacks on plates, names and coordinates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFilter

from bot.render import glyphs
from bot.render.field_sight import FINE_PX
from bot.render.signs import swords
from bot.render.style import Colour, Style, cut, font, printable, readable_on
from bot.render.tile_canvas import TileCanvas, written
from bot.render.woodcuts import woodcut
from engine.lattice.tiling import Point, TileId
from engine.pictures.tiles import Tile

CENTRES = ("F", "Mkt", "Std", "Phstd", "Hstd")
MOST_TROOPS = 3
"""Plates on a field."""


def words_on(
    canvas: TileCanvas, at: TileId, tile: Tile, plates: Sequence[Image.Image]
) -> Iterator[tuple[Image.Image, Point]]:
    """The texts on a known field, each with its middle: stacks below, then coordinates above, a name between."""
    (x, y), side, style = canvas.middle(at), canvas.side, canvas.style
    foot = y + side * 0.455
    for plate in reversed(plates):
        yield plate, (x, foot - plate.height / 2)
        foot -= plate.height + side * 0.012
    if side < FINE_PX:
        return
    yield written(style, tile.tag, side * 0.15, face="label"), (x, y - side * 0.405)
    if tile.note:
        # Below the trade centre, whose roof would be under it.
        below = -0.265 if plates else 0.41 if tile.name else 0.33
        yield written(style, tile.note, side * 0.13, face="label"), (x, y + side * below)
    if tile.name and foot - y > side * 0.2:
        yield _name(canvas, tile.name), (x, foot - side * 0.085 if plates else y + side * 0.29)


def _name(canvas: TileCanvas, name: str) -> Image.Image:
    """A trade centre's name, cut if it is longer than its field."""
    style, size = canvas.style, canvas.side * 0.125
    text = cut(printable(name, style.fonts["sea"]), style.fonts["sea"], size, canvas.side * 0.86)
    return written(style, text, size, face="sea")


@lru_cache(maxsize=256)
def stamp(style: Style, kind: str, side_px: int, *, is_site: bool = False) -> Image.Image:
    """A woodcut with a halo; pale for what has not been built yet."""
    ink = style.colours["ink"] if not is_site else style.colours["faint_ink"]
    drawn = woodcut(kind, 0, side_px, ink, style.colours["halo"])
    if drawn is None:
        return glyphs.numeral(kind[:1], style.colours["halo"], side_px * 0.3, style.fonts["strong"])
    reach = max(2, round(side_px * 0.05))
    room = Image.new("RGBA", (side_px + 4 * reach, side_px + 4 * reach), (*style.colours["halo"], 0))
    glow = Image.new("L", room.size)
    glow.paste(drawn.getchannel("A"), (2 * reach, 2 * reach))
    glow = glow.filter(ImageFilter.GaussianBlur(reach * 0.8)).point([min(235, value * 3) for value in range(256)])
    room.putalpha(glow)
    if is_site:
        drawn = drawn.copy()
        drawn.putalpha(drawn.getchannel("A").point([value * 8 // 10 for value in range(256)]))
    room.alpha_composite(drawn, (2 * reach, 2 * reach))
    return room


@lru_cache(maxsize=8)
def crossed_swords(radius_px: float) -> Image.Image:
    """The sign of a contested field."""
    return swords(None, "", radius_px, "")


def plates_of(canvas: TileCanvas, tile: Tile) -> list[Image.Image]:
    """A plate for each of the first stacks; the last one says how many more there are."""
    troops = list(tile.troops)
    file = canvas.style.fonts["strong"]
    if not troops:
        owner = canvas.powers[tile.owner] if tile.owner is not None else None
        return [stack_plate("", owner.letter, owner.colour, canvas.side, 1, file)] if owner is not None else []
    more = len(troops) - MOST_TROOPS
    shown = troops if more <= 0 else troops[: MOST_TROOPS - 1]
    lines = 2 if len(shown) == 1 and canvas.side >= FINE_PX else 1
    plates = []
    for each in shown:
        power = canvas.powers[each.power]
        text = each.text if canvas.side >= FINE_PX else ""
        plate = stack_plate(text, power.letter, power.colour, canvas.side, lines, file)
        plates.append(plate)
    if more > 0:
        plates.append(stack_plate(f"+{more + 1}", "", canvas.style.colours["halo"], canvas.side, 1, file))
    return plates


@lru_cache(maxsize=2048)
def stack_plate(text: str, letter: str, colour: Colour, side: int, lines: int, file: str) -> Image.Image:
    """A stack in as many lines, on a plate with its owner's colour and letter at the left."""
    scale = 3
    size = max(side * 0.135, 11.0) * scale
    room = side * 0.81 * scale
    face = font(file, size)
    tab = max(face.getlength(letter) + size * 0.36, size * 0.86) if letter else size * 0.3
    rows = rows_of(text, face.getlength, room - tab - size * 0.5, lines)
    width = round(tab + max((face.getlength(row) for row in rows), default=0) + size * (0.5 if text else 0.0))
    height = round(size * (1.04 * max(len(rows), 1) + 0.14))
    plate = Image.new("RGBA", (width, height), (*glyphs.LIGHT, 0))
    draw = ImageDraw.Draw(plate)
    corner = size * 0.22
    draw.rounded_rectangle((0, 0, width - 1, height - 1), corner, fill=(*glyphs.LIGHT, 255))
    draw.rounded_rectangle((0, 0, tab, height - 1), corner, fill=(*colour, 255))
    if rows:
        draw.rectangle((tab - corner, 0, tab, height - 1), fill=(*colour, 255))
    draw.rounded_rectangle((0, 0, width - 1, height - 1), corner, outline=(*glyphs.DARK, 255), width=scale + 1)
    ink = readable_on(colour, glyphs.DARK, glyphs.LIGHT)
    draw.text((tab / 2, height / 2), letter, font=face, fill=(*ink, 255), anchor="mm")
    for number, row in enumerate(rows):
        at = tab + size * 0.22, size * (0.60 + 1.04 * number)
        draw.text(at, row, font=face, fill=(*glyphs.DARK, 255), anchor="lm")
    return plate.reduce(scale)


def rows_of(text: str, length: Callable[[str], float], room: float, most: int) -> list[str]:
    """The words in at most this many lines; those that don't fit are counted: `14L 7B +2`."""
    words, rows = [_short(word, length, room) for word in _WORD.findall(text)], [""]
    while words:
        word = words[0]
        grown = f"{rows[-1]} {word}".strip()
        left = len(words) - 1
        is_last = len(rows) == most
        needed = f"{grown} +{left}" if left and is_last else grown
        if length(needed) <= room or not rows[-1]:
            rows[-1] = grown
            words.pop(0)
        elif is_last:
            rows[-1] += f" +{len(words)}"
            break
        else:
            rows.append("")
    return [row for row in rows if row]


_WORD = re.compile(r"[^\s\[]+(?:\[[^\]]*\])?")
"""What is kept together on a plate: figures, and craft with all that is aboard, `3LS[2B 5L]`."""


def _short(word: str, length: Callable[[str], float], room: float) -> str:
    """Craft whose load doesn't fit into a line are only marked as loaded."""
    return word if length(word) <= room or "[" not in word else f"{word.partition('[')[0]}[…]"


@lru_cache(maxsize=8)
def gate(side_px: int, style: Style) -> Image.Image:
    """An arch."""
    scale = 4
    side = side_px * scale
    picture = Image.new("RGBA", (side, side), (*style.colours["ink"], 0))
    draw = ImageDraw.Draw(picture)
    for inset, fill in ((0.0, style.colours["ink"]), (0.10, style.colours["halo"]), (0.26, style.colours["ink"])):
        left, right, top = side * (0.06 + inset), side * (0.94 - inset), side * (0.04 + inset)
        draw.pieslice((left, top, right, top + (right - left)), 180, 360, fill=fill)
        draw.rectangle(
            (left, top + (right - left) / 2, right, side * (0.96 - (inset if inset < 0.2 else 0))), fill=fill
        )
    return picture.reduce(scale)
