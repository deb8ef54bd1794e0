"""Pictures in 256 colours: a third of the file, in half of the time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from bot.render.style import Colour

SAMPLE_PX = 200_000
"""About this many pixels are enough to find a large picture's colours, which takes time."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture (RGB) that is not packed yet.

    Args:
        colours: those that mean something in it and are kept exactly, however rare; at most 200.
        palette: one with these that is kept for all such pictures; `None`: it is made for this one.
    """

    picture: Image.Image
    colours: Sequence[Colour]
    palette: Image.Image | None = None


def reduced(drawing: Drawing, picture: Image.Image) -> Image.Image:
    """A picture, which is a drawing at its final size, in 256 colours."""
    palette = drawing.palette or palette_of(sample_of(picture), drawing.colours)
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


def palette_of(sample: Image.Image, colours: Sequence[Colour], *, most: int = 256) -> Image.Image:
    """A picture of one pixel whose palette has these colours, and besides the common ones of a sample.

    The first picture that is reduced with it takes more than twice as long as the next: Pillow keeps in it what it has
    found out.

    Args:
        most: of all colours.
    """
    # The median cut takes ten times as long, and leaves three times as many pixels clearly off.
    spare = sample.quantize(most - len(colours), Image.Quantize.FASTOCTREE)
    palette = Image.new("P", (1, 1))
    every = [*(channel for colour in colours for channel in colour), *(spare.getpalette() or [])]
    palette.putpalette(every[: 3 * most])
    return palette


def sample_of(picture: Image.Image) -> Image.Image:
    """One pixel of many: as good as their mean, which may be a colour that nobody drew, and faster."""
    step = max(4, round((picture.width * picture.height / SAMPLE_PX) ** 0.5))
    return picture.resize((picture.width // step or 1, picture.height // step or 1), Image.Resampling.NEAREST)
