"""What is worth its memory only while pictures of one position follow one another, and is let go in a lull.

Such things are as large as a picture. Workers call `job_done` after each job, and `let_go` when none has come for a
while; where pictures are drawn without workers, nobody does.
"""

from __future__ import annotations

from collections.abc import Callable

_drops: list[Callable[[], None]] = []
_after_jobs: list[Callable[[], None]] = []


def in_a_lull(drop: Callable[[], None]) -> Callable[[], None]:
    """Have this called in each lull; it must not spoil a picture that is being drawn."""
    _drops.append(drop)
    return drop


def after_each_job(drop: Callable[[], None]) -> Callable[[], None]:
    """Have this called after each job: what it lets go of is there again almost at once."""
    _after_jobs.append(drop)
    return drop


def let_go() -> None:
    """Let go of all that can be made again, or read again, without much ado."""
    for drop in (*_drops, *_after_jobs):
        drop()


def job_done() -> None:
    """Let go of what costs the next job next to nothing."""
    for drop in _after_jobs:
        drop()
