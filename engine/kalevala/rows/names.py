"""Places and rulers that a document names: they have to be there. Source: rules 30"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from engine.core.documents import list_of, mapping_of
from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.kalevala.coordinates import GfId, Province, gf_of, order_of, parse_gf, parse_province
from engine.kalevala.land import Land
from engine.kalevala.model import Ruler, TradeCentre
from engine.kalevala.rows.land import centre_of
from engine.kalevala.rows.values import coordinate_of, count_of, name_of

T = TypeVar("T")


@dataclass(frozen=True)
class Places:
    """The places that a document may name.

    Args:
        plane: the one that is meant where none is named; `None`: each has to be named.
    """

    land: Land
    plane: int | None

    def place(self, value: Any, where: str) -> Province:
        """A province that is there. Source: ruling KA2."""
        province = parse_province(str(value), self.plane)
        if province is None:
            raise DocumentError(where, f"{value!r} is no coordinate")
        gf = gf_of(province)
        if self.land.has(province):
            return province
        parts = self.land.provinces(gf) if self.land.exists(gf) else ()
        raise DocumentError(where, f"{value!r} is no province" + (f"; there is {', '.join(parts)}" if parts else ""))

    def place_set(self, value: Any, where: str) -> frozenset[Province]:
        """A list of provinces whose order means nothing."""
        return frozenset(self.place(each, f"{where}[{index}]") for index, each in enumerate(list_of(value, where)))

    def numbers(self, value: Any, where: str) -> dict[Province, int]:
        """A number for each of some provinces, in the order of the map."""
        rows = mapping_of(value, where).items()
        found = {self.place(key, f"{where}.{key}"): count_of(each, f"{where}.{key}") for key, each in rows}
        return {province: found[province] for province in sorted(found, key=order_of)}

    def centres(self, value: Any, where: str) -> dict[GfId, TradeCentre]:
        """A trade centre for each of some great fields, in the order of the map."""
        found = {}
        for key, row in mapping_of(value, where).items():
            at = f"{where}.{key}"
            found[coordinate_of(key, at, self.plane)] = centre_of(mapping_of(row, at), at)
        return {gf: found[gf] for gf in sorted(found, key=order_of)}

    def permitted(self, value: str, where: str) -> Province:
        """A province, or a whole field that is divided."""
        gf = parse_gf(value, self.plane)
        return Province(gf) if gf is not None and self.land.exists(gf) else self.place(value, where)

    def once_called(self, value: str, where: str) -> Province:
        """A province, or what one was called before its great field was divided again."""
        place = parse_province(value, self.plane)
        return place if place is not None and self.land.exists(gf_of(place)) else self.place(value, where)


@dataclass(frozen=True)
class Names(Places):
    """The places and rulers that a document may name.

    Args:
        rulers: in seat order.
    """

    rulers: Mapping[PowerId, Ruler]

    def ruler(self, value: Any, where: str) -> PowerId:
        """A ruler who is there."""
        name = name_of(value, where)
        if name not in self.rulers:
            raise DocumentError(where, f"{value!r} is no ruler")
        return name

    def by_ruler(self, rows: Mapping[str, Any], key: str, read: Callable[[Any, str], T]) -> dict[PowerId, T]:
        """What `state.<key>` has for each ruler, in seat order."""
        found = {
            self.ruler(name, f"state.{key}.{name}"): read(value, f"state.{key}.{name}")
            for name, value in rows.items()
            if value is not None
        }
        return {ruler: found[ruler] for ruler in self.rulers if ruler in found}
