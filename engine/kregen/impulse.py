"""One impulse of a move season: what is tried in it becomes a contest of the kernel, and its ruling moves the units.

    season → impulse → kernel

Forces, closed straits and banks, convoys, rallies and what heroes add are here. Source: rules 5 to 8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.kernel import NOBODY, Contest, Equations, Garrison, Route, resolve
from engine.core.outcome import Outcome
from engine.core.phrases import Phrase, phrase
from engine.kregen.model import (
    ARMY,
    FLEET,
    HERO,
    LET_PASS,
    ROOM,
    SHARE,
    STRENGTHS,
    Act,
    Aid,
    Betray,
    Convoy,
    Go,
    Sail,
    Stay,
    Step,
    Support,
    Unit,
    With,
)
from engine.kregen.sea import Sea

_SHUT = 10**6
"""A strength that nothing beats: of a city whose rallied heroes stop every attack."""


@dataclass(slots=True, eq=False)
class Body:
    """A unit or hero in the course of a season.

    Args:
        at: where it is now; `go` changes it.
        sector: the sector of that place.
        is_out: dislodged, or gone: it takes no further part.
        is_gone: removed from the board.
        came_from: where what dislodged it began (`None`: over the sea); of two own forces the first in map order.
        victors: every such sector. Ruling K23.
        has_failed: a step did not work, so that none follows.
        has_helped: a support of its found what it was for, cut or not.
        impulse: the one that is going on, 1 or 2; told with every failure.
    """

    unit: Unit
    power: PowerId
    at: PlaceId
    order: Act | None = None
    is_out: bool = False
    is_gone: bool = False
    is_captive: bool = False
    rests: int = 0
    has_failed: bool = False
    has_helped: bool = False
    came_from: ProvinceId | None = None
    victors: frozenset[ProvinceId] = frozenset()
    impulse: int = 1
    outcome: Outcome = Outcome.SUCCEEDS
    reason: Phrase = field(default_factory=lambda: phrase("reason.done"))

    sector: ProvinceId = field(init=False)

    def __post_init__(self) -> None:
        self.sector = province_of(self.at)

    def go(self, place: PlaceId) -> None:
        """It is somewhere else from now on."""
        self.at, self.sector = place, province_of(place)

    @property
    def is_hero(self) -> bool:
        """Whether it is no unit."""
        return self.unit.kind == HERO

    def step(self, impulse: int) -> Step:
        """What it tries in an impulse."""
        if self.order is None or self.has_failed or self.is_captive or self.rests:
            return Stay()
        return self.order.in_impulse(impulse)

    def begin(self, impulse: int) -> None:
        """An impulse begins: what is told of an order is what becomes of the last step that is tried.

        Holding is no trial: `S A SHP, H` is told by its support.
        """
        self.impulse = impulse + 1
        has_second = self.order is not None and not isinstance(self.order.steps[-1], Stay) and len(self.order.steps) > 1
        if impulse and has_second and not (self.has_failed or self.is_out):
            self.outcome, self.reason = Outcome.SUCCEEDS, phrase("reason.done")

    def drive_out(self, origins: Sequence[ProvinceId | None]) -> None:
        """It is dislodged by forces from these sectors."""
        self.is_out = True
        self.came_from = next(iter(origins), None)
        self.victors = frozenset(origin for origin in origins if origin)

    def fail(self, outcome: Outcome, code: str, **args: object) -> None:
        """Its step of this impulse did not work."""
        self.has_failed = True
        self.outcome, self.reason = outcome, phrase(code, **args, impulse=self.impulse)


@dataclass(slots=True)
class Ground:
    """What bodies meet on: who grants what, garrisons, owners; changes in the course of a season.

    Args:
        grants: deeds with who grants them to whom: `(SHARE, "zair", "renders")`.
        stand_offs: sectors in which a stand-off was.
    """

    sea: Sea
    holy_war: bool
    bodies: list[Body]
    grants: frozenset[tuple[str, PowerId, PowerId]]
    garrisons: dict[ProvinceId, int]
    owners: dict[ProvinceId, PowerId]
    stand_offs: set[ProvinceId] = field(default_factory=set)
    entered: dict[ProvinceId, list[ProvinceId | None]] = field(default_factory=dict)
    """Sectors entered in this impulse, with where each force came from (`None`: over the sea)."""

    def shares(self, one: PowerId, other: PowerId) -> bool:
        """Whether two powers are one, or both order to share with the other."""
        return one == other or {(SHARE, one, other), (SHARE, other, one)} <= self.grants

    def may_help(self, one: PowerId, other: PowerId) -> bool:
        """Whether the holy war lets one power help the other."""
        return not self.holy_war or self.sea.may_help(one, other)

    def units_in(self, sector: ProvinceId) -> list[Body]:
        """Armies and fleets that stand in a sector; those that wait there to retreat don't. Ruling K15."""
        return [body for body in self.bodies if body.sector == sector and not body.is_out and not body.is_hero]

    def heroes_in(self, sector: ProvinceId) -> list[Body]:
        """Heroes in a sector that are not dislodged."""
        return [body for body in self.bodies if body.sector == sector and not body.is_out and body.is_hero]

    def strait_is_open(self, power: PowerId, here: ProvinceId, there: ProvinceId) -> bool:
        """Whether an army may cross: by land always, over a strait while no foreign fleet is in its water."""
        if there in self.sea.variant.board.army_moves[here] or (here, there) not in self.sea.straits:
            return True
        waters = self.sea.straits[here, there]
        return not any(body.power != power for water in waters for body in self.units_in(water))

    def closing_banks(self, power: PowerId, sector: ProvinceId) -> frozenset[ProvinceId]:
        """The banks of a river sector from which armies bar a power's fleets."""
        return frozenset(
            bank
            for bank in self.sea.rivers.get(sector, ())
            for body in self.units_in(bank)
            if body.unit.kind == ARMY and body.power != power and (LET_PASS, body.power, power) not in self.grants
        )


@dataclass(slots=True, eq=False)
class _Force:
    """A number of the contest: units that go one way together, or one that stays; without bodies a garrison."""

    bodies: list[Body]
    at: ProvinceId
    to: ProvinceId | None = None
    heroes: list[Body] = field(default_factory=list)
    route: tuple[ProvinceId, ...] = ()

    @property
    def strength(self) -> int:
        return sum(STRENGTHS[body.unit.kind] for body in self.bodies)


class Impulse:
    """The contest of one impulse."""

    def __init__(self, ground: Ground, number: int) -> None:
        self.ground, self.number = ground, number
        self.sea = ground.sea
        ground.entered = {}
        for body in ground.bodies:
            body.begin(number)
        self.steps = {body: body.step(number) for body in ground.bodies if not body.is_out}
        self.barred: set[Body] = set()
        self.cut_early: set[Body] = set()
        """Supporters of fleets that were barred from a river because these supports were cut."""
        self.goals: dict[Body, PlaceId] = {}
        self.companions: dict[Body, Body] = {}
        self._find_companions()
        for body, step in self.steps.items():
            if not body.is_hero:
                self._aim(body, step)
        self.rallies = self._rallies()

    # What is tried

    def _find_companions(self) -> None:
        for hero, step in self.steps.items():
            if not isinstance(step, With):
                continue
            mates = [
                body
                for body in sorted(self.ground.units_in(hero.sector), key=lambda body: body.order is None)
                if body.unit.kind == step.kind and self.ground.shares(hero.power, body.power)
            ]
            wanted = [body for body in mates if step.to and self._goal_of(self.steps[body]) == province_of(step.to)]
            found = wanted or mates
            if found:
                self.companions[hero] = found[0]
            else:
                hero.fail(Outcome.VOID, "reason.no_companion")

    @staticmethod
    def _goal_of(step: Step) -> ProvinceId | None:
        return province_of(PlaceId(step.to)) if isinstance(step, Go | Sail) else None

    def _aim(self, body: Body, step: Step) -> None:
        """Where a unit tries to go, unless its way is closed."""
        if isinstance(step, Sail):
            self.goals[body] = PlaceId(step.to)
            return
        if not isinstance(step, Go):
            return
        goal = self.place_reached(body, step.to)
        if goal is None:
            body.fail(Outcome.VOID, "reason.out_of_reach", place=step.to)
        elif not self.ground.strait_is_open(body.power, body.sector, province_of(goal)):
            self._bar(body, province_of(goal))
        else:
            self.goals[body] = goal

    def place_reached(self, body: Body, to: PlaceId) -> PlaceId | None:
        """The place of a sector to which a unit gets from where it is."""
        reach = self.sea.reach(body.unit.kind, body.at)
        if to in reach:
            return to
        fits = sorted(place for place in reach if province_of(place) == province_of(to))
        return fits[0] if fits and "/" not in to else None

    def _bar(self, body: Body, place: ProvinceId) -> None:
        self.goals.pop(body, None)
        self.barred.add(body)
        body.fail(Outcome.BOUNCES, "reason.barred", place=place)

    def _rallies(self) -> dict[ProvinceId, list[Body]]:
        """Cities with heroes that could rally their people: nothing else stands there as the impulse begins."""
        found: dict[ProvinceId, list[Body]] = {}
        for hero, step in self.steps.items():
            city = hero.sector
            if not hero.is_hero or hero.rests or city not in self.sea.city or city in self.ground.garrisons:
                continue
            owns = isinstance(step, Stay) and self.ground.owners.get(city) == hero.power
            if (owns or self._aids(hero)) and not self.ground.units_in(city):
                found.setdefault(city, []).append(hero)
        return found

    def _aids(self, hero: Body) -> bool:
        """Whether a hero helps whoever holds the city that it is in, as faith allows."""
        owner = self.ground.owners.get(hero.sector, hero.power)
        return isinstance(self.steps[hero], Aid) and self.ground.may_help(hero.power, owner)

    # The contest

    def carry_out(self) -> None:
        """Resolve, and again without what turns out to be barred or stopped; then move everybody."""
        roomless: set[ProvinceId] = set()
        shut: set[ProvinceId] = set()
        while True:
            self._build(roomless, shut)
            equations = self.equations = resolve(self.contest).equations
            banked = self._barred_at_banks(equations)
            for body in banked:
                self._bar(body, province_of(self.goals[body]))
            crowded = self._crowded(equations) - roomless
            stopped = {city for city in self.rallies if self._rally_stops(equations, city)} - shut
            if not banked and not crowded and not stopped:
                break
            roomless |= crowded
            shut |= stopped
        self._move(shut)

    def _build(self, roomless: set[ProvinceId], shut: set[ProvinceId]) -> None:
        order = self.sea.order
        self.forces = forces = self._forces()
        self.force_of = {body: number for number, force in enumerate(forces) for body in force.bodies}
        sides = {power: side for side, power in enumerate(self.sea.variant.powers)}
        nobody = len(sides)
        routes = self._routes()
        strengths = [force.strength + len(force.heroes) for force in forces]
        self.helps, about = [], []
        for force in forces:
            helped, target = self._helped(force)
            self.helps.append(helped)
            about.append(order[target] if target else NOBODY)
        admits, mates = self._company(roomless)
        self.contest = Contest(
            at=[order[force.at] for force in forces],
            side=[sides[force.bodies[0].power] if force.bodies else nobody for force in forces],
            to=[order[force.to] if force.to else NOBODY for force in forces],
            helps=self.helps,
            about=about,
            attacks=strengths,
            holds=strengths,
            supports=[force.strength for force in forces],
            routes=routes,
            garrisons=self._standing(shut, sides),
            admits=admits,
            mates=mates,
        )

    def _forces(self) -> list[_Force]:
        forces: dict[tuple[object, ...], _Force] = {}
        carried = self._carried()
        for body, step in self.steps.items():
            if body.is_hero:
                continue
            goal = self.goals.get(body)
            if isinstance(step, Sail) and body not in carried and not body.has_failed:
                body.fail(Outcome.NO_CONVOY, "reason.no_convoy")
            to = province_of(goal) if goal and (body in carried or not isinstance(step, Sail)) else None
            key: tuple[object, ...] = (body.sector, to, isinstance(step, Sail)) if to else (body,)
            force = forces.setdefault(key, _Force([], body.sector, to))
            if to and force.strength + STRENGTHS[body.unit.kind] > ROOM:
                body.fail(Outcome.VOID, "reason.no_room", place=to)
                force = forces[body,] = _Force([], body.sector)
            force.bodies.append(body)
            if to and isinstance(step, Sail):
                force.route = step.route
        by_body = {body: force for force in forces.values() for body in force.bodies}
        for hero, companion in self.companions.items():
            if companion in by_body and by_body[companion].to:
                by_body[companion].heroes.append(hero)
        return [*forces.values(), *(_Force([], city) for city in self.ground.garrisons)]

    def _carried(self) -> set[Body]:
        """Armies all of whose route has fleets that carry them."""
        sailing = {body: step for body, step in self.steps.items() if isinstance(step, Sail) and not body.has_failed}
        loads: dict[ProvinceId, list[Body]] = {}
        for army, step in sailing.items():
            for sector in set(step.route):
                if any(self._offers(fleet, army, step) for fleet in self.ground.units_in(sector)):
                    loads.setdefault(sector, []).append(army)
        refused = set()
        for sector, armies in loads.items():
            for army in armies:
                others = [other for other in armies if other is not army]
                if any(o.sector == army.sector or sailing[o].to == sailing[army].to for o in others):
                    refused.add((sector, army))
        return {
            army
            for army, step in sailing.items()
            if all(army in loads.get(at, ()) and (at, army) not in refused for at in step.route)
        }

    def _offers(self, fleet: Body, army: Body, sail: Sail) -> bool:
        step = self.steps[fleet]
        if not isinstance(step, Convoy) or not self.ground.may_help(fleet.power, army.power):
            return False
        return (army.sector, sail.to) in step.loads if step.loads else fleet.power == army.power

    def _routes(self) -> dict[int, Route]:
        routes = {}
        for number, force in enumerate(self.forces):
            if not force.route:
                continue
            sail = self.steps[force.bodies[0]]
            assert isinstance(sail, Sail)
            carriers = tuple(
                next(self.force_of[fleet] for fleet in self.ground.units_in(at)
                     if self._offers(fleet, force.bodies[0], sail))
                for at in force.route
            )  # fmt: skip
            links = dict.fromkeys(carriers, 0)
            for one, other in pairwise(carriers):
                links[one] |= 1 << other
            routes[number] = Route(carriers, 1 << carriers[0], 1 << carriers[-1], links)
        return routes

    def _helped(self, force: _Force) -> tuple[int, ProvinceId | None]:
        """What a unit's support helps and what that is about; nothing if it fits nothing."""
        body = force.bodies[0] if force.bodies else None
        step = self.steps[body] if body else None
        if body is None or not isinstance(step, Support):
            return NOBODY, None
        target = step.to or step.of
        if not self.can_support(body, target):
            return NOBODY, None
        for number, other in enumerate(self.forces):
            kinds = {one.unit.kind for one in other.bodies} or {ARMY}
            fits = other.at == step.of and step.of_kind in kinds and other is not force
            if fits and other.to == step.to and (step.to or not self._was_to_leave(other)):
                owner = other.bodies[0].power if other.bodies else None
                if owner is None or self.ground.may_help(body.power, owner):
                    return number, target
        return NOBODY, None

    def _was_to_leave(self, force: _Force) -> bool:
        return any(isinstance(self.steps[body], Go | Sail) for body in force.bodies)

    def can_support(self, body: Body, target: ProvinceId) -> bool:
        """Whether a unit reaches a sector with support from where it is."""
        if body.unit.kind == ARMY and body.sector in self.sea.rivers.get(target, ()):
            return True
        return target in self.sea.reached_sectors(body.unit.kind, body.at) and (
            body.unit.kind != ARMY or self.ground.strait_is_open(body.power, body.sector, target)
        )

    def _standing(self, shut: set[ProvinceId], sides: Mapping[PowerId, int]) -> dict[int, Garrison]:
        """What heroes and garrisons add to the defence of sectors."""
        found = {}
        order = self.sea.order
        for sector in {force.at for force in self.forces}:
            heroes = [hero for hero in self.ground.heroes_in(sector) if not hero.rests]
            if sector in self.ground.garrisons:
                aid = sum(self._aids(hero) for hero in heroes)
                betrayed = {step.to for hero in heroes if isinstance(step := self.steps[hero], Betray)}
                strength = 4 * self.ground.garrisons[sector] + aid
                found[order[sector]] = Garrison(strength, 0, frozenset(sides[power] for power in betrayed))
                continue
            owner = self.ground.units_in(sector)[0].power
            count = sum(self._stands(hero) and self.ground.shares(hero.power, owner) for hero in heroes)
            if count:
                found[order[sector]] = Garrison(count, 0)
        for city in shut:
            owner_of_city = self.ground.owners.get(city)
            found[order[city]] = Garrison(
                0, _SHUT, frozenset(sides[power] for power in sides if self._is_friend(power, city, owner_of_city))
            )
        return found

    def _stands(self, hero: Body) -> bool:
        """Whether a hero neither walks away nor goes with a unit that leaves."""
        if isinstance(self.steps[hero], Go):
            return False
        companion = self.companions.get(hero)
        return companion is None or not self.forces[self.force_of[companion]].to

    def _company(self, roomless: set[ProvinceId]) -> tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]:
        """Fleets of one player that let each other into a sector, and those that go there side by side."""
        admits, mates = set(), set()
        coming: dict[tuple[ProvinceId, PowerId], list[int]] = {}
        for number, force in enumerate(self.forces):
            if force.to and force.bodies[0].unit.kind == FLEET and force.to not in roomless:
                coming.setdefault((force.to, force.bodies[0].power), []).append(number)
        for (sector, power), numbers in coming.items():
            there = [
                number
                for number, force in enumerate(self.forces)
                if force.at == sector and force.bodies and force.bodies[0].power == power
            ]
            if any(self.forces[number].bodies[0].unit.kind != FLEET for number in there):
                continue
            staying = sum(self.forces[number].strength for number in there if not self.forces[number].to)
            if staying + sum(self.forces[number].strength for number in numbers) > ROOM:
                continue
            admits |= {(one, other) for one in there for other in numbers}
            mates |= {(one, other) for one in numbers for other in numbers if one != other}
        return frozenset(admits), frozenset(mates)

    # Looking at the ruling, before it is final

    def _barred_at_banks(self, equations: Equations) -> list[Body]:
        """Fleets that would enter a closed river sector without an uncut support from another bank."""
        found = []
        for number, force in enumerate(self.forces):
            if not force.to or force.bodies[0].unit.kind != FLEET:
                continue
            helpers = [helper for helper, helped in enumerate(self.helps) if helped == number]
            # Ruling K24: who supports a fleet in, even in vain, does not bar it. So whoever bars stands on another bank
            # than every helper.
            friends = {self.forces[helper].at for helper in helpers}
            closing = self.ground.closing_banks(force.bodies[0].power, force.to) - friends
            uncut = {self.forces[helper].at for helper in helpers if equations.support(helper)[0]}
            if closing and not uncut & set(self._banks(force.to)):
                found += force.bodies
                self.cut_early |= {
                    self.forces[helper].bodies[0] for helper in helpers if not equations.support(helper)[0]
                }
        return found

    def _banks(self, sector: ProvinceId) -> Sequence[ProvinceId]:
        return self.sea.rivers.get(sector, ())

    def _crowded(self, equations: Equations) -> set[ProvinceId]:
        """Sectors in which own fleets were let in side by side, and have no room after all."""
        sectors = {self.forces[number].to for pair in self.contest.admits | self.contest.mates for number in pair}
        found = set()
        for sector in sectors:
            if sector is None:
                continue
            going = [force for force in self.forces if force.to == sector]
            for power in {force.bodies[0].power for force in going}:
                total = sum(force.strength for force in going if force.bodies[0].power == power)
                total += sum(
                    force.strength
                    for number, force in enumerate(self.forces)
                    if force.at == sector and force.bodies and force.bodies[0].power == power
                    and not equations.moved[number]
                )  # fmt: skip
                if total > ROOM and any(self.force_power(n) == power for pair in self.contest.admits for n in pair):
                    found.add(sector)
        return found

    def force_power(self, number: int) -> PowerId | None:
        """Whose a force is."""
        bodies = self.forces[number].bodies
        return bodies[0].power if bodies else None

    def _is_friend(self, power: PowerId, city: ProvinceId, owner: PowerId | None) -> bool:
        """Whether a power is no attacker of a city in which heroes rally."""
        heroes = self.rallies[city]
        return power == owner or any(self.ground.shares(power, side) for side in [hero.power for hero in heroes])

    def _rally_stops(self, equations: Equations, city: ProvinceId) -> bool:
        """Whether rallied heroes are as many as all that takes part in attacks on their city. Ruling K20."""
        owner = self.ground.owners.get(city)
        count = 0
        for number, force in enumerate(self.forces):
            if force.to != city or self._is_friend(force.bodies[0].power, city, owner):
                continue
            if not equations.path(number):
                continue
            helpers = [one for one, helped in enumerate(self.helps) if helped == number]
            count += len(force.bodies) + len(force.heroes) + sum(bool(equations.support(one)[0]) for one in helpers)
        return 0 < count <= len(self.rallies[city])

    # What came of it

    def _move(self, shut: set[ProvinceId]) -> None:
        equations = self.equations
        self._tell_idle_convoys()
        going = [number for number, force in enumerate(self.forces) if force.to]
        sunk = {number for number in going if self._is_sunk(equations, number)}
        fallen = {n for n in range(len(self.forces)) if equations.dislodged(n)}
        for number in fallen:
            self._drive_out(self.forces[number], number, equations)
        for number in going:
            force = self.forces[number]
            assert force.to is not None
            if equations.moved[number]:
                self.ground.entered.setdefault(force.to, []).append(None if force.route else force.at)
                for body in force.bodies:
                    body.go(self.goals[body])
                for hero in force.heroes:
                    hero.go(PlaceId(force.to))
                continue
            code = "reason.rallied" if force.to in shut else "reason.bounced"
            for body in (*force.bodies, *force.heroes):
                if body.outcome is not Outcome.DISLODGED:
                    body.fail(Outcome.BOUNCES, code, place=force.to)
                body.has_failed = True
        for sector in {force.to for force in self.forces if force.to} - shut:
            rivals = [n for n in going if self.forces[n].to == sector and equations.path(n)]
            # Ruling K18: it is the empty sector that is closed.
            if len(rivals) > 1 and not self.ground.units_in(sector):
                self.ground.stand_offs.add(sector)
        for number in sunk:
            for body in (*self.forces[number].bodies, *self.forces[number].heroes):
                body.fail(Outcome.DISRUPTED, "reason.convoy_sunk")
                body.is_out = body.is_gone = True
        self._tell_supports(equations)
        self._walk()

    def _is_sunk(self, equations: Equations, number: int) -> bool:
        route = self.contest.routes.get(number)
        return route is not None and any(equations.dislodged(carrier) for carrier in route.carriers)

    def _drive_out(self, force: _Force, number: int, equations: Equations) -> None:
        if not force.bodies:
            del self.ground.garrisons[force.at]
            return
        takers = [
            other
            for index, other in enumerate(self.forces)
            if other.to == force.at and equations.moved[index] and (number, index) not in self.contest.admits
        ]
        for body in force.bodies:
            body.drive_out([None if taker.route else taker.at for taker in takers])
            body.fail(Outcome.DISLODGED, "reason.dislodged", place=takers[0].at)

    def _tell_supports(self, equations: Equations) -> None:
        for number, force in enumerate(self.forces):
            if not force.bodies or not isinstance(self.steps[force.bodies[0]], Support) or force.bodies[0].is_out:
                continue
            body = force.bodies[0]
            if body in self.cut_early:
                # Ruling K16.
                body.has_helped = True
                body.outcome, body.reason = Outcome.CUT, phrase("reason.cut", impulse=body.impulse)
                continue
            if self.helps[number] == NOBODY:
                # Ruling K12.
                if self.number == 1 and body.has_helped:
                    continue
                body.outcome, body.reason = Outcome.VOID, phrase("reason.fits_nothing", impulse=body.impulse)
                continue
            body.has_helped = True
            if not equations.support(number)[0]:
                body.outcome, body.reason = Outcome.CUT, phrase("reason.cut", impulse=body.impulse)
            else:
                body.outcome, body.reason = Outcome.SUCCEEDS, phrase("reason.done")

    def _tell_idle_convoys(self) -> None:
        """A fleet whose offer no army took up has done nothing."""
        sailing = [(army, step) for army, step in self.steps.items() if isinstance(step, Sail)]
        for fleet, step in self.steps.items():
            if not isinstance(step, Convoy):
                continue
            if not any(fleet.sector in sail.route and self._offers(fleet, army, sail) for army, sail in sailing):
                fleet.outcome, fleet.reason = Outcome.VOID, phrase("reason.fits_nothing", impulse=fleet.impulse)

    def _walk(self) -> None:
        """Lone heroes walk after the units: wherever no other player's unit then is."""
        for hero, step in self.steps.items():
            if not hero.is_hero or not isinstance(step, Go) or hero.is_out:
                continue
            goal = province_of(step.to)
            if goal not in self.sea.walks[hero.sector]:
                hero.fail(Outcome.VOID, "reason.out_of_reach", place=goal)
            elif all(self.ground.shares(hero.power, body.power) for body in self.ground.units_in(goal)):
                hero.go(PlaceId(goal))
            else:
                hero.fail(Outcome.BOUNCES, "reason.bounced", place=goal)
