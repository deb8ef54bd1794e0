"""Seats of running games as they change hands: given, taken over, given up, and come back to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.model import ActKind, Game, GameId, MessageKind, Seat, UserId
from bot.ports import UnitOfWork
from bot.services import post
from bot.services.acts import LEFT, MAKERS, NOBODY, TAKEN, carry_out, seating_text
from bot.services.context import Context
from bot.services.errors import Refused, refused, refused_with
from bot.services.post import UNNAMED
from bot.services.secret_choice import begins_open
from bot.services.table import Table, get_game, powers_of, read_power, read_table
from bot.services.turns import close_if_settled
from engine.computer.levels import Level
from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.core.variant import Power
from engine.core.viewer import EVERYBODY


def seat_player(
    context: Context, unit: UnitOfWork, table: Table, seat: Seat, user_id: UserId, *, by: UserId | None = None
) -> Seat:
    """Give a seat of a running game to a person, announce it, and send the person the briefing.

    The orders of whoever had it stand, their votes don't: nobody agrees to what they were never asked.

    Args:
        by: the game master who gives it; `None`: the person takes it.

    Raises:
        Refused: the person has played another power of the game, or is a game master who could choose in secret, or
            rule on what others did in secret.
    """
    require_no_other_side(table, seat, user_id, by=by)
    command = table.rules.info.secret_choice
    if command is not None and user_id in table.game.game_masters and begins_open(table.rules, table.game):
        raise Refused(phrase(f"door.{command.id}.knows", game=table.game.name))
    if user_id in table.game.game_masters and table.rules.rulings is not None:
        raise refused("master_rules", game=table.game.name)
    table = with_seating(context, unit, table, seat, TAKEN)
    now = context.clock.now()
    taken = replace(_emptied(seat), user_id=user_id, is_open=False)
    unit.games.save_seat(taken)
    for ballot in unit.ballots.of_phase(table.game.id, table.game.phase_no):
        if ballot.power == seat.power:
            unit.ballots.cast(replace(ballot, in_favour=False, winner=None))
    former = seat.user_id
    if by is None and former is None:
        _tell_of_seat(unit, table, now, "seat_taken", seat, by=None, user=user_id)
    elif by is None:
        _tell_of_seat(unit, table, now, "seat_taken_from", seat, by=None, user=user_id, former=former)
    elif former is None:
        _tell_of_seat(unit, table, now, "seat_given", seat, by=by, user=user_id)
    else:
        _tell_of_seat(unit, table, now, "seat_given_from", seat, by=by, user=user_id, former=former)
    post.change_status(unit, table.game, now)
    post.to_player(unit, table.game, seat, now, MessageKind.SEAT_LOST, {"by_master": by is not None})
    post.to_player(unit, table.game, taken, now, MessageKind.BRIEFING, {"closed_phase_nos": []})
    return taken


def vacate(
    context: Context,
    unit: UnitOfWork,
    table: Table,
    seat: Seat,
    *,
    by: UserId | None = None,
    computer: Level | None = None,
) -> tuple[Seat, Game | None]:
    """Make a seat of a running game vacant, and announce it. Whatever waited for its player alone happens then.

    It is open for somebody else, as long as the game is not over for its power. Until then the computer holds it, in
    games in which it plays what nobody plays.

    Args:
        by: the game master who takes it from its player; `None`: the player gives it up.
        computer: how well the computer is to play it; `None`: as in the whole game. It doesn't go on where it was the
            computer that a seat is taken from.

    Returns: the vacant seat, and the game if it moved on.
    """
    is_of_computer, is_out = seat.computer is not None and seat.user_id is None, seat.power in table.status.out
    if computer is None and not is_of_computer and not is_out:
        computer = table.game.computer
    # Whom a game master has removed nobody votes for, whatever plays there since.
    is_removed = seat.is_removed or (by is not None and seat.user_id is not None)
    is_open = table.status.may_be_joined
    vacant = replace(_emptied(seat), is_open=is_open, is_removed=is_removed, computer=computer)
    unit.games.save_seat(vacant)
    now = context.clock.now()
    _tell_of_vacancy(unit, table, seat, now, by=by, computer=computer)
    table = with_seating(context, unit, table, seat, LEFT if computer is None else TAKEN)
    seats = tuple(vacant if other.number == seat.number else other for other in table.seats)
    moved = close_if_settled(context, unit, replace(table, seats=seats))
    if moved is None:
        post.change_status(unit, table.game, now)
    return vacant, moved


def _tell_of_vacancy(
    unit: UnitOfWork, table: Table, seat: Seat, now: datetime, *, by: UserId | None, computer: Level | None
) -> None:
    """Announce who no longer plays a seat and, if the computer plays it from now on, that it does."""
    is_open = table.status.may_be_joined
    if seat.user_id is None:
        assert by is not None, "nobody gives up what nobody has"
        if computer is None:
            post.intervention(unit, table.game, now, "computer_removed", master=by, power=seat.power)
    elif by is not None:
        if is_open:
            _tell_of_seat(unit, table, now, "seat_removed", seat, by=by, user=seat.user_id)
        else:
            _tell_of_seat(unit, table, now, "seat_removed_asked", seat, by=by, user=seat.user_id)
        post.to_player(unit, table.game, seat, now, MessageKind.SEAT_LOST, {"by_master": True})
    elif seat.power in table.status.out:
        _tell_of_seat(unit, table, now, "seat_left_out", seat, by=None, user=seat.user_id)
    elif is_open:
        _tell_of_seat(unit, table, now, "seat_left", seat, by=None, user=seat.user_id)
    else:
        _tell_of_seat(unit, table, now, "seat_left_asked", seat, by=None, user=seat.user_id)
    if computer is None:
        return
    if by is None:
        post.notice(unit, table.game, now, "computer_plays", power=seat.power, level=str(computer))
    else:
        post.intervention(unit, table.game, now, "computer_plays", master=by, power=seat.power, level=str(computer))


def with_seating(context: Context, unit: UnitOfWork, table: Table, seat: Seat, what: str) -> Table:
    """The game after its rules have been told that the player of a seat has gone (`LEFT`), or is there (`TAKEN`).

    It is kept like any change of a position, but not by whom: in some games players are unknown to each other.
    """
    rules, power = table.rules, seat.power
    if rules.seating is None or power is None or power in table.status.out or not table.game.has_acts:
        return table
    text = seating_text(what, power)
    if MAKERS[ActKind.SEAT](rules, table.state, text) == table.state:
        return table
    state = carry_out(context, unit, table, NOBODY, ActKind.SEAT, text)
    game = replace(table.game, document=rules.play.dump(state))
    return replace(table, game=game, state=state, status=rules.play.status(state))


def come_back(context: Context, unit: UnitOfWork, game: Game, seat: Seat) -> Seat:
    """The seat of a player who has shown that they are there: no longer open because of missed phases, and no longer
    the computer's. Not stored yet."""
    if not seat.is_open and seat.computer is None:
        return seat
    post.notice(unit, game, context.clock.now(), "seat_kept", power=seat.power)
    return replace(seat, is_open=False, missed=0, computer=None)


def find_open_seat(table: Table, power: str | None, user_id: UserId) -> Seat:
    """The seat that somebody who joins a running game means: the only open one, or that of a power.

    Whoever has played in it can only come back to what they played, so they are given no choice.

    Raises:
        Refused: none is open, several are, or that one is not; those that are are named.
    """
    open_seats = [seat for seat in table.seats if seat.is_open and seat.power not in table.status.out]
    if not open_seats:
        raise refused_with(phrase("refused.hint.no_open_seat"), "no_open_seat", game=table.game.name)
    powers = tuple(seat.power for seat in open_seats if seat.power is not None)
    if power is None or not power.strip():
        if any(user_id in seat.former for seat in table.seats):
            return next((seat for seat in open_seats if user_id in seat.former), open_seats[0])
        if len(open_seats) > 1:
            raise refused_with(_choice_of(table, powers), "which_power")
        return open_seats[0]
    wanted = read_power(table.atlas(EVERYBODY), power, powers)
    for seat in open_seats:
        if seat.power == wanted:
            return seat
    raise refused_with(_choice_of(table, powers), "seat_not_open", power=wanted)


def joinable(context: Context, game_id: GameId, user_id: UserId) -> Sequence[Power]:
    """The powers that somebody could name to join a game, in seat order: in the lobby all that are drawn, later those
    whose seats are open, or that a game master gives.

    Raises:
        Refused: there is no such game.
    """
    with context.reading() as unit:
        game = get_game(unit, game_id)
        seats = tuple(unit.games.seats(game_id))
    if game.document is None:
        return powers_of(context, game_id, user_id)
    table = read_table(context, game, seats)
    free = {
        seat.power
        for seat in table.seats
        if seat.power not in table.status.out and (seat.is_open or is_to_be_asked_for(table, seat))
    }
    return tuple(power for power in table.atlas(EVERYBODY).powers.values() if power.id in free)


def is_to_be_asked_for(table: Table, seat: Seat) -> bool:
    """Whether nobody plays a seat, and game masters give it."""
    is_free = seat.user_id is None and not seat.is_open and seat.power not in table.status.out
    return is_free and table.status.is_by_invitation


def _choice_of(table: Table, powers: Sequence[PowerId]) -> Phrase:
    """Which powers could be taken over, and which are places for somebody new: that much is public."""
    places = tuple(power for power in powers if power in table.status.places)
    left = tuple(power for power in powers if power not in places)
    if not places:
        return phrase("refused.hint.powers", powers=left)
    return phrase("refused.hint.powers_and_places" if left else "refused.hint.places", powers=left, places=places)


def require_no_other_side(table: Table, seat: Seat, user_id: UserId, *, by: UserId | None) -> None:
    """Check that somebody has played no other power of the game, and so knows no other's secrets.

    Otherwise one could leave, look at what an open seat has ordered and holds, and come back; and a game master could
    go from seat to seat. Source: docs/running-a-game.md, "Changing players"

    Raises:
        Refused: the person has played another one.
    """
    for other in table.seats:
        if other.number != seat.number and user_id in other.former:
            if by is not None and table.rules.info.is_anonymous:
                raise refused("played_before", game=table.game.name)
            raise refused("played_another", power=other.power, game=table.game.name)


def _tell_of_seat(
    unit: UnitOfWork, table: Table, now: datetime, code: str, seat: Seat, *, by: UserId | None, **users: UserId | None
) -> None:
    """Tell everybody what became of a seat; of whom, only where players know each other."""
    named: dict[str, Any] = {**users}
    if table.rules.info.is_anonymous:
        code, named = f"{code}{UNNAMED}", {}
    if by is None:
        post.notice(unit, table.game, now, code, power=seat.power, **named)
    else:
        post.intervention(unit, table.game, now, code, master=by, power=seat.power, **named)


def _emptied(seat: Seat) -> Seat:
    """The seat without its player, who is remembered."""
    former = seat.former
    if seat.user_id is not None and seat.user_id not in former:
        former = (*former, seat.user_id)
    return replace(
        seat,
        user_id=None,
        is_ready=False,
        missed=0,
        dms_closed=False,
        former=former,
        is_removed=False,
        computer=None,
    )
