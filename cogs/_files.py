"""Texts that come as files: order sheets, with a direct message or a command, and scenarios."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import aiohttp
import discord

from bot.services.errors import Refused
from bot.services.orders import LONGEST_TEXT
from bot.services.scenarios import LONGEST_SCENARIO, ScenarioFile, too_long
from cogs._reply import in_time
from engine.core.facts import SystemInfo
from engine.core.phrases import phrase
from engine.core.words import decoded

_JSON = "application/json"
FETCH_WITHIN_S = 20.0
FETCH_AGAIN_AFTER_S = (1.0, 3.0)
"""A file that does not come is asked for again: sent once more by the player, it may be too late."""


async def read_scenario_file(attachment: discord.Attachment) -> ScenarioFile:
    """A scenario as it was sent.

    Raises:
        Refused: it is not text, or is too long.
    """
    kind = attachment.content_type or ""
    if not attachment.filename.lower().endswith((".json", ".txt")) and not kind.startswith(_JSON):
        raise Refused(phrase("failure.scenario_kind"))
    if attachment.size > LONGEST_SCENARIO:
        raise too_long(attachment.size)
    return ScenarioFile(attachment.filename, await _read(attachment))


async def read_text_file(attachment: discord.Attachment, games: Iterable[SystemInfo]) -> str:
    """The text of a file, in whatever encoding editors usually write, and below it the line that its name stands for.

    Args:
        games: those whose names for such files are known.

    Raises:
        Refused: it is not text, or is too long.
    """
    lines = [game.sheet_file.find_line(attachment.filename) for game in games if game.sheet_file is not None]
    said = next(filter(None, lines), None)
    is_text = attachment.filename.lower().endswith(".txt") or (attachment.content_type or "").startswith("text/plain")
    if not is_text and said is None:
        raise Refused(phrase("failure.attachment_kind"))
    if attachment.size > LONGEST_TEXT:
        raise Refused(phrase("failure.attachment_long", kilobytes=LONGEST_TEXT // 1024))
    text = await _read(attachment)
    return text if said is None else f"{text}\n{said}"


async def _read(attachment: discord.Attachment) -> str:
    text = decoded(await in_time(_fetch(attachment), FETCH_WITHIN_S))
    if text is None:
        raise Refused(phrase("failure.attachment_encoding"))
    return text


async def _fetch(attachment: discord.Attachment) -> bytes:
    for pause_s in FETCH_AGAIN_AFTER_S:
        try:
            return await attachment.read()
        except discord.HTTPException as error:
            if error.status < 500 and error.status != 429:
                raise
        except (aiohttp.ClientError, OSError):
            """The connection broke."""
        await asyncio.sleep(pause_s)
    return await attachment.read()
