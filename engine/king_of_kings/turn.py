"""A turn, as the visible list of its steps. Source: rules 3, ruling K-06."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.dice import Streams
from engine.core.ids import PowerId
from engine.king_of_kings.model import Line, State
from engine.king_of_kings.steps import (
    absent,
    battles,
    closing,
    defence,
    diplomacy,
    harvest,
    land,
    opening,
    sea,
    spending,
)
from engine.king_of_kings.working import Step, Turn

STEPS: tuple[Step, ...] = (
    opening.open_turn,  # 1 playing order, isolation, general credits
    absent.write_orders,  # 2 orders for nations without a sheet
    diplomacy.negotiate,  # 3 ALL, CEDE, DONATE, NAME
    spending.spend,  # 4 BUILD and PLA, storage limits
    defence.take_stances,  # 5 DEF
    sea.sail,  # 6 SEA, sea battles
    land.march,  # 7 LAND
    battles.fight,  # 8 land battles
    harvest.harvest,  # 9 gold, wood, food, supply
    closing.close,  # 10 alliances, loyalty, fame, elimination, missed turns, victory
)
REHEARSED: tuple[Step, ...] = (
    opening.open_turn,
    diplomacy.negotiate,
    spending.spend,
    defence.take_stances,
    sea.sail,
    land.march,
)
"""The steps of a dry run of one sheet. Source: rules 4.2."""

PAID: tuple[Step, ...] = (opening.open_turn, diplomacy.negotiate, spending.pay)
"""The same up to the point where everything is paid and nothing of the store is lost yet."""


def run(state: State, sheets: Mapping[PowerId, Sequence[Line]], dice: Streams) -> Turn:
    """A whole turn. A nation that is missing in `sheets` sent nothing; an empty sheet is a sheet."""
    return _go(Turn.open(state, sheets, dice), STEPS)


def rehearse(state: State, nation: PowerId, lines: Sequence[Line], steps: Sequence[Step] = REHEARSED) -> Turn:
    """The turn of one nation up to its moves, as if nobody else did anything and there were no dice."""
    return _go(Turn.open(state, {nation: lines}, None), steps)


def _go(turn: Turn, steps: Sequence[Step]) -> Turn:
    for step in steps:
        step(turn)
    return turn
