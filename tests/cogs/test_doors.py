"""A game that is new to the bot brings its special ways to order along: nothing of `bot` or `cogs` knows them.

The toy is registered as a further game, with a folder of assets, and has a door with a command, a button and a form,
and one that shows something.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from discord import app_commands

from bot.model import GameId, UserId
from bot.services import doors, turns
from bot.services.guidance import guidance
from bot.text.compose import compose
from bot.text.help import help_message
from cogs.doors import commands_of
from engine.core.doors import Door, DoorForm, Doubt, Page
from engine.core.facts import DoorInfo, DoorOption
from engine.core.ids import SystemId
from engine.core.orders import Choice
from engine.core.phrases import phrase
from engine.registry import systems
from tests.bot.services.world import ANN, BOB, CY, DAY, RED, World
from tests.cogs.conftest import completed, through_door
from tests.cogs.stubs import StubClient, StubInteraction
from tests.cogs.test_presses import press, send_form
from tests.installed import installed
from tests.toy_system import TOY, ToyOrder, ToyView

TOY_ID = SystemId("toy")


def _bid(view: ToyView, orders: Sequence[ToyOrder], given: Mapping[str, str]) -> str | Doubt:
    if given.get("mood") == "bold" and view.viewer is not None:
        return f"BID {view.gold[view.viewer]}"
    if not given["amount"].isdigit():
        return Doubt(phrase("door.wager.which"), given["amount"], ("1", "2"))
    return f"BID {given['amount']}"


def _guess(view: ToyView, orders: Sequence[ToyOrder], given: Mapping[str, str]) -> Page | Doubt:
    if given.get("stake", "") == "nothing":
        return Doubt(phrase("door.guess.nothing"), "nothing", ("some",))
    return Page(lines=(phrase("door.guess.answers", stake=given.get("stake", "none"), orders=len(orders)),))


DOORS: tuple[Door[ToyView, ToyOrder], ...] = (
    Door(
        info=DoorInfo(id="secret", family="vault", command="vault look"),
        page=lambda view, orders: (
            Page(lines=(phrase("toy.own", number=view.number),)) if view.number is not None else None
        ),
    ),
    Door(
        info=DoorInfo(
            id="wager",
            family="vault",
            command="vault wager",
            options=(DoorOption(name="amount", is_completed=True), DoorOption(name="mood", choices=("bold",))),
            form="staked",
        ),
        completions={"amount": lambda view, orders: (Choice("1", "one piece"), Choice("2", "two pieces"))},
        order=_bid,
        is_open=lambda view, orders: view.kind == "bid",
        form=DoorForm(
            text=lambda view, orders: "\n".join(order.argument for order in orders if order.verb == "BID"),
            read=lambda text: "\n".join(f"BID {line}" for line in text.splitlines()),
            replaces=lambda order: order.verb == "BID",
            example=lambda view: str(view.gold[view.viewer or RED]),
        ),
        briefing=lambda view: phrase("door.wager.briefing", gold=view.gold[view.viewer or RED]),
    ),
    Door(
        info=DoorInfo(id="guess", family="vault", command="vault guess", options=(DoorOption(name="stake"),)),
        answer=_guess,
        is_open=lambda view, orders: view.kind == "bid",
    ),
)
WORDS = {
    "door.vault.about": "The vault's own ways",
    "door.vault.help": "`/vault wager` for the daring",
    "door.vault.elsewhere": "“{game}” has no vault.",
    "door.secret.about": "Your hidden number",
    "door.secret.heading": "**{game}** · **{title}** · {power:name} looks",
    "door.secret.none": "Nothing.",
    "door.secret.nobody": "{power:name} has no number.",
    "door.guess.about": "What would come of it",
    "door.guess.stake": "Of what",
    "door.guess.closed": "Nothing can be guessed now ({title}).",
    "door.guess.button": "Guess",
    "door.guess.heading": "**{game}** · {power:name} guesses",
    "door.guess.none": "Nothing.",
    "door.guess.nothing": "Of nothing comes nothing.",
    "door.guess.answers": "With {stake} and {orders} order(s) it would go well.",
    "door.wager.about": "Stake gold",
    "door.wager.amount": "How much",
    "door.wager.mood": "How you feel",
    "door.wager.choice.bold": "All in",
    "door.wager.which": "How much is that?",
    "door.wager.closed": "Nothing can be staked now ({title}).",
    "door.wager.button": "Stake gold",
    "door.wager.label": "Gold to stake",
    "door.wager.placeholder": "{example} or less",
    "door.wager.briefing": "You have {gold} to stake.",
}


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """The bot with one more game, and its folder of assets."""
    info = replace(TOY.info, doors=tuple(door.info for door in DOORS))
    with installed(replace(TOY, info=info, doors=DOORS), WORDS, tmp_path, monkeypatch):
        yield World(systems)


@pytest.fixture
def table(vault: World) -> GameId:
    """Ann is red, Bob green, Cy blue."""
    return vault.start()


def by(world: World, user_id: UserId = ANN) -> StubInteraction:
    return StubInteraction(StubClient(world.context), user_id)


def standing(world: World, game_id: GameId) -> tuple[str, ...]:
    sheet = world.sheet(game_id, RED)
    return sheet.orders if sheet else ()


def test_its_commands_are_made_of_its_words(vault: World) -> None:
    (group,) = (command for command in commands_of(systems.infos.values()) if command.name == "vault")
    assert isinstance(group, app_commands.Group)
    assert group.description == "The vault's own ways"
    assert {command.qualified_name: command.description for command in group.commands} == {
        "vault guess": "What would come of it",
        "vault look": "Your hidden number",
        "vault wager": "Stake gold",
    }
    wager = group.get_command("wager")
    assert isinstance(wager, app_commands.Command)
    assert [(each.name, each.description, each.required) for each in wager.parameters] == [
        ("amount", "How much", False),
        ("mood", "How you feel", False),
        ("game", "Which game, if it isn't clear", False),
    ]


async def test_its_command_gives_an_order(vault: World, table: GameId) -> None:
    vault.submit(table, ANN, "DIG")
    done = await through_door(by(vault), "vault wager", amount="3")
    assert standing(vault, table) == ("BID 3", "DIG")
    assert done.public == ""
    await through_door(by(vault), "vault wager", amount="?", mood="bold")
    assert standing(vault, table) == ("BID 8", "DIG")
    assert "How much is that?" in (await through_door(by(vault), "vault wager", amount="some")).text


async def test_a_command_that_waits_for_an_earlier_sheet_is_not_for_a_phase_that_opens_meanwhile(
    vault: World, table: GameId
) -> None:
    asked = by(vault)
    async with asked.client.one_by_one.turn_of(ANN):
        waiting = asyncio.ensure_future(through_door(asked, "vault wager", amount="3"))
        await asyncio.sleep(0.01)
        for user_id in (ANN, BOB, CY):
            vault.submit(table, user_id, "BID 1")
        vault.ready(table, ANN, BOB, CY)
        while not await completed(by(vault), "vault wager", "amount", ""):
            vault.clock.advance(DAY)
            turns.sweep(vault.context)
    await waiting
    assert standing(vault, table) == ()
    assert "is over" in asked.text


async def test_its_options_are_completed(vault: World, table: GameId) -> None:
    offered = await completed(by(vault), "vault wager", "amount", "two")
    assert [(choice.name, choice.value) for choice in offered] == [("two pieces", "2")]


async def test_its_button_comes_with_the_briefing_and_opens_its_form(vault: World, table: GameId) -> None:
    (mail,) = (mail for mail in vault.outbox(table) if mail.kind == "briefing" and mail.payload["power"] == RED)
    told = compose(vault.context, mail)[-1]
    assert told.content == "You have 8 to stake."
    (button,) = told.buttons
    assert (button.label, button.custom_id) == ("Stake gold", f"so:wager:game{table}:1")

    vault.submit(table, ANN, "BID 2\nDIG")
    asked = await press(by(vault), button.custom_id)
    (form,) = asked.modals
    assert form["components"][0]["label"] == "Gold to stake"
    assert form["components"][0]["component"]["placeholder"] == "8 or less"
    assert form["components"][0]["component"]["value"] == "2"

    await send_form(by(vault), form["custom_id"], "5")
    assert standing(vault, table) == ("BID 5", "DIG")
    await send_form(by(vault), form["custom_id"], "")
    assert standing(vault, table) == ("DIG",)


async def test_its_page_is_shown_with_the_family_s_buttons(vault: World, table: GameId) -> None:
    shown = await through_door(by(vault), "vault look")
    document = vault.game(table).document
    assert document is not None
    assert f"your number is {document['state']['numbers']['red']}" in shown.text
    assert "Red looks" in shown.text
    assert [item.label for item in shown.last.items] == ["Stake gold", "Guess", "My orders", "Map"]
    assert shown.public == ""


async def test_what_is_asked_is_answered_in_a_worker_and_orders_nothing(vault: World, table: GameId) -> None:
    """By its command with the options, by its button without; what can't be understood is refused."""
    vault.submit(table, ANN, "DIG")
    asked = await through_door(by(vault), "vault guess", stake="five  pieces")
    assert "With five pieces and 1 order(s) it would go well." in asked.text
    assert asked.public == ""
    assert [item.label for item in asked.last.items] == ["Stake gold", "My orders", "Map"]
    shown = (await through_door(by(vault), "vault look")).last
    (button,) = (item.custom_id for item in shown.items if item.label == "Guess")
    pressed = await press(by(vault), button)
    assert "With none and 1 order(s)" in pressed.text
    assert "Of nothing comes nothing." in (await through_door(by(vault), "vault guess", stake="nothing")).text
    assert standing(vault, table) == ("DIG",)


async def test_of_several_who_ask_one_is_answered_after_the_other(vault: World, table: GameId) -> None:
    """Each answer may keep a worker for half a minute; phases that are due would wait for all of them."""
    client = StubClient(vault.context)
    call, under_way, most = client.call, 0, 0

    async def slow(service: Any, /, *args: Any, **kwargs: Any) -> Any:
        nonlocal under_way, most
        if service is not doors.ask:
            return await call(service, *args, **kwargs)
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.01)
        under_way -= 1
        return await call(service, *args, **kwargs)

    client.call = slow  # type: ignore[method-assign]
    asked = [StubInteraction(client, user_id) for user_id in (ANN, ANN, BOB)]
    await asyncio.gather(*(through_door(each, "vault guess", stake="five pieces") for each in asked))

    assert most == 1
    assert ["it would go well" in each.text for each in asked] == [True, True, True]


async def test_it_says_when_it_is_closed_and_that_other_games_lack_it(vault: World, table: GameId) -> None:
    for user_id in (ANN, BOB):
        vault.submit(table, user_id, "BID 2")
    vault.ready(table, ANN, BOB, CY)
    assert "Nothing can be staked now" in (await through_door(by(vault), "vault wager", amount="3")).text
    assert await completed(by(vault), "vault wager", "amount", "") == []

    other = vault.start(wishes={ANN: "austria", BOB: "turkey"}, system="diplomacy", name="War", players=2)
    assert "has no vault" in (await through_door(by(vault, BOB), "vault look", game=f"#{other}")).text


async def test_a_word_that_no_game_knows_does_nothing(vault: World, table: GameId) -> None:
    assert "button" in (await press(by(vault), f"so:dance:game{table}:1")).text


def test_help_names_it(vault: World, table: GameId) -> None:
    person = guidance(vault.context, ANN, guild_id=None, channel_id=None)
    (message,) = help_message(person, lambda name: f"/{name}")
    assert "/vault wager for the daring" in message.embeds[0].description
