"""A movement phase: orders become a contest for the kernel, and its ruling becomes results and dislodged units.

    adjudicate → movement → kernel

What the rules of Diplomacy say about orders is here: which supports and convoys match, who goes by sea, the words for
what became of an order, and where a dislodged unit may retreat. Only `legality` says which orders count:
what is turned into numbers here is legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId, ProvinceId
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import phrase
from engine.provinces.classic.legality import find_flaw
from engine.provinces.classic.model import Dislodged, Order, State, Unit
from engine.provinces.classic.numbering import NumberedBoard, Post, numbered
from engine.provinces.classic.plans import MOVED, SUPPORTED, Ending, Plan, plan_of, plans_by_borders
from engine.provinces.classic.reach import ARMY, Position
from engine.provinces.classic.rulebook import AdjacentConvoy, ParadoxRule, Rulebook
from engine.provinces.contest.components import Backup, Fallback, resolve
from engine.provinces.contest.contest import NOBODY, Contest, Route
from engine.provinces.contest.equations import Equations
from engine.provinces.orders import Hold

_BACKUP = {ParadoxRule.SZYKMAN: Backup.CARRIERS_HOLD, ParadoxRule.ALL_HOLD: Backup.ATTACKS_FAIL}

# Most orders end in one of these ways, so their results are made once.
_NO_ORDER = (Outcome.SUCCEEDS, phrase("outcome.no_order"))
_CARRIED = (Outcome.SUCCEEDS, phrase("outcome.moved_by_sea"))
_NO_CONVOY = (Outcome.NO_CONVOY, phrase("outcome.no_convoy"))
_PARADOX = (Outcome.DISRUPTED, phrase("outcome.paradox"))
_PARADOX_FLEET = (Outcome.DISRUPTED, phrase("outcome.paradox_convoy"))
_PARADOX_MOVE = (Outcome.BOUNCES, phrase("outcome.paradox_move"))

_unit = lru_cache(maxsize=4096)(Unit)
_hold = lru_cache(maxsize=4096)(Hold)


@cache
def _void_nobody(place: PlaceId) -> Ending:
    return Outcome.VOID, phrase("outcome.void_nobody", place=place)


@cache
def _void_moved(unit: str, to: PlaceId) -> Ending:
    return Outcome.VOID, phrase("outcome.void_moved", unit=unit, to=to)


@cache
def _void_stayed(unit: str) -> Ending:
    return Outcome.VOID, phrase("outcome.void_stayed", unit=unit)


@lru_cache(maxsize=4096)
def _bounced(code: str, unit: str, place: ProvinceId, own: int, other: int) -> Ending:
    return Outcome.BOUNCES, phrase(code, unit=unit, place=place, own=own, other=other)


@cache
def _own_unit(unit: str, place: ProvinceId) -> Ending:
    return Outcome.BOUNCES, phrase("outcome.own_unit", unit=unit, place=place)


@lru_cache(maxsize=4096)
def _cut(units: tuple[str, ...]) -> Ending:
    return Outcome.CUT, phrase("outcome.cut", units=units)


@lru_cache(maxsize=4096)
def _dislodged(unit: str, own: int, other: int) -> Ending:
    return Outcome.DISLODGED, phrase("outcome.dislodged", unit=unit, own=own, other=other)


@dataclass(frozen=True, slots=True)
class Moved:
    """The end of a movement phase.

    Args:
        units: those that stand on the board, in map order.
        dislodged: in map order, those with nowhere to go included.
    """

    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    results: tuple[OrderResult[Order], ...]
    events: tuple[Event, ...]


def adjudicate_movement(state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> Moved:
    """Carry out the orders of a movement phase; a unit without a legal order holds, also one whose power nobody plays.

    Source: Diplomacy, rules 1.4, 2.3; ruling D9.
    """
    battle = Battle(state, sheets)
    battle.resolve()
    return Moved(battle.units_after(), battle.dislodged(), battle.results(), battle.events())


_NO_ROUTE = Route((), 0, 0, {})
_LAND_ROUTE = Route((), 0, 0, {}, is_only_way=False)


class Battle:
    """The orders of a phase over numbers: units are numbered in map order, spaces as in `NumberedBoard`.

    Args:
        sheets: the first legal order of each unit counts; a unit without one holds.
    """

    def __init__(self, state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> None:
        self.state = state
        self.rulebook: Rulebook = state.rulebook
        self.board: NumberedBoard = numbered(state.variant.board)
        self.units = units = state.units
        self.powers = [unit.power for unit in units]
        posts = self.board.posts
        self.posts = [posts[unit.kind][unit.at] for unit in units]
        self.at = [post.space for post in self.posts]
        # One longer than the board, so that a look-up of the unit at `NOBODY` finds `NOBODY`.
        self.unit_in = unit_in = [NOBODY] * (len(self.board.provinces) + 1)
        for number, space in enumerate(self.at):
            unit_in[space] = number
        self.plans = plans = self._choose(sheets)
        self.endings: list[Ending] = [plan.ending for plan in plans]
        """What becomes of each order as far as the order itself says; the ruling says the rest."""
        self.to = [plan.to for plan in plans]
        self.helps = [NOBODY] * len(units)
        self.about = [NOBODY] * len(units)
        self.convoys: dict[int, list[int]] = {}
        """Fleets by the army that they convoy where it is ordered to go."""
        self._read_help(plans)
        self.at_sea = {number for number, plan in enumerate(plans) if plan.is_by_sea}
        """Armies that can only go by sea, or wish to."""
        self.routes: dict[int, Route] = {}
        if self.at_sea or self.convoys:
            self._find_routes()

    # From orders to numbers

    def _choose(self, sheets: Mapping[PowerId, Sequence[Order]]) -> list[Plan]:
        """The plan of each unit's first legal order, or to hold. What borders allow units in their places is known."""
        units, posts, powers, unit_in = self.units, self.posts, self.powers, self.unit_in
        chosen: list[Plan | None] = [None] * len(units)
        for power, sheet in sheets.items():
            for order in sheet:
                plan = getattr(order, "plan", None) or plans_by_borders(self.state.variant.board).get(order)
                number = NOBODY if plan is None else unit_in[plan.post.space]
                if (
                    plan is None
                    or number == NOBODY
                    or posts[number] is not plan.post
                    or powers[number] != power
                    or (plan.of_post is not None and posts[unit_in[plan.of]] is not plan.of_post)
                    or (plan.among is not None and plan.among is not units)
                ):
                    if not self._is_legal(power, order):
                        continue
                    plan = plan or plan_of(self.board, order)
                    number = unit_in[plan.post.space]
                if chosen[number] is None:
                    chosen[number] = plan
        return [plan or self._hold(post) for plan, post in zip(chosen, posts, strict=True)]

    def _is_legal(self, power: PowerId, order: Order) -> bool:
        """Whether a power may give an order, where that isn't known already."""
        return find_flaw(self._position, power, order) is None

    @cached_property
    def _position(self) -> Position:
        """Made only where an order has to be judged, and not kept: players look at another state, without the seed."""
        return Position(self.state)

    def _hold(self, post: Post) -> Plan:
        plan = plan_of(self.board, _hold(post.kind, post.at))
        plan.ending = _NO_ORDER
        return plan

    def _read_help(self, plans: Sequence[Plan]) -> None:
        """Find out which supports and convoys match the orders that they are for. Source: Diplomacy, rules 5.2."""
        unit_in, to, helps, about = self.unit_in, self.to, self.helps, self.about
        for number in [number for number, plan in enumerate(plans) if plan.of != NOBODY]:
            plan = plans[number]
            helped = unit_in[plan.of]
            if helped == NOBODY or to[helped] != plan.of_to:
                self.endings[number] = self._mismatch(helped, plan.of_place)
            elif plan.is_convoy:
                if self.posts[helped].kind == ARMY:
                    self.convoys.setdefault(helped, []).append(number)
                else:
                    self.endings[number] = self._mismatch(helped, plan.of_place)
            elif "/" in plan.of_goal and not self._is_same_coast(helped, plan.of_goal):
                self.endings[number] = self._mismatch(helped, plan.of_place)
            else:
                helps[number], about[number] = helped, plan.of if plan.of_to == NOBODY else plan.of_to

    def _is_same_coast(self, helped: int, to: PlaceId) -> bool:
        """Whether a support names the coast where the fleet goes; an army goes to all of them. Source: DATC 4.B.4."""
        return self.posts[helped].kind == "A" or self.plans[helped].goal == to

    def _mismatch(self, helped: int, of: PlaceId) -> Ending:
        """What the unit that was to be helped did instead."""
        if helped == NOBODY:
            return _void_nobody(of)
        if self.to[helped] != NOBODY:
            return _void_moved(self.posts[helped].name, self.plans[helped].goal)
        return _void_stayed(self.posts[helped].name)

    def _find_routes(self) -> None:
        """Which armies go by sea, and by which fleets. Source: Diplomacy, rules 6.3; ruling D3; DATC 4.A.3."""
        rule, powers = self.rulebook.adjacent_convoy, self.powers
        if rule is not AdjacentConvoy.VIA_ONLY:
            for army, fleets in self.convoys.items():
                if powers[army] in [powers[fleet] for fleet in fleets]:
                    self.at_sea.add(army)
        for army in self.at_sea:
            falls_back = rule is AdjacentConvoy.INTENT_OR_LAND and self.to[army] in self.posts[army].near
            self.routes[army] = self._route(army, is_only_way=not falls_back)

    def _route(self, number: int, *, is_only_way: bool) -> Route:
        if number not in self.convoys:
            return _NO_ROUTE if is_only_way else _LAND_ROUTE
        start, end, at, fleets = self.at[number], self.to[number], self.at, self.convoys[number]
        first = last = 0
        links = {}
        for fleet in fleets:
            near = self.posts[fleet].near
            if start in near:
                first |= 1 << fleet
            if end in near:
                last |= 1 << fleet
            links[fleet] = _mask([other for other in fleets if at[other] in near]) if len(fleets) > 1 else 0
        return Route(tuple(sorted(fleets)), first, last, links, is_only_way)

    def resolve(self) -> None:
        """Let the kernel decide."""
        ruling = resolve(self._contest(), _BACKUP[self.rulebook.paradox])
        self.fallbacks = ruling.fallbacks
        self.equations: Equations = ruling.equations
        self.moved = self.equations.moved
        moved, to, unit_in = self.moved, self.to, self.unit_in
        self.taker = {to[number]: number for number in ruling.equations.attackers if moved[number]}
        """Who got in, by space."""
        victims = [unit_in[space] for space in self.taker]
        self.fallen = {victim for victim in victims if victim != NOBODY and not moved[victim]}
        """The dislodged units."""

    def _contest(self) -> Contest:
        """What the kernel has to decide."""
        return Contest(
            at=self.at,
            side=self.powers,
            to=self.to,
            helps=self.helps,
            about=self.about,
            routes=self.routes,
            origin_is_safe=not self.rulebook.dislodged_affects_convoyed_origin,
            unit_at=self.unit_in,
        )

    # From numbers to results

    def units_after(self) -> tuple[Unit, ...]:
        """The units on the board, in map order."""
        if not self.taker:
            return self.units
        standing: list[Unit | None] = [None] * len(self.board.provinces)
        for space, unit in zip(self.at, self.units, strict=True):
            standing[space] = unit
        for number in self.taker.values():
            standing[self.at[number]] = None
        for space, number in self.taker.items():
            kind = self.posts[number].kind
            standing[space] = _unit(self.powers[number], kind, self.plans[number].goal)
        return tuple(filter(None, standing))

    def dislodged(self) -> tuple[Dislodged, ...]:
        """The dislodged units and where they may go: nowhere that is taken, contested, or the attacker's origin."""
        return tuple([self._dislodged(number) for number in sorted(self.fallen)])

    def _dislodged(self, number: int) -> Dislodged:
        """A dislodged unit with where its attacker came from, if that is barred, and where it may go.

        Source: Diplomacy, rules 7.1; ruling D5.
        """
        unit, attacker = self.units[number], self.taker[self.at[number]]
        origin: int | None = self.at[attacker]
        if self.rulebook.retreat_to_convoyed_origin and self.equations.is_carried(attacker):
            origin = None
        retreats = [
            place
            for place, space in self.posts[number].goals.items()
            if space != origin and space not in self.taker and self._is_open(space)
        ]
        came_from = None if origin is None else self.board.provinces[origin]
        return Dislodged(unit, came_from, tuple(retreats))

    def _is_open(self, space: int) -> bool:
        """Whether a space that nobody took is empty after the moves, and no attacks kept each other out of it."""
        unit, into = self.unit_in[space], self.equations.into
        if unit != NOBODY and not self.moved[unit]:
            return False
        return space not in into or not any(self.equations.prevent(rival)[0] for rival in into[space])

    def results(self) -> tuple[OrderResult[Order], ...]:
        """One result for each unit, in map order."""
        endings, moved, routes, equations = self.endings, self.moved, self.routes, self.equations
        for number in equations.attackers:
            if not moved[number] or number in routes:
                endings[number] = self._move_ending(number)
        for helpers in equations.supporters.values():
            for number in helpers:
                if equations.at[number] in equations.into:
                    endings[number] = self._support_ending(number)
        for number in equations.held:
            endings[number] = _PARADOX_FLEET
        for number in self.fallen:
            endings[number] = self._fall(number)
        result = tuple.__new__  # Faster than by name, which matters as there is one for every unit.
        rows = zip(self.powers, self.plans, endings, strict=True)
        return tuple(
            [
                result(OrderResult, (power, plan.order, plan.text, plan.post.province, outcome, reason, None, ()))
                for power, plan, (outcome, reason) in rows
            ]
        )

    def _move_ending(self, number: int) -> Ending:
        equations = self.equations
        if self.moved[number]:
            return _CARRIED if number in self.routes and equations.is_carried(number) else MOVED
        if number not in self.routes or equations.path(number):
            return self._bounce(number)
        route = self.routes[number]
        if not route.is_complete:
            return _NO_CONVOY
        lost = [fleet for fleet in route.carriers if not equations.carries(fleet)]
        if any(fleet in equations.held for fleet in lost):
            return _PARADOX
        return Outcome.DISRUPTED, phrase("outcome.disrupted", fleets=tuple(self.posts[fleet].name for fleet in lost))

    def _bounce(self, number: int) -> Ending:
        """What kept an attack out."""
        equations, space = self.equations, self.to[number]
        obstacle = equations.stopped.get(number) or equations.obstacle(number)
        if obstacle is None:
            return _PARADOX_MOVE
        own, other, blocker = obstacle
        unit, place = self.posts[blocker].name, self.board.provinces[space]
        if self.at[blocker] != space:
            return _bounced("outcome.bounced", unit, place, own, other)
        if own == 0 and self.powers[blocker] == self.powers[number]:
            return _own_unit(unit, place)
        if number in equations.facing and equations.meets_head_on(number):
            return _bounced("outcome.lost_head_on", unit, place, own, other)
        return _bounced("outcome.bounced_off", unit, place, own, other)

    def _support_ending(self, number: int) -> Ending:
        if self.equations.support(number)[0]:
            return SUPPORTED
        power, about = self.powers[number], self.about[number]
        cutters = [
            attacker
            for attacker in self.equations.into[self.at[number]]
            if self.powers[attacker] != power
            and self.at[attacker] != about
            and (attacker not in self.routes or self.equations.path(attacker))
        ]
        return _cut(tuple([self.posts[cutter].name for cutter in cutters]))

    def _fall(self, number: int) -> Ending:
        attacker = self.taker[self.at[number]]
        unit, equations = self.posts[attacker].name, self.equations
        return _dislodged(unit, equations.resistance(attacker)[0], equations.attack(attacker)[0])

    def events(self) -> tuple[Event, ...]:
        """What the backup rules had to decide."""
        return tuple(
            Event(phrase(f"event.{fallback.value}", units=tuple(self.posts[number].name for number in numbers)))
            for fallback, numbers in self.fallbacks
            if fallback is not Fallback.CIRCLE
        )


def _mask(numbers: Iterable[int]) -> int:
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask
