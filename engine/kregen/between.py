"""What happens between move seasons: set-up, retreats, builds and removals. Source: rules 4, 5, 9."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import phrase
from engine.diplomacy.model import Build, Disband, Remove, Retreat
from engine.kregen.document import in_map_order
from engine.kregen.legality import find_flaw
from engine.kregen.model import (
    ARMY,
    COSTS,
    FLEET,
    HERO,
    HERO_COST,
    PIRATE_FLEETS,
    PIRATES,
    START_POINTS,
    Capital,
    Dislodged,
    Order,
    State,
    Unit,
    format_order,
)
from engine.kregen.sea import Sea, sea_of
from engine.kregen.season import take
from engine.kregen.supply import balance, has_room


@dataclass(frozen=True, slots=True)
class Settled:
    """The end of a phase without moves; the phase is still the same."""

    state: State
    results: tuple[OrderResult, ...]
    events: tuple[Event, ...] = ()


def _result(power: PowerId, order: Order, subject: str, outcome: Outcome, code: str) -> OrderResult:
    return OrderResult(power, format_order(order), subject, outcome, phrase(code))


# Set-up


def adjudicate_setup(state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> Settled:
    """Everybody's first units and capitals."""
    sea = sea_of(state.variant)
    results: list[OrderResult] = []
    for power in state.variant.powers:
        orders = [order for order in sheets.get(power, ()) if find_flaw(state, power, order) is None]
        for order in orders:
            if isinstance(order, Capital):
                state = replace(state, capitals={**state.capitals, power: order.at})
                results.append(_result(power, order, "CAPITAL", Outcome.SUCCEEDS, "reason.done"))
        builds = [order for order in orders if isinstance(order, Build)]
        place = _place_pirates if power == PIRATES else _place_nation
        state, told = place(sea, state, power, builds)
        results += told
    return Settled(replace(state, units=in_map_order(sea, state.units)), tuple(results))


def _place_nation(sea: Sea, state: State, power: PowerId, builds: Sequence[Build]) -> tuple[State, list[OrderResult]]:
    capital = state.capitals[power]
    default = [city for city in sea.starting_cities(power) for _ in range(2 if city == capital else 1)]
    results, left, units = [], START_POINTS, list(state.units)
    wanted = builds or [Build(ARMY, PlaceId(city)) for city in default]
    for build in wanted:
        cost = HERO_COST if build.kind == HERO else COSTS[build.kind]
        is_second_hero = build.kind == HERO and any(u.kind == HERO and u.power == power for u in units)
        room = _room_at_start(units, build, is_capital=province_of(build.at) == capital)
        if cost > left or is_second_hero or not room:
            results.append(_result(power, build, province_of(build.at), Outcome.VOID, "reason.no_build"))
            continue
        left -= cost
        units.append(Unit(power, build.kind, build.at))
        results.append(_result(power, build, province_of(build.at), Outcome.BUILDS, "reason.done"))
    return _with_heroes(state, units), results


def _room_at_start(units: Sequence[Unit], build: Build, *, is_capital: bool) -> bool:
    """A starting city holds one point of one kind, a capital two."""
    there = [unit for unit in units if unit.sector == province_of(build.at) and unit.kind != HERO]
    if build.kind == HERO:
        return True
    used = sum(COSTS[unit.kind] for unit in there) + COSTS[build.kind]
    return all(unit.kind == build.kind for unit in there) and used <= (4 if is_capital else 2)


def _with_heroes(state: State, units: Sequence[Unit]) -> State:
    heroes = {unit.power for unit in units if unit.kind == HERO} | set(state.had_hero)
    return replace(
        state, units=tuple(units), had_hero=tuple(power for power in state.variant.powers if power in heroes)
    )


def _place_pirates(sea: Sea, state: State, power: PowerId, builds: Sequence[Build]) -> tuple[State, list[OrderResult]]:
    """Ten fleets on ten X, some of them bound; a hero instead of two of the free ones."""
    rules = state.variant.settings["pirate_start"]
    every, some, free = list(rules["all"]), list(rules["one"]), int(rules["anywhere"])
    hero = next((build for build in builds if build.kind == HERO), None)
    taken: list[ProvinceId] = []
    results = []
    if hero:
        free -= 2
    for build in builds:
        if build is hero:
            results.append(_result(power, build, province_of(build.at), Outcome.BUILDS, "reason.done"))
            continue
        sector = province_of(build.at)
        if build.kind == HERO or sector in taken or not _fits([*taken, sector], every, some, free):
            results.append(_result(power, build, sector, Outcome.VOID, "reason.no_build"))
            continue
        taken.append(sector)
        results.append(_result(power, build, sector, Outcome.BUILDS, "reason.done"))
    kept = [province_of(hero.at)] if hero else []
    for sector in sea.pirate_centres:
        if sector not in taken and sector not in kept and _fits([*taken, sector], every, some, free):
            taken.append(sector)
    if hero:
        # The other X that the hero cost, by the map: the first that is left.
        kept += [sector for sector in sea.pirate_centres if sector not in taken and sector not in kept][:1]
    units = [*state.units, *(Unit(power, FLEET, PlaceId(sector)) for sector in taken)]
    if hero:
        units.append(Unit(power, HERO, hero.at))
    owners = {**state.owners, **dict.fromkeys([*taken, *kept], power)}
    ordered = {sector: owners[sector] for sector in sorted(owners, key=sea.order.__getitem__)}
    return _with_heroes(replace(state, owners=ordered), units), results


def _fits(taken: Sequence[ProvinceId], every: Sequence[str], some: Sequence[str], free: int) -> bool:
    """Whether so many fleets leave room for those that are bound to a place."""
    bound = sum(sector in every for sector in taken)
    outer = min(1, sum(sector in some for sector in taken))
    return len(taken) - bound - outer <= free and len(taken) <= PIRATE_FLEETS


# Retreats


def adjudicate_retreats(state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> Settled:
    """Units and heroes go where they may; those that meet are disbanded, but for two fleets of one player."""
    left = {power: [o for o in sheets.get(power, ()) if find_flaw(state, power, o) is None] for power in sheets}
    goals: list[tuple[Dislodged, PlaceId | None]] = []
    results: list[OrderResult] = []
    for row in state.dislodged:
        order = _order_for(row, left.get(row.unit.power, []))
        goal = order.to if isinstance(order, Retreat) else None
        if goal is None and row.unit.kind == HERO:
            goal = _first(state, row.retreats)
        goals.append((row, goal))
    standing, events = list(state.units), []
    for row, goal in goals:
        unit = row.unit
        meets = [other for other, place in goals if other is not row and place and goal
                 and province_of(place) == province_of(goal) and other.unit.kind != HERO]  # fmt: skip
        order = Retreat(unit.kind, unit.at, goal) if goal else Disband(unit.kind, unit.at)
        if goal is None:
            results.append(_result(unit.power, order, unit.sector, Outcome.DISBANDS, "reason.disbanded"))
        elif unit.kind != HERO and meets and not _is_pair(unit, [other.unit for other in meets]):
            results.append(_result(unit.power, order, unit.sector, Outcome.BOUNCES, "reason.retreats_met"))
            events.append(Event(phrase("event.disbanded", power=unit.power, unit=unit.name)))
        else:
            standing.append(replace(unit, at=goal))
            results.append(_result(unit.power, order, unit.sector, Outcome.RETREATS, "reason.done"))
    after = replace(state, units=in_map_order(sea_of(state.variant), standing), dislodged=())
    idle = {(unit.power, unit.sector) for unit in after.units if unit.kind == HERO and unit.rests}
    after, taken = take(after, idle)
    return Settled(after, tuple(results), (*events, *taken))


def _order_for(row: Dislodged, orders: list[Order]) -> Order | None:
    for order in orders:
        if (
            isinstance(order, Retreat | Disband)
            and order.kind == row.unit.kind
            and province_of(order.at) == row.unit.sector
            and (isinstance(order, Disband) or order.to in row.retreats)
        ):
            orders.remove(order)
            return order
    return None


def _first(state: State, places: Sequence[PlaceId]) -> PlaceId:
    order = sea_of(state.variant).order
    return min(places, key=lambda place: order[province_of(place)])


def _is_pair(unit: Unit, others: Sequence[Unit]) -> bool:
    return len(others) == 1 and others[0].power == unit.power and unit.kind == others[0].kind == FLEET


# Builds and removals


def adjudicate_adjustments(state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> Settled:
    """Removals, then builds as far as points and room reach, then forced removals."""
    results: list[OrderResult] = []
    events: list[Event] = []
    for power in state.variant.powers:
        orders = [order for order in sheets.get(power, ()) if find_flaw(state, power, order) is None]
        for order in orders:
            if isinstance(order, Remove):
                unit = next((u for u in state.units if u.power == power and u.kind == order.kind
                             and u.sector == province_of(order.at)), None)  # fmt: skip
                if unit:
                    state = _without(state, unit)
                    results.append(_result(power, order, unit.sector, Outcome.DISBANDS, "reason.disbanded"))
        free = balance(state, power)
        for order in orders:
            if isinstance(order, Build):
                cost = HERO_COST if order.kind == HERO else COSTS[order.kind]
                fits = has_room(list(state.units), power, order.kind, province_of(order.at))
                is_second = order.kind == HERO and power in state.had_hero
                if cost > free or not fits or is_second:
                    results.append(_result(power, order, province_of(order.at), Outcome.VOID, "reason.no_build"))
                    continue
                free -= cost
                state = _with_heroes(state, [*state.units, Unit(power, order.kind, order.at)])
                results.append(_result(power, order, province_of(order.at), Outcome.BUILDS, "reason.done"))
        while balance(state, power) < 0:
            victim = _forced(state, power)
            if victim is None:
                break
            state = _without(state, victim)
            events.append(Event(phrase("event.forced_removal", power=power, unit=victim.name)))
    return Settled(
        replace(state, units=in_map_order(sea_of(state.variant), state.units)), tuple(results), tuple(events)
    )


def _without(state: State, unit: Unit) -> State:
    index = state.units.index(unit)
    return replace(state, units=state.units[:index] + state.units[index + 1 :])


def _forced(state: State, power: PowerId) -> Unit | None:
    """The unit farthest from home; fleets before armies, then by id. For half a point the first fleet."""
    sea = sea_of(state.variant)
    homes = sea.starting_cities(power)
    if power == PIRATES:
        homes = tuple(x for x in sea.pirate_centres if state.owners.get(x) == PIRATES)
    far = _distances(sea, homes)
    units = [unit for unit in state.units if unit.power == power and unit.kind != HERO]
    units.sort(key=lambda unit: (-far.get(unit.sector, 0), unit.kind != FLEET, unit.sector))
    if balance(state, power) == -1:
        units.sort(key=lambda unit: unit.kind != FLEET)
    return units[0] if units else None


def _distances(sea: Sea, homes: Sequence[ProvinceId]) -> Mapping[ProvinceId, int]:
    """Borders of land and water from the nearest home."""
    found = dict.fromkeys(homes, 0)
    queue = list(homes)
    for at in queue:  # grows as it is read: breadth first
        for there in sorted(sea.walks[at]):
            if there not in found:
                found[there] = found[at] + 1
                queue.append(there)
    return found
