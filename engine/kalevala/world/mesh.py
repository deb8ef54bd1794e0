"""The small fields of a world in one mesh, numbered great field by great field, with what lies on them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache

from engine.kalevala.world.noise import point_of
from engine.kalevala.world.regions import Regions
from engine.lattice.great_fields import CELLS, FieldCell, FieldId, Side, axial_of, over

WATER, MOUNTAINS = "W", "G"
BARRIERS = WATER + MOUNTAINS
_ORIGIN = FieldId(0, 0)


@cache
def _over(cell: int) -> tuple[tuple[FieldId, int], ...]:
    """For each side of a cell of field (0, 0), the step to the great field beyond, and the cell's number there."""
    return tuple(over(FieldCell(_ORIGIN, cell), side) for side in Side)


class Mesh:
    """All small fields of a world. Number `48 * field + cell - 1` is cell `cell` of great field `field`.

    Attributes:
        beside: for each small field and side, the adjacent one; -1 beyond the edge of the world.
        points: where each is, in widths of a small field.
        letters: the terrain of each.
        flow: for stroms, by small field, the side across which they flow.
    """

    def __init__(self, regions: Regions) -> None:
        self.regions = regions
        numbers = {field: number for number, field in enumerate(regions.fields)}
        self.axial: list[tuple[int, int]] = []
        self.beside: list[tuple[int, ...]] = []
        for field in regions.fields:
            for cell in range(1, CELLS + 1):
                self.axial.append(axial_of(FieldCell(field, cell)))
                self.beside.append(
                    tuple(
                        -1
                        if (there := numbers.get(FieldId(field.u + step.u, field.v + step.v))) is None
                        else there * CELLS + other - 1
                        for step, other in _over(cell)
                    )
                )
        self.points = [point_of(axial) for axial in self.axial]
        self.letters: list[str] = ["T"] * len(self.axial)
        self.flow: dict[int, Side] = {}

    def __len__(self) -> int:
        return len(self.axial)

    def around(self, at: int) -> Iterator[int]:
        """The small fields next to this one."""
        return (other for other in self.beside[at] if other >= 0)

    def cells(self, field: int) -> range:
        """The small fields of a great field."""
        return range(field * CELLS, field * CELLS + CELLS)

    def is_land(self, at: int) -> bool:
        """Whether a small field is neither water nor mountains."""
        return self.letters[at] not in BARRIERS

    def steps_from(self, start: Iterable[int], most: int, may_pass: Callable[[int], bool] | None = None) -> list[int]:
        """For each small field, the steps from the nearest of these, up to one more than this many."""
        found = [most + 1] * len(self)
        edge = list(start)
        for at in edge:
            found[at] = 0
        for steps in range(1, most + 1):
            beyond = []
            for at in edge:
                for other in self.beside[at]:
                    if other >= 0 and found[other] > steps and (may_pass is None or may_pass(other)):
                        found[other] = steps
                        beyond.append(other)
            edge = beyond
        return found

    def parts(self, field: int) -> list[set[int]]:
        """The provinces of a great field, the largest first. Source: rules R-009"""
        return self.areas([at for at in self.cells(field) if self.is_land(at)])

    def areas(self, cells: Collection[int]) -> list[set[int]]:
        """Small fields grouped into connected areas, the largest first."""
        left = set(cells)
        found = []
        for first in sorted(cells):
            if first not in left:
                continue
            left.discard(first)
            area, edge = {first}, [first]
            while edge:
                for other in self.beside[edge.pop()]:
                    if other in left:
                        left.discard(other)
                        area.add(other)
                        edge.append(other)
            found.append(area)
        return sorted(found, key=lambda area: (-len(area), min(area)))


def quantile(values: Sequence[float], share: float) -> float:
    """The value above which this share of the values lies."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, max(0, round(len(ranked) * (1 - share))))]
