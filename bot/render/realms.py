"""Names of nations written across their land, as in atlases, so that its owner shows even on small pictures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from math import ceil

from PIL import Image, ImageDraw, ImageFilter

from bot.render.glyphs import DARK
from bot.render.style import font, mixed, printable
from bot.render.tile_canvas import TileCanvas
from engine.core.words import in_capitals
from engine.lattice.tiling import Point, TileId, Tiling

FROM_COLUMNS = 20
"""The least width of whole maps with names; on smaller ones they would be in the way."""
_LEAST = 9
"""The fewest tiles of a realm with a name."""
_SIZES = (0.62, 1.5)
"""The smallest and the largest letters, in tiles."""
_STRENGTH, _GLOW = 190, 110
"""The opacity of the letters and of the light around them, of 255."""


def write_names(picture: Image.Image, canvas: TileCanvas) -> None:
    """Each nation's name on its largest land."""
    left, _, right, _ = canvas.sight.box
    if canvas.scene.focus or right - left < FROM_COLUMNS:
        return
    owned: defaultdict[str, set[TileId]] = defaultdict(set)
    for at, tile in canvas.tiles():
        if tile.owner is not None and not tile.is_water:
            owned[tile.owner].add(at)
    for power, tiles in owned.items():
        realm = max(_parts(tiles, canvas.sight.board), key=lambda part: (len(part), min(part)))
        if len(realm) >= _LEAST:
            _write(picture, canvas, power, realm)


def _parts(tiles: Iterable[TileId], board: Tiling) -> Iterator[set[TileId]]:
    """A connected area."""
    left = set(tiles)
    while left:
        part: set[TileId] = set()
        found = [left.pop()]
        while found:
            at = found.pop()
            part.add(at)
            near = left.intersection(board.neighbours(at))
            left -= near
            found += near
        yield part


def _write(picture: Image.Image, canvas: TileCanvas, power: str, realm: set[TileId]) -> None:
    look = canvas.powers[power]
    file = canvas.style.fonts["title"]
    text = in_capitals(printable(look.name, file))
    if not text:
        return
    middle, wide = _widest_stretch(realm, canvas.sight.board)
    unit = font(file, 100).getlength(text) / 100 * (1 + _SPACED)
    size = min(wide * 0.96 / unit, _SIZES[1]) * canvas.side
    if size < _SIZES[0] * canvas.side:
        return
    x, y = canvas.sight.pixel(middle, canvas.side)
    name = _name(text, file, size)
    at = round(x - name.width / 2), round(y - name.height / 2)
    glow = name.filter(ImageFilter.GaussianBlur(size * 0.06)).point([min(_GLOW, value * 2) for value in range(256)])
    picture.paste(canvas.style.colours["halo"], at, glow)
    picture.paste(mixed(DARK, look.colour, 0.6), at, name)


_PACE = 0.5
"""The distance between the points by which stretches of a row are measured, in tiles."""


def _widest_stretch(realm: set[TileId], board: Tiling) -> tuple[Point, float]:
    """The longest stretch of a row, its middle and how long it is; of several, that in the realm's middle."""
    rows: defaultdict[float, list[float]] = defaultdict(list)
    for x, y in map(board.middle, realm):
        rows[round(y, 6)].append(x)
    middle = sum(y * len(row) for y, row in rows.items()) / len(realm)
    best = ((0.0, 0.0), 0.0)
    for y in sorted(rows, key=lambda y: (abs(y - middle), y)):
        west, east = min(rows[y]) - 1 + _PACE / 2, max(rows[y]) + 1
        points = (west + _PACE * number for number in range(ceil((east - west) / _PACE)))
        for is_own, run in groupby(points, key=lambda x: board.at((x, y)) in realm):
            stretch = list(run) if is_own else []
            if len(stretch) * _PACE > best[1]:
                best = ((stretch[0] + stretch[-1]) / 2, y), len(stretch) * _PACE
    return best


_SPACED = 0.12
"""Room between letters, as a share of their width."""


def _name(text: str, file: str, size: float) -> Image.Image:
    """The mask of a name: spaced letters, half transparent."""
    face = font(file, size)
    name = Image.new("L", (round(face.getlength(text) * (1 + _SPACED)), round(size * 1.3)))
    draw = ImageDraw.Draw(name)
    x = 0.0
    for letter in text:
        advance = face.getlength(letter) * (1 + _SPACED)
        draw.text((x + advance / 2, name.height / 2), letter, _STRENGTH, face, "mm")
        x += advance
    return name
