"""Battles as stories: what the dice did, roll by roll, as phrases of the section `battle`. All of it is public."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.king_of_kings.combat import Shot
from engine.king_of_kings.model import Units
from engine.king_of_kings.working import Turn, in_list_order
from engine.lattice.squares import Cell


def show(turn: Turn, units: Units) -> str:
    """Units in the order of the troop list, as a cell of the map has them: `3F 1G`; `-` for none."""
    return " ".join(f"{number}{symbol}" for symbol, number in in_list_order(turn.rules, units).items()) or "-"


def tell(turn: Turn, code: str, cell: Cell, **args: Any) -> None:
    """Report something about a place; nations are given by their ids, units as counts by symbol."""
    x, y = turn.grid.xy(cell)
    written = {name: _written(turn, name, value) for name, value in args.items()}
    turn.tell_phrase(phrase(f"battle.{code}", x=x, y=y, place=place(turn, cell), **written))


def place(turn: Turn, cell: Cell) -> str:
    """What a report calls a cell: its name, if it has one, and its coordinates. Source: rules 4.3"""
    x, y = turn.grid.xy(cell)
    name = turn.areas[cell].name
    return f"{x}/{y}" if name is None else f"{name} ({x}/{y})"


def _written(turn: Turn, name: str, value: Any) -> Any:
    if name in _NATIONS:
        return turn.realms[value].name
    return show(turn, value) if isinstance(value, dict) else value


_NATIONS = frozenset({"nation", "ally", "attacker", "defender", "loser", "other"})
"""The arguments that name a nation."""


def tell_volley(turn: Turn, cell: Cell, round_no: int, nation: PowerId, shots: Sequence[Shot]) -> None:
    """Report one side's rolls of a round, in order, as text (`H→B 74>60, H→B 4≤60`) and as rows of numbers."""
    if shots:
        tell(
            turn,
            "volley",
            cell,
            round=round_no,
            nation=nation,
            shots=", ".join(
                f"{shot.shooter}→{shot.target} {shot.roll}{'≤' if shot.is_hit else '>'}{shot.chance}" for shot in shots
            ),
            rolls=tuple(tuple(shot) for shot in shots),
        )


def score(turn: Turn, cell: Cell, nation: PowerId, points: int) -> None:
    """Give a side its victory points of a battle, and report it. Source: rules 6.2, 6.3"""
    turn.realms[nation].points += points
    if points:
        tell(turn, "points", cell, nation=nation, points=points)
