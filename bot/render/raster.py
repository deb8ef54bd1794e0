"""Draws a scene on a map of provinces: the ground, everything on it, panels around it. Scene in, picture out."""

from __future__ import annotations

from collections.abc import Iterator

from PIL import Image

from bot.render.basemap import Basemap, load_basemap
from bot.render.camera import Camera, as_posted, close_up, part, realm, whole
from bot.render.key import key_of
from bot.render.labels import Obstacle, write_labels
from bot.render.map_canvas import MapCanvas, power_styles
from bot.render.map_ground import draw_ground, map_palette
from bot.render.marks import die_spot, draw_marks, draw_signs
from bot.render.order_lines import OrderLines
from bot.render.palette import Drawing
from bot.render.panels import TitleRoom, board, sheet, with_key_for
from bot.render.places import Spots, spots
from bot.render.signs import SIGNS
from bot.render.tokens import draw_ties, draw_units
from engine.core.ids import province_of
from engine.pictures.scene import Scene


def draw_scene(scene: Scene, *, with_key: bool = False) -> Drawing:
    """The picture of a scene: the board alone, or a sheet with a legend and a key besides.

    Raises:
        FileNotFoundError: the variant has no map.
    """
    basemap = load_basemap(scene.system, scene.variant, scene.known)
    camera = _camera(scene, basemap)
    if not with_key:
        camera = as_posted(camera, basemap)
    canvas = MapCanvas(basemap, camera, power_styles(scene, basemap))
    picture = draw_ground(scene, canvas)
    _draw_layers(picture, scene, canvas)
    style = canvas.basemap.style
    if with_key:
        style = with_key_for(style, picture.width, len(scene.legend))
        picture = sheet(picture, scene, style, canvas.powers, key_of(scene, style))
    else:
        picture = board(picture, scene, style.scaled(camera.scale), _title_room(canvas))
    colours, palette = map_palette(basemap, tuple(canvas.powers.values()))
    return Drawing(picture, colours, palette)


def _camera(scene: Scene, basemap: Basemap) -> Camera:
    """Which part of the map is shown: what the scene is about, or as much of a player's own realm as is legible."""
    if not scene.focus:
        return whole(basemap)
    if scene.is_part:
        return part(basemap, scene.focus)
    if scene.lit is None:
        return close_up(basemap, scene.focus)
    held = [province for province, owner in scene.fills.items() if owner == scene.lit]
    held += [province_of(unit.place) for unit in scene.units if unit.power == scene.lit]
    return realm(basemap, scene.focus, held) or whole(basemap)


def _title_room(canvas: MapCanvas) -> TitleRoom | None:
    """Open water that the map keeps for its title; a close-up may show anything there."""
    room: TitleRoom | None = canvas.basemap.style.decorations.get("title")
    return room if canvas.camera == whole(canvas.basemap) else None


def _draw_layers(picture: Image.Image, scene: Scene, canvas: MapCanvas) -> None:
    """Everything on the ground, from the lowest to the highest."""
    found = spots(scene, canvas.basemap, SIGNS)
    lines = OrderLines(picture, scene, canvas, found)
    lines.draw()
    write_labels(picture, canvas.basemap, canvas.camera, [*_obstacles(scene, canvas, found), *lines.obstacles()])
    lines.draw_short()
    draw_marks(picture, scene, canvas)
    draw_signs(picture, canvas, found, over_units=False)
    draw_ties(picture, canvas, found)
    draw_units(picture, scene, canvas, found)
    draw_signs(picture, canvas, found, over_units=True)
    lines.draw_changes()
    lines.draw_badges()


def _obstacles(scene: Scene, canvas: MapCanvas, found: Spots) -> Iterator[Obstacle]:
    """The units, signs and centres, which names avoid."""
    radius, centre, at = canvas.size("unit"), canvas.size("centre"), canvas.camera.at
    for spot in (*found.units.values(), *found.builds.values()):
        yield Obstacle(at(spot), radius * 1.12, 2.0)
    for spot in found.marks.values():
        yield Obstacle(at(spot), radius * 0.62, 2.0)
    for mark in scene.marks:
        if mark not in found.marks and province_of(mark.place) in canvas.basemap.anchors:
            anchor = canvas.anchor(mark.place)
            if mark.kind == "choice":
                yield Obstacle(at(anchor.unit), radius, 2.0)
            elif mark.kind == "die":
                yield Obstacle(at(die_spot(anchor, canvas)), canvas.size("die"), 2.0)
            else:
                yield Obstacle(at(anchor.centre or anchor.unit), centre, 1.5)
