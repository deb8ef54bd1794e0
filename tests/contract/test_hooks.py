"""What a game may offer is offered by some game: a hook that none fills in is code that nobody needs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

from engine.registry import systems

PARTS = ("engine.core.system", "engine.core.facts", "engine.core.play", "engine.core.sight", "engine.core.orders",
         "engine.core.telling", "engine.core.acts", "engine.core.judgement", "engine.core.doors")  # fmt: skip


def _default(field: Field[Any]) -> Any:
    return field.default_factory() if field.default_factory is not MISSING else field.default


def _parts(value: Any) -> Iterator[Any]:
    """The records of a game: itself, its facts, its doors, and what they consist of."""
    if is_dataclass(value) and type(value).__module__ in PARTS:
        yield value
        for field in fields(value):
            yield from _parts(getattr(value, field.name))
    elif isinstance(value, tuple):
        for each in value:
            yield from _parts(each)


def test_every_hook_is_filled_in_by_a_game() -> None:
    filled: defaultdict[str, bool] = defaultdict(bool)
    for rules in systems.values():
        for part in _parts(rules):
            for field in fields(part):
                if (default := _default(field)) is not MISSING:
                    filled[f"{type(part).__name__}.{field.name}"] |= getattr(part, field.name) != default
    assert len(filled) > 50
    assert [hook for hook, is_filled in filled.items() if not is_filled] == []
