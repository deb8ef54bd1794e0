"""Phase 10. Alliances, loyalty, fame, elimination, missed turns, victory."""

from __future__ import annotations

from engine.king_of_kings.working import Turn


def close(turn: Turn) -> None:
    """Phase 10. Alliances, loyalty, fame, elimination, missed turns, victory."""
