"""Sends composed messages to channels and people, and sorts what Discord answers: the announcer's `Sender`."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import timedelta

import aiohttp
import discord

from bot.announce import NotAllowed, TryLater, Undeliverable
from bot.discord_messages import message_kwargs
from bot.faults import describe_fault
from bot.model import Target
from bot.ports import Renderer, WorkFailed
from bot.text.message import Message

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
_TOO_FAST = 40003
"""Direct messages are opened too fast."""
_WAIT_WHEN_TOO_FAST = timedelta(minutes=2)


class RejectedMessage(Exception):
    """Discord found the message itself wrong: a fault of ours."""


class DiscordSender:
    """Sends with discord.py, which waits out ordinary rate limits by itself."""

    def __init__(self, client: discord.Client, renderer: Renderer) -> None:
        self._client = client
        self._renderer = renderer

    async def send(self, target: Target, target_id: int, message: Message, *, nonce: str) -> int:
        """See `bot.announce.Sender`."""
        try:
            kwargs = await message_kwargs(message, self._renderer)
        except WorkFailed as fault:
            # It would fail again: better the words now than both never.
            logger.error("a map could not be drawn: %s", describe_fault(fault))
            kwargs = await message_kwargs(replace(message, pictures=()), self._renderer)
        try:
            channel = await self._channel(target, target_id)
            return (await channel.send(**kwargs, nonce=nonce)).id
        except discord.HTTPException as error:
            raise _sorted_out(error) from None
        except discord.RateLimited as error:
            raise TryLater("rate limit", timedelta(seconds=error.retry_after)) from None
        except (aiohttp.ClientError, OSError) as error:
            raise TryLater(type(error).__name__) from None

    async def _channel(self, target: Target, target_id: int) -> discord.abc.Messageable:
        if target is Target.USER:
            return await self._client.create_dm(discord.Object(target_id))
        # A channel that isn't in the cache may still be there: Discord is asked.
        return self._client.get_partial_messageable(target_id)


def _sorted_out(error: discord.HTTPException) -> Exception:
    """What the announcer does about an answer of Discord; its own text says nothing of the message's."""
    why = f"{error.status} {error.code}"
    if error.text.lstrip().startswith("<"):
        # The page of a gateway in between, which knows nothing of the channel: not Discord's last word.
        return TryLater(why)
    if error.code in _GONE:
        return Undeliverable(why)
    if error.code in _PERMISSIONS:
        return NotAllowed(why)
    if error.code == _TOO_FAST:
        return TryLater(why, _WAIT_WHEN_TOO_FAST)
    if error.status >= 500 or error.status in {401, 408, 429}:
        return TryLater(why)
    if error.status in {403, 404}:
        return Undeliverable(why)
    return RejectedMessage(why)
