"""The land as a graph of marches: who borders whom, and how many moves of an army lie between two spaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from engine.core.ids import PlaceId, ProvinceId
from engine.core.variant import Power, load_variant
from engine.feudal.model import BARBARIANS
from engine.provinces.board import Board, Terrain
from engine.provinces.variants import BoardVariant, with_board


@dataclass(frozen=True, slots=True, eq=False)
class Land:
    """Facts about a board. A space is the number of a province in map order.

    Args:
        provinces: by space, Switzerland too.
        space_of: by province.
        near: by province, its neighbours, sorted.
        distance: by two provinces, moves of an army between them; what can't be reached is left out.
        centres: in map order.
        barbarian_homes: the centres in which new barbarians come up, in map order.
    """

    provinces: tuple[PlaceId, ...]
    space_of: Mapping[str, int]
    near: Mapping[str, tuple[PlaceId, ...]]
    distance: Mapping[str, Mapping[str, int]]
    centres: tuple[PlaceId, ...]
    barbarian_homes: tuple[PlaceId, ...]


@cache
def land_of(board: Board) -> Land:
    """The land of a board, made once. Source: rules 1."""
    near = {str(at): tuple(map(PlaceId, there)) for at, there in board.army_moves.items()}
    return Land(
        provinces=tuple(map(PlaceId, board.provinces)),
        space_of={str(province): space for space, province in enumerate(board.provinces)},
        near=near,
        distance={at: _distances(near, at) for at in near},
        centres=tuple(map(PlaceId, board.centres)),
        barbarian_homes=tuple(map(PlaceId, board.homes(BARBARIANS))),
    )


def _distances(near: Mapping[str, Sequence[str]], start: str) -> Mapping[str, int]:
    found = {start: 0}
    queue = [start]
    for at in queue:  # grows as it is read: breadth first
        for there in near[at]:
            if there not in found:
                found[there] = found[at] + 1
                queue.append(there)
    return found


def is_passable(board: Board, province: str) -> bool:
    """Whether a unit can stand there."""
    return board.provinces[ProvinceId(province)].terrain is not Terrain.IMPASSABLE


@cache
def variant_with(name: str, powers: tuple[Power, ...]) -> BoardVariant:
    """A variant with the powers of one game, made once for each set of them."""
    return replace(with_board(load_variant("feudal", name)), powers={power.id: power for power in powers})
