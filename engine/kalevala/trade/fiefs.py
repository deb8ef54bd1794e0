"""Fiefs: provinces that one ruler holds of another for a time, and their form in a document. What happens to them in a
window is in `steps.enfeoffing`.

Source: rules 21.4, 30.1, R-068, R-129
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.core.ids import PowerId
from engine.kalevala.coordinates import Province, gf_of, part_of
from engine.kalevala.model import ModuleData

MOST_ROUNDS = 10
"""For how many great rounds a fief can be given at most. Source: rules 21.4"""
REMINDER = 2
"""How many great rounds before its end both rulers are reminded. Source: R-068"""


@dataclass(frozen=True, slots=True)
class Fief:
    """A province that its holder has to give back to its giver.

    Args:
        gf: its name when it was given.
        until: the last great round of it.
        is_entered: the holder has had a warrior or merchant there at the end of a P1, as required.
        is_open: the giver may claim it back: one of the two realms has had a new ruler since, or has become marauders.
            Ruling KA146
    """

    gf: Province
    giver: PowerId
    holder: PowerId
    until: int
    is_entered: bool = False
    is_open: bool = False

    def names(self, place: Province) -> bool:
        """Whether a province is the fief or part of it: battles may have divided or reunited it."""
        is_whole = part_of(self.gf) is None or part_of(place) is None
        return place == self.gf or (is_whole and gf_of(place) == gf_of(self.gf))


def open_to_claims(fief: Fief, rulers: Collection[PowerId]) -> Fief:
    """The fief after one of these realms has got a new ruler, or become marauders. Source: rules 21.4, ruling KA146"""
    return replace(fief, is_open=True) if {fief.giver, fief.holder} & set(rulers) else fief


def read_fief(row: Mapping[str, Any]) -> Fief:
    """The fief of a row of a document."""
    return Fief(
        gf=Province(str(row["gf"])),
        giver=PowerId(row["giver"]),
        holder=PowerId(row["holder"]),
        until=int(row["until"]),
        is_entered=bool(row.get("entered")),
        is_open=bool(row.get("open")),
    )


def fief_row(fief: Fief) -> dict[str, Any]:
    """A fief's row in a document."""
    row: dict[str, Any] = {"gf": fief.gf, "giver": fief.giver, "holder": fief.holder, "until": fief.until}
    return row | ({"entered": True} if fief.is_entered else {}) | ({"open": True} if fief.is_open else {})


def fiefs_in(modules: ModuleData) -> list[Fief]:
    """All fiefs that are known."""
    return [read_fief(row) for row in modules.get("fiefs", ())]
