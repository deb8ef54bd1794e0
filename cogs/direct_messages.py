"""Orders by plain direct message: lines of text, a code block, or a text file. Anything else gets a friendly word."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from datetime import datetime, timedelta

import discord
from discord.ext import commands

from bot.client import SealedOrdersClient
from bot.discord_messages import message_kwargs
from bot.faults import describe_fault
from bot.model import GameId, GameStatus, UserId
from bot.services import lobby, orders
from bot.services.orders import Receipt, SubmitMode
from bot.text.catalogue import words_of
from bot.text.failure import failure_message
from bot.text.games import which_game_message
from bot.text.help import hello_message
from bot.text.message import Message
from bot.text.order_receipt import receipt_message
from cogs._files import read_text_file
from cogs._reply import Interaction, answer, drawn, failure_text

_FENCE = re.compile(r"```(?:[A-Za-z]+(?=\n))?|`")
_TALK = re.compile(
    r"(hi|hello|hey|hallo|moin|yo|/?help|/?start|thanks|thank you|thx|ty|ok|okay|test|ping|commands|\?+|👋|[!.]+)"
    r"(\s+(there|bot|all|me|please))*[\s!.?]*",
    re.IGNORECASE,
)


_log = logging.getLogger(__name__)


class DirectMessages(commands.Cog):
    """Reads what players write to the bot."""

    def __init__(self, client: SealedOrdersClient) -> None:
        self._client = client

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Take orders from a person's direct message; the bot's own and everything in servers is passed over."""
        if message.guild is not None or message.author.bot or message.type not in _WRITTEN:
            return
        try:
            for reply in await self._replies(message):
                await self._say(message, reply)
        except Exception as error:
            await self._tell_failure(message, error)

    @commands.Cog.listener()
    async def on_raw_message_edit(self, change: discord.RawMessageUpdateEvent) -> None:
        """Tell a person who changes a direct message that this changes no orders.

        They are not read again: what was taken out would still stand, and by now it may be another phase.
        """
        message = change.message
        is_same = change.cached_message is not None and change.cached_message.content == message.content
        if message.guild is not None or message.author.bot or message.edited_at is None or is_same:
            return
        try:
            await self._say(message, failure_message("edited"))
        except Exception as fault:
            _log.warning("a direct message could not be answered: %s", describe_fault(fault))

    async def _tell_failure(self, message: discord.Message, error: Exception) -> None:
        try:
            await self._say(message, failure_text(error, where="a direct message"))
        except Exception as fault:
            # Left to discord.py it would be logged with its traceback, and that with the text of the failure itself.
            _log.warning("a direct message could not be answered: %s", describe_fault(fault))

    async def _say(self, message: discord.Message, reply: Message) -> None:
        await message.channel.send(**await drawn(message_kwargs, reply, self._client.renderer))

    async def _replies(self, message: discord.Message) -> Sequence[Message]:
        client = self._client
        user_id = UserId(message.author.id)
        text = await read_orders_text(message)
        if not text.strip() or _TALK.fullmatch(text.strip()):
            lines = await client.call(lobby.games_of_user, client.context, user_id)
            return hello_message(lines, client.command_mention)
        game = await client.call(
            lobby.resolve_game,
            client.context,
            user_id=user_id,
            guild_id=None,
            channel_id=None,
            name=None,
            purpose="seat",
        )
        if isinstance(game, lobby.Ambiguous):
            return (which_game_message(game.games, message.id),)
        if game.status is GameStatus.LOBBY:
            lines = await client.call(lobby.games_of_user, client.context, user_id)
            return hello_message(lines, client.command_mention)
        receipt = await _submit(client, game.id, user_id, text, sent_at=_sent_at(client, message))
        note = words_of(receipt.game).say("receipt.no_order_at_all") if _is_talk(receipt) else None
        return await client.call(receipt_message, receipt, note=note)


_WRITTEN = (discord.MessageType.default, discord.MessageType.reply)


def _is_talk(receipt: Receipt) -> bool:
    """Whether nothing in the text was for any unit."""
    return bool(receipt.errors) and not receipt.is_taken and all(not error.subject for error in receipt.errors)


async def take_for_game(interaction: Interaction, chosen: str, *, message_id: int) -> None:
    """Take the orders of an earlier direct message for the game that was chosen. Deferred already.

    The message is fetched again: nothing of it is kept meanwhile, and the menu works after a restart.

    Args:
        chosen: the game's number and that of the phase in which the message came, `7:3`.
    """
    game_id, _, phase_no = chosen.partition(":")
    channel = interaction.user.dm_channel or await interaction.user.create_dm()
    try:
        message = await channel.fetch_message(message_id)
    except discord.NotFound:
        await answer(interaction, (failure_message("which_gone"),))
        return
    if message.author.id != interaction.user.id:
        await answer(interaction, (failure_message("which_gone"),))
        return
    text = await read_orders_text(message)
    user_id = UserId(interaction.user.id)
    sent_at = _sent_at(interaction.client, message)
    receipt = await _submit(
        interaction.client, GameId(int(game_id)), user_id, text, phase_no=int(phase_no or 0), sent_at=sent_at
    )
    await answer(interaction, await interaction.client.call(receipt_message, receipt))


def _sent_at(client: SealedOrdersClient, message: discord.Message) -> datetime:
    """When a message was sent, by the clock that deadlines are measured by."""
    under_way = max(timedelta(), discord.utils.utcnow() - message.created_at)
    return client.context.clock.now() - under_way


async def _submit(
    client: SealedOrdersClient, game_id: GameId, user_id: UserId, text: str, *, phase_no: int = 0, sent_at: datetime
) -> Receipt:
    return await client.call(
        orders.submit,
        client.context,
        game_id,
        user_id,
        text,
        mode=SubmitMode.AS_SENT,
        phase_no=phase_no or None,
        sent_at=sent_at,
    )


async def read_orders_text(message: discord.Message) -> str:
    """What a message says, its text files included; code blocks are taken out of their fences, line for line.

    Raises:
        Refused: a file that is no text, or is too long.
    """
    parts = [message.content, *[await read_text_file(attachment) for attachment in message.attachments]]
    return _FENCE.sub("", "\n".join(part for part in parts if part))


async def setup(client: SealedOrdersClient) -> None:
    """Add the cog."""
    await client.add_cog(DirectMessages(client))
