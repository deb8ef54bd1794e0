"""Closing phases: once, whole, on time or late; what passes by itself; who has missed; who is reminded."""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.model import ClosedBecause, Delivery, GameId, GameStatus, Pace, Target, UserId
from bot.ports import StorageUnavailable
from bot.services import course, gm, inbox, lobby, orders, passage, rollback, turns
from bot.services.inspect import phase_view
from engine.core.viewer import EVERYBODY
from tests.bot.services.world import ANN, BLUE, BOB, CREATOR, CY, DAN, DAY, GREEN, HOUR, NOON, RED, World
from tests.fakes import Crash

MASTER = {"is_manager": False}


def test_closed_phase_is_kept_whole() -> None:
    world = World()
    game_id = world.start()
    start = world.game(game_id).document
    world.submit(game_id, ANN, "bid 3")
    world.pass_deadline(game_id)
    record = world.records(game_id)[0]
    game = world.game(game_id)
    assert (record.phase_no, record.code, record.closed_because, record.late_s) == (1, "1B", "deadline", 0)
    assert (record.start, record.end) == (start, game.document)
    assert record.sheets[RED].orders == ("BID 3",)
    assert record.sheets[RED].typed == ("bid 3",)
    assert [result.text for result in record.results] == ["BID 3", "BID 0", "BID 0"]
    assert (record.opened_at, record.deadline_at, record.closed_at) == (NOON, NOON + DAY, NOON + DAY)
    assert (game.phase_no, game.phase_code, game.deadline_at) == (2, "2B", NOON + 2 * DAY)


def test_closing_tells_the_channel_and_every_player() -> None:
    world = World()
    game_id = world.start()
    world.forget_mail()
    world.pass_deadline(game_id)
    assert world.kinds(game_id) == ["phase_closed", "phase_opened", "briefing", "briefing", "briefing"]
    closed, opened, briefing, *_ = world.outbox(game_id)
    assert closed.payload == {"phase_no": 1}
    assert (opened.target, opened.phase_no) == (Target.CHANNEL, 2)
    assert briefing.payload == {"power": "red", "closed_phase_nos": [1]}
    assert world.alarm.settings[game_id] == (2, NOON + 2 * DAY)


def test_a_player_whose_direct_messages_were_closed_is_told_later_what_did_not_arrive() -> None:
    world = World()
    game_id = world.start()
    pass_phase(world, game_id)
    untold: list[int] = briefings(world, game_id)["green"]
    for _ in range(2):
        refuse_briefings(world, game_id, ANN, "403 50007")
        pass_phase(world, game_id)
        told = briefings(world, game_id)
        untold = [*untold, *told["green"]]
        assert told == {"red": untold, "green": told["green"], "blue": told["green"]}
    pass_phase(world, game_id)
    told = briefings(world, game_id)
    assert told["red"] == told["green"]


def test_what_the_bot_could_not_make_or_somebody_else_did_not_get_is_not_told_later() -> None:
    world = World()
    game_id = world.start()
    pass_phase(world, game_id)
    refuse_briefings(world, game_id, ANN, "KeyError at bot/text/compose.py:1")
    refuse_briefings(world, game_id, BOB, "403 50007")
    gm.replace_player(world.context, game_id, CREATOR, is_manager=False, power="green", new_user_id=DAN)
    pass_phase(world, game_id)
    told = briefings(world, game_id)
    assert told["red"] == told["green"] == told["blue"]


def test_what_a_rollback_has_undone_is_not_told_later() -> None:
    world = World()
    game_id = world.start()
    pass_phase(world, game_id)
    refuse_briefings(world, game_id, ANN, "403 50007")
    (record,) = world.records(game_id)
    world.storage.tables.phases[game_id, record.phase_no] = replace(record, is_undone=True)
    pass_phase(world, game_id)
    told = briefings(world, game_id)
    assert told["red"] == told["green"]


def test_what_a_player_did_not_hear_of_before_a_rollback_and_still_stands_is_told() -> None:
    world = World()
    game_id = world.start()
    pass_phase(world, game_id)
    refuse_briefings(world, game_id, ANN, "403 50007")
    unheard = briefings(world, game_id)["green"]
    pass_phase(world, game_id)
    refuse_briefings(world, game_id, ANN, "403 50007")
    rollback.roll_back(world.context, game_id, CREATOR, is_manager=False, phase="last", keep_orders=True)
    told = briefings(world, game_id)
    assert told == {"red": unheard, "green": [], "blue": []}


def test_of_many_phases_that_a_player_did_not_hear_of_the_last_are_told() -> None:
    world = World()
    game_id = world.start()
    for _ in range(passage.MOST_TOLD + 2):
        refuse_briefings(world, game_id, ANN, "403 50007")
        pass_phase(world, game_id)
    told = briefings(world, game_id)
    earlier = [record.phase_no for record in world.records(game_id) if record.phase_no not in told["green"]]
    assert told["red"] == [*earlier[-passage.MOST_TOLD :], *told["green"]]


def pass_phase(world: World, game_id: GameId) -> None:
    """Everybody is there, and the time of the phase runs out."""
    for user_id in (ANN, CY):
        world.submit(game_id, user_id, "BID 0")
    world.pass_deadline(game_id)


def refuse_briefings(world: World, game_id: GameId, user_id: UserId, why: str) -> None:
    """A person's briefings of the present phase are given up."""
    outbox = world.storage.tables.outbox
    for message in world.outbox(game_id):
        is_present = message.kind == "briefing" and message.phase_no == world.game(game_id).phase_no
        if is_present and message.target_id == user_id:
            outbox[message.id] = replace(message, delivery=Delivery.FAILED, error=why)


def briefings(world: World, game_id: GameId) -> dict[str, list[int]]:
    """Of which phases the briefings of the present phase tell, by power."""
    phase_no = world.game(game_id).phase_no
    return {
        message.payload["power"]: message.payload["closed_phase_nos"]
        for message in world.outbox(game_id)
        if message.kind == "briefing" and message.phase_no == phase_no
    }


def test_exactly_one_caller_closes_a_phase() -> None:
    world = World()
    game_id = world.start()
    assert turns.close_phase(world.context, game_id, 1, ClosedBecause.READY)
    assert not turns.close_phase(world.context, game_id, 1, ClosedBecause.READY)
    assert len(world.records(game_id)) == 1


def test_of_many_threads_exactly_one_closes_a_phase() -> None:
    world = World()
    game_id = world.start()
    world.clock.advance(DAY)
    gate, told = threading.Barrier(8), []

    def close() -> None:
        gate.wait()
        told.append(turns.close_phase(world.context, game_id, 1, ClosedBecause.DEADLINE))

    threads = [threading.Thread(target=close) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == [False] * 7 + [True]
    assert len(world.records(game_id)) == 1


def test_lost_race_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    game_id = world.start()
    before = world.storage.tables.snapshot()
    monkeypatch.setattr("tests.fakes.FakeGames.advance", lambda *_, **__: False)
    assert not turns.close_phase(world.context, game_id, 1, ClosedBecause.READY)
    assert world.storage.tables == before


def test_alarm_for_a_deadline_that_was_moved_closes_nothing() -> None:
    world = World()
    game_id = world.start()
    gm.extend(world.context, game_id, CREATOR, is_manager=False, by="12h")
    world.clock.advance(DAY)
    assert not turns.close_phase(world.context, game_id, 1, ClosedBecause.DEADLINE)
    world.clock.advance(12 * HOUR)
    assert turns.close_phase(world.context, game_id, 1, ClosedBecause.DEADLINE)


def test_paused_games_are_not_closed() -> None:
    world = World()
    game_id = world.start()
    gm.pause(world.context, game_id, CREATOR, is_manager=False)
    world.clock.advance(30 * DAY)
    assert turns.sweep(world.context) == ()
    assert not turns.close_phase(world.context, game_id, 1, ClosedBecause.DEADLINE)


def test_overdue_phase_is_closed_when_found_and_says_how_late() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 3")
    world.pass_deadline(game_id, late=5 * HOUR)
    record = world.records(game_id)[0]
    assert record.late_s == 5 * 3600
    assert record.sheets[RED].orders == ("BID 3",)
    assert phase_view(world.context, game_id, 1, EVERYBODY).late_s == 5 * 3600
    assert world.game(game_id).deadline_at == NOON + 2 * DAY + 5 * HOUR, "a full phase from the closing on"


def test_overdue_phase_is_closed_once_however_long_the_outage() -> None:
    world = World()
    game_id = world.start()
    world.clock.advance(10 * DAY)
    assert turns.sweep(world.context) == (game_id,)
    assert turns.sweep(world.context) == ()
    assert world.game(game_id).phase_no == 2


def test_fixed_times_count_from_the_closing() -> None:
    world = World()
    game_id = world.start(pace=Pace("daily 20:00 UTC"))
    assert world.game(game_id).deadline_at == NOON + 8 * HOUR
    world.pass_deadline(game_id, late=2 * DAY + 23 * HOUR)
    # 19:00: an hour would be too short.
    assert world.game(game_id).deadline_at == NOON + 4 * DAY + 8 * HOUR


def test_kinds_of_phases_have_their_own_length() -> None:
    world = World()
    game_id = world.start(pace=Pace("1d", {"tribute": "2h"}))
    for user_id in (ANN, BOB):
        world.submit(game_id, user_id, "BID 2")
    world.pass_deadline(game_id)
    game = world.game(game_id)
    assert (game.phase_code, game.deadline_at) == ("1T", NOON + DAY + 2 * HOUR)


# What passes by itself


def test_phase_in_which_nobody_has_a_choice_passes_at_once_with_its_own_record() -> None:
    world = World()
    game_id = world.start()
    world.ready(game_id, ANN, BOB, CY)
    world.forget_mail()
    world.submit(game_id, ANN, "BID 1")
    world.ready(game_id, ANN, BOB, CY)
    records = world.records(game_id)
    assert [(record.phase_no, record.code, record.closed_because) for record in records] == [
        (1, "1B", "ready"),
        (2, "2B", "ready"),
        (3, "2C", "no_choice"),
    ]
    assert records[1].end == records[2].start
    game = world.game(game_id)
    assert (game.phase_no, game.phase_code, game.document) == (4, "3B", records[2].end)
    assert world.kinds(game_id) == ["last_one", "phase_closed", "phase_closed", "phase_opened", *["briefing"] * 3]
    assert world.outbox(game_id)[-1].payload["closed_phase_nos"] == [2, 3]


def test_phase_in_which_only_a_vacant_seat_would_decide_passes_at_once() -> None:
    world = World()
    game_id = world.start()
    lobby.leave_game(world.context, game_id, CY)
    world.set_state(game_id, phase={"kind": "tribute"}, debtors=["blue", "red"])
    lobby.leave_game(world.context, game_id, ANN)
    assert [record.closed_because for record in world.records(game_id)] == ["no_choice"]
    game = world.game(game_id)
    assert (game.status, game.phase_code) == (GameStatus.RUNNING, "2B")


def test_orders_of_who_left_are_carried_out_in_a_phase_that_passes_at_once() -> None:
    world = World()
    game_id = world.start()
    world.set_state(game_id, phase={"kind": "tribute"}, debtors=["red"])
    world.submit(game_id, ANN, "PAY blue")
    lobby.leave_game(world.context, game_id, ANN)
    assert [result.text for result in world.records(game_id)[0].results] == ["PAY blue"]


def test_game_stops_when_its_last_player_is_out() -> None:
    world = World()
    game_id = world.start()
    lobby.leave_game(world.context, game_id, BOB)
    lobby.leave_game(world.context, game_id, CY)
    world.set_state(game_id, phase={"kind": "tribute"}, debtors=["red"], gold={"red": 1, "green": 8, "blue": 8})
    world.pass_deadline(game_id)
    game = world.game(game_id)
    assert (game.status, game.deadline_at, game.time_left_s) == (GameStatus.PAUSED, None, 86400)
    assert "notice.nobody_plays" in world.kinds(game_id)
    assert len(world.records(game_id)) == 1, "no chain of phases that nobody plays"


def test_chain_of_idle_phases_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    game_id = world.start()
    monkeypatch.setattr("tests.toy_system._to_act", lambda state: ())
    assert turns.close_phase(world.context, game_id, 1, ClosedBecause.READY)
    assert len(world.records(game_id)) == 1 + course.LONGEST_CHAIN
    assert world.game(game_id).status is GameStatus.PAUSED


# The end


def test_game_that_is_won_is_over() -> None:
    world = World()
    game_id = world.start()
    world.set_state(game_id, gold={"red": 18, "green": 5, "blue": 5})
    world.submit(game_id, ANN, "BID 1")
    world.forget_mail()
    world.pass_deadline(game_id)
    game = world.game(game_id)
    assert (game.status, game.deadline_at) == (GameStatus.OVER, None)
    assert world.kinds(game_id) == ["phase_closed", "game_over"]
    assert game_id not in world.alarm.settings
    assert turns.sweep(world.context) == ()


def test_power_that_goes_out_is_told_how_and_then_no_more() -> None:
    world = World()
    game_id = world.start()
    world.set_state(game_id, gold={"red": 1, "green": 6, "blue": 6})
    world.submit(game_id, ANN, "BID 1")
    world.submit(game_id, BOB, "BID 2")
    world.forget_mail()
    world.pass_deadline(game_id)
    assert ANN in {message.target_id for message in world.outbox(game_id)}
    world.forget_mail()
    world.pass_deadline(game_id)
    assert {message.target_id for message in world.outbox(game_id) if message.target is Target.USER} == {BOB, CY}


# Missed phases


def test_second_phase_missed_in_a_row_opens_the_seat_and_says_so_once() -> None:
    world = World()
    game_id = world.start()
    for missed in (1, 2, 3):
        world.submit(game_id, ANN, "BID 0")
        world.ready(game_id, BOB)
        world.pass_deadline(game_id)
        seat = world.seat(game_id, BLUE)
        assert (seat.missed, seat.is_open, seat.user_id) == (missed, missed >= 2, CY)
    assert world.kinds(game_id).count("notice.seat_missed") == 1
    assert {seat.missed for seat in world.seats(game_id) if seat.power != BLUE} == {0}
    assert lobby.join_game(world.context, game_id, DAN, power=None).power == BLUE
    assert world.seat(game_id, BLUE).missed == 0


@pytest.mark.parametrize(
    ("left_h", "back_h", "closed_h", "counts"),
    [
        (12, 30, 30, False),
        (18, 30, 30, False),
        (19, 30, 30, True),
        (6, 12, 24, False),
        (7, 12, 24, True),
        (12, None, 30, False),
        (12, None, 24, True),
    ],
)
def test_a_phase_for_a_good_part_of_which_the_bot_was_away_is_missed_by_nobody(
    left_h: int, back_h: int | None, closed_h: int, counts: bool
) -> None:
    """When it left, was back with everything read (`None`: not yet), and closed a phase of 24 hours."""
    world = World()
    game_id = world.start()
    inbox.note_read_until(world.context, NOON + left_h * HOUR)
    if back_h is not None:
        inbox.note_read_until(world.context, NOON + back_h * HOUR, was_away=True)
        inbox.note_read_until(world.context, NOON + back_h * HOUR + timedelta(minutes=1))
    world.pass_deadline(game_id, late=(closed_h - 24) * HOUR)
    assert world.seat(game_id, RED).missed == (1 if counts else 0)


@pytest.mark.parametrize(("length_h", "counts"), [(3, False), (2, True)])
def test_times_away_in_one_phase_are_added_up(length_h: int, counts: bool) -> None:
    world = World()
    game_id = world.start()
    for left_h in (-length_h, 0, 6, 20):
        inbox.note_read_until(world.context, NOON + left_h * HOUR)
        if left_h:
            inbox.note_read_until(world.context, NOON + (left_h + length_h) * HOUR, was_away=True)
    world.pass_deadline(game_id)
    assert world.seat(game_id, RED).missed == (1 if counts else 0)


def test_of_many_times_away_the_latest_are_remembered() -> None:
    world = World()
    for hour in range(-1000, 21):
        inbox.note_read_until(world.context, NOON + hour * HOUR, was_away=hour % 10 == 0)
        inbox.note_read_until(world.context, NOON + (hour + 0.5) * HOUR)
    with world.context.reading() as unit:
        assert len((unit.facts.find("absence") or "").split()) == 200
        assert inbox.time_away(unit, NOON, NOON + 20 * HOUR, NOON + 20 * HOUR) == HOUR


def test_what_a_clock_that_ran_ahead_took_for_an_absence_is_forgotten() -> None:
    world = World()
    inbox.note_read_until(world.context, NOON)
    inbox.note_read_until(world.context, NOON + 1 * HOUR, was_away=True)
    inbox.note_read_until(world.context, NOON + 2 * HOUR)
    inbox.note_read_until(world.context, NOON + 500 * HOUR, was_away=True)
    inbox.note_read_until(world.context, NOON + 3 * HOUR)
    inbox.note_read_until(world.context, NOON + 100 * HOUR)
    with world.context.reading() as unit:
        assert inbox.time_away(unit, NOON, NOON + 100 * HOUR, NOON + 100 * HOUR) == 2 * HOUR


def test_silence_from_before_an_outage_pauses_no_game_after_it() -> None:
    world = World()
    game_id = world.start()
    world.pass_in_silence(game_id, 2)
    gm.resume(world.context, game_id, CREATOR, **MASTER)
    inbox.note_read_until(world.context, NOON + 54 * HOUR)
    world.pass_deadline(game_id, late=6 * HOUR)
    assert world.game(game_id).status is GameStatus.RUNNING
    inbox.note_read_until(world.context, world.clock.moment, was_away=True)
    world.pass_deadline(game_id)
    assert world.game(game_id).status is GameStatus.PAUSED


def test_a_game_in_which_everybody_is_silent_pauses_and_calls_its_masters() -> None:
    world = World()
    game_id = world.start()
    world.pass_deadline(game_id)
    assert world.game(game_id).status is GameStatus.RUNNING
    world.pass_deadline(game_id)
    game = world.game(game_id)
    assert (game.status, game.deadline_at, game.remind_at, game.time_left_s) == (GameStatus.PAUSED, None, None, 86400)
    (call,) = [message for message in world.outbox(game_id) if message.kind == "notice"]
    assert call.payload["code"] == "notice.all_silent_open"
    assert (call.payload["args"], call.payload["mentions"]) == ({"missed": 2}, sorted([ANN, BOB, CY, CREATOR]))
    assert world.kinds(game_id).count("seat_opened") == 3
    assert game_id not in world.alarm.settings
    world.forget_mail()
    world.clock.advance(30 * DAY)
    assert turns.sweep(world.context) == ()
    assert world.outbox(game_id) == []


def test_a_game_that_paused_in_silence_goes_on_as_soon_as_anybody_plays() -> None:
    world = World()
    game_id = world.start()
    world.pass_in_silence(game_id, 2)
    gm.resume(world.context, game_id, CREATOR, **MASTER)
    assert world.game(game_id).status is GameStatus.RUNNING
    world.forget_mail()
    world.pass_deadline(game_id)
    assert world.game(game_id).status is GameStatus.PAUSED, "nobody came back"
    (call,) = [message for message in world.outbox(game_id) if message.kind == "notice" and message.payload["mentions"]]
    assert call.payload["code"] == "notice.all_silent_open"
    assert (call.payload["args"], call.payload["mentions"]) == ({"missed": 3}, [CREATOR])
    world.submit(game_id, ANN, "BID 1")
    gm.resume(world.context, game_id, CREATOR, **MASTER)
    for _ in range(2):
        world.pass_deadline(game_id)
        assert (world.game(game_id).status is GameStatus.RUNNING) is (world.seat(game_id, RED).missed < 2)


def test_a_game_goes_on_for_one_player_who_plays() -> None:
    world = World()
    game_id = world.start()
    for _ in range(4):
        world.submit(game_id, ANN, "BID 0")
        world.pass_deadline(game_id)
        assert world.game(game_id).status is GameStatus.RUNNING


def test_phases_that_ask_some_of_the_players_do_not_make_the_others_silent() -> None:
    world = World()
    game_id = world.start()
    world.pass_deadline(game_id)
    world.set_state(game_id, phase={"kind": "tribute"}, debtors=["red"])
    world.pass_deadline(game_id)
    assert [world.seat(game_id, power).missed for power in (RED, GREEN, BLUE)] == [2, 1, 1]
    assert world.game(game_id).status is GameStatus.RUNNING


def test_silence_after_which_a_game_master_closed_the_phase_pauses_nothing() -> None:
    """Somebody is there."""
    world = World()
    game_id = world.start()
    world.pass_in_silence(game_id, 2)
    gm.resume(world.context, game_id, CREATOR, **MASTER)
    gm.adjudicate_now(world.context, game_id, CREATOR, **MASTER)
    assert world.game(game_id).status is GameStatus.RUNNING


def test_a_game_that_is_decided_in_silence_is_over_and_not_paused() -> None:
    world = World()
    game_id = world.start()
    world.pass_deadline(game_id)
    world.set_state(game_id, gold={"red": 40, "green": 5, "blue": 5})
    world.pass_deadline(game_id)
    assert world.game(game_id).status is GameStatus.OVER
    assert "notice.all_silent_open" not in world.kinds(game_id)


def test_game_masters_are_called_once_when_three_phases_were_missed_in_a_row() -> None:
    world = World()
    game_id = world.start()
    calls = []
    for _ in range(4):
        world.submit(game_id, ANN, "BID 0")
        world.ready(game_id, BOB)
        world.pass_deadline(game_id)
        calls.append([out.payload for out in world.outbox(game_id) if out.payload.get("mentions") == [CREATOR]])
    assert [len(called) for called in calls] == [0, 0, 1, 1]
    (call,) = calls[-1]
    assert call == {
        "code": "notice.often_missed", "args": {"powers": [BLUE], "missed": 3}, "mentions": [CREATOR],
    }  # fmt: skip


def test_whose_seat_opens_is_told_by_direct_message_and_mentioned() -> None:
    world = World()
    game_id = world.start()
    for _ in range(2):
        world.submit(game_id, ANN, "BID 0")
        world.ready(game_id, BOB)
        world.forget_mail()
        world.pass_deadline(game_id)
    (notice,) = [out for out in world.outbox(game_id) if out.payload.get("code") == "notice.seat_missed"]
    assert notice.payload["mentions"] == [CY]
    (private,) = [out for out in world.outbox(game_id) if out.kind == "seat_opened"]
    assert (private.target_id, private.payload) == (CY, {"power": BLUE, "missed": 2})


def test_a_phase_that_a_game_master_has_made_shorter_is_not_held_against_anybody() -> None:
    world = World()
    game_id = world.start()
    for _ in range(2):
        gm.set_deadline(world.context, game_id, CREATOR, is_manager=False, at="in 2m")
        world.pass_deadline(game_id)
    assert not any(seat.missed or seat.is_open for seat in world.seats(game_id))
    gm.extend(world.context, game_id, CREATOR, is_manager=False, by="1h")
    world.pass_deadline(game_id)
    assert all(seat.missed == 1 for seat in world.seats(game_id))


def test_whoever_is_out_hears_no_more_until_the_result() -> None:
    world = World()
    game_id = world.start()
    world.set_state(game_id, gold={"red": 4, "green": 4, "blue": 0})
    world.forget_mail()
    world.pass_deadline(game_id)
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)
    private = [(out.target_id, out.kind) for out in world.outbox(game_id) if out.target is Target.USER]
    assert private == [(ANN, "briefing"), (BOB, "briefing"), (CY, "result")]


@pytest.mark.parametrize("answer", ["BID 0", "DIG", "no such order"])
def test_whoever_sent_anything_has_not_missed_the_phase(answer: str) -> None:
    world = World()
    game_id = world.start()
    world.pass_deadline(game_id)
    world.submit(game_id, CY, answer)
    world.pass_deadline(game_id)
    assert (world.seat(game_id, BLUE).missed, world.seat(game_id, RED).missed) == (0, 2)


def test_whoever_comes_back_keeps_the_seat() -> None:
    world = World()
    game_id = world.start()
    world.pass_deadline(game_id)
    world.pass_deadline(game_id)
    assert world.seat(game_id, RED).is_open
    world.submit(game_id, ANN, "BID 0")
    seat = world.seat(game_id, RED)
    assert (seat.is_open, seat.missed) == (False, 0)
    assert world.kinds(game_id)[-1] == "notice.seat_kept"


def test_silence_counts_only_where_something_was_to_decide_and_time_was_given() -> None:
    world = World()
    game_id = world.start()
    gm.adjudicate_now(world.context, game_id, CREATOR, is_manager=False)
    assert {seat.missed for seat in world.seats(game_id)} == {0}
    world.set_state(game_id, phase={"kind": "tribute"}, debtors=["red"])
    world.pass_deadline(game_id)
    assert {seat.power: seat.missed for seat in world.seats(game_id)} == {RED: 1, GREEN: 0, BLUE: 0}


# Reminders


def test_only_who_is_missing_is_reminded_and_each_reminder_comes_once() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 1")
    world.ready(game_id, BOB)
    world.forget_mail()
    world.clock.advance(12 * HOUR)
    turns.sweep(world.context)
    turns.sweep(world.context)
    assert [(message.kind, message.target_id) for message in world.outbox(game_id)] == [("reminder", CY)]
    world.forget_mail()
    world.clock.advance(10 * HOUR)
    turns.sweep(world.context)
    turns.sweep(world.context)
    assert world.kinds(game_id) == ["reminder"], "the status post says who is missing"


def test_whom_no_direct_message_reaches_is_called_in_the_channel_at_the_last_reminder() -> None:
    world = World()
    game_id = world.start()
    world.storage.tables.seats[game_id, 3] = replace(world.seat(game_id, BLUE), dms_closed=True)
    world.forget_mail()
    world.clock.advance(23 * HOUR)
    turns.sweep(world.context)
    assert world.kinds(game_id) == ["reminder", "reminder", "reminder", "still_missing"]
    assert world.outbox(game_id)[-1].payload["powers"] == ["red", "green", "blue"]


def test_nobody_is_reminded_when_all_have_answered() -> None:
    world = World()
    game_id = world.start()
    for user_id in (ANN, BOB, CY):
        world.submit(game_id, user_id, "BID 1")
    world.forget_mail()
    world.clock.advance(23 * HOUR)
    turns.sweep(world.context)
    assert world.outbox(game_id) == []


def test_after_an_outage_only_the_last_call_is_made() -> None:
    world = World()
    game_id = world.start()
    world.forget_mail()
    world.clock.advance(23 * HOUR)
    turns.sweep(world.context)
    assert world.kinds(game_id) == ["reminder", "reminder", "reminder"]
    turns.sweep(world.context)
    assert len(world.outbox(game_id)) == 3


def test_phase_that_is_overdue_is_closed_without_reminders() -> None:
    world = World()
    game_id = world.start()
    world.forget_mail()
    world.clock.advance(DAY)
    turns.sweep(world.context)
    assert "reminder" not in world.kinds(game_id)


# The sweep


def test_sweep_arms_the_alarm_for_what_comes_soon() -> None:
    world = World()
    soon = world.start(name="soon", pace=Pace("4m"))
    later = world.start(name="later", pace=Pace("3d"))
    world.alarm.settings.clear()
    turns.sweep(world.context)
    assert world.alarm.settings == {soon: (1, NOON + timedelta(minutes=4))}
    assert later not in world.alarm.settings


def test_game_that_can_not_be_closed_does_not_stop_the_others(caplog: pytest.LogCaptureFixture) -> None:
    world = World()
    broken = world.start(name="broken")
    sound = world.start(name="sound")
    world.submit(broken, ANN, "BID 7")
    world.set_state(broken, gold="all of it")
    world.clock.advance(DAY)
    assert turns.sweep(world.context) == (sound,)
    assert f"game {broken} phase 1 could not be closed" in caplog.text
    assert "BID" not in caplog.text


def test_what_is_wrong_with_the_database_is_logged_as_that_and_not_as_a_fault(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise StorageUnavailable("database or disk is full")

    world = World()
    game_id = world.start()
    world.clock.advance(DAY)
    with monkeypatch.context() as patch:
        patch.setattr(turns, "close_phase", fail)
        patch.setattr(turns, "remind", fail)
        assert turns.sweep(world.context) == ()
    assert {(record.levelname, record.getMessage()) for record in caplog.records} == {
        ("WARNING", f"game {game_id} phase 1 has to wait: database or disk is full"),
        ("WARNING", f"game {game_id} phase 1: reminders have to wait: database or disk is full"),
    }
    assert turns.sweep(world.context) == (game_id,)


def test_fault_in_a_closing_is_logged_without_what_was_in_it(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("BID 7")

    world = World()
    game_id = world.start()
    world.clock.advance(DAY)
    monkeypatch.setattr(turns, "close_within", fail)
    monkeypatch.setattr(turns, "remind", fail)
    turns.sweep(world.context)
    assert f"game {game_id} phase 1 could not be closed: KeyError" in caplog.text
    assert f"game {game_id} phase 1: reminders could not be queued: KeyError" in caplog.text
    assert "BID" not in caplog.text


def test_closing_is_logged_in_one_line_without_orders(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 7")
    world.pass_deadline(game_id)
    (line,) = caplog.messages
    assert line.startswith(f"game {game_id} phase 1 1B closed (deadline), 3 seats, ")
    assert "BID" not in line


# Cost


def test_closing_costs_the_same_however_many_games_and_past_phases_there_are() -> None:
    world = World()
    game_id = world.start()

    def cost() -> int:
        for user_id in (ANN, BOB, CY):
            world.submit(game_id, user_id, "BID 0")
        before = world.storage.statements
        world.pass_deadline(game_id)
        return world.storage.statements - before

    early = [cost() for _ in range(4)]
    for number in range(100):
        world.start(name=f"game {number}", pace=Pace("60d"))
    late = [cost() for _ in range(40)][-4:]
    assert len(world.records(game_id)) > 60
    # Every second closing takes an idle phase with it.
    assert sorted(late) == sorted(early)


# Crashes


def _busy_world() -> tuple[World, GameId]:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 3")
    world.submit(game_id, BOB, "BID 2")
    world.forget_mail()
    world.clock.advance(DAY)
    return world, game_id


def test_crash_at_any_statement_of_a_closing_loses_and_doubles_nothing() -> None:
    world, _ = _busy_world()
    turns.sweep(world.context)
    whole = world.storage.tables.snapshot()
    statement = 0
    while True:
        statement += 1
        world, _ = _busy_world()
        world.storage.crash_before = world.storage.statements + statement
        try:
            turns.sweep(world.context)
        except Crash:
            world.storage.crash_before = None
            turns.sweep(world.context)
            assert world.storage.tables == whole, f"after a crash at statement {statement}"
        else:
            break
    assert statement > 15


def test_crash_while_the_last_one_gets_ready_leaves_all_or_nothing() -> None:
    statement = 0
    while True:
        statement += 1
        world = World()
        game_id = world.start()
        world.ready(game_id, ANN, BOB)
        world.storage.crash_before = world.storage.statements + statement
        try:
            orders.set_ready(world.context, game_id, CY, True)
        except Crash:
            assert not world.seat(game_id, BLUE).is_ready
            assert world.game(game_id).phase_no == 1
        else:
            break
    assert world.game(game_id).phase_no == 2
