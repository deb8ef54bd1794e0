"""Direct messages in the order in which they were sent, including those that came while the bot was away.

Discord sends messages only to connected clients. After each absence the conversations with all players are
read for missed messages, before anything newer from the same person is handled and before any phase is closed, but for
no longer than the games can wait. `cogs.direct_messages` carries out what the messages say.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from datetime import timedelta

import discord

from bot.faults import describe_fault
from bot.model import Mailbox, UserId
from bot.one_by_one import OneByOne
from bot.ports import StorageUnavailable
from bot.services import inbox
from bot.services.context import Context

AT_ONCE = 4
"""Conversations that are read at the same time."""
MOST_MESSAGES = 200
"""How many messages of a conversation, including the bot's own, are read after one absence."""
READ_WITHIN_S = 60.0
"""How long at most a phase that is due waits for the reading; then it is closed, and the post says so."""
FRESH_S = 10.0
"""How long what was read need not be read again, even if the connection is still away."""
REST = timedelta(seconds=30)
"""How often it is recorded that nothing was missed."""
LONGEST_SILENCE = timedelta(minutes=3)
"""If that isn't recorded for longer, the bot was stopped or the machine slept, and messages may have been missed."""
_NEVER_WRITE = frozenset({
    10003,  # unknown channel
    10013,  # unknown user
    50007,  # closed direct messages
    50278,  # no server in common
})  # fmt: skip

WRITTEN = (discord.MessageType.default, discord.MessageType.reply)
"""Types of messages that people write."""

Handle = Callable[[discord.Message, Mailbox | None, bool], Awaitable[None]]
"""Handles a message, given what was handled before and whether the message had been missed.

`None`: earlier ones are still to be read, so nothing is noted of this one that would have them passed over.
"""

_log = logging.getLogger(__name__)


class Inbox:
    """Passes each message to the handler: those of one person one after the other, oldest first, each once."""

    def __init__(self, client: discord.Client, context: Context, arrivals: OneByOne) -> None:
        self._client = client
        self._context = context
        self._arrivals = arrivals
        # Held while one person's messages are read or handled. Not a place among their arrivals: what is asked for
        # now waits there for messages that were sent before.
        self._conversations = OneByOne()
        self._handle: Handle | None = None
        self._gap = 0
        self._is_connected = False
        self._is_current = False
        self._reading: asyncio.Task[None] | None = None
        # By person, and by which loss of the connection.
        self._hearing: dict[tuple[UserId, int], asyncio.Task[bool]] = {}
        self._patience_until_s = 0.0
        self._read_in: dict[UserId, int] = {}
        # Messages that Discord has delivered, each until it has been handled in its turn.
        self._delivered: set[int] = set()
        self._handled_early: set[int] = set()
        self._read_gap = -1
        self._read_at_s = 0.0
        self._noted_at = context.clock.now()

    def serve(self, handle: Handle) -> None:
        """Pass messages to this handler from now on."""
        self._handle = handle

    async def receive(self, message: discord.Message) -> None:
        """A message that Discord has just delivered."""
        user_id = UserId(message.author.id)
        self._delivered.add(message.id)
        try:
            async with self._arrivals.turn_of(user_id), self._conversations.turn_of(user_id):
                if self._is_current or await self._read_safely(user_id, before=message):
                    await self._see_to(user_id, message, was_missed=False)
                elif self._handle is not None:
                    await self._handle(message, None, False)
                    self._handled_early.add(message.id)
        finally:
            self._delivered.discard(message.id)

    def lose(self) -> None:
        """The connection is gone: from now on messages are missed."""
        self._gap += 1
        self._is_connected = self._is_current = False

    async def find_again(self) -> None:
        """The connection is back: read what was missed while it was gone."""
        self._gap += 1
        self._is_connected, self._is_current = True, False
        if self._reading is not None and not self._reading.done():
            await asyncio.wait([self._reading], timeout=READ_WITHIN_S)
        await self.read_first()

    async def read_first(self) -> None:
        """Before a phase is closed: read what was missed, but make the games wait no longer than they can."""
        if self._is_up_to_date():
            if self._is_current and not timedelta() <= self._silence < REST:
                await self.note_presence()
            return
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._read())
            self._patience_until_s = _now_s() + READ_WITHIN_S
        await asyncio.wait([self._reading], timeout=max(0.0, self._patience_until_s - _now_s()))

    async def hear(self, people: Collection[UserId], within_s: float = READ_WITHIN_S) -> None:
        """Before something that these people's messages come before: read what was missed of them, but make it wait no
        longer than that.
        """
        if self._is_up_to_date():
            return
        gate = asyncio.Semaphore(AT_ONCE)
        reading = [self._begin_to_hear(user_id, gate) for user_id in people]
        if reading:
            await asyncio.wait(reading, timeout=within_s)

    def _begin_to_hear(self, user_id: UserId, gate: asyncio.Semaphore) -> asyncio.Task[bool]:
        """The reading of a conversation; one that is under way is not begun again, however many wait for it."""
        key = (user_id, self._gap)
        if key not in self._hearing:
            reading = asyncio.create_task(self._read_once(user_id, self._gap, gate, self._is_connected))
            self._hearing[key] = reading
            reading.add_done_callback(lambda _: self._hearing.pop(key))
        return self._hearing[key]

    async def stop(self) -> None:
        """Leave the rest unread; the next start reads it."""
        reading = [*self._hearing.values(), *([self._reading] if self._reading else [])]
        for each in reading:
            each.cancel()
        if reading:
            await asyncio.wait(reading)

    @property
    def _silence(self) -> timedelta:
        """How long ago it was noted that nothing was missed."""
        return self._context.clock.now() - self._noted_at

    def _is_up_to_date(self) -> bool:
        """Whether all has been read that may have been missed."""
        if self._is_current and self._silence > LONGEST_SILENCE:
            self._gap += 1
            self._is_current = False
        return self._is_current or (self._read_gap == self._gap and _now_s() - self._read_at_s < FRESH_S)

    async def _read(self) -> None:
        """Read all conversations; only if all could be read is it known that nothing is missing."""
        gap, was_connected, began = self._gap, self._is_connected, self._context.clock.now()
        if self._client.user is None:
            return
        gate = asyncio.Semaphore(AT_ONCE)
        try:
            is_first = not await asyncio.to_thread(inbox.is_known, self._context)
            players = () if is_first else await asyncio.to_thread(inbox.players, self._context)
            reading = (self._read_once(user_id, gap, gate, was_connected) for user_id in players)
            results = await asyncio.gather(*reading)
            if not all(results):
                _log.warning("direct messages of %d players could not be read", results.count(False))
            elif gap == self._gap and (self._is_connected or not is_first):
                await asyncio.to_thread(inbox.note_read_until, self._context, began, was_away=True)
                self._read_gap, self._read_at_s = gap, _now_s()
                self._is_current = self._is_connected
                self._noted_at = began
                self._handled_early.clear()
        except StorageUnavailable as error:
            _log.warning("missed direct messages have to wait: %s", error)

    async def _read_once(self, user_id: UserId, gap: int, gate: asyncio.Semaphore, was_connected: bool) -> bool:
        """Read one conversation, unless that was done since the connection was lost; returns whether nothing in it is
        missing any more.

        Args:
            gap: which loss of the connection, by number. `was_connected`: whether it was there again.
        """
        async with gate, self._conversations.turn_of(user_id):
            if self._read_in.get(user_id) == gap:
                return True
            is_read = await self._read_safely(user_id)
        if is_read and was_connected:
            # Discord delivers anything else that this person writes.
            self._read_in[user_id] = gap
        return is_read

    async def _read_safely(self, user_id: UserId, *, before: discord.Message | None = None) -> bool:
        """Read one conversation; returns whether nothing in it is missing any more."""
        try:
            return await self._read_one(user_id, before)
        except discord.HTTPException as error:
            if error.code in _NEVER_WRITE:
                return True
            _log.warning("a conversation could not be read: %d %d", error.status, error.code)
        except Exception as error:
            _log.warning("a conversation could not be read: %s", describe_fault(error))
        return False

    async def _read_one(self, user_id: UserId, before: discord.Message | None) -> bool:
        unread = await asyncio.to_thread(inbox.find_unread, self._context, user_id)
        if unread.since is None:
            # Messages from before the first start that records all this may have been counted then.
            return True
        after_id = max(unread.mailbox.answered_id, discord.utils.time_snowflake(unread.since))
        channel = await self._channel(user_id, unread.mailbox, before)
        found = [
            message
            async for message in channel.history(
                limit=MOST_MESSAGES, after=discord.Object(after_id), before=before, oldest_first=True
            )
        ]
        has_passed_over = False
        for message in found:
            if message.id in self._handled_early:
                await asyncio.to_thread(inbox.note_answered, self._context, user_id, message.channel.id, message.id)
            elif message.id in self._delivered:
                # It waits for its turn, behind what its writer asked for before.
                has_passed_over = True
            elif message.author.id == user_id and message.type in WRITTEN:
                if has_passed_over:
                    return False
                await self._see_to(user_id, message, was_missed=True)
        return len(found) < MOST_MESSAGES

    async def _channel(
        self, user_id: UserId, mailbox: Mailbox, before: discord.Message | None
    ) -> discord.abc.Messageable:
        if before is not None:
            return before.channel
        if mailbox.channel_id is not None:
            return self._client.get_partial_messageable(mailbox.channel_id, type=discord.ChannelType.private)
        channel = await self._client.create_dm(discord.Object(user_id))
        await asyncio.to_thread(inbox.note_channel, self._context, user_id, channel.id)
        return channel

    async def _see_to(self, user_id: UserId, message: discord.Message, *, was_missed: bool) -> None:
        mailbox = await asyncio.to_thread(inbox.find_mailbox, self._context, user_id)
        if message.id > mailbox.answered_id and self._handle is not None:
            await self._handle(message, mailbox, was_missed)

    async def note_presence(self) -> None:
        """Record that nothing was missed until now."""
        self._noted_at = self._context.clock.now()
        await asyncio.to_thread(inbox.note_read_until, self._context, self._noted_at)


def _now_s() -> float:
    return asyncio.get_running_loop().time()
