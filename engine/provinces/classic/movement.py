"""A movement phase: orders become a contest of the kernel, its ruling becomes results, and who was dislodged.

    adjudicate → movement → kernel

What the rules of Diplomacy say about orders is here: which supports and convoys fit, who goes by sea, the words for
what became of an order, and where a dislodged unit may retreat. Which orders count is for `legality` alone to say:
what is turned into numbers here is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import repeat
from typing import Any, get_args

from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Phrase, phrase
from engine.provinces.classic.legality import first_legal
from engine.provinces.classic.model import Convoy, Dislodged, Order, State, SupportHold, SupportMove, Unit
from engine.provinces.classic.numbering import NumberedBoard, numbered
from engine.provinces.classic.reach import ARMY, position_of
from engine.provinces.classic.rulebook import AdjacentConvoy, ParadoxRule, Rulebook
from engine.provinces.contest.components import Backup, Fallback, resolve
from engine.provinces.contest.contest import NOBODY, Contest, Route
from engine.provinces.contest.equations import Equations
from engine.provinces.orders import Hold, Move

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
_hold = lru_cache(maxsize=4096)(Hold)
_Ending = tuple[Outcome, Phrase]
_result: Callable[[Iterable[Any]], OrderResult[Order]] = partial(tuple.__new__, OrderResult)
"""A result from its fields in order. Faster than by name, which counts where there is one for every unit."""


@cache
def _void_nobody(place: PlaceId) -> _Ending:
    return Outcome.VOID, phrase("outcome.void_nobody", place=place)


@cache
def _void_moved(unit: str, to: PlaceId) -> _Ending:
    return Outcome.VOID, phrase("outcome.void_moved", unit=unit, to=to)


@cache
def _void_stayed(unit: str) -> _Ending:
    return Outcome.VOID, phrase("outcome.void_stayed", unit=unit)


@lru_cache(maxsize=4096)
def _bounced(code: str, unit: str, place: ProvinceId, own: int, other: int) -> _Ending:
    return Outcome.BOUNCES, phrase(code, unit=unit, place=place, own=own, other=other)


@cache
def _own_unit(unit: str, place: ProvinceId) -> _Ending:
    return Outcome.BOUNCES, phrase("outcome.own_unit", unit=unit, place=place)


@lru_cache(maxsize=4096)
def _cut(units: tuple[str, ...]) -> _Ending:
    return Outcome.CUT, phrase("outcome.cut", units=units)


@lru_cache(maxsize=4096)
def _dislodged(unit: str, own: int, other: int) -> _Ending:
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
    """Carry out the orders of a movement phase; a unit without a legal order holds."""
    position = position_of(state)
    battle = Battle(state, {power: first_legal(position, power, sheet) for power, sheet in sheets.items()})
    battle.resolve()
    return Moved(battle.units_after(), battle.dislodged(), battle.results(), battle.events())


_NO_ROUTE = Route((), 0, 0, {})
_LAND_ROUTE = Route((), 0, 0, {}, is_only_way=False)


_KINDS: tuple[type[Order], ...] = get_args(Order)


class Battle:
    """The orders of a phase over numbers: units are numbered in map order, spaces as in `NumberedBoard`.

    Args:
        sheets: legal orders, one for a unit at most.
    """

    def __init__(self, state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> None:
        self.rulebook: Rulebook = state.rulebook
        self.board: NumberedBoard = numbered(state.variant.board)
        self.units = units = state.units
        self.powers = [unit.power for unit in units]
        posts = self.board.posts
        self.posts = [posts[unit.kind][unit.at] for unit in units]
        self.at = [post.space for post in self.posts]
        # One longer than the board, so that whoever looks for the unit at `NOBODY` finds `NOBODY`.
        self.unit_in = unit_in = [NOBODY] * (len(self.board.provinces) + 1)
        for number, space in enumerate(self.at):
            unit_in[space] = number
        self.to = [NOBODY] * len(units)
        self.helps = [NOBODY] * len(units)
        self.about = [NOBODY] * len(units)
        self.goals: dict[int, PlaceId] = {}
        """Where each unit that moves is ordered to go, with the coast."""
        self.at_sea: set[int] = set()
        """Armies that can only go by sea, or wish to."""
        self.convoys: dict[int, list[int]] = {}
        """Fleets by the army that they convoy as it is ordered to go."""
        self.routes: dict[int, Route] = {}
        self.texts = [""] * len(units)
        self.orders: list[Order | None] = [None] * len(units)
        self.endings = [_NO_ORDER] * len(units)
        """What becomes of each order as far as its own words tell; the ruling tells the rest."""
        self._read(sheets)

    # From orders to numbers

    def _read(self, sheets: Mapping[PowerId, Sequence[Order]]) -> None:
        """Turn orders into numbers: first the moves, then what helps them.

        Orders are sorted by what they are, since Python reads an attribute much faster where it always belongs to the
        same class.
        """
        orders: dict[type, list[Any]] = {kind: [] for kind in _KINDS}
        for sheet in sheets.values():
            for order in sheet:
                orders[type(order)].append(order)
        self._read_holds(orders[Hold])
        self._read_moves(orders[Move])
        self._read_supports(orders[SupportMove])
        self._read_supports_to_hold(orders[SupportHold])
        self._read_convoys(orders[Convoy])
        self._find_routes()
        if "" in self.texts:
            self._write_holds()

    def _read_holds(self, holds: Iterable[Hold]) -> None:
        for order in holds:
            number = self.unit_in[self.board.space_of[order.at]]
            self.orders[number] = order
            self.texts[number], self.endings[number] = f"{self.posts[number].name} H", _HELD

    def _write_holds(self) -> None:
        """Units without an order hold."""
        for number, text in enumerate(self.texts):
            if not text:
                post = self.posts[number]
                self.orders[number], self.texts[number] = _hold(post.kind, post.at), f"{post.name} H"

    def _read_moves(self, moves: Iterable[Move]) -> None:
        space_of, unit_in, posts = self.board.space_of, self.unit_in, self.posts
        to, goals, texts, given = self.to, self.goals, self.texts, self.orders
        for order in moves:
            number, goal = unit_in[space_of[order.at]], order.to
            post = posts[number]
            if post.kind == ARMY:
                if "/" in goal:
                    # An army that is told a coast goes to the province.
                    goal = PlaceId(province_of(goal))
                    order = replace(order, to=goal)
                if order.via_convoy or goal not in post.goals:
                    self.at_sea.add(number)
            to[number], goals[number], given[number] = space_of[goal], goal, order
            texts[number] = f"{post.name} - {goal} VIA CONVOY" if order.via_convoy else f"{post.name} - {goal}"

    def _read_supports(self, supports: Iterable[SupportMove]) -> None:
        space_of, unit_in, posts = self.board.space_of, self.unit_in, self.posts
        to, texts, endings, helps, about = self.to, self.texts, self.endings, self.helps, self.about
        for order in supports:
            number, of, goal = unit_in[space_of[order.at]], order.of, order.to
            space, helped = space_of[goal], unit_in[space_of[of]]
            texts[number], self.orders[number] = f"{posts[number].name} S {order.of_kind} {of} - {goal}", order
            if helped == NOBODY or to[helped] != space or ("/" in goal and not self._is_same_coast(helped, goal)):
                endings[number] = self._mismatch(helped, of)
            else:
                endings[number], helps[number], about[number] = _SUPPORTED, helped, space

    def _read_supports_to_hold(self, supports: Iterable[SupportHold]) -> None:
        space_of, unit_in, posts = self.board.space_of, self.unit_in, self.posts
        to, texts, endings, helps, about = self.to, self.texts, self.endings, self.helps, self.about
        for order in supports:
            number, of = unit_in[space_of[order.at]], order.of
            space = space_of[of]
            helped = unit_in[space]
            texts[number], self.orders[number] = f"{posts[number].name} S {order.of_kind} {of}", order
            if helped == NOBODY or to[helped] != NOBODY:
                endings[number] = self._mismatch(helped, of)
            else:
                endings[number], helps[number], about[number] = _SUPPORTED, helped, space

    def _read_convoys(self, convoys: Iterable[Convoy]) -> None:
        space_of, unit_in, posts, to = self.board.space_of, self.unit_in, self.posts, self.to
        for order in convoys:
            number, of, goal = unit_in[space_of[order.at]], order.of, order.to
            helped = unit_in[space_of[of]]
            self.texts[number], self.orders[number] = f"{posts[number].name} C {order.of_kind} {of} - {goal}", order
            if helped == NOBODY or to[helped] != space_of[goal] or posts[helped].kind != ARMY:
                self.endings[number] = self._mismatch(helped, of)
            else:
                self.endings[number] = _CONVOYED
                self.convoys.setdefault(helped, []).append(number)

    def _is_same_coast(self, helped: int, to: PlaceId) -> bool:
        """Whether a support names the coast where the fleet goes; an army goes to all of them. Source: DATC 4.B.4."""
        return self.posts[helped].kind == "A" or self.goals[helped] == to

    def _mismatch(self, helped: int, of: PlaceId) -> _Ending:
        """What the unit did that should have been helped."""
        if helped == NOBODY:
            return _void_nobody(of)
        if helped in self.goals:
            return _void_moved(self.posts[helped].name, self.goals[helped])
        return _void_stayed(self.posts[helped].name)

    def _find_routes(self) -> None:
        """Which armies go by sea, and by which fleets. Source: DATC 4.A.3."""
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
        self.taker: dict[int, int] = {}
        """Who got in, by space."""
        for number in self.equations.attackers:
            if self.moved[number]:
                self.taker[self.to[number]] = number
        victims = [self.unit_in[space] for space in self.taker]
        self.fallen = {victim for victim in victims if victim != NOBODY and not self.moved[victim]}
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
            standing[space] = _unit(self.powers[number], kind, self.goals[number])
        return tuple([unit for unit in standing if unit])

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
        endings, moved, routes = self.endings, self.moved, self.routes
        for space, rivals in self.equations.into.items():
            for number in rivals:
                endings[number] = _MOVED if moved[number] and number not in routes else self._move_ending(number)
            attacked = self.unit_in[space]
            if attacked != NOBODY and self.helps[attacked] != NOBODY:
                endings[attacked] = self._support_ending(attacked)
        for number in self.equations.held:
            endings[number] = _PARADOX_FLEET
        for number in self.fallen:
            endings[number] = self._fall(number)
        outcomes, reasons = zip(*endings, strict=True) if endings else ((), ())
        subjects = [post.province for post in self.posts]
        codes = repeat(())
        rows = zip(self.powers, self.orders, self.texts, subjects, outcomes, reasons, repeat(None), codes)
        return tuple(map(_result, rows))

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
        return Outcome.DISRUPTED, phrase("outcome.disrupted", fleets=tuple(self.posts[fleet].name for fleet in lost))

    def _bounce(self, number: int) -> _Ending:
        """What kept an attack out."""
        space = self.to[number]
        obstacle = self.equations.obstacle(number)
        if obstacle is None:
            return _PARADOX_MOVE
        own, other, blocker = obstacle
        unit, place = self.posts[blocker].name, self.board.provinces[space]
        code = "outcome.bounced"
        if self.at[blocker] == space:
            code = "outcome.bounced_off"
            if own == 0 and self.powers[blocker] == self.powers[number]:
                return _own_unit(unit, place)
            if number in self.equations.facing and self.equations.meets_head_on(number):
                code = "outcome.lost_head_on"
        return _bounced(code, unit, place, own, other)

    def _support_ending(self, number: int) -> _Ending:
        if self.equations.support(number)[0]:
            return _SUPPORTED
        power, about = self.powers[number], self.about[number]
        cutters = [
            attacker
            for attacker in self.equations.into[self.at[number]]
            if self.powers[attacker] != power
            and self.at[attacker] != about
            and (attacker not in self.routes or self.equations.path(attacker))
        ]
        return _cut(tuple([self.posts[cutter].name for cutter in cutters]))

    def _fall(self, number: int) -> _Ending:
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
