"""Phase 9. Gold, wood, food, supply."""

from __future__ import annotations

from engine.king_of_kings.working import Turn


def harvest(turn: Turn) -> None:
    """Phase 9. Gold, wood, food, supply."""
