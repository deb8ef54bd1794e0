"""Draws a scene: the coloured map; orders, labels, marks and units on it; panels around it. Scene in, picture out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import cycle, product
from typing import NamedTuple

from PIL import Image, ImageChops

from bot.render import arrows, glyphs
from bot.render.basemap import FOG, OPEN_WATER, Anchor, Basemap, Region, load_basemap, once_a_map, region_mask
from bot.render.camera import Camera, as_posted, close_up, realm, whole
from bot.render.key import key_of
from bot.render.labels import Obstacle, write_labels
from bot.render.lull import in_a_lull
from bot.render.palette import Drawing, palette_of, sample_of
from bot.render.panels import TitleRoom, board, sheet, with_key_for
from bot.render.places import STACK_STEP, Spots, spots, tie
from bot.render.signs import OVER_UNITS, SIGNS
from bot.render.sites import SITES, Site, site_mark
from bot.render.style import Colour, PowerStyle, Style, mixed, rgb
from engine.core.ids import PlaceId, ProvinceId, province_of
from engine.core.variant import load_variant
from engine.lattice.tiling import Point
from engine.pictures.legend import ArrowStatus
from engine.pictures.realm import MANY_PROVINCES, places_of
from engine.pictures.scene import Arrow, ArrowKind, Mark, Scene, UnitMark

_MOVES = frozenset({ArrowKind.MOVE, ArrowKind.RETREAT})


@dataclass(frozen=True, slots=True)
class MapCanvas:
    """Everything that drawing a scene needs apart from the scene."""

    basemap: Basemap
    camera: Camera
    powers: Mapping[str, PowerStyle]

    def size(self, name: str) -> float:
        """A size of the style on the picture."""
        return self.camera.length(self.basemap.style.sizes[name])

    def colour(self, name: str) -> Colour:
        """A colour of the style."""
        return self.basemap.style.colours[name]

    def anchor(self, place: str) -> Anchor:
        """The anchor of a place; a coast without its own uses its province's."""
        anchors = self.basemap.anchors
        return anchors[place] if place in anchors else anchors[place.partition("/")[0]]

    def unit_at(self, place: str) -> Point:
        """Where a unit at a place is on the picture."""
        return self.camera.at(self.anchor(place).unit)


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
    picture = _ground(scene, canvas)
    _Orders(picture, scene, canvas, spots(scene, basemap, SIGNS)).draw()
    style = canvas.basemap.style
    if with_key:
        style = with_key_for(style, picture.width, len(scene.legend))
        picture = sheet(picture, scene, style, canvas.powers, key_of(scene, style))
    else:
        picture = board(picture, scene, style.scaled(camera.scale), _title_room(canvas))
    colours, palette = _palette(basemap, tuple(canvas.powers.values()))
    return Drawing(picture, colours, palette)


def _camera(scene: Scene, basemap: Basemap) -> Camera:
    """Which part of the map is shown: what the scene is about, or as much of a player's own realm as is legible."""
    if not scene.focus:
        return whole(basemap)
    if scene.lit is None:
        return close_up(basemap, scene.focus)
    held = [province for province, owner in scene.fills.items() if owner == scene.lit]
    held += [province_of(unit.place) for unit in scene.units if unit.power == scene.lit]
    if (camera := realm(basemap, scene.focus, held)) is not None:
        return camera
    if len(basemap.provinces) < MANY_PROVINCES:
        return whole(basemap)
    # If a realm is all over a large board, what matters is where something is done.
    acts = [arrow for arrow in scene.arrows if arrow.power == scene.lit and arrow.kind is not ArrowKind.HOLD]
    return close_up(basemap, map(province_of, places_of(acts)))


def _title_room(canvas: MapCanvas) -> TitleRoom | None:
    """Open water that the map keeps for its title; a close-up may show anything there."""
    room: TitleRoom | None = canvas.basemap.style.decorations.get("title")
    return room if canvas.camera == whole(canvas.basemap) else None


@lru_cache(maxsize=4)  # some 600 kB each
def _palette(basemap: Basemap, powers: tuple[PowerStyle, ...]) -> tuple[tuple[Colour, ...], Image.Image]:
    """The colours that mean something on a map, and its palette.

    It has what is common on a ground on which half of the land is owned, and at the edges of what stands there. It is
    the same for all pictures of a map, so that Pillow has to find the nearest of its colours only once.
    """
    colours = tuple(dict.fromkeys(_meaningful(basemap.style, powers)))[:200]
    layers = (sample_of(layer) for layer in (basemap.regions, basemap.wash, basemap.ink))
    lands = [province for province, region in basemap.provinces.items() if region.kind != "sea"]
    owners = dict(zip(lands[::2], cycle(powers), strict=False))
    sample = _unhatched(basemap, layers, owners)
    shades = Image.linear_gradient("L").transpose(Image.Transpose.ROTATE_90).resize((sample.width, 1))
    vivid = [basemap.style.colours["failed"], *(power.colour for power in powers)]
    for row, (colour, edge) in enumerate(product(vivid, (glyphs.DARK, glyphs.LIGHT))):
        sample.paste(edge, (0, row, sample.width, row + 1))
        sample.paste(colour, (0, row), shades)
    return colours, palette_of(sample, colours)


in_a_lull(_palette.cache_clear)


def _meaningful(style: Style, powers: Iterable[PowerStyle]) -> list[Colour]:
    colours = [glyphs.LIGHT, glyphs.DARK, glyphs.GOLD, glyphs.STONE, *style.colours.values()]
    for power in powers:
        paper, paper_edge = style.colours["paper"], style.colours["paper_edge"]
        inside = mixed(power.colour, paper, style.tint["inside"])
        edge = mixed(power.colour, paper_edge, style.tint["edge"])
        colours += [power.colour, inside, edge, mixed(inside, edge, 0.5), mixed(power.ink, inside, style.tint["hatch"])]
        colours += [glyphs.faded(power.colour), mixed(power.colour, glyphs.DARK, 0.5)]
    return colours


def power_styles(scene: Scene, basemap: Basemap) -> dict[str, PowerStyle]:
    """The style of every power that the variant or the scene names."""
    known = load_variant(scene.system, scene.variant).powers
    named = [row.power for row in scene.legend] + [unit.power for unit in scene.units] + list(scene.fills.values())
    named += [arrow.power for arrow in scene.arrows] + [mark.power for mark in scene.marks if mark.power]
    result: dict[str, PowerStyle] = {}
    for place, power in enumerate(dict.fromkeys([*known, *named])):
        colour, hatch = basemap.style.power(power, place)
        looks = basemap.style.powers.get(power, {})
        own = known.get(power)
        name = own.name if own else looks.get("name", power.replace("_", " ").title())
        letter = own.letter if own else looks.get("letter", name[:1])
        ink = rgb(looks["ink"]) if "ink" in looks else mixed(colour, basemap.style.colours["paper"], 0.62)
        result[power] = PowerStyle(colour, hatch, letter, name, ink, looks.get("shape", ""), looks.get("sign", ""))
    return result


# --- The ground ---------------------------------------------------------------------------------------------


def _ground(scene: Scene, canvas: MapCanvas) -> Image.Image:
    basemap, camera = canvas.basemap, canvas.camera
    barred = {province_of(mark.place) for mark in scene.marks if mark.kind == "barred"}
    looks = {
        province: _Look(canvas.powers[scene.fills[province]] if province in scene.fills else None, province in barred)
        for province in (*scene.fills, *barred)
        if province in basemap.provinces
    }
    ground = _whole_ground(basemap, looks)
    if camera.is_unscaled:
        return ground.crop(camera.window)
    # Bilinear takes a third of the time of Lanczos; it is off bicubic by 22 of 255 at most, which nobody sees.
    return ground.resize(camera.size, Image.Resampling.BILINEAR, box=camera.window)


@dataclass(frozen=True, slots=True)
class _Look:
    """How a province differs from one that is nobody's."""

    owner: PowerStyle | None = None
    is_barred: bool = False


@dataclass(frozen=True, slots=True)
class _Ground:
    """The coloured map with what is printed on it; its picture never changes."""

    basemap: Basemap
    looks: Mapping[ProvinceId, _Look]
    picture: Image.Image


_latest_ground: list[_Ground] = []
"""One or none: in the next picture few provinces look different, and it is as large as the map."""
in_a_lull(_latest_ground.clear)


def _whole_ground(basemap: Basemap, looks: Mapping[ProvinceId, _Look]) -> Image.Image:
    """The coloured map with what is printed on it; never change it."""
    before = next((ground for ground in _latest_ground if ground.basemap is basemap), None)
    if before is None:
        before = _Ground(basemap, {}, _nobodys(basemap))
    changed = [place for place in {**before.looks, **looks} if before.looks.get(place) != looks.get(place)]
    picture = before.picture.copy() if changed else before.picture
    for place in changed:
        _paint(picture, basemap, basemap.provinces[place], looks.get(place, _Look()))
    _latest_ground[:] = [_Ground(basemap, looks, picture)]
    return picture


def _nobodys(basemap: Basemap) -> Image.Image:
    """The ground of a map on which nobody owns anything."""
    return _unhatched(basemap, (basemap.regions, basemap.wash, basemap.ink), {})


def _unhatched(basemap: Basemap, layers: Iterable[Image.Image], owners: Mapping[str, PowerStyle]) -> Image.Image:
    """The ground without hatchings, of the map's layers (regions, wash, ink) or of samples of them."""
    (regions, wash, ink), style = layers, basemap.style
    tints = [_Tint(style.colours["blank"], style.colours["blank_edge"])] * 256
    tints[OPEN_WATER] = _Tint(style.colours["sea"], style.colours["sea_shore"])
    tints[FOG] = _Tint(style.colours["fog"], style.colours["fog_edge"])
    for region in basemap.provinces.values():
        tints[region.number] = _tint(style, region, owners.get(region.id))
    inside, edge = regions.copy(), regions.copy()
    inside.putpalette([channel for tint in tints for channel in tint.inside])
    edge.putpalette([channel for tint in tints for channel in tint.edge])
    ground = Image.composite(edge.convert("RGB"), inside.convert("RGB"), wash)
    ground.paste(ink, (0, 0), ink)
    return ground


def _paint(ground: Image.Image, basemap: Basemap, region: Region, look: _Look) -> None:
    """Draw a province anew; the pixels are those that it would have on a map that was drawn as a whole."""
    patch = basemap.wash.crop(region.box)
    patch.putpalette(_shades(_tint(basemap.style, region, look.owner)))
    patch = patch.convert("RGB")
    if look.owner is not None:
        patch.paste(look.owner.ink, (0, 0), _hatching(basemap, region, look.owner.hatch))
    if look.is_barred:
        _bar(patch, basemap, region)
    ink = basemap.ink.crop(region.box)
    patch.paste(ink, (0, 0), ink)
    ground.paste(patch, region.box[:2], region_mask(basemap, region))


class _Tint(NamedTuple):
    """The colours of a province, away from its edge and at it."""

    inside: Colour
    edge: Colour


def _tint(style: Style, region: Region, owner: PowerStyle | None) -> _Tint:
    colours = style.colours
    if region.kind == "sea":
        return _Tint(colours["sea"], colours["sea_shore"])
    if region.kind == "impassable":
        return _Tint(colours["impassable"], colours["impassable"])
    if owner is None:
        return _Tint(colours["paper"], colours["paper_edge"])
    return _Tint(
        mixed(owner.colour, colours["paper"], style.tint["inside"]),
        mixed(owner.colour, colours["paper_edge"], style.tint["edge"]),
    )


@lru_cache(maxsize=64)
def _shades(tint: _Tint) -> bytes:
    """The palette that colours a wash, which is 255 at the edge; rounded as Pillow's `composite` does."""
    wash = Image.frombytes("L", (256, 1), bytes(range(256)))
    inside, edge = (Image.new("RGB", wash.size, colour) for colour in tint)
    return Image.composite(edge, inside, wash).tobytes()


@once_a_map  # who owns what seldom changes; some 20 kB each
def _hatching(basemap: Basemap, region: Region, hatch: str) -> Image.Image:
    """Where a region is hatched, within its box; never change it."""
    mask = region_mask(basemap, region)
    pattern = glyphs.hatching(hatch, mask.size, start=region.box[:2])
    strength = basemap.style.tint["hatch"]
    return ImageChops.multiply(mask, pattern).point([round(value * strength) for value in range(256)])


def _bar(patch: Image.Image, basemap: Basemap, region: Region) -> None:
    """Cross out a whole region, on a picture of its box: nothing passes there."""
    pattern = glyphs.hatching("crossed", patch.size, 32)
    mask = ImageChops.multiply(region_mask(basemap, region), pattern).point([round(v * 0.85) for v in range(256)])
    patch.paste(basemap.style.colours["barred"], (0, 0), mask)


# --- What stands on it --------------------------------------------------------------------------------------


def _draw_marks(picture: Image.Image, scene: Scene, canvas: MapCanvas) -> None:
    castles = {mark.place for mark in scene.marks if mark.kind == "castle"}
    _draw_sites(picture, scene, canvas)
    for mark in scene.marks:
        if mark.kind == "centre" and mark.place in castles:
            continue  # the castle is its sign
        if mark.kind in SIGNS or mark.kind in SITES or mark.kind in _OF_SITES:
            continue
        if mark.place in canvas.basemap.anchors or province_of(mark.place) in canvas.basemap.anchors:
            _draw_mark(picture, mark, canvas)


_OF_SITES = frozenset({"capital", "garrison", "plundered"})
"""Marks that are part of the sign of a site."""


def _draw_sites(picture: Image.Image, scene: Scene, canvas: MapCanvas) -> None:
    strong = canvas.basemap.style.fonts["strong"]
    about = {(mark.kind, mark.place): mark for mark in scene.marks if mark.kind in _OF_SITES}
    for mark in scene.marks:
        if mark.kind not in SITES or province_of(mark.place) not in canvas.basemap.anchors:
            continue
        power = canvas.powers[mark.power] if mark.power else None
        garrison = about.get(("garrison", mark.place))
        site = Site(
            mark.kind,
            power.colour if power else None,
            power.letter if power else "",
            garrison=garrison.label if garrison else "",
            is_capital=("capital", mark.place) in about,
            is_plundered=("plundered", mark.place) in about,
        )
        anchor = canvas.anchor(mark.place)
        _put(picture, site_mark(site, canvas.size("centre"), strong), canvas.camera.at(anchor.centre or anchor.unit))


def _draw_mark(picture: Image.Image, mark: Mark, canvas: MapCanvas) -> None:
    strong = canvas.basemap.style.fonts["strong"]
    anchor = canvas.anchor(mark.place)
    power = canvas.powers[mark.power] if mark.power else None
    if mark.kind == "centre":
        colour, letter = (power.colour, power.letter) if power else (None, "")
        glyph = glyphs.centre_mark(colour, letter, canvas.size("centre"), strong)
        _put(picture, glyph, canvas.camera.at(anchor.centre or anchor.unit))
        return
    if mark.kind in _MARKS:
        glyph, at = _MARKS[mark.kind](mark, anchor, canvas)
        _put(picture, glyph, canvas.camera.at(at))
        return
    text = mark.label or mark.kind[:1].upper()
    _put(
        picture,
        glyphs.label_plate(text, canvas.size("label") * 0.75, strong),
        canvas.camera.at(_beside(anchor, canvas)),
    )


def _castle(mark: Mark, anchor: Anchor, canvas: MapCanvas) -> tuple[Image.Image, Point]:
    power = canvas.powers[mark.power] if mark.power else None
    colour, letter = (power.colour, power.letter) if power else (None, "")
    strong = canvas.basemap.style.fonts["strong"]
    return glyphs.castle_mark(colour, letter, canvas.size("castle"), strong), anchor.centre or anchor.unit


def _home(mark: Mark, anchor: Anchor, canvas: MapCanvas) -> tuple[Image.Image, Point]:
    colour = canvas.powers[mark.power].colour if mark.power else glyphs.STONE
    return glyphs.home_mark(colour, canvas.size("centre")), anchor.centre or anchor.unit


def _die(mark: Mark, anchor: Anchor, canvas: MapCanvas) -> tuple[Image.Image, Point]:
    away = canvas.basemap.style.sizes["label"] * 1.5
    return glyphs.die_mark(int(mark.label), canvas.size("die")), (anchor.label[0] - away, anchor.label[1])


def _choice(mark: Mark, anchor: Anchor, canvas: MapCanvas) -> tuple[Image.Image, Point]:
    power = canvas.powers[mark.power] if mark.power else None
    colour, letter = (power.colour, power.letter) if power is not None else (glyphs.STONE, "")
    strong = canvas.basemap.style.fonts["strong"]
    return glyphs.pennon(f"{letter}{mark.label}", colour, canvas.size("centre") * 1.65, strong), anchor.unit


_MARKS: dict[str, Callable[[Mark, Anchor, MapCanvas], tuple[Image.Image, Point]]] = {
    "castle": _castle,
    "home": _home,
    "die": _die,
    "choice": _choice,
}
"""Marks with a picture of their own: the glyph, and where on the map it stands."""


def _beside(anchor: Anchor, canvas: MapCanvas) -> Point:
    """Where marks without an anchor of their own stand: at the upper right of the unit."""
    away = canvas.basemap.style.sizes["unit"] * 1.1
    return anchor.unit[0] + away, anchor.unit[1] - away


def _draw_signs(picture: Image.Image, canvas: MapCanvas, found: Spots, *, over_units: bool) -> None:
    """The signs drawn over the units, or those under them."""
    strong = canvas.basemap.style.fonts["strong"]
    for mark, at in found.marks.items():
        if (mark.kind in OVER_UNITS) == over_units:
            colour = canvas.powers[mark.power].colour if mark.power else None
            _put(picture, SIGNS[mark.kind](colour, mark.label, canvas.size("unit"), strong), canvas.camera.at(at))


def _put(picture: Image.Image, glyph: Image.Image, at: Point) -> None:
    left, top = round(at[0] - glyph.width / 2), round(at[1] - glyph.height / 2)
    picture.paste(glyph, (left, top), glyph)


_SWERVE = 0.09
"""How far lines curve, as a share of their length."""
_AROUND = 1.35
"""How far the line between units that touch goes around them, in radii of a unit."""
_SHORT = 3.2
"""Lines shorter than this, in radii of a unit, lie over labels."""


def _clearest(spots: Iterable[Point], radius: float, taken: Sequence[tuple[Point, float]]) -> Point:
    """The first place for a disc where it touches nothing of what has a middle and a reach, or least of it."""
    return max(spots, key=lambda spot: min((0.0, *(math.dist(spot, other) - reach - radius for other, reach in taken))))


@dataclass(slots=True)
class _Orders:
    """The orders of a scene and its units, drawn from the lowest to the highest."""

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

    def draw(self) -> None:
        """Draw everything: lines under labels, except short moves, which labels would hide; then units, then badges."""
        self._join()
        for arrow in self.scene.arrows:
            if arrow.kind in _MOVES and self._is_on_map(arrow):
                self.lines[arrow] = self._route(arrow)
                self.routes.setdefault((province_of(arrow.start), province_of(arrow.end)), self.lines[arrow])
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
        write_labels(self.picture, self.canvas.basemap, self.canvas.camera, list(self._obstacles()))
        _draw_marks(self.picture, self.scene, self.canvas)
        _draw_signs(self.picture, self.canvas, self.spots, over_units=False)
        for arrow in self.lines:
            if self._is_short(arrow):
                self._move(arrow)
        for unit, spot in self.spots.units.items():
            self._tie(unit.power, unit.place, spot)
        for build, spot in self.spots.builds.items():
            self._tie(build.power, build.start, spot)
        for unit in sorted(self.scene.units, key=lambda unit: unit.is_dislodged):
            self._unit(unit)
        _draw_signs(self.picture, self.canvas, self.spots, over_units=True)
        for arrow in self.scene.arrows:
            if arrow.kind in (ArrowKind.BUILD, ArrowKind.REMOVE, ArrowKind.DISBAND) and self._is_on_map(arrow):
                self._change(arrow)
        for at, glyph in self.numerals:
            _put(self.picture, glyph, at)
        for at, sign, colour, size in self.badges:
            _put(self.picture, glyphs.badge(sign, colour, size), at)

    def _obstacles(self) -> Iterator[Obstacle]:
        """Everything that labels avoid on the picture: units, signs, centres, and the lines of orders."""
        radius, centre, at = self.canvas.size("unit"), self.canvas.size("centre"), self.canvas.camera.at
        for spot in (*self.spots.units.values(), *self.spots.builds.values()):
            yield Obstacle(at(spot), radius * 1.12, 2.0)
        for spot in self.spots.marks.values():
            yield Obstacle(at(spot), radius * 0.62, 2.0)
        for mark in self.scene.marks:
            if mark not in self.spots.marks and province_of(mark.place) in self.canvas.basemap.anchors:
                anchor = self.canvas.anchor(mark.place)
                if mark.kind == "choice":
                    yield Obstacle(at(anchor.unit), radius, 2.0)
                else:
                    yield Obstacle(at(anchor.centre or anchor.unit), centre, 1.5)
        short = [line for arrow, line in self.lines.items() if self._is_short(arrow)]
        for line in (*self.lines.values(), *self.strokes):
            steps = max(round(line.length / (self._width * 2)), 1)
            weight = 1.5 if line in short else 0.8  # short ones lie over labels
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
            middle = self._unit_point(onward.start)
            if not self._is_occupied(onward.start):
                self.joints[key] = middle
                continue
            comes_from = [arrow.start for arrow in self.scene.arrows if _leads_to(arrow, onward)]
            ends = [self._unit_point(place) for place in (*comes_from[:1], onward.end)]
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
        taken += [(self.canvas.camera.at(anchor.label), self.canvas.size("label") * 0.6) for anchor in self._near(line)]
        at = _clearest([line.share(share) for share in (0.5, 0.6, 0.4, 0.7, 0.3)], radius, taken)
        self.badges.append((at, "cross", self.canvas.colour("failed"), radius))

    def _near(self, line: arrows.Path) -> list[Anchor]:
        middle = line.share(0.5)
        anchors = self.canvas.basemap.anchors.values()
        return [anchor for anchor in anchors if math.dist(self.canvas.camera.at(anchor.label), middle) < line.length]

    def _is_occupied(self, place: str) -> bool:
        province = province_of(PlaceId(place))
        return any(province_of(unit.place) == province and not unit.is_dislodged for unit in self.scene.units)

    def _unit_point(self, place: str, *, is_dislodged: bool = False) -> Point:
        anchor = self.canvas.anchor(place)
        return self.canvas.camera.at(anchor.dislodged if is_dislodged else anchor.unit)

    def _start(self, arrow: Arrow) -> Point:
        """Where the unit with the order is; another one may be in the middle of the place."""
        if arrow.is_onward and (arrow.power, arrow.unit_kind, arrow.start) in self.joints:
            return self.joints[arrow.power, arrow.unit_kind, arrow.start]
        is_dislodged = arrow.kind is ArrowKind.RETREAT
        for unit, at in self.spots.units.items():
            is_it = (unit.power, unit.kind, unit.place) == (arrow.power, arrow.unit_kind, arrow.start)
            if is_it and unit.is_dislodged == is_dislodged:
                return self.canvas.camera.at(at)
        return self._unit_point(arrow.start, is_dislodged=is_dislodged)

    def _is_zigzag(self, arrow: Arrow) -> bool:
        return self._stroke(arrow) == "zigzag"

    def _stroke(self, arrow: Arrow) -> str:
        return self.canvas.basemap.style.manners.get(arrow.manner, "plain")

    def _route(self, arrow: Arrow) -> arrows.Path:
        """The curve of a move from unit to unit, its ends cut so that it meets their edges."""
        joint = self._joint_at_end(arrow)
        start, end = self._start(arrow), joint or self._unit_point(arrow.end)
        if arrow.start == arrow.end:
            start = self._outside(end)
        if arrow.via and arrow.kind is ArrowKind.MOVE:
            line = arrows.through([start, *(self._unit_point(place) for place in arrow.via), end])
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
        start, end = self._start(arrow), self._unit_point(arrow.end)
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
            supported = arrows.bent(self._unit_point(origin), self._unit_point(arrow.end), 0.09)
            faint = arrows.dashes(supported, self._width * 0.3, self._width * 1.6)
            self._pen.lines(faint, [(self._width * 0.6, self.canvas.colour("faint_ink"))])
        rank = self.supports.get(key, 0)
        self.supports[key] = rank + 1
        landing = supported.share(_landing(supported, start, rank))
        self._support_line(arrow, arrows.bent(start, landing, 0.05).trimmed(self.canvas.size("unit") * 0.9, 0))

    def _support_hold(self, arrow: Arrow) -> None:
        radius = self.canvas.size("unit")
        start, end = self._start(arrow), self._unit_point(arrow.end)
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
            line = arrows.through([self._unit_point(origin), at, self._unit_point(arrow.end)])
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

    def _tie(self, power: str, place: str, spot: Point) -> None:
        """A line from a token without room in its own land to that land."""
        land = tie(self.canvas.basemap, place, spot) if self._is_known(place) else None
        if land is None:
            return
        at, end, radius = self.canvas.camera.at(spot), self.canvas.camera.at(land), self.canvas.size("unit")
        far = math.dist(at, end) or 1.0
        # It has to show beyond the token, which may hide the nearest of its land.
        out = max(far, radius * 1.3)
        end = at[0] + (end[0] - at[0]) * out / far, at[1] + (end[1] - at[1]) * out / far
        colour = self.canvas.powers[power].colour
        width = self._width * 0.55
        layers = [(width * 1.9, glyphs.LIGHT), (width * 1.4, glyphs.DARK), (width * 0.7, colour)]
        self._pen.lines([arrows.path([at, end])], layers)
        knob = [arrows.path([end, (end[0] + 0.1, end[1])])]
        self._pen.lines(knob, [(layer * 2.0, ink) for layer, ink in layers])

    def _is_known(self, place: str) -> bool:
        return province_of(PlaceId(place)) in self.canvas.basemap.anchors

    def _unit(self, unit: UnitMark) -> None:
        if unit in self.spots.units:
            at = self.canvas.camera.at(self.spots.units[unit])
            token = self._token(unit.power, unit.kind, is_dislodged=unit.is_dislodged, corner=unit.label)
            lit = self.scene.lit
            self._stack(token if lit in (None, unit.power) else glyphs.dimmed(token), at, unit.count)

    def _stack(self, token: Image.Image, at: Point, count: int) -> None:
        """Several marks of one kind, the first in front."""
        step = self.canvas.size("unit") * STACK_STEP
        for number in reversed(range(count)):
            _put(self.picture, token, (at[0] + number * step, at[1] - number * step))

    def _token(self, power: str, kind: str, *, is_dislodged: bool = False, corner: str = "") -> Image.Image:
        style, look = self.canvas.basemap.style, self.canvas.powers[power]
        shape = look.shape or style.kinds.get(kind, "disc")
        return glyphs.unit_token(
            shape,
            look.colour,
            look.letter,
            self.canvas.size("unit") * style.scales.get(kind, 1.0),
            style.fonts["strong"],
            kind=corner or ("" if look.shape or (kind in style.kinds and shape != "disc") else kind),
            is_dislodged=is_dislodged,
        )

    def _change(self, arrow: Arrow) -> None:
        """A unit that is built, removed or disbanded, with a badge."""
        is_dislodged = arrow.kind is ArrowKind.DISBAND and any(
            unit.is_dislodged and unit.place == arrow.start for unit in self.scene.units
        )
        at = self._unit_point(arrow.start, is_dislodged=is_dislodged)
        if arrow.kind is ArrowKind.BUILD:
            at = self.canvas.camera.at(self.spots.builds[arrow])
            self._stack(self._token(arrow.power, arrow.unit_kind), at, arrow.count)
        else:
            at = self._start(arrow) if not is_dislodged else at
        radius = self.canvas.size("unit")
        sign, colour = ("plus", (20, 105, 60)) if arrow.kind is ArrowKind.BUILD else ("cross", glyphs.DARK)
        corner = (at[0] + radius * 0.85, at[1] - radius * 0.85)
        self.badges.append((corner, sign, colour, radius * 0.46))
        if arrow.kind is ArrowKind.BUILD:
            self._fail(arrow, arrows.ring(at, radius * 1.2, -150, -120))


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
