"""Lists the orders that a power may give: what a unit can do in a step, and all orders worth choosing from, by subject.

Suggestions and the guided menu go on from `Ways`, step by step. The whole list leaves out some orders of two steps that
would make it endless (see `Ways.steps`); these are offered to whoever has chosen or written the first one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property

from engine.core.identity import cached_by_identity
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.kregen.foresight import samples
from engine.kregen.land import land_of
from engine.kregen.legality import find_objection
from engine.kregen.model import (
    ARMY,
    FLEET,
    HERO,
    LET_PASS,
    PIRATES,
    ROOM,
    SHARE,
    SPARE,
    STRENGTHS,
    ActStep,
    Aid,
    Betray,
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
    View,
    With,
    format_order,
    subject,
)
from engine.kregen.setup import PirateStart
from engine.kregen.supply import balance, possible_builds
from engine.provinces.orders import Build, Disband, Kind, Remove, Retreat
from engine.provinces.phases import PhaseKind

LONGEST_ROUTE = 3
"""Water sectors of the longest convoy that is listed; a text may name a longer one."""


@cached_by_identity
def legal(view: View) -> Mapping[str, tuple[Order, ...]]:
    """All orders that the viewer may give now, by subject: those of units in map order, then the rest."""
    state, viewer = view.state, view.viewer
    if viewer is None or state.over is not None:
        return {}
    listed: dict[str, dict[Order, None]] = {}
    for order in _orders(state, viewer):
        listed.setdefault(subject(order), {})[order] = None
    return {key: tuple(orders) for key, orders in listed.items()}


def _orders(state: State, viewer: PowerId) -> Iterator[Order]:
    match state.phase.kind:
        case PhaseKind.SETUP:
            yield from capitals(state, viewer)
            yield from builds(state, viewer)
        case PhaseKind.MOVEMENT:
            ways = Ways(state, viewer)
            for unit in ways.units:
                yield from ways.orders_of(unit)
            yield from duels(state, asked_heroes(state, viewer))
            yield from grants(state, viewer)
            if state.options["prophetic"]:
                yield from samples(state, viewer)
        case PhaseKind.RETREATS:
            for row in state.dislodged:
                unit = row.unit
                if unit.power == viewer:
                    yield from (Retreat(unit.kind, unit.at, place) for place in row.retreats)
                    yield from [Disband(unit.kind, unit.at)] if unit.kind != HERO else []
        case _:
            yield from builds(state, viewer)
            if balance(state, viewer) < 0:
                yield from removals(state, viewer)


def prophecies(view: View) -> tuple[str, ...]:
    """Canonical texts of prophecies to choose from; none where they can't be filed."""
    state, viewer = view.state, view.viewer
    if viewer is None or state.over or state.phase.kind is not PhaseKind.MOVEMENT or not state.options["prophetic"]:
        return ()
    return tuple(dict.fromkeys(map(format_order, samples(state, viewer))))


# What there is besides units


def capitals(state: State, viewer: PowerId) -> Iterator[Capital]:
    """The cities among which a nation chooses its capital; none where that is fixed."""
    land = land_of(state.variant)
    cities = land.starting_cities(viewer)
    if not set(cities) & set(land.fixed_capitals):
        yield from map(Capital, cities)


def builds(state: State, viewer: PowerId) -> Iterator[Build]:
    """Units that could be built by themselves: what there are points, sites and room for."""
    if state.phase.kind is not PhaseKind.SETUP:
        yield from possible_builds(state, viewer)
        return
    land = land_of(state.variant)
    for sector in land.pirate_centres if viewer == PIRATES else land.starting_cities(viewer):
        orders = [Build(kind, place) for kind in (ARMY, FLEET, HERO) for place in land.places(sector)]
        yield from (
            order
            for order in orders
            if find_objection(state, viewer, order) is None
            and (viewer != PIRATES or PirateStart(land, (order,)).take(order) is None)
        )


def removals(state: State, viewer: PowerId) -> Iterator[Remove]:
    """The units that could be removed, one of each sector."""
    units = {unit.name: unit for unit in state.units if unit.power == viewer and unit.kind != HERO}
    return (Remove(unit.kind, unit.at) for unit in units.values())


def duels(state: State, heroes: Iterable[Unit]) -> Iterator[Duel]:
    """Every number with either instruction, for each of some heroes."""
    for hero in heroes:
        for is_capture in (False, True):
            yield from (duel_of(state, hero, number, is_capture) for number in range(101))


def duel_of(state: State, hero: Unit, number: int, is_capture: bool = False) -> Duel:
    """A number for a hero: with who built it, where it is not its owner's only one in the sector."""
    is_alone = sum((one.power, one.kind, one.sector) == (hero.power, HERO, hero.sector) for one in state.units) == 1
    return Duel(hero.sector, number, is_capture, None if is_alone else hero.of or hero.power)


def duel_name(state: State, hero: Unit) -> str:
    """What a hero is called where a number is sent for it: `H ZY`, `H ZY of magdag`."""
    of = duel_of(state, hero, 0).of
    return f"{hero.name} of {of}" if of else hero.name


def asked_heroes(state: State, viewer: PowerId) -> tuple[Unit, ...]:
    """The viewer's heroes that could meet another power's in this season and should have a number for it."""
    return tuple(hero for hero in heroes_of(state, viewer) if rivals(state, hero))


def rivals(state: State, hero: Unit) -> tuple[PowerId, ...]:
    """The powers whose heroes a hero could meet in this season, in map order of these."""
    others = [unit for unit in state.units if unit.kind == HERO and unit.power != hero.power and not unit.rests]
    return tuple(dict.fromkeys(other.power for other in others if could_meet(state, hero, other)))


def fellow_rivals(state: State, hero: Unit) -> tuple[PowerId, ...]:
    """Those of the rivals who are of the hero's own faith: their heroes duel as all others do, unless both spare."""
    faiths = land_of(state.variant).faiths
    return tuple(
        power for power in rivals(state, hero) if hero.power in faiths and faiths[hero.power] == faiths.get(power)
    )


def sparable_rivals(state: State, hero: Unit) -> tuple[PowerId, ...]:
    """Those of the rivals with whom no holy war forbids to agree on sparing each other."""
    return tuple(
        power for power in rivals(state, hero) if find_objection(state, hero.power, Grant(SPARE, power)) is None
    )


def heroes_of(state: State, viewer: PowerId) -> tuple[Unit, ...]:
    """A power's heroes that do not rest, in map order."""
    return tuple(unit for unit in state.units if unit.power == viewer and unit.kind == HERO and not unit.rests)


def grants(state: State, viewer: PowerId) -> Iterator[Grant]:
    """What may be granted where it could matter: both have a hero or unit that could meet, or a bank to pass."""
    for power in state.variant.powers:
        for deed in (SHARE, SPARE, LET_PASS):
            grant = Grant(deed, power)
            if find_objection(state, viewer, grant) is None and _could_matter(state, viewer, grant):
                yield grant


def _could_matter(state: State, viewer: PowerId, grant: Grant) -> bool:
    mine, its = (
        [unit for unit in state.units if unit.power == power and not unit.rests] for power in (viewer, grant.power)
    )
    if grant.deed == SPARE:
        return any(could_meet(state, one, other) for one in mine for other in its if one.kind == other.kind == HERO)
    if grant.deed == SHARE:
        return any(could_meet(state, one, other) for one in mine for other in its if HERO in (one.kind, other.kind))
    rivers = land_of(state.variant).rivers.items()
    fleets = [unit for unit in its if unit.kind == FLEET]
    banks = {unit.sector for unit in mine if unit.kind == ARMY}
    return any(sector in reached(state, fleet) for sector, sides in rivers if banks & set(sides) for fleet in fleets)


def could_meet(state: State, one: Unit, other: Unit) -> bool:
    """Whether two of the board could be in one sector this season, by steps of their own."""
    return bool(reached(state, one) & reached(state, other))


def reached(state: State, unit: Unit) -> frozenset[ProvinceId]:
    """The sectors where a unit or hero could be this season by its own steps, its own included."""
    land = land_of(state.variant)
    near = {unit.at}
    for _ in range(1 if unit.kind == ARMY else 2):
        if unit.kind == HERO:
            near |= {PlaceId(there) for place in near for there in land.walks[province_of(place)]}
        else:
            near |= {there for place in near for there in land.reach(unit.kind, place)}
    return frozenset(map(province_of, near))


# What a capital holds too much of


def excess(state: State, power: PowerId) -> tuple[Unit, ...]:
    """The units of a power that are disbanded after the season if nothing leaves their sectors. Source: rules 3."""
    held: Counter[ProvinceId] = Counter()
    found = []
    for unit in state.units:
        if unit.power == power and unit.kind != HERO:
            held[unit.sector] += STRENGTHS[unit.kind]
            if held[unit.sector] > ROOM:
                held[unit.sector] -= STRENGTHS[unit.kind]
                found.append(unit)
    return tuple(found)


def ways_out(state: State, power: PowerId) -> Mapping[int, Manoeuvre]:
    """How a full capital is left, by number of the units that march: each that is too many goes next door. Ruling K26.

    Where one's own unit stands there, that moves on, and so forth, until one comes to a sector that is empty.
    """
    standing = {number: unit for number, unit in enumerate(state.units) if unit.kind != HERO}
    full = {unit.sector for unit in standing.values()} | set(state.garrisons)
    waiting = Counter(excess(state, power))
    found: dict[int, Manoeuvre] = {}
    for number, unit in reversed(standing.items()):
        if waiting[unit] > 0:
            waiting[unit] -= 1
            for mover, act in _way_out(state, power, number, full, found):
                found[mover] = act
            full |= {province_of(step.to) for act in found.values() for step in act.steps if isinstance(step, Go)}
    return found


def _way_out(
    state: State, power: PowerId, number: int, full: Set[ProvinceId], marching: Mapping[int, Manoeuvre]
) -> Sequence[tuple[int, Manoeuvre]]:
    """The shortest chain of marches that begins with a unit's and ends in an empty sector; the best of these first."""
    land = land_of(state.variant)
    seen = {state.units[number].sector}
    chains: list[tuple[int, tuple[tuple[int, Manoeuvre], ...]]] = [(number, ())]
    for last, chain in chains:  # grows as it is read: breadth first
        unit = state.units[last]
        for place in sorted(land.reach(unit.kind, unit.at), key=lambda place: _rank(state, power, place)):
            sector, act = province_of(place), Manoeuvre(unit.kind, unit.sector, (Go(place),))
            if sector in seen or find_objection(state, power, act) is not None:
                continue
            if sector not in full:
                return *chain, (last, act)
            there = [n for n, one in enumerate(state.units) if one.sector == sector and one.kind != HERO]
            if len(there) == 1 and state.units[there[0]].power == power and there[0] not in marching:
                seen.add(sector)
                chains.append((there[0], (*chain, (last, act))))
    return ()


def _rank(state: State, power: PowerId, place: PlaceId) -> tuple[int, int, str]:
    """Which sector is entered rather than others: a centre that nobody owns, no centre, an own one, a foreign one."""
    sector = province_of(place)
    owner = state.owners.get(sector)
    is_centre = state.variant.board.provinces[sector].is_centre
    rank = 0 if is_centre and owner is None else 1 if not is_centre else 2 if owner == power else 3
    return rank, land_of(state.variant).order[sector], place


# What units can do


class Ways:
    """What the units of a power can do in a move season."""

    def __init__(self, state: State, power: PowerId) -> None:
        self.state, self.power = state, power
        self.land = land_of(state.variant)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The power's units and heroes that can be ordered, one of each kind in a sector, in map order."""
        own = [unit for unit in self.state.units if unit.power == self.power and not unit.rests]
        return tuple({(unit.kind, unit.sector): unit for unit in reversed(own)}.values())[::-1]

    def is_pair(self, unit: Unit) -> bool:
        """Whether two fleets of the power stand there."""
        return unit.kind == FLEET and sum(other.name == unit.name for other in self._own) > 1

    @cached_property
    def _own(self) -> list[Unit]:
        return [unit for unit in self.state.units if unit.power == self.power]

    @cached_property
    def _own_sectors(self) -> frozenset[ProvinceId]:
        return frozenset(unit.sector for unit in self._own if unit.kind != HERO)

    def orders_of(self, unit: Unit) -> Iterator[Order]:
        """Every order of a unit, the simple ones first; then those of a pair; last its disbanding."""
        found = list(self._acts(unit))
        yield from found
        if self.is_pair(unit):
            yield from (replace(act, is_pair=True) for act in found if _is_plain(act))
        if unit.kind != HERO:
            yield Disband(unit.kind, unit.at)

    def _acts(self, unit: Unit) -> Iterator[Manoeuvre]:
        firsts = self.steps(unit)
        for step in firsts:
            yield from acts(unit, step)
        if unit.kind == ARMY:
            return
        for first in firsts:
            for second in self.steps(unit, first):
                yield from acts(unit, first, second)

    def steps(self, unit: Unit, before: ActStep | None = None, *, is_whole: bool = False) -> tuple[ActStep, ...]:
        """What a unit can do in its first step, or after another one, in a sensible order.

        Args:
            is_whole: also two steps of which one helps other players' units or what is not there yet, two supports,
                and convoys of named armies after a move: the list of all orders would run into ten thousands.
        """
        if isinstance(before, Convoy | Sail | Betray):
            return ()
        steps = self._hero_steps(unit, before) if unit.kind == HERO else self._unit_steps(unit, before, is_whole)
        # To hold is a step of its own only after a support, which would be given in both impulses without it.
        may_hold = before is None or isinstance(before, Support)
        found = dict.fromkeys(step for step in steps if may_hold or not isinstance(step, Stay))
        if isinstance(before, Support) and not is_whole:
            is_own = before.of in self._own_sectors
            found = {step: None for step in found if is_own and isinstance(step, Go | Convoy)}
        if isinstance(before, Stay):
            # By itself this would be done in the second impulse, or in both, anyway.
            found = {step: None for step in found if not isinstance(step, Convoy | Aid | Betray)}
        known = (before,) if before is not None else ()
        return tuple(
            step
            for step in found
            # All others are possible as they are made.
            if not (is_whole or isinstance(step, Aid))
            or self._is_possible(Manoeuvre(unit.kind, unit.sector, (*known, step)))
        )

    def _is_possible(self, act: Manoeuvre) -> bool:
        return find_objection(self.state, self.power, act) is None

    def _unit_steps(self, unit: Unit, before: ActStep | None, is_whole: bool) -> Iterator[ActStep]:
        place = before.to if isinstance(before, Go) else unit.at
        here = province_of(place)
        yield Stay()
        yield from map(Go, sorted(self.land.reach(unit.kind, place)))
        if unit.kind == ARMY:
            yield from self.sails(here)
        yield from self._supports(unit, place, before, is_whole)
        if unit.kind == FLEET and here in self.land.convoyable:
            yield Convoy()
            if is_whole or before is None:
                yield from self._loads(here)

    # Supports

    def _supports(self, unit: Unit, place: PlaceId, before: ActStep | None, is_whole: bool) -> Iterator[Support]:
        targets, here = self._supported(unit.kind, place), province_of(place)
        is_second = before is not None
        present = self._could_stand if is_whole and is_second else self._standing
        for of, kinds in present.items():
            is_own = of in self._own_sectors
            if is_second and not (is_own or is_whole or isinstance(before, Stay)):
                continue
            by_sea = is_own or is_whole
            for kind in kinds:
                if of in targets and of != here:
                    yield Support(kind, of)
                if of != unit.sector or self.is_pair(unit) or (is_whole and is_second):
                    goals = targets & self._goals(kind, of, by_sea=by_sea)
                    yield from (Support(kind, of, to) for to in sorted(goals) if to != of)

    def _supported(self, kind: Kind, place: PlaceId) -> frozenset[ProvinceId]:
        """The sectors into which a unit reaches with support."""
        rivers = {river for river, banks in self.land.rivers.items() if province_of(place) in banks}
        return self.land.reached_sectors(kind, place) | (rivers if kind == ARMY else set())

    @cached_property
    def _standing(self) -> Mapping[ProvinceId, tuple[Kind, ...]]:
        """Kinds of units in each sector now that may be helped, garrisons as armies, in map order."""
        found: dict[ProvinceId, dict[Kind, None]] = {at: {ARMY: None} for at in self.state.garrisons}
        for unit in self.state.units:
            if unit.kind != HERO and unit.power in self._helped:
                found.setdefault(unit.sector, {})[unit.kind] = None
        return {at: tuple(found[at]) for at in sorted(found, key=self.land.order.__getitem__)}

    @cached_property
    def _could_stand(self) -> Mapping[ProvinceId, tuple[Kind, ...]]:
        """The same in the second impulse, of all that could have moved by then."""
        found = {at: set(kinds) for at, kinds in self._standing.items()}
        for unit in self.state.units:
            if unit.kind != HERO and unit.power in self._helped:
                for place in self.land.reach(unit.kind, unit.at):
                    found.setdefault(province_of(place), set()).add(unit.kind)
        return {at: tuple(sorted(found[at])) for at in sorted(found, key=self.land.order.__getitem__)}

    def _goals(self, kind: Kind, sector: ProvinceId, *, by_sea: bool) -> frozenset[ProvinceId]:
        """Where units that stand in a sector could go in one step, and perhaps by sea."""
        if (kind, sector, by_sea) not in self._found_goals:
            self._found_goals[kind, sector, by_sea] = self._find_goals(kind, sector, by_sea=by_sea)
        return self._found_goals[kind, sector, by_sea]

    @cached_property
    def _found_goals(self) -> dict[tuple[Kind, ProvinceId, bool], frozenset[ProvinceId]]:
        return {}

    def _find_goals(self, kind: Kind, sector: ProvinceId, *, by_sea: bool) -> frozenset[ProvinceId]:
        if kind == ARMY:
            landings = frozenset(sail.to for sail in self.sails(sector)) if by_sea else frozenset()
            return self.land.reached_sectors(ARMY, PlaceId(sector)) | landings
        places = (PlaceId(sector), *self.state.variant.board.provinces[sector].coasts)
        return frozenset(goal for place in places for goal in self.land.reached_sectors(FLEET, place))

    # Convoys

    def sails(self, origin: ProvinceId) -> tuple[Sail, ...]:
        """The shortest convoys from a sector to every other, over water in which a willing fleet is or could come."""
        if origin not in self._sails:
            self._sails[origin] = tuple(self._find_sails(origin))
        return self._sails[origin]

    @cached_property
    def _sails(self) -> dict[ProvinceId, tuple[Sail, ...]]:
        return {}

    def _find_sails(self, origin: ProvinceId) -> Iterator[Sail]:
        near = self._by_water
        if self.land.is_water(origin):
            return
        seen = {origin}
        routes: list[tuple[ProvinceId, ...]] = [(water,) for water in near[origin] if water in self._carriers]
        while routes:
            landings = [(route, to) for route in routes for to in near[route[-1]] if not self.land.is_water(to)]
            yield from (Sail(route, to) for route, to in landings if to not in seen)
            seen |= {to for _, to in landings} | {route[-1] for route in routes}
            if len(routes[0]) == LONGEST_ROUTE:
                return
            routes = [
                (*route, water)
                for route in routes
                for water in near[route[-1]]
                if water in self._carriers and water not in seen
            ]

    @cached_property
    def _by_water(self) -> Mapping[ProvinceId, tuple[ProvinceId, ...]]:
        """Sectors that a fleet can go to from each sector, whatever the coast, in map order."""
        near: dict[ProvinceId, set[ProvinceId]] = {sector: set() for sector in self.land.order}
        for place, goals in self.state.variant.board.fleet_moves.items():
            near[province_of(place)] |= set(map(province_of, goals))
        return {sector: tuple(sorted(there, key=self.land.order.__getitem__)) for sector, there in near.items()}

    @cached_property
    def _carriers(self) -> frozenset[ProvinceId]:
        """Water in which a fleet could convoy for the power this season."""
        found = set()
        for unit in self.state.units:
            if unit.kind == FLEET and unit.power in self._helped:
                found |= {unit.sector, *self.land.reached_sectors(FLEET, unit.at)}
        return frozenset(found & self.land.convoyable)

    def _loads(self, here: ProvinceId) -> Iterator[Convoy]:
        """Convoys of one army each whose listed ways lead through a sector."""
        armies = [unit for unit in self.state.units if unit.kind == ARMY and unit.power in self._helped]
        for army in dict.fromkeys(unit.sector for unit in armies):
            for to in dict.fromkeys(sail.to for sail in self.sails(army) if here in sail.route):
                yield Convoy(((army, to),))

    @cached_property
    def _helped(self) -> frozenset[PowerId]:
        """The powers that this one may help, itself included."""
        is_holy = bool(self.state.options["holy_war"])
        powers = self.state.variant.powers
        return frozenset(power for power in powers if not is_holy or self.land.may_help(self.power, power))

    # Heroes

    def _hero_steps(self, hero: Unit, before: ActStep | None) -> Iterator[ActStep]:
        place = before.to if isinstance(before, Go) else hero.at
        if isinstance(before, With):
            if before.to is None:
                return
            place = before.to
        here = province_of(place)
        yield Stay()
        yield from (Go(PlaceId(to)) for to in sorted(self.land.walks[here]))
        for unit in self._companions(here):
            yield With(unit.kind, here)
            goals = sorted(self.land.reached_sectors(unit.kind, unit.at))
            yield from (With(unit.kind, here, PlaceId(to)) for to in goals)
        if here in self.land.city and not isinstance(before, Aid):
            yield Aid()
        if here in self.state.garrisons:
            yield from (Betray(power) for power in self.state.variant.powers if power in self._helped)

    def _companions(self, here: ProvinceId) -> Iterable[Unit]:
        """Units with which a hero could go, one of each kind."""
        units = [unit for unit in self.state.units if unit.sector == here and unit.kind != HERO]
        return {unit.kind: unit for unit in units if unit.power in self._helped}.values()


def _is_plain(act: Manoeuvre) -> bool:
    """Whether a pair of fleets might do it together for once; with two steps it moves, holds or convoys."""
    return len(act.steps) == 1 or not any(isinstance(step, Support) for step in act.steps)


def acts(unit: Unit, *steps: ActStep, is_pair: bool = False) -> tuple[Manoeuvre, ...]:
    """The order with these steps; for an army's march or support also the one in the second impulse."""
    plain = Manoeuvre(unit.kind, unit.sector, steps, is_pair=is_pair)
    can_wait = unit.kind == ARMY and isinstance(steps[0], Go | Support)
    return (plain, replace(plain, is_late=True)) if can_wait else (plain,)
