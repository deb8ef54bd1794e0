"""Which prophetic orders a power may file: known names, possible places, conditions that can hold together.

Source: rules 10, Rulings K2, K3.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.kregen.land import Land, land_of
from engine.kregen.model import ARMY, HERO, State
from engine.kregen.objection import Objection, objection_to_site
from engine.kregen.prophecy import (
    BUILD,
    HOLD,
    LOST,
    Condition,
    DrivenOut,
    Owned,
    Plan,
    Points,
    Prophecy,
    Refuge,
    format_condition,
)
from engine.provinces.orders import Kind


def objection_to_prophecy(state: State, power: PowerId, prophecy: Prophecy) -> Objection | None:
    """What is wrong with a line by itself; `None` if nothing is."""
    if not state.options["prophetic"]:
        return Objection("no_prophecies")
    land = land_of(state.variant)
    for condition in prophecy.conditions:
        objection = _objection_to_condition(state, land, power, condition)
        if objection:
            return objection
    rule = prophecy.rule
    objection = (
        _objection_to_refuge(state, land, power, rule)
        if isinstance(rule, Refuge)
        else _objection_to_plan(state, power, rule)
    )
    return objection or _contradiction(state, power, prophecy)


def _objection_to_condition(state: State, land: Land, power: PowerId, condition: Condition) -> Objection | None:
    match condition.fact:
        case Owned(_, at):
            is_known = at in land.city or at in land.pirate_centres
            return None if is_known else Objection("not_a_centre", {"place": at}, at)
        case DrivenOut(kind, at):
            return _objection_to_unit(state, land, power, kind, at)
        case _:
            return None


def _objection_to_unit(state: State, land: Land, power: PowerId, kind: Kind, at: ProvinceId) -> Objection | None:
    """Whether a unit of the power could be dislodged in a sector: it stands there, or can come in the first impulse."""
    if not any(land.can_stand(kind, place) for place in land.places(at)):
        return Objection("cannot_stand", {"kind": kind, "place": at}, at)
    for unit in state.units:
        if unit.power == power and unit.kind == kind and at in {unit.sector, *_one_step(land, kind, unit.at)}:
            return None
        if unit.power == power and unit.kind == kind == HERO:
            near = {there for between in land.walks[unit.sector] for there in land.walks[between]}
            if at in near:
                return None
    return Objection("cannot_be_there", {"unit": f"{kind} {at}"}, at)


def _one_step(land: Land, kind: Kind, place: PlaceId) -> frozenset[ProvinceId]:
    return land.walks[province_of(place)] if kind == HERO else land.reached_sectors(kind, place)


def _objection_to_refuge(state: State, land: Land, power: PowerId, rule: Refuge) -> Objection | None:
    if rule.kind == HERO and rule.disbands:
        return Objection("heroes_stay", {"unit": f"H {rule.at}"}, "disband")
    objection = _objection_to_unit(state, land, power, rule.kind, rule.at)
    if objection:
        return objection
    reached = {there for place in land.places(rule.at) for there in _one_step(land, rule.kind, place)}
    for place in rule.to:
        if province_of(place) not in reached:
            name = f"{rule.kind} {rule.at}"
            goal = province_of(place)
            return Objection("out_of_reach", {"unit": name, "place": goal, "near": tuple(sorted(reached))}, goal)
    return None


def _objection_to_plan(state: State, power: PowerId, rule: Plan) -> Objection | None:
    land = land_of(state.variant)
    if rule.deed == BUILD:
        heroes = [at for kind, at in rule.units if kind == HERO]
        if heroes and (power in state.had_hero or len(heroes) > 1):
            return Objection("second_hero", at=province_of(heroes[-1]))
        return next(
            (objection for kind, at in rule.units if (objection := objection_to_site(state, power, kind, at))), None
        )
    for kind, at in rule.units:
        if kind == HERO:
            return Objection("heroes_stay", {"unit": f"H {at}"}, province_of(at))
        if not any(land.can_stand(kind, place) for place in land.places(province_of(at))):
            return Objection("cannot_stand", {"kind": kind, "place": at}, province_of(at))
    return None


# Conditions that can never hold together


def _contradiction(state: State, power: PowerId, prophecy: Prophecy) -> Objection | None:
    """The first condition with which those before it can't hold. Who owns what now is known: the season begins so."""
    before: list[Condition] = []
    rule = prophecy.rule
    if isinstance(rule, Refuge):
        # The line is for this very case.
        before.append(Condition(DrivenOut(rule.kind, rule.at)))
    for condition in prophecy.conditions:
        if not _can_hold(state, power, [*before, condition]):
            text = format_condition(condition)
            if not _can_hold(state, power, [condition]):
                return Objection("never_true", {"condition": text}, _named(condition))
            others = tuple(map(format_condition, before))
            return Objection("contradiction", {"condition": text, "others": others}, _named(condition))
        before.append(condition)
    return None


def _named(condition: Condition) -> str | None:
    fact = condition.fact
    return None if isinstance(fact, Points) else str(fact.at)


def _can_hold(state: State, power: PowerId, conditions: Sequence[Condition]) -> bool:
    """Whether some end of the season fulfils all of them: each city held or not, points between two bounds."""
    facts = {condition.fact for condition in conditions}
    if any(Condition(fact) in conditions and Condition(fact, True) in conditions for fact in facts):
        return False
    least, most = 0, _most_points(state)
    owned: dict[ProvinceId, list[Condition]] = {}
    for condition in conditions:
        match condition.fact:
            case Points(bound) if condition.is_denied:
                most = min(most, bound - 1)
            case Points(bound):
                least = max(least, bound)
            case Owned(_, at):
                owned.setdefault(at, []).append(condition)
    sure = 0
    for at, about in owned.items():
        ends = [owns for owns in (True, False) if all(_is_met(state, power, one, owns=owns) for one in about)]
        if not ends:
            return False
        # A city is worth half a point at least.
        sure += ends == [True] and at in land_of(state.variant).city
    return max(least, sure) <= most


def _is_met(state: State, power: PowerId, condition: Condition, *, owns: bool) -> bool:
    """Whether a condition holds if the power owns its city in the end, or does not."""
    fact = condition.fact
    assert isinstance(fact, Owned)
    owned = state.owners.get(fact.at) == power
    is_true = owns if fact.deed == HOLD else owned and not owns if fact.deed == LOST else owns and not owned
    return is_true != condition.is_denied


def _most_points(state: State) -> int:
    """More half points than anybody could ever have: two for each city, four for a capital, one for an X."""
    land = land_of(state.variant)
    return sum(4 if at in state.capitals.values() else 2 for at in land.city) + len(land.pirate_centres)


def possible_refuges(state: State, kind: Kind, at: ProvinceId) -> tuple[ProvinceId, ...]:
    """The sectors that a prophecy for a unit that is dislodged there may name, sorted."""
    land = land_of(state.variant)
    found = {there for place in land.places(at) for there in _one_step(land, kind, place)}
    return tuple(sorted(there for there in found if kind != ARMY or not land.is_water(there)))
