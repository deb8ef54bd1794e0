"""What one player has ordered changes nothing that anybody else is shown: no reply, no completion, no map, no post."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.model import GameId, UserId
from bot.services.sheets import SubmitMode
from bot.text.compose import compose
from cogs.inspect import Inspect
from cogs.lobby import Lobby
from cogs.orders import OrderCommands
from cogs.presses import Presses
from engine.core.ids import SystemId
from engine.core.viewer import Playing
from engine.registry import systems
from tests.bot.services.world import World
from tests.cogs.conftest import PLAYERS, offered, run, through_door
from tests.cogs.stubs import StubClient, StubInteraction
from tests.examples import few

RULES = systems[SystemId("diplomacy")]
AUSTRIA, ITALY, STRANGER = UserId(1), UserId(5), UserId(99)
VIEW = RULES.sight.view(RULES.play.start(variant="standard", players=7, options={}, seed=""), Playing("austria"))  # type: ignore[arg-type]
LEGAL = [[RULES.orders.format(order) for order in orders] for orders in RULES.orders.legal(VIEW).values()]
SHEETS = st.tuples(*(st.sampled_from(orders) for orders in LEGAL)).map("\n".join)
COMMANDS: list[tuple[Any, str, dict[str, Any]]] = [
    (OrderCommands(), "enter", {"text": "A VEN - TRI\nA BUD - SER\nF NAP S F TRI\nrubbish"}),
    (OrderCommands(), "show", {}),
    (OrderCommands(), "guide", {}),
    (OrderCommands(), "clear", {}),
    (Inspect(), "map", {}),
    (Inspect(), "map", {"text": True}),
    (Inspect(), "map", {"view": "orders"}),
    (Inspect(), "history", {}),
    (Inspect(), "replay", {}),
    (Lobby(), "info", {}),
    (Lobby(), "list", {}),
]

UNCHECKED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@settings(max_examples=few(4), deadline=None, suppress_health_check=UNCHECKED)
@given(SHEETS, SHEETS)
async def test_pending_orders_are_told_to_nobody_else(one: str, other: str) -> None:
    assert await everything_shown_to_others(one) == await everything_shown_to_others(other)


async def everything_shown_to_others(sheet: str) -> list[object]:
    world = World({SystemId("diplomacy"): RULES})
    game_id = world.start(wishes=PLAYERS, system="diplomacy", name="War", players=7)
    world.submit(game_id, AUSTRIA, sheet)
    return await shown_by_all_means(world, game_id, COMMANDS, TYPED)


KINGS = systems[SystemId("king_of_kings")]
KINGS_STATE = KINGS.play.start(variant="classic", players=3, options={}, seed="s")
KINGS_NATION = KINGS.play.status(KINGS_STATE).to_act[0]
KINGS_LEGAL = KINGS.orders.legal(KINGS.sight.view(KINGS_STATE, Playing(KINGS_NATION)))
KINGS_SHEETS = st.lists(
    st.sampled_from([KINGS.orders.format(order) for orders in KINGS_LEGAL.values() for order in orders]), min_size=1
).map("\n".join)
KINGS_COMMANDS: list[tuple[Any, str, dict[str, Any]]] = [
    (OrderCommands(), "enter", {"text": "ALL 1 1; DEF 0 0 C; rubbish"}),
    (None, "ally", {"nation": "1", "status": 1}),
    (None, "donate", {"nation": "1", "gold": 5}),
    (None, "cede", {"nation": "1", "place": "0 0"}),
    *COMMANDS[1:],
]


@settings(max_examples=few(3), deadline=None, suppress_health_check=UNCHECKED)
@given(KINGS_SHEETS, KINGS_SHEETS)
async def test_pending_sheets_are_told_to_nobody_else(one: str, other: str) -> None:
    assert await shown_of_kings(one) == await shown_of_kings(other)


async def shown_of_kings(sheet: str) -> list[object]:
    """The same map each time: the game's position is put in the place of the one that was drawn by lot."""
    world = World({SystemId("king_of_kings"): KINGS})
    nations = KINGS.play.status(KINGS_STATE).to_act
    wishes = {AUSTRIA: "", ITALY: "", UserId(3): ""}
    game_id = world.start(wishes=wishes, system="king_of_kings", variant="classic", name="War", players=3)
    game = world.game(game_id)
    world.storage.tables.games[game_id] = replace(game, document=KINGS.play.dump(KINGS_STATE))
    for seat, nation in zip(sorted(world.seats(game_id), key=lambda seat: seat.user_id or 0), nations, strict=True):
        world.storage.tables.seats[game_id, seat.number] = replace(seat, power=nation)
    world.submit(game_id, AUSTRIA, sheet, mode=SubmitMode.AS_SENT)
    return await shown_by_all_means(world, game_id, KINGS_COMMANDS, ("", "LAND", "ALL", "PLA"))


async def shown_by_all_means(
    world: World, game_id: GameId, commands: list[tuple[Any, str, dict[str, Any]]], typed: tuple[str, ...]
) -> list[object]:
    client = StubClient(world.context)
    shown: list[object] = []
    for user_id in (ITALY, STRANGER):
        for cog, name, options in commands:
            shown.append(await command(StubInteraction(client, user_id), cog, name, options))
        shown.append(await completion(StubInteraction(client, user_id), typed))
        for action in ("orders", "map", "whole", "board", "guide", "clear"):
            shown.append(await press(StubInteraction(client, user_id), game_id, action))
    drawn = [repr(scene) for scene in client.renderer.drawn]
    posts = [compose(world.context, message) for message in world.outbox(game_id) if message.target_id != AUSTRIA]
    return [*shown, drawn, posts]


async def command(interaction: StubInteraction, cog: Any, name: str, options: dict[str, Any]) -> str:
    if cog is None:
        return told(await through_door(interaction, name, **options))
    return told(await run(cog, interaction, name, **options))


TYPED = ("", "A", "A BUD", "A VEN S", "F NAP S F TRI")


async def completion(interaction: StubInteraction, typed: tuple[str, ...]) -> list[str]:
    return [value for text in typed for value in await offered(OrderCommands(), interaction, "enter", "text", text)]


async def press(interaction: StubInteraction, game_id: GameId, action: str) -> str:
    interaction.type = discord.InteractionType.component
    interaction.data = {"custom_id": f"so:{action}:game{game_id}:1"}
    await Presses().on_interaction(interaction.discord)
    return told(interaction)


def told(interaction: StubInteraction) -> str:
    files = [
        (file.filename, file.description) for answer in interaction.answers for file in answer.kwargs.get("files", ())
    ]
    labels = [getattr(item, "label", None) for answer in interaction.answers for item in answer.items]
    return f"{interaction.text}\n{files}\n{labels}\n{interaction.modals}"


def test_the_sheets_of_the_test_differ() -> None:
    assert len(LEGAL) == 3
    assert all(len(orders) > 5 for orders in LEGAL)
