"""Phase 7: land movement, one LAND order at a time, up to the battles that it leads to.

An order is worked out completely before it is carried out: a march that would end on an ally's land doesn't happen.
Source: rules 4.3, 5.1, 9.2
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeGuard

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.king_of_kings.model import MOST_STATUS, Line, March, Symbol, Tactic, Troop, Units
from engine.king_of_kings.narrative import tell
from engine.king_of_kings.steps.diplomacy import too_low
from engine.king_of_kings.steps.muster import (
    Note,
    can_stay_at_sea,
    cuts,
    deserted,
    halted,
    is_cut_off,
    muster,
    note,
    occupy,
    over_the_edge,
    say,
    start_of,
    two_transports,
    without,
)
from engine.king_of_kings.working import Area, Assault, Spent, Stack, Turn, in_list_order
from engine.lattice.squares import Cell, Direction

PASSAGE = 1
"""From this status on allies let each other pass. Source: rules 9.2"""


def march(turn: Turn) -> None:
    """Carry out all LAND orders."""
    for nation, line, order in turn.moves(March):
        marching = _Marching(turn, nation, line, order)
        error = marching.work_out()
        say(turn, nation, line, marching.carry_out() if error is None else [error])


@dataclass(slots=True)
class _Way:
    """How far a stack gets.

    Args:
        end, previous: the province where it ends and the one before; both the start if it has not moved.
        taken: empty provinces that become the mover's on the way, in their order.
        stop: what ended the move before its last direction, as a word; `None`: nothing did.
    """

    end: Area
    previous: Area
    taken: list[Cell] = field(default_factory=list)
    stop: str | None = None


class _Marching:
    """One LAND order, worked out and then carried out."""

    start: Area
    going: dict[Symbol, int]
    way: _Way

    def __init__(self, turn: Turn, nation: PowerId, line: Line, order: March) -> None:
        self.turn, self.nation, self.line, self.order = turn, nation, line, order
        self.warnings: list[Note] = []
        self.generals_left = 0

    def work_out(self) -> Note | None:
        """Work out which units go where; an error if the order can't be carried out. Nothing is changed yet.

        Source: ruling K-59.
        """
        at = {"x": self.order.x, "y": self.order.y}
        start = start_of(self.turn, self.nation, self.order)
        if isinstance(start, Note):
            return start
        self.start = start
        if is_cut_off(self.turn, start, self.nation):
            return note("E12", **at)
        if self._is_blockaded():
            return note("E20", **at)
        going = muster(self.turn, start, self.nation, self.order, may_go=self._may_go)
        if isinstance(going, Note):
            return going
        if (too_many := two_transports(self.turn, going, self.order)) is not None:
            return note("E17", problem=too_many)
        self.going = going
        self.warnings = cuts(self.turn, self._asked_of_those_with_legs(), going)
        while True:
            if start.is_sea and not can_stay_at_sea(self.turn, without(start.of(self.nation), self.going)):
                return note("E19", **at)
            way = self._walk()
            if isinstance(way, Note):
                return way
            self.way = way
            error = self._may_not_end()
            surplus = 0 if error else self._surplus_generals()
            if not surplus:
                return error
            self._leave_generals(surplus)
            if not self.going:
                return note("E15", problem=phrase("problem.general_alone", **at))

    def _is_blockaded(self) -> bool:
        """Whether enemies assault the start with at least the defenders' numbers. Source: rules 5.1"""
        assault = self.turn.assaults.get(self.start.cell)
        if assault is None or self.start.owner != self.nation:
            return False
        return self.turn.strength(assault.units) >= self.turn.strength(self.start.of(self.nation))

    def _may_go(self, troop: Troop) -> bool:
        """Ships can be put ashore from the sea, but can't march on land. Source: ruling K-29"""
        return troop.land_move > 0 or (troop.is_ship and self.start.is_sea)

    def _asked_of_those_with_legs(self) -> dict[Symbol, int]:
        """What the order names, except ships on land, for which there is a separate warning."""
        return {
            symbol: number
            for symbol, number in self.order.troops
            if self.start.is_sea or not self.turn.troop(symbol).is_ship
        }

    # The path

    def _walk(self) -> _Way | Note:
        """Move step by step, until the order, the points or a province end the move. Source: rules 5.1; ruling K-22"""
        way = _Way(self.start, self.start)
        path = self.order.path[:1] if self._lands_ships() else self.order.path
        points, out_of = self._movement_points(), "points"
        for number, direction in enumerate(path, 1):
            if points <= 0:
                way.stop = out_of
                return way
            area = self._next(way, direction, is_last=number == len(path))
            if isinstance(area, Note):
                if number == 1:
                    return area
                way.stop = _BARRIERS[area.code]
                return way
            way.previous, way.end = way.end, area
            points -= area.terrain.move
            if self._is_stopped(way):
                points, out_of = 0, "enemy"
        if len(path) < len(self.order.path):
            way.stop = "ashore"
        return way

    def _movement_points(self) -> int:
        """The rate of the slowest units, or of the fastest with a general. Ships alone need no points.

        Source: rules 2.1, 5.1, K-29
        """
        walkers = [troop for symbol in self.going if not (troop := self.turn.troop(symbol)).is_ship]
        pick = max if any(troop.is_general for troop in walkers) else min
        return pick((troop.land_move for troop in walkers), default=1)

    def _lands_ships(self) -> bool:
        return any(self.turn.troop(symbol).is_ship for symbol in self.going)

    def _next(self, way: _Way, direction: Direction, *, is_last: bool) -> Area | Note:
        """The province to which a step leads, or why it can't be made. Source: rules 5.1; ruling K-26"""
        cell = self.turn.grid.step(way.end.cell, direction)
        if cell is None:
            return over_the_edge(self.turn, way.end.cell, direction)
        area = self.turn.areas[cell]
        x, y = self.turn.grid.xy(cell)
        if area.is_sea:
            return note("E15", problem=phrase("problem.sea_ahead", x=x, y=y))
        owner = self._owner(area, way)
        if owner == self.nation:
            return area
        assault = self.turn.assaults.get(cell)
        if assault is not None and assault.attacker != self.nation and not (is_last and self._helps(owner, assault)):
            return note("E20", x=x, y=y)
        if self._is_ally(owner) and self.turn.own_status(owner, self.nation) < PASSAGE:
            return self._no_friend(owner)
        return area

    def _owner(self, area: Area, way: _Way) -> PowerId | None:
        """The owner of a province when the stack gets there: it owns what it took on the way."""
        return self.nation if area.cell in way.taken else area.owner

    def _is_ally(self, other: PowerId | None) -> TypeGuard[PowerId]:
        """Whether the nation may not attack another: its own status decides. Source: ruling K-26"""
        return self.turn.own_status(self.nation, other) >= PASSAGE

    def _helps(self, owner: PowerId | None, assault: Assault) -> bool:
        """Whether it may join others' battle: on the owner's side, or against a nation that it may attack.

        Source: rules 9.2; K-23
        """
        if self._is_ally(owner):
            return self.turn.mutual(self.nation, owner) == MOST_STATUS
        return self.turn.mutual(self.nation, assault.attacker) == MOST_STATUS

    def _is_stopped(self, way: _Way) -> bool:
        """Whether the province just entered ends the move; an empty one is taken in passing.

        Source: rules 5.1; rulings K-25, K-55.
        """
        area = way.end
        assault = self.turn.assaults.get(area.cell)
        owner = self._owner(area, way)
        if owner == self.nation or self._is_ally(owner):
            return assault is not None
        if assault is not None:
            return self.turn.strength(assault.units) < 2 * self.turn.strength(area.of(owner))
        if area.units:
            return True
        # Rulings K-56 and K-57: what was taken this turn stays with its taker, and ships alone take nothing.
        if area.taken_by is None and self.turn.strength(self.going):
            way.taken.append(area.cell)
        return False

    # Where it ends

    def _may_not_end(self) -> Note | None:
        """Why the stack can't end its move there. Source: rules 9.2; rulings K-26, K-57"""
        owner = self._owner(self.way.end, self.way)
        if owner == self.nation:
            return None
        if self._is_ally(owner):
            status = self.turn.mutual(self.nation, owner)
            if status == MOST_STATUS:
                return None
            return self._no_friend(owner) if status < PASSAGE else note("E08", problem=too_low(status, MOST_STATUS))
        if not self.turn.strength(self.going):
            x, y = self.turn.grid.xy(self.way.end.cell)
            return note("E15", problem=phrase("problem.ships_alone", x=x, y=y))
        return None

    def _no_friend(self, owner: PowerId) -> Note:
        """Why a march against a nation fails if only the mover's own status to it is raised. Source: rules 9.2"""
        own, name = self.turn.own_status(self.nation, owner), self.turn.realms[owner].name
        return note("E08", problem=phrase("problem.one_sided", nation=name, status=own))

    def _surplus_generals(self) -> int:
        """How many generals must stay, since no army has two. Source: ruling K-28"""
        area, assault = self.way.end, self.turn.assaults.get(self.way.end.cell)
        owner = self._owner(area, self.way)
        if owner == self.nation or self._is_ally(owner):
            there: Units = area.of(owner)
            if area is self.start:
                there = without(there, self.going)
        else:
            there = {} if assault is None else assault.units
        return max(0, self._generals(self.going) + min(1, self._generals(there)) - 1)

    def _generals(self, units: Units) -> int:
        return sum(number for symbol, number in units.items() if self.turn.troop(symbol).is_general)

    def _leave_generals(self, number: int) -> None:
        self.generals_left += number
        for symbol in [symbol for symbol in self.going if self.turn.troop(symbol).is_general]:
            staying = min(number, self.going[symbol])
            self.going = without(self.going, {symbol: staying})
            number -= staying

    # Doing it

    def carry_out(self) -> list[Note]:
        """Move the stack as it was worked out.

        Returns:
            The warnings about the order.
        """
        for symbol, number in self.going.items():
            self.start.take(self.nation, symbol, number)
        for cell in self.way.taken:
            # The first to walk into an empty province owns it for the rest of the turn. Source: rules 2.2, 5.1
            occupy(self.turn, self.turn.areas[cell], self.nation)
            self.turn.areas[cell].taken_by = self.nation
        self.turn.ends[self.nation, self.line.number] = self.way.end.cell
        warnings = [*self.warnings, *self._behind(), *halted(self.way.stop)]
        if self._arrive():
            x, y = self.turn.grid.xy(self.way.end.cell)
            warnings.append(note("W06", x=x, y=y))
        return [*warnings, *deserted(self.turn, self.start, self.nation)]

    def _behind(self) -> list[Note]:
        ships = [symbol for symbol, _ in self.order.troops if self.turn.troop(symbol).is_ship]
        behind = [] if self.start.is_sea else [note("W04", troop=self.turn.troop(symbol).name) for symbol in ships]
        return [*behind, note("W03")] if self.generals_left else behind

    def _arrive(self) -> bool:
        """Join own units there, serve an ally, or attack; returns the stack in the last case."""
        area = self.way.end
        if area.owner == self.nation:
            for symbol, number in self.going.items():
                area.put(self.nation, symbol, number, Spent.LAND_MOVED)
            area.mark_all(self.nation, Spent.LAND_MOVED)
        elif self._is_ally(area.owner):
            for symbol, number in self.going.items():
                area.put(area.owner, symbol, number, Spent.LAND_MOVED)
            area.mark_all(area.owner, Spent.LAND_MOVED)  # ruling K-60
            self._give(area, area.owner)
        else:
            self._attack(area)
            return True
        return False

    def _attack(self, area: Area) -> None:
        assault = self.turn.assaults.setdefault(area.cell, Assault(area.cell, self.nation))
        helped = assault.attacker if assault.attacker != self.nation else None
        tactic = Tactic.STANDARD if self.start.is_sea else self.start.tactic
        assault.stacks.append(
            Stack(
                nation=assault.attacker,
                origin=self.start.cell,
                previous=(self.start if self._is_ally(self.way.previous.owner) else self.way.previous).cell,
                units=dict(self.going),
                tactic=self.order.tactic or tactic,
                is_named=self.order.tactic is not None,
                is_amphibious=self.start.is_sea,
                line=self.line,
                given_by=self.nation if helped else None,
            )
        )
        if helped:
            self._give(area, helped)

    def _give(self, area: Area, ally: PowerId) -> None:
        """Units that end with an ally belong to that ally for good. Source: rules 9.2; ruling K-27"""
        for symbol, number in in_list_order(self.turn.rules, self.going).items():
            self.turn.note_units(self.nation, symbol, -number, "given")
            self.turn.note_units(ally, symbol, number, "given")
        tell(self.turn, "given", area.cell, nation=self.nation, ally=ally, units=self.going)


_BARRIERS = {"E03": "edge", "E15": "sea", "E20": "assault", "E08": "alliance"}
"""The reason for which a march stopped, by the error that it would have been at the first step."""
