"""Hand to hand: GP, targets, support, duels. Source: rules 16.4, B4, B7"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping

from engine.kalevala.battle import course, royalty, weak_spots
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import AMBUSH, Fighter, Formation
from engine.kalevala.battle.ground import Kf
from engine.kalevala.battle.hazards import survives
from engine.kalevala.battle.kinds import ELEPHANTS, TRAMPLERS, WAGON, WIZARD
from engine.kalevala.battle.odds import KNIFE, NATURAL, at_least, duel
from engine.kalevala.figures import kind_of, team_of
from engine.kalevala.kings.facts import defence_of as kings_defence
from engine.kalevala.kings.facts import is_king
from engine.kalevala.war.plans import AVOID, SHOOT
from engine.kalevala.wizards.spells import INVISIBLE

CLASS_POINTS = {"A": 0, "B": 3, "C": 6}
KNIFE_POINTS = {"A": 0, "B": 1, "C": 2}
ATTACK, HEIGHT, CIRCLE, PHALANX = 2, 1, 1, 3
ELEPHANT = 6
"""The GP with which an elephant defends and tramples."""
LIGHT_TEAM, HEAVY_TEAM = 4, 6
"""The GP with which a wagon does so, by its horses. Source: rules 25.2, B19"""
_BEATS = {"A": "L", "L": "S", "S": "A"}
"""Which weapon has the better of which: axe of lance, lance of sword, sword of axe."""
DEFENCE = {"Pr": 6, "K": 6, "My": 6, "Ag": 3, "DD": 6, "El": ELEPHANT, "Mm": ELEPHANT, WAGON: LIGHT_TEAM}
"""The GP with which figures that are no warriors defend; all others defend with none."""
_ATTACK = {"Pr": 0, "My": 6, "Ag": 3, "DD": 6}
"""The GP with which figures that are no warriors attack; all others don't attack."""
_RANKS = "ABCD"
DEADLY = 17
"""The only unmodified roll that kills a mortal wizard. Source: rules 19.7, R-057"""


def points(fight: Fight, fighter: Fighter, other: Fighter, at: Kf, *, is_attack: bool) -> int:
    """The GP of a figure that fights another one from a field. Source: ruling KA45."""
    ground = fight.ground
    if fighter.is_held:
        return 0
    if fighter.strikes_with_knife:
        found = KNIFE_POINTS[fighter.rank]
    elif fighter.is_warrior:
        found = CLASS_POINTS[fighter.rank] + (ATTACK if is_attack and not fighter.party.enslaves else 0)
        found += CIRCLE if other.is_warrior and _is_beaten_by(other, fighter) else 0
    elif fighter.crown is not None:
        found = royalty.strength(fight, fighter, fighter.crown)
        found += ATTACK if is_attack and not fighter.party.enslaves else 0
    elif is_attack:
        found = _ATTACK.get(fighter.code, 0) + (0 if fighter.party.enslaves else ATTACK)
    else:
        found = tread_of(fighter) if fighter.code in TRAMPLERS else DEFENCE.get(fighter.code, 0)
    found += fighter.horse_points + fighter.spell_points + fighter.relic_points
    if is_attack and INVISIBLE in fighter.under:
        found += AMBUSH
    found += HEIGHT if ground.levels[at] > ground.levels[other.kf] else 0
    if fight.kings and fighter.is_warrior:
        found += royalty.courage(fight, fighter, at)
    if fight.weak_spots.at and fighter.is_warrior:
        found += weak_spots.comfort(fight, fighter, at)
    if fighter.formation is not None and is_front(fight, fighter.formation, at, other.kf):
        found += PHALANX
    return found


def unaided_defence(item: str) -> int:
    """The GP of somebody who defends himself alone, away from any battle. Source: rules B7, R-071"""
    kind = kind_of(item)
    if kind.is_warrior:
        return (KNIFE_POINTS if kind.weapon == "B" else CLASS_POINTS)[kind.rank]
    return kings_defence(item) if is_king(item) else DEFENCE.get(kind.code, 0)


def _is_beaten_by(other: Fighter, fighter: Fighter) -> bool:
    """Whether a weapon is beaten by another; a knife is beaten by none."""
    return not other.has_knife and _BEATS.get(fighter.item[0]) == other.item[0]


def tread_of(fighter: Fighter) -> int:
    """The GP with which an elephant or a wagon tramples, and defends. Source: rules 25.2, B19"""
    if fighter.code != WAGON:
        return ELEPHANT
    return HEAVY_TEAM if "QsP" in team_of(fighter.item) else LIGHT_TEAM


def is_front(fight: Fight, formation: Formation, at: Kf, other: Kf) -> bool:
    """Whether a field is in front of a phalanx: on the side that it faces, or next to that. Source: rules B8"""
    side = fight.ground.side(at, other)
    return side is not None and (side - formation.side) % 6 in (0, 1, 5)


def needed(fighter: Fighter) -> int:
    """The unmodified roll with which a figure kills; more than any roll for one that never does."""
    if fighter.strikes_with_knife:
        return KNIFE
    if fighter.crown is not None:
        return royalty.needed(fighter.crown)
    return NATURAL if fighter.is_warrior or fighter.code in DEFENCE else 99


def can_fight(fighter: Fighter) -> bool:
    """Whether a figure could attack somebody next to it: enemies beware of it. Source: rules B5"""
    if fighter.is_held:
        return False
    if fighter.code in TRAMPLERS:
        return True
    is_seated = fighter.carrier is not None and fighter.carrier.code in ELEPHANTS
    return not is_seated and (fighter.is_warrior or fighter.code in _ATTACK or fighter.crown is not None)


def can_be_attacked(fighter: Fighter) -> bool:
    """Whether a figure can be attacked: no wizard or unseen figure, and riders of elephants and wagons only with these.
    Rules B5, B7
    """
    return not (fighter.floats or fighter.is_craft) and fighter.carrier is None and not fighter.is_unseen


def targets(fight: Fight, fighter: Fighter, at: Kf) -> list[Fighter]:
    """Whom a figure could attack from a field, one of each sort."""
    hostile = fight.foes[fighter.party.ruler]
    found = [
        each
        for kf in (fight.land.fightable(at) if fighter.carrier is None else _behind(fight, fighter.carrier))
        if fight.at[kf]
        for each in fight.sorts(kf)
        if each.party.ruler in hostile and can_be_attacked(each) and not _goes_too_fast(each, fighter)
    ]
    if fighter.formation is not None:
        found = [each for each in found if fight.ground.rooms[each.kf] >= len(fighter.formation.members)]
    return found


def _behind(fight: Fight, wagon: Fighter) -> tuple[Kf, ...]:
    """The field that those on a wagon can strike: straight behind it. Source: rules 26.4, ruling KA158"""
    back = fight.ground.around[wagon.kf][wagon.facing.opposite]
    return tuple(kf for kf in fight.land.fightable(wagon.kf) if kf == back)


def _goes_too_fast(target: Fighter, fighter: Fighter) -> bool:
    """Whether a wagon moves too fast for a figure: only riders fight a moving one. Source: rules 26.4"""
    return target.code == WAGON and target.has_moved and not fighter.mount


def value(fight: Fight, fighter: Fighter, target: Fighter, at: Kf) -> float:
    """The expected value of an attack by the figure alone: chance times price. Source: rules B4"""
    ahead = points(fight, fighter, target, at, is_attack=True) - points(
        fight, target, fighter, target.kf, is_attack=False
    )
    chance = at_least(needed(fighter)) if target.is_held else duel(needed(fighter), ahead)
    return chance * _price(fight, target)


def _price(fight: Fight, target: Fighter) -> int:
    if target.code not in TRAMPLERS:
        return target.price
    return target.price + sum(each.price for each in fight.at[target.kf] if each.carrier is target)


def best_target(fight: Fight, fighter: Fighter, at: Kf) -> tuple[float, Fighter] | None:
    """The target of the highest value from a field; of equals the lowest field, then number."""
    found = [(value(fight, fighter, each, at), each) for each in targets(fight, fighter, at)]
    return min(found, key=lambda pair: (-pair[0], pair[1].kf, pair[1].number)) if found else None


def attack_all(fight: Fight, fighters: list[Fighter], aims: dict[int, str]) -> None:
    """Let everybody of a side who can attack once, higher classes first, then by field and number. Source: rules B4"""
    able = [each for each in fighters if _may_attack(fight, each, aims.get(each.number, ""))]
    ready: defaultdict[Kf, deque[Fighter]] = defaultdict(deque)
    for each in sorted(able, key=lambda each: (_RANKS.index(each.rank), each.number)):
        ready[each.kf].append(each)
    for fighter in sorted(able, key=lambda each: (-_RANKS.index(each.rank), each.kf, each.number)):
        if fighter.is_alive and fighter.free and not (fighter.formation and fighter.formation.has_moved):
            _attack(fight, fighter, ready)


def _may_attack(fight: Fight, fighter: Fighter, aim: str) -> bool:
    is_unwilling = aim in (AVOID, SHOOT) or fighter.flees
    if is_unwilling and fighter.is_bow and fighter.kf in fight.works.at and not fighter.flees:
        is_unwilling = not fight.foes_at(fighter.party.ruler, fighter.kf)  # enemies on the storey come first: B15
    if fighter.crown is not None and not is_unwilling:
        is_unwilling = royalty.sleeps(fight, fighter)
    return can_fight(fighter) and fighter.code not in TRAMPLERS and not is_unwilling


def _attack(fight: Fight, fighter: Fighter, ready: dict[Kf, deque[Fighter]]) -> None:
    found = best_target(fight, fighter, fighter.kf)
    if found is None:
        return
    target = found[1]
    mine = points(fight, fighter, target, fighter.kf, is_attack=True)
    theirs = points(fight, target, fighter, target.kf, is_attack=False)
    formation = fighter.formation
    strikes = formation is not None and formation.strikes and is_front(fight, formation, fighter.kf, target.kf)
    is_doubtful = mine <= theirs and not target.is_held
    helper = _helper(fight, fighter, target, ready) if is_doubtful or strikes else None
    if helper is not None:
        mine += points(fight, helper, target, helper.kf, is_attack=True)
    for each in (fighter, *((helper,) if helper is not None else ())):
        each.free = False
        each.under.pop(INVISIBLE, None)
    fight_duel(fight, fighter, target, mine, theirs, helper=helper)
    strikers = formation if helper is not None and helper.formation is formation else None
    if strikers is not None and step_in(fight, strikers, target.kf):
        ready[target.kf] = deque(strikers.members)


def step_in(fight: Fight, formation: Formation, kf: Kf) -> bool:
    """Let a phalanx step into the field that its power strike has emptied. Source: rules B8"""
    first = formation.members[0]
    is_whole = all(each.is_alive and each.formation is formation for each in formation.members)
    if not is_whole or fight.at[kf] or not is_front(fight, formation, first.kf, kf):
        return False
    if fight.room(kf) < len(formation.members) or abs(fight.ground.levels[kf] - fight.ground.levels[first.kf]) > 1:
        return False
    side = fight.ground.side(first.kf, kf)
    assert side is not None, "a neighbour"
    formation.side = side
    for each in formation.members:
        fight.move(each, kf)
        fight.record.tell(course.MOVE, each, path=(fight.record.spotted(kf),))
    return True


def _helper(fight: Fight, fighter: Fighter, target: Fighter, ready: Mapping[Kf, deque[Fighter]]) -> Fighter | None:
    """The figure that supports: a free friend of equal or lower class, the lowest class first, then by number. Source:
    rules B7

    Args:
        ready: who may attack, by field, in this order; who has done so is taken off.
    """
    top = _RANKS.index(fighter.rank)
    found = []
    for kf in fight.land.fightable(target.kf):
        waiting = ready.get(kf, ())
        while waiting and not (waiting[0].free and waiting[0].is_alive and waiting[0].kf == kf):
            waiting.popleft()
        is_fit = next((each for each in waiting if _may_support(fight, each, fighter, target, kf, top)), None)
        if is_fit is not None:
            found.append(is_fit)
    return min(found, key=lambda each: (_RANKS.index(each.rank), each.number), default=None)


def _may_support(fight: Fight, friend: Fighter, fighter: Fighter, target: Fighter, kf: Kf, top: int) -> bool:
    is_there = friend is not fighter and friend.free and friend.is_alive and friend.kf == kf
    formation = friend.formation
    is_bound = friend.carrier is not None
    is_bound = is_bound or (
        formation is not None and (formation.has_moved or fight.ground.rooms[target.kf] < len(formation.members))
    )
    return is_there and not is_bound and _RANKS.index(friend.rank) <= top


def fight_duel(
    fight: Fight,
    fighter: Fighter,
    target: Fighter,
    mine: int,
    theirs: int,
    *,
    helper: Fighter | None = None,
    kind: str = course.MELEE,
) -> None:
    """Let both roll: a figure with the natural dice and the higher total kills. Source: R-043"""
    first = fight.throw(kind, fighter)
    second = fight.throw(kind, target)
    margin = first.total + mine - second.total - theirs
    fallen: list[Fighter] = []
    horse = None
    loser = None
    if (margin > 0 or target.is_held) and first.total >= needed(fighter):
        loser = target if target.code != WIZARD or first.total == DEADLY else None
    elif margin < 0 and not target.is_held and second.total >= needed(target):
        loser = fighter
    if loser is not None and loser.mount and abs(margin) <= loser.horse_points:
        horse = loser
    elif loser is not None:
        victim = royalty.struck(fight, loser, is_attacked=loser is target, is_duel=True)
        fallen += [victim] if victim is not None else []
    beasts = [each for each in fallen if each.code in TRAMPLERS]
    fallen += [
        rider for each in beasts for rider in fight.riders(each) if each.code in ELEPHANTS or not survives(fight, rider)
    ]
    fight.record.tell(
        kind,
        fighter,
        whom=target.number,
        helpers=() if helper is None else (helper.number,),
        rolls=(first.total, second.total),
        points=(mine, theirs),
        fallen=fallen,
    )
    for each in fallen:
        if each.is_alive:
            fight.fall(each)
    if horse is not None:
        fight.lose_horse(horse)
        fight.record.tell(course.HORSE, horse)
    fight.settle_triples()
