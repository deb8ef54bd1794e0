"""Names of things in a game. They are strings; only the type checker distinguishes them."""

from typing import NewType

PowerId = NewType("PowerId", str)
"""The side that a seat plays, lower case with underscores: `austria`, `pan_tang`."""

ProvinceId = NewType("ProvinceId", str)
"""A node of the map, upper case: `SPA`."""

PlaceId = NewType("PlaceId", str)
"""Where a unit can stand: a province, or one of its coasts: `SPA`, `SPA/NC`."""

SystemId = NewType("SystemId", str)
"""A set of rules: `diplomacy`, `kregen`."""


def province_of(place: PlaceId) -> ProvinceId:
    """The province of a place: `SPA` for `SPA/NC`.

    >>> province_of(PlaceId("SPA/NC"))
    'SPA'
    """
    # Asked so often that even the call of a NewType would show.
    return place.partition("/")[0]  # type: ignore[return-value]
