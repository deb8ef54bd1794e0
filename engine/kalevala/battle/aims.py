"""Where figures want to go (KILL, TAKE, HOLD, GUARD, SHOOT, AVOID), and in which order they move. Source: rules B4,
B27
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.kalevala.battle import afloat, ascents, guarding, phalanxes, shooting, starving, stones, storming, trampling
from engine.kalevala.battle.boards import Fields
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import STEERED, Fighter
from engine.kalevala.battle.ground import Kf
from engine.kalevala.battle.kinds import CIVILIANS, ELEPHANTS, ONAGER, STORMING, TRAMPLERS, WAGON
from engine.kalevala.battle.movement import Lookout, ends, march, path_to, reach, space_needed, speed_of
from engine.kalevala.battle.sites import Party
from engine.kalevala.battle.works import Stronghold
from engine.kalevala.coordinates import Province, gf_of, order_of
from engine.kalevala.war.plans import AVOID, GUARD, HOLD, KILL, RAM, RESERVE, SHOOT, SIEGE, STORM, TAKE, Aim, Spot

NEAR, GUARDED, SHY = 3, 2, 6
BESIDE_CASTLE = 2
"""In KF: how near to its goal TAKE fights enemies, how far GUARD goes from its place, how far AVOID looks."""
_TURNS = (TAKE, KILL, GUARD, SIEGE, STORM, RESERVE, HOLD, AVOID, SHOOT)


@dataclass(frozen=True, slots=True)
class Urge:
    """The aim of a figure in a round.

    Args:
        at: of TAKE and GUARD.
        turn: its place in the order in which the side moves: planned aims as they are written, then the others.
        keeps_home: the figure does not leave its own province.
    """

    what: str
    at: Kf | None = None
    turn: int = 0
    keeps_home: bool = False


def intent_of(fight: Fight, fighter: Fighter) -> Urge:
    """Return the aim of a figure: the planned one, or the default. Source: rules B27"""
    if STEERED in fighter.under:
        return Urge(AVOID)
    if fighter.leaves_in:
        return Urge(SHOOT if fighter.is_bow else KILL)
    plan = fighter.army.plan
    is_led = fighter.group or (fighter.code not in CIVILIANS and not fighter.is_gear)
    planned = plan.aim_of(fighter.group, fight.round) if is_led else None
    if planned is not None:
        return _planned(fight, fighter, planned)
    intent = _default(fight, fighter)
    if intent.what in (HOLD, GUARD) and fighter.party.ruler in fight.sallies:
        return Urge(KILL, turn=intent.turn)
    return intent


def _planned(fight: Fight, fighter: Fighter, aim: Aim) -> Urge:
    turn = fighter.army.plan.aims.index(aim)
    what = aim.what
    if what == RAM and not fighter.is_craft:
        what = KILL
    if what == RESERVE:
        what = HOLD if fight.round < aim.wait else TAKE
    if fighter.is_craft:
        return Urge(what, turn=turn)
    if fighter.code == ONAGER and what in (TAKE, KILL, STORM, SIEGE):
        return Urge(SHOOT, turn=turn)  # they fight with stones: ruling KA320
    if what == KILL and fight.works.held_against(fight, fighter.party.ruler):
        what = STORM  # those in the open first, then those within walls: ruling KA73
    if what in (SIEGE, STORM) and not fight.works.held_against(fight, fighter.party.ruler):
        what = KILL
    if what == GUARD:
        return Urge(what, fighter.start if aim.at is None else field_of(fight, aim.at, fighter.army.province), turn)
    if what == TAKE:
        target = goal_of(fight, fighter)
        at = fight.ground.centres.get(target) if aim.at is None else field_of(fight, aim.at, target)
        hold = None if at is None else fight.works.at.get(at)
        if hold is not None and fight.works.foes_in(fight, fighter.party.ruler, hold):
            return Urge(STORM, turn=turn)
        return Urge(KILL if at is None else TAKE, at, turn)
    return Urge(what, turn=turn)


def goal_of(fight: Fight, fighter: Fighter) -> Province:
    """Return the province that an aim refers to if it names no field. Source: rules R-121"""
    if fighter.army.target is not None:
        return fighter.army.target
    threats = [army.province for army in fight.site.armies if army.target == fighter.army.province]
    return min(threats, key=order_of, default=fighter.army.province)


def field_of(fight: Fight, spot: Spot, province: Province) -> Kf | None:
    """The field that a spot means, as seen from a province; `None`: there is none, or nobody can stand there."""
    found = place_of(fight, spot, province)
    return found if found is not None and fight.land.is_open(found) else None


def place_of(fight: Fight, spot: Spot, province: Province) -> Kf | None:
    """The field that a spot means, of land or water; `None`: it is not on the site."""
    return fight.ground.index.get((gf_of(spot.gf or province), spot.cell))


def _default(fight: Fight, fighter: Fighter) -> Urge:
    turn = len(fighter.army.plan.aims)
    what, at = HOLD, None
    if fighter.code in CIVILIANS:
        what = AVOID
    elif fighter.code in STORMING:
        what = STORM
    elif fighter.is_bow or fighter.code == ONAGER:
        what = SHOOT
    elif fighter.army.target is not None:
        at = fight.ground.centres.get(fighter.army.target)
        hold = None if at is None else fight.works.at.get(at)
        if hold is not None and fight.works.foes_in(fight, fighter.party.ruler, hold):
            what, at = STORM, None
        else:
            what = STORM if at is None and fight.works.held_against(fight, fighter.party.ruler) else KILL
            what = what if at is None else TAKE
    elif fighter.party.role != "attacker" and not _is_garrison(fight, fighter):
        what, at = GUARD, fighter.start
    stays = fighter.party.role == "attacker" and fighter.army.target is None
    return Urge(what, at, turn + _TURNS.index(what), keeps_home=stays and fighter.is_bow)  # R-089, ruling KA283


def _is_garrison(fight: Fight, fighter: Fighter) -> bool:
    """Whether a figure started on the field of a trade centre or in a building."""
    return fighter.start in fight.ground.centres.values() or fight.ground.building(fighter.start) is not None


def move_all(fight: Fight, party: Party) -> dict[int, str]:
    """Move all figures of a side. Returns the aim of each by number, since who holds or shoots also fights
    differently.
    """
    if fight.works:
        storming.man(fight, party)
        guarding.obey_gates(fight, party)
    own = list(fight.living(party.ruler))
    intents = {each.number: intent_of(fight, each) for each in own}
    if fight.ground.waters:
        afloat.sail_all(fight, party, {number: intent.what for number, intent in intents.items()})
        own = [each for each in own if each.is_alive]
    for each in own:
        each.steps_left, each.has_moved = speed_of(each), False
    movers = [each for each in own if not (each.flees or each.is_held) and each.carrier is None and each.serves is None]
    movers = [each for each in movers if not each.is_craft]
    look = Lookout(fight, party.ruler)
    formed = phalanxes.form_up(look, party.ruler)
    movers = [each for each in movers if each.kf not in formed]
    if look.enemies:
        for fighter in _in_turn(look, movers, intents):
            if not fighter.is_alive or (fighter.formation and fighter.formation.members[0] is not fighter):
                continue
            if look.changes != fight.changes:
                look = Lookout(fight, party.ruler)
            if not look.enemies:
                break
            _move(look, fighter, intents[fighter.number])
    if fight.works:
        guarding.shut_gates(fight, party)
    return {number: intent.what for number, intent in intents.items()}


def _in_turn(look: Lookout, movers: Iterable[Fighter], intents: dict[int, Urge]) -> list[Fighter]:
    """The groups in their order, and within each whoever is nearest to the goal first, then by field and number. B4"""
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
    return fighter.code in TRAMPLERS and not fighter.is_weary


def _move(look: Lookout, fighter: Fighter, intent: Urge) -> None:
    fight = look.fight
    if _tramples(fighter) and intent.what not in (AVOID, SHOOT):
        steps = speed_of(fighter)
        if look.is_threatened(fighter.kf):
            steps = max(1, steps // 2)
        if _treads(look, fighter, intent, steps):
            return
    if intent.what == HOLD:
        return
    reached = reach(look, fighter)
    open_to = reached
    if intent.keeps_home:
        home, provinces = fighter.army.province, fight.ground.provinces
        open_to = {kf: way for kf, way in reached.items() if kf == fighter.kf or provinces[kf] == home}
    kf = _choose(look, fighter, intent, open_to)
    if fighter.formation is not None:
        phalanxes.go(look, fighter.formation, kf)
        return
    if kf == fighter.kf and fight.ground.walls and _may_climb_over(look, fighter, intent):
        storming.get_over(look, fighter)
        return
    if kf == fighter.kf and fighter.is_hauled and intent.what != AVOID:
        _seek_ascent(look, fighter)
    elif kf != fighter.kf:
        path = path_to(reached, kf)
        march(fight, fighter, path)
        fighter.steps_left -= reached[kf][0]
        fighter.has_moved = True
        if fighter.code == ONAGER:
            fighter.free = False  # it does not move and shoot in one round
        if _tramples(fighter) and intent.what not in (AVOID, SHOOT) and len(path) < speed_of(fighter):
            steps = speed_of(fighter) - len(path)  # the step into the enemies' field is one of them
            _treads(look, fighter, intent, steps)


def _treads(look: Lookout, fighter: Fighter, intent: Urge, steps: int) -> bool:
    """Let an elephant or a wagon trample enemies next to it; a wagon that may leave its place first rolls over them."""
    is_rolling = fighter.code == WAGON and intent.what != HOLD and trampling.roll_over(look, fighter, steps)
    return is_rolling or trampling.trample(look, fighter)


def _seek_ascent(look: Lookout, gear: Fighter) -> None:
    """Let an onager with nobody in range, or gear on its way to the walls, look for an ascent. Source: rules B6"""
    if gear.code == ONAGER:
        if not stones.value(look, gear, gear.kf):
            ascents.seek(look, gear, stones.places(look, gear))
        return
    holds = look.fight.works.held_against(look.fight, look.ruler) if gear.is_gear else []
    ascents.seek(look, gear, look.board.of(storming.places_for(look, gear, holds)) if holds else look.contacts())


def _may_climb_over(look: Lookout, fighter: Fighter, intent: Urge) -> bool:
    """Whether a figure on foot is making for an enemy and is in contact with none. Source: rules B14"""
    wants = intent.what in (KILL, TAKE, STORM)
    is_able = fighter.is_warrior and not fighter.mount
    return wants and is_able and not look.contacts() & look.board.bits[fighter.kf]


def _choose(look: Lookout, fighter: Fighter, intent: Urge, reached: dict[Kf, tuple[int, Kf]]) -> Kf:
    """Choose the field to go to; its own field means that it stays."""
    match intent.what:
        case "TAKE":
            assert intent.at is not None, "somewhere"
            return _take(look, fighter, intent.at, reached)
        case "GUARD":
            place = fighter.start if intent.at is None else intent.at
            around = place, GUARDED
            if look.can_come(fighter, look.contacts(around=around)):
                return _kill(look, fighter, reached, around=around)
            return _approach(look, fighter, reached, look.board.bits[place])
        case "SHOOT":
            return fighter.kf if _shoots_from_within(look, fighter) else _shoot(look, fighter, reached)
        case "AVOID":
            return _avoid(look, fighter, reached)
        case "STORM" | "SIEGE":
            return _storm(look, fighter, intent, reached)
        case _:
            return _kill(look, fighter, reached)


def _shoots_from_within(look: Lookout, fighter: Fighter) -> bool:
    """Whether a figure keeps to the building in which it is: the garrison, or who has a target from there. KA326"""
    hold = look.fight.works.at.get(fighter.kf)
    if hold is None:
        return False
    return fighter.start in hold.building.floors or shooting.value(look, fighter, fighter.kf) > 0


def _storm(look: Lookout, fighter: Fighter, intent: Urge, reached: dict[Kf, tuple[int, Kf]]) -> Kf:
    """Attack enemies in the open first, then go over or through the walls where there is room; all others besiege.
    B27
    """
    fight, board = look.fight, look.board
    holds = fight.works.held_against(fight, look.ruler)
    within = board.of(fight.works.floors_of(holds))
    if intent.what == SIEGE and (fighter.is_gear or fighter.code in ELEPHANTS):
        return _besiege(look, fighter, reached, holds)
    if fighter.is_gear:
        return _bring(look, fighter, reached, storming.places_for(look, fighter, holds))
    at_gates = storming.places_for(look, fighter, holds) if fighter.code in ELEPHANTS else []
    if at_gates:  # elephants break them: rules B13
        return _bring(look, fighter, reached, at_gates)
    if intent.what == STORM and look.can_come(fighter, look.contacts(but=within)):
        return _kill(look, fighter, reached, but=within)
    contacts = look.contacts()
    if contacts & board.bits[fighter.kf]:
        return fighter.kf
    if intent.what == STORM:
        needed = space_needed(fight, fighter)
        ways = [kf for kf in reached if contacts & board.bits[kf] and fight.room(kf) >= needed]
        if ways:
            return min(ways, key=lambda kf: (-look.value(fighter, kf), reached[kf][0], kf))
        wanted = (*storming.places_to_serve(fight, fighter), *storming.places_at_ladders(fight, fighter))
        at_ladders = [kf for kf in wanted if kf == fighter.kf or kf in reached]
        if fighter.kf in at_ladders:
            return fighter.kf
        free = [kf for kf in at_ladders if fight.room(kf) >= needed]
        if free:
            return min(free, key=lambda kf: (reached[kf][0], kf))
        upper = board.of(kf for kf in fight.works.at if kf >= fight.ground.open_count)
        farther_in = contacts & upper & fight.with_room(needed)
        if not fighter.mount and fighter.code not in TRAMPLERS and look.can_come(fighter, farther_in):
            kf = _approach(look, fighter, reached, farther_in)
            if kf != fighter.kf or storming.distance_to(fight, holds, kf) < BESIDE_CASTLE:
                return kf
    return _besiege(look, fighter, reached, holds)


def _bring(look: Lookout, gear: Fighter, reached: dict[Kf, tuple[int, Kf]], goals: list[Kf]) -> Kf:
    """Bring gear to the walls. Figures in its way change places with it. Ruling KA71"""
    if not goals or gear.kf in goals:
        return gear.kf
    ways = ascents.ways_for(look, gear, look.board.of(goals))
    here = ways.steps(gear.kf)
    found = [(steps, reached[kf][0], kf) for kf in reached for steps in (ways.steps(kf),) if steps is not None]
    if here is None or not found or min(found)[0] >= here:
        return gear.kf
    kf = min(found)[2]
    return kf if storming.make_room(look.fight, gear, kf) else _approach(look, gear, reached, look.board.of(goals))


def _besiege(look: Lookout, fighter: Fighter, reached: dict[Kf, tuple[int, Kf]], holds: list[Stronghold]) -> Kf:
    """Stay two fields from the castle, and first go to a gate that nobody watches. Source: rules B27"""
    fight = look.fight
    if not holds or fighter.kf in fight.works.at:
        return fighter.kf
    gates = [gate.outer for gate in starving.unwatched(fight, look, holds)]
    stops = ends(fight, fighter, reached)
    ring = [kf for kf in stops if storming.distance_to(fight, holds, kf) == BESIDE_CASTLE]
    if ring:

        def rank(kf: Kf) -> tuple[int, int, int]:
            to_gate = min((fight.ground.distance(kf, gate) for gate in gates), default=0)
            return to_gate, reached[kf][0], kf

        return min(ring, key=rank)
    goals = (
        kf
        for kf in range(fight.ground.open_count)
        if fight.land.is_open(kf) and kf not in look.enemies and storming.distance_to(fight, holds, kf) == BESIDE_CASTLE
    )
    return _approach(look, fighter, reached, look.board.of(goals))


def _take(look: Lookout, fighter: Fighter, goal: Kf, reached: dict[Kf, tuple[int, Kf]]) -> Kf:
    """Enemies within walls, or whom nobody can come to, keep no one from a goal; who can't come to it, or finds it
    taken, storms or fights elsewhere. Rulings KA321, KA325
    """
    fight = look.fight
    holds = fight.works.held_against(fight, look.ruler) if fight.works else []
    within = look.board.of(fight.works.floors_of(holds))
    near = goal, NEAR
    is_near = bool(look.closed & look.board.around(*near) & ~within)
    if is_near and look.can_come(fighter, look.contacts(near=near, but=within)):
        return _kill(look, fighter, reached, near=near, but=within)
    keepers = [each.number for each in fight.at[goal] if each.party is fighter.party and each.is_warrior]
    if fighter.kf == goal and (not holds or fighter.number == min(keepers, default=fighter.number)):
        return goal
    if not keepers and look.can_come(fighter, look.board.bits[goal]):
        return _approach(look, fighter, reached, look.board.bits[goal])
    return _storm(look, fighter, Urge(STORM), reached) if holds else _kill(look, fighter, reached)


def _kill(
    look: Lookout,
    fighter: Fighter,
    reached: dict[Kf, tuple[int, Kf]],
    *,
    near: tuple[Kf, int] | None = None,
    around: tuple[Kf, int] | None = None,
    but: Fields = 0,
) -> Kf:
    """Stay if in contact; otherwise go to the best contact within reach, or towards the nearest one."""
    bits = look.board.bits
    contacts = look.contacts(near=near, around=around, but=but)
    if contacts & bits[fighter.kf]:
        return fighter.kf
    free = contacts & look.fight.with_room(space_needed(look.fight, fighter))
    in_reach = [kf for kf in reached if free & bits[kf]]
    if in_reach:
        return min(in_reach, key=lambda kf: (-look.value(fighter, kf), reached[kf][0], kf))
    return _approach(look, fighter, reached, free if look.can_come(fighter, free) else contacts)


def _approach(look: Lookout, fighter: Fighter, reached: dict[Kf, tuple[int, Kf]], goals: Fields) -> Kf:
    """Go as far as possible along the shortest way."""
    ways = ascents.ways_for(look, fighter, goals) if fighter.is_hauled else look.ways(goals, fighter)
    away = {kf: ways.steps(kf) for kf in ends(look.fight, fighter, reached)}
    stops = [(steps, reached[kf][0], kf) for kf, steps in away.items() if steps is not None]
    return min(stops)[2] if stops else fighter.kf


def _shoot(look: Lookout, fighter: Fighter, reached: dict[Kf, tuple[int, Kf]]) -> Kf:
    """Go where the best shot is, with no enemy next to it; if there is none, on the shortest way to where a target is
    in range and, without a way there, as near to an enemy as possible. Ruling KA326

    An onager that moves doesn't throw in the same round, so it can only shoot from its own field. Source: rules B11
    """
    stops = [kf for kf in ends(look.fight, fighter, reached) if not look.is_threatened(kf)]
    value = stones.value if fighter.code == ONAGER else shooting.value
    if fighter.code == ONAGER and fighter.kf in stops and value(look, fighter, fighter.kf) > 0:
        return fighter.kf
    best = [(value(look, fighter, kf), kf) for kf in stops]
    shots = [(worth, kf) for worth, kf in best if worth > 0]
    if shots:
        return min(shots, key=lambda pair: (-pair[0], reached[pair[1]][0], pair[1]))[1]
    goals = stones.places(look, fighter) if fighter.code == ONAGER else look.within_shot(shooting.RANGE)
    ways = ascents.ways_for(look, fighter, goals) if fighter.is_hauled else look.ways(goals, fighter)

    def rank(kf: Kf) -> tuple[bool, int, int, int, int]:
        away = ways.steps(kf)
        return away is None, away or 0, look.to_enemies(kf), reached[kf][0], kf

    return min(stops, key=rank, default=fighter.kf)


def _avoid(look: Lookout, fighter: Fighter, reached: dict[Kf, tuple[int, Kf]]) -> Kf:
    if look.to_enemies(fighter.kf) > SHY:
        return fighter.kf
    stops = ends(look.fight, fighter, reached)
    return min(stops, key=lambda kf: (-look.to_enemies(kf), reached[kf][0], kf))
