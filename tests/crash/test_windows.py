"""A game whose rounds alternate windows and phases at once: each passes once and is told once, wherever the bot dies.

The bot dies within the process here: at a statement, a commit or a post it raises what nobody catches, and another one
goes on with the same database.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Set
from datetime import datetime, timedelta
from pathlib import Path
from typing import cast

import pytest
from sqlalchemy import event

from bot.announcing.announcer import Announcer
from bot.lease import Lease, Timing
from bot.model import Delivery, GameId, GameStatus, Pace, Target, UserId
from bot.services import lobby, orders, replay, turns
from bot.services.arrivals import Arrival
from bot.services.context import Context
from bot.services.sheets import SubmitMode
from bot.storage import Database
from bot.text.compose import compose
from bot.text.message import Message
from engine.core.ids import SystemId
from engine.registry import AnySystem, Systems
from tests.conftest import MakeDatabase
from tests.fakes import FakeAlarm, FakeClock
from tests.toy_fens import FEN

NOON = datetime.fromisoformat("2026-11-22T12:00:00+00:00")
HOST, PLAYERS = UserId(9), (UserId(1), UserId(2), UserId(3))
GAME = GameId(1)
NEVER = 10**9
PACE = Pace("1d", {"plan": "3d", "war": "12h"})
LIVES = 6
"""Of those in which the bot dies, evenly spread over the steps of a round."""


class Death(BaseException):
    """The bot is killed."""


class Life:
    """A process of the bot; `posts` is what Discord has, by nonce."""

    def __init__(self, address: str, posts: dict[str, tuple[str, int, str]], *, moment: datetime, die_at: int = NEVER):
        self.steps, self._die_at, self._posts = 0, die_at, posts
        self.clock = FakeClock(moment)
        self.database = Database(address)
        event.listen(self.database.engine, "before_cursor_execute", lambda *_: self.step())
        event.listen(self.database.engine, "commit", lambda *_: self.step())
        unit_of_work = self.database.unit_of_work
        systems = Systems({SystemId("fens"): cast(AnySystem, FEN)})
        self.context = Context(unit_of_work, self.clock, FakeAlarm(), systems, lambda: "seed")
        lease = Lease(unit_of_work, "announcer", timing=Timing(renew_s=60, hold_s=600, take_s=0))
        self.announcer = Announcer(self.context, compose, self, tag="tag", lease=lease)

    def step(self) -> None:
        self.steps += 1
        if self.steps >= self._die_at:
            raise Death

    async def send(self, target: Target, target_id: int, message: Message, *, nonce: str) -> int:
        self.step()
        self._posts.setdefault(nonce, (str(target), target_id, repr(message)))
        self.step()
        return 1000 + list(self._posts).index(nonce)

    async def edit(self, target: Target, target_id: int, message_id: int, message: Message) -> bool:
        self.step()
        return True

    async def find(
        self, target: Target, target_id: int, message: Message, *, nonce: str, since: datetime, known: Set[int]
    ) -> int | None:
        return 1000 + list(self._posts).index(nonce) if nonce in self._posts else None

    def begin(self) -> None:
        """The game in its first window, and everybody told."""
        lobby.create_game(
            self.context,
            lobby.NewGame(system="fens", name="Fens", players=3, options={"rounds": "1"}, pace=PACE),
            guild_id=100,
            channel_id=200,
            user_id=HOST,
        )
        for user_id, power in zip(PLAYERS, ("red", "green", "blue"), strict=True):
            lobby.join_game(self.context, GAME, user_id, power=power)
        lobby.start_game(self.context, GAME, HOST, is_manager=False)
        text = 'DIG\nSCOUT 1\nGUARD 2\nLETTER green "peace?"'
        orders.submit(self.context, GAME, PLAYERS[0], text, mode=SubmitMode.REPLACE, arrival=Arrival(phase_no=1))
        self.tell()

    def tell(self) -> None:
        asyncio.run(self.announcer.drain())

    def round(self) -> None:
        """What was left to be told is told; both windows close at their deadlines, and everybody is told each time."""
        self.tell()
        while True:
            with self.context.reading() as unit:
                game = unit.games.find(GAME)
            assert game is not None
            if game.status is GameStatus.OVER or game.deadline_at is None:
                break
            self.clock.moment = max(self.clock.moment, game.deadline_at)
            turns.sweep(self.context)
            self.tell()

    def account(self) -> object:
        """What there is in the end."""
        verified = replay.verify(self.context, GAME)
        with self.context.reading() as unit:
            records, mail = unit.phases.of_game(GAME), unit.outbox.of_game(GAME)
        phases = [(record.phase_no, record.code, record.closed_because) for record in records]
        undelivered = [each.kind for each in mail if each.delivery is not Delivery.SENT]
        return phases, undelivered, sorted(self._posts.values()), (verified.drifted, verified.altered, verified.phases)


@pytest.fixture(autouse=True)
def _words(fens_words: None) -> None:
    """The toy's."""


def file_of(address: str) -> Path:
    return Path(address.removeprefix("sqlite:///"))


def test_windows_and_phases_at_once_alternate_each_once_wherever_the_bot_dies(make_sqlite: MakeDatabase) -> None:
    begun = make_sqlite()
    posts: dict[str, tuple[str, int, str]] = {}
    first = Life(begun, posts, moment=NOON)
    first.begin()
    first.database.close()

    def after(die_at: int) -> tuple[object, int]:
        address = make_sqlite()
        shutil.copy(file_of(begun), file_of(address))
        seen = dict(posts)
        life = Life(address, seen, moment=NOON, die_at=die_at)
        if die_at < NEVER:
            with pytest.raises(Death):
                life.round()
            life.database.close()
            life = Life(address, seen, moment=life.clock.moment)
        life.round()
        account = life.account(), life.steps
        life.database.close()
        return account

    undisturbed, steps = after(NEVER)
    phases = cast(tuple[object, ...], undisturbed)[0]
    assert phases == [(1, "1P", "deadline"), (2, "1S", "no_choice"), (3, "1W", "deadline"), (4, "1H", "no_choice")]
    assert cast(tuple[object, ...], undisturbed)[1] == []
    assert cast(tuple[object, ...], undisturbed)[3] == ((), (), 4)
    for number in range(LIVES):
        die_at = 1 + number * (steps - 40) // LIVES
        assert after(die_at)[0] == undisturbed, f"dead at step {die_at} of {steps}"


def test_each_window_has_its_own_length_and_closes_when_all_have_locked(make_sqlite: MakeDatabase) -> None:
    life = Life(make_sqlite(), {}, moment=NOON)
    life.begin()

    def length() -> timedelta:
        with life.context.reading() as unit:
            game = unit.games.find(GAME)
        assert game is not None
        assert game.deadline_at is not None
        return game.deadline_at - life.clock.moment

    assert length() == timedelta(days=3)
    closed = [orders.set_ready(life.context, GAME, user_id, True).closed for user_id in PLAYERS]
    assert closed == [False, False, True]
    assert length() == timedelta(hours=12), "what passes at once takes no time"
    life.database.close()
