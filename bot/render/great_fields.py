"""Draws a scene of hexes made of hexes: the realm by its great fields, or one great field by its 48 cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.render import arrows, glyphs
from bot.render.camera import MOST_SHAPE
from bot.render.fog import PALE, fog_mask, lay
from bot.render.knotwork import framed
from bot.render.land import Plot, Relief, body_of_ground, ground_colour, land, polygons, sign_of_ground
from bot.render.panels import key_size
from bot.render.panels import sheet as whole_sheet
from bot.render.signs import swords
from bot.render.style import Colour, PowerStyle, Style, font, load_style, mixed, printable, readable_on
from bot.render.tile_canvas import Sight, TileCanvas, put, write
from bot.render.woodcuts import GOLD, woodcut
from engine.core.variant import load_phrases
from engine.lattice.great_fields import CELL, CELLS, Side, inner_neighbours, side_between
from engine.lattice.hexes import CORNER
from engine.lattice.tiling import Box, Point, TileId
from engine.pictures.cells import UNSEEN, Cells
from engine.pictures.legend import ArrowStatus
from engine.pictures.tiles import KeyRow, March, Shown, Tile, TileScene

REALM_PX, OPENED_PX = 1_000_000, 900_000
"""How many pixels a picture of a realm and one of a great field have, at most."""
FIELD_PX = range(8, 261)
"""How far the middles of great fields are apart on the picture of a realm."""
CLEAR_PX, FINE_PX = 40, 90
"""From this size on a field shows what stands on it and who is there; from the second on its words too."""
_BESIDE, _RIM = 0.5, 0.06
"""How much is shown around a realm, and around known fields beside it, in great fields."""
_MOST_OF_REALM = 14
"""Great fields across: of a larger realm a part is shown."""
_SCOUTED = 3
"""How far scouts look."""
_LEAST_SHAPE = 1.2
"""Width over height: less than elsewhere, since phones show a broad picture small."""
_AROUND_OPENED = 0.5 + 1.3 * CELL
"""How much of an opened field's neighbourhood is shown, from its middle to the sides."""
CENTRES = ("F", "Mkt", "Std", "Phstd", "Hstd")
MOST_TROOPS = 3
"""Plates on a field."""


def draw_great_fields(scene: TileScene, *, with_key: bool = False) -> tuple[Image.Image, tuple[Colour, ...]]:
    """The picture, and the colours that must stay as they are.

    Args:
        with_key: the sheet with a legend and a key besides, not the board alone.
    """
    style = load_style(scene.system, scene.variant)
    canvas = _canvas(scene, style)
    opened = None if scene.opened is None else scene.tiles.get(scene.opened)
    picture, fog = _ground(canvas)
    if opened is not None and opened.cells is not None:
        _draw_opened(picture, canvas, opened, opened.cells)
    else:
        _draw_realm(picture, canvas, fog)
    if with_key:
        key = [(_key_sign(row, canvas), load_phrases(scene.system).render(row.what)) for row in _in_sight(canvas)]
        result = whole_sheet(picture, _of_those_in_sight(canvas), style, canvas.powers, key)
    else:
        result = framed(_with_strips(picture, canvas), style)
    meaningful = [glyphs.LIGHT, glyphs.DARK, GOLD, *style.colours.values()]
    meaningful += [power.colour for power in canvas.powers.values()]
    meaningful += [ground_colour(ground, style) for ground in scene.grounds.values()]
    return result, tuple(dict.fromkeys(meaningful))[:200]


# --- What is in sight -----------------------------------------------------------------------------------------


def _canvas(scene: TileScene, style: Style) -> TileCanvas:
    powers = {}
    for place, power in enumerate(scene.powers):
        colour, hatch = style.power(power.id, place)
        ink = mixed(colour, style.colours["paper"], 0.62)
        powers[str(power.id)] = PowerStyle(colour, hatch, power.letter, power.name, ink)
    sight = _sight(scene)
    return TileCanvas(scene, style, powers, sight, {at: sight.polygon(at) for at in scene.board.within(sight.box)})


def _sight(scene: TileScene) -> Sight:
    box, sizes, room = _box(scene), FIELD_PX, REALM_PX
    if scene.opened is not None:
        sizes, room = range(1, 2000), OPENED_PX
    left, top, right, bottom = box
    side = int((room / ((right - left) * (bottom - top))) ** 0.5)
    return Sight(scene.board, box, min(max(side, sizes[0]), sizes[-1]))


_MOST_SPAN = 150
"""Great fields across a picture; of a larger world the middle is shown."""


def _box(scene: TileScene) -> Box:
    """The part of the board that is shown, wider than high where that costs no room."""
    if scene.opened is not None:
        x, y = scene.board.middle(scene.opened)
        across = CORNER + 0.55 * CELL
        return x - across, y - _AROUND_OPENED, x + across, y + _AROUND_OPENED
    left, top, right, bottom = _bounds(scene, _shown(scene), _BESIDE)
    if scene.lit is not None and scene.focus and max(right - left, bottom - top) > _MOST_OF_REALM:
        # Of a realm all over the world what matters is where something is done, or its capital.
        acts = [at for march in scene.marches if march.power == scene.lit for at in march.way]
        capital = [at for at in scene.focus if "capital" in scene.tiles[at].signs or scene.tiles[at].owner == scene.lit]
        left, top, right, bottom = _bounds(scene, acts or capital[:1] or scene.focus[:1], 2 * _BESIDE)
    high = min(max(bottom - top, (right - left) / MOST_SHAPE), _MOST_SPAN)
    wide = min(max(right - left, high * _LEAST_SHAPE), _MOST_SPAN)
    x, y = (left + right) / 2, (top + bottom) / 2
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def _shown(scene: TileScene) -> Sequence[TileId]:
    """What has to be in sight: the fields that the picture is about, else all that are known and where orders lead."""
    known = [at for at in scene.tiles if not scene.is_unknown(at)]
    return scene.focus or (*known, *(at for march in scene.marches for at in march.way))


def _bounds(scene: TileScene, tiles: Sequence[TileId], beside: float) -> Box:
    """Some fields with so much around those that are known, and what is worth seeing near them."""
    rim = beside if scene.focus else _RIM
    reaches = [_reach(scene, at, _RIM if scene.is_unknown(at) else rim) for at in tiles or [(0, 0)]]
    reaches += [_reach(scene, at, _RIM) for at in (_near(scene, tiles) if scene.focus else ())]
    lefts, tops, rights, bottoms = zip(*reaches, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _near(scene: TileScene, tiles: Sequence[TileId]) -> set[TileId]:
    """The known fields beside some, and those seen now that are not far."""
    found: set[TileId] = set()
    reached = set(tiles)
    for step in range(_SCOUTED):
        reached |= {there for at in reached for there in scene.board.neighbours(at)}
        for at in reached:
            tile = scene.tiles.get(at)
            if tile is not None and tile.cells is not None and (step == 0 or not tile.is_remembered):
                found.add(at)
    return found


def _reach(scene: TileScene, at: TileId, beside: float) -> Box:
    """A field and so much around it."""
    x, y = scene.board.middle(at)
    return x - CORNER - beside, y - 0.5 - beside, x + CORNER + beside, y + 0.5 + beside


def _relief(canvas: TileCanvas) -> Relief:
    plots = tuple(
        Plot(at, tile.cells.grounds, tile.cells.edges, tile.cells.flow)
        for at, tile in canvas.tiles()
        if tile.cells is not None
    )
    grounds = tuple(sorted(canvas.scene.grounds.items()))
    if canvas.scene.opened is not None:  # The numbers of the cells stand below what grows there.
        return Relief(canvas.sight, plots, grounds, canvas.style, plant=0.72, lift=0.68)
    return Relief(canvas.sight, plots, grounds, canvas.style)


# --- The ground: land, realms, what is remembered, fog --------------------------------------------------------


def _ground(canvas: TileCanvas) -> tuple[Image.Image, Image.Image]:
    """The land with all that lies flat on it, and where fog is."""
    relief, style = _relief(canvas), canvas.style
    if not relief.plots:
        return Image.new("RGB", canvas.size, style.colours["fog"]), Image.new("L", canvas.size, 255)
    picture = land(relief).copy()
    for power, areas in _areas(canvas).items():
        _tint(picture, canvas, canvas.powers[power], areas)
    soft = canvas.side * (0.034 if canvas.scene.opened is None else CELL * 0.12)
    clear = {at: tile.cells.grounds for at, tile in canvas.tiles() if tile.cells and not tile.is_remembered}
    pale = {at: tile.cells.grounds for at, tile in canvas.tiles() if tile.cells and tile.is_remembered}
    if pale:
        faded = fog_mask(canvas.size, polygons(relief, clear), soft)
        lay(picture, faded, style.colours["fog"], strength=PALE)
    fog = fog_mask(canvas.size, polygons(relief, clear | pale), soft)
    lay(picture, fog, style.colours["fog"])
    return picture, fog


def _areas(canvas: TileCanvas) -> dict[str, list[list[Point]]]:
    """The land of each power, as polygons: whole fields, or the cells of their parts."""
    relief = _relief(canvas)
    found: dict[str, list[list[Point]]] = {}
    for at, tile in canvas.tiles():
        if tile.cells is None:
            continue
        for part in tile.cells.parts:
            if part.owner is None:
                continue
            if relief.is_coarse or (not part.label and canvas.scene.opened is None):
                areas = [canvas.sight.corners(at)]
            else:
                areas = [
                    relief.corners(at, cell) for cell in (sorted(part.cells) if part.label else range(1, CELLS + 1))
                ]
            found.setdefault(part.owner, []).extend(areas)
    return found


_TINT, _HATCH, _BAND = 0.13, 0.24, 0.085
_FAINT = 0.55
"""How strong both are on an opened field, against that."""


def _tint(picture: Image.Image, canvas: TileCanvas, power: PowerStyle, areas: Sequence[Sequence[Point]]) -> None:
    """A power's land: a breath of its colour, and along its border a band of it, hatched in its pattern."""
    xs, ys = [x for area in areas for x, _ in area], [y for area in areas for _, y in area]
    band = max(canvas.side * _BAND, 3.0) if canvas.scene.opened is None else canvas.side * CELL * 0.20
    margin = math.ceil(band) + 2
    left, top = max(math.floor(min(xs)) - margin, 0), max(math.floor(min(ys)) - margin, 0)
    right = min(math.ceil(max(xs)) + margin, picture.width)
    bottom = min(math.ceil(max(ys)) + margin, picture.height)
    if right <= left or bottom <= top:
        return
    size = right - left, bottom - top
    # Drawn with room around, so that a border at the rim of the picture is none.
    small = Image.new("L", (size[0] // 2 + 1, size[1] // 2 + 1))
    draw = ImageDraw.Draw(small)
    for area in areas:
        draw.polygon([((x - left) / 2, (y - top) / 2) for x, y in area], fill=255)
    inner = small.filter(ImageFilter.GaussianBlur(band / 3))
    edge = ImageChops.multiply(inner.point([255 if value < 226 else 0 for value in range(256)]), small)
    area_mask, edge_mask = (each.resize(size, Image.Resampling.BILINEAR) for each in (small, edge))
    pattern = glyphs.hatching(power.hatch, size)
    share = 1.0 if canvas.scene.opened is None else _FAINT
    faint = area_mask.point([round(value * _TINT * share) for value in range(256)])
    hatched = ImageChops.multiply(area_mask, pattern).point([round(value * _HATCH * share) for value in range(256)])
    strong = edge_mask.point([round(value * 0.86) for value in range(256)])
    colour = Image.new("RGB", size, power.colour)
    dark = Image.new("RGB", size, mixed(glyphs.DARK, power.colour, 0.55))
    picture.paste(colour, (left, top), ImageChops.lighter(ImageChops.lighter(faint, hatched), strong))
    in_band = ImageChops.multiply(edge_mask, pattern).point([round(value * 0.6) for value in range(256)])
    picture.paste(dark, (left, top), in_band)


# --- The realm ------------------------------------------------------------------------------------------------


def _draw_realm(picture: Image.Image, canvas: TileCanvas, fog: Image.Image) -> None:
    if canvas.side < CLEAR_PX:
        _coarse_signs(picture, canvas)
        return
    _outlines(picture, canvas)
    _ornaments(picture, canvas, fog)
    for at, tile in canvas.tiles():
        _on_field(picture, canvas, at, tile)
    _ways(picture, canvas)


_ORNAMENTS = (("compass", 0.74), ("serpent", 1.15))
"""What stands in corners where nothing is known, and how large, in great fields."""


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
    """Of fields too small for words: that somebody is there, and the capital."""
    for at, tile in canvas.tiles():
        for troops in tile.troops[:1]:
            disc = glyphs.numeral(
                "", canvas.powers[troops.power].colour, canvas.side * 0.14, canvas.style.fonts["strong"]
            )
            put(picture, disc, canvas.middle(at))


def _outlines(picture: Image.Image, canvas: TileCanvas) -> None:
    """Thin lines between known fields, dots about those of which only the name is known."""
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


def _on_field(picture: Image.Image, canvas: TileCanvas, at: TileId, tile: Tile) -> None:
    """What is said and shown on a field: its coordinates, its trade centre and name, who is there."""
    (x, y), side, style = canvas.middle(at), canvas.side, canvas.style
    is_fine = side >= FINE_PX
    if not (side * 0.3 < x < picture.width - side * 0.3 and side * 0.1 < y < picture.height - side * 0.1):
        return  # too little of it is in sight
    if canvas.scene.is_unknown(at):
        if is_fine:
            write(picture, style, (x, y), tile.tag, side * 0.14, face="label", ink="fog_ink")
        return
    cells = tile.cells
    centre = next((sign for sign in cells.signs if sign.kind in CENTRES), None) if cells is not None else None
    plates = _plates(canvas, tile)
    if centre is not None:
        size = round(side * (0.46 if plates else 0.52))
        icon = _stamp(style, centre.kind, size, is_site=centre.is_site)
        put(picture, icon, (x, y - side * (0.13 if plates else 0.03)))
    if "capital" in tile.signs:
        put(picture, _stamp(style, "crown", round(side * 0.17)), (x + side * 0.27, y - side * 0.25))
    if "contested" in tile.signs:
        put(picture, _swords(side * 0.15), (x - side * 0.28, y - side * 0.2))
    if is_fine:
        write(picture, style, (x, y - side * 0.405), tile.tag, side * 0.15, face="label")
        if tile.name and not plates:
            _name(picture, canvas, tile.name, (x, y + side * 0.29))
    foot = y + side * 0.455
    for plate in reversed(plates):
        picture.paste(plate, (round(x - plate.width / 2), round(foot - plate.height)), plate)
        foot -= plate.height + side * 0.012
    if is_fine and tile.name and plates and foot - y > side * 0.17:
        _name(picture, canvas, tile.name, (x, foot - side * 0.06))


def _name(picture: Image.Image, canvas: TileCanvas, name: str, at: Point) -> None:
    """A trade centre's name; cut where it is longer than its field."""
    style, size = canvas.style, canvas.side * 0.125
    text = _cut(printable(name, style.fonts["sea"]), style.fonts["sea"], size, canvas.side * 0.86)
    write(picture, style, at, text, size, face="sea")


def _cut(text: str, file: str, size: float, room: float) -> str:
    face = font(file, size)
    if face.getlength(text) <= room:
        return text
    while text and face.getlength(text + "…") > room:
        text = text[:-1]
    return text.rstrip() + "…"


@lru_cache(maxsize=256)
def _stamp(style: Style, kind: str, side_px: int, *, is_site: bool = False) -> Image.Image:
    """A woodcut with light around it; of what does not stand there yet a pale one."""
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
        drawn.putalpha(drawn.getchannel("A").point([value * 8 // 10 for value in range(256)]))
    room.alpha_composite(drawn, (2 * reach, 2 * reach))
    return room


@lru_cache(maxsize=8)
def _swords(radius_px: float) -> Image.Image:
    return swords(None, "", radius_px, "")


# --- Who is there ---------------------------------------------------------------------------------------------


def _plates(canvas: TileCanvas, tile: Tile) -> list[Image.Image]:
    """A plate for each of the first stacks; the last one says how many more there are."""
    troops = list(tile.troops)
    file = canvas.style.fonts["strong"]
    if not troops:
        owner = canvas.powers[tile.owner] if tile.owner is not None else None
        return [_plate("", owner.letter, owner.colour, canvas.side, 1, file)] if owner is not None else []
    more = len(troops) - MOST_TROOPS
    shown = troops if more <= 0 else troops[: MOST_TROOPS - 1]
    lines = 2 if len(shown) == 1 and canvas.side >= FINE_PX else 1
    plates = []
    for each in shown:
        power = canvas.powers[each.power]
        text = each.text if canvas.side >= FINE_PX else ""
        plate = _plate(text, power.letter, power.colour, canvas.side, lines, file)
        plates.append(plate)
    if more > 0:
        plates.append(_plate(f"+{more + 1}", "", canvas.style.colours["halo"], canvas.side, 1, file))
    return plates


@lru_cache(maxsize=2048)
def _plate(text: str, letter: str, colour: Colour, side: int, lines: int, file: str) -> Image.Image:
    """A stack in as many lines, on a plate with its owner's colour and letter at the left."""
    scale = 3
    size = max(side * 0.135, 11.0) * scale
    room = side * 0.81 * scale
    face = font(file, size)
    tab = max(face.getlength(letter) + size * 0.36, size * 0.86) if letter else size * 0.3
    rows = _rows(text, face.getlength, room - tab - size * 0.5, lines)
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


def _rows(text: str, length: Callable[[str], float], room: float, most: int) -> list[str]:
    """The words in at most so many lines; what has no room is counted: `14L 7B +2`."""
    words, rows = text.split(), [""]
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


# --- Orders ---------------------------------------------------------------------------------------------------

_BEGIN, _END = 0.46, 0.79
"""From where to where a step between two fields is drawn, so that what stands in them stays in sight."""


def _ways(picture: Image.Image, canvas: TileCanvas) -> None:
    """The orders that lead somewhere: dashes for scouts, a broad line for entries, a slim one for moves."""
    pen = arrows.Pen(picture)
    taken: dict[tuple[TileId, TileId], int] = {}
    for march in sorted(canvas.marches(), key=lambda way: way.status is not ArrowStatus.FAILED):
        ends = min(march.way[0], march.way[-1]), max(march.way[0], march.way[-1])
        lane = taken[ends] = taken.get(ends, -1) + 1
        _way(picture, pen, canvas, march, (lane + 1) // 2 * (-1 if lane % 2 else 1))


def _way(picture: Image.Image, pen: arrows.Pen, canvas: TileCanvas, march: March, lane: int) -> None:
    side, style = canvas.side, canvas.style
    points = _course(canvas, march.way, lane)
    line = arrows.path(arrows.rounded(points, side * 0.3) if len(points) > 2 else points)
    line = line.part(side * _BEGIN, line.length - side * (1 - _END))
    has_failed = march.status is ArrowStatus.FAILED
    colour = canvas.powers[march.power].colour
    width = max(side * _WIDTHS.get(march.manner, 0.04), 2.4)
    rim, core = (style.colours["failed"], glyphs.LIGHT) if has_failed else (glyphs.DARK, colour)
    layers = [(width * 1.9, glyphs.LIGHT), (width * 1.5, rim), (width * 0.85, core)]
    parts = None
    if march.manner == "explore":
        parts = arrows.dashes(line.part(0, line.length - width * 2.6), width * 1.6, width * 1.9)
    pen.arrow(line, layers, head_px=width * 3.4, parts=parts)
    if march.label and side >= FINE_PX:
        (x, y), (to_x, to_y) = points[:2]
        far = (-1 if to_x < x else 1) * side * _ASIDE / (math.dist((x, y), (to_x, to_y)) or 1.0)
        mark_x, mark_y = line.at(side * (_CROSSING - _BEGIN))
        plate = _label(march.label, side, style.fonts["strong"])
        put(picture, plate, (mark_x + (to_y - y) * far, mark_y - (to_x - x) * far))
    if has_failed:
        put(picture, glyphs.badge("cross", style.colours["failed"], side * 0.075), line.at(line.length * 0.72))


_CROSSING, _ASIDE = 0.60, 0.115
"""Where the number of an order stands: beyond the border that it crosses first, and so far above its line."""
_BESIDE_WORDS = 0.245
_WIDTHS = {"explore": 0.034, "enter": 0.044, "move": 0.030}


@lru_cache(maxsize=128)
def _label(text: str, side: int, file: str) -> Image.Image:
    if len(text) == 1:
        return glyphs.numeral(text, glyphs.LIGHT, side * 0.072, file)
    return glyphs.label_plate(text, side * 0.115, file)


def _course(canvas: TileCanvas, way: Sequence[TileId], lane: int) -> list[Point]:
    """The way's points; ways between the same two fields run side by side."""
    points = [canvas.middle(at) for at in way]
    if all(at[0] == way[0][0] for at in way):  # Due north or south: beside the words that stand there.
        points = [(x + canvas.side * _BESIDE_WORDS, y) for x, y in points]
    (x, y), (to_x, to_y) = points[0], points[-1]
    if way[0] > way[-1]:  # The same side whichever way it leads.
        x, y, to_x, to_y = to_x, to_y, x, y
    far = math.dist((x, y), (to_x, to_y)) or 1.0
    aside = lane * canvas.side * 0.15 / far
    return [(px - (to_y - y) * aside, py + (to_x - x) * aside) for px, py in points]


# --- One great field by its cells -----------------------------------------------------------------------------


def _draw_opened(picture: Image.Image, canvas: TileCanvas, tile: Tile, cells: Cells) -> None:
    at = canvas.scene.opened
    assert at is not None
    relief = _relief(canvas)
    cell_px = relief.cell_px
    _mesh(picture, canvas, relief, at, cells)
    _edges(picture, canvas, relief, at, cells)
    for sign in cells.signs:
        _sign_on_cell(picture, canvas, relief.middle(at, sign.cell), sign.kind, cell_px, is_site=sign.is_site)
    for cell in range(1, CELLS + 1):
        x, y = relief.middle(at, cell)
        is_unseen = cells.grounds[cell - 1] == UNSEEN
        ink = "fog_ink" if is_unseen else "ink"
        foot = cell_px * (0.0 if is_unseen else 0.30)
        write(picture, canvas.style, (x, y + foot), f"{cell}", cell_px * 0.26, face="label", ink=ink)
    _neighbours(picture, canvas, at)
    _who(picture, canvas, tile)


def _mesh(picture: Image.Image, canvas: TileCanvas, relief: Relief, at: TileId, cells: Cells) -> None:
    """Thin lines between cells, strong ones about the field and its parts."""
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


def _edges(picture: Image.Image, canvas: TileCanvas, relief: Relief, at: TileId, cells: Cells) -> None:
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
            put(picture, _gate(round(cell_px * 0.26), canvas.style), middle)


@lru_cache(maxsize=8)
def _gate(side_px: int, style: Style) -> Image.Image:
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


def _sign_on_cell(
    picture: Image.Image, canvas: TileCanvas, at: Point, kind: str, cell_px: float, *, is_site: bool
) -> None:
    size = round(cell_px * (0.84 if kind in CENTRES else 0.64))
    shift = -0.14 if kind in CENTRES else -0.18
    put(picture, _stamp(canvas.style, kind, size, is_site=is_site), (at[0], at[1] + shift * cell_px))


def _neighbours(picture: Image.Image, canvas: TileCanvas, at: TileId) -> None:
    """The coordinates of the fields around, each beyond the side it lies at."""
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
        plate = _plate(troops.text, power.letter, power.colour, round(size), 3, canvas.style.fonts["strong"])
        x = left if column == 0 else picture.width - left - plate.width
        picture.paste(plate, (round(x), round(foot - plate.height)), plate)
        column = 1 - column
        if column == 0:
            foot -= plate.height + size * 0.04


# --- Around the map -------------------------------------------------------------------------------------------

_STRIP = 1.2
"""How high the strip of the title is, in sizes of its letters."""


def _with_strips(picture: Image.Image, canvas: TileCanvas) -> Image.Image:
    """The title above, and below who is who of those in sight."""
    style, scene = canvas.style, canvas.scene
    head = round(style.sizes["title"] * _STRIP)
    names = _names(canvas, picture.width - 24)
    foot = names.height + 8 if names is not None else 0
    result = Image.new("RGB", (picture.width, picture.height + head + foot), style.colours["band"])
    result.paste(picture, (0, head))
    draw = ImageDraw.Draw(result)
    words = load_phrases(scene.system)
    title, caption = words.render(scene.title), "" if scene.caption is None else words.render(scene.caption)
    opened = scene.tiles.get(scene.opened) if scene.opened is not None else None
    left: float = 14.0
    if opened is not None:
        title, caption = opened.name, caption or title
        face = font(style.fonts["label"], style.sizes["title"])
        draw.text((left, head * 0.5), opened.tag, font=face, fill=style.colours["ink"], anchor="lm")
        left += face.getlength(f"{opened.tag} ")
    file, size = style.fonts["title"], style.sizes["title"]
    room = picture.width - 28.0
    text = _cut(printable(title, file), file, size, room * 0.72)
    draw.text((left, head * 0.50), text, font=font(file, size), fill=style.colours["ink"], anchor="lm")
    room -= left + font(file, size).getlength(text) + size * 0.6
    if caption and room > style.sizes["caption"] * 4:
        small = style.fonts["text"], style.sizes["caption"]
        caption = _cut(printable(caption, small[0]), *small, room)
        at = picture.width - 14, head * 0.54
        draw.text(at, caption, font=font(*small), fill=style.colours["faint_ink"], anchor="rm")
    rule = style.colours["frame"]
    draw.line(((0, head - 1), (picture.width, head - 1)), fill=rule, width=3)
    if names is not None:
        draw.line(((0, head + picture.height), (picture.width, head + picture.height)), fill=rule, width=3)
        result.paste(names, (12, head + picture.height + 6), names)
    return result


def _names(canvas: TileCanvas, room: int) -> Image.Image | None:
    """Each ruler in sight, by letter and name, in a line; those without room are counted."""
    style = canvas.style
    size = style.sizes["legend"]
    face = font(style.fonts["strong"], size)
    shown = [canvas.powers[power.id] for power in canvas.scene.powers if power.id in _present(canvas)]
    if not shown:
        return None
    strip = Image.new("RGBA", (room, round(size * 1.3)), (*style.colours["band"], 0))
    draw = ImageDraw.Draw(strip)
    x = 0.0
    for number, power in enumerate(shown):
        plate = _plate("", power.letter, power.colour, round(size * 6.6), 1, style.fonts["strong"])
        rest = f"+{len(shown) - number}"
        needed = plate.width + size * 0.3 + face.getlength(power.name)
        if x + needed + (0 if number == len(shown) - 1 else face.getlength(rest) + size) > room:
            draw.text((x, strip.height / 2), rest, font=face, fill=style.colours["ink"], anchor="lm")
            break
        strip.paste(plate, (round(x), round((strip.height - plate.height) / 2)), plate)
        x += plate.width + size * 0.3
        draw.text((x, strip.height / 2), power.name, font=face, fill=style.colours["ink"], anchor="lm")
        x += face.getlength(power.name) + size * 0.9
    return strip


def _present(canvas: TileCanvas) -> set[str]:
    """The powers that are to be seen."""
    seen: set[str] = {march.power for march in canvas.marches()}
    tiles = (
        canvas.tiles()
        if canvas.scene.opened is None
        else [(canvas.scene.opened, canvas.scene.tiles[canvas.scene.opened])]
    )
    for _, tile in tiles:
        seen |= {troops.power for troops in tile.troops}
        seen |= {part.owner for part in (tile.cells.parts if tile.cells else ()) if part.owner is not None}
    return seen


def _of_those_in_sight(canvas: TileCanvas) -> TileScene:
    """The scene with those rulers in its legend whom the picture shows, and the viewer."""
    seen = {canvas.scene.viewer, *_present(canvas)}
    return replace(canvas.scene, legend=tuple(row for row in canvas.scene.legend if row.power in seen))


# --- The key --------------------------------------------------------------------------------------------------


def _in_sight(canvas: TileCanvas) -> Iterator[KeyRow]:
    """What the key has to explain: the signs that are on the picture."""
    opened = canvas.scene.opened
    seen: set[tuple[Shown, str]] = set()
    for at, tile in canvas.tiles():
        if opened is not None and at != opened:
            continue
        if canvas.scene.is_unknown(at):
            seen.add((Shown.SIGN, "fog"))
        seen |= {(Shown.SIGN, sign) for sign in tile.signs}
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


_ON_LAND = frozenset({"river", "ascent"})
"""Lines that the picture of a realm has too."""


def _key_sign(row: KeyRow, canvas: TileCanvas) -> Image.Image:
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
        return _stamp(style, kind, size, is_site=row.sign == "site")
    elif row.sign == "capital":
        return _stamp(style, "crown", size)
    elif row.sign == "contested":
        return _swords(size * 0.5)
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
    """A short stretch of what lies along the side of a cell."""
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
        put(swatch, _gate(round(height * 0.7), style), (width / 2, middle))
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
