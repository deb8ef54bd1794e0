"""Stored games played again: what comes out otherwise, and what everybody may know of the dice."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from bot.services import lobby, replay
from engine.core.outcome import OrderResult
from tests.bot.services.played import long_played
from tests.bot.services.refusals import refused_code
from tests.bot.services.world import CREATOR, World


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
