"""Orders that stand until they are changed: shown, ended by an order or a press, and there after whatever happens."""

from __future__ import annotations

import json
from typing import cast

import pytest

from bot.model import GameId
from bot.services import lobby, orders, replay, rollback, transfer
from bot.services.errors import Refused
from bot.services.sheets import SubmitMode
from bot.text.compose import compose
from bot.text.custom_ids import Action
from bot.text.message import Message, Select
from bot.text.order_receipt import receipt_message
from engine.core.ids import SystemId
from engine.registry import AnySystem
from tests.bot.services.world import ANN, BOB, CREATOR, CY, DAN, RED, World
from tests.toy_fens import FEN

FENS = {SystemId("fens"): cast(AnySystem, FEN)}
PLAYERS = (ANN, BOB, CY)


@pytest.fixture(autouse=True)
def _words(fens_words: None) -> None:
    """The toy's."""


@pytest.fixture
def world() -> World:
    return World(FENS)


@pytest.fixture
def game_id(world: World) -> GameId:
    """Red guards fens 2 and 5 since the first plan, and it is the first war."""
    game_id = world.start(system="fens")
    receipt = world.submit(game_id, ANN, "GUARD 2\nGUARD 5\nDIG")
    assert receipt.lasting == {"GUARD 2", "GUARD 5"}
    assert receipt.from_before == ()
    world.ready(game_id, *PLAYERS)
    return game_id


def standing(world: World, game_id: GameId) -> list[str]:
    return [each.order for each in orders.show(world.context, game_id, ANN).from_before]


def to_plan(world: World, game_id: GameId) -> None:
    while world.game(game_id).phase_code[-1] != "P":
        world.ready(game_id, *PLAYERS)


def _end_menus(message: Message) -> list[Select]:
    """The menus that end standing orders; others give whole orders."""
    return [menu for menu in message.selects if f":{Action.LASTING}:" in menu.custom_id]


def test_it_is_shown_in_each_phase_as_standing(world: World, game_id: GameId) -> None:
    assert world.game(game_id).phase_code == "1W"
    receipt = orders.show(world.context, game_id, ANN)
    assert [(each.order, each.cancel, each.may_end) for each in receipt.from_before] == [
        ("GUARD 2", "LEAVE 2", False), ("GUARD 5", "LEAVE 5", False),
    ]  # fmt: skip
    (message,) = receipt_message(receipt)
    assert "`GUARD 2` stands until you change it" in message.embeds[-1].fields[-1].value
    assert _end_menus(message) == [], "what can't be ended in this phase is not offered"
    assert orders.show(world.context, game_id, BOB).from_before == ()


def test_an_order_ends_it(world: World, game_id: GameId) -> None:
    to_plan(world, game_id)
    receipt = world.submit(game_id, ANN, "LEAVE 2")
    assert [(each.order, each.is_ending) for each in receipt.from_before] == [("GUARD 2", True), ("GUARD 5", False)]
    world.ready(game_id, *PLAYERS)
    assert standing(world, game_id) == ["GUARD 5"]


def test_a_press_ends_it(world: World, game_id: GameId) -> None:
    to_plan(world, game_id)
    (message,) = receipt_message(orders.show(world.context, game_id, ANN))
    (menu,) = _end_menus(message)
    assert [(choice.value, choice.label) for choice in menu.choices] == [("0", "GUARD 2"), ("1", "GUARD 5")]
    assert "GUARD" not in menu.custom_id
    number = world.game(game_id).phase_no
    receipt = orders.end_standing(world.context, game_id, ANN, 1, phase_no=number)
    assert receipt.orders == ("LEAVE 5",)
    for place in (2, -1):
        with pytest.raises(Refused):
            orders.end_standing(world.context, game_id, ANN, place, phase_no=number)
    with pytest.raises(Refused):
        orders.end_standing(world.context, game_id, ANN, 0, phase_no=number - 1)
    with pytest.raises(Refused):
        orders.end_standing(world.context, game_id, DAN, 0, phase_no=number)


def test_it_survives_a_rollback(world: World, game_id: GameId) -> None:
    to_plan(world, game_id)
    world.submit(game_id, ANN, "LEAVE 2")
    world.ready(game_id, *PLAYERS)
    assert standing(world, game_id) == ["GUARD 5"]
    rollback.roll_back(world.context, game_id, CREATOR, phase="2P", is_manager=False, keep_orders=False)
    assert standing(world, game_id) == ["GUARD 2", "GUARD 5"]


def test_it_survives_export_and_import(world: World, game_id: GameId) -> None:
    exported = json.loads(json.dumps(transfer.export_game(world.context, game_id)))
    other = World(FENS)
    imported = transfer.import_game(other.context, exported, guild_id=1, channel_id=2, user_id=CREATOR)
    assert standing(other, imported.id) == ["GUARD 2", "GUARD 5"]


def test_whoever_takes_the_seat_over_is_told_of_it(world: World, game_id: GameId) -> None:
    to_plan(world, game_id)
    lobby.leave_game(world.context, game_id, ANN)
    world.forget_mail()
    lobby.join_game(world.context, game_id, DAN, power=RED)
    (outgoing,) = (each for each in world.outbox(game_id) if each.kind == "briefing" and each.target_id == DAN)
    told = [field.value for message in compose(world.context, outgoing) for e in message.embeds for field in e.fields]
    assert any("`GUARD 2` stands until you change it" in value for value in told)
    assert [each.order for each in orders.show(world.context, game_id, DAN).from_before] == ["GUARD 2", "GUARD 5"]


def test_a_replay_comes_out_the_same(world: World, game_id: GameId) -> None:
    to_plan(world, game_id)
    world.submit(game_id, ANN, "LEAVE 2", mode=SubmitMode.MERGE)
    world.ready(game_id, *PLAYERS)
    verified = replay.verify(world.context, game_id)
    assert (verified.drifted, verified.altered, verified.phases) == ((), (), 6)
