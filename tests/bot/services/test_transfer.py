"""Whole games exported as one document, and imported elsewhere."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from bot.model import GameStatus
from bot.services import lobby, orders, replay, transfer
from tests.bot.services.played import long_played
from tests.bot.services.refusals import refusal, refused_code
from tests.bot.services.world import ANN, BOB, CHANNEL, CREATOR, DAN, GREEN, GUILD, RED, World


def test_export_is_plain_json_and_holds_everything() -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    assert json.loads(json.dumps(document)) == document
    assert (document["kind"], document["version"]) == ("sealed-orders game", 1)
    assert len(document["phases"]) == 3
    assert document["phases"][0]["sheets"]["green"]["typed"] == ["bid 2"]
    assert document["sheets"]["green"]["orders"] == ["PEEK red"]
    assert [ballot["power"] for ballot in document["ballots"]] == ["green"]


def test_imported_game_exports_to_the_same_document_and_plays_on() -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    other = World()
    other.clock.moment = world.clock.moment
    other.create(name="something else")
    game = transfer.import_game(other.context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
    assert game.document is None
    assert transfer.export_game(other.context, game.id) == document
    assert other.alarm.settings[game.id][0] == game.phase_no
    assert replay.replay(other.context, game.id) == ()
    assert orders.show(other.context, game.id, BOB).orders == ("PEEK red",)
    for one, copy in ((world, game_id), (other, game.id)):
        one.pass_deadline(copy)
    assert other.game(game.id).document == world.game(game_id).document


def test_imported_game_belongs_to_its_importer_and_place() -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    game = transfer.import_game(world.context, document, guild_id=GUILD + 1, channel_id=7, user_id=DAN)
    assert (game.guild_id, game.channel_id, game.creator_id, game.game_masters) == (GUILD + 1, 7, DAN, frozenset({DAN}))
    assert {seat.power: seat.user_id for seat in world.seats(game.id)}[RED] == ANN
    assert {seat.power: seat.user_id for seat in world.seats(game.id)}[GREEN] == BOB


def test_game_whose_deadline_is_past_comes_paused() -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    other = World()
    other.clock.moment = world.clock.moment + timedelta(days=100)
    game = transfer.import_game(other.context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
    assert (game.status, game.deadline_at) == (GameStatus.PAUSED, None)
    assert other.alarm.settings == {}


def test_name_that_is_taken_is_refused() -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    arguments = {"guild_id": GUILD, "channel_id": CHANNEL, "user_id": CREATOR}
    assert refused_code(transfer.import_game, world.context, document, **arguments) == "name_taken"


@pytest.mark.parametrize(
    "damage",
    [
        {"kind": "something"},
        {"version": 2},
        {"game": {}},
        {"game": None},
        {"seats": [{"number": 1}]},
        {"phases": [17]},
        {"sheets": []},
    ],
)
def test_damaged_export_is_refused_and_nothing_stored(damage: dict[str, Any]) -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id) | damage
    other = World()
    arguments = {"guild_id": GUILD, "channel_id": CHANNEL, "user_id": CREATOR}
    assert refused_code(transfer.import_game, other.context, document, **arguments) == "export_unreadable"
    assert not other.storage.tables.games


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("players", "many", "players: Input should be a valid integer"),
        ("status", "asleep", "status: Input should be 'lobby'"),
        ("pace", {"default": None}, "pace.default: "),
        ("created_at", "2026-01-01T12:00:00+01:00", "created_at: 2026-01-01 12:00:00+01:00 is not in UTC"),
        ("created_at", "2026-01-01T12:00:00", "created_at: 2026-01-01 12:00:00 is not in UTC"),
    ],
)
def test_damaged_field_is_named(field: str, value: Any, said: str) -> None:
    world, game_id = long_played()
    document = transfer.export_game(world.context, game_id)
    document["game"][field] = value
    refused = refusal(
        transfer.import_game, World().context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR
    )
    assert str(refused.what.args["problem"]).startswith(said)


def test_lobby_is_exported_too() -> None:
    world = World()
    game_id = world.create()
    lobby.join_game(world.context, game_id, ANN, power="blue")
    document = transfer.export_game(world.context, game_id)
    other = World()
    game = transfer.import_game(other.context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
    assert transfer.export_game(other.context, game.id) == document
