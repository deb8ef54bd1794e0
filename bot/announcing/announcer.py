"""Sends what is in the outbox whenever it is woken, as long as this process has the right to."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress

from bot.announcing.composing import Compose, Composer
from bot.announcing.ledger import LeaseLost, Ledger
from bot.announcing.postman import GATHER_S, Postman
from bot.announcing.queues import AT_ONCE, batches, may_begin
from bot.announcing.sender import Sender
from bot.faults import describe_fault
from bot.lease import Lease
from bot.model import Outgoing
from bot.ports import StorageUnavailable
from bot.services.context import Context

LEASE = "announcer"
"""Name of the right to send what is in the outbox."""

logger = logging.getLogger(__name__)


class Announcer:
    """Sends what is in the outbox whenever it is woken, then rests.

    Args:
        tag: of the database; part of each nonce, since outbox ids begin at 1 in every database.
        lease: the right to send, which one of the processes on a database has; `None`: the usual one.
    """

    def __init__(
        self, context: Context, compose: Compose, sender: Sender, *, tag: str = "", lease: Lease | None = None
    ) -> None:
        self._lease = lease or Lease(context.unit_of_work, LEASE)
        self._ledger = Ledger(context, self._lease)
        self._postman = Postman(self._ledger, Composer(context, compose), sender, tag=tag, wake=self.wake)
        self._round: asyncio.Task[None] | None = None
        self._again = False
        self._is_stopped = False
        self._busy = asyncio.Lock()

    def wake(self) -> None:
        """Look for messages now; call it on the event loop. Waking one that is working makes it look again."""
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
            while not self._is_stopped and (pending := await asyncio.to_thread(self._ledger.pending)):
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
        """Send until nothing is left, or the lease is lost: then what is under way is cancelled.

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
        """Send these, and what comes after them; returns whether nothing is left."""
        under_way: dict[asyncio.Task[None], Sequence[Outgoing]] = {}
        gate = asyncio.Semaphore(AT_ONCE)
        try:
            while True:
                for heads in batches(pending):
                    if not self._is_stopped and may_begin(heads, under_way.values()):
                        under_way[asyncio.create_task(self._postman.deliver(heads, gate))] = heads
                if not under_way:
                    return not self._is_stopped
                done, _ = await asyncio.wait(under_way, timeout=GATHER_S, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    del under_way[task]
                    task.result()
                pending = await asyncio.to_thread(self._ledger.pending)
        except LeaseLost:
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
