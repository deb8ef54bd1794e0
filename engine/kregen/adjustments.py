"""A build season: removals, builds, and what could not be kept. Source: rules 9, Rulings K4 to K6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.core.events import Event
from engine.core.ids import PowerId, ProvinceId, province_of
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import phrase
from engine.kregen.document import in_map_order
from engine.kregen.foresight import foretold_builds, foretold_removals
from engine.kregen.land import Land, land_of
from engine.kregen.legality import find_objection
from engine.kregen.model import FLEET, HERO, PIRATES, Order, State, Unit
from engine.kregen.settled import Settled, in_map_order_of_places, result_of, result_of_build
from engine.kregen.supply import balance, has_room, price, with_had_heroes
from engine.provinces.orders import Build, Remove


def adjudicate_adjustments(state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> Settled:
    """For each power its removals, then its builds as far as points and room reach, then forced removals."""
    results: list[OrderResult[Order]] = []
    events: list[Event] = []
    for power in state.variant.powers:
        sent = [order for order in sheets.get(power, ()) if find_objection(state, power, order) is None]
        books = Books(state, power)
        removals = in_map_order_of_places(state, [order for order in sent if isinstance(order, Remove)])
        for removal in (*removals, *_foretold_removals(books, sent)):
            if books.remove(removal):
                results.append(result_of(power, removal, Outcome.DISBANDS, phrase("reason.disbanded")))
        for build in in_map_order_of_places(state, [order for order in sent if isinstance(order, Build)]):
            objection = books.build(build)
            results.append(result_of_build(power, build, objection))
        for build in () if sent else foretold_builds(state, power):
            if find_objection(books.state, power, build) is None and books.build(build) is None:
                results.append(result_of(power, build, Outcome.BUILDS))
        while (due := -books.free) > 0 and (victim := _forced(books.state, power, due)):
            books.strike(victim)
            events.append(Event(phrase("event.forced_removal", power=power, unit=victim.name)))
        state = books.state
    units = in_map_order(land_of(state.variant), state.units)
    return Settled(replace(state, units=units), tuple(results), tuple(events))


def _foretold_removals(books: Books, sent: Sequence[Order]) -> tuple[Remove, ...]:
    """What is foretold for whatever the removals that were sent leave to be removed."""
    after = Books(books.state, books.power)
    for order in sent:
        if isinstance(order, Remove):
            after.remove(order)
    return foretold_removals(after.state, books.power)


class Books:
    """The points of a power in one build season: builds and removals, one after the other."""

    def __init__(self, state: State, power: PowerId) -> None:
        self.state, self.power = state, power
        self._spent = 0

    @property
    def free(self) -> int:
        """Half points that are left; what a hero cost is spent for this season."""
        return balance(self.state, self.power) - self._spent

    def remove(self, order: Remove) -> bool:
        """Take such a unit off the board; `False` if there is none (any more)."""
        at = province_of(order.at)
        found = [
            unit for unit in self.state.units if (unit.power, unit.kind, unit.sector) == (self.power, order.kind, at)
        ]
        if found:
            self.strike(found[0])
        return bool(found)

    def strike(self, unit: Unit) -> None:
        """Take a unit off the board."""
        index = self.state.units.index(unit)
        self.state = replace(self.state, units=self.state.units[:index] + self.state.units[index + 1 :])

    def build(self, order: Build) -> str | None:
        """Put a unit on the board; or the code of what forbids it: a second hero, points, room."""
        if order.kind == HERO and self.power in self.state.had_hero:
            return "second_hero"
        if price(order.kind) > self.free:
            return "no_points"
        if not has_room(self.state.units, self.power, order.kind, province_of(order.at)):
            return "no_room_to_build"
        if order.kind == HERO:
            self._spent += price(HERO)
        self.state = with_had_heroes(
            replace(self.state, units=(*self.state.units, Unit(self.power, order.kind, order.at)))
        )
        return None


def _forced(state: State, power: PowerId, due: int) -> Unit | None:
    """The unit farthest from home; fleets before armies, then by id. For half a point the first fleet."""
    land = land_of(state.variant)
    homes = land.starting_cities(power)
    if power == PIRATES:
        homes = tuple(x for x in land.pirate_centres if state.owners.get(x) == PIRATES)
    far = _distances(land, homes)
    units = [unit for unit in state.units if unit.power == power and unit.kind != HERO]
    units.sort(key=lambda unit: (-far.get(unit.sector, 0), unit.kind != FLEET, unit.sector))
    if due == 1:
        units.sort(key=lambda unit: unit.kind != FLEET)
    return units[0] if units else None


def _distances(land: Land, homes: Sequence[ProvinceId]) -> Mapping[ProvinceId, int]:
    """Borders of land and water from the nearest home. Ruling K17."""
    found = dict.fromkeys(homes, 0)
    queue = list(homes)
    for at in queue:  # grows as it is read: breadth first
        for there in sorted(land.borders[at]):
            if there not in found:
                found[there] = found[at] + 1
                queue.append(there)
    return found
