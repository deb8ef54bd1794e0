"""Which orders a power may give in a phase, looking at the position alone: a flaw is a code with its arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.diplomacy.model import Build, Disband, PhaseKind, Remove, Retreat
from engine.kregen.model import (
    ARMY,
    FLEET,
    HERO,
    PIRATES,
    Act,
    Aid,
    Betray,
    Capital,
    Convoy,
    Duel,
    Go,
    Grant,
    Order,
    Sail,
    State,
    Stay,
    Step,
    Support,
    Unit,
    With,
)
from engine.kregen.sea import Sea, sea_of


class Flaw(NamedTuple):
    """Why an order can't be given: the code of an `OrderError`, and its arguments."""

    code: str
    args: Mapping[str, Any] = {}


def find_flaw(state: State, power: PowerId, order: Order) -> Flaw | None:
    """What is wrong with one order by itself; `None` if nothing is."""
    kind = state.phase.kind
    allowed: Mapping[PhaseKind, tuple[type, ...]] = {
        PhaseKind.SETUP: (Capital, Build),
        PhaseKind.MOVEMENT: (Act, Duel, Grant, Disband),
        PhaseKind.RETREATS: (Retreat, Disband),
        PhaseKind.ADJUSTMENTS: (Build, Remove),
    }
    if not isinstance(order, allowed[kind]):
        return Flaw("wrong_phase")
    sea = sea_of(state.variant)
    match order:
        case Grant(_, other):
            if other == power or other not in state.variant.powers:
                return Flaw("no_such_power", {"power": other})
            if state.options["holy_war"] and not sea.may_help(power, other):
                return Flaw("holy_war", {"power": other})
            return None
        case Duel(at, number, _):
            if _unit_of(state, power, HERO, at) is None:
                return Flaw("not_yours", {"unit": f"H {at}"})
            return None if 0 <= number <= 100 else Flaw("bad_number", {"number": number})
        case Act():
            return _flaw_of_act(state, sea, power, order)
        case Disband(unit_kind, at):
            return _flaw_of_disband(state, power, unit_kind, province_of(at))
        case Retreat(unit_kind, at, to):
            row = next((r for r in state.dislodged if _is(r.unit, power, unit_kind, province_of(at))), None)
            if row is None:
                return Flaw("not_dislodged", {"unit": f"{unit_kind} {at}"})
            return None if to in row.retreats else Flaw("no_retreat", {"place": to})
        case Capital(at):
            if at not in sea.starting_cities(power):
                return Flaw("not_home", {"place": at})
            fixed = set(sea.starting_cities(power)) & set(sea.fixed_capitals)
            return Flaw("fixed_capital", {"place": sorted(fixed)[0]}) if fixed and at not in fixed else None
        case Build(unit_kind, at):
            return flaw_of_build(state, sea, power, unit_kind, at)
        case Remove(unit_kind, at):
            if unit_kind == HERO:
                return Flaw("heroes_stay")
            found = _unit_of(state, power, unit_kind, province_of(at))
            return None if found else Flaw("not_yours", {"unit": f"{unit_kind} {at}"})


def _is(unit: Unit, power: PowerId, kind: str, at: ProvinceId) -> bool:
    return unit.power == power and unit.kind == kind and unit.sector == at


def _unit_of(state: State, power: PowerId, kind: str, at: ProvinceId) -> Unit | None:
    return next((unit for unit in state.units if _is(unit, power, kind, at)), None)


def _flaw_of_disband(state: State, power: PowerId, kind: str, at: ProvinceId) -> Flaw | None:
    if kind == HERO:
        return Flaw("heroes_stay")
    units = [row.unit for row in state.dislodged] if state.phase.kind is PhaseKind.RETREATS else list(state.units)
    if any(_is(unit, power, kind, at) for unit in units):
        return None
    return Flaw("not_yours", {"unit": f"{kind} {at}"})


def flaw_of_build(state: State, sea: Sea, power: PowerId, kind: str, at: PlaceId) -> Flaw | None:
    """Whether a power could ever build such a unit there, were there points and room."""
    sector = province_of(at)
    if kind == HERO and power in state.had_hero:
        return Flaw("second_hero")
    if power == PIRATES:
        if kind == ARMY:
            return Flaw("pirates_build_fleets")
        is_site = sector in sea.pirate_centres
    else:
        is_site = sector in sea.starting_cities(power)
    is_own = state.phase.kind is PhaseKind.SETUP or state.owners.get(sector) == power
    if not is_site or not is_own:
        return Flaw("not_home", {"place": at})
    if kind != HERO and not sea.can_stand(kind, at):
        return Flaw("cannot_stand", {"kind": kind, "place": at})
    return None


# Moves


def _flaw_of_act(state: State, sea: Sea, power: PowerId, act: Act) -> Flaw | None:
    unit = _unit_of(state, power, act.kind, act.at)
    if unit is None:
        return Flaw("not_yours", {"unit": f"{act.kind} {act.at}"})
    if len(act.steps) > 2:
        return Flaw("third_step")
    if act.kind == ARMY and len(act.steps) > 1:
        return Flaw("army_two_steps")
    if act.is_late and not (act.kind == ARMY and isinstance(act.steps[0], Go | Support)):
        return Flaw("mark_not_needed")
    if unit.rests:
        return Flaw("hero_rests")
    places = frozenset({unit.at})
    for index, step in enumerate(act.steps):
        flaw = _flaw_of_step(state, sea, power, act, step, places, is_last=index == len(act.steps) - 1)
        if flaw:
            return flaw
        places = _ends(sea, act.kind, step, places)
    return None


def _ends(sea: Sea, kind: str, step: Step, places: frozenset[PlaceId]) -> frozenset[PlaceId]:
    """Where a unit may be after a step."""
    if isinstance(step, Go):
        if kind == HERO:
            return frozenset({step.to})
        return frozenset(p for place in places for p in sea.reach(kind, place) if step.to in (p, province_of(p)))
    if isinstance(step, With):
        reach = {PlaceId(sector) for place in places for sector in sea.walks[province_of(place)]}
        return frozenset({step.to}) if step.to else places | reach
    return places


def _flaw_of_step(
    state: State, sea: Sea, power: PowerId, act: Act, step: Step, places: frozenset[PlaceId], *, is_last: bool
) -> Flaw | None:
    kind = act.kind
    heroic = isinstance(step, With | Aid | Betray)
    if heroic != (kind == HERO) and not isinstance(step, Stay | Go):
        return Flaw("not_for_this", {"unit": f"{kind} {act.at}"})
    match step:
        case Go(to):
            if kind == HERO:
                reached = any(province_of(to) in sea.walks[province_of(place)] for place in places)
                return None if reached else Flaw("out_of_reach", {"place": to})
            fits = {p for place in places for p in sea.reach(kind, place) if to in (p, province_of(p))}
            if not fits:
                needs_route = kind == ARMY and not sea.is_water(province_of(to))
                return Flaw("needs_route" if needs_route else "out_of_reach", {"place": to})
            return Flaw("which_coast", {"place": to}) if to not in fits and len(fits) > 1 else None
        case Sail(route, to):
            return _flaw_of_sail(sea, kind, act.at, route, to)
        case Support():
            return _flaw_of_support(state, sea, power, kind, step, places)
        case Convoy(loads):
            if kind != FLEET or not is_last:
                return Flaw("convoy_last")
            if not any(province_of(place) in sea.convoyable for place in places):
                return Flaw("no_convoy_here", {"place": sorted(places)[0]})
            for origin, _ in loads:
                owner = _owner_at(state, ARMY, origin)
                if owner and state.options["holy_war"] and not sea.may_help(power, owner):
                    return Flaw("holy_war", {"power": owner})
            return None
        case Betray(to):
            if to == power or not state.options["holy_war"] or sea.may_help(power, to):
                return None
            return Flaw("holy_war", {"power": to})
        case _:
            return None


def _flaw_of_sail(sea: Sea, kind: str, at: ProvinceId, route: Sequence[ProvinceId], to: ProvinceId) -> Flaw | None:
    if kind != ARMY:
        return Flaw("third_step")
    if to == at or sea.is_water(to):
        return Flaw("out_of_reach", {"place": to})
    for sector in route:
        if sector not in sea.convoyable:
            return Flaw("no_convoy_here", {"place": sector})
    fleet = sea.variant.board.fleet_moves
    for here, there in zip((at, *route), (*route, to), strict=True):
        places = (PlaceId(here), *sea.variant.board.provinces[here].coasts)
        if not any(province_of(goal) == there for place in places for goal in fleet[place]):
            return Flaw("out_of_reach", {"place": there})
    return None


def _flaw_of_support(
    state: State, sea: Sea, power: PowerId, kind: str, step: Support, places: frozenset[PlaceId]
) -> Flaw | None:
    target = step.to or step.of
    if not any(_supports(sea, kind, place, target) for place in places):
        return Flaw("no_support_there", {"place": target})
    if step.to and step.to == step.of:
        return Flaw("out_of_reach", {"place": target})
    if step.of_kind == ARMY and sea.is_water(target):
        return Flaw("no_support_there", {"place": target})
    owner = _owner_at(state, step.of_kind, step.of)
    if owner and state.options["holy_war"] and not sea.may_help(power, owner):
        return Flaw("holy_war", {"power": owner})
    return None


def _supports(sea: Sea, kind: str, place: PlaceId, target: ProvinceId) -> bool:
    bank = kind == ARMY and province_of(place) in sea.rivers.get(target, ())
    return bank or target in sea.reached_sectors(kind, place)


def _owner_at(state: State, kind: str, sector: ProvinceId) -> PowerId | None:
    return next((unit.power for unit in state.units if unit.kind == kind and unit.sector == sector), None)
