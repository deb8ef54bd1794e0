"""Phase 6: sea movement, one SEA order at a time; each sea battle is fought when it arises.

Source: rules 4.3, 5.2
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.king_of_kings.model import Line, Sail, Symbol, Troop, Units
from engine.king_of_kings.narrative import place, tell
from engine.king_of_kings.steps.muster import (
    SHIPS_PER_HAND,
    Note,
    can_stay_at_sea,
    cuts,
    deserted,
    halted,
    hands,
    has_crew,
    is_cut_off,
    muster,
    note,
    occupy,
    over_the_edge,
    passengers,
    room_left,
    say,
    start_of,
    transports,
    two_transports,
    without,
)
from engine.king_of_kings.steps.sea_battle import SeaBattleEnd, fight_at_sea, has_fleet
from engine.king_of_kings.working import Area, Spent, Turn

DETECTION = 10
"""The chance in percent that a ship sees a passing fleet. Source: rules 5.2"""


def sail(turn: Turn) -> None:
    """Carry out all SEA orders."""
    for nation, line, order in turn.moves(Sail):
        error = _Sailing(turn, nation, line, order).carry_out()
        if error is not None:
            say(turn, nation, line, [error])


@dataclass(frozen=True, slots=True)
class _Course:
    """The sea areas that a fleet will enter; `stop`: why it can't follow all directions, as a word."""

    areas: list[Area]
    stop: str | None = None


class _Sailing:
    """One SEA order."""

    start: Area
    going: dict[Symbol, int]

    def __init__(self, turn: Turn, nation: PowerId, line: Line, order: Sail) -> None:
        self.turn, self.nation, self.line, self.order = turn, nation, line, order

    def carry_out(self) -> Note | None:
        """Sail, and fight there; an error if the order can't be carried out, in which case nothing happens."""
        at = {"x": self.order.x, "y": self.order.y}
        start = start_of(self.turn, self.nation, self.order)
        if isinstance(start, Note):
            return start
        self.start = start
        if not start.is_sea and not self.turn.is_coastal(start.cell):
            return note("E15", problem=phrase("problem.inland", **at))
        if is_cut_off(self.turn, start, self.nation):
            return note("E12", **at)
        going = muster(self.turn, start, self.nation, self.order, may_go=lambda troop: not troop.is_static)
        if isinstance(going, Note):
            return going
        going = self._embarking(going)
        if (overload := self._overload(going)) is not None:
            return note("E17", problem=overload)
        self.going = self._man_ships(going)
        if not has_crew(self.turn, self.going):
            return note("E18", **at)
        if start.is_sea and not can_stay_at_sea(self.turn, without(start.of(self.nation), self.going)):
            return note("E19", **at)
        course = self._course()
        if isinstance(course, Note):
            return course
        self._go(course)
        return None

    # Who goes

    def _embarking(self, going: dict[Symbol, int]) -> dict[Symbol, int]:
        """The units that go, without those of AT for which there is no transport; named units are never left behind.

        Source: ruling K-94
        """
        if not self.order.takes_all:
            return going
        named = {symbol for symbol, _ in self.order.troops}
        has_ships = bool(transports(self.turn, going))
        carried = [troop for troop in passengers(self.turn, going) if troop.symbol not in named]
        helpless = {troop.symbol for troop in carried if not (has_ships and troop.is_crew)}
        return {symbol: number for symbol, number in going.items() if symbol not in helpless} or going

    def _overload(self, going: Units) -> Phrase | None:
        """Why the fleet can't carry its load: several kinds of transport, units that none carries, or no room.

        Source: rules 2.1
        """
        at = {"x": self.order.x, "y": self.order.y}
        ships, carried = transports(self.turn, going), passengers(self.turn, going)
        if (too_many := two_transports(self.turn, going, self.order)) is not None:
            return too_many
        helpless = next((troop for troop in carried if not troop.is_crew), None)
        if helpless is not None:
            return phrase("problem.not_carried", troop=helpless.name, **at)
        if carried and not ships:
            return phrase("problem.no_ships", **at)
        if (room := room_left(self.turn, going)) < 0:
            return phrase("problem.no_room_aboard", count=-room, **at)
        return None

    def _man_ships(self, going: dict[Symbol, int]) -> dict[Symbol, int]:
        """Reduce ships to those that the crew can sail; with no crew at all nothing is reduced. Source: ruling K-31"""
        crew = hands(self.turn, going)
        if not self.turn.options.crew or not crew:
            return going
        kinds = {troop.symbol for troop in transports(self.turn, going)}
        return {symbol: min(n, SHIPS_PER_HAND * crew) if symbol in kinds else n for symbol, n in going.items()}

    # Where to

    def _course(self) -> _Course | Note:
        """The course, as far as the directions, the sea and the fleet's speed allow. Source: rules 5.2"""
        areas: list[Area] = []
        here = self.start
        points = self._speed()
        for direction in self.order.path:
            if points <= 0:
                return _Course(areas, "points")
            cell = self.turn.grid.step(here.cell, direction)
            if cell is None or not self.turn.areas[cell].is_sea:
                if not areas:
                    if cell is None:
                        return over_the_edge(self.turn, here.cell, direction)
                    at = {"x": self.order.x, "y": self.order.y}
                    return note("E15", problem=phrase("problem.land_ahead", **at))
                return _Course(areas, "edge" if cell is None else "land")
            here = self.turn.areas[cell]
            areas.append(here)
            points -= here.terrain.move
        return _Course(areas)

    def _speed(self) -> int:
        """The lowest speed of units that aren't carried. Source: rules 2.1"""
        carried = passengers(self.turn, self.going)
        troops: list[Troop] = [self.turn.troop(symbol) for symbol in self.going]
        return min(troop.sea_move for troop in troops if troop not in carried)

    # On the way

    def _go(self, course: _Course) -> None:
        for symbol, number in self.going.items():
            self.start.take(self.nation, symbol, number, None)
        end, previous, seen_by = self._sail_along(course)
        self.turn.ends[self.nation, self.line.number] = end.cell
        warnings = [
            *cuts(self.turn, dict(self.order.troops), self.going),
            *halted("seen" if seen_by is not None else course.stop),
            *deserted(self.turn, self.start, self.nation),
        ]
        say(self.turn, self.nation, self.line, warnings)
        for symbol, number in self.going.items():
            end.put(self.nation, symbol, number)
        end.mark_all(self.nation, Spent.SEA_MOVED)
        self._fight(end, previous, seen_by)

    def _sail_along(self, course: _Course) -> tuple[Area, Area, PowerId | None]:
        """Enter areas one by one. Returns the last one entered, the one before, and who saw and halted the fleet."""
        previous = end = self.start
        for number, area in enumerate(course.areas, 1):
            previous, end = end, area
            seen_by = self._find_out(area) if number < len(course.areas) else None
            if seen_by is not None:
                tell(self.turn, "seen", area.cell, nation=seen_by, other=self.nation)
                return end, previous, seen_by
            self._claim(area)
        return end, previous, None

    def _find_out(self, area: Area) -> PowerId | None:
        """The first hostile nation with a ship that sees the fleet pass. Source: rules 5.2; ruling K-32"""
        if self.turn.dice is None:
            return None
        stream = f"detect/{self.turn.grid.name(area.cell)}"
        for enemy in self._enemies(area):
            ships = sum(n for symbol, n in area.of(enemy).items() if self.turn.troop(symbol).is_ship)
            purpose = phrase("roll.detect", nation=enemy, place=place(self.turn, area.cell))
            if any(self.turn.dice.d100(stream, purpose) <= DETECTION for _ in range(ships)):
                return enemy
        return None

    def _enemies(self, area: Area) -> list[PowerId]:
        """The hostile nations with ships there, in the order of their numbers."""
        there = [n for n, units in area.units.items() if self.turn.is_hostile(self.nation, n)]
        return sorted(
            (nation for nation in there if has_fleet(self.turn, area.of(nation))),
            key=lambda nation: self.turn.realms[nation].number,
        )

    def _claim(self, area: Area) -> None:
        """Under `sea_ownership` an area without hostile ships goes to the fleet; not a friend's. Source: rules 12"""
        if not self.turn.options.sea_ownership or self._enemies(area):
            return
        if area.owner is None or self.turn.is_hostile(self.nation, area.owner):
            occupy(self.turn, area, self.nation)

    def _fight(self, end: Area, previous: Area, seen_by: PowerId | None) -> None:
        """Fight every hostile nation there, the one that saw the fleet first. Source: rulings K-32, K-61.

        A rehearsal, which has no dice, leaves the fleets as they are.
        """
        if self.turn.dice is None:
            return
        for enemy in sorted(self._enemies(end), key=lambda enemy: enemy != seen_by):
            outcome = fight_at_sea(self.turn, self.turn.dice, end, self.nation, enemy)
            if outcome is SeaBattleEnd.TURNS_BACK:
                for symbol, number in list(end.of(self.nation).items()):
                    if not self.turn.troop(symbol).is_static:
                        end.take(self.nation, symbol, number)
                        previous.put(self.nation, symbol, number, Spent.SEA_MOVED)
            if outcome is not SeaBattleEnd.LIVES:
                return
        self._claim(end)
