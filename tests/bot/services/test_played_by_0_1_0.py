"""Games that version 0.1.0 began go on to their end.

`played_by_0.1.0` has exports of that version, of a game in the middle of each system: with closed phases, orders and a
vote in the open one, and with options where there are any.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from bot.model import BallotKind, GameId, GameStatus
from bot.services import gm, orders, replay, transfer, votes
from bot.services.receipts import Receipt
from bot.services.sheets import SubmitMode
from bot.text.compose import compose
from bot.text.discord_limits import breaches
from bot.text.order_receipt import receipt_message
from engine.registry import systems
from tests.bot.services.world import CHANNEL, CREATOR, GUILD, World
from tests.play_random import random_texts

EXPORTS = sorted((Path(__file__).parent / "played_by_0.1.0").glob("*.json"))
MOST_PHASES = 8


def send_orders(world: World, game_id: GameId, chance: random.Random) -> list[Receipt]:
    """Legal orders of everybody, or whole sheets in which some lines are refused."""
    game = world.game(game_id)
    assert game.document is not None
    rules = systems[game.system]
    texts = random_texts(rules, rules.play.load(game.document), chance)
    return [
        orders.submit(world.context, game_id, seat.user_id, texts[seat.power], mode=SubmitMode.REPLACE)
        for seat in world.seats(game_id)
        if seat.user_id is not None and seat.power is not None and texts.get(seat.power)
    ]


def check_mail(world: World, game_id: GameId) -> None:
    """What is told can be put into words, and Discord would take it."""
    for outgoing in world.outbox(game_id):
        for message in compose(world.context, outgoing):
            assert breaches(message) == []
    world.forget_mail()


@pytest.mark.parametrize("path", EXPORTS, ids=lambda path: path.stem)
def test_a_game_that_0_1_0_began_goes_on_to_its_end(path: Path) -> None:
    export = json.loads(path.read_text(encoding="utf-8"))
    world, chance = World(systems), random.Random(path.stem)
    world.clock.moment = world.clock.moment.replace(year=2027)
    game_id = transfer.import_game(world.context, export, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR).id
    begun = world.game(game_id).phase_no
    stood = {power: tuple(sheet["orders"]) for power, sheet in export["sheets"].items()}
    assert {sheet.power: sheet.orders for sheet in world.storage.tables.sheets.values()} == stood
    gm.resume(world.context, game_id, CREATOR, is_manager=False)
    check_mail(world, game_id)
    world.pass_deadline(game_id)
    assert {power: sheet.orders for power, sheet in world.records(game_id)[begun - 1].sheets.items()} == stood

    for _ in range(MOST_PHASES):
        if world.game(game_id).status is GameStatus.OVER:
            break
        for receipt in send_orders(world, game_id, chance):
            receipt_message(receipt)
        check_mail(world, game_id)
        phase_no = world.game(game_id).phase_no
        world.pass_deadline(game_id)
        assert world.game(game_id).phase_no > phase_no
    for seat in world.seats(game_id):
        if world.game(game_id).status is not GameStatus.OVER and seat.user_id is not None:
            votes.vote(world.context, game_id, seat.user_id, BallotKind.DRAW, True, None)

    assert world.game(game_id).status is GameStatus.OVER
    check_mail(world, game_id)
    found = replay.verify(world.context, game_id)
    assert (found.drifted, found.altered) == ((), ())
    assert found.versions == ("0.1.0",)
    elsewhere = World(systems)
    again = transfer.export_game(world.context, game_id)
    transfer.import_game(elsewhere.context, again, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
