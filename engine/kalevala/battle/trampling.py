"""Elephants and wagons step into a field of enemies and fight them one by one; wagons can roll over them. Rules B19"""

from __future__ import annotations

from engine.kalevala.battle import course
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.ground import NOWHERE, Kf
from engine.kalevala.battle.hazards import endanger
from engine.kalevala.battle.kinds import WAGON
from engine.kalevala.battle.melee import PHALANX, can_be_attacked, fight_duel, points, tread_of
from engine.kalevala.battle.movement import Lookout, space_needed
from engine.lattice.great_fields import Side

MOST_DUELS, MOST_ROLLED_OVER = 20, 3


def trample(look: Lookout, animal: Fighter) -> bool:
    """Trample enemies in its own field, or else in the adjacent field with the highest price. Returns whether it
    did.
    """
    fight = look.fight
    if _targets(fight, animal, animal.kf):
        _fight_on(fight, animal, MOST_DUELS)
        return True
    beside = [kf for kf in fight.land.beside(animal.kf) if _can_enter(fight, animal, kf)]
    if not beside:
        return False
    kf = min(beside, key=lambda kf: (-sum(each.price for each in _targets(fight, animal, kf)), kf))
    _enter(fight, animal, kf)
    return True


def _can_enter(fight: Fight, animal: Fighter, kf: Kf) -> bool:
    """Whether it can enter a field: no river between, no building, and ground that suits it."""
    if (
        not fight.ground.suits(animal.code, kf)
        or not fight.works.bears(animal, kf)
        or kf in fight.works.at
        or (animal.kf, kf) in fight.land.rivers
        or fight.works.is_closed(animal.kf, kf)
        or (animal.code == WAGON and not fight.can_haul(animal.party.ruler, animal.kf, kf))
    ):
        return False
    return fight.land.can_step(animal.kf, kf) and bool(_targets(fight, animal, kf))


def _enter(fight: Fight, animal: Fighter, kf: Kf) -> None:
    """Fight one enemy after the other until there is room for it and its riders; then go in and fight on at once."""
    duels = 0
    while fight.room(kf) < space_needed(fight, animal) and duels < MOST_DUELS:
        there = _targets(fight, animal, kf)
        if not there:
            return
        _duel(fight, animal, _next(fight, animal, kf, there[0]))
        duels += 1
        if not animal.is_alive:
            return
    if fight.room(kf) < space_needed(fight, animal):
        return
    animal.facing = fight.ground.side_toward(animal.kf, kf)
    animal.has_moved = True
    fight.move(animal, kf)
    fight.record.tell(course.MOVE, animal, path=(fight.record.spotted(kf),))
    _fight_on(fight, animal, MOST_DUELS - duels)


def _fight_on(fight: Fight, animal: Fighter, most: int) -> None:
    """Fight those who share its field until they or it are dead, or the most duels have been fought."""
    for _ in range(most):
        there = _targets(fight, animal, animal.kf)
        if not animal.is_alive or not there:
            return
        _duel(fight, animal, _next(fight, animal, animal.kf, there[0]))


def _next(fight: Fight, animal: Fighter, kf: Kf, first: Fighter) -> Fighter:
    """The next enemy to fight, by number and in turn."""
    there = _targets(fight, animal, kf)
    last = animal.last_duel
    after = [each for each in there if each.number > last]
    found = after[0] if after else first
    animal.last_duel = found.number
    return found


def _targets(fight: Fight, animal: Fighter, kf: Kf) -> list[Fighter]:
    there = (each for each in fight.foes_at(animal.party.ruler, kf) if can_be_attacked(each))
    return sorted(there, key=lambda each: each.number)


def _duel(fight: Fight, animal: Fighter, target: Fighter) -> None:
    theirs = points(fight, target, animal, target.kf, is_attack=False)
    if target.formation is not None:
        theirs = max(theirs, points_of_phalanx(fight, target, animal))
    fight_duel(fight, animal, target, tread_of(animal), theirs, kind=course.TRAMPLE)


def points_of_phalanx(fight: Fight, target: Fighter, animal: Fighter) -> int:
    """The GP of a phalanx, which it has against elephants from all sides."""
    formation, target.formation = target.formation, None
    found = points(fight, target, animal, target.kf, is_attack=False) + PHALANX
    target.formation = formation
    return found


# Rolling over


def roll_over(look: Lookout, wagon: Fighter, steps: int) -> bool:
    """Roll a wagon straight over up to three fields of enemies that have some room left, onto a free one.

    Of several ways it takes the one over the highest price of enemies. Returns whether it did. Source: rules B19,
    ruling KA158
    """
    fight = look.fight
    found = [
        (-sum(each.price for kf in way[:-1] for each in _targets(fight, wagon, kf)), side, way)
        for side in Side
        for way in (_way_over(look, wagon, side, steps),)
        if way
    ]
    if not found:
        return False
    _, side, way = min(found, key=lambda row: row[:2])
    for kf in way[:-1]:
        _crush(fight, wagon, kf)
    wagon.facing, wagon.has_moved = side, True
    fight.move(wagon, way[-1])
    fight.record.tell(course.MOVE, wagon, path=tuple(map(fight.record.spotted, way)))
    return True


def _way_over(look: Lookout, wagon: Fighter, side: Side, steps: int) -> list[Kf]:
    """The fields that it would cross toward a side, the last being where it would stop; none if it can't."""
    fight, ruler = look.fight, wagon.party.ruler
    way: list[Kf] = []
    at = wagon.kf
    for _ in range(min(steps, MOST_ROLLED_OVER + 1)):
        kf = fight.ground.around[at][side]
        if kf == NOWHERE or not fight.can_haul(ruler, at, kf) or not fight.ground.suits(wagon.code, kf):
            return []
        if not fight.land.is_open(kf) or not fight.works.bears(wagon, kf):
            return []
        way.append(kf)
        at = kf
        if not fight.is_barred(ruler, kf):
            return way if len(way) > 1 and fight.room(kf) >= wagon.space else []
        if fight.room(kf) < 1 or len(way) > MOST_ROLLED_OVER or not _targets(fight, wagon, kf):
            return []
        if any(each.party.ruler not in fight.foes[ruler] for each in fight.at[kf]):
            return []
    return []


def _crush(fight: Fight, wagon: Fighter, kf: Kf) -> None:
    """Let everybody in a field and each horse roll for survival."""
    there = [each for each in fight.at[kf] if not (each.is_gear or each.floats or each.code == WAGON)]
    endanger(fight, sorted(there, key=lambda each: each.number), course.OVERROLL, wagon, kf)
