"""Cards that a game master hides in secret before a game's first phase closes, in games that leave the choice."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.model import ActKind, Game, GameId, GameStatus, Seat, UserId
from bot.ports import UnitOfWork
from bot.services.acts import carry_out, hiding_text
from bot.services.context import Context
from bot.services.errors import did_you_mean, refused, refused_with
from bot.services.setup import start_state
from bot.services.table import (
    Table,
    find_seat,
    get_game,
    get_rules,
    read_table,
    require_master,
    require_unfinished,
    without_secrets,
)
from engine.core.acts import Hiding
from engine.core.ids import ProvinceId
from engine.core.viewer import MASTER
from engine.registry import AnySystem, State


@dataclass(frozen=True, slots=True)
class HidingView:
    """What a game master who does not play may know of the cards that wait to be hidden.

    Args:
        hidden: the card just hidden, and where; `None` if none was.
        left: the cards that are still to be hidden.
        places: where they may be hidden.
    """

    game: Game
    hidden: tuple[int, ProvinceId] | None
    left: tuple[int, ...]
    places: tuple[ProvinceId, ...]


def hide(
    context: Context,
    game_id: GameId,
    user_id: UserId,
    *,
    is_manager: bool,
    place: str | None = None,
    card: int | None = None,
) -> HidingView:
    """Hide a card that was set aside at the start; without a place none is. Nothing is announced.

    Anybody who has looked counts as a game master from then on, and game masters can't take a seat in such a game any
    more.

    Args:
        card: its number; if left out, the first that is still to be hidden.

    Raises:
        Refused: the person is no game master, or plays in the game; the game leaves no such choice, or no longer; no
            card can be hidden in that place; or that card does not wait.
    """
    with context.unit_of_work() as unit:
        table, hiding = _open_to(unit, context, game_id, user_id, is_manager=is_manager)
        game = replace(table.game, game_masters=table.game.game_masters | {user_id})
        if game != table.game:
            # Kept even if what is asked for is refused: the reason says what there is to see.
            unit.games.update(game)
            unit.commit()
    if place is None:
        return HidingView(without_secrets(game), None, hiding.aside(table.state), hiding.places(table.state))
    with context.unit_of_work() as unit:
        table, hiding = _open_to(unit, context, game_id, user_id, is_manager=is_manager)
        hidden = (_waiting(hiding.aside(table.state), card), _hiding_place(table, hiding.places(table.state), place))
        state = carry_out(context, unit, table, user_id, ActKind.HIDE, hiding_text(*hidden))
        unit.commit()
    return HidingView(without_secrets(table.game), hidden, hiding.aside(state), hiding.places(state))


def _open_to(
    unit: UnitOfWork, context: Context, game_id: GameId, user_id: UserId, *, is_manager: bool
) -> tuple[Table, Hiding[State]]:
    """The table, if cards still wait to be hidden there by this person."""
    game = get_game(unit, game_id)
    require_master(game, user_id, is_manager=is_manager)
    seats = unit.games.seats(game_id)
    require_unfinished(game)
    table = read_table(context, game, seats)
    hiding = table.rules.hiding
    if hiding is None:
        raise refused("nothing_to_hide", game=game.name)
    if find_seat(seats, user_id) is not None:
        raise refused("master_plays", game=game.name)
    if not hiding.aside(table.state):
        raise refused("nothing_to_hide", game=game.name)
    return table, hiding


def is_given_up(context: Context, game: Game, seat: Seat) -> bool:
    """Whether somebody who takes a seat in a lobby could else have hidden cards as game master."""
    rules = get_rules(context, game)
    is_masters = game.status is GameStatus.LOBBY and seat.user_id in game.game_masters
    return is_masters and rules.hiding is not None and context.workers.run(_has_aside, rules, game)


def _has_aside(rules: AnySystem, game: Game) -> bool:
    """A job for the workers."""
    return rules.hiding is not None and bool(rules.hiding.aside(start_state(rules, game, seed="")))


def suggest_places(context: Context, game_id: GameId, user_id: UserId) -> tuple[str, ...]:
    """The names of the places where a card may be hidden now, for a game master who does not play; for others none.

    Which places are left says where cards are, so a manager of the server has to look with `hide` first.
    """
    with context.reading() as unit:
        game, seats = get_game(unit, game_id), unit.games.seats(game_id)
    if game.document is None or user_id not in game.game_masters or find_seat(seats, user_id) is not None:
        return ()
    table = read_table(context, game, seats)
    hiding = table.rules.hiding
    if hiding is None or not hiding.aside(table.state):
        return ()
    spaces = table.atlas(MASTER).spaces
    return tuple(sorted(spaces[place].name for place in hiding.places(table.state)))


def _waiting(aside: tuple[int, ...], card: int | None) -> int:
    if card is not None and card not in aside:
        raise refused("card_not_aside", card=card, cards=tuple(map(str, aside)))
    return aside[0] if card is None else card


def _hiding_place(table: Table, places: tuple[ProvinceId, ...], text: str) -> ProvinceId:
    spaces = table.atlas(MASTER).spaces
    wanted = text.strip().casefold()
    for place in places:
        if wanted in (place.casefold(), spaces[place].name.casefold()):
            return place
    known = [spaces[place].name for place in places]
    raise refused_with(did_you_mean(text, known), "no_hiding_place", place=text, places=tuple(known))
