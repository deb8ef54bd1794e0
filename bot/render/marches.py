"""Ways over tiles: rounded lines that run side by side where they share a way, and short ones for failed orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count, pairwise

from PIL import Image

from bot.render import arrows, glyphs
from bot.render.glyphs import put
from bot.render.style import Colour
from bot.render.tile_canvas import FINE_PX, TileCanvas
from engine.lattice.tiling import Point, TileId
from engine.pictures.legend import ArrowStatus
from engine.pictures.tiles import Trail

_LIFT = 0.12
"""How far above the middles of tiles ways run, as a share of a tile: below are the troops."""
_LANE = 0.15
"""How far apart ways that run side by side are."""
_LANES = 5
_ROUNDED = 0.26
_START, _STOP = 0.12, 0.13
"""How far from the first and last tile's middle a way ends; southward 0, since a plate hides most of it."""


def draw_marches(picture: Image.Image, canvas: TileCanvas) -> None:
    """All ways; those of failed orders are lowest."""
    for march, lane in sorted(_in_lanes(canvas.marches()), key=lambda row: row[0].status is not ArrowStatus.FAILED):
        if march.status is ArrowStatus.FAILED:
            _failed(picture, canvas, march, lane)
        else:
            _made(picture, canvas, march, lane)


def _in_lanes(marches: Iterable[Trail]) -> Iterator[tuple[Trail, int]]:
    """Each way with its lane: 0, or to one side or the other where a way before it takes the same steps."""
    taken: dict[frozenset[TileId], set[int]] = {}
    for march in sorted(marches, key=lambda march: -len(march.way)):
        steps = [taken.setdefault(frozenset(step), set()) for step in pairwise(march.way)]
        lane = next(lane for lane in count() if not any(lane in step for step in steps))
        for step in steps:
            step.add(lane)
        yield march, ((lane % _LANES) + 1) // 2 * (-1 if lane % 2 == 0 else 1)


def _made(picture: Image.Image, canvas: TileCanvas, march: Trail, lane: int) -> None:
    line = arrows.path(arrows.rounded(_course(canvas, march.way, lane), canvas.side * _ROUNDED))
    goes_south = canvas.middle(march.way[-1])[1] > canvas.middle(march.way[-2])[1]
    line = line.part(canvas.side * _START, line.length - (0.0 if goes_south else canvas.side * _STOP))
    width = _width(canvas.side)
    layers = _layers(width, glyphs.DARK, canvas.powers[march.power].colour)
    arrows.Pen(picture).arrow(line, layers, head_px=width * 3.4)
    if march.label:
        plate = glyphs.label_plate(march.label, canvas.side * 0.18, canvas.style.fonts["strong"])
        put(picture, plate, line.at(min(canvas.side * 0.5, line.length / 2)))


def _failed(picture: Image.Image, canvas: TileCanvas, march: Trail, lane: int) -> None:
    """A hollow line that ends with a cross where the second tile begins."""
    (x, y), (to_x, to_y) = map(canvas.sight.board.middle, march.way[:2])
    stub = _stub((round(to_x - x, 6), round(to_y - y, 6)), canvas.side, canvas.style.colours["failed"])
    put(picture, stub, _course(canvas, march.way[:1], lane)[0])


@lru_cache(maxsize=32)
def _stub(step: Point, side: int, rim: Colour) -> Image.Image:
    """The beginning of a way, and the cross that ends it, about the middle of the first tile."""
    glyph = Image.new("RGBA", (2 * side, 2 * side), (*glyphs.LIGHT, 0))
    border = side * (0.54 + _lift(side) * step[1])
    line = arrows.path([(side + step[0] * far, side + step[1] * far) for far in (side * _START, border)])
    arrows.Pen(glyph).lines([line], _layers(_width(side), rim, glyphs.LIGHT))
    badge = glyphs.badge("cross", rim, side * (0.12 if side >= FINE_PX else 0.2))
    x, y = line.points[-1]
    glyph.alpha_composite(badge, (round(x - badge.width / 2), round(y - badge.height / 2)))
    return glyph


def _course(canvas: TileCanvas, way: Sequence[TileId], lane: int) -> list[Point]:
    """The way's points on the picture. Moved aslant it keeps clear of its neighbour on level and upright ways alike."""
    aside = lane * _LANE * canvas.side
    lift = _lift(canvas.side) * canvas.side
    return [(x + aside, y - lift + aside) for x, y in map(canvas.middle, way)]


def _lift(side: int) -> float:
    return _LIFT if side >= FINE_PX else 0.0


def _width(side: int) -> float:
    return max(side * 0.085, 3.0)


def _layers(width: float, rim: Colour, core: Colour) -> list[tuple[float, Colour]]:
    return [(width * 1.9, glyphs.LIGHT), (width * 1.45, rim), (width * 0.9, core)]
