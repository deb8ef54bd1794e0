"""Order sheets that come as text files, with a direct message or a command."""

from __future__ import annotations

import discord

from bot.services.errors import Refused
from bot.services.orders import LONGEST_TEXT
from engine.core.phrases import phrase
from engine.core.words import decoded


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
    text = decoded(await attachment.read())
    if text is None:
        raise Refused(phrase("failure.attachment_encoding"))
    return text
