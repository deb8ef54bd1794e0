"""simcord in real time. Its tests stop the world after every action until the bot has nothing left to do; a player
wants the bot's clock, alarms and outbox to run as they would on a server.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import discord
import simcord

# simcord's own names for these are private; the narrow range in pyproject.toml and tests/bot/play guard them.
from simcord._clock import Clock as SimcordClock
from simcord._settlement import _active_callbacks as active_callbacks
from simcord._settlement import _callback_is_parked as callback_is_parked
from simcord._settlement import _is_parked as is_parked
from simcord._settlement import _owned_tasks as owned_tasks
from simcord._settlement import _run_due_virtual_callbacks as run_due_callbacks

READY_WITHIN_S = 60.0
SOON_S = 0.1
"""A task that waits for a timer due within this time is at work; one that waits for a later timer is at rest."""

T = TypeVar("T")


class LiveClock(SimcordClock):
    """The wall clock, plus whatever was skipped. The simulated Discord and the bot read the same one."""

    def __init__(self) -> None:
        self._began = time.time()
        self._skipped_s = 0.0

    @property
    def elapsed(self) -> float:  # type: ignore[override]  # simcord adds to it; here nobody has to
        """Seconds since the world began."""
        return time.time() - self._began + self._skipped_s

    def now(self) -> datetime:
        """Aware UTC."""
        return datetime.fromtimestamp(self._began, UTC) + timedelta(seconds=self.elapsed)

    def advance(self, seconds: float) -> None:
        """Does nothing: time passes by itself."""

    def skip(self, seconds: float) -> None:
        """Jump into the future."""
        self._skipped_s += seconds


class LiveEnv(simcord.Env):
    """A simulated Discord whose actions return once the bot has received them; its answer comes later."""

    def __init__(self, client: discord.Client, *, clock: LiveClock, bot_name: str) -> None:
        super().__init__(client, check_errors=False, settle_timeout=READY_WITHIN_S)
        self.backend.clock = clock
        self.backend.bot_user.name = bot_name
        self._register_dispatch_observer(self._wait_for_answer)

    async def _settle_internal(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is simcord's
        idle: float = 0.05,
        dispatch: str | None = None,
        _deadline: float | None = None,
    ) -> None:
        """Fire due timers, let tasks take a step, and wait only for the bot to log in."""
        assert self._loop is not None
        run_due_callbacks(self._settlement_state(), self._loop.time() + idle)
        await asyncio.sleep(0)
        deadline = self._loop.time() + READY_WITHIN_S
        while self._started and not self.bot.is_ready() and not self.bot.is_closed():
            if self._loop.time() > deadline:
                raise TimeoutError("the bot did not become ready")
            await asyncio.sleep(0.01)

    @property
    def change(self) -> int:
        """Grows with everything that could change what people see: each request of the bot, each action of a person."""
        return len(self.backend.transcript)

    @property
    def is_busy(self) -> bool:
        """Whether the bot is at work. Everything that it does by itself is a thread, a task or a callback that simcord
        knows from its start, so a bot at rest stays at rest until somebody acts or a timer fires.
        """
        assert self._loop is not None
        state, soon = self._settlement_state(), self._loop.time() + SOON_S
        return (
            bool(self._work.executors)
            or not all(is_parked(state, task, soon) for task in owned_tasks(state))
            or not all(callback_is_parked(state, record, soon) for record in active_callbacks(state))
        )

    async def as_bot(self, work: Coroutine[Any, Any, T]) -> T:
        """Have the bot do something, so that what follows from it is known to be the bot's work."""
        with self._bot_scope():
            task = asyncio.create_task(work)
        return await task

    @staticmethod
    def _wait_for_answer(interaction: Any) -> None:
        """On a slow machine the bot's answer comes late; Discord's three seconds would make it fail there."""
        interaction.initial_response_deadline = None
