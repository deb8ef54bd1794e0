"""Weak spots of gods on a battlefield: whom they help, and who takes them. Source: rules 24.1, R-077, KA196"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ids import PowerId
from engine.kalevala.battle import course
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.ground import Kf

NEARNESS = 2
"""GP of a warrior on the field of his god's weak spot, and next to it. Source: rules 24.1"""


def comfort(fight: Fight, warrior: Fighter, at: Kf) -> int:
    """The GP that the weak spot of his ruler's god gives a warrior who fights from a field."""
    spot = fight.weak_spots.get(warrior.party.ruler)
    return NEARNESS if spot is not None and fight.ground.distance(at, spot) <= 1 else 0


def watch(fight: Fight) -> None:
    """At the end of a round, let warriors who stand alone on the weak spot of another ruler's god take it."""
    for owner, kf in list(fight.weak_spots.items()):
        taker = _alone(fight, owner, kf)
        if taker is not None:
            del fight.weak_spots[owner]
            fight.spots_taken[owner] = taker.party.ruler
            fight.record.tell(course.WEAK_SPOT, taker, to=owner)


def _alone(fight: Fight, owner: PowerId, kf: Kf) -> Fighter | None:
    """The first warrior there, if all who stand there belong to one ruler who is no friend of the god's ruler."""
    there = [each for each in standing(fight, kf) if not each.floats]
    rulers = {each.party.ruler for each in there}
    if len(rulers) != 1 or owner in rulers:
        return None
    if owner in fight.foes and rulers.isdisjoint(fight.foes[owner]):
        return None
    warriors = (each for each in there if each.is_warrior)
    return min(warriors, key=lambda each: each.number, default=None)


def standing(fight: Fight, kf: Kf) -> Iterator[Fighter]:
    """Everybody on a field, including all storeys of a building."""
    hold = fight.works.at.get(kf)
    for floor in (kf,) if hold is None else hold.building.floors:
        yield from fight.at[floor]
