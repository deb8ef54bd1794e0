"""What a picture of a board of tiles shows, as plain data: the counterpart of `scene.Scene` for squares and hexes.

The board is the game's own, so the scene includes its shape, terrain and powers; only the style is an asset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from engine.core.depiction import Depiction
from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.core.variant import Power
from engine.lattice.tiling import Box, TileId, Tiling
from engine.pictures.cells import Cells, Ground
from engine.pictures.legend import ArrowStatus, LegendRow
from engine.pictures.scene import Scene

UNKNOWN = "unknown"
"""The terrain of a tile of which only the name is known."""


@dataclass(frozen=True, slots=True)
class Troops:
    """What one power has on a tile, as written there: `3F 2B C`."""

    power: PowerId
    text: str


@dataclass(frozen=True, slots=True)
class Tile:
    """The visible contents of a square or a hex.

    Args:
        terrain: its word (`hills`), by which it is drawn; terrain without a drawing shows `letter`. `UNKNOWN`: fog.
        tag: its name, if the columns and rows along the edge don't say it; a few letters or figures.
        home_of: the power whose home it is, whoever owns it now.
        note: a letter or two for its corner (an army's tactic).
        signs: what else there is to show, in this order: `battle`, `isolated`, `disloyal`, `ordered`.
        is_remembered: it is only remembered, and drawn faded; `note` may say since when.
        cells: its cells, on boards of hexes in hexes.
    """

    terrain: str
    letter: str
    is_water: bool = False
    name: str = ""
    tag: str = ""
    owner: PowerId | None = None
    home_of: PowerId | None = None
    troops: tuple[Troops, ...] = ()
    note: str = ""
    signs: tuple[str, ...] = ()
    is_remembered: bool = False
    cells: Cells | None = None


@dataclass(frozen=True, slots=True)
class Trail:
    """A path over tiles, from where it starts to where it ends; `manner` is how the style draws it."""

    power: PowerId
    way: tuple[TileId, ...]
    status: ArrowStatus = ArrowStatus.PENDING
    label: str = ""
    manner: str = ""


class Shown(Enum):
    """Where a sign that the key explains is found."""

    TERRAIN = auto()
    TROOPS = auto()
    NOTE = auto()
    SIGN = auto()
    WAY = auto()
    CELL = auto()
    EDGE = auto()


@dataclass(frozen=True, slots=True)
class KeyRow:
    """What a sign of the map means.

    Args:
        sign: as on the tiles: a terrain's word, troops' letter, a note, a sign; the manner of a path; what stands on a
            cell or lies along its side.
        letter: the letter of a terrain.
    """

    shown: Shown
    sign: str
    what: Phrase
    letter: str = ""


@dataclass(frozen=True, slots=True)
class TileScene(Depiction):
    """Everything that one picture of a board of tiles shows.

    Args:
        board: which tiles there are, and their shape.
        tiles: what is on them; tiles left out are open water, or, where the viewer `is_in_fog`, unknown to them.
        powers: all that the scene names, in seat order.
        key: all possible signs; a picture explains those in sight.
        focus: show only these tiles and what is around them; empty: the whole map.
        lit: the power whose realm it shows: others' troops are dimmed.
        is_in_fog: the scene contains nothing that the viewer does not know; what it lacks is drawn as fog.
        grounds: what the letters of cells mean, on boards of hexes in hexes.
        opened: the tile that is shown with its cells.
        about: a description of what it shows, where the description of the board says less.
        box: the part of the plane shown, if several pictures have to show the same part; `None`: what suits this one.
    """

    board: Tiling
    tiles: Mapping[TileId, Tile]
    powers: tuple[Power, ...]
    marches: tuple[Trail, ...] = ()
    legend: tuple[LegendRow, ...] = ()
    key: tuple[KeyRow, ...] = ()
    focus: tuple[TileId, ...] = ()
    lit: PowerId | None = None
    is_in_fog: bool = False
    grounds: Mapping[str, Ground] = field(default_factory=dict)
    opened: TileId | None = None
    about: tuple[Phrase, ...] = ()
    box: Box | None = None

    @property
    def is_close_up(self) -> bool:
        return bool(self.focus) or self.opened is not None

    @property
    def in_words(self) -> tuple[Phrase, ...]:
        if self.opened is None:
            return self.about
        tile = self.tiles.get(self.opened)
        return tile.cells.about if tile is not None and tile.cells is not None else ()

    def is_unknown(self, at: TileId) -> bool:
        """Whether the viewer knows nothing about a tile."""
        tile = self.tiles.get(at)
        return self.is_in_fog if tile is None else tile.terrain == UNKNOWN


AnyScene = Scene | TileScene
"""A picture of a position, on whatever kind of map."""


def with_orders(scene: Depiction, others: Sequence[Depiction]) -> Depiction:
    """The scene with the orders of other scenes of the same position drawn in."""
    if isinstance(scene, TileScene):
        return replace(
            scene, marches=tuple(m for other in others if isinstance(other, TileScene) for m in other.marches)
        )
    if isinstance(scene, Scene):
        return replace(scene, arrows=tuple(a for other in others if isinstance(other, Scene) for a in other.arrows))
    return scene
