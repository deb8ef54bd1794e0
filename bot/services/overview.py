"""Which games there are, and the public facts of each: its seats, who is awaited, when its phases close."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.faults import describe_fault
from bot.model import Game, GameId, GameStatus, Seat, UserId
from bot.ports import UnitOfWork
from bot.services.calendar import parse_pace, preview
from bot.services.context import Context
from bot.services.reminders import has_answered
from bot.services.table import (
    UNFINISHED,
    get_game,
    get_rules,
    get_table,
    in_telling_order,
    power_of,
    read_table,
    without_secrets,
)
from engine.computer.levels import Level
from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.core.play import Status
from engine.registry import AnySystem

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in a list: `power` is the one that the viewer plays, if any.

    Args:
        title: of the present phase; `None` before the start.
        is_out: the game is over for that power.
    """

    game: Game
    power: PowerId | None
    title: Phrase | None
    seats_taken: int
    is_out: bool = False


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """The public facts of a seat.

    Args:
        player: `None`: nobody has it, or (`is_taken`) nobody may know who.
        computer: how well the computer plays it, in the player's place if there is one; `None`: it doesn't.
    """

    number: int
    power: PowerId | None
    wish: PowerId | None
    player: UserId | None
    is_taken: bool
    is_open: bool
    missed: int
    computer: Level | None = None


@dataclass(frozen=True, slots=True)
class GameInfo:
    """Everything public about a game, and which power the person who asks plays.

    Args:
        seats: without their players if these are unknown to each other; `status` is `None` before the start.
        missing: powers that have not answered in this phase; never what the others sent.
        ready: how many of `deciding` are ready.
        deciding: how many players have something to decide in this phase.
        schedule: the next closings if every phase runs its full time, the present one first; none while it is paused.
    """

    game: Game
    seats: tuple[SeatInfo, ...]
    power: PowerId | None
    status: Status | None
    missing: tuple[PowerId, ...]
    ready: int
    deciding: int
    deadline_at: datetime | None
    schedule: tuple[datetime, ...]


def games_in_guild(context: Context, guild_id: int) -> Sequence[GameLine]:
    """The games of a server that are in progress or looking for players, newest first."""
    with context.reading() as unit:
        games = [game for game in unit.games.in_guild(guild_id) if game.status in UNFINISHED]
        return tuple(_line(context, unit, game, None) for game in games)


def games_of_user(context: Context, user_id: UserId) -> Sequence[GameLine]:
    """The games that a person plays, most urgent first."""
    with context.reading() as unit:
        return tuple(_line(context, unit, game, user_id) for game in unit.games.of_user(user_id))


def game_info(context: Context, game_id: GameId, user_id: UserId | None) -> GameInfo:
    """Everything public about a game.

    Raises:
        Refused: there is no such game.
    """
    with context.reading() as unit:
        game = get_game(unit, game_id)
        seats = tuple(unit.games.seats(game_id))
        sheets = unit.sheets.of_phase(game_id, game.phase_no) if game.document is not None else {}
    rules = get_rules(context, game)
    power = power_of(seats, user_id)
    shown = tuple(_seat_info(rules, seat) for seat in in_telling_order(rules, seats))
    if game.document is None:
        return GameInfo(
            game=without_secrets(game),
            seats=shown,
            power=power,
            status=None,
            missing=(),
            ready=0,
            deciding=0,
            deadline_at=None,
            schedule=_schedule(context, game),
        )
    table = read_table(context, game, seats)
    is_open = game.status in UNFINISHED
    deciders = table.deciders if is_open else ()
    missing = tuple(
        seat.power for seat in deciders if seat.power is not None and not has_answered(seat, sheets.get(seat.power))
    )
    return GameInfo(
        game=without_secrets(game),
        seats=shown,
        power=power,
        status=table.status,
        missing=missing,
        ready=sum(seat.is_ready for seat in deciders),
        deciding=len(deciders),
        deadline_at=game.deadline_at,
        schedule=_schedule(context, game) if is_open and game.status is not GameStatus.PAUSED else (),
    )


def _seat_info(rules: AnySystem, seat: Seat) -> SeatInfo:
    return SeatInfo(
        number=seat.number,
        power=seat.power,
        # In an anonymous game, whoever sees a wish appear knows who has just said that they join.
        wish=None if rules.info.is_anonymous else seat.wish,
        player=None if rules.info.is_anonymous else seat.user_id,
        is_taken=seat.user_id is not None or seat.computer is not None,
        is_open=seat.is_open,
        missed=seat.missed,
        computer=seat.computer,
    )


def _line(context: Context, unit: UnitOfWork, game: Game, user_id: UserId | None) -> GameLine:
    seats = unit.games.seats(game.id)
    power = power_of(seats, user_id)
    taken = sum(seat.user_id is not None or seat.computer is not None for seat in seats)
    status = None
    if game.phase_no and (power is not None or game.phase_title is None):
        # Whether a power is out only its position tells; games of 0.1.0 don't know the titles of their phases yet.
        status = _status(context, unit, game)
    title = game.phase_title if status is None else status.title
    is_out = status is not None and power in status.out
    return GameLine(without_secrets(game), power, title, taken, is_out=is_out)


def _status(context: Context, unit: UnitOfWork, game: Game) -> Status | None:
    """Where a game stands; `None` if its position can't be read: a damaged game does not hide the others of a list."""
    try:
        return get_table(context, unit, game.id).status
    except Exception as error:
        _log.error("game %d can't be listed with its phase: %s", game.id, describe_fault(error))
        return None


def _schedule(context: Context, game: Game) -> tuple[datetime, ...]:
    if game.pace.by_kind:
        # Of which kind the coming phases are only the rules know, when it is time.
        return ()
    schedule = parse_pace(game.pace.default)
    if game.deadline_at is None:
        return preview(schedule, context.clock.now())
    return (game.deadline_at, *preview(schedule, game.deadline_at, 5))
