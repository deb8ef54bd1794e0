"""What every unit of work promises: the fakes of the services' tests, SQLite and PostgreSQL alike."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from bot.model import (
    LONGEST_REST,
    Act,
    ActKind,
    Ballot,
    BallotKind,
    ClosedBecause,
    Delivery,
    Game,
    GameId,
    GameStatus,
    Mailbox,
    Outgoing,
    Pace,
    PhaseRecord,
    Proposal,
    Scenario,
    Seat,
    StoredSheet,
    Target,
    UserId,
)
from bot.ports import ReadsOnly, UnitOfWork, UnitOfWorkFactory
from engine.core.events import Event
from engine.core.ids import PowerId, SystemId
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import phrase

NOW = datetime(2026, 3, 29, 0, 30, 15, 123456, tzinfo=UTC)
AUSTRIA, ITALY = PowerId("austria"), PowerId("italy")


def a_game(**changes: Any) -> Game:
    game = Game(
        id=GameId(0),
        name="Sommer „Süd“",
        guild_id=2**62 + 1,
        channel_id=2**62 + 2,
        creator_id=UserId(11),
        game_masters=frozenset({UserId(11), UserId(2**62 + 3)}),
        system=SystemId("diplomacy"),
        variant="standard",
        players=7,
        options={"victory": 18, "press": "none", "anonymous": False},
        pace=Pace("mon,thu 19:00 Europe/Berlin", {"retreats": "1d"}, close_early=False),
        status=GameStatus.RUNNING,
        created_at=NOW,
        document={"format": 1, "seed": "secret", "state": {"units": [], "Z": 1, "a": None}},
        phase_no=4,
        phase_code="S1902M",
        opened_at=NOW - timedelta(days=1),
        deadline_at=NOW + timedelta(days=1),
        time_left_s=77,
        remind_at=NOW + timedelta(hours=12),
    )
    return replace(game, **changes)


def stored(unit_of_work: UnitOfWorkFactory, **changes: Any) -> Game:
    """A game that is in the storage."""
    with unit_of_work() as work:
        game = work.games.add(a_game(**changes))
        work.commit()
    return game


def found(unit_of_work: UnitOfWorkFactory, game_id: GameId) -> Game | None:
    with unit_of_work() as work:
        return work.games.find(game_id)


def a_sheet(game: Game, power: PowerId = AUSTRIA, **changes: Any) -> StoredSheet:
    orders = ("A BUD - SER",)
    return replace(StoredSheet(game.id, game.phase_no, power, ("bud ser",), orders, 1, NOW), **changes)


def a_record(game: Game, phase_no: int, **changes: Any) -> PhaseRecord:
    why = phrase("why.bounced", against=phrase("unit", at="SER"), places=("SER", "BUL"), strength=2)
    record = PhaseRecord(
        game_id=game.id,
        phase_no=phase_no,
        code=f"S{1900 + phase_no}M",
        start={"seed": "s", "b": 1, "a": [1, 2.5, None, True]},
        end={"seed": "s", "b": 2},
        sheets={AUSTRIA: a_sheet(game, phase_no=phase_no), ITALY: a_sheet(game, ITALY, phase_no=phase_no, orders=())},
        results=(OrderResult(AUSTRIA, None, "A BUD - SER", "BUD", Outcome.BOUNCES, why, frozenset({ITALY, AUSTRIA})),),
        events=(Event(phrase("event.over", winners=("italy",))), Event(phrase("event.spy"), frozenset({ITALY}))),
        rules_version="1",
        opened_at=NOW - timedelta(days=2),
        deadline_at=NOW - timedelta(minutes=5),
        closed_at=NOW,
        closed_because=ClosedBecause.DEADLINE,
        late_s=300,
        is_excused=True,
    )
    return replace(record, **changes)


def a_message(game: Game, **changes: Any) -> Outgoing:
    message = Outgoing(
        id=0,
        game_id=game.id,
        phase_no=game.phase_no,
        target=Target.CHANNEL,
        target_id=game.channel_id,
        kind="phase_closed",
        payload={"phase_no": 4, "powers": ["austria"]},
        created_at=NOW,
        not_before=NOW,
    )
    return replace(message, **changes)


# Games


def test_a_game_comes_back_as_it_was_stored(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    assert game.id > 0
    assert found(unit_of_work, game.id) == game
    assert game == replace(a_game(), id=game.id, token=game.token)


def test_every_game_has_a_token_of_its_own(unit_of_work: UnitOfWorkFactory) -> None:
    first, second = stored(unit_of_work), stored(unit_of_work)
    moved = stored(unit_of_work, token="g123")
    assert len({first.token, second.token, "", moved.token}) == 4
    with unit_of_work() as work:
        assert work.games.find_by_token(second.token) == second.id
        assert work.games.find_by_token("g123") == moved.id
        assert work.games.find_by_token("g124") is None


def test_the_token_of_a_game_never_changes(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work, has_numbered_buttons=True)
    other = replace(game, token="g5", has_numbered_buttons=False)
    with unit_of_work() as work:
        work.games.update(other)
        work.games.advance(other, expected_phase_no=4)
        work.commit()
    assert found(unit_of_work, game.id) == game


def test_a_game_in_the_lobby_has_nothing_of_a_phase(unit_of_work: UnitOfWorkFactory) -> None:
    nothing = dict.fromkeys(("document", "opened_at", "deadline_at", "time_left_s", "remind_at"))
    game = stored(unit_of_work, status=GameStatus.LOBBY, phase_no=0, phase_code="", **nothing)
    assert found(unit_of_work, game.id) == game


def test_the_keys_of_a_document_keep_their_order(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work, document={"b": 1, "a": {"y": 1, "x": 2}})
    document = getattr(found(unit_of_work, game.id), "document", None)
    assert document is not None
    assert [list(document), list(document["a"])] == [["b", "a"], ["y", "x"]]


SCENARIO = Scenario("Süd", "Hic sunt", "sued.json", {AUSTRIA: "Österreich", ITALY: "Italia"}, '{"name": "Süd"}\r\n')


def test_a_scenario_is_kept_to_the_letter_and_in_order(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work, scenario=SCENARIO)
    kept = getattr(found(unit_of_work, game.id), "scenario", None)
    assert kept == SCENARIO
    assert list(kept.powers) == [AUSTRIA, ITALY]


def test_a_scenario_is_listed_without_its_text(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work, scenario=SCENARIO)
    with unit_of_work() as work:
        work.games.save_seat(Seat(game.id, 1, AUSTRIA, UserId(7)))
        listed = [*work.games.in_guild(game.guild_id), *work.games.of_user(UserId(7))]
        assert [other.scenario for other in listed] == [replace(SCENARIO, text=None)] * 2
        assert work.games.find(game.id) == game


def test_a_scenario_never_changes(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work, scenario=SCENARIO)
    with unit_of_work() as work:
        work.games.update(replace(game, scenario=None))
        assert work.games.advance(replace(game, scenario=None), expected_phase_no=game.phase_no)
        work.commit()
    assert found(unit_of_work, game.id) == game


def test_ids_of_games_differ(unit_of_work: UnitOfWorkFactory) -> None:
    assert len({stored(unit_of_work).id for _ in range(3)}) == 3


def test_nobody_finds_a_game_that_is_not_there(unit_of_work: UnitOfWorkFactory) -> None:
    assert found(unit_of_work, GameId(99)) is None


def test_update_leaves_the_phase_alone(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    changed = a_game(id=game.id, name="New", status=GameStatus.PAUSED, document=None, phase_no=9, deadline_at=None)
    with unit_of_work() as work:
        work.games.update(replace(changed, phase_code="x", opened_at=None, time_left_s=None, remind_at=None))
        assert work.games.find(game.id) == replace(game, name="New", status=GameStatus.PAUSED)
        work.commit()
    assert found(unit_of_work, game.id) == replace(game, name="New", status=GameStatus.PAUSED)


def test_advance_stores_everything(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    after = replace(
        game,
        name="Later",
        document={"format": 1},
        phase_no=5,
        phase_code="S1902R",
        deadline_at=None,
        time_left_s=None,
        remind_at=None,
    )
    with unit_of_work() as work:
        assert work.games.advance(after, expected_phase_no=4)
        assert work.games.find(game.id) == after
        work.commit()
    assert found(unit_of_work, game.id) == after


def test_advance_from_another_phase_does_nothing(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    with unit_of_work() as work:
        assert not work.games.advance(replace(game, phase_no=5, name="x"), expected_phase_no=3)
        work.commit()
    assert found(unit_of_work, game.id) == game


def test_advance_of_an_unknown_game_does_nothing(unit_of_work: UnitOfWorkFactory) -> None:
    with unit_of_work() as work:
        assert not work.games.advance(a_game(id=GameId(99)), expected_phase_no=4)


def test_of_many_that_advance_at_once_exactly_one_does(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    told: list[bool] = []
    barrier = threading.Barrier(4)

    def advance() -> None:
        barrier.wait()
        with unit_of_work() as work:
            told.append(work.games.advance(replace(game, phase_no=5), expected_phase_no=4))
            work.commit()

    threads = [threading.Thread(target=advance) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == [False, False, False, True]


def test_who_finds_a_game_holds_it_until_the_end(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    seen: list[int] = []
    started = threading.Event()

    def look() -> None:
        started.set()
        with unit_of_work() as work:
            seen.append(getattr(work.games.find(game.id), "phase_no", 0))

    with unit_of_work() as work:
        work.games.find(game.id)
        thread = threading.Thread(target=look)
        thread.start()
        started.wait()
        thread.join(0.2)
        assert seen == []
        work.games.advance(replace(game, phase_no=5), expected_phase_no=4)
        work.commit()
    thread.join()
    assert seen == [5]


def test_games_of_a_server_are_listed_newest_first_without_documents(unit_of_work: UnitOfWorkFactory) -> None:
    old = stored(unit_of_work, created_at=NOW - timedelta(days=9), status=GameStatus.OVER)
    new = stored(unit_of_work)
    twin = stored(unit_of_work)
    stored(unit_of_work, guild_id=5)
    with unit_of_work() as work:
        listed = work.games.in_guild(old.guild_id)
    assert list(listed) == [replace(game, document=None) for game in (twin, new, old)]


def test_games_of_a_channel_are_listed_newest_first_without_documents(unit_of_work: UnitOfWorkFactory) -> None:
    old = stored(unit_of_work, created_at=NOW - timedelta(days=9), status=GameStatus.CANCELLED)
    new = stored(unit_of_work)
    stored(unit_of_work, channel_id=5)
    with unit_of_work() as work:
        listed = work.games.in_channel(old.channel_id)
    assert list(listed) == [replace(game, document=None) for game in (new, old)]


def test_a_listing_does_not_hide_the_document_from_who_looks_next(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    with unit_of_work() as work:
        work.games.in_guild(game.guild_id)
        assert work.games.find(game.id) == game
        assert work.games.in_guild(game.guild_id)[0].document is None


def test_a_player_sees_the_unfinished_games_by_deadline(unit_of_work: UnitOfWorkFactory) -> None:
    lobby = stored(unit_of_work, status=GameStatus.LOBBY, deadline_at=None)
    late = stored(unit_of_work, deadline_at=NOW + timedelta(days=3))
    paused = stored(unit_of_work, status=GameStatus.PAUSED, deadline_at=None)
    soon = stored(unit_of_work)
    over = stored(unit_of_work, status=GameStatus.OVER)
    cancelled = stored(unit_of_work, status=GameStatus.CANCELLED)
    with unit_of_work() as work:
        for game in (lobby, late, paused, soon, over, cancelled):
            work.games.save_seat(Seat(game.id, 1, AUSTRIA, UserId(7)))
        work.games.save_seat(Seat(soon.id, 2, ITALY, UserId(8)))
        assert [game.id for game in work.games.of_user(UserId(7))] == [soon.id, late.id, lobby.id, paused.id]
        assert list(work.games.of_user(UserId(8))) == [replace(soon, document=None)]
        assert list(work.games.of_user(UserId(9))) == []


def test_a_player_sees_the_finished_games_the_last_first(unit_of_work: UnitOfWorkFactory) -> None:
    first = stored(unit_of_work, status=GameStatus.OVER, opened_at=NOW)
    last = stored(unit_of_work, status=GameStatus.OVER, opened_at=NOW + timedelta(days=3))
    second = stored(unit_of_work, status=GameStatus.OVER, opened_at=NOW + timedelta(days=1))
    cancelled = stored(unit_of_work, status=GameStatus.CANCELLED, opened_at=None)
    running = stored(unit_of_work)
    with unit_of_work() as work:
        for game in (first, last, second, cancelled, running):
            work.games.save_seat(Seat(game.id, 1, AUSTRIA, UserId(7)))
        found = work.games.finished_of_user(UserId(7))
        assert list(found) == [replace(game, document=None) for game in (last, second, first, cancelled)]
        assert list(work.games.finished_of_user(UserId(8))) == []


def test_due_are_running_games_whose_deadline_has_come_most_overdue_first(unit_of_work: UnitOfWorkFactory) -> None:
    second = stored(unit_of_work, deadline_at=NOW)
    first = stored(unit_of_work, deadline_at=NOW - timedelta(hours=1), phase_no=8)
    stored(unit_of_work, deadline_at=NOW + timedelta(microseconds=1))
    stored(unit_of_work, deadline_at=NOW, status=GameStatus.PAUSED)
    stored(unit_of_work, deadline_at=None)
    with unit_of_work() as work:
        assert list(work.games.due(NOW)) == [(first.id, 8), (second.id, 4)]


def test_a_deadline_in_another_zone_is_the_same_moment(unit_of_work: UnitOfWorkFactory) -> None:
    berlin = timezone(timedelta(hours=2))
    game = stored(unit_of_work, deadline_at=NOW.astimezone(berlin))
    with unit_of_work() as work:
        assert list(work.games.due(NOW.astimezone(berlin))) == [(game.id, 4)]
        assert list(work.games.due(NOW - timedelta(seconds=1))) == []
        again = work.games.find(game.id)
    assert again is not None
    assert again.deadline_at == NOW


def test_a_time_without_a_zone_is_refused(unit_of_work: UnitOfWorkFactory) -> None:
    with unit_of_work() as work, pytest.raises(Exception, match=r"zone|naive"):
        work.games.add(a_game(deadline_at=NOW.replace(tzinfo=None)))


def test_to_remind_are_running_games_whose_reminder_has_come(unit_of_work: UnitOfWorkFactory) -> None:
    second = stored(unit_of_work, remind_at=NOW)
    first = stored(unit_of_work, remind_at=NOW - timedelta(hours=1), phase_no=8)
    stored(unit_of_work, remind_at=NOW + timedelta(seconds=1))
    stored(unit_of_work, remind_at=NOW, status=GameStatus.OVER)
    stored(unit_of_work, remind_at=None)
    with unit_of_work() as work:
        assert list(work.games.to_remind(NOW)) == [(first.id, 8), (second.id, 4)]


def test_deadlines_are_those_of_running_games_in_order(unit_of_work: UnitOfWorkFactory) -> None:
    late = stored(unit_of_work, deadline_at=NOW + timedelta(days=3))
    soon = stored(unit_of_work)
    stored(unit_of_work, deadline_at=None)
    stored(unit_of_work, status=GameStatus.OVER)
    with unit_of_work() as work:
        deadlines = work.games.deadlines()
    assert list(deadlines) == [(soon.id, 4, soon.deadline_at), (late.id, 4, late.deadline_at)]


# Seats


def test_seats_are_listed_by_number_and_saved_whole(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    other = stored(unit_of_work)
    second = Seat(game.id, 2, None, UserId(2**62 + 9), wish=ITALY)
    first = Seat(game.id, 1, AUSTRIA, None, is_ready=True, missed=2, is_open=True, dms_closed=True)
    with unit_of_work() as work:
        for seat in (second, first, Seat(other.id, 1, None, UserId(2**62 + 9))):
            work.games.save_seat(seat)
        work.commit()
    with unit_of_work() as work:
        assert list(work.games.seats(game.id)) == [first, second]
        changed = replace(second, power=ITALY, wish=None, is_ready=True)
        work.games.save_seat(changed)
        assert list(work.games.seats(game.id)) == [first, changed]
        work.games.remove_seat(game.id, 1)
        assert list(work.games.seats(game.id)) == [changed]
        assert len(work.games.seats(other.id)) == 1


# Sheets


def test_a_sheet_comes_back_as_it_was_saved(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    sheet = a_sheet(game, typed=("bud – ser\nfünf \x00 \U0001f600", "", "x" * 4000), orders=())
    with unit_of_work() as work:
        work.sheets.save(sheet)
        work.commit()
    with unit_of_work() as work:
        assert work.sheets.find(game.id, 4, AUSTRIA) == sheet
        assert work.sheets.find(game.id, 4, ITALY) is None
        assert work.sheets.find(game.id, 3, AUSTRIA) is None


def test_a_sheet_saved_again_replaces_the_first(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    second = a_sheet(game, typed=("bud ser", "bud rum"), orders=("A BUD - RUM",), version=2)
    with unit_of_work() as work:
        work.sheets.save(a_sheet(game))
        assert work.sheets.find(game.id, 4, AUSTRIA) == a_sheet(game)
        work.sheets.save(second)
        assert work.sheets.find(game.id, 4, AUSTRIA) == second


def test_sheets_of_a_phase_are_those_of_that_phase(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    with unit_of_work() as work:
        for sheet in (a_sheet(game, ITALY), a_sheet(game), a_sheet(game, phase_no=3)):
            work.sheets.save(sheet)
        assert work.sheets.of_phase(game.id, 4) == {AUSTRIA: a_sheet(game), ITALY: a_sheet(game, ITALY)}
        assert work.sheets.of_phase(game.id, 5) == {}


# Phases


def test_a_closed_phase_comes_back_whole(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    record = a_record(game, 1)
    with unit_of_work() as work:
        work.phases.add(record)
        work.commit()
    with unit_of_work() as work:
        assert work.phases.find(game.id, 1) == record
        assert work.phases.find(game.id, 2) is None


def test_phases_are_listed_in_order_and_undone_ones_are_kept(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    with unit_of_work() as work:
        for phase_no in (2, 1, 3):
            work.phases.add(a_record(game, phase_no, deadline_at=None))
        work.phases.mark_undone(game.id, from_phase_no=2)
        work.phases.add(a_record(game, 4))
        assert [(record.phase_no, record.is_undone) for record in work.phases.of_game(game.id)] == [
            (1, False), (2, True), (3, True), (4, False)
        ]  # fmt: skip
        assert list(work.phases.codes(game.id)) == [(1, "S1901M"), (4, "S1904M")]
        assert [work.phases.number_before(game.id, number) for number in (1, 4, 9)] == [0, 3, 4]
        undone = work.phases.find(game.id, 3)
    assert undone == a_record(game, 3, deadline_at=None, is_undone=True)


def test_a_phase_is_stored_once(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    with unit_of_work() as work:
        work.phases.add(a_record(game, 1))
        work.commit()
    with unit_of_work() as work, pytest.raises(Exception, match=r"(?i)unique|already"):
        work.phases.add(a_record(game, 1))


# The outbox


def test_a_message_comes_back_as_it_was_queued(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    with unit_of_work() as work:
        message = work.outbox.add(a_message(game))
        work.commit()
    assert message.id > 0
    with unit_of_work() as work:
        assert work.outbox.find(message.id) == message == a_message(game, id=message.id)
        assert work.outbox.find(message.id + 1) is None


def test_what_became_of_a_message_is_kept(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    with unit_of_work() as work:
        message = work.outbox.add(a_message(game))
        sent = replace(message, delivery=Delivery.SENT, attempts=3, message_id=2**62, error="503", not_before=NOW)
        work.outbox.update(sent)
        assert work.outbox.find(message.id) == sent


def test_pending_is_in_the_order_queued_and_leaves_out_what_must_wait(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    with unit_of_work() as work:
        add = work.outbox.add
        first = add(a_message(game, target=Target.USER, target_id=1))
        add(a_message(game, target=Target.USER, target_id=2, not_before=NOW + timedelta(seconds=1)))
        add(a_message(game, target=Target.USER, target_id=3, delivery=Delivery.FAILED))
        add(a_message(game, target=Target.USER, target_id=4, delivery=Delivery.SENT))
        last = add(a_message(game))
        assert list(work.outbox.pending(NOW)) == [first, last]
        assert list(work.outbox.pending(NOW, limit=1)) == [first]


def test_what_was_put_off_by_a_clock_that_ran_ahead_is_pending(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    with unit_of_work() as work:
        message = work.outbox.add(a_message(game, not_before=NOW + LONGEST_REST + timedelta(seconds=1)))
        assert list(work.outbox.pending(NOW)) == [message]
        assert list(work.outbox.pending(NOW + timedelta(seconds=1))) == []


def test_a_message_waits_for_earlier_ones_to_the_same_target(unit_of_work: UnitOfWorkFactory) -> None:
    game, other = stored(unit_of_work), stored(unit_of_work)
    with unit_of_work() as work:
        first = work.outbox.add(a_message(game))
        second = work.outbox.add(a_message(game, kind="phase_opened"))
        elsewhere = work.outbox.add(a_message(other))
        to_user = work.outbox.add(a_message(game, target=Target.USER))
        assert list(work.outbox.pending(NOW)) == [first, elsewhere, to_user]
        # Put off, it still is the one that the second waits for.
        work.outbox.update(replace(first, not_before=NOW + timedelta(hours=1)))
        assert list(work.outbox.pending(NOW)) == [elsewhere, to_user]
        work.outbox.update(replace(first, delivery=Delivery.FAILED))
        assert list(work.outbox.pending(NOW)) == [second, elsewhere, to_user]


def test_messages_of_a_game_are_listed_oldest_first(unit_of_work: UnitOfWorkFactory) -> None:
    game, other = stored(unit_of_work), stored(unit_of_work)
    with unit_of_work() as work:
        first = work.outbox.add(a_message(game))
        work.outbox.add(a_message(other))
        second = work.outbox.add(a_message(game, delivery=Delivery.SENT))
        assert list(work.outbox.of_game(game.id)) == [first, second]
        assert list(work.outbox.of_game(game.id, delivery=Delivery.SENT)) == [second]
        third = work.outbox.add(a_message(game, kind="notice"))
        assert list(work.outbox.of_game(game.id, kind="notice")) == [third]


# Votes


def test_how_far_a_message_got_is_kept(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    with unit_of_work() as work:
        message = work.outbox.add(a_message(game))
        tried = replace(message, attempts=2, faults=1, tried_at=NOW, composed=[{"content": "„Süd“", "embeds": []}])
        work.outbox.update(tried)
        work.commit()
    with unit_of_work() as work:
        assert work.outbox.find(message.id) == tried
        work.outbox.update(replace(tried, composed=None))
        assert work.outbox.find(message.id) == replace(tried, composed=None)


# What was seen to of direct messages


def test_a_mailbox_comes_back_as_it_was_kept(unit_of_work: UnitOfWorkFactory) -> None:
    with unit_of_work() as work:
        assert work.mailboxes.find(UserId(7)) is None
        work.mailboxes.save(Mailbox(UserId(7)))
        work.commit()
    whole = Mailbox(UserId(7), channel_id=2**62, taken_id=2**62 + 1, answered_id=2**62 + 2)
    with unit_of_work() as work:
        assert work.mailboxes.find(UserId(7)) == Mailbox(UserId(7))
        work.mailboxes.save(whole)
        work.commit()
    with unit_of_work() as work:
        assert work.mailboxes.find(UserId(7)) == whole


def test_players_of_games_that_go_on_are_listed_once_by_their_first_deadline(unit_of_work: UnitOfWorkFactory) -> None:
    late, soon = NOW + timedelta(days=9), NOW + timedelta(hours=1)
    games = {
        "late": stored(unit_of_work, deadline_at=late),
        "soon": stored(unit_of_work, deadline_at=soon),
        "paused": stored(unit_of_work, status=GameStatus.PAUSED, deadline_at=None),
        "lobby": stored(unit_of_work, status=GameStatus.LOBBY, deadline_at=None),
        "over": stored(unit_of_work, status=GameStatus.OVER, deadline_at=None),
    }
    seats = {"late": (1, 2, 3), "soon": (3,), "paused": (2, 4), "lobby": (5,), "over": (6,)}
    with unit_of_work() as work:
        for name, users in seats.items():
            for number, user in enumerate(users, start=1):
                work.games.save_seat(Seat(games[name].id, number, AUSTRIA, UserId(user)))
        work.games.save_seat(Seat(games["late"].id, 9, ITALY, None))
        work.commit()
    with unit_of_work() as work:
        assert work.games.players() == (3, 1, 2, 4)


@pytest.mark.parametrize("status", GameStatus)
def test_what_is_played_are_the_systems_of_games_that_are_not_over(
    unit_of_work: UnitOfWorkFactory, status: GameStatus
) -> None:
    with unit_of_work() as work:
        assert work.games.systems() == frozenset()
    for system in ("kregen", "kregen", "feudal"):
        stored(unit_of_work, status=status, system=SystemId(system), deadline_at=None)
    with unit_of_work() as work:
        is_over = status in (GameStatus.OVER, GameStatus.CANCELLED)
        assert work.games.systems() == (set() if is_over else {"kregen", "feudal"})


# Facts


def test_a_fact_is_exchanged_only_for_the_one_expected(unit_of_work: UnitOfWorkFactory) -> None:
    with unit_of_work() as work:
        assert work.facts.find("announcer") is None
        assert not work.facts.swap("announcer", "", "mine")
        assert work.facts.swap("announcer", None, "mine")
        assert not work.facts.swap("announcer", None, "yours")
        work.commit()
    with unit_of_work() as work:
        assert work.facts.find("announcer") == "mine"
        assert not work.facts.swap("announcer", "yours", "theirs")
        assert work.facts.swap("announcer", "mine", "theirs")
    with unit_of_work() as work:
        assert work.facts.find("announcer") == "mine"


def an_act(game: Game, **changes: Any) -> Act:
    return replace(Act(game.id, 4, 1, UserId(7), ActKind.CHOICE, "7 JAD", NOW), **changes)


def test_acts_come_by_phase_and_number_and_none_takes_anothers_place(unit_of_work: UnitOfWorkFactory) -> None:
    game, other = stored(unit_of_work), stored(unit_of_work)
    kept = [an_act(game), an_act(game, number=2), an_act(game, phase_no=5, kind=ActKind.EDIT, text="gold ² 3")]
    with unit_of_work() as work:
        for act in (*reversed(kept), an_act(other)):
            work.acts.add(act)
        assert list(work.acts.of_game(game.id)) == kept
        work.commit()
    with unit_of_work() as work, pytest.raises(Exception, match=r"(?i)unique|duplicate|another act"):
        work.acts.add(an_act(game, text="8 JAD"))
    with unit_of_work(reading=True) as work:
        assert list(work.acts.of_game(game.id)) == kept


def test_a_vote_replaces_the_seats_earlier_one_of_its_kind(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    concession = Ballot(game.id, 4, AUSTRIA, BallotKind.CONCESSION, True, winner=ITALY)
    with unit_of_work() as work:
        for ballot in (
            Ballot(game.id, 4, ITALY, BallotKind.DRAW, True),
            Ballot(game.id, 4, AUSTRIA, BallotKind.DRAW, True),
            concession,
            Ballot(game.id, 3, AUSTRIA, BallotKind.DRAW, True),
            Ballot(game.id, 4, AUSTRIA, BallotKind.DRAW, False),
        ):
            work.ballots.cast(ballot)
        assert list(work.ballots.of_phase(game.id, 4)) == [
            concession,
            Ballot(game.id, 4, AUSTRIA, BallotKind.DRAW, False),
            Ballot(game.id, 4, ITALY, BallotKind.DRAW, True),
        ]


def test_what_is_proposed_stays_as_it_was_proposed(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    draw = Proposal(game.id, 4, BallotKind.DRAW, None, {AUSTRIA: UserId(2**62), ITALY: None})
    concession = Proposal(game.id, 4, BallotKind.CONCESSION, ITALY, {AUSTRIA: UserId(1)})
    with unit_of_work() as work:
        for proposal in (draw, concession, replace(draw, voters={}), replace(draw, phase_no=3)):
            work.ballots.propose(proposal)
        assert list(work.ballots.proposals(game.id, 4)) == [concession, draw]


# The transaction


def test_leaving_without_commit_undoes_everything(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    with unit_of_work() as work:
        work.games.advance(replace(game, phase_no=5), expected_phase_no=4)
        work.games.save_seat(Seat(game.id, 1, None, UserId(1)))
        work.sheets.save(a_sheet(game))
        work.phases.add(a_record(game, 4))
        message = work.outbox.add(a_message(game))
        work.ballots.cast(Ballot(game.id, 4, AUSTRIA, BallotKind.DRAW, True))
    with unit_of_work() as work:
        assert work.games.find(game.id) == game
        assert list(work.games.seats(game.id)) == []
        assert work.sheets.of_phase(game.id, 4) == {}
        assert list(work.phases.of_game(game.id)) == []
        assert work.outbox.find(message.id) is None
        assert list(work.ballots.of_phase(game.id, 4)) == []


def test_an_exception_undoes_everything_and_goes_on_its_way(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)

    def fail() -> None:
        with unit_of_work() as work:
            work.sheets.save(a_sheet(game))
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    with unit_of_work() as work:
        assert work.sheets.of_phase(game.id, 4) == {}


def test_what_comes_after_the_commit_is_another_transaction(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    with unit_of_work() as work:
        work.sheets.save(a_sheet(game))
        work.commit()
        work.sheets.save(a_sheet(game, ITALY))
    with unit_of_work() as work:
        assert list(work.sheets.of_phase(game.id, 4)) == [AUSTRIA]


def test_units_of_work_do_not_nest(unit_of_work: UnitOfWorkFactory) -> None:
    with ExitStack() as stack:
        stack.enter_context(unit_of_work())
        with pytest.raises(RuntimeError, match="unit of work"):
            stack.enter_context(unit_of_work())
    with unit_of_work() as work:
        assert list(work.games.deadlines()) == []


# Units of work that only read


def test_who_reads_waits_for_nobody_and_sees_one_moment(unit_of_work: UnitOfWorkFactory) -> None:
    game = stored(unit_of_work)
    with ThreadPoolExecutor(1) as threads:
        with unit_of_work() as writing:
            writing.games.find(game.id)
            writing.games.update(replace(game, name="Changed"))
            assert threads.submit(read_name, unit_of_work, game.id).result(timeout=60) == game.name
            writing.commit()
        with unit_of_work(reading=True) as reading:
            found_first = reading.games.find(game.id)
            threads.submit(rename, unit_of_work, replace(game, name="Again")).result(timeout=60)
            assert reading.games.find(game.id) == found_first
    assert read_name(unit_of_work, game.id) == "Again"


def read_name(unit_of_work: UnitOfWorkFactory, game_id: GameId) -> str:
    with unit_of_work(reading=True) as unit:
        game = unit.games.find(game_id)
    assert game is not None
    return game.name


def rename(unit_of_work: UnitOfWorkFactory, game: Game) -> None:
    with unit_of_work() as unit:
        unit.games.update(game)
        unit.commit()


CHANGES: dict[str, Callable[[UnitOfWork, Game], object]] = {
    "games.add": lambda unit, game: unit.games.add(game),
    "games.update": lambda unit, game: unit.games.update(game),
    "games.advance": lambda unit, game: unit.games.advance(game, expected_phase_no=game.phase_no),
    "games.save_seat": lambda unit, game: unit.games.save_seat(Seat(game.id, 1, AUSTRIA, UserId(1))),
    "games.remove_seat": lambda unit, game: unit.games.remove_seat(game.id, 1),
    "sheets.save": lambda unit, game: unit.sheets.save(StoredSheet(game.id, 4, AUSTRIA, (), (), 1, NOW)),
    "phases.mark_undone": lambda unit, game: unit.phases.mark_undone(game.id, from_phase_no=1),
    "acts.add": lambda unit, game: unit.acts.add(an_act(game)),
    "ballots.cast": lambda unit, game: unit.ballots.cast(Ballot(game.id, 4, AUSTRIA, BallotKind.DRAW, True)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_who_reads_changes_nothing(unit_of_work: UnitOfWorkFactory, change: str) -> None:
    game = stored(unit_of_work)
    with unit_of_work(reading=True) as unit, pytest.raises(ReadsOnly):
        CHANGES[change](unit, replace(game, name="Changed"))
    with unit_of_work(reading=True) as unit:
        unit.commit()
    assert found(unit_of_work, game.id) == game
