"""Makes the messages of a game, sends them, and decides what happens to those that fail."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence, Set
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta

from bot.announcing.attempt import Posted, SendAttempt, as_sent, parts_sent, with_part
from bot.announcing.composing import Composer
from bot.announcing.ledger import TRIES_TO_MAKE, Ledger
from bot.announcing.sender import NotAllowed, Sender, TryLater, Undeliverable
from bot.announcing.trouble import trouble_of
from bot.faults import describe_fault
from bot.model import LONGEST_REST, Outgoing, Target, Trouble
from bot.ports import StorageUnavailable
from bot.services import post
from bot.text.message import Message
from bot.text.message_json import message_from_json
from bot.text.plain import NOTHING, Lost, ways_to_post

GATHER_S = 5.0
"""How long sent messages wait for others, to be recorded together with them."""
PATIENCE_S = 90.0
"""How long one message may take to be drawn and sent before it is tried again."""
FIRST_WAIT = timedelta(seconds=5)
LONGEST_WAIT = timedelta(minutes=10)
PERMISSION_WAIT = timedelta(seconds=25)
"""With the alarm's half minute, a permission that is given back is noticed within a minute."""
GIVE_UP_PERMISSION = timedelta(days=1)
"""For this long a channel's message waits for the bot's permissions there."""
NONCE_MEMORY = timedelta(minutes=1)
"""For this long Discord certainly recognises a nonce; its documentation speaks of a few minutes."""
CLOCK_DOUBT = timedelta(minutes=2)
"""By how much Discord's clock may be behind ours when a message is searched for."""

logger = logging.getLogger(__name__)


class Postman:
    """Tries to send messages, those of one game together.

    Args:
        tag: of the database; part of each nonce, since outbox ids begin at 1 in every database.
        wake: looks for messages again, on the event loop.
    """

    def __init__(
        self, ledger: Ledger, composer: Composer, sender: Sender, *, tag: str, wake: Callable[[], None]
    ) -> None:
        self._ledger = ledger
        self._composer = composer
        self._sender = sender
        self._tag = f"{tag}-" if tag else ""
        self._wake = wake
        # Sent, but the database was away when that should have been recorded: never sent again by this process.
        self._unmarked: dict[int, tuple[Outgoing, Posted]] = {}

    async def deliver(self, heads: Sequence[Outgoing], gate: asyncio.Semaphore) -> None:
        """Try messages of one game, the first of their queues and those that wait behind them.

        What has to be recorded is written for all of them together, before they are tried and afterwards.
        """
        if sent_before := [message.id for message in heads if message.id in self._unmarked]:
            await self._mark(sent_before)
            return
        tries = [SendAttempt(message) for message in await asyncio.to_thread(self._ledger.begin, heads)]
        await self._make(tries)
        queues: dict[tuple[Target, int], list[SendAttempt]] = {}
        for each in tries:
            queues.setdefault((each.message.target, each.message.target_id), []).append(each)
        tasks = {asyncio.create_task(self._try_in_order(queue, gate)) for queue in queues.values()}
        under_way = tasks
        try:
            while under_way:
                done, under_way = await asyncio.wait(under_way, timeout=GATHER_S, return_when=asyncio.FIRST_EXCEPTION)
                for task in done:
                    task.result()
                await self._mark([each.message.id for each in tries if each.message.id in self._unmarked])
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if untried := [each.message for each in tries if not each.is_begun]:
            await asyncio.to_thread(self._ledger.leave_untried, untried)

    async def _make(self, tries: Sequence[SendAttempt]) -> None:
        """Compose the messages; if it isn't known whether one has arrived, look for it first."""
        for each in tries:
            async with self._fate_of(each):
                each.message = await self._looked_for(each.message)
        await asyncio.to_thread(self._put_into_words, [each for each in tries if not each.is_begun])

    def _put_into_words(self, tries: Sequence[SendAttempt]) -> None:
        """Compose the messages, and store the texts of those that had none yet. Blocks."""
        self._composer.compose(tries)
        if new := [each for each in tries if each.is_new]:
            self._ledger.keep_words(new)

    async def _try_in_order(self, tries: Sequence[SendAttempt], gate: asyncio.Semaphore) -> None:
        """Try the messages of one queue until one of them has to wait."""
        for each in tries:
            if not each.is_begun:
                async with gate, self._fate_of(each):
                    each.is_begun = True
                    if each.error is not None:
                        raise each.error
                    await self._send(each)
            if not each.may_pass:
                return

    @asynccontextmanager
    async def _fate_of(self, tried: SendAttempt) -> AsyncIterator[None]:
        """Whatever goes wrong inside is recorded with the message."""
        message = tried.message
        try:
            yield
            return
        except (Undeliverable, NotAllowed) as error:
            tried.may_pass = await self._not_taken(tried, error)
        except TryLater as error:
            tried.may_pass = False
            wait = min(max(error.wait, _backoff(message.attempts)), LONGEST_REST)
            await self._later(tried, str(error), wait, in_doubt=error.may_have_arrived)
        except TimeoutError:
            tried.may_pass = False
            await self._later(tried, "timeout", _backoff(message.attempts), in_doubt=True)
        except StorageUnavailable:
            raise
        except Exception as error:
            tried.may_pass = await self._not_made(tried, error)
        tried.is_begun = True

    async def _not_taken(self, tried: SendAttempt, error: Undeliverable | NotAllowed) -> bool:
        """Wait until the channel accepts the message, or give it up. Changes of old messages don't wait.

        Returns: whether those behind it may be tried.
        """
        message = tried.message
        if message.is_edit:
            await asyncio.to_thread(self._ledger.give_up, message, str(error))
        elif isinstance(error, NotAllowed) and self._ledger.now() - message.created_at < GIVE_UP_PERMISSION:
            await self._later(tried, str(error), PERMISSION_WAIT, trouble=trouble_of(error))
            return False
        else:
            await asyncio.to_thread(self._ledger.give_up, message, str(error), trouble_of(error))
        return True

    async def _send(self, tried: SendAttempt) -> None:
        message = tried.message
        if message.is_edit:
            await self._edit(tried)
            return
        posted = Posted()
        for number, part in enumerate(tried.parts):
            if number < parts_sent(message):
                continue
            message_id, lost = await self._post(message, part, number)
            posted = posted.plus(part, lost)
            tried.sent = with_part(tried.sent, number, message_id, lost)
        self._unmarked[message.id] = (tried.sent, posted)

    async def _edit(self, tried: SendAttempt) -> None:
        """Change an earlier message. Doing so again changes nothing, so there is nothing to look for.

        Of several changes of one message only the last is needed: it shows the present state. If the message is gone,
        the change becomes an ordinary message, which takes its place from then on.
        """
        message, earlier = tried.message, tried.earlier
        if earlier is None or not tried.parts:
            self._unmarked[message.id] = (as_sent(message), Posted())
            return
        is_there = earlier.message_id is not None and earlier.target_id == message.target_id
        if earlier.message_id is not None and is_there:
            lost = frozenset(map(Lost, earlier.payload.get(post.SENT_WITHOUT, ())))
            words, *_ = ways_to_post(tried.parts[0]).get(lost, tried.parts)
            async with asyncio.timeout(PATIENCE_S):
                is_there = await self._sender.edit(message.target, message.target_id, earlier.message_id, words)
        if is_there or message.payload.get(post.ONLY_IF_THERE):
            self._unmarked[message.id] = (replace(as_sent(message), message_id=earlier.message_id), Posted())
        else:
            tried.may_pass = False
            await asyncio.to_thread(self._ledger.post_anew, message)

    async def _post(self, message: Outgoing, part: Message, number: int) -> tuple[int, Set[Lost]]:
        """Send a part, without files or boxes if the channel accepts none.

        Returns: Discord's id of its first message, and what was left out.
        """
        nonce = self._nonce(message, number)
        ways = ways_to_post(part) if message.target is Target.CHANNEL else {NOTHING: (part,)}
        *others, last = ways
        for lost in others:
            with suppress(NotAllowed):
                return await self._send_pieces(message, ways[lost], nonce), lost
        return await self._send_pieces(message, ways[last], nonce), last

    async def _send_pieces(self, message: Outgoing, pieces: Sequence[Message], nonce: str) -> int:
        """Send a part that may have to be several messages; returns the id of the first."""
        ids = []
        for piece_no, piece in enumerate(pieces):
            async with asyncio.timeout(PATIENCE_S):
                piece_nonce = f"{nonce}.{piece_no}" if piece_no else nonce
                ids.append(await self._sender.send(message.target, message.target_id, piece, nonce=piece_nonce))
        return ids[0]

    async def _looked_for(self, message: Outgoing) -> Outgoing:
        """The message as far as it is known to have arrived, after a search for what an earlier try may have sent.

        While Discord knows the nonce there is no need to search; if searching isn't allowed, better twice than never.
        """
        known: set[int] | None = None
        while True:
            number = parts_sent(message)
            if message.tried_at is None or message.composed is None:
                return message if number else replace(message, composed=None)
            now = self._ledger.now()
            if now - NONCE_MEMORY < message.tried_at <= now or number >= len(message.composed):
                return message
            try:
                if known is None:
                    known = set(await asyncio.to_thread(self._ledger.known, message))
                async with asyncio.timeout(PATIENCE_S):
                    found = await self._sender.find(
                        message.target,
                        message.target_id,
                        message_from_json(message.composed[number]),
                        nonce=self._nonce(message, number),
                        since=_begin_of_search(message.tried_at, now),
                        known=known,
                    )
            except NotAllowed:
                return message
            if found is None:
                # What has certainly not arrived can be composed from the present state.
                return message if number else replace(message, composed=None, tried_at=None)
            logger.info("part %d of message %d of game %d had arrived", number, message.id, message.game_id)
            known.add(found)
            message = with_part(message, number, found)

    async def _mark(self, message_ids: Sequence[int]) -> None:
        """Record that messages were sent; until that is done this process remembers it."""
        if not message_ids:
            return
        await asyncio.to_thread(self._ledger.mark_sent, [self._unmarked[message_id] for message_id in message_ids])
        for message_id in message_ids:
            del self._unmarked[message_id]

    async def _not_made(self, tried: SendAttempt, error: Exception) -> bool:
        """Try again later, or give it up. Returns: whether those behind it may be tried."""
        message, fault = tried.message, describe_fault(error)
        logger.error(
            "message %d (%s) of game %d could not be made: %s", message.id, message.kind, message.game_id, fault
        )
        if message.faults + 1 >= TRIES_TO_MAKE:
            await asyncio.to_thread(self._ledger.give_up, message, fault)
            return True
        await self._later(tried, fault, _backoff(message.faults), is_fault=True, in_doubt=True)
        return False

    async def _later(
        self,
        tried: SendAttempt,
        why: str,
        wait: timedelta,
        *,
        is_fault: bool = False,
        in_doubt: bool = False,
        trouble: Trouble | None = None,
    ) -> None:
        later = replace(
            tried.message,
            not_before=self._ledger.now() + wait,
            faults=tried.message.faults + is_fault,
            # The first parts of a long message are not sent again when a later one fails.
            payload=tried.sent.payload,
            message_id=tried.sent.message_id,
        )
        await asyncio.to_thread(self._ledger.put_off, later, why, in_doubt, trouble)
        asyncio.get_running_loop().call_later(wait.total_seconds() + 0.1, self._wake)

    def _nonce(self, message: Outgoing, number: int) -> str:
        return f"{self._tag}{message.id}-{number}"


def _begin_of_search(tried_at: datetime, now: datetime) -> datetime:
    """From when on a message may have arrived that was first tried at this time."""
    # A try that is still to come was made by a clock that ran ahead: then all that is known is that no rest is longer.
    return tried_at - CLOCK_DOUBT if tried_at <= now else now - LONGEST_REST


def _backoff(attempts: int) -> timedelta:
    doublings = min(attempts, 10)
    return min(LONGEST_WAIT, FIRST_WAIT * (1 << doublings))
