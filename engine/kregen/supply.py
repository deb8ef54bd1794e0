"""Supply points, and what they allow: counted in halves. Source: rules 2, 3, 9."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.core.ids import PowerId, ProvinceId
from engine.kregen.land import land_of
from engine.kregen.model import ARMY, BALANCED, COSTS, FLEET, HERO, HERO_COST, PIRATES, ROOM, STRENGTHS, State, Unit
from engine.provinces.orders import Build, Kind


def worth(state: State, sector: ProvinceId, power: PowerId) -> int:
    """The half points that a city or X gives to a power that owns it. Ruling K27."""
    land = land_of(state.variant)
    if sector not in land.city:
        return 1 if power == PIRATES or state.options["victory"] == BALANCED else 0
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


def price(kind: Kind) -> int:
    """The half points that building one takes."""
    return HERO_COST if kind == HERO else COSTS[kind]


def building_sites(state: State, power: PowerId) -> tuple[ProvinceId, ...]:
    """Where a power may build now, in map order: starting cities that it holds; for the pirates every X they hold."""
    land = land_of(state.variant)
    sites = land.pirate_centres if power == PIRATES else land.starting_cities(power)
    return tuple(site for site in sites if state.owners.get(site) == power)


def possible_builds(state: State, power: PowerId) -> tuple[Build, ...]:
    """What a power could build now with the points and the room that there are, in map order of the sites."""
    land, free = land_of(state.variant), balance(state, power)
    kinds: list[Kind] = [FLEET] if power == PIRATES else [ARMY, FLEET]
    if power not in state.had_hero:
        kinds.append(HERO)
    return tuple(
        Build(kind, place)
        for site in building_sites(state, power)
        for kind in kinds
        if price(kind) <= free and has_room(state.units, power, kind, site)
        for place in land.places(site)
        if land.can_stand(kind, place)
    )


def has_room(units: Sequence[Unit], power: PowerId, kind: Kind, sector: ProvinceId) -> bool:
    """Whether a new unit of a power fits into a sector; a second fleet may join a first. Source: rules 3.1."""
    if kind == HERO:
        return True
    there = [unit for unit in units if unit.sector == sector and unit.kind != HERO]
    if any(unit.power != power or unit.kind != kind for unit in there):
        return False
    return sum(STRENGTHS[unit.kind] for unit in there) + STRENGTHS[kind] <= ROOM


def with_had_heroes(state: State) -> State:
    """The same, with everybody noted who has had a hero. Source: rules 3.2."""
    heroes = {unit.of or unit.power for unit in state.units if unit.kind == HERO} | set(state.had_hero)
    return replace(state, had_hero=tuple(power for power in state.variant.powers if power in heroes))
