"""What game masters can do to a running game: its clock, its players, its position. Everything they do is announced."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from time import perf_counter

from bot.model import ActKind, ClosedBecause, Game, GameId, GameStatus, Seat, UserId
from bot.ports import UnitOfWork
from bot.services import post, rulings
from bot.services.acts import carry_out
from bot.services.calendar import LONGEST, WallTimes, next_slot, parse_duration, parse_moment, schedule_of
from bot.services.context import Context
from bot.services.errors import LONGEST_PROBLEM, refused, refused_with, shortened
from bot.services.lobby import read_level
from bot.services.seats import seat_player, vacate
from bot.services.table import (
    Table,
    find_seat,
    get_game,
    get_rules,
    get_table,
    playing_seats,
    power_of,
    present_phase_no,
    read_power,
    require_master,
    require_phase,
    require_unfinished,
    seat_of_power,
    without_secrets,
)
from bot.services.turns import (
    close_if_settled,
    close_within,
    closes_at_once,
    log_closing,
    ring,
    with_deadline,
)
from bot.services.work import transact
from engine.computer.levels import Level
from engine.core.errors import DocumentError
from engine.core.phrases import Phrase, phrase
from engine.core.viewer import MASTER

LONGEST_EDIT = 500
"""The most letters of a change of the position: it is announced in full."""


def extend(context: Context, game_id: GameId, user_id: UserId, *, is_manager: bool, by: str) -> Game:
    """Give the present phase more time, such as `12h` or `1d`; a paused game gets it when it goes on.

    Raises:
        Refused: the person is no game master, the text is no length of time, or the phase would last too long.
    """
    length = parse_duration(by)
    with context.unit_of_work() as unit:
        table = _master_table(context, unit, game_id, user_id, is_manager=is_manager)
        now, game = context.clock.now(), table.game
        if game.deadline_at is None:
            longer = replace(game, time_left_s=(game.time_left_s or 0) + int(length.total_seconds()))
        else:
            # An overdue phase is given the time from now on, or it would still be overdue.
            longer = with_deadline(game, max(game.deadline_at, now) + length, now)
        if (longer.deadline_at or now + timedelta(seconds=longer.time_left_s or 0)) > now + LONGEST:
            raise refused("too_much_time", text=by.strip()[:40])
        _store(unit, longer)
        post.change_status(unit, longer, now)
        if longer.deadline_at is None:
            post.intervention(unit, longer, now, "extended_paused", master=user_id, by=by.strip()[:40])
        else:
            post.intervention(
                unit, longer, now, "extended", master=user_id, by=by.strip()[:40], deadline=_unix(longer.deadline_at)
            )
        unit.commit()
    ring(context, longer)
    return without_secrets(longer)


def set_deadline(context: Context, game_id: GameId, user_id: UserId, *, is_manager: bool, at: str) -> Game:
    """Set when the present phase closes: `2026-11-23 19:00 Europe/Berlin`, `fri 19:00 UTC`, `in 6h`.

    Raises:
        Refused: the person is no game master, the game is paused, or the text means no time to come.
    """
    with context.unit_of_work() as unit:
        table = _master_table(context, unit, game_id, user_id, is_manager=is_manager)
        _require_running(table.game)
        now = context.clock.now()
        game = with_deadline(table.game, parse_moment(at, now), now)
        assert game.deadline_at is not None, "just set"
        _store(unit, game)
        post.change_status(unit, game, now)
        post.intervention(unit, game, now, "deadline_set", master=user_id, deadline=_unix(game.deadline_at))
        unit.commit()
    ring(context, game)
    return without_secrets(game)


def pause(context: Context, game_id: GameId, user_id: UserId, *, is_manager: bool) -> Game:
    """Stop the clock. Orders are still accepted; the phase has the same time left when the game goes on.

    Raises:
        Refused: the person is no game master, or the game does not run.
    """
    with context.unit_of_work() as unit:
        table = _master_table(context, unit, game_id, user_id, is_manager=is_manager)
        _require_running(table.game)
        now, deadline = context.clock.now(), table.game.deadline_at
        left = max(timedelta(), deadline - now) if deadline is not None else timedelta()
        paused = replace(
            table.game,
            status=GameStatus.PAUSED,
            deadline_at=None,
            remind_at=None,
            time_left_s=int(left.total_seconds()),
        )
        _store(unit, paused)
        post.change_status(unit, paused, now)
        post.intervention(unit, paused, now, "paused", master=user_id)
        unit.commit()
    ring(context, paused)
    return without_secrets(paused)


def resume(context: Context, game_id: GameId, user_id: UserId, *, is_manager: bool) -> Game:
    """Let the clock run again. With fixed times the phase closes at the first that leaves as much time as was left.

    If everyone became ready meanwhile, the phase closes at once.

    Raises:
        Refused: the person is no game master, the game is not paused, or nobody plays it.
    """

    def go_on(context: Context, unit: UnitOfWork) -> Game:
        table = _master_table(context, unit, game_id, user_id, is_manager=is_manager)
        game = table.game
        if game.status is not GameStatus.PAUSED:
            raise refused("not_paused", game=game.name)
        if not playing_seats(table.status, table.seats):
            raise refused("nobody_plays", game=game.name)
        now = context.clock.now()
        running = with_deadline(replace(game, status=GameStatus.RUNNING), _deadline_after_pause(table, now), now)
        assert running.deadline_at is not None, "just set"
        _store(unit, running)
        post.change_status(unit, running, now)
        table = replace(table, game=running)
        if closes_at_once(table, now):
            post.intervention(unit, running, now, "resumed_at_once", master=user_id)
        else:
            post.intervention(unit, running, now, "resumed", master=user_id, deadline=_unix(running.deadline_at))
        return close_if_settled(context, unit, table) or running

    going = transact(context, go_on)
    ring(context, going)
    return without_secrets(going)


def adjudicate_now(
    context: Context, game_id: GameId, user_id: UserId, *, is_manager: bool, phase_no: int | None = None
) -> Game:
    """Close a phase before its time. Nobody's silence is held against them then.

    Args:
        phase_no: the phase that was open when that was asked for; `None`: the present one.

    Raises:
        Refused: the person is no game master, the game does not run, its orders can't be carried out, or somebody else
            has just closed the phase: the next one stays open.
    """
    began = perf_counter()
    asked_in = present_phase_no(context, game_id) if phase_no is None else phase_no

    def close(context: Context, unit: UnitOfWork) -> tuple[Table, Game]:
        table = _master_table(context, unit, game_id, user_id, is_manager=is_manager)
        require_phase(table, asked_in)
        _require_running(table.game)
        if power_of(table.seats, user_id) is not None or table.rules.info.is_anonymous:
            post.cut_short(unit, table.game, context.clock.now(), "closed_by_player", master=user_id)
        opened = close_within(context, unit, table, ClosedBecause.GAME_MASTER)
        if opened is None and get_game(unit, game_id).failures > table.game.failures:
            # Nobody is waiting for it yet, so it is not tried again automatically.
            raise refused_with(phrase("refused.hint.can_not_close"), "not_closed", game=table.game.name)
        if opened is None:
            raise refused("phase_over", game=table.game.name, title=table.status.title)
        return table, opened

    table, opened = transact(context, close)
    log_closing(table, ClosedBecause.GAME_MASTER, began)
    ring(context, opened)
    return without_secrets(opened)


def replace_player(
    context: Context,
    game_id: GameId,
    user_id: UserId,
    *,
    is_manager: bool,
    power: str,
    new_user_id: UserId | None,
    computer: Level | None = None,
) -> Seat:
    """Give a power to another person or to the computer, or (`None`) leave it to whoever joins. The orders that stand
    for it stay.

    Args:
        computer: how well the computer is to play it until somebody joins.

    Raises:
        Refused: the person is no game master, the power has no seat, the new player has or had another one, or the
            computer can't play so, or does already.
    """

    def change_hands(context: Context, unit: UnitOfWork) -> tuple[Seat, Game | None]:
        table = _master_table(context, unit, game_id, user_id, is_manager=is_manager)
        wanted = read_power(table.atlas(MASTER), power, [seat.power for seat in table.seats])
        seat = seat_of_power(table.seats, wanted)
        if seat is None:
            raise refused("power_not_played", power=wanted)
        if wanted in table.status.out:
            raise refused("power_is_out", power=wanted, game=table.game.name)
        if new_user_id is not None and find_seat(table.seats, new_user_id) is not None:
            raise refused("already_in_game", game=table.game.name)
        if new_user_id is not None and computer is not None:
            raise refused("player_and_computer")
        if new_user_id is not None:
            return seat_player(context, unit, table, seat, new_user_id, by=user_id), None
        if read_level(table.rules, computer) is not None and seat.user_id is None and seat.computer is computer:
            raise refused("already_computer", power=wanted, level=str(computer))
        if seat.user_id is None and seat.computer is None and computer is None:
            raise refused("already_vacant", power=wanted)
        return vacate(context, unit, table, seat, by=user_id, computer=computer)

    seat, moved = transact(context, change_hands)
    ring(context, moved)
    return seat


@dataclass(frozen=True, slots=True)
class Edited:
    """A change of the position, and what the game master should know of it.

    Args:
        is_secret: only those concerned are told of it.
    """

    game: Game
    advice: Phrase | None
    is_secret: bool = False


def edit(context: Context, game_id: GameId, user_id: UserId, *, is_manager: bool, text: str) -> Edited:
    """Change the position, in games whose rules allow it; the change is announced.

    In games that allow rulings on the previous phase, only those concerned are told of them.

    Raises:
        Refused: the person is no game master, the game takes no changes, or it can't be changed so.
    """
    with context.reading() as unit:
        takes_rulings = get_rules(context, get_game(unit, game_id)).rulings is not None
    if takes_rulings:
        if len(text) > LONGEST_EDIT:
            raise refused("edit_too_long", most=LONGEST_EDIT)
        game = rulings.rule(context, game_id, user_id, is_manager=is_manager, text=text)
        return Edited(game, None, is_secret=True)
    with context.unit_of_work() as unit:
        table = _master_table(context, unit, game_id, user_id, is_manager=is_manager)
        game = table.game
        edits = table.rules.edits
        if edits is None:
            raise refused("no_edits", game=game.name)
        if len(text) > LONGEST_EDIT:
            raise refused("edit_too_long", most=LONGEST_EDIT)
        try:
            state = carry_out(context, unit, table, user_id, ActKind.EDIT, edits.text(text))
        except DocumentError as error:
            known, word = edits.forms(table.state), text.strip().partition(" ")[0].lower()
            forms = tuple(form for form in known if form.split()[0] == word)
            hint = phrase("refused.hint.edit_forms", forms=forms or known)
            # A single word of the change goes before what is wrong with it as its subject.
            joint = ": " if error.where == edits.text(text) else " "
            problem = shortened(f"“{error.where}”{joint}{error.problem}", LONGEST_PROBLEM)
            raise refused_with(hint, "edit_impossible", problem=problem) from None
        post.intervention(unit, game, context.clock.now(), "edited", master=user_id, text=edits.text(text))
        unit.commit()
    context.alarm.mail()
    return Edited(without_secrets(game), edits.advice(table.state, state))


def edit_forms(context: Context, game_id: GameId, user_id: UserId) -> tuple[str, ...]:
    """How changes of a game's position are written; empty if the rules allow none, or the game has not begun.

    Rulings, which tell what happened, are told only to those who may make them.
    """
    with context.reading() as unit:
        game = get_game(unit, game_id)
    rules = get_rules(context, game)
    if game.document is not None and rules.rulings is not None:
        return rulings.forms(context, game_id, user_id)
    if game.document is None or rules.edits is None:
        return ()
    return rules.edits.forms(rules.play.load(game.document))


def _master_table(context: Context, unit: UnitOfWork, game_id: GameId, user_id: UserId, *, is_manager: bool) -> Table:
    table = get_table(context, unit, game_id)
    require_master(table.game, user_id, is_manager=is_manager)
    require_unfinished(table.game)
    return table


def _require_running(game: Game) -> None:
    if game.status is not GameStatus.RUNNING:
        raise refused_with(phrase("refused.hint.resume"), "paused", game=game.name)


def _store(unit: UnitOfWork, game: Game) -> None:
    if not unit.games.advance(game, expected_phase_no=game.phase_no):
        raise refused("phase_over", game=game.name, title=game.phase_code)


def _deadline_after_pause(table: Table, now: datetime) -> datetime:
    game = table.game
    earliest = now + timedelta(seconds=max(60, game.time_left_s or 0))
    schedule = schedule_of(game.pace, table.status.kind)
    return next_slot(schedule, earliest) if isinstance(schedule, WallTimes) else earliest


def _unix(moment: datetime) -> int:
    return int(moment.timestamp())
