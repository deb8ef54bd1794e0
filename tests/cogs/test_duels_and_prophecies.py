"""`/duel` and `/prophecy`: what a player sends in secret, by options, button or form, is told to this player alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import pytest

from bot.model import GameId, UserId
from bot.services import doors
from bot.services.errors import Refused
from bot.services.guidance import guidance
from bot.text.compose import compose
from bot.text.message import Message
from engine.core.ids import PowerId, SystemId
from engine.registry import Order, View, systems
from tests.bot.services.world import World
from tests.cogs.conftest import Interact, completed, through_door
from tests.cogs.stubs import StubClient, StubInteraction
from tests.cogs.test_presses import press, send_form

POWERS = ("akhram", "magdag", "gashil", "zair", "zandikar", "sanurkazz", "proconia", "renders")
PLAYERS = [UserId(number) for number, _ in enumerate(POWERS, start=1)]
AKHRAM, ZAIR, ZANDIKAR, RENDERS = PLAYERS[0], PLAYERS[3], PLAYERS[4], PLAYERS[7]
UNITS = [
    {"power": "akhram", "kind": "A", "at": "AKH"},
    {"power": "zair", "kind": "H", "at": "ZY"},
    {"power": "zair", "kind": "A", "at": "ZY"},
    {"power": "zandikar", "kind": "H", "at": "ZZR"},
    {"power": "zandikar", "kind": "H", "at": "ZAM", "of": "gashil"},
    {"power": "renders", "kind": "H", "at": "ONK"},
    {"power": "renders", "kind": "F", "at": "ONK"},
]


@pytest.fixture
def sea() -> World:
    return World({SystemId("kregen"): systems[SystemId("kregen")]})


@pytest.fixture
def table(sea: World) -> GameId:
    """A game at its first moves; heroes of Zair, Zandikar and the pirates could meet."""
    game_id = sea.start(wishes=dict(zip(PLAYERS, POWERS, strict=True)), system="kregen", name="Eye", players=8)
    sea.ready(game_id, *PLAYERS)
    sea.set_state(game_id, units=UNITS, owners={"ONK": "renders", "ZY": "zair", "ZZR": "zandikar", "AKH": "akhram"})
    return game_id


def interaction(world: World, user_id: UserId) -> StubInteraction:
    return StubInteraction(StubClient(world.context), user_id)


def standing(world: World, game_id: GameId, power: str) -> tuple[str, ...]:
    sheet = world.sheet(game_id, PowerId(power))
    return sheet.orders if sheet else ()


def form_of(asked: StubInteraction) -> dict[str, Any]:
    (modal,) = asked.modals
    return modal


# Duels


async def test_a_number_is_sent_by_options(sea: World, table: GameId) -> None:
    done = await through_door(interaction(sea, RENDERS), "duel", number=40, loser="capture")

    assert standing(sea, table, "renders") == ("duel H ONK 40 capture",)
    assert "duel H ONK 40 capture" in done.text
    assert done.public == ""


async def test_of_several_heroes_one_has_to_be_named(sea: World, table: GameId) -> None:
    done = await through_door(interaction(sea, ZANDIKAR), "duel", number=40)
    assert "Which hero" in done.text
    assert "H ZAM" in done.text

    await through_door(interaction(sea, ZANDIKAR), "duel", number=40, hero="zam")
    assert standing(sea, table, "zandikar") == ("duel H ZAM 40 kill",)


async def test_two_heroes_in_one_place_are_sent_a_number_each(sea: World, table: GameId) -> None:
    units = [unit | ({"at": "ZZR"} if unit["at"] == "ZAM" else {}) for unit in UNITS]
    sea.set_state(table, units=units)
    offered = [choice.value for choice in await completed(interaction(sea, ZANDIKAR), "duel", "hero", "zzr")]
    assert offered == ["H ZZR of zandikar", "H ZZR of gashil"]
    done = await through_door(interaction(sea, ZANDIKAR), "duel", number=40, hero="H ZZR")
    assert "H ZZR of gashil" in done.text

    await through_door(interaction(sea, ZANDIKAR), "duel", number=40, hero="H ZZR of gashil")
    await through_door(interaction(sea, ZANDIKAR), "duel", number=7, loser="capture", hero="zandikar")
    assert standing(sea, table, "zandikar") == ("duel H ZZR of gashil 40 kill", "duel H ZZR of zandikar 7 capture")

    form = form_of(await press(interaction(sea, ZANDIKAR), f"so:duel:game{table}:{sea.game(table).phase_no}"))
    assert "duel H ZZR of gashil 40 kill" in str(form)
    await send_form(interaction(sea, ZANDIKAR), form["custom_id"], "H ZZR of gashil 99 kill\nH ZZR of zandikar …\n")
    assert standing(sea, table, "zandikar") == ("duel H ZZR of gashil 99 kill", "duel H ZZR of zandikar 7 capture")


async def test_without_a_number_a_form_opens_with_what_was_sent(sea: World, table: GameId) -> None:
    sea.submit(table, ZANDIKAR, "duel H ZZR 7 capture")
    asked = await through_door(interaction(sea, ZANDIKAR), "duel")
    form = form_of(asked)
    assert form["components"][0]["component"]["value"].splitlines() == ["duel H ZAM …", "duel H ZZR 7 capture"]

    lines = "H ZAM 99 kill\nH ZZR …\n"
    await send_form(interaction(sea, ZANDIKAR), form["custom_id"], lines)
    assert standing(sea, table, "zandikar") == ("duel H ZAM 99 kill", "duel H ZZR 7 capture")


@pytest.mark.parametrize("number", ["101", "-1", "3.5", "high"])
async def test_what_is_no_number_is_refused_with_the_reason(sea: World, table: GameId, number: str) -> None:
    phase_no = sea.game(table).phase_no
    done = await send_form(interaction(sea, RENDERS), f"so:numbers:game{table}:{phase_no}", f"H ONK {number} kill")

    assert "0 to 100" in done.text
    assert standing(sea, table, "renders") == ()


async def test_the_button_opens_the_form(sea: World, table: GameId) -> None:
    phase_no = sea.game(table).phase_no
    asked = await press(interaction(sea, RENDERS), f"so:duel:game{table}:{phase_no}")
    assert "duel H ONK" in str(form_of(asked))


async def test_a_button_of_a_phase_that_is_over_opens_nothing(sea: World, table: GameId) -> None:
    asked = await press(interaction(sea, RENDERS), f"so:duel:game{table}:1")
    assert asked.modals == []
    assert "over" in asked.text


@pytest.mark.parametrize("form", ["numbers", "foretold"])
async def test_a_form_of_a_phase_that_is_over_is_told_so(sea: World, table: GameId, form: str) -> None:
    sea.set_state(table, phase={"year": 1, "season": "summer", "kind": "adjustments"})
    done = await send_form(interaction(sea, RENDERS), f"so:{form}:game{table}:1", "H ONK 40 kill")
    assert "over" in done.text


async def test_whoever_has_no_hero_is_told_so(sea: World, table: GameId) -> None:
    assert "no hero" in (await through_door(interaction(sea, AKHRAM), "duel", number=5)).text
    assert await completed(interaction(sea, AKHRAM), "duel", "hero", "") == []
    heroes = await completed(interaction(sea, ZANDIKAR), "duel", "hero", "")
    assert [choice.value for choice in heroes] == ["H ZAM", "H ZZR"]


def test_the_question_goes_to_those_who_could_meet_another(sea: World, table: GameId) -> None:
    def asks(message: Message) -> bool:
        return any(button.custom_id.startswith("so:duel:") for button in message.buttons)

    phase_no = sea.game(table).phase_no
    asked = {
        mail.payload["power"]
        for mail in sea.outbox(table)
        if mail.kind == "briefing" and mail.phase_no == phase_no
        if any(asks(message) for message in compose(sea.context, mail))
    }
    assert asked == {"zair", "zandikar", "renders"}


# Prophecies


async def test_a_prophecy_is_filed_beside_the_others_and_shown(sea: World, table: GameId) -> None:
    sea.submit(table, ZAIR, "A ZY - KRO - ZUL")
    await through_door(interaction(sea, ZAIR), "prophecy set", text="build: A ZY")
    done = await through_door(interaction(sea, ZAIR), "prophecy set", text="if lost ZY: remove: A ZY")
    assert "if lost ZY: remove: A ZY" in done.text

    shown = await through_door(interaction(sea, ZAIR), "prophecy show")
    assert "build: A ZY\nif lost ZY: remove: A ZY" in shown.text
    assert shown.public == ""
    assert standing(sea, table, "zair") == ("A ZY - KRO - ZUL", "build: A ZY", "if lost ZY: remove: A ZY")


async def test_the_form_replaces_prophecies_and_nothing_else(sea: World, table: GameId) -> None:
    sea.submit(table, ZAIR, "A ZY - KRO - ZUL\nbuild: A ZY\nif lost ZY: remove: A ZY")
    asked = await through_door(interaction(sea, ZAIR), "prophecy set")
    form = form_of(asked)
    assert form["components"][0]["component"]["value"] == "build: A ZY\nif lost ZY: remove: A ZY"

    await send_form(interaction(sea, ZAIR), form["custom_id"], "build: F ZY")
    assert standing(sea, table, "zair") == ("A ZY - KRO - ZUL", "build: F ZY")


async def test_prophecies_are_taken_back_alone(sea: World, table: GameId) -> None:
    sea.submit(table, ZAIR, "A ZY H\nbuild: A ZY")
    await through_door(interaction(sea, ZAIR), "prophecy clear")
    assert standing(sea, table, "zair") == ("A ZY H",)

    sea.submit(table, RENDERS, "build: F ONK")
    await through_door(interaction(sea, RENDERS), "prophecy clear")
    assert standing(sea, table, "renders") == ()


def test_help_names_prophecies_where_some_can_be_filed_or_seen(sea: World) -> None:
    """In the set-up `/prophecy set` is refused and `/prophecy show` has nothing to show."""
    game_id = sea.start(wishes=dict(zip(PLAYERS, POWERS, strict=True)), system="kregen", name="Eye", players=8)

    def families() -> tuple[str, ...]:
        own = guidance(sea.context, ZAIR, guild_id=None, channel_id=None).own
        assert own is not None
        return own.families

    assert families() == ()
    sea.ready(game_id, *PLAYERS)
    assert "prophecy" in families()
    sea.submit(game_id, ZAIR, "all hold\nbuild: A ZY")
    sea.ready(game_id, *PLAYERS)
    assert sea.game(game_id).phase_code == "U1A"
    assert families() == ("prophecy",)


def test_whoever_has_foretold_a_phase_is_told_why_there_is_nothing_to_order(sea: World) -> None:
    """It seemed as if there were nothing to build, and the channel waited for orders that would have been refused."""
    game_id = sea.start(wishes=dict(zip(PLAYERS, POWERS, strict=True)), system="kregen", name="Eye", players=8)
    sea.ready(game_id, *PLAYERS)
    sea.submit(game_id, ZAIR, "all hold\nbuild: A ZY")
    sea.forget_mail()
    sea.ready(game_id, *PLAYERS)
    letters = {(mail.kind, mail.payload.get("power")): compose(sea.context, mail) for mail in sea.outbox(game_id)}
    (briefing,) = letters["briefing", "zair"]
    assert "nothing for you to order" in briefing.content
    assert "If prophecies of yours settle it, they are carried out" in briefing.content
    (opened,) = letters["phase_opened", None]
    assert "but not from those whose prophecies settle the phase" in opened.content
    with pytest.raises(Refused) as refusal:
        sea.submit(game_id, ZAIR, "BUILD F ZY")
    assert refusal.value.what.code == "refused.nothing_to_decide"


@pytest.mark.parametrize("written", ["", "build: F ZY", "build: F XYZ"])
async def test_orders_that_come_from_elsewhere_meanwhile_are_not_lost(
    sea: World, table: GameId, monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    """A message sent from the telephone, while the form is being taken."""
    sea.submit(table, ZAIR, "A ZY H\nbuild: A ZY")
    kregen = systems[SystemId("kregen")]

    def slowly(door: doors.AnyDoor) -> doors.AnyDoor:
        def is_open(view: View, standing: Sequence[Order]) -> bool:
            monkeypatch.setitem(sea.context.systems._known, SystemId("kregen"), kregen)
            sea.submit(table, ZAIR, "A ZY - KRO - ZUL")
            return True

        return dataclasses.replace(door, is_open=is_open) if door.id == "foretell" else door

    slow = dataclasses.replace(kregen, doors=tuple(map(slowly, kregen.doors)))
    monkeypatch.setitem(sea.context.systems._known, SystemId("kregen"), slow)
    doors.submit_form(sea.context, table, ZAIR, "foretold", written)

    # Where nothing of it can be read, what was foretold stays too.
    left = {"": (), "build: F ZY": ("build: F ZY",)}.get(written, ("build: A ZY",))
    assert standing(sea, table, "zair") == ("A ZY - KRO - ZUL", *left)


@pytest.mark.parametrize("text", ["if hold ZY and lost ZY: build: A ZY", "if hold XYZ: build: A ZY"])
async def test_a_prophecy_that_cannot_be_is_refused(sea: World, table: GameId, text: str) -> None:
    done = await through_door(interaction(sea, ZAIR), "prophecy set", text=text)
    assert "Nothing was changed" in done.text
    assert standing(sea, table, "zair") == ()


async def test_completion_offers_own_prophecies_alone(sea: World, table: GameId) -> None:
    offered = await completed(interaction(sea, ZAIR), "prophecy set", "text", "build")
    assert offered
    assert all("ZZR" not in choice.value and "ONK" not in choice.value for choice in offered)
    assert await completed(interaction(sea, UserId(77)), "prophecy set", "text", "") == []


# Other games


async def test_games_without_duels_and_prophecies_say_so(interact: Interact, game_id: GameId) -> None:
    assert "without duels" in (await through_door(interact(1), "duel", number=40)).text
    assert "without duels" in (await through_door(interact(1), "duel")).text
    for name in ("show", "clear"):
        assert "without prophecies" in (await through_door(interact(1), f"prophecy {name}")).text
    assert "without prophecies" in (await through_door(interact(1), "prophecy set", text="build: A VIE")).text
