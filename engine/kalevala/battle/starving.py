"""The besieged starve. Source: rules 16.2, B20"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from engine.core.ids import PowerId
from engine.kalevala.battle import course
from engine.kalevala.battle.boards import WaysOver
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.ground import Kf
from engine.kalevala.battle.kinds import ELEPHANTS
from engine.kalevala.battle.melee import can_fight
from engine.kalevala.battle.movement import Lookout, speed_of
from engine.kalevala.battle.royalty import wound
from engine.kalevala.battle.storming import distance_to
from engine.kalevala.battle.works import Barrier, Castle, Stronghold
from engine.kalevala.war.plans import LAST_ROUND

FREE_ROUNDS, FIRST_NUMBER = 3, 6
_FAR = 9
"""More steps than anybody makes in one move."""


def starve(fight: Fight, feed: Callable[[Fight, Castle, list[Fighter]], bool]) -> None:
    """Starve, at the start of a round, each castle whose gates are all watched and whose free rounds are over.

    Args:
        feed: whether a priest has bread for the hungry in a castle.
    """
    for castle in fight.works.castles:
        within = _within(fight, castle)
        is_spared = castle.was_opened or any(gate.is_open for gate in castle.outer_gates)
        castle.was_opened = False
        if not within or is_spared or not _watch(fight, castle, within):
            continue
        castle.besieged += 1
        free = FREE_ROUNDS + len([hold for hold in castle.holds if not hold.is_ruined]) + castle.fed
        home = next(hold for hold in castle.holds if not hold.is_ruined)
        work = fight.record.building(home.kf)
        watch = tuple(each.number for each in _watch(fight, castle, within))
        first = fight.round + free
        if castle.besieged == 1 and first <= LAST_ROUND:
            fight.record.tell(course.SIEGE_HOLDS, within[0], points=(first,), helpers=watch, whom=watch[0], work=work)
        if castle.besieged <= free:
            continue
        is_fed = feed(fight, castle, within)
        if is_fed and castle.besieged == free + 1:
            castle.fed += 1
            continue
        needed = FIRST_NUMBER + castle.besieged - free - 1 - is_fed
        rolls, fallen, thrown = [], [], []
        for each in within:
            rolls.append(fight.throw("hunger", each).total)
            if rolls[-1] < needed and not each.is_safe and (each.crown is None or wound(fight, each, each.crown)):
                fallen.append(each)
            if each.mount:
                rolls.append(fight.throw("hunger", each, is_own=False).total)
                if rolls[-1] < needed and not each.is_safe and each not in fallen:
                    thrown.append(each)
        fight.record.tell(
            course.HUNGER, within[0], rolls=tuple(rolls), points=(needed,), fallen=fallen, helpers=watch, work=work
        )
        for each in thrown:
            fight.lose_horse(each)
            fight.record.tell(course.HORSE, each)
        for each in fallen:
            if each.is_alive:
                fight.fall(each)
        fight.settle_triples()


def _within(fight: Fight, castle: Castle) -> list[Fighter]:
    """The warriors and animals in a castle that belong to the side holding it, by number."""
    there = [each for kf in castle.floors for each in fight.at[kf] if each.is_human or each.code in ELEPHANTS]
    holders = _holders(fight, there)
    return sorted(
        (each for each in there if each.party.ruler in holders and not each.floats), key=lambda each: each.number
    )


def _holders(fight: Fight, there: Iterable[Fighter]) -> set[PowerId]:
    """The side that holds a castle with these in it: that of most of them, lest those who broke in starve too."""
    rulers = sorted({each.party.ruler for each in there})
    if not rulers:
        return set()
    first = max(rulers, key=lambda ruler: sum(each.party.ruler == ruler for each in there))
    return {ruler for ruler in rulers if ruler == first or ruler not in fight.foes[first]}


def _watch(fight: Fight, castle: Castle, within: list[Fighter]) -> list[Fighter]:
    """The besiegers within one move of an outer gate; nobody if there is a gate that none of them can reach.

    If no gate leads out onto the site, those within one move of the castle are enough. Ruling KA319
    """
    ruler = within[0].party.ruler
    besiegers = [each for each in fight.living() if each.party.ruler in fight.foes[ruler] and can_fight(each)]
    gates = list(castle.outer_gates)
    if not gates:
        holds = [hold for hold in castle.holds if not hold.is_ruined]
        return [each for each in besiegers if distance_to(fight, holds, each.kf) <= max(speed_of(each), 1) + 1]
    found: set[int] = set()
    for gate in gates:
        near = {each.number for each in _watchers(fight, besiegers, gate, fight.ways_over)}
        if not near:
            return []
        found |= near
    return [each for each in besiegers if each.number in found]


def unwatched(fight: Fight, look: Lookout, holds: Iterable[Stronghold]) -> list[Barrier]:
    """The outer gates that no besieger can reach in one move."""
    castles = {id(hold.castle): hold.castle for hold in holds}.values()
    own = [each for each in fight.living(look.ruler) if can_fight(each)]
    return [
        gate
        for castle in castles
        for gate in castle.outer_gates
        if fight.land.is_open(gate.outer) and not any(_watchers(fight, own, gate, lambda _: look.over))
    ]


def _watchers(
    fight: Fight, besiegers: Iterable[Fighter], gate: Barrier, ways_of: Callable[[PowerId], WaysOver]
) -> Iterator[Fighter]:
    """Those who can reach the field before a gate in one move, as far as the land lets them. Ruling KA313"""
    around: dict[PowerId, Mapping[Kf, int]] = {}
    is_open = fight.land.is_open(gate.outer)
    for each in besiegers:
        speed = max(speed_of(each), 1)
        if fight.ground.distance(each.kf, gate.outer) > speed or (each.kf in fight.works.at and each.kf != gate.outer):
            continue
        ruler = each.party.ruler
        if ruler not in around:
            around[ruler] = _steps_to(fight, ways_of(ruler), gate.outer)
        if not is_open or around[ruler].get(each.kf, _FAR) <= speed:
            yield each


def _steps_to(fight: Fight, ways: WaysOver, goal: Kf) -> Mapping[Kf, int]:
    """How many steps figures need to a field from those around it; a river on the way ends their move. Rules B5"""
    known = ways.steps_to.get(goal)
    if known is not None:
        return known
    back, rivers = ways.back.next, fight.land.rivers
    found, front = {goal: 0}, [goal]
    for steps in range(1, _FAR):
        beside = {
            other
            for kf in front
            for other in back[kf]
            if other not in found and (kf == goal or (other, kf) not in rivers)
        }
        found |= dict.fromkeys(beside, steps)
        front = sorted(beside)
    ways.steps_to[goal] = found
    return found
