"""The last step: a drawn scene at its final width, as PNG."""

from __future__ import annotations

from PIL import Image

from bot.model import Picture
from bot.render.battle_site import draw_battle
from bot.render.cards import draw_hand
from bot.render.chart import draw_chart
from bot.render.charter import draw_charter
from bot.render.great_fields import draw_great_fields
from bot.render.palette import Drawing, reduced
from bot.render.png import png_of
from bot.render.raster import draw_scene
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


def encoded(shown: Depiction, *, width_px: int | None = None, with_key: bool = False) -> Picture:
    """A scene, of provinces or of tiles, a hand of cards or a chart, drawn and packed."""
    drawing = draw(shown, with_key=with_key)
    picture = drawing.picture
    share = 1.0 if width_px is None else width_px / picture.width
    share = min(share, (MOST_PX / (picture.width * picture.height)) ** 0.5)
    shown_at = scaled(picture, share)
    while len(png := png_of(reduced(drawing, shown_at))) > MOST_BYTES:
        # A smaller picture takes somewhat more bytes for each pixel.
        share *= 0.9 * (MOST_BYTES / len(png)) ** 0.5
        shown_at = scaled(picture, share)
    return Picture(png, shown_at.width, shown_at.height)


def draw(shown: Depiction, *, with_key: bool = False) -> Drawing:
    """The picture of whatever is to be shown."""
    if isinstance(shown, Hand):
        return Drawing(*draw_hand(shown))
    if isinstance(shown, Charter):
        return Drawing(*draw_charter(shown))
    if isinstance(shown, Chart):
        return Drawing(*draw_chart(shown))
    if isinstance(shown, SiteScene):
        return Drawing(*draw_battle(shown))
    if isinstance(shown, TileScene):
        # Hexes in hexes have more detail than plain tiles.
        draw_them = draw_great_fields if shown.grounds else draw_tiles
        return Drawing(*draw_them(shown, with_key=with_key))
    if isinstance(shown, Scene):
        return draw_scene(shown, with_key=with_key)
    raise TypeError(f"no drawing of {type(shown).__name__} is known")


def scaled(picture: Image.Image, share: float) -> Image.Image:
    """A picture with its sides multiplied; at least a pixel is left of each."""
    size = max(round(picture.width * share), 1), max(round(picture.height * share), 1)
    return picture if size == picture.size else picture.resize(size, Image.Resampling.LANCZOS)
