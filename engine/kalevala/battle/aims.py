"""Where figures want to go: KILL, TAKE, HOLD, GUARD, SHOOT, AVOID, and who moves first. Source: rules B4, B27"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.kalevala.battle import course, phalanxes, shooting, trampling
from engine.kalevala.battle.boards import Fields
from engine.kalevala.battle.fight import CIVILIANS, ELEPHANTS, ONAGER, Fight, Fighter
from engine.kalevala.battle.ground import Kf
from engine.kalevala.battle.movement import Lookout, ends, path_to, reach, space_needed, speed_of
from engine.kalevala.battle.sites import Party
from engine.kalevala.coordinates import Province, gf_of, order_of
from engine.kalevala.plans import AVOID, GUARD, HOLD, KILL, RESERVE, SHOOT, SIEGE, STORM, TAKE, Aim, Spot

NEAR, GUARDED, SHY = 3, 2, 6
"""TAKE fights enemies so near to its goal; GUARD goes so far from its place; AVOID looks so far."""
_TURNS = (TAKE, KILL, GUARD, SIEGE, STORM, RESERVE, HOLD, AVOID, SHOOT)


@dataclass(frozen=True, slots=True)
class Urge:
    """What a figure is after in a round.

    Args:
        at: of TAKE and GUARD.
        turn: when it moves among the figures of its side: planned aims in written order, then the others.
    """

    what: str
    at: Kf | None = None
    turn: int = 0


def intent_of(fight: Fight, fighter: Fighter) -> Urge:
    """The aim of a figure: as planned, else by default. Source: rules B27"""
    plan = fighter.army.plan
    is_led = fighter.group or fighter.code not in (*CIVILIANS, ONAGER)
    planned = plan.aim_of(fighter.group, fight.round) if is_led else None
    intent = _default(fight, fighter) if planned is None else _planned(fight, fighter, planned)
    if intent.what in (HOLD, GUARD) and fighter.party.ruler in fight.sallies:
        return Urge(KILL, turn=intent.turn)
    return intent


def _planned(fight: Fight, fighter: Fighter, aim: Aim) -> Urge:
    turn = fighter.army.plan.aims.index(aim)
    what = aim.what
    if what == RESERVE:
        what = HOLD if fight.round < aim.wait else TAKE
    if what in (SIEGE, STORM):  # without works in battle there is nothing to besiege
        what = KILL
    if what == GUARD:
        return Urge(what, fighter.start if aim.at is None else field_of(fight, aim.at, fighter.army.province), turn)
    if what == TAKE:
        target = goal_of(fight, fighter)
        at = fight.ground.centres.get(target) if aim.at is None else field_of(fight, aim.at, target)
        return Urge(KILL if at is None else TAKE, at, turn)
    return Urge(what, turn=turn)


def goal_of(fight: Fight, fighter: Fighter) -> Province:
    """The province that an aim without a field of its own is about. Source: rules R-121"""
    if fighter.army.target is not None:
        return fighter.army.target
    threats = [army.province for army in fight.site.armies if army.target == fighter.army.province]
    return min(threats, key=order_of, default=fighter.army.province)


def field_of(fight: Fight, spot: Spot, province: Province) -> Kf | None:
    gf = gf_of(spot.gf or province)
    found = fight.ground.index.get((gf, spot.cell))
    return found if found is not None and fight.is_open(found) else None


def _default(fight: Fight, fighter: Fighter) -> Urge:
    turn = len(fighter.army.plan.aims)
    what, at = HOLD, None
    if fighter.code in CIVILIANS:
        what = AVOID
    elif fighter.is_bow or fighter.code == ONAGER:
        what = SHOOT
    elif fighter.army.target is not None:
        at = fight.ground.centres.get(fighter.army.target)
        what = KILL if at is None else TAKE
    elif fighter.party.role != "attacker" and fighter.start not in fight.ground.centres.values():
        what, at = GUARD, fighter.start
    return Urge(what, at, turn + _TURNS.index(what))


def move_all(fight: Fight, party: Party) -> dict[int, str]:
    """The moves of a side. What each of its figures is after, by number: who holds or shoots fights accordingly."""
    own = list(fight.living(party.ruler))
    intents = {each.number: intent_of(fight, each) for each in own}
    movers = [each for each in own if not (each.flees or each.is_held) and each.carrier is None and each.serves is None]
    look = Lookout(fight, party.ruler)
    if look.enemies:
        for fighter in _in_turn(look, movers, intents):
            if not fighter.is_alive or (fighter.formation and fighter.formation.members[0] is not fighter):
                continue
            if look.changes != fight.changes:
                look = Lookout(fight, party.ruler)
            if not look.enemies:
                break
            _move(look, fighter, intents[fighter.number])
    return {number: intent.what for number, intent in intents.items()}


def _in_turn(look: Lookout, movers: Iterable[Fighter], intents: dict[int, Urge]) -> list[Fighter]:
    """Groups in their order; in each those nearest to their goal first, then the lowest field, then number. B4"""
    to_enemies = look.ways(look.contacts())
    far = len(look.fight.ground.places)

    def turn(fighter: Fighter) -> tuple[int, int, int, int]:
        intent = intents[fighter.number]
        ways = to_enemies
        if intent.what == TAKE and intent.at is not None:
            ways = look.ways(look.board.bits[intent.at])
        away = ways.steps(fighter.kf)
        return intent.turn, far if away is None else away, fighter.kf, fighter.number

    return sorted((each for each in movers if intents[each.number].what != HOLD or _tramples(each)), key=turn)


def _tramples(fighter: Fighter) -> bool:
    return fighter.code in ELEPHANTS


def _move(look: Lookout, fighter: Fighter, intent: Urge) -> None:
    fight = look.fight
    if _tramples(fighter) and intent.what not in (AVOID, SHOOT) and trampling.trample(look, fighter):
        return
    if intent.what == HOLD:
        return
    reached = reach(look, fighter)
    kf = _choose(look, fighter, intent, reached)
    if fighter.formation is not None:
        phalanxes.go(look, fighter.formation, kf)
        return
    if kf != fighter.kf:
        path = path_to(reached, kf)
        fight.move(fighter, kf)
        if fighter.code == ONAGER:
            fighter.free = False  # it does not move and shoot in one round
        fight.tell(course.MOVE, fighter, path=tuple(map(fight.spotted, path)))
        if _tramples(fighter) and intent.what not in (AVOID, SHOOT) and len(path) < speed_of(fighter):
            trampling.trample(look, fighter)  # the step into the enemies' field is one more


def _choose(look: Lookout, fighter: Fighter, intent: Urge, reached: dict[Kf, tuple[int, Kf]]) -> Kf:
    """The field to go to; its own to stay."""
    match intent.what:
        case "TAKE":
            assert intent.at is not None, "somewhere"
            return _take(look, fighter, intent.at, reached)
        case "GUARD":
            place = fighter.start if intent.at is None else intent.at
            around = place, GUARDED
            if look.contacts(around=around):
                return _kill(look, fighter, reached, around=around)
            return _approach(look, fighter, reached, look.board.bits[place])
        case "SHOOT":
            return _shoot(look, fighter, reached)
        case "AVOID":
            return _avoid(look, fighter, reached)
        case _:
            return _kill(look, fighter, reached)


def _take(look: Lookout, fighter: Fighter, goal: Kf, reached: dict[Kf, tuple[int, Kf]]) -> Kf:
    is_near = look.is_enemy_within(goal, NEAR)
    is_own = any(each.party.ruler == fighter.party.ruler for each in look.fight.at[goal])
    if fighter.kf == goal and not is_near:
        return fighter.kf
    if not is_near and not is_own:
        return _approach(look, fighter, reached, look.board.bits[goal])
    near = (goal, NEAR) if is_near else None
    return _kill(look, fighter, reached, near=near if look.contacts(near=near) else None)


def _kill(
    look: Lookout,
    fighter: Fighter,
    reached: dict[Kf, tuple[int, Kf]],
    *,
    near: tuple[Kf, int] | None = None,
    around: tuple[Kf, int] | None = None,
) -> Kf:
    """Who is in contact stays; else the best contact in reach, else toward the nearest one."""
    bits = look.board.bits
    contacts = look.contacts(near=near, around=around)
    if contacts & bits[fighter.kf]:
        return fighter.kf
    free = contacts & look.fight.with_room(space_needed(fighter))
    in_reach = [kf for kf in reached if free & bits[kf]]
    if in_reach:
        return min(in_reach, key=lambda kf: (-look.value(fighter, kf), reached[kf][0], kf))
    return _approach(look, fighter, reached, free or contacts)


def _approach(look: Lookout, fighter: Fighter, reached: dict[Kf, tuple[int, Kf]], goals: Fields) -> Kf:
    """As far as possible on the shortest way."""
    ways = look.ways(goals, is_gear=fighter.code == ONAGER)
    away = {kf: ways.steps(kf) for kf in ends(look.fight, fighter, reached)}
    stops = [(steps, reached[kf][0], kf) for kf, steps in away.items() if steps is not None]
    return min(stops)[2] if stops else fighter.kf


def _shoot(look: Lookout, fighter: Fighter, reached: dict[Kf, tuple[int, Kf]]) -> Kf:
    """Where the best shot is, without an enemy beside; else as near to an enemy as that goes."""
    stops = [kf for kf in ends(look.fight, fighter, reached) if not look.is_threatened(kf)]
    value = shooting.stone_value if fighter.code == ONAGER else shooting.value
    best = [(value(look, fighter, kf), kf) for kf in stops]
    shots = [(worth, kf) for worth, kf in best if worth > 0]
    if shots:
        return min(shots, key=lambda pair: (-pair[0], reached[pair[1]][0], pair[1]))[1]
    return min(stops, key=lambda kf: (look.to_enemies(kf), reached[kf][0], kf), default=fighter.kf)


def _avoid(look: Lookout, fighter: Fighter, reached: dict[Kf, tuple[int, Kf]]) -> Kf:
    if look.to_enemies(fighter.kf) > SHY:
        return fighter.kf
    stops = ends(look.fight, fighter, reached)
    return min(stops, key=lambda kf: (-look.to_enemies(kf), reached[kf][0], kf))
