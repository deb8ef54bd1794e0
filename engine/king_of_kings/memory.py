"""Facts about a position that are needed again and again; worked out once for each State, which never changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

from engine.core.identity import ByIdentity
from engine.core.ids import PowerId
from engine.king_of_kings.model import State

T = TypeVar("T")
_KEPT = 32


def remembered(function: Callable[[State, PowerId | None], T]) -> Callable[[State, PowerId | None], T]:
    """The function, called only once for the same State and viewer unless many others come between."""

    @lru_cache(maxsize=_KEPT)
    def ask(same: ByIdentity[State], viewer: PowerId | None) -> T:
        return function(same.value, viewer)

    @wraps(function)
    def answer(state: State, viewer: PowerId | None) -> T:
        return ask(ByIdentity(state), viewer)

    return answer
