"""Where on a board too large to be read as a whole something happened: the parts that are worth a picture each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import TypeVar

from engine.core.depiction import Depiction
from engine.core.ids import ProvinceId, province_of
from engine.core.variant import neighbours_of
from engine.pictures.grid_scene import Cell, GridScene
from engine.pictures.legend import ArrowStatus
from engine.pictures.realm import is_large
from engine.pictures.scene import ArrowKind, Scene

P = TypeVar("P")

MOST = 5
"""Close-ups of one picture."""
_STEPS, _SQUARES = 1, 3
"""How far from its middle a close-up reaches: in provinces, in squares."""
_LEAST = 2
"""So much must have happened in a part beside the first that it gets a picture."""
_OF_NOTE = frozenset({"swords"})
"""Marks of what happened; others tell how things are."""


@dataclass(frozen=True, slots=True)
class CloseUp:
    """A part of a board.

    Args:
        place: the id of the province, or the name or the coordinates of the square, in its middle.
    """

    place: str
    scene: Depiction


def close_ups(scene: Depiction) -> tuple[CloseUp, ...]:
    """The parts of a large board where most happened, the most eventful first; none of one that can be read whole."""
    if not is_large(scene) or scene.is_close_up:
        return ()
    if isinstance(scene, Scene):
        near = _provinces_near(scene.system, scene.variant)
        parts = _parts(_weights(scene), lambda place: near.get(place, {place}))
        return tuple(CloseUp(middle, replace(scene, focus=focus)) for middle, focus in parts)
    if isinstance(scene, GridScene):
        cells = _parts(_weights_of_squares(scene), _squares_near)
        return tuple(CloseUp(_name(scene, middle), replace(scene, focus=focus)) for middle, focus in cells)
    return ()


def _name(scene: GridScene, cell: Cell) -> str:
    square = scene.squares.get(cell)
    return square.name if square is not None and square.name else f"{cell[0]} {cell[1]}"


def _parts(weights: Mapping[P, int], near: Callable[[P], Iterable[P]]) -> Iterator[tuple[P, tuple[P, ...]]]:
    """The middle of each part, and all in it where something happened; each place is in one part."""
    left = dict(weights)
    for number in range(MOST):
        sums = {place: sum(left.get(other, 0) for other in near(place)) for place in left}
        # Of equal parts the first, of those around the same places the one about the most eventful of them.
        middle = max(left, key=lambda place: (sums[place], left[place]), default=None)
        if middle is None or (number > 0 and sums[middle] < _LEAST):
            return
        found = tuple(place for place in left if place in set(near(middle)))
        yield middle, found
        left = {place: weight for place, weight in left.items() if place not in found}


def _weights(scene: Scene) -> Counter[ProvinceId]:
    """How much happened in each province: orders that did something, that failed, who was driven out, fights."""
    found: Counter[ProvinceId] = Counter()
    for arrow in scene.arrows:
        if arrow.kind is not ArrowKind.HOLD or arrow.status is ArrowStatus.FAILED:
            found[province_of(arrow.end)] += 1 + (arrow.status is ArrowStatus.FAILED)
            found[province_of(arrow.start)] += 1
    for unit in scene.units:
        found[province_of(unit.place)] += 3 * unit.is_dislodged
    for mark in scene.marks:
        found[province_of(mark.place)] += 3 * (mark.kind in _OF_NOTE)
    return +found


def _weights_of_squares(scene: GridScene) -> Counter[Cell]:
    found: Counter[Cell] = Counter()
    for march in scene.marches:
        found.update({march.way[0]: 1, march.way[-1]: 1})
    for cell, square in scene.squares.items():
        found[cell] += 3 * ("battle" in square.signs)
    return +found


def _squares_near(cell: Cell) -> Iterator[Cell]:
    reach = range(-_SQUARES, _SQUARES + 1)
    return ((cell[0] + right, cell[1] + down) for right, down in product(reach, reach))


@cache
def _provinces_near(system: str, variant: str) -> Mapping[ProvinceId, frozenset[ProvinceId]]:
    """The provinces within some steps of each."""
    borders = neighbours_of(system, variant)
    found = {}
    for place in borders:
        near = {place}
        for _ in range(_STEPS):
            near |= {other for each in near for other in borders[each]}
        found[place] = frozenset(near)
    return found
