"""Bows and onagers. Source: rules B9, B11"""

from __future__ import annotations

from collections.abc import Iterator

from engine.kalevala.battle import course
from engine.kalevala.battle.fight import AMBUSH, ONAGER, WIZARD, Fight, Fighter
from engine.kalevala.battle.ground import COVERED, Kf
from engine.kalevala.battle.hazards import strike_field
from engine.kalevala.battle.movement import Lookout
from engine.kalevala.battle.odds import at_least
from engine.kalevala.battle.phalanxes import is_shielded
from engine.kalevala.plans import SHOOT
from engine.kalevala.spells import INVISIBLE
from engine.kalevala.tables import KINDS, Group

RANGE, RANGE_FROM_ABOVE, BASE = 3, 4, 12
NEAREST_STONE, FARTHEST_STONE, STONE_HITS = 2, 6, 14
CREW = 2
_SHOOTER = {"A": 0, "B": 1, "C": 2}
_TARGET = {"A": 0, "B": -1, "C": -2}
MOUNTED, COVER = -1, -1
_RANKS = "ABC"


def shoot_all(fight: Fight, look: Lookout, fighters: list[Fighter], aims: dict[int, str]) -> None:
    """Onagers, then bows, each the higher class first, then by field and number. Source: rules B4"""
    able = [each for each in fighters if each.is_alive and each.free and not each.flees and not each.is_held]
    for onager in sorted((each for each in able if each.code == ONAGER), key=lambda each: (each.kf, each.number)):
        _throw_stone(fight, look, onager)
    bows = [each for each in able if each.is_bow and aims.get(each.number) == SHOOT and each.serves is None]
    for bow in sorted(bows, key=lambda each: (-_RANKS.index(each.rank), each.kf, each.number)):
        if bow.is_alive and not _is_hindered(look, bow, bow.kf):
            _shoot(fight, look, bow)


def _is_hindered(look: Lookout, bow: Fighter, kf: Kf) -> bool:
    """Whether an enemy is beside him who could attack him; nobody can on an elephant."""
    return bow.carrier is None and look.is_threatened(kf)


# Bows


def _shoot(fight: Fight, look: Lookout, bow: Fighter) -> None:
    shots = [(chance * target.price, target) for chance, target in _shots(look, bow, bow.kf)]
    if not shots:
        return
    _, target = min(shots, key=lambda pair: (-pair[0], pair[1].kf, pair[1].number))
    needed, mine = _needed(fight, bow, target, bow.kf), _points(fight, bow, target)
    bow.free = False
    bow.under.pop(INVISIBLE, None)
    thrown = fight.throw("bow", bow)
    is_hit = thrown.total >= needed
    fight.tell(
        course.SHOT,
        bow,
        whom=target.number,
        rolls=(thrown.total,),
        points=(mine, needed + mine),
        fallen=(target,) if is_hit else (),
    )
    if is_hit:
        fight.shot_at.add(target.party.ruler)
        fight.fall(target)
    fight.settle_triples()


def value(look: Lookout, bow: Fighter, kf: Kf) -> float:
    """What the best shot from a field is worth; 0 without one. Source: rules B4"""
    key = "shot", bow.item, bool(bow.mount), tuple(bow.under), kf
    found = look.values.get(key)
    if found is None:
        shots = (chance * target.price for chance, target in _shots(look, bow, kf))
        found = look.values[key] = max(shots, default=0.0)
    return found


def _shots(look: Lookout, bow: Fighter, kf: Kf) -> Iterator[tuple[float, Fighter]]:
    """Whom a bow can hit from a field, one of each sort, and how likely."""
    fight, board = look.fight, look.board
    ground, hostile = fight.ground, fight.foes[bow.party.ruler]
    if not board.bits[kf] & look.beside_enemies(RANGE_FROM_ABOVE):
        return
    for other, away in board.within(kf, RANGE_FROM_ABOVE):
        if not away or other not in look.enemies:
            continue
        is_far = away > RANGE and ground.levels[kf] <= ground.levels[other]
        if is_far or not board.is_in_sight(kf, other):
            continue
        for target in fight.sorts(other):
            is_target = KINDS[target.code].group is Group.HUMAN and target.code != WIZARD and not target.is_unseen
            if is_target and target.party.ruler in hostile and not is_shielded(fight, target, kf):
                yield at_least(_needed(fight, bow, target, kf)), target


def _points(fight: Fight, bow: Fighter, target: Fighter) -> int:
    """GP of the table of ranged fights. Source: rules B9"""
    found = _SHOOTER[bow.rank] + (MOUNTED if bow.mount else 0)
    found += _TARGET[target.rank] if target.is_warrior else 0
    found += bow.spell_points + (AMBUSH if INVISIBLE in bow.under else 0)
    is_covered = fight.ground.letters[target.kf] in COVERED or target.carrier is not None
    return found + (COVER if is_covered else 0)


def _needed(fight: Fight, bow: Fighter, target: Fighter, kf: Kf) -> int:
    """The dice without which a shot misses."""
    ground = fight.ground
    climb = max(0, ground.levels[target.kf] - ground.levels[kf])
    return BASE + ground.distance(kf, target.kf) + climb - _points(fight, bow, target)


# Onagers


def stone_value(look: Lookout, onager: Fighter, kf: Kf) -> float:
    """What the best field in range is worth; 0 without one."""
    key = "stone", kf
    found = look.values.get(key)
    if found is None:
        found = look.values[key] = max((worth for worth, _ in _fields(look, onager, kf)), default=0.0)
    return found


def _fields(look: Lookout, onager: Fighter, kf: Kf) -> Iterator[tuple[float, Kf]]:
    fight = look.fight
    for other, away in look.board.within(kf, FARTHEST_STONE):
        if away >= NEAREST_STONE and other in look.enemies:
            hostile = sum(each.price for each in fight.foes_at(onager.party.ruler, other))
            worth = hostile - sum(each.price for each in fight.at[other] if each.party.ruler == onager.party.ruler)
            if worth > 0:
                yield float(worth), other


def _throw_stone(fight: Fight, look: Lookout, onager: Fighter) -> None:
    crew = [each for each in onager.crew if each.is_alive and not each.is_held]
    if len(crew) < CREW or look.is_threatened(onager.kf):
        return
    found = list(_fields(look, onager, onager.kf))
    if not found:
        return
    _, kf = min(found, key=lambda pair: (-pair[0], pair[1]))
    for each in (onager, *crew):
        each.free = False
    climb = max(0, fight.ground.levels[kf] - fight.ground.levels[onager.kf])
    thrown = fight.throw("onager", onager)
    fallen: list[Fighter] = []
    if thrown.total >= STONE_HITS + climb:
        fallen = strike_field(fight, onager, kf)
    first = fight.foes_at(onager.party.ruler, kf)
    fight.tell(
        course.ONAGER,
        onager,
        whom=first[0].number if first else 0,
        rolls=(thrown.total,),
        points=(0, STONE_HITS + climb),
        fallen=fallen,
    )
    for each in fallen:
        if each.is_alive:
            fight.fall(each)
    fight.settle_triples()
