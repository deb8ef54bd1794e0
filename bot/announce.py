"""The outbox's postman: composes what is pending, sends it, and writes down how that went.

A message is queued in the transaction that makes it true and marked when it is sent. Each try is counted before it is
made. If the bot dies in one, nobody knows whether the message arrived: it is sent again in the same words and with the
same nonce, and Discord returns the first one instead of posting a second; when Discord may have forgotten the nonce the
channel is looked at first. One process at a time does all this: the one that holds the lease.

Errors of a `Sender`
├── Undeliverable   will never arrive: closed direct messages, a channel that is gone
├── NotAllowed      will arrive when somebody gives the bot its permissions back
└── TryLater        Discord is away, slow or overloaded
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Sequence, Set
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Protocol

from bot.faults import describe_fault
from bot.lease import Lease
from bot.model import Delivery, Game, Outgoing, Seat, Target, Trouble
from bot.ports import DamagedGame, StorageUnavailable, UnitOfWork
from bot.services import post
from bot.services.context import Context
from bot.services.snapshot import snapshot
from bot.text.message import Message
from bot.text.message_json import message_from_json, messages_from_json, words_to_json
from bot.text.plain import NOTHING, Lost, can_be_lost, ways_to_post

AT_ONCE = 4
"""Messages under way at the same time, and games whose messages are."""
TOGETHER = 24
"""About so many messages of a game are put into words and written down together."""
GATHER_S = 5.0
"""For so long what was sent waits for others, to be written down with them."""
PATIENCE_S = 90.0
"""How long one message may take to be drawn and sent before it is tried again."""
FIRST_WAIT = timedelta(seconds=5)
LONGEST_WAIT = timedelta(minutes=10)
PERMISSION_WAIT = timedelta(seconds=25)
"""With the alarm's half minute, a permission that is given back is noticed within a minute."""
GIVE_UP_PERMISSION = timedelta(days=1)
"""For this long a channel's message waits for the bot's permissions there."""
NONCE_MEMORY = timedelta(minutes=1)
"""For this long Discord surely knows a nonce again; its documents speak of a few minutes."""
CLOCK_DOUBT = timedelta(minutes=2)
"""By how much Discord's clock may be behind this one's where a message is looked for."""
TRIES_WITH_PICTURES = 2
"""After so many tries in which a message could not be made it is tried without its pictures."""
TRIES_TO_MAKE = 5
"""After so many it is given up, so that it doesn't hold up the later ones."""
LEASE = "announcer"
"""Name of the right to send what is in the outbox."""

logger = logging.getLogger(__name__)


class Undeliverable(Exception):
    """The message will never arrive; the text says why, in Discord's words."""


class NotAllowed(Exception):
    """The bot lacks a permission in the channel."""


class TryLater(Exception):
    """Discord could not take the message now.

    Args:
        wait: how long it asked for, if it did.
        may_have_arrived: whether the message may be there none the less, only its receipt having been lost.
    """

    def __init__(self, why: str, wait: timedelta = timedelta(), *, may_have_arrived: bool = False) -> None:
        super().__init__(why)
        self.wait = wait
        self.may_have_arrived = may_have_arrived


class Sender(Protocol):
    """Puts a message before people."""

    async def send(self, target: Target, target_id: int, message: Message, *, nonce: str) -> int:
        """Draw and send a message; two with the same nonce, sent within minutes, are one.

        Returns: Discord's id of the message.

        Raises:
            Undeliverable, NotAllowed, TryLater: it was not sent. Anything else: it could not be made.
        """

    async def edit(self, target: Target, target_id: int, message_id: int, message: Message) -> bool:
        """Put other words and buttons into a message that was sent; its pictures and files stay.

        Returns: whether it was still there.

        Raises:
            Undeliverable, NotAllowed, TryLater: it was not changed.
        """

    async def find(
        self, target: Target, target_id: int, message: Message, *, nonce: str, since: datetime, known: Set[int]
    ) -> int | None:
        """Look for a message that may have been sent.

        Args:
            since: when the first try began.
            known: ids of messages that are others.

        Returns: Discord's id of it; `None`: it is not there.

        Raises:
            Undeliverable, NotAllowed, TryLater: that can't be seen.
        """


Compose = Callable[[Context, Outgoing], Sequence[Message]]
"""Makes the messages of an outbox entry, usually one; none if it has become pointless. Blocks."""


class Announcer:
    """Sends what is in the outbox whenever it is woken, then rests.

    Args:
        tag: of the database; part of each nonce, since outbox ids begin at 1 in every database.
        lease: the right to send, of which processes on one database have one; `None`: the usual one.
    """

    def __init__(
        self, context: Context, compose: Compose, sender: Sender, *, tag: str = "", lease: Lease | None = None
    ) -> None:
        self._context = context
        self._compose = compose
        self._sender = sender
        self._tag = f"{tag}-" if tag else ""
        self._lease = lease or Lease(context.unit_of_work, LEASE)
        self._round: asyncio.Task[None] | None = None
        self._again = False
        self._is_stopped = False
        self._busy = asyncio.Lock()
        # Sent, but the database was away when that should have been written down: never sent again by this process.
        self._unmarked: dict[int, tuple[Outgoing, _Posted]] = {}

    def wake(self) -> None:
        """Look for messages now; call it on the event loop. Waking an announcer that is at work makes it look again."""
        if self._is_stopped:
            return
        if self._round is not None and not self._round.done():
            self._again = True
        else:
            self._round = asyncio.create_task(self._work())

    async def stop(self, *, within_s: float = 10.0) -> None:
        """Finish what is under way, if that doesn't take long, and begin nothing new."""
        self._is_stopped = True
        if self._round is not None and not self._round.done():
            await asyncio.wait([self._round], timeout=within_s)
            self._round.cancel()
            await asyncio.wait([self._round], timeout=within_s)

    async def drain(self) -> None:
        """Send everything that may be sent now, or wait until another process has done so.

        Raises:
            StorageUnavailable: the outbox can't be read or written.
        """
        async with self._busy:
            while not self._is_stopped and (pending := await asyncio.to_thread(self._pending)):
                if not await asyncio.to_thread(self._lease.take):
                    await asyncio.sleep(self._lease.timing.renew_s)
                    continue
                try:
                    if await self._send_while_held(pending):
                        return
                finally:
                    with suppress(StorageUnavailable):
                        await asyncio.to_thread(self._lease.give_back)

    async def _send_while_held(self, pending: Sequence[Outgoing]) -> bool:
        """Send until nothing is left, or the lease is lost: then what is under way is broken off.

        Returns: whether nothing was left.
        """
        sending = asyncio.create_task(self._send_pending(pending))
        keeping = asyncio.create_task(self._keep_lease())
        try:
            await asyncio.wait([sending, keeping], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, keeping):
                task.cancel()
            await asyncio.wait([sending, keeping])
        if not sending.cancelled():
            return sending.result()
        logger.warning("announcing was broken off: the lease could not be kept")
        return False

    async def _keep_lease(self) -> None:
        """Renew the lease again and again; returns when it is lost."""
        while (left_s := self._lease.left_s) > 0:
            await asyncio.sleep(min(self._lease.timing.renew_s, left_s))
            try:
                async with asyncio.timeout(self._lease.left_s):
                    if not await asyncio.to_thread(self._lease.take):
                        return
            except (StorageUnavailable, TimeoutError):
                continue

    async def _send_pending(self, pending: Sequence[Outgoing]) -> bool:
        """Send these, and what comes after them; whether nothing is left."""
        under_way: dict[asyncio.Task[None], Sequence[Outgoing]] = {}
        gate = asyncio.Semaphore(AT_ONCE)
        try:
            while True:
                for heads in _lots(pending):
                    if not self._is_stopped and _may_begin(heads, under_way.values()):
                        under_way[asyncio.create_task(self._deliver(heads, gate))] = heads
                if not under_way:
                    return not self._is_stopped
                done, _ = await asyncio.wait(under_way, timeout=GATHER_S, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    del under_way[task]
                    task.result()
                pending = await asyncio.to_thread(self._pending)
        except _LeaseLost:
            return False
        finally:
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    async def _work(self) -> None:
        try:
            await self.drain()
            while self._again:
                self._again = False
                await self.drain()
        except StorageUnavailable as error:
            logger.warning("messages have to wait: %s", error)
        except Exception as error:
            logger.error("the outbox could not be worked through: %s", describe_fault(error))

    async def _deliver(self, heads: Sequence[Outgoing], gate: asyncio.Semaphore) -> None:
        """Try messages of one game, the first of their queues and what waits behind them.

        What has to be written down is written for all of them together, before they are tried and afterwards.
        """
        if sent_before := [message.id for message in heads if message.id in self._unmarked]:
            await self._mark(sent_before)
            return
        tries = [_Try(message) for message in await asyncio.to_thread(self._begin, heads)]
        await self._make(tries)
        queues: dict[tuple[Target, int], list[_Try]] = {}
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
            await asyncio.to_thread(self._leave_untried, untried)

    async def _make(self, tries: Sequence[_Try]) -> None:
        """Put the messages into words, those of which it isn't known whether they arrived after looking for them."""
        for each in tries:
            async with self._fate_of(each):
                each.message = await self._looked_for(each.message)
        await asyncio.to_thread(self._compose_all, [each for each in tries if not each.is_begun])

    async def _try_in_order(self, tries: Sequence[_Try], gate: asyncio.Semaphore) -> None:
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
    async def _fate_of(self, tried: _Try) -> AsyncIterator[None]:
        """Whatever goes wrong inside is written down with the message."""
        message = tried.message
        try:
            yield
            return
        except (Undeliverable, NotAllowed) as error:
            tried.may_pass = await self._not_taken(tried, error)
        except TryLater as error:
            tried.may_pass = False
            wait = max(error.wait, _backoff(message.attempts))
            await self._later(tried, str(error), wait, in_doubt=error.may_have_arrived)
        except TimeoutError:
            tried.may_pass = False
            await self._later(tried, "timeout", _backoff(message.attempts), in_doubt=True)
        except StorageUnavailable:
            raise
        except Exception as error:
            tried.may_pass = await self._not_made(tried, error)
        tried.is_begun = True

    async def _not_taken(self, tried: _Try, error: Undeliverable | NotAllowed) -> bool:
        """Wait until the channel takes the message, or give it up. A change of an old one is not waited for.

        Returns: whether those behind it may be tried.
        """
        message = tried.message
        if message.is_edit:
            await asyncio.to_thread(self._give_up, message, str(error))
        elif isinstance(error, NotAllowed) and self._now() - message.created_at < GIVE_UP_PERMISSION:
            await self._later(tried, str(error), PERMISSION_WAIT, trouble=_trouble_of(error))
            return False
        else:
            await asyncio.to_thread(self._give_up, message, str(error), _trouble_of(error))
        return True

    async def _send(self, tried: _Try) -> None:
        message = tried.message
        if message.is_edit:
            await self._edit(tried)
            return
        posted = _Posted()
        for number, part in enumerate(tried.parts):
            if number < _parts_sent(message):
                continue
            message_id, lost = await self._post(message, part, number)
            posted = posted.and_also(part, lost)
            tried.sent = _with_part(tried.sent, number, message_id, lost)
        self._unmarked[message.id] = (tried.sent, posted)

    async def _edit(self, tried: _Try) -> None:
        """Change an earlier message. Doing so again changes nothing, so there is nothing to look for.

        Of several changes of one message the last does, as it tells of things as they are. A message that is gone makes
        of its change an ordinary message, which takes its place from then on.
        """
        message, earlier = tried.message, tried.earlier
        if earlier is None or not tried.parts:
            self._unmarked[message.id] = (_as_sent(message), _Posted())
            return
        is_there = earlier.message_id is not None and earlier.target_id == message.target_id
        if earlier.message_id is not None and is_there:
            lost = frozenset(map(Lost, earlier.payload.get(post.SENT_WITHOUT, ())))
            words, *_ = ways_to_post(tried.parts[0]).get(lost, tried.parts)
            async with asyncio.timeout(PATIENCE_S):
                is_there = await self._sender.edit(message.target, message.target_id, earlier.message_id, words)
        if is_there or message.payload.get(post.ONLY_IF_THERE):
            self._unmarked[message.id] = (replace(_as_sent(message), message_id=earlier.message_id), _Posted())
        else:
            tried.may_pass = False
            await asyncio.to_thread(self._post_anew, message)

    async def _post(self, message: Outgoing, part: Message, number: int) -> tuple[int, Set[Lost]]:
        """Send a part, in a channel that takes no files or no boxes without them.

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
        """Send a part that may have to be several messages; the id of the first."""
        ids = []
        for piece_no, piece in enumerate(pieces):
            async with asyncio.timeout(PATIENCE_S):
                piece_nonce = f"{nonce}.{piece_no}" if piece_no else nonce
                ids.append(await self._sender.send(message.target, message.target_id, piece, nonce=piece_nonce))
        return ids[0]

    async def _looked_for(self, message: Outgoing) -> Outgoing:
        """The message as far as it is known to have arrived, after looking for what an earlier try may have sent.

        While Discord knows the nonce there is no need to look; where one may not look, better twice than never.
        """
        known: set[int] | None = None
        while True:
            number = _parts_sent(message)
            if message.tried_at is None or message.composed is None:
                return message if number else replace(message, composed=None)
            if self._now() - message.tried_at < NONCE_MEMORY or number >= len(message.composed):
                return message
            try:
                if known is None:
                    known = set(await asyncio.to_thread(self._known, message))
                async with asyncio.timeout(PATIENCE_S):
                    found = await self._sender.find(
                        message.target,
                        message.target_id,
                        message_from_json(message.composed[number]),
                        nonce=self._nonce(message, number),
                        since=message.tried_at - CLOCK_DOUBT,
                        known=known,
                    )
            except NotAllowed:
                return message
            if found is None:
                # What has surely not arrived may be told as things are now.
                return message if number else replace(message, composed=None, tried_at=None)
            logger.info("part %d of message %d of game %d had arrived", number, message.id, message.game_id)
            known.add(found)
            message = _with_part(message, number, found)

    async def _mark(self, message_ids: Sequence[int]) -> None:
        """Write down that messages were sent; until that is done this process knows it."""
        if not message_ids:
            return
        await asyncio.to_thread(self._mark_sent, [self._unmarked[message_id] for message_id in message_ids])
        for message_id in message_ids:
            del self._unmarked[message_id]

    async def _not_made(self, tried: _Try, error: Exception) -> bool:
        """Try again later, or give it up. Returns: whether those behind it may be tried."""
        message, fault = tried.message, describe_fault(error)
        logger.error(
            "message %d (%s) of game %d could not be made: %s", message.id, message.kind, message.game_id, fault
        )
        if message.faults + 1 >= TRIES_TO_MAKE:
            await asyncio.to_thread(self._give_up, message, fault)
            return True
        await self._later(tried, fault, _backoff(message.faults), is_fault=True, in_doubt=True)
        return False

    async def _later(
        self,
        tried: _Try,
        why: str,
        wait: timedelta,
        *,
        is_fault: bool = False,
        in_doubt: bool = False,
        trouble: Trouble | None = None,
    ) -> None:
        later = replace(
            tried.message,
            not_before=self._now() + wait,
            faults=tried.message.faults + is_fault,
            # The first parts of a long message are not sent again when a later one fails.
            payload=tried.sent.payload,
            message_id=tried.sent.message_id,
        )
        await asyncio.to_thread(self._put_off, later, why, in_doubt, trouble)
        asyncio.get_running_loop().call_later(wait.total_seconds() + 0.1, self.wake)

    def _nonce(self, message: Outgoing, number: int) -> str:
        return f"{self._tag}{message.id}-{number}"

    # The database: these block

    def _begin(self, heads: Sequence[Outgoing]) -> Sequence[Outgoing]:
        """Count a try of messages before it is made, so that one in which the bot dies counts too.

        Args:
            heads: of one game, each the first of its queue.

        Returns: what is to be tried, as it was stored before; without what another process has seen to meanwhile.

        Raises:
            _LeaseLost: another process announces now.
        """
        now = self._now()
        with self._context.unit_of_work() as unit:
            if not self._lease.is_held_within(unit):
                raise _LeaseLost
            begun = []
            for stored in _to_try(_waiting(unit, heads), heads, now):
                if stored.faults >= TRIES_TO_MAKE:
                    self._give_up_within(unit, stored, "the bot stopped whenever it was tried", None)
                else:
                    begun.append(stored)
            unit.outbox.update_all(
                [
                    replace(
                        stored, attempts=stored.attempts + 1, faults=stored.faults + 1, tried_at=stored.tried_at or now
                    )
                    for stored in begun
                ]
            )
            unit.commit()
        return begun

    def _compose_all(self, tries: Sequence[_Try]) -> None:
        """Put messages of one game into words, all of them as the game is now.

        Whatever is sent again later, its words will be these.
        """
        with snapshot(self._context) as context:
            for each in tries:
                each.sent = _as_sent(each.message)
                try:
                    self._compose_one(context, each)
                except StorageUnavailable:
                    raise
                except Exception as error:
                    each.error = error
        new = {each.message.id: each for each in tries if each.is_new}
        if not new:
            return
        with self._context.unit_of_work() as unit:
            unit.outbox.update_all(
                [
                    replace(stored, composed=[words_to_json(part) for part in made.parts])
                    for stored in _waiting(unit, [each.message for each in new.values()])
                    if (made := new.get(stored.id)) is not None and stored.target_id == made.message.target_id
                ]
            )
            unit.commit()

    def _compose_one(self, context: Context, tried: _Try) -> None:
        """What to send: better without a map than not at all."""
        message = tried.message
        if message.is_edit:
            with context.reading() as unit:
                tried.earlier = _to_change(unit, message)
            if tried.earlier is not None:
                tried.parts = self._compose(context, message)
            return
        kept = message.composed
        try:
            parts = self._compose(context, message)
        except Exception as error:
            if kept is None:
                raise
            logger.error(
                "message %d of game %d lost its pictures: %s", message.id, message.game_id, type(error).__name__
            )
            tried.parts = messages_from_json(kept, ())
            return
        if parts and kept is not None:
            parts = messages_from_json(kept, parts)
        tried.is_new = bool(parts) and kept is None
        has_pictures = message.faults < TRIES_WITH_PICTURES
        tried.parts = parts if has_pictures else [replace(part, pictures=()) for part in parts]

    def _leave_untried(self, messages: Sequence[Outgoing]) -> None:
        """Store messages as they were before their try was counted: one before them has to wait, and they with it."""
        as_before = {message.id: message for message in messages}
        with self._context.unit_of_work() as unit:
            unit.outbox.update_all([
                replace(
                    stored,
                    attempts=before.attempts, faults=before.faults, tried_at=before.tried_at, composed=before.composed,
                )
                for stored in _waiting(unit, messages)
                if (before := as_before.get(stored.id)) is not None
            ])  # fmt: skip
            unit.commit()

    def _post_anew(self, message: Outgoing) -> None:
        """Make of a change an ordinary message, to be sent next."""
        with self._context.unit_of_work() as unit:
            stored = _still_under_way(unit, message)
            if stored is not None:
                unit.outbox.update(replace(stored, is_edit=False, faults=0, tried_at=None, composed=None))
                unit.commit()

    def _pending(self) -> Sequence[Outgoing]:
        with self._context.reading() as unit:
            return unit.outbox.pending(self._now())

    def _known(self, message: Outgoing) -> Set[int]:
        """Ids of other messages of the game."""
        with self._context.unit_of_work() as unit:
            told = unit.outbox.of_game(message.game_id, delivery=Delivery.SENT)
        return {other.message_id for other in told if other.message_id is not None}

    def _mark_sent(self, marks: Sequence[tuple[Outgoing, _Posted]]) -> None:
        with self._context.unit_of_work() as unit:
            unit.outbox.update_all([sent for sent, _ in marks])
            if (game := _game_of(unit, marks[0][0])) is not None:
                if reached := {sent.target_id for sent, _ in marks if sent.target is Target.USER}:
                    _note_open_dms(unit, game, reached)
                for sent, posted in marks:
                    if sent.target is Target.CHANNEL and posted.has_posts:
                        game = _note_posted(unit, game, sent, posted, self._now())
            unit.commit()

    def _put_off(self, later: Outgoing, why: str, in_doubt: bool, trouble: Trouble | None) -> None:
        logger.info("message %d of game %d has to wait: %s", later.id, later.game_id, why)
        with self._context.unit_of_work() as unit:
            stored = _still_under_way(unit, later)
            if stored is not None:
                tried_at = stored.tried_at if in_doubt else later.tried_at
                waiting = replace(
                    stored,
                    faults=later.faults,
                    error=why,
                    not_before=later.not_before,
                    tried_at=tried_at,
                    payload=later.payload,
                    message_id=later.message_id,
                )
                unit.outbox.update(waiting)
                if trouble is not None:
                    _note_trouble(unit, stored, trouble, self._now())
                unit.commit()

    def _give_up(self, message: Outgoing, why: str, trouble: Trouble | None = None) -> None:
        with self._context.unit_of_work() as unit:
            stored = _still_under_way(unit, message)
            if stored is not None:
                self._give_up_within(unit, stored, why, trouble)
                unit.commit()

    def _give_up_within(self, unit: UnitOfWork, message: Outgoing, why: str, trouble: Trouble | None) -> None:
        logger.warning(
            "message %d (%s) of game %d was not delivered: %s", message.id, message.kind, message.game_id, why
        )
        unit.outbox.update(replace(message, delivery=Delivery.FAILED, composed=None, tried_at=None, error=why))
        if message.target is Target.CHANNEL and trouble is not None:
            _note_trouble(unit, message, trouble, self._now())
        elif message.target is Target.USER and message.kind not in post.UNTOLD:
            _tell_closed_dms(unit, message, self._now())

    def _now(self) -> datetime:
        return self._context.clock.now()


class _LeaseLost(Exception):
    """Another process announces now."""


@dataclass(slots=True)
class _Try:
    """One message on its way.

    Args:
        message: as it was stored before this try was counted.
        parts: what to send, and `earlier`: what a change is about; `error`: why it can't be made.
        is_new: its words were made now, and are not kept yet.
        sent: the message with what has arrived of it.
        is_begun: something was done that may have reached Discord, or its fate is written down.
        may_pass: those behind it need not wait for it.
    """

    message: Outgoing
    parts: Sequence[Message] = ()
    earlier: Outgoing | None = None
    error: Exception | None = None
    is_new: bool = False
    is_begun: bool = False
    may_pass: bool = True
    sent: Outgoing = field(init=False)

    def __post_init__(self) -> None:
        self.sent = _as_sent(self.message)


def _lots(pending: Sequence[Outgoing]) -> Sequence[Sequence[Outgoing]]:
    """What is tried together: the first messages of all queues of a game; alone, what was tried before.

    What could not be made before comes last, so that it delays nobody else.
    """
    lots: dict[object, list[Outgoing]] = {}
    for message in sorted(pending, key=_is_suspect):
        lots.setdefault(message.game_id if _is_fresh(message) else (message.id,), []).append(message)
    return tuple(lots.values())


def _may_begin(heads: Sequence[Outgoing], under_way: Collection[Sequence[Outgoing]]) -> bool:
    """Whether messages may be tried beside those that are.

    One that could not be made before is tried alone: if the bot dies of it, no other one is suspected. What joins a
    queue that is being worked through waits until that is done.
    """
    others = [message for lot in under_way for message in lot]
    if len(under_way) >= AT_ONCE or any(map(_is_suspect, others)):
        return False
    if {_queue_of(head) for head in heads} & {_queue_of(other) for other in others}:
        return False
    return not (_is_suspect(heads[0]) and others)


def _queue_of(message: Outgoing) -> tuple[int, Target, int]:
    return message.game_id, message.target, message.target_id


def _is_fresh(message: Outgoing) -> bool:
    """Whether it was never tried, or is known not to have arrived."""
    return not _is_suspect(message) and message.tried_at is None and not _parts_sent(message)


def _waiting(unit: UnitOfWork, of: Sequence[Outgoing]) -> Sequence[Outgoing]:
    """What waits in the outbox of the game to which some messages belong, as it is stored; those at least."""
    try:
        return unit.outbox.of_game(of[0].game_id, delivery=Delivery.PENDING)
    except DamagedGame:
        # Another one can't be read.
        return [stored for message in of if (stored := _still_pending(unit, message)) is not None]


def _to_try(waiting: Sequence[Outgoing], heads: Sequence[Outgoing], now: datetime) -> Sequence[Outgoing]:
    """Of each queue its head, and what may follow it at once, as long as it is not too much for once."""
    queues: dict[tuple[int, Target, int], list[Outgoing]] = {}
    for message in waiting:
        queues.setdefault(_queue_of(message), []).append(message)
    chosen: list[Outgoing] = []
    for head in heads:
        queue = queues.get(_queue_of(head), [])
        if not queue or queue[0].id != head.id:
            continue
        chosen.append(queue[0])
        for before, message in pairwise(queue):
            is_over_it = message.is_edit and any(
                (other.kind, other.phase_no) == (message.kind, message.phase_no) for other in queue
                if other.id < message.id and not other.is_edit
            )  # fmt: skip
            is_ready = _is_fresh(message) and message.not_before <= now and not is_over_it
            if not (is_ready and _is_fresh(before) and len(chosen) < TOGETHER):
                break
            chosen.append(message)
    return chosen


def _to_change(unit: UnitOfWork, message: Outgoing) -> Outgoing | None:
    """What a change is about; `None`: another one waits that will do."""
    if unit.outbox.has_later_edit(message):
        return None
    earlier = unit.outbox.last_of_phase(message.game_id, message.phase_no, {message.kind})
    return earlier or replace(message, message_id=None)


def _is_suspect(message: Outgoing) -> bool:
    return message.faults > 0


def _as_sent(message: Outgoing) -> Outgoing:
    """The message, delivered with the try that is under way."""
    return replace(
        message,
        delivery=Delivery.SENT, attempts=message.attempts + 1, faults=0, tried_at=None, composed=None, error="",
    )  # fmt: skip


def _parts_sent(message: Outgoing) -> int:
    return int(message.payload.get(post.PARTS_SENT, 0))


def _with_part(sent: Outgoing, number: int, message_id: int, lost: Set[Lost] = NOTHING) -> Outgoing:
    """Keeps the id of the first part, where reading begins, and what it was sent without."""
    payload = {**sent.payload, post.PARTS_SENT: number + 1}
    if lost and not number:
        payload[post.SENT_WITHOUT] = sorted(lost)
    return replace(sent, payload=payload, message_id=sent.message_id or message_id)


def _backoff(attempts: int) -> timedelta:
    doublings = min(attempts, 10)
    return min(LONGEST_WAIT, FIRST_WAIT * (1 << doublings))


def _still_pending(unit: UnitOfWork, message: Outgoing) -> Outgoing | None:
    """The message as it is stored, unless another process of the bot has sent it or given it up meanwhile."""
    stored = unit.outbox.find(message.id)
    return stored if stored is not None and stored.delivery is Delivery.PENDING else None


def _still_under_way(unit: UnitOfWork, message: Outgoing) -> Outgoing | None:
    """The same, unless its game has moved to another channel since: what befell it in the old one counts no more."""
    stored = _still_pending(unit, message)
    return stored if stored is not None and stored.target_id == message.target_id else None


# What those who run the game are told


def _trouble_of(error: Exception) -> Trouble:
    return Trouble.GONE if isinstance(error, Undeliverable) else Trouble.PERMISSION


@dataclass(frozen=True, slots=True)
class _Posted:
    """What a channel took.

    Args:
        had: of what can be left out, what there was; `lost`: what was left out.
    """

    has_posts: bool = False
    had: Set[Lost] = NOTHING
    lost: Set[Lost] = NOTHING

    def and_also(self, part: Message, lost: Set[Lost]) -> _Posted:
        return _Posted(True, self.had | can_be_lost(part), self.lost | lost)


_LOST = {
    Trouble.FILES: frozenset({Lost.FILES}),
    Trouble.EMBEDS: frozenset({Lost.EMBEDS}),
    Trouble.WORDS: frozenset(Lost),
}


def _note_posted(unit: UnitOfWork, game: Game, message: Outgoing, posted: _Posted, now: datetime) -> Game:
    """Keep what a post has shown of its channel: of what it did not have it has shown nothing."""
    lost = posted.lost | (_LOST.get(game.trouble, NOTHING) - posted.had)
    trouble = next((trouble for trouble, without in _LOST.items() if without == lost), Trouble.NONE)
    return _with_trouble(unit, game, message, trouble, now)


def _note_trouble(unit: UnitOfWork, message: Outgoing, trouble: Trouble, now: datetime) -> None:
    game = unit.games.find(message.game_id)
    if game is not None:
        _with_trouble(unit, game, message, trouble, now)


def _with_trouble(unit: UnitOfWork, game: Game, message: Outgoing, trouble: Trouble, now: datetime) -> Game:
    """Tell the game's masters when its channel comes into trouble: once, however many posts it costs."""
    if game.channel_id != message.target_id or game.trouble is trouble:
        return game
    game = replace(game, trouble=trouble)
    unit.games.update(game)
    if trouble is not Trouble.NONE:
        post.to_masters(unit, game, now, "channel_trouble", {"trouble": str(trouble)})
    return game


def _game_of(unit: UnitOfWork, message: Outgoing) -> Game | None:
    """The game of a message, held; `None`: nothing can be noted with it."""
    try:
        return unit.games.find(message.game_id)
    except DamagedGame:
        return None


def _note_open_dms(unit: UnitOfWork, game: Game, reached: Collection[int]) -> None:
    for seat in unit.games.seats(game.id):
        if seat.dms_closed and seat.user_id in reached:
            unit.games.save_seat(replace(seat, dms_closed=False))


def _tell_closed_dms(unit: UnitOfWork, message: Outgoing, now: datetime) -> None:
    """The channel asks the player, once, to open direct messages; what was in the message stays secret."""
    seat = _seat_of(unit, message)
    game = None if seat is None else unit.games.find(message.game_id)
    if seat is None or game is None or seat.dms_closed:
        return
    unit.games.save_seat(replace(seat, dms_closed=True))
    post.to_channel(unit, game, now, "dms_closed", {"user_id": message.target_id})


def _seat_of(unit: UnitOfWork, message: Outgoing) -> Seat | None:
    """The seat of the player whom a direct message is for, its game held; `None` if the player has left."""
    if _game_of(unit, message) is None:
        return None
    return next((seat for seat in unit.games.seats(message.game_id) if seat.user_id == message.target_id), None)
