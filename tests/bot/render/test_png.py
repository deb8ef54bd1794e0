"""PNG files as any other program reads them, whichever compressor wrote them."""

from __future__ import annotations

from io import BytesIO
from random import Random

import pytest
from PIL import Image

from bot.render import png


@pytest.mark.parametrize("size", [(1, 1), (7, 3), (300, 200)])
@pytest.mark.parametrize("colours", [2, 200, 256])
@pytest.mark.parametrize("is_fast", [True, False])
def test_every_pixel_comes_back(
    size: tuple[int, int], colours: int, is_fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_fast:
        pytest.importorskip("isal")
    else:
        monkeypatch.setattr(png, "HAS_ISAL", False)
    dice = Random(7)
    picture = Image.frombytes("P", size, bytes(dice.randrange(colours) for _ in range(size[0] * size[1])))
    picture.putpalette(dice.randbytes(3 * colours))
    with Image.open(BytesIO(png.png_of(picture))) as read:
        read.load()  # checks the sums of the chunks
        assert (read.format, read.mode, read.size) == ("PNG", "P", size)
        assert read.convert("RGB").tobytes() == picture.convert("RGB").tobytes()
