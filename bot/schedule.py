"""The alarm clock: rings when a phase is due, and every minute for anything missed. Implements `bot.ports.Alarm`.

A ring only says "phase n of game g is due"; whether that is so, and who closes it, is decided by the database.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from apscheduler.jobstores.base import JobLookupError
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from bot.faults import describe_fault
from bot.model import GameId
from bot.ports import Clock, StorageUnavailable

SWEEP_EVERY_S = 60
MAIL_EVERY_S = 30
JUMP = timedelta(minutes=3)
"""By how much the clock has to run ahead of, or behind, the time that has passed to have jumped."""
DOUBT_S = 15 * 60
"""How long phases wait after a jump ahead: a wrong clock is usually set back soon. Then they don't wait for as long."""
AT_ONCE = 2
"""Phases that are closed at the same time; the threads that are left answer players."""

logger = logging.getLogger(__name__)


class SystemClock:
    """The real time. Implements `bot.ports.Clock`."""

    def now(self) -> datetime:
        """Aware UTC."""
        return datetime.now(UTC)


class ClockWatch:
    """Notices when the clock jumps ahead of the time that has passed, by a counter that only runs forward.

    Either it was set, rightly or wrongly, or the machine slept. Nobody can tell which, and a phase that is closed stays
    closed: so it is doubted for a while. Further jumps soon after are a machine that sleeps again and again, which may
    not keep the games waiting for ever.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.trust()

    def trust(self) -> None:
        """Take the clock to be right as it is now."""
        self._now, self._now_s = self._clock.now(), time.perf_counter()
        self._doubted_until_s = float("-inf")

    def is_doubtful(self) -> bool:
        """Whether the clock has jumped ahead not long ago, and has not been set back."""
        now, now_s = self._clock.now(), time.perf_counter()
        ahead = now - self._now - timedelta(seconds=now_s - self._now_s)
        self._now, self._now_s = now, now_s
        if ahead > JUMP and now_s >= self._doubted_until_s + DOUBT_S:
            self._doubted_until_s = now_s + DOUBT_S
            logger.warning(
                "the clock jumped ahead by %s: nothing is closed for %d minutes", _rough(ahead), DOUBT_S // 60
            )
        elif ahead < -JUMP:
            self._doubted_until_s = float("-inf")
            logger.warning("the clock was set back by %s", _rough(-ahead))
        return now_s < self._doubted_until_s


def _rough(length: timedelta) -> timedelta:
    return timedelta(seconds=round(length.total_seconds()))


async def _nothing() -> None:
    """There is nothing to prepare."""


@dataclass(frozen=True, slots=True)
class Bells:
    """What the alarm calls. The first two block and are run in threads.

    Args:
        close: a phase is due.
        sweep: look for anything that is due.
        mail: messages may be waiting; called on the event loop.
        prepare: awaited before anything is closed, and every minute in any case; ends by itself.
        settle: awaited as soon as something is due, by all phases at once; ends by itself.
    """

    close: Callable[[GameId, int], object]
    sweep: Callable[[], object]
    mail: Callable[[], object]
    prepare: Callable[[], Awaitable[object]] = _nothing
    settle: Callable[[], Awaitable[object]] = _nothing


class SchedulerAlarm:
    """An alarm for every game, kept in memory: at each start it is set anew from the deadlines in the database.

    `set`, `cancel` and `mail` may be called from any thread; before `start` and after `stop` they do nothing.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._watch = ClockWatch(clock)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._working: set[asyncio.Task[None]] = set()
        self._sweeping: asyncio.Task[None] | None = None

    def start(self, bells: Bells) -> None:
        """Start ringing, on the running event loop; the first sweep is at once."""
        self._bells = bells
        self._watch.trust()
        self._loop = asyncio.get_running_loop()
        self._gate = asyncio.Semaphore(AT_ONCE)
        # A job that is late is still run, and once: a skipped deadline would stop a game.
        self._scheduler = AsyncIOScheduler(
            timezone=UTC, job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
        )
        self._scheduler.start()
        self._rounds = [
            asyncio.create_task(self._again_and_again(self._sweep, SWEEP_EVERY_S)),
            asyncio.create_task(self._again_and_again(self._mail, MAIL_EVERY_S)),
        ]

    async def stop(self) -> None:
        """Stop ringing, and wait for the phases that are being closed."""
        if self._loop is None:
            return
        self._loop = None
        self._scheduler.shutdown(wait=False)
        for each in self._rounds:
            each.cancel()
        await asyncio.gather(*self._rounds, *self._working, return_exceptions=True)

    def set(self, game_id: GameId, phase_no: int, at: datetime) -> None:
        """Ring at a time; a later call for the same game replaces it."""
        self._on_loop(self._set, game_id, phase_no, at)

    def cancel(self, game_id: GameId) -> None:
        """Don't ring for this game."""
        self._on_loop(self._cancel, game_id)

    def mail(self) -> None:
        """Messages were queued."""
        self._on_loop(self._mail)

    def trust_clock(self) -> None:
        """The clock was meant to jump."""
        self._watch.trust()

    def _on_loop(self, call: Callable[..., object], *arguments: Any) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._unless_stopped, call, *arguments)

    def _unless_stopped(self, call: Callable[..., object], *arguments: Any) -> None:
        if self._loop is not None:
            call(*arguments)

    def _set(self, game_id: GameId, phase_no: int, at: datetime) -> None:
        # The scheduler goes by the real time; the clock that deadlines are measured by may be another one.
        left = max(timedelta(), at - self._clock.now())
        self._scheduler.add_job(
            self._ring,
            "date",
            run_date=datetime.now(UTC) + left,
            args=(game_id, phase_no),
            id=_job_id(game_id),
            replace_existing=True,
        )

    def _cancel(self, game_id: GameId) -> None:
        try:
            self._scheduler.remove_job(_job_id(game_id))
        except JobLookupError:
            return

    async def _ring(self, game_id: GameId, phase_no: int) -> None:
        # A coroutine, so that the scheduler runs it on the event loop; the work outlives the scheduler's shutdown.
        self._work(self._close(game_id, phase_no))

    async def _again_and_again(self, call: Callable[[], object], every_s: float) -> None:
        """By the event loop's clock, which only runs forward: after the machine's is set back, the scheduler would wait
        until it is as late again.
        """
        while True:
            call()
            await asyncio.sleep(every_s)

    def _sweep(self) -> None:
        # A phase that can't be carried out may take its worker minutes to fail: sweeps that piled up over it would
        # leave no worker to the other games.
        if self._sweeping is None or self._sweeping.done():
            self._sweeping = self._work(self._look())
        else:
            # All the same it is known that the bot is there, and misses nothing.
            self._work(self._await(self._bells.prepare))

    def _mail(self) -> None:
        self._bells.mail()

    def _work(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._working.add(task)
        task.add_done_callback(self._working.discard)
        return task

    async def _close(self, game_id: GameId, phase_no: int) -> None:
        await self._await(self._bells.settle)
        async with self._gate:
            await self._await(self._bells.prepare)
            # Asked last: meanwhile the machine may have slept.
            if self._watch.is_doubtful():
                return
            try:
                await asyncio.to_thread(self._bells.close, game_id, phase_no)
            except StorageUnavailable as error:
                logger.warning("game %d phase %d is due, the next sweep will close it: %s", game_id, phase_no, error)
            except Exception as error:
                logger.error("game %d phase %d could not be closed: %s", game_id, phase_no, describe_fault(error))
        self._bells.mail()

    async def _look(self) -> None:
        await self._await(self._bells.prepare)
        # Last of all: what falls due while this is prepared is closed, too.
        await self._await(self._bells.settle)
        if self._watch.is_doubtful():
            return
        try:
            await asyncio.to_thread(self._bells.sweep)
        except StorageUnavailable as error:
            logger.warning("no sweep this minute: %s", error)
        except Exception as error:
            logger.error("the sweep failed: %s", describe_fault(error))
        self._bells.mail()

    async def _await(self, call: Callable[[], Awaitable[object]]) -> None:
        try:
            await call()
        except Exception as error:
            logger.error("nothing could be prepared: %s", describe_fault(error))


def _job_id(game_id: GameId) -> str:
    return f"game-{game_id}"
