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
from engine.diplomacy.model import Convoy, Dislodged, Hold, Move, Order, State, SupportHold, SupportMove, Unit
from engine.diplomacy.rulebook import AdjacentConvoy, ParadoxRule, Rulebook

_MovementOrder = Hold | Move | SupportHold | SupportMove | Convoy
_MOVEMENT_ORDERS = (Move, SupportMove, SupportHold, Convoy, Hold)
_SUPPORTS = (SupportMove, SupportHold)
_HELP = (SupportMove, SupportHold, Convoy)

_BACKUP = {ParadoxRule.SZYKMAN: Backup.CARRIERS_HOLD, ParadoxRule.ALL_HOLD: Backup.ATTACKS_FAIL}

HELD = phrase("outcome.held")
NO_ORDER = phrase("outcome.no_order")
MOVED = phrase("outcome.moved")
MOVED_BY_SEA = phrase("outcome.moved_by_sea")
SUPPORTED = phrase("outcome.supported")
CONVOYED = phrase("outcome.convoyed")
NO_CONVOY = phrase("outcome.no_convoy")
PARADOX = phrase("outcome.paradox")
PARADOX_MOVE = phrase("outcome.paradox_move")
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
        number = len(self.units)
        self.orders: list[_MovementOrder | None] = [None] * number
        self.to = [NOBODY] * number
        self.helps = [NOBODY] * number
        self.about = [NOBODY] * number
        self.convoys: dict[int, list[int]] = {}
        """Fleets by the army that they convoy as it is ordered to go."""
        self.routes: dict[int, Route] = {}
        self.voids: dict[int, Phrase] = {}
        """Supports and convoys that fit nothing, and why."""
        self._sort_orders(sheets)
        self._read_help()
        self._find_routes()

    # From orders to numbers

    def _sort_orders(self, sheets: Mapping[PowerId, Sequence[Order]]) -> None:
        """The first order for each unit; what is for no unit of the power is passed over."""
        orders, units = self.orders, self.units
        numbers = {unit.at: number for number, unit in enumerate(units)}
        for power, sheet in sheets.items():
            for order in sheet:
                if not isinstance(order, _MOVEMENT_ORDERS) or order.at not in numbers:
                    continue
                number = numbers[order.at]
                unit = units[number]
                if unit.power == power and unit.kind == order.kind and orders[number] is None:
                    orders[number] = order
                    if isinstance(order, Move):
                        self._read_move(number, order)

    def _read_move(self, number: int, order: Move) -> None:
        """Where a move goes; one that is impossible whatever happens is passed over."""
        chart, here = self.chart, self.at[number]
        space = chart.space_of.get(order.to, NOBODY)
        if order.kind == "F":
            possible = order.to in chart.reach["F"][order.at]
        else:
            possible = space in chart.near["A"][order.at] or (
                space not in (NOBODY, here) and chart.is_coast[space] and chart.is_coast[here]
            )
        if possible:
            self.to[number] = space
        else:
            self.orders[number] = None

    def _read_help(self) -> None:
        """Which supports and convoys fit. One that is impossible is passed over, one that fits nothing is void."""
        orders, to, near, space_of = self.orders, self.to, self.chart.near, self.chart.space_of
        for number, order in enumerate(orders):
            if not isinstance(order, _HELP):
                continue
            space = space_of.get(order.of, NOBODY)
            helped = self.unit_in.get(space, NOBODY)
            if isinstance(order, SupportHold):
                possible = space in near[order.kind][order.at]
                fits = helped != NOBODY and to[helped] == NOBODY
            else:
                space = space_of.get(order.to, NOBODY)
                fits = helped != NOBODY and to[helped] == space
                if isinstance(order, SupportMove):
                    possible = space in near[order.kind][order.at] and helped != number
                    fits = fits and self._is_same_goal(helped, order.to)
                else:
                    possible = order.kind == "F" and self.chart.is_sea[self.at[number]] and space != NOBODY
                    fits = fits and self.units[helped].kind == "A"
            if not possible:
                orders[number] = None
            elif not fits:
                self.voids[number] = self._mismatch(helped, order)
            elif isinstance(order, Convoy):
                self.convoys.setdefault(helped, []).append(number)
            else:
                self.helps[number] = helped
                self.about[number] = space

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

    def dislodged(self) -> tuple[Dislodged, ...]:
        """The dislodged units and where they may go: nowhere that is taken, contested, or the attacker's origin."""
        return tuple(
            [
                self._dislodged(number)
                for number in sorted(self.unit_in[space] for space in self.taker if space in self.unit_in)
                if not self.moved[number]
            ]
        )

    def _dislodged(self, number: int) -> Dislodged:
        unit, attacker = self.units[number], self.taker[self.at[number]]
        origin: int | None = self.at[attacker]
        if self.rulebook.retreat_to_convoyed_origin and self.equations.is_carried(attacker):
            origin = None
        space_of = self.chart.space_of
        retreats = [
            place
            for place in self.chart.reach[unit.kind][unit.at]
            if space_of[place] != origin and self._is_open(space_of[place])
        ]
        came_from = None if origin is None else self.chart.provinces[origin]
        return Dislodged(unit, came_from, tuple(sorted(retreats)))

    def _is_open(self, space: int) -> bool:
        """Whether nobody stands in a space after the moves, and no attacks kept each other out of it."""
        if space in self.taker or (space in self.unit_in and not self.moved[self.unit_in[space]]):
            return False
        return not any(self.equations.prevent(rival)[0] for rival in self.equations.into.get(space, ()))

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
            elif isinstance(order, _SUPPORTS):
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
        """What kept an attack out."""
        space = self.to[number]
        obstacle = self.equations.obstacle(number)
        if obstacle is None:
            return PARADOX_MOVE
        own, other, blocker = obstacle
        unit, place = self.units[blocker], self.chart.provinces[space]
        code = "outcome.bounced"
        if self.at[blocker] == space:
            code = "outcome.bounced_off"
            if own == 0 and unit.power == self.units[number].power:
                return Phrase("outcome.own_unit", {"unit": f"{unit.kind} {unit.at}", "place": place})
            if number in self.equations.facing and self.equations.meets_head_on(number):
                code = "outcome.lost_head_on"
        return Phrase(code, {"unit": f"{unit.kind} {unit.at}", "place": place, "own": own, "other": other})

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
