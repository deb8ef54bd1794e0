"""A player's own side of a running game: what their power sees, has ordered and may order now."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model import Game, GameId, UserId
from bot.services.context import Context
from bot.services.orders import is_sent_sheet
from bot.services.table import get_game, get_seat, read_table, require_unfinished, without_secrets
from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.registry import AnySystem, Order, View


@dataclass(frozen=True, slots=True)
class OwnSide:
    """What one player may know, for this player alone.

    Args:
        orders: what stands in the sheet.
        is_sent: whether a sheet counts as sent, in a game of sheets; an emptied one does.
        may_order: whether the power has something to decide in this phase.
    """

    game: Game
    title: Phrase
    power: PowerId
    view: View
    rules: AnySystem
    orders: tuple[Order, ...]
    is_sent: bool
    may_order: bool


def own_side(context: Context, game_id: GameId, user_id: UserId) -> OwnSide:
    """The side of a person in a game.

    Raises:
        Refused: the person does not play, or the game has not begun or is over.
    """
    with context.reading() as unit:
        game = get_game(unit, game_id)
        seats = unit.games.seats(game_id)
        seat = get_seat(game, seats, user_id)
        require_unfinished(game)
        table = read_table(context, game, seats)
        assert seat.power is not None, "powers are drawn at the start"
        sheet = unit.sheets.find(game_id, game.phase_no, seat.power)
    rules, view = table.rules, table.rules.sight.view(table.state, Playing(seat.power))
    return OwnSide(
        game=without_secrets(game),
        title=table.status.title,
        power=seat.power,
        view=view,
        rules=rules,
        orders=read_orders(rules, view, "\n".join(sheet.orders if sheet else ())).values,
        is_sent=is_sent_sheet(rules, sheet),
        may_order=seat.power in table.status.to_act,
    )
