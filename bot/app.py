"""Puts the parts together: storage, clock, alarm, pictures, words, and the client. Nothing else knows them all."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from functools import partial

from bot.announce import Announcer
from bot.client import SealedOrdersClient
from bot.discord_sender import DiscordSender
from bot.ports import Clock, Renderer
from bot.render import MapRenderer
from bot.schedule import Bells, SchedulerAlarm, SystemClock
from bot.services import turns
from bot.services.context import Context
from bot.settings import Settings
from bot.storage import Database
from bot.text.compose import compose
from engine.registry import systems


class Application:
    """The bot, wired. `client` is not connected yet; when it is, it calls `start`."""

    def __init__(self, database: Database, clock: Clock, renderer: Renderer, seeds: Callable[[], str]) -> None:
        self.database = database
        self._alarm = SchedulerAlarm(clock)
        self.context = Context(
            unit_of_work=database.unit_of_work,
            clock=clock,
            alarm=self._alarm,
            systems=systems,
            seeds=seeds,
        )
        self.client = SealedOrdersClient(self.context, renderer, self.start)
        sender = DiscordSender(self.client, renderer)
        self._announcer = Announcer(self.context, compose, sender, tag=database.tag())

    async def start(self) -> None:
        """Ring and send from now on. The client calls it when Discord has accepted the token."""
        self._alarm.start(
            Bells(
                close=lambda game_id, phase_no: turns.close_phase(self.context, game_id, phase_no, turns.DEADLINE),
                sweep=partial(turns.sweep, self.context),
                mail=self._announcer.wake,
            )
        )
        await asyncio.to_thread(self._set_alarms)

    async def sweep(self) -> None:
        """Do all that is due now, and send all that there is to say: what the alarm does every minute."""
        await asyncio.to_thread(turns.sweep, self.context)
        await self._announcer.drain()

    async def close(self) -> None:
        """Stop everything, letting what is under way come to an end. Nothing is left running."""
        await self._alarm.stop()
        await self._announcer.stop()
        await self.client.close()
        await asyncio.to_thread(self.database.close)

    def _set_alarms(self) -> None:
        with self.context.unit_of_work() as unit:
            deadlines = unit.games.deadlines()
        for game_id, phase_no, deadline in deadlines:
            self._alarm.set(game_id, phase_no, deadline)


def build_application(
    settings: Settings,
    *,
    clock: Clock | None = None,
    renderer: Renderer | None = None,
    seeds: Callable[[], str] | None = None,
) -> Application:
    """The bot for these settings, its database migrated; what isn't given is the real thing.

    Raises:
        BadDatabaseAddress, DatabaseTooNew: DATABASE_URL, or the database there, can't be used.
        StorageUnavailable: the database can't be reached.
    """
    database = Database(settings.database_url.get_secret_value())
    database.migrate()
    return Application(
        database, clock or SystemClock(), renderer or MapRenderer(), seeds or partial(secrets.token_hex, 16)
    )
