"""Pictures that cost nothing, for end-to-end tests that are not about pictures."""

from __future__ import annotations

import struct
import zlib

from bot.model import Picture
from engine.core.depiction import Depiction

WIDTH_PX, HEIGHT_PX = 40, 30


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _plain_png() -> bytes:
    header = struct.pack(">IIBBBBB", WIDTH_PX, HEIGHT_PX, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\xcc" * WIDTH_PX) * HEIGHT_PX)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", rows) + _chunk(b"IEND", b"")


class PlainRenderer:
    """Fulfils `bot.ports.Renderer`."""

    def draw(self, shown: Depiction, /, *, width_px: int | None = None, with_key: bool = False) -> Picture:
        return Picture(_plain_png(), WIDTH_PX, HEIGHT_PX)
