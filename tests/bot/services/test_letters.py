"""Kalevala's letters and permits as doors, and what each ruler is sent after a window."""

from __future__ import annotations

import pytest

from bot.model import GameId, Target, UserId
from bot.services import doors, orders
from bot.services.errors import Refused
from bot.text.compose import compose
from engine.core.ids import SystemId
from engine.registry import in_the_making, systems
from tests.bot.services.world import World

KALEVALA = {**systems, **in_the_making}[SystemId("kalevala")]
RULERS = ("anna", "bert", "carl", "dora", "emil", "fina")
PLAYERS = {UserId(number): ruler for number, ruler in enumerate(RULERS, start=1)}
ANNA, BERT, STRANGER = UserId(1), UserId(2), UserId(99)


@pytest.fixture
def world() -> World:
    return World({KALEVALA.info.id: KALEVALA})


@pytest.fixture
def game_id(world: World) -> GameId:
    return world.start(wishes=PLAYERS, system="kalevala", players=6)


def offered(world: World, game_id: GameId, user_id: UserId, door: str, option: str) -> list[str]:
    return [choice.value for choice in doors.complete(world.context, game_id, user_id, door, option, "")]


def test_rulers_and_own_land_complete_themselves(world: World, game_id: GameId) -> None:
    rulers = offered(world, game_id, ANNA, "letter", "ruler")
    assert {*rulers} == {*RULERS[1:]}, "marauders read no letters"
    everywhere, *places = offered(world, game_id, ANNA, "permit", "place")
    assert everywhere == "ALL"
    assert len(places) == 3
    assert not set(places) & set(offered(world, game_id, BERT, "permit", "place")[1:])
    with pytest.raises(Refused):
        offered(world, game_id, STRANGER, "permit", "place")


def test_a_letter_and_a_permit_go_into_the_sheet(world: World, game_id: GameId) -> None:
    place = offered(world, game_id, ANNA, "permit", "place")[1]
    doors.order(world.context, game_id, ANNA, "letter", {"ruler": "bert", "text": 'Peace?\nSay "yes"'})
    receipt = doors.order(world.context, game_id, ANNA, "permit", {"ruler": "bert", "place": place, "rounds": "3"})
    assert receipt.errors == ()
    assert receipt.orders == ("LETTER bert \"Peace? Say 'yes'\"", f"PERMIT bert {place} 3")
    assert orders.show(world.context, game_id, BERT).orders == ()


def test_a_letter_reaches_its_receiver_alone_and_each_gets_their_books(world: World, game_id: GameId) -> None:
    doors.order(world.context, game_id, ANNA, "letter", {"ruler": "bert", "text": "Meet me at the sea"})
    world.forget_mail()
    world.ready(game_id, *PLAYERS)
    told: dict[tuple[Target, int], str] = {}
    files: dict[int, dict[str, str]] = {}
    for outgoing in world.outbox(game_id):
        for message in compose(world.context, outgoing):
            to = outgoing.target, outgoing.target_id
            told[to] = told.get(to, "") + repr(message)
            files.setdefault(outgoing.target_id, {}).update({file.filename: file.text for file in message.files})
            assert outgoing.target is Target.USER or (message.pictures, message.files) == ((), ())
    heard = {number for (_, number), text in told.items() if "Meet me" in text}
    assert heard == {ANNA, BERT}, "whoever wrote it sees the own line"
    for user_id in PLAYERS:
        assert "Upkeep due" in files[user_id]["ledger.txt"]
