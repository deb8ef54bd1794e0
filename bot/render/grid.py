"""Draws a scene of squares: coast and terrain, land by its owner, troops, marches, and coordinates on the rim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.render import arrows, glyphs
from bot.render.ornaments import wavelets
from bot.render.panels import framed
from bot.render.style import Colour, PowerStyle, Style, font, load_style, mixed, readable_on
from bot.render.terrain import LOOKS, pictogram
from engine.core.grid_scene import Cell, GridScene, March, Square, Troops
from engine.core.scene import Status

WIDEST_PX = 2400
"""Of the whole map; its squares are as large as that allows, within bounds."""
SQUARE_PX = range(22, 111)
CLOSE_UP_PX = range(60, 161)
CLOSE_UP_WIDTH_PX = 1800
AROUND = 2
"""Squares shown around what a close-up is about."""
FINE_PX = 40
"""From this size on a square shows all it has; a smaller one only whose it is and that somebody is there."""

_NEIGHBOURS: tuple[tuple[int, int], ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))


@dataclass(frozen=True, slots=True)
class _Sheet:
    """What is drawn, and how large: columns and rows from `left`, `top` on."""

    scene: GridScene
    style: Style
    powers: Mapping[str, PowerStyle]
    left: int
    top: int
    columns: int
    rows: int
    side: int

    @property
    def size(self) -> tuple[int, int]:
        return self.columns * self.side, self.rows * self.side

    def corner(self, cell: Cell) -> tuple[int, int]:
        """The top left corner of a square, in pixels."""
        return (cell[0] - self.left) * self.side, (cell[1] - self.top) * self.side

    def middle(self, cell: Cell) -> tuple[float, float]:
        x, y = self.corner(cell)
        return x + self.side / 2, y + self.side / 2

    def squares(self) -> Iterator[tuple[Cell, Square]]:
        """The squares in sight, row by row."""
        for y in range(self.top, self.top + self.rows):
            for x in range(self.left, self.left + self.columns):
                square = self.scene.squares.get((x, y))
                if square is not None:
                    yield (x, y), square


def draw_grid(scene: GridScene) -> tuple[Image.Image, tuple[Colour, ...]]:
    """The picture of a scene of squares, and the colours that must stay as they are."""
    style = load_style(scene.system, scene.variant)
    sheet = _sheet(scene, style)
    picture = _ground(sheet)
    for cell, square in sheet.squares():
        _terrain(picture, sheet, cell, square)
    for cell, square in sheet.squares():
        _what_is_there(picture, sheet, cell, square)
    for march in scene.marches:
        _march(picture, sheet, march)
    picture = framed(_with_rim(picture, sheet), _with_those_in_sight(sheet), style, sheet.powers)
    meaningful = [glyphs.LIGHT, glyphs.DARK, *style.colours.values()]
    meaningful += [tint for power in sheet.powers.values() for tint in (power.colour, _land(power, style))]
    return picture, tuple(dict.fromkeys(meaningful))[:200]


def _with_those_in_sight(sheet: _Sheet) -> GridScene:
    """The scene; of a close-up the legend tells of the viewer and of whoever is to be seen."""
    scene = sheet.scene
    if not scene.focus:
        return scene
    seen = {scene.viewer, *(march.power for march in scene.marches)}
    for _, square in sheet.squares():
        seen |= {square.owner, square.home_of, *(troops.power for troops in square.troops)}
    return replace(scene, legend=tuple(row for row in scene.legend if row.power in seen))


def _sheet(scene: GridScene, style: Style) -> _Sheet:
    powers = {}
    for place, power in enumerate(scene.powers):
        colour, hatch = style.power(power.id, place)
        ink = mixed(colour, style.colours["paper"], 0.62)
        powers[str(power.id)] = PowerStyle(colour, hatch, power.letter, power.name, ink)
    left, top, right, bottom = 0, 0, scene.size[0] - 1, scene.size[1] - 1
    sizes, room = SQUARE_PX, WIDEST_PX
    if scene.focus:
        columns, rows = zip(*scene.focus, strict=True)
        left, right = max(left, min(columns) - AROUND), min(right, max(columns) + AROUND)
        top, bottom = max(top, min(rows) - AROUND), min(bottom, max(rows) + AROUND)
        sizes, room = CLOSE_UP_PX, CLOSE_UP_WIDTH_PX
    wide, high = right - left + 1, bottom - top + 1
    side = min(max(room // max(wide, high), sizes[0]), sizes[-1])
    return _Sheet(scene, style, powers, left, top, wide, high, side)


# --- The ground ---------------------------------------------------------------------------------------------


def _ground(sheet: _Sheet) -> Image.Image:
    style = sheet.style
    water = bytes(
        0 if (square := sheet.scene.squares.get((x, y))) is not None and not square.is_water else 255
        for y in range(sheet.top, sheet.top + sheet.rows)
        for x in range(sheet.left, sheet.left + sheet.columns)
    )
    picture, land, coast = _sea_and_shore(water, (sheet.columns, sheet.rows), sheet.side, style)
    picture = picture.copy()
    soil = Image.new("RGB", sheet.size, style.colours["paper"])
    for cell, square in sheet.squares():
        if square.owner is not None and not square.is_water:
            soil.paste(_tile(sheet.powers[square.owner], sheet.side, style), sheet.corner(cell))
        elif square.terrain in style.soils:
            (x, y), last = sheet.corner(cell), sheet.side
            soil.paste(style.soils[square.terrain], (x, y, x + last, y + last))
    draw = ImageDraw.Draw(soil)
    for cell, square in sheet.squares():
        _borders(draw, sheet, cell, square)
    picture.paste(soil, (0, 0), land)
    _compass(picture, sheet)
    _grid(picture, sheet)
    picture.paste(style.colours["coast"], (0, 0), coast)
    for cell, square in sheet.squares():
        if square.owner is not None and square.is_water:
            inset = round(sheet.side * 0.08)
            (x, y), far = sheet.corner(cell), sheet.side - inset
            ring = (x + inset, y + inset, x + far, y + far)
            colour = sheet.powers[square.owner].colour
            ImageDraw.Draw(picture).rectangle(ring, outline=colour, width=max(2, sheet.side // 24))
    return picture


@lru_cache(maxsize=8)
def _sea_and_shore(
    water: bytes, size: tuple[int, int], side: int, style: Style
) -> tuple[Image.Image, Image.Image, Image.Image]:
    """The sea with its waves, the mask of the land, and the mask of the coast; the same for every turn of a game."""
    full = size[0] * side, size[1] * side
    half = max(full[0] // 2, 1), max(full[1] // 2, 1)
    cells = Image.frombytes("L", size, water)
    # The corners are rounded and the shore is frayed, always alike, so that land looks grown and not built.
    smooth = cells.resize(half, Image.Resampling.NEAREST).filter(ImageFilter.GaussianBlur(side * 0.10))
    smooth = ImageChops.add(smooth, _fraying(size, half), scale=1.0, offset=-64)
    steep = smooth.point([min(255, max(0, (118 - value) * 12 + 128)) for value in range(256)])
    land = steep.resize(full, Image.Resampling.BICUBIC)
    edge = smooth.point([max(0, 255 - abs(value - 118) * 10) for value in range(256)])
    coast = edge.resize(full, Image.Resampling.BICUBIC)
    depth = steep.filter(ImageFilter.GaussianBlur(side * 0.22)).resize(full, Image.Resampling.BILINEAR)
    shore = Image.new("RGB", full, style.colours["sea_shore"])
    picture = Image.composite(shore, Image.new("RGB", full, style.colours["sea"]), depth)
    waves = wavelets(ImageChops.invert(land), max(side * 0.62, 26))
    picture.paste(mixed(style.colours["sea_ink"], style.colours["sea"], 0.5), (0, 0), waves)
    return picture, land, coast


def _fraying(size: tuple[int, int], half: tuple[int, int]) -> Image.Image:
    chance = Random(2002)  # looks alone depend on it
    grain = size[0] * 4, size[1] * 4
    noise = Image.frombytes("L", grain, bytes(chance.randrange(28, 100) for _ in range(grain[0] * grain[1])))
    return noise.resize(half, Image.Resampling.BICUBIC)


def _land(power: PowerStyle, style: Style) -> Colour:
    return mixed(power.colour, style.colours["paper"], style.tint["inside"])


@lru_cache(maxsize=128)
def _tile(power: PowerStyle, side: int, style: Style) -> Image.Image:
    """A square of a power's land."""
    tile = Image.new("RGB", (side, side), _land(power, style))
    pattern = glyphs.hatching(power.hatch, (side, side)).point([round(value * 0.55) for value in range(256)])
    tile.paste(mixed(power.colour, style.colours["paper"], 0.62), (0, 0), pattern)
    return tile


def _borders(draw: ImageDraw.ImageDraw, sheet: _Sheet, cell: Cell, square: Square) -> None:
    """A band in the owner's colour, with a dark rim, where a square borders on another's."""
    if square.owner is None or square.is_water:
        return
    band, rim = max(2, round(sheet.side * 0.075)), max(1, round(sheet.side * 0.03))
    (left, top), last = sheet.corner(cell), sheet.side - 1
    colour = sheet.powers[square.owner].colour
    for dx, dy in _NEIGHBOURS:
        other = sheet.scene.squares.get((cell[0] + dx, cell[1] + dy))
        if other is not None and other.owner == square.owner:
            continue
        for width, fill in ((band, colour), (rim, mixed(glyphs.DARK, colour, 0.7))):
            box = {
                (0, -1): (left, top, left + last, top + width - 1),
                (1, 0): (left + last - width + 1, top, left + last, top + last),
                (0, 1): (left, top + last - width + 1, left + last, top + last),
                (-1, 0): (left, top, left + width - 1, top + last),
            }[dx, dy]
            draw.rectangle(box, fill=fill)


def _grid(picture: Image.Image, sheet: _Sheet) -> None:
    width, height = sheet.size
    lines = Image.new("L", sheet.size, 0)
    draw = ImageDraw.Draw(lines)
    for column in range(1, sheet.columns):
        draw.line([(column * sheet.side, 0), (column * sheet.side, height)], fill=105)
    for row in range(1, sheet.rows):
        draw.line([(0, row * sheet.side), (width, row * sheet.side)], fill=105)
    picture.paste(sheet.style.colours["faint_ink"], (0, 0), lines)


def _compass(picture: Image.Image, sheet: _Sheet) -> None:
    """A compass rose on the widest empty water, if there is any wide enough."""
    spans = _empty_waters(sheet)
    reach, (x, y) = max(spans.items(), key=lambda item: item[0], default=(0, (0, 0)))
    if reach < _COMPASS_SQUARES[0]:
        return
    span = min(reach, _COMPASS_SQUARES[-1])
    inset = (reach - span) / 2
    colours = sheet.style.colours
    radius = round(span * sheet.side * 0.34)
    rose = glyphs.compass(radius, colours["sea_ink"], colours["halo"], sheet.style.fonts["title"])
    left, top = sheet.corner((x, y))
    away = (inset + span / 2) * sheet.side
    _put(picture, rose, (left + away, top + away))


_COMPASS_SQUARES = range(4, 8)


def _empty_waters(sheet: _Sheet) -> dict[int, Cell]:
    """The first block of empty water of each size, by its side in squares: its north-western corner."""
    spans: dict[Cell, int] = {}
    found: dict[int, Cell] = {}
    for y in reversed(range(sheet.top, sheet.top + sheet.rows)):
        for x in reversed(range(sheet.left, sheet.left + sheet.columns)):
            if (x, y) in sheet.scene.squares and not _is_empty_water(sheet.scene.squares[x, y]):
                continue
            around = (spans.get((x + 1, y), 0), spans.get((x, y + 1), 0), spans.get((x + 1, y + 1), 0))
            spans[x, y] = 1 + min(around)
            found[spans[x, y]] = (x, y)
    return found


def _is_empty_water(square: Square) -> bool:
    return square.is_water and not (square.troops or square.signs or square.owner or square.name)


# --- What stands on it --------------------------------------------------------------------------------------


def _terrain(picture: Image.Image, sheet: _Sheet, cell: Cell, square: Square) -> None:
    if square.is_water and square.terrain == "sea":
        return
    look = (cell[0] * 7 + cell[1] * 13) % LOOKS
    body = mixed(sheet.style.colours["halo"], sheet.style.colours["paper"], 0.6)
    drawn = pictogram(square.terrain, look, sheet.side, sheet.style.colours["ink"], body)
    if drawn is None:
        _write(picture, sheet, sheet.middle(cell), square.letter, sheet.side * 0.42)
    else:
        picture.paste(drawn, sheet.corner(cell), drawn)


def _what_is_there(picture: Image.Image, sheet: _Sheet, cell: Cell, square: Square) -> None:
    left, top = sheet.corner(cell)
    side = sheet.side
    if side < FINE_PX:
        _coarse(picture, sheet, cell, square)
        return
    strong = sheet.style.fonts["strong"]
    if square.home_of is not None:
        power = sheet.powers[square.home_of]
        token = glyphs.unit_token("shield", power.colour, power.letter, side * 0.125, strong)
        _put(picture, token, (left + side * 0.17, top + side * 0.18))
    elif square.owner is not None:
        at = left + side * 0.15, top + side * 0.16
        _write(picture, sheet, at, sheet.powers[square.owner].letter, side * 0.20)
    if square.note:
        _write(picture, sheet, (left + side * 0.86, top + side * 0.15), square.note, side * 0.22, "sea")
    for place, sign in enumerate(square.signs):
        # What is ordered is told below the arrows that begin here.
        at = left + side * 0.85, top + side * (0.62 if sign == "ordered" else 0.36 + 0.2 * place)
        if sign == "battle":
            _put(picture, _swords(side * 0.24), (left + side * 0.5, top + side * 0.34))
        else:
            _write(picture, sheet, at, _SIGNS.get(sign, sign[:1]), side * 0.30, ink="failed")
    foot = top + side * 0.95
    for troops in reversed(square.troops):
        foot = _plate(picture, sheet, troops, (left + side / 2, foot))
    if square.name and not square.troops:
        _name(picture, sheet, square.name, (left + side / 2, top + side * 0.86))


_SIGNS = {"isolated": "!", "disloyal": "*", "ordered": "+"}


def _coarse(picture: Image.Image, sheet: _Sheet, cell: Cell, square: Square) -> None:
    x, y = sheet.middle(cell)
    radius = sheet.side * 0.2
    draw = ImageDraw.Draw(picture)
    for troops in square.troops[:1]:
        colour = sheet.powers[troops.power].colour
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour, outline=glyphs.DARK, width=2)
    if "battle" in square.signs:
        _put(picture, _swords(sheet.side * 0.45), (x, y))


def _plate(picture: Image.Image, sheet: _Sheet, troops: Troops, foot: tuple[float, float]) -> float:
    """Troops on a plate that stands on `foot`, its owner's colour on the left; gives where the next one stands."""
    power = sheet.powers[troops.power]
    plate = _troops_plate(troops.text, power.letter, power.colour, sheet.side, sheet.style.fonts["strong"])
    picture.paste(plate, (round(foot[0] - plate.width / 2), round(foot[1] - plate.height)), plate)
    return foot[1] - plate.height + sheet.side * 0.02


@lru_cache(maxsize=4096)
def _troops_plate(text: str, letter: str, colour: Colour, side: int, file: str) -> Image.Image:
    scale = 2
    room = side * 0.94 * scale
    size = side * 0.225 * scale
    tab = size * 0.95
    face = font(file, size)
    lines = _lines(text, file, size, room - tab - size * 0.4)
    while len(lines) > 2 and size > side * 0.15 * scale:
        size *= 0.9
        tab, face = size * 0.95, font(file, size)
        lines = _lines(text, file, size, room - tab - size * 0.4)
    width = round(tab + max(face.getlength(line) for line in lines) + size * 0.55)
    height = round(size * 1.06 * len(lines) + size * 0.22)
    plate = Image.new("RGBA", (width, height), (*glyphs.LIGHT, 0))
    draw = ImageDraw.Draw(plate)
    corner = size * 0.28
    draw.rounded_rectangle((0, 0, width - 1, height - 1), corner, fill=(*glyphs.LIGHT, 238))
    draw.rounded_rectangle((0, 0, tab, height - 1), corner, fill=(*colour, 255))
    draw.rounded_rectangle((0, 0, width - 1, height - 1), corner, outline=(*glyphs.DARK, 255), width=scale + 1)
    ink = readable_on(colour, glyphs.DARK, glyphs.LIGHT)
    draw.text((tab * 0.5, height / 2), letter, font=font(file, size * 0.9), fill=(*ink, 255), anchor="mm")
    for row, line in enumerate(lines):
        at = tab + size * 0.2, size * (0.62 + 1.06 * row)
        draw.text(at, line, font=face, fill=(*glyphs.DARK, 255), anchor="lm")
    return plate.convert("RGBa").reduce(scale).convert("RGBA")


def _lines(text: str, file: str, size: float, room: float) -> list[str]:
    face = font(file, size)
    lines: list[str] = []
    for word in text.split() or [""]:
        if lines and face.getlength(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _name(picture: Image.Image, sheet: _Sheet, name: str, at: tuple[float, float]) -> None:
    size = sheet.side * 0.2
    face = sheet.style.fonts["sea"]
    if font(face, size).getlength(name) <= sheet.side * 1.05:
        _write(picture, sheet, at, name, size, "sea")


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


def _march(picture: Image.Image, sheet: _Sheet, march: March) -> None:
    """A way from square to square, beside the middles so that what stands there stays legible."""
    if len(march.way) < 2:
        return
    lift = sheet.side * 0.12
    points = [(x, y - lift) for x, y in map(sheet.middle, march.way)]
    line = arrows.path(points)
    line = line.part(sheet.side * 0.18, line.length)
    has_failed = march.status is Status.FAILED
    colour = sheet.powers[march.power].colour
    rim = sheet.style.colours["failed"] if has_failed else glyphs.DARK
    width = max(sheet.side * 0.085, 3.0)
    layers = [(width * 1.9, glyphs.LIGHT), (width * 1.45, rim), (width * 0.9, glyphs.LIGHT if has_failed else colour)]
    pen = arrows.Pen(picture)
    pen.arrow(line, layers, head_px=width * 3.6)
    if has_failed:
        _put(picture, glyphs.badge("cross", rim, sheet.side * 0.13), line.points[-1])
    if march.label:
        plate = glyphs.label_plate(march.label, sheet.side * 0.18, sheet.style.fonts["strong"])
        _put(picture, plate, line.at(min(sheet.side * 0.5, line.length / 2)))


# --- The rim ------------------------------------------------------------------------------------------------


def _with_rim(picture: Image.Image, sheet: _Sheet) -> Image.Image:
    """The map within a strip that tells columns above and below, rows at both sides."""
    strip = round(max(26.0, min(sheet.side * 0.36, 40.0)))
    style = sheet.style
    result = Image.new("RGB", (picture.width + 2 * strip, picture.height + 2 * strip), style.colours["halo"])
    result.paste(picture, (strip, strip))
    draw = ImageDraw.Draw(result)
    draw.rectangle(
        (strip - 2, strip - 2, strip + picture.width + 1, strip + picture.height + 1),
        outline=style.colours["frame"],
        width=2,
    )
    face = font(style.fonts["strong"], min(strip * 0.62, sheet.side * 0.62))
    ink = style.colours["ink"]
    for number in _shown(sheet.left, sheet.columns, sheet.side):
        x = strip + (number - sheet.left + 0.5) * sheet.side
        for y in (strip / 2, result.height - strip / 2):
            draw.text((x, y), str(number), font=face, fill=ink, anchor="mm")
    for number in _shown(sheet.top, sheet.rows, sheet.side):
        y = strip + (number - sheet.top + 0.5) * sheet.side
        for x in (strip / 2, result.width - strip / 2):
            draw.text((x, y), str(number), font=face, fill=ink, anchor="mm")
    return result


def _shown(first: int, count: int, side: int) -> Iterable[int]:
    """The coordinates that are written: every one, or every fifth where squares are small."""
    return (number for number in range(first, first + count) if side >= 34 or number % 5 == 0)


def _write(
    picture: Image.Image,
    sheet: _Sheet,
    at: tuple[float, float],
    text: str,
    size: float,
    face: str = "strong",
    *,
    ink: str = "ink",
) -> None:
    colours = sheet.style.colours
    ImageDraw.Draw(picture).text(
        at,
        text,
        font=font(sheet.style.fonts[face], size),
        fill=colours[ink],
        anchor="mm",
        stroke_width=max(1, round(size * 0.12)),
        stroke_fill=colours["halo"],
    )


def _put(picture: Image.Image, glyph: Image.Image, at: tuple[float, float]) -> None:
    picture.paste(glyph, (round(at[0] - glyph.width / 2), round(at[1] - glyph.height / 2)), glyph)
