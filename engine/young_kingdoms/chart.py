"""The board in numbers as sorcerers see it: at home on land and sea, they reach whatever borders on their space."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from engine.core.ids import PlaceId, ProvinceId
from engine.provinces.board import Board
from engine.provinces.classic import chart as classic
from engine.provinces.classic.chart import Chart
from engine.young_kingdoms.model import SORCERER


@cache
def chart_of(board: Board) -> Chart:
    """Diplomacy's chart, with where sorcerers reach by a spell."""
    chart = classic.chart_of(board)
    reach = {
        PlaceId(province): frozenset(PlaceId(chart.provinces[there]) for there in chart.steps[space])
        for space, province in enumerate(chart.provinces)
    }
    goals = {at: {place: chart.space_of[place] for place in there} for at, there in reach.items()}
    near = {at: frozenset(there.values()) for at, there in goals.items()}
    return replace(
        chart,
        reach={**chart.reach, SORCERER: reach},
        goals={**chart.goals, SORCERER: goals},
        near={**chart.near, SORCERER: near},
    )


@cache
def neighbours_of(board: Board) -> dict[ProvinceId, tuple[ProvinceId, ...]]:
    """The spaces that border on each space by land or water, in map order."""
    chart = classic.chart_of(board)
    return {
        province: tuple(chart.provinces[there] for there in sorted(chart.steps[space]))
        for space, province in enumerate(chart.provinces)
    }


@cache
def walks_of(board: Board) -> dict[ProvinceId, tuple[ProvinceId, ...]]:
    """Where a sorcerer can step without a spell: over land as armies do, from land to sea and back, in map order."""
    chart = classic.chart_of(board)
    is_sea = {province: chart.is_sea[space] for space, province in enumerate(chart.provinces)}
    return {
        here: tuple(
            there
            for there in neighbours
            if is_sea[here] or is_sea[there] or PlaceId(there) in chart.reach["A"][PlaceId(here)]
        )
        for here, neighbours in neighbours_of(board).items()
    }
