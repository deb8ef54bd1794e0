"""Puts the parts together: storage, clock, alarm, pictures, texts, and the client. Nothing else knows them all."""

from __future__ import annotations

import asyncio
import gc
import logging
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from bot.announcing.announcer import Announcer
from bot.client import SealedOrdersClient
from bot.discord_sender import DiscordSender
from bot.faults import describe_fault
from bot.model import ClosedBecause
from bot.one_by_one import LONGEST_WAIT_S
from bot.ports import Clock, Renderer
from bot.render import MapRenderer
from bot.schedule import Bells, SchedulerAlarm, SystemClock
from bot.services import turns
from bot.services.context import Context
from bot.services.inline_workers import InlineWorkers
from bot.settings import Settings
from bot.storage import Database, Patience
from bot.text.catalogue import words_for
from bot.text.compose import compose
from bot.workers import WorkerProcesses, WorkerRenderer
from engine.core.reading import read_orders
from engine.core.viewer import EVERYBODY, Playing
from engine.registry import AnySystem, systems

THREADS = 64

logger = logging.getLogger(__name__)


class Application:
    """The bot, wired. `client` is not connected yet; when it is, it calls `start`."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        seeds: Callable[[], str],
        processes: WorkerProcesses | None,
        renderer: Renderer | None,
        games_per_person: int = 0,
    ) -> None:
        self.database = database
        self._processes = processes
        self._renderer = renderer or (MapRenderer() if processes is None else WorkerRenderer(processes.run))
        self._alarm = SchedulerAlarm(clock)
        self.context = Context(
            unit_of_work=database.unit_of_work,
            clock=clock,
            alarm=self._alarm,
            systems=systems,
            seeds=seeds,
            workers=processes or InlineWorkers(),
            games_per_person=games_per_person,
        )
        # Pictures that somebody has asked for come before those that are posted.
        asked_for = (
            self._renderer if renderer or processes is None else WorkerRenderer(processes.run_first, processes.run)
        )
        self.client = SealedOrdersClient(self.context, asked_for, self.start)
        sender = DiscordSender(self.client, self._renderer)
        self._announcer = Announcer(self.context, compose, sender, tag=database.tag())

    async def start(self) -> None:
        """Start the alarm and the sending. The client calls it when Discord has accepted the token."""
        # Most threads wait: for a worker, or for the database. There is always a free one for a quick question.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS))
        # Before the first event comes, so that nothing newer is handled first.
        await self.client.inbox.read_first()
        self._alarm.start(
            Bells(
                close=partial(turns.close_phase, self.context, because=ClosedBecause.DEADLINE),
                sweep=partial(turns.sweep, self.context),
                mail=self._announcer.wake,
                prepare=self.client.inbox.read_first,
                settle=partial(self.client.arrivals.wait, LONGEST_WAIT_S),
            )
        )
        await asyncio.to_thread(self._set_alarms)

    def warm_up(self) -> None:
        """Load the rules and phrases of the games that are played, for which the first players would otherwise wait;
        also their maps, if no workers draw them. Other games are loaded when somebody asks for them.

        What is loaded by then is left out of garbage collection: collecting all of it would block the event
        loop for a tenth of a second. The rest is collected less often than usual, which takes half of the time.
        """
        systems = self.context.systems
        with self.context.reading() as unit:
            played = [system_id for system_id in unit.games.systems() if system_id in systems]
        for system_id in played:
            try:
                _load(systems[system_id], self._renderer if self._processes is None else None)
            except Exception as error:
                logger.error("%s could not be loaded: %s", system_id, describe_fault(error))
        gc.collect()
        gc.freeze()
        gc.set_threshold(10_000, 10, 10)

    async def sweep(self) -> None:
        """Do everything that is due now, and send everything that is waiting: what the alarm does every minute."""
        await self.client.inbox.read_first()
        await asyncio.to_thread(turns.sweep, self.context)
        await self._announcer.drain()

    async def note_presence(self) -> None:
        """Record that it was there until now: where the clock is made to jump nobody is away, and it is right."""
        self._alarm.trust_clock()
        await self.client.inbox.note_presence()

    async def close(self) -> None:
        """Stop everything, letting what is under way come to an end. Nothing is left running."""
        await self._alarm.stop()
        await self.client.inbox.stop()
        await self._announcer.stop()
        await self.client.close()
        if self._processes is not None:
            await asyncio.to_thread(self._processes.close)
        await asyncio.to_thread(self.database.close)

    def _set_alarms(self) -> None:
        with self.context.reading() as unit:
            deadlines = unit.games.deadlines()
        logger.info("ready; running games: %d", len(deadlines))
        for game_id, phase_no, deadline in deadlines:
            self._alarm.set(game_id, phase_no, deadline)


def _load(system: AnySystem, renderer: Renderer | None) -> None:
    """Load everything that a game of this system reads once and keeps; the maps, if they are drawn here."""
    info = system.info
    for variant in info.variants:
        state = system.play.start(variant=variant, players=info.seats_in(variant)[0], options={}, seed="")
        words_for(info.id, variant)
        for power in system.play.status(state).to_act[:1]:
            view = system.sight.view(state, Playing(power))
            read_orders(system, view, "\n".join(system.orders.suggest(view, "")[:1]))
        if renderer is not None:
            renderer.draw(system.telling.scene(system.sight.view(state, EVERYBODY)))


def build_application(
    settings: Settings,
    *,
    clock: Clock | None = None,
    renderer: Renderer | None = None,
    seeds: Callable[[], str] | None = None,
    patience: Patience | None = None,
) -> Application:
    """The bot for these settings, its database migrated; what isn't given is the real thing.

    Args:
        patience: how long to wait for a database that can't be reached, if longer than usual.

    Raises:
        BadDatabaseAddress, DatabaseTooNew: DATABASE_URL, or the database there, can't be used.
        StorageUnavailable: the database can't be reached.
    """
    database = Database(settings.database_url.get_secret_value())
    database.migrate(patience=patience)
    processes = WorkerProcesses(settings.workers) if settings.workers else None
    return Application(
        database, clock or SystemClock(), seeds or new_seed, processes, renderer, settings.games_per_person
    )


def new_seed() -> str:
    """A seed that nobody can guess."""
    return secrets.token_hex(16)
