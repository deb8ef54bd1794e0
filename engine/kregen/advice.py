"""Legal orders that are probably mistakes, judging by the viewer's own sheet and the public board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.orders import Advice, ReadOrder
from engine.core.phrases import Phrase, phrase
from engine.kregen.land import land_of
from engine.kregen.legality import heroes_of_duel
from engine.kregen.listing import asked_heroes, excess, fellow_rivals, heroes_of, reached
from engine.kregen.model import (
    ARMY,
    FLEET,
    HERO,
    LET_PASS,
    PIRATES,
    ROOM,
    SPARE,
    STRENGTHS,
    ActStep,
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
)
from engine.kregen.setup import default_builds
from engine.provinces.orders import Build, Disband, Kind, Retreat
from engine.provinces.phases import PhaseKind

_IMPULSES = (0, 1)


def advise(view: View, orders: Sequence[ReadOrder[Order]]) -> tuple[Advice, ...]:
    """Warnings about a move season's or a retreat's lines, in their order."""
    state, viewer = view.state, view.viewer
    if viewer is None:
        return ()
    if state.phase.kind is PhaseKind.SETUP:
        return tuple(_full_at_start(state, viewer, orders))
    if state.phase.kind is PhaseKind.RETREATS:
        return tuple(_same_retreats(orders))
    if state.phase.kind is not PhaseKind.MOVEMENT:
        return ()
    plan = _Plan(state, viewer, orders)
    warnings = tuple(
        Advice(read.line, what, (read.line,) if is_all else ())
        for read in orders
        for what, is_all in plan.warnings(read.order)
    )
    return (*warnings, *plan.stays_too_much(orders), *_unwanted_duels(state, viewer, orders))


def _full_at_start(state: State, viewer: PowerId, orders: Sequence[ReadOrder[Order]]) -> Iterator[Advice]:
    """A capital that holds more at the start than after the first season; by default it does, too."""
    if not orders or viewer == PIRATES:
        return
    capital = next((read.order.at for read in orders if isinstance(read.order, Capital)), state.capitals[viewer])
    builds = [(read.order, read.line) for read in orders if isinstance(read.order, Build)]
    builds = builds or [(build, orders[-1].line) for build in default_builds(state, viewer, capital)]
    there = [(build, line) for build, line in builds if province_of(build.at) == capital and build.kind != HERO]
    if sum(STRENGTHS[build.kind] for build, _ in there) > ROOM:
        yield Advice(there[-1][1], phrase("advice.full_at_start", place=capital))


def _same_retreats(orders: Sequence[ReadOrder[Order]]) -> Iterator[Advice]:
    goals: dict[ProvinceId, Order] = {}
    for read in orders:
        order = read.order
        if not isinstance(order, Retreat) or order.kind == HERO:
            continue
        goal = province_of(order.to)
        other = goals.setdefault(goal, order)
        is_pair = isinstance(other, Retreat) and other.kind == order.kind == FLEET
        if other is not order and not is_pair:
            args = {"order": format_order(order), "other": format_order(other)}
            failing = tuple(each.line for each in orders if each.order in (other, order))
            yield Advice(read.line, phrase("advice.same_retreat", **args), failing)


def _unwanted_duels(state: State, viewer: PowerId, orders: Sequence[ReadOrder[Order]]) -> Iterator[Advice]:
    """Heroes of one faith that could meet, and would duel, with neither a number sent nor an offer to spare."""
    settled = {read.order.power for read in orders if isinstance(read.order, Grant) and read.order.deed != LET_PASS}
    numbers = [read.order for read in orders if isinstance(read.order, Duel)]
    numbered = {hero for duel in numbers for hero in heroes_of_duel(state, viewer, duel)}
    lines = {read.order.at: read for read in orders if isinstance(read.order, Manoeuvre) and read.order.kind == HERO}
    for hero in asked_heroes(state, viewer):
        if hero in numbered or not orders:
            continue
        read = lines.get(hero.sector)
        ends = _ends(state, hero, read.order if read and isinstance(read.order, Manoeuvre) else None)
        for power in fellow_rivals(state, hero):
            if power not in settled and any(_meet(state, ends, other) for other in heroes_of(state, power)):
                settled.add(power)
                what = phrase("advice.could_duel", unit=hero.name, power=power, order=format_order(Grant(SPARE, power)))
                yield Advice((read or orders[-1]).line, what)


def _ends(state: State, hero: Unit, act: Manoeuvre | None) -> tuple[frozenset[ProvinceId], ...]:
    """Where a hero can be at the end of each impulse by its order, whether its steps succeed or not."""
    walks, ends, here = land_of(state.variant).walks, [], frozenset({hero.sector})
    for impulse in _IMPULSES:
        step = act.in_impulse(impulse) if act is not None else Stay()
        if isinstance(step, Go):
            here |= {province_of(step.to)}
        elif isinstance(step, With):
            here |= {there for at in here for there in walks[at]}
        ends.append(here)
    return tuple(ends)


def _meet(state: State, ends: Sequence[frozenset[ProvinceId]], other: Unit) -> bool:
    walks = land_of(state.variant).walks
    near = walks[other.sector] | {other.sector}
    return bool(ends[0] & near or ends[1] & reached(state, other))


@dataclass(frozen=True, slots=True)
class _Part:
    """What one of the viewer's units tries in an impulse, and from where, if all before it works out."""

    unit: Unit
    act: Manoeuvre | None
    at: PlaceId
    step: ActStep


class _Plan:
    """The viewer's sheet carried out without anybody else."""

    def __init__(self, state: State, viewer: PowerId, orders: Sequence[ReadOrder[Order]]) -> None:
        self._state, self._viewer = state, viewer
        self._parts: tuple[list[_Part], list[_Part]] = ([], [])
        acts: dict[tuple[Kind, ProvinceId], list[Manoeuvre]] = {}
        for read in orders:
            if isinstance(read.order, Manoeuvre):
                many = 2 if read.order.is_pair else 1
                acts.setdefault((read.order.kind, read.order.at), []).extend([read.order] * many)
        for unit in state.units:
            if unit.power == viewer:
                waiting = acts.get((unit.kind, unit.sector), [])
                self._carry_out(unit, waiting.pop(0) if waiting else None)

    def _carry_out(self, unit: Unit, act: Manoeuvre | None) -> None:
        at = unit.at
        for impulse in _IMPULSES:
            step = act.in_impulse(impulse) if act is not None else Stay()
            self._parts[impulse].append(_Part(unit, act, at, step))
            if isinstance(step, Go):
                at = step.to

    def warnings(self, order: Order) -> Iterator[tuple[Phrase, bool]]:
        """What is odd about a line, and whether all of it comes to nothing for that."""
        if not isinstance(order, Manoeuvre):
            return
        tried = {order.in_impulse(impulse) for impulse in _IMPULSES} - {Stay()}
        for impulse in _IMPULSES:
            step = order.in_impulse(impulse)
            found: Iterable[Phrase] = ()
            if isinstance(step, Convoy):
                found = self._carries_nobody(order, step)
            if isinstance(step, Sail):
                found = self._is_not_carried(order, step)
            if isinstance(step, With) and not impulse:
                found = self._goes_alone(order, step)
            if isinstance(step, Go) and order.kind != HERO:
                found = self._crowds(order, impulse, province_of(step.to))
            yield from ((what, len(tried) == 1) for what in found)
            if isinstance(step, Go | Sail) and order.kind != HERO:
                # Others may help, so nothing is sure to fail.
                yield from ((what, False) for what in self._meets_garrison(order, impulse))
        yield from ((what, len(tried) == 1) for what in self._helps_nobody(order))

    def stays_too_much(self, orders: Sequence[ReadOrder[Order]]) -> Iterator[Advice]:
        """Units that are disbanded after the season, since nothing leaves a capital that begins with too much."""
        for sector in dict.fromkeys(unit.sector for unit in excess(self._state, self._viewer)):
            here = [read for read in orders if isinstance(read.order, Manoeuvre | Disband) and read.order.kind != HERO
                    and province_of(PlaceId(read.order.at)) == sector]  # fmt: skip
            staying = [
                part.unit for first, part in zip(*self._parts, strict=True)
                if part.unit.sector == sector and part.unit.kind != HERO and not (self._goal(first) or self._goal(part))
            ]  # fmt: skip
            gone = sum(STRENGTHS[read.order.kind] for read in here if isinstance(read.order, Disband))
            if orders and sum(STRENGTHS[unit.kind] for unit in staying) - gone > ROOM:
                line = (here or orders)[-1].line
                yield Advice(line, phrase("advice.stays_too_much", place=sector, unit=staying[-1].name))

    # Supports

    def _helps_nobody(self, order: Manoeuvre) -> Iterator[Phrase]:
        """A support for one's own unit that does something else in each impulse in which it is given."""
        given: dict[Support, list[int]] = {}
        for impulse in _IMPULSES:
            step = order.in_impulse(impulse)
            if isinstance(step, Support):
                given.setdefault(step, []).append(impulse)
        for support, impulses in given.items():
            if self._helps_itself(order, support):
                yield phrase("advice.helps_itself", order=format_order(order))
                continue
            own = [part for impulse in impulses for part in self._at(impulse, support.of_kind, support.of, order)]
            started = self._at(0, support.of_kind, support.of, order)
            if any(self._fits(part, support) for part in own) or not (own or started):
                continue
            yield self._mismatch(order, support, (own or started)[0].act)

    def _helps_itself(self, order: Manoeuvre, support: Support) -> bool:
        """Whether an army supports itself: no other begins there, and none finds room there later."""
        is_its = order.kind == ARMY and (support.of_kind, support.of) == (order.kind, order.at)
        return is_its and sum((unit.kind, unit.sector) == (order.kind, order.at) for unit in self._state.units) == 1

    def _at(self, impulse: int, kind: Kind, sector: ProvinceId, helper: Manoeuvre) -> list[_Part]:
        """The viewer's units of a kind in a sector in an impulse, but the supporting one."""
        parts = self._parts[impulse]
        return [
            part for part in parts
            if part.unit.kind == kind and province_of(part.at) == sector and part.act is not helper
        ]  # fmt: skip

    @staticmethod
    def _fits(part: _Part, support: Support) -> bool:
        match part.step:
            case Go(to):
                return province_of(to) == support.to
            case Sail(_, to):
                return to == support.to
            case _:
                return support.to is None

    @staticmethod
    def _mismatch(order: Manoeuvre, support: Support, done: Manoeuvre | None) -> Phrase:
        args = {"order": format_order(order), "unit": f"{support.of_kind} {support.of}"}
        if done is None:
            return phrase("advice.helps_unordered", **args, place=support.to or support.of)
        code = "advice.helps_otherwise" if support.to else "advice.held_but_moves"
        return phrase(code, **args, done=format_order(done))

    def _goes_alone(self, order: Manoeuvre, step: With) -> Iterator[Phrase]:
        """A hero told to go along from the beginning where nobody has such a unit."""
        if not any(unit.kind == step.kind and unit.sector == order.at for unit in self._state.units):
            code = "advice.no_army_to_join" if step.kind == ARMY else "advice.no_fleet_to_join"
            yield phrase(code, order=format_order(order), place=order.at)

    # Convoys

    def _carries_nobody(self, order: Manoeuvre, convoy: Convoy) -> Iterator[Phrase]:
        sails = [(part.unit.sector, part.step) for part in self._parts[1] if isinstance(part.step, Sail)]
        if not convoy.loads:
            here = next((province_of(part.at) for part in self._parts[1] if part.act is order), None)
            if all(here not in sail.route for _, sail in sails):
                yield phrase("advice.carries_nobody", order=format_order(order))
            return
        own = {unit.sector for unit in self._state.units if unit.power == self._viewer and unit.kind == ARMY}
        for origin, to in convoy.loads:
            if origin in own and all((origin, to) != (at, sail.to) for at, sail in sails):
                yield phrase("advice.army_not_coming", order=format_order(order), unit=f"{ARMY} {origin}", place=to)

    def _is_not_carried(self, order: Manoeuvre, sail: Sail) -> Iterator[Phrase]:
        """Sectors of the route in which neither one's own fleet is to convoy nor a foreign one could be."""
        for sector in sail.route:
            offers = [
                part.step for part in self._parts[1]
                if province_of(part.at) == sector and isinstance(part.step, Convoy)
            ]  # fmt: skip
            is_own = any(not convoy.loads or (order.at, sail.to) in convoy.loads for convoy in offers)
            if not is_own and not self._others_could_be(sector):
                yield phrase("advice.no_fleet", order=format_order(order), place=sector)

    def _others_could_be(self, sector: ProvinceId) -> bool:
        land = land_of(self._state.variant)
        return any(
            sector in {unit.sector, *land.reached_sectors(FLEET, unit.at)}
            for unit in self._state.units
            if unit.kind == FLEET and unit.power != self._viewer
        )

    # Garrisons

    def _meets_garrison(self, order: Manoeuvre, impulse: int) -> Iterator[Phrase]:
        """A move into a garrisoned city that no unit or hero of one's own helps: one army alone is no stronger."""
        moved = next((part for part in self._parts[impulse] if part.act is order), None)
        goal = self._goal(moved) if moved else None
        if moved is None or goal is None or goal not in self._state.garrisons:
            return
        origin = province_of(moved.at)
        helped = any(
            part.step == Support(order.kind, origin, goal)
            or (isinstance(part.step, With) and province_of(part.at) == origin)
            or (part.unit.kind == HERO and part.unit.sector == goal)
            for parts in self._parts
            for part in parts
        )
        if not helped:
            yield phrase("advice.garrison", order=format_order(order), place=goal)

    # Room

    def _crowds(self, order: Manoeuvre, impulse: int, goal: ProvinceId) -> Iterator[Phrase]:
        """More own units in a sector than it holds: those that go there and those that stay."""
        coming = [part for part in self._parts[impulse] if self._goal(part) == goal]
        staying = [
            part for part in self._parts[impulse]
            if province_of(part.at) == goal and self._goal(part) is None and part.unit.kind != HERO
        ]  # fmt: skip
        weights = Counter(part.unit.kind for part in (*coming, *staying))
        if len(weights) < 2 and sum(STRENGTHS[kind] * count for kind, count in weights.items()) <= ROOM:
            return
        others = [part for part in (*coming, *staying) if part.act is not order]
        if others and not any(isinstance(part.step, Support) and part.step.to == goal for part in self._parts[impulse]):
            yield phrase("advice.no_room", order=format_order(order), unit=others[0].unit.name, place=goal)

    @staticmethod
    def _goal(part: _Part) -> ProvinceId | None:
        if part.unit.kind == HERO or not isinstance(part.step, Go | Sail):
            return None
        return province_of(PlaceId(part.step.to))
