"""What takes long, and transactions that must not wait for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Here:
    """Does it at once, in this process: for tests, and for what is small. Fulfils `bot.ports.Workers`."""

    def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call the function."""
        return work(*args, **kwargs)
