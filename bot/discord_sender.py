"""Sends composed messages to channels and people, and classifies Discord's answers: the announcer's `Sender`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence, Set
from dataclasses import replace
from datetime import datetime, timedelta

import aiohttp
import discord

from bot.announcing.sender import NotAllowed, TryLater, Undeliverable
from bot.discord_messages import edit_kwargs, message_kwargs
from bot.faults import describe_fault
from bot.model import Target
from bot.ports import Renderer, WorkFailed
from bot.text.message import Message
from bot.text.plain import ways_to_post

logger = logging.getLogger(__name__)

_GONE = frozenset({
    10003,  # unknown channel
    10013,  # unknown user
    50007,  # closed direct messages
    50278,  # no server in common
})  # fmt: skip
_PERMISSIONS = frozenset({
    50001,  # no access to the channel
    50013,  # a permission is missing
    50083,  # the thread is archived
    160005,  # the thread is locked
})  # fmt: skip
_UNKNOWN_MESSAGE = 10008
_GENERAL_ERROR = 0
"""Discord says nothing of what is wrong; a channel or person who is not there has a code of its own."""
_TOO_FAST = 40003
"""Direct messages are opened too fast."""
_WAIT_WHEN_TOO_FAST = timedelta(minutes=2)
DRAW_WITHIN_S = 60.0
"""How long the pictures of a message may take; well within the announcer's patience."""
LOOK_THROUGH = 100
"""How many messages of a channel are searched for one that may have arrived."""


class RejectedMessage(Exception):
    """Discord rejected the message itself: a fault of ours."""


class DiscordSender:
    """Sends with discord.py, which waits out ordinary rate limits by itself."""

    def __init__(self, client: discord.Client, renderer: Renderer) -> None:
        self._client = client
        self._renderer = renderer

    async def send(self, target: Target, target_id: int, message: Message, *, nonce: str) -> int:
        """See `bot.announcing.sender.Sender`."""
        try:
            async with asyncio.timeout(DRAW_WITHIN_S):
                kwargs = await message_kwargs(message, self._renderer)
        except (WorkFailed, TimeoutError) as fault:
            # It would fail again: better the text now than neither ever.
            logger.error("a map could not be drawn: %s", describe_fault(fault))
            kwargs = await message_kwargs(replace(message, pictures=()), self._renderer)
        try:
            channel = await self._channel(target, target_id)
            return (await channel.send(**kwargs, nonce=nonce)).id
        except (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError) as error:
            raise _sorted_out(error, target) from None

    async def edit(self, target: Target, target_id: int, message_id: int, message: Message) -> bool:
        """See `bot.announcing.sender.Sender`."""
        kwargs = await edit_kwargs(replace(message, pictures=(), files=()), self._renderer)
        del kwargs["attachments"]  # what isn't named stays
        try:
            channel = await self._channel(target, target_id)
            await channel.get_partial_message(message_id).edit(**kwargs)
        except (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError) as error:
            if isinstance(error, discord.HTTPException) and error.code == _UNKNOWN_MESSAGE:
                return False
            raise _sorted_out(error, target) from None
        return True

    async def find(
        self, target: Target, target_id: int, message: Message, *, nonce: str, since: datetime, known: Set[int]
    ) -> int | None:
        """See `bot.announcing.sender.Sender`. Discord may not report a nonce again, so the text decides."""
        try:
            channel = await self._channel(target, target_id)
            async for found in channel.history(limit=LOOK_THROUGH, after=since):
                is_ours = self._client.user is not None and found.author.id == self._client.user.id
                if is_ours and found.id not in known and (found.nonce == nonce or _says(found, message)):
                    return found.id
        except (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError) as error:
            raise _sorted_out(error, target) from None
        return None

    async def _channel(self, target: Target, target_id: int) -> discord.DMChannel | discord.PartialMessageable:
        if target is Target.USER:
            return await self._client.create_dm(discord.Object(target_id))
        # A channel that isn't in the cache may still be there: Discord is asked.
        return self._client.get_partial_messageable(target_id)


def _says(found: discord.Message, message: Message) -> bool:
    """Whether a message has the text and buttons of ours, or of the first message that ours was sent as."""
    buttons = [part.custom_id for row in found.components for part in getattr(row, "children", ())]
    said = _words((found.content, *[text for embed in found.embeds for text in (embed.title, embed.description)]))
    # If files could not be attached, only the text was sent; boxes that are refused may be sent as several messages.
    return any(said == _words(_texts(first)) and buttons == _ids(first) for first, *_ in ways_to_post(message).values())


def _ids(message: Message) -> list[str]:
    return [
        *[select.custom_id for select in message.selects],
        *[button.custom_id for button in message.shortcuts],
        *[button.custom_id for button in message.buttons],
    ]


def _texts(message: Message) -> Sequence[str]:
    return (message.content, *[text for embed in message.embeds for text in (embed.title, embed.description)])


def _words(texts: Sequence[str | None]) -> list[str]:
    """The text without white space, which Discord may have changed."""
    return " ".join(text or "" for text in texts).split()


def _sorted_out(error: Exception, target: Target) -> Exception:
    """The announcer's reaction to an answer from Discord, whose text contains nothing of the message."""
    if isinstance(error, discord.RateLimited):
        return TryLater("rate limit", timedelta(seconds=error.retry_after))
    if not isinstance(error, discord.HTTPException):
        # The connection may have broken after Discord had done it.
        return TryLater(type(error).__name__, may_have_arrived=True)
    why = f"{error.status} {error.code}"
    if error.text.lstrip().startswith("<"):
        # The error page of a gateway in between, which knows nothing about the channel: not Discord's last word.
        return TryLater(why, may_have_arrived=True)
    if error.code in _GONE:
        return Undeliverable(why)
    if error.code in _PERMISSIONS:
        return NotAllowed(why)
    if error.code == _TOO_FAST:
        return TryLater(why, _WAIT_WHEN_TOO_FAST)
    says_nothing = error.status == 404 and error.code == _GENERAL_ERROR
    if says_nothing or error.status >= 500 or error.status in {401, 408, 429}:
        return TryLater(why, may_have_arrived=error.status not in {401, 429})
    if error.status == 403 and target is Target.CHANNEL:
        # Whatever forbids it, the channel is there, and its server can allow it again.
        return NotAllowed(why)
    if error.status in {403, 404}:
        return Undeliverable(why)
    return RejectedMessage(why)
