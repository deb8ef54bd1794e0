"""Names of nations written across their land, as atlases have them: whose it is shows however small the picture."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby

from PIL import Image, ImageDraw, ImageFilter

from bot.render.glyphs import DARK
from bot.render.grid_canvas import GridCanvas
from bot.render.style import font, mixed, printable
from engine.core.words import in_capitals
from engine.pictures.grid_scene import Cell

FROM_COLUMNS = 20
"""Whole maps that are as wide as this have names on them; on smaller ones they would be in the way."""
_LEAST = 9
"""Squares that a realm must have."""
_SIZES = (0.62, 1.5)
"""The smallest and the largest letters, in squares."""
_STRENGTH, _GLOW = 190, 110
"""Of the letters and of the light around them, of 255."""


def write_names(picture: Image.Image, canvas: GridCanvas) -> None:
    """Each nation's name on its largest land."""
    if canvas.scene.focus or canvas.columns < FROM_COLUMNS:
        return
    owned: defaultdict[str, set[Cell]] = defaultdict(set)
    for cell, square in canvas.squares():
        if square.owner is not None and not square.is_water:
            owned[square.owner].add(cell)
    for power, cells in owned.items():
        realm = max(_parts(cells), key=lambda part: (len(part), min(part)))
        if len(realm) >= _LEAST:
            _write(picture, canvas, power, realm)


def _parts(cells: Iterable[Cell]) -> Iterator[set[Cell]]:
    """What hangs together."""
    left = set(cells)
    while left:
        part: set[Cell] = set()
        found = [left.pop()]
        while found:
            x, y = found.pop()
            part.add((x, y))
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left
            left -= near
            found += near
        yield part


def _write(picture: Image.Image, canvas: GridCanvas, power: str, realm: set[Cell]) -> None:
    look = canvas.powers[power]
    file = canvas.style.fonts["title"]
    text = in_capitals(printable(look.name, file))
    if not text:
        return
    (x, y), wide = _widest_stretch(realm)
    unit = font(file, 100).getlength(text) / 100 * (1 + _SPACED)
    size = min(wide * 0.96 / unit, _SIZES[1]) * canvas.side
    if size < _SIZES[0] * canvas.side:
        return
    left, top = canvas.corner((x, y))
    name = _name(text, file, size)
    at = round(left + (wide * canvas.side - name.width) / 2), round(top + (canvas.side - name.height) / 2)
    glow = name.filter(ImageFilter.GaussianBlur(size * 0.06)).point([min(_GLOW, value * 2) for value in range(256)])
    picture.paste(canvas.style.colours["halo"], at, glow)
    picture.paste(mixed(DARK, look.colour, 0.6), at, name)


def _widest_stretch(realm: set[Cell]) -> tuple[Cell, int]:
    """The longest row of squares, its first square and how many they are; of several, that in the realm's middle."""
    middle = sum(y for _, y in realm) / len(realm)
    best = ((0, 0), 0)
    rows = sorted(realm, key=lambda cell: (abs(cell[1] - middle), cell[1], cell[0]))
    for _, row in groupby(rows, key=lambda cell: cell[1]):
        for _, run in groupby(enumerate(row), key=lambda item: item[1][0] - item[0]):
            cells = [cell for _, cell in run]
            if len(cells) > best[1]:
                best = cells[0], len(cells)
    return best


_SPACED = 0.12
"""Room between letters, as a share of their width."""


def _name(text: str, file: str, size: float) -> Image.Image:
    """The letters, spaced, half to be seen through: a mask."""
    face = font(file, size)
    name = Image.new("L", (round(face.getlength(text) * (1 + _SPACED)), round(size * 1.3)))
    draw = ImageDraw.Draw(name)
    x = 0.0
    for letter in text:
        advance = face.getlength(letter) * (1 + _SPACED)
        draw.text((x + advance / 2, name.height / 2), letter, _STRENGTH, face, "mm")
        x += advance
    return name
