"""What the signs on a picture of great fields mean."""

from __future__ import annotations

from collections.abc import Iterator

from PIL import Image, ImageDraw

from bot.render import arrows, glyphs
from bot.render.field_words import CENTRES, crossed_swords, gate, stamp
from bot.render.fog import PALE
from bot.render.glyphs import put
from bot.render.land import body_of_ground, ground_colour, sign_of_ground
from bot.render.panels import key_size
from bot.render.style import mixed
from bot.render.tile_canvas import TileCanvas
from bot.render.woodcuts import woodcut
from engine.pictures.cells import UNSEEN
from engine.pictures.legend import ArrowStatus
from engine.pictures.tiles import KeyRow, Shown, Tile


def rows_in_sight(canvas: TileCanvas) -> Iterator[KeyRow]:
    """The rows of the key: the signs that are on the picture."""
    opened = canvas.scene.opened
    seen: set[tuple[Shown, str]] = set()
    for at, tile in canvas.tiles():
        if opened is not None and at != opened:
            continue
        if canvas.scene.is_unknown(at):
            seen.add((Shown.SIGN, "fog"))
        seen |= {(Shown.SIGN, sign) for sign in tile.signs if opened is None or sign not in _on_cells(tile)}
        if tile.is_remembered:
            seen.add((Shown.SIGN, "remembered"))
        if tile.cells is None:
            continue
        seen |= {(Shown.TERRAIN, letter) for letter in tile.cells.grounds}
        if UNSEEN in tile.cells.grounds:
            seen.add((Shown.SIGN, "fog"))
        signs = [sign for sign in tile.cells.signs if opened is not None or sign.kind in CENTRES]
        seen |= {(Shown.CELL, sign.kind) for sign in signs}
        seen |= {(Shown.CELL, "site") for sign in signs if sign.is_site}
        seen |= {(Shown.EDGE, edge.kind) for edge in tile.cells.edges if opened is not None or edge.kind in _ON_LAND}
        if tile.cells.flow:
            seen.add((Shown.EDGE, "flow"))
    if opened is None:
        seen |= {(Shown.WAY, march.manner) for march in canvas.marches()}
        if any(march.status is ArrowStatus.FAILED for march in canvas.marches()):
            seen.add((Shown.SIGN, "failed"))
    return (row for row in canvas.scene.key if (row.shown, row.sign) in seen)


def _on_cells(tile: Tile) -> set[str]:
    """The signs on a field's cells, which an opened field shows in their places."""
    return {sign.kind for sign in tile.cells.signs} if tile.cells is not None else set()


_ON_LAND = frozenset({"river", "ascent"})
"""Kinds of lines that the picture of a realm has too."""


def key_sign(row: KeyRow, canvas: TileCanvas) -> Image.Image:
    """A sign as the key shows it."""
    style = canvas.style
    size = round(key_size(style) * 1.6)
    swatch = Image.new("RGBA", (round(size * 1.2), size), style.soils["level_1"])
    middle = swatch.height / 2
    if row.shown is Shown.TERRAIN:
        ground = canvas.scene.grounds[row.letter]
        swatch = Image.new("RGBA", swatch.size, ground_colour(ground, style))
        drawn = woodcut(sign_of_ground(ground), 0, size, style.colours["ink"], body_of_ground(ground, style))
        if drawn is not None:
            swatch.alpha_composite(drawn, (round((swatch.width - size) / 2), 0))
    elif row.shown is Shown.CELL:
        kind = "Mkt" if row.sign == "site" else row.sign
        return stamp(style, kind, size, is_site=row.sign == "site")
    elif row.sign == "capital":
        return stamp(style, "crown", size)
    elif row.sign == "ship":
        return stamp(style, "ship", size)
    elif row.sign in ("king", "temple", "portal", "treasure"):
        return stamp(style, row.sign, size)
    elif row.sign == "contested":
        return crossed_swords(size * 0.5)
    elif row.sign == "failed":
        return glyphs.badge("cross", style.colours["failed"], size * 0.4)
    elif row.sign == "fog":
        swatch = Image.new("RGBA", swatch.size, style.colours["fog"])
    elif row.sign == "remembered":
        swatch = Image.new("RGBA", swatch.size, mixed(style.colours["fog"], style.soils["level_1"], PALE))
    elif row.shown is Shown.WAY:
        line = arrows.path([(2, middle), (swatch.width - 2, middle)])
        width = size * (0.15 if row.sign == "enter" else 0.09)
        parts = arrows.dashes(line.part(0, line.length - width * 2.6), width * 1.4, width * 1.7)
        layers = [(width * 1.5, glyphs.DARK), (width * 0.85, (150, 150, 150))]
        arrows.Pen(swatch).arrow(line, layers, head_px=width * 3.2, parts=parts if row.sign == "explore" else None)
    else:
        _edge_sample(swatch, row.sign, canvas)
    ImageDraw.Draw(swatch).rectangle((0, 0, swatch.width - 1, swatch.height - 1), outline=style.colours["coast"])
    return swatch


def _edge_sample(swatch: Image.Image, kind: str, canvas: TileCanvas) -> None:
    """A short stretch of what runs along the side of a cell."""
    style, (width, height) = canvas.style, swatch.size
    pen, middle = arrows.Pen(swatch), height / 2
    across = arrows.path([(1, middle), (width - 1, middle)])
    if kind in ("river", "bridge"):
        pen.lines([across], [(height * 0.22, style.colours["coast"]), (height * 0.13, style.colours["river"])])
    if kind == "bridge":
        down = arrows.path([(width / 2, height * 0.2), (width / 2, height * 0.8)])
        pen.lines([down], [(height * 0.26, glyphs.DARK), (height * 0.18, style.colours["knot"])])
    elif kind == "wall":
        pen.lines([across], [(height * 0.28, glyphs.DARK), (height * 0.18, style.colours["halo"])])
    elif kind == "gate":
        put(swatch, gate(round(height * 0.7), style), (width / 2, middle))
    elif kind == "ascent":
        for x in (0.34, 0.66):
            pen.lines(
                [arrows.path([(width * x, height * 0.15), (width * x, height * 0.85)])], [(2, style.colours["ink"])]
            )
        for y in (0.28, 0.5, 0.72):
            pen.lines(
                [arrows.path([(width * 0.34, height * y), (width * 0.66, height * y)])], [(2, style.colours["ink"])]
            )
    elif kind == "flow":
        swatch.paste(style.colours["sea"], (0, 0, width, height))
        for x in (0.42, 0.72):
            tip = width * x, middle
            tails = [(tip[0] - height * 0.3, middle - height * 0.26), (tip[0] - height * 0.3, middle + height * 0.26)]
            pen.lines([arrows.path([tip, tail]) for tail in tails], [(2, style.colours["ink"])])
