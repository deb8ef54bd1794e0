"""What game masters may do, and what it does."""

from __future__ import annotations

from typing import Any

import pytest

from bot.model import BallotKind, ClosedBecause, GameStatus, Pace
from bot.services import gm, inspect, lobby, orders, overview, replay, rollback, turns, votes
from bot.services.errors import Refused
from engine.core.ids import SystemId
from engine.core.phrases import phrase
from engine.registry import systems
from tests.bot.services.refusals import refusal, refused_code
from tests.bot.services.world import ANN, BLUE, BOB, CREATOR, CY, DAN, DAY, GREEN, HOUR, NOON, RED, World

MASTER: dict[str, Any] = {"is_manager": False}


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        (gm.extend, {"by": "1h"}),
        (gm.set_deadline, {"at": "1h"}),
        (gm.pause, {}),
        (gm.resume, {}),
        (gm.adjudicate_now, {}),
        (gm.replace_player, {"power": "red", "new_user_id": None}),
        (rollback.roll_back, {"phase": "last", "keep_orders": True}),
        (lobby.end_game, {}),
    ],
)
def test_players_and_strangers_may_do_none_of_it(call: Any, arguments: dict[str, Any]) -> None:
    world = World()
    game_id = world.start()
    before = world.storage.tables.snapshot()
    for user_id in (ANN, DAN):
        assert refused_code(call, world.context, game_id, user_id, **MASTER, **arguments) == "not_a_game_master"
    assert world.storage.tables == before


# The clock


def test_extension_moves_deadline_alarm_and_reminders() -> None:
    world = World()
    game_id = world.start()
    world.clock.advance(23 * HOUR)
    game = gm.extend(world.context, game_id, CREATOR, **MASTER, by="1d")
    assert game.deadline_at == NOON + 2 * DAY
    assert game.document is None
    assert world.alarm.settings[game_id] == (1, NOON + 2 * DAY)
    assert world.game(game_id).remind_at == NOON + DAY
    notice = world.outbox(game_id)[-1].payload
    assert notice["code"] == "notice.extended"
    assert notice["args"] == {"by": "1d", "deadline": int(game.deadline_at.timestamp())}
    assert refused_code(gm.extend, world.context, game_id, CREATOR, **MASTER, by="60d") == "too_much_time"
    assert refused_code(gm.extend, world.context, game_id, CREATOR, **MASTER, by="a bit") == "pace_unreadable"


def test_who_extends_by_no_length_of_time_is_shown_lengths_only() -> None:
    """`mon,thu 19:00 UTC` is a pace, and no answer to the question by how much."""
    world = World()
    game_id = world.start()
    with pytest.raises(Refused) as refusal:
        gm.extend(world.context, game_id, CREATOR, **MASTER, by="mon 19:00 UTC")
    assert refusal.value.hint == phrase("refused.hint.length")


def test_overdue_phase_is_extended_from_now() -> None:
    world = World()
    game_id = world.start()
    world.clock.advance(2 * DAY)
    assert gm.extend(world.context, game_id, CREATOR, **MASTER, by="2h").deadline_at == NOON + 2 * DAY + 2 * HOUR


def test_deadline_is_set_to_a_date() -> None:
    world = World()
    game_id = world.start()
    game = gm.set_deadline(world.context, game_id, CREATOR, **MASTER, at="2026-11-25 19:00 Europe/Berlin")
    assert game.deadline_at == NOON + 4 * DAY + 6 * HOUR
    error = refused_code(gm.set_deadline, world.context, game_id, CREATOR, **MASTER, at="2026-11-20 19:00 UTC")
    assert error == "moment_out_of_range"


def test_pause_keeps_what_was_left_of_the_phase() -> None:
    world = World()
    game_id = world.start()
    world.clock.advance(20 * HOUR)
    paused = gm.pause(world.context, game_id, CREATOR, **MASTER)
    assert (paused.status, paused.deadline_at, paused.time_left_s) == (GameStatus.PAUSED, None, 4 * 3600)
    assert game_id not in world.alarm.settings
    assert refused_code(gm.pause, world.context, game_id, CREATOR, **MASTER) == "paused"
    assert refused_code(gm.adjudicate_now, world.context, game_id, CREATOR, **MASTER) == "paused"
    world.clock.advance(10 * DAY)
    longer = gm.extend(world.context, game_id, CREATOR, **MASTER, by="1h")
    assert longer.time_left_s == 5 * 3600
    resumed = gm.resume(world.context, game_id, CREATOR, **MASTER)
    assert (resumed.status, resumed.deadline_at) == (GameStatus.RUNNING, world.clock.now() + 5 * HOUR)
    assert refused_code(gm.resume, world.context, game_id, CREATOR, **MASTER) == "not_paused"
    assert world.alarm.settings[game_id] == (1, resumed.deadline_at)
    assert world.kinds(game_id)[-3:] == ["notice.paused", "notice.extended_paused", "notice.resumed"]


def test_a_paused_game_shows_no_deadlines() -> None:
    world = World()
    game_id = world.start()
    gm.pause(world.context, game_id, CREATOR, **MASTER)
    assert overview.game_info(world.context, game_id, ANN).schedule == ()
    gm.resume(world.context, game_id, CREATOR, **MASTER)
    assert len(overview.game_info(world.context, game_id, ANN).schedule) == 6


def test_game_with_fixed_times_goes_on_to_the_first_that_leaves_as_much_time() -> None:
    world = World()
    game_id = world.start(pace=Pace("daily 20:00 UTC"))
    gm.pause(world.context, game_id, CREATOR, **MASTER)
    world.clock.advance(2 * HOUR)
    # Eight hours were left; today's slot is six away.
    assert gm.resume(world.context, game_id, CREATOR, **MASTER).deadline_at == NOON + DAY + 8 * HOUR


def test_game_in_which_all_got_ready_during_the_pause_closes_when_it_goes_on() -> None:
    world = World()
    game_id = world.start()
    gm.pause(world.context, game_id, CREATOR, **MASTER)
    world.ready(game_id, ANN, BOB, CY)
    assert gm.resume(world.context, game_id, CREATOR, **MASTER).phase_no == 2
    # No deadline is announced that nobody has to keep.
    told = [kind for kind in world.kinds(game_id) if kind.startswith("notice.")]
    assert told == ["notice.paused", "notice.resumed_at_once"]


def test_adjudicated_at_once() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 2")
    assert gm.adjudicate_now(world.context, game_id, CREATOR, **MASTER).phase_no == 2
    record = world.records(game_id)[0]
    assert (record.closed_because, record.late_s) == ("game_master", 0)
    assert record.sheets[RED].orders == ("BID 2",)


# Players


def test_player_is_replaced_and_the_new_one_briefed() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 2")
    world.forget_mail()
    gm.replace_player(world.context, game_id, CREATOR, **MASTER, power="Red", new_user_id=DAN)
    assert world.seat(game_id, RED).user_id == DAN
    assert orders.show(world.context, game_id, DAN).orders == ("BID 2",)
    assert refused_code(orders.show, world.context, game_id, ANN) == "not_in_game"
    assert world.kinds(game_id) == ["notice.seat_given_from", "seat_lost", "briefing"]
    told, lost, briefed = world.outbox(game_id)
    assert told.payload["args"] == {"power": RED, "user": DAN, "former": ANN}
    assert told.payload["master"] == CREATOR
    assert (lost.target_id, briefed.target_id) == (ANN, DAN)


def test_only_powers_with_a_seat_are_offered_for_a_name_that_is_none() -> None:
    world = World({SystemId("king_of_kings"): systems[SystemId("king_of_kings")]})
    game_id = world.start(wishes=dict.fromkeys((ANN, BOB, CY), ""), system="king_of_kings", players=3)
    refused = refusal(gm.replace_player, world.context, game_id, CREATOR, **MASTER, power="Atlantis", new_user_id=None)
    assert refused.what.code == "refused.unknown_power"
    assert refused.hint is not None
    assert len(refused.hint.args["words"]) == 3, refused.hint.args["words"]


def test_player_is_replaced_by_nobody_yet() -> None:
    world = World()
    game_id = world.start()
    assert gm.replace_player(world.context, game_id, CREATOR, **MASTER, power="red", new_user_id=None).is_open
    again = refused_code(gm.replace_player, world.context, game_id, CREATOR, **MASTER, power="red", new_user_id=None)
    assert again == "already_vacant"


@pytest.mark.parametrize(
    ("power", "new_user_id", "code"),
    [("rad", DAN, "unknown_power"), ("red", BOB, "already_in_game"), ("blue", DAN, "power_is_out")],
)
def test_seat_that_is_none_and_player_who_has_one_are_refused(power: str, new_user_id: Any, code: str) -> None:
    world = World()
    game_id = world.start()
    world.set_state(game_id, gold={"red": 4, "green": 4, "blue": 0})
    arguments = {"power": power, "new_user_id": new_user_id}
    assert refused_code(gm.replace_player, world.context, game_id, CREATOR, **MASTER, **arguments) == code


# Rollback


def _after_two_phases() -> tuple[World, Any]:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 2")
    world.pass_deadline(game_id)
    world.submit(game_id, BOB, "BID 1\nDIG")
    world.pass_deadline(game_id)
    return world, game_id


def test_rollback_begins_the_phase_again_under_a_new_number() -> None:
    world, game_id = _after_two_phases()
    record = world.records(game_id)[0]
    phase_no = world.game(game_id).phase_no
    world.forget_mail()
    game = rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="1b", keep_orders=False)
    stored = world.game(game_id)
    assert (stored.phase_no, stored.phase_code, stored.document) == (phase_no + 1, "1B", record.start)
    assert game.deadline_at == world.clock.now() + DAY
    assert [entry.is_undone for entry in world.records(game_id)] == [True, True, True]
    assert inspect.phase_codes(world.context, game_id) == ()
    assert orders.show(world.context, game_id, ANN).orders == ()
    assert world.kinds(game_id) == ["notice.rolled_back", "phase_opened", *["briefing"] * 3]
    world.pass_deadline(game_id)
    assert inspect.phase_codes(world.context, game_id) == ((phase_no + 1, "1B"),)
    assert replay.replay(world.context, game_id) == ()


def test_rollback_may_keep_the_orders_of_the_phase() -> None:
    world, game_id = _after_two_phases()
    rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="1B", keep_orders=True)
    receipt = orders.show(world.context, game_id, ANN)
    assert (receipt.orders, receipt.version) == (("BID 2",), 1)
    assert overview.game_info(world.context, game_id, None).missing == (GREEN, BLUE)


def test_last_phase_is_the_last_in_which_there_was_a_choice() -> None:
    world, game_id = _after_two_phases()
    assert [record.code for record in world.records(game_id)] == ["1B", "2B", "2C"]
    assert (
        rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="last", keep_orders=False).phase_code
        == "2B"
    )
    assert inspect.phase_codes(world.context, game_id) == ((1, "1B"),)


def test_rollback_to_a_phase_without_a_choice_plays_it_again_at_once() -> None:
    world, game_id = _after_two_phases()
    before = world.game(game_id).document
    rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="2C", keep_orders=False)
    assert world.game(game_id).document == before
    assert inspect.phase_codes(world.context, game_id) == ((1, "1B"), (2, "2B"), (5, "2C"))


def test_rollback_reopens_a_finished_game_whatever_ended_it() -> None:
    world = World()
    for name, end in (("vote", _end_by_vote), ("master", _end_by_master), ("won", _end_by_winning)):
        game_id = world.start(name=name)
        world.set_state(game_id, gold={"red": 16, "green": 5, "blue": 5})
        world.pass_deadline(game_id)
        world.submit(game_id, ANN, "BID 1")
        before = world.game(game_id)
        end(world, game_id)
        assert world.game(game_id).status is GameStatus.OVER
        rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="last", keep_orders=True)
        game = world.game(game_id)
        assert (game.status, game.phase_code) == (GameStatus.RUNNING, before.phase_code)
        assert orders.show(world.context, game_id, ANN).orders == ("BID 1",)
        assert replay.replay(world.context, game_id) == ()
        assert turns.close_phase(world.context, game_id, game.phase_no, ClosedBecause.READY)


def _end_by_vote(world: World, game_id: Any) -> None:
    for user_id in (ANN, BOB, CY):
        votes.vote(world.context, game_id, user_id, BallotKind.DRAW, True, None)


def _end_by_master(world: World, game_id: Any) -> None:
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)


def _end_by_winning(world: World, game_id: Any) -> None:
    world.pass_deadline(game_id)


def test_rollback_leaves_a_paused_game_paused() -> None:
    world, game_id = _after_two_phases()
    gm.pause(world.context, game_id, CREATOR, **MASTER)
    game = rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="2B", keep_orders=False)
    assert (game.status, game.deadline_at, game.time_left_s) == (GameStatus.PAUSED, None, 86400)


def test_rollback_names_near_misses_and_needs_a_past() -> None:
    world = World()
    game_id = world.start()
    arguments = {"keep_orders": False}
    missing = refused_code(rollback.roll_back, world.context, game_id, CREATOR, **MASTER, phase="last", **arguments)
    assert missing == "no_closed_phase"
    world.pass_deadline(game_id)
    unknown = refused_code(rollback.roll_back, world.context, game_id, CREATOR, **MASTER, phase="9B", **arguments)
    assert unknown == "unknown_phase"


def test_numbers_of_phases_never_come_twice() -> None:
    world, game_id = _after_two_phases()
    for _ in range(3):
        rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="1B", keep_orders=True)
        world.pass_deadline(game_id)
        world.pass_deadline(game_id)
    numbers = [record.phase_no for record in world.records(game_id)]
    assert len(numbers) == len(set(numbers))
    assert turns.close_phase(world.context, game_id, 1, ClosedBecause.READY) is False
