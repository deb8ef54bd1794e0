"""A world for tests of the services: fake ports, a set clock, the toy game, and people with ids from 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, ParamSpec, TypeVar, cast

from bot.model import Game, GameId, GameStatus, Outgoing, Pace, PhaseRecord, Seat, StoredSheet, UserId
from bot.services import gm, lobby, orders, replay, turns
from bot.services.context import Context
from bot.services.inline_workers import InlineWorkers
from bot.services.receipts import Receipt
from bot.services.sheets import SubmitMode
from bot.text.games import verification_message
from engine.core.dice import seal
from engine.core.ids import PowerId, SystemId
from engine.registry import AnySystem, Systems
from tests.fakes import FakeAlarm, FakeClock, FakeStorage
from tests.toy_system import TOY

P = ParamSpec("P")
T = TypeVar("T")

GUILD, CHANNEL = 100, 200
CREATOR, ANN, BOB, CY, DAN = (UserId(number) for number in (9, 1, 2, 3, 4))
RED, GREEN, BLUE = PowerId("red"), PowerId("green"), PowerId("blue")
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


class Outside(InlineWorkers):
    """Works like any other, but never while a transaction is open."""

    def __init__(self, storage: FakeStorage) -> None:
        self._storage = storage

    def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        assert not self._storage.is_open_here, "what takes long is done before the transaction"
        return work(*args, **kwargs)

    run_here = run


class World:
    """Everything a service needs, and short ways to what tests look at."""

    def __init__(self, systems: Mapping[SystemId, AnySystem] | None = None) -> None:
        if not isinstance(systems, Systems):
            systems = Systems(systems or {SystemId("toy"): cast(AnySystem, TOY)})
        self.storage = FakeStorage()
        self.clock = FakeClock(NOON)
        self.alarm = FakeAlarm()
        numbers = count(1)
        self.context = Context(
            unit_of_work=self.storage.unit_of_work,
            clock=self.clock,
            alarm=self.alarm,
            systems=systems,
            seeds=lambda: f"seed {next(numbers)}",
            workers=Outside(self.storage),
        )

    def create(self, **changes: Any) -> GameId:
        """A lobby of three, phases of a day."""
        where: dict[str, Any] = {"guild_id": GUILD, "channel_id": CHANNEL, "user_id": CREATOR}
        where |= {name: changes.pop(name) for name in (*where, "is_manager") if name in changes}
        what: dict[str, Any] = {"system": "toy", "name": "Vault one", "players": 3, "pace": Pace("1d")}
        return lobby.create_game(self.context, lobby.NewGame(**what | changes), **where).id

    def start(self, *, wishes: Mapping[UserId, str] | None = None, **changes: Any) -> GameId:
        """A running game: Ann plays red, Bob green, Cy blue."""
        game_id = self.create(**changes)
        for user_id, power in (wishes or {ANN: "red", BOB: "green", CY: "blue"}).items():
            lobby.join_game(self.context, game_id, user_id, power=power)
        lobby.start_game(self.context, game_id, CREATOR, is_manager=False)
        # The call for players is long posted.
        outbox = self.storage.tables.outbox
        for number in [message.id for message in outbox.values() if not message.phase_no]:
            del outbox[number]
        return game_id

    def submit(self, game_id: GameId, user_id: UserId, text: str, **changes: Any) -> Receipt:
        """Send orders that are put in with the standing ones."""
        arguments: dict[str, Any] = {"mode": SubmitMode.MERGE} | changes
        return orders.submit(self.context, game_id, user_id, text, **arguments)

    def ready(self, game_id: GameId, *user_ids: UserId) -> list[bool]:
        """These say that they are ready; tells whose word closed the phase."""
        return [orders.set_ready(self.context, game_id, user_id, True).closed for user_id in user_ids]

    def pass_deadline(self, game_id: GameId, late: timedelta = timedelta()) -> None:
        """Let the time of the present phase run out, and the sweep come by."""
        deadline = self.game(game_id).deadline_at
        assert deadline is not None
        self.clock.moment = deadline + late
        turns.sweep(self.context)

    def pass_in_silence(self, game_id: GameId, times: int) -> None:
        """Let the time of phases run out without orders; a game that pauses for that is resumed by its game master."""
        for _ in range(times):
            if self.game(game_id).status is GameStatus.PAUSED:
                gm.resume(self.context, game_id, CREATOR, is_manager=False)
            self.pass_deadline(game_id)

    def set_state(self, game_id: GameId, **state: Any) -> None:
        """Write into the stored document, as no service does."""
        game = self.game(game_id)
        assert game.document is not None
        phase = {**game.document["phase"], **state.pop("phase", {})}
        document = {**game.document, "phase": phase, "state": {**game.document["state"], **state}}
        self.storage.tables.games[game_id] = replace(game, document=document)

    def secret_seal(self, game_id: GameId) -> str | None:
        """The fingerprint of the secret from which a game's seed is made; games of 0.1.0 have none at first."""
        secret = self.game(game_id).own_seed
        return None if secret is None else seal(secret)

    def seed(self, game_id: GameId) -> str:
        """The game's present seed."""
        return str((self.game(game_id).document or {})["seed"])

    def verified(self, game_id: GameId) -> str:
        """What a verification says."""
        return "\n".join(message.content for message in verification_message(replay.verify(self.context, game_id)))

    def game(self, game_id: GameId) -> Game:
        return self.storage.tables.games[game_id]

    def seat(self, game_id: GameId, power: PowerId) -> Seat:
        return next(seat for seat in self.seats(game_id) if seat.power == power)

    def seats(self, game_id: GameId) -> list[Seat]:
        return [seat for key, seat in sorted(self.storage.tables.seats.items()) if key[0] == game_id]

    def sheet(self, game_id: GameId, power: PowerId) -> StoredSheet | None:
        return self.storage.tables.sheets.get((game_id, self.game(game_id).phase_no, power))

    def records(self, game_id: GameId) -> list[PhaseRecord]:
        return [record for key, record in sorted(self.storage.tables.phases.items()) if key[0] == game_id]

    def outbox(self, game_id: GameId) -> list[Outgoing]:
        """What was queued to be posted; changes of posts are `edits`."""
        return [m for m in self.storage.tables.outbox.values() if m.game_id == game_id and not m.is_edit]

    def edits(self, game_id: GameId) -> list[Outgoing]:
        return [m for m in self.storage.tables.outbox.values() if m.game_id == game_id and m.is_edit]

    def kinds(self, game_id: GameId) -> list[str]:
        """The kinds of all queued messages, in order; of notices their codes."""
        return [
            message.payload["code"] if message.kind == "notice" else message.kind for message in self.outbox(game_id)
        ]

    def forget_mail(self) -> None:
        """Empty the outbox."""
        self.storage.tables.outbox.clear()
