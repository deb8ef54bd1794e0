"""Step (d) of a turn: the sorcerers without strength move, all at once; then it is seen who is displaced."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.core.ids import PowerId, ProvinceId, province_of
from engine.core.outcome import Outcome
from engine.core.phrases import Phrase, phrase
from engine.provinces.classic.plans import Ending
from engine.provinces.contest.contest import NOBODY
from engine.provinces.orders import Hold, Move
from engine.young_kingdoms.battle import SorcerersBattle
from engine.young_kingdoms.magic import Turn
from engine.young_kingdoms.model import CastSelf, Ride


@dataclass(slots=True)
class Walk:
    """A sorcerer on its way.

    Args:
        to: where it ends; its own space if it stays.
        is_carried: by a convoy.
        refuge: the sea of the last fleet of its convoy, where it ends if it can't land.
    """

    start: ProvinceId
    to: ProvinceId
    ending: Ending
    is_carried: bool = False
    rides: bool = False
    refuge: ProvinceId | None = None


@dataclass(frozen=True, slots=True)
class Displaced:
    """A sorcerer that has to retreat, and where its attacker came from, if that bars a retreat."""

    power: PowerId
    at: ProvinceId
    came_from: ProvinceId | None
    reason: Phrase


_HELD: Ending = (Outcome.SUCCEEDS, phrase("outcome.held"))
_NO_ORDER: Ending = (Outcome.SUCCEEDS, phrase("outcome.no_order"))
_MOVED: Ending = (Outcome.SUCCEEDS, phrase("outcome.moved"))
_CARRIED: Ending = (Outcome.SUCCEEDS, phrase("outcome.moved_by_sea"))


class Ways:
    """The ways of all sorcerers, strong ones included, and what comes of them; `routes`: the seas of those carried."""

    def __init__(self, turn: Turn, battle: SorcerersBattle) -> None:
        self.turn = turn
        self.battle = battle
        self.standing = battle.standing()
        self.routes: dict[PowerId, tuple[ProvinceId, ...]] = {}
        self.walks: dict[PowerId, Walk] = {
            power: self._walk(power) for power in turn.sorcerers if power not in battle.number_of
        }
        self._stop_those_who_meet()
        self.at: dict[PowerId, ProvinceId] = {power: walk.to for power, walk in self.walks.items()}
        self.at |= {power: battle.place_of(number) for power, number in battle.number_of.items()}
        self.displaced = {one.power: one for one in self._find_displaced()}

    # Where each wants to go

    def _walk(self, power: PowerId) -> Walk:
        start = province_of(self.turn.sorcerers[power].at)
        way = self._way(power)
        if way is None or isinstance(way, Hold):
            return Walk(start, start, _NO_ORDER if way is None else _HELD)
        if isinstance(way, Ride):
            return self._ride(power, start)
        there = province_of(way.to)
        for place in (start, there):
            if place in self.turn.barred:
                return Walk(start, start, (Outcome.VOID, phrase("outcome.barred", place=place)))
        if self._goes_by_sea(power, way):
            return self._convoyed(power, start, there)
        if there not in self.turn.ground.walks[start]:
            return Walk(start, start, (Outcome.VOID, phrase("outcome.no_way", place=there)))
        return self._step(power, start, there)

    def _way(self, power: PowerId) -> Hold | Move | Ride | None:
        """The order; a plain move in place of a self-supported one whose support was cut."""
        cast = self.turn.casts.get(power)
        if isinstance(cast, CastSelf) and cast.to is not None:
            return Move("S", self.turn.sorcerers[power].at, cast.to)
        return self.turn.ways.get(power)

    def _ride(self, power: PowerId, start: ProvinceId) -> Walk:
        """With the fleet of the space wherever that goes. Source: rules 3.6."""
        number = self.battle.number_in(start)
        if number == NOBODY or self.battle.units[number].kind != "F":
            return Walk(start, start, (Outcome.VOID, phrase("outcome.no_fleet_left", place=start)))
        if not self.turn.is_friendly(start, power, self.battle.units[number].power):
            return Walk(start, start, (Outcome.VOID, phrase("outcome.fleet_not_friendly", place=start)))
        if number in self.battle.fallen or not self.battle.moved[number]:
            return Walk(start, start, (Outcome.SUCCEEDS, phrase("outcome.rode_nowhere")))
        there = self.battle.place_of(number)
        # Those who come along share wherever they go.
        self.turn.bonds.add((there, frozenset((power, self.battle.units[number].power))))
        return Walk(start, there, (Outcome.SUCCEEDS, phrase("outcome.rode", place=there)), rides=True)

    def _goes_by_sea(self, power: PowerId, way: Move) -> bool:
        here, there, sea = province_of(way.at), province_of(way.to), self.turn.ground.reach.is_sea
        if sea(here) or sea(there):
            return False
        if way.via_convoy or there not in self.turn.ground.walks[here]:
            return True
        return any(self._power_of_fleet(at) == power for at in self._carriers(here, there))

    def _step(self, power: PowerId, start: ProvinceId, there: ProvinceId) -> Walk:
        sea = self.turn.ground.reach.is_sea
        docks = [there] if sea(there) else []
        if sea(start) and self._is_friendly_fleet(power, start):
            docks.append(start)
        for dock in docks:
            problem = self._dock_problem(power, dock)
            if problem is not None:
                return Walk(start, start, problem)
        return self._land(power, Walk(start, there, _MOVED))

    def _is_friendly_fleet(self, power: PowerId, at: ProvinceId) -> bool:
        number = self.battle.number_in(at)
        return number != NOBODY and self.turn.is_friendly(at, power, self.battle.units[number].power)

    def _dock_problem(self, power: PowerId, at: ProvinceId) -> Ending | None:
        """Why a fleet takes nobody up and sets nobody down. Source: rules 3.6."""
        number = self.battle.number_in(at)
        if number == NOBODY:
            return Outcome.VOID, phrase("outcome.no_fleet_left", place=at)
        fleet = self.battle.units[number]
        if not self.turn.is_friendly(at, power, fleet.power):
            return Outcome.BOUNCES, phrase("outcome.fleet_not_friendly", place=at)
        if any(isinstance(order, Move) and order.at == fleet.at for order in self.turn.ordinary[fleet.power]):
            return Outcome.BOUNCES, phrase("outcome.fleet_moves", place=at)
        if number in self.battle.fallen:
            return Outcome.BOUNCES, phrase("outcome.fleet_dislodged", place=at)
        return None

    # By convoy

    def _carriers(self, here: ProvinceId, there: ProvinceId) -> list[ProvinceId]:
        """The seas of the fleets that are ordered to convoy a sorcerer this way, in map order."""
        convoys = self.battle.sorcerers_convoys
        order = {province: index for index, province in enumerate(self.turn.ground.reach.board.provinces)}
        fitting = (at for at, one in convoys.items() if (province_of(one.of), province_of(one.to)) == (here, there))
        return sorted(fitting, key=order.__getitem__)

    def _power_of_fleet(self, at: ProvinceId) -> PowerId:
        return self.battle.units[self.battle.number_in(at)].power

    def _convoyed(self, power: PowerId, start: ProvinceId, there: ProvinceId) -> Walk:
        """By the fleets that are ordered to carry it and were not driven out. Source: rules 3.7; ruling Y11."""
        carriers = self._carriers(start, there)
        whole = [at for at in carriers if self.battle.number_in(at) not in self.battle.fallen]
        route = self._shortest_route(start, there, whole)
        if route is None:
            if self._shortest_route(start, there, carriers) is None:
                return Walk(start, start, (Outcome.NO_CONVOY, phrase("outcome.no_convoy")))
            fleets = tuple(f"F {at}" for at in carriers if at not in whole)
            return Walk(start, start, (Outcome.DISRUPTED, phrase("outcome.disrupted", fleets=fleets)))
        self.routes[power] = route
        walk = Walk(start, there, _CARRIED, is_carried=True, refuge=route[-1])
        # Who convoys a sorcerer shares its space with it, should it end aboard.
        self.turn.bonds.add((route[-1], frozenset((power, self._power_of_fleet(route[-1])))))
        return self._land(power, walk)

    def _shortest_route(
        self, start: ProvinceId, there: ProvinceId, seas: Iterable[ProvinceId]
    ) -> tuple[ProvinceId, ...] | None:
        """The route with the fewest fleets; of several, the first in map order. Source: ruling Y11."""
        near = self.turn.ground.neighbours
        ring: list[tuple[ProvinceId, ...]] = [(sea,) for sea in seas if sea in near[start]]
        seen = {path[-1] for path in ring}
        while ring:
            for path in ring:
                if there in near[path[-1]]:
                    return path
            onward = [(*path, sea) for path in ring for sea in seas if sea in near[path[-1]] and sea not in seen]
            ring = []
            for path in onward:
                if path[-1] not in seen:
                    seen.add(path[-1])
                    ring.append(path)
        return None

    # Whether they get there

    def _land(self, power: PowerId, walk: Walk) -> Walk:
        """The walk if its end is open, else where it leaves the sorcerer."""
        problem = self._obstacle(power, walk)
        return walk if problem is None else self._stopped(power, walk, problem)

    def _stopped(self, power: PowerId, walk: Walk, problem: Phrase) -> Walk:
        """Where a sorcerer is that can't land: at its start, or aboard the last fleet that carried it.

        Source: rules 3.7; ruling Y11.
        """
        ending = (Outcome.BOUNCES, problem)
        if walk.refuge is None:
            return Walk(walk.start, walk.start, ending)
        guests = (one for other, one in self.turn.sorcerers.items() if other != power)
        if any(province_of(one.at) == walk.refuge for one in guests) and not self._may_join(power, walk.refuge):
            return Walk(walk.start, walk.start, ending)
        aboard = phrase("outcome.aboard", place=walk.refuge, reason=problem)
        return Walk(walk.start, walk.refuge, (Outcome.BOUNCES, aboard))

    def _may_join(self, power: PowerId, at: ProvinceId) -> bool:
        return all(self.turn.is_friendly(at, power, other) for other in self.turn.sorcerers)

    def _obstacle(self, power: PowerId, walk: Walk) -> Phrase | None:
        """What keeps a sorcerer out of a space after the fight. Source: rules 3.3; ruling Y6."""
        there, turn = walk.to, self.turn
        present = [unit for at, (_, unit) in self.standing.items() if at == there]
        present += [
            self.battle.units[number]
            for number in self.battle.number_of.values()
            if number not in self.battle.fallen and self.battle.place_of(number) == there
        ]
        foreign = [unit for unit in present if not turn.is_friendly(there, power, unit.power)]
        if foreign:
            return phrase("outcome.foreign_unit", unit=f"{foreign[0].kind} {there}", place=there)
        fortress = turn.fortresses.get(there)
        if not present and fortress is not None and fortress.strength and fortress.owner != power:
            return phrase("outcome.foreign_fortress", place=there)
        if self.battle.is_contested(there):
            return phrase("outcome.contested", place=there)
        if not walk.is_carried:
            for number, unit in enumerate(self.battle.units):
                came_here = self.battle.moved[number] and self.battle.place_of(number) == walk.start
                by_itself = not self.battle.equations.is_carried(number)
                is_foreign = not turn.is_friendly(walk.start, power, unit.power)
                if came_here and self._began_in(number, there) and by_itself and is_foreign:
                    return phrase("outcome.would_swap", unit=f"{unit.kind} {unit.at}", place=there)
        return None

    def _began_in(self, number: int, at: ProvinceId) -> bool:
        return self.battle.board.provinces[self.battle.at[number]] == at

    def _stop_those_who_meet(self) -> None:
        """Two sorcerers without strength keep each other out, unless their powers share the space."""
        changed = True
        while changed:
            changed = False
            for power, walk in self.walks.items():
                for other, its in self.walks.items():
                    if power == other or walk.to == walk.start or walk.rides:
                        continue
                    meet = its.to == walk.to and not self.turn.is_friendly(walk.to, power, other)
                    swap = its.to == walk.start and walk.to == its.start and not (walk.is_carried or its.is_carried)
                    if meet or (swap and not self.turn.is_friendly(walk.to, power, other)):
                        problem = phrase("outcome.other_sorcerer", place=walk.to)
                        mine, yours = self._stopped(power, walk, problem), its
                        if its.to != its.start and not its.rides:
                            yours = self._stopped(other, its, problem)
                        self.walks[power], self.walks[other] = mine, yours
                        changed = True
                        break
                if changed:
                    break

    # Who is displaced

    def _find_displaced(self) -> Iterable[Displaced]:
        """The sorcerers that have to retreat, once all have moved. Source: rules 3.4, 3.5; ruling Y9."""
        for power, at in self.at.items():
            number = self.battle.number_of.get(power)
            if number is not None and number in self.battle.fallen:
                yield self._driven_by(power, at, self.battle.taker[self.battle.at[number]])
                continue
            attacker = self._foreign_unit(power, at)
            if attacker is not None:
                yield self._driven_by(power, at, attacker)
            elif self._must_part(power, at):
                yield Displaced(power, at, None, phrase("outcome.sharing_ended"))

    def _foreign_unit(self, power: PowerId, at: ProvinceId) -> int | None:
        """The ordinary unit or strong sorcerer in a space that is foreign to a sorcerer."""
        if at in self.standing and not self.turn.is_friendly(at, power, self.standing[at][1].power):
            return self.standing[at][0]
        for other, number in self.battle.number_of.items():
            is_there = self.at[other] == at and number not in self.battle.fallen
            # Of two that stayed together, sharing no more, who ended it goes.
            came = self.battle.moved[number] or province_of(self.turn.sorcerers[power].at) != at
            if other != power and is_there and came and not self.turn.is_friendly(at, power, other):
                return number
        return None

    def _driven_by(self, power: PowerId, at: ProvinceId, number: int) -> Displaced:
        unit = self.battle.units[number]
        if not self.battle.moved[number]:
            return Displaced(power, at, None, phrase("outcome.sharing_ended"))
        origin = self.battle.board.provinces[self.battle.at[number]]
        came_from = None if self.battle.equations.is_carried(number) else origin
        return Displaced(power, at, came_from, phrase("outcome.displaced", unit=f"{unit.kind} {unit.at}"))

    def _must_part(self, power: PowerId, at: ProvinceId) -> bool:
        """Whether two lone sorcerers no longer share and this one's power ended it."""
        others = (other for other, place in self.at.items() if other != power and place == at)
        return any((at, power) in self.turn.ended and not self.turn.is_friendly(at, power, other) for other in others)
