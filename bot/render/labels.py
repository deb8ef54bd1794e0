"""Provinces' ids and names: where each has room in this position, and writing them.

A label is at its anchor as long as nothing else is. If a unit, a sign or an order is there, or the edge of a close-up
cuts it, it moves to the nearest free room in its own province, if there is any.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFilter

from bot.render.basemap import Anchor, Basemap, Region, once_a_map, region_mask
from bot.render.camera import Camera
from bot.render.glyphs import put
from bot.render.style import Colour, font, length
from engine.lattice.tiling import Point

_STEP_PX = 10
"""How far apart the spots are to which a label may move."""
_INSIDE = 0.97
"""The share of a label that has to be in its province, unless it has less at its anchor."""
_CAP = 0.72
"""The height of capital letters, as a share of the font's size."""
_MARGIN_PX = 14
"""Anything this near to the edge of the map is under its frame."""
_FAR = 0.0012
"""The cost of a pixel's distance from the anchor, compared with a covered share of the label."""
_LOOKED_AT = 12
"""How many spots are examined closely for how much of a label would be hidden."""
_GRID = tuple((x / 4, y / 2) for x in range(-4, 5) for y in range(-2, 3))
"""Points of a label's box, relative to its middle, at which something may cover it."""
_WORTH = 0.06
"""A label moves only if at least this much less of it is covered."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something under which a label should not be: a disc on the picture, and how much it hides."""

    at: Point
    radius: float
    weight: float = 1.0

    @property
    def is_over(self) -> bool:
        """Whether it is drawn over labels, as everything except the lines of orders is."""
        return self.weight >= 1


@dataclass(frozen=True, slots=True)
class Label:
    """A province's id at a point of the picture, and its name in lines below, if it has room."""

    region: Region
    at: Point
    lines: Sequence[str] = ()


def write_labels(picture: Image.Image, basemap: Basemap, camera: Camera, obstacles: Sequence[Obstacle]) -> None:
    """Write all labels in sight, each where nothing covers it, as far as its province has room."""
    style = basemap.style
    for label in placed(basemap, camera, obstacles):
        ink = style.colours["sea_ink" if label.region.kind == "sea" else "ink"]
        _text(picture, basemap, camera, label.at, label.region.id, "label", style.sizes["label"], ink)
        for number, line in enumerate(label.lines, start=1):
            size = style.sizes["name"]
            below = label.at[0], label.at[1] + camera.length(number * size * 1.02)
            _text(picture, basemap, camera, below, line, "sea", size, ink)
    for place, anchor in basemap.anchors.items():
        if "/" in place:
            coast = place.partition("/")[2].lower()
            size = 0.8 * style.sizes["name"]
            _text(picture, basemap, camera, camera.at(anchor.label), coast, "sea", size, style.colours["ink"])


def placed(basemap: Basemap, camera: Camera, obstacles: Sequence[Obstacle]) -> Iterator[Label]:
    """Every label with its place; labels that move avoid those that don't."""
    near = Near(obstacles, camera)
    for region in basemap.provinces.values():
        anchor = basemap.anchors.get(region.id)
        if region.kind == "impassable" or anchor is None:
            continue
        if not camera.sees(region.box):
            continue
        at, half = camera.at(anchor.label), half_size(basemap, camera, region)
        left, top, right, bottom = camera.within(half)
        is_whole = camera.shows(at, half)
        if not is_whole or near.covered(at, half) > _WORTH:
            spots = (
                (camera.at(spot), math.dist(spot, anchor.label))
                for spot in spots_of(basemap, region)
                if left <= spot[0] <= right and top <= spot[1] <= bottom
            )
            at = _best(near, at, half, spots, is_whole=is_whole)
        if not camera.shows(at, (0.0, 0.0)):
            continue  # The edge of a close-up would leave less than half of it.
        at = camera.in_sight(at, half)
        near.take(at, half)
        yield Label(region, at, _name_lines(basemap, camera, region, anchor, at, near))


def _best(near: Near, at: Point, half: Point, spots: Iterable[tuple[Point, float]], *, is_whole: bool) -> Point:
    """The spot where least is hidden, the nearest of equals.

    A quick measure finds a few, which are then examined closely.

    Args:
        spots: each with its distance from the anchor, the nearest first.
        is_whole: whether the label is in sight where it is. If the edge of the picture cuts it, it moves anyway.
    """
    found: list[tuple[float, float, Point]] = []
    for spot, far in spots:
        covered = near.covered(spot, half)
        found.append((covered, far, spot))
        if covered == 0:
            break  # those further away can't be better than this
    quick = sorted((covered + far * _FAR, spot, far) for covered, far, spot in found)
    close = {spot: far for _, spot, far in quick[:_LOOKED_AT]}
    close |= {spot: far for _, far, spot in sorted(found)[:_LOOKED_AT]}
    cost, best = near.share_hidden(at, half) - _WORTH if is_whole else math.inf, at
    for spot, far in sorted(close.items(), key=lambda item: item[1]):
        if far * _FAR >= cost:
            break
        if (here := near.share_hidden(spot, half) + far * _FAR) < cost:
            cost, best = here, spot
    return best


def half_size(basemap: Basemap, camera: Camera, region: Region) -> Point:
    """Half the width and half the height of a province's id on the picture."""
    style = basemap.style
    size = camera.length(style.sizes["label"])
    return length(region.id, style.fonts["label"], size) / 2 + 2, size * _CAP / 2 + 1


class Near:
    """An index of what is where on the picture, by the squares of a grid."""

    def __init__(self, obstacles: Sequence[Obstacle], camera: Camera) -> None:
        self._side = max(camera.length(90), 40.0)
        self._cells: dict[tuple[int, int], list[Obstacle]] = {}
        self._known: dict[tuple[int, int], list[tuple[float, float, float, Obstacle]]] = {}
        for obstacle in obstacles:
            self._add(obstacle)

    def covered(self, at: Point, half: Point) -> float:
        """How much of a box is hidden, as a share of its width; more than 1 if several things cover it."""
        return sum([deep * one.weight for deep, one in self._over(at, half)]) / (2 * half[0])

    def share_hidden(self, at: Point, half: Point) -> float:
        """How much of a box is under something, tested at many points of it.

        A line under a label is half as bad as a token over it.
        """
        close = [one for _, one in self._over(at, half)]
        if not close:
            return 0.0
        tokens = [(*one.at, one.radius**2) for one in close if one.is_over]
        lines = [(*one.at, one.radius**2) for one in close if not one.is_over]
        hidden = 0.0
        for across, down in _GRID:
            x, y = at[0] + across * half[0], at[1] + down * half[1]
            # Plain loops: with `any` it took twice as long, and this is done some hundred times a picture.
            for left, top, reach in tokens:
                if (x - left) * (x - left) + (y - top) * (y - top) < reach:
                    hidden += 1.0
                    break
            else:
                for left, top, reach in lines:
                    if (x - left) * (x - left) + (y - top) * (y - top) < reach:
                        hidden += 0.5
                        break
        return hidden / len(_GRID)

    def _over(self, at: Point, half: Point) -> list[tuple[float, Obstacle]]:
        """What reaches into a box, and how far, in pixels. (Called some thousand times a picture.)"""
        (x, y), (wide, high) = at, half
        found = []
        for left, top, radius, obstacle in self._around(at):
            # Calls of `abs` would take as long as all the rest.
            across = (left - x if left > x else x - left) - wide
            if across >= radius:
                continue
            down = (top - y if top > y else y - top) - high
            if down >= radius:
                continue
            is_at_a_corner = across > 0.0 and down > 0.0
            deep = radius - (math.hypot(across, down) if is_at_a_corner else max(across, down, 0.0))
            if deep > 0:
                found.append((deep, obstacle))
        return found

    def _around(self, at: Point) -> list[tuple[float, float, float, Obstacle]]:
        key = x, y = int(at[0] // self._side), int(at[1] // self._side)
        if key not in self._known:
            self._known[key] = [
                (*obstacle.at, obstacle.radius, obstacle)
                for column in (x - 1, x, x + 1)
                for row in (y - 1, y, y + 1)
                for obstacle in self._cells.get((column, row), ())
            ]
        return self._known[key]

    def take(self, at: Point, half: Point) -> None:
        """Mark the place of a label as taken."""
        for share in (-0.66, 0.0, 0.66):
            self._add(Obstacle((at[0] + half[0] * share, at[1]), half[1], 1.5))

    def _add(self, obstacle: Obstacle) -> None:
        x, y = int(obstacle.at[0] // self._side), int(obstacle.at[1] // self._side)
        self._cells.setdefault((x, y), []).append(obstacle)
        if not self._known:
            return
        for column in (x - 1, x, x + 1):
            for row in (y - 1, y, y + 1):
                self._known.pop((column, row), None)


@once_a_map
def spots_of(basemap: Basemap, region: Region) -> tuple[Point, ...]:
    """Where in its province a label has room, in pixels of the map, the nearest to its anchor first; found once."""
    label = basemap.anchors[region.id].label
    return tuple(sorted(_find_spots(basemap, region), key=lambda spot: math.dist(spot, label)))


def _find_spots(basemap: Basemap, region: Region) -> Iterator[Point]:
    style = basemap.style
    half = font(style.fonts["label"], style.sizes["label"]).getlength(region.id) / 2, style.sizes["label"] * _CAP / 2
    # The mean over a box as large as the label is the share of the label inside the province.
    inside = region_mask(basemap, region).filter(ImageFilter.BoxBlur(half))
    left, top = region.box[:2]
    label = basemap.anchors[region.id].label
    x, y = round(label[0]) - left, round(label[1]) - top
    is_within = 0 <= x < inside.width and 0 <= y < inside.height
    least = min(255 * _INSIDE, float(_value(inside, x, y)) if is_within else 255.0)
    for down in range(0, inside.height, _STEP_PX):
        for across in range(0, inside.width, _STEP_PX):
            spot = left + across, top + down
            if _value(inside, across, down) >= least and _is_on_map(basemap, spot, half):
                yield spot


def _value(picture: Image.Image, x: int, y: int) -> float:
    value = picture.getpixel((x, y))
    return float(value) if isinstance(value, int | float) else 0.0


def _is_on_map(basemap: Basemap, at: Point, half: Point) -> bool:
    width, height = basemap.size
    return (
        _MARGIN_PX + half[0] <= at[0] <= width - _MARGIN_PX - half[0]
        and _MARGIN_PX + half[1] <= at[1] <= height - _MARGIN_PX - half[1]
    )


# --- Names under the ids ------------------------------------------------------------------------------------


def _name_lines(
    basemap: Basemap, camera: Camera, region: Region, anchor: Anchor, at: Point, near: Near
) -> Sequence[str]:
    """The name in as many lines as fit under the id within the province, clear of what is there; else none."""
    if at != camera.at(anchor.label):
        return ()
    size = camera.length(basemap.style.sizes["name"])
    for lines in _wraps(region.name):
        if not _has_room(basemap, region, anchor, lines):
            continue
        middle = at[0], at[1] + size * 1.02 * (len(lines) + 1) / 2
        half = max(length(line, basemap.style.fonts["sea"], size) for line in lines) / 2, size * 0.45 * len(lines)
        is_clear = camera.shows(middle, half) and near.covered(middle, half) < 4 * _WORTH
        return lines if is_clear else ()
    return ()


@lru_cache(maxsize=512)
def _wraps(name: str) -> tuple[tuple[str, ...], ...]:
    """A name in one line, then in two, then with a line for each word."""
    words = name.split()
    halves = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    halves.sort(key=lambda lines: max(map(len, lines)))
    return ((name,), *halves[:1], *((tuple(words),) if len(words) > 2 else ()))


@once_a_map
def _has_room(basemap: Basemap, region: Region, anchor: Anchor, lines: tuple[str, ...]) -> bool:
    """Whether the lines fit under the label within the region, clear of unit and centre; worked out once."""
    style = basemap.style
    face = font(style.fonts["sea"], style.sizes["name"])
    half = max(face.getlength(line) for line in lines) / 2 + 5
    top = anchor.label[1] + style.sizes["label"] * 0.5
    bottom = top + len(lines) * style.sizes["name"] * 1.05 + 2
    box = (round(anchor.label[0] - half), round(top), round(anchor.label[0] + half), round(bottom))
    width, height = basemap.size
    if box[0] < _MARGIN_PX or box[1] < _MARGIN_PX or box[2] > width - _MARGIN_PX or box[3] > height - _MARGIN_PX:
        return False
    obstacles = [(anchor.unit, style.sizes["unit"] * 1.1)]
    if anchor.centre is not None:
        obstacles.append((anchor.centre, style.sizes["centre"] * 1.2))
    for (x, y), radius in obstacles:
        if box[0] - radius < x < box[2] + radius and box[1] - radius < y < box[3] + radius:
            return False
    inside = basemap.regions.crop(box).histogram()[region.number]
    return inside >= 0.985 * (box[2] - box[0]) * (box[3] - box[1])


# --- Writing ------------------------------------------------------------------------------------------------


def _text(
    picture: Image.Image, basemap: Basemap, camera: Camera, at: Point, text: str, face: str, size: float, ink: Colour
) -> None:
    style = basemap.style
    halo = style.colours["halo"]
    stamp = _stamp(text, style.fonts[face], round(camera.length(size)), round(camera.length(3)), ink, halo)
    put(picture, stamp, at)


@lru_cache(maxsize=1024)
def _stamp(text: str, file: str, size: int, stroke: int, ink: Colour, halo: Colour) -> Image.Image:
    """A text with its halo."""
    face = font(file, size)
    left, top, right, bottom = face.getbbox(text, anchor="mm", stroke_width=stroke)
    across, down = math.ceil(max(-left, right)), math.ceil(max(-top, bottom))
    stamp = Image.new("RGBA", (2 * across, 2 * down), (*halo, 0))
    ImageDraw.Draw(stamp).text(
        (across, down),
        text,
        font=face,
        fill=(*ink, 255),
        anchor="mm",
        stroke_width=stroke,
        stroke_fill=(*halo, 215),
    )
    return stamp
