"""Which provinces are isolated. Source: §2.6; rulings K-44, K-45."""

from __future__ import annotations

from engine.king_of_kings.grid import Cell
from engine.king_of_kings.working import Turn


def find_isolated(turn: Turn) -> frozenset[Cell]:
    """The owned land provinces that are cut off as things stand now."""
    return frozenset()
