"""The outbox's postman: composes what is pending, sends it, and writes down how that went.

A message is queued in the transaction that makes it true and marked when it is sent. If the bot dies in between, it is
sent again with the same nonce, and Discord returns the first one instead of posting a second.

Errors of a `Sender`
├── Undeliverable   will never arrive: closed direct messages, a channel that is gone
├── NotAllowed      will arrive when somebody gives the bot its permissions back
└── TryLater        Discord is away, slow or overloaded
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

from bot.faults import describe_fault
from bot.model import Delivery, Outgoing, Seat, Target
from bot.ports import StorageUnavailable, UnitOfWork
from bot.services import post
from bot.services.context import Context
from bot.text.message import Message

AT_ONCE = 4
"""Messages under way at the same time."""
PATIENCE_S = 90.0
"""How long one message may take to be drawn and sent before it is tried again."""
FIRST_WAIT = timedelta(seconds=5)
LONGEST_WAIT = timedelta(minutes=10)
PERMISSION_WAIT = timedelta(minutes=10)
GIVE_UP_PERMISSION = timedelta(days=1)
"""For this long a channel's message waits for the bot's permissions there."""
TRIES_WITH_PICTURES = 3
"""After so many tries a message that can't be made is tried without its pictures."""
TRIES_TO_MAKE = 5
"""After so many it is given up, so that it doesn't hold up the later ones."""

logger = logging.getLogger(__name__)


class Undeliverable(Exception):
    """The message will never arrive; the text says why, in Discord's words."""


class NotAllowed(Exception):
    """The bot lacks a permission in the channel."""


class TryLater(Exception):
    """Discord could not take the message now.

    Args:
        wait: how long it asked for, if it did.
    """

    def __init__(self, why: str, wait: timedelta = timedelta()) -> None:
        super().__init__(why)
        self.wait = wait


class Sender(Protocol):
    """Puts a message before people."""

    async def send(self, target: Target, target_id: int, message: Message, *, nonce: str) -> int:
        """Draw and send a message; two with the same nonce, sent within minutes, are one.

        Returns: Discord's id of the message.

        Raises:
            Undeliverable, NotAllowed, TryLater: it was not sent. Anything else: it could not be made.
        """


Compose = Callable[[Context, Outgoing], Sequence[Message]]
"""Makes the messages of an outbox entry, usually one; none if it has become pointless. Blocks."""


class Announcer:
    """Sends what is in the outbox whenever it is woken, then rests.

    Args:
        tag: of the database; part of each nonce, since outbox ids begin at 1 in every database.
    """

    def __init__(self, context: Context, compose: Compose, sender: Sender, *, tag: str = "") -> None:
        self._context = context
        self._compose = compose
        self._sender = sender
        self._tag = f"{tag}-" if tag else ""
        self._round: asyncio.Task[None] | None = None
        self._again = False
        self._is_stopped = False
        self._busy = asyncio.Lock()
        # Sent, but the database was away when that should have been written down: never sent again by this process.
        self._unmarked: dict[int, Outgoing] = {}
        self._faults: Counter[int] = Counter()

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

    async def drain(self) -> None:
        """Send everything that may be sent now.

        Raises:
            StorageUnavailable: the outbox can't be read or written.
        """
        async with self._busy:
            await self._send_pending()

    async def _send_pending(self) -> None:
        under_way: dict[asyncio.Task[None], int] = {}
        try:
            while True:
                for message in await asyncio.to_thread(self._pending):
                    if len(under_way) < AT_ONCE and message.id not in under_way.values() and not self._is_stopped:
                        under_way[asyncio.create_task(self._deliver(message))] = message.id
                if not under_way:
                    return
                done, _ = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    del under_way[task]
                    task.result()
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

    async def _deliver(self, message: Outgoing) -> None:
        """Try one message, and write down what came of it."""
        try:
            await self._send(message)
        except Undeliverable as error:
            await asyncio.to_thread(self._give_up, message, str(error))
        except NotAllowed as error:
            if self._now() - message.created_at < GIVE_UP_PERMISSION:
                await self._later(message, str(error), PERMISSION_WAIT)
            else:
                await asyncio.to_thread(self._give_up, message, str(error))
        except (TryLater, TimeoutError) as error:
            asked = error.wait if isinstance(error, TryLater) else timedelta()
            await self._later(message, str(error) or "timeout", max(asked, _backoff(message.attempts)))
        except StorageUnavailable:
            raise
        except Exception as error:
            await self._not_made(message, error)

    async def _send(self, message: Outgoing) -> None:
        sent = self._unmarked.get(message.id)
        if sent is None:
            sent = replace(message, delivery=Delivery.SENT, attempts=message.attempts + 1, error="")
            parts = await asyncio.to_thread(self._made, message)
            for number, part in enumerate(parts):
                if number < message.payload.get(_PARTS_SENT, 0):
                    continue
                nonce = f"{self._tag}{message.id}-{number}"
                async with asyncio.timeout(PATIENCE_S):
                    message_id = await self._sender.send(message.target, message.target_id, part, nonce=nonce)
                sent = _with_part(sent, number, message_id)
                if number + 1 < len(parts):
                    await asyncio.to_thread(self._note_part, message, sent)
            self._unmarked[message.id] = sent
        await asyncio.to_thread(self._mark_sent, sent)
        del self._unmarked[message.id]
        self._faults.pop(message.id, None)

    async def _not_made(self, message: Outgoing, error: Exception) -> None:
        fault = describe_fault(error)
        logger.error(
            "message %d (%s) of game %d could not be made: %s", message.id, message.kind, message.game_id, fault
        )
        self._faults[message.id] += 1
        if self._faults[message.id] >= TRIES_TO_MAKE:
            await asyncio.to_thread(self._give_up, message, fault)
        else:
            await self._later(message, fault, _backoff(message.attempts))

    async def _later(self, message: Outgoing, why: str, wait: timedelta) -> None:
        await asyncio.to_thread(self._put_off, message, why, wait)
        asyncio.get_running_loop().call_later(wait.total_seconds() + 0.1, self.wake)

    # The database: these block

    def _made(self, message: Outgoing) -> Sequence[Message]:
        """What to send: better without a map than not at all."""
        parts = self._compose(self._context, message)
        if self._faults[message.id] < TRIES_WITH_PICTURES:
            return parts
        return [replace(part, pictures=()) for part in parts]

    def _pending(self) -> Sequence[Outgoing]:
        with self._context.unit_of_work() as unit:
            return unit.outbox.pending(self._now())

    def _note_part(self, message: Outgoing, sent: Outgoing) -> None:
        """The first parts of a long message are not sent again when a later one fails."""
        with self._context.unit_of_work() as unit:
            stored = _still_pending(unit, message)
            if stored is not None:
                unit.outbox.update(replace(stored, payload=sent.payload, message_id=sent.message_id))
                unit.commit()

    def _mark_sent(self, sent: Outgoing) -> None:
        with self._context.unit_of_work() as unit:
            unit.outbox.update(sent)
            if sent.target is Target.USER:
                _note_open_dms(unit, sent)
            unit.commit()

    def _put_off(self, message: Outgoing, why: str, wait: timedelta) -> None:
        logger.info("message %d of game %d has to wait: %s", message.id, message.game_id, why)
        with self._context.unit_of_work() as unit:
            stored = _still_pending(unit, message)
            if stored is not None:
                later = self._now() + wait
                unit.outbox.update(replace(stored, attempts=stored.attempts + 1, error=why, not_before=later))
                unit.commit()

    def _give_up(self, message: Outgoing, why: str) -> None:
        logger.warning(
            "message %d (%s) of game %d was not delivered: %s", message.id, message.kind, message.game_id, why
        )
        with self._context.unit_of_work() as unit:
            stored = _still_pending(unit, message)
            if stored is None:
                return
            unit.outbox.update(replace(stored, delivery=Delivery.FAILED, attempts=stored.attempts + 1, error=why))
            if message.target is Target.USER and message.kind not in _SENT_IN_SECRET:
                _tell_closed_dms(unit, message, self._now())
            unit.commit()

    def _now(self) -> datetime:
        return self._context.clock.now()


_SENT_IN_SECRET = frozenset({"request"})
"""Kinds of direct messages that come when somebody has ordered something: that one came at all is a secret, so whether
the player can be reached is told when the next briefing or reminder can't be delivered."""
_PARTS_SENT = "parts_sent"
"""In the payload of a long message: how many parts have gone out."""


def _with_part(sent: Outgoing, number: int, message_id: int) -> Outgoing:
    """Keeps the id of the first part, where reading begins."""
    payload = {**sent.payload, _PARTS_SENT: number + 1}
    return replace(sent, payload=payload, message_id=sent.message_id or message_id)


def _backoff(attempts: int) -> timedelta:
    doublings = min(attempts, 10)
    return min(LONGEST_WAIT, FIRST_WAIT * (1 << doublings))


def _still_pending(unit: UnitOfWork, message: Outgoing) -> Outgoing | None:
    """The message as it is stored, unless another process of the bot has sent it or given it up meanwhile."""
    stored = unit.outbox.find(message.id)
    return stored if stored is not None and stored.delivery is Delivery.PENDING else None


def _note_open_dms(unit: UnitOfWork, sent: Outgoing) -> None:
    seat = _seat_of(unit, sent)
    if seat is not None and seat.dms_closed:
        unit.games.save_seat(replace(seat, dms_closed=False))


def _tell_closed_dms(unit: UnitOfWork, message: Outgoing, now: datetime) -> None:
    """The channel asks the player, once, to open direct messages; what was in the message stays secret."""
    seat = _seat_of(unit, message)
    game = unit.games.find(message.game_id)
    if seat is None or game is None or seat.dms_closed:
        return
    unit.games.save_seat(replace(seat, dms_closed=True))
    post.to_channel(unit, game, now, "dms_closed", {"user_id": message.target_id})


def _seat_of(unit: UnitOfWork, message: Outgoing) -> Seat | None:
    """The seat of the player whom a direct message is for, its game held; `None` if the player has left."""
    if unit.games.find(message.game_id) is None:
        return None
    return next((seat for seat in unit.games.seats(message.game_id) if seat.user_id == message.target_id), None)
