"""What prophetic orders come to in retreats and build seasons. Source: rules 10, Rulings K1 to K6.

The first line of a kind whose conditions hold is used; what a power sends in the phase itself goes before.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.kregen.land import land_of
from engine.kregen.model import ARMY, COSTS, FLEET, HERO, PIRATES, Dislodged, State
from engine.kregen.omens import possible_refuges
from engine.kregen.prophecy import (
    BUILD,
    HOLD,
    LOST,
    REMOVE,
    TOOK,
    Condition,
    DrivenOut,
    Owned,
    Plan,
    Points,
    Prophecy,
    Refuge,
)
from engine.kregen.supply import balance, points
from engine.provinces.orders import Build, Disband, Remove, Retreat
from engine.provinces.phases import PhaseKind


def is_foretold(state: State, power: PowerId) -> bool:
    """Whether the prophecies of a power settle all that it has to decide in this phase."""
    if power not in state.prophecies:
        return False
    if state.phase.kind is PhaseKind.RETREATS:
        rows = (row for row in state.dislodged if row.unit.power == power and has_a_way(row))
        return all(foretold_retreat(state, row) for row in rows)
    if state.phase.kind is not PhaseKind.ADJUSTMENTS:
        return False
    free = balance(state, power)
    if free >= 0:
        return _find_plan(state, power, BUILD) is not None
    return sum(COSTS[order.kind] for order in foretold_removals(state, power)) >= -free


def has_a_way(row: Dislodged) -> bool:
    """Whether there is something to choose: a unit may always disband, a hero, who can't, chooses between places."""
    return len(row.retreats) > (1 if row.unit.kind == HERO else 0)


def foretold_retreat(state: State, row: Dislodged) -> Retreat | Disband | None:
    """Where a dislodged unit goes by the first line for it that applies; `None` if no place that it names is open."""
    unit = row.unit
    for rule in _rules(state, unit.power):
        if isinstance(rule, Refuge) and (rule.kind, rule.at) == (unit.kind, unit.sector):
            for place in rule.to:
                goal = next((open_ for open_ in row.retreats if place in (open_, province_of(open_))), None)
                if goal:
                    return Retreat(unit.kind, unit.at, goal)
            return Disband(unit.kind, unit.at) if rule.disbands and unit.kind != HERO else None
    return None


def foretold_builds(state: State, power: PowerId) -> tuple[Build, ...]:
    """The builds of the line that applies, all of them: what points and room allow is for the caller."""
    plan = _find_plan(state, power, BUILD)
    return tuple(Build(kind, at) for kind, at in plan.units) if plan else ()


def foretold_removals(state: State, power: PowerId) -> tuple[Remove, ...]:
    """The removals of the line that applies, in its order, as far as needed and as such units are there."""
    plan = _find_plan(state, power, REMOVE)
    due = -balance(state, power)
    left = [unit for unit in state.units if unit.power == power]
    found = []
    for kind, at in plan.units if plan else ():
        unit = next((one for one in left if (one.kind, one.sector) == (kind, province_of(at))), None)
        if unit and due > 0:
            left.remove(unit)
            found.append(Remove(kind, unit.at))
            due -= COSTS[kind]
    return tuple(found)


def _find_plan(state: State, power: PowerId, deed: str) -> Plan | None:
    return next((rule for rule in _rules(state, power) if isinstance(rule, Plan) and rule.deed == deed), None)


def _rules(state: State, power: PowerId) -> tuple[Refuge | Plan, ...]:
    """The rules whose conditions hold, in the order of their lines."""
    return tuple(line.rule for line in state.prophecies.get(power, ()) if applies(state, power, line))


def applies(state: State, power: PowerId, prophecy: Prophecy) -> bool:
    """Whether all conditions of a line hold."""
    return all(_holds(state, power, condition) for condition in prophecy.conditions)


def _holds(state: State, power: PowerId, condition: Condition) -> bool:
    match condition.fact:
        case Owned(deed, at):
            owns = state.owners.get(at) == power
            owned = (state.owners if state.owners_before is None else state.owners_before).get(at) == power
            is_true = owns if deed == HOLD else owned and not owns if deed == LOST else owns and not owned
        case Points(least):
            is_true = points(state, power) >= least
        case DrivenOut(kind, at):
            is_true = any((unit.power, unit.kind, unit.sector) == (power, kind, at) for unit in state.driven)
    return is_true != condition.is_denied


def samples(state: State, power: PowerId) -> Iterator[Prophecy]:
    """Some prophecies that a power could well file with its moves, to choose from: all may be given."""
    own = [unit for unit in state.units if unit.power == power]
    for unit in {(unit.kind, unit.sector): unit for unit in own}.values():
        refuges = possible_refuges(state, unit.kind, unit.sector)
        if not refuges:
            continue
        places = tuple(map(PlaceId, refuges[:_MOST_SAMPLED]))
        yield Prophecy(Refuge(unit.kind, unit.sector, places, disbands=unit.kind != HERO))
        yield from (Prophecy(Refuge(unit.kind, unit.sector, (place,))) for place in places[1:])
    sites = _sites(state, power)
    kinds = [FLEET] if power == PIRATES else [ARMY, FLEET]
    plans = [Plan(BUILD, tuple((kind, PlaceId(site)) for site in sites[:_MOST_SAMPLED])) for kind in kinds if sites]
    removed = tuple((unit.kind, unit.at) for unit in own if unit.kind != HERO)[-_MOST_SAMPLED:]
    if removed:
        plans.append(Plan(REMOVE, removed))
    for plan in plans:
        yield Prophecy(plan)
        yield from (Prophecy(plan, (condition,)) for condition in _conditions(state, power))


_MOST_SAMPLED = 3


def _sites(state: State, power: PowerId) -> tuple[ProvinceId, ...]:
    """Where a power may build, the places that it holds first."""
    land = land_of(state.variant)
    sites = land.pirate_centres if power == PIRATES else land.starting_cities(power)
    return tuple(sorted(sites, key=lambda site: (state.owners.get(site) != power, land.order[site])))


def _conditions(state: State, power: PowerId) -> Iterator[Condition]:
    """One of each sort that may come true."""
    held = next((at for at, owner in state.owners.items() if owner == power), None)
    if held:
        yield Condition(Owned(HOLD, held))
        yield Condition(Owned(LOST, held), is_denied=True)
    unheld = next((at for at in land_of(state.variant).city if state.owners.get(at) != power), None)
    if unheld:
        yield Condition(Owned(TOOK, unheld))
    yield Condition(Points(points(state, power) + 2))
