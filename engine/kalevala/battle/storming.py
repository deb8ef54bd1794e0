"""Over the walls and through them: ladders, ropes, siege towers, rams, turtles. Source: rules B13, B14, 26"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.core.ids import PowerId
from engine.kalevala.battle import course
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.ground import Kf
from engine.kalevala.battle.hazards import horse_survives, survives
from engine.kalevala.battle.kinds import (
    AT_EDGES,
    CREWS,
    ELEPHANTS,
    LADDER,
    ON_SIEGE_TOWER,
    RAM,
    ROPE,
    SIEGE_TOWER,
    STORMING,
    TURTLE,
)
from engine.kalevala.battle.melee import HEIGHT, can_be_attacked, fight_duel, points
from engine.kalevala.battle.movement import Lookout, space_needed
from engine.kalevala.battle.sites import Party
from engine.kalevala.battle.works import WALL_HIT, WALL_STANDS, Barrier, Stronghold
from engine.kalevala.tables import FULL_ROOM
from engine.kalevala.war.plans import SHOOT, SIEGE

GATE_BREAKS, KEEP_GATE_BREAKS, ROPE_HOLDS, GETS_OVER = 12, 13, 11, 12
MOST_AT_EDGE, MOST_AT_LADDER = 2, 3
_RANKS = "ABC"


def leave_turtles(fight: Fight) -> None:
    """Let crews leave a turtle, at the start of a round, that has broken a gate or wall, so that they can go in. Ruling
    KA155
    """
    for each in list(fight.living()):
        if each.code == TURTLE and each.is_done:
            each.is_done = False
            lay_aside(fight, each)


def man(fight: Fight, party: Party) -> None:
    """Let bystanders replace the fallen of a crew, and the crew of gear that is of no use go. Rulings KA71, KA327"""
    holds = fight.works.held_against(fight, party.ruler)
    for gear in list(fight.living(party.ruler)):
        if not gear.is_gear or gear.is_idle:
            continue
        if not is_of_use(fight, gear, holds):
            _leave(gear)
            continue
        gear.crew = [each for each in gear.crew if each.is_alive and each.kf == gear.kf]
        wanted = CREWS[gear.code] - len(gear.crew)
        if wanted <= 0 or (gear.leans is not None and gear.code != SIEGE_TOWER):
            continue
        spare = [
            each
            for each in fight.at[gear.kf]
            if each.party.ruler == party.ruler
            and each.is_warrior
            and not each.mount
            and each.serves is None
            and each.carrier is None
            and each.formation is None
            and not each.flees
            and not each.is_held
        ]
        for each in sorted(spare, key=lambda each: (_RANKS.index(each.rank), each.number))[:wanted]:
            each.serves = gear
            gear.crew.append(each)


def is_of_use(fight: Fight, gear: Fighter, holds: Sequence[Stronghold]) -> bool:
    """Whether there is something to storm with a piece of gear, wherever that is; onagers are always of use.

    Args:
        holds: the buildings in which enemies are.
    """
    if gear.code not in STORMING or (gear.code in (RAM, TURTLE) and (holds or fight.ground.walls)):
        return True
    return any(True for hold in holds for _ in _places_at(fight, gear, hold))


def _leave(gear: Fighter) -> None:
    """Let the crew of a piece of gear go."""
    for each in gear.crew:
        each.serves = None
    gear.crew = []


# Where gear goes


def distance_to(fight: Fight, holds: Sequence[Stronghold], kf: Kf) -> int:
    """The distance of a field from the nearest of some buildings."""
    return min(fight.ground.distance(kf, hold.kf) for hold in holds)


def places_for(look: Lookout, gear: Fighter, holds: Sequence[Stronghold]) -> list[Kf]:
    """The fields where a piece of gear can be used."""
    fight = look.fight
    found = [kf for hold in holds for kf in _places_at(fight, gear, hold) if kf not in look.enemies]
    if gear.code == ROPE and not gear.is_knotted:
        found = [kf for kf in found if _has_loose_rope(fight, gear, kf)] or found
    if gear.code not in ELEPHANTS and not look.can_come(gear, look.board.of(found)):
        found = [kf for kf in _places_at_walls(look, gear) if kf not in look.enemies]
    taken = {
        kf: sum(1 for each in fight.at[kf] if each.code in STORMING and each is not gear) for kf in dict.fromkeys(found)
    }
    least = min(taken.values(), default=0)
    most = MOST_AT_EDGE if gear.code in AT_EDGES else 1
    return [kf for kf, count in taken.items() if kf == gear.kf or (count == least and count < most)]


def _has_loose_rope(fight: Fight, rope: Fighter, kf: Kf) -> bool:
    """Whether a rope waits on a field to be knotted to this one, for a keep of two storeys. Rules B14"""
    if not any(fight.works.at[other].is_keep for other in fight.ground.around[kf] if other in fight.works.at):
        return False
    there = [each for each in fight.at[kf] if each.code == ROPE and each.party is rope.party and each is not rope]
    loose = [each for each in there if not (each.is_knotted or each.is_idle) and each.leans is None]
    return sum(each.number < rope.number for each in loose) % 2 == 1


def _places_at_walls(look: Lookout, gear: Fighter) -> Iterator[Kf]:
    """The fields before walls on edges that bar the way: for a ram those with gates, for a turtle all. B13, ruling
    KA155
    """
    fight = look.fight
    if gear.code not in (RAM, TURTLE):
        return
    for (kf, other), barrier in fight.works.barriers.items():
        if barrier.wall is None or barrier.is_passable or not fight.land.is_open(kf) or not fight.land.is_open(other):
            continue
        is_fit = barrier.has_gate if gear.code == RAM else fight.ground.rooms[kf] >= FULL_ROOM
        if is_fit and kf not in fight.works.at and fight.works.is_barred(fight, look.ruler, kf, other):
            yield kf


def _places_at(fight: Fight, gear: Fighter, hold: Stronghold) -> Iterator[Kf]:
    for barrier in hold.barriers.values():
        outer = barrier.outer if barrier.inner == hold.kf else barrier.inner
        if not fight.land.is_open(outer) or outer in fight.works.at:
            continue
        if gear.code in (SIEGE_TOWER, TURTLE) and fight.ground.rooms[outer] < FULL_ROOM:
            continue
        is_gate = barrier.has_gate and not barrier.is_passable
        match gear.code:
            case "Wi" | "El" | "Mm":
                is_fit = is_gate
            case "Sk":
                is_fit = not barrier.is_passable
            case _:
                is_fit = can_be_climbed(fight, gear, hold, outer)
        if is_fit:
            yield outer


def can_be_climbed(fight: Fight, gear: Fighter, hold: Stronghold, kf: Kf) -> bool:
    """Whether a ladder, rope or siege tower reaches a platform; of a keep only two ropes do, if it has two storeys.

    Source: rules 26.6.
    """
    if hold.building.platform is None or hold.is_ruined:
        return False
    if abs(fight.ground.levels[hold.kf] - fight.ground.levels[kf]) > (0 if gear.code == SIEGE_TOWER else 1):
        return False
    if hold.building.type == "Bf":
        return gear.code == ROPE
    return hold.building.type != "BF"


def make_room(fight: Fight, gear: Fighter, kf: Kf) -> bool:
    """Let men in a field change places with own gear that has to get there; returns whether it then has room. Ruling
    KA71"""
    missing = space_needed(fight, gear) - fight.room(kf)
    if missing <= 0:
        return True
    able = [
        each
        for each in fight.at[kf]
        if each.party.ruler == gear.party.ruler
        and each.is_human
        and each.space
        and each.serves is None
        and each.carrier is None
        and each.formation is None
    ]
    going: list[Fighter] = []
    for each in sorted(able, key=lambda each: -each.number):
        if sum(one.space for one in going) < missing:
            going.append(each)
    leaving = sum(each.space for each in going)
    if leaving < missing or fight.room(gear.kf) + space_needed(fight, gear) < leaving:
        return False
    for each in going:
        fight.move(each, gear.kf)
        fight.record.tell(course.MOVE, each, path=(fight.record.spotted(gear.kf),))
    return True


def places_at_ladders(fight: Fight, fighter: Fighter) -> list[Kf]:
    """The fields with own ladders in place or rams at work that are not crowded yet. Source: rules B27"""
    found = []
    for kf, ladders in _ladders(fight, fighter).items():
        there = [each for each in fight.at[kf] if each.party.ruler == fighter.party.ruler and not each.is_gear]
        if fighter in there or len(there) < MOST_AT_LADDER * ladders:
            found.append(kf)
    return found


def places_to_serve(fight: Fight, fighter: Fighter) -> list[Kf]:
    """The fields with own gear whose crew is incomplete. Ruling KA71"""
    found = []
    holds = fight.works.held_against(fight, fighter.party.ruler)
    for each in fight.living(fighter.party.ruler):
        is_free = each.code in STORMING and each.leans is None and not each.is_idle and not each.is_manned
        if is_free and is_of_use(fight, each, holds):
            spare = sum(
                1
                for other in fight.at[each.kf]
                if other.party.ruler == each.party.ruler and other.is_warrior and other.serves is None
                and other is not fighter
            )  # fmt: skip
            if spare < CREWS[each.code] - len(each.crew):
                found.append(each.kf)
    return found


def _ladders(fight: Fight, fighter: Fighter) -> dict[Kf, int]:
    found: dict[Kf, int] = {}
    for each in fight.living(fighter.party.ruler):
        if each.leans is not None or (each.code == RAM and _is_at_gate(fight, each)):
            found[each.kf] = found.get(each.kf, 0) + 1
    return found


def _is_at_gate(fight: Fight, ram: Fighter) -> bool:
    return any(
        barrier is not None and barrier.has_gate and not barrier.is_passable
        for other in fight.ground.around[ram.kf]
        for barrier in (fight.works.barriers.get((ram.kf, other)),)
    )


# What is done there


def act(fight: Fight, party: Party, aims: dict[int, str]) -> None:
    """Let rams and turtles act, then ladders and ropes, then those who climb. Source: rules B4"""
    ruler = party.ruler
    holds = fight.works.held_against(fight, ruler)
    if not holds and not fight.ground.walls:
        return
    man(fight, party)
    own = [each for each in fight.living(ruler) if not (each.flees or each.is_held)]
    for each in _in_order(own, (RAM, TURTLE, *ELEPHANTS)):
        if aims.get(each.number) != SIEGE:
            _ram(fight, each, holds)
    for each in _in_order(own, (LADDER, ROPE, SIEGE_TOWER)):
        if each.leans is None and aims.get(each.number) != SIEGE:
            _set(fight, each, holds)
    for each in _in_order(own, (LADDER, ROPE, SIEGE_TOWER)):
        each.climber = None
        for _ in range(ON_SIEGE_TOWER if each.code == SIEGE_TOWER else 1):
            _climb(fight, each, aims)


def _in_order(own: Sequence[Fighter], codes: Sequence[str]) -> list[Fighter]:
    return sorted((each for each in own if each.code in codes), key=lambda each: (each.kf, each.number))


def _ram(fight: Fight, ram: Fighter, holds: Sequence[Stronghold]) -> None:
    """Ram the adjacent gate or, with a turtle, the wall."""
    if ram.code in ELEPHANTS:
        crew = [each for each in fight.riders(ram) if each.free]
        is_ready = bool(crew) and ram.free and not ram.is_weary
    else:
        crew = [each for each in ram.crew if each.is_alive and each.free and not each.is_held]
        is_ready = ram.is_alive and len(crew) >= CREWS[ram.code]
    beside = _barriers_beside(fight, ram.party.ruler, ram.kf, holds)
    gates = [(hold, each) for hold, each in beside if each.has_gate]
    chosen = gates or (beside if ram.code == TURTLE else [])
    if not is_ready or not chosen or has_moved(ram):
        return
    hold, barrier = chosen[0]
    if ram.code not in ELEPHANTS:
        for each in crew:
            each.free = False
    ram.free = False
    thrown = fight.throw("gate", ram)
    if barrier.has_gate:
        needed = KEEP_GATE_BREAKS if hold is not None and hold.is_keep else GATE_BREAKS
        fight.record.tell(course.RAM, ram, rolls=(thrown.total,), points=(needed,), work=fight.record.edge(barrier))
        if thrown.total >= needed:
            barrier.is_broken = True
            fight.changes += 1
            if ram.code == RAM:
                lay_aside(fight, ram)
            ram.is_done = True
        return
    fight.record.tell(course.RAM, ram, rolls=(thrown.total,), points=(WALL_HIT,), work=fight.record.edge(barrier))
    if thrown.total >= WALL_HIT and hold is not None:
        hit(fight, ram, hold)
    elif thrown.total >= WALL_HIT:
        strike_wall(fight, ram, barrier)
    ram.is_done = barrier.is_breached


def strike_wall(fight: Fight, by: Fighter, wall: Barrier) -> None:
    """Hit a wall on an edge: it falls at the second hit. Source: rules B12"""
    wall.hits += 1
    if wall.hits >= WALL_STANDS:
        wall.is_breached = True
        fight.changes += 1
        fight.record.tell(course.BREACH, by, work=fight.record.edge(wall))


def has_moved(gear: Fighter) -> bool:
    """Whether gear was carried in this round: it can be used from the next one on. Ruling KA75"""
    return gear.is_gear and gear.has_moved


def lay_aside(fight: Fight, gear: Fighter) -> None:
    """Put aside gear that is of no use here now: the gate or wall before it is down, or it was thrown down or cut.
    KA71, KA75, KA155
    """
    _leave(gear)
    gear.leans, gear.climber, gear.is_knotted = None, None, False
    fight.lift(gear)
    gear.is_idle = True
    fight.put(gear, gear.kf)


def _barriers_beside(
    fight: Fight, ruler: PowerId, kf: Kf, holds: Sequence[Stronghold]
) -> list[tuple[Stronghold | None, Barrier]]:
    """The walls of held buildings next to a field, then the walls on its edges that bar a ruler's way."""
    held: list[tuple[Stronghold | None, Barrier]] = []
    walls: list[tuple[Stronghold | None, Barrier]] = []
    for other in fight.ground.around[kf]:
        barrier = fight.works.barriers.get((kf, other))
        if barrier is None or barrier.is_passable:
            continue
        hold = next((hold for hold in holds if hold.kf == other), None)
        if hold is not None:
            held.append((hold, barrier))
        elif barrier.wall is not None and fight.works.is_barred(fight, ruler, kf, other):
            walls.append((None, barrier))
    return held + walls


def hit(fight: Fight, by: Fighter, hold: Stronghold) -> None:
    """Take one point of structure: a wall or the whole building may fall. Source: rules B12"""
    breach, is_ruin = fight.works.hit(hold, by.kf)
    fight.changes += 1
    if breach is not None:
        fight.record.tell(course.BREACH, by, work=fight.record.edge(breach))
    if not is_ruin:
        return
    within = sorted((each for kf in hold.building.floors for each in fight.at[kf]), key=lambda each: each.number)
    fallen, thrown = [], []
    for each in within:
        if not each.floats and not survives(fight, each):
            fallen.append(each)
        if each.mount and not horse_survives(fight, each) and each not in fallen:
            thrown.append(each)
    fight.works.ruin(hold)
    fight.record.tell(course.RUIN, by, fallen=fallen, work=fight.record.building(hold.kf))
    for each in thrown:
        fight.lose_horse(each)
        fight.record.tell(course.HORSE, each)
    for each in fallen:
        if each.is_alive:
            fight.fall(each)
    fight.settle_triples()
    for gear in fight.living():
        if gear.leans is not None and hold.kf in (gear.leans.inner, gear.leans.outer):
            gear.leans = None
    left = [each for each in within if each.is_alive and each.kf != hold.kf]
    for each in left:
        _come_down(fight, each, hold.kf)
    for each in sorted(fight.at[hold.kf], key=lambda each: -each.number):
        if fight.room(hold.kf) < 0 and each.space:
            _come_down(fight, each, None, hold.kf)


def collapse(fight: Fight, by: Fighter, kf: Kf) -> None:
    """Let a stream bridge collapse: gear is lost with it, all others roll for their lives and get ashore. Rules 27.2"""
    there = sorted(fight.at[kf], key=lambda each: each.number)
    fallen = [each for each in there if each.is_gear or not (each.floats or survives(fight, each))]
    fight.record.tell(course.RUIN, by, fallen=fallen, work=fight.record.building(kf))
    for each in there:
        if each.is_alive and each.mount:
            fight.lose_horse(each)
            fight.record.tell(course.HORSE, each)
    for each in fallen:
        if each.is_alive:
            fight.fall(each)
    for each in there:
        if each.is_alive and each.carrier is None and each.serves is None:
            _come_down(fight, each, None, kf)


def _come_down(fight: Fight, fighter: Fighter, kf: Kf | None, near: Kf | None = None) -> None:
    """Put survivors of a ruin on its field or, if it is full, on the nearest free one."""
    if kf is None:
        assert near is not None, "a field"
        free = [
            other
            for other in range(fight.ground.open_count)
            if fight.land.is_open(other)
            and other not in fight.works.at
            and fight.room(other) >= fighter.space
            and not fight.is_barred(fighter.party.ruler, other)
        ]
        kf = min(free, key=lambda other: (fight.ground.distance(near, other), other), default=near)
    if kf != fighter.kf:
        fight.move(fighter, kf)
        fight.record.tell(course.MOVE, fighter, path=(fight.record.spotted(kf),))


def _set(fight: Fight, gear: Fighter, holds: Sequence[Stronghold]) -> None:
    """Set a ladder, as an action, or throw a rope, as a step; two ropes are knotted for a keep of two storeys.

    Source: rules 26.6.
    """
    crew = [each for each in gear.crew if each.is_alive and not each.is_held]
    if len(crew) < CREWS[gear.code]:
        return
    fit = [
        (hold, barrier)
        for hold in holds
        for barrier in hold.barriers.values()
        if gear.kf in (barrier.inner, barrier.outer)
        and can_be_climbed(fight, gear, hold, gear.kf)
        and _count_at(fight, gear, barrier) < MOST_AT_EDGE
    ]
    if not fit:
        return
    hold, barrier = fit[0]
    if gear.code == ROPE:
        if hold.building.type == "Bf" and not gear.is_knotted:
            _knot(fight, gear)
            return
        if gear.steps_left < 1:
            return
        gear.steps_left -= 1
        thrown = fight.throw("rope", gear)
        fight.record.tell(
            course.ROPE, gear, rolls=(thrown.total,), points=(ROPE_HOLDS,), work=fight.record.edge(barrier)
        )
        if thrown.total < ROPE_HOLDS:
            return
    else:
        if has_moved(gear) or not all(each.free for each in crew):
            return
        if gear.code == LADDER:
            for each in crew:
                each.free = False
        fight.record.tell(course.LADDER, gear, work=fight.record.edge(barrier))
    gear.leans = barrier
    if gear.code != SIEGE_TOWER:
        _leave(gear)


def _count_at(fight: Fight, gear: Fighter, barrier: Barrier) -> int:
    return sum(1 for each in fight.at[gear.kf] if each.leans is barrier)


def _knot(fight: Fight, rope: Fighter) -> None:
    """Knot two ropes in one field, as an action of whoever carries the other one."""
    other = next(
        (
            each
            for each in fight.at[rope.kf]
            if each.code == ROPE and each is not rope and each.leans is None and not each.is_knotted and each.crew
        ),
        None,
    )
    if other is None or not all(each.free for each in (*rope.crew, *other.crew)):
        return
    for each in (*rope.crew, *other.crew):
        each.free = False
    lay_aside(fight, other)  # a part of the first from now on
    rope.is_knotted = True
    rope.steps_left = 0
    fight.record.tell(course.KNOT, rope, work=fight.record.building(rope.kf))


def _climb(fight: Fight, ladder: Fighter, aims: Mapping[int, str]) -> None:
    """Let one man without a SHOOT order climb and fight the weakest defender, or step onto an empty platform."""
    barrier = ladder.leans
    if not ladder.is_alive or barrier is None:
        return
    hold = fight.works.at.get(barrier.inner) if barrier.outer == ladder.kf else fight.works.at.get(barrier.outer)
    platform = None if hold is None else hold.building.platform
    able = [
        each
        for each in fight.at[ladder.kf]
        if each.party.ruler == ladder.party.ruler
        and each.is_warrior
        and each.free
        and not (each.mount or each.is_held or each.flees)
        and each.carrier is None
        and (each.serves is None or each.serves is ladder)
        and not (each.is_bow and aims.get(each.number) == SHOOT)
    ]
    if platform is None or not able:
        return
    climber = min(able, key=lambda each: (each.is_bow, -_RANKS.index(each.rank), each.number))
    foes = [each for each in fight.foes_at(ladder.party.ruler, platform) if can_be_attacked(each)]
    if not foes and fight.room(platform) < climber.space:
        return
    climber.free = False
    if foes:
        bonus = HEIGHT if ladder.code == SIEGE_TOWER else 0

        def defence(foe: Fighter) -> int:
            return points(fight, foe, climber, platform, is_attack=False) - bonus

        target = min(foes, key=lambda foe: (defence(foe), foe.number))
        mine = points(fight, climber, target, ladder.kf, is_attack=True)
        fight_duel(fight, climber, target, mine, defence(target))
        if not climber.is_alive:
            return
        if target.is_alive or fight.room(platform) < climber.space:
            ladder.climber = climber
            return
    if climber.serves is not None:
        climber.serves.crew.remove(climber)
        climber.serves = None
    if climber.formation is not None:
        fight.dissolve(climber.formation)
    fight.move(climber, platform)
    fight.record.tell(course.MOVE, climber, path=(fight.record.spotted(platform),))


def get_over(look: Lookout, fighter: Fighter) -> None:
    """Let a figure that can only go on over a wall try to climb it, as its whole move. Source: rules B14, ruling
    KA73
    """
    fight = look.fight
    for other in fight.ground.around[fighter.kf]:
        barrier = fight.works.barriers.get((fighter.kf, other))
        if barrier is None or barrier.wall is None or not can_step_over(look, fighter, other):
            continue
        thrown = fight.throw("gate", fighter)
        has_made_it = thrown.total >= GETS_OVER
        fight.record.tell(
            course.OVER, fighter, rolls=(thrown.total,), points=(GETS_OVER,), work=fight.record.edge(barrier)
        )
        if has_made_it:
            fight.move(fighter, other)
            fight.record.tell(course.MOVE, fighter, path=(fight.record.spotted(other),))
        return


def can_step_over(look: Lookout, fighter: Fighter, other: Kf) -> bool:
    """Whether there is room and no enemy beyond a wall, and an enemy is nearer there than on this side."""
    fight = look.fight
    if not fight.land.is_open(other) or other in look.enemies or fight.room(other) < fighter.space:
        return False
    is_barred = fight.works.is_barred(fight, look.ruler, fighter.kf, other)
    if not is_barred or not fight.land.can_step(fighter.kf, other) or not look.enemies:
        return False

    def away(kf: Kf) -> int:
        return min(fight.ground.distance(kf, enemy) for enemy in look.enemies)

    return away(other) < away(fighter.kf)
