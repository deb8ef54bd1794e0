"""The button that takes the orders which a system offers, and what it answers where a system offers none."""

from __future__ import annotations

import pytest

from bot.model import GameId, UserId
from bot.services import orders
from bot.services.sheets import SubmitMode
from bot.text.order_receipt import receipt_message
from engine.core.ids import SystemId
from engine.registry import systems
from tests.bot.services.world import World
from tests.cogs.conftest import Interact
from tests.cogs.stubs import StubClient, StubInteraction
from tests.cogs.test_presses import press

POWERS = ("lion", "eagle", "boar", "stag")
PLAYERS = [UserId(number) for number, _ in enumerate(POWERS, start=1)]


@pytest.fixture
def feudal_world() -> World:
    return World({SystemId("feudal"): systems[SystemId("feudal")]})


@pytest.fixture
def winter(feudal_world: World) -> GameId:
    """A game of four whose first year is over, so that everybody builds anew."""
    game_id = feudal_world.start(
        wishes=dict(zip(PLAYERS, POWERS, strict=True)), system="feudal", name="Long winter", players=len(POWERS)
    )
    while not offers_default(feudal_world, game_id):
        feudal_world.ready(game_id, *PLAYERS)
    return game_id


def offers_default(world: World, game_id: GameId) -> bool:
    return orders.show(world.context, game_id, PLAYERS[0]).has_default


def labels(world: World, game_id: GameId) -> list[str]:
    message = receipt_message(orders.show(world.context, game_id, PLAYERS[0]))[-1]
    return [button.custom_id.split(":")[1] for button in message.buttons]


async def test_one_press_takes_the_default(feudal_world: World, winter: GameId) -> None:
    assert "default" in labels(feudal_world, winter)
    phase_no = orders.show(feudal_world.context, winter, PLAYERS[0]).phase_no

    done = await press(
        StubInteraction(StubClient(feudal_world.context), PLAYERS[0]), f"so:default:game{winter}:{phase_no}"
    )

    receipt = orders.show(feudal_world.context, winter, PLAYERS[0])
    assert receipt.orders
    assert all(order in done.text for order in receipt.orders)
    assert receipt.missing == ()
    assert "default" not in labels(feudal_world, winter)


async def test_the_default_can_be_changed_afterwards(feudal_world: World, winter: GameId) -> None:
    context = feudal_world.context
    taken = orders.submit_default(context, winter, PLAYERS[0])
    army = next(order for order in taken.orders if order.startswith("BUILD A"))
    king = army.replace(" A ", " K ")

    changed = orders.submit(context, winter, PLAYERS[0], king, mode=SubmitMode.MERGE)

    assert king in changed.orders
    assert army not in changed.orders


async def test_a_phase_without_defaults_says_so(interact: Interact, game_id: GameId, world: World) -> None:
    done = await press(interact(1), f"so:default:game{game_id}:1")

    assert "no default" in done.text
    assert orders.show(world.context, game_id, UserId(1)).orders == ()


async def test_the_default_of_another_phase_is_not_taken(feudal_world: World, winter: GameId) -> None:
    done = await press(StubInteraction(StubClient(feudal_world.context), PLAYERS[0]), f"so:default:game{winter}:1")

    assert done.answers
    assert orders.show(feudal_world.context, winter, PLAYERS[0]).orders == ()
