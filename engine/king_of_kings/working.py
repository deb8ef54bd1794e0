"""The turn while it is carried out: the one value that every step works on.

It begins as a copy of a State (`Turn.open`), collects remarks on orders (`remark`), what happens (`tell`) and
what is earned and spent (`book`), and ends as the next State (`close`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import zip_longest
from typing import Any, TypeVar

from engine.core.dice import Streams
from engine.core.events import Event
from engine.core.identity import cached_by_identity
from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.core.play import Over
from engine.king_of_kings.model import (
    Ending,
    Line,
    March,
    Nation,
    Options,
    Order,
    Pass,
    Province,
    Rulebook,
    Sail,
    State,
    Symbol,
    Tactic,
    Terrain,
    Troop,
    Units,
)
from engine.lattice.squares import Cell, Grid

Kind = TypeVar("Kind", bound=Order)


class Spent(StrEnum):
    """What a unit has done this turn. Source: rules 1, 5. Unmarked units have done nothing."""

    PLACED = "placed"
    SEA_MOVED = "sea_moved"
    LAND_MOVED = "land_moved"


@dataclass(slots=True)
class Realm:
    """A nation during a turn; `points` are the victory points of the turn so far (`turn_vp`, rules 6.3)."""

    id: PowerId
    name: str
    number: int
    is_monsters: bool
    gold: int
    wood: int
    food: int
    fame: int
    credits: int
    missed: int
    status: dict[PowerId, int]
    eliminated: int | None
    points: int = 0

    @property
    def is_alive(self) -> bool:
        """Whether the nation still takes part."""
        return self.eliminated is None


@dataclass(slots=True)
class Stack:
    """Units of one nation that attack a land province together.

    Args:
        nation: the owner now; `given_by` is the ally who lent them (ruling K-27).
        origin: the start province of the order.
        previous: the province before the last step, to which they would retreat.
        units: how many of each type; ships of a landing too.
        tactic: as ordered, or that of the start province.
        is_named: whether the order named the tactic.
        line: the line that sent them; `None` for what the server adds.
    """

    nation: PowerId
    origin: Cell
    previous: Cell
    units: dict[Symbol, int]
    tactic: Tactic
    is_named: bool
    is_amphibious: bool
    line: Line | None = None
    given_by: PowerId | None = None


@dataclass(slots=True)
class Assault:
    """A land province under attack; the first stack opened the assault. Assaults are kept in order of opening."""

    cell: Cell
    attacker: PowerId
    stacks: list[Stack] = field(default_factory=list)

    @property
    def units(self) -> dict[Symbol, int]:
        """The units of all the stacks together."""
        return together(self.stacks)


def together(stacks: Iterable[Stack]) -> dict[Symbol, int]:
    """The units of stacks together, by type."""
    units: Counter[Symbol] = Counter()
    for stack in stacks:
        units.update(stack.units)
    return dict(units)


@dataclass(slots=True)
class Area:
    """A cell during a turn. Attackers are not in `units` but in the stacks of its assault.

    Args:
        units: those there, by nation and type; neither has empty entries.
        marks: how many of them have each mark; the others are unmarked.
        is_isolated: as found at the start of the turn.
        is_built: a BUILD was carried out here this turn.
        is_reinforced: a land unit was placed here this turn.
        taken_by: the nation that took it by walking in this turn (ruling K-56).
        is_starved: hunger took units of the owner from here this turn (ruling K-46).
    """

    cell: Cell
    terrain: Terrain
    name: str | None
    owner: PowerId | None
    loyal_to: PowerId | None
    home_of: PowerId | None
    tactic: Tactic
    units: dict[PowerId, dict[Symbol, int]]
    marks: dict[PowerId, dict[Symbol, dict[Spent, int]]] = field(default_factory=dict)
    is_isolated: bool = False
    is_built: bool = False
    is_reinforced: bool = False
    taken_by: PowerId | None = None
    is_starved: bool = False

    @property
    def is_sea(self) -> bool:
        """Whether the area is sea."""
        return self.terrain.is_sea

    def of(self, nation: PowerId | None) -> Mapping[Symbol, int]:
        """What a nation has there; empty for nobody."""
        return self.units.get(nation, _NOTHING) if nation is not None else _NOTHING

    def count(self, nation: PowerId, symbol: Symbol) -> int:
        """How many of a type a nation has there."""
        return self.of(nation).get(symbol, 0)

    def marked(self, nation: PowerId, symbol: Symbol, *marks: Spent) -> int:
        """How many of a type have one of these marks."""
        found = self.marks.get(nation, _NO_MARKS).get(symbol, _NO_COUNTS)
        return sum(found.get(mark, 0) for mark in marks)

    def put(self, nation: PowerId, symbol: Symbol, amount: int, mark: Spent | None = None) -> None:
        """Put units here."""
        if amount <= 0:
            return
        here = self.units.setdefault(nation, {})
        here[symbol] = here.get(symbol, 0) + amount
        if mark is not None:
            found = self.marks.setdefault(nation, {}).setdefault(symbol, {})
            found[mark] = found.get(mark, 0) + amount

    def take(self, nation: PowerId, symbol: Symbol, amount: int, *marks: Spent | None) -> None:
        """Take units away. They must be there.

        Args:
            marks: which go first (`None`: unmarked ones); by default unmarked ones, then those that moved.
        """
        here = self.units[nation]
        left = amount
        for mark in marks or _TAKING_ORDER:
            found = self.marks.get(nation, {}).get(symbol, {})
            there = here[symbol] - sum(found.values()) if mark is None else found.get(mark, 0)
            taken = min(left, there)
            if not taken:
                continue
            here[symbol] -= taken
            left -= taken
            if mark is not None:
                found[mark] -= taken
        assert not left, "more units taken than there are"
        if not here[symbol]:
            del here[symbol]
        if not here:
            del self.units[nation]
            self.marks.pop(nation, None)

    def mark_all(self, nation: PowerId, mark: Spent) -> None:
        """Mark everything a nation has here; units that moved by land keep that mark, as placed units do at sea."""
        kept = _KEPT[mark]
        for symbol, amount in self.of(nation).items():
            found = self.marks.setdefault(nation, {}).setdefault(symbol, {})
            before = {each: found[each] for each in kept if found.get(each)}
            found.clear()
            found.update(before)
            found[mark] = found.get(mark, 0) + amount - sum(before.values())

    def clear(self, nation: PowerId) -> dict[Symbol, int]:
        """Take away everything a nation has here, and return it."""
        self.marks.pop(nation, None)
        return self.units.pop(nation, {})


_NOTHING: Mapping[Symbol, int] = {}
_NO_MARKS: Mapping[Symbol, Mapping[Spent, int]] = {}
_NO_COUNTS: Mapping[Spent, int] = {}
_TAKING_ORDER = (None, Spent.SEA_MOVED, Spent.PLACED, Spent.LAND_MOVED)
_KEPT: Mapping[Spent, tuple[Spent, ...]] = {
    Spent.PLACED: (Spent.LAND_MOVED, Spent.SEA_MOVED),
    Spent.SEA_MOVED: (Spent.LAND_MOVED, Spent.PLACED),
    Spent.LAND_MOVED: (),
}


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark on a line, or on one part of it. Source: rules 4.2.

    Args:
        line: `None` if it concerns no line (line 0 in results).
        part: of a PLA or a DEF, from 1.
        code: an error `E06` (the order, or the part, failed) or a warning `W01`; the words are the phrases
            `error.E06` and `warning.W01` with `args`.
    """

    nation: PowerId
    line: Line | None
    part: int | None
    code: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Booking:
    """What a nation gained (more than 0) or lost, with the reason, as the dry run of a sheet explains it.

    Args:
        what: `gold`, `wood`, `food`, `fame`, or the symbol of a troop type.
        why: a word: `build`, `place`, `harvest`.
        line: the order that it was booked for.
    """

    nation: PowerId
    what: str
    amount: int
    why: str
    line: Line | None = None


@dataclass(slots=True)
class Turn:
    """Everything that a turn works on.

    Args:
        areas: one for each cell, in map order.
        realms: by id, in the order of their numbers.
        sheets: the lines of each nation that has a sheet, in written order; the server's own for the absent.
        sent: the nations that sent a sheet.
        dice: the turn's streams; `None` in a dry run, which needs none.
        playing_order: the living nations, in the order drawn (ruling K-07).
        assaults: land provinces under attack, in order of first assault.
        ends: where the units of a SEA or LAND line ended their move, by nation and the line's number.
    """

    state: State
    grid: Grid
    rules: Rulebook
    options: Options
    areas: list[Area]
    realms: dict[PowerId, Realm]
    sheets: dict[PowerId, tuple[Line, ...]]
    sent: frozenset[PowerId]
    dice: Streams | None
    playing_order: tuple[PowerId, ...] = ()
    assaults: dict[Cell, Assault] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    ledger: list[Booking] = field(default_factory=list)
    ends: dict[tuple[PowerId, int], Cell] = field(default_factory=dict)
    ending: Ending | None = None
    over: Over | None = None

    @classmethod
    def open(cls, state: State, sheets: Mapping[PowerId, Sequence[Line]], dice: Streams | None) -> Turn:
        """A turn about to begin. Sheets of Monsters, of the fallen and of nobody are not read."""
        realms = {nation.id: _realm(nation) for nation in state.nations.values()}
        read = {
            realm.id: _numbered(sheets[realm.id])
            for realm in realms.values()
            if realm.id in sheets and state.is_played(realm.id)
        }
        areas = [Area(*fields, _copied(units)) for fields, units in _areas(state)]
        return cls(
            state=state,
            grid=state.grid,
            rules=state.rules,
            options=state.options,
            areas=areas,
            realms=realms,
            sheets=read,
            sent=frozenset(read),
            dice=dice,
        )

    def close(self) -> State:
        """The position after the turn: for the next turn, or the final one if the game ended."""
        return State(
            seed=self.state.seed,
            options=self.state.next_options or self.options,
            rules=self.rules,
            turn=self.state.turn + (self.over is None),
            nations={realm.id: _nation(realm) for realm in self.realms.values()},
            width=self.state.width,
            provinces=tuple(
                _province(area, before, self.rules)
                for area, before in zip(self.areas, self.state.provinces, strict=True)
            ),
            ending=self.ending,
            over=self.over,
        )

    # Looking things up

    def area(self, x: int, y: int) -> Area | None:
        """The cell at coordinates; `None` off the map."""
        cell = self.grid.find(x, y)
        return None if cell is None else self.areas[cell]

    def beside(self, cell: Cell) -> Iterator[Area]:
        """The cells next to one, in the order N, S, E, W."""
        return (self.areas[near] for near in self.grid.neighbours[cell])

    def is_coastal(self, cell: Cell) -> bool:
        """Whether there is sea next to it."""
        return any(area.is_sea for area in self.beside(cell))

    def living(self) -> Iterator[Realm]:
        """The nations that take part, in the order of their numbers; Monsters too."""
        return (realm for realm in self.realms.values() if realm.is_alive)

    def own_status(self, nation: PowerId, to: PowerId | None) -> int:
        """A nation's own status to another; 0 to nobody."""
        return self.realms[nation].status.get(to, 0) if to is not None else 0

    def mutual(self, one: PowerId, other: PowerId) -> int:
        """The lower of the two statuses: 0 hostile, from 1 allied."""
        return min(self.own_status(one, other), self.own_status(other, one))

    def is_hostile(self, one: PowerId, other: PowerId) -> bool:
        """Whether the lower of the two statuses is 0."""
        return one != other and not self.mutual(one, other)

    def find_other(self, nation: PowerId, token: str) -> Realm | None:
        """The living nation that an order names, other than its own nation. Otherwise the order fails with E11."""
        found = self.state.find_nation(token)
        if found is None or found.id == nation or not self.realms[found.id].is_alive:
            return None
        return self.realms[found.id]

    def troop(self, symbol: Symbol) -> Troop:
        """The troop type of a letter."""
        return self.rules.troops[symbol]

    def strength(self, units: Mapping[Symbol, int]) -> int:
        """How many combat units there are. Source: ruling K-24."""
        return sum(amount for symbol, amount in units.items() if self.rules.troops[symbol].is_combat)

    def has_general(self, units: Mapping[Symbol, int]) -> bool:
        """Whether there is a general among the units."""
        return any(self.rules.troops[symbol].is_general for symbol in units)

    # Lines, in the order in which they are carried out (rulings K-07, K-08)

    def lines(self, kind: type[Kind]) -> Iterator[tuple[PowerId, Line, Kind]]:
        """The lines of a kind, nation by nation in playing order."""
        for nation in self.playing_order:
            yield from self._own(nation, kind)

    def moves(self, kind: type[Sail] | type[March]) -> Iterator[tuple[PowerId, Line, Any]]:
        """The SEA or LAND lines: every nation's first, then every second one, …, or nation by nation."""
        if self.options.interleave != "round_robin":
            yield from self.lines(kind)
            return
        columns = [list(self._own(nation, kind)) for nation in self.playing_order]
        for row in zip_longest(*columns):
            yield from (given for given in row if given is not None)

    def _own(self, nation: PowerId, kind: type[Kind]) -> Iterator[tuple[PowerId, Line, Kind]]:
        for line in self.sheets.get(nation, ()):
            if isinstance(line.order, kind):
                yield nation, line, line.order

    # Ownership

    def seize(self, area: Area, nation: PowerId) -> None:
        """A province changes its owner in any way except by cession. Source: rules 9.1; ruling K-21.

        Its tactic becomes the standard one. Its people stay loyal to the nation they followed; people without one
        follow at once.
        """
        area.owner = nation
        area.tactic = Tactic.STANDARD
        if area.loyal_to is None or not self.options.loyalty:
            area.loyal_to = nation

    # Records

    def remark(self, nation: PowerId, line: Line | None, code: str, *, part: int | None = None, **args: Any) -> None:
        """Remark on a line: an error (`E…`) or a warning (`W…`)."""
        self.remarks.append(Remark(nation, line, part, code, args))

    def tell(self, code: str, **args: Any) -> None:
        """Report to everybody what happened; the words are the phrase `event.<code>`."""
        self.events.append(Event(phrase(f"event.{code}", **args)))

    def tell_phrase(self, what: Phrase) -> None:
        """Report a finished phrase to everybody."""
        self.events.append(Event(what))

    def book(self, nation: PowerId, what: str, amount: int, why: str, *, line: Line | None = None) -> None:
        """Change a nation's `gold`, `wood`, `food` or `fame`, and keep the entry."""
        if amount:
            realm = self.realms[nation]
            setattr(realm, what, getattr(realm, what) + amount)
            self.ledger.append(Booking(nation, what, amount, why, line))

    def note_units(self, nation: PowerId, symbol: Symbol, amount: int, why: str) -> None:
        """Keep an entry for units that came (more than 0) or went; the caller moves them."""
        if amount:
            self.ledger.append(Booking(nation, symbol, amount, why))


Step = Callable[[Turn], None]


def _realm(nation: Nation) -> Realm:
    return Realm(
        id=nation.id,
        name=nation.name,
        number=nation.number,
        is_monsters=nation.is_monsters,
        gold=nation.gold,
        wood=nation.wood,
        food=nation.food,
        fame=nation.fame,
        credits=nation.credits,
        missed=nation.missed,
        status=dict(nation.status),
        eliminated=nation.eliminated,
    )


def _nation(realm: Realm) -> Nation:
    return Nation(
        id=realm.id,
        name=realm.name,
        number=realm.number,
        is_monsters=realm.is_monsters,
        gold=realm.gold,
        wood=realm.wood,
        food=realm.food,
        fame=realm.fame,
        credits=realm.credits,
        missed=realm.missed,
        status={other: status for other, status in sorted(realm.status.items()) if status},
        eliminated=realm.eliminated,
    )


_Fields = tuple[Cell, Terrain, str | None, PowerId | None, PowerId | None, PowerId | None, Tactic]


@cached_by_identity
def _areas(state: State) -> Sequence[tuple[_Fields, Mapping[PowerId, Units]]]:
    """The starting values of each cell's `Area`. Many turns are rehearsed from one position.

    Without the option `loyalty` the people follow the owner, whatever the document says. Source: rules 9.
    """
    return [
        (
            (
                Cell(cell),
                state.rules.terrain[province.terrain],
                province.name,
                province.owner,
                province.loyal_to if state.options.loyalty else province.owner,
                province.home_of,
                province.tactic,
            ),
            province.units,
        )
        for cell, province in enumerate(state.provinces)
    ]


def _copied(units: Mapping[PowerId, Units]) -> dict[PowerId, dict[Symbol, int]]:
    return {nation: dict(counts) for nation, counts in units.items()} if units else {}


def _province(area: Area, before: Province, rules: Rulebook) -> Province:
    after = Province(
        terrain=area.terrain.name,
        name=area.name,
        owner=area.owner,
        loyal_to=area.loyal_to,
        home_of=area.home_of,
        tactic=area.tactic,
        units={nation: in_list_order(rules, units) for nation, units in sorted(area.units.items()) if units},
    )
    return before if after == before else after


def in_list_order(rules: Rulebook, units: Mapping[Symbol, int]) -> dict[Symbol, int]:
    """The units in the order of the troop list, without empty entries."""
    return {symbol: units[symbol] for symbol in rules.troops if units.get(symbol)}


def _numbered(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines in written order, each with its number; a line that has none is numbered by its place.

    A PASS without a number was not written: it means a sheet without lines. Source: ruling K-80
    """
    written = [line for line in lines if line.number or not isinstance(line.order, Pass)]
    given = [line if line.number else replace(line, number=place) for place, line in enumerate(written, 1)]
    return tuple(sorted(given, key=lambda line: line.number))
