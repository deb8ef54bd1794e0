"""Weak spots of gods on a battlefield: whom they help, and who takes them. Source: rules 24.1, R-077, KA196"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.core.ids import PowerId
from engine.kalevala.battle import course
from engine.kalevala.battle.ground import Kf

if TYPE_CHECKING:
    from engine.kalevala.battle.fight import Fight
    from engine.kalevala.battle.fighters import Fighter

NEARNESS = 2
"""GP of a warrior on the field of his god's weak spot, and next to it. Source: rules 24.1"""


class WeakSpots:
    """The weak spots of gods on the site."""

    def __init__(self, spots: Mapping[PowerId, Kf]) -> None:
        self.at = dict(spots)
        """Where each is that nobody has taken, by the god's ruler."""
        self.taken: dict[PowerId, PowerId] = {}
        """Whose god has lost his weak spot here, and to whom."""


def comfort(fight: Fight, warrior: Fighter, at: Kf) -> int:
    """The GP that the weak spot of his ruler's god gives a warrior who fights from a field."""
    spot = fight.weak_spots.at.get(warrior.party.ruler)
    return NEARNESS if spot is not None and fight.ground.distance(at, spot) <= 1 else 0


def watch(fight: Fight) -> None:
    """At the end of a round, let warriors who stand alone on the weak spot of another ruler's god take it."""
    for owner, kf in list(fight.weak_spots.at.items()):
        taker = _alone(fight, owner, kf)
        if taker is not None:
            del fight.weak_spots.at[owner]
            fight.weak_spots.taken[owner] = taker.party.ruler
            fight.record.tell(course.WEAK_SPOT, taker, to=owner)


def _alone(fight: Fight, owner: PowerId, kf: Kf) -> Fighter | None:
    """The first warrior there, if all who stand there belong to one ruler who is no friend of the god's ruler."""
    there = [each for each in fight.everybody_at(kf) if not each.floats]
    rulers = {each.party.ruler for each in there}
    if len(rulers) != 1 or owner in rulers:
        return None
    if owner in fight.foes and rulers.isdisjoint(fight.foes[owner]):
        return None
    warriors = (each for each in there if each.is_warrior)
    return min(warriors, key=lambda each: each.number, default=None)
