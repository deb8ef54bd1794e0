"""Phase 6. SEA orders, each sea battle fought when it arises."""

from __future__ import annotations

from engine.king_of_kings.working import Turn


def sail(turn: Turn) -> None:
    """Phase 6. SEA orders, each sea battle fought when it arises."""
