"""Orders about artefacts, as values. Source: rules 19.2, rulings KA231, KA232"""

from __future__ import annotations

from dataclasses import dataclass

from engine.kalevala.coordinates import Province


@dataclass(frozen=True, slots=True)
class TakeArtefact:
    """`ARTEFACT TAKE 2D+6`: pick up what lies there."""

    at: Province

    def __str__(self) -> str:
        return f"ARTEFACT TAKE {self.at}"


@dataclass(frozen=True, slots=True)
class LayArtefact:
    """`ARTEFACT LAY Ar/1 2D+4 KF 20`: leave it on a small field."""

    item: str
    at: Province
    cell: int

    def __str__(self) -> str:
        return f"ARTEFACT LAY {self.item} {self.at} KF {self.cell}"


@dataclass(frozen=True, slots=True)
class BearArtefact:
    """`ARTEFACT BEAR Ar/1 LB`: which kind of figure bears it in battle."""

    item: str
    bearer: str

    def __str__(self) -> str:
        return f"ARTEFACT BEAR {self.item} {self.bearer}"
