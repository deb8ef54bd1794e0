"""Phase 8. Land battles in order of first assault."""

from __future__ import annotations

from engine.king_of_kings.working import Turn


def fight(turn: Turn) -> None:
    """Phase 8. Land battles in order of first assault."""
