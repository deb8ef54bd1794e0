"""What a picture of a board of tiles shows, as plain data: the counterpart of `scene.Scene` for squares and hexes.

The board is the game's own, so the scene brings its shape, terrain and powers along; the style alone is an asset.
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
"""The terrain of a tile of which no more is known than what it is called."""


@dataclass(frozen=True, slots=True)
class Troops:
    """What one power has on a tile, as written there: `3F 2B C`."""

    power: PowerId
    text: str


@dataclass(frozen=True, slots=True)
class Tile:
    """The visible contents of a square or a hex.

    Args:
        terrain: its word (`hills`), by which it is drawn; one that has no drawing shows `letter`. `UNKNOWN`: fog.
        tag: what it is called, where the columns and rows on the rim don't say; a few letters or figures.
        home_of: whose home it is, whoever owns it now.
        note: a letter or two for its corner (an army's tactic).
        signs: what else is the matter there, in the order to show: `battle`, `isolated`, `disloyal`, `ordered`.
        is_remembered: it is known from before alone, and drawn faded; `note` may say since when.
        cells: what it is made of, on boards of hexes in hexes.
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
    """A way over tiles, from where it starts to where it ends; its `manner` is how the style draws it."""

    power: PowerId
    way: tuple[TileId, ...]
    status: ArrowStatus = ArrowStatus.PENDING
    label: str = ""
    manner: str = ""


class Shown(Enum):
    """Where a sign is seen that the key explains."""

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
        sign: as on the tiles: a terrain's word, troops' letter, a note, a sign; the manner of a way; what stands on a
            cell or lies along its side.
        letter: of a terrain.
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
        powers: whoever the scene names, in seat order.
        key: the signs that there may be; a picture explains those in sight.
        focus: show only these tiles and what is around them; empty: the whole map.
        lit: whose picture of their own realm it is: others' troops are dimmed.
        is_in_fog: the scene holds nothing of what the viewer does not know; what it lacks is drawn as fog.
        grounds: what the letters of cells mean, on boards of hexes in hexes.
        opened: the tile that is shown by its cells.
        about: what it shows in words, where the board in words says less.
        box: what part of the plane is shown, where several pictures have to show the same; `None`: what fits this one.
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
        """Whether the viewer knows nothing of a tile."""
        tile = self.tiles.get(at)
        return self.is_in_fog if tile is None else tile.terrain == UNKNOWN


AnyScene = Scene | TileScene
"""A picture of a position, on whatever kind of map."""


def with_orders(scene: Depiction, others: Sequence[Depiction]) -> Depiction:
    """The scene with the orders of others of the same position drawn in."""
    if isinstance(scene, TileScene):
        return replace(
            scene, marches=tuple(m for other in others if isinstance(other, TileScene) for m in other.marches)
        )
    if isinstance(scene, Scene):
        return replace(scene, arrows=tuple(a for other in others if isinstance(other, Scene) for a in other.arrows))
    return scene
