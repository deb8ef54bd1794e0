"""Caches what follows from a value that never changes, as long as it is in use; boards are slow to compare."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Generic, TypeVar

S = TypeVar("S")
T = TypeVar("T")


class ByIdentity(Generic[S]):
    """A value compared by identity."""

    __slots__ = ("value",)

    def __init__(self, value: S) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByIdentity) and other.value is self.value


def cached_by_identity(function: Callable[[S], T]) -> Callable[[S], T]:
    """The function, called once for the same value as long as few others come in between."""

    @lru_cache(maxsize=8)
    def ask(key: ByIdentity[S]) -> T:
        return function(key.value)

    @wraps(function)
    def answer(value: S) -> T:
        return ask(ByIdentity(value))

    return answer
