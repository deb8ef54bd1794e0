"""Where something happened on a board too large to be read as a whole: the parts that deserve a picture each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from engine.core.depiction import Depiction
from engine.core.ids import ProvinceId, province_of
from engine.core.variant import neighbours_of
from engine.lattice.tiling import TileId, Tiling
from engine.pictures.legend import ArrowStatus
from engine.pictures.realm import is_large
from engine.pictures.scene import ArrowKind, Scene
from engine.pictures.tiles import TileScene

P = TypeVar("P")

MOST = 5
"""The most close-ups of one picture."""
_TILES = 3
"""How far from its middle a close-up of tiles reaches; of provinces it has the neighbours."""
_LEAST = 2
"""How much must have happened in a part, other than the first, for it to get a picture."""
_OF_NOTE = frozenset({"swords"})
"""Marks of events; other marks show how things are."""


@dataclass(frozen=True, slots=True)
class CloseUp:
    """A part of a board.

    Args:
        place: the id of the province, or the name or the coordinates of the tile, in its middle.
    """

    place: str
    scene: Depiction


def close_ups(scene: Depiction) -> tuple[CloseUp, ...]:
    """The parts of a large board where most happened, the most eventful first; none if it can be read as a whole."""
    if not is_large(scene) or scene.is_close_up:
        return ()
    if isinstance(scene, Scene):
        borders = neighbours_of(scene.system, scene.variant)
        parts = _parts(_weights(scene), lambda place: {place, *borders.get(place, ())})
        return tuple(CloseUp(middle, replace(scene, focus=focus, is_part=True)) for middle, focus in parts)
    if isinstance(scene, TileScene):
        found = _parts(_weights_of_tiles(scene), lambda at: _tiles_near(scene.board, at))
        return tuple(CloseUp(_name(scene, middle), replace(scene, focus=focus)) for middle, focus in found)
    return ()


def _name(scene: TileScene, at: TileId) -> str:
    tile = scene.tiles.get(at)
    return (tile.name or tile.tag if tile is not None else "") or f"{at[0]} {at[1]}"


def _parts(weights: Mapping[P, int], near: Callable[[P], Iterable[P]]) -> Iterator[tuple[P, tuple[P, ...]]]:
    """The middle of each part, and all places in it where something happened; each place is in one part."""
    left = dict(weights)
    for number in range(MOST):
        sums = {place: sum(left.get(other, 0) for other in near(place)) for place in left}
        # Of equal parts the first; of parts with the same places, the one around the most eventful of them.
        middle = max(left, key=lambda place: (sums[place], left[place]), default=None)
        if middle is None or (number > 0 and sums[middle] < _LEAST):
            return
        found = tuple(place for place in left if place in set(near(middle)))
        yield middle, found
        left = {place: weight for place, weight in left.items() if place not in found}


def _weights(scene: Scene) -> Counter[ProvinceId]:
    """How much happened in each province: orders that did something or failed, units driven out, fights."""
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


def _weights_of_tiles(scene: TileScene) -> Counter[TileId]:
    found: Counter[TileId] = Counter()
    for march in scene.marches:
        found.update({march.way[0]: 1, march.way[-1]: 1})
    for at, tile in scene.tiles.items():
        found[at] += 3 * ("battle" in tile.signs)
    return +found


@lru_cache(maxsize=4096)
def _tiles_near(board: Tiling, at: TileId) -> frozenset[TileId]:
    near = {at}
    for _ in range(_TILES):
        near |= {other for each in near for other in board.around(each)}
    return frozenset(near)
