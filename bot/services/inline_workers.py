"""Stands in for worker processes where there are none: in tests, and with `workers=0`."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class InlineWorkers:
    """Carries every job out at once, on the calling thread. Implements `bot.ports.Workers`."""

    def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call the function."""
        return work(*args, **kwargs)

    run_here = run
