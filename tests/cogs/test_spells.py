"""`/spells`: a hand is shown to its holder alone, and casting offers nothing that is not legal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.model import GameId, UserId
from bot.services import doors
from bot.services.errors import Refused
from bot.text.compose import compose
from bot.text.message import Message
from engine.core.ids import SystemId
from engine.pictures.hand import Hand
from engine.registry import systems
from tests.bot.services.world import World
from tests.cogs.conftest import Interact, completed, through_door
from tests.cogs.stubs import StubClient, StubInteraction
from tests.cogs.test_presses import press

POWERS = ("argimiliar", "lormyr", "jharkor", "ilmiora", "pan_tang", "melnibone")
PLAYERS = [UserId(number) for number, _ in enumerate(POWERS, start=1)]
LORMYR, PAN_TANG, MELNIBONE = PLAYERS[1], PLAYERS[4], PLAYERS[5]
HANDS = {"pan_tang": [3, 6, 7, 9], "melnibone": [1, 2, 4, 8]}


@pytest.fixture
def kingdoms() -> World:
    return World({SystemId("young_kingdoms"): systems[SystemId("young_kingdoms")]})


@pytest.fixture
def table(kingdoms: World) -> GameId:
    """A game at its first moves, everybody where the set-up has put them, with known hands."""
    game_id = kingdoms.start(
        wishes=dict(zip(PLAYERS, POWERS, strict=True)), system="young_kingdoms", name="Stormbringer", players=6
    )
    kingdoms.ready(game_id, MELNIBONE)
    kingdoms.set_state(game_id, hands=HANDS, hidden={"TAN": 5, "SIS": 10})
    return game_id


def interaction(world: World, user_id: UserId, **changes: Any) -> StubInteraction:
    return StubInteraction(StubClient(world.context), user_id, **changes)


def orders(world: World, game_id: GameId, power: str) -> tuple[str, ...]:
    sheet = world.sheet(game_id, power)  # type: ignore[arg-type]
    return sheet.orders if sheet else ()


async def test_the_hand_is_shown_to_its_holder_alone(kingdoms: World, table: GameId) -> None:
    done = await through_door(interaction(kingdoms, MELNIBONE), "spells show")

    assert "**4 · attack over land or sea**" in done.text
    assert "impassability" not in done.text
    assert done.public == ""
    (hand,) = done.client.renderer.drawn
    assert isinstance(hand, Hand)
    assert [card.number for card in hand.cards] == HANDS["melnibone"]
    assert done.last.items[0].label == "Cast a card"


async def test_who_has_no_sorcerer_has_no_hand(kingdoms: World, table: GameId) -> None:
    done = await through_door(interaction(kingdoms, LORMYR), "spells show")

    assert "no sorcerer to hold cards" in done.text
    assert done.client.renderer.drawn == []


async def test_a_game_without_cards_says_so(interact: Interact, game_id: GameId) -> None:
    for name in ("show", "cast", "give"):
        assert "played without cards" in (await through_door(interact(1), f"spells {name}")).text
    assert "played without cards" in (await through_door(interact(1), "spells cast", spell="4 from MEL - DRA")).text


async def test_a_spell_is_cast_by_text_with_or_without_the_verb(kingdoms: World, table: GameId) -> None:
    await through_door(interaction(kingdoms, MELNIBONE), "spells cast", spell="4 from Mel - Dra")
    assert "CAST 4 FROM MEL - DRA" in orders(kingdoms, table, "melnibone")

    await through_door(interaction(kingdoms, MELNIBONE), "spells cast", spell="cast 1 s self")
    assert "CAST 1 S SELF" in orders(kingdoms, table, "melnibone")


async def test_a_card_that_is_not_held_is_refused_at_no_cost(kingdoms: World, table: GameId) -> None:
    kingdoms.submit(table, MELNIBONE, "F MEL - SHA")

    done = await through_door(interaction(kingdoms, MELNIBONE), "spells cast", spell="9 on A GRO")

    assert "doesn't hold card 9" in done.text
    assert orders(kingdoms, table, "melnibone") == ("F MEL - SHA",)


async def test_without_text_one_is_led_from_card_to_target(kingdoms: World, table: GameId) -> None:
    asked = interaction(kingdoms, MELNIBONE)
    await through_door(asked, "spells cast")
    chosen = []
    for wanted in ("4", "DRA"):
        menu = asked.last.items[0]
        offered = [option.value for option in menu.options]
        chosen.append(offered)
        asked = StubInteraction(asked.client, MELNIBONE)
        await press(asked, menu.custom_id, values=[wanted])

    assert chosen == [["1", "2", "4"], ["DRA", "SOC", "SHA"]]
    assert "CAST 4 FROM MEL - DRA" in orders(kingdoms, table, "melnibone")


async def test_the_button_begins_where_the_command_does(kingdoms: World, table: GameId) -> None:
    phase_no = kingdoms.game(table).phase_no
    done = await press(interaction(kingdoms, MELNIBONE), f"so:cast:game{table}:{phase_no}")

    assert [option.value for option in done.last.items[0].options] == ["1", "2", "4"]


async def test_a_button_of_a_phase_that_is_over_casts_nothing(kingdoms: World, table: GameId) -> None:
    done = await press(interaction(kingdoms, MELNIBONE), f"so:cast:game{table}:1")

    assert "over" in done.text
    assert orders(kingdoms, table, "melnibone") == ()


async def test_whoever_cannot_cast_is_told_so(kingdoms: World, table: GameId) -> None:
    assert "no card that you could cast" in (await through_door(interaction(kingdoms, LORMYR), "spells cast")).text
    assert "carries a card" in (await through_door(interaction(kingdoms, LORMYR), "spells give")).text


async def test_a_carried_card_is_handed_on(kingdoms: World, table: GameId) -> None:
    kingdoms.set_state(table, carried=[{"at": "TRE", "card": 5}], hidden={"SIS": 10})

    offered = await completed(interaction(kingdoms, LORMYR), "spells give", "spell", "ram")
    assert "GIVE SPELL F TRE TO A RAM" in [choice.value for choice in offered]
    done = await through_door(interaction(kingdoms, LORMYR), "spells give")
    assert {"give", "carry", "dump", "destroy"} <= {option.value for option in done.last.items[0].options}
    await through_door(interaction(kingdoms, LORMYR), "spells give", spell="give spell F Tre to A Ram")
    assert "GIVE SPELL F TRE TO A RAM" in orders(kingdoms, table, "lormyr")


async def test_a_carrier_with_nobody_beside_it_can_still_be_ordered(kingdoms: World, table: GameId) -> None:
    units = [{"power": "lormyr", "kind": "A", "at": "TAN"}]
    kingdoms.set_state(table, units=units, carried=[{"at": "TAN", "card": 5}], hidden={"SIS": 10}, hands={})

    done = await through_door(interaction(kingdoms, LORMYR), "spells give")
    values = {option.value for option in done.last.items[0].options}
    assert {"carry", "dump", "destroy"} <= values
    assert "give" not in values
    await through_door(interaction(kingdoms, LORMYR), "spells give", spell="dump spell A Tan")
    assert "DUMP SPELL A TAN" in orders(kingdoms, table, "lormyr")


async def test_completion_offers_legal_casts_of_held_cards_alone(kingdoms: World, table: GameId) -> None:
    async def casts(user_id: UserId, typed: str) -> list[str]:
        offered = await completed(interaction(kingdoms, user_id), "spells cast", "spell", typed)
        return [choice.value for choice in offered]

    assert {text.split()[1] for text in await casts(MELNIBONE, "")} == {"1", "2", "4"}
    assert await casts(MELNIBONE, "4 dra") == ["CAST 4 FROM MEL - DRA"]
    assert await casts(LORMYR, "") == []
    assert await casts(UserId(77), "") == []


def test_a_stranger_sees_no_hand(kingdoms: World, table: GameId) -> None:
    with pytest.raises(Refused):
        doors.show(kingdoms.context, table, UserId(77), "spells show")


def briefings(world: World, game_id: GameId) -> dict[str, tuple[Message, ...]]:
    phase_no = world.game(game_id).phase_no
    return {
        mail.payload["power"]: compose(world.context, mail)
        for mail in world.outbox(game_id)
        if mail.kind == "briefing" and mail.phase_no == phase_no
    }


def pictured(by_power: dict[str, tuple[Message, ...]]) -> set[str]:
    """Whose messages have their hand in them."""
    return {
        power
        for power, messages in by_power.items()
        for message in messages
        if any(isinstance(picture.scene, Hand) for picture in message.pictures)
    }


def test_the_first_briefing_brings_the_hand_as_a_picture_and_in_full(kingdoms: World) -> None:
    players = dict(zip(PLAYERS, POWERS, strict=True))
    game_id = kingdoms.start(wishes=players, system="young_kingdoms", name="Stormbringer", players=6)
    by_power = briefings(kingdoms, game_id)
    assert pictured(by_power) == {"melnibone"}
    (picture,) = by_power["melnibone"][-1].pictures
    assert picture.filename == "cards.png"
    assert picture.alt.startswith("Your cards.")
    assert any("adjacent" in str(message) for message in by_power["pan_tang"])


async def test_later_briefings_name_the_cards_and_a_press_tells_all(kingdoms: World, table: GameId) -> None:
    # Pan Tang sets nothing up: its first own phase has only begun. Melnibone has seen its hand.
    assert pictured(briefings(kingdoms, table)) == {"pan_tang"}
    kingdoms.pass_deadline(table)
    by_power = briefings(kingdoms, table)
    assert pictured(by_power) == set()
    last = by_power["pan_tang"][-1]
    assert [button.label for button in last.buttons][:2] == ["Your cards", "Cast a card"]
    told = await press(interaction(kingdoms, PAN_TANG), last.buttons[0].custom_id)
    assert "9 · destruction" in told.text
    assert isinstance(told.client.renderer.drawn[0], Hand)
    assert "no sorcerer to hold cards" in (await press(interaction(kingdoms, LORMYR), last.buttons[0].custom_id)).text


def test_the_briefing_of_a_carrier_without_a_hand_has_the_button(kingdoms: World, table: GameId) -> None:
    kingdoms.set_state(table, carried=[{"at": "TRE", "card": 5}], hidden={"SIS": 10})
    kingdoms.pass_deadline(table)
    by_power = briefings(kingdoms, table)
    assert [button.label for button in by_power["lormyr"][-1].buttons] == ["Carried cards"]
    assert "Carried cards" not in str(by_power["jharkor"])


def test_nothing_public_depends_on_the_hands(kingdoms: World, table: GameId) -> None:
    def public() -> list[object]:
        return [
            [replace(message, buttons=()) for message in compose(kingdoms.context, mail)]
            for mail in kingdoms.outbox(table)
            if mail.kind != "briefing"
        ]

    before = public()
    kingdoms.set_state(table, hands={"pan_tang": [1, 2, 4, 8], "melnibone": [3, 6, 7, 9]})
    assert public() == before
