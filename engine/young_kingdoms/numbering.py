"""The board in numbers as sorcerers see it: at home on land and sea, they reach whatever borders on their space."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from engine.core.ids import PlaceId, ProvinceId
from engine.provinces.board import Board
from engine.provinces.classic import numbering as classic
from engine.provinces.classic.numbering import NumberedBoard
from engine.young_kingdoms.model import SORCERER


@cache
def numbered(board: Board) -> NumberedBoard:
    """Diplomacy's numbers, and where sorcerers reach by a spell."""
    numbers = classic.numbered(board)
    reach = {
        PlaceId(province): frozenset(PlaceId(numbers.provinces[there]) for there in numbers.steps[space])
        for space, province in enumerate(numbers.provinces)
    }
    goals = {at: {place: numbers.space_of[place] for place in there} for at, there in reach.items()}
    near = {at: frozenset(there.values()) for at, there in goals.items()}
    return replace(
        numbers,
        reach={**numbers.reach, SORCERER: reach},
        goals={**numbers.goals, SORCERER: goals},
        near={**numbers.near, SORCERER: near},
    )


@cache
def neighbours_of(board: Board) -> dict[ProvinceId, tuple[ProvinceId, ...]]:
    """The spaces that border on each space by land or water, in map order."""
    numbers = classic.numbered(board)
    return {
        province: tuple(numbers.provinces[there] for there in sorted(numbers.steps[space]))
        for space, province in enumerate(numbers.provinces)
    }


@cache
def walks_of(board: Board) -> dict[ProvinceId, tuple[ProvinceId, ...]]:
    """Where a sorcerer can step without a spell: over land as armies do, from land to sea and back, in map order."""
    numbers = classic.numbered(board)
    is_sea = {province: numbers.is_sea[space] for space, province in enumerate(numbers.provinces)}
    return {
        here: tuple(
            there
            for there in neighbours
            if is_sea[here] or is_sea[there] or PlaceId(there) in numbers.reach["A"][PlaceId(here)]
        )
        for here, neighbours in neighbours_of(board).items()
    }
