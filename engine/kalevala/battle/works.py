"""Works during a battle: walls that bar the way, gates, hits, breaches, ruins. Source: rules 27, B12, B13"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.kalevala.battle.ground import NOWHERE, Battlefield, Building, EdgeWall, Kf
from engine.kalevala.tables import BORNE, IMPASSABLE
from engine.lattice.great_fields import Side

if TYPE_CHECKING:
    from engine.core.ids import PowerId
    from engine.kalevala.battle.fight import Fight
    from engine.kalevala.battle.fighters import Fighter
    from engine.kalevala.coordinates import GfId

FIRST_WALL: Mapping[str, int] = {"Tu": 5, "Tt": 5, "Bf": 10, "BF": 15}
"""The hits at which the first wall falls; one more falls with each further hit."""
TO_RUIN = 5
"""How many hits later the whole building falls."""
WALL_STANDS, BRIDGE_STANDS, CROSSING_STANDS = 2, 3, 5
"""The hits that destroy a wall on an edge, a bridge over a river, and one over a strom."""
WALL_HIT = 14
"""What a turtle has to roll against a wall."""
KEEPS = ("Bf", "BF")


@dataclass(slots=True, eq=False)
class Barrier:
    """A wall or gate on an edge.

    Args:
        inner, outer: the fields on its sides; a gate is opened from the inner one.
        hold: the building whose wall it is; `None`: a wall of its own.
        keeps_open: somebody ordered so.
    """

    inner: Kf
    outer: Kf
    has_gate: bool
    hold: Stronghold | None = None
    wall: EdgeWall | None = None
    hits: int = 0
    is_open: bool = False
    is_broken: bool = False
    is_breached: bool = False
    keeps_open: bool = False

    @property
    def is_passable(self) -> bool:
        """Whether everybody can pass and fight through it."""
        return self.is_open or self.is_broken or self.is_breached


@dataclass(slots=True, eq=False)
class Stronghold:
    """A building in a battle; `is_hard`: a god has made its walls harder."""

    building: Building
    castle: Castle
    hits: int
    barriers: dict[Side, Barrier] = field(default_factory=dict)
    is_ruined: bool = False
    is_hard: bool = False

    @property
    def kf(self) -> Kf:
        """The small field on which it stands."""
        return self.building.kf

    @property
    def is_keep(self) -> bool:
        """Whether it is a keep, which has two or three storeys."""
        return self.building.type in KEEPS


@dataclass(slots=True, eq=False)
class Castle:
    """Buildings that touch: they starve together. Source: rules B20

    Args:
        besieged: in how many rounds a siege has held.
        was_opened: somebody has opened a gate since hunger was last asked for.
        fed: how many more rounds are free of hunger by prayers for bread.
    """

    holds: list[Stronghold] = field(default_factory=list)
    besieged: int = 0
    was_opened: bool = False
    fed: int = 0

    @property
    def floors(self) -> frozenset[Kf]:
        """All its storeys."""
        return frozenset(kf for hold in self.holds if not hold.is_ruined for kf in hold.building.floors)

    @property
    def outer_gates(self) -> Iterator[Barrier]:
        """The gates that lead outside."""
        own = {hold.kf for hold in self.holds if not hold.is_ruined}
        for hold in self.holds:
            if not hold.is_ruined:
                yield from (each for each in hold.barriers.values() if each.has_gate and each.outer not in own)


class Works:
    """All works of a battle, by the edges that they close."""

    def __init__(self, ground: Battlefield) -> None:
        self.ground = ground
        self.barriers: dict[tuple[Kf, Kf], Barrier] = {}
        self.holds: list[Stronghold] = []
        self.castles: list[Castle] = []
        self.at: dict[Kf, Stronghold] = {}
        self.bridges: dict[EdgeWall, int] = {each: each.hits for each in ground.bridges}
        """Bridges over rivers, and what they have suffered."""
        self.crossings: dict[Kf, int] = dict(ground.crossings)
        """Stream bridges, and what they have suffered."""
        for building in ground.buildings:
            self._add(building)
        for wall in ground.walls:
            if (wall.one, wall.other) not in self.barriers:
                inner, outer = (wall.one, wall.other) if wall.opens == wall.one else (wall.other, wall.one)
                is_broken = wall.is_broken and wall.has_gate
                self._close(Barrier(inner, outer, wall.has_gate, wall=wall, hits=wall.hits, is_broken=is_broken))

    def __bool__(self) -> bool:
        return bool(self.barriers)

    def _add(self, building: Building) -> None:
        beside = [hold for hold in self.holds if hold.kf in self.ground.around[building.kf]]
        castle = Castle()
        for other in {id(hold.castle): hold.castle for hold in beside}.values():
            castle.holds += other.holds
            self.castles.remove(other)
        hold = Stronghold(building, castle, building.hits, is_hard=building.is_hard)
        castle.holds.append(hold)
        for each in castle.holds:
            each.castle = castle
        self.castles.append(castle)
        self.holds.append(hold)
        self.at |= dict.fromkeys(building.floors, hold)
        for side in Side:
            outer = self.ground.around[building.kf][side]
            if outer == NOWHERE:
                continue
            shared = self.barriers.get((building.kf, outer))
            if shared is not None:  # a wall between two buildings, with a gate if one of them has it
                shared.has_gate = shared.has_gate or side in building.gates
                shared.is_broken = shared.is_broken or side in building.broken
                hold.barriers[side] = shared
                continue
            is_broken = side in building.broken
            hold.barriers[side] = Barrier(building.kf, outer, side in building.gates, hold, is_broken=is_broken)
            self._close(hold.barriers[side])
        for _ in range(max(0, building.hits - FIRST_WALL[building.type] + 1)):
            self._breach(hold, Side.E)

    def _close(self, barrier: Barrier) -> None:
        self.barriers[barrier.inner, barrier.outer] = barrier
        self.barriers[barrier.outer, barrier.inner] = barrier

    # What bars

    def is_closed(self, one: Kf, other: Kf) -> bool:
        """Whether a wall or a shut gate stands between two fields."""
        found = self.barriers.get((one, other))
        return found is not None and not found.is_passable

    def is_barred(self, fight: Fight, ruler: PowerId, one: Kf, other: Kf) -> bool:
        """Whether an edge is closed to a ruler's figures by a wall, or by a gate that nobody opens for them.

        From inside whoever passes opens a gate; from outside a friend inside does. Where there is no enemy, it stands
        open.
        Ruling KA72
        """
        found = self.barriers.get((one, other))
        if found is None or found.is_passable:
            return False
        if not found.has_gate:
            return True
        if one == found.inner:
            return False
        if found.hold is not None:
            return bool(self.foes_in(fight, ruler, found.hold))
        return not any(each.party.ruler not in fight.foes[ruler] for each in fight.at[found.inner])

    def state(self, fight: Fight, ruler: PowerId) -> object:
        """The state of the works that decides where figures can go and who can fight whom."""
        walls = dict.fromkeys(self.barriers.values())
        return (
            len(self.at),
            tuple((each.is_passable, self.is_barred(fight, ruler, each.outer, each.inner)) for each in walls),
            tuple(each.has_gate for each in walls),
        )

    def shut_gate(self, one: Kf, other: Kf) -> Barrier | None:
        """The shut gate between two fields, if any."""
        found = self.barriers.get((one, other))
        return found if found is not None and found.has_gate and not found.is_passable else None

    # Who is within

    def foes_in(self, fight: Fight, ruler: PowerId, hold: Stronghold) -> list[object]:
        """The enemies of a ruler in a building who could hold it, which an immortal wizard can't. Ruling KA329"""
        if hold.is_ruined:
            return []
        there = (each for kf in hold.building.floors for each in fight.foes_at(ruler, kf))
        return [each for each in there if each.is_human and not each.floats]

    def held_against(self, fight: Fight, ruler: PowerId) -> list[Stronghold]:
        """The buildings in which enemies of a ruler are."""
        return [hold for hold in self.holds if self.foes_in(fight, ruler, hold)]

    def floors_of(self, holds: Collection[Stronghold]) -> frozenset[Kf]:
        """All storeys of some buildings."""
        return frozenset(kf for hold in holds for kf in hold.building.floors)

    # What falls

    def hit(self, hold: Stronghold, toward: Kf) -> tuple[Barrier | None, bool]:
        """Take a hit from a field; returns the wall that falls, and whether the whole building does."""
        hold.hits += 1
        first = FIRST_WALL[hold.building.type]
        if hold.hits >= first + TO_RUIN:
            return None, True
        if hold.hits < first:
            return None, False
        return self._breach(hold, self.ground.side_toward(hold.kf, toward)), False

    def _breach(self, hold: Stronghold, first: Side) -> Barrier | None:
        """Let the wall toward a side fall, or else the next one clockwise."""
        for step in range(6):
            found = hold.barriers.get(Side((first + step) % 6))
            if found is not None and not found.is_breached:
                found.is_breached = True
                return found
        return None

    def ruin(self, hold: Stronghold) -> None:
        """Destroy a building: its field is open from now on."""
        hold.is_ruined = True
        for barrier in hold.barriers.values():
            barrier.is_breached = True
        for kf in hold.building.floors:
            self.at.pop(kf, None)

    def bridge(self, one: Kf, other: Kf) -> EdgeWall | None:
        """The bridge over a river between two fields, as long as it stands."""
        found = (
            each
            for each, hits in self.bridges.items()
            if hits < BRIDGE_STANDS and {each.one, each.other} == {one, other}
        )
        return next(found, None)

    def bears(self, fighter: Fighter | None, kf: Kf) -> bool:
        """Whether a stream bridge in the field, if any, bears a figure; `None` means somebody on foot. Rules 27.2"""
        hits = self.crossings.get(kf, 0)
        if hits >= IMPASSABLE or hits not in BORNE or fighter is None or fighter.floats:
            return hits < IMPASSABLE
        borne = BORNE[hits]
        return (fighter.is_warrior or fighter.code in borne) and (not fighter.mount or fighter.mount in borne)

    def unbearing(self, fighter: Fighter | None) -> tuple[Kf, ...]:
        """The stream bridges that are too weak for a figure."""
        return tuple(kf for kf in self.crossings if not self.bears(fighter, kf))

    def broken_now(self) -> Iterator[tuple[GfId, int, Side]]:
        """The gates that were broken in this battle, each named from the field of the work that has it."""
        for hold in self.holds:
            for side in sorted(hold.building.gates - hold.building.broken):
                if side in hold.barriers and hold.barriers[side].is_broken and not hold.is_ruined:
                    yield (*hold.building.place, side)
        for wall in self.ground.walls:
            barrier = self.barriers[wall.one, wall.other]
            if barrier.wall is wall and barrier.is_broken and not wall.is_broken:
                gf, edge = wall.name
                yield gf, edge.cell, edge.side

    def is_wall_between(self, one: Kf, other: Kf) -> bool:
        """Whether a wall on the edge gives cover. Source: rules 27"""
        found = self.barriers.get((one, other))
        return found is not None and found.wall is not None and not found.is_breached
