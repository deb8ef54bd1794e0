"""A game master's rulings on a battle: who lost what, and who holds the field. The dice stay as they fell.

Source: docs/rulings.md KA90
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.kalevala.battle.course import CONQUEST
from engine.kalevala.battle.ending import BattleEnd, Booty, Survivor
from engine.kalevala.battle.sites import BattleSite
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import Figures, kind_of, without_numbers
from engine.kalevala.model import Ruling
from engine.kalevala.tables import Group


def ruled(end: BattleEnd, site: BattleSite, ruling: Ruling) -> BattleEnd:
    """The result of a battle after a ruling.

    Raises:
        DocumentError: the ruler who is to hold the field has nobody left there.
    """
    toll = _Toll(end, site)
    for ruler, figures in ruling.lost.items():
        toll.set_losses(ruler, figures)
    if ruling.holds is not None:
        toll.clear_for(ruling.holds)
    return toll.result(ruling.holds)


class _Toll:
    """The living and the dead of a battle while they are recounted."""

    def __init__(self, end: BattleEnd, site: BattleSite) -> None:
        self.end = end
        self.site = site
        self.living = list(end.living)
        self.loose = list(end.loose)
        self.dead = Counter(dict(end.dead))

    def set_losses(self, ruler: PowerId, figures: Figures) -> None:
        """Make exactly as many of each item dead as are named; for wizards and priests the ZEH don't matter."""
        items = {without_numbers(item) for name, _, item in self.dead if name == ruler} | set(figures)
        for item in sorted(items):
            dead = sum(
                count for (name, _, each), count in self.dead.items() if (name, without_numbers(each)) == (ruler, item)
            )
            for _ in range(figures.get(item, 0) - dead):
                self._kill(ruler, item)
            for _ in range(dead - figures.get(item, 0)):
                self._revive(ruler, item)

    def _kill(self, ruler: PowerId, item: str) -> None:
        """Kill those who fled first; a rider's animal is left behind, and its rider goes on without it."""
        own = [each for each in self.living if each.ruler == ruler and item in (without_numbers(each.item), each.mount)]
        if not own:
            return
        victim = min(own, key=lambda each: each.cell > 0)
        self.living.remove(victim)
        self.dead[ruler, victim.home, item if item == victim.mount else victim.item] += 1
        if item == victim.mount:
            self.living.append(replace(victim, mount=""))
        elif victim.mount:
            self.loose.append(Booty(ruler, victim.mount, victim.home, victim.at))

    def _revive(self, ruler: PowerId, item: str) -> None:
        """Revive figures where others of their ruler stand or, if there are none, at home."""
        home, whole = next(
            (home, each)
            for (name, home, each), count in self.dead.items()
            if (name, without_numbers(each)) == (ruler, item) and count
        )
        self.dead[ruler, home, whole] -= 1
        beside = next((each for each in self.living if each.ruler == ruler and each.cell), None)
        at, cell = (beside.at, beside.cell) if beside is not None else (home, self._cell_at(home))
        self.living.append(Survivor(ruler, whole, "", home, at, cell))

    def _cell_at(self, home: Province) -> int:
        """A field of a province: its trade centre's or another one, and 0 if the province is not part of the site."""
        ground = self.site.ground
        own = ground.cells(home) if home in self.site.provinces else []
        kf = ground.centres.get(home, own[0]) if own else None
        return next((cell for (_, cell), each in ground.index.items() if each == kf), 0)

    def clear_for(self, winner: PowerId) -> None:
        """Remove all enemies of one ruler from the field by their exits; those without an exit fall."""
        if winner not in self._standing():
            raise DocumentError("battle", f"{winner} has nobody left on the field to hold it")
        for each in [each for each in self.living if (each.ruler, winner) in self.site.foes and each.cell]:
            self.living.remove(each)
            refuge = self._refuge(each.ruler)
            if refuge is not None:
                self.living.append(replace(each, at=refuge, cell=0))
                continue
            for item in filter(None, (each.item, each.mount)):
                self.dead[each.ruler, each.home, item] += 1

    def _refuge(self, ruler: PowerId) -> Province | None:
        exits = next(party.exits for party in self.site.parties if party.ruler == ruler)
        return min(exits.values(), default=None)

    def _standing(self) -> set[PowerId]:
        """The rulers who have figures that count on the field. Source: R-101"""
        return {
            each.ruler
            for each in self.living
            if each.cell and kind_of(each.item).group is Group.HUMAN and kind_of(each.item).code not in ("Z", "Sl")
        }

    def result(self, holds: PowerId | None) -> BattleEnd:
        """The end of the battle according to the recount."""
        standing = self._standing()
        is_decided = not any((one, other) in self.site.foes for one in standing for other in standing)
        course = self.end.course
        if holds is not None or (is_decided and len(standing) > 0):
            winner = holds or course.winner
            winner = winner if winner in standing else min(standing)
            course = replace(course, end=CONQUEST if course.winner != winner else course.end, winner=winner)
        holders = {place: ruler for place, ruler in self.end.holders.items() if ruler in standing}
        return replace(
            self.end,
            course=replace(course, lost=dict(self._lost())),
            living=tuple(self.living),
            loose=tuple(self.loose),
            dead={key: count for key, count in self.dead.items() if count},
            holders=holders,
        )

    def _lost(self) -> Iterator[tuple[PowerId, Mapping[str, int]]]:
        for party in self.site.parties:
            found = Counter[str]()
            for (ruler, _, item), count in self.dead.items():
                if ruler == party.ruler and count:
                    found[without_numbers(item)] += count
            if found:
                yield party.ruler, dict(found)
