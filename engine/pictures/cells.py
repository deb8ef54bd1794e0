"""What a tile is made of where hexes are made of hexes (`engine.lattice.great_fields`): its 48 cells, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.lattice.great_fields import Side

UNSEEN = "?"
"""The letter of a cell about which nothing is known."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A kind of land.

    Args:
        word: its name in the key: `highland_forest`.
        level: how high it is, from 0.
        cover: what is drawn on it: `forest`, `desert`, `swamp`, …; empty: only what its height calls for.
    """

    word: str
    level: int
    cover: str = ""
    is_water: bool = False


@dataclass(frozen=True, slots=True)
class CellSign:
    """What stands on a cell.

    Args:
        kind: `market`, `tower`, …
        is_site: it is not there yet.
    """

    kind: str
    cell: int
    is_site: bool = False


@dataclass(frozen=True, slots=True)
class EdgeSign:
    """What lies along a side of a cell: `river`, `ascent`, `wall`, `gate`, `bridge`."""

    kind: str
    cell: int
    side: Side


@dataclass(frozen=True, slots=True)
class Part:
    """A province: cells that belong together.

    Args:
        label: what distinguishes it from the other parts of its tile; empty: it is the whole tile.
    """

    cells: frozenset[int]
    owner: PowerId | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of a tile, as far as the viewer knows them.

    Args:
        grounds: a letter for each cell, by number; `UNSEEN` for what the viewer does not know.
        flow: for cells with running water, in which direction it flows.
        about: all this in words.
    """

    grounds: str
    edges: tuple[EdgeSign, ...] = ()
    flow: tuple[tuple[int, Side], ...] = ()
    signs: tuple[CellSign, ...] = ()
    parts: tuple[Part, ...] = ()
    about: tuple[Phrase, ...] = ()
