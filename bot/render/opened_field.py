"""One great field by its 48 cells: their numbers, what is on them and along their sides, and who is there."""

from __future__ import annotations

from PIL import Image, ImageDraw

from bot.render import arrows, glyphs
from bot.render.field_sight import relief_of
from bot.render.field_words import CENTRES, gate, stack_plate, stamp
from bot.render.fog import lay
from bot.render.glyphs import put
from bot.render.land import Relief
from bot.render.tile_canvas import TileCanvas, write
from engine.lattice.great_fields import CELL, CELLS, Side, inner_neighbours, side_between
from engine.lattice.tiling import Point, TileId
from engine.pictures.cells import UNSEEN, Cells
from engine.pictures.tiles import Tile


def draw_opened(picture: Image.Image, canvas: TileCanvas, tile: Tile, cells: Cells) -> None:
    """Draw the field that the scene has opened; `tile` and `cells` are its own."""
    at = canvas.scene.opened
    assert at is not None
    relief = relief_of(canvas)
    cell_px = relief.cell_px
    _mesh(picture, canvas, relief, at, cells)
    draw_edges(picture, canvas, relief, at, cells)
    for sign in cells.signs:
        draw_sign(picture, canvas, relief.middle(at, sign.cell), sign.kind, cell_px, is_site=sign.is_site)
    for cell in range(1, CELLS + 1):
        x, y = relief.middle(at, cell)
        is_unseen = cells.grounds[cell - 1] == UNSEEN
        ink = "fog_ink" if is_unseen else "ink"
        foot = cell_px * (0.0 if is_unseen else 0.30)
        write(picture, canvas.style, (x, y + foot), f"{cell}", cell_px * 0.26, face="label", ink=ink)
    _neighbours(picture, canvas, at)
    _who(picture, canvas, tile)


def _mesh(picture: Image.Image, canvas: TileCanvas, relief: Relief, at: TileId, cells: Cells) -> None:
    """Thin lines between cells, strong ones around the field and its parts."""
    size = picture.width * 2, picture.height * 2
    thin, strong = Image.new("L", size), Image.new("L", size)
    draw_thin, draw_strong = ImageDraw.Draw(thin), ImageDraw.Draw(strong)
    part_of = {cell: part.label for part in cells.parts for cell in part.cells}
    inner = max(2, round(relief.cell_px * 0.016 * 2))
    outer = max(3, round(relief.cell_px * 0.055 * 2))
    for cell in range(1, CELLS + 1):
        corners = [(x * 2, y * 2) for x, y in relief.corners(at, cell)]
        beside = {side_between(cell, other): other for other in inner_neighbours(cell)}
        for side in Side:
            line = corners[side], corners[(side + 1) % 6]
            other = beside.get(side)
            if other is None:
                draw_strong.line(line, fill=255, width=outer)
            elif other > cell:
                is_parting = cells.parts and len(cells.parts) > 1 and part_of.get(cell) != part_of.get(other)
                draw_thin.line(line, fill=255 if is_parting else 110, width=inner * 2 if is_parting else inner)
    lay(picture, thin.reduce(2), canvas.style.colours["coast"])
    lay(picture, strong.reduce(2), canvas.style.colours["ink"])


def draw_edges(picture: Image.Image, canvas: TileCanvas, relief: Relief, at: TileId, cells: Cells) -> None:
    """Walls, their gates, and bridges over rivers; rivers and ascents belong to the land."""
    pen, cell_px = arrows.Pen(picture), relief.cell_px
    order = {"wall": 0, "bridge": 1, "gate": 2}
    for edge in sorted((edge for edge in cells.edges if edge.kind in order), key=lambda edge: order[edge.kind]):
        corners = relief.corners(at, edge.cell)
        start, end = corners[edge.side], corners[(edge.side + 1) % 6]
        middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        if edge.kind == "wall":
            line = arrows.path([start, end])
            pen.lines([line], [(cell_px * 0.17, glyphs.DARK), (cell_px * 0.10, canvas.style.colours["halo"])])
            pen.lines(arrows.dashes(line, cell_px * 0.02, cell_px * 0.12), [(cell_px * 0.09, glyphs.DARK)])
        elif edge.kind == "bridge":
            x, y = relief.middle(at, edge.cell)
            across = (middle[0] - x) * 0.55, (middle[1] - y) * 0.55
            line = arrows.path(
                [(middle[0] - across[0], middle[1] - across[1]), (middle[0] + across[0], middle[1] + across[1])]
            )
            pen.lines([line], [(cell_px * 0.24, glyphs.DARK), (cell_px * 0.16, canvas.style.colours["knot"])])
        else:
            put(picture, gate(round(cell_px * 0.26), canvas.style), middle)


def draw_sign(picture: Image.Image, canvas: TileCanvas, at: Point, kind: str, cell_px: float, *, is_site: bool) -> None:
    """Draw the stamp of a work or trade centre on a cell; `is_site`: it is planned only."""
    size = round(cell_px * (0.84 if kind in CENTRES else 0.64))
    shift = -0.14 if kind in CENTRES else -0.18
    put(picture, stamp(canvas.style, kind, size, is_site=is_site), (at[0], at[1] + shift * cell_px))


def _neighbours(picture: Image.Image, canvas: TileCanvas, at: TileId) -> None:
    """The coordinates of the fields around, each beyond its side."""
    (x, y), side = canvas.middle(at), canvas.side
    for there in canvas.scene.board.neighbours(at):
        tile = canvas.scene.tiles.get(there)
        if tile is None or not tile.tag:
            continue
        to_x, to_y = canvas.middle(there)
        share = 0.59 if abs(to_x - x) < 1 else 0.61
        middle = x + (to_x - x) * share, y + (to_y - y) * share
        write(picture, canvas.style, middle, tile.tag, side * CELL * 0.30, face="label", ink="faint_ink")


def _who(picture: Image.Image, canvas: TileCanvas, tile: Tile) -> None:
    """Who is there, on plates in the free corners below."""
    size = canvas.side * CELL * 2.0
    left, foot = size * 0.06, picture.height - size * 0.06
    column = 0
    for troops in tile.troops[:4]:
        power = canvas.powers[troops.power]
        plate = stack_plate(troops.text, power.letter, power.colour, round(size), 3, canvas.style.fonts["strong"])
        x = left if column == 0 else picture.width - left - plate.width
        picture.paste(plate, (round(x), round(foot - plate.height)), plate)
        column = 1 - column
        if column == 0:
            foot -= plate.height + size * 0.04
