"""One impulse of a move season: what is tried in it becomes a contest of the kernel, and its ruling moves the units.

    season → impulse → kernel
                     → aftermath

Forces, closed straits and banks, rallies and what heroes add are here; who carries whom is in `convoys`, and what
becomes of everybody in `aftermath`. Source: rules 5 to 8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.outcome import Outcome
from engine.core.phrases import Phrase, phrase
from engine.kregen.aftermath import Aftermath
from engine.kregen.bodies import Body, Force, Holdings
from engine.kregen.convoys import Convoys
from engine.kregen.model import (
    ARMY,
    FLEET,
    ROOM,
    STRENGTHS,
    ActStep,
    Aid,
    Betray,
    Go,
    Sail,
    Stay,
    Support,
    With,
)
from engine.kregen.reasons import Reasons, companion_missing, who
from engine.provinces.contest.components import resolve
from engine.provinces.contest.contest import NOBODY, Contest, Garrison
from engine.provinces.contest.equations import Equations

_SHUT = 10**6
"""A strength that nothing beats: of a city whose rallied heroes stop every attack."""


class Impulse:
    """The contest of one impulse."""

    def __init__(self, ground: Holdings, number: int) -> None:
        self.ground, self.number = ground, number
        self.land = ground.land
        ground.entered = {}
        for body in ground.bodies:
            body.begin(number)
        self.steps = {body: body.step(number) for body in ground.bodies if not body.is_out}
        self.cut_early: dict[Body, Phrase] = {}
        """Supporters of fleets that were barred from a river because these supports were cut, and by whom."""
        self.goals: dict[Body, PlaceId] = {}
        self.companions: dict[Body, Body] = {}
        self._find_companions()
        for body, step in self.steps.items():
            if not body.is_hero:
                self._aim(body, step)
        self.rallies = self._rallies()
        self.convoys = Convoys(ground, self.steps)

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
            # Ruling K22: an order for both impulses is for one unit.
            same = [body for body in mates if body is hero.companion and hero.order and len(hero.order.steps) == 1]
            found = wanted or same or mates
            if found:
                self.companions[hero] = hero.companion = found[0]
            else:
                foreign = [body for body in self.ground.units_in(hero.sector) if body.unit.kind == step.kind]
                hero.fail(Outcome.VOID, companion_missing(step.kind, hero.sector, foreign))
                self.steps[hero] = Stay()

    @staticmethod
    def _goal_of(step: ActStep) -> ProvinceId | None:
        return province_of(PlaceId(step.to)) if isinstance(step, Go | Sail) else None

    def _aim(self, body: Body, step: ActStep) -> None:
        """Where a unit tries to go, unless its way is closed. Source: rules 7.1, 7.2."""
        if isinstance(step, Sail):
            self.goals[body] = PlaceId(step.to)
            return
        if not isinstance(step, Go):
            return
        goal = self.place_reached(body, step.to)
        if goal is None:
            body.fail(Outcome.VOID, phrase("reason.out_of_reach", place=province_of(step.to), origin=body.sector))
        elif body.unit.kind == ARMY and (
            closing := self.ground.closing_strait(body.power, body.sector, province_of(goal))
        ):
            self._bar(body, phrase("reason.strait_closed", place=province_of(goal), who=who(closing)))
        else:
            self.goals[body] = goal

    def place_reached(self, body: Body, to: PlaceId) -> PlaceId | None:
        """The place of a sector to which a unit gets from where it is."""
        reach = self.land.reach(body.unit.kind, body.at)
        if to in reach:
            return to
        fits = sorted(place for place in reach if province_of(place) == province_of(to))
        return fits[0] if fits and "/" not in to else None

    def _bar(self, body: Body, reason: Phrase) -> None:
        """The move is not made: it meets nobody. Source: rules 6.6."""
        self.goals.pop(body, None)
        body.fail(Outcome.BOUNCES, reason)

    def _rallies(self) -> dict[ProvinceId, list[Body]]:
        """Cities with heroes that could rally their people: nothing else stands there as the impulse begins.

        Source: rules 8.3
        """
        found: dict[ProvinceId, list[Body]] = {}
        for hero, step in self.steps.items():
            city = hero.sector
            if not hero.is_hero or hero.rests or city not in self.land.city or city in self.ground.garrisons:
                continue
            owns = isinstance(step, Stay) and self.ground.owners.get(city) == hero.power
            if (owns or self._aids(hero)) and not self.ground.units_in(city):
                found.setdefault(city, []).append(hero)
        return found

    def _aids(self, hero: Body) -> bool:
        """Whether a hero helps whoever holds the city that it is in, as faith allows. Source: rules 8.4"""
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
            for body, reason in banked:
                self._bar(body, reason)
            crowded = self._crowded(equations) - roomless
            stopped = {city for city in self.rallies if self._rally_stops(equations, city)} - shut
            if not banked and not crowded and not stopped:
                break
            roomless |= crowded
            shut |= stopped
        Aftermath(self, shut).carry_out()

    def _build(self, roomless: set[ProvinceId], shut: set[ProvinceId]) -> None:
        """The contest: a side is as strong as its units, their heroes and supports; a support leaves its hero out.

        Source: rules 6.2, 6.3, 6.4.
        """
        order = self.land.order
        self.forces = forces = self._forces()
        self.force_of = {body: number for number, force in enumerate(forces) for body in force.bodies}
        sides = {power: side for side, power in enumerate(self.land.variant.powers)}
        nobody = len(sides)
        routes = {
            number: self.convoys.route(force, self.force_of) for number, force in enumerate(forces) if force.route
        }
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

    def _forces(self) -> list[Force]:
        """Units of one player that go the same way are one force, as far as it has room. Source: rules 3, 6.1"""
        forces: dict[tuple[object, ...], Force] = {}
        carried = self.convoys.carried
        for body, step in self.steps.items():
            if body.is_hero:
                continue
            goal = self.goals.get(body)
            if isinstance(step, Sail) and body not in carried and not body.has_failed:
                body.fail(Outcome.NO_CONVOY, self.convoys.why_not_carried(body))
            to = province_of(goal) if goal and (body in carried or not isinstance(step, Sail)) else None
            key: tuple[object, ...] = (body.sector, to, isinstance(step, Sail)) if to else (body,)
            force = forces.setdefault(key, Force([], body.sector, to))
            if to and force.strength + STRENGTHS[body.unit.kind] > ROOM:
                body.fail(Outcome.VOID, phrase("reason.no_room", place=to, origin=body.sector))
                force = forces[body,] = Force([], body.sector)
            force.bodies.append(body)
            if to and isinstance(step, Sail):
                force.route = step.route
        by_body = {body: force for force in forces.values() for body in force.bodies}
        for hero, companion in self.companions.items():
            if companion in by_body and by_body[companion].to:
                by_body[companion].heroes.append(hero)
        return [*forces.values(), *(Force([], city) for city in self.ground.garrisons)]

    def _helped(self, force: Force) -> tuple[int, ProvinceId | None]:
        """What a unit's support helps and what that is about; nothing if it fits nothing. Source: rules 5.2"""
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

    def _was_to_leave(self, force: Force) -> bool:
        return any(isinstance(self.steps[body], Go | Sail) for body in force.bodies)

    def can_support(self, body: Body, target: ProvinceId) -> bool:
        """Whether a unit reaches a sector with support from where it is."""
        if body.unit.kind == ARMY and body.sector in self.land.rivers.get(target, ()):
            return True
        return target in self.land.reached_sectors(body.unit.kind, body.at) and (
            body.unit.kind != ARMY or self.ground.strait_is_open(body.power, body.sector, target)
        )

    def _standing(self, shut: set[ProvinceId], sides: Mapping[PowerId, int]) -> dict[int, Garrison]:
        """What heroes and garrisons add to the defence of sectors. Source: rules 2.2, 8.2, 8.4."""
        found = {}
        order = self.land.order
        for sector in {force.at for force in self.forces}:
            heroes = [hero for hero in self.ground.heroes_in(sector) if not hero.rests]
            if sector in self.ground.garrisons:
                aid = sum(self._aids(hero) for hero in heroes)
                betrayed = {step.to for hero in heroes if isinstance(step := self.steps[hero], Betray)}
                strength = 4 * self.ground.garrisons[sector] + aid
                found[order[sector]] = Garrison(strength, 0, frozenset(sides[power] for power in betrayed))
                continue
            owner = self.ground.units_in(sector)[0].power
            count = sum(self.defends(hero, owner) for hero in heroes)
            if count:
                found[order[sector]] = Garrison(count, 0)
        for city in shut:
            owner_of_city = self.ground.owners.get(city)
            found[order[city]] = Garrison(
                0, _SHUT, frozenset(sides[power] for power in sides if self._is_friend(power, city, owner_of_city))
            )
        return found

    def defends(self, hero: Body, owner: PowerId) -> bool:
        """Whether a hero adds to the defence of units of a power in its sector."""
        return not hero.rests and self._stands(hero) and self.ground.shares(hero.power, owner)

    def _stands(self, hero: Body) -> bool:
        """Whether a hero neither walks away nor goes with a unit that leaves."""
        if isinstance(self.steps[hero], Go):
            return False
        companion = self.companions.get(hero)
        return companion is None or not self.forces[self.force_of[companion]].to

    def _company(self, roomless: set[ProvinceId]) -> tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]:
        """Fleets of one player that let each other into a sector, and those that go there side by side.

        Source: rules 6.5
        """
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

    def _barred_at_banks(self, equations: Equations) -> list[tuple[Body, Phrase]]:
        """Fleets that would enter a closed river sector without an uncut support from another bank, and who bars it.

        Source: rules 7.3, rulings K24, K25
        """
        found: list[tuple[Body, Phrase]] = []
        for number, force in enumerate(self.forces):
            if not force.to or force.bodies[0].unit.kind != FLEET:
                continue
            helpers = [helper for helper, helped in enumerate(self.helps) if helped == number]
            # Ruling K24: who supports a fleet in, even in vain, does not bar it. So whoever bars stands on another bank
            # than every helper.
            friends = {self.forces[helper].at for helper in helpers}
            barring = [
                army for army in self.ground.barring_armies(force.bodies[0].power, force.to)
                if army.sector not in friends
            ]  # fmt: skip
            uncut = {self.forces[helper].at for helper in helpers if equations.support(helper)[0]}
            if barring and not uncut & set(self._banks(force.to)):
                reason = phrase("reason.river_barred", place=force.to, who=who(barring))
                found += [(body, reason) for body in force.bodies]
                self.cut_early |= {
                    self.forces[helper].bodies[0]: Reasons(self).of_cut(helper)
                    for helper in helpers
                    if not equations.support(helper)[0]
                }
        return found

    def _banks(self, sector: ProvinceId) -> Sequence[ProvinceId]:
        return self.land.rivers.get(sector, ())

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
        """Whether rallied heroes are as many as all that takes part in attacks on their city.

        Source: rules 8.3, ruling K20
        """
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
