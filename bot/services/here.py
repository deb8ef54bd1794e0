"""Does in this process, at once, what workers would do."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Here:
    """Does everything at once, in this process. Implements `bot.ports.Workers`."""

    def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call the function."""
        return work(*args, **kwargs)

    run_here = run
