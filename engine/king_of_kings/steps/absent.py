"""Phase 2. Orders for nations without a sheet."""

from __future__ import annotations

from engine.king_of_kings.working import Turn


def write_orders(turn: Turn) -> None:
    """Phase 2. Orders for nations without a sheet."""
