"""What a person could do next: where they play, wait, are game master, or watch. What `/help` is made from."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model import Game, GameId, GameStatus, Seat, UserId
from bot.ports import DamagedGame
from bot.services.context import Context
from bot.services.errors import Refused
from bot.services.overview import GameLine, games_in_guild, games_of_user
from bot.services.seated import OwnSide, own_side
from bot.services.table import find_seat
from engine.core.doors import Door
from engine.core.orders import Missing
from engine.core.phrases import Phrase
from engine.registry import AnySystem, Order, View

_PLAYED = (GameStatus.RUNNING, GameStatus.PAUSED)


@dataclass(frozen=True, slots=True)
class OwnGuidance:
    """What is asked of a player in a game, for this player alone.

    Args:
        missing: what has no order yet, and `otherwise` what happens to that.
        examples: what could be ordered in this phase, each with an order that could be sent as it is.
        may_order: whether there is anything to decide in this phase.
        is_empty: whether the sheet that was sent has been emptied: then its sender does nothing.
        families: of the game's special ways to order, those of which one can be used now, or shows something.
    """

    line: GameLine
    rules: AnySystem
    goal: Phrase
    missing: tuple[Missing, ...]
    otherwise: tuple[Phrase, ...]
    examples: tuple[Phrase, ...]
    may_order: bool
    is_empty: bool = False
    families: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Guidance:
    """A person's situation.

    Args:
        lines: the games in which they have a seat, most urgent first.
        own: the one of these that is meant where they ask, if it is in progress and not over for them.
        mastered: the games here of which they are game master.
        watched: the game here in which they have no seat.
        has_open_seats: whether a seat of that one could be taken.
        is_in_server: they ask in a server, not by direct message.
    """

    lines: tuple[GameLine, ...] = ()
    own: OwnGuidance | None = None
    mastered: tuple[Game, ...] = ()
    watched: GameLine | None = None
    has_open_seats: bool = False
    is_in_server: bool = True


def guidance(
    context: Context, user_id: UserId, *, guild_id: int | None, channel_id: int | None, named: GameId | None = None
) -> Guidance:
    """The situation of a person who asks in a channel of a server, or (both `None`) in direct messages.

    Args:
        named: the game that they asked about; `None`: the channel's, or the most urgent of theirs.
    """
    lines = tuple(games_of_user(context, user_id))
    in_server = tuple(games_in_guild(context, guild_id)) if guild_id is not None else ()
    here = [line for line in in_server if line.game.channel_id == channel_id]
    mine = {line.game.id for line in lines}
    known = {line.game.id: line.game for line in (*here, *in_server, *lines)}.values()
    mastered = tuple(game for game in known if user_id in game.game_masters)
    foreign = next((line for line in here if line.game.id not in mine), None)
    playing = [line for line in lines if line.game.status in _PLAYED and not line.is_out]
    asked = [line for line in playing if line.game.id == named]
    meant = asked or [line for line in playing if line.game.channel_id == channel_id] or ([] if foreign else playing)
    return Guidance(
        lines=lines,
        own=_own(context, meant[0], user_id) if meant else None,
        mastered=mastered,
        watched=foreign,
        has_open_seats=foreign is not None and any(seat.is_open for seat in _seats(context, foreign.game, user_id)),
        is_in_server=guild_id is not None,
    )


def _own(context: Context, line: GameLine, user_id: UserId) -> OwnGuidance | None:
    try:
        side = own_side(context, line.game.id, user_id)
    except (Refused, DamagedGame):  # it has ended since it was listed, or can't be read
        return None
    orders, telling = side.rules.orders, side.rules.telling
    is_open = side.may_order and not side.is_sent
    return OwnGuidance(
        line=line,
        rules=side.rules,
        goal=telling.goal(side.view),
        missing=orders.missing(side.view, side.orders) if is_open else (),
        otherwise=orders.otherwise(side.view, side.orders) if is_open else (),
        examples=telling.examples(side.view),
        may_order=side.may_order,
        is_empty=side.is_sent and not side.orders,
        families=tuple(dict.fromkeys(door.family for door in side.rules.doors if _leads_somewhere(door, side))),
    )


def _leads_somewhere(door: Door[View, Order], side: OwnSide) -> bool:
    if door.page is not None:
        page = door.page(side.view, side.orders)
        return page is not None and not page.is_empty
    return side.may_order and (door.is_open is None or door.is_open(side.view, side.orders))


def _seats(context: Context, game: Game, user_id: UserId) -> tuple[Seat, ...]:
    """The seats of a game that a person could take: none if they have one."""
    with context.reading() as unit:
        seats = tuple(unit.games.seats(game.id))
    return () if find_seat(seats, user_id) else seats
