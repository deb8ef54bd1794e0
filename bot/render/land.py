"""Land made of small hexes, as a relief: sea and shore, heights with their steps, woods, rivers, running water.

The cells of all tiles in sight are painted at once, at half the size, by the index of their ground; all masks are made
from that picture. What is not known is in none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import dist
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.render.fog import lay
from bot.render.lull import in_a_lull
from bot.render.style import Colour, Style, mixed
from bot.render.tile_canvas import Viewport
from bot.render.woodcuts import LOOKS, woodcut
from engine.lattice.great_fields import (
    CELL,
    CELLS,
    Side,
    cell_over,
    corners_of_cell,
    inner_neighbours,
    middle_of_cell,
    outline,
)
from engine.lattice.tiling import Point, TileId
from engine.pictures.cells import UNSEEN, EdgeSign, Ground

HALF = 2
"""How many times smaller the masks are."""
FINE_INK = 2
"""How many times as large thin lines are drawn."""
COARSE_PX = 5.0
"""Cells smaller than this are not drawn singly: each tile is a single cell, of its most common ground."""
_UNKNOWN, _FIRST = 0, 1


@dataclass(frozen=True, slots=True)
class Plot:
    """The land of a tile, as far as it decides how it is drawn."""

    at: TileId
    grounds: str
    edges: tuple[EdgeSign, ...] = ()
    flow: tuple[tuple[int, Side], ...] = ()


@dataclass(frozen=True, slots=True)
class Relief:
    """The looks with which land is drawn.

    Args:
        grounds: by letter, sorted.
        plant: the size of vegetation, in cells; `lift`: how much of it is above the middle of its cell.
    """

    sight: Viewport
    plots: tuple[Plot, ...]
    grounds: tuple[tuple[str, Ground], ...]
    style: Style
    plant: float = 0.92
    lift: float = 0.56

    @property
    def cell_px(self) -> float:
        """The distance from the middle of a cell to that of the next, in pixels."""
        return self.sight.side * CELL

    @property
    def is_coarse(self) -> bool:
        """Whether tiles are too small for their cells."""
        return self.cell_px < COARSE_PX

    def middle(self, at: TileId, cell: int) -> Point:
        """The middle of a cell, in pixels."""
        x, y = self.sight.middle(at)
        dx, dy = middle_of_cell(cell)
        return x + dx * self.sight.side, y + dy * self.sight.side

    def corners(self, at: TileId, cell: int) -> list[Point]:
        """The corners of a cell, in pixels."""
        x, y = self.sight.middle(at)
        return [(x + dx * self.sight.side, y + dy * self.sight.side) for dx, dy in corners_of_cell(cell)]

    def is_open(self, plot: Plot, cell: int, grounds: Mapping[str, Ground]) -> bool:
        """Whether there is only water around a cell, as far as its tile shows."""
        around = (plot.grounds[other - 1] for other in inner_neighbours(cell))
        return all(letter != UNSEEN and grounds[letter].is_water for letter in around)


@lru_cache(maxsize=4)
def land(relief: Relief) -> Image.Image:
    """The bare land in sight; it stays the same until its viewer learns more."""
    letters = _letters(relief)
    grounds = dict(relief.grounds)
    picture = _colours(relief, letters)
    known = letters.point([0, *[255] * 255])
    inside = None
    if letters.getextrema()[0] == _UNKNOWN:
        inside = known.filter(ImageFilter.BoxBlur(2)).point([0] * 255 + [255])
    _steps(picture, relief, letters, inside)
    if not relief.is_coarse:
        _plants(picture, relief, grounds)
        _strokes(picture, relief, grounds)
    return picture


in_a_lull(land.cache_clear)


def _number(relief: Relief) -> Mapping[str, int]:
    return {letter: number for number, (letter, _) in enumerate(relief.grounds, _FIRST)}


def _letters(relief: Relief) -> Image.Image:
    """The number of its ground at each place; 0 where nothing is known."""
    width, height = relief.sight.size
    picture = Image.new("L", (-(-width // HALF), -(-height // HALF)), _UNKNOWN)
    draw, numbers = ImageDraw.Draw(picture), _number(relief)
    for plot in relief.plots:
        if relief.is_coarse:
            seen = plot.grounds.replace(UNSEEN, "")
            if seen:
                commonest = max(dict.fromkeys(seen), key=seen.count)
                corners = relief.sight.corners(plot.at)
                draw.polygon([(x / HALF, y / HALF) for x, y in corners], fill=numbers[commonest])
            continue
        (x, y), side = relief.sight.middle(plot.at), relief.sight.side
        commonest = ""
        if UNSEEN not in plot.grounds:  # All of it at once, then what differs.
            commonest = max(dict.fromkeys(plot.grounds), key=plot.grounds.count)
            whole = [((x + dx * side) / HALF, (y + dy * side) / HALF) for dx, dy in outline()]
            draw.polygon(whole, fill=numbers[commonest])
        for cell, letter in enumerate(plot.grounds, 1):
            if letter not in (UNSEEN, commonest):
                polygon = [((x + dx * side) / HALF, (y + dy * side) / HALF) for dx, dy in corners_of_cell(cell)]
                draw.polygon(polygon, fill=numbers[letter])
    return picture


def _mask(relief: Relief, letters: Image.Image, belongs: Mapping[str, int]) -> Image.Image:
    """A mask of grounds with the strength of each; unknown ground has half, so that no step is seen there."""
    table = [128] + [0] * 255
    for number, (letter, _) in enumerate(relief.grounds, _FIRST):
        table[number] = belongs.get(letter, 0)
    return letters.point(table)


def ground_colour(ground: Ground, style: Style) -> Colour:
    """The colour of a ground: that of its cover, darker with its height."""
    if ground.is_water:
        return style.colours["sea"]
    height = style.soils[f"level_{ground.level}"]
    cover = style.soils.get(ground.cover)
    return height if cover is None else mixed(cover, height, 0.6)


def _colours(relief: Relief, letters: Image.Image) -> Image.Image:
    """The ground in its colours, its borders a little soft."""
    style = relief.style
    colours = [style.colours["fog"]] + [ground_colour(ground, style) for _, ground in relief.grounds]
    colours += [style.colours["fog"]] * (256 - len(colours))
    soft = ImageFilter.GaussianBlur(max(relief.cell_px / HALF / 2 * 0.16, 0.6))
    small = letters.resize((-(-letters.width // 2), -(-letters.height // 2)), Image.Resampling.NEAREST)
    bands = [small.point([colour[channel] for colour in colours]).filter(soft) for channel in range(3)]
    return Image.merge("RGB", bands).resize(relief.sight.size, Image.Resampling.BILINEAR)


def _steps(picture: Image.Image, relief: Relief, letters: Image.Image, inside: Image.Image | None) -> None:
    """Lines where land meets water and where it rises, and lines of water along the shore."""
    style, cell = relief.style, relief.cell_px / HALF
    grounds = dict(relief.grounds)
    dry = {letter: 255 for letter, ground in grounds.items() if not ground.is_water}
    shape = _mask(relief, letters, dry)
    wet = shape.point([255 if value == 0 else 0 for value in range(256)])
    if wet.getbbox() is not None:
        _shore_lines(picture, relief, shape.point([value * (value != 128) for value in range(256)]), wet)
    ink = Image.new("L", letters.size)
    levels = sorted({ground.level for ground in grounds.values() if not ground.is_water})
    round_off = ImageFilter.GaussianBlur(max(cell * 0.22, 0.7))
    for level in [0, *levels[1:]]:
        high = {letter: 255 for letter, ground in grounds.items() if not ground.is_water and ground.level >= level}
        mask = shape if level == 0 else _mask(relief, letters, high)
        if mask.getextrema() in ((0, 0), (255, 255)):
            continue
        width = max((0.06 if level == 0 else 0.034) * cell, 0.7)
        slope = 255 / (max(cell * 0.22, 0.7) * 2.5)
        reach = width / 2.6 * slope
        line = mask.filter(round_off).point([_line_value(value, reach) for value in range(256)])
        ink = ImageChops.lighter(ink, line)
    if inside is not None:
        ink = ImageChops.multiply(ink, inside)
    lay(picture, ink.resize(picture.size, Image.Resampling.BILINEAR), style.colours["coast"], strength=0.9)


def _line_value(value: int, reach: float) -> int:
    return max(0, min(255, round(255 * (1.6 - abs(value - 128) / reach))))


_SHORE_LINES = ((78, 255, 210), (39, 171, 160), (14, 81, 120))
"""For each line along the shore: where on the blurred shore it is, how steep that is there, and its strength."""


def _shore_lines(picture: Image.Image, relief: Relief, shape: Image.Image, wet: Image.Image) -> None:
    """Three lines along the shore, each fainter, as in old woodcuts."""
    cell = relief.cell_px / HALF
    far = shape.filter(ImageFilter.GaussianBlur(cell * 0.35))
    half_width = max(0.02, 0.6 / cell)
    table = [0] * 256
    for middle, steep, strength in _SHORE_LINES:
        reach = half_width * steep
        for value in range(256):
            table[value] = max(table[value], round(strength * max(0.0, min(1.0, 1.5 - abs(value - middle) / reach))))
    lines = ImageChops.multiply(far.point(table), wet)
    shade = ImageChops.multiply(far.point([min(110, value) for value in range(256)]), wet)
    lay(picture, shade.resize(picture.size, Image.Resampling.BILINEAR), relief.style.colours["sea_shore"])
    lay(picture, lines.resize(picture.size, Image.Resampling.BILINEAR), relief.style.colours["sea_ink"])


# --- What grows, and lines of ink ----------------------------------------------------------------------------

_BY_LEVEL = {2: "hills", 3: "crags", 4: "mountains"}
_SPARSE = 0.34
"""The share of bare lowland that has a tuft on it; of heights that show themselves."""
_SPARSE_HILLS = 0.6
_ROOMY_PX = 20
"""Smaller cells have fewer tufts."""


def sign_of_ground(ground: Ground) -> str:
    """What is drawn for a ground: its vegetation, else its height; empty: nothing."""
    return ground.cover or _BY_LEVEL.get(ground.level, "")


def body_of_ground(ground: Ground, style: Style) -> Colour:
    """The colour of what is drawn for a ground."""
    if ground.cover in ("forest", "mangrove"):
        return style.colours["wood"]
    return mixed(style.colours["halo"], ground_colour(ground, style), 0.45)


def _plants(picture: Image.Image, relief: Relief, grounds: Mapping[str, Ground]) -> None:
    """Firs, reeds, hills: one for each cell, from north to south."""
    side = max(round(relief.cell_px * relief.plant), 4)
    style, width = relief.style, picture.width
    found: list[tuple[Point, str, int, Colour]] = []
    sparse = _SPARSE if relief.cell_px > _ROOMY_PX else _SPARSE / 3
    for plot in relief.plots:
        middle_x, middle_y = relief.sight.middle(plot.at)
        chance = Random(f"{plot.at}")  # looks alone depend on it
        running = {cell for cell, _ in plot.flow}
        for cell, letter in enumerate(plot.grounds, 1):
            look, luck = chance.randrange(LOOKS), chance.random()
            if letter == UNSEEN:
                continue
            ground = grounds[letter]
            if ground.is_water:
                sign = "waves" if luck < sparse and cell not in running and relief.is_open(plot, cell, grounds) else ""
            else:
                sign = sign_of_ground(ground) or ("tufts" if luck < sparse else "")
            if not sign or (sign == "hills" and luck > _SPARSE_HILLS):
                continue
            dx, dy = middle_of_cell(cell)
            x, y = middle_x + dx * relief.sight.side, middle_y + dy * relief.sight.side
            if -side < x < width + side and -side < y < picture.height + side:
                found.append(((x, y), sign, look, body_of_ground(ground, style)))
    ink = mixed(style.colours["ink"], style.soils["level_1"], 0.82)
    for (x, y), sign, look, body in sorted(found, key=lambda row: row[0][1]):
        drawn = _in_bands(sign, look, side, ink, body)
        if drawn is not None:
            picture.paste(drawn[0], (round(x - side / 2), round(y - side * relief.lift)), drawn[1])


@lru_cache(maxsize=512)
def _in_bands(sign: str, look: int, side: int, ink: Colour, body: Colour) -> tuple[Image.Image, Image.Image] | None:
    """A woodcut as a picture and its mask, which is faster if it is put on a map hundreds of times."""
    drawn = woodcut(sign, look, side, ink, body)
    return None if drawn is None else (drawn.convert("RGB"), drawn.getchannel("A"))


def _strokes(picture: Image.Image, relief: Relief, grounds: Mapping[str, Ground]) -> None:
    """Rivers, ascents, and which way water runs."""
    slopes = list(_slopes(relief, grounds))
    if not slopes and not any(plot.edges or plot.flow for plot in relief.plots):
        return
    cell = relief.cell_px
    size = picture.width * FINE_INK, picture.height * FINE_INK
    rims, waters, marks = (Image.new("L", size) for _ in range(3))
    has_marks, has_rivers = bool(slopes), False
    rim, water, mark = map(ImageDraw.Draw, (rims, waters, marks))
    for line in slopes:
        mark.line(
            [(x * FINE_INK, y * FINE_INK) for x, y in line], fill=170, width=max(1, round(cell * 0.035 * FINE_INK))
        )
    for plot in relief.plots:
        for edge in plot.edges:
            corners = relief.corners(plot.at, edge.cell)
            start, end = corners[edge.side], corners[(edge.side + 1) % 6]
            if edge.kind == "river":
                has_rivers = True
                _stroke(rim, (start, end), max(cell * 0.17, 2.0))
                _stroke(water, (start, end), max(cell * 0.10, 1.2))
            elif edge.kind == "ascent":
                has_marks = True
                for line in _rungs(start, end, relief.middle(plot.at, edge.cell)):
                    _stroke(mark, line, max(cell * 0.055, 1.0))
        for number, side in plot.flow:
            has_marks = True
            for line in _chevrons(relief.corners(plot.at, number), relief.middle(plot.at, number), side):
                _stroke(mark, line, max(cell * 0.055, 1.0))
    style = relief.style
    if has_rivers:
        lay(picture, rims.reduce(FINE_INK), style.colours["coast"])
        lay(picture, waters.reduce(FINE_INK), style.colours["river"])
    if has_marks:
        lay(picture, marks.reduce(FINE_INK), style.colours["ink"])


_SLOPE = 0.17
"""The length of the strokes that run down a step, in cells."""


def _slopes(relief: Relief, grounds: Mapping[str, Ground]) -> Iterator[tuple[Point, Point]]:
    """Short strokes down from each side at which the land falls."""
    known = {plot.at: plot.grounds for plot in relief.plots}
    for plot in relief.plots:
        for cell, letter in enumerate(plot.grounds, 1):
            height = 0 if letter == UNSEEN or grounds[letter].is_water else grounds[letter].level
            if height < 2:
                continue
            corners, middle = relief.corners(plot.at, cell), relief.middle(plot.at, cell)
            for side in Side:
                (dq, dr), other = cell_over(cell, side)
                there = known.get((plot.at[0] + dq, plot.at[1] + dr), "")
                below = there[other - 1] if there else UNSEEN
                if below == UNSEEN or grounds[below].is_water or grounds[below].level >= height:
                    continue
                start, end = corners[side], corners[(side + 1) % 6]
                across = _between(start, end, 0.5)
                down = (across[0] - middle[0]) * 2 * _SLOPE, (across[1] - middle[1]) * 2 * _SLOPE
                for share in (0.12, 0.31, 0.5, 0.69, 0.88):
                    x, y = _between(start, end, share)
                    yield (x, y), (x + down[0], y + down[1])


def _stroke(draw: ImageDraw.ImageDraw, line: tuple[Point, Point], width_px: float) -> None:
    points = [(x * FINE_INK, y * FINE_INK) for x, y in line]
    draw.line(points, fill=255, width=max(1, round(width_px * FINE_INK)))
    radius = width_px * FINE_INK / 2
    for x, y in points:
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)


def _rungs(start: Point, end: Point, middle: Point) -> Iterator[tuple[Point, Point]]:
    """A ladder across a side: the way up."""
    out = _between(middle, _between(start, end, 0.5), 1.0)
    direction = out[0] - middle[0], out[1] - middle[1]
    for share in (0.32, 0.68):
        x, y = _between(start, end, share)
        yield (x - direction[0] * 0.45, y - direction[1] * 0.45), (x + direction[0] * 0.45, y + direction[1] * 0.45)
    for away in (-0.3, 0.0, 0.3):
        ends = (_between(start, end, share) for share in (0.32, 0.68))
        one, other = ((x + direction[0] * away, y + direction[1] * away) for x, y in ends)
        yield one, other


def _chevrons(corners: list[Point], middle: Point, side: Side) -> Iterator[tuple[Point, Point]]:
    """Two angles that point in the direction in which water runs."""
    goal = _between(corners[side], corners[(side + 1) % 6], 0.5)
    far = dist(middle, goal) or 1.0
    x, y = (goal[0] - middle[0]) / far, (goal[1] - middle[1]) / far
    for along in (-0.30, 0.22):
        tip = middle[0] + x * far * (along + 0.3), middle[1] + y * far * (along + 0.3)
        for turn in (-1, 1):
            tail = tip[0] - (x - turn * y) * far * 0.34, tip[1] - (y + turn * x) * far * 0.34
            yield tip, tail


def _between(one: Point, other: Point, share: float) -> Point:
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


def polygons(relief: Relief, plots: Mapping[TileId, str]) -> Iterator[list[Point]]:
    """The outlines of all cells that are known, or of whole tiles where cells are too small."""
    for at, grounds in plots.items():
        if relief.is_coarse:
            yield relief.sight.corners(at)
        elif UNSEEN not in grounds:
            (x, y), side = relief.sight.middle(at), relief.sight.side
            yield [(x + dx * side, y + dy * side) for dx, dy in outline()]
        else:
            for cell in range(1, CELLS + 1):
                if grounds[cell - 1] != UNSEEN:
                    yield relief.corners(at, cell)
