"""What a picture of a battle shows: some tiles by their cells, who stands where, who strikes whom, who falls and flees.

A battle is shown in several pictures of one site; each is a `SiteScene`, and a film of them has them as its steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.lattice.great_fields import Side, middle_of_cell
from engine.lattice.tiling import Box, Point, TileId, Tiling
from engine.pictures.tiles import TileScene

SiteCell: TypeAlias = tuple[TileId, int]
"""A cell, by its tile and its number there."""


@dataclass(frozen=True, slots=True)
class Figurine:
    """The figures of one power on a cell, as a stack.

    Args:
        text: most of them, `4LB`; `more`: what else there is, `1B`.
        is_phalanx: they are in close order.
        storey: `I` in a building, `P` on its platform; empty: on open ground.
        count: how many figures they are.
    """

    power: PowerId
    at: SiteCell
    text: str
    more: str = ""
    is_phalanx: bool = False
    storey: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class Blow:
    """Somebody strikes or shoots at somebody else.

    Args:
        is_shot: from a distance.
        has_killed: it killed somebody.
    """

    power: PowerId
    start: SiteCell
    end: SiteCell
    is_shot: bool = False
    has_killed: bool = False


@dataclass(frozen=True, slots=True)
class Fallen:
    """The number of a power's figures that died on a cell."""

    power: PowerId
    at: SiteCell
    count: int


@dataclass(frozen=True, slots=True)
class Flight:
    """Figures that got away from a cell, toward a tile."""

    power: PowerId
    at: SiteCell
    to: TileId
    text: str


@dataclass(frozen=True, slots=True)
class Damage:
    """The damage to a building so far, or where a wall or a gate is broken.

    Args:
        text: how many hits a building has.
        side: the broken edge.
    """

    at: SiteCell
    text: str = ""
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class SiteSide:
    """Powers that fight together.

    Args:
        role: `attackers`, `defenders` or `others`: it distinguishes the sides without colours, too.
        what: who they are, in words.
    """

    role: str
    powers: tuple[PowerId, ...]
    what: Phrase


@dataclass(frozen=True, slots=True)
class SiteSign:
    """A sign of the battle that the picture explains.

    Args:
        kind: `platform`, `inside`, `hits`, `broken` or `fallen`.
    """

    kind: str
    what: Phrase


@dataclass(frozen=True, slots=True)
class SiteScene(TileScene):
    """A moment of a battle; its tiles are those of the site.

    Args:
        tag: the name of the site, in a few letters and figures.
        about: the moment in words.
        signs: what is explained below the sides; the same for all moments of a battle.
        beyond: who is outside the picture, which shows where something happens; their places are listed.
    """

    tag: str = ""
    sides: tuple[SiteSide, ...] = ()
    tokens: tuple[Figurine, ...] = ()
    blows: tuple[Blow, ...] = ()
    fallen: tuple[Fallen, ...] = ()
    flights: tuple[Flight, ...] = ()
    damages: tuple[Damage, ...] = ()
    about: tuple[Phrase, ...] = ()
    signs: tuple[SiteSign, ...] = ()
    beyond: tuple[Figurine, ...] = ()

    @property
    def is_close_up(self) -> bool:
        return True

    @property
    def in_words(self) -> tuple[Phrase, ...]:
        return self.about

    def role_of(self, power: PowerId) -> str:
        """On which side a power fights."""
        return next((side.role for side in self.sides if power in side.powers), "others")


def middle_of(board: Tiling, cell: SiteCell) -> Point:
    """Where a cell lies on the plane."""
    (x, y), (dx, dy) = board.middle(cell[0]), middle_of_cell(cell[1])
    return x + dx, y + dy


def box_around(board: Tiling, cells: list[SiteCell], beside: float, least: float) -> Box:
    """The part of the plane with some cells and a margin around them, with at least this width and height."""
    points = [middle_of(board, cell) for cell in cells]
    (left, right), (top, bottom) = ((min(line) - beside, max(line) + beside) for line in zip(*points, strict=True))
    wider, higher = max(0.0, least - (right - left)) / 2, max(0.0, least - (bottom - top)) / 2
    return left - wider, top - higher, right + wider, bottom + higher
