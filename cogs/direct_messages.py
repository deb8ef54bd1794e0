"""Orders by plain direct message: lines of text, a code block, or a text file. Anything else gets a friendly word."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import SealedOrdersClient
from bot.discord_messages import message_kwargs
from bot.faults import describe_fault
from bot.inbox import WRITTEN
from bot.model import Game, GameId, GameStatus, Mailbox, UserId
from bot.ports import StorageUnavailable
from bot.services import inbox, orders, which_game
from bot.services.arrivals import Arrival, ByMessage
from bot.services.buttons import game_of_button
from bot.services.context import Context
from bot.services.guidance import guidance
from bot.services.receipts import Receipt
from bot.services.sheets import SubmitMode
from bot.text.catalogue import common_words, words_of
from bot.text.discord_limits import CONTENT
from bot.text.failure import failure_message
from bot.text.games import which_game_message
from bot.text.help import hello_message, such_as
from bot.text.markdown import Markup, full_time
from bot.text.message import Message
from bot.text.order_receipt import receipt_message
from cogs._files import FETCH_WITHIN_S, read_text_file
from cogs._reply import Interaction, answer, drawn, failure_text, in_time, user_of
from cogs._sheets import lines_of_command, turn_of

_FENCE = re.compile(r"```(?:[A-Za-z]+(?=\n))?|`")
_TALK = re.compile(
    r"(hi|hello|hey|hallo|moin|yo|/?help|/?start|thanks|thank you|thx|ty|ok|okay|test|ping|commands|\?++|👋|[!.]++)"
    r"(\s+(there|bot|all|me|please))*[\s!.?]*",
    re.IGNORECASE,
)
_ENTER = re.compile(r"\A\s*/orders\s+enter\s+(?:text\s*:\s*)?(?=\S)", re.IGNORECASE)
"""The command as text before orders: whoever types or pastes it in a message means what follows."""
_ORDERS = "orders"
"""The group of commands that are known by their last words."""

_log = logging.getLogger(__name__)


class DirectMessages(commands.Cog):
    """Reads what players write to the bot."""

    def __init__(self, client: SealedOrdersClient) -> None:
        self._client = client
        client.inbox.serve(self._see_to)

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Accept orders from a person's direct message; the bot's own and everything in servers is ignored."""
        if message.guild is not None or message.author.bot or message.type not in WRITTEN:
            return
        try:
            await self._client.inbox.receive(message)
        except Exception as error:
            # It was not taken, and is not read again as long as the bot is there: the sender has to know.
            await self._say_safely(message, (failure_text(error, where="a direct message"),))

    @commands.Cog.listener()
    async def on_disconnect(self) -> None:
        """Record that messages are missed from now on."""
        self._client.inbox.lose()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Read what was missed while there was no connection."""
        await self._client.inbox.find_again()

    @commands.Cog.listener()
    async def on_resumed(self) -> None:
        """After a short break Discord delivers what was missed; whatever it left out is read."""
        await self._client.inbox.find_again()

    async def _see_to(self, message: discord.Message, mailbox: Mailbox | None, was_missed: bool) -> None:
        """Take what a message says, answer it, and note that, in this order: a death in between loses nothing."""
        is_noted = mailbox is not None
        if mailbox is not None and message.id <= mailbox.taken_id:
            if not was_missed:
                # By another process that is there, and answers it.
                return
            at = full_time(message.created_at)
            replies: Sequence[Message] = (Message(common_words().say("inbox.taken", at=at)),)
        else:
            try:
                # While its files are fetched, too, nothing that the same person asks for overtakes it.
                async with self._client.one_by_one.turn_of(UserId(message.author.id)):
                    replies = await self._replies(message, was_missed=was_missed, is_noted=is_noted)
            except inbox.AlreadyTaken:
                return
            except Exception as error:
                if was_missed and isinstance(error, StorageUnavailable):
                    # It was in time, and will be read again; to send it again may be too late.
                    raise
                replies = (failure_text(error, where="a direct message"),)
            if was_missed:
                replies = _with_apology(replies, message)
        if await self._say_safely(message, replies) and is_noted:
            await self._note_answered(message)

    async def _note_answered(self, message: discord.Message) -> None:
        client, user_id = self._client, UserId(message.author.id)
        try:
            await client.call(inbox.note_answered, client.context, user_id, message.channel.id, message.id)
        except StorageUnavailable as error:
            # At worst it is answered again. What was said of its orders holds.
            _log.warning("an answer to a direct message could not be noted: %s", error)

    @commands.Cog.listener()
    async def on_raw_message_edit(self, change: discord.RawMessageUpdateEvent) -> None:
        """Tell a person who changes a direct message that this changes no orders.

        They are not read again: what was taken out would still stand, and by now it may be another phase.
        """
        message = change.message
        is_same = change.cached_message is not None and change.cached_message.content == message.content
        if message.guild is not None or message.author.bot or message.edited_at is None or is_same:
            return
        await self._say_safely(message, (failure_message("edited"),))

    async def _say_safely(self, message: discord.Message, replies: Sequence[Message]) -> bool:
        """Answer a message; whether that could be done."""
        try:
            for reply in replies:
                await message.channel.send(**await drawn(message_kwargs, reply, self._client.renderer))
        except Exception as fault:
            # Left to discord.py it would be logged with its traceback, and that with the text of the failure itself.
            _log.warning("a direct message could not be answered: %s", describe_fault(fault))
            return False
        return True

    async def _replies(self, message: discord.Message, *, was_missed: bool, is_noted: bool) -> Sequence[Message]:
        client = self._client
        user_id = UserId(message.author.id)
        written, mode = await _read_orders_text(client, message)
        named, text = await client.call(which_game.named_before, client.context, user_id, written)
        if not text.strip() or is_greeting(text):
            about = named.id if isinstance(named, Game) else None
            person = await client.call(guidance, client.context, user_id, guild_id=None, channel_id=None, named=about)
            return hello_message(person, client.command_mention)
        game: Game | which_game.Ambiguous | None = named
        if game is None:
            game = await client.call(
                which_game.resolve_game,
                client.context,
                user_id=user_id,
                guild_id=None,
                channel_id=None,
                name=None,
                purpose="seat",
            )
        arrival = _arrival_of(client, message, was_missed=was_missed, is_noted=is_noted)
        if isinstance(game, which_game.Ambiguous):
            # Who answers a question about a missed message may come too late.
            games, only = game.games, None
            if was_missed:
                only = await client.call(
                    orders.only_game_for, client.context, games, user_id, text, mode=mode, arrival=arrival
                )
            if only is None:
                return (which_game_message(games, message.id, text, at=client.context.clock.now()),)
            game = only
        if game.status is GameStatus.LOBBY and named is None:
            person = await client.call(guidance, client.context, user_id, guild_id=None, channel_id=None)
            return hello_message(person, client.command_mention)
        receipt = await _submit(client, game.id, user_id, text, mode, arrival)
        if not _is_talk(receipt):
            return await client.call(receipt_message, receipt)
        meant = _command_meant(client, receipt.game, text)
        if meant is not None:
            mention = Markup(client.command_mention(meant))
            return (Message(words_of(receipt.game).say("receipt.is_command", command=mention)),)
        note = await client.call(_about_talk, client.context, receipt, user_id)
        return await client.call(receipt_message, receipt, note=note)


def is_greeting(text: str) -> bool:
    """Whether a message is only a greeting, or marks that say as little."""
    return _TALK.fullmatch(text.strip()) is not None


def _with_apology(replies: Sequence[Message], message: discord.Message) -> Sequence[Message]:
    """The replies to a message that was read late, which say so."""
    apology = common_words().say("inbox.missed", at=full_time(message.created_at))
    first, *others = replies
    if len(apology) + len(first.content) < CONTENT:
        return (replace(first, content=f"{apology}\n{first.content}".rstrip()), *others)
    return (Message(apology), *replies)


def _command_meant(client: SealedOrdersClient, game: Game, text: str) -> str | None:
    """The command of this game that a message names: `map`, `/orders clear`, just `clear`, or `/map region: Serbia`."""
    wanted = " ".join(text.casefold().removeprefix("/").split())
    is_marked = text.lstrip().startswith("/")
    infos = client.context.systems.infos
    elsewhere = {door.command for system, info in infos.items() if system != game.system for door in info.doors}
    names = [each.qualified_name for each in client.tree.walk_commands() if not isinstance(each, app_commands.Group)]
    meant = (wanted, f"{_ORDERS} {wanted}")
    return next(
        (
            name
            for name in names
            if name not in elsewhere and (name in meant or (is_marked and wanted.startswith(f"{name} ")))
        ),
        None,
    )


def _about_talk(context: Context, receipt: Receipt, user_id: UserId) -> Markup:
    words = words_of(receipt.game)
    example = orders.example(context, receipt.game.id, user_id)
    return words.say("receipt.no_order_at_all", such_as=such_as(words, example))


def _is_talk(receipt: Receipt) -> bool:
    """Whether nothing in the text was for any unit."""
    return bool(receipt.errors) and not receipt.is_taken and all(not error.subject for error in receipt.errors)


async def take_for_game(interaction: Interaction, chosen: str, *, message_id: int) -> None:
    """Take the orders of an earlier direct message for the game that was chosen. Deferred already.

    The message is fetched again: nothing of it is kept meanwhile, and the menu works after a restart.

    Args:
        chosen: the game as custom ids name it, and the number of the phase in which the message came, `g1f:3`.
    """
    key, _, phase_no = chosen.partition(":")
    try:
        message = await in_time(_fetch(interaction.user, message_id), FETCH_WITHIN_S)
    except discord.NotFound:
        await answer(interaction, (failure_message("which_gone"),))
        return
    if message.author.id != interaction.user.id:
        await answer(interaction, (failure_message("which_gone"),))
        return
    client = interaction.client
    user_id = user_of(interaction)
    game_id = await client.call(game_of_button, client.context, key, interaction.guild_id)
    async with turn_of(interaction):
        written, mode = await _read_orders_text(client, message)
        # Two games may have the name that it begins with.
        text = await client.call(which_game.without_name, client.context, game_id, user_id, written)
        # Noted or not, it was asked about: it may be older than what was taken since.
        arrival = replace(_arrival_of(client, message, is_noted=False), phase_no=int(phase_no or 0) or None)
        receipt = await _submit(client, game_id, user_id, text, mode, arrival)
    await answer(interaction, await client.call(receipt_message, receipt))


async def _fetch(user: discord.User | discord.Member, message_id: int) -> discord.Message:
    return await (user.dm_channel or await user.create_dm()).fetch_message(message_id)


def _arrival_of(
    client: SealedOrdersClient, message: discord.Message, *, was_missed: bool = False, is_noted: bool = True
) -> Arrival:
    """When a message was sent, and changed, by Discord's time stamps, which no sender can set.

    Args:
        is_noted: whether it is noted that its orders were taken.
    """
    now = client.context.clock.now()
    edited_at = None if message.edited_at is None else min(message.edited_at, now)
    by = ByMessage(message.id if is_noted else None, was_missed, edited_at)
    return Arrival(min(message.created_at, now), message=by)


async def _submit(
    client: SealedOrdersClient,
    game_id: GameId,
    user_id: UserId,
    text: str,
    mode: SubmitMode,
    arrival: Arrival,
) -> Receipt:
    return await client.call(
        orders.submit,
        client.context,
        game_id,
        user_id,
        text,
        mode=mode,
        arrival=arrival,
    )


async def _read_orders_text(client: SealedOrdersClient, message: discord.Message) -> tuple[str, SubmitMode]:
    """What a message says, its text files included; code blocks are taken out of their fences, line for line.

    A line after a `/orders enter` that Discord has not taken for the command means what it means there: it is put in,
    and may hold several orders.

    Raises:
        Refused: a file is not text, or is too long.
    """
    games = client.context.systems.infos.values()
    parts = [message.content, *[await read_text_file(attachment, games) for attachment in message.attachments]]
    text = _FENCE.sub("", "\n".join(part for part in parts if part))
    orders_text = _ENTER.sub("", text)
    if orders_text != text and "\n" not in orders_text.strip():
        return lines_of_command(orders_text), SubmitMode.MERGE
    return orders_text, SubmitMode.AS_SENT


async def setup(client: SealedOrdersClient) -> None:
    """Add the cog."""
    await client.add_cog(DirectMessages(client))
