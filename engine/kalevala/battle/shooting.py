"""Bows. Source: rules B9"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ids import PowerId
from engine.kalevala.battle import course, royalty
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import AMBUSH, Fighter
from engine.kalevala.battle.ground import COVERED, Kf
from engine.kalevala.battle.kinds import ON_SIEGE_TOWER, SIEGE_TOWER, WIZARD
from engine.kalevala.battle.movement import Lookout
from engine.kalevala.battle.odds import at_least
from engine.kalevala.battle.phalanxes import is_shielded
from engine.kalevala.tables import KINDS, Group
from engine.kalevala.war.plans import SHOOT
from engine.kalevala.wizards.spells import INVISIBLE
from engine.lattice.great_fields import Side

RANGE, BASE = 3, 12
_SHOOTER = {"A": 0, "B": 1, "C": 2, "D": 4}
_TARGET = {"A": 0, "B": -1, "C": -2}
MOUNTED, COVER = -1, -1
_RANKS = "ABC"
_WITH_BOARDS = ("LS", "SS")
"""Craft that give cover to their crews; rafts don't. Source: rules 26.1"""


def shoot_all(fight: Fight, ruler: PowerId, fighters: list[Fighter], aims: dict[int, str]) -> None:
    """Let archers shoot, higher classes first, then by field and number. Source: rules B4"""
    able = [each for each in fighters if each.is_alive and each.free and not each.flees and not each.is_held]
    bows = [each for each in able if each.is_bow and aims.get(each.number) == SHOOT and _is_idle(each)]
    if not bows:
        return
    look = Lookout(fight, ruler)
    for bow in sorted(bows, key=lambda each: (-_RANKS.index(each.rank), each.kf, each.number)):
        if bow.is_alive and not _is_hindered(look, bow, bow.kf):
            _shoot(fight, look, bow)


def _is_idle(bow: Fighter) -> bool:
    """Whether an archer serves no gear; those aboard a craft or on top of a siege tower can shoot."""
    return bow.serves is None or bow.serves.is_craft or is_on_tower(bow)


def is_on_tower(bow: Fighter) -> bool:
    """Whether he is one of the two archers on top of a siege tower that did not move in this round. Ruling KA155"""
    tower = bow.serves
    if tower is None or tower.code != SIEGE_TOWER or tower.has_moved:
        return False
    archers = sorted(
        (each for each in tower.crew if each.is_bow), key=lambda each: (-_RANKS.index(each.rank), each.number)
    )
    return bow in archers[:ON_SIEGE_TOWER]


def _level(fight: Fight, bow: Fighter, kf: Kf) -> int:
    """The level from which he shoots, one higher on top of a siege tower."""
    return fight.ground.levels[kf] + (1 if kf == bow.kf and is_on_tower(bow) else 0)


def _is_hindered(look: Lookout, bow: Fighter, kf: Kf) -> bool:
    """Whether an enemy next to him could attack him, which nobody can do on an elephant.

    Behind a loophole or on a platform only an enemy on the same storey hinders him; aboard a craft or on top of a siege
    tower nobody does. Source: rules B9
    """
    if kf in look.fight.ground.waters:
        return False
    if kf in look.fight.works.at:
        return kf in look.enemies
    if is_on_tower(bow):
        return False
    return bow.carrier is None and look.is_threatened(kf)


# Bows


def _shoot(fight: Fight, look: Lookout, bow: Fighter) -> None:
    shots = [(chance * target.price, target) for chance, target in _shots(look, bow, bow.kf)]
    used = fight.this_round.loopholes
    shots = [pair for pair in shots if pair[1].is_alive and _loophole(fight, bow, pair[1]) not in used]
    if not shots:
        return
    _, target = min(shots, key=lambda pair: (-pair[0], pair[1].kf, pair[1].number))
    loophole = _loophole(fight, bow, target)
    if loophole is not None:
        fight.this_round.loopholes.add(loophole)
    needed, mine = _needed(fight, bow, target, bow.kf), _points(fight, bow, target)
    bow.free = False
    bow.under.pop(INVISIBLE, None)
    thrown = fight.throw("bow", bow)
    is_hit = thrown.total >= needed
    victim = royalty.struck(fight, target, is_attacked=True) if is_hit else None
    fight.record.tell(
        course.SHOT,
        bow,
        whom=target.number,
        rolls=(thrown.total,),
        points=(mine, needed + mine),
        fallen=(victim,) if victim is not None else (),
    )
    if victim is not None:
        fight.this_round.shot_at.add(victim.party.ruler)
        fight.fall(victim)
    fight.settle_triples()


def _loophole(fight: Fight, bow: Fighter, target: Fighter) -> tuple[Kf, Side] | None:
    """The loophole through which somebody inside shoots; each serves one man. Source: rules B15"""
    hold = fight.works.at.get(bow.kf)
    if hold is None or bow.kf == hold.building.platform:
        return None
    return bow.kf, fight.ground.side_toward(hold.kf, target.kf)


def value(look: Lookout, bow: Fighter, kf: Kf) -> float:
    """The value of the best shot from a field, or 0 without one. Source: rules B4"""
    key = "shot", bow.item, bool(bow.mount), tuple(bow.under), kf
    found = look.values.get(key)
    if found is None:
        shots = (chance * target.price for chance, target in _shots(look, bow, kf))
        found = look.values[key] = max(shots, default=0.0) if look.enemies_near(kf) else 0.0
    return found


def _shots(look: Lookout, bow: Fighter, kf: Kf) -> Iterator[tuple[float, Fighter]]:
    """The figures that an archer can hit from a field, one of each sort, and how likely."""
    fight, board = look.fight, look.board
    ground, hostile = fight.ground, fight.foes[bow.party.ruler]
    for other, away in look.enemies_near(kf):
        is_far = away > RANGE and _level(fight, bow, kf) <= ground.levels[other]
        if is_far or not board.is_in_sight(kf, other):
            continue
        for target in fight.sorts(other):
            is_target = KINDS[target.code].group is Group.HUMAN and target.code != WIZARD and not target.is_unseen
            if is_target and target.party.ruler in hostile and not is_shielded(fight, target, kf):
                yield at_least(_needed(fight, bow, target, kf)), target


def _points(fight: Fight, bow: Fighter, target: Fighter) -> int:
    """The GP from the table of ranged fights. Source: rules B9"""
    found = _SHOOTER[bow.rank] + (MOUNTED if bow.mount or bow.carrier is not None else 0)
    found += _TARGET[target.rank] if target.is_warrior else 0
    found += bow.spell_points + (AMBUSH if INVISIBLE in bow.under else 0)
    is_covered = (
        fight.ground.letters[target.kf] in COVERED
        or target.carrier is not None
        or target.kf in fight.works.at
        or (target.serves is not None and target.serves.code == SIEGE_TOWER)
        or (target.serves is not None and target.serves.code in _WITH_BOARDS)
        or _is_behind_wall(fight, bow.kf, target.kf)
    )
    return found + (COVER if is_covered else 0)


def _needed(fight: Fight, bow: Fighter, target: Fighter, kf: Kf) -> int:
    """The roll that a shot needs to hit."""
    ground = fight.ground
    climb = max(0, ground.levels[target.kf] - _level(fight, bow, kf))
    return BASE + ground.distance(kf, target.kf) + climb - _points(fight, bow, target)


def _is_behind_wall(fight: Fight, kf: Kf, other: Kf) -> bool:
    """Whether there is a wall on the last edge before a target. Source: rules 27, ruling KA74"""
    if not fight.ground.walls:
        return False
    last = (kf, *fight.ground.board.between(kf, other))[-1]
    return fight.works.is_wall_between(last, other)
