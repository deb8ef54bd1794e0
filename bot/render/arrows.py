"""Orders as lines: moves, supports, convoys and retreats as curves that avoid each other."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise

from PIL import Image, ImageDraw

from bot.render.lull import in_a_lull
from bot.render.style import Colour
from engine.lattice.tiling import Point

OVERSAMPLING = 3
STEP_PX = 4.0


@dataclass(frozen=True, slots=True)
class Path:
    """A curve as closely spaced points, with the length up to each."""

    points: tuple[Point, ...]
    reach: tuple[float, ...]

    @property
    def length(self) -> float:
        """Length of the whole curve."""
        return self.reach[-1]

    def at(self, length: float) -> Point:
        """The point after some length; the ends hold beyond them."""
        if length <= 0:
            return self.points[0]
        if length >= self.length:
            return self.points[-1]
        index = bisect_left(self.reach, length)
        before, after = self.reach[index - 1], self.reach[index]
        share = (length - before) / (after - before) if after > before else 0.0
        (ax, ay), (bx, by) = self.points[index - 1], self.points[index]
        return ax + (bx - ax) * share, ay + (by - ay) * share

    def share(self, share: float) -> Point:
        """The point after a share of the length."""
        return self.at(self.length * share)

    def part(self, start: float, end: float) -> Path:
        """The stretch between two lengths."""
        start, end = max(start, 0.0), min(end, self.length)
        inner = self.points[bisect_right(self.reach, start) : bisect_left(self.reach, end)]
        return path([self.at(start), *inner, self.at(end)])

    def trimmed(self, start: float, end: float) -> Path:
        """The curve without its ends; a short curve keeps at least its middle third."""
        spare = self.length * 2 / 3
        if start + end > spare:
            start, end = start * spare / (start + end), end * spare / (start + end)
        return self.part(start, self.length - end)


def path(points: Sequence[Point]) -> Path:
    """A path through the points, in straight lines."""
    lengths = [math.dist(a, b) for a, b in pairwise(points)]
    return Path(tuple(points), tuple(accumulate(lengths, initial=0.0)))


def bent(start: Point, end: Point, bend: float) -> Path:
    """A curve from start to end that swerves to its own right by a share of its length."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    control = (start[0] + dx / 2 - dy * bend * 2, start[1] + dy / 2 + dx * bend * 2)
    steps = max(4, round(math.hypot(dx, dy) / STEP_PX))
    return path([_quadratic(start, control, end, step / steps) for step in range(steps + 1)])


def through(points: Sequence[Point]) -> Path:
    """A smooth curve through all the points (Catmull-Rom)."""
    if len(points) < 3:
        return bent(points[0], points[-1], 0.06)
    padded = [_mirrored(points[0], points[1]), *points, _mirrored(points[-1], points[-2])]
    result: list[Point] = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        steps = max(4, round(math.dist(b, c) / STEP_PX))
        result += [_spline(a, b, c, d, step / steps) for step in range(steps)]
    return path([*result, points[-1]])


def rounded(points: Sequence[Point], radius: float) -> list[Point]:
    """The points of a line with straight stretches, its corners rounded."""
    result = [points[0]]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        reach = min(radius, math.dist(before, corner) / 2, math.dist(corner, after) / 2)
        start, end = (path([corner, other]).at(reach) for other in (before, after))
        result += [_quadratic(start, corner, end, step / _CORNER_STEPS) for step in range(_CORNER_STEPS + 1)]
    return [*result, points[-1]]


_CORNER_STEPS = 6


def wavy(line: Path, amplitude: float, wavelength: float) -> Path:
    """The line as a wave around itself."""
    count = max(8, round(line.length / 3))
    result = []
    for step in range(count + 1):
        length = line.length * step / count
        result.append(_beside(line, length, amplitude * math.sin(2 * math.pi * length / wavelength)))
    return path(result)


def zigzag(line: Path, amplitude: float, wavelength: float) -> Path:
    """The line as a zigzag around itself, with the same ends."""
    count = max(3, round(line.length / wavelength * 2))
    result = [line.points[0]]
    for step in range(1, count):
        length = line.length * step / count
        result.append(_beside(line, length, amplitude if step % 2 else -amplitude))
    return path([*result, line.points[-1]])


def _beside(line: Path, length: float, away: float) -> Point:
    """The point at this distance to the right of the line, after a length of it."""
    (ax, ay), (bx, by) = line.at(length - 2), line.at(length + 2)
    size = math.hypot(bx - ax, by - ay) or 1.0
    x, y = line.at(length)
    return x - (by - ay) / size * away, y + (bx - ax) / size * away


def star(centre: Point, radius: float, inner: float = 0.45, rays: int = 8) -> list[Point]:
    """The outline of a star; `inner` is where its rays begin, as a share of the radius."""
    angles = [math.pi * turn / rays for turn in range(2 * rays)]
    reaches = [radius * (1.0 if turn % 2 == 0 else inner) for turn in range(2 * rays)]
    return [
        (centre[0] + reach * math.sin(angle), centre[1] - reach * math.cos(angle))
        for angle, reach in zip(angles, reaches, strict=True)
    ]


def ring(centre: Point, radius: float, start: float = 0.0, end: float = 360.0) -> Path:
    """A circle around a point, or the arc of it between two angles in degrees, clockwise from the east."""
    steps = max(6, round(abs(end - start) / 6))
    angles = [math.radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return path([(centre[0] + radius * math.cos(turn), centre[1] + radius * math.sin(turn)) for turn in angles])


def dashes(line: Path, dash: float, gap: float) -> list[Path]:
    """The line cut into dashes."""
    starts = []
    start = 0.0
    while start < line.length:
        starts.append(start)
        start += dash + gap
    return [line.part(start, start + dash) for start in starts]


def head(line: Path, length: float, width: float) -> list[Point]:
    """The triangle of an arrow's head at the end of a line."""
    tip, back = line.points[-1], line.at(line.length - length)
    size = math.dist(tip, back) or 1.0
    nx, ny = -(tip[1] - back[1]) / size * width / 2, (tip[0] - back[0]) / size * width / 2
    return [tip, (back[0] + nx, back[1] + ny), (back[0] - nx, back[1] - ny)]


class Pen:
    """Draws smooth lines on a picture: large on a patch of their own, then made smaller."""

    def __init__(self, picture: Image.Image) -> None:
        self._picture = picture

    def lines(self, paths: Iterable[Path], layers: Sequence[tuple[float, Colour]]) -> None:
        """Lines in layers of (width, colour), the lowest first, with round ends."""
        drawn = list(paths)
        points = [point for line in drawn for point in line.points]
        margin = max(width for width, _ in layers)

        def paint(draw: ImageDraw.ImageDraw, to_patch: Callable[[Point], Point]) -> None:
            strokes = [_Stroke([to_patch(point) for point in line.points]) for line in drawn]
            for width, colour in layers:
                for stroke in strokes:
                    stroke.draw(draw, width * OVERSAMPLING, colour)

        self._patch(points, margin, paint)

    def ring_of_arcs(self, centre: Point, radius: float, layers: Sequence[tuple[float, Colour]]) -> None:
        """Four arcs around a point, in layers of (width, colour), the lowest first."""
        # To the nearest pixel of the patch, which nobody sees; so there are only a few rings to remember.
        (left, right), (top, down) = (divmod(round(value * OVERSAMPLING), OVERSAMPLING) for value in centre)
        stamp = _ring_of_arcs((right, down), radius, tuple(layers))
        self._lay(stamp, (left - stamp.width // 2, top - stamp.height // 2))

    def arrow(
        self, line: Path, layers: Sequence[tuple[float, Colour]], *, head_px: float, parts: Sequence[Path] | None = None
    ) -> None:
        """A line (or its `parts`, such as dashes) with a head; the layers are (width, colour), the widest first."""
        core = layers[-1][0]
        shaft = line.part(0, line.length - head_px * 0.7)
        strokes = [shaft] if parts is None else parts
        triangle = head(line, head_px, head_px * 0.95)

        def paint(draw: ImageDraw.ImageDraw, to_patch: Callable[[Point], Point]) -> None:
            corners = [to_patch(point) for point in triangle]
            lines = [_Stroke([to_patch(point) for point in stroke.points]) for stroke in strokes]
            rim = _Stroke([*corners, corners[0]])
            for width, colour in layers:
                for stroke in lines:
                    stroke.draw(draw, width * OVERSAMPLING, colour)
                draw.polygon(corners, fill=colour)
                if width > core:
                    rim.draw(draw, (width - core) * OVERSAMPLING, colour)

        self._patch([*line.points, *triangle], layers[0][0] + 2, paint)

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        """A filled polygon."""

        def paint(draw: ImageDraw.ImageDraw, to_patch: Callable[[Point], Point]) -> None:
            draw.polygon([to_patch(point) for point in points], fill=colour)

        self._patch(points, 2, paint)

    def _patch(
        self,
        points: Sequence[Point],
        margin: float,
        paint: Callable[[ImageDraw.ImageDraw, Callable[[Point], Point]], None],
    ) -> None:
        left = max(math.floor(min(x for x, _ in points) - margin), 0)
        top = max(math.floor(min(y for _, y in points) - margin), 0)
        width = min(math.ceil(max(x for x, _ in points) + margin), self._picture.width) - left
        height = min(math.ceil(max(y for _, y in points) + margin), self._picture.height) - top
        if width <= 0 or height <= 0:
            return  # outside of a close-up
        patch = _clear((width * OVERSAMPLING, height * OVERSAMPLING))
        paint(ImageDraw.Draw(patch), lambda point: ((point[0] - left) * OVERSAMPLING, (point[1] - top) * OVERSAMPLING))
        self._lay(_made_smaller(patch), (left, top))

    def _lay(self, small: Image.Image, corner: tuple[int, int]) -> None:
        if self._picture.mode == "RGBA":
            self._picture.alpha_composite(small, corner)
        else:
            self._picture.paste(small, corner, small)


@lru_cache(maxsize=256)  # some 20 kB each
def _ring_of_arcs(within: tuple[int, int], radius: float, layers: tuple[tuple[float, Colour], ...]) -> Image.Image:
    """Four arcs around a point of a stamp's middle pixel, which is given in pixels of the patch; never change it."""
    half = math.ceil(radius + max(width for width, _ in layers)) + 1
    middle = half * OVERSAMPLING + within[0], half * OVERSAMPLING + within[1]
    arcs = [ring(middle, radius * OVERSAMPLING, start, start + 64) for start in (13, 103, 193, 283)]
    patch = _clear(((2 * half + 1) * OVERSAMPLING,) * 2)
    draw = ImageDraw.Draw(patch)
    for width, colour in layers:
        for arc in arcs:
            _Stroke(arc.points).draw(draw, width * OVERSAMPLING, colour)
    return _made_smaller(patch)


in_a_lull(_ring_of_arcs.cache_clear)


def _clear(size: tuple[int, int]) -> Image.Image:
    """A patch for opaque colours only: these are the same in the mode in which pictures are made smaller (RGBa)."""
    return Image.new("RGBa", size, (0, 0, 0, 0))


def _made_smaller(patch: Image.Image) -> Image.Image:
    return patch.reduce(OVERSAMPLING).convert("RGBA")


class _Stroke:
    """A line on a patch, to be drawn in several widths."""

    def __init__(self, points: Sequence[Point]) -> None:
        self._points = list(points)
        # Joints cost time, and only sharp turns (waves) need them.
        self._joint = "curve" if _turns_sharply(points) else None

    def draw(self, draw: ImageDraw.ImageDraw, width: float, colour: Colour) -> None:
        draw.line(self._points, fill=colour, width=round(width), joint=self._joint)
        radius = width / 2
        for x, y in (self._points[0], self._points[-1]):
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)


_SHARP = 0.12
"""Radians; a line that turns by more has its corners rounded."""


def _turns_sharply(points: Sequence[Point]) -> bool:
    directions = [math.atan2(by - ay, bx - ax) for (ax, ay), (bx, by) in pairwise(points)]
    return any(abs(math.remainder(after - before, 2 * math.pi)) > _SHARP for before, after in pairwise(directions))


def _quadratic(a: Point, b: Point, c: Point, t: float) -> Point:
    u = 1 - t
    return (
        u * u * a[0] + 2 * u * t * b[0] + t * t * c[0],
        u * u * a[1] + 2 * u * t * b[1] + t * t * c[1],
    )


def _spline(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    def one(axis: int) -> float:
        return 0.5 * (
            2 * b[axis]
            + (c[axis] - a[axis]) * t
            + (2 * a[axis] - 5 * b[axis] + 4 * c[axis] - d[axis]) * t**2
            + (3 * b[axis] - a[axis] - 3 * c[axis] + d[axis]) * t**3
        )

    return one(0), one(1)


def _mirrored(point: Point, other: Point) -> Point:
    return 2 * point[0] - other[0], 2 * point[1] - other[1]
