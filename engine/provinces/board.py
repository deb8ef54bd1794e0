"""The map as a graph: provinces, their coasts, and who can go where. Built by `variants` from the assets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.core.ids import PlaceId, PowerId, ProvinceId
from engine.core.variant import Space


class Terrain(StrEnum):
    """What kind of space a province is."""

    SEA = "sea"
    COAST = "coast"
    LAND = "land"
    IMPASSABLE = "impassable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Province(Space):
    """A space of a map of land and sea.

    Source: Diplomacy, rules 1.1.

    Args:
        is_centre: whether it is a supply centre; then `home` is the power whose home centre it is.
        coasts: its coasts as places (`SPA/NC`, `SPA/SC`), where a fleet must stand on one of several; else empty.
    """

    terrain: Terrain
    is_centre: bool = False
    coasts: tuple[PlaceId, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """All provinces and borders of a map. Compared by identity: there is one board for each variant.

    Args:
        provinces: in map order (the order of provinces.csv), by id.
        army_moves: where an army can go from a province, sorted. Every province has an entry.
        fleet_moves: where a fleet can go from a place, sorted; keys and values name coasts where there are several.
            Every place has an entry; a province with several coasts has one itself too, which is empty.
    """

    provinces: Mapping[ProvinceId, Province]
    army_moves: Mapping[ProvinceId, tuple[ProvinceId, ...]]
    fleet_moves: Mapping[PlaceId, tuple[PlaceId, ...]]

    @property
    def places(self) -> tuple[PlaceId, ...]:
        """Every place, in map order; the coasts of a province come after it."""
        return tuple(
            place for province in self.provinces.values() for place in (PlaceId(province.id), *province.coasts)
        )

    @property
    def centres(self) -> tuple[ProvinceId, ...]:
        """The supply centres, in map order."""
        return tuple(province.id for province in self.provinces.values() if province.is_centre)

    def homes(self, power: PowerId) -> tuple[ProvinceId, ...]:
        """The home centres of a power, in map order."""
        return tuple(province.id for province in self.provinces.values() if province.home == power)
