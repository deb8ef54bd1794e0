"""The land and the waters as numbers and tables: sectors, straits, rivers, who worships what. Made once per variant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.kregen.model import ARMY, FLEET, PIRATES
from engine.provinces.board import Terrain
from engine.provinces.orders import Kind
from engine.provinces.variants import BoardVariant


@dataclass(frozen=True, slots=True, eq=False)
class Land:
    """Facts about a variant.

    Source: rules 7.1, 7.2.

    Args:
        order: number of each sector in map order.
        city: shape of each city (`square`, `circle`, `diamond`).
        pirate_centres: every X, in map order.
        fixed_capitals: cities that are capitals from the start, in map order.
        garrisons: of the independent cities at the start, in map order.
        rivers: river sectors with their banks.
        convoyable: water sectors in which a fleet may convoy.
        straits: by both ends of a narrow crossing, its water sectors.
        borders: the sectors that one touches by land or water.
        walks: where a hero can go from a sector: over its borders and over straits.
        faiths: of the powers that have one.
    """

    order: Mapping[ProvinceId, int]
    city: Mapping[ProvinceId, str]
    pirate_centres: tuple[ProvinceId, ...]
    fixed_capitals: tuple[ProvinceId, ...]
    garrisons: Mapping[ProvinceId, int]
    rivers: Mapping[ProvinceId, tuple[ProvinceId, ...]]
    convoyable: frozenset[ProvinceId]
    straits: Mapping[tuple[ProvinceId, ProvinceId], tuple[ProvinceId, ...]]
    borders: Mapping[ProvinceId, frozenset[ProvinceId]]
    walks: Mapping[ProvinceId, frozenset[ProvinceId]]
    homes: Mapping[PowerId, tuple[ProvinceId, ...]]
    faiths: Mapping[PowerId, str]
    variant: BoardVariant

    def is_water(self, sector: ProvinceId) -> bool:
        """Whether it is sea, canal or river."""
        return self.variant.board.provinces[sector].terrain is Terrain.SEA

    @cache  # noqa: B019 - there is one for each variant, and both live as long as the process
    def reach(self, kind: Kind, place: PlaceId) -> frozenset[PlaceId]:
        """The places to which an army or fleet can go by itself from a place; open or closed straits included."""
        board, here = self.variant.board, province_of(place)
        if kind == FLEET:
            return frozenset(board.fleet_moves.get(place, ()))
        over = {PlaceId(b) for a, b in self.straits if a == here}
        return frozenset(map(PlaceId, board.army_moves[here])) | over

    @cache  # noqa: B019
    def reached_sectors(self, kind: Kind, place: PlaceId) -> frozenset[ProvinceId]:
        """The sectors that `reach` comes to."""
        return frozenset(map(province_of, self.reach(kind, place)))

    def may_help(self, one: PowerId, other: PowerId) -> bool:
        """Whether faith lets one power help another; those without one help anybody. Source: rules 1."""
        faiths = self.faiths
        return one not in faiths or other not in faiths or faiths[one] == faiths[other]

    def can_stand(self, kind: Kind, place: PlaceId) -> bool:
        """Whether such a unit could be in a place."""
        province = self.variant.board.provinces[province_of(place)]
        if kind == ARMY:
            return str(place) == province.id and province.terrain is not Terrain.SEA
        if kind == FLEET:
            return bool(self.variant.board.fleet_moves.get(place))
        return str(place) == province.id

    def places(self, sector: ProvinceId) -> tuple[PlaceId, ...]:
        """A sector and its coasts."""
        return (PlaceId(sector), *self.variant.board.provinces[sector].coasts)

    def starting_cities(self, power: PowerId) -> tuple[ProvinceId, ...]:
        """A nation's three, in map order; none for the pirates."""
        return self.homes.get(power, ())


@cache
def land_of(variant: BoardVariant) -> Land:
    """The facts about a variant, made once."""
    board = variant.board
    rows = {ProvinceId(row["id"]): row for row in variant.tables["sectors"]}
    straits = {}
    for row in variant.tables["straits"]:
        water = tuple(map(ProvinceId, row["water"].split(";")))
        a, b = ProvinceId(row["a"]), ProvinceId(row["b"])
        straits[a, b] = straits[b, a] = water
    borders: dict[ProvinceId, set[ProvinceId]] = {sector: set(board.army_moves[sector]) for sector in board.provinces}
    for place, there in board.fleet_moves.items():
        borders[province_of(place)] |= set(map(province_of, there))
    over = {sector: {b for a, b in straits if a == sector} for sector in borders}
    return Land(
        order={sector: number for number, sector in enumerate(board.provinces)},
        city={sector: row["city"] for sector, row in rows.items() if row["city"]},
        pirate_centres=tuple(sector for sector, row in rows.items() if row["pirate_centre"] == "yes"),
        fixed_capitals=tuple(sector for sector, row in rows.items() if row["capital"] == "yes"),
        garrisons={sector: int(row["garrison"]) for sector, row in rows.items() if row["garrison"] != "0"},
        rivers={
            ProvinceId(row["sector"]): tuple(map(ProvinceId, row["banks"].split(";")))
            for row in variant.tables["rivers"]
        },
        convoyable=frozenset(sector for sector, row in rows.items() if row["water"] in ("sea", "canal")),
        straits=straits,
        borders={sector: frozenset(there) for sector, there in borders.items()},
        walks={sector: frozenset(there | over[sector]) for sector, there in borders.items()},
        homes={power: board.homes(power) for power in variant.powers if power != PIRATES},
        faiths={PowerId(power): faith for power, faith in variant.settings["faiths"].items()},
        variant=variant,
    )
