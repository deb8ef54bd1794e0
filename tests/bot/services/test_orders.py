"""Orders from a text to the stored sheet, and what the receipt says."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text

from bot.model import KEPT_CHARACTERS, KEPT_TEXTS, KEPT_VERSIONS, GameStatus, Pace, UserId
from bot.services import gm, lobby, orders, transfer
from bot.services.arrivals import Arrival, ByMessage
from bot.services.orders import LONGEST_TEXT
from bot.services.sheets import SubmitMode
from bot.storage import Database
from engine.core.ids import SystemId
from engine.core.orders import names_of
from engine.registry import systems
from tests.bot.services.refusals import refusal, refused_code
from tests.bot.services.world import ANN, BOB, CHANNEL, CREATOR, CY, DAN, DAY, GUILD, NOON, RED, World


def test_receipt_says_what_stands_what_was_refused_and_what_is_missing() -> None:
    world = World()
    game_id = world.start()
    receipt = world.submit(game_id, ANN, "bid 8\nPEEK purple # who?\n\nPEEK  Green")
    assert receipt.orders == ("BID 8", "PEEK green")
    assert [(error.line, error.code) for error in receipt.errors] == [(2, "bad_argument")]
    assert [advice.line for advice in receipt.advice] == [1]
    assert names_of(receipt.missing) == ("DIG",)
    assert (receipt.version, receipt.changed, receipt.is_ready, receipt.closed) == (1, True, False, False)
    assert (receipt.power, receipt.phase_no, receipt.deadline_at) == (RED, 1, NOON + DAY)
    assert receipt.game.document is None


def test_sheet_keeps_orders_as_read_and_everything_as_typed() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, " bid 3 ")
    world.submit(game_id, ANN, "nonsense")
    world.submit(game_id, ANN, "DIG\nbid 4")
    sheet = world.sheet(game_id, RED)
    assert sheet is not None
    assert sheet.orders == ("BID 4", "DIG")
    assert sheet.typed == (" bid 3 ", "nonsense", "DIG\nbid 4")
    assert sheet.version == 2


def test_message_counts_from_when_it_was_sent_though_its_deadline_has_passed_since() -> None:
    world = World()
    game_id = world.start()
    world.clock.moment = NOON + DAY + timedelta(seconds=5)
    sent = Arrival(NOON + DAY - timedelta(seconds=1), message=ByMessage(77))
    assert world.submit(game_id, ANN, "BID 3", arrival=sent).orders == ("BID 3",)
    sheet = world.sheet(game_id, RED)
    assert sheet is not None
    assert sheet.accepted_at == sent.at
    assert world.storage.tables.mailboxes[ANN].taken_id == 77
    assert refused_code(world.submit, game_id, ANN, "BID 4", arrival=replace(sent, at=NOON + DAY)) == "deadline_passed"
    assert refused_code(world.submit, game_id, ANN, "BID 4") == "deadline_passed"


def test_what_is_cleared_and_put_back_counts_from_when_that_was_asked() -> None:
    """By Discord's time stamp: a clock that ran ahead would have missed messages taken for older ones."""
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 3")
    asked_at = NOON + timedelta(hours=1)
    world.clock.moment = NOON + timedelta(hours=7)
    cleared = orders.clear(world.context, game_id, ANN, arrival=Arrival(asked_at))
    sheet = world.sheet(game_id, RED)
    assert sheet is not None
    assert sheet.accepted_at == asked_at
    assert not cleared.orders
    orders.undo_clear(world.context, game_id, ANN, str(sheet.version), arrival=Arrival(asked_at))
    world.clock.moment = NOON + timedelta(hours=2)
    sent = Arrival(NOON + timedelta(hours=1, minutes=30), message=ByMessage(77, was_missed=True))
    assert world.submit(game_id, ANN, "BID 4", arrival=sent).orders == ("BID 4",)


def test_missed_message_from_before_orders_that_stand_changes_nothing() -> None:
    world = World()
    game_id = world.start()
    world.clock.advance(timedelta(hours=2))
    world.submit(game_id, ANN, "BID 3")
    sent = Arrival(NOON + timedelta(hours=1), message=ByMessage(77, was_missed=True))
    assert refused_code(world.submit, game_id, ANN, "BID 4", arrival=sent) == "newer_orders"
    assert world.submit(game_id, BOB, "BID 4", arrival=sent).orders == ("BID 4",)


def test_a_message_counts_in_a_phase_that_a_clock_that_ran_ahead_has_opened() -> None:
    """The clock is right again: whoever writes now writes in the present phase, though it seems to open only later."""
    world = World()
    game_id = world.start()
    world.clock.moment = NOON - timedelta(hours=1)
    sent = Arrival(world.clock.now(), message=ByMessage(77))
    assert (
        refused_code(world.submit, game_id, ANN, "BID 3", arrival=replace(sent, message=ByMessage(77, was_missed=True)))
        == "phase_over"
    )
    assert world.submit(game_id, ANN, "BID 3", arrival=sent).orders == ("BID 3",)
    world.clock.moment = NOON + timedelta(hours=1)
    assert refused_code(world.submit, game_id, BOB, "BID 3", arrival=sent) == "phase_over"


def test_new_orders_are_put_in_and_the_rest_stands() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 3\nDIG")
    assert world.submit(game_id, ANN, "BID 4").orders == ("BID 4", "DIG")


def test_whole_sheet_is_replaced_if_asked_for() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 3\nDIG")
    assert world.submit(game_id, ANN, "PEEK blue", mode=SubmitMode.REPLACE).orders == ("PEEK blue",)


@pytest.mark.parametrize("mode", SubmitMode)
def test_text_whose_every_line_is_refused_changes_nothing(mode: SubmitMode) -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 3")
    world.ready(game_id, ANN)
    receipt = world.submit(game_id, ANN, "BID 99\nsing", mode=mode)
    assert receipt.orders == ("BID 3",)
    assert (receipt.version, receipt.changed, receipt.is_ready) == (1, False, True)
    assert {error.code for error in receipt.errors} == {"too_much", "unknown_verb"}


@pytest.mark.parametrize("text", ["", "  \n ", "# BID 3", "#\n\n# DIG"])
@pytest.mark.parametrize("mode", SubmitMode)
def test_text_without_any_order_is_refused_and_nothing_changes(mode: SubmitMode, text: str) -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 3")
    error = refusal(world.submit, game_id, ANN, text, mode=mode)
    assert error.what.code == "refused.no_orders"
    assert error.hint is not None
    assert orders.show(world.context, game_id, ANN).orders == ("BID 3",)


def test_endless_text_is_refused() -> None:
    world = World()
    game_id = world.start()
    assert refused_code(world.submit, game_id, ANN, "BID 1\n" * LONGEST_TEXT) == "text_too_long"


def test_changed_orders_are_no_longer_ready_and_the_receipt_says_so() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 3")
    world.ready(game_id, ANN)
    same = world.submit(game_id, ANN, "BID 3")
    assert (same.changed, same.is_ready, same.is_unready) == (False, True, False)
    other = world.submit(game_id, ANN, "BID 2")
    assert (other.changed, other.is_ready, other.is_unready) == (True, False, True)
    assert not world.seat(game_id, RED).is_ready


def test_orders_taken_back_leave_an_empty_sheet_and_nobody_ready() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 3")
    world.ready(game_id, ANN)
    receipt = orders.clear(world.context, game_id, ANN)
    assert (receipt.orders, receipt.changed, receipt.is_ready, receipt.is_unready) == ((), True, False, True)
    again = orders.clear(world.context, game_id, ANN)
    assert (again.changed, again.version) == (False, 2)


def test_orders_after_the_deadline_are_refused_told_so_and_change_nothing() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 3")
    world.clock.advance(DAY)
    before = world.storage.tables.snapshot()
    for call, arguments in (
        (world.submit, (game_id, ANN, "BID 4")),
        (orders.clear, (world.context, game_id, ANN)),
        (orders.set_ready, (world.context, game_id, ANN, True)),
        (orders.template, (world.context, game_id, ANN)),
        (orders.menu, (world.context, game_id, ANN, ())),
    ):
        assert refused_code(call, *arguments) == "deadline_passed"
    assert world.storage.tables == before
    assert orders.show(world.context, game_id, ANN).orders == ("BID 3",)


def test_form_or_button_of_an_old_phase_is_refused() -> None:
    world = World()
    game_id = world.start()
    world.ready(game_id, ANN, BOB, CY)
    assert world.game(game_id).phase_no == 2
    assert refused_code(world.submit, game_id, ANN, "BID 4", arrival=Arrival(phase_no=1)) == "phase_over"
    assert refused_code(orders.clear, world.context, game_id, ANN, arrival=Arrival(phase_no=1)) == "phase_over"
    assert (
        refused_code(orders.set_ready, world.context, game_id, ANN, True, arrival=Arrival(phase_no=1)) == "phase_over"
    )
    assert world.sheet(game_id, RED) is None
    assert world.submit(game_id, ANN, "BID 4", arrival=Arrival(phase_no=2)).orders == ("BID 4",)


def test_strangers_lobbies_and_finished_games_take_no_orders() -> None:
    world = World()
    waiting = world.create(name="waiting")
    lobby.join_game(world.context, waiting, ANN, power=None)
    assert refused_code(world.submit, waiting, ANN, "BID 1") == "not_started"
    game_id = world.start()
    assert refused_code(world.submit, game_id, DAN, "BID 1") == "not_in_game"
    assert refused_code(orders.show, world.context, game_id, DAN) == "not_in_game"
    assert orders.suggest(world.context, game_id, DAN, "") == ()
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)
    assert refused_code(world.submit, game_id, ANN, "BID 1") == "game_over"
    assert refused_code(world.submit, 99, ANN, "BID 1") == "no_such_game"


def test_who_has_nothing_to_decide_is_told_so() -> None:
    world = World()
    game_id = world.start()
    world.set_state(game_id, phase={"kind": "tribute"}, debtors=["red"])
    assert refused_code(world.submit, game_id, BOB, "PAY red") == "nothing_to_decide"
    assert world.submit(game_id, ANN, "PAY blue").orders == ("PAY blue",)


def test_power_that_is_out_is_told_so() -> None:
    world = World()
    game_id = world.start()
    world.set_state(game_id, gold={"red": 0, "green": 5, "blue": 5})
    assert refused_code(world.submit, game_id, ANN, "BID 0") == "power_is_out"


def test_paused_game_takes_orders() -> None:
    world = World()
    game_id = world.start()
    gm.pause(world.context, game_id, CREATOR, is_manager=False)
    world.clock.advance(30 * DAY)
    receipt = world.submit(game_id, ANN, "BID 4")
    assert (receipt.orders, receipt.deadline_at) == (("BID 4",), None)
    assert world.ready(game_id, ANN, BOB, CY) == [False, False, False]
    assert world.game(game_id).status is GameStatus.PAUSED


def test_last_one_ready_closes_the_phase() -> None:
    world = World()
    game_id = world.start()
    assert world.ready(game_id, ANN, BOB) == [False, False]
    last = orders.set_ready(world.context, game_id, CY, True, arrival=Arrival(phase_no=1))
    assert last.closed
    assert last.phase_no == 1, "the receipt is for the phase that was ended by it"
    assert world.game(game_id).phase_no == 2
    assert world.records(game_id)[0].closed_because == "ready"
    assert not any(seat.is_ready for seat in world.seats(game_id))


def test_ready_can_be_taken_back() -> None:
    world = World()
    game_id = world.start()
    world.ready(game_id, ANN, BOB)
    assert not orders.set_ready(world.context, game_id, ANN, False).is_ready
    assert world.ready(game_id, CY) == [False]
    assert world.game(game_id).phase_no == 1


def test_game_that_does_not_close_early_waits_for_its_deadline() -> None:
    world = World()
    game_id = world.start(pace=Pace("1d", close_early=False))
    assert world.ready(game_id, ANN, BOB, CY) == [False, False, False]
    world.pass_deadline(game_id)
    assert world.records(game_id)[0].closed_because == "deadline"


def test_sheet_to_fill_in_holds_what_stands() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "DIG")
    form = orders.template(world.context, game_id, ANN)
    assert form.text == "# BID\nDIG\n# PEEK"
    assert (form.phase_no, form.power) == (1, RED)


def test_suggestions_and_menu_are_for_the_askers_power() -> None:
    world = World()
    game_id = world.start()
    assert orders.suggest(world.context, game_id, ANN, "pe") == ("PEEK green", "PEEK blue")
    assert len(orders.suggest(world.context, game_id, ANN, "", limit=3)) == 3
    menu = orders.menu(world.context, game_id, ANN, ("PEEK",))
    assert [choice.value for choice in menu.choices] == ["PEEK green", "PEEK blue"]


def test_last_of_two_submissions_wins_whole_and_both_are_kept_as_typed() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 1\nDIG", mode=SubmitMode.REPLACE)
    world.submit(game_id, ANN, "BID 2", mode=SubmitMode.REPLACE)
    sheet = world.sheet(game_id, RED)
    assert sheet is not None
    assert (sheet.orders, sheet.version, len(sheet.typed)) == (("BID 2",), 2, 2)


# What is kept of what was typed


def test_what_was_typed_is_kept_within_bounds() -> None:
    world = World()
    game_id = world.start()
    for number in range(3 * KEPT_TEXTS):
        world.submit(game_id, ANN, f"BID 3 # {number}")
    sheet = world.sheet(game_id, RED)
    assert sheet is not None
    assert sheet.typed == tuple(f"BID 3 # {number}" for number in range(2 * KEPT_TEXTS, 3 * KEPT_TEXTS))
    for _ in range(3):
        world.submit(game_id, ANN, "BID 3\n" * (KEPT_CHARACTERS // 12))
    sheet = world.sheet(game_id, RED)
    assert sheet is not None
    assert (sheet.version, len(sheet.typed)) == (1, 2)
    world.submit(game_id, ANN, "BID 3\n" * 15_000)
    sheet = world.sheet(game_id, RED)
    assert sheet is not None
    assert [len(text) for text in sheet.typed] == [KEPT_CHARACTERS]
    assert sheet.orders == ("BID 3",)


def test_sheets_from_before_are_brought_within_bounds(any_url: str) -> None:
    database = Database(any_url)
    world = World()
    world.context = replace(world.context, unit_of_work=database.unit_of_work)
    game_id = world.start()
    world.submit(game_id, ANN, "BID 3")
    exported = transfer.export_game(world.context, game_id)
    texts = ["x" * 100 * 1024] * 160
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE sheets SET typed = :typed"), {"typed": json.dumps(texts)})
    with world.context.reading() as unit:
        sheet = unit.sheets.find(game_id, 1, RED)
    assert sheet is not None
    assert sum(map(len, sheet.typed)) == KEPT_CHARACTERS
    world.submit(game_id, ANN, "BID 2")
    with database.engine.begin() as connection:
        assert len(connection.execute(text("SELECT typed FROM sheets")).scalar_one()) < 2 * KEPT_CHARACTERS
    exported["sheets"]["red"]["typed"] = texts
    exported["game"]["name"] = "Vault two"
    copy = transfer.import_game(world.context, exported, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
    with world.context.reading() as unit:
        sheets = unit.sheets.of_phase(copy.id, copy.phase_no)
    assert [sum(map(len, sheet.typed)) for sheet in sheets.values()] == [KEPT_CHARACTERS]
    database.close()


def test_what_was_cleared_is_put_back_while_nothing_else_was_sent() -> None:
    world = World()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 3\nDIG")
    cleared = orders.clear(world.context, game_id, ANN)
    assert cleared.can_undo
    back = orders.undo_clear(world.context, game_id, ANN, str(cleared.version), arrival=Arrival(phase_no=1))
    assert (back.orders, back.version, back.can_undo) == (("BID 3", "DIG"), 3, False)
    assert refused_code(orders.undo_clear, world.context, game_id, ANN, str(cleared.version)) == "nothing_to_undo"
    again = orders.clear(world.context, game_id, ANN)
    world.submit(game_id, ANN, "BID 1")
    assert refused_code(orders.undo_clear, world.context, game_id, ANN, str(again.version)) == "nothing_to_undo"
    assert refused_code(orders.undo_clear, world.context, game_id, BOB, "0") == "nothing_to_undo"


def test_earlier_versions_are_kept_within_bounds_and_not_with_closed_phases(any_url: str) -> None:
    database = Database(any_url)
    world = World()
    world.context = replace(world.context, unit_of_work=database.unit_of_work)
    game_id = world.start()
    for amount in range(KEPT_VERSIONS + 3):
        world.submit(game_id, ANN, f"BID {amount}")
    with world.context.reading() as unit:
        sheet = unit.sheets.find(game_id, 1, RED)
    assert sheet is not None
    assert [one[0] for one in sheet.earlier] == [f"BID {amount}" for amount in range(2, KEPT_VERSIONS + 2)]
    assert sheet.sent == KEPT_VERSIONS + 3
    database.close()


def test_what_may_have_been_meant_is_taken_by_where_it_was_offered() -> None:
    world = World()
    game_id = world.start()
    receipt = world.submit(game_id, ANN, "BID 3\nDIGG")
    (hint,) = receipt.hints
    assert hint.order == "DIG"
    assert hint.token == "t1-2-1-0"
    world.submit(game_id, ANN, "BID 4")
    taken = orders.take_hint(world.context, game_id, ANN, hint.token, arrival=Arrival(phase_no=1))
    assert taken.orders == ("BID 4", "DIG")
    for wrong in ("t9-2-1-0", "t1-1-1-0", "t1-2-1-1", "v1-2-1-0", "", "t1"):
        assert refused_code(orders.take_hint, world.context, game_id, ANN, wrong) == "hint_over"
    assert refused_code(orders.take_hint, world.context, game_id, BOB, hint.token) == "hint_over"
    for number in range(KEPT_TEXTS):
        world.submit(game_id, ANN, f"BID {number}")
    assert refused_code(orders.take_hint, world.context, game_id, ANN, hint.token) == "hint_over"


def test_the_same_orders_again_are_no_new_version() -> None:
    world = World()
    game_id = world.start()
    versions = [world.submit(game_id, ANN, text).version for text in ("BID 3", "bid 3", "BID 4")]
    assert versions == [1, 1, 2]


def test_hints_for_several_orders_of_one_line_are_told_apart() -> None:
    kregen = SystemId("kregen")
    world = World({kregen: systems[kregen]})
    nations = ("zair", "magdag", "gashil", "akhram", "zandikar", "sanurkazz", "proconia", "renders")
    players = {UserId(number): power for number, power in enumerate(nations, start=1)}
    game_id = world.start(wishes=players, system="kregen", players=len(nations))
    # Both builds are refused where the line begins.
    receipt = world.submit(game_id, UserId(1), "build A Magdag, F Magdag")
    tokens = [hint.token for hint in receipt.hints]
    assert len(tokens) == len(set(tokens)) == 6
    for hint in receipt.hints:
        taken = orders.take_hint(world.context, game_id, UserId(1), hint.token, arrival=Arrival(phase_no=1))
        assert hint.order in taken.orders
