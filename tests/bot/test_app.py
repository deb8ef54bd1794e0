"""The wired application on a real database: what it does by itself once Discord has let it in."""

from __future__ import annotations

import asyncio
import gc
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import event

from bot import app
from bot.app import Application, build_application
from bot.model import ClosedBecause, Delivery, GameId, Pace, Picture, Target, UserId
from bot.ports import Renderer
from bot.services import lobby, turns
from bot.services.context import Context
from bot.settings import Settings
from bot.text.message import Message
from engine.core.ids import SystemId
from engine.registry import AnySystem
from tests.bot.test_ports import NOW
from tests.fakes import FakeClock, FakeRenderer

DAY = timedelta(days=1)
HOST = UserId(99)


class Discord:
    """Takes the place of the sender: remembers what arrived where."""

    def __init__(self) -> None:
        self.arrived: list[tuple[Target, int, Message]] = []

    async def send(self, target: Target, target_id: int, message: Message, *, nonce: str) -> int:
        self.arrived.append((target, target_id, message))
        return len(self.arrived)

    async def edit(self, target: Target, target_id: int, message_id: int, message: Message) -> bool:
        return True

    async def find(self, *_: object, **__: object) -> int | None:
        return None

    @property
    def readers(self) -> set[int]:
        """Who got a direct message."""
        return {target_id for target, target_id, _ in self.arrived if target is Target.USER}

    @property
    def posts(self) -> list[str]:
        """What the game's channel got."""
        return [message.content for target, _, message in self.arrived if target is Target.CHANNEL]


@pytest.fixture
def discord(monkeypatch: pytest.MonkeyPatch) -> Discord:
    discord = Discord()
    monkeypatch.setattr(app, "DiscordSender", lambda *_: discord)
    return discord


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW)


Build = Callable[[], Application]


@pytest.fixture
def build(sqlite_url: str, clock: FakeClock) -> Build:
    """Makes the application, each time as after a restart."""
    settings: Any = {"database_url": sqlite_url}
    return lambda: build_application(Settings(**settings), clock=clock, renderer=FakeRenderer(), seeds=lambda: "seed")


def begin_game(context: Context) -> GameId:
    """Seven players in the first phase of a game."""
    pace = Pace("1d")
    game_id = lobby.create_game(
        context,
        lobby.NewGame(system="diplomacy", name="Game", players=7, pace=pace),
        guild_id=1,
        channel_id=2,
        user_id=HOST,
    ).id
    for number in range(1, 8):
        lobby.join_game(context, game_id, UserId(number), power=None)
    lobby.start_game(context, game_id, HOST, is_manager=False)
    return game_id


def call_players(context: Context, system: str) -> None:
    """A game that waits for players."""
    lobby.create_game(
        context, lobby.NewGame(system=system, name=system, pace=Pace("1d")), guild_id=1, channel_id=2, user_id=HOST
    )


def phase_of(application: Application, game_id: GameId) -> int:
    with application.context.unit_of_work() as unit:
        game = unit.games.find(game_id)
    assert game is not None
    return game.phase_no


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not condition():  # noqa: ASYNC110 - the work is in threads
            await asyncio.sleep(0.02)


async def test_the_log_says_when_the_bot_is_ready(
    build: Build, discord: Discord, caplog: pytest.LogCaptureFixture
) -> None:
    first = build()
    await asyncio.to_thread(begin_game, first.context)
    await first.close()
    application = build()
    with caplog.at_level(logging.INFO):
        await application.start()
    await application.close()
    assert "ready; running games: 1" in caplog.text


async def test_what_is_queued_is_sent_by_itself(build: Build, discord: Discord) -> None:
    application = build()
    await application.start()
    await asyncio.to_thread(begin_game, application.context)
    await until(lambda: discord.readers == set(range(1, 8)) and any("**The goal:**" in post for post in discord.posts))
    posts = list(discord.posts)
    assert len(set(posts)) == len(posts)
    await application.sweep()
    assert discord.posts == posts
    await application.close()


async def test_a_phase_that_fell_due_while_the_bot_was_away_is_closed_at_the_start_and_called_late(
    build: Build, clock: FakeClock, discord: Discord
) -> None:
    first = build()
    game_id = begin_game(first.context)
    await first.sweep()
    await first.close()
    discord.arrived.clear()
    clock.advance(DAY + timedelta(hours=3))
    second = build()
    await second.start()
    await until(lambda: len(discord.arrived) >= 9)
    assert phase_of(second, game_id) == 2
    assert "late" in discord.posts[0]
    await second.close()


async def test_a_phase_that_is_due_waits_for_a_sheet_that_is_being_read(
    build: Build, clock: FakeClock, discord: Discord
) -> None:
    application = build()
    game_id = begin_game(application.context)
    clock.advance(DAY)
    async with application.client.arrivals.turn_of(UserId(1)):
        await application.start()
        await asyncio.sleep(0.3)
        assert phase_of(application, game_id) == 1
    await until(lambda: phase_of(application, game_id) == 2)
    await application.close()


async def test_a_phase_that_is_due_waits_for_a_message_that_waits_for_an_earlier_one_to_be_answered(
    build: Build, clock: FakeClock, discord: Discord
) -> None:
    application = build()
    game_id = begin_game(application.context)
    clock.advance(DAY)
    inbox, is_answered = application.client.inbox, asyncio.Event()

    async def answer(*_: object) -> None:
        await is_answered.wait()

    inbox.serve(answer)
    message: Any = SimpleNamespace(id=1, author=SimpleNamespace(id=1))
    receiving = asyncio.create_task(inbox.receive(message))
    await asyncio.sleep(0.1)
    await application.start()
    await asyncio.sleep(0.3)
    assert phase_of(application, game_id) == 1
    is_answered.set()
    await until(lambda: phase_of(application, game_id) == 2)
    await receiving
    await application.close()


async def test_a_deadline_rings_without_waiting_for_the_sweep(
    build: Build, clock: FakeClock, discord: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "sweep", lambda _: None)
    application = build()
    game_id = begin_game(application.context)
    begin, began_s = NOW + DAY - timedelta(seconds=0.3), time.monotonic()
    monkeypatch.setattr(clock, "now", lambda: begin + timedelta(seconds=time.monotonic() - began_s))
    await application.start()
    await until(lambda: phase_of(application, game_id) == 2)
    await until(lambda: len(discord.posts) >= 2)
    await application.close()


async def test_a_sweep_does_all_that_is_due_and_returns_when_all_is_told(
    build: Build, clock: FakeClock, discord: Discord
) -> None:
    application = build()
    game_id = begin_game(application.context)
    clock.advance(DAY)
    await application.sweep()
    with application.context.unit_of_work() as unit:
        messages = unit.outbox.of_game(game_id)
    assert {message.delivery for message in messages} == {Delivery.SENT}
    assert phase_of(application, game_id) == 2
    await application.close()


async def test_no_sql_is_run_on_the_event_loop(build: Build, clock: FakeClock, discord: Discord) -> None:
    application = build()
    threads: set[int] = set()
    event.listen(application.database.engine, "before_cursor_execute", lambda *_: threads.add(threading.get_ident()))
    await application.start()
    await asyncio.to_thread(begin_game, application.context)
    clock.advance(DAY)
    await application.sweep()
    await application.close()
    assert threads
    assert threading.get_ident() not in threads


async def test_closing_leaves_nothing_running(build: Build, discord: Discord) -> None:
    application = build()
    await application.start()
    await asyncio.to_thread(begin_game, application.context)
    await application.close()
    await application.close()
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []


async def test_two_bots_on_one_database_close_a_phase_once(build: Build, clock: FakeClock, discord: Discord) -> None:
    first, second = build(), build()
    game_id = begin_game(first.context)
    clock.advance(DAY)
    told = await asyncio.gather(
        *(
            asyncio.to_thread(turns.close_phase, application.context, game_id, 1, ClosedBecause.DEADLINE)
            for application in (first, second)
        )
    )
    assert sorted(told) == [False, True]
    await first.close()
    await second.close()


async def test_a_seed_is_drawn_for_each_game(sqlite_url: str, discord: Discord) -> None:
    settings: Any = {"database_url": sqlite_url}
    application = build_application(Settings(**settings), renderer=FakeRenderer())
    seeds = {application.context.seeds() for _ in range(5)}
    assert len(seeds) == 5
    assert min(map(len, seeds)) >= 32
    await application.close()


async def test_warmed_up_it_has_loaded_what_is_played_and_keeps_that_out_of_the_collectors_way(
    build: Build, discord: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = build()
    begin_game(first.context)
    call_players(first.context, "kregen")
    await first.close()
    application = build()
    loaded: list[SystemId] = []
    load = app._load

    def noted(system: AnySystem, renderer: Renderer) -> None:
        loaded.append(system.info.id)
        load(system, renderer)

    monkeypatch.setattr(app, "_load", noted)
    try:
        application.warm_up()
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.unfreeze()
    assert set(loaded) == {"diplomacy", "kregen"}
    await application.close()


async def test_without_workers_it_draws_the_maps_of_what_is_played(sqlite_url: str, discord: Discord) -> None:
    settings: Any = {"database_url": sqlite_url, "workers": 0}
    renderer = FakeRenderer()
    application = build_application(Settings(**settings), renderer=renderer)
    call_players(application.context, "kregen")
    try:
        application.warm_up()
    finally:
        gc.unfreeze()
    assert {scene.system for scene in renderer.drawn} == {"kregen"}
    await application.close()


_PROGRAM = """
import sys
from pydantic import SecretStr
from bot.app import build_application
from bot.settings import Settings
application = build_application(Settings(database_url=SecretStr(sys.argv[1])))
application.warm_up()
import asyncio
async def commands():
    await application.client.load_extension("cogs.doors")
    await application.client.load_extension("cogs.lobby")
    await application.client.load_extension("cogs.help")
    print(*(command.name for command in application.client.tree.get_commands()))
asyncio.run(commands())
print(*(name for name in sys.modules if name.startswith("engine.") and name.endswith(".system")))
"""


def test_the_rules_of_games_that_nobody_plays_are_not_loaded(build: Build, sqlite_url: str, discord: Discord) -> None:
    """Not even for their commands; in a process of its own, since this one has loaded them."""
    call_players(build().context, "kregen")
    done = subprocess.run([sys.executable, "-c", _PROGRAM, sqlite_url], capture_output=True, text=True, check=True)
    commands, loaded = done.stdout.splitlines()
    assert {"duel", "spells", "letter"} <= set(commands.split())
    assert loaded.split() == ["engine.core.system", "engine.kregen.system"]


async def test_a_system_that_can_not_be_loaded_does_not_stop_the_bot(
    sqlite_url: str, discord: Discord, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> Picture:
        raise FileNotFoundError

    settings: Any = {"database_url": sqlite_url, "workers": 0}
    renderer = FakeRenderer()
    renderer.draw = fail  # type: ignore[method-assign]
    application = build_application(Settings(**settings), renderer=renderer)
    call_players(application.context, "diplomacy")
    try:
        application.warm_up()
    finally:
        gc.unfreeze()
    assert "diplomacy could not be loaded: FileNotFoundError" in caplog.text
    await application.close()
