"""Elephants step into a field of enemies and fight them one by one. Source: rules B19"""

from __future__ import annotations

from engine.kalevala.battle import course
from engine.kalevala.battle.fight import Fight, Fighter
from engine.kalevala.battle.ground import Kf
from engine.kalevala.battle.melee import ELEPHANT, PHALANX, can_be_attacked, fight_duel, points
from engine.kalevala.battle.movement import Lookout

MOST_DUELS = 20


def trample(look: Lookout, animal: Fighter) -> bool:
    """Trample who shares its field, else the field beside it with most enemies, by price. Whether it did."""
    fight = look.fight
    if _targets(fight, animal, animal.kf):
        for _ in range(MOST_DUELS):
            there = _targets(fight, animal, animal.kf)
            if not animal.is_alive or not there:
                break
            _duel(fight, animal, _next(fight, animal, animal.kf, there[0]))
        return True
    beside = [kf for kf in fight.beside(animal.kf) if _can_enter(fight, animal, kf)]
    if not beside:
        return False
    kf = min(beside, key=lambda kf: (-sum(each.price for each in _targets(fight, animal, kf)), kf))
    _enter(fight, animal, kf)
    return True


def _can_enter(fight: Fight, animal: Fighter, kf: Kf) -> bool:
    """Not over a river, nor into a building, nor onto ground that is not for it."""
    if (
        not fight.ground.suits(animal.code, kf)
        or not fight.works.bears(animal, kf)
        or kf in fight.works.at
        or (animal.kf, kf) in fight.rivers
        or fight.works.is_closed(animal.kf, kf)
    ):
        return False
    return fight.can_step(animal.kf, kf) and bool(_targets(fight, animal, kf))


def _enter(fight: Fight, animal: Fighter, kf: Kf) -> None:
    """Each of them once, then on until there is room, the animal is dead, or enough is enough."""
    least = len(_targets(fight, animal, kf))
    for number in range(MOST_DUELS):
        if number >= least and fight.room(kf) >= animal.space:
            break
        for target in _targets(fight, animal, kf)[:1]:
            _duel(fight, animal, _next(fight, animal, kf, target))
        if not animal.is_alive:
            return
        if not _targets(fight, animal, kf):
            break
    if fight.room(kf) >= animal.space:
        fight.move(animal, kf)
        fight.tell(course.MOVE, animal, path=(fight.spotted(kf),))


def _next(fight: Fight, animal: Fighter, kf: Kf, first: Fighter) -> Fighter:
    """Whose turn it is: by number, round and round."""
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
    fight_duel(fight, animal, target, ELEPHANT, theirs, kind=course.TRAMPLE)


def points_of_phalanx(fight: Fight, target: Fighter, animal: Fighter) -> int:
    """A phalanx has its GP against elephants from any side."""
    formation, target.formation = target.formation, None
    found = points(fight, target, animal, target.kf, is_attack=False) + PHALANX
    target.formation = formation
    return found
