"""What a refused line could have meant: orders like it that may be given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.kregen.land import Land, land_of
from engine.kregen.legality import find_objection
from engine.kregen.listing import duel_of
from engine.kregen.model import (
    ARMY,
    FLEET,
    HERO,
    BuildHero,
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
    format_order,
)
from engine.kregen.objection import Objection
from engine.kregen.prophecy import BUILD, REMOVE, Plan, Prophecy
from engine.kregen.reader import MOST_HINTS
from engine.kregen.supply import possible_builds
from engine.provinces.orders import Build, Disband, Remove, Retreat
from engine.provinces.phases import PhaseKind


def hints_for(state: State, power: PowerId, order: Order, objection: Objection) -> tuple[str, ...]:
    """Up to three texts that could be given instead, best first."""
    fine = (
        o
        for o in _alternatives(state, power, order, objection)
        if o != order and find_objection(state, power, o) is None
    )
    found: dict[str, None] = {}
    for other in fine:
        found[format_order(other)] = None
        if len(found) == MOST_HINTS:
            break
    return tuple(found)


def _alternatives(state: State, power: PowerId, order: Order, objection: Objection) -> Iterator[Order]:
    """Orders that are like it; not all may be given."""
    if objection.code in ("duplicate", "game_over", "no_power"):
        return
    match order:
        case Manoeuvre():
            yield from _acts(land_of(state.variant), order, objection)
            yield from _same_for_others(state, power, order)
            yield replace(order, steps=(Stay(),), is_late=False)
        case Retreat(kind, at, _) | Disband(kind, at):
            rows = [row for row in state.dislodged if row.unit.power == power]
            rows.sort(key=lambda row: (row.unit.kind, row.unit.sector) != (kind, province_of(at)))
            yield from (Retreat(row.unit.kind, row.unit.at, place) for row in rows for place in row.retreats)
            yield Manoeuvre(kind, province_of(at), (Stay(),))
        case Build(kind, at):
            if state.phase.kind is PhaseKind.MOVEMENT:
                yield Prophecy(Plan(BUILD, ((kind, at),)))
            yield from _builds(state, power, kind, at)
        case BuildHero(at, besides):
            yield BuildHero(PlaceId(besides), province_of(at))
        case Remove(kind, at):
            if state.phase.kind is PhaseKind.MOVEMENT:
                yield Prophecy(Plan(REMOVE, ((kind, at),)))
            units = [unit for unit in state.units if unit.power == power and unit.kind != HERO]
            units.sort(key=lambda unit: unit.sector != province_of(at))
            yield from (Remove(unit.kind, unit.at) for unit in units)
        case Duel(_, number, is_capture):
            heroes = [unit for unit in state.units if unit.power == power and unit.kind == HERO]
            yield from (duel_of(state, hero, min(max(number, 0), 100), is_capture) for hero in heroes)
        case Grant(deed, _):
            yield from (Grant(deed, other) for other in state.variant.powers)
        case Prophecy(rule, conditions):
            if isinstance(rule, Plan):
                fine = [
                    unit for unit in rule.units if not find_objection(state, power, Prophecy(Plan(rule.deed, (unit,))))
                ]
                hero = next((number for number, (kind, _) in enumerate(fine) if kind == HERO), None)
                left = tuple(unit for number, unit in enumerate(fine) if unit[0] != HERO or number == hero)
                if left:
                    yield Prophecy(Plan(rule.deed, left), conditions)
            yield from (Prophecy(rule, conditions[:count]) for count in reversed(range(len(conditions))))


def _acts(land: Land, act: Manoeuvre, objection: Objection) -> Iterator[Order]:
    """The same unit, with what was wrong in its steps mended."""
    steps = act.steps
    if objection.code == "convoy_last":
        convoy = next(step for step in steps if isinstance(step, Convoy))
        yield replace(act, steps=(*(step for step in steps if step is not convoy), convoy))
        yield replace(act, steps=(convoy,))
    if objection.code == "mark_not_needed":
        yield replace(act, is_late=False)
    if objection.code == "no_pair":
        yield replace(act, is_pair=False)
    last = steps[-1] if steps else Stay()
    for coast in objection.args.get("coasts", ()):
        to_coast = {Go(PlaceId(province_of(coast))): Go(coast)}
        yield replace(act, steps=tuple(to_coast.get(step, step) if isinstance(step, Go) else step for step in steps))
    if objection.code == "needs_route" and isinstance(last, Go):
        yield from (replace(act, steps=(sail,)) for sail in _routes(land, act.at, province_of(last.to)))
    if objection.code == "out_of_reach" and isinstance(last, Go) and len(steps) == 1 and act.kind != ARMY:
        between = sorted(land.walks[act.at], key=land.order.__getitem__)
        yield from (replace(act, steps=(Go(PlaceId(there)), last)) for there in between)
    if isinstance(last, Support) and last.to:
        yield replace(act, steps=(*steps[:-1], replace(last, of_kind=FLEET if last.of_kind == ARMY else ARMY)))
    if isinstance(last, Sail):
        yield replace(act, steps=(Go(PlaceId(last.route[0])),))
    if len(steps) > 1:
        yield replace(act, steps=steps[:1])


def _same_for_others(state: State, power: PowerId, act: Manoeuvre) -> Iterator[Order]:
    """The same order for what does stand there, or for a unit next to it that could do it too."""
    here = {unit.kind for unit in state.units if unit.power == power and unit.sector == act.at}
    yield from (replace(act, kind=kind, is_pair=False) for kind in sorted(here) if kind != act.kind)
    for unit in state.units:
        if unit.power == power and unit.kind == act.kind and unit.sector != act.at:
            yield replace(act, at=unit.sector, is_pair=False)


def _routes(land: Land, start: ProvinceId, goal: ProvinceId) -> Iterator[Sail]:
    """The shortest way over the sea, if there is one."""
    fleet = land.variant.board.fleet_moves

    def beside(sector: ProvinceId) -> set[ProvinceId]:
        return {province_of(there) for place in land.places(sector) for there in fleet.get(place, ())}

    ways: dict[ProvinceId, tuple[ProvinceId, ...]] = {
        at: (at,) for at in sorted(beside(start) & land.convoyable, key=land.order.__getitem__)
    }
    for at in (queue := list(ways)):  # grows as it is read: breadth first
        if goal in beside(at):
            yield Sail(ways[at], goal)
            return
        for there in sorted((beside(at) & land.convoyable) - set(ways), key=land.order.__getitem__):
            ways[there] = (*ways[at], there)
            queue.append(there)


def _builds(state: State, power: PowerId, kind: str, at: PlaceId) -> Iterator[Order]:
    land = land_of(state.variant)
    if state.phase.kind is PhaseKind.ADJUSTMENTS:
        possible = list(possible_builds(state, power))
    else:
        sites = land.starting_cities(power) or land.pirate_centres
        places = [place for site in sites for place in land.places(site)]
        possible = [Build(kind_, place) for place in places for kind_ in (ARMY, FLEET, HERO)]
    possible.sort(key=lambda build: (province_of(build.at) != province_of(at)) + (build.kind != kind))
    yield from possible
