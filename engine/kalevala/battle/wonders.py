"""What gods do in battles besides strokes and spells: they move and protect figures, duel, summon, shake the earth.

Source: rules 24.1, 24.5, R-080, ruling KA215
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.core.ids import PowerId
from engine.kalevala.battle import bearers, course, divine, magic
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import BARRIER, STEERED, WEAPON, Fighter
from engine.kalevala.battle.gods import GodInBattle
from engine.kalevala.battle.ground import NOWHERE, Kf
from engine.kalevala.battle.hazards import strike_field, survives
from engine.kalevala.battle.kinds import ELEPHANTS
from engine.kalevala.battle.movement import Lookout, reach, space_needed
from engine.kalevala.battle.storming import hit, strike_wall
from engine.kalevala.battle.works import Stronghold
from engine.kalevala.coordinates import GfId
from engine.kalevala.gods.facts import DUEL
from engine.kalevala.tables import DRAGON, SPACE

DISPLACE, ANIMALS, SUMMON, QUAKE, BARRIER_GF = "DISPLACE", "ANIMALS", "SUMMON", "QUAKE", "BARRIERGF"
RIVER, GEAR, STEER, DUPLICATE, MIRE, WALLS = "RIVER", "GEAR", "STEER", "DUPLICATE", "TERRAIN", "WALLS"
_FARTHEST, _FIELDS, _STAYS, _RESISTS, _EDGES = 6, 3, 2, 10, 12
"""How far a god moves figures, on how many fields he changes things and for how many rounds, how many rounds a being"""


def work(fight: Fight, by: Fighter, god: GodInBattle, ability: str) -> None:
    """Work one of these abilities, if it would have any effect."""
    WONDERS[ability](fight, by, god)


def has_work(fight: Fight, ruler: PowerId, ability: str) -> bool:
    """Whether it would have any effect now for a god who helps this ruler."""
    if ability in (DISPLACE, ANIMALS):
        return _throw_of(fight, ruler, ability) is not None
    if ability == DUEL:
        return _rival(fight, ruler) is not None
    if ability == SUMMON:
        return _lair(fight, ruler) is not None
    if ability == RIVER:
        return bool(_ditch(fight, ruler))
    if ability in (GEAR, STEER):
        return bool(_led(fight, ruler, ability))
    if ability in (DUPLICATE, WEAPON):
        return bool(_models(fight, ruler) if ability == DUPLICATE else _unarmed(fight, ruler))
    if ability == MIRE:
        return bool(_firm(fight, ruler))
    if ability == WALLS:
        return _weak_walls(fight, ruler) is not None
    return divine.best(fight, ruler) is not None if ability == QUAKE else bool(_threatened(fight, ruler))


# Figures moved elsewhere


def _move(ability: str) -> Callable[[Fight, Fighter, GodInBattle], None]:
    def move(fight: Fight, by: Fighter, god: GodInBattle) -> None:
        """Move warriors and animals of the most valuable field as far away as possible. Source: rules 24.1"""
        found = _throw_of(fight, by.party.ruler, ability)
        if found is None:
            return
        kf, goal, targets = found
        moved = [each for each in targets if not _resists(fight, each)]
        divine.tell(fight, by, god, ability, (kf,), moved)
        for each in moved:
            fight.break_ranks(each)
        for each in moved:
            if each.carrier is None:
                fight.move(each, goal)
                fight.record.tell(course.MOVE, each, path=(fight.record.spotted(goal),))

    return move


def _resists(fight: Fight, fighter: Fighter) -> bool:
    """Roll whether a king resists: he stays where he is with 10 or more on three dice. Source: rules 24.1"""
    return fighter.crown is not None and fight.throw("resist", fighter).total >= _RESISTS


def _throw_of(fight: Fight, ruler: PowerId, ability: str) -> tuple[Kf, Kf, Sequence[Fighter]] | None:
    """Whom the god moves, from where and to where: enemies in contact first, then the most valuable. Ruling KA215"""
    fields = {each.kf for foe in fight.foes[ruler] for each in fight.living(foe)}
    near = set(magic.contacts(fight, ruler, is_own=False))
    for kf in sorted(fields, key=lambda kf: (kf not in near, -divine.worth(fight, ruler, kf), kf)):
        targets = [each for each in fight.foes_at(ruler, kf) if _is_movable(each, ability)]
        goal = _away(fight, ruler, kf, targets, ability) if targets else None
        if goal is not None:
            return kf, goal, targets
    return None


def _is_movable(fighter: Fighter, ability: str) -> bool:
    if fighter.floats or fighter.is_safe or fighter.is_hauled or fighter.is_craft or fighter.serves is not None:
        return False
    bearer = fighter.carrier
    is_animal = bool(fighter.mount) or fighter.code in ELEPHANTS
    return ability == DISPLACE or is_animal or (bearer is not None and bearer.code in ELEPHANTS)


def _away(fight: Fight, ruler: PowerId, kf: Kf, targets: Sequence[Fighter], ability: str) -> Kf | None:
    """The field with room for all of them that is farthest from those he helps; animals have to be able to walk
    there.
    """
    walkers = [each for each in targets if each.carrier is None]
    own = [each.kf for each in fight.living(ruler)]
    space = sum(space_needed(fight, each) for each in walkers)
    foe = targets[0].party.ruler
    reached = [set(reach(Lookout(fight, foe), each)) for each in walkers] if ability == ANIMALS else []

    def suits(goal: Kf) -> bool:
        is_free = (
            goal != kf and goal not in fight.works.at and fight.land.is_open(goal) and not fight.is_barred(foe, goal)
        )
        is_fit = is_free and all(fight.ground.suits(each.code, goal) for each in walkers)  # ruling KA64
        return is_fit and fight.room(goal) >= space and all(goal in fields for fields in reached)

    goals = [goal for goal in range(fight.ground.open_count) if fight.ground.distance(kf, goal) <= _FARTHEST]
    far = [(min(fight.ground.distance(goal, each) for each in own), -goal) for goal in goals if suits(goal)]
    return -max(far)[1] if walkers and far else None


# Figures that nobody can touch


def _shield(fight: Fight, by: Fighter, god: GodInBattle) -> None:
    """Protect those on three fields of the side that he helps from all fighting for three rounds. Source: rules 24.1"""
    fields = _threatened(fight, by.party.ruler)[:_FIELDS]
    _keep_safe(fight, by, god, BARRIER, fields)


def _shield_all(fight: Fight, by: Fighter, god: GodInBattle) -> None:
    """Protect all of a great field in the same way."""
    fields = _threatened(fight, by.party.ruler)
    gf = fight.ground.places[fields[0]][0] if fields else GfId("")
    own = {each.kf for each in fight.living(by.party.ruler)}
    _keep_safe(fight, by, god, BARRIER_GF, sorted(kf for kf in own if fight.ground.places[kf][0] == gf))


def _keep_safe(fight: Fight, by: Fighter, god: GodInBattle, ability: str, fields: Sequence[Kf]) -> None:
    ruler = by.party.ruler
    targets = [each for kf in fields for each in fight.at[kf] if each.party.ruler == ruler and not each.floats]
    if targets:
        divine.tell(fight, by, god, ability, fields, targets)
        magic.enchant(fight, ruler, BARRIER, targets)


def _threatened(fight: Fight, ruler: PowerId) -> list[Kf]:
    """The fields of a ruler that touch enemies, the most valuable first."""
    own = magic.contacts(fight, ruler, is_own=True)
    free = [kf for kf in own if not any(BARRIER in each.under for each in fight.at[kf] if each.party.ruler == ruler)]
    return sorted(free, key=lambda kf: (divine.worth(fight, ruler, kf), kf))


# Duels


def _challenge(fight: Fight, by: Fighter, god: GodInBattle) -> None:
    """Let the god and an enemy's wizard roll in turn, the god adding his level; whoever is lower loses. Source: rules
    19.6, 24.5
    """
    rival = _rival(fight, by.party.ruler)
    if rival is None:
        return
    gains, throwers = (0, god.coming.level), (rival, by)
    rolls = [fight.throw("duel", rival).total]
    while True:
        turn = len(rolls) % 2
        rolls.append(fight.throw("duel", throwers[turn]).total + gains[turn])
        if rolls[-1] < rolls[-2]:
            break
    has_won = len(rolls) % 2 == 1
    divine.tell(fight, by, god, DUEL if has_won else f"{DUEL}_LOST", (rival.kf,), (rival,), rolls=tuple(rolls))
    if has_won:
        fight.make_mortal(rival)
        bearers.win_from(fight, rival, None)
    else:
        god.is_gone = True


def _rival(fight: Fight, ruler: PowerId) -> Fighter | None:
    """The enemy wizard with the most ZEH."""
    found = list(magic.wizards(fight, sorted(fight.foes[ruler])))
    return max(found, key=lambda row: (row[1].zeh, -row[0].number))[0] if found else None


# Beings


def _summon(fight: Fight, by: Fighter, god: GodInBattle) -> None:
    """Summon a dragon that fights for two rounds, next to the most valuable enemies. Source: rules 24.1, R-080"""
    lair = _lair(fight, by.party.ruler)
    if lair is None:
        return
    being = Fighter(len(fight.fighters) + 1, by.party, by.army, DRAGON, lair, start=lair)
    being.leaves_in = fight.round + _STAYS
    fight.fighters.append(being)
    fight.put(being, lair)
    fight.record.emerged.append(fight.record.entrant(being))
    divine.tell(fight, by, god, SUMMON, (lair,), (being,))


def _lair(fight: Fight, ruler: PowerId) -> Kf | None:
    """The empty field next to the highest price of enemies."""
    free = [kf for kf in range(fight.ground.open_count) if fight.land.is_open(kf) and kf not in fight.works.at]
    free = [kf for kf in free if not fight.at[kf] and fight.room(kf) >= SPACE[DRAGON]]

    def price(kf: Kf) -> int:
        return sum(each.price for other in fight.land.fightable(kf) for each in fight.foes_at(ruler, other))

    first = min(((-price(kf), kf) for kf in free), default=(0, NOWHERE))
    return first[1] if first[0] < 0 else None


def dismiss(fight: Fight, ruler: PowerId) -> None:
    """Dismiss a side's beings whose rounds are over."""
    for each in list(fight.living(ruler)):
        if each.leaves_in and fight.round >= each.leaves_in:
            fight.record.tell(course.HID, each, helpers=(each.number,), to=SUMMON if each.code == DRAGON else DUPLICATE)
            fight.vanish(each)


# Enemies led, figures doubled


def _lead(ability: str) -> Callable[[Fight, Fighter, GodInBattle], None]:
    def lead(fight: Fight, by: Fighter, god: GodInBattle) -> None:
        """Lead enemies astray: in their next turn they avoid everybody and strike nobody. Source: rules 24.1, ruling
        KA215
        """
        targets = _led(fight, by.party.ruler, ability)
        if targets:
            divine.tell(fight, by, god, ability, (targets[0].kf,), targets)
            magic.enchant(fight, by.party.ruler, STEERED, targets)

    return lead


def _led(fight: Fight, ruler: PowerId, ability: str) -> list[Fighter]:
    """The figures to lead astray: all of the most valuable enemy, or the gear of the field with most of it, and its
    crew.
    """
    foes = sorted(fight.foes[ruler], key=lambda foe: (-fight.price(foe), foe))
    if ability == STEER and foes:
        return [each for each in fight.living(foes[0]) if not each.floats and not each.is_safe]
    if ability != GEAR:
        return []
    gear: dict[Kf, int] = {}
    for each in (each for foe in foes for each in fight.living(foe)):
        if each.is_gear and each.crew and STEERED not in each.under:
            gear[each.kf] = gear.get(each.kf, 0) + each.price
    kf = min(gear, key=lambda kf: (-gear[kf], kf), default=None)
    there = [] if kf is None else fight.foes_at(ruler, kf)
    return [each for each in there if each.is_gear or (each.serves is not None and each.serves.is_gear)]


def _double(fight: Fight, by: Fighter, god: GodInBattle) -> None:
    """Double warriors of the side that he helps for one round, on free fields next to them. Rules 24.1"""
    copies: list[Fighter] = []
    for model in _models(fight, by.party.ruler):
        space = space_needed(fight, model)
        near = [kf for kf in fight.land.beside(model.kf) if fight.land.is_open(kf) and kf not in fight.works.at]
        free = [kf for kf in near if fight.room(kf) >= space and not fight.is_barred(by.party.ruler, kf)]
        if not free:
            continue
        kf = min(free)
        copy = Fighter(len(fight.fighters) + 1, model.party, model.army, model.item, kf, mount=model.mount, start=kf)
        copy.leaves_in = fight.round + 1
        fight.fighters.append(copy)
        fight.put(copy, kf)
        fight.record.emerged.append(fight.record.entrant(copy))
        copies.append(copy)
    if copies:
        divine.tell(fight, by, god, DUPLICATE, (copies[0].kf,), copies)


def _models(fight: Fight, ruler: PowerId) -> list[Fighter]:
    """The warriors in contact that could be doubled, the most valuable first."""
    near = set(magic.contacts(fight, ruler, is_own=True))
    own = [each for each in fight.living(ruler) if each.kf in near and each.is_warrior and not each.leaves_in]
    own = [each for each in own if each.carrier is None and each.serves is None and each.formation is None]
    return sorted(own, key=lambda each: (-each.price, each.number))


def _arm(fight: Fight, by: Fighter, god: GodInBattle) -> None:
    """Give the most valuable warrior in contact a magic weapon for this battle. Source: rules 24.1, ruling KA215"""
    found = _unarmed(fight, by.party.ruler)[:1]
    if found:
        divine.tell(fight, by, god, WEAPON, (found[0].kf,), found)
        magic.enchant(fight, by.party.ruler, WEAPON, found)


def _unarmed(fight: Fight, ruler: PowerId) -> list[Fighter]:
    near = set(magic.contacts(fight, ruler, is_own=True))
    own = [each for each in fight.living(ruler) if each.kf in near and each.is_warrior and WEAPON not in each.under]
    return sorted(own, key=lambda each: (-each.price, each.number))


# The earth, and works


def _make_mires(fight: Fight, by: Fighter, god: GodInBattle) -> None:
    """Turn three fields with enemies into swamp for three rounds. Source: rules 24.1, ruling KA215"""
    fields = _firm(fight, by.party.ruler)
    if fields:
        there = [each for kf in fields for each in fight.foes_at(by.party.ruler, kf) if not each.floats]
        divine.tell(fight, by, god, MIRE, fields, there)
        fight.land.mires |= dict.fromkeys(fields, fight.round + _FIELDS - 1)


def _firm(fight: Fight, ruler: PowerId) -> list[Kf]:
    """The best field of firm land and those that touch it, where enemies stand in the open."""
    first = divine.best(fight, ruler)
    if first is None:
        return []
    found = divine.connected(fight, ruler, first, _FIELDS)
    return [kf for kf in found if fight.land.is_open(kf) and kf not in fight.works.at and kf not in fight.land.mires]


def _harden(fight: Fight, by: Fighter, god: GodInBattle) -> None:
    """Harden a friendly building: onagers need two more to hit it from now on. Source: rules 24.1, ruling KA215"""
    hold = _weak_walls(fight, by.party.ruler)
    if hold is not None:
        hold.is_hard = True
        divine.tell(fight, by, god, WALLS, (hold.kf,), ())


def _weak_walls(fight: Fight, ruler: PowerId) -> Stronghold | None:
    """The building, not yet hardened, in which friends are worth most; of equals the lowest."""

    def friends(hold: Stronghold) -> int:
        there = (each for kf in hold.building.floors for each in fight.at[kf])
        return sum(each.price for each in there if each.party.ruler == ruler)

    held = [hold for hold in fight.works.holds if not hold.is_ruined and not hold.is_hard and friends(hold)]
    return min(held, key=lambda hold: (-friends(hold), hold.kf), default=None)


def _dig(fight: Fight, by: Fighter, god: GodInBattle) -> None:
    """Dig a ditch of at most twelve edges between friends and enemies, for this battle. Source: rules 24.1"""
    edges = _ditch(fight, by.party.ruler)
    if edges:
        divine.tell(fight, by, god, RIVER, tuple(dict.fromkeys(one for one, _ in edges)), ())
        fight.land.rivers |= {edge for one, other in edges for edge in ((one, other), (other, one))}
        fight.changes += 1


def _ditch(fight: Fight, ruler: PowerId) -> list[tuple[Kf, Kf]]:
    """The edges between enemies and friends with no river there, the most valuable friends first."""
    found = [
        (kf, other)
        for kf in _threatened(fight, ruler)
        for other in fight.land.fightable(kf)
        if other != kf and kf not in fight.works.at and other not in fight.works.at and fight.foes_at(ruler, other)
    ]
    return found[:_EDGES]


def _quake(fight: Fight, by: Fighter, god: GodInBattle) -> None:
    """Strike all small fields of a great one as stones do, works and gear first, and friends as well. Rules 24.1"""
    first = divine.best(fight, by.party.ruler)
    if first is None:
        return
    gf = fight.ground.places[first][0]
    holds = [each for each in fight.works.holds if not each.is_ruined and each.building.place[0] == gf]
    within = [each for hold in holds for kf in hold.building.floors for each in fight.at[kf]]
    fallen = [each for each in within if each.is_human and not each.floats and not survives(fight, each)]
    for kf in range(fight.ground.open_count):
        if fight.ground.places[kf][0] == gf and fight.at[kf] and divine.hold_at(fight, kf) is None:
            fallen += strike_field(fight, kf)
    divine.tell(fight, by, god, QUAKE, (first,), (), fallen)
    for each in fallen:
        if each.is_alive:
            fight.fall(each)
    for hold in holds:
        hit(fight, by, hold)
    for wall in dict.fromkeys(fight.works.barriers.values()):
        if wall.wall is not None and not wall.is_breached and fight.ground.places[wall.inner][0] == gf:
            strike_wall(fight, by, wall)
    fight.settle_triples()


WONDERS: Mapping[str, Callable[[Fight, Fighter, GodInBattle], None]] = {
    DUEL: _challenge,
    DISPLACE: _move(DISPLACE),
    ANIMALS: _move(ANIMALS),
    BARRIER: _shield,
    SUMMON: _summon,
    QUAKE: _quake,
    BARRIER_GF: _shield_all,
    RIVER: _dig,
    GEAR: _lead(GEAR),
    STEER: _lead(STEER),
    DUPLICATE: _double,
    WEAPON: _arm,
    MIRE: _make_mires,
    WALLS: _harden,
}
