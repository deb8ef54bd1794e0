"""Draws a scene of hexes made of hexes: the realm by its great fields, or one great field by its 48 cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFilter

from bot.render import glyphs
from bot.render.field_frame import of_those_in_sight, with_strips
from bot.render.field_ground import ground_of
from bot.render.field_key import key_sign, rows_in_sight
from bot.render.field_sight import CLEAR_PX, FINE_PX, canvas_of
from bot.render.field_ways import box_of, draw_ways
from bot.render.field_words import CENTRES, crossed_swords, plates_of, stamp, words_on
from bot.render.fog import lay
from bot.render.glyphs import put
from bot.render.knotwork import framed
from bot.render.land import ground_colour
from bot.render.opened_field import draw_opened
from bot.render.panels import sheet as whole_sheet
from bot.render.style import Colour, Style, load_style
from bot.render.tile_canvas import TileCanvas, written
from bot.render.woodcuts import GOLD, woodcut
from engine.core.phrases import phrase
from engine.core.variant import load_phrases
from engine.lattice.tiling import Point, TileId
from engine.pictures.tiles import Tile, TileScene


def draw_great_fields(scene: TileScene, *, with_key: bool = False) -> tuple[Image.Image, tuple[Colour, ...]]:
    """The picture, and the colours that must stay as they are.

    Args:
        with_key: a sheet with legend and key, not the board alone.
    """
    style = load_style(scene.system, scene.variant)
    canvas = canvas_of(scene, style)
    opened = None if scene.opened is None else scene.tiles.get(scene.opened)
    picture, fog = ground_of(canvas)
    if opened is not None and opened.cells is not None:
        draw_opened(picture, canvas, opened, opened.cells)
    else:
        _draw_realm(picture, canvas, fog)
    if with_key:
        key = [(key_sign(row, canvas), load_phrases(scene.system).render(row.what)) for row in rows_in_sight(canvas)]
        shown = of_those_in_sight(canvas)
        if opened is not None:
            shown = replace(shown, title=phrase("message.title_of_tile", tag=opened.tag, title=scene.title))
        result = whole_sheet(picture, shown, style, canvas.powers, key)
    else:
        result = framed(with_strips(picture, canvas), style)
    meaningful = [glyphs.LIGHT, glyphs.DARK, GOLD, *style.colours.values()]
    meaningful += [power.colour for power in canvas.powers.values()]
    meaningful += [ground_colour(ground, style) for ground in scene.grounds.values()]
    return result, tuple(dict.fromkeys(meaningful))[:200]


# --- The realm ---------------------------------------------------------------------------------------------


def _draw_realm(picture: Image.Image, canvas: TileCanvas, fog: Image.Image) -> None:
    if canvas.side < CLEAR_PX:
        _coarse_signs(picture, canvas)
        return
    _outlines(picture, canvas)
    _ornaments(picture, canvas, fog)
    stacks: list[Written] = []
    words: list[Written] = []
    for at, tile in canvas.tiles():
        on_field = _on_field(picture, canvas, at, tile)
        stacks += on_field[0]
        words += on_field[1]
    _write(picture, stacks)
    signs = list(draw_ways(picture, canvas, [box_of(*each) for each in (*stacks, *words)]))
    _write(picture, (*words, *signs))


Written = tuple[Image.Image, Point]
"""A text and its middle."""


def _write(picture: Image.Image, texts: Iterable[Written]) -> None:
    for glyph, middle in texts:
        put(picture, glyph, middle)


_ORNAMENTS = (("compass", 0.74), ("serpent", 1.15))
"""Ornaments for corners where nothing is known, and their size in great fields."""


def _ornaments(picture: Image.Image, canvas: TileCanvas, fog: Image.Image) -> None:
    """A compass and a beast, each in a corner that is blank."""
    if canvas.side < FINE_PX:
        return
    style, corners = canvas.style, [(1, 1), (0, 1), (1, 0), (0, 0)]
    taken = {*canvas.scene.tiles, *(at for march in canvas.marches() for at in march.way)}
    places = [canvas.middle(at) for at in taken if at in canvas.polygons]
    for name, share in _ORNAMENTS:
        side = round(canvas.side * share)
        margin = round(canvas.side * 0.08)
        for corner in corners:
            left = margin if corner[0] == 0 else picture.width - margin - side
            top = margin if corner[1] == 0 else picture.height - margin - side
            box = left, top, left + side, top + side
            if fog.crop(box).getextrema() != (255, 255):
                continue
            if any(left - margin < x < left + side + margin and top < y < top + side for x, y in places):
                continue
            corners.remove(corner)
            picture.paste(style.colours["fog"], box, _patch(side))
            if name == "compass":
                put(picture, _compass(side, style), (left + side / 2, top + side / 2))
            else:
                beast = woodcut(name, 0, side, style.colours["fog_ink"], style.colours["fog"])
                if beast is not None:
                    picture.paste(beast, (left, top), beast)
            break


@lru_cache(maxsize=8)
def _compass(side_px: int, style: Style) -> Image.Image:
    return glyphs.compass(side_px * 0.36, style.colours["fog_ink"], style.colours["fog"], style.fonts["title"])


@lru_cache(maxsize=8)
def _patch(side_px: int) -> Image.Image:
    """A round spot with a soft edge, in which nothing else shows."""
    spot = Image.new("L", (side_px // 4, side_px // 4))
    ImageDraw.Draw(spot).ellipse((3, 3, side_px // 4 - 4, side_px // 4 - 4), fill=255)
    return spot.filter(ImageFilter.GaussianBlur(2)).resize((side_px, side_px), Image.Resampling.BILINEAR)


def _coarse_signs(picture: Image.Image, canvas: TileCanvas) -> None:
    """Signs on fields too small for texts: that somebody is there, and the capital."""
    for at, tile in canvas.tiles():
        for troops in tile.troops[:1]:
            disc = glyphs.numeral(
                "", canvas.powers[troops.power].colour, canvas.side * 0.14, canvas.style.fonts["strong"]
            )
            put(picture, disc, canvas.middle(at))


def _outlines(picture: Image.Image, canvas: TileCanvas) -> None:
    """Thin lines between known fields, dots around those of which only the name is known."""
    size = picture.width * 2, picture.height * 2
    mask = Image.new("L", size)
    draw = ImageDraw.Draw(mask)
    width = max(1, round(canvas.side * 0.009 * 2))
    for at, _ in canvas.tiles():
        corners = [(x * 2, y * 2) for x, y in canvas.sight.corners(at)]
        for side, there in enumerate(canvas.sight.board.neighbours(at)):
            if at > there and canvas.scene.tiles.get(there) is not None and not _is_dotted(canvas, at, there):
                continue
            start, end = corners[side], corners[(side + 1) % 6]
            if _is_dotted(canvas, at, there):
                for dot in range(9):
                    x, y = (a + (b - a) * (dot + 0.5) / 9 for a, b in zip(start, end, strict=True))
                    draw.ellipse((x - width, y - width, x + width, y + width), fill=110)
            else:
                draw.line((start, end), fill=150, width=width)
    lay(picture, mask.reduce(2), canvas.style.colours["ink"])


def _is_dotted(canvas: TileCanvas, at: TileId, there: TileId) -> bool:
    return canvas.scene.is_unknown(at) or canvas.scene.is_unknown(there)


def _on_field(
    picture: Image.Image, canvas: TileCanvas, at: TileId, tile: Tile
) -> tuple[Sequence[Written], Sequence[Written]]:
    """Draw what is on a field, such as its trade centre.

    Returns:
        The stacks there, over which orders are drawn, and its coordinates and name, which stay above them.
    """
    (x, y), side, style = canvas.middle(at), canvas.side, canvas.style
    is_fine = side >= FINE_PX
    if not (side * 0.3 < x < picture.width - side * 0.3 and side * 0.1 < y < picture.height - side * 0.1):
        return (), ()  # too little of it is in sight
    if canvas.scene.is_unknown(at):
        return (), [(written(style, tile.tag, side * 0.14, face="label", ink="fog_ink"), (x, y))] if is_fine else ()
    cells = tile.cells
    centre = next((sign for sign in cells.signs if sign.kind in CENTRES), None) if cells is not None else None
    plates = plates_of(canvas, tile)
    if centre is not None:
        size = round(side * (0.46 if plates else 0.52))
        icon = stamp(style, centre.kind, size, is_site=centre.is_site)
        put(picture, icon, (x, y - side * (0.13 if plates else 0.03)))
    if "capital" in tile.signs:
        put(picture, stamp(style, "crown", round(side * 0.17)), (x - side * 0.29, y - side * 0.30))
    if "ship" in tile.signs:
        put(picture, stamp(style, "ship", round(side * 0.19)), (x + side * 0.31, y + side * 0.02))
    if "king" in tile.signs:
        put(picture, stamp(style, "king", round(side * 0.19)), (x - side * 0.31, y + side * 0.02))
    if "temple" in tile.signs:
        put(picture, stamp(style, "temple", round(side * 0.16)), (x + side * 0.36, y - side * 0.11))
    if "portal" in tile.signs:
        put(picture, stamp(style, "portal", round(side * 0.16)), (x - side * 0.38, y - side * 0.11))
    if "treasure" in tile.signs:
        put(picture, stamp(style, "treasure", round(side * 0.16)), (x + side * 0.38, y + side * 0.16))
    if "contested" in tile.signs:
        aside = 0.28 if "capital" in tile.signs else -0.28
        put(picture, crossed_swords(side * 0.15), (x + side * aside, y - side * 0.2))
    words = list(words_on(canvas, at, tile, plates))
    return words[: len(plates)], words[len(plates) :]
