"""Which units of a province follow a LAND or SEA order, and what a fleet needs: room for passengers, and crew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.king_of_kings.model import Line, March, Options, Rulebook, Sail, Symbol, Troop, Units
from engine.king_of_kings.narrative import tell
from engine.king_of_kings.working import Area, Spent, Turn
from engine.lattice.squares import Cell, Direction

SHIPS_PER_HAND = 2
"""How many ships one land unit can crew. Source: rules 2.1"""


@dataclass(frozen=True, slots=True)
class Note:
    """An error or a warning about an order, by its code of rules 4.2."""

    code: str
    args: Mapping[str, Any] = field(default_factory=dict)


def note(code: str, **args: Any) -> Note:
    """An error or a warning, with the arguments of its phrase by name."""
    return Note(code, args)


def say(turn: Turn, nation: PowerId, line: Line, notes: list[Note]) -> None:
    """Record remarks on a line."""
    for each in notes:
        turn.remark(nation, line, each.code, **each.args)


def cuts(turn: Turn, asked: Units, going: Units) -> list[Note]:
    """A warning for each type of which fewer units go than were ordered. Source: ruling K-59."""
    return [
        note("W01", troop=turn.troop(symbol).name, asked=number, going=going.get(symbol, 0))
        for symbol, number in asked.items()
        if going.get(symbol, 0) < number
    ]


def halted(stop: str | None) -> list[Note]:
    """A warning if something ended a move before its last direction; `stop` names it as the phrases do."""
    return [] if stop is None else [note("W02", reason=phrase(f"stop.{stop}"))]


def deserted(turn: Turn, start: Area, nation: PowerId) -> list[Note]:
    """A warning if a move has left the own province that it began in without a unit."""
    if start.is_sea or start.units or start.owner != nation:
        return []
    x, y = turn.grid.xy(start.cell)
    return [note("W07", x=x, y=y)]


def start_of(turn: Turn, nation: PowerId, order: March | Sail) -> Area | Note:
    """The province that an order starts from, if it is on the map and units of the nation are there."""
    area = turn.area(order.x, order.y)
    if area is None:
        return note("E03", x=order.x, y=order.y)
    if not area.of(nation) and not _attackers(turn, area, nation):
        return note("E04", problem=phrase("problem.nothing_there", x=order.x, y=order.y))
    return area


def _attackers(turn: Turn, area: Area, nation: PowerId) -> Units:
    """The units with which a nation attacks an area: they are there, but have moved."""
    assault = turn.assaults.get(area.cell)
    return assault.units if assault is not None and assault.attacker == nation else {}


def is_cut_off(turn: Turn, area: Area, nation: PowerId) -> bool:
    """Whether nobody may leave because of isolation: found at the start of the turn, with no general there now.

    Source: rules 8; ruling K-44
    """
    return area.is_isolated and not turn.has_general(area.of(nation))


def muster(
    turn: Turn, area: Area, nation: PowerId, order: March | Sail, *, may_go: Callable[[Troop], bool]
) -> dict[Symbol, int] | Note:
    """Which units go: as many of each type named as are there and have not moved, and with AT all others except ships.

    Args:
        may_go: whether a type can take part in a move of this kind at all; those that can't stay behind without an
            error as long as others go.

    Source: rules 4, 5.1; rulings K-10, K-11
    """
    asked = dict(order.troops)
    named = [turn.troop(symbol) for symbol in asked]
    if order.takes_all:
        named += [t for t in turn.rules.troops.values() if t.symbol not in asked and not (t.is_ship or t.is_static)]
    free = {t.symbol: free_units(turn, area, nation, t.symbol, order) for t in named if may_go(t)}
    going = {
        symbol: number
        for symbol in turn.rules.troops
        if symbol in free and (number := min(free[symbol], asked.get(symbol, free[symbol])))
    }
    if going:
        return going
    present = {*area.of(nation), *_attackers(turn, area, nation)}.intersection(troop.symbol for troop in named)
    at = {"x": order.x, "y": order.y}
    if not present:
        return note("E04", problem=phrase("problem.none_of_these", **at))
    if present & free.keys():
        return note("E16", problem=_why_stuck(turn, area, nation, present & free.keys(), order))
    return note("E15", problem=phrase("problem.cannot_go", **at))


def _why_stuck(turn: Turn, area: Area, nation: PowerId, symbols: Iterable[Symbol], order: March | Sail) -> Phrase:
    """Why none of these units can go: they have moved, have just been placed, or some of each."""
    placed = 0 if turn.options.place_and_move else sum(area.marked(nation, s, Spent.PLACED) for s in symbols)
    everybody = sum(area.count(nation, symbol) for symbol in symbols) + sum(
        _attackers(turn, area, nation).get(symbol, 0) for symbol in symbols
    )
    code = "moved" if not placed else "just_placed" if placed == everybody else "moved_or_placed"
    return phrase(f"problem.{code}", x=order.x, y=order.y)


def free_units(turn: Turn, area: Area, nation: PowerId, symbol: Symbol, order: March | Sail) -> int:
    """How many of a type have not moved yet: units that came by sea may still march, but not sail again.

    Source: rules 5.2
    """
    marks = [Spent.LAND_MOVED]
    if isinstance(order, Sail):
        marks.append(Spent.SEA_MOVED)
    if not turn.options.place_and_move:
        marks.append(Spent.PLACED)
    return area.count(nation, symbol) - area.marked(nation, symbol, *marks)


def without(units: Units, gone: Units) -> dict[Symbol, int]:
    """What is left of units after some have gone."""
    left = {symbol: number - gone.get(symbol, 0) for symbol, number in units.items()}
    return {symbol: number for symbol, number in left.items() if number}


def over_the_edge(turn: Turn, cell: Cell, direction: Direction) -> Note:
    """The error of a first step that leads off the map, with the coordinates there."""
    x, y = turn.grid.beyond(cell, direction)
    return note("E03", x=x, y=y)


def occupy(turn: Turn, area: Area, nation: PowerId) -> None:
    """Take an undefended area."""
    tell(turn, "occupied", area.cell, nation=nation)
    turn.seize(area, nation)


# Room and crew. Source: rules 2.1


def transports(turn: Turn, units: Units) -> list[Troop]:
    """The types that carry others."""
    return [troop for symbol in units if (troop := turn.troop(symbol)).is_transport]


def passengers(turn: Turn, units: Units) -> list[Troop]:
    """The types that have to be carried: slower at sea than the transports, or unable to move there.

    Types that can't move at all stay at sea by themselves.

    """
    pace = min((troop.sea_move for troop in transports(turn, units)), default=1)
    others = [troop for symbol in units if not (troop := turn.troop(symbol)).is_transport]
    return [troop for troop in others if troop.sea_move < pace and not troop.is_static]


def room_left(turn: Turn, units: Units) -> int:
    """How many more passengers a fleet could carry; negative: this many have no room."""
    return _number(units, transports(turn, units)) - _number(units, passengers(turn, units))


def hands(turn: Turn, units: Units) -> int:
    """How many units can man the ships."""
    return sum(number for symbol, number in units.items() if turn.troop(symbol).is_crew)


def has_crew(turn: Turn, units: Units) -> bool:
    """Whether there is enough crew for the transports; always true without the option `crew`."""
    ships = _number(units, transports(turn, units))
    return not turn.options.crew or SHIPS_PER_HAND * hands(turn, units) >= ships


def two_transports(turn: Turn, going: Units, order: March | Sail) -> Phrase | None:
    """The error of a move with more than one kind of transport; `None`: it has one, or none. Source: rules 2.1"""
    kinds = transports(turn, going)
    if len(kinds) < 2:
        return None
    code = "two_transports" if isinstance(order, Sail) else "two_kinds_land"
    return phrase(f"problem.{code}", kinds=tuple(kind.name for kind in kinds), x=order.x, y=order.y)


def is_adrift(rules: Rulebook, options: Options, symbols: Iterable[Symbol]) -> bool:
    """Whether a nation without land can never move again with these types, since its ships have no crew.

    If troops can be placed at sea, some types might still crew them. Source: ruling K-96
    """
    troops = [rules.troops[symbol] for symbol in symbols]
    if options.crew and not any(troop.is_crew for troop in troops):
        troops = [troop for troop in troops if not troop.is_transport]
    hopes = rules.troops.values() if options.sea_placement else ()
    can_be_manned = any(troop.is_amphibious and troop.is_crew for troop in hopes)
    return not can_be_manned and all(troop.is_static for troop in troops)


def can_stay_at_sea(turn: Turn, units: Units) -> bool:
    """Whether what is left behind at sea has room and crew; true if nothing is left. Source: rulings K-30, K-31"""
    return room_left(turn, units) >= 0 and has_crew(turn, units)


def _number(units: Units, troops: list[Troop]) -> int:
    return sum(units[troop.symbol] for troop in troops)
