"""The one list of systems. In it a State and a View are opaque and distinct: mixing them up is a type error.

A system is imported when it is first asked for: a process that only draws, or plays one game, loads no other. What is
known without the rules is in `Systems.infos`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import NewType, cast

from engine.core.facts import SystemInfo
from engine.core.ids import SystemId
from engine.core.system import GameSystem

State = NewType("State", object)
View = NewType("View", object)
Order = NewType("Order", object)
AnySystem = GameSystem[State, View, Order]


class Systems(Mapping[SystemId, AnySystem]):
    """Systems by id, in the order of the list.

    Args:
        known: `None` stands for one that nobody has asked for yet.
    """

    def __init__(self, known: Mapping[SystemId, AnySystem | None]) -> None:
        self._known = dict(known)

    def __getitem__(self, key: SystemId) -> AnySystem:
        found = self._known[key]
        if found is None:
            found = self._known[key] = cast(AnySystem, getattr(import_module(f"engine.{key}.system"), key.upper()))
        return found

    def __contains__(self, key: object) -> bool:
        return key in self._known

    def __iter__(self) -> Iterator[SystemId]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    @property
    def infos(self) -> Mapping[SystemId, SystemInfo]:
        """The facts about each system. No rules are imported for them."""
        return {key: _info(key) if system is None else system.info for key, system in self._known.items()}


@cache
def _info(key: SystemId) -> SystemInfo:
    return cast(SystemInfo, import_module(f"engine.{key}.info").INFO)


def _register(*names: str) -> Systems:
    return Systems({SystemId(name): None for name in names})


systems = _register("diplomacy", "feudal", "kalevala", "king_of_kings", "kregen", "young_kingdoms")
"""Every game that can be played, by id. A game NINE is `NINE` in `engine/nine/system.py`, and `INFO` in
`engine/nine/info.py`."""

in_the_making = _register()
"""Games that `python -m engine` knows but players don't yet: their rules work, but there is nothing to see."""
