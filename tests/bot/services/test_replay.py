"""Stored games played again: what comes out otherwise, and what everybody may know of the dice."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

from bot.model import GameId
from bot.services import lobby, replay, transfer
from bot.services.course import RULES_VERSION
from bot.text.games import verification_message
from engine import systems
from engine.core.outcome import OrderResult
from tests.bot.services.played import long_played
from tests.bot.services.refusals import refused_code
from tests.bot.services.world import ANN, BOB, CHANNEL, CREATOR, GUILD, World


def test_stored_game_replays_to_the_same_results_events_and_positions() -> None:
    world, game_id = long_played()
    assert [record.is_undone for record in world.records(game_id)] == [False, True, False]
    assert replay.replay(world.context, game_id) == ()


def test_drift_names_phase_and_what_differs() -> None:
    world, game_id = long_played()
    record = world.records(game_id)[0]
    worse = OrderResult.from_json(record.results[0].to_json() | {"outcome": "cut"})
    changed = replace(record, results=(worse, *record.results[1:]), events=())
    world.storage.tables.phases[game_id, 1] = changed
    drifts = replay.replay(world.context, game_id)
    assert {(drift.phase_no, drift.code, drift.what) for drift in drifts} >= {(1, "1B", "results")}


def test_phase_that_begins_otherwise_than_the_last_ended_is_drift() -> None:
    world, game_id = long_played()
    record = world.records(game_id)[-1]
    other = {**record.start, "seed": "other"}
    world.storage.tables.phases[game_id, record.phase_no] = replace(record, start=other)
    assert "start" in {drift.what for drift in replay.replay(world.context, game_id)}


def test_whoever_verifies_learns_the_seal_and_the_seed_only_at_the_end() -> None:
    world, game_id = long_played()
    before = replay.verify(world.context, game_id)
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)
    after = replay.verify(world.context, game_id)
    assert (before.seed, before.phases, before.drifted, before.altered) == (None, 3, (), ())
    assert after.seed is not None
    assert before.seal == after.seal == hashlib.sha256(after.seed.encode()).hexdigest()
    assert before.game.document is None


def test_verifying_names_phases_that_come_out_otherwise() -> None:
    world, game_id = long_played()
    record = world.records(game_id)[0]
    worse = OrderResult.from_json(record.results[0].to_json() | {"outcome": "cut"})
    world.storage.tables.phases[game_id, 1] = replace(record, results=(worse, *record.results[1:]))
    found = replay.verify(world.context, game_id)
    assert (found.drifted, found.retold) == (("1B",), ("1B",))


def test_verifying_tells_other_positions_from_other_words() -> None:
    world, game_id = long_played()
    record = world.records(game_id)[0]
    worse = OrderResult.from_json(record.results[0].to_json() | {"outcome": "cut"})
    end = {**record.end, "state": {**record.end["state"], "units": []}}
    world.storage.tables.phases[game_id, 1] = replace(record, results=(worse, *record.results[1:]), end=end)
    found = replay.verify(world.context, game_id)
    assert (found.drifted, found.retold) == (("1B",), ())


def test_verifying_names_phases_with_another_seed() -> None:
    world, game_id = long_played()
    record = world.records(game_id)[0]
    world.storage.tables.phases[game_id, 1] = replace(record, start={**record.start, "seed": "loaded"})
    assert "1B" in replay.verify(world.context, game_id).drifted


def test_game_that_has_not_begun_can_not_be_verified() -> None:
    world = World()
    game_id = world.create()
    assert refused_code(replay.verify, world.context, game_id) == "not_started"


CLOSED_BY_0_1_0 = Path(__file__).with_name("closed_by_rules_0.1.0.json")
"""The export of a game of Kregen of version 0.1.0: in its first move season a fleet's support counted once."""


def game_of_0_1_0() -> tuple[World, GameId]:
    world = World(systems)
    export = json.loads(CLOSED_BY_0_1_0.read_text(encoding="utf-8"))
    return world, transfer.import_game(world.context, export, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR).id


def verified(world: World, game_id: GameId) -> str:
    (message,) = verification_message(replay.verify(world.context, game_id))
    return message.content


def test_phases_closed_by_earlier_rules_are_told_apart_from_altered_ones() -> None:
    world, game_id = game_of_0_1_0()
    found = replay.verify(world.context, game_id)
    assert (found.phases, found.older, found.versions) == (3, ("S1S", "S1M", "U1A"), ("0.1.0",))
    assert "S1M" in found.outgrown
    assert found.drifted == found.altered == ()
    text = verified(world, game_id)
    assert f"Closed by earlier rules (0.1.0; today's are {RULES_VERSION}): 3 phases." in text
    assert "S1M" in text
    assert "the record was changed" not in text


def test_game_that_went_on_under_todays_rules_is_vouched_for_from_there_on() -> None:
    world, game_id = game_of_0_1_0()
    world.pass_deadline(game_id)
    found = replay.verify(world.context, game_id)
    assert (found.phases, len(found.older), found.drifted) == (4, 3, ())
    assert f"all phases that today's rules ({RULES_VERSION}) closed came out just as they were posted" in verified(
        world, game_id
    )


def test_phases_of_earlier_rules_that_come_out_the_same_are_said_to() -> None:
    world = World(systems)
    game_id = world.start(system="kregen", players=2, wishes={ANN: "magdag", BOB: "zair"})
    world.pass_deadline(game_id)
    (record,) = world.records(game_id)
    world.storage.tables.phases[game_id, 1] = replace(record, rules_version="0.1.0")
    found = replay.verify(world.context, game_id)
    assert (found.older, found.outgrown, found.drifted) == (("S1S",), (), ())
    assert "just as they were posted, too" in verified(world, game_id)


def test_no_rules_excuse_another_seed() -> None:
    world, game_id = game_of_0_1_0()
    record = world.records(game_id)[1]
    world.storage.tables.phases[game_id, 2] = replace(record, start={**record.start, "seed": "loaded"})
    found = replay.verify(world.context, game_id)
    assert found.drifted == ("S1M",)
    assert "S1M" not in found.outgrown
