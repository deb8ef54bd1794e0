"""Orders on a picture of great fields: dashes for scouts, a broad line for entries, a slim one for moves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from PIL import Image

from bot.render import arrows, glyphs
from bot.render.field_sight import FINE_PX
from bot.render.tile_canvas import TileCanvas
from engine.lattice.tiling import Box, Point, TileId
from engine.pictures.legend import ArrowStatus
from engine.pictures.tiles import Trail

_BEGIN, _END = 0.46, 0.79
"""The stretch over which a step between two fields is drawn, so that it doesn't hide what is in them."""


def draw_ways(picture: Image.Image, canvas: TileCanvas, words: Iterable[Box]) -> Iterator[tuple[Image.Image, Point]]:
    """The orders that lead somewhere: dashes for scouts, a broad line for entries, a slim one for moves.

    Returns:
        Their numbers and crosses, each with its middle, to be drawn last; numbers cover none of the words if possible.
    """
    pen = arrows.Pen(picture)
    taken: dict[tuple[TileId, TileId], int] = {}
    written = list(words)
    for march in sorted(canvas.marches(), key=lambda way: way.status is not ArrowStatus.FAILED):
        ends = min(march.way[0], march.way[-1]), max(march.way[0], march.way[-1])
        lane = taken[ends] = taken.get(ends, -1) + 1
        yield from _way(pen, canvas, march, (lane + 1) // 2 * (-1 if lane % 2 else 1), written)


def _way(
    pen: arrows.Pen, canvas: TileCanvas, march: Trail, lane: int, written: list[Box]
) -> Iterator[tuple[Image.Image, Point]]:
    side, style = canvas.side, canvas.style
    points = _course(canvas, march.way, lane)
    line = arrows.path(arrows.rounded(points, side * 0.3) if len(points) > 2 else points)
    goes_north = points[-1][0] == points[0][0] and points[-1][1] < points[0][1]
    back = side * _BACK if goes_north else 0.0
    line = line.part(side * _BEGIN - back, line.length - side * (1 - _END) - back)
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
        plate = _label(march.label, side, style.fonts["strong"])
        spot = _free_spot(plate, line, points, side, written)
        written.append(box_of(plate, spot))
        yield plate, spot
    if has_failed:
        yield glyphs.badge("cross", style.colours["failed"], side * 0.075), line.at(line.length * 0.72)


def box_of(glyph: Image.Image, middle: Point) -> Box:
    """What a glyph covers."""
    (x, y), across, down = middle, glyph.width / 2, glyph.height / 2
    return x - across, y - down, x + across, y + down


def _free_spot(
    plate: Image.Image, line: arrows.Path, points: Sequence[Point], side: float, written: Sequence[Box]
) -> Point:
    """Where the number of an order covers least of what is written: above its line if there is room, else below."""
    (x, y), (to_x, to_y) = points[:2]
    far = (-1 if to_x < x else 1) * side * _ASIDE / (math.dist((x, y), (to_x, to_y)) or 1.0)
    spots = [
        (mark_x + (to_y - y) * far * above, mark_y - (to_x - x) * far * above)
        for away in _AWAY
        for crossing in _CROSSINGS
        for mark_x, mark_y in [line.at(side * (crossing - _BEGIN))]
        for above in (away, -away)
    ]
    return min(spots, key=lambda spot: sum(_common(box_of(plate, spot), box) for box in written))


def _common(one: Box, other: Box) -> float:
    """The area that two boxes have in common."""
    left, top, right, bottom = (
        max(one[0], other[0]),
        max(one[1], other[1]),
        min(one[2], other[2]),
        min(one[3], other[3]),
    )
    return max(right - left, 0.0) * max(bottom - top, 0.0)


_CROSSINGS, _ASIDE = (0.60, 0.70, 0.50, 0.80, 0.40), 0.115
"""Where the number of an order may be: at the first border that it crosses or near it, and how far above its line."""
_AWAY = (1.0, 1.7, 2.4)
"""How many times as far it is if there is no room nearer."""
_BESIDE_WORDS = 0.245
_BACK = 0.23
"""How much earlier ways to the north end, since stacks are at the southern end of a field."""
_WIDTHS = {"explore": 0.034, "enter": 0.044, "move": 0.030}


@lru_cache(maxsize=128)
def _label(text: str, side: int, file: str) -> Image.Image:
    if len(text) == 1:
        return glyphs.numeral(text, glyphs.LIGHT, side * 0.072, file)
    return glyphs.label_plate(text, side * 0.115, file)


def _course(canvas: TileCanvas, way: Sequence[TileId], lane: int) -> list[Point]:
    """The way's points; ways between the same two fields run side by side."""
    points = [canvas.middle(at) for at in way]
    if all(at[0] == way[0][0] for at in way):  # Due north or south: next to the words that stand there.
        points = [(x + canvas.side * _BESIDE_WORDS, y) for x, y in points]
    (x, y), (to_x, to_y) = points[0], points[-1]
    if way[0] > way[-1]:  # The same side in both directions.
        x, y, to_x, to_y = to_x, to_y, x, y
    far = math.dist((x, y), (to_x, to_y)) or 1.0
    aside = lane * canvas.side * 0.15 / far
    return [(px - (to_y - y) * aside, py + (to_x - x) * aside) for px, py in points]
