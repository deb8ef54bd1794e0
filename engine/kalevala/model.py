"""Values of Kalevala: the land, the position, and the view of it. All is frozen.

Inside a window the position is a `window.Window`, which changes; outside nothing does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias

from engine.core.dice import ForcedRoll
from engine.core.ids import PowerId
from engine.core.play import Over
from engine.kalevala.coordinates import Edge, GfId, Province, coordinate_of, order_of
from engine.kalevala.figures import NONE, Figures
from engine.kalevala.kings.facts import King
from engine.kalevala.tables import CENTRES, Centre

ORDERS_PART, DEEDS_PART = 1, 3
"""The parts of a great round that wait for sheets: P1, after which P2 is run, and P3, after which P4 is."""
FULL, GEOGRAPHY, NOTHING = "full", "geography", "none"
"""The possible results of an exploration. Source: rules 12.4"""
PLAIN_CELLS = "T" * 48
REALM, INVADER, SPECIAL, VACANT, MARAUDER = "realm", "invader", "special", "vacant", "marauder"
EXPECTED = "expected"
"""A place that is kept for a ruler who comes later. Ruling KA224"""
KINDS_OF_RULERS = (REALM, INVADER, SPECIAL, VACANT, MARAUDER, EXPECTED)
GOODS: tuple[str, ...] = ("On", "IP")
"""Culture goods of a ruler whose document names none. Source: rules 30.3"""
ALL_SPELLS = 14
EXPLORATION_UNITS = 6
ModuleData: TypeAlias = Mapping[str, Any]
"""Data of a module that doesn't exist yet; it is kept unchanged."""


# The land


@dataclass(frozen=True, slots=True)
class TradeCentre:
    """A trade centre, or the site of one. Source: rules 9.2

    Args:
        cell: where it is; `None`: whoever founds it chooses.
        is_founded: otherwise it is a site that yields nothing.
        plundered: the great round in which it was plundered; 0: never.
    """

    type: str
    cell: int | None = 19
    name: str = ""
    is_founded: bool = True
    plundered: int = 0

    @property
    def centre(self) -> Centre:
        """Its kind."""
        return CENTRES[self.type]


@dataclass(frozen=True, slots=True)
class Work:
    """A building, a wall, a bridge, a canal or a pass. Source: rules 27, 30.2

    Args:
        cell: where it is, or `edge` for a wall or a river bridge.
        gates: for a building; `has_gate` and `opens` for a wall.
        paid: the RE paid for an unfinished work; `None`: it is finished.
        banks: of a stream bridge.
        treasure: of a temple.
        damaged: the great round in which it was hit; 0: it is undamaged.
        broken: its gates that were broken, until it is repaired; for a wall, its own edge. Ruling KA77
        is_hard: a god has made its walls harder to hit.
        until: the great round at whose end a work made by a god is gone; 0: it stays. Source: rules 24.1
    """

    type: str
    cell: int | None = None
    edge: Edge | None = None
    gates: tuple[Edge, ...] = ()
    has_gate: bool = False
    opens: int | None = None
    hits: int = 0
    is_headquarters: bool = False
    is_palace: bool = False
    treasure: int = 0
    paid: int | None = None
    banks: tuple[int, ...] = ()
    damaged: int = 0
    broken: tuple[Edge, ...] = ()
    is_hard: bool = False
    until: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether there is nothing to repair."""
        return not (self.hits or self.damaged or self.broken)


@dataclass(frozen=True)
class GreatField:
    """The land of a great field. Source: rules 30.2

    Args:
        cells: 48 letters of terrain, `?` for what a viewer has not seen.
        parts: the parts made by battle or treaty; `None`: natural ones.
        seen_parts: in a view of a divided field, the numbers of the parts that are seen.
    """

    cells: str = PLAIN_CELLS
    rivers: frozenset[Edge] = frozenset()
    ascents: frozenset[Edge] = frozenset()
    flow: Mapping[int, str] = field(default_factory=dict)
    has_road: bool = False
    portal: GfId | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[tuple[int, ...], ...] | None = None
    centre: TradeCentre | None = None
    works: tuple[Work, ...] = ()
    seen_parts: Mapping[int, frozenset[int]] | None = None


PLAIN = GreatField()


# The rulers


@dataclass(frozen=True, slots=True)
class Wizard:
    """What a document says about a wizard; his ZEH are in the stack. Source: rules 19.5"""

    mortal: int = 0
    spells: int = ALL_SPELLS


@dataclass(frozen=True, slots=True)
class Given:
    """What has earned a ruler's god OEH in this great round. Source: rules R-076

    Args:
        letters: the receivers of letters that earned OEH.
        courier: OEH earned by pages of the courier.
    """

    letters: tuple[PowerId, ...] = ()
    courier: int = 0


REMEMBERED = 12
"""For how many great rounds a way that scouts found blocked is remembered; a bridge or pass may be built later."""


@dataclass(frozen=True, slots=True)
class Ruler:
    """A ruler between two windows. Source: rules 30.3

    Args:
        core: the core troops, as the code of their melee warriors.
        people: the plane of the people's arming.
        protected: the last great round of protection; 0: none.
        nmr: windows in a row without a sheet.
        silenced: the last great round in which their letters are not delivered; 0: none.
        leave: the great rounds of the last announced absence.
        sham: the name of the sham ruler; `None`: there is none.
        defend: standing defences by province, as written.
        has_left: the player has left during this window.
        was: the kind that a vacant one had, if it was not a realm; empty: a realm.
        scores: those of the last great rounds, at most an epoch of them.
        told: the last score that was announced to everybody; `None`: none yet.
        barred: the great round in which scouts found no way, by source and target as named.
        king, god: `None` if there is none.
        culture: the text that says who the people are; `is_described`: it has brought its OEH.
    """

    kind: str = REALM
    core: str = "L"
    goods: tuple[str, ...] = GOODS
    capital: Province | None = None
    people: int = 2
    protected: int = 0
    nmr: int = 0
    silenced: int = 0
    leave: tuple[int, ...] = ()
    sham: str | None = None
    defend: Mapping[str, str] = field(default_factory=dict)
    loyal_until: int = 0
    has_left: bool = False
    was: str = ""
    scores: tuple[float, ...] = ()
    told: float | None = None
    barred: Mapping[tuple[Province, Province], int] = field(default_factory=dict)
    wizard: Wizard | None = None
    king: King | None = None
    god: ModuleData | None = None
    given: Given = Given()
    culture: str = ""
    is_described: bool = False

    def remembers_bar(self, source: Province, target: Province, gr: int) -> int:
        """The great round in which scouts found no way there, if that is not long ago; 0: there may be one."""
        found = self.barred.get((source, target), 0)
        return found if found > gr - REMEMBERED else 0

    @property
    def is_played(self) -> bool:
        """Whether a player sends sheets for this ruler. Source: rules R-102"""
        return self.kind not in (VACANT, MARAUDER, EXPECTED)

    @property
    def may_be_played(self) -> bool:
        """Whether sheets can be sent: a vacant realm is taken over by sending one. Ruling KA53"""
        return self.kind != MARAUDER

    @property
    def rank(self) -> str:
        """The class of the core troops."""
        return self.core[1:] or "A"

    @property
    def weapon(self) -> str:
        """The weapon of the core troops' melee warriors."""
        return self.core[0]

    def is_core(self, item: str) -> bool:
        """Whether a warrior belongs to the core troops: of their class, with their weapon or a bow. R-044"""
        return item[0] in (self.weapon, "B") and (item[1:] or "A") == self.rank


# Relations between rulers


@dataclass(frozen=True, slots=True)
class Explored:
    """An exploration of this great round that reached its province."""

    ee: int
    source: Province
    target: Province
    result: str = FULL


@dataclass(frozen=True, slots=True)
class Permit:
    """A ruler lets another one into a province, or all (`None`), until the end of a great round. R-110"""

    giver: PowerId
    guest: PowerId
    where: Province | None
    until: int


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter on its way. Source: rules 2.1

    Args:
        sender: the name with which it is signed, possibly a sham ruler's.
        writer: the real ruler.
        time: when it was written, `3.1`.
    """

    writer: PowerId
    sender: str
    to: PowerId
    time: str
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A contribution to the courier that waits for the next issue. Source: rules 2.2"""

    writer: PowerId
    time: str
    text: str


Stacks: TypeAlias = Mapping[PowerId, Mapping[Province, Figures]]


@dataclass(frozen=True, slots=True)
class Ruling:
    """The result of a battle as a game master rules it, in place of the dice.

    Args:
        lost: exactly what rulers lost.
        holds: who holds the field; surviving enemies leave it. `None`: decided by where figures stand.
    """

    lost: Mapping[PowerId, Figures] = field(default_factory=dict)
    holds: PowerId | None = None


@dataclass(frozen=True, slots=True)
class Decree:
    """What a game master does outside the rules.

    Args:
        kind: one of `decrees.KINDS`.
        ruler: whom it mainly concerns; `None`: nobody, or the natives.
        words: the rest of it, depending on the kind.
    """

    kind: str
    ruler: PowerId | None
    words: tuple[str, ...]


@dataclass(frozen=True)
class State:
    """A game between two windows. Source: rules 30.1

    Args:
        part: `ORDERS_PART` or `DEEDS_PART`.
        rulers: in seat order, by name.
        land: fields that are not in it are plain, unless `has_rim`.
        has_rim: the land is a map of its own, with nothing beyond.
        is_fogged: it is what a viewer knows of another State: fields that are not in the land are unknown.
        owners: of provinces; natives' are left out.
        stacks: what is where, by ruler; none is empty.
        explored, used: those of this great round, by ruler.
        known: provinces whose land is known besides own and explored ones.
        seen: for these, the great round in which they were last seen, if that is known.
        centres: trade centres as each ruler last saw them, without their names. Ruling KA272
        newly: provinces occupied, by ruler, with the great round.
        watch: watchers of this great round.
        modules: data of modules.
        dice: forced rolls of the coming window, by stream.
        rulings: what a game master rules on battles of the coming window, by their ids; no document holds them.
        absences: for how many great rounds a game master protects absent rulers; no document holds them.
        answers: a game master's answers to questions to oracles in words, by ruler and number; no document holds them.
        decrees: a game master's, for the end of the coming window; no document holds them.
        is_excused: the coming window counts as missed for nobody; no document holds it. Ruling KA291
    """

    seed: str
    variant: str
    options: Mapping[str, bool | int | str]
    gr: int
    part: int
    rulers: Mapping[PowerId, Ruler]
    land: Mapping[GfId, GreatField] = field(default_factory=dict)
    has_rim: bool = False
    is_fogged: bool = False
    owners: Mapping[Province, PowerId] = field(default_factory=dict)
    stacks: Stacks = field(default_factory=dict)
    explored: Mapping[PowerId, tuple[Explored, ...]] = field(default_factory=dict)
    used: Mapping[PowerId, tuple[int, ...]] = field(default_factory=dict)
    known: Mapping[PowerId, frozenset[Province]] = field(default_factory=dict)
    seen: Mapping[PowerId, Mapping[Province, int]] = field(default_factory=dict)
    centres: Mapping[PowerId, Mapping[GfId, TradeCentre]] = field(default_factory=dict)
    newly: Mapping[PowerId, Mapping[Province, int]] = field(default_factory=dict)
    permits: tuple[Permit, ...] = ()
    contested: Mapping[Province, tuple[PowerId, ...]] = field(default_factory=dict)
    watch: Mapping[PowerId, Mapping[Province, int]] = field(default_factory=dict)
    letters: tuple[Letter, ...] = ()
    courier: tuple[Piece, ...] = ()
    modules: ModuleData = field(default_factory=dict)
    dice: Mapping[str, tuple[ForcedRoll, ...]] = field(default_factory=dict)
    rulings: Mapping[str, Ruling] = field(default_factory=dict)
    absences: Mapping[PowerId, int] = field(default_factory=dict)
    answers: Mapping[tuple[PowerId, int], str] = field(default_factory=dict)
    decrees: tuple[Decree, ...] = ()
    is_excused: bool = False
    over: Over | None = None

    @cached_property
    def planes(self) -> frozenset[int]:
        """The planes that occur."""
        places = (*self.land, *self.owners, *(province for own in self.stacks.values() for province in own))
        return frozenset(coordinate_of(place).plane for place in places)

    @property
    def usual_plane(self) -> int | None:
        """The plane that a coordinate without one is on; `None`: it has to be named."""
        return 2 if self.planes <= {2} else None

    @property
    def time(self) -> str:
        """`3.1`: as letters and reports give it."""
        return f"{self.gr}.{self.part}"

    def stack(self, ruler: PowerId, province: Province) -> Figures:
        """What a ruler has in a province."""
        return self.stacks.get(ruler, {}).get(province, NONE)

    def owned(self, ruler: PowerId) -> tuple[Province, ...]:
        """The provinces of a ruler, in their order."""
        return self._owned.get(ruler, ())

    @cached_property
    def _owned(self) -> Mapping[PowerId, tuple[Province, ...]]:
        found: dict[PowerId, list[Province]] = {}
        for province in sorted(self.owners, key=order_of):
            found.setdefault(self.owners[province], []).append(province)
        return {ruler: tuple(provinces) for ruler, provinces in found.items()}

    def present(self, province: Province) -> Iterator[PowerId]:
        """Who has figures in a province, in seat order."""
        return (ruler for ruler in self.rulers if self.stacks.get(ruler, {}).get(province))

    def permits_entry(self, host: PowerId, guest: PowerId, province: Province, gr: int) -> bool:
        """Whether a guest may be in a province of a host in a great round. Source: rules R-110"""
        return any(
            permit.giver == host
            and permit.guest == guest
            and permit.until >= gr
            and (permit.where is None or permit.where == province or permit.where == province.partition("/")[0])
            for permit in self.permits
        )

    def replace(self, **changes: Any) -> State:
        """A changed copy."""
        return replace(self, **changes)


@dataclass(frozen=True, slots=True)
class View:
    """What a viewer may know of a State: another State, from which everything else has been removed.

    Args:
        state: without seed and dice; rulers other than the viewer are bare names in it.
        viewer: whose view it is; `None`: everybody's.
    """

    state: State
    viewer: PowerId | None
