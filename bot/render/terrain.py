"""Small pictures of terrain, as scribes drew them: peaks, trees, furrows, walls. Drawn large, made smaller, cached.

Each terrain has its own shapes, so that it is known without colour. A picture fills a square of side 1; its lower third
is left to whatever stands there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random

from PIL import Image, ImageDraw

from bot.render.style import Colour, mixed
from engine.lattice.tiling import Point

OVERSAMPLING = 4
LOOKS = 3
"""How many pictures of one terrain differ a little, so that no wood looks like the next."""


class Brush:
    """Draws with coordinates of the unit square, in ink on a light body."""

    def __init__(self, picture: Image.Image, ink: Colour, body: Colour) -> None:
        self._draw = ImageDraw.Draw(picture)
        self._side = picture.width
        self.ink, self.body = ink, body
        self.shade = mixed(ink, body, 0.38)

    def _at(self, points: Sequence[Point]) -> list[Point]:
        return [(x * self._side, y * self._side) for x, y in points]

    def line(self, points: Sequence[Point], width: float = 0.022, ink: Colour | None = None) -> None:
        self._draw.line(self._at(points), fill=ink or self.ink, width=max(1, round(width * self._side)), joint="curve")

    def shape(self, points: Sequence[Point], fill: Colour | None = None, width: float = 0.02) -> None:
        """A filled outline."""
        self._draw.polygon(self._at(points), fill=fill or self.body)
        self.line([*points, points[0]], width)

    def disc(self, middle: Point, radius: float, fill: Colour | None = None, width: float = 0.018) -> None:
        (x, y), reach = self._at([middle])[0], radius * self._side
        box = (x - reach, y - reach, x + reach, y + reach)
        self._draw.ellipse(box, fill=fill or self.body, outline=self.ink, width=max(1, round(width * self._side)))

    def arc(self, middle: Point, radius: Point, start: float, end: float, width: float = 0.022) -> None:
        (x, y), (across, down) = self._at([middle])[0], self._at([radius])[0]
        box = (x - across, y - down, x + across, y + down)
        self._draw.arc(box, start, end, fill=self.ink, width=max(1, round(width * self._side)))


@lru_cache(maxsize=512)
def pictogram(terrain: str, look: int, side_px: int, ink: Colour, body: Colour) -> Image.Image | None:
    """The picture of a terrain on a clear ground; `None` for one that has no picture.

    Args:
        look: which of the `LOOKS`.
        body: colour of what is solid: mountains, walls.
    """
    painter = _PAINTERS.get(terrain)
    if painter is None:
        return None
    picture = Image.new("RGBA", (side_px * OVERSAMPLING, side_px * OVERSAMPLING), (*body, 0))
    painter(Brush(picture, ink, body), Random(f"{terrain}/{look}"))  # looks alone depend on it
    return picture.convert("RGBa").reduce(OVERSAMPLING).convert("RGBA")


def _spread(chance: Random, places: Sequence[Point], by: float = 0.035) -> list[Point]:
    """The places, each moved a little; the farthest first, so that nearer things lie over them."""
    return sorted(
        ((x + chance.uniform(-by, by), y + chance.uniform(-by, by)) for x, y in places), key=lambda place: place[1]
    )


def _tuft(brush: Brush, x: float, y: float, size: float) -> None:
    for lean in (-0.7, 0.0, 0.7):
        brush.line([(x, y), (x + lean * size, y - size * (1.15 - abs(lean) * 0.4))], 0.018)


def _cultivated(brush: Brush, chance: Random) -> None:
    """A ploughed field with ears of corn along its furrows."""
    tilt = chance.uniform(-0.03, 0.03)
    for y in (0.18, 0.32, 0.46, 0.60):
        brush.line([(0.14, y + tilt), (0.86, y - tilt)], 0.014)
        for x in _columns(chance, 5):
            stem = y + tilt - (x - 0.14) / 0.72 * 2 * tilt
            brush.line([(x, stem), (x, stem - 0.085)], 0.016)
            brush.line([(x - 0.032, stem - 0.092), (x, stem - 0.05), (x + 0.032, stem - 0.092)], 0.016)


def _columns(chance: Random, count: int) -> list[float]:
    return [0.14 + 0.72 * (number + 0.5) / count + chance.uniform(-0.02, 0.02) for number in range(count)]


def _plains(brush: Brush, chance: Random) -> None:
    """Open land: a few long level strokes."""
    for x, y in _spread(chance, [(0.20, 0.24), (0.54, 0.36), (0.24, 0.50), (0.60, 0.60)]):
        brush.line([(x, y), (x + 0.22, y)], 0.018)


def _grassland(brush: Brush, chance: Random) -> None:
    for x, y in _spread(chance, [(0.22, 0.28), (0.52, 0.24), (0.80, 0.32), (0.34, 0.54), (0.66, 0.56)]):
        _tuft(brush, x, y, 0.082)


def _steppes(brush: Brush, chance: Random) -> None:
    """Single blades, far apart, over level strokes."""
    for x, y in _spread(chance, [(0.26, 0.28), (0.70, 0.34), (0.44, 0.58)]):
        brush.line([(x - 0.10, y), (x + 0.12, y)], 0.014)
        brush.line([(x, y), (x + 0.045, y - 0.13)], 0.018)


def _desert(brush: Brush, chance: Random) -> None:
    """Dunes and grains of sand."""
    for x, y in ((0.32, 0.32), (0.66, 0.52)):
        brush.arc((x, y), (0.19, 0.11), 200, 345, 0.018)
    grains = [(0.62, 0.20), (0.74, 0.28), (0.52, 0.28), (0.20, 0.50), (0.30, 0.58), (0.42, 0.50), (0.84, 0.38)]
    for x, y in _spread(chance, grains, 0.03):
        brush.disc((x, y), 0.010, brush.ink)


def _forest(brush: Brush, chance: Random) -> None:
    places = [(0.22, 0.34), (0.48, 0.27), (0.76, 0.33), (0.34, 0.53), (0.63, 0.55)]
    for x, y in _spread(chance, places, 0.03):
        brush.line([(x, y), (x, y + 0.12)], 0.03)
        for dx, dy, radius in ((-0.06, -0.015, 0.075), (0.06, -0.015, 0.075), (0.0, -0.075, 0.085)):
            brush.disc((x + dx, y + dy), radius, brush.shade)


def _hills(brush: Brush, chance: Random) -> None:
    for x, y, wide in ((0.34, 0.40, 0.22), (0.68, 0.44, 0.20), (0.46, 0.62, 0.25)):
        shift = chance.uniform(-0.02, 0.02)
        crest = [(x + shift + wide * step / 10, y - 0.19 * (1 - (step / 10) ** 2)) for step in range(-10, 11)]
        brush.shape(crest, width=0.02)
        for step in (3, 6):
            brush.line(
                [(x + shift + wide * step / 10, y - 0.13 + step * 0.012), (x + shift + wide * step / 9, y)], 0.014
            )


def _mountains(brush: Brush, chance: Random) -> None:
    for x, y, wide, high in ((0.28, 0.52, 0.20, 0.34), (0.70, 0.50, 0.22, 0.38), (0.48, 0.66, 0.24, 0.46)):
        peak = (x + chance.uniform(-0.03, 0.03), y - high)
        left, right = (x - wide, y), (x + wide, y)
        brush.shape([left, peak, right])
        ridge = [peak, (peak[0] + 0.02, y - high * 0.62), (peak[0] - 0.03, y - high * 0.34), (peak[0] + 0.02, y)]
        brush.shape([*ridge, right], brush.shade, 0.016)
        brush.line([left, peak, right], 0.024)


def _reeds(brush: Brush, places: Sequence[Point]) -> None:
    for x, y in places:
        for lean in (-0.055, 0.0, 0.055):
            brush.line([(x + lean * 0.5, y), (x + lean, y - 0.13)], 0.016)
        brush.disc((x, y - 0.15), 0.02, brush.ink)
        brush.line([(x - 0.11, y + 0.005), (x + 0.11, y + 0.005)], 0.016)
        brush.line([(x - 0.06, y + 0.045), (x + 0.07, y + 0.045)], 0.014)


def _marsh(brush: Brush, chance: Random) -> None:
    _reeds(brush, _spread(chance, [(0.26, 0.34), (0.70, 0.32), (0.48, 0.57)], 0.03))


def _swamps(brush: Brush, chance: Random) -> None:
    """Dead trees over standing water."""
    for x, y in _spread(chance, [(0.28, 0.44), (0.66, 0.48)], 0.03):
        brush.line([(x, y + 0.1), (x, y - 0.22)], 0.032)
        brush.line([(x, y - 0.04), (x - 0.10, y - 0.16)], 0.02)
        brush.line([(x, y - 0.10), (x + 0.10, y - 0.20)], 0.02)
        for row in range(3):
            reach = 0.15 - row * 0.035
            brush.line([(x - reach, y + 0.1 + row * 0.04), (x + reach, y + 0.1 + row * 0.04)], 0.016)
    brush.line([(0.40, 0.26), (0.54, 0.26)], 0.014)


def _house(brush: Brush, x: float, y: float, wide: float) -> None:
    high = wide * 0.8
    brush.shape([(x, y), (x, y - high), (x + wide, y - high), (x + wide, y)])
    roof = [(x - wide * 0.16, y - high), (x + wide / 2, y - high * 1.75), (x + wide * 1.16, y - high)]
    brush.shape(roof, brush.shade)


def _town(brush: Brush, chance: Random) -> None:
    """Three houses under one tower."""
    brush.shape([(0.44, 0.46), (0.44, 0.20), (0.56, 0.20), (0.56, 0.46)])
    brush.shape([(0.41, 0.20), (0.50, 0.07), (0.59, 0.20)], brush.shade)
    for x, y in _spread(chance, [(0.18, 0.56), (0.40, 0.62), (0.62, 0.57)], 0.012):
        _house(brush, x, y, 0.20)


def _wall(brush: Brush, left: float, right: float, top: float, foot: float) -> None:
    teeth = max(3, round((right - left) / 0.11))
    step = (right - left) / (2 * teeth - 1)
    outline = [(left, foot)]
    for tooth in range(teeth):
        start = left + 2 * tooth * step
        outline += [(start, top), (start + step, top)]
        if tooth < teeth - 1:
            outline += [(start + step, top + 0.045), (start + 2 * step, top + 0.045)]
    brush.shape([*outline, (right, foot)])


def _gate(brush: Brush, x: float, foot: float, wide: float) -> None:
    arch = [(x - wide, foot), (x - wide, foot - 0.08), (x, foot - 0.13), (x + wide, foot - 0.08), (x + wide, foot)]
    brush.shape(arch, brush.ink)


def _city(brush: Brush, chance: Random) -> None:
    """A wall with a gate between two towers, roofs behind."""
    for x, y in _spread(chance, [(0.32, 0.40), (0.50, 0.34)], 0.01):
        _house(brush, x, y, 0.18)
    _wall(brush, 0.20, 0.80, 0.42, 0.64)
    for x in (0.12, 0.74):
        _wall(brush, x, x + 0.15, 0.26, 0.66)
    _gate(brush, 0.50, 0.64, 0.065)


def _metropolis(brush: Brush, _chance: Random) -> None:
    """A domed temple on columns within walls with three towers."""
    brush.arc((0.50, 0.27), (0.16, 0.17), 180, 360, 0.024)
    brush.shape([(0.34 + 0.32 * step / 12, 0.27 - 0.17 * (1 - ((step - 6) / 6) ** 2) ** 0.5) for step in range(13)])
    brush.line([(0.50, 0.10), (0.50, 0.03)], 0.024)
    brush.shape([(0.28, 0.27), (0.72, 0.27), (0.72, 0.31), (0.28, 0.31)], brush.shade)
    for x in (0.32, 0.41, 0.50, 0.59, 0.68):
        brush.line([(x, 0.31), (x, 0.46)], 0.03)
    _wall(brush, 0.12, 0.88, 0.44, 0.66)
    for x in (0.04, 0.80):
        _wall(brush, x, x + 0.16, 0.30, 0.68)
    _gate(brush, 0.50, 0.66, 0.075)


_PAINTERS: dict[str, Callable[[Brush, Random], None]] = {
    "cultivated": _cultivated,
    "plains": _plains,
    "grassland": _grassland,
    "steppes": _steppes,
    "desert": _desert,
    "forest": _forest,
    "hills": _hills,
    "mountains": _mountains,
    "marsh": _marsh,
    "swamps": _swamps,
    "town": _town,
    "city": _city,
    "metropolis": _metropolis,
}
