"""Stored games played again, exported and imported."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.model import BallotKind, GameId, GameStatus
from bot.services import gm, lobby, orders, replay, transfer, votes
from engine.core.outcome import OrderResult
from tests.bot.services.refusals import refused_code
from tests.bot.services.world import ANN, BOB, CHANNEL, CREATOR, CY, DAN, GREEN, GUILD, RED, World


def _played() -> tuple[World, GameId]:
    """Phases of all kinds behind it, a rollback among them; orders, a vote and an open seat in the present one."""
    world = World()
    game_id = world.start(options={"gold": "12"})
    world.submit(game_id, ANN, "BID 2\nDIG")
    world.submit(game_id, BOB, "bid 2")
    world.pass_deadline(game_id)
    world.pass_deadline(game_id, late=timedelta(hours=3))
    gm.rollback(world.context, game_id, CREATOR, is_manager=False, phase="last", keep_orders=True)
    world.submit(game_id, BOB, "PAY red")
    world.pass_deadline(game_id)
    world.submit(game_id, BOB, "peek red")
    votes.vote(world.context, game_id, BOB, BallotKind.DRAW, True, None)
    lobby.leave_game(world.context, game_id, CY)
    return world, game_id


def test_stored_game_replays_to_the_same_results_events_and_positions() -> None:
    world, game_id = _played()
    assert [record.is_undone for record in world.records(game_id)] == [False, True, False]
    assert replay.replay(world.context, game_id) == ()


def test_drift_names_phase_and_what_differs() -> None:
    world, game_id = _played()
    record = world.records(game_id)[0]
    worse = OrderResult.from_json(record.results[0].to_json() | {"outcome": "cut"})
    changed = replace(record, results=(worse, *record.results[1:]), events=())
    world.storage.tables.phases[game_id, 1] = changed
    drifts = replay.replay(world.context, game_id)
    assert {(drift.phase_no, drift.code, drift.what) for drift in drifts} >= {(1, "1B", "results")}


def test_phase_that_begins_otherwise_than_the_last_ended_is_drift() -> None:
    world, game_id = _played()
    record = world.records(game_id)[-1]
    other = {**record.start, "seed": "other"}
    world.storage.tables.phases[game_id, record.phase_no] = replace(record, start=other)
    assert "start" in {drift.what for drift in replay.replay(world.context, game_id)}


def test_whoever_verifies_learns_the_seal_and_the_seed_only_at_the_end() -> None:
    world, game_id = _played()
    before = replay.verify(world.context, game_id)
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)
    after = replay.verify(world.context, game_id)
    assert (before.seed, before.phases, before.drifted, before.altered) == (None, 3, (), ())
    assert after.seed is not None
    assert before.seal == after.seal == hashlib.sha256(after.seed.encode()).hexdigest()
    assert before.game.document is None


def test_verifying_names_phases_that_come_out_otherwise() -> None:
    world, game_id = _played()
    record = world.records(game_id)[0]
    worse = OrderResult.from_json(record.results[0].to_json() | {"outcome": "cut"})
    world.storage.tables.phases[game_id, 1] = replace(record, results=(worse, *record.results[1:]))
    assert replay.verify(world.context, game_id).drifted == ("1B",)


def test_verifying_names_phases_with_another_seed() -> None:
    world, game_id = _played()
    record = world.records(game_id)[0]
    world.storage.tables.phases[game_id, 1] = replace(record, start={**record.start, "seed": "loaded"})
    assert "1B" in replay.verify(world.context, game_id).drifted


def test_game_that_has_not_begun_can_not_be_verified() -> None:
    world = World()
    game_id = world.create()
    assert refused_code(replay.verify, world.context, game_id) == "not_started"


def test_export_is_plain_json_and_holds_everything() -> None:
    world, game_id = _played()
    document = transfer.export_game(world.context, game_id)
    assert json.loads(json.dumps(document)) == document
    assert (document["kind"], document["version"]) == ("sealed-orders game", 1)
    assert len(document["phases"]) == 3
    assert document["phases"][0]["sheets"]["green"]["typed"] == ["bid 2"]
    assert document["sheets"]["green"]["orders"] == ["PEEK red"]
    assert [ballot["power"] for ballot in document["ballots"]] == ["green"]


def test_imported_game_exports_to_the_same_document_and_plays_on() -> None:
    world, game_id = _played()
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
    world, game_id = _played()
    document = transfer.export_game(world.context, game_id)
    game = transfer.import_game(world.context, document, guild_id=GUILD + 1, channel_id=7, user_id=DAN)
    assert (game.guild_id, game.channel_id, game.creator_id, game.game_masters) == (GUILD + 1, 7, DAN, frozenset({DAN}))
    assert {seat.power: seat.user_id for seat in world.seats(game.id)}[RED] == ANN
    assert {seat.power: seat.user_id for seat in world.seats(game.id)}[GREEN] == BOB


def test_game_whose_deadline_is_past_comes_paused() -> None:
    world, game_id = _played()
    document = transfer.export_game(world.context, game_id)
    other = World()
    other.clock.moment = world.clock.moment + timedelta(days=100)
    game = transfer.import_game(other.context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
    assert (game.status, game.deadline_at) == (GameStatus.PAUSED, None)
    assert other.alarm.settings == {}


def test_name_that_is_taken_is_refused() -> None:
    world, game_id = _played()
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
    world, game_id = _played()
    document = transfer.export_game(world.context, game_id) | damage
    other = World()
    arguments = {"guild_id": GUILD, "channel_id": CHANNEL, "user_id": CREATOR}
    assert refused_code(transfer.import_game, other.context, document, **arguments) == "export_unreadable"
    assert not other.storage.tables.games


def test_lobby_is_exported_too() -> None:
    world = World()
    game_id = world.create()
    lobby.join_game(world.context, game_id, ANN, power="blue")
    document = transfer.export_game(world.context, game_id)
    other = World()
    game = transfer.import_game(other.context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
    assert transfer.export_game(other.context, game.id) == document
