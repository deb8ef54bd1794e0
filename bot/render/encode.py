"""The last step: a drawn scene at its final width, as PNG."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from bot.model import Picture
from bot.render.battle_site import draw_battle
from bot.render.cards import draw_hand
from bot.render.chart import draw_chart
from bot.render.charter import draw_charter
from bot.render.great_fields import draw_great_fields
from bot.render.png import png_of
from bot.render.raster import draw_scene
from bot.render.style import Colour
from bot.render.tiles import draw_tiles
from engine.core.depiction import Depiction
from engine.pictures.chart import Chart
from engine.pictures.charter import Charter
from engine.pictures.hand import Hand
from engine.pictures.scene import Scene
from engine.pictures.site import SiteScene
from engine.pictures.tiles import TileScene

MOST_PX = 12_000_000
"""The largest number of pixels of a picture: drawing and packing it takes some thirty bytes of memory for each."""

MOST_BYTES = 4_000_000
"""The largest size of a PNG in bytes: half of what Discord takes from a bot in a server without boosts."""

SAMPLE_PX = 200_000
"""About this many pixels are enough to find a large picture's colours, which takes time."""


def encoded(shown: Depiction, *, width_px: int | None = None, with_key: bool = False) -> Picture:
    """A scene, of provinces or of tiles, a hand of cards or a chart, drawn and packed."""
    picture, colours = draw(shown, with_key=with_key)
    share = 1.0 if width_px is None else width_px / picture.width
    share = min(share, (MOST_PX / (picture.width * picture.height)) ** 0.5)
    shown_at = scaled(picture, share)
    while len(png := png_of(with_palette(shown_at, colours))) > MOST_BYTES:
        # A smaller picture takes somewhat more bytes for each pixel.
        share *= 0.9 * (MOST_BYTES / len(png)) ** 0.5
        shown_at = scaled(picture, share)
    return Picture(png, shown_at.width, shown_at.height)


def draw(shown: Depiction, *, with_key: bool = False) -> tuple[Image.Image, tuple[Colour, ...]]:
    """The picture, and the colours that mean something in it."""
    if isinstance(shown, Hand):
        return draw_hand(shown)
    if isinstance(shown, Charter):
        return draw_charter(shown)
    if isinstance(shown, Chart):
        return draw_chart(shown)
    if isinstance(shown, SiteScene):
        return draw_battle(shown)
    if isinstance(shown, TileScene):
        # Hexes in hexes have more detail than plain tiles.
        draw_them = draw_great_fields if shown.grounds else draw_tiles
        return draw_them(shown, with_key=with_key)
    if isinstance(shown, Scene):
        drawing = draw_scene(shown, with_key=with_key)
        return drawing.picture, drawing.colours
    raise TypeError(f"no drawing of {type(shown).__name__} is known")


def scaled(picture: Image.Image, share: float) -> Image.Image:
    size = max(round(picture.width * share), 1), max(round(picture.height * share), 1)
    return picture if size == picture.size else picture.resize(size, Image.Resampling.LANCZOS)


def with_palette(picture: Image.Image, colours: Sequence[Colour], *, most: int = 256) -> Image.Image:
    """The picture in 256 colours, these among them: a third of the file, in half of the time.

    Args:
        colours: those that must be kept exactly, however rare; at most 200 of them.
        most: of all colours.
    """
    smaller = max(4, round((picture.width * picture.height / SAMPLE_PX) ** 0.5))
    # One pixel of many is as good as their mean, which may be a colour that nobody drew, and is faster.
    sample = picture.resize((picture.width // smaller or 1, picture.height // smaller or 1), Image.Resampling.NEAREST)
    # The median cut takes ten times as long, and leaves three times as many pixels clearly off.
    spare = sample.quantize(most - len(colours), Image.Quantize.FASTOCTREE)
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(channel for colour in colours for channel in colour), *(spare.getpalette() or [])][:768])
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)
