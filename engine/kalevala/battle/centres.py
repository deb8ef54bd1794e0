"""Who holds the trade centres of a site. Source: rules B22"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.core.ids import PowerId
from engine.kalevala.battle.course import TAKEN
from engine.kalevala.battle.ground import Kf
from engine.kalevala.battle.kinds import WIZARD

if TYPE_CHECKING:
    from engine.kalevala.battle.fight import Fight
    from engine.kalevala.battle.fighters import Fighter


class Tenure:
    """The holders of the fields with trade centres."""

    def __init__(self) -> None:
        self.masters: dict[Kf, PowerId] = {}
        """Whose each field is, or was before anybody took it."""
        self.last_at: dict[Kf, PowerId] = {}
        """Who was last alone there."""
        self.held: Counter[tuple[Kf, PowerId]] = Counter()
        """How many rounds in a row, with a warrior."""


def watch(fight: Fight) -> None:
    """Find at the end of a round who holds trade centres."""
    tenure = fight.tenure
    for kf in fight.ground.centres.values():
        figures = list(fight.everybody_at(kf))
        there = {each.party.ruler for each in figures if each.is_human and each.code != WIZARD}
        is_shared = any(other in fight.foes[one] for one in there for other in there)
        if not there or is_shared:
            continue
        warriors = sorted((each for each in figures if each.is_warrior), key=lambda each: each.number)
        if warriors:
            ruler = warriors[0].party.ruler
            _take_over(fight, kf, warriors[0])
            if tenure.last_at.get(kf) != ruler:
                tenure.held = Counter({key: count for key, count in tenure.held.items() if key[0] != kf})
            tenure.last_at[kf] = ruler
            tenure.held[kf, ruler] += 1


def _take_over(fight: Fight, kf: Kf, warrior: Fighter) -> None:
    """Report when an enemy of its last holder stands on the field of a trade centre."""
    master = fight.tenure.masters.get(kf)
    if master is None or warrior.party.ruler in fight.foes[master]:
        fight.tenure.masters[kf] = warrior.party.ruler
        fight.record.tell(TAKEN, warrior)
