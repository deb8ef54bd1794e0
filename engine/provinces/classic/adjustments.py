"""An adjustments phase: powers build and remove units until they have one for each centre.

    adjudicate → adjustments

What a power does not order happens without it: builds are waived, and civil disorder removes units. Source: DATC 4.D.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Phrase, phrase
from engine.provinces.board import Terrain
from engine.provinces.classic.model import Order, State, Unit
from engine.provinces.classic.notation import format_order
from engine.provinces.classic.numbering import NumberedBoard, numbered
from engine.provinces.classic.reach import position_of
from engine.provinces.classic.rulebook import RemovalDistance
from engine.provinces.orders import Build, Remove, Waive

Node = TypeVar("Node", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Adjusted:
    """The end of an adjustments phase; units and results in map order, waived builds last."""

    units: tuple[Unit, ...]
    results: tuple[OrderResult[Order], ...]
    events: tuple[Event, ...]


def balance(state: State, power: PowerId) -> int:
    """Centres minus units: how many units a power may build, or, below 0, has to remove."""
    return position_of(state).adjustment(power)


def open_homes(state: State, power: PowerId) -> tuple[ProvinceId, ...]:
    """The home centres that a power owns and that are vacant, in map order: where it can build."""
    return position_of(state).building_sites(power)


def has_adjustments(state: State) -> bool:
    """Whether any power has something to remove, or something to build and a place to build it."""
    return any(
        free < 0 or (free > 0 and open_homes(state, power))
        for power, free in ((power, balance(state, power)) for power in state.variant.powers)
    )


def adjudicate_adjustments(state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> Adjusted:
    """Carry out the builds and removals of all powers. Source: Diplomacy, rules 7.4."""
    standing = list(state.units)
    results: list[OrderResult[Order]] = []
    events: list[Event] = []
    for power in state.variant.powers:
        orders = sheets.get(power, ())
        free = balance(state, power)
        if free > 0:
            made = _build(state, power, orders, free)
            standing += [Unit(power, order.kind, order.at) for order in made if isinstance(order, Build)]
            results += [_built(power, order) for order in made]
            left = min(free, len(open_homes(state, power))) - len(made)
            if left > 0:
                events.append(Event(phrase("event.builds_left", power=power, count=left)))
        elif free < 0:
            removed = _remove(state, power, orders, -free)
            standing = [unit for unit in standing if unit not in removed]
            results += [_removed(unit, reason) for unit, reason in removed.items()]
    spaces = numbered(state.variant.board).space_of
    last = len(spaces)
    results.sort(key=lambda result: spaces.get(PlaceId(result.subject), last))
    standing.sort(key=lambda unit: spaces[unit.at])
    return Adjusted(tuple(standing), tuple(results), tuple(events))


# Building


def _build(state: State, power: PowerId, orders: Iterable[Order], free: int) -> list[Build | Waive]:
    """The first possible builds, as many as the power may make; a waived one counts. Source: DATC 4.D.4, 4.D.5."""
    homes = set(open_homes(state, power))
    made: list[Build | Waive] = []
    for order in orders:
        if len(made) == free:
            break
        if isinstance(order, Waive):
            made.append(order)
        elif isinstance(order, Build) and province_of(order.at) in homes and _can_stand(state, order.kind, order.at):
            homes.remove(province_of(order.at))
            made.append(order)
    return made


def _can_stand(state: State, kind: str, at: PlaceId) -> bool:
    """Whether a unit of this kind can be built at a place: fleets on coasts, on a named one where there are several."""
    province = state.variant.board.provinces[province_of(at)]
    if kind == "A":
        return "/" not in at
    return kind == "F" and province.terrain is Terrain.COAST and (at in province.coasts or not province.coasts)


def _built(power: PowerId, order: Build | Waive) -> OrderResult[Order]:
    if isinstance(order, Waive):
        subject = "WAIVE" if order.number == 1 else f"WAIVE {order.number}"
        return OrderResult(power, order, format_order(order), subject, Outcome.SUCCEEDS, phrase("outcome.waived"))
    why = phrase("outcome.built")
    return OrderResult(power, order, format_order(order), province_of(order.at), Outcome.BUILDS, why)


# Removing

_REMOVED, _DISORDER = phrase("outcome.removed"), phrase("outcome.civil_disorder")
_ALL_GO = phrase("outcome.no_centre_left")
"""Where all have to go there was nothing to choose, and no order is missing."""


def removed_in_disorder(state: State, power: PowerId, orders: Iterable[Order]) -> tuple[Unit, ...]:
    """The units that civil disorder removes besides those that a power names, the first to go first."""
    gone = _remove(state, power, orders, max(0, -balance(state, power)))
    return tuple(unit for unit, reason in gone.items() if reason != _REMOVED)


def _remove(state: State, power: PowerId, orders: Iterable[Order], number: int) -> dict[Unit, Phrase]:
    """The units that are removed, and why: first those that the power names, then those that civil disorder removes."""
    own = position_of(state).removable(power)
    gone: dict[Unit, Phrase] = {}
    for order in orders:
        if isinstance(order, Remove) and len(gone) < number:
            unit = Unit(power, order.kind, order.at)
            if unit in own:
                gone[unit] = _REMOVED
    left = [unit for unit in own if unit not in gone]
    for unit in farthest(state, power, left)[: number - len(gone)]:
        gone[unit] = _DISORDER if number < len(own) else _ALL_GO
    return gone


def _removed(unit: Unit, reason: Phrase) -> OrderResult[Order]:
    order = Remove(unit.kind, unit.at)
    return OrderResult(unit.power, order, format_order(order), province_of(unit.at), Outcome.DISBANDS, reason)


def farthest(state: State, power: PowerId, units: Iterable[Unit]) -> list[Unit]:
    """Units in the order in which civil disorder removes them.

    The farthest first; of those equally far fleets before armies, then by the provinces' names.
    Source: Diplomacy, rules 7.4; ruling D7; DATC 4.D.8.
    """
    board = state.variant.board
    distance = _distances(state, power)
    return sorted(
        units,
        key=lambda unit: (-distance(unit), unit.kind != "F", board.provinces[province_of(unit.at)].name),
    )


def _distances(state: State, power: PowerId) -> _Distance:
    """How the rulebook measures."""
    board = numbered(state.variant.board)
    rule = state.rulebook.removal_distance
    if rule is RemovalDistance.OWNED_CENTRES:
        owned = [centre for centre, owner in state.centres.items() if owner == power]
        return _Distance(board, owned, fleets_by_sea=False)
    homes = state.variant.board.homes(power)
    return _Distance(board, homes, fleets_by_sea=rule is RemovalDistance.HOME_CENTRES)


class _Distance:
    """Steps from the nearest of some provinces. A unit that can't get there is farthest; without provinces all are."""

    def __init__(self, board: NumberedBoard, provinces: Iterable[ProvinceId], *, fleets_by_sea: bool) -> None:
        self._board = board
        self._fleets_by_sea = fleets_by_sea
        starts = {board.space_of[PlaceId(province)] for province in provinces}
        self._steps = _rings(starts, lambda space: board.steps[space])
        moves = board.reach["F"]
        landings = {place for place in moves if board.space_of[place] in starts}
        self._sailing = _rings(landings, lambda place: moves[place]) if fleets_by_sea else {}

    def __call__(self, unit: Unit) -> int:
        far = len(self._board.space_of)
        if unit.kind == "F" and self._fleets_by_sea:
            return self._sailing.get(unit.at, far)
        return self._steps.get(self._board.space_of[unit.at], far)


def _rings(starts: Iterable[Node], neighbours: Callable[[Node], Iterable[Node]]) -> dict[Node, int]:
    """Steps from the nearest start, of everything that can be reached."""
    steps = dict.fromkeys(starts, 0)
    ring = list(steps)
    while ring:
        ring = list({there for here in ring for there in neighbours(here)} - steps.keys())
        steps |= dict.fromkeys(ring, max(steps.values()) + 1)
    return steps
