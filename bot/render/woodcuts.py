"""Small pictures as cut in wood, for maps of the north: firs, crags, reeds; forts, booths, halls. They are cached."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from random import Random

from PIL import Image

from bot.render.style import Colour, mixed
from bot.render.terrain import OVERSAMPLING, Brush

GOLD = (222, 176, 62)
LOOKS = 3
"""How many pictures of one cover differ a little."""
Painter = Callable[[Brush, Random], None]


@lru_cache(maxsize=1024)
def woodcut(name: str, look: int, side_px: int, ink: Colour, body: Colour) -> Image.Image | None:
    """A picture that fills a square; `None`: there is none of that name.

    Args:
        look: which of the `LOOKS`.
        body: colour of what is solid.
    """
    painter = _PAINTERS.get(name)
    if painter is None:
        return None
    picture = Image.new("RGBA", (side_px * OVERSAMPLING, side_px * OVERSAMPLING), (*mixed(ink, body, 0.5), 0))
    painter(Brush(picture, ink, body), Random(f"{name}/{look}"))  # looks alone depend on it
    return picture.convert("RGBa").reduce(OVERSAMPLING).convert("RGBA")


# --- What grows -----------------------------------------------------------------------------------------------


def _fir(brush: Brush, x: float, foot: float, high: float) -> None:
    """A fir: three skirts, dark on the right."""
    brush.line([(x, foot), (x, foot - high * 0.3)], high * 0.11)
    for base, top, half in ((0.12, 0.52, 0.30), (0.34, 0.76, 0.24), (0.56, 1.0, 0.17)):
        left, right, peak = (
            (x - half * high, foot - base * high),
            (x + half * high, foot - base * high),
            foot - top * high,
        )
        brush.shape([left, (x, peak), right], width=0.03)
        brush.shape([(x, foot - base * high), (x, peak), right], brush.ink, 0.012)


def _forest(brush: Brush, chance: Random) -> None:
    for x, foot in sorted(((0.30, 0.62), (0.70, 0.66), (0.50, 0.94)), key=lambda place: place[1]):
        _fir(brush, x + chance.uniform(-0.05, 0.05), foot + chance.uniform(-0.03, 0.03), 0.56)


def _desert(brush: Brush, chance: Random) -> None:
    for x, y in ((0.34, 0.50), (0.66, 0.74)):
        brush.arc((x, y), (0.24, 0.13), 195, 345, 0.03)
    for _ in range(7):
        brush.disc((chance.uniform(0.15, 0.85), chance.uniform(0.2, 0.85)), 0.018, brush.ink, 0.01)


def _reeds(brush: Brush, x: float, y: float) -> None:
    for lean, high in ((-0.10, 0.18), (0.0, 0.27), (0.10, 0.18)):
        brush.line([(x + lean * 0.4, y), (x + lean, y - high)], 0.032)
    brush.line([(x - 0.19, y + 0.01), (x + 0.19, y + 0.01)], 0.032)
    brush.line([(x - 0.09, y + 0.09), (x + 0.13, y + 0.09)], 0.026)


def _swamp(brush: Brush, chance: Random) -> None:
    for x, y in ((0.32, 0.46), (0.66, 0.80)):
        _reeds(brush, x + chance.uniform(-0.04, 0.04), y)


def _mangrove(brush: Brush, chance: Random) -> None:
    """Broad trees on roots over water."""
    for x, y in ((0.32, 0.52), (0.66, 0.84)):
        x += chance.uniform(-0.04, 0.04)
        for root in (-0.11, 0.0, 0.11):
            brush.line([(x, y - 0.16), (x + root, y)], 0.03)
        for dx, dy, size in ((-0.11, -0.22, 0.11), (0.11, -0.22, 0.11), (0.0, -0.31, 0.12)):
            brush.disc((x + dx, y + dy), size, width=0.028)
        brush.line([(x - 0.2, y + 0.04), (x + 0.2, y + 0.04)], 0.026)


def _ice(brush: Brush, chance: Random) -> None:
    """Cracks."""
    for x, y in ((0.22, 0.38), (0.50, 0.72)):
        x += chance.uniform(-0.04, 0.04)
        brush.line([(x, y), (x + 0.13, y - 0.12), (x + 0.22, y + 0.02), (x + 0.34, y - 0.10)], 0.03)
        brush.line([(x + 0.13, y - 0.12), (x + 0.16, y - 0.24)], 0.024)


def _hills(brush: Brush, chance: Random) -> None:
    """Two low hills with strokes on the shaded side."""
    for x, y, wide in ((0.34, 0.56, 0.24), (0.64, 0.80, 0.26)):
        x += chance.uniform(-0.04, 0.04)
        high = wide * 0.75
        crest = [(x + wide * step / 8, y - high * (1 - (step / 8) ** 2)) for step in range(-8, 9)]
        brush.shape(crest, width=0.012)
        brush.line(crest, 0.03)
        for step in (2, 4, 6):
            at = x + wide * step / 8
            brush.line([(at, y - high * (0.88 - (step / 8) ** 2)), (at - 0.02, y - 0.02)], 0.024)


def _crag(brush: Brush, x: float, y: float, wide: float, high: float) -> None:
    peak = (x, y - high)
    brush.shape(
        [(x - wide, y), (x - wide * 0.35, y - high * 0.55), peak, (x + wide * 0.45, y - high * 0.5), (x + wide, y)]
    )
    ridge = [peak, (x + wide * 0.08, y - high * 0.6), (x - wide * 0.1, y - high * 0.3), (x + wide * 0.05, y)]
    brush.line(ridge, 0.026)
    for share in (0.24, 0.46, 0.68, 0.88):
        foot = x + wide * share
        brush.line([(foot - wide * 0.1, y - high * (0.92 - share) * 0.9), (foot, y)], 0.028)
    brush.line(
        [(x - wide, y), (x - wide * 0.35, y - high * 0.55), peak, (x + wide * 0.45, y - high * 0.5), (x + wide, y)],
        0.034,
    )


def _crags(brush: Brush, chance: Random) -> None:
    """Mountain land: two rocky heights."""
    _crag(brush, 0.36 + chance.uniform(-0.03, 0.03), 0.58, 0.25, 0.36)
    _crag(brush, 0.62 + chance.uniform(-0.03, 0.03), 0.86, 0.28, 0.40)


def _mountains(brush: Brush, chance: Random) -> None:
    """One high peak with snow, as nobody climbs it."""
    x, y, wide, high = 0.5 + chance.uniform(-0.03, 0.03), 0.90, 0.42, 0.78
    _crag(brush, x, y, wide, high)
    cap = [(x, y - high), (x - 0.13, y - high * 0.72), (x - 0.04, y - high * 0.78), (x + 0.03, y - high * 0.66),
           (x + 0.14, y - high * 0.72)]  # fmt: skip
    brush.shape(cap, (250, 247, 238), 0.024)


def _gorge(brush: Brush, chance: Random) -> None:
    for x in (0.34, 0.60):
        brush.line([(x, 0.22), (x - 0.06, 0.48), (x + 0.05, 0.66), (x - 0.03, 0.88)], 0.05)
    for y in (0.34, 0.52, 0.70):
        brush.line([(0.36, y), (0.56, y + 0.04)], 0.026)


def _waves(brush: Brush, chance: Random) -> None:
    x, y = 0.5 + chance.uniform(-0.12, 0.12), 0.5 + chance.uniform(-0.12, 0.12)
    for dx in (-0.18, 0.0, 0.18):
        brush.arc((x + dx, y), (0.09, 0.08), 0, 180, 0.03)


def _tufts(brush: Brush, chance: Random) -> None:
    """A few blades: open land."""
    x, y = 0.5 + chance.uniform(-0.22, 0.22), 0.6 + chance.uniform(-0.18, 0.18)
    for lean, high in ((-0.07, 0.10), (0.0, 0.15), (0.07, 0.10)):
        brush.line([(x + lean * 0.3, y), (x + lean, y - high)], 0.022)


# --- What people build ---------------------------------------------------------------------------------------


def _house(brush: Brush, x: float, foot: float, wide: float, high: float) -> None:
    """A log house with crossed gables."""
    wall = foot - high * 0.5
    brush.shape([(x - wide / 2, foot), (x - wide / 2, wall), (x + wide / 2, wall), (x + wide / 2, foot)], width=0.026)
    brush.line([(x - wide / 2, foot - high * 0.17), (x + wide / 2, foot - high * 0.17)], 0.018)
    brush.line([(x - wide / 2, foot - high * 0.34), (x + wide / 2, foot - high * 0.34)], 0.018)
    top = (x, foot - high)
    brush.shape([(x - wide * 0.62, wall + 0.01), top, (x + wide * 0.62, wall + 0.01)], brush.shade, 0.026)
    for side in (-1, 1):
        brush.line([(x + side * wide * 0.05, foot - high * 0.92), (x - side * wide * 0.14, foot - high * 1.12)], 0.026)


def _door(brush: Brush, x: float, foot: float, wide: float, high: float) -> None:
    brush.shape([(x - wide, foot), (x - wide, foot - high), (x + wide, foot - high), (x + wide, foot)], brush.ink, 0.01)


def _stockade(brush: Brush, left: float, right: float, foot: float, high: float, logs: int) -> None:
    step = (right - left) / logs
    for log in range(logs):
        x = left + step * log
        tip = foot - high
        brush.shape(
            [(x, foot), (x, tip), (x + step / 2, tip - step * 0.6), (x + step, tip), (x + step, foot)], width=0.02
        )


def _fortress(brush: Brush, chance: Random) -> None:
    """A stockade around a watch tower."""
    brush.shape([(0.38, 0.60), (0.40, 0.24), (0.60, 0.24), (0.62, 0.60)], width=0.026)
    brush.shape([(0.32, 0.26), (0.32, 0.16), (0.68, 0.16), (0.68, 0.26)], width=0.026)
    brush.shape([(0.34, 0.16), (0.50, 0.02), (0.66, 0.16)], brush.shade, 0.026)
    _stockade(brush, 0.12, 0.88, 0.86, 0.30, 8)
    _door(brush, 0.50, 0.86, 0.085, 0.24)


def _market(brush: Brush, chance: Random) -> None:
    """A booth with an awning, and a cask."""
    brush.line([(0.20, 0.40), (0.20, 0.86)], 0.036)
    brush.line([(0.74, 0.40), (0.74, 0.86)], 0.036)
    brush.shape([(0.16, 0.66), (0.78, 0.66), (0.78, 0.76), (0.16, 0.76)], width=0.026)
    roof = [(0.10, 0.42), (0.22, 0.18), (0.72, 0.18), (0.84, 0.42)]
    brush.shape(roof, width=0.03)
    for number in (0, 2):
        left, right = 0.10 + 0.185 * number, 0.10 + 0.185 * (number + 1)
        top = [0.22 + 0.125 * number, 0.22 + 0.125 * (number + 1)]
        brush.shape([(left, 0.42), (top[0], 0.18), (top[1], 0.18), (right, 0.42)], brush.shade, 0.02)
    for number in range(4):
        brush.arc((0.10 + 0.185 * (number + 0.5), 0.42), (0.0925, 0.07), 0, 180, 0.026)
    brush.disc((0.86, 0.76), 0.10, width=0.028)
    brush.line([(0.77, 0.73), (0.95, 0.73)], 0.018)
    brush.line([(0.77, 0.80), (0.95, 0.80)], 0.018)


def _city(brush: Brush, chance: Random) -> None:
    """Houses close together."""
    _house(brush, 0.50, 0.56, 0.30, 0.46)
    _house(brush, 0.24, 0.82, 0.30, 0.44)
    _house(brush, 0.74, 0.84, 0.34, 0.48)
    _door(brush, 0.24, 0.82, 0.04, 0.14)
    _door(brush, 0.74, 0.84, 0.045, 0.15)


def _tower(brush: Brush, x: float, foot: float, wide: float, high: float, *, is_roofed: bool = False) -> None:
    half = wide / 2
    brush.shape([(x - half, foot), (x - half, foot - high), (x + half, foot - high), (x + half, foot)], width=0.028)
    top, step = foot - high, wide / 5
    if is_roofed:
        brush.shape([(x - half * 1.2, top), (x, top - wide * 0.9), (x + half * 1.2, top)], brush.shade, 0.026)
    else:
        for tooth in (0, 2, 4):
            left = x - half + step * tooth
            brush.shape([(left, top), (left, top - step), (left + step, top - step), (left + step, top)], width=0.024)
    brush.line([(x, foot - high * 0.72), (x, foot - high * 0.52)], 0.034)


def _provincial(brush: Brush, chance: Random) -> None:
    """Houses behind a wall with a gate."""
    _house(brush, 0.34, 0.56, 0.28, 0.40)
    _house(brush, 0.66, 0.56, 0.28, 0.40)
    for x in (0.14, 0.86):
        _tower(brush, x, 0.88, 0.20, 0.46)
    brush.shape([(0.22, 0.88), (0.22, 0.58), (0.78, 0.58), (0.78, 0.88)], width=0.028)
    brush.line([(0.22, 0.68), (0.78, 0.68)], 0.018)
    brush.line([(0.22, 0.78), (0.78, 0.78)], 0.018)
    _door(brush, 0.50, 0.88, 0.075, 0.19)


def _great_hall(brush: Brush, chance: Random) -> None:
    """A hall of three roofs, like a stave church, between two towers, with a banner."""
    brush.line([(0.50, 0.16), (0.50, 0.00)], 0.026)
    brush.shape([(0.50, 0.00), (0.70, 0.035), (0.50, 0.08)], brush.shade, 0.018)
    brush.shape([(0.42, 0.34), (0.50, 0.12), (0.58, 0.34)], brush.shade, 0.026)
    brush.shape([(0.43, 0.44), (0.43, 0.34), (0.57, 0.34), (0.57, 0.44)], width=0.022)
    brush.shape([(0.30, 0.56), (0.42, 0.40), (0.58, 0.40), (0.70, 0.56)], brush.shade, 0.026)
    brush.shape([(0.33, 0.66), (0.33, 0.56), (0.67, 0.56), (0.67, 0.66)], width=0.022)
    brush.shape([(0.18, 0.76), (0.32, 0.62), (0.68, 0.62), (0.82, 0.76)], brush.shade, 0.026)
    brush.shape([(0.22, 0.93), (0.22, 0.76), (0.78, 0.76), (0.78, 0.93)], width=0.028)
    _door(brush, 0.50, 0.93, 0.07, 0.14)
    for x in (0.10, 0.90):
        _tower(brush, x, 0.94, 0.17, 0.44, is_roofed=True)


def _a_tower(brush: Brush, chance: Random) -> None:
    _tower(brush, 0.50, 0.92, 0.40, 0.66)
    _door(brush, 0.50, 0.92, 0.07, 0.18)


def _keep(brush: Brush, chance: Random) -> None:
    _tower(brush, 0.50, 0.70, 0.34, 0.50)
    _tower(brush, 0.50, 0.92, 0.60, 0.36)
    _door(brush, 0.50, 0.92, 0.08, 0.18)


def _great_keep(brush: Brush, chance: Random) -> None:
    _tower(brush, 0.50, 0.46, 0.26, 0.34)
    _tower(brush, 0.50, 0.70, 0.50, 0.34)
    _tower(brush, 0.50, 0.94, 0.78, 0.32)
    _door(brush, 0.50, 0.94, 0.08, 0.18)


def _temple(brush: Brush, chance: Random) -> None:
    """A tower with the sun wheel above."""
    _tower(brush, 0.50, 0.94, 0.40, 0.46)
    _door(brush, 0.50, 0.94, 0.07, 0.18)
    brush.disc((0.50, 0.22), 0.19, width=0.034)
    brush.line([(0.31, 0.22), (0.69, 0.22)], 0.03)
    brush.line([(0.50, 0.03), (0.50, 0.41)], 0.03)


def _portal(brush: Brush, chance: Random) -> None:
    """An arch that stands by itself, with a star within."""
    outer = [(0.50 - 0.40 * math.cos(each), 0.46 - 0.38 * math.sin(each)) for each in _angles(0, 180)]
    inner = [(0.50 - 0.24 * math.cos(each), 0.46 - 0.22 * math.sin(each)) for each in _angles(0, 180)]
    brush.shape([(0.10, 0.94), *outer, (0.90, 0.94), (0.74, 0.94), *reversed(inner), (0.26, 0.94)], brush.shade, 0.04)
    brush.line([(0.50, 0.46), (0.50, 0.78)], 0.05)
    brush.line([(0.36, 0.54), (0.64, 0.70)], 0.05)
    brush.line([(0.64, 0.54), (0.36, 0.70)], 0.05)


def _treasure(brush: Brush, chance: Random) -> None:
    """A star of eight points, every other one long."""
    points = []
    for number in range(16):
        far = (0.48, 0.18, 0.30, 0.18)[number % 4]
        turn = math.radians(number * 22.5)
        points.append((0.50 + far * math.sin(turn), 0.50 - far * math.cos(turn)))
    brush.shape(points, brush.shade, 0.04)
    brush.disc((0.50, 0.50), 0.10, width=0.03)


def _foundation(brush: Brush, chance: Random) -> None:
    for row, shift in ((0.62, 0.0), (0.78, 0.12)):
        for x in (0.16, 0.40, 0.64):
            left = x + shift - 0.04
            brush.shape([(left, row), (left + 0.22, row), (left + 0.22, row + 0.14), (left, row + 0.14)], width=0.026)


def _stream_bridge(brush: Brush, chance: Random) -> None:
    arch = [(0.08 + 0.84 * step / 12, 0.62 - 0.24 * (1 - ((step - 6) / 6) ** 2)) for step in range(13)]
    lower = [(x, y + 0.16) for x, y in reversed(arch)]
    brush.shape([*arch, *lower], width=0.03)
    for x, y in arch[1:-1:2]:
        brush.line([(x, y), (x, y + 0.16)], 0.02)


def _pass(brush: Brush, chance: Random) -> None:
    brush.shape([(0.06, 0.86), (0.30, 0.30), (0.46, 0.70)], brush.shade, 0.03)
    brush.shape([(0.54, 0.70), (0.72, 0.30), (0.94, 0.86)], brush.shade, 0.03)
    brush.line([(0.36, 0.92), (0.46, 0.76), (0.54, 0.64), (0.50, 0.50)], 0.06)


def _canal(brush: Brush, chance: Random) -> None:
    for y in (0.34, 0.66):
        brush.line([(0.10, y), (0.90, y)], 0.04)
    for x in (0.24, 0.50, 0.76):
        brush.arc((x, 0.54), (0.10, 0.08), 200, 340, 0.026)


def _crown(brush: Brush, chance: Random) -> None:
    points = [(0.12, 0.80), (0.06, 0.26), (0.30, 0.52), (0.50, 0.16), (0.70, 0.52), (0.94, 0.26), (0.88, 0.80)]
    brush.shape(points, GOLD, 0.06)
    brush.line([(0.14, 0.68), (0.86, 0.68)], 0.05)


def _king(brush: Brush, chance: Random) -> None:
    """A bearded head under a crown."""
    brush.shape(
        [(0.30, 0.44), (0.70, 0.44), (0.70, 0.66), (0.62, 0.92), (0.50, 0.98), (0.38, 0.92), (0.30, 0.66)], width=0.05
    )
    brush.shape(
        [(0.28, 0.46), (0.22, 0.08), (0.38, 0.26), (0.50, 0.02), (0.62, 0.26), (0.78, 0.08), (0.72, 0.46)], GOLD, 0.05
    )
    for x in (0.42, 0.58):
        brush.disc((x, 0.56), 0.025, brush.ink, 0.01)
    for x in (0.42, 0.50, 0.58):
        brush.line([(x, 0.74), (0.5 + (x - 0.5) * 0.7, 0.90)], 0.03)


def _ship(brush: Brush, chance: Random) -> None:
    """A ship under a broad sail, with a stem at either end."""
    brush.line([(0.50, 0.66), (0.50, 0.08)], 0.05)
    brush.shape([(0.22, 0.16), (0.78, 0.16), (0.72, 0.54), (0.28, 0.54)], width=0.045)
    for x in (0.41, 0.59):
        brush.line([(x, 0.17), (x, 0.53)], 0.03)
    hull = [
        (0.05, 0.50),
        (0.16, 0.66),
        (0.84, 0.66),
        (0.95, 0.50),
        (0.90, 0.74),
        (0.74, 0.88),
        (0.26, 0.88),
        (0.10, 0.74),
    ]
    brush.shape(hull, width=0.05)
    brush.line([(0.13, 0.77), (0.87, 0.77)], 0.03)


def _serpent(brush: Brush, chance: Random) -> None:
    """A sea monster for unknown waters: three coils above the waves, and a head that looks back."""
    skin = mixed(brush.ink, brush.body, 0.3)
    for x, wide, high in ((0.24, 0.105, 0.17), (0.48, 0.13, 0.27), (0.725, 0.10, 0.19)):
        outer = [(x + wide * math.cos(a), 0.72 - high * math.sin(a)) for a in _angles(0, 180)]
        inner = [(x + wide * 0.42 * math.cos(a), 0.72 - high * 0.52 * math.sin(a)) for a in _angles(180, 0)]
        for a in _angles(30, 150, 5):
            left, right = a - 0.13, a + 0.13
            tip = (x + wide * 1.22 * math.cos(a), 0.72 - high * 1.2 * math.sin(a))
            fin = [(x + wide * math.cos(at), 0.72 - high * math.sin(at)) for at in (left, right)]
            brush.shape([fin[0], tip, fin[1]], skin, 0.012)
        brush.shape([*outer, *inner], skin, 0.014)
        for a in _angles(14, 166, 8):
            near, far = (wide * 0.46, high * 0.56), (wide * 0.72, high * 0.76)
            brush.line([(x + near[0] * math.cos(a), 0.72 - near[1] * math.sin(a)),
                        (x + far[0] * math.cos(a), 0.72 - far[1] * math.sin(a))], 0.011)  # fmt: skip
    neck = [(0.875, 0.72), (0.865, 0.58), (0.83, 0.49), (0.80, 0.40), (0.815, 0.31), (0.87, 0.27), (0.93, 0.285),
            (0.99, 0.335), (0.985, 0.365), (0.935, 0.362), (0.98, 0.385), (0.965, 0.405), (0.90, 0.40), (0.895, 0.44),
            (0.935, 0.53), (0.955, 0.62), (0.955, 0.72)]  # fmt: skip
    brush.shape(neck, skin, 0.014)
    for x, y in ((0.80, 0.40), (0.83, 0.49), (0.862, 0.58)):
        brush.shape([(x, y - 0.025), (x - 0.045, y + 0.005), (x + 0.008, y + 0.03)], skin, 0.012)
    brush.line([(0.835, 0.295), (0.79, 0.24), (0.80, 0.215)], 0.014)
    brush.disc((0.895, 0.322), 0.014, brush.body, 0.012)
    brush.line([(0.985, 0.372), (1.0, 0.38)], 0.01)
    tail = [(0.07, 0.72), (0.075, 0.63), (0.035, 0.57), (0.01, 0.585), (0.03, 0.53), (0.085, 0.555), (0.135, 0.53),
            (0.12, 0.58), (0.11, 0.64), (0.115, 0.72)]  # fmt: skip
    brush.shape(tail, skin, 0.014)
    for row, (y, shift) in enumerate(((0.735, 0.0), (0.785, 0.05), (0.835, 0.0))):
        for number in range(10 - 2 * row):
            x = 0.05 + shift + 0.1 * (number + row * 0.75)
            brush.arc((x, y), (0.05, 0.03), 195, 345, 0.012)


def _angles(start: float, end: float, steps: int = 16) -> list[float]:
    return [math.radians(start + (end - start) * step / steps) for step in range(steps + 1)]


_PAINTERS: dict[str, Painter] = {
    "forest": _forest, "desert": _desert, "swamp": _swamp, "mangrove": _mangrove, "ice": _ice, "hills": _hills,
    "crags": _crags, "mountains": _mountains, "gorge": _gorge, "tufts": _tufts, "waves": _waves,
    "F": _fortress, "Mkt": _market, "Std": _city, "Phstd": _provincial, "Hstd": _great_hall,
    "tower": _a_tower, "keep": _keep, "great_keep": _great_keep, "temple": _temple, "foundation": _foundation,
    "stream_bridge": _stream_bridge, "pass": _pass, "canal": _canal, "crown": _crown, "serpent": _serpent,
    "ship": _ship, "king": _king, "portal": _portal, "treasure": _treasure,
}  # fmt: skip
