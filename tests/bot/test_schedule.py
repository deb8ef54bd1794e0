"""The alarm: it rings when it should, late rather than never, and survives what it calls."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta, tzinfo
from types import SimpleNamespace

import pytest

from bot.model import GameId
from bot.ports import StorageUnavailable
from bot.schedule import Bells, ClockWatch, SchedulerAlarm, SystemClock
from tests.fakes import FakeClock

NOW = datetime(2030, 1, 1, tzinfo=UTC)
ONE, TWO = GameId(1), GameId(2)
SOON = timedelta(milliseconds=50)


class Tower:
    """An alarm and what it rang.

    Attributes:
        trouble: raised by the next calls.
        during_sweep: called in each sweep.
    """

    def __init__(self) -> None:
        self.clock = FakeClock(NOW)
        self.alarm = SchedulerAlarm(self.clock)
        self.closed: list[tuple[GameId, int]] = []
        self.sweeps = 0
        self.mails = 0
        self.prepared: list[int] = []
        self.settled = asyncio.Event()
        self.settling = 0
        self.trouble: Exception | None = None
        self.during_sweep: Callable[[], object] = lambda: None
        self.threads: set[int] = set()
        self.counting = threading.Lock()
        self.at_once = 0
        self.most_at_once = 0

    def close(self, game_id: GameId, phase_no: int) -> None:
        self.threads.add(threading.get_ident())
        with self.counting:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        self.closed.append((game_id, phase_no))
        threading.Event().wait(0.02)
        with self.counting:
            self.at_once -= 1
        if self.trouble is not None:
            raise self.trouble

    def sweep(self) -> None:
        self.sweeps += 1
        self.during_sweep()
        if self.trouble is not None:
            raise self.trouble

    def mail(self) -> None:
        self.mails += 1

    async def prepare(self) -> None:
        self.prepared.append(len(self.closed) + self.sweeps)
        if self.trouble is not None:
            raise self.trouble

    async def settle(self) -> None:
        self.settling += 1
        await self.settled.wait()

    def start(self) -> None:
        self.alarm.start(Bells(self.close, self.sweep, self.mail, self.prepare))


@pytest.fixture
async def tower() -> AsyncIterator[Tower]:
    tower = Tower()
    yield tower
    await tower.alarm.stop()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not condition():  # noqa: ASYNC110 - the work is in threads
            await asyncio.sleep(0.005)


async def test_it_sweeps_and_looks_for_mail_as_soon_as_it_starts(tower: Tower) -> None:
    tower.start()
    await until(lambda: tower.sweeps == 1 and tower.mails >= 2)


async def test_it_rings_when_a_phase_is_due_off_the_event_loop(tower: Tower) -> None:
    tower.start()
    tower.alarm.set(ONE, 4, NOW + SOON)
    await until(lambda: tower.closed == [(ONE, 4)])
    assert threading.get_ident() not in tower.threads


async def test_no_sweep_begins_before_the_last_one_has_ended(tower: Tower, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.schedule.SWEEP_EVERY_S", 0.02)
    goes_on = threading.Event()
    tower.during_sweep = lambda: goes_on.wait(60)
    tower.start()
    await until(lambda: tower.sweeps == 1)
    await until(lambda: len(tower.prepared) > 3)
    assert tower.sweeps == 1
    goes_on.set()
    await until(lambda: tower.sweeps > 1)


async def test_a_clock_that_is_set_back_stops_neither_sweeps_nor_mail(
    tower: Tower, monkeypatch: pytest.MonkeyPatch
) -> None:
    class AnHourAgo(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> AnHourAgo:
            return super().now(tz) - timedelta(hours=1)

    monkeypatch.setattr("bot.schedule.SWEEP_EVERY_S", 0.02)
    monkeypatch.setattr("bot.schedule.MAIL_EVERY_S", 0.02)
    tower.start()
    await until(lambda: tower.sweeps >= 2)
    monkeypatch.setattr("apscheduler.schedulers.base.datetime", AnHourAgo)
    sweeps, mails = tower.sweeps, tower.mails
    async with asyncio.timeout(10):
        await until(lambda: tower.sweeps >= sweeps + 3 and tower.mails >= mails + 6)


async def test_after_the_clock_jumps_ahead_nothing_is_closed_until_it_is_set_back(
    tower: Tower, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("bot.schedule.SWEEP_EVERY_S", 0.02)
    tower.start()
    await until(lambda: tower.sweeps >= 1)
    tower.clock.advance(timedelta(hours=6))
    await until(lambda: "the clock jumped ahead by 6:00:00: nothing is closed for 15 minutes" in caplog.text)
    sweeps, mails, prepared = tower.sweeps, tower.mails, len(tower.prepared)
    tower.alarm.set(ONE, 4, NOW + timedelta(hours=1))
    await until(lambda: len(tower.prepared) > prepared + 3)
    assert (tower.closed, tower.sweeps, tower.mails) == ([], sweeps, mails)

    tower.clock.advance(timedelta(hours=-6))
    await until(lambda: tower.sweeps > sweeps)
    assert "the clock was set back by 6:00:00" in caplog.text


async def test_a_clock_that_stays_ahead_is_believed_after_a_while(
    tower: Tower, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("bot.schedule.SWEEP_EVERY_S", 0.02)
    monkeypatch.setattr("bot.schedule.DOUBT_S", 0.3)
    tower.start()
    await until(lambda: tower.sweeps >= 1)
    tower.clock.advance(timedelta(hours=6))
    await until(lambda: "the clock jumped ahead" in caplog.text)
    sweeps = tower.sweeps
    await until(lambda: tower.sweeps > sweeps)


def test_a_machine_that_sleeps_again_and_again_does_not_keep_games_waiting_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Awake for one minute in ten."""
    clock, awake_s = FakeClock(NOW), 0.0
    monkeypatch.setattr("bot.schedule.time", SimpleNamespace(perf_counter=lambda: awake_s))
    watch = ClockWatch(clock)
    doubts = []
    for _ in range(60):
        awake_s += 60
        clock.advance(timedelta(minutes=10))
        doubts.append(watch.is_doubtful())
    assert doubts == ([True] * 15 + [False] * 15) * 2


async def test_a_clock_that_is_meant_to_jump_is_believed_at_once(
    tower: Tower, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("bot.schedule.SWEEP_EVERY_S", 0.02)
    tower.start()
    await until(lambda: tower.sweeps >= 1)
    tower.clock.advance(timedelta(hours=6))
    tower.alarm.trust_clock()
    sweeps = tower.sweeps
    await until(lambda: tower.sweeps > sweeps)
    assert "clock" not in caplog.text


async def test_before_anything_is_closed_it_is_prepared(tower: Tower) -> None:
    tower.start()
    await until(lambda: tower.sweeps == 1)
    tower.alarm.set(ONE, 4, NOW)
    await until(lambda: bool(tower.closed))
    assert tower.prepared == [0, 1]


async def test_phases_that_are_due_wait_together_until_what_came_before_is_settled(tower: Tower) -> None:
    tower.alarm.start(Bells(tower.close, tower.sweep, tower.mail, settle=tower.settle))
    for number in range(1, 9):
        tower.alarm.set(GameId(number), 4, NOW)
    await until(lambda: tower.settling == 9)
    assert (tower.closed, tower.sweeps) == ([], 0)
    tower.settled.set()
    await until(lambda: len(tower.closed) == 8 and tower.sweeps == 1)


async def test_a_phase_that_falls_due_while_a_sweep_is_prepared_waits_until_what_came_before_is_settled(
    tower: Tower,
) -> None:
    tower.settled.set()
    is_prepared, under_way = asyncio.Event(), asyncio.Event()

    async def prepare() -> None:
        await is_prepared.wait()

    async def settle() -> None:
        if under_way.is_set():
            await tower.settle()

    tower.alarm.start(Bells(tower.close, tower.sweep, tower.mail, prepare, settle))
    await asyncio.sleep(0.05)
    tower.settled.clear()
    under_way.set()
    is_prepared.set()
    await until(lambda: tower.settling == 1)
    assert tower.sweeps == 0
    tower.settled.set()
    await until(lambda: tower.sweeps == 1)


@pytest.mark.parametrize("of_one_phase", [True, False], ids=["ring", "sweep"])
async def test_a_machine_that_sleeps_while_a_closing_is_prepared_closes_nothing(
    tower: Tower, caplog: pytest.LogCaptureFixture, of_one_phase: bool
) -> None:
    is_prepared = asyncio.Event()

    async def prepare() -> None:
        tower.prepared.append(0)
        await is_prepared.wait()

    tower.alarm.start(Bells(tower.close, tower.sweep, tower.mail, prepare))
    if of_one_phase:
        tower.alarm.set(ONE, 4, NOW)
    await until(lambda: len(tower.prepared) == 1 + of_one_phase)
    tower.clock.advance(timedelta(hours=6))
    is_prepared.set()
    await until(lambda: "the clock jumped ahead" in caplog.text)
    await asyncio.sleep(0.05)
    assert (tower.closed, tower.sweeps) == ([], 0)


async def test_what_can_not_be_prepared_stops_no_closing(tower: Tower) -> None:
    tower.trouble = ValueError("A PAR - BUR")
    tower.start()
    tower.alarm.set(ONE, 4, NOW)
    await until(lambda: bool(tower.closed) and tower.sweeps == 1)


async def test_after_a_ring_there_may_be_mail(tower: Tower) -> None:
    tower.start()
    await until(lambda: tower.sweeps == 1 and tower.mails == 2)
    tower.alarm.set(ONE, 4, NOW)
    await until(lambda: tower.mails >= 3)


async def test_a_deadline_long_past_rings_at_once(tower: Tower) -> None:
    tower.start()
    tower.alarm.set(ONE, 4, NOW - timedelta(days=30))
    await until(lambda: tower.closed == [(ONE, 4)])


async def test_a_later_setting_replaces_the_former(tower: Tower) -> None:
    tower.start()
    tower.alarm.set(ONE, 4, NOW + timedelta(days=1))
    tower.alarm.set(TWO, 1, NOW + timedelta(days=1))
    tower.alarm.set(ONE, 5, NOW + SOON)
    await until(lambda: tower.closed == [(ONE, 5)])
    await asyncio.sleep(0.1)
    assert tower.closed == [(ONE, 5)]


async def test_a_cancelled_alarm_does_not_ring(tower: Tower) -> None:
    tower.start()
    tower.alarm.set(ONE, 4, NOW + SOON)
    tower.alarm.set(TWO, 1, NOW + SOON)
    tower.alarm.cancel(ONE)
    tower.alarm.cancel(GameId(99))
    await until(lambda: bool(tower.closed))
    await asyncio.sleep(0.1)
    assert tower.closed == [(TWO, 1)]


async def test_it_is_set_from_any_thread(tower: Tower) -> None:
    tower.start()
    await asyncio.to_thread(tower.alarm.set, ONE, 4, NOW + SOON)
    await asyncio.to_thread(tower.alarm.mail)
    await until(lambda: tower.closed == [(ONE, 4)])


async def test_many_that_are_due_at_once_leave_threads_for_players(tower: Tower) -> None:
    tower.start()
    for number in range(1, 13):
        tower.alarm.set(GameId(number), 1, NOW + SOON)
    await until(lambda: len(tower.closed) == 12)
    assert tower.most_at_once <= 2


@pytest.mark.parametrize("trouble", [StorageUnavailable("locked"), KeyError("A PAR - BUR")])
async def test_trouble_with_one_ring_is_logged_without_secrets_and_the_next_one_comes(
    tower: Tower, trouble: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    tower.trouble = trouble
    tower.start()
    tower.alarm.set(ONE, 4, NOW)
    await until(lambda: len(tower.closed) == 1 and tower.sweeps == 1)
    tower.alarm.set(TWO, 1, NOW)
    await until(lambda: len(tower.closed) == 2 and "game 2 phase 1" in caplog.text)
    assert "game 1 phase 4" in caplog.text
    assert "PAR" not in caplog.text


async def test_before_the_start_and_after_the_stop_it_is_silent(tower: Tower) -> None:
    tower.alarm.set(ONE, 1, NOW)
    tower.alarm.mail()
    tower.start()
    await until(lambda: tower.sweeps == 1)
    await tower.alarm.stop()
    mails = tower.mails
    tower.alarm.set(TWO, 1, NOW)
    tower.alarm.cancel(TWO)
    tower.alarm.mail()
    await asyncio.sleep(0.05)
    assert tower.closed == []
    assert tower.mails == mails


async def test_stopping_waits_for_the_phase_that_is_being_closed(tower: Tower) -> None:
    tower.start()
    tower.alarm.set(ONE, 4, NOW)
    await until(lambda: tower.closed == [(ONE, 4)])
    await tower.alarm.stop()
    assert tower.at_once == 0


async def test_stopping_twice_is_stopping(tower: Tower) -> None:
    tower.start()
    await tower.alarm.stop()
    await tower.alarm.stop()


def test_the_real_clock_knows_its_zone() -> None:
    assert SystemClock().now().tzinfo is UTC
