"""How far figures go, and where they may stand. Source: rules B5, B6"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping

from engine.core.ids import PowerId
from engine.kalevala.battle.fight import ELEPHANTS, ONAGER, WIZARD, Fight, Fighter
from engine.kalevala.battle.ground import Kf
from engine.kalevala.battle.melee import best_target, can_be_attacked, can_fight
from engine.kalevala.spells import SPEED

FOOT, RIDER, ELEPHANT_SPEED, SLOW, WIZARD_SPEED = 2, 4, 3, 1, 4


def speed_of(fighter: Fighter) -> int:
    """KF a round. Source: rules B5"""
    if fighter.carrier is not None or fighter.serves is not None or fighter.is_held or fighter.is_led:
        return 0
    return usual_speed(fighter) * (2 if SPEED in fighter.under and fighter.formation is None else 1)


def usual_speed(fighter: Fighter) -> int:
    """KF a round without spells."""
    if fighter.formation is not None or fighter.code == ONAGER:
        return SLOW
    if fighter.code in ELEPHANTS:
        return ELEPHANT_SPEED
    if fighter.code == WIZARD:
        return WIZARD_SPEED
    return RIDER if fighter.mount else FOOT


def space_needed(fighter: Fighter) -> int:
    """The REH that a field must have left for it, and for those who come along."""
    if fighter.formation is not None:
        return len(fighter.formation.members)
    return fighter.space + sum(each.space for each in fighter.crew)


class Lookout:
    """What a side sees when it moves: where enemies stand, and what follows of that. Enemies stand still meanwhile."""

    def __init__(self, fight: Fight, ruler: PowerId) -> None:
        self.fight = fight
        self.ruler = ruler
        self.changes = fight.changes
        self.enemies: dict[Kf, list[Fighter]] = {}
        hostile = fight.foes[ruler]
        for each in fight.fighters:
            if each.is_alive and each.party.ruler in hostile and not each.floats:
                self.enemies.setdefault(each.kf, []).append(each)
        self._threats: dict[Kf, bool] = {}
        self._contacts: dict[object, frozenset[Kf]] = {}
        self._values: dict[object, float] = {}
        self._distances: dict[object, Mapping[Kf, int]] = {}

    def is_threatened(self, kf: Kf) -> bool:
        """Whether an enemy stands beside a field, or in it, who could fight there."""
        found = self._threats.get(kf)
        if found is None:
            found = self._threats[kf] = any(
                can_fight(each) for other in self.fight.fightable(kf) for each in self.enemies.get(other, ())
            )
        return found

    def contacts(self, near: tuple[Kf, int] | None = None, around: tuple[Kf, int] | None = None) -> frozenset[Kf]:
        """The fields from which one can attack somebody.

        Args:
            near: only enemies so near to a field.
            around: only fields so near to one.
        """
        key = near, around
        found = self._contacts.get(key)
        if found is None:
            found = self._contacts[key] = frozenset(self._find_contacts(near, around))
        return found

    def _find_contacts(self, near: tuple[Kf, int] | None, around: tuple[Kf, int] | None) -> Iterator[Kf]:
        ground = self.fight.ground
        for enemy, there in self.enemies.items():
            if near is not None and ground.distance(near[0], enemy) > near[1]:
                continue
            if not any(map(can_be_attacked, there)):
                continue
            for kf in self.fight.fightable(enemy):
                if (kf != enemy and kf in self.enemies) or (around and ground.distance(around[0], kf) > around[1]):
                    continue
                if kf != enemy or any(each.party.ruler == self.ruler for each in self.fight.at[kf]):
                    yield kf

    def value(self, fighter: Fighter, kf: Kf) -> float:
        """What the best target from a field is worth to a figure. Source: rules B4"""
        key = fighter.item, fighter.mount, fighter.formation is None, tuple(fighter.under), kf
        found = self._values.get(key)
        if found is None:
            best = best_target(self.fight, fighter, kf)
            found = self._values[key] = 0.0 if best is None else best[0]
        return found

    def distances(self, goals: Collection[Kf], *, is_gear: bool = False) -> Mapping[Kf, int]:
        """How many steps it is from each field to the nearest goal, over ground that no enemy holds."""
        key = frozenset(goals), is_gear
        found = self._distances.get(key)
        if found is None:
            found = self._distances[key] = self._spread(goals, is_gear=is_gear)
        return found

    def _spread(self, goals: Collection[Kf], *, is_gear: bool) -> Mapping[Kf, int]:
        found = dict.fromkeys(sorted(goals), 0)
        frontier = deque(found)
        while frontier:
            kf = frontier.popleft()
            for other in self.fight.beside(kf):
                if (
                    other not in found
                    and other not in self.enemies
                    and can_step(self.fight, other, kf, is_gear=is_gear)
                ):
                    found[other] = found[kf] + 1
                    frontier.append(other)
        return found


def can_step(fight: Fight, one: Kf, other: Kf, *, is_gear: bool = False) -> bool:
    """Whether the ground allows a step: one level up or down; gear takes no level and no river. Source: rules B5, B6"""
    climb = abs(fight.ground.levels[one] - fight.ground.levels[other])
    if (one, other) in fight.floods:
        return False
    if is_gear:
        return climb == 0 and (one, other) not in fight.rivers
    return climb <= 1


def reach(look: Lookout, fighter: Fighter) -> dict[Kf, tuple[int, Kf]]:
    """The fields that a figure can come to in its move, its own among them: after how many steps, and from where.

    Beside an enemy, and beyond a river, a move ends. Source: rules B5
    """
    fight, is_gear = look.fight, fighter.code == ONAGER
    start = fighter.kf
    speed = speed_of(fighter)
    if speed and look.is_threatened(start) and not fighter.floats:
        speed = max(1, speed // 2)
    found = {start: (0, start)}
    frontier = [start]
    for steps in range(1, speed + 1):
        beyond = []
        for kf in frontier:
            for other in fight.beside(kf):
                if other in found or other in look.enemies or not can_step(fight, kf, other, is_gear=is_gear):
                    continue
                found[other] = steps, kf
                is_free = fighter.floats or not look.is_threatened(other)
                if is_free and (kf, other) not in fight.rivers:
                    beyond.append(other)
        frontier = beyond
    return found


def ends(fight: Fight, fighter: Fighter, reached: Mapping[Kf, tuple[int, Kf]]) -> list[Kf]:
    """Where it can stay, of what it can reach."""
    needed = space_needed(fighter)
    return [kf for kf in reached if kf == fighter.kf or fight.room(kf) >= needed]


def path_to(reached: Mapping[Kf, tuple[int, Kf]], kf: Kf) -> list[Kf]:
    """The fields entered on the way, the last one being it."""
    found = []
    while reached[kf][0]:
        found.append(kf)
        kf = reached[kf][1]
    return found[::-1]
