"""Culture texts, and what of a province can have a name; carried out by `steps.naming`. Source: rules 4.2"""

from __future__ import annotations

from engine.kalevala.coordinates import Province
from engine.kalevala.land import Land
from engine.kalevala.model import GreatField
from engine.kalevala.tables import TERRAIN

WORTH = 10
"""OEH for the first culture text. Source: rules R-076"""
LEAST_LETTERS = 300
"""The characters that a culture text needs to earn OEH: as many as a letter that counts. Ruling KA237"""
LONGEST_NAME = 40
TOWN, LAND, RIVER, MOUNTAINS = "HZ", "LAND", "RIVER", "MOUNTAINS"
KINDS = (TOWN, LAND, RIVER, MOUNTAINS)
_HIGH = ("mountain", "gorge")


def can_have(field: GreatField, kind: str) -> bool:
    """Whether a great field has something of this kind that can be named. Ruling KA238"""
    if kind == TOWN:
        return field.centre is not None and field.centre.is_founded
    if kind == RIVER:
        return bool(field.rivers or field.flow)
    if kind == MOUNTAINS:
        return any(TERRAIN[letter].name.startswith(_HIGH) for letter in set(field.cells) & TERRAIN.keys())
    return True


def called(land: Land, province: Province) -> str:
    """What a province is called: as its trade centre is, else as its land is; empty: it has no name."""
    centre = land.centre(province)
    return (centre.name if centre is not None else "") or name_of(land.field(province), LAND)


def name_of(field: GreatField, kind: str) -> str:
    """The name of this kind of thing in a great field, or an empty text."""
    if kind == TOWN:
        return "" if field.centre is None else field.centre.name
    return field.names.get(kind.casefold(), "")
