"""Reminds those who have not answered. `remind_at` moves on in the transaction that queues, so each comes once."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.model import GameId, GameStatus, MessageKind, Seat, StoredSheet
from bot.ports import UnitOfWork
from bot.services import post
from bot.services.calendar import reminder_leads
from bot.services.context import Context
from bot.services.table import Table, read_table


def remind(context: Context, game_id: GameId, phase_no: int) -> None:
    """Queue a reminder for each player who is missing, and move on to the next one in the same transaction."""
    now = context.clock.now()
    with context.unit_of_work() as unit:
        game = unit.games.find(game_id)
        if game is None or game.phase_no != phase_no or game.status is not GameStatus.RUNNING:
            return
        if game.remind_at is None or game.remind_at > now or game.deadline_at is None or game.opened_at is None:
            return
        reminded = replace(game, remind_at=next_reminder(game.opened_at, game.deadline_at, now))
        if not unit.games.advance(reminded, expected_phase_no=phase_no):
            return
        if now < game.deadline_at:
            table = read_table(context, reminded, unit.games.seats(game_id))
            _queue_reminders(unit, table, now, is_last=reminded.remind_at is None)
        unit.commit()
    context.alarm.mail()


def has_answered(seat: Seat, sheet: StoredSheet | None) -> bool:
    """Whether a seat has said what it does in this phase: orders stand, or it is ready without any."""
    return seat.is_ready or (sheet is not None and bool(sheet.orders))


def next_reminder(opened_at: datetime, deadline: datetime, now: datetime) -> datetime | None:
    """When those who are missing are reminded next, after now; `None` if no more."""
    moments = (deadline - lead for lead in reminder_leads(deadline - opened_at))
    return next((moment for moment in moments if moment > now), None)


def _queue_reminders(unit: UnitOfWork, table: Table, now: datetime, *, is_last: bool) -> None:
    sheets = unit.sheets.of_phase(table.game.id, table.game.phase_no)
    missing = [seat for seat in table.deciders if seat.power and not has_answered(seat, sheets.get(seat.power))]
    for seat in missing:
        post.to_player(unit, table.game, seat, now, MessageKind.REMINDER)
    # The status post says who is missing. Only whom no direct message reaches is called in the channel.
    if is_last and any(seat.dms_closed for seat in missing):
        post.to_channel(unit, table.game, now, MessageKind.STILL_MISSING, {"powers": [seat.power for seat in missing]})


LEAST_TO_WAIT = 3
"""With fewer players who have to act, everybody would know who is the last."""


def tell_answer(unit: UnitOfWork, table: Table, now: datetime) -> None:
    """After somebody has answered, or taken it back, update the status post; tell the last one missing, once a phase.

    Args:
        table: as it is now.
    """
    game = table.game
    post.change_status(unit, game, now)
    sheets = unit.sheets.of_phase(game.id, game.phase_no)
    missing = [seat for seat in table.deciders if seat.power and not has_answered(seat, sheets.get(seat.power))]
    if len(missing) != 1 or len(table.deciders) < LEAST_TO_WAIT or game.status is not GameStatus.RUNNING:
        return
    (last,) = missing
    calls = unit.outbox.of_game(game.id, kind=MessageKind.LAST_ONE)
    if not any((one.phase_no, one.target_id) == (game.phase_no, last.user_id) for one in calls):
        post.to_player(unit, game, last, now, MessageKind.LAST_ONE)
