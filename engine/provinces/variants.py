"""Variants that are played on a board, read from the files of a variant in `assets/`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from engine.core.ids import PlaceId, ProvinceId, province_of
from engine.core.variant import Space, Variant, folder_of, rows_of_table
from engine.provinces.board import Board, Province, Terrain


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BoardVariant(Variant):
    """A variant with its board, whose provinces are its spaces."""

    board: Board


@cache
def with_board(variant: Variant) -> BoardVariant:
    """A variant together with its board, read once."""
    board = _load_board(variant)
    return BoardVariant(
        system=variant.system,
        id=variant.id,
        name=variant.name,
        powers=variant.powers,
        spaces=board.provinces,
        settings=variant.settings,
        tables=variant.tables,
        board=board,
    )


def _load_board(variant: Variant) -> Board:
    folder = folder_of(variant.system, variant.id)
    borders = rows_of_table(folder / "borders.csv")
    coasts: defaultdict[str, set[str]] = defaultdict(set)
    for row in borders:
        for place in (row["a"], row["b"]):
            if "/" in place:
                coasts[province_of(PlaceId(place))].add(place)
    provinces = [
        _province(row, variant.spaces[ProvinceId(row["id"])], coasts[row["id"]])
        for row in rows_of_table(folder / "provinces.csv")
    ]
    army: dict[ProvinceId, set[ProvinceId]] = {province.id: set() for province in provinces}
    fleet: dict[PlaceId, set[PlaceId]] = {
        place: set() for province in provinces for place in (PlaceId(province.id), *province.coasts)
    }
    for row in borders:
        for here, there in ((row["a"], row["b"]), (row["b"], row["a"])):
            if row["army"] == "yes":
                army[ProvinceId(here)].add(ProvinceId(there))
            if row["fleet"] == "yes":
                fleet[PlaceId(here)].add(PlaceId(there))
    return Board(
        provinces={province.id: province for province in provinces},
        army_moves={key: tuple(sorted(value)) for key, value in army.items()},
        fleet_moves={key: tuple(sorted(value)) for key, value in fleet.items()},
    )


def _province(row: Mapping[str, str], space: Space, coasts: set[str]) -> Province:
    return Province(
        id=space.id,
        name=space.name,
        home=space.home,
        aliases=space.aliases,
        terrain=Terrain(row["kind"]),
        is_centre=row["centre"] == "yes",
        coasts=tuple(PlaceId(place) for place in sorted(coasts)),
    )
