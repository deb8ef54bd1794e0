"""Craft in a battle: wind, voyages over the water of the site, landings, ramming, sinking, swimming.

Source: rules 16.3, B17, B18, rulings KA106 to KA109
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engine.core.ids import PowerId
from engine.kalevala.battle import course
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.ground import Kf
from engine.kalevala.battle.hazards import SURVIVES
from engine.kalevala.battle.kinds import CIVILIANS, SAILING_SHIP
from engine.kalevala.battle.movement import Lookout, march
from engine.kalevala.battle.sites import Party
from engine.kalevala.sea.craft import HOLDS, STEERING
from engine.kalevala.war.plans import AVOID, HOLD, KILL, RAM, SHOOT
from engine.kalevala.window import purpose
from engine.kalevala.wizards.spells import SPEED, WIND
from engine.lattice.great_fields import Side

RAFT, LONGSHIP = "FS", "LS"
SPEEDS: Mapping[str, int] = {RAFT: 3, LONGSHIP: 5}
"""KF a round; for sailing ships it depends on the wind. Source: rules B5"""
CALM, STRONG = 1, 6
IN_CALM, AGAINST, ACROSS, WITH, WITH_STRONG = 2, 2, 4, 7, 8
TURNS, SINKS, STAYS_AFLOAT = 13, 12, 10
"""What three dice have to show for the wind to change, to sink another craft, and to stay afloat after that."""
STANDS: Mapping[str, int] = {RAFT: 1}
"""The number of hits that sink a craft; all others sink at the second. Source: rules B12"""
FARTHEST_SWUM = 12
_FOOT = 2


# The wind


def blow(fight: Fight) -> None:
    """Roll the wind at the start, and again in each round with a 13 or more. Source: rules B18"""
    if not fight.ground.waters:
        return
    if fight.wind is None:
        _turn(fight, 0)
    elif fight.throw("wind", kf=fight.ground.index[fight.ground.places[0]]).total >= TURNS:
        _turn(fight, fight.round)


def _turn(fight: Fight, kr: int) -> None:
    said = purpose("battle_wind", kr=kr, place=fight.site.place)
    stream = f"battle/{fight.site.id}/{kr}/wind"
    side, strength = fight.dice.roll(stream, sides=6, purpose=said), fight.dice.roll(stream, sides=6, purpose=said)
    fight.wind = Side(side - 1), strength
    ships = [each for each in fight.living() if each.code == SAILING_SHIP]
    if ships:
        how = "calm" if strength == CALM else "strong" if strength == STRONG else "fair"
        words = f"{fight.wind[0].name} {how}"
        fight.record.tell(course.WIND, ships[0], to=words, work=str(fight.record.spotted(ships[0].kf)))


def speed_of(fight: Fight, craft: Fighter, goal: Kf) -> int:
    """KF that a craft can sail in this round towards a goal; half as many with a hole, twice as many under a spell.

    Source: rules B5, B12, B18, R-053
    """
    side = fight.ground.side_toward(craft.kf, goal)
    usual = SPEEDS.get(craft.code) or _under_sail(fight, side, has_own_wind=WIND in craft.under)
    usual *= 2 if SPEED in craft.under else 1
    return max(1, usual // 2) if craft.hits else usual


def _under_sail(fight: Fight, side: Side, *, has_own_wind: bool = False) -> int:
    """The speed with the wind that all have, or with the one that a wizard makes for this ship alone. Source: rules
    B18, R-053
    """
    assert fight.wind is not None, "it blows from the first round on"
    wind, strength = fight.wind
    if has_own_wind:
        return WITH_STRONG if strength == STRONG else WITH
    if strength == CALM:
        return IN_CALM
    if side == wind:
        return WITH_STRONG if strength == STRONG else WITH
    return AGAINST if side == wind.opposite else ACROSS


# Voyages


def sail_all(fight: Fight, party: Party, aims: Mapping[int, str]) -> None:
    """Move a side's craft, by number: they sail, ram if ordered to, or put those aboard ashore."""
    for craft in [each for each in fight.living(party.ruler) if each.is_craft]:
        if not craft.is_alive:
            continue  # rammed a moment ago
        _take_up(fight, craft)
        craft.has_sailed = False
        if craft.is_held or not any(_steers(each) for each in craft.crew):
            continue
        aim = aims.get(craft.number, "")
        goals = list(_goals(fight, craft, aim))
        at_goal = craft.kf in goals
        if goals and not at_goal:
            _sail(fight, craft, goals)
        if aim == RAM and craft.has_sailed:
            _ram(fight, craft)
        elif not craft.has_sailed and _lands(fight, craft, aim):
            _put_ashore(craft)


def _steers(fighter: Fighter) -> bool:
    return (fighter.is_warrior or fighter.code in STEERING) and not fighter.is_held


def _take_up(fight: Fight, craft: Fighter) -> None:
    """Everybody of her side who stands on her deck joins her crew."""
    for each in list(fight.at[craft.kf]):
        if each.party is craft.party and not each.is_craft and each.serves is None and each.carrier is None:
            each.serves = craft
            craft.crew.append(each)


def enemy_craft(fight: Fight, ruler: PowerId) -> list[Fighter]:
    """The craft of a ruler's enemies that have a crew."""
    return [each for each in fight.living() if each.is_craft and each.crew and each.party.ruler in fight.foes[ruler]]


def _goals(fight: Fight, craft: Fighter, aim: str) -> Iterator[Kf]:
    """The fields where a craft wants to be: next to enemy craft, or at a shore of the land attacked. Ruling KA107"""
    if aim in (HOLD, AVOID, SHOOT):
        return
    planned = craft.army.plan.aim_of(craft.group, fight.round)
    hunts = planned is not None and planned.what in (KILL, RAM)
    shores = [] if craft.army.target is None else list(_shores(fight, craft))
    prey = enemy_craft(fight, craft.party.ruler)
    if prey and (hunts or not shores):
        yield from {kf for each in prey for kf in _waters_beside(fight, each.kf)}
    else:
        yield from shores


def _waters_beside(fight: Fight, kf: Kf) -> Iterator[Kf]:
    return (other for other in fight.ground.around[kf] if other in fight.ground.waters)


def _shores(fight: Fight, craft: Fighter) -> Iterator[Kf]:
    """The waters next to the land attacked in which no other craft lies."""
    walk = fight.ways_over(craft.party.ruler).walk.next
    for kf in fight.ground.waters:
        is_free = kf == craft.kf or not any(each.is_craft for each in fight.at[kf])
        if is_free and any(fight.ground.provinces[other] == craft.army.target for other in walk[kf]):
            yield kf


def _sail(fight: Fight, craft: Fighter, goals: Iterable[Kf]) -> None:
    """Sail as far as possible towards the goal with the shortest way, inland included; a voyage ends next to enemies.
    Rules B5
    """
    look = Lookout(fight, craft.party.ruler)
    steps = _steps_from(fight, craft, craft.kf)
    reachable = [kf for kf in goals if kf in steps]
    if not reachable:
        return
    centre = None if craft.army.target is None else fight.ground.centres.get(craft.army.target)

    def late(kf: Kf) -> tuple[float, int]:
        rounds = steps[kf] / speed_of(fight, craft, kf)
        inland = 0 if centre is None else fight.ground.distance(kf, centre) / _FOOT
        return rounds + inland, kf

    goal = min(reachable, key=late)
    speed = speed_of(fight, craft, goal)
    if look.is_threatened(craft.kf):
        speed = max(1, speed // 2)
    path = _path(fight, craft, look, goal, speed)
    if path:
        march(fight, craft, path)
        craft.has_sailed = True


def _free_waters(fight: Fight, craft: Fighter, kf: Kf) -> Iterator[Kf]:
    for other in _waters_beside(fight, kf):
        if not any(each.is_craft and each is not craft for each in fight.at[other]):
            yield other


def _steps_from(fight: Fight, craft: Fighter, start: Kf) -> dict[Kf, int]:
    """How many steps it takes to each field over free water."""
    found = {start: 0}
    frontier = [start]
    while frontier:
        reached = []
        for kf in frontier:
            for other in _free_waters(fight, craft, kf):
                if other not in found:
                    found[other] = found[kf] + 1
                    reached.append(other)
        frontier = reached
    return found


def _path(fight: Fight, craft: Fighter, look: Lookout, goal: Kf, speed: int) -> list[Kf]:
    """The fields passed in this round on the way to a goal, which ends next to an enemy who could fight there."""
    left = _steps_from(fight, craft, goal)
    path: list[Kf] = []
    at = craft.kf
    while len(path) < speed and at != goal and not (path and look.is_threatened(at)):
        ahead = [kf for kf in _free_waters(fight, craft, at) if left.get(kf, left[at]) < left[at]]
        if not ahead:
            break
        at = min(ahead)
        path.append(at)
    return path


# Landings


def _lands(fight: Fight, craft: Fighter, aim: str) -> bool:
    """Whether a crew lands: attackers do where they have arrived, a fleet at home once no enemy craft is left. Ruling
    KA107
    """
    if aim in (HOLD, AVOID):
        return False
    walk = fight.ways_over(craft.party.ruler).walk.next
    if craft.army.target is not None:
        return any(fight.ground.provinces[other] == craft.army.target for other in walk[craft.kf])
    return bool(walk[craft.kf]) and not enemy_craft(fight, craft.party.ruler)


def _put_ashore(craft: Fighter) -> None:
    """Allow warriors to step off in this round; wizards and others who don't fight stay aboard."""
    for each in list(craft.crew):
        if each.code not in CIVILIANS and each.is_human:
            each.serves = None
            craft.crew.remove(each)


# Ramming and sinking


def _ram(fight: Fight, craft: Fighter) -> None:
    """Ram: on 12 or more the other craft sinks; a longship sinks with her, a sailing ship unless she rolls 10. Rules
    B18
    """
    beside = [
        each
        for kf in _waters_beside(fight, craft.kf)
        for each in fight.at[kf]
        if each.is_craft and each.party.ruler in fight.foes[craft.party.ruler] and not each.is_unseen
    ]
    if craft.code == RAFT or not beside:
        return
    target = max(beside, key=lambda each: (sum(one.price for one in each.crew), -each.number))
    thrown = fight.throw("ram", craft)
    fight.record.tell(
        course.RAMMING, craft, whom=target.number, rolls=(thrown.total,), points=(SINKS,), work=_place(fight, target)
    )
    if thrown.total < SINKS:
        return
    is_lost = craft.code == LONGSHIP or target.code == RAFT
    is_lost = is_lost or fight.throw("ram", craft).total < STAYS_AFLOAT
    sink(fight, target)
    if is_lost:
        sink(fight, craft)


def _place(fight: Fight, craft: Fighter) -> str:
    return str(fight.record.spotted(craft.kf))


def founder(fight: Fight) -> None:
    """Sink the craft that stones have holed too often. Source: rules B12"""
    for each in [each for each in fight.living() if each.is_craft]:
        if each.hits >= STANDS.get(each.code, 2):
            sink(fight, each)


def sink(fight: Fight, craft: Fighter) -> None:
    """Sink a craft with everything that she carries; those aboard swim. Source: rules B17, B18"""
    _take_up(fight, craft)
    aboard = sorted(craft.crew, key=lambda each: each.number)
    for each in aboard:
        each.serves = None
    craft.crew = []
    fight.record.tell(course.SUNK, craft, work=_place(fight, craft), fallen=(craft,))
    fight.fall(craft)
    fight.losses.add_cargo(craft)
    for each in aboard:
        _swim(fight, each)


def _swim(fight: Fight, fighter: Fighter) -> None:
    """Swim to the nearest land or own craft with room, with a roll for each KF of the way. Source: rules B17, ruling
    KA108
    """
    if fighter.floats:
        return
    haven = _haven(fight, fighter)
    rolls = []
    if haven is not None:
        for _ in range(fight.ground.distance(fighter.kf, haven)):
            rolls.append(fight.throw("swim", fighter).total)
            if rolls[-1] < SURVIVES:
                break
    if haven is None or rolls[-1] < SURVIVES:
        fight.record.tell(course.SWUM, fighter, rolls=tuple(rolls), points=(SURVIVES,), fallen=(fighter,))
        fight.fall(fighter)
    else:
        fight.record.tell(course.SWUM, fighter, rolls=tuple(rolls), points=(SURVIVES,))
        fight.move(fighter, haven)
        fight.record.tell(course.MOVE, fighter, path=(fight.record.spotted(haven),))
    fight.settle_triples()


def _haven(fight: Fight, fighter: Fighter) -> Kf | None:
    ruler = fighter.party.ruler
    near = sorted(fight.ground.board.within(fighter.kf, FARTHEST_SWUM), key=lambda pair: (pair[1], pair[0]))
    free = (kf for kf, away in near if away and not fight.is_barred(ruler, kf))
    return next((kf for kf in free if _receives(fight, fighter, kf)), None)


def _receives(fight: Fight, fighter: Fighter, kf: Kf) -> bool:
    """Whether a field is land with room, or holds a friendly craft with room."""
    if kf in fight.ground.waters:
        own = next((each for each in fight.at[kf] if each.is_craft and each.party is fighter.party), None)
        return own is not None and fight.taken[kf] + fighter.space <= HOLDS[own.code]
    return fight.land.is_open(kf) and kf not in fight.works.at and fight.room(kf) >= fighter.space


# What is left


def tell_prizes(fight: Fight) -> None:
    """Report craft whose crews are dead: they drift, and the winner gets them."""
    for craft in fight.gone.adrift:
        if craft not in fight.gone.told_adrift:
            fight.gone.told_adrift.append(craft)
            fight.record.tell(course.ADRIFT, craft, work=_place(fight, craft), fallen=(craft,))


def aboard_of(fight: Fight, craft: Fighter) -> dict[str, int]:
    """Who is aboard each craft when the battle is over."""
    found: dict[str, int] = {}
    for each in fight.at[craft.kf]:
        if each.party is craft.party and not each.is_craft:
            found[each.item_now] = found.get(each.item_now, 0) + 1
    return found
