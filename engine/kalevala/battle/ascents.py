"""Gear in front of a step: ascents that are known, and the search for others. Source: rules 16.3, B6"""

from __future__ import annotations

from engine.kalevala.battle import course
from engine.kalevala.battle.boards import Fields, Ways
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.movement import Lookout, usual_speed

FOUND = 12


def ways_for(look: Lookout, gear: Fighter, goals: Fields) -> Ways:
    """The ways that gear can take; where there is none, those of somebody on foot, up to where an ascent is missing."""
    ways = look.ways(goals, gear)
    return ways if ways.steps(gear.kf) is not None else look.ways(goals, gear, is_hauled=False)


def seek(look: Lookout, gear: Fighter, goals: Fields) -> None:
    """Let a crew that can't take its piece any farther look for an ascent, once for each round and field. Ruling
    KA65
    """
    fight, ground, kf = look.fight, look.fight.ground, gear.kf
    if kf in fight.this_round.searched or not usual_speed(gear) or look.ways(goals, gear).steps(kf) is not None:
        return
    on_foot = look.ways(goals, gear, is_hauled=False)
    here = on_foot.steps(kf)
    if not here:
        return
    steps = [
        other
        for other in look.over.walk.next[kf]
        if other in ground.around[kf]
        and on_foot.steps(other) == here - 1
        and ground.levels[other] != ground.levels[kf]
        and (kf, other) not in fight.land.rivers
    ]
    if not steps:
        return
    other = min(steps)
    fight.this_round.searched.add(kf)
    total = fight.throw("ascent", kf=kf).total
    side = ground.side(kf, other)
    assert side is not None, "neighbours"
    work = f"{fight.record.building(kf)}/{side.name}"
    fight.record.tell(course.ASCENT, gear, rolls=(total,), points=(FOUND,), work=work)
    if total >= FOUND:
        fight.land.ascents |= {(kf, other), (other, kf)}
        fight.changes += 1
