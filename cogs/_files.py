"""Order sheets that come as text files, with a direct message or a command."""

from __future__ import annotations

import codecs

import discord

from bot.services.errors import Refused
from bot.services.orders import LONGEST_TEXT
from engine.core.phrases import phrase

_MARKED = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


async def read_text_file(attachment: discord.Attachment) -> str:
    """The text of a file, in whatever encoding editors usually write.

    Raises:
        Refused: it is no text, or is too long.
    """
    is_text = attachment.filename.lower().endswith(".txt") or (attachment.content_type or "").startswith("text/plain")
    if not is_text:
        raise Refused(phrase("failure.attachment_kind"))
    if attachment.size > LONGEST_TEXT:
        raise Refused(phrase("failure.attachment_long", kilobytes=LONGEST_TEXT // 1024))
    return _decoded(await attachment.read())


def _decoded(data: bytes) -> str:
    """Text as UTF-8 or UTF-16 where that fits, else as old Windows editors wrote it.

    A sheet is read line by line: a letter that comes out wrong costs at most its own line.
    """
    marked = next((encoding for mark, encoding in _MARKED.items() if data.startswith(mark)), None)
    if b"\0" in data and marked != "utf-16":
        raise Refused(phrase("failure.attachment_encoding"))
    try:
        return data.decode(marked or "utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
