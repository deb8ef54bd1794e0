"""A player's own side of a running game: what their power sees, has ordered and may order now."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model import Game, GameId, UserId
from bot.services.context import Context
from bot.services.seated import SeatedPlayer
from bot.services.sheets import is_sent_sheet
from bot.services.table import without_secrets
from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.core.reading import read_orders
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
        player = SeatedPlayer.of(context, unit, game_id, user_id)
    return OwnSide(
        game=without_secrets(player.table.game),
        title=player.table.status.title,
        power=player.power,
        view=player.view,
        rules=player.rules,
        orders=read_orders(player.rules, player.view, "\n".join(player.lines)).values,
        is_sent=is_sent_sheet(player.rules, player.sheet),
        may_order=player.power in player.table.status.to_act,
    )
