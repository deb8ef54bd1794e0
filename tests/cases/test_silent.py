"""What is not told has to be something that could be: a code in `silent` is told in another case of the game."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import pytest

from engine.registry import systems
from tests.cases import FOLDER


def _codes(system: str, key: str) -> Iterator[str]:
    for file in sorted((FOLDER / system).rglob("*.toml")):
        for case in tomllib.loads(file.read_text(encoding="utf-8")).get("case", ()):
            for turn in case["turn"]:
                yield from (row if isinstance(row, str) else row["code"] for row in turn.get(key, ()))


@pytest.mark.parametrize("system", systems)
def test_what_is_silent_is_told_elsewhere(system: str) -> None:
    told = set(_codes(system, "events"))
    assert [code for code in _codes(system, "silent") if code not in told] == []


def test_there_are_silent_events() -> None:
    assert sum(1 for system in systems for _ in _codes(system, "silent")) > 10
