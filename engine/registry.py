"""The one list of systems. In it a State and a View are opaque and distinct: mixing them up is a type error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NewType, cast

from engine.core.ids import SystemId
from engine.core.system import GameSystem
from engine.diplomacy.system import Diplomacy
from engine.feudal.system import Feudal
from engine.king_of_kings.system import KingOfKings
from engine.kregen.system import Kregen
from engine.young_kingdoms.system import YoungKingdoms

State = NewType("State", object)
View = NewType("View", object)
Order = NewType("Order", object)
AnySystem = GameSystem[State, View, Order]


def _register(*all_systems: GameSystem[Any, Any, Any]) -> Mapping[SystemId, AnySystem]:
    return {system.info.id: cast(AnySystem, system) for system in all_systems}


systems: Mapping[SystemId, AnySystem] = _register(Diplomacy(), Feudal(), KingOfKings(), Kregen(), YoungKingdoms())
"""Every game that can be played, by id."""
