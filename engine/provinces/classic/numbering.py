"""The board in numbers, made once for each board: what the kernel counts with, and who reaches what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from engine.core.ids import PlaceId, ProvinceId, province_of
from engine.provinces.board import Board, Terrain
from engine.provinces.orders import Kind


@dataclass(frozen=True, slots=True, eq=False)
class Post:
    """What the board says about a unit of some kind in some place.

    Args:
        name: what the unit is called: `F STP/SC`.
        goals: the places that it can go to by itself, sorted, with their spaces.
        near: the spaces alone: what it can support into.
    """

    name: str
    kind: Kind
    at: PlaceId
    space: int
    province: ProvinceId
    goals: Mapping[PlaceId, int]
    near: frozenset[int]


@dataclass(frozen=True, slots=True, eq=False)
class NumberedBoard:
    """Facts about a board. A space is the number of a province in map order.

    Args:
        provinces: by space.
        space_of: the space of every place; all coasts of a province are one space.
        is_sea: by space.
        reach: by kind of unit and place, the places that it can go to by itself.
        goals: the same, sorted, with their spaces.
        near: the spaces alone: what a unit can support into.
        posts: all that together, by kind of unit and place.
        steps: by space, the spaces that border on it by land or water.
    """

    provinces: tuple[ProvinceId, ...]
    space_of: dict[PlaceId, int]
    is_sea: tuple[bool, ...]
    reach: dict[Kind, dict[PlaceId, frozenset[PlaceId]]]
    goals: dict[Kind, dict[PlaceId, dict[PlaceId, int]]]
    near: dict[Kind, dict[PlaceId, frozenset[int]]]
    posts: dict[Kind, dict[PlaceId, Post]]
    steps: tuple[frozenset[int], ...]


@cache
def numbered(board: Board) -> NumberedBoard:
    """The numbers of a board."""
    provinces = tuple(board.provinces)
    number = {province: space for space, province in enumerate(provinces)}
    space_of = {place: number[province_of(place)] for place in board.places}
    reach: dict[Kind, dict[PlaceId, frozenset[PlaceId]]] = {
        "A": {PlaceId(at): frozenset(map(PlaceId, there)) for at, there in board.army_moves.items()},
        "F": {at: frozenset(there) for at, there in board.fleet_moves.items()},
    }
    goals = {
        kind: {at: {place: space_of[place] for place in sorted(there)} for at, there in moves.items()}
        for kind, moves in reach.items()
    }
    near = {kind: {at: frozenset(there.values()) for at, there in moves.items()} for kind, moves in goals.items()}
    posts = {
        kind: {
            at: Post(
                f"{kind} {at}",
                kind,
                at,
                space,
                provinces[space],
                goals[kind].get(at, {}),
                near[kind].get(at, frozenset()),
            )
            for at, space in space_of.items()
        }
        for kind in reach
    }
    steps: list[set[int]] = [set() for _ in provinces]
    for moves in near.values():
        for at, there in moves.items():
            steps[space_of[at]] |= there
    return NumberedBoard(
        provinces=provinces,
        space_of=space_of,
        is_sea=tuple(board.provinces[province].terrain is Terrain.SEA for province in provinces),
        reach=reach,
        goals=goals,
        near=near,
        posts=posts,
        steps=tuple(map(frozenset, steps)),
    )
