"""Closes phases and opens the next ones: the only place where a game moves on.

Everything that a closing changes is in one transaction, and `advance` lets exactly one caller do it. Phases in which no
player has anything to decide pass in the same transaction. The results of the orders are computed before it begins, by
the workers, from the position and the sheets alone; a transaction that finds different ones has them computed again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from time import perf_counter

from bot.faults import describe_fault
from bot.model import (
    LONGEST_REST,
    ClosedBecause,
    Game,
    GameId,
    GameStatus,
    MessageKind,
    PhaseRecord,
    Seat,
    StoredSheet,
    has_come,
)
from bot.ports import StorageUnavailable, UnitOfWork, WorkersStopped, WorkFailed
from bot.services import post
from bot.services.calendar import next_deadline, schedule_of
from bot.services.context import Context
from bot.services.course import RULES_VERSION, PlayedPhase, find_course
from bot.services.inbox import time_away
from bot.services.passage import MISSES_TO_OPEN, Passage, is_silent, tell_of_phases, tell_result
from bot.services.reminders import next_reminder, remind
from bot.services.sheets import is_sent_sheet
from bot.services.table import Table, get_rules, is_manned, playing_seats, read_table
from bot.services.work import transact
from engine.computer.levels import Level
from engine.core.ids import PowerId
from engine.core.play import Status
from engine.registry import AnySystem, State

AWAY_SHARE = 0.25
"""If the bot was away for this share of a phase or more, all in all, silence counts against nobody."""
FIRST_RETRY = timedelta(minutes=1)
"""A phase that can't be closed is tried again after this, then after twice as long each time, up to `LONGEST_REST`."""
HORIZON = timedelta(minutes=5)
"""The sweep sets the alarm for deadlines nearer than this; later ones are left to later sweeps."""

_log = logging.getLogger(__name__)


def close_phase(context: Context, game_id: GameId, phase_no: int, because: ClosedBecause) -> bool:
    """Adjudicate a phase and open the next. Safe to call at any time, any number of times, from anywhere.

    Args:
        because: if of the deadline, nothing happens before it, nor while the game is paused.

    Returns: `True` to the one caller who closed it.
    """

    def close(context: Context, unit: UnitOfWork) -> tuple[Table, Game] | None:
        game = unit.games.find(game_id)
        if game is None or not _may_close(game, phase_no, because, context.clock.now()):
            return None
        table = read_table(context, game, unit.games.seats(game_id))
        opened = close_within(context, unit, table, because)
        return None if opened is None else (table, opened)

    return _carry_out(context, close, because)


def try_again(context: Context, game_id: GameId, phase_no: int) -> bool:
    """Close a phase whose closing failed, if its deadline has passed or nobody is left to wait for, and it is time.

    Returns: `True` to the one caller who closed it.
    """
    if close_phase(context, game_id, phase_no, ClosedBecause.DEADLINE):
        return True

    def settle(context: Context, unit: UnitOfWork) -> tuple[Table, Game] | None:
        game = unit.games.find(game_id)
        if (
            game is None
            or game.phase_no != phase_no
            or game.retry_at is None
            or _has_to_rest(game, context.clock.now())
        ):
            return None
        table = read_table(context, game, unit.games.seats(game_id))
        opened = close_if_settled(context, unit, table)
        if opened is not None:
            return table, opened
        if unit.games.find(game_id) == game:
            # There is somebody to wait for again: nothing was tried, and nothing has to be.
            unit.games.update(replace(game, retry_at=None))
        return None

    return _carry_out(context, settle, ClosedBecause.READY)


def _carry_out(
    context: Context, close: Callable[[Context, UnitOfWork], tuple[Table, Game] | None], because: ClosedBecause
) -> bool:
    """Close a phase in a transaction; afterwards log it and set the alarm. Whether it was closed here."""
    began = perf_counter()
    closed = transact(context, close)
    if closed is None:
        return False
    table, opened = closed
    log_closing(table, because, began)
    ring(context, opened)
    return True


def sweep(context: Context) -> Sequence[GameId]:
    """Do what is due: close overdue phases, remind players who are missing, and set the alarm for what comes soon.

    A game that can't be closed is logged and does not stop the others.

    Returns: the games in which a phase was closed.
    """
    now = context.clock.now()
    with context.reading() as unit:
        due = tuple(unit.games.due(now))
        to_retry = tuple(unit.games.to_retry(now))
        to_remind = tuple(unit.games.to_remind(now))
        deadlines = tuple(unit.games.deadlines())
    failed = dict(to_retry)
    closed = tuple(
        game_id
        for game_id, phase_no in dict.fromkeys((*due, *to_retry))
        if _close_safely(context, game_id, phase_no, failed_before=game_id in failed)
    )
    for game_id, phase_no in to_remind:
        _remind_safely(context, game_id, phase_no)
    for game_id, phase_no, deadline in deadlines:
        if deadline > now + HORIZON:
            break
        if deadline > now:
            context.alarm.set(game_id, phase_no, deadline)
    return closed


def close_within(context: Context, unit: UnitOfWork, table: Table, because: ClosedBecause) -> Game | None:
    """Close the present phase of a game in a unit of work that the caller commits.

    If the orders can't be carried out, that is recorded with the game: its masters are told once, and the sweep tries
    again after a while, longer each time.

    Returns: the game at its next phase, or `None` if somebody else closed the phase first, or it can't be closed now.
    """
    game = table.game
    sheets = unit.sheets.of_phase(game.id, game.phase_no)
    is_excused = _is_excused(unit, table, because, context.clock.now())
    counts = because is ClosedBecause.DEADLINE and not is_excused
    seats_after = seats_after_phase(table.status, table.seats, sheets, counts=counts, stand_in=game.computer)
    try:
        sheets = _sent_sheets(table.rules, sheets)
        seats = (table.seats, seats_after)
        course = find_course(context, table.rules, game, sheets, seats, begins=False, is_excused=is_excused)
    except WorkersStopped:
        raise
    except Exception as error:
        _note_failure(context, unit, game, error)
        return None
    passage = Passage(game, table.seats, seats_after, course, sheets, because, game.phase_no, table.status.out, counts)
    return _store(context, unit, passage)


def _sent_sheets(rules: AnySystem, sheets: Mapping[PowerId, StoredSheet]) -> dict[PowerId, StoredSheet]:
    """In a game of sheets only those of which a line was taken: who has only talked has sent none."""
    return {power: sheet for power, sheet in sheets.items() if not rules.info.has_sheets or is_sent_sheet(rules, sheet)}


def open_phase(
    context: Context,
    unit: UnitOfWork,
    rules: AnySystem,
    game: Game,
    seats: Sequence[Seat],
    *,
    seats_after: Sequence[Seat],
    expected_phase_no: int,
) -> Game | None:
    """Begin a phase, in a unit of work that the caller commits; phases that wait for nobody pass at once.

    Args:
        game: with the document and number of the phase that begins; its times are set here.
        seats: as they are stored.
        seats_after: as they are to be.

    Returns: the game as stored, or `None` if it is no longer at the expected phase; then nothing was changed.
    """
    sheets = unit.sheets.of_phase(game.id, game.phase_no)
    course = find_course(context, rules, game, sheets, (seats_after, seats_after), begins=True)
    at_first = _at_rest(game, context.clock.now())
    passage = Passage(at_first, seats, seats_after, course, sheets, ClosedBecause.NO_CHOICE, expected_phase_no, ())
    return _store(context, unit, passage)


def close_if_settled(context: Context, unit: UnitOfWork, table: Table) -> Game | None:
    """Close the phase, in the caller's unit of work, if nobody is left to wait for.

    That is the case when everyone who has to decide is ready (if the game closes early), or when no player has anything
    to decide, as after the last of them left. If no player is left at all the game is paused instead.

    Returns: the game as it is stored then, or `None` if it just goes on.
    """
    if table.game.status is not GameStatus.RUNNING or _has_to_rest(table.game, context.clock.now()):
        return None
    if not playing_seats(table.status, table.seats):
        return _stop(context, unit, table)
    if not table.deciders:
        is_thought = any(seat.computer is not None and seat.power in table.status.to_act for seat in table.seats)
        because = ClosedBecause.COMPUTERS if is_thought else ClosedBecause.NO_CHOICE
    elif closes_at_once(table, context.clock.now()):
        because = ClosedBecause.READY
    else:
        return None
    return close_within(context, unit, table, because)


def closes_at_once(table: Table, now: datetime) -> bool:
    """Whether a running game has nobody left to wait for, and has not just failed to close its phase."""
    is_awaited = bool(table.deciders) and not (
        table.game.pace.close_early and all(seat.is_ready for seat in table.deciders)
    )
    return not is_awaited and not _has_to_rest(table.game, now)


def is_stuck(table: Table, game: Game) -> bool:
    """Whether a phase that waits for nobody is only open because closing it failed.

    Args:
        game: as it is stored now.
    """
    is_awaited = not all(seat.is_ready for seat in table.deciders)
    return game.failures > 0 and game.retry_at is not None and not is_awaited


def end_within(context: Context, unit: UnitOfWork, table: Table, state: State, because: ClosedBecause) -> Game | None:
    """End a game in its present phase, whose orders are not carried out, in a unit of work that the caller commits.

    Args:
        state: the ended position.
    """
    now = context.clock.now()
    sheets = unit.sheets.of_phase(table.game.id, table.game.phase_no)
    record = _record(
        table.game, PlayedPhase(table.status.code, table.rules.play.dump(state), (), ()), sheets, because, now
    )
    status = table.rules.play.status(state)
    ended = replace(
        table.game,
        status=GameStatus.OVER,
        document=record.end,
        phase_no=table.game.phase_no + 1,
        phase_code=status.code,
        phase_title=status.title,
    )
    over = _at_rest(ended, now)
    if not unit.games.advance(over, expected_phase_no=table.game.phase_no):
        return None
    unit.phases.add(record)
    _save_seats(unit, table.seats, tuple(replace(seat, is_ready=False) for seat in table.seats))
    post.to_channel(unit, over, now, MessageKind.GAME_OVER)
    tell_result(unit, over, table.seats, table.status.out, now)
    post.change_status(unit, table.game, now, is_over=True)
    return over


def seats_after_phase(
    status: Status,
    seats: Sequence[Seat],
    sheets: Mapping[PowerId, StoredSheet],
    *,
    counts: bool,
    stand_in: Level | None = None,
) -> tuple[Seat, ...]:
    """The seats at the beginning of the next phase: nobody ready, missed phases counted.

    A player who sent anything in this phase was there, whatever it was. A seat that had nothing to decide is left as it
    is.

    Args:
        counts: whether silence counts; it does not when the phase was cut short.
        stand_in: how well the computer plays from now on for players who have been silent too long; `None`: it doesn't.
    """
    after = (_seat_after_phase(status, seat, sheets, counts=counts) for seat in seats)
    return tuple(replace(seat, computer=stand_in) if is_manned(seat) and is_silent(seat) else seat for seat in after)


def with_deadline(game: Game, deadline: datetime, now: datetime) -> Game:
    """The game with a new deadline for its present phase, and the reminders that go with it."""
    assert game.opened_at is not None, "a phase that has a deadline was opened"
    return replace(game, deadline_at=deadline, time_left_s=None, remind_at=next_reminder(game.opened_at, deadline, now))


def ring(context: Context, game: Game | None) -> None:
    """After a commit: set the alarm to the game's deadline, and say that there may be mail.

    Args:
        game: `None`: its deadline is as before.
    """
    if game is not None and game.deadline_at is None:
        context.alarm.cancel(game.id)
    elif game is not None and game.deadline_at is not None:
        context.alarm.set(game.id, game.phase_no, game.deadline_at)
    context.alarm.mail()


def log_closing(table: Table, because: ClosedBecause, began: float) -> None:
    """One line for a closed phase.

    Args:
        began: reading of `perf_counter` when the work began.
    """
    duration_ms = round((perf_counter() - began) * 1000)
    game = table.game
    _log.info(
        "game %d phase %d %s closed (%s), %d seats, %d ms",
        game.id, game.phase_no, game.phase_code, because, len(table.seats), duration_ms,
    )  # fmt: skip


# Adjudicating


def _is_excused(unit: UnitOfWork, table: Table, because: ClosedBecause, now: datetime) -> bool:
    """Whether the phase counts as missed for nobody, neither here nor by the rules: a game master has made it shorter
    than it should be, or the bot was away.

    Otherwise one who plays could get the others' seats opened, with deadlines that nobody can keep.
    """
    game = table.game
    if because is not ClosedBecause.DEADLINE:
        return because is ClosedBecause.GAME_MASTER
    if game.opened_at is None or game.deadline_at is None:
        return True
    is_cut_short = game.deadline_at < next_deadline(schedule_of(game.pace, table.status.kind), game.opened_at)
    away = time_away(unit, game.opened_at, game.deadline_at, now)
    return is_cut_short or away >= (game.deadline_at - game.opened_at) * AWAY_SHARE


def _may_close(game: Game, phase_no: int, because: ClosedBecause, now: datetime) -> bool:
    if game.status is not GameStatus.RUNNING or game.phase_no != phase_no:
        return False
    # The alarm may ring for a deadline that was moved since it was set.
    is_due = game.deadline_at is not None and game.deadline_at <= now and not _has_to_rest(game, now)
    return because is not ClosedBecause.DEADLINE or is_due


def _has_to_rest(game: Game, now: datetime) -> bool:
    """Whether the closing of the present phase failed just now."""
    return game.retry_at is not None and not has_come(game.retry_at, now)


def _note_failure(context: Context, unit: UnitOfWork, game: Game, error: Exception) -> None:
    """Record that a phase could not be closed, so that it is tried again, and tell the masters the first time."""
    now = context.clock.now()
    _log.error("game %d phase %d could not be closed: %s", game.id, game.phase_no, describe_fault(error))
    wait = min(LONGEST_REST, FIRST_RETRY * 2 ** min(game.failures, 10))
    failed = replace(game, failures=game.failures + 1, retry_at=now + wait)
    unit.games.update(failed)
    if failed.failures == 1:
        post.to_masters(unit, failed, now, MessageKind.STUCK, {"is_limit": isinstance(error, WorkFailed)})


def _record(
    game: Game, step: PlayedPhase, sheets: Mapping[PowerId, StoredSheet], because: ClosedBecause, now: datetime
) -> PhaseRecord:
    assert game.document is not None, "a game that has begun has a position"
    assert game.opened_at is not None, "a running phase was opened"
    thought = {
        power: StoredSheet(game.id, game.phase_no, power, (), lines, 1, now) for power, lines in step.thought.items()
    }
    late = timedelta() if game.deadline_at is None else max(timedelta(), now - game.deadline_at)
    return PhaseRecord(
        game_id=game.id,
        phase_no=game.phase_no,
        code=step.code,
        start=game.document,
        end=step.end,
        sheets={**sheets, **thought},
        results=step.results,
        events=step.events,
        rules_version=RULES_VERSION,
        opened_at=game.opened_at,
        deadline_at=game.deadline_at,
        closed_at=now,
        closed_because=because,
        late_s=int(late.total_seconds()),
        is_excused=step.is_excused,
    )


def _seat_after_phase(status: Status, seat: Seat, sheets: Mapping[PowerId, StoredSheet], *, counts: bool) -> Seat:
    rested = replace(seat, is_ready=False)
    if not is_manned(seat) or seat.power is None or seat.power not in status.to_act:
        return rested
    if seat.is_ready or seat.power in sheets:
        return replace(rested, missed=0, is_open=False)
    if not counts:
        return rested
    missed = seat.missed + 1
    return replace(rested, missed=missed, is_open=missed >= MISSES_TO_OPEN and status.may_be_joined)


# Going on


def _store(context: Context, unit: UnitOfWork, passage: Passage) -> Game | None:
    """Store what the course of a game changes, and queue the messages about it."""
    now = context.clock.now()
    game, sheets, because = passage.game, passage.sheets, passage.because
    records: list[PhaseRecord] = []
    for number, step in enumerate(passage.course.steps):
        if because is ClosedBecause.NO_CHOICE or number:
            because = ClosedBecause.COMPUTERS if step.thought else ClosedBecause.NO_CHOICE
        records.append(_record(game, step, sheets, because, now))
        game = _at_rest(replace(game, document=step.end, phase_no=game.phase_no + 1), now)
        sheets = {}
    status = passage.course.status
    opened = _timed(replace(game, phase_code=status.code, phase_title=status.title), passage, now)
    if not unit.games.advance(opened, expected_phase_no=passage.from_phase_no):
        return None
    for record in records:
        unit.phases.add(record)
    _save_seats(unit, passage.seats, passage.seats_after)
    is_anonymous = get_rules(context, game).info.is_anonymous
    tell_of_phases(unit, opened, records, passage, now, is_anonymous=is_anonymous)
    return opened


def _at_rest(game: Game, now: datetime) -> Game:
    """A game in a phase that has just begun, its clock not set."""
    return replace(game, opened_at=now, deadline_at=None, time_left_s=None, remind_at=None, failures=0, retry_at=None)


def _timed(game: Game, passage: Passage, now: datetime) -> Game:
    status = passage.course.status
    if status.winners is not None:
        return replace(game, status=GameStatus.OVER)
    deadline = next_deadline(schedule_of(game.pace, status.kind), now)
    if passage.course.has_stopped or passage.is_silent or game.status is GameStatus.PAUSED:
        return replace(game, status=GameStatus.PAUSED, time_left_s=int((deadline - now).total_seconds()))
    return with_deadline(replace(game, status=GameStatus.RUNNING), deadline, now)


def _stop(context: Context, unit: UnitOfWork, table: Table) -> Game | None:
    """Pause a game that nobody plays any more."""
    now = context.clock.now()
    game = table.game
    left = timedelta() if game.deadline_at is None else max(timedelta(), game.deadline_at - now)
    stopped = replace(
        game,
        status=GameStatus.PAUSED,
        deadline_at=None,
        remind_at=None,
        time_left_s=int(left.total_seconds()),
    )
    if not unit.games.advance(stopped, expected_phase_no=game.phase_no):
        return None
    post.call_masters(unit, stopped, now, "nobody_plays")
    return stopped


def _save_seats(unit: UnitOfWork, before: Iterable[Seat], after: Iterable[Seat]) -> None:
    for old, new in zip(before, after, strict=True):
        if new != old:
            unit.games.save_seat(new)


# Sweeping


def _close_safely(context: Context, game_id: GameId, phase_no: int, *, failed_before: bool) -> bool:
    try:
        if failed_before:
            return try_again(context, game_id, phase_no)
        return close_phase(context, game_id, phase_no, ClosedBecause.DEADLINE)
    except StorageUnavailable as error:
        # The text is the database's own word: it holds nothing of a game, and says what is wrong with the machine.
        _log.warning("game %d phase %d has to wait: %s", game_id, phase_no, error)
        return False
    except Exception as error:
        _log.error("game %d phase %d could not be closed: %s", game_id, phase_no, describe_fault(error))
        return False


def _remind_safely(context: Context, game_id: GameId, phase_no: int) -> None:
    try:
        remind(context, game_id, phase_no)
    except StorageUnavailable as error:
        _log.warning("game %d phase %d: reminders have to wait: %s", game_id, phase_no, error)
    except Exception as error:
        _log.error("game %d phase %d: reminders could not be queued: %s", game_id, phase_no, describe_fault(error))
