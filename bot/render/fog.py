"""Fog on pictures of tiles: blank parchment with a soft edge over everything that a scene does not know.

A scene in fog has nothing that its viewer does not know, so there is nothing below the fog either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PIL import Image, ImageDraw, ImageFilter

from bot.render.style import Colour

COARSE = 4
"""Fog is so soft that it is made on a picture this many times smaller."""
PALE = 0.48
"""How far land that is only remembered has faded."""
Polygon = Sequence[tuple[float, float]]


def fog_mask(size: tuple[int, int], known: Iterable[Polygon], softness_px: float) -> Image.Image:
    """The mask of the fog: 255 away from what is known; its edge lies on what is known, not beyond it."""
    small = max(size[0] // COARSE, 1), max(size[1] // COARSE, 1)
    mask = Image.new("L", small, 255)
    draw = ImageDraw.Draw(mask)
    across, down = small[0] / size[0], small[1] / size[1]
    for polygon in known:
        draw.polygon([(x * across, y * down) for x, y in polygon], fill=0)
    reach = max(softness_px / COARSE, 1.0)
    soft = mask.filter(ImageFilter.GaussianBlur(reach)).point(_ramp(lambda value: value * 2))
    return soft.resize(size, Image.Resampling.BILINEAR)


def lay(picture: Image.Image, mask: Image.Image, colour: Colour, *, strength: float = 1.0) -> None:
    """Lay a colour where the mask is."""
    if strength < 1:
        mask = mask.point(_ramp(lambda value: value * strength))
    picture.paste(Image.new("RGB", picture.size, colour), (0, 0), mask)


def _ramp(change: Callable[[float], float]) -> list[int]:
    return [min(255, max(0, round(change(value)))) for value in range(256)]
