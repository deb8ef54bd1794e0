"""The land of a battle as the battle changes it: rivers, floods, swamps, ascents that are found, and its buildings."""

from __future__ import annotations

from collections.abc import Iterator

from engine.kalevala.battle.ground import NOWHERE, Battlefield, Kf
from engine.kalevala.battle.works import CROSSING_STANDS, Works


class BattleLand:
    """Which fields figures can stand on, step to and fight on, whoever they are."""

    def __init__(self, ground: Battlefield, works: Works) -> None:
        self._ground = ground
        self._works = works
        self.rivers = set(ground.rivers)
        """Pairs of fields that a river parts."""
        self.ascents = set(ground.ascents)
        """Those between whose levels gear can be moved: known ones, and what was found in this battle."""
        self.floods: set[tuple[Kf, Kf]] = set()
        """Those between which nobody can cross."""
        self.mires: dict[Kf, int] = {}
        """Fields that a god has made a swamp, and up to which round they are one."""

    def is_open(self, kf: Kf) -> bool:
        """Whether figures can stand in a field at all."""
        if kf == NOWHERE or self._works.crossings.get(kf, 0) >= CROSSING_STANDS:
            return False
        return self._ground.provinces[kf] is not None and kf not in self._ground.waters

    def beside(self, kf: Kf) -> Iterator[Kf]:
        """The open neighbours of a field, including storeys above and below it."""
        for each in self._ground.around[kf]:
            if each != NOWHERE and self._ground.provinces[each] is not None:
                yield each
        yield from self._ground.stairs.get(kf, ()) if kf in self._works.at else ()

    def can_step(self, one: Kf, other: Kf) -> bool:
        """Whether figures can step from a field to its neighbour. Source: rules B6"""
        is_wet = other in self._ground.waters or (one, other) in self.floods
        return not is_wet and self._ground.is_climbable(one, other)

    def can_haul(self, one: Kf, other: Kf) -> bool:
        """Whether gear can be moved to a neighbouring field, if nobody bars the way: up a level only by an ascent,
        never over a river or into a building. Rules B5, B6, B15
        """
        if one in self._works.at or other in self._works.at:
            return False
        is_level = self._ground.levels[one] == self._ground.levels[other] or (one, other) in self.ascents
        return is_level and self.can_step(one, other) and (one, other) not in self.rivers

    def fightable(self, kf: Kf) -> Iterator[Kf]:
        """The fields that somebody in this one can fight hand to hand; its own too, if enemies share it."""
        yield kf
        for each in self.beside(kf):
            is_closed = (kf, each) in self.rivers or self._works.is_closed(kf, each)
            if self._ground.is_climbable(kf, each) and not is_closed:
                yield each

    def height(self, kf: Kf) -> int:
        """The height that a shot has to clear there: of the ground, or of a building that still stands."""
        return self._ground.heights[kf] if kf in self._works.at else self._ground.levels[kf]
