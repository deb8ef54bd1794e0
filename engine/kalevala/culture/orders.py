"""Orders about a people and its land, as values. Source: rules 4.2, rulings KA237, KA238"""

from __future__ import annotations

from dataclasses import dataclass

from engine.kalevala.coordinates import Province
from engine.kalevala.culture.facts import TOWN


@dataclass(frozen=True, slots=True)
class Describe:
    """`CULTURE "text"`: who the people are, their god, wizard, land and customs."""

    text: str

    def __str__(self) -> str:
        return f'CULTURE "{self.text}"'


@dataclass(frozen=True, slots=True)
class Name:
    """`NAME 2D+4 "Borgund"`: the trade centre; or `LAND`, `RIVER`, `MOUNTAINS` there."""

    at: Province
    name: str
    kind: str = TOWN

    def __str__(self) -> str:
        what = "" if self.kind == TOWN else f" {self.kind}"
        return f'NAME {self.at}{what} "{self.name}"'
