"""What is not told has to be something that could be: a code in `silent` is that of an event with words."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import pytest

from engine.core.variant import load_phrases
from engine.registry import systems
from tests.cases import FOLDER


def _silent(system: str) -> Iterator[str]:
    for file in sorted((FOLDER / system).rglob("*.toml")):
        for case in tomllib.loads(file.read_text(encoding="utf-8")).get("case", ()):
            for turn in case["turn"]:
                yield from turn.get("silent", ())


@pytest.mark.parametrize("system", systems)
def test_only_events_can_be_silent(system: str) -> None:
    known = load_phrases(system).codes
    assert [code for code in _silent(system) if f"event.{code}" not in known] == []


def test_there_are_silent_events() -> None:
    assert sum(1 for system in systems for _ in _silent(system)) > 10
