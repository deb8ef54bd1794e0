"""A player with a seat in a running game: what they may see of it, and what their sheet says.

`SeatedPlayer` also has the game as it is stored, for use cases that change it; `OwnSide` has only what the player may
know, for those that show something.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.model import Game, GameId, Seat, StoredSheet, UserId
from bot.ports import UnitOfWork
from bot.services.context import Context
from bot.services.sheets import is_sent_sheet
from bot.services.table import (
    Table,
    get_game,
    get_seat,
    read_table,
    require_phase,
    require_unfinished,
    without_secrets,
)
from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.core.reading import Reading, read_accepted, read_orders
from engine.core.viewer import Playing
from engine.registry import AnySystem, Order, View


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """A player who has a seat in a game in progress. Its `table` knows all secrets, its `view` this power's alone."""

    table: Table
    seat: Seat
    power: PowerId
    view: View
    sheet: StoredSheet | None

    @classmethod
    def of(
        cls, context: Context, unit: UnitOfWork, game_id: GameId, user_id: UserId, *, phase_no: int | None = None
    ) -> SeatedPlayer:
        """A player and what they see.

        Args:
            phase_no: the phase that they look at; `None`: whichever is open.

        Raises:
            Refused: the person does not play, the game has not begun or is over, or that phase is no longer open.
        """
        game = get_game(unit, game_id)
        seats = unit.games.seats(game_id)
        seat = get_seat(game, seats, user_id)
        require_unfinished(game)
        table = read_table(context, game, seats)
        if phase_no is not None:
            require_phase(table, phase_no)
        assert seat.power is not None, "powers are drawn at the start"
        return cls(
            table=table,
            seat=seat,
            power=seat.power,
            view=table.rules.sight.view(table.state, Playing(seat.power)),
            sheet=unit.sheets.find(game_id, game.phase_no, seat.power),
        )

    @property
    def rules(self) -> AnySystem:
        """The game's rules."""
        return self.table.rules

    @property
    def lines(self) -> tuple[str, ...]:
        """The orders in the sheet as they are written."""
        return self.sheet.orders if self.sheet else ()

    @property
    def may_order(self) -> bool:
        """Whether the power has something to decide in this phase."""
        return self.power in self.table.status.to_act

    @property
    def is_sent(self) -> bool:
        """Whether a sheet counts as sent, in a game of sheets; an emptied one does."""
        return is_sent_sheet(self.rules, self.sheet)

    def standing(self) -> Reading[Order]:
        """The orders in the sheet, read again."""
        return read_accepted(self.rules, self.view, self.lines)


@dataclass(frozen=True, slots=True)
class OwnSide:
    """A player's own side of a game: what one player may know, for this player alone.

    Args:
        orders: what stands in the sheet.
        is_sent, may_order: as in `SeatedPlayer`.
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
        is_sent=player.is_sent,
        may_order=player.may_order,
    )
