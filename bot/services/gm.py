"""What game masters can do to a running game: its clock, its players, its past. Everything they do is announced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as changed
from datetime import datetime, timedelta
from time import perf_counter
from typing import Any

from bot.model import ActKind, ClosedBecause, Game, GameId, GameStatus, PhaseRecord, Seat, StoredSheet, UserId
from bot.ports import UnitOfWork
from bot.services import post, rulings
from bot.services.acts import carry_out, seated_again, stand_again
from bot.services.calendar import LONGEST, WallTimes, next_slot, parse_duration, parse_moment, schedule_of
from bot.services.context import Context
from bot.services.errors import LONGEST_PROBLEM, refused, refused_with, shortened
from bot.services.inspect import find_phase_no
from bot.services.lobby import read_level
from bot.services.positions import position_of
from bot.services.seats import seat_player, vacate
from bot.services.seeds import SeedSpan, later_seed, next_secret, seed_spans, with_seed
from bot.services.table import (
    Table,
    find_seat,
    get_game,
    get_rules,
    get_table,
    playing_seats,
    power_of,
    read_power,
    require_master,
    require_unfinished,
    seat_of_power,
    without_secrets,
)
from bot.services.turns import (
    close_if_settled,
    close_within,
    closes_at_once,
    log_closing,
    open_phase,
    ring,
    with_deadline,
)
from bot.services.work import transact
from engine.computer.levels import Level
from engine.core.dice import seal
from engine.core.errors import DocumentError
from engine.core.ids import PowerId
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
            longer = changed(game, time_left_s=(game.time_left_s or 0) + int(length.total_seconds()))
        else:
            # An overdue phase is given the time from now on, or it would still be overdue.
            longer = with_deadline(game, max(game.deadline_at, now) + length, now)
        if (longer.deadline_at or now + timedelta(seconds=longer.time_left_s or 0)) > now + LONGEST:
            raise refused("too_much_time", text=by.strip()[:40])
        _store(unit, longer)
        post.change_status(unit, longer, now)
        if longer.deadline_at is None:
            post.deed(unit, longer, now, "extended_paused", master=user_id, by=by.strip()[:40])
        else:
            post.deed(
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
        post.deed(unit, game, now, "deadline_set", master=user_id, deadline=_unix(game.deadline_at))
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
        paused = changed(
            table.game,
            status=GameStatus.PAUSED,
            deadline_at=None,
            remind_at=None,
            time_left_s=int(left.total_seconds()),
        )
        _store(unit, paused)
        post.change_status(unit, paused, now)
        post.deed(unit, paused, now, "paused", master=user_id)
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
        running = with_deadline(changed(game, status=GameStatus.RUNNING), _deadline_after_pause(table, now), now)
        assert running.deadline_at is not None, "just set"
        _store(unit, running)
        post.change_status(unit, running, now)
        table = changed(table, game=running)
        if closes_at_once(table, now):
            post.deed(unit, running, now, "resumed_at_once", master=user_id)
        else:
            post.deed(unit, running, now, "resumed", master=user_id, deadline=_unix(running.deadline_at))
        return close_if_settled(context, unit, table) or running

    going = transact(context, go_on)
    ring(context, going)
    return without_secrets(going)


def adjudicate_now(context: Context, game_id: GameId, user_id: UserId, *, is_manager: bool) -> Game:
    """Close the present phase before its time. Nobody's silence is held against them then.

    Raises:
        Refused: the person is no game master, the game does not run, or its orders can't be carried out.
    """
    began = perf_counter()

    def close(context: Context, unit: UnitOfWork) -> tuple[Table, Game]:
        table = _master_table(context, unit, game_id, user_id, is_manager=is_manager)
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


def replace(
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
        wanted = read_power(table.atlas(MASTER), power)
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
            raise refused_with(hint, "edit_impossible", problem=shortened(str(error), LONGEST_PROBLEM)) from None
        post.deed(unit, game, context.clock.now(), "edited", master=user_id, text=edits.text(text))
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


def rollback(
    context: Context,
    game_id: GameId,
    user_id: UserId,
    *,
    is_manager: bool,
    phase: str,
    keep_orders: bool,
    new_dice: bool = False,
    message_id: int | None = None,
) -> Game:
    """Go back to before a phase, which then is played again. History keeps what was undone.

    A game that was over goes on; one that is paused stays paused. Dice fall as they fell before if the same is rolled
    for again: nobody can go back until they like the dice. But a seed that was published at the end is never used
    again; then, or on demand, a new one is drawn and its seal announced.
    Source: docs/decisions.md

    Args:
        phase: its code, or `last` for the last one in which anybody had a choice; with new dice, the present one's too.
        keep_orders: the orders of that phase stand again; else everybody starts with an empty sheet.
        new_dice: draw a new seed also where the present one is still secret.
        message_id: of the public message that announced what a new seed is made of (`prepare_rollback`); `None`: it
            could not be posted, or the dice are the old ones.

    Raises:
        Refused: the person is no game master, there is no such phase, or the game has no dice that could be new.
    """

    def go_back(context: Context, unit: UnitOfWork) -> Game:
        table = _rollback_table(context, unit, game_id, user_id, is_manager=is_manager, new_dice=new_dice)
        beginning = _find_beginning(unit, table, phase, new_dice=new_dice)
        game = _rewind(
            context, unit, table, beginning, user_id, keep_orders=keep_orders, new_dice=new_dice, message_id=message_id
        )
        if game is None:
            raise refused("phase_over", game=table.game.name, title=table.status.title)
        return game

    game = transact(context, go_back)
    ring(context, game)
    return without_secrets(game)


@dataclass(frozen=True, slots=True)
class NewDice:
    """What is known about a new seed before a rollback, to be posted then: the number of that message is its last part.

    Args:
        title: of the phase that is played again.
        seal: the fingerprint of the secret; `None` where that is the next one of a chain of which everybody knows the
            beginning: it would be the secret before.
    """

    game: Game
    title: Phrase
    seal: str | None


def prepare_rollback(
    context: Context,
    game_id: GameId,
    user_id: UserId,
    *,
    is_manager: bool,
    phase: str,
    new_dice: bool = False,
) -> NewDice | None:
    """The parts of the new seed if the game goes back now; `None` if its dice stay as they are.

    Raises:
        Refused: as by `rollback`.
    """
    with context.unit_of_work() as unit:
        table = _rollback_table(context, unit, game_id, user_id, is_manager=is_manager, new_dice=new_dice)
        beginning = _find_beginning(unit, table, phase, new_dice=new_dice)
        spans = _spans(unit, table)
        if not table.rules.info.has_dice or not (new_dice or spans[-1].is_public):
            return None
        following = next_secret(table.game, [span.seed for span in spans], context.seeds)
        if following.last_link != table.game.last_link:
            # Whatever is posted now stays so.
            unit.games.update(changed(table.game, last_link=following.last_link))
            unit.commit()
    fingerprint = None if following.is_fixed else seal(following.secret)
    return NewDice(without_secrets(table.game), _title_of(table, beginning), fingerprint)


def has_dice_seen(context: Context, game_id: GameId) -> bool | None:
    """Whether players have seen dice that may fall again because phases with the present seed were undone.

    Returns: `None` in a game without dice.
    """
    with context.reading() as unit:
        table = get_table(context, unit, game_id)
        if not table.rules.info.has_dice:
            return None
        return any(record.is_undone for record in _spans(unit, table)[-1].records)


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


def _find_record(unit: UnitOfWork, game_id: GameId, phase: str) -> PhaseRecord:
    codes = unit.phases.codes(game_id)
    number = find_phase_no(codes, phase)
    record = unit.phases.find(game_id, number)
    if phase.strip().casefold() == "last":
        # Going back to a phase without a choice would only play it again at once.
        for earlier, _ in reversed(codes):
            record = unit.phases.find(game_id, earlier)
            if record is not None and not record.closed_because.is_by_itself:
                break
    assert record is not None, "listed phases are stored"
    return record


@dataclass(frozen=True, slots=True)
class _Beginning:
    """A phase to be played again: how it began, and what stood in its sheets."""

    phase_no: int
    document: Mapping[str, Any]
    sheets: Mapping[PowerId, StoredSheet]


def _rollback_table(
    context: Context, unit: UnitOfWork, game_id: GameId, user_id: UserId, *, is_manager: bool, new_dice: bool
) -> Table:
    table = get_table(context, unit, game_id)
    require_master(table.game, user_id, is_manager=is_manager)
    if table.game.status is GameStatus.CANCELLED:
        raise refused("cancelled", game=table.game.name)
    if new_dice and not table.rules.info.has_dice:
        raise refused("no_dice", game=table.game.name)
    return table


def _find_beginning(unit: UnitOfWork, table: Table, phase: str, *, new_dice: bool) -> _Beginning:
    if new_dice and _is_present(table.game, phase):
        return _present_beginning(unit, table)
    return _past_beginning(_find_record(unit, table.game.id, phase))


def _past_beginning(record: PhaseRecord) -> _Beginning:
    return _Beginning(record.phase_no, record.start, record.sheets)


def _is_present(game: Game, phase: str) -> bool:
    return game.status is not GameStatus.OVER and phase.strip().casefold() == game.phase_code.casefold()


def _present_beginning(unit: UnitOfWork, table: Table) -> _Beginning:
    game = table.game
    assert game.document is not None, "a table has a document"
    return _Beginning(game.phase_no, game.document, unit.sheets.of_phase(game.id, game.phase_no))


def _title_of(table: Table, beginning: _Beginning) -> Phrase:
    return table.rules.play.status(position_of(table.rules, beginning.document)).title


def _rewind(
    context: Context,
    unit: UnitOfWork,
    table: Table,
    beginning: _Beginning,
    user_id: UserId,
    *,
    keep_orders: bool,
    new_dice: bool,
    message_id: int | None,
) -> Game | None:
    now = context.clock.now()
    phase_no = table.game.phase_no + 1
    status = GameStatus.PAUSED if table.game.status is GameStatus.PAUSED else GameStatus.RUNNING
    game = changed(table.game, status=status, phase_no=phase_no)
    spans = _spans(unit, table)
    # Not the seed of the phase's record: it may be an older one, which is public by now.
    seed = spans[-1].seed
    if table.rules.info.has_dice and (new_dice or spans[-1].is_public):
        following = next_secret(game, [span.seed for span in spans], context.seeds)
        game = changed(game, last_link=following.last_link)
        seed = later_seed(following.secret, message_id)
    _announce_rollback(context, unit, table, game, _title_of(table, beginning), user_id, seed=seed, before=spans[-1])
    document = with_seed(beginning.document, seed)
    if keep_orders:
        for sheet in beginning.sheets.values():
            unit.sheets.save(_standing_again(sheet, phase_no, now))
    stand_again(unit, game, from_phase_no=beginning.phase_no, phase_no=phase_no)
    document = seated_again(unit, table.rules, game, document, table.seats, now)
    unit.phases.mark_undone(game.id, from_phase_no=beginning.phase_no)
    rested = tuple(changed(seat, is_ready=False, missed=0) for seat in table.seats)
    return open_phase(
        context,
        unit,
        table.rules,
        changed(game, document=document),
        table.seats,
        seats_after=rested,
        expected_phase_no=table.game.phase_no,
    )


def _announce_rollback(
    context: Context,
    unit: UnitOfWork,
    table: Table,
    game: Game,
    title: Phrase,
    user_id: UserId,
    *,
    seed: str,
    before: SeedSpan,
) -> None:
    """Say which phase is played again and with which dice.

    The deeds of older versions have the phase's code in place of its title.
    """
    now = context.clock.now()
    if not table.rules.info.has_dice:
        post.deed(unit, game, now, "rolled_back_without_dice", master=user_id, code=title)
    elif seed == before.seed:
        post.deed(unit, game, now, "rolled_back", master=user_id, code=title)
    elif not before.is_public:
        post.deed(unit, game, now, "rolled_back_new_dice", master=user_id, code=title, seal=seal(seed))
    else:
        post.deed(unit, game, now, "rolled_back_after_end", master=user_id, code=title, seal=seal(seed))
        if table.rules.info.is_dealt:
            post.notice(unit, game, now, "dealt_by_old_seed")


def _spans(unit: UnitOfWork, table: Table) -> Sequence[SeedSpan]:
    return seed_spans(table.rules, table.game, unit.phases.of_game(table.game.id))


def _standing_again(sheet: StoredSheet, phase_no: int, now: datetime) -> StoredSheet:
    return changed(sheet, phase_no=phase_no, version=1, accepted_at=now)


def _unix(moment: datetime) -> int:
    return int(moment.timestamp())
