"""What a picture of tiles is drawn on: the tiles in sight, their places, and putting texts and glyphs on it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from PIL import Image, ImageDraw

from bot.render.glyphs import dimmed, dimmed_on, put
from bot.render.style import Colour, PowerStyle, Style, font, mixed
from engine.lattice.tiling import Box, Point, TileId, Tiling
from engine.pictures.legend import ArrowStatus
from engine.pictures.tiles import Tile, TileScene, Trail

MOST_WAYS, MOST_STEPS = 1500, 50
"""The most ways on a picture, and steps of one: more could be neither distinguished nor drawn in time."""
FINE_PX = 40
"""From this size on a square shows everything; a smaller one only its owner, and that somebody is there."""


Pixel = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Viewport:
    """The part of a board that a picture shows, and how large.

    Args:
        box: in tiles; its left upper corner is that of the picture.
        side: that of a tile, in pixels: from the middle of one to that of the next.
    """

    board: Tiling
    box: Box
    side: int

    @property
    def size(self) -> Pixel:
        """Width and height in pixels."""
        left, top, right, bottom = self.box
        return round((right - left) * self.side), round((bottom - top) * self.side)

    def pixel(self, point: Point, side: float) -> Point:
        """Where a point of the board is on a picture with tiles of this size."""
        return (point[0] - self.box[0]) * side, (point[1] - self.box[1]) * side

    def middle(self, tile: TileId) -> Point:
        """The middle of a tile, in pixels."""
        return self.pixel(self.board.middle(tile), self.side)

    def corners(self, tile: TileId) -> list[Point]:
        """The corners of a tile, in pixels."""
        return [self.pixel(corner, self.side) for corner in self.board.corners(tile)]

    def polygon(
        self, tile: TileId, *, beyond: float = 0.0, side: float | None = None, is_shared: bool = False
    ) -> tuple[Pixel, ...]:
        """The outermost pixels of a tile, from corner to corner; those of its neighbours are next to them.

        Args:
            beyond: this many tiles larger on every side.
            is_shared: neighbours share these pixels, so that nothing shows between them.
            side: that of tiles on another picture of the same board.
        """
        side = side or self.side
        (middle_x, middle_y), grown, less = self.board.middle(tile), 1 + 2 * beyond, not is_shared
        x, y = self.pixel((middle_x, middle_y), side)
        # The last pixel before each line, seen from the middle.
        return tuple(
            (
                math.ceil(x + (at_x - middle_x) * grown * side - 0.5) - (less and at_x >= middle_x),
                math.ceil(y + (at_y - middle_y) * grown * side - 0.5) - (less and at_y >= middle_y),
            )
            for at_x, at_y in self.board.corners(tile)
        )


def power_styles(scene: TileScene, style: Style) -> Mapping[str, PowerStyle]:
    """How each power of a picture looks, by its id."""
    powers = {}
    for place, power in enumerate(scene.powers):
        colour, hatch = style.power(power.id, place)
        ink = mixed(colour, style.colours["paper"], 0.62)
        powers[str(power.id)] = PowerStyle(colour, hatch, power.letter, power.name, ink)
    return powers


@lru_cache(maxsize=4)
def polygons_of(sight: Viewport) -> Mapping[TileId, tuple[Pixel, ...]]:
    """The tiles that are at least partly in sight, row by row, with their polygons."""
    return {at: sight.polygon(at) for at in sight.board.within(sight.box)}


@dataclass(frozen=True, slots=True)
class TileCanvas:
    """The scene that is drawn, and which part of it."""

    scene: TileScene
    style: Style
    powers: Mapping[str, PowerStyle]
    sight: Viewport
    polygons: Mapping[TileId, tuple[Pixel, ...]]

    @property
    def side(self) -> int:
        """The side of a tile, in pixels."""
        return self.sight.side

    @property
    def size(self) -> Pixel:
        """Width and height in pixels."""
        return self.sight.size

    @property
    def is_fine(self) -> bool:
        """Whether tiles are large enough to show everything."""
        return self.side >= FINE_PX

    def middle(self, tile: TileId) -> Point:
        """The middle of a tile, in pixels."""
        return self.sight.middle(tile)

    def corner(self, tile: TileId) -> Point:
        """The top left corner of the square around a tile's middle, as wide as the tile, in pixels."""
        x, y = self.sight.middle(tile)
        return x - self.side / 2, y - self.side / 2

    def tiles(self) -> Iterator[tuple[TileId, Tile]]:
        """The tiles in sight, row by row, without open water."""
        for at in self.polygons:
            tile = self.scene.tiles.get(at)
            if tile is not None:
                yield at, tile

    def marches(self) -> Iterator[Trail]:
        """The ways at least partly in sight, each once; if there are too many, failed ones are left out first."""
        ways = dict.fromkeys(replace(march, way=march.way[: MOST_STEPS + 1]) for march in self.scene.marches)
        shown = [way for way in ways if len(way.way) > 1 and any(at in self.polygons for at in way.way)]
        if len(shown) > MOST_WAYS:
            shown.sort(key=lambda way: way.status is ArrowStatus.FAILED)
        yield from shown[:MOST_WAYS]

    def seen(self, glyph: Image.Image, power: str) -> Image.Image:
        """A power's things as the picture shows them: dimmed if it is about another's realm."""
        return glyph if self.scene.lit in (None, power) else dimmed(glyph)

    def seen_on(self, plate: Image.Image, power: str, ground: Colour) -> Image.Image:
        """The same of a plate; what passes below it doesn't show through."""
        return plate if self.scene.lit in (None, power) else dimmed_on(plate, ground)

    def is_water(self, at: TileId) -> bool:
        """Whether there is water, as far as the viewer knows."""
        tile = self.scene.tiles.get(at)
        return not self.scene.is_in_fog if tile is None else tile.is_water


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
