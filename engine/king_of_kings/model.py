"""Values of King of Kings: tables, position, orders and the view of them. All is frozen.

Inside a turn the position is worked on as a `working.Turn`; outside nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from engine.core.dice import ForcedRoll
from engine.core.ids import PowerId
from engine.core.play import Over
from engine.lattice.squares import Cell, Direction, Grid, grid_of

Symbol = NewType("Symbol", str)
"""The letter of a troop type: `F`."""
Units = Mapping[Symbol, int]
"""How many there are of each type, in the order of the troop list; types with 0 are left out."""
MONSTERS = PowerId("monsters")
"""The usual name of the nation without a player; any nation may be run by the server."""
BUILD_COST = 12
ORDER = "order"
"""The stream of the playing order."""
MOST_STATUS = 5


class Tactic(StrEnum):
    """How an army fights. Source: rules 2.3."""

    FRONTAL = "F"
    PINCER = "P"
    STANDARD = "T"
    OUTFLANK = "U"
    COUNTER = "C"


class Flag(StrEnum):
    """What a troop type can do besides. Source: rules 2.1."""

    PINCER = "pincer"
    TRANSPORT = "transport"
    CREW = "crew"
    GENERAL = "general"
    LAND_BOUND = "land_bound"


@dataclass(frozen=True, slots=True)
class Troop:
    """A troop type. Source: rules 2.1; ruling K-02.

    Args:
        symbol: its letter on the map and in documents.
        casualty_sea, casualty_land: its place in the order of acting and falling, from 1; 0: it doesn't fight there.
    """

    name: str
    symbol: Symbol
    hit_first: int = 0
    hit_later: int = 0
    armour: int = 0
    land_move: int = 0
    sea_move: int = 0
    food: int = 0
    gold: int = 0
    wood: int = 0
    casualty_sea: int = 0
    casualty_land: int = 0
    morale_bonus: int = 0
    hit_bonus: int = 0
    flags: frozenset[Flag] = frozenset()

    @property
    def keyword(self) -> str:
        """The two letters by which orders call it: `FO`."""
        return self.name[:2].upper()

    @property
    def is_combat(self) -> bool:
        """Whether it fights on land; in the standard list all types except ships."""
        return self.casualty_land > 0

    @property
    def is_static(self) -> bool:
        """Whether it can't move at all: castles."""
        return self.land_move == self.sea_move == 0

    @property
    def is_ship(self) -> bool:
        """Whether it moves by sea and never by land."""
        return self.sea_move > 0 and self.land_move == 0

    @property
    def is_amphibious(self) -> bool:
        """Whether it moves by sea and by land on its own."""
        return self.sea_move > 0 and self.land_move > 0

    @property
    def is_general(self) -> bool:
        """Whether it leads an army, which then marches faster and hits more."""
        return Flag.GENERAL in self.flags

    @property
    def is_pincer(self) -> bool:
        """Whether it makes a pincer attack possible."""
        return Flag.PINCER in self.flags

    @property
    def is_transport(self) -> bool:
        """Whether it carries passengers, at sea only. Source: ruling K-95."""
        return Flag.TRANSPORT in self.flags and self.sea_move > 0

    @property
    def is_land_bound(self) -> bool:
        """Whether it is never placed at sea, although it can't move: the standard castle. Source: ruling K-14."""
        return Flag.LAND_BOUND in self.flags

    @property
    def is_crew(self) -> bool:
        """Whether it can man ships."""
        return Flag.CREW in self.flags

    @property
    def value(self) -> int:
        """The victory points for one unit.

        Source: rules 6.3; ruling K-41 (a general without a price counts like a horseman).
        """
        price = self.gold + self.wood
        return GENERAL_VALUE if self.is_general and not price else price


GENERAL_VALUE = 12


@dataclass(frozen=True, slots=True)
class Terrain:
    """A kind of land, or the sea. Source: rules 2.2.

    Args:
        name: one word in lower case: `plains`.
        letter: its sign in a document's map.
        cap: the highest chance of an attacker there, before generals and tactics; `None`: no limit.
    """

    name: str
    letter: str
    food: int = 0
    gold: int = 0
    wood: int = 0
    move: int = 1
    cap: int | None = None
    is_sea: bool = False


@dataclass(frozen=True, slots=True)
class Improvement:
    """What a BUILD can make of a terrain, and its chance in percent. Source: rules 2.5."""

    percent: int
    to: str


@dataclass(frozen=True, slots=True, eq=True)
class Rulebook:
    """The tables that a game is played with; a scenario may replace each.

    Args:
        troops: by symbol, in the order of the troop list.
        terrain: by name.
        tactics: modifiers of attacker and defender, by their tactics (the attacker's first).
        build: by the name of a terrain; `None`: it can't be improved.
    """

    troops: Mapping[Symbol, Troop]
    terrain: Mapping[str, Terrain]
    tactics: Mapping[tuple[Tactic, Tactic], tuple[int, int]]
    build: Mapping[str, Improvement | None]

    def keyword(self, word: str) -> Troop | None:
        """The type with the first two letters of a word as its name; `None` if there is none."""
        head = word[:2].upper()
        return next((troop for troop in self.troops.values() if troop.keyword == head), None)

    def land_order(self) -> tuple[Troop, ...]:
        """The types that fight on land, in casualty order."""
        return tuple(sorted((t for t in self.troops.values() if t.casualty_land), key=lambda t: t.casualty_land))

    def sea_order(self) -> tuple[Troop, ...]:
        """The types that fight at sea, in casualty order."""
        return tuple(sorted((t for t in self.troops.values() if t.casualty_sea), key=lambda t: t.casualty_sea))


@dataclass(frozen=True, slots=True)
class Options:
    """The options chosen when the game was created. Source: rules 12. `None`: no limit.

    Args:
        map_side: the side of a random map; 0: it grows with the number of nations.
        map: the generator that makes it: `classic`, `balanced` (ruling K-97) or `ring` (K-98).
    """

    build: bool = True
    loyalty: bool = False
    sea_ownership: bool = False
    place_and_move: bool = True
    crew: bool = True
    capture: bool = False
    sea_placement: bool = False
    home_placement: bool = False
    interleave: str = "round_robin"
    nmr: str = "classic"
    build_metropolis_collapse: bool = True
    storage_gold: int | None = 5
    storage_wood: int | None = 20
    storage_food: int | None = 0
    max_orders: int = 50
    general_turns: tuple[int, ...] = (3, 8, 13)
    max_generals: int = 3
    end_turn: int = 20
    fame_limit: int | None = None
    last_man_standing: bool = False
    map_side: int = 0
    map: str = "classic"


# The position


@dataclass(frozen=True, slots=True)
class Nation:
    """A nation between two turns.

    Args:
        id: its name in lower case; `name` as the document writes it.
        number: its place in the list, from 1.
        is_monsters: it has no player: the server gives its orders.
        credits: generals that wait to be placed.
        missed: turns in a row without a sheet.
        status: its own status to each other nation, 0 to 5.
        eliminated: the turn in which it fell; `None`: it is alive.
        article: whether a sentence says "the" before its name; `None`: if it is one of our own names, of peoples.
    """

    id: PowerId
    name: str
    number: int
    is_monsters: bool = False
    gold: int = 0
    wood: int = 0
    food: int = 0
    fame: int = 0
    credits: int = 0
    missed: int = 0
    status: Mapping[PowerId, int] = field(default_factory=dict)
    eliminated: int | None = None
    article: bool | None = None


@dataclass(frozen=True, slots=True)
class Province:
    """A cell between two turns.

    Args:
        terrain: the name of its terrain.
        loyal_to: the nation that its people follow; `None`: none.
        units: the units there, by nation; on land only the owner's. There are no empty entries.
    """

    terrain: str
    name: str | None = None
    owner: PowerId | None = None
    loyal_to: PowerId | None = None
    home_of: PowerId | None = None
    tactic: Tactic = Tactic.STANDARD
    units: Mapping[PowerId, Units] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rank:
    """A line of the final ranking; `average` is `None` for the eliminated. Source: rules 13; ruling K-54."""

    nation: PowerId
    place: int
    average: float | None
    fame: int
    gold: int
    might: int


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended: the reason as a word (`end_turn`), the winners and the ranking in order of place."""

    reason: str
    winners: tuple[PowerId, ...]
    ranking: tuple[Rank, ...]


@dataclass(frozen=True, slots=True)
class State:
    """A game between two turns.

    Args:
        turn: the turn whose orders are awaited.
        nations: in the order of their numbers, by id.
        width: of the board.
        provinces: one for each cell, in map order.
        dice: forced rolls of the coming turn, by stream.
        ending: how it ended, after the end.
        notes: the game master's changes since the last turn, as written.
        next_options: options from the next turn on, if the game master has changed them.
        is_excused: the coming turn counts as missed for nobody; no document holds it. Source: ruling K-99.
    """

    seed: str
    options: Options
    rules: Rulebook
    turn: int
    nations: Mapping[PowerId, Nation]
    width: int
    provinces: tuple[Province, ...]
    dice: Mapping[str, tuple[ForcedRoll, ...]] = field(default_factory=dict)
    ending: Ending | None = None
    over: Over | None = None
    notes: tuple[str, ...] = ()
    next_options: Options | None = None
    is_excused: bool = False

    @property
    def grid(self) -> Grid:
        """The geometry of the board."""
        return grid_of(self.width, len(self.provinces) // self.width)

    def at(self, x: int, y: int) -> Province:
        """The province at coordinates on the map."""
        return self.provinces[y * self.width + x]

    def find_nation(self, token: str) -> Nation | None:
        """The nation with a name, whatever its case, or with a number. Source: ruling K-75"""
        found = self.nations.get(PowerId(token.casefold()))
        if found is None and token.isascii() and token.isdecimal() and len(token) < 6:
            found = next((nation for nation in self.nations.values() if nation.number == int(token)), None)
        return found

    def is_played(self, nation: PowerId) -> bool:
        """Whether a player gives its orders: it lives, and is not run by the server."""
        found = self.nations.get(nation)
        return found is not None and found.eliminated is None and not found.is_monsters

    def owned(self, nation: PowerId) -> Iterator[Cell]:
        """The cells that a nation owns, in map order."""
        return (Cell(cell) for cell, province in enumerate(self.provinces) if province.owner == nation)


@dataclass(frozen=True, slots=True)
class View:
    """What a viewer may know of a State: all but the seed and the future dice.

    `viewer` is the nation whose orders are read.
    """

    state: State
    viewer: PowerId | None


# Orders. Whether a player or a place exists is tested when the order is carried out, not when it is read.


@dataclass(frozen=True, slots=True)
class Placing:
    """A part of a PLA."""

    x: int
    y: int
    troop: Symbol


@dataclass(frozen=True, slots=True)
class Place:
    """`PLA 7 18 FO 8 18 CA`."""

    parts: tuple[Placing, ...]


@dataclass(frozen=True, slots=True)
class Build:
    """`BUILD 7 18`."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Donate:
    """`DONATE blue 35`; `to` is a nation's id if there is one with that name or number, otherwise as written."""

    to: str
    gold: int


@dataclass(frozen=True, slots=True)
class Cede:
    """`CEDE 7 18 blue`; `to` as in `Donate`."""

    x: int
    y: int
    to: str


@dataclass(frozen=True, slots=True)
class Ally:
    """`ALL blue 2`; `to` as in `Donate`."""

    to: str
    status: int


@dataclass(frozen=True, slots=True)
class Name:
    """`NAME 7 18 New Rome`."""

    x: int
    y: int
    name: str


@dataclass(frozen=True, slots=True)
class Stance:
    """A part of a DEF."""

    x: int
    y: int
    tactic: Tactic


@dataclass(frozen=True, slots=True)
class Defend:
    """`DEF 7 18 C 8 18 F`."""

    parts: tuple[Stance, ...]


@dataclass(frozen=True, slots=True)
class Sail:
    """`SEA 12 7 BO 3 SH 3 W W S`.

    Args:
        takes_all: it contains `AT`.
        troops: amounts by type, in the order of the troop list; those of a type named twice are added.
        path: at least one direction.
    """

    x: int
    y: int
    takes_all: bool
    troops: tuple[tuple[Symbol, int], ...]
    path: tuple[Direction, ...]


@dataclass(frozen=True, slots=True)
class March:
    """`LAND 8 18 T AT FO 1 E E`; as `Sail`. `tactic`: `None` takes that of the start province."""

    x: int
    y: int
    tactic: Tactic | None
    takes_all: bool
    troops: tuple[tuple[Symbol, int], ...]
    path: tuple[Direction, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """`PASS`: a sheet without orders is a sheet too. It is not counted among the orders."""


Order = Place | Build | Donate | Cede | Ally | Name | Defend | Sail | March | Pass


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a sheet that could be read. Lines are compared only by what they order; `orders.line_of` makes them.

    Args:
        number: the line's number in the sheet, from 1; 0: not known, then its place in the sheet is used.
        canonical: the order's canonical text; troop types are written with the keywords of this game's list.
        text: as it was written.
    """

    order: Order
    number: int = field(default=0, compare=False)
    canonical: str = field(default="", compare=False)
    text: str = field(default="", compare=False)
