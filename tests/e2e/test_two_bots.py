"""Two bots with one database and one account, as while an old one is being replaced."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

# simcord connects one client at a time; a second one is connected in the same way, by its private means.
from simcord._dpy_internals import get_state, install_http, install_websocket, set_guild_ready_timeout
from simcord.backend import serializers
from simcord.gateway import ShardRouter
from simcord.http import FakeHTTPClient

from bot.app import Application
from bot.lease import Lease, Timing
from bot.services import turns
from tests.e2e.table import LiveGame, open_table

TIMING = Timing(renew_s=0.1, hold_s=0.4, take_s=0.8)
POWERS = ("austria", "england", "france", "germany", "italy", "russia", "turkey")


@asynccontextmanager
async def second_bot(table: LiveGame) -> AsyncIterator[Application]:
    """Another bot on the database of the first, to which Discord tells the same."""
    env = table.world.env
    bot = table.world._build(table.world.clock)
    assert isinstance(bot, Application)
    http = FakeHTTPClient(env.backend, asyncio.get_running_loop(), message_content_access=True)
    install_http(bot.client, http)
    set_guild_ready_timeout(bot.client, 0.0)
    state = get_state(bot.client)
    state.shard_count, state.shard_ids = 1, [0]
    router = ShardRouter(env.backend, state, bot.client.dispatch, 1, (0,))

    def feed(event: str, payload: Any) -> None:
        with env._bot_scope():
            router.feed(event, payload)

    env.backend.subscribers.append(feed)
    install_websocket(bot.client, router.websockets[0])
    with env._bot_scope():
        await bot.client.login("simcord.fake.token")
        router.identify(0)
        for guild in env.backend.guilds.values():
            router.feed("GUILD_CREATE", serializers.guild_create_payload(env.backend, guild))
    await bot.client.wait_until_ready()
    try:
        yield bot
    finally:
        env.backend.subscribers.remove(feed)
        await bot.close()


class Deliveries:
    """Has Discord know nonces, as it does and simcord does not, and the bot that sends a certain message die then."""

    def __init__(self, dies_at: int) -> None:
        self._dies_at = dies_at
        self._posted: dict[str, asyncio.Future[int]] = {}
        self._tries = 0
        self.dead: Application | None = None

    def watch(self, bot: Application) -> None:
        sender = bot._announcer._postman._sender
        sender.send = partial(self._send, bot, sender.send)  # type: ignore[method-assign]

    async def _send(self, bot: Application, send: Any, *args: Any, nonce: str) -> int:
        self._tries += 1
        if nonce not in self._posted:
            self._posted[nonce] = asyncio.ensure_future(send(*args, nonce=nonce))
        number = await asyncio.shield(self._posted[nonce])
        if self._tries >= self._dies_at and self.dead is None:
            self._kill(bot)
        if bot is self.dead:
            await asyncio.Event().wait()
        return number

    def _kill(self, bot: Application) -> None:
        """It has sent something, and does nothing any more: it notes that nowhere, and gives nothing back."""
        self.dead, announcer = bot, bot._announcer
        announcer._is_stopped = True
        announcer._lease.give_back = lambda: None  # type: ignore[method-assign]
        announcer._lease.take = lambda: False  # type: ignore[method-assign]
        assert announcer._round is not None
        announcer._round.cancel()


@pytest.mark.parametrize("dies_at", [1, 4, 9])
async def test_when_the_bot_that_is_sending_dies_the_other_sends_the_rest_and_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dies_at: int
) -> None:
    monkeypatch.setattr("bot.announcing.announcer.Lease", partial(Lease, timing=TIMING))
    async with open_table(tmp_path) as table, second_bot(table) as other:
        await table.quiet()
        bots, deliveries = (table.application, other), Deliveries(dies_at)
        for bot in bots:
            deliveries.watch(bot)
        table.world.clock.skip(86460)
        for bot in bots:
            await bot.note_presence()
        with table.world.env._bot_scope():
            await asyncio.gather(*(asyncio.to_thread(turns.sweep, bot.context) for bot in bots))

        def is_all_sent() -> bool:
            for bot in bots:
                bot._announcer.wake()
            with other.context.reading() as unit:
                return not unit.outbox.pending(table.world.clock.now())

        assert await table.world.until(is_all_sent, within_s=120)

        assert deliveries.dead is not None
        text = table.channel_text()
        assert (text.count("## Results: Spring 1901"), text.count("## Fall 1901")) == (1, 1)
        letters = [table.dm_text(power).count("**Fall 1901, movement**. You play") for power in POWERS]
        assert letters == [1] * len(POWERS)


async def test_two_bots_take_and_answer_each_direct_message_once(tmp_path: Path) -> None:
    async with open_table(tmp_path) as table, second_bot(table):
        said = await table.message("france", "A PAR - BUR")
        said += await table.message("france", "A PAR - PIC")
        assert said.count("Your orders") == 2
        assert await table.orders("france") == ("A PAR - PIC",)
