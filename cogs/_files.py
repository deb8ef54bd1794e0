"""Texts that come as files: order sheets, with a direct message or a command, and scenarios."""

from __future__ import annotations

import re

import discord

from bot.services.errors import Refused
from bot.services.orders import LONGEST_TEXT
from bot.services.scenarios import LONGEST_SCENARIO, ScenarioFile, too_long
from engine.core.phrases import phrase
from engine.core.words import decoded

_JSON = "application/json"
_OF_TURN = re.compile(r"SP[0-9]+\.R0*([0-9]{1,9})", re.IGNORECASE)
"""How sheets of King of Kings are named: the player's number and the turn. Source: docs/king_of_kings.md"""


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


async def read_text_file(attachment: discord.Attachment) -> str:
    """The text of a file, in whatever encoding editors usually write.

    Raises:
        Refused: it is not text, or is too long.
    """
    of_turn = _OF_TURN.fullmatch(attachment.filename)
    is_text = attachment.filename.lower().endswith(".txt") or (attachment.content_type or "").startswith("text/plain")
    if not is_text and of_turn is None:
        raise Refused(phrase("failure.attachment_kind"))
    if attachment.size > LONGEST_TEXT:
        raise Refused(phrase("failure.attachment_long", kilobytes=LONGEST_TEXT // 1024))
    text = await _read(attachment)
    return text if of_turn is None else f"{text}\nGAME {of_turn[1]}"


async def _read(attachment: discord.Attachment) -> str:
    text = decoded(await attachment.read())
    if text is None:
        raise Refused(phrase("failure.attachment_encoding"))
    return text
