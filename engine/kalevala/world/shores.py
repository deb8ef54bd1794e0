"""Moves the shores of a world by single small fields, until each realm has as much land nearest to it. Ruling KA51"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.kalevala.coordinates import GfId, Province, gf_of
from engine.kalevala.land import Land
from engine.kalevala.tables import TERRAIN
from engine.kalevala.world.mesh import WATER, Mesh
from engine.kalevala.world.promise import ratio, shares_of
from engine.lattice.great_fields import CELLS

_EVEN = 1.05
_MOST_MOVES = 60
"""How many moves there are for each ruler."""
_LEAST_LAND = 16
_LEAST_BESIDE = 2
"""How many neighbours of a kind a small field needs to change to it, so that shores stay smooth."""
_EXHAUSTED = [-1]
"""The queue of a shore that can't change any more."""
_MAINLY = 0.5
"""The share that a ruler must have in land for it to belong to that ruler's shore."""


def even_out(mesh: Mesh, land: Land, names: Sequence[GfId], homes: Sequence[Sequence[Province]]) -> None:
    """Raise land from the water for the ruler with least, sink some for the one with most. Land routes don't change."""
    Shores(mesh, land, names, homes).even_out()


class Shores:
    """The land nearest to each ruler, while it is being changed."""

    def __init__(self, mesh: Mesh, land: Land, names: Sequence[GfId], homes: Sequence[Sequence[Province]]) -> None:
        self._ground = mesh
        numbers = {name: number for number, name in enumerate(names)}
        provinces = [
            each
            for number, name in enumerate(names)
            if number not in mesh.regions.sea
            for each in land.provinces(gf_of(Province(name)))
        ]
        self._shares: dict[int, Mapping[int, float]] = {}
        """By small field of land that belongs to nobody."""
        for province, shares in shares_of(land, provinces, homes).items():
            first = numbers[gf_of(province)] * CELLS
            for cell in land.cells(province):
                self._shares[first + cell - 1] = shares
        self._wet = [sum(mesh.letters[each] == WATER for each in mesh.around(at)) for at in range(len(mesh))]
        """By small field, how many of those next to it are water."""
        self._sides = [sum(other >= 0 for other in sides) for sides in mesh.beside]
        self._sums = [0.0] * len(homes)
        self._own: list[set[int]] = [set() for _ in homes]
        """By ruler, the small fields that are mainly nearest to this one."""
        for at in self._shares:
            self._book(at, 1)

    def _book(self, at: int, sign: int) -> None:
        for ruler, share in self._shares[at].items():
            self._sums[ruler] += sign * share
            if share >= _MAINLY:
                (self._own[ruler].add if sign > 0 else self._own[ruler].discard)(at)

    def even_out(self) -> None:
        """Move shores as long as it helps: one small field of the ruler who is worst off, then one of the best off."""
        ups: dict[int, list[int]] = {}
        downs: dict[int, list[int]] = {}
        for _ in range(_MOST_MOVES * len(self._sums)):
            if ratio(self._sums) <= _EVEN:
                return
            ranked = sorted(range(len(self._sums)), key=lambda ruler: self._sums[ruler])
            has_moved = self._move(ranked[0], ups, is_rise=True)
            if not self._move(ranked[-1], downs, is_rise=False) and not has_moved:
                return

    def _move(self, ruler: int, queues: dict[int, list[int]], *, is_rise: bool) -> bool:
        """Change a small field at a ruler's shore, the best of its queue. Returns whether there was one."""
        if queues.get(ruler) == _EXHAUSTED:
            return False
        for _ in range(2):
            queue = queues.get(ruler, [])
            while queue:
                cell = queue.pop()
                if self._rise(cell) if is_rise else self._sink(cell):
                    return True
            queues[ruler] = self._shore(ruler, is_rise=is_rise)
        queues[ruler] = list(_EXHAUSTED)
        return False

    def _shore(self, ruler: int, *, is_rise: bool) -> list[int]:
        """The small fields that may change at a ruler's shore, the best last."""
        mesh = self._ground
        own = [(self._shares[at][ruler], at) for at in sorted(self._own[ruler])]
        if is_rise:
            letters, beside = mesh.letters, mesh.beside
            coast = [(share, at) for share, at in own if self._wet[at]]
            wet = {
                (share, other) for share, at in coast for other in beside[at] if other >= 0 and letters[other] == WATER
            }
            return [
                cell for _, _, cell in sorted((share, self._beside(cell, is_wet=False), cell) for share, cell in wet)
            ]
        wet_sides = self._wet
        return [
            at for _, _, at in sorted((share, wet_sides[at], at) for share, at in own if wet_sides[at] >= _LEAST_BESIDE)
        ]

    def _beside(self, cell: int, *, is_wet: bool) -> int:
        return self._wet[cell] if is_wet else self._sides[cell] - self._wet[cell]

    def _change(self, cell: int, letter: str) -> None:
        """Change a small field from water to land, or from land to water."""
        self._ground.letters[cell] = letter
        for other in self._ground.around(cell):
            self._wet[other] += 1 if letter == WATER else -1

    def _rise(self, cell: int) -> bool:
        """Turn water into land, if allowed. Returns whether it was."""
        mesh, field = self._ground, cell // CELLS
        if not self._may_rise(cell, field) or self._beside(cell, is_wet=False) < _LEAST_BESIDE:
            return False
        at = next(other for other in mesh.around(cell) if mesh.is_land(other))
        letter = mesh.letters[at]
        self._change(cell, letter if TERRAIN[letter].level < TERRAIN["B"].level else "H")
        self._shares[cell] = self._shares[at]
        self._book(cell, 1)
        return True

    def _may_rise(self, cell: int, field: int) -> bool:
        """Whether water of this great field may become land: it is no strom, and opens no new way."""
        mesh = self._ground
        if mesh.letters[cell] != WATER or cell in mesh.flow or cell // CELLS != field:
            return False
        mine = None
        for other in mesh.around(cell):
            if other in mesh.flow or (mesh.is_land(other) and other // CELLS != field):
                return False
            if mesh.is_land(other):
                shares = self._shares.get(other)
                if shares is None or (mine is not None and shares is not mine):
                    return False
                mine = shares
        return mine is not None

    def _sink(self, cell: int) -> bool:
        """Turn land into water, if allowed. Returns whether it was."""
        if cell not in self._shares or self._beside(cell, is_wet=True) < _LEAST_BESIDE or not self._may_sink(cell):
            return False
        self._change(cell, WATER)
        self._book(cell, -1)
        del self._shares[cell]
        return True

    def _may_sink(self, cell: int) -> bool:
        """Whether land may become water: no way is cut by it, and its province stays whole."""
        mesh, field = self._ground, cell // CELLS
        for other in mesh.around(cell):
            if other in mesh.flow or (mesh.is_land(other) and other // CELLS != field):
                return False
        parts = mesh.parts(field)
        own = next(part for part in parts if cell in part)
        rest = own - {cell}
        return len(own) > _LEAST_LAND and len(mesh.areas(rest)) == 1
