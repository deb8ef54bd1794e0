"""The one list of systems. In it a State and a View are opaque and distinct: mixing them up is a type error.

A system is imported when it is first asked for: a process that only draws, or plays one game, loads no other.
"""

from __future__ import annotations

from collections import UserDict
from collections.abc import Mapping
from importlib import import_module
from typing import NewType, cast

from engine.core.ids import SystemId
from engine.core.system import GameSystem

State = NewType("State", object)
View = NewType("View", object)
Order = NewType("Order", object)
AnySystem = GameSystem[State, View, Order]


class _Systems(UserDict[SystemId, AnySystem | None]):
    """Systems by id, in the order of the list; `None` stands for one that nobody has asked for yet."""

    def __getitem__(self, key: SystemId) -> AnySystem:
        found = self.data[key]
        if found is None:
            found = self.data[key] = cast(AnySystem, getattr(import_module(f"engine.{key}.system"), key.upper()))
        return found


def _register(*names: str) -> Mapping[SystemId, AnySystem]:
    return cast(Mapping[SystemId, AnySystem], _Systems({SystemId(name): None for name in names}))


systems: Mapping[SystemId, AnySystem] = _register(
    "diplomacy", "feudal", "kalevala", "king_of_kings", "kregen", "young_kingdoms"
)
"""Every game that can be played, by id. A game NINE is `NINE` in `engine/nine/system.py`."""

in_the_making: Mapping[SystemId, AnySystem] = _register()
"""Games that `python -m engine` knows but players don't yet: their rules work, but there is nothing to see."""
