"""Which orders a power may give in a phase, by the position alone: an objection is a code with its arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.phrases import phrase
from engine.kregen.land import Land, land_of
from engine.kregen.model import (
    ARMY,
    FLEET,
    HERO,
    PIRATES,
    ActStep,
    Aid,
    Betray,
    BuildHero,
    Capital,
    Convoy,
    Duel,
    Go,
    Grant,
    Manoeuvre,
    Order,
    Sail,
    State,
    Stay,
    Support,
    Unit,
    With,
)
from engine.kregen.objection import Objection, objection_to_build
from engine.kregen.omens import objection_to_prophecy
from engine.kregen.prophecy import Prophecy
from engine.provinces.orders import Build, Disband, Kind, Remove, Retreat, Waive
from engine.provinces.phases import PhaseKind

_ALLOWED: Mapping[PhaseKind, tuple[type, ...]] = {
    PhaseKind.SETUP: (Capital, Build, BuildHero),
    PhaseKind.MOVEMENT: (Manoeuvre, Duel, Grant, Disband, Prophecy),
    PhaseKind.RETREATS: (Retreat, Disband),
    PhaseKind.ADJUSTMENTS: (Build, Remove, Waive),
}


def find_objection(state: State, power: PowerId, order: Order) -> Objection | None:
    """What is wrong with one order by itself; `None` if nothing is. Source: rules 3.2."""
    kind = state.phase.kind
    if not isinstance(order, _ALLOWED[kind]):
        return Objection("wrong_phase", {"wants": phrase(f"error.wants.{kind}")})
    land = land_of(state.variant)
    match order:
        case Manoeuvre():
            return _objection_to_act(state, land, power, order)
        case Duel(at, number, _, of):
            unit = min(heroes_of_duel(state, power, order), key=lambda hero: hero.rests, default=None)
            if unit is None:
                wanted = Objection("no_hero_of", {"place": at, "power": of}, of) if of else None
                return _objection_to_unit(state, power, HERO, at) or wanted
            if not 0 <= number <= 100:
                return Objection("bad_number", {"number": number}, str(number))
            return Objection("hero_rests", {"unit": unit.name, "seasons": unit.rests}, at) if unit.rests else None
        case Grant(deed, other):
            return _objection_to_grant(state, land, power, deed, other)
        case Prophecy():
            return objection_to_prophecy(state, power, order)
        case Disband(unit_kind, at):
            if unit_kind == HERO:
                return Objection("heroes_stay", {"unit": f"H {at}"}, province_of(at))
            if kind is PhaseKind.RETREATS:
                return _objection_to_dislodged(state, power, unit_kind, province_of(at))
            return _objection_to_unit(state, power, unit_kind, province_of(at))
        case Retreat(unit_kind, at, to):
            return _objection_to_retreat(state, power, unit_kind, province_of(at), to)
        case Capital(at):
            return _objection_to_capital(land, power, at)
        case Build(unit_kind, at):
            return objection_to_build(state, power, unit_kind, at)
        case BuildHero(at, besides):
            if power != PIRATES:
                return Objection("pirates_only", at=besides)
            return objection_to_build(state, power, HERO, at) or objection_to_build(
                state, power, HERO, PlaceId(besides)
            )
        case Remove(unit_kind, at):
            if unit_kind == HERO:
                return Objection("heroes_stay", {"unit": f"H {at}"}, province_of(at))
            return _objection_to_unit(state, power, unit_kind, province_of(at))
        case Waive():
            return None


def heroes_of_duel(state: State, power: PowerId, duel: Duel) -> tuple[Unit, ...]:
    """For which heroes a number is: the one that `of` built; where that is left out, all in the sector. Ruling K13.

    No player builds two heroes in a game, so heroes are distinguished by who built them.
    """
    heroes = [unit for unit in state.units if _is(unit, power, HERO, duel.at)]
    return tuple(hero for hero in heroes if duel.of is None or (hero.of or power) == duel.of)


def _is(unit: Unit, power: PowerId, kind: Kind, at: ProvinceId) -> bool:
    return unit.power == power and unit.kind == kind and unit.sector == at


def _unit_of(state: State, power: PowerId, kind: Kind, at: ProvinceId) -> Unit | None:
    return next((unit for unit in state.units if _is(unit, power, kind, at)), None)


def _objection_to_unit(state: State, power: PowerId, kind: Kind, at: ProvinceId) -> Objection | None:
    """Why a power can't order this unit: it is another's, or there is none; `None` if it is there."""
    if _unit_of(state, power, kind, at):
        return None
    other = next((unit for unit in state.units if unit.kind == kind and unit.sector == at), None)
    if other:
        return Objection("not_your_unit", {"unit": f"{kind} {at}", "power": other.power}, at)
    own = tuple(dict.fromkeys(unit.name for unit in state.units if unit.power == power))
    return (
        Objection("no_such_unit", {"unit": f"{kind} {at}", "units": own}, at) if own else Objection("no_units", at=at)
    )


def _objection_to_grant(state: State, land: Land, power: PowerId, deed: str, other: PowerId) -> Objection | None:
    if other == power or other not in state.variant.powers:
        return Objection("grant_to_self", {"deed": deed}, other)
    return _holy_war(state, land, power, other, other)


def _holy_war(state: State, land: Land, power: PowerId, other: PowerId, at: str) -> Objection | None:
    """Green and red never help each other. Source: rules 1"""
    if not state.options["holy_war"] or land.may_help(power, other):
        return None
    return Objection("holy_war", {"power": other}, at)


def _objection_to_dislodged(state: State, power: PowerId, kind: Kind, at: ProvinceId) -> Objection | None:
    if any(_is(row.unit, power, kind, at) for row in state.dislodged):
        return None
    units = tuple(dict.fromkeys(row.unit.name for row in state.dislodged if row.unit.power == power))
    if not units:
        return Objection("nothing_dislodged")
    return Objection("not_dislodged", {"unit": f"{kind} {at}", "units": units}, at)


def _objection_to_retreat(state: State, power: PowerId, kind: Kind, at: ProvinceId, to: PlaceId) -> Objection | None:
    rows = [row for row in state.dislodged if _is(row.unit, power, kind, at)]
    if not rows:
        return _objection_to_dislodged(state, power, kind, at)
    if any(to in row.retreats for row in rows):
        return None
    coasts = tuple(place for place in rows[0].retreats if str(province_of(place)) == to)
    if coasts:
        return Objection("coast_needed", {"place": to, "coasts": coasts, "unit": f"{kind} {at}"}, to)
    return Objection("no_retreat", {"unit": f"{kind} {at}", "place": to, "retreats": rows[0].retreats}, province_of(to))


def _objection_to_capital(land: Land, power: PowerId, at: ProvinceId) -> Objection | None:
    """Why a city can't be the capital: three nations have theirs from the start, the others choose one of their cities.

    Source: rules 2.1.
    """
    cities = land.starting_cities(power)
    if not cities:
        return Objection("pirates_no_capital", at=at)
    fixed = [city for city in cities if city in land.fixed_capitals]
    if fixed and at not in fixed:
        return Objection("fixed_capital", {"place": fixed[0]}, at)
    return None if at in cities else Objection("not_home", {"place": at, "sites": cities}, at)


# Moves


def _objection_to_act(state: State, land: Land, power: PowerId, act: Manoeuvre) -> Objection | None:
    """What is wrong with the steps of a unit: each has to be possible where the one before would end.

    Source: rules 5.1.
    """
    unit = _unit_of(state, power, act.kind, act.at)
    name = f"{act.kind} {act.at}"
    if unit is None:
        return _objection_to_unit(state, power, act.kind, act.at)
    if act.is_pair and sum(_is(other, power, FLEET, act.at) for other in state.units) < 2:
        return Objection("no_pair", {"place": act.at}, act.at)
    if not 0 < len(act.steps) <= 2:
        return Objection("third_step", {"unit": name})
    if act.kind == ARMY and len(act.steps) > 1:
        return Objection("army_two_steps", {"unit": name})
    if act.is_late and not (act.kind == ARMY and isinstance(act.steps[0], Go | Support)):
        return Objection("mark_not_needed", {"unit": name}, "2")
    if unit.rests:
        return Objection("hero_rests", {"unit": name, "seasons": unit.rests}, act.at)
    places = frozenset(other.at for other in state.units if _is(other, power, act.kind, act.at))
    for index, step in enumerate(act.steps):
        objection = _objection_to_step(state, land, power, act, step, places, is_last=index == len(act.steps) - 1)
        if objection:
            return objection
        places = _ends(land, act.kind, step, places)
    return None


def _ends(land: Land, kind: Kind, step: ActStep, places: frozenset[PlaceId]) -> frozenset[PlaceId]:
    """Where a unit may be after a step."""
    if isinstance(step, Go):
        if kind == HERO:
            return frozenset({step.to})
        return frozenset(p for place in places for p in land.reach(kind, place) if step.to in (p, province_of(p)))
    if isinstance(step, With):
        beside = {PlaceId(there) for place in places for there in land.walks[province_of(place)]}
        return frozenset({step.to}) if step.to else places | beside
    return places


def _objection_to_step(
    state: State,
    land: Land,
    power: PowerId,
    act: Manoeuvre,
    step: ActStep,
    places: frozenset[PlaceId],
    *,
    is_last: bool,
) -> Objection | None:
    kind, name = act.kind, f"{act.kind} {act.at}"
    match step:
        case Stay():
            return None
        case Go(to):
            return _objection_to_go(land, act, to, places)
        case Sail(route, to):
            return _objection_to_sail(land, act, route, to)
        case With() | Aid() | Betray() if kind != HERO:
            return Objection("heroes_only", {"unit": name}, "with" if isinstance(step, With) else None)
        case Support() | Convoy() if kind == HERO:
            return Objection("not_for_heroes", {"unit": name})
        case Support():
            return _objection_to_support(state, land, power, act, step, places)
        case Convoy(loads):
            return _objection_to_convoy(state, land, power, act, loads, places, is_last=is_last)
        case With(_, at, _):
            if at is not None and at not in {province_of(place) for place in places}:
                return Objection("not_beside", {"unit": name, "place": at}, at)
            return None
        case Betray(to):
            return None if to == power else _holy_war(state, land, power, to, to)
        case Aid():
            # Where he may be in several sectors only the resolution shows whom he would help.
            owner = state.owners.get(province_of(min(places))) if len(places) == 1 else None
            return _holy_war(state, land, power, owner, "aid") if owner else None


def _objection_to_go(land: Land, act: Manoeuvre, to: PlaceId, places: frozenset[PlaceId]) -> Objection | None:
    name, goal = f"{act.kind} {act.at}", province_of(to)
    if goal in {province_of(place) for place in places} and len(places) == 1:
        return Objection("move_to_itself", {"unit": name}, goal)
    if act.kind == HERO:
        if any(goal in land.walks[province_of(place)] for place in places):
            return None
        near = sorted({there for place in places for there in land.walks[province_of(place)]})
        return Objection("out_of_reach", {"unit": name, "place": goal, "near": tuple(near)}, goal)
    fits = {p for place in places for p in land.reach(act.kind, place) if to in (p, province_of(p))}
    if to in fits or len(fits) == 1:
        return None
    if fits:
        return Objection("coast_needed", {"place": to, "coasts": tuple(sorted(fits)), "unit": name}, goal)
    if act.kind == ARMY and land.is_water(goal):
        return Objection("army_to_sea", {"unit": name, "place": goal}, goal)
    if act.kind == FLEET and not any(land.can_stand(FLEET, place) for place in land.places(goal)):
        return Objection("fleet_inland", {"unit": name, "place": goal}, goal)
    if act.kind == ARMY:
        return Objection("needs_route", {"unit": name, "place": goal}, goal)
    near = sorted({there for place in places for there in land.reached_sectors(act.kind, place)})
    return Objection("out_of_reach", {"unit": name, "place": goal, "near": tuple(near)}, goal)


def _objection_to_sail(land: Land, act: Manoeuvre, route: Sequence[ProvinceId], to: ProvinceId) -> Objection | None:
    """A convoy's route must be an unbroken chain of sea sectors. Source: rules 7.4"""
    name = f"{act.kind} {act.at}"
    if act.kind != ARMY:
        return Objection("third_step", {"unit": name})
    if to == act.at:
        return Objection("move_to_itself", {"unit": name}, to)
    if land.is_water(to):
        return Objection("army_to_sea", {"unit": name, "place": to}, to)
    for sector in route:
        if sector not in land.convoyable:
            code = "no_convoy_on_rivers" if land.is_water(sector) else "army_two_steps"
            return Objection(code, {"unit": name, "place": sector}, sector)
    fleet = land.variant.board.fleet_moves
    for here, there in zip((act.at, *route), (*route, to), strict=True):
        if not any(province_of(goal) == there for place in land.places(here) for goal in fleet[place]):
            return Objection("route_broken", {"place": here, "next": there}, there)
    return None


def _objection_to_support(
    state: State, land: Land, power: PowerId, act: Manoeuvre, step: Support, places: frozenset[PlaceId]
) -> Objection | None:
    name, target = f"{act.kind} {act.at}", step.to or step.of
    if step.to and step.to == step.of:
        return Objection("impossible_step", {"unit": f"{step.of_kind} {step.of}", "place": target}, target)
    if step.of_kind == HERO:
        return Objection("heroes_not_helped", {"unit": f"H {step.of}"}, step.of)
    if not any(_supports(land, act.kind, place, target) for place in places):
        if act.kind == ARMY and land.is_water(target):
            return Objection("army_helps_at_sea", {"unit": name, "place": target}, target)
        if target in {province_of(place) for place in places}:
            return Objection("support_at_home" if step.to else "supports_itself", {"unit": name}, target)
        near = sorted({there for place in places for there in land.reached_sectors(act.kind, place)})
        if not near:
            return Objection("supports_nobody", {"unit": name, "place": target}, target)
        return Objection("no_support_there", {"unit": name, "place": target, "near": tuple(near)}, target)
    if step.of_kind == ARMY and land.is_water(target):
        return Objection("army_to_sea", {"unit": f"A {step.of}", "place": target}, target)
    if (
        step.of_kind == FLEET
        and step.to
        and not any(target in land.reached_sectors(FLEET, place) for place in land.places(step.of))
    ):
        return Objection("impossible_step", {"unit": f"F {step.of}", "place": target}, target)
    owner = _owner_at(state, step.of_kind, step.of)
    return _holy_war(state, land, power, owner, step.of) if owner else None


def _objection_to_convoy(
    state: State,
    land: Land,
    power: PowerId,
    act: Manoeuvre,
    loads: Sequence[tuple[ProvinceId, ProvinceId]],
    places: frozenset[PlaceId],
    *,
    is_last: bool,
) -> Objection | None:
    """Only fleets convoy, in the second impulse, at sea or in the canal. Source: rules 7.4"""
    name = f"{act.kind} {act.at}"
    if act.kind != FLEET:
        return Objection("convoy_by_army", {"unit": name})
    if not is_last:
        return Objection("convoy_last", {"unit": name})
    if not any(province_of(place) in land.convoyable for place in places):
        return Objection("no_convoy_here", {"unit": name, "place": province_of(sorted(places)[0])})
    for origin, goal in loads:
        for place in (origin, goal):
            if land.is_water(place):
                return Objection("army_to_sea", {"unit": f"A {origin}", "place": place}, place)
        owner = _owner_at(state, ARMY, origin)
        objection = _holy_war(state, land, power, owner, origin) if owner else None
        if objection:
            return objection
    return None


def _supports(land: Land, kind: Kind, place: PlaceId, target: ProvinceId) -> bool:
    bank = kind == ARMY and province_of(place) in land.rivers.get(target, ())
    return bank or target in land.reached_sectors(kind, place)


def _owner_at(state: State, kind: Kind, sector: ProvinceId) -> PowerId | None:
    return next((unit.power for unit in state.units if unit.kind == kind and unit.sector == sector), None)
