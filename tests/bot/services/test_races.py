"""Orders that arrive while the phase closes, on the real databases: what was accepted is carried out."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

from bot.model import ClosedBecause, GameId, UserId
from bot.services import turns
from bot.services.arrivals import Arrival
from bot.services.errors import Refused
from bot.services.sheets import SubmitMode
from bot.storage import Database
from engine.core.ids import PowerId
from tests.bot.services.world import ANN, BLUE, BOB, CY, GREEN, RED, World

ROUNDS = 8
POWERS = {ANN: RED, BOB: GREEN, CY: BLUE}
PEEKS = {ANN: "PEEK green", BOB: "PEEK blue", CY: "PEEK red"}


class Sender(threading.Thread):
    """A player who changes the orders until told that the phase is over."""

    def __init__(self, world: World, game_id: GameId, user_id: UserId, phase_no: int) -> None:
        super().__init__()
        self.world, self.game_id, self.user_id, self.phase_no = world, game_id, user_id, phase_no
        self.accepted: list[tuple[str, ...]] = []
        self.refusal = ""

    def run(self) -> None:
        texts = ("BID 0", PEEKS[self.user_id])
        while not self.refusal:
            text = texts[len(self.accepted) % 2]
            try:
                arrival = Arrival(phase_no=self.phase_no)
                receipt = self.world.submit(self.game_id, self.user_id, text, arrival=arrival, mode=SubmitMode.REPLACE)
                self.accepted.append(receipt.orders)
            except Refused as refused:
                self.refusal = refused.what.code


def test_no_order_is_accepted_for_a_phase_and_not_carried_out(any_url: str) -> None:
    database = Database(any_url)
    world = World()
    world.context = replace(world.context, unit_of_work=database.unit_of_work)
    game_id = world.start()
    for _ in range(ROUNDS):
        with database.unit_of_work() as unit:
            game = unit.games.find(game_id)
        assert game is not None
        senders = [Sender(world, game_id, user_id, game.phase_no) for user_id in POWERS]
        for sender in senders:
            sender.start()
        while not all(sender.accepted for sender in senders):
            time.sleep(0.001)
        assert turns.close_phase(world.context, game_id, game.phase_no, ClosedBecause.GAME_MASTER)
        for sender in senders:
            sender.join()
        with database.unit_of_work() as unit:
            record = unit.phases.find(game_id, game.phase_no)
        assert record is not None
        carried_out: dict[PowerId, tuple[str, ...]] = {power: sheet.orders for power, sheet in record.sheets.items()}
        assert carried_out == {POWERS[sender.user_id]: sender.accepted[-1] for sender in senders}
        assert {sender.refusal for sender in senders} == {"refused.phase_over"}
    database.close()
