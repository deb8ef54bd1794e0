"""How far figures go, and where they may stand. Source: rules B5, B6"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from engine.core.ids import PowerId
from engine.kalevala.battle import course
from engine.kalevala.battle.boards import Fields, Nearness, Paths, Ways
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.ground import Kf
from engine.kalevala.battle.kinds import ELEPHANTS, LADDER, ROPE, TRAMPLERS, WAGON, WIZARD
from engine.kalevala.battle.melee import best_target, can_be_attacked, can_fight
from engine.kalevala.battle.works import Barrier
from engine.kalevala.figures import number_of
from engine.kalevala.tables import BANNED
from engine.kalevala.wizards.spells import SPEED

FARTHEST_SHOT = 4
"""The longest bowshot in KF, from higher ground."""
FOOT, RIDER, ELEPHANT_SPEED, SLOW, WIZARD_SPEED = 2, 4, 3, 1, 4
WAGON_SPEEDS = (2, 3, 4, 4)
"""In KF a round, by the number of horses in the team."""


def speed_of(fighter: Fighter) -> int:
    """KF a round. Source: rules B5"""
    if (
        fighter.is_craft
        or fighter.carrier is not None
        or fighter.serves is not None
        or fighter.is_held
        or fighter.is_led
    ):
        return 0
    return usual_speed(fighter) * (2 if SPEED in fighter.under and fighter.formation is None else 1)


def usual_speed(fighter: Fighter) -> int:
    """The speed in KF a round, without spells."""
    if fighter.is_gear:
        if not fighter.is_manned or fighter.leans is not None:
            return 0
        return FOOT if fighter.code in (LADDER, ROPE) else SLOW
    if fighter.formation is not None:
        return SLOW
    if fighter.code in ELEPHANTS:
        return ELEPHANT_SPEED
    if fighter.code == WAGON:
        return WAGON_SPEEDS[min(number_of(fighter.item), len(WAGON_SPEEDS)) - 1]
    if fighter.code == WIZARD:
        return WIZARD_SPEED
    return RIDER if fighter.mount else FOOT


def space_needed(fight: Fight, fighter: Fighter) -> int:
    """The room in REH that a field must have left for a figure and those who come along."""
    if fighter.formation is not None:
        return len(fighter.formation.members)
    riders = fight.riders(fighter) if fighter.code in ELEPHANTS else ()
    companions: Sequence[Fighter] = (*fighter.crew, *riders)
    return fighter.space + sum(each.space for each in companions)


class Lookout:
    """What a side sees when it moves: where enemies stand, and what follows from that. Enemies don't move meanwhile."""

    def __init__(self, fight: Fight, ruler: PowerId) -> None:
        self.fight = fight
        self.ruler = ruler
        self.changes = fight.changes
        self.board = fight.ground.board
        self.over = fight.ways_over(ruler)
        self.enemies: dict[Kf, list[Fighter]] = {}
        hostile = fight.foes[ruler]
        for each in fight.fighters:
            if each.is_alive and each.party.ruler in hostile and not each.floats:
                self.enemies.setdefault(each.kf, []).append(each)
        self.closed: Fields = self.board.of(self.enemies)
        dangerous = self.board.of(kf for kf, there in self.enemies.items() if any(map(can_fight, there)))
        self.threatened: Fields = dangerous | self.board.beyond(dangerous, self.over.fight)
        self._targets: Fields = self.board.of(
            kf for kf, there in self.enemies.items() if any(map(can_be_attacked, there))
        )
        self._contacts: dict[object, Fields] = {}
        self.values: dict[object, float] = {}
        """Cached values of standing somewhere."""
        self._ways: dict[tuple[Fields, Paths, str, tuple[Kf, ...], Fields], Ways] = {}
        self._nearness: Nearness | None = None
        self._own_fields: Fields | None = None
        self._shots: dict[tuple[int, bool], Fields] = {}
        self._near: dict[Kf, Sequence[tuple[Kf, int]]] = {}

    def is_threatened(self, kf: Kf) -> bool:
        """Whether an enemy stands next to a field, or in it, who could fight there."""
        return bool(self.threatened & self.board.bits[kf])

    def enemies_near(self, kf: Kf) -> Sequence[tuple[Kf, int]]:
        """The fields with enemies within the longest bowshot of a field, whatever lies between, and how far each is."""
        found = self._near.get(kf)
        if found is None:
            near = self.board.around(kf, FARTHEST_SHOT) & self.closed & ~self.board.bits[kf]
            far = self.fight.ground.distance
            found = [(other, away) for other in self.board.members(near) if (away := far(kf, other))] if near else []
            self._near[kf] = found
        return found

    def to_enemies(self, kf: Kf) -> int:
        """The distance to the nearest enemy, ignoring whatever lies between."""
        if self._nearness is None:
            self._nearness = Nearness(self.fight.ground, self.enemies)
        return self._nearness.away(kf)

    def contacts(
        self, near: tuple[Kf, int] | None = None, around: tuple[Kf, int] | None = None, *, but: Fields = 0
    ) -> Fields:
        """The fields from which somebody can be attacked.

        Args:
            near: only enemies so near to a field.
            around: only fields so near to one.
            but: no enemies on these.
        """
        key = near, around, but
        found = self._contacts.get(key)
        if found is None:
            targets = self._targets if near is None else self._targets & self.board.around(*near)
            targets &= ~but
            found = self.board.beyond(targets, self.over.fight) & ~self.closed | (targets & self._own())
            if around is not None:
                found &= self.board.around(*around)
            self._contacts[key] = found
        return found

    def _own(self) -> Fields:
        """The fields with the side's own figures; elephants may stand among enemies."""
        if self._own_fields is None:
            self._own_fields = self.board.of({each.kf for each in self.fight.living(self.ruler)})
        return self._own_fields

    def within_shot(self, steps: int, *, is_blind: bool = False) -> Fields:
        """The fields that an enemy can be hit from, next to none who could fight there.

        Args:
            steps: how near to him.
            is_blind: higher ground is not in the way, as for stones.
        """
        found = self._shots.get((steps, is_blind))
        if found is None:
            fields = self.board.around if is_blind else self.board.in_sight
            found = 0
            for kf in self.enemies:
                found |= fields(kf, steps)
            found = self._shots[steps, is_blind] = found & ~self.threatened & ~self.closed
        return found

    def can_come(self, fighter: Fighter, goals: Fields) -> bool:
        """Whether a way leads a figure to one of some fields, if its own side's figures make room."""
        return bool(goals) and self.ways(goals, fighter, is_hauled=False).steps(fighter.kf) is not None

    def value(self, fighter: Fighter, kf: Kf) -> float:
        """What the best target from a field is worth to a figure. Source: rules B4"""
        key = fighter.item, fighter.mount, fighter.formation is None, tuple(fighter.under), kf
        found = self.values.get(key)
        if found is None:
            best = best_target(self.fight, fighter, kf)
            found = self.values[key] = 0.0 if best is None else best[0]
        return found

    def ways(self, goals: Fields, walker: Fighter | None = None, *, is_hauled: bool = True) -> Ways:
        """The number of steps from each field to the nearest goal, over ground that no enemy holds.

        Args:
            walker: whose ground it has to be; `None`: somebody on foot.
            is_hauled: whether gear needs ways for gear.
        """
        over = self.over.haul if walker is not None and walker.is_hauled and is_hauled else self.over.back
        code = "" if walker is None or walker.code not in BANNED else walker.code
        weak = self.fight.works.unbearing(walker) if self.fight.works.crossings else ()
        indoors = self._indoors(walker)
        key = goals, over, code, weak, indoors
        found = self._ways.get(key)
        if found is None:
            barred = self.fight.ground.unsuited(code) if code else 0
            barred |= self.board.of(weak) | indoors
            found = self._ways[key] = Ways(self.board, goals & ~barred, self.closed | barred, over)
        return found

    def _indoors(self, walker: Fighter | None) -> Fields:
        """The storeys that a figure can't enter. Source: rules B15, B19"""
        holds = self.fight.works.at
        if walker is None or not holds or not (walker.mount or walker.code in TRAMPLERS):
            return 0
        return self.board.of(kf for kf, hold in holds.items() if not walker.mount or kf != hold.kf)


def reach(look: Lookout, fighter: Fighter) -> dict[Kf, tuple[int, Kf]]:
    """The fields that a figure can reach in its move, including its own, each with the steps and the field before it.

    A move ends next to an enemy and beyond a river; opening a gate is a step of its own. Source: rules B5, B13
    """
    fight, rivers, bits = look.fight, look.fight.land.rivers, look.board.bits
    beside = (look.over.haul if fighter.is_hauled else look.over.walk).next
    is_free = fighter.floats
    start = fighter.kf
    speed = speed_of(fighter)
    if speed and look.is_threatened(start) and not fighter.floats:
        speed = max(1, speed // 2)
    fighter.steps_left = speed
    found = {start: (0, start)}
    frontiers: list[list[Kf]] = [[start], *([] for _ in range(speed))]
    for steps in range(speed):
        for kf in frontiers[steps]:
            for other in beside[kf]:
                if other in found or other in look.enemies or not _fits_in(fight, fighter, other):
                    continue
                arrival = steps + (1 if fight.works.shut_gate(kf, other) is None else 2)
                if arrival > speed:
                    continue
                found[other] = arrival, kf
                if (is_free or not look.threatened & bits[other]) and (kf, other) not in rivers:
                    frontiers[arrival].append(other)
    return found


def _fits_in(fight: Fight, fighter: Fighter, kf: Kf) -> bool:
    """Whether a figure can go there: elephants don't enter buildings, and riders don't climb stairs. Source: rules B15,
    B19
    """
    if not fight.ground.suits(fighter.code, kf) or not fight.works.bears(fighter, kf):
        return False
    hold = fight.works.at.get(kf)
    if hold is None:
        return True
    return fighter.code not in TRAMPLERS and (kf == hold.kf or not fighter.mount)


def march(fight: Fight, fighter: Fighter, path: list[Kf]) -> None:
    """Move along a way and open the gates on it. Source: rules B13"""
    for one, other in pairwise((fighter.kf, *path)):
        gate = fight.works.shut_gate(one, other)
        if gate is not None:
            open_gate(fight, fighter, gate)
    last = [fighter.kf, *path][-2]
    fighter.facing = fight.ground.side_toward(last, path[-1])
    fight.move(fighter, path[-1])
    for each in (fighter, *fighter.crew):
        fight.record.tell(course.MOVE, each, path=tuple(map(fight.record.spotted, path)))


def open_gate(fight: Fight, fighter: Fighter, gate: Barrier) -> None:
    """Let somebody open a gate."""
    gate.is_open = True
    fight.changes += 1  # who can be attacked, and from where, has changed
    if gate.hold is not None:
        gate.hold.castle.was_opened = True
    fight.record.tell(course.GATE, fighter, to="opened", work=fight.record.edge(gate))


def ends(fight: Fight, fighter: Fighter, reached: Mapping[Kf, tuple[int, Kf]]) -> list[Kf]:
    """The fields within reach where a figure can stay."""
    needed = space_needed(fight, fighter)
    return [kf for kf in reached if kf == fighter.kf or fight.room(kf) >= needed]


def path_to(reached: Mapping[Kf, tuple[int, Kf]], kf: Kf) -> list[Kf]:
    """The fields entered on the way to a field, which is the last one."""
    found = []
    while reached[kf][0]:
        found.append(kf)
        kf = reached[kf][1]
    return found[::-1]
