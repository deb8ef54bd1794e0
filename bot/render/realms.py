"""Names of nations written across their land, or beside it, as in atlases, so that they show even on small pictures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, product
from math import ceil, dist, floor
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFilter

from bot.render.glyphs import DARK
from bot.render.style import font, mixed, printable
from bot.render.tile_canvas import TileCanvas
from engine.core.words import in_capitals
from engine.lattice.tiling import Box, Point, TileId, Tiling
from engine.pictures.tiles import Tile

FROM_COLUMNS = 20
"""The least width of whole maps with names; on smaller ones they would be in the way."""
_LEAST = 9
"""The fewest tiles of a realm with a name across it."""
_LEAST_SHARE = 0.2
"""A realm is named beside it if it is at least this share of its nation's land: not one of many scattered towns."""
_PARTS = 6
"""Into how many parts a name is divided to see on which tiles it lies."""
_SIZES = (0.62, 1.5)
"""The smallest and the largest letters, in tiles."""
_HIDDEN = (0.0, 0.45, 0.8, 1.5)
"""What plates of no, one, two and more words take from a name that lies under them; the last are of two lines."""


class _Look(NamedTuple):
    """How a name is written: the opacity of its letters and of the light around them, of 255, and how dark they are."""

    letters: int
    light: int
    dark: float


_ACROSS, _BESIDE = _Look(215, 150, 0.85), _Look(255, 235, 0.6)
"""Across a realm, where the land has the nation's colour and the letters have little of it, and beside one."""
_RAISED = 0.13
"""How far a name across a realm is above the middle of its row, in tiles: plates are at the lower end of tiles."""


def write_names(picture: Image.Image, canvas: TileCanvas) -> None:
    """Each nation's name: across its largest land, or beside it if it is too small."""
    left, _, right, _ = canvas.sight.box
    if canvas.scene.focus or right - left < FROM_COLUMNS:
        return
    tiles = dict(canvas.tiles())
    owned: defaultdict[str, set[TileId]] = defaultdict(set)
    for at, tile in tiles.items():
        if tile.owner is not None and not tile.is_water:
            owned[tile.owner].add(at)
    realms = {
        power: max(_parts(land, canvas.sight.board), key=lambda part: (len(part), min(part)))
        for power, land in owned.items()
    }
    small, taken = [], []
    for power, realm in realms.items():
        if (box := _write_across(picture, canvas, power, {at: tiles[at] for at in realm})) is not None:
            taken.append(box)
        elif len(realm) >= _LEAST_SHARE * len(owned[power]):
            small.append(power)
    for power in small:
        spot = _free_spot(canvas, tiles, power, realms[power], taken)
        if spot is not None:
            _write(picture, canvas, power, spot, _SIZES[0], _BESIDE)
            taken.append(_box(spot, _width(canvas, power) * _SIZES[0], _SIZES[0]))


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


def _write_across(picture: Image.Image, canvas: TileCanvas, power: str, realm: Mapping[TileId, Tile]) -> Box | None:
    """The name within a realm, if it has room for it; returns what it takes, in tiles."""
    if len(realm) < _LEAST or not (unit := _width(canvas, power)):
        return None
    middle, size = _best_stretch(realm, canvas.sight.board, unit)
    if not size:
        return None
    middle = middle[0], middle[1] - _RAISED
    _write(picture, canvas, power, middle, size, _ACROSS)
    return _box(middle, unit * size, size)


def _free_spot(
    canvas: TileCanvas, tiles: Mapping[TileId, Tile], power: str, realm: set[TileId], taken: Sequence[Box]
) -> Point | None:
    """The middle of a small realm's name where it hides no other, as little else as possible, and is near."""
    if not (unit := _width(canvas, power)):
        return None
    size, board = _SIZES[0], canvas.sight.board
    wide = unit * size
    columns, rows = zip(*map(board.middle, realm), strict=True)
    middle = sum(columns) / len(columns), sum(rows) / len(rows)
    far = (max(columns) - min(columns) + wide) / 2 + 1, (max(rows) - min(rows)) / 2 + 1.5

    def cost(spot: Point) -> float:
        left, top, right, bottom = _box(spot, wide, size)
        under = {
            board.at((left + (right - left) * part / _PARTS, y))
            for part in range(_PARTS + 1)
            for y in (top + size * 0.2, bottom - size * 0.2)
        }
        return sum(_busy(tiles[at], power) for at in under if at in tiles) + dist(spot, middle)

    spots = product(_around(middle[0], far[0]), _around(middle[1], far[1]))
    free = [spot for spot in spots if _is_free(_box(spot, wide, size), canvas.sight.box, taken)]
    return min(free, key=cost, default=None)


def _around(middle: float, far: float) -> Sequence[float]:
    """Points on both sides of a middle, at the distance `_PACE` from each other."""
    return [_PACE * number for number in range(ceil((middle - far) / _PACE), floor((middle + far) / _PACE) + 1)]


def _busy(tile: Tile, power: str) -> float:
    """How much a name would be hidden on a tile, hide there, or be mistaken for that of another nation."""
    under = 2 * _hidden(tile)
    return under if tile.is_water else under + 0.3 + (2.0 if tile.owner not in (None, power) else 0.0)


def _is_free(box: Box, sight: Box, taken: Iterable[Box]) -> bool:
    """Whether a box is on the map and covers none of those that are taken."""
    left, top, right, bottom = box
    is_inside = left >= sight[0] and top >= sight[1] and right <= sight[2] and bottom <= sight[3]
    return is_inside and not any(
        left < other[2] and other[0] < right and top < other[3] and other[1] < bottom for other in taken
    )


def _text(canvas: TileCanvas, power: str) -> str:
    return in_capitals(printable(canvas.powers[power].name, canvas.style.fonts["title"]))


def _width(canvas: TileCanvas, power: str) -> float:
    """How wide a name is, in heights of its letters; 0 if it has none that can be written."""
    return font(canvas.style.fonts["title"], 100).getlength(_text(canvas, power)) / 100 * (1 + _SPACED)


def _box(middle: Point, wide: float, high: float) -> Box:
    return middle[0] - wide / 2, middle[1] - high / 2, middle[0] + wide / 2, middle[1] + high / 2


def _write(
    picture: Image.Image,
    canvas: TileCanvas,
    power: str,
    middle: Point,
    size: float,
    look: _Look,
) -> None:
    """A name around a point of the board, its size in tiles."""
    x, y = canvas.sight.pixel(middle, canvas.side)
    size *= canvas.side
    name = _name(_text(canvas, power), canvas.style.fonts["title"], size, look.letters)
    at = round(x - name.width / 2), round(y - name.height / 2)
    glow = name.filter(ImageFilter.GaussianBlur(size * 0.06)).point(
        [min(look.light, value * 2) for value in range(256)]
    )
    picture.paste(canvas.style.colours["halo"], at, glow)
    picture.paste(mixed(DARK, canvas.powers[power].colour, look.dark), at, name)


_PACE = 0.5
"""The distance between the points by which stretches of a row are measured, in tiles."""


def _best_stretch(realm: Mapping[TileId, Tile], board: Tiling, unit: float) -> tuple[Point, float]:
    """Where in a row a name is read best, and how large: it is as large and as little under troops as can be.

    Args:
        unit: how wide the name is, in heights of its letters.

    Returns: its middle, of several that in the realm's middle, and its size; 0 if there is no room.
    """
    rows: defaultdict[float, list[float]] = defaultdict(list)
    for x, y in map(board.middle, realm):
        rows[round(y, 6)].append(x)
    middle = sum(y * len(row) for y, row in rows.items()) / len(realm)
    best, found = -1.0, ((0.0, 0.0), 0.0)
    for y in sorted(rows, key=lambda y: (abs(y - middle), y)):
        west, east = min(rows[y]) - 1 + _PACE / 2, max(rows[y]) + 1
        points = (west + _PACE * number for number in range(ceil((east - west) / _PACE)))
        for is_own, run in groupby(points, key=lambda x: board.at((x, y)) in realm):
            stretch = list(run) if is_own else []
            hidden = [_hidden(realm[board.at((x, y))]) for x in stretch]
            for size, first, last in _spans(len(stretch), unit):
                worth = size * (1 - sum(hidden[first:last]) / (last - first))
                if worth > best:
                    best, found = worth, (((stretch[first] + stretch[last - 1]) / 2, y), size)
    return found


def _hidden(tile: Tile) -> float:
    """How much less can be read of a name where it crosses a tile."""
    words = sum(len(troops.text.split()) for troops in tile.troops)
    return _HIDDEN[min(words, len(_HIDDEN) - 1)]


def _spans(points: int, unit: float) -> Iterator[tuple[float, int, int]]:
    """Sizes of a name on a stretch of so many points, and from which to which it goes; first in the middle."""
    largest = min(points * _PACE * 0.96 / unit, _SIZES[1])
    for size in (largest, largest * 0.85, largest * 0.7):
        if size >= _SIZES[0]:
            count = min(points, ceil(size * unit / 0.96 / _PACE))
            for first in sorted(range(points - count + 1), key=lambda first: abs(2 * first + count - points)):
                yield size, first, first + count


_SPACED = 0.12
"""Room between letters, as a share of their width."""


def _name(text: str, file: str, size: float, strength: int) -> Image.Image:
    """The mask of a name: spaced letters, half transparent."""
    face = font(file, size)
    name = Image.new("L", (round(face.getlength(text) * (1 + _SPACED)), round(size * 1.3)))
    draw = ImageDraw.Draw(name)
    x = 0.0
    for letter in text:
        advance = face.getlength(letter) * (1 + _SPACED)
        draw.text((x + advance / 2, name.height / 2), letter, strength, face, "mm")
        x += advance
    return name
