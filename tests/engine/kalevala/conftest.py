"""Worlds by lot, each drawn once a process: one of ten rulers takes seconds. `test_world` asks the generator itself."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from engine.kalevala.world.start import start_of_world


@cache
def _drawn(players: int, seed: str, *, same_troops: bool) -> bytes:
    return pickle.dumps(start_of_world(players, seed, same_troops=same_troops))


def _copy_of_world(players: int, seed: str, *, same_troops: bool = False) -> dict[str, Any]:
    found: dict[str, Any] = pickle.loads(_drawn(players, seed, same_troops=same_troops))
    return found


@pytest.fixture(autouse=True, scope="module")
def _worlds_are_drawn_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.kalevala.document.start_of_world", _copy_of_world)
        yield
