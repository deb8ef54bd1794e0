"""What is worth its memory only while pictures of one position follow one another, and is let go in a lull.

Such things are as large as a picture. Workers call `pause` when no job follows at once, and `let_go` when none has come
for a while; where pictures are drawn without workers, nobody does.
"""

from __future__ import annotations

from collections.abc import Callable

_drops: list[Callable[[], None]] = []
_pause_drops: list[Callable[[], None]] = []


def in_a_lull(drop: Callable[[], None]) -> Callable[[], None]:
    """Have this called in each lull; it must not spoil a picture that is being drawn."""
    _drops.append(drop)
    return drop


def in_a_pause(drop: Callable[[], None]) -> Callable[[], None]:
    """Have this called whenever no job follows at once: what it lets go of is there again almost at once."""
    _pause_drops.append(drop)
    return drop


def let_go() -> None:
    """Let go of all that can be made again, or read again, without much ado."""
    for drop in (*_drops, *_pause_drops):
        drop()


def pause() -> None:
    """Let go of what costs the next job next to nothing."""
    for drop in _pause_drops:
        drop()
