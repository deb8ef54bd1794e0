"""What a picture of squares is drawn on: which squares are in sight, where they lie, and words and glyphs put on it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from PIL import Image, ImageDraw

from bot.render.glyphs import dimmed
from bot.render.style import Colour, PowerStyle, Style, font
from engine.pictures.grid_scene import Cell, GridScene, March, Square
from engine.pictures.legend import ArrowStatus

MOST_WAYS, MOST_STEPS = 1500, 50
"""Ways on a picture, and steps of one: more could be neither told apart nor drawn in time."""
FINE_PX = 40
"""From this size on a square shows all it has; a smaller one only whose it is and that somebody is there."""


@dataclass(frozen=True, slots=True)
class GridCanvas:
    """What is drawn, and how large: columns and rows from `left`, `top` on, squares of `side` pixels."""

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
        """Width and height in pixels."""
        return self.columns * self.side, self.rows * self.side

    @property
    def is_fine(self) -> bool:
        """Whether squares are large enough for all that is there."""
        return self.side >= FINE_PX

    def corner(self, cell: Cell) -> tuple[int, int]:
        """The top left corner of a square, in pixels."""
        return (cell[0] - self.left) * self.side, (cell[1] - self.top) * self.side

    def middle(self, cell: Cell) -> tuple[float, float]:
        """The middle of a square, in pixels."""
        x, y = self.corner(cell)
        return x + self.side / 2, y + self.side / 2

    def cells(self) -> Iterator[Cell]:
        """What is in sight, row by row, open water too."""
        for y in range(self.top, self.top + self.rows):
            for x in range(self.left, self.left + self.columns):
                yield x, y

    def squares(self) -> Iterator[tuple[Cell, Square]]:
        """The squares in sight, row by row, without open water."""
        for cell in self.cells():
            square = self.scene.squares.get(cell)
            if square is not None:
                yield cell, square

    def marches(self) -> Iterator[March]:
        """The ways in sight, be it in part, each once; of very many those that came to nothing are left out first."""
        ways = dict.fromkeys(replace(march, way=march.way[: MOST_STEPS + 1]) for march in self.scene.marches)
        shown = [way for way in ways if len(way.way) > 1 and any(map(self._is_in_sight, way.way))]
        if len(shown) > MOST_WAYS:
            shown.sort(key=lambda way: way.status is ArrowStatus.FAILED)
        yield from shown[:MOST_WAYS]

    def _is_in_sight(self, cell: Cell) -> bool:
        return 0 <= cell[0] - self.left < self.columns and 0 <= cell[1] - self.top < self.rows

    def seen(self, glyph: Image.Image, power: str) -> Image.Image:
        """What belongs to a power as the picture shows it: dimmed where it is about another's realm."""
        return glyph if self.scene.lit in (None, power) else dimmed(glyph)

    def is_water(self, cell: Cell) -> bool:
        """Whether a cell of the map is water."""
        square = self.scene.squares.get(cell)
        return square is None or square.is_water


def write(
    picture: Image.Image,
    style: Style,
    at: tuple[float, float],
    text: str,
    size: float,
    *,
    face: str = "strong",
    ink: str = "ink",
) -> None:
    """A text with a halo, its middle at a point."""
    put(picture, written(style, text, size, face=face, ink=ink), at)


def written(style: Style, text: str, size: float, *, face: str = "strong", ink: str = "ink") -> Image.Image:
    """A text with a halo, as a glyph."""
    return _written(text, style.fonts[face], round(size), style.colours[ink], style.colours["halo"])


@lru_cache(maxsize=2048)
def _written(text: str, file: str, size: int, ink: Colour, halo: Colour) -> Image.Image:
    face = font(file, size)
    stroke = max(1, round(size * 0.12))
    left, top, right, bottom = face.getbbox(text, anchor="mm", stroke_width=stroke)
    across, down = math.ceil(max(-left, right)), math.ceil(max(-top, bottom))
    stamp = Image.new("RGBA", (2 * across, 2 * down), (*halo, 0))
    draw = ImageDraw.Draw(stamp)
    draw.text((across, down), text, font=face, fill=ink, anchor="mm", stroke_width=stroke, stroke_fill=halo)
    return stamp


def put(picture: Image.Image, glyph: Image.Image, at: tuple[float, float]) -> None:
    """A glyph, its middle at a point."""
    picture.paste(glyph, (round(at[0] - glyph.width / 2), round(at[1] - glyph.height / 2)), glyph)
