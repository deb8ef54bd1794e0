"""A player's own part of a picture, and which boards are too large to be read as a whole on a small screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from engine.core.depiction import Depiction
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.variant import folder_of, load_variant, rows_of_table, variant_ids
from engine.lattice.tiling import TileId
from engine.pictures.legend import ArrowStatus
from engine.pictures.scene import Arrow, ArrowKind, Scene
from engine.pictures.tiles import TileScene

MANY_PROVINCES, MANY_TILES = 100, 17
"""With this many provinces, or this many tiles along a side, a board is too large to be read as a whole."""
MANY_OF_CELLS = 7
"""The same for tiles that are made of cells, which have to be larger."""
_SPREAD, _PART = 0.55, 0.5
"""Of a large board, from side to side and from top to bottom: what lies within the first is shown together, of anything
else as much as lies within the second."""


def is_large(scene: Depiction) -> bool:
    """Whether the whole of the board is too small to be read in a chat."""
    if isinstance(scene, TileScene):
        left, top, right, bottom = scene.board.box
        return max(right - left, bottom - top) >= (MANY_OF_CELLS if scene.grounds else MANY_TILES)
    # A board without files, as tests have them, is small.
    if not isinstance(scene, Scene) or scene.variant not in variant_ids(scene.system):
        return False
    return len(load_variant(scene.system, scene.variant).spaces) >= MANY_PROVINCES


def own_realm(scene: Depiction, power: PowerId) -> Depiction:
    """The scene around what a power owns and holds and where its orders lead, with other powers' units dimmed.

    For a power that has nothing yet, or whose decisions lie anywhere, it is the whole board, unchanged.
    """
    if isinstance(scene, TileScene) and (tiles := tuple(dict.fromkeys(_tiles(scene, power)))):
        return replace(scene, focus=tiles, lit=power)
    if isinstance(scene, Scene) and not scene.at_large and (provinces := dict.fromkeys(_provinces(scene, power))):
        return replace(scene, focus=tuple(provinces), lit=power)
    return scene


def own_part(scene: Depiction, power: PowerId) -> Depiction:
    """The own realm. If it is all over a large board, the part of it with the most orders, or, without any, units."""
    found = own_realm(scene, power)
    if not isinstance(found, Scene) or found.lit is None or not is_large(found):
        return found
    focus = set(found.focus)
    wide, near = (_provinces_near(found.system, found.variant, share) for share in (_SPREAD, _PART))
    if any(focus <= others for others in wide.values()):
        return found
    units = (unit.place for unit in found.units if unit.power == power)
    places = Counter(map(province_of, (*places_of(own_acts(found)),) or units)) or Counter(found.focus)
    middle = max(near, key=lambda place: sum(places[other] for other in near[place]))
    return replace(found, focus=tuple(place for place in found.focus if place in near[middle]), is_part=True)


def own_acts(scene: Scene) -> list[Arrow]:
    """The orders of the power whose realm it is, but for those to hold."""
    return [arrow for arrow in scene.arrows if arrow.power == scene.lit and arrow.kind is not ArrowKind.HOLD]


@cache
def _provinces_near(system: str, variant: str, share: float) -> Mapping[ProvinceId, frozenset[ProvinceId]]:
    """The provinces within such a share of the board with each in its middle.

    Seas may be huge, and have neighbours at the other end of the board: what counts is where units stand on the map.
    """
    rows = rows_of_table(folder_of(system, variant) / "anchors.csv")
    stand = {province_of(PlaceId(row["place"])): (int(row["unit_x"]), int(row["unit_y"])) for row in rows}
    width, height = (share / 2 * (max(side) - min(side)) for side in zip(*stand.values(), strict=True))
    return {
        middle: frozenset(at for at, (x, y) in stand.items() if abs(x - mx) <= width and abs(y - my) <= height)
        for middle, (mx, my) in stand.items()
    }


def is_lit(scene: Depiction) -> bool:
    """Whether a scene is about a player's own realm."""
    return isinstance(scene, Scene | TileScene) and scene.lit is not None


def with_failing(scene: Depiction, failing: Depiction) -> Depiction:
    """The scene with those orders drawn as failed that are also in the other scene, which has only failed orders."""
    if isinstance(scene, TileScene) and isinstance(failing, TileScene):
        ways = {replace(march, status=ArrowStatus.FAILED) for march in failing.marches}
        failed = ((march, replace(march, status=ArrowStatus.FAILED)) for march in scene.marches)
        marches = (lost if lost in ways else march for march, lost in failed)
        return replace(scene, marches=tuple(marches))
    if isinstance(scene, Scene) and isinstance(failing, Scene):
        orders = {_order_of(arrow) for arrow in failing.arrows}
        arrows = (
            replace(arrow, status=ArrowStatus.FAILED) if _order_of(arrow) in orders else arrow for arrow in scene.arrows
        )
        return replace(scene, arrows=tuple(arrows))
    return scene


def _order_of(arrow: Arrow) -> tuple[object, ...]:
    """The order that an arrow shows; which fleets carry somebody follows from other orders."""
    return arrow.kind, arrow.power, arrow.unit_kind, arrow.start, arrow.end


def whole_board(scene: Depiction) -> Depiction:
    """The scene with its whole map."""
    if isinstance(scene, TileScene):
        return replace(scene, focus=(), opened=None)
    return replace(scene, focus=(), is_part=False) if isinstance(scene, Scene) else scene


def _tiles(scene: TileScene, power: PowerId) -> Iterator[TileId]:
    for at, tile in scene.tiles.items():
        if tile.owner == power or any(troops.power == power for troops in tile.troops):
            yield at
    for march in scene.marches:
        if march.power == power:
            yield from march.way


def _provinces(scene: Scene, power: PowerId) -> Iterator[ProvinceId]:
    yield from (province for province, owner in scene.fills.items() if owner == power)
    yield from (province_of(unit.place) for unit in scene.units if unit.power == power)
    yield from map(province_of, places_of(arrow for arrow in scene.arrows if arrow.power == power))


def places_of(arrows: Iterable[Arrow]) -> Iterator[PlaceId]:
    """Where orders lie and lead."""
    for arrow in arrows:
        yield from (arrow.start, arrow.end, *arrow.via)
