"""A movement phase: orders become a contest of the kernel, its ruling becomes results, and who was dislodged.

    adjudicate → movement → kernel

What the rules of Diplomacy say about orders is here: which supports and convoys fit, who goes by sea, the words for
what became of an order, and where a dislodged unit may retreat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import repeat
from typing import Any

from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId, ProvinceId
from engine.core.kernel import NOBODY, Backup, Contest, Equations, Knot, Route, resolve
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Phrase, phrase
from engine.diplomacy.chart import Chart, chart_of
from engine.diplomacy.model import Convoy, Dislodged, Hold, Kind, Move, Order, State, SupportHold, SupportMove, Unit
from engine.diplomacy.rulebook import AdjacentConvoy, ParadoxRule, Rulebook

_BACKUP = {ParadoxRule.SZYKMAN: Backup.CARRIERS_HOLD, ParadoxRule.ALL_HOLD: Backup.ATTACKS_FAIL}

# Most orders end in one of these ways, so their results are made once.
_HELD = (Outcome.SUCCEEDS, phrase("outcome.held"))
_NO_ORDER = (Outcome.SUCCEEDS, phrase("outcome.no_order"))
_MOVED = (Outcome.SUCCEEDS, phrase("outcome.moved"))
_CARRIED = (Outcome.SUCCEEDS, phrase("outcome.moved_by_sea"))
_SUPPORTED = (Outcome.SUCCEEDS, phrase("outcome.supported"))
_CONVOYED = (Outcome.SUCCEEDS, phrase("outcome.convoyed"))
_NO_CONVOY = (Outcome.NO_CONVOY, phrase("outcome.no_convoy"))
_PARADOX = (Outcome.DISRUPTED, phrase("outcome.paradox"))
_PARADOX_FLEET = (Outcome.DISRUPTED, phrase("outcome.paradox_convoy"))
_PARADOX_MOVE = (Outcome.BOUNCES, phrase("outcome.paradox_move"))

_unit = lru_cache(maxsize=4096)(Unit)
_Ending = tuple[Outcome, Phrase]
_result: Callable[[Iterable[Any]], OrderResult] = partial(tuple.__new__, OrderResult)
"""A result from its fields in order. Faster than by name, which counts where there is one for every unit."""


@cache
def _void_nobody(place: PlaceId) -> _Ending:
    return Outcome.VOID, phrase("outcome.void_nobody", place=place)


@cache
def _void_moved(kind: str, at: PlaceId, to: PlaceId) -> _Ending:
    return Outcome.VOID, phrase("outcome.void_moved", unit=f"{kind} {at}", to=to)


@cache
def _void_stayed(kind: str, at: PlaceId) -> _Ending:
    return Outcome.VOID, phrase("outcome.void_stayed", unit=f"{kind} {at}")


@lru_cache(maxsize=4096)
def _bounced(code: str, kind: str, at: PlaceId, place: ProvinceId, own: int, other: int) -> _Ending:
    return Outcome.BOUNCES, phrase(code, unit=f"{kind} {at}", place=place, own=own, other=other)


@cache
def _own_unit(kind: str, at: PlaceId, place: ProvinceId) -> _Ending:
    return Outcome.BOUNCES, phrase("outcome.own_unit", unit=f"{kind} {at}", place=place)


@lru_cache(maxsize=4096)
def _cut(units: tuple[str, ...]) -> _Ending:
    return Outcome.CUT, phrase("outcome.cut", units=units)


@lru_cache(maxsize=4096)
def _dislodged(kind: str, at: PlaceId, own: int, other: int) -> _Ending:
    return Outcome.DISLODGED, phrase("outcome.dislodged", unit=f"{kind} {at}", own=own, other=other)


@dataclass(frozen=True, slots=True)
class Moved:
    """The end of a movement phase.

    Args:
        units: those that stand on the board, in map order.
        dislodged: in map order, those with nowhere to go included.
    """

    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    results: tuple[OrderResult, ...]
    events: tuple[Event, ...]


def adjudicate_movement(state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> Moved:
    """Carry out the orders of a movement phase; a unit without a possible order holds."""
    battle = Battle(state, sheets)
    if battle.has_doubles and battle.impossible:
        # The first possible order of a unit counts: without the impossible ones it comes to light.
        possible = {
            power: [order for order in sheet if order not in battle.impossible] for power, sheet in sheets.items()
        }
        return adjudicate_movement(state, possible)
    battle.resolve()
    return Moved(battle.units_after(), battle.dislodged(), battle.results(), battle.events())


_NO_ROUTE = Route((), 0, 0, {})
_LAND_ROUTE = Route((), 0, 0, {}, is_only_way=False)


class Battle:
    """The orders of a phase over numbers: units are numbered in map order, spaces as in the chart."""

    def __init__(self, state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> None:
        self.rulebook: Rulebook = state.rulebook
        self.chart: Chart = chart_of(state.variant.board)
        self.units = units = state.units
        self.powers = state.variant.powers
        space_of = self.chart.space_of
        self.at = at = [space_of[unit.at] for unit in units]
        number = len(units)
        # One longer than the chart, so that whoever looks for the unit at `NOBODY` finds `NOBODY`.
        self.unit_in = [NOBODY] * (len(self.chart.provinces) + 1)
        for one, space in enumerate(at):
            self.unit_in[space] = one
        self.orders: list[Order | None] = [None] * number
        self.to = [NOBODY] * number
        self.helps = [NOBODY] * number
        self.about = [NOBODY] * number
        self.convoys: dict[int, list[int]] = {}
        """Fleets by the army that they convoy as it is ordered to go."""
        self.routes: dict[int, Route] = {}
        self.texts = [""] * number
        self.endings = [_NO_ORDER] * number
        """What becomes of each order as far as its own words tell; the ruling tells the rest."""
        self.impossible: list[Order] = []
        self.has_doubles = False
        self._read(sheets)

    # From orders to numbers

    def _read(self, sheets: Mapping[PowerId, Sequence[Order]]) -> None:
        """Turn orders into numbers: first the moves, then what helps them.

        Orders are sorted by what they are, since Python reads an attribute much faster where it always belongs to the
        same class.
        """
        moves: list[tuple[int, Move]] = []
        supports: list[tuple[int, SupportMove]] = []
        supports_to_hold: list[tuple[int, SupportHold]] = []
        convoys: list[tuple[int, Convoy]] = []
        holds: list[tuple[int, Hold]] = []
        lists: dict[type, list[Any]] = {
            Move: moves, SupportMove: supports, SupportHold: supports_to_hold, Convoy: convoys, Hold: holds
        }  # fmt: skip
        units, orders = self.units, self.orders
        number_at = dict(zip([unit.at for unit in units], range(len(units)), strict=True))
        for power, sheet in sheets.items():
            for order in sheet:
                kind = type(order)
                number = number_at.get(order.at, NOBODY) if kind in lists else NOBODY  # type: ignore[union-attr]
                if number != NOBODY and units[number].power == power:
                    if orders[number] is None:
                        orders[number] = order
                        lists[kind].append((number, order))
                    else:
                        self.has_doubles = True
        for number, _ in holds:
            self.endings[number] = _HELD
        self._read_moves(moves)
        self._read_supports(supports)
        self._read_supports_to_hold(supports_to_hold)
        self._read_convoys(convoys)
        self._find_routes(moves)
        if "" in self.texts:
            self._write_holds()

    def _read_moves(self, moves: Iterable[tuple[int, Move]]) -> None:
        goals, to, texts, units = self.chart.goals, self.to, self.texts, self.units
        for number, order in moves:
            kind, at = units[number].kind, order.at
            goal = goals[kind][at].get(order.to, NOBODY)
            if goal == NOBODY:
                goal = self._goal_by_sea(kind, order)
                if goal == NOBODY:
                    self._refuse(number)
                    continue
            to[number] = goal
            texts[number] = f"{kind} {at} - {order.to}{' VIA CONVOY' if order.via_convoy else ''}"

    def _goal_by_sea(self, kind: Kind, order: Move) -> int:
        """The space that an army could go to if fleets convoyed it; else `NOBODY`."""
        chart = self.chart
        here, space = chart.space_of[order.at], chart.space_of.get(order.to, NOBODY)
        possible = kind == "A" and space not in (NOBODY, here) and chart.is_coast[space] and chart.is_coast[here]
        return space if possible else NOBODY

    def _read_supports(self, supports: Iterable[tuple[int, SupportMove]]) -> None:
        to, near, space_of, unit_in, texts = self.to, self.chart.near, self.chart.space_of, self.unit_in, self.texts
        units = self.units
        for number, order in supports:
            goal = order.to
            space = space_of.get(goal, NOBODY)
            helped = unit_in[space_of.get(order.of, NOBODY)]
            kind, at = units[number].kind, order.at
            if space not in near[kind][at] or helped == number:
                self._refuse(number)
                continue
            texts[number] = f"{kind} {at} S {order.of_kind} {order.of} - {goal}"
            if helped == NOBODY or to[helped] != space or ("/" in goal and not self._is_same_coast(helped, goal)):
                self.endings[number] = self._mismatch(helped, order.of)
            else:
                self.endings[number] = _SUPPORTED
                self.helps[number] = helped
                self.about[number] = space

    def _read_supports_to_hold(self, supports: Iterable[tuple[int, SupportHold]]) -> None:
        to, near, space_of, unit_in, texts = self.to, self.chart.near, self.chart.space_of, self.unit_in, self.texts
        units = self.units
        for number, order in supports:
            space = space_of.get(order.of, NOBODY)
            helped = unit_in[space]
            kind, at = units[number].kind, order.at
            if space not in near[kind][at]:
                self._refuse(number)
                continue
            texts[number] = f"{kind} {at} S {order.of_kind} {order.of}"
            if helped == NOBODY or to[helped] != NOBODY:
                self.endings[number] = self._mismatch(helped, order.of)
            else:
                self.endings[number] = _SUPPORTED
                self.helps[number] = helped
                self.about[number] = space

    def _read_convoys(self, convoys: Iterable[tuple[int, Convoy]]) -> None:
        to, space_of, unit_in, texts = self.to, self.chart.space_of, self.unit_in, self.texts
        for number, order in convoys:
            space = space_of.get(order.to, NOBODY)
            helped = unit_in[space_of.get(order.of, NOBODY)]
            if space == NOBODY or not self.chart.is_sea[self.at[number]]:
                self._refuse(number)
                continue
            texts[number] = f"{self.units[number].kind} {order.at} C {order.of_kind} {order.of} - {order.to}"
            if helped == NOBODY or to[helped] != space or self.units[helped].kind != "A":
                self.endings[number] = self._mismatch(helped, order.of)
            else:
                self.endings[number] = _CONVOYED
                self.convoys.setdefault(helped, []).append(number)

    def _refuse(self, number: int) -> None:
        """Pass an impossible order over."""
        order = self.orders[number]
        if order is not None:
            self.impossible.append(order)
        self.orders[number] = None

    def _is_same_coast(self, helped: int, to: PlaceId) -> bool:
        """Whether a support names the coast where the fleet goes; an army goes to all of them. Source: DATC 4.B.4."""
        move = self.orders[helped]
        return isinstance(move, Move) and (self.units[helped].kind == "A" or move.to == to)

    def _mismatch(self, helped: int, of: PlaceId) -> _Ending:
        """What the unit did that should have been helped."""
        if helped == NOBODY:
            return _void_nobody(of)
        unit, done = self.units[helped], self.orders[helped]
        if isinstance(done, Move):
            return _void_moved(unit.kind, unit.at, done.to)
        return _void_stayed(unit.kind, unit.at)

    def _write_holds(self) -> None:
        """What a unit does that has no possible order, or holds."""
        for number, unit in enumerate(self.units):
            self.texts[number] = self.texts[number] or f"{unit.kind} {unit.at} H"

    def _find_routes(self, moves: Iterable[tuple[int, Move]]) -> None:
        """Which armies go by sea, and by which fleets. Source: DATC 4.A.3."""
        near, rule, convoys = self.chart.near["A"], self.rulebook.adjacent_convoy, self.convoys
        for number, order in moves:
            space = self.to[number]
            if space == NOBODY or self.units[number].kind != "A":
                continue
            is_neighbour = space in near[order.at]
            if is_neighbour and not order.via_convoy:
                if number not in convoys or rule is AdjacentConvoy.VIA_ONLY:
                    continue
                power = self.units[number].power
                if power not in [self.units[fleet].power for fleet in convoys[number]]:
                    continue
            falls_back = is_neighbour and rule is AdjacentConvoy.INTENT_OR_LAND
            self.routes[number] = self._route(number, is_only_way=not falls_back)

    def _route(self, number: int, *, is_only_way: bool) -> Route:
        if number not in self.convoys:
            return _NO_ROUTE if is_only_way else _LAND_ROUTE
        start, end, at, units, near = self.at[number], self.to[number], self.at, self.units, self.chart.near["F"]
        fleets = self.convoys[number]
        first = last = 0
        links = {}
        for fleet in fleets:
            nearby = near[units[fleet].at]
            if start in nearby:
                first |= 1 << fleet
            if end in nearby:
                last |= 1 << fleet
            links[fleet] = _mask([other for other in fleets if at[other] in nearby]) if len(fleets) > 1 else 0
        return Route(tuple(sorted(fleets)), first, last, links, is_only_way)

    def resolve(self) -> None:
        """Let the kernel decide."""
        ruling = resolve(self._contest(), _BACKUP[self.rulebook.paradox])
        self.knots = ruling.knots
        self.equations: Equations = ruling.equations
        self.moved = self.equations.moved
        self.taker: dict[int, int] = {}
        """Who got in, by space."""
        for number in self.equations.attackers:
            if self.moved[number]:
                self.taker[self.to[number]] = number
        self.fallen = {
            self.unit_in[space]
            for space in self.taker
            if self.unit_in[space] != NOBODY and not self.moved[self.unit_in[space]]
        }
        """The dislodged units."""

    def _contest(self) -> Contest:
        """What the kernel has to decide."""
        sides = {power: side for side, power in enumerate(self.powers)}
        return Contest(
            at=self.at,
            side=[sides[unit.power] for unit in self.units],
            to=self.to,
            helps=self.helps,
            about=self.about,
            routes=self.routes,
            origin_is_safe=not self.rulebook.dislodged_affects_convoyed_origin,
        )

    # From numbers to what is told

    def units_after(self) -> tuple[Unit, ...]:
        """The units on the board, in map order."""
        if not self.taker:
            return self.units
        standing = dict(zip(self.at, self.units, strict=True))
        for number in self.taker.values():
            del standing[self.at[number]]
        for space, number in self.taker.items():
            unit, order = self.units[number], self.orders[number]
            goal = PlaceId(self.chart.provinces[space])
            if unit.kind == "F" and isinstance(order, Move):
                goal = order.to
            standing[space] = _unit(unit.power, unit.kind, goal)
        return tuple([standing[space] for space in sorted(standing)])

    def dislodged(self) -> tuple[Dislodged, ...]:
        """The dislodged units and where they may go: nowhere that is taken, contested, or the attacker's origin."""
        return tuple([self._dislodged(number) for number in sorted(self.fallen)])

    def _dislodged(self, number: int) -> Dislodged:
        unit, attacker = self.units[number], self.taker[self.at[number]]
        origin: int | None = self.at[attacker]
        if self.rulebook.retreat_to_convoyed_origin and self.equations.is_carried(attacker):
            origin = None
        retreats = [
            place
            for place, space in self.chart.goals[unit.kind][unit.at].items()
            if space != origin and space not in self.taker and self._is_open(space)
        ]
        came_from = None if origin is None else self.chart.provinces[origin]
        return Dislodged(unit, came_from, tuple(retreats))

    def _is_open(self, space: int) -> bool:
        """Whether a space that nobody took is empty after the moves, and no attacks kept each other out of it."""
        unit, into = self.unit_in[space], self.equations.into
        if unit != NOBODY and not self.moved[unit]:
            return False
        return space not in into or not any(self.equations.prevent(rival)[0] for rival in into[space])

    def results(self) -> tuple[OrderResult, ...]:
        """One result for each unit, in map order."""
        endings, provinces = self.endings, self.chart.provinces
        for space, rivals in self.equations.into.items():
            for number in rivals:
                endings[number] = self._move_ending(number)
            attacked = self.unit_in[space]
            if attacked != NOBODY and self.helps[attacked] != NOBODY:
                endings[attacked] = self._support_ending(attacked)
        for number in self.equations.held:
            endings[number] = _PARADOX_FLEET
        for number in self.fallen:
            endings[number] = self._fall(number)
        outcomes, reasons = zip(*endings, strict=True) if endings else ((), ())
        powers = [unit.power for unit in self.units]
        subjects = [provinces[space] for space in self.at]
        return tuple(map(_result, zip(powers, self.texts, subjects, outcomes, reasons, repeat(None))))

    def _move_ending(self, number: int) -> _Ending:
        if self.moved[number]:
            return _CARRIED if number in self.routes and self.equations.is_carried(number) else _MOVED
        equations = self.equations
        if number not in self.routes or equations.path(number):
            return self._bounce(number)
        route = self.routes[number]
        if not route.is_complete:
            return _NO_CONVOY
        lost = [fleet for fleet in route.carriers if not equations.carries(fleet)]
        if any(fleet in equations.held for fleet in lost):
            return _PARADOX
        return Outcome.DISRUPTED, phrase("outcome.disrupted", fleets=tuple(_name(self.units[fleet]) for fleet in lost))

    def _bounce(self, number: int) -> _Ending:
        """What kept an attack out."""
        space = self.to[number]
        obstacle = self.equations.obstacle(number)
        if obstacle is None:
            return _PARADOX_MOVE
        own, other, blocker = obstacle
        unit, place = self.units[blocker], self.chart.provinces[space]
        code = "outcome.bounced"
        if self.at[blocker] == space:
            code = "outcome.bounced_off"
            if own == 0 and unit.power == self.units[number].power:
                return _own_unit(unit.kind, unit.at, place)
            if number in self.equations.facing and self.equations.meets_head_on(number):
                code = "outcome.lost_head_on"
        return _bounced(code, unit.kind, unit.at, place, own, other)

    def _support_ending(self, number: int) -> _Ending:
        if self.equations.support(number)[0]:
            return _SUPPORTED
        power, about = self.units[number].power, self.about[number]
        cutters = [
            attacker
            for attacker in self.equations.into[self.at[number]]
            if self.units[attacker].power != power
            and self.at[attacker] != about
            and (attacker not in self.routes or self.equations.path(attacker))
        ]
        return _cut(tuple([_name(self.units[cutter]) for cutter in cutters]))

    def _fall(self, number: int) -> _Ending:
        attacker = self.taker[self.at[number]]
        unit, equations = self.units[attacker], self.equations
        return _dislodged(unit.kind, unit.at, equations.resistance(attacker)[0], equations.attack(attacker)[0])

    def events(self) -> tuple[Event, ...]:
        """What the backup rules had to decide."""
        return tuple(
            Event(phrase(f"event.{knot.value}", units=tuple(_name(self.units[number]) for number in numbers)))
            for knot, numbers in self.knots
            if knot is not Knot.CIRCLE
        )


def _mask(numbers: Iterable[int]) -> int:
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def _name(unit: Unit) -> str:
    return f"{unit.kind} {unit.at}"
