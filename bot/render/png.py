"""PNG files of pictures with a palette: written here, because Pillow offers no other compressor than zlib.

Format: https://www.w3.org/TR/png-3/.
"""

from __future__ import annotations

import struct
import zlib

from PIL import Image

try:
    from isal import isal_zlib

    HAS_ISAL = True
except ImportError:  # there are machines without a wheel of it
    HAS_ISAL = False

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_DEPTH, _BY_PALETTE = 8, 3
"""Bits of a pixel, and the colour type of pixels that are numbers of a palette."""
_LEVEL, _LEVEL_OF_ZLIB = 2, 3
"""Beyond these the time grows much faster than the file shrinks."""


def png_of(picture: Image.Image) -> bytes:
    """A picture of mode P as a PNG file."""
    # Every row begins with its filter, and 0 is none: filters are of no use for numbers of a palette.
    rows = picture.crop((-1, 0, *picture.size)).tobytes()
    header = struct.pack(">IIBBBBB", *picture.size, _DEPTH, _BY_PALETTE, 0, 0, 0)
    palette = bytes(picture.getpalette() or ())
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", _compressed(rows)), (b"IEND", b""))
    return _SIGNATURE + b"".join(_chunk(kind, data) for kind, data in chunks)


def _compressed(rows: bytes) -> bytes:
    """A zlib stream: ISA-L takes a fifth of the time of zlib, for a file that is 8 % larger."""
    return isal_zlib.compress(rows, _LEVEL) if HAS_ISAL else zlib.compress(rows, _LEVEL_OF_ZLIB)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))
