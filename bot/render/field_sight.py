"""Which part of a world of great fields a picture shows, how large, and which land is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from bot.render.camera import MOST_SHAPE
from bot.render.land import Plot, Relief
from bot.render.style import Style
from bot.render.tile_canvas import TileCanvas, Viewport, power_styles
from engine.lattice.great_fields import CELL
from engine.lattice.hexes import CORNER
from engine.lattice.tiling import Box, TileId
from engine.pictures.site import SiteScene
from engine.pictures.tiles import TileScene

REALM_PX, OPENED_PX = 900_000, 800_000
"""How many pixels a picture of a realm and one of a great field have, at most."""
FIELD_PX = range(8, 261)
"""How far the middles of great fields are apart on the picture of a realm."""
CLEAR_PX, FINE_PX = 40, 90
"""From this size on a field shows trade centre and stacks; from the second on also its texts."""
_BESIDE, _RIM = 0.5, 0.06
"""How much is shown around a realm, and around known fields next to it, in great fields."""
_MOST_OF_REALM = 14
"""The most great fields across a picture of a realm; of a larger realm a part is shown."""
_SCOUTED = 3
"""How far scouts can go."""
_LEAST_SHAPE = 1.2
"""Width over height: less than elsewhere, since phones show wide pictures small."""
_AROUND_OPENED = 0.5 + 1.3 * CELL
"""How much of an opened field's neighbourhood is shown, from its middle to the sides."""


def canvas_of(scene: TileScene, style: Style) -> TileCanvas:
    """The canvas of a scene, with the outline of each field in sight."""
    sight = sight_of(scene)
    return TileCanvas(
        scene, style, power_styles(scene, style), sight, {at: sight.polygon(at) for at in scene.board.within(sight.box)}
    )


def sight_of(scene: TileScene) -> Viewport:
    """The part of the board that is shown, and the size of its fields in pixels."""
    box, sizes, room = scene.box or _box(scene), FIELD_PX, REALM_PX
    if scene.opened is not None or isinstance(scene, SiteScene):
        sizes, room = range(1, 2000), OPENED_PX
    left, top, right, bottom = box
    side = int((room / ((right - left) * (bottom - top))) ** 0.5)
    return Viewport(scene.board, box, min(max(side, sizes[0]), sizes[-1]))


_MOST_SPAN = 150
"""Great fields across a picture; of a larger world the middle is shown."""


def _box(scene: TileScene) -> Box:
    """The part of the board that is shown, wider than high where that costs no room."""
    if scene.opened is not None:
        x, y = scene.board.middle(scene.opened)
        across = CORNER + 0.55 * CELL
        return x - across, y - _AROUND_OPENED, x + across, y + _AROUND_OPENED
    if isinstance(scene, SiteScene):
        return _bounds(scene, tuple(scene.tiles), 0.5 * CELL)
    left, top, right, bottom = _bounds(scene, _shown(scene), _BESIDE)
    if scene.lit is not None and scene.focus and max(right - left, bottom - top) > _MOST_OF_REALM:
        # If a realm is all over the world, what matters is where something is done, or its capital.
        acts = [at for march in scene.marches if march.power == scene.lit for at in march.way]
        capital = [at for at in scene.focus if "capital" in scene.tiles[at].signs or scene.tiles[at].owner == scene.lit]
        left, top, right, bottom = _bounds(scene, acts or capital[:1] or scene.focus[:1], 2 * _BESIDE)
    high = min(max(bottom - top, (right - left) / MOST_SHAPE), _MOST_SPAN)
    wide = min(max(right - left, high * _LEAST_SHAPE), _MOST_SPAN)
    x, y = (left + right) / 2, (top + bottom) / 2
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def _shown(scene: TileScene) -> Sequence[TileId]:
    """What has to be in sight: the fields that the picture is about, else known fields and those where orders lead."""
    known = [at for at in scene.tiles if not scene.is_unknown(at)]
    return scene.focus or (*known, *(at for march in scene.marches for at in march.way))


def _bounds(scene: TileScene, tiles: Sequence[TileId], beside: float) -> Box:
    """The bounds of some fields, with this much around known ones, and what is worth seeing near them."""
    reaches = [_reach(scene, at, beside if _is_of_note(scene, at) else _RIM) for at in tiles or [(0, 0)]]
    reaches += [_reach(scene, at, _RIM) for at in (_near(scene, tiles) if scene.focus else ())]
    lefts, tops, rights, bottoms = zip(*reaches, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _is_of_note(scene: TileScene, at: TileId) -> bool:
    """Whether a close-up is about a field, and not only an order leads there."""
    tile = scene.tiles.get(at)
    if not scene.focus or tile is None or tile.cells is None:
        return False
    return scene.lit is None or tile.owner == scene.lit or any(troops.power == scene.lit for troops in tile.troops)


def _near(scene: TileScene, tiles: Sequence[TileId]) -> set[TileId]:
    """The known fields next to some, and nearby ones seen at present."""
    found: set[TileId] = set()
    reached = set(tiles)
    for step in range(_SCOUTED):
        reached |= {there for at in reached for there in scene.board.neighbours(at)}
        for at in reached:
            tile = scene.tiles.get(at)
            if tile is not None and tile.cells is not None and (step == 0 or not tile.is_remembered):
                found.add(at)
    return found


def _reach(scene: TileScene, at: TileId, beside: float) -> Box:
    """A field and this much around it."""
    x, y = scene.board.middle(at)
    return x - CORNER - beside, y - 0.5 - beside, x + CORNER + beside, y + 0.5 + beside


def relief_of(canvas: TileCanvas) -> Relief:
    """The ground of all fields whose cells are known, drawn lower where numbers or figures stand on it."""
    plots = tuple(
        Plot(at, tile.cells.grounds, tile.cells.edges, tile.cells.flow)
        for at, tile in canvas.tiles()
        if tile.cells is not None
    )
    grounds = tuple(sorted(canvas.scene.grounds.items()))
    if canvas.scene.opened is not None:  # The numbers of the cells stand below what grows there.
        return Relief(canvas.sight, plots, grounds, canvas.style, plant=0.72, lift=0.68)
    if isinstance(canvas.scene, SiteScene):
        return Relief(canvas.sight, plots, grounds, canvas.style, plant=0.62, lift=0.62)
    return Relief(canvas.sight, plots, grounds, canvas.style)
