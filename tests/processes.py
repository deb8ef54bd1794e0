"""What runs on this machine, as far as tests and benches have to know. Linux tells it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


def children() -> list[int]:
    """The numbers of the processes that this one has started, and of those that they have, while they run."""
    parents = dict(_parents())
    found = [os.getpid()]
    for process in found:  # grows as it is read
        found += [child for child, parent in parents.items() if parent == process]
    return found[1:]


def is_running(process: int) -> bool:
    """Whether a process goes on; one that has ended may wait for somebody to ask how."""
    return process in dict(_parents())


def _parents() -> Iterator[tuple[int, int]]:
    """Every process that runs, with the one that has started it."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state not in ("Z", "X"):
            yield int(stat.parent.name), int(parent)
