"""A player with a seat in a running game: what they may see of it, and what their sheet says."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model import GameId, Seat, StoredSheet, UserId
from bot.ports import UnitOfWork
from bot.services.context import Context
from bot.services.table import Table, get_game, get_seat, read_table, require_phase, require_unfinished
from engine.core.ids import PowerId
from engine.core.reading import Reading, read_accepted
from engine.core.viewer import Playing
from engine.registry import AnySystem, Order, View


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """A player who has a seat in a game in progress: everything from here on is about this power alone."""

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

    def standing(self) -> Reading[Order]:
        """The orders in the sheet, read again."""
        return read_accepted(self.rules, self.view, self.lines)
