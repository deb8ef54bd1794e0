"""A cache of positions: many messages are made of each, and its document is read once."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from engine.registry import AnySystem, State

KEPT = 8
"""How many positions: those before and after a phase, for as many games as are announced at the same time."""

_reading = threading.Lock()
_same = deque[tuple[Mapping[str, Any], Callable[[Mapping[str, Any]], State], State]](maxlen=KEPT)
"""The documents that were asked for last, how they were read, and what they hold."""


def position_of(rules: AnySystem, document: Mapping[str, Any]) -> State:
    """The position that a document holds, as `rules.play.load` reads it; nobody may change it.

    Raises:
        DocumentError: it holds none.
    """
    load = rules.play.load
    for known, reader, state in tuple(_same):
        if known is document and reader is load:
            return state  # the same document: a snapshot is asked for it again and again
    # By its text: to Python `1` and `True` are equal, to the rules they may not be.
    with _reading:
        state = _read(load, json.dumps(document))
    _same.append((document, load, state))
    return state


def loads() -> int:
    """How many documents were read since the last `forget`."""
    return _read.cache_info().misses


def forget() -> None:
    """Let go of all positions."""
    _read.cache_clear()
    _same.clear()


@lru_cache(maxsize=KEPT)
def _read(load: Callable[[Mapping[str, Any]], State], text: str) -> State:
    return load(json.loads(text))
