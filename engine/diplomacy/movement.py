"""A movement phase: orders become a contest of the kernel, its ruling becomes results, and who was dislodged.

    adjudicate → movement → kernel

What the rules of Diplomacy say about orders is here: which supports and convoys fit, who goes by sea, the words for
what became of an order, and where a dislodged unit may retreat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId
from engine.core.kernel import NOBODY, Backup, Contest, Equations, Knot, Route, resolve
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Phrase, phrase
from engine.diplomacy.chart import Chart, chart_of
from engine.diplomacy.model import Convoy, Dislodged, Move, Order, State, SupportHold, SupportMove, Unit, Waive
from engine.diplomacy.rulebook import AdjacentConvoy, ParadoxRule, Rulebook

_BACKUP = {ParadoxRule.SZYKMAN: Backup.CARRIERS_HOLD, ParadoxRule.ALL_HOLD: Backup.ATTACKS_FAIL}

HELD = phrase("outcome.held")
NO_ORDER = phrase("outcome.no_order")
MOVED = phrase("outcome.moved")
MOVED_BY_SEA = phrase("outcome.moved_by_sea")
SUPPORTED = phrase("outcome.supported")
CONVOYED = phrase("outcome.convoyed")
NO_CONVOY = phrase("outcome.no_convoy")
PARADOX = phrase("outcome.paradox")
PARADOX_CONVOY = phrase("outcome.paradox_convoy")


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
    battle = _Battle(state, sheets)
    battle.resolve()
    return Moved(battle.units_after(), battle.dislodged(), battle.results(), battle.events())


class _Battle:
    """The orders of a phase over numbers: units are numbered in map order, spaces as in the chart."""

    def __init__(self, state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> None:
        self.rulebook: Rulebook = state.rulebook
        self.chart: Chart = chart_of(state.variant.board)
        self.units = state.units
        self.at = [self.chart.space_of[unit.at] for unit in state.units]
        self.unit_in = {space: number for number, space in enumerate(self.at)}
        self.orders = self._possible_orders(sheets)
        number = len(self.units)
        self.to = [NOBODY] * number
        self.helps = [NOBODY] * number
        self.about = [NOBODY] * number
        self.convoys: dict[int, list[int]] = {}
        """Fleets by the army that they convoy as it is ordered to go."""
        self.routes: dict[int, Route] = {}
        self.voids: dict[int, Phrase] = {}
        """Supports and convoys that fit nothing, and why."""
        self._read_moves()
        self._read_help()
        self._find_routes()

    # From orders to numbers

    def _possible_orders(self, sheets: Mapping[PowerId, Sequence[Order]]) -> list[Order | None]:
        """The first order for each unit; what is for no unit of the power is passed over."""
        numbers = {unit.at: number for number, unit in enumerate(self.units)}
        orders: list[Order | None] = [None] * len(self.units)
        for power, sheet in sheets.items():
            for order in sheet:
                if isinstance(order, Waive):
                    continue
                number = numbers.get(order.at)
                if number is not None and orders[number] is None:
                    unit = self.units[number]
                    if unit.power == power and unit.kind == order.kind:
                        orders[number] = order
        return orders

    def _read_moves(self) -> None:
        chart, space_of, near, reach = self.chart, self.chart.space_of, self.chart.near, self.chart.reach
        for number, order in enumerate(self.orders):
            if isinstance(order, Move):
                space = space_of.get(order.to, NOBODY)
                if order.kind == "A":
                    here = self.at[number]
                    possible = space in near["A"][order.at] or (
                        space not in (NOBODY, here) and chart.is_coast[space] and chart.is_coast[here]
                    )
                else:
                    possible = order.to in reach["F"][order.at]
                if possible:
                    self.to[number] = space
                else:
                    self.orders[number] = None

    def _read_help(self) -> None:
        """Which supports and convoys fit. One that is impossible is passed over, one that fits nothing is void."""
        at, to, near, space_of = self.at, self.to, self.chart.near, self.chart.space_of
        for number, order in enumerate(self.orders):
            if isinstance(order, SupportMove):
                space = space_of.get(order.to, NOBODY)
                helped = self.unit_in.get(space_of.get(order.of, NOBODY), NOBODY)
                if space not in near[order.kind][order.at] or helped == number:
                    self.orders[number] = None
                elif helped != NOBODY and to[helped] == space and self._is_same_goal(helped, order.to):
                    self.helps[number] = helped
                    self.about[number] = space
                else:
                    self.voids[number] = self._mismatch(helped, order)
            elif isinstance(order, SupportHold):
                space = space_of.get(order.of, NOBODY)
                helped = self.unit_in.get(space, NOBODY)
                if space not in near[order.kind][order.at]:
                    self.orders[number] = None
                elif helped != NOBODY and to[helped] == NOBODY:
                    self.helps[number] = helped
                    self.about[number] = space
                else:
                    self.voids[number] = self._mismatch(helped, order)
            elif isinstance(order, Convoy):
                space = space_of.get(order.to, NOBODY)
                helped = self.unit_in.get(space_of.get(order.of, NOBODY), NOBODY)
                if order.kind != "F" or not self.chart.is_sea[at[number]] or space == NOBODY:
                    self.orders[number] = None
                elif helped != NOBODY and to[helped] == space and self.units[helped].kind == "A":
                    self.convoys.setdefault(helped, []).append(number)
                else:
                    self.voids[number] = self._mismatch(helped, order)

    def _is_same_goal(self, helped: int, to: PlaceId) -> bool:
        """Whether a support names the coast where the fleet goes, or none. Source: DATC 4.B.4."""
        move = self.orders[helped]
        return "/" not in to or self.units[helped].kind == "A" or (isinstance(move, Move) and move.to == to)

    def _mismatch(self, helped: int, order: SupportHold | SupportMove | Convoy) -> Phrase:
        """What the unit did that should have been helped."""
        if helped == NOBODY:
            return phrase("outcome.void_nobody", place=order.of)
        unit, done = self.units[helped], self.orders[helped]
        if isinstance(done, Move):
            return phrase("outcome.void_moved", unit=_name(unit), to=done.to)
        return phrase("outcome.void_stayed", unit=_name(unit))

    def _find_routes(self) -> None:
        """Which armies go by sea, and by which fleets. Source: DATC 4.A.3."""
        near, rule = self.chart.near["A"], self.rulebook.adjacent_convoy
        for number, space in enumerate(self.to):
            unit = self.units[number]
            if space == NOBODY or unit.kind != "A":
                continue
            fleets = self.convoys.get(number, [])
            is_neighbour = space in near[unit.at]
            if is_neighbour:
                order = self.orders[number]
                is_meant = isinstance(order, Move) and order.via_convoy
                if not is_meant and rule is not AdjacentConvoy.VIA_ONLY:
                    is_meant = any(self.units[fleet].power == unit.power for fleet in fleets)
                if not is_meant:
                    continue
            falls_back = is_neighbour and rule is AdjacentConvoy.INTENT_OR_LAND
            self.routes[number] = self._route(fleets, self.at[number], space, is_only_way=not falls_back)

    def _route(self, fleets: Sequence[int], start: int, end: int, *, is_only_way: bool) -> Route:
        nearby = {fleet: self.chart.near["F"][self.units[fleet].at] for fleet in fleets}
        return Route(
            carriers=tuple(fleets),
            first=_mask(fleet for fleet in fleets if start in nearby[fleet]),
            last=_mask(fleet for fleet in fleets if end in nearby[fleet]),
            links={fleet: _mask(other for other in fleets if self.at[other] in nearby[fleet]) for fleet in fleets},
            is_only_way=is_only_way,
        )

    def resolve(self) -> None:
        """Let the kernel decide."""
        sides: dict[PowerId, int] = {}
        ruling = resolve(
            Contest(
                at=self.at,
                side=[sides.setdefault(unit.power, len(sides)) for unit in self.units],
                to=self.to,
                helps=self.helps,
                about=self.about,
                routes=self.routes,
                origin_is_safe=not self.rulebook.dislodged_affects_convoyed_origin,
            ),
            _BACKUP[self.rulebook.paradox],
        )
        self.knots = ruling.knots
        self.equations: Equations = ruling.equations
        self.moved = self.equations.moved
        self.taker: dict[int, int] = {}
        """Who got in, by space."""
        for number in self.equations.attackers:
            if self.moved[number]:
                self.taker[self.to[number]] = number

    # From numbers to what is told

    def units_after(self) -> tuple[Unit, ...]:
        """The units on the board, in map order."""
        taker, moved = self.taker, self.moved
        if not taker:
            return self.units
        standing = [
            (space, unit)
            for number, (space, unit) in enumerate(zip(self.at, self.units, strict=True))
            if not moved[number] and space not in taker
        ]
        for space, number in taker.items():
            unit, order = self.units[number], self.orders[number]
            goal = PlaceId(self.chart.provinces[space])
            if unit.kind == "F" and isinstance(order, Move):
                goal = order.to
            standing.append((space, Unit(unit.power, unit.kind, goal)))
        standing.sort(key=_by_space)
        return tuple([unit for _, unit in standing])

    def _is_dislodged(self, number: int) -> bool:
        return self.at[number] in self.taker and not self.moved[number]

    def dislodged(self) -> tuple[Dislodged, ...]:
        """The dislodged units and where they may go: nowhere that is taken, contested, or the attacker's origin."""
        numbers = [number for number in range(len(self.units)) if self._is_dislodged(number)]
        if not numbers:
            return ()
        closed = self._closed_spaces()
        return tuple(self._dislodged(number, closed) for number in numbers)

    def _dislodged(self, number: int, closed: frozenset[int]) -> Dislodged:
        unit, attacker = self.units[number], self.taker[self.at[number]]
        origin: int | None = self.at[attacker]
        if self.rulebook.retreat_to_convoyed_origin and self.equations.is_carried(attacker):
            origin = None
        space_of = self.chart.space_of
        return Dislodged(
            unit,
            None if origin is None else self.chart.provinces[origin],
            tuple(
                sorted(
                    place
                    for place in self.chart.reach[unit.kind][unit.at]
                    if space_of[place] not in closed and space_of[place] != origin
                )
            ),
        )

    def _closed_spaces(self) -> frozenset[int]:
        """Where a unit stands now, or where attacks kept each other out."""
        standing = {space for number, space in enumerate(self.at) if not self.moved[number] and space not in self.taker}
        contested = {
            self.to[number]
            for number in self.equations.attackers
            if not self.moved[number] and self.equations.prevent(number)[0] > 0
        }
        return frozenset(standing | contested | set(self.taker))

    def results(self) -> tuple[OrderResult, ...]:
        """One result for each unit, in map order."""
        provinces, into, taker = self.chart.provinces, self.equations.into, self.taker
        voids = self.voids
        made = []
        for number, unit in enumerate(self.units):
            order, space = self.orders[number], self.at[number]
            outcome, reason = Outcome.SUCCEEDS, HELD
            if isinstance(order, Move):
                text = f"{unit.kind} {unit.at} - {order.to}"
                if order.via_convoy:
                    text += " VIA CONVOY"
                outcome, reason = self._move_result(number)
            elif isinstance(order, SupportMove | SupportHold):
                text = f"{unit.kind} {unit.at} S {order.of_kind} {order.of}"
                if isinstance(order, SupportMove):
                    text += f" - {order.to}"
                if number in voids:
                    outcome, reason = Outcome.VOID, voids[number]
                elif space in into:
                    outcome, reason = self._support_result(number)
                else:
                    reason = SUPPORTED
            elif isinstance(order, Convoy):
                text = f"{unit.kind} {unit.at} C {order.of_kind} {order.of} - {order.to}"
                if number in voids:
                    outcome, reason = Outcome.VOID, voids[number]
                elif number in self.equations.held:
                    outcome, reason = Outcome.DISRUPTED, PARADOX_CONVOY
                else:
                    reason = CONVOYED
            else:
                text = f"{unit.kind} {unit.at} H"
                if order is None:
                    reason = NO_ORDER
            if space in taker and not self.moved[number]:
                outcome, reason = Outcome.DISLODGED, self._why_dislodged(number)
            made.append(OrderResult(unit.power, text, provinces[space], outcome, reason))
        return tuple(made)

    def _move_result(self, number: int) -> tuple[Outcome, Phrase]:
        if self.moved[number]:
            return Outcome.SUCCEEDS, MOVED_BY_SEA if number in self.routes else MOVED
        equations = self.equations
        if equations.path(number):
            return Outcome.BOUNCES, self._why_bounced(number)
        route = self.routes[number]
        if not route.is_complete:
            return Outcome.NO_CONVOY, NO_CONVOY
        lost = [fleet for fleet in route.carriers if not equations.carries(fleet)]
        if any(fleet in equations.held for fleet in lost):
            return Outcome.DISRUPTED, PARADOX
        return Outcome.DISRUPTED, phrase("outcome.disrupted", fleets=tuple(_name(self.units[fleet]) for fleet in lost))

    def _why_bounced(self, number: int) -> Phrase:
        """What kept an attack out: the strongest of those that it did not beat."""
        equations, space = self.equations, self.to[number]
        own = equations.attack(number)[0]
        place = self.chart.provinces[space]
        victim = self.unit_in.get(space, NOBODY)
        if victim != NOBODY and not self.moved[victim] and self.units[victim].power == self.units[number].power:
            return phrase("outcome.own_unit", unit=_name(self.units[victim]), place=place)
        resistance = equations.resistance(number)[0]
        strength, _, rival = max(
            [(resistance, 1, victim)]
            + [(equations.prevent(other)[0], 0, other) for other in equations.into[space] if other != number]
        )
        if strength < own or rival == NOBODY:
            return phrase("outcome.paradox_move")
        code = "outcome.bounced"
        if rival == victim:
            code = "outcome.lost_head_on" if equations.meets_head_on(number) else "outcome.bounced_off"
        return phrase(code, unit=_name(self.units[rival]), place=place, own=own, other=strength)

    def _support_result(self, number: int) -> tuple[Outcome, Phrase]:
        if self.equations.support(number)[0]:
            return Outcome.SUCCEEDS, SUPPORTED
        cutters = [
            attacker
            for attacker in self.equations.into[self.at[number]]
            if self.units[attacker].power != self.units[number].power
            and self.at[attacker] != self.about[number]
            and self.equations.path(attacker)
        ]
        return Outcome.CUT, phrase("outcome.cut", units=tuple(_name(self.units[cutter]) for cutter in cutters))

    def _why_dislodged(self, number: int) -> Phrase:
        attacker = self.taker[self.at[number]]
        return phrase(
            "outcome.dislodged",
            unit=_name(self.units[attacker]),
            own=self.equations.resistance(attacker)[0],
            other=self.equations.attack(attacker)[0],
        )

    def events(self) -> tuple[Event, ...]:
        """What the backup rules had to decide."""
        return tuple(
            Event(phrase(f"event.{knot.value}", units=tuple(_name(self.units[number]) for number in numbers)))
            for knot, numbers in self.knots
            if knot is not Knot.CIRCLE
        )


def _by_space(standing: tuple[int, Unit]) -> int:
    return standing[0]


def _mask(numbers: Iterable[int]) -> int:
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def _name(unit: Unit) -> str:
    return f"{unit.kind} {unit.at}"
