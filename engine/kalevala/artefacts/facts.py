"""Artefacts: what a document says about one, where it is, and who has it. `steps.artefacts` carries orders about them
out.

An artefact that somebody has is an item of a stack, `Ar/3` for the third: it marches, is traded, stolen and lost as
other goods are. One that lies somewhere has a province and a small field. Source: rules 30.1, rulings KA230 to KA235
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.ids import PowerId
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import Figures, kind_of, load_of, number_of

ARTEFACT = "Ar"
"""The code of an artefact in figures."""
USUAL_POINTS, MOST_POINTS = 2, 5
"""The GP that an artefact gives its bearer: by default as many as a god's weapon, and at most. Ruling KA230"""
LONGEST_NAME = 40
USUAL_CELL = 20
"""The small field, in the middle of a great one, where an artefact lies by default."""
PRIZE_NEEDS = 12
"""What the winner of a duel of wizards has to roll to take an artefact of the loser. Source: rules 19.6"""


@dataclass(frozen=True, slots=True)
class Artefact:
    """A magic thing that a ruler's figure can bear, and others can win in battle.

    Args:
        number: its number in stacks, counted from 1.
        at: where it is, or was last.
        holder: who has it; `None`: it lies there, on the small field `cell`.
        points: GP that it gives whoever bears it and fights hand to hand.
        text: what those who see it are told about it.
        bearer: the code of the figure that bears it in battle; empty: the best fighter there.
        seen_by: who knows what it is.
    """

    number: int
    name: str
    at: Province
    holder: PowerId | None = None
    cell: int = USUAL_CELL
    points: int = USUAL_POINTS
    text: str = ""
    bearer: str = ""
    seen_by: frozenset[PowerId] = frozenset()

    @property
    def item(self) -> str:
        """As stacks write it.

        >>> Artefact(3, "Sampo", Province("2D+4")).item
        'Ar/3'
        """
        return f"{ARTEFACT}/{self.number}"


def is_artefact(item: str) -> bool:
    """Whether an item of a stack is an artefact."""
    return kind_of(item).code == ARTEFACT


def artefacts_of(figures: Figures) -> Iterator[int]:
    """The numbers of the artefacts in a stack, including those aboard its craft."""
    for item in figures:
        yield from (number_of(each) for each in (item, *load_of(item)) if is_artefact(each))


def artefacts_in(modules: Mapping[str, Any]) -> Iterator[Artefact]:
    """All artefacts of a document."""
    return map(read_artefact, modules.get("things", ()))


def read_artefact(row: Mapping[str, Any]) -> Artefact:
    """Read an artefact from a row; the reader of the document has given it its number."""
    return Artefact(
        number=int(row["n"]),
        name=str(row["name"]),
        at=Province(str(row["at"])),
        holder=None if row.get("holder") is None else PowerId(row["holder"]),
        cell=int(row.get("kf") or USUAL_CELL),
        points=int(row.get("gp", USUAL_POINTS)),
        text=str(row.get("text") or ""),
        bearer=str(row.get("bearer") or ""),
        seen_by=frozenset(map(PowerId, row.get("seen") or ())),
    )


def artefact_row(artefact: Artefact) -> dict[str, Any]:
    """Write an artefact as a row of a document."""
    row: dict[str, Any] = {"n": artefact.number, "name": artefact.name, "at": artefact.at}
    row |= {"kf": artefact.cell} if artefact.holder is None else {"holder": artefact.holder}
    row["gp"] = artefact.points
    for key in ("text", "bearer"):
        if getattr(artefact, key):
            row[key] = getattr(artefact, key)
    return row | ({"seen": sorted(artefact.seen_by)} if artefact.seen_by else {})


def next_number(artefacts: Iterable[Artefact]) -> int:
    """The number of the next artefact."""
    return max((each.number for each in artefacts), default=0) + 1
