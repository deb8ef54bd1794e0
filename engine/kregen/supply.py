"""Supply points, and what they allow: counted in halves. Source: rules 2, 3, 9."""

from __future__ import annotations

from engine.core.ids import PowerId, ProvinceId
from engine.diplomacy.model import Kind
from engine.kregen.model import COSTS, FLEET, PIRATES, ROOM, STRENGTHS, State, Unit
from engine.kregen.sea import sea_of


def worth(state: State, sector: ProvinceId, power: PowerId) -> int:
    """The half points that a city or X gives to a power that owns it."""
    sea = sea_of(state.variant)
    if sector not in sea.city:
        return 1 if power == PIRATES else 0
    if sector in state.plundered:
        return 1
    return 4 if sector in state.capitals.values() else 2


def points(state: State, power: PowerId) -> int:
    """All half points of a power."""
    return sum(worth(state, sector, power) for sector, owner in state.owners.items() if owner == power)


def upkeep(state: State, power: PowerId) -> int:
    """The half points that its units use."""
    return sum(COSTS[unit.kind] for unit in state.units if unit.power == power)


def balance(state: State, power: PowerId) -> int:
    """Free half points; below zero what must be removed."""
    return points(state, power) - upkeep(state, power)


def has_room(units: list[Unit], power: PowerId, kind: Kind, sector: ProvinceId) -> bool:
    """Whether a new unit of a power fits into a sector; a second fleet may join a first."""
    there = [unit for unit in units if unit.sector == sector and unit.kind in (FLEET, "A")]
    if kind not in COSTS or not COSTS[kind]:
        return True
    if any(unit.power != power or unit.kind != kind for unit in there):
        return False
    return sum(STRENGTHS[unit.kind] for unit in there) + STRENGTHS[kind] <= ROOM
