"""The orders of a map of provinces: lines and rings, the numerals and crosses on them, and badges of changed units."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from PIL import Image

from bot.render import arrows, glyphs
from bot.render.basemap import Anchor
from bot.render.glyphs import put
from bot.render.labels import Obstacle
from bot.render.map_canvas import MapCanvas
from bot.render.places import Spots
from bot.render.style import Colour
from bot.render.tokens import put_stack, token
from engine.core.ids import PlaceId, province_of
from engine.lattice.tiling import Point
from engine.pictures.legend import ArrowStatus
from engine.pictures.scene import Arrow, ArrowKind, Scene

_MOVES = frozenset({ArrowKind.MOVE, ArrowKind.RETREAT})
_CHANGES = frozenset({ArrowKind.BUILD, ArrowKind.REMOVE, ArrowKind.DISBAND})
_SWERVE = 0.09
"""How far lines curve, as a share of their length."""
_AROUND = 1.35
"""How far the line between units that touch goes around them, in radii of a unit."""
_SHORT = 3.2
"""Lines shorter than this, in radii of a unit, lie over labels."""


@dataclass(slots=True)
class OrderLines:
    """The orders of a scene. What is drawn later may have to be above other things: units, signs, names.

    Args:
        lines: the moves; `routes` by start and end; `strokes`: the supports.
        supports: how many supports of a move have been drawn.
        badges, numerals: collected while lines are drawn, for the end.
        joints: where the step of a unit ends and the next one begins.
    """

    picture: Image.Image
    scene: Scene
    canvas: MapCanvas
    spots: Spots
    lines: dict[Arrow, arrows.Path] = field(default_factory=dict)
    routes: dict[tuple[str, str], arrows.Path] = field(default_factory=dict)
    supports: dict[tuple[str, str], int] = field(default_factory=dict)
    badges: list[tuple[Point, str, Colour, float]] = field(default_factory=list)
    numerals: list[tuple[Point, Image.Image]] = field(default_factory=list)
    joints: dict[tuple[str, str, str], Point] = field(default_factory=dict)
    strokes: list[arrows.Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._join()
        for arrow in self.scene.arrows:
            if arrow.kind in _MOVES and self._is_on_map(arrow):
                self.lines[arrow] = self._route(arrow)
                self.routes.setdefault((province_of(arrow.start), province_of(arrow.end)), self.lines[arrow])

    def draw(self) -> None:
        """All lines but those of short moves, which names would hide."""
        for kinds, paint in (
            ((ArrowKind.HOLD,), self._hold),
            ((ArrowKind.CONVOY,), self._convoy),
            (tuple(_MOVES), self._move),
            ((ArrowKind.SUPPORT_HOLD,), self._support_hold),
            ((ArrowKind.SUPPORT_MOVE,), self._support_move),
            ((ArrowKind.STRIKE,), self._strike),
        ):
            for arrow in self.scene.arrows:
                if arrow.kind in kinds and self._is_on_map(arrow) and not self._is_short(arrow):
                    paint(arrow)

    def draw_short(self) -> None:
        """The lines of short moves."""
        for arrow in self.lines:
            if self._is_short(arrow):
                self._move(arrow)

    def draw_changes(self) -> None:
        """Units that are built, removed or disbanded."""
        for arrow in self.scene.arrows:
            if arrow.kind in _CHANGES and self._is_on_map(arrow):
                self._change(arrow)

    def draw_badges(self) -> None:
        """The numerals and badges of everything that was drawn before."""
        for at, glyph in self.numerals:
            put(self.picture, glyph, at)
        for at, sign, colour, size in self.badges:
            put(self.picture, glyphs.badge(sign, colour, size), at)

    def obstacles(self) -> Iterator[Obstacle]:
        """What names keep clear of: all that is drawn so far, and short moves."""
        short = [line for arrow, line in self.lines.items() if self._is_short(arrow)]
        for line in (*self.lines.values(), *self.strokes):
            steps = max(round(line.length / (self._width * 2)), 1)
            weight = 1.5 if line in short else 0.8  # short ones lie over names
            for step in range(steps + 1):
                yield Obstacle(line.share(step / steps), self._width, weight)
        for spot, _, _, size in self.badges:
            yield Obstacle(spot, size, 1.5)

    def _join(self) -> None:
        """Find where the steps of units that move on meet: in the middle of the place, or beside what is there."""
        for onward in self.scene.arrows:
            key = onward.power, onward.unit_kind, onward.start
            if not onward.is_onward or key in self.joints or not self._is_on_map(onward):
                continue
            middle = self.canvas.unit_at(onward.start)
            if not self._is_occupied(onward.start):
                self.joints[key] = middle
                continue
            comes_from = [arrow.start for arrow in self.scene.arrows if _leads_to(arrow, onward)]
            ends = [self.canvas.unit_at(place) for place in (*comes_from[:1], onward.end)]
            away = [_direction(middle, end) for end in ends]
            x, y = sum(x for x, _ in away), sum(y for _, y in away)
            if math.hypot(x, y) < 0.3:
                x, y = away[0][1], -away[0][0]
            far = self.canvas.size("unit") * 1.85 / math.hypot(x, y)
            self.joints[key] = middle[0] + x * far, middle[1] + y * far

    def _joint_at_end(self, arrow: Arrow) -> Point | None:
        """Where the unit goes on to its next step, if it does."""
        if arrow.kind is not ArrowKind.MOVE or arrow.status is ArrowStatus.FAILED:
            return None
        return self.joints.get((arrow.power, arrow.unit_kind, arrow.end))

    def _joint_mark(self, arrow: Arrow, at: Point) -> None:
        """A ring where two steps meet."""
        for reach, colour in (
            (1.30, glyphs.LIGHT),
            (1.06, glyphs.DARK),
            (0.66, self.canvas.powers[arrow.power].colour),
        ):
            self._pen.lines([arrows.path([at, (at[0] + 0.1, at[1])])], [(self._width * 2.0 * reach, colour)])

    def _number(self, arrow: Arrow, line: arrows.Path, share: float = 0.36) -> None:
        """Put the numeral of an order's manner, which says when it is carried out, on its line, if there is one.

        It hides the letters of units, signs and other numerals as little as its line allows.
        """
        style = self.canvas.basemap.style
        text = style.numerals.get(arrow.manner)
        if text is None:
            return
        radius = self.canvas.size("unit") * 0.40
        power = self.canvas.powers[arrow.power]
        colour = glyphs.LIGHT if arrow.status is ArrowStatus.FAILED else power.colour
        taken = [(at, glyph.width / 2) for at, glyph in self.numerals]
        taken += [(self.canvas.camera.at(at), self.canvas.size("unit") * 0.55) for at in self.spots.units.values()]
        taken += [(self.canvas.camera.at(at), self.canvas.size("unit") * 0.62) for at in self.spots.marks.values()]
        at = _clearest([line.share(each) for each in (share, 0.5, 0.22, 0.64, 0.08)], radius, taken)
        self.numerals.append((at, glyphs.numeral(text, colour, radius, style.fonts["strong"])))

    def _is_on_map(self, arrow: Arrow) -> bool:
        places = (arrow.start, arrow.end, *arrow.via)
        return all(province_of(place) in self.canvas.basemap.anchors for place in places)

    @property
    def _pen(self) -> arrows.Pen:
        return arrows.Pen(self.picture)

    @property
    def _width(self) -> float:
        return self.canvas.size("arrow")

    def _width_of(self, arrow: Arrow) -> float:
        """The width of an arrow of its unit's kind; somewhat more for several of the same kind."""
        share = self.canvas.basemap.style.widths.get(arrow.unit_kind, 1.0)
        return self._width * share * (1.3 if arrow.count > 1 else 1.0)

    def _fail(self, arrow: Arrow, line: arrows.Path, size: float = 0.46) -> None:
        """Cross out a failed order where its line has most room."""
        if arrow.status is not ArrowStatus.FAILED:
            return
        radius = self.canvas.size("unit") * (size if line.length > self.canvas.size("unit") * 2 else size * 0.8)
        taken = [(at, other) for at, _, _, other in self.badges]
        taken += [(at, glyph.width / 2) for at, glyph in self.numerals]
        taken += [(self.canvas.camera.at(at), self.canvas.size("unit")) for at in self.spots.units.values()]
        taken += [(self.canvas.camera.at(at), self.canvas.size("unit") * 0.62) for at in self.spots.marks.values()]
        taken += self._centres()
        taken += [(self.canvas.camera.at(anchor.label), self.canvas.size("label") * 0.6) for anchor in self._near(line)]
        at = _clearest([line.share(share) for share in (0.5, 0.6, 0.4, 0.7, 0.3)], radius, taken)
        self.badges.append((at, "cross", self.canvas.colour("failed"), radius))

    def _centres(self) -> Iterator[tuple[Point, float]]:
        """Where centres and castles stand, and how far they reach."""
        for mark in self.scene.marks:
            if mark.kind in ("centre", "castle") and province_of(mark.place) in self.canvas.basemap.anchors:
                anchor = self.canvas.anchor(mark.place)
                yield self.canvas.camera.at(anchor.centre or anchor.unit), self.canvas.size(mark.kind)

    def _near(self, line: arrows.Path) -> list[Anchor]:
        middle = line.share(0.5)
        anchors = self.canvas.basemap.anchors.values()
        return [anchor for anchor in anchors if math.dist(self.canvas.camera.at(anchor.label), middle) < line.length]

    def _is_occupied(self, place: str) -> bool:
        province = province_of(PlaceId(place))
        return any(province_of(unit.place) == province and not unit.is_dislodged for unit in self.scene.units)

    def _start(self, arrow: Arrow) -> Point:
        """Where the unit with the order is; another one may be in the middle of the place."""
        if arrow.is_onward and (arrow.power, arrow.unit_kind, arrow.start) in self.joints:
            return self.joints[arrow.power, arrow.unit_kind, arrow.start]
        is_dislodged = arrow.kind is ArrowKind.RETREAT
        for unit, at in self.spots.units.items():
            is_it = (unit.power, unit.kind, unit.place) == (arrow.power, arrow.unit_kind, arrow.start)
            if is_it and unit.is_dislodged == is_dislodged:
                return self.canvas.camera.at(at)
        return self.canvas.unit_at(arrow.start, is_dislodged=is_dislodged)

    def _is_zigzag(self, arrow: Arrow) -> bool:
        return self._stroke(arrow) == "zigzag"

    def _stroke(self, arrow: Arrow) -> str:
        return self.canvas.basemap.style.manners.get(arrow.manner, "plain")

    def _route(self, arrow: Arrow) -> arrows.Path:
        """The curve of a move from unit to unit, its ends cut so that it meets their edges."""
        joint = self._joint_at_end(arrow)
        start, end = self._start(arrow), joint or self.canvas.unit_at(arrow.end)
        if arrow.start == arrow.end:
            start = self._outside(end)
        if arrow.via and arrow.kind is ArrowKind.MOVE:
            line = arrows.through([start, *(self.canvas.unit_at(place) for place in arrow.via), end])
        else:
            line = arrows.bent(start, end, self._bend(start, end))
        radius = self.canvas.size("unit")
        stop = radius * 1.42 if self._is_occupied(arrow.end) else radius * 0.55
        if joint:
            stop = self._width * 0.9
        return line.trimmed(self._width if arrow.is_onward else radius * 0.9, stop)

    def _outside(self, end: Point) -> Point:
        """Where a unit from outside the board seems to come from."""
        right, down = self.canvas.basemap.style.decorations.get("outside", (90.0, -60.0))
        return end[0] + self.canvas.camera.length(right), end[1] + self.canvas.camera.length(down)

    def _bend(self, start: Point, end: Point) -> float:
        """How far a line curves: opposite moves are kept apart, and a line between close units goes around them."""
        radius, far = self.canvas.size("unit"), math.dist(start, end)
        closeness = min(max(2 - far / (2 * radius), 0.0), 1.0)
        return _SWERVE + closeness * _AROUND * radius / max(far, radius)

    def _is_short(self, arrow: Arrow) -> bool:
        return arrow in self.lines and self.lines[arrow].length < _SHORT * self.canvas.size("unit")

    def _layers(self, arrow: Arrow, width: float) -> list[tuple[float, Colour]]:
        """Widths and colours of a stroke: full of the power's colour, or hollow, with a thread of it, if it failed.

        Convoys, and the long ways by them, have red only in their crosses: many failed ones would colour a sea.
        """
        power = self.canvas.powers[arrow.power].colour
        is_at_sea = arrow.kind is ArrowKind.CONVOY or (arrow.kind is ArrowKind.MOVE and bool(arrow.via))
        if arrow.status is ArrowStatus.FAILED and is_at_sea:
            return [(width * 1.95, glyphs.LIGHT), (width * 1.5, power), (width * 0.6, glyphs.LIGHT)]
        if arrow.status is ArrowStatus.FAILED:
            return [
                (width * 1.95, glyphs.LIGHT),
                (width * 1.5, self.canvas.colour("failed")),
                (width * 1.0, glyphs.LIGHT),
                (width * 0.52, power),
            ]
        return [(width * 1.95, glyphs.LIGHT), (width * 1.5, glyphs.DARK), (width * 0.85, power)]

    def _move(self, arrow: Arrow) -> None:
        line = self.lines[arrow]
        width = self._width_of(arrow)
        parts = None
        if self._is_zigzag(arrow):
            parts = [arrows.zigzag(line.part(0, line.length - width * 3), width * 1.5, width * 4.5)]
        elif arrow.kind is ArrowKind.RETREAT:
            parts = arrows.dashes(line.part(0, line.length - width * 3), width * 2.2, width * 1.8)
        elif arrow.via:
            shaft = line.part(0, line.length - width * 3)
            parts = [arrows.wavy(shaft, width * 0.75, width * 6)]
        elif self._stroke(arrow) == "dashed":
            parts = arrows.dashes(line.part(0, line.length - width * 3), width * 2.6, width * 2.2)
        head_px = min(width * 3.9, max(width * 2.6, line.length * 0.55))
        self._pen.arrow(line, self._layers(arrow, width), head_px=head_px, parts=parts)
        if self._is_zigzag(arrow):
            self._spark(arrow, line.points[0], 2.0)
        if joint := self._joint_at_end(arrow):
            self._joint_mark(arrow, joint)
        self._number(arrow, line)
        self._fail(arrow, line)

    def _strike(self, arrow: Arrow) -> None:
        """Lightning onto a place, or a crown of rays around a unit that does something in its own place."""
        width, radius = self._width, self.canvas.size("unit")
        start, end = self._start(arrow), self.canvas.unit_at(arrow.end)
        if province_of(arrow.start) == province_of(arrow.end):
            crown = arrows.star(start, radius * 2.0, 0.76, 12)
            self._pen.lines([arrows.path([*crown, crown[0]])], self._layers(arrow, width * 0.55))
            self._fail(arrow, arrows.ring(start, radius * 1.55, -60, -30), 0.38)
            return
        line = arrows.bent(start, end, self._bend(start, end)).trimmed(radius * 0.9, radius * 1.2)
        self._pen.lines([arrows.zigzag(line, width * 1.5, width * 4.5)], self._layers(arrow, width * 0.8))
        self._spark(arrow, line.points[-1], 3.0)
        self._fail(arrow, line)

    def _spark(self, arrow: Arrow, at: Point, size: float) -> None:
        """A star on the line of something magical."""
        radius = self._width * size
        has_failed = arrow.status is ArrowStatus.FAILED
        power = self.canvas.powers[arrow.power].colour
        rim = self.canvas.colour("failed") if has_failed else glyphs.DARK
        core = [(0.80, glyphs.LIGHT), (0.45, power)] if has_failed else [(0.80, power)]
        for reach, colour in ((1.40, glyphs.LIGHT), (1.20, rim), *core):
            self._pen.polygon(arrows.star(at, radius * reach, 0.5), colour)

    def _support_move(self, arrow: Arrow) -> None:
        origin = arrow.via[0] if arrow.via else arrow.start
        key = province_of(origin), province_of(arrow.end)
        supported = self.routes.get(key)
        start = self._start(arrow)
        if supported is None:
            supported = arrows.bent(self.canvas.unit_at(origin), self.canvas.unit_at(arrow.end), 0.09)
            faint = arrows.dashes(supported, self._width * 0.3, self._width * 1.6)
            self._pen.lines(faint, [(self._width * 0.6, self.canvas.colour("faint_ink"))])
        rank = self.supports.get(key, 0)
        self.supports[key] = rank + 1
        landing = supported.share(_landing(supported, start, rank))
        self._support_line(arrow, arrows.bent(start, landing, 0.05).trimmed(self.canvas.size("unit") * 0.9, 0))

    def _support_hold(self, arrow: Arrow) -> None:
        radius = self.canvas.size("unit")
        start, end = self._start(arrow), self.canvas.unit_at(arrow.end)
        if province_of(arrow.start) == province_of(arrow.end) and math.dist(start, end) < radius * 2.6:
            self._hold(arrow)  # itself, or a unit next to it
            return
        line = arrows.bent(start, end, 0.07)
        self._support_line(arrow, line.trimmed(radius * 0.9, radius * 1.35))

    def _support_line(self, arrow: Arrow, line: arrows.Path) -> None:
        width = self._width * 0.68
        if line.length < 1:
            return
        self.strokes.append(line)
        layers = self._layers(arrow, width)
        end = line.points[-1]
        if self._is_zigzag(arrow):
            self._pen.lines([arrows.zigzag(line, width * 1.3, width * 4.5)], layers)
            self._spark(arrow, end, 1.7)
        else:
            self._pen.lines(arrows.dashes(line, width * 2.4, width * 1.9), layers)
            knob = [arrows.path([end, (end[0] + 0.1, end[1])])]
            self._pen.lines(knob, [(layer * 2.1, colour) for layer, colour in layers])
        self._number(arrow, line)
        self._fail(arrow, line, 0.38)

    def _convoy(self, arrow: Arrow) -> None:
        origin = arrow.via[0] if arrow.via else arrow.start
        at = self._start(arrow)
        ring = arrows.ring(at, self.canvas.size("unit") * 1.55)
        wave = arrows.wavy(ring, self._width * 0.5, ring.length / 14)
        self._pen.lines([wave], self._layers(arrow, self._width * 0.6))
        route = self.routes.get((province_of(origin), province_of(arrow.end)))
        if route is None and arrow.end != arrow.start:
            line = arrows.through([self.canvas.unit_at(origin), at, self.canvas.unit_at(arrow.end)])
            dots = arrows.dashes(line, self._width * 0.3, self._width * 1.6)
            self._pen.lines(dots, [(self._width * 0.7, self.canvas.colour("faint_ink"))])
        radius = self.canvas.size("unit")
        self._fail(arrow, arrows.ring(at, radius * 1.55, -60, -30), 0.38)

    def _hold(self, arrow: Arrow) -> None:
        at = self._start(arrow)
        radius = self.canvas.size("unit")
        self._pen.ring_of_arcs(at, radius * 1.5, self._layers(arrow, self._width * 0.55))
        self._number(arrow, arrows.ring(at, radius * 1.5, 30, 60))
        self._fail(arrow, arrows.ring(at, radius * 1.55, -60, -30), 0.38)

    def _change(self, arrow: Arrow) -> None:
        """A unit that is built, removed or disbanded, with a badge."""
        radius = self.canvas.size("unit")
        if arrow.kind is ArrowKind.BUILD:
            at = self.canvas.camera.at(self.spots.builds[arrow])
            drawn = token(self.canvas, arrow.power, arrow.unit_kind)
            put_stack(self.picture, self.canvas, drawn, self.spots.builds[arrow], arrow.count)
        elif arrow.kind is ArrowKind.DISBAND and self._has_dislodged(arrow.start):
            at = self.canvas.unit_at(arrow.start, is_dislodged=True)
        else:
            at = self._start(arrow)
        sign, colour = ("plus", (20, 105, 60)) if arrow.kind is ArrowKind.BUILD else ("cross", glyphs.DARK)
        corner = (at[0] + radius * 0.85, at[1] - radius * 0.85)
        self.badges.append((corner, sign, colour, radius * 0.46))
        if arrow.kind is ArrowKind.BUILD:
            self._fail(arrow, arrows.ring(at, radius * 1.2, -150, -120))

    def _has_dislodged(self, place: str) -> bool:
        return any(unit.is_dislodged and unit.place == place for unit in self.scene.units)


def _clearest(spots: Iterable[Point], radius: float, taken: Sequence[tuple[Point, float]]) -> Point:
    """The first place for a disc where it touches nothing of what has a middle and a reach, or least of it."""
    return max(spots, key=lambda spot: min((0.0, *(math.dist(spot, other) - reach - radius for other, reach in taken))))


def _leads_to(arrow: Arrow, onward: Arrow) -> bool:
    """Whether an arrow is the step of a unit before another one."""
    before = arrow.power, arrow.unit_kind, arrow.end
    return arrow.kind is ArrowKind.MOVE and before == (onward.power, onward.unit_kind, onward.start)


def _direction(start: Point, end: Point) -> Point:
    """One pixel from a point to another."""
    far = math.dist(start, end) or 1.0
    return (end[0] - start[0]) / far, (end[1] - start[1]) / far


def _landing(supported: arrows.Path, start: Point, rank: int) -> float:
    """The share of a move's path that a support touches: near the supporter, apart from those before it."""
    nearest = min((share / 20 for share in range(7, 18)), key=lambda share: math.dist(supported.share(share), start))
    aside = (0.0, 0.12, -0.12, 0.24, -0.24)[rank % 5]
    return min(max(nearest + aside, 0.15), 0.88)
