"""The one transformer from map pixels (regions.png) to picture pixels, for the whole map or a close-up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bot.render.basemap import Basemap
from bot.render.kept import PixelBox
from engine.core.ids import ProvinceId
from engine.lattice.tiling import Box, Point

GROWTH = 0.75
"""What stands on the land grows by this power of how much larger the land is."""
SIZES = 16
"""In so many steps from nothing to its own size: what was drawn for one close-up can then be used in others."""
CLOSE_UP_MARGIN_PX = 70
LEAST_CLOSE_UP_PX = 600
"""Pixels of the map: a close-up has at least so many from top to bottom, and thus 800 from side to side. That is sharp
enough for a chat, so close-ups are never enlarged."""
LEAST_SHAPE, MOST_SHAPE = 4 / 3, 1.6
"""Width over height of a close-up."""
CLOSE_UP_PX = 1040
"""The width to which wider windows are scaled, which has a frame besides: three times the 350 pixels of a sharp phone's
chat, and more than twice what a chat at a desk gives to a picture of this shape."""
MOST_UNSCALED_PX = 1300
"""A window no wider than this is posted as it is: to scale it takes as long as all the rest."""
LEAST_ZOOM = 1.2
"""A realm that a chat would not show this much larger is shown with the whole map."""
_INWARDS = CLOSE_UP_MARGIN_PX, CLOSE_UP_MARGIN_PX, -CLOSE_UP_MARGIN_PX, -CLOSE_UP_MARGIN_PX


@dataclass(frozen=True, slots=True)
class Camera:
    """Which part of the map is shown, and how large.

    Args:
        window: the part shown, in map pixels.
        zoom: how much larger the land is than on an equally wide picture of the whole map.
        scale: the width of the picture, against that of the whole map at its own size.
    """

    window: PixelBox
    zoom: float
    scale: float = 1.0

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture of the window."""
        left, top, right, bottom = self.window
        closer = self.zoom * self.scale
        return round((right - left) * closer), round((bottom - top) * closer)

    @property
    def is_unscaled(self) -> bool:
        """Whether the picture has a pixel for each of the map's."""
        left, top, right, bottom = self.window
        return self.size == (right - left, bottom - top)

    def at(self, point: Point) -> Point:
        """Where a point of the map is on the picture."""
        closer = self.zoom * self.scale
        return (point[0] - self.window[0]) * closer, (point[1] - self.window[1]) * closer

    def sees(self, box: PixelBox) -> bool:
        """Whether any of a part of the map may be in sight."""
        left, top, right, bottom = self.window
        return box[0] < right and box[2] > left and box[1] < bottom and box[3] > top

    def shows(self, middle: Point, half: Point) -> bool:
        """Whether something with this middle and half these sides, on the picture, is wholly in sight."""
        (x, y), (across, down), (width, height) = middle, half, self.size
        return across <= x <= width - across and down <= y <= height - down

    def in_sight(self, middle: Point, half: Point) -> Point:
        """The nearest middle with which it is."""
        (x, y), (across, down), (width, height) = middle, half, self.size
        return min(max(x, across), width - across), min(max(y, down), height - down)

    def within(self, half: Point) -> Box:
        """Where on the map the middle of something has to be to be wholly in sight.

        Args:
            half: half its width and half its height on the picture.
        """
        left, top, right, bottom = self.window
        across, down = (side / (self.zoom * self.scale) for side in half)
        return left + across, top + down, right - across, bottom - down

    def length(self, map_px: float) -> float:
        """The size on the picture of something on the map, in steps: in a close-up it grows less than the land."""
        steps = round(float(self.zoom**GROWTH) * self.scale * SIZES)
        return map_px * steps / SIZES


def whole(basemap: Basemap) -> Camera:
    """Everything, at its own size."""
    return Camera((0, 0, *basemap.size), 1.0)


def as_posted(camera: Camera, basemap: Basemap) -> Camera:
    """A close-up at the size at which it is posted, with everything scaled alike. The whole map is not changed."""
    if camera == whole(basemap):
        return camera
    is_unscaled = camera.window[2] - camera.window[0] <= MOST_UNSCALED_PX
    return replace(camera, scale=1 / camera.zoom if is_unscaled else min(CLOSE_UP_PX / basemap.size[0], 1.0))


def realm(basemap: Basemap, provinces: Iterable[ProvinceId], held: Iterable[ProvinceId]) -> Camera | None:
    """These provinces and the units next to those that are held, close up; `None`: it is nearly the whole map."""
    camera = part(basemap, provinces, held)
    return camera if extent(whole(basemap).window) >= LEAST_ZOOM * extent(camera.window) else None


def part(basemap: Basemap, provinces: Iterable[ProvinceId], held: Iterable[ProvinceId] = ()) -> Camera:
    """These provinces and the units next to those that are held, close up.

    Seas are large and mostly empty, so only the parts with units have to be in sight.
    """
    focus = dict.fromkeys(province for province in provinces if province in basemap.provinces)
    lands = [province for province in focus if basemap.provinces[province].kind != "sea"]
    near = {other for province in held for other in basemap.borders.get(province, ())} | set(focus) - set(lands)
    far = basemap.style.sizes["unit"] * 1.5
    beside = [
        (round(x - far), round(y - far), round(x + far), round(y + far))
        for x, y in (basemap.anchors[province].unit for province in sorted(near) if province in basemap.anchors)
    ]
    return close_up(basemap, lands, beside=beside)


def extent(box: tuple[float, float, float, float]) -> float:
    """How much a box shows, by the side that a chat, which is wider than high, fits into its room."""
    left, top, right, bottom = box
    return max((right - left) / MOST_SHAPE, bottom - top)


def close_up(basemap: Basemap, provinces: Iterable[str], *, beside: Iterable[PixelBox] = ()) -> Camera:
    """These provinces and what is around them, as wide as the whole map would be, and wider than high.

    A chat shows pictures in a box wider than high: there a tall one would come out narrow. Provinces that are not on
    the map are ignored; without any, it is the whole map.

    Args:
        beside: what else should be in sight, without room around it.
    """
    boxes = [basemap.provinces[province].box for province in provinces if province in basemap.provinces]
    boxes += [tuple(side + inwards for side, inwards in zip(box, _INWARDS, strict=True)) for box in beside]  # type: ignore[misc]
    if not boxes:
        return whole(basemap)
    lows = min(box[0] for box in boxes), min(box[1] for box in boxes)
    highs = max(box[2] for box in boxes), max(box[3] for box in boxes)
    shown = [max(high - low + 2 * CLOSE_UP_MARGIN_PX, LEAST_CLOSE_UP_PX) for low, high in zip(lows, highs, strict=True)]
    width = min(max(shown[0], shown[1] * LEAST_SHAPE), basemap.size[0])
    height = min(max(shown[1], width / MOST_SHAPE), basemap.size[1])
    left, right = _span((lows[0] + highs[0]) / 2, width, basemap.size[0])
    top, bottom = _span((lows[1] + highs[1]) / 2, height, basemap.size[1])
    zoom = min(basemap.size[0] / (right - left), basemap.size[1] / (bottom - top))
    return Camera((left, top, right, bottom), max(zoom, 1.0))


def _span(middle: float, length: float, limit: int) -> tuple[int, int]:
    """A stretch around a point, inside the map."""
    start = min(max(round(middle - length / 2), 0), limit - round(length))
    return start, start + round(length)
