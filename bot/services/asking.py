"""People ask the game masters for a seat in a running game that can only be had from them."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model import Game, GameId, MessageKind, Seat, UserId
from bot.services import post
from bot.services.context import Context
from bot.services.errors import refused
from bot.services.seats import is_to_be_asked_for, require_no_other_side
from bot.services.table import Table, find_seat, get_game, read_power, read_table, without_secrets
from engine.core.ids import PowerId
from engine.core.viewer import EVERYBODY


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that was passed on: who wants to play which power."""

    game: Game
    power: PowerId


def ask(context: Context, game_id: GameId, user_id: UserId, *, power: str | None) -> Asked | None:
    """Tell the game masters that somebody wants a place, or a power that nobody plays, if they have to agree.

    Args:
        power: the one wanted; `None`: any, if no seat is open to everybody.

    Returns: `None` where there is nothing to ask for: a seat is open, or nobody gives places here.

    Raises:
        Refused: the person has played in the game, or has asked for that place in this phase.
    """
    with context.unit_of_work() as unit:
        game = get_game(unit, game_id)
        seats = tuple(unit.games.seats(game_id))
        if game.document is None or find_seat(seats, user_id) is not None:
            return None
        table = read_table(context, game, seats)
        seat = _wanted(table, power)
        if seat is None or seat.power is None:
            return None
        require_no_other_side(table, seat, user_id, by=None)
        wish = {"place": seat.power, "user": user_id}
        before = (
            each.payload
            for each in unit.outbox.of_game(game_id, kind=MessageKind.ASKED)
            if each.phase_no == game.phase_no
        )
        if any({**payload, **wish} == payload for payload in before):
            raise refused("asked_already", game=game.name, power=seat.power)
        post.to_masters(unit, game, context.clock.now(), MessageKind.ASKED, wish)
        unit.commit()
    context.alarm.mail()
    return Asked(without_secrets(game), seat.power)


def _wanted(table: Table, power: str | None) -> Seat | None:
    """The seat asked for: vacant, and not open to everybody; kept places come before seats that players have left."""
    status = table.status
    if status.winners is not None or not status.is_by_invitation:
        return None
    free = [each for each in table.seats if is_to_be_asked_for(table, each)]
    free.sort(key=lambda each: each.power not in status.places)
    if power is not None and power.strip():
        wanted = read_power(table.atlas(EVERYBODY), power)
        return next((seat for seat in free if seat.power == wanted), None)
    is_any_open = any(seat.is_open and seat.power not in status.out for seat in table.seats)
    return None if is_any_open else next(iter(free), None)
