"""The one list of systems. In it a State and a View are opaque and distinct: mixing them up is a type error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NewType, cast

from engine.core.ids import SystemId
from engine.core.system import GameSystem
from engine.diplomacy.system import DIPLOMACY
from engine.feudal.system import FEUDAL
from engine.kalevala.system import KALEVALA
from engine.king_of_kings.system import KING_OF_KINGS
from engine.kregen.system import KREGEN
from engine.young_kingdoms.system import YOUNG_KINGDOMS

State = NewType("State", object)
View = NewType("View", object)
Order = NewType("Order", object)
AnySystem = GameSystem[State, View, Order]


def _register(*all_systems: GameSystem[Any, Any, Any]) -> Mapping[SystemId, AnySystem]:
    return {system.info.id: cast(AnySystem, system) for system in all_systems}


systems: Mapping[SystemId, AnySystem] = _register(DIPLOMACY, FEUDAL, KALEVALA, KING_OF_KINGS, KREGEN, YOUNG_KINGDOMS)
"""Every game that can be played, by id."""

in_the_making: Mapping[SystemId, AnySystem] = _register()
"""Games that `python -m engine` knows but players don't yet: their rules work, but there is nothing to see."""
