"""The set-up: capitals, the nations' first units, the pirates' ten fleets. Source: rules 4, Rulings K7, K8."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.outcome import OrderResult, Outcome
from engine.kregen.document import in_map_order
from engine.kregen.land import Land, land_of
from engine.kregen.legality import find_objection
from engine.kregen.model import (
    ARMY,
    COSTS,
    FLEET,
    HERO,
    PIRATES,
    START_POINTS,
    BuildHero,
    Capital,
    Order,
    State,
    Unit,
)
from engine.kregen.settled import Settled, in_map_order_of_places, result_of, result_of_build
from engine.kregen.supply import price, with_had_heroes
from engine.provinces.orders import Build

_HERO_TAKES = 2
"""How many of the X at choice the pirates' hero costs."""


def adjudicate_setup(state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> Settled:
    """Everybody's first units and capitals. Source: rules 4."""
    results: list[OrderResult[Order]] = []
    for power in state.variant.powers:
        orders = [order for order in sheets.get(power, ()) if find_objection(state, power, order) is None]
        for order in orders:
            if isinstance(order, Capital):
                state = replace(state, capitals={**state.capitals, power: order.at})
                results.append(result_of(power, order, Outcome.SUCCEEDS))
        place = _place_pirates if power == PIRATES else _place_nation
        builds = [order for order in orders if isinstance(order, Build | BuildHero)]
        state, placed = place(state, power, in_map_order_of_places(state, builds))
        results += placed
    units = in_map_order(land_of(state.variant), state.units)
    return Settled(with_had_heroes(replace(state, units=units)), tuple(results))


def _place_nation(
    state: State, power: PowerId, builds: Sequence[Build | BuildHero]
) -> tuple[State, list[OrderResult[Order]]]:
    units, results = list(state.units), []
    given = NationStart(state, power, state.capitals[power])
    for build in builds or default_builds(state, power, state.capitals[power]):
        assert isinstance(build, Build), "nations pay for nothing with an X"
        objection = given.take(build)
        results.append(result_of_build(power, build, objection))
        if objection is None:
            units.append(Unit(power, build.kind, build.at))
    return replace(state, units=tuple(units)), results


def default_builds(state: State, power: PowerId, capital: ProvinceId) -> list[Build]:
    """What a nation has that builds nothing: an army in each city, two in the capital. Source: ruling K26."""
    cities = land_of(state.variant).starting_cities(power)
    return [Build(ARMY, PlaceId(city)) for city in cities for _ in range(2 if city == capital else 1)]


class NationStart:
    """The builds of a nation's set-up, one after the other."""

    def __init__(self, state: State, power: PowerId, capital: ProvinceId) -> None:
        self._left, self._capital = START_POINTS, capital
        self._has_hero = power in state.had_hero
        self._there: dict[ProvinceId, list[str]] = {}

    def take(self, build: Build) -> str | None:
        """Count a build; or the code of what forbids it: points, a second hero, room."""
        if price(build.kind) > self._left:
            return "no_points"
        if build.kind == HERO:
            if self._has_hero:
                return "second_hero"
            self._has_hero = True
        else:
            there = self._there.setdefault(province_of(build.at), [])
            if any(kind != build.kind for kind in there):
                return "mixed_sector"
            room = 4 if province_of(build.at) == self._capital else 2
            if sum(COSTS[kind] for kind in there) + COSTS[build.kind] > room:
                return "no_room_at_start"
            there.append(build.kind)
        self._left -= price(build.kind)
        return None


def _place_pirates(
    state: State, power: PowerId, builds: Sequence[Build | BuildHero]
) -> tuple[State, list[OrderResult[Order]]]:
    """Ten fleets on ten X, some of them bound; a hero instead of two of the free ones."""
    land = land_of(state.variant)
    start = PirateStart(land, builds)
    results = []
    for build in builds:
        results.append(result_of_build(power, build, start.take(build)))
    start.fill()
    units = [*state.units, *(Unit(power, FLEET, PlaceId(sector)) for sector in start.fleets)]
    if start.hero:
        units.append(Unit(power, HERO, start.hero))
    owners = {**state.owners, **dict.fromkeys([*start.fleets, *start.kept], power)}
    ordered = {sector: owners[sector] for sector in sorted(owners, key=land.order.__getitem__)}
    return replace(state, owners=ordered, units=tuple(units)), results


class PirateStart:
    """The pirates' placement, one build after the other.

    Attributes:
        fleets: the X with a fleet.
        kept: the X that the hero cost: theirs, without a fleet.
        hero: where the hero begins.
    """

    def __init__(self, land: Land, builds: Iterable[object] = ()) -> None:
        rules = land.variant.settings["pirate_start"]
        self._land = land
        self._all, self._one, self._free = list(rules["all"]), list(rules["one"]), int(rules["anywhere"])
        self.fleets: list[ProvinceId] = []
        self.kept: list[ProvinceId] = []
        self.hero: PlaceId | None = None
        self._named = {province_of(build.at) for build in builds if isinstance(build, Build) and build.kind == FLEET}

    def take(self, build: Build | BuildHero) -> str | None:
        """Count a build; or the code of what forbids it."""
        sector = province_of(build.at)
        if isinstance(build, BuildHero) or build.kind == HERO:
            return self._take_hero(build)
        if sector in self.fleets or sector in self.kept:
            return "one_fleet_each"
        if not self._fits([*self.fleets, sector]):
            return "other_fleets_bound"
        self.fleets.append(sector)
        return None

    def _take_hero(self, build: Build | BuildHero) -> str | None:
        sector = province_of(build.at)
        if self.hero:
            return "second_hero"
        if isinstance(build, BuildHero):
            other = build.besides
        else:
            # Ruling K8: with one X named, the other is the last in map order that nobody named.
            taken = {*self._all, *self._one, *self._named, sector}
            other = next((x for x in reversed(self._land.pirate_centres) if x not in taken), sector)
        kept = [sector, other]
        if sector == other or any(x in self._all or x in self.fleets for x in kept) or set(self._one) <= set(kept):
            return "hero_costs_two"
        self._free -= _HERO_TAKES
        if not self._fits(self.fleets):
            self._free += _HERO_TAKES
            return "hero_costs_two"
        self.kept, self.hero = kept, build.at
        return None

    def fill(self) -> None:
        """The missing fleets: the first X in map order that fit."""
        for sector in self._land.pirate_centres:
            if sector not in self.fleets and sector not in self.kept and self._fits([*self.fleets, sector]):
                self.fleets.append(sector)

    def _fits(self, taken: Sequence[ProvinceId]) -> bool:
        """Whether so many fleets leave room for those that are bound to a place."""
        bound = sum(sector in self._all for sector in taken)
        outer = min(1, sum(sector in self._one for sector in taken))
        return len(taken) - bound - outer <= self._free
