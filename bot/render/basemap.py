"""The map under everything: regions, anchors and the printed layers (coasts, borders, water lines), cached by variant.

Everything is derived from the assets of the variant; nothing here knows any game.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache, wraps
from pathlib import Path
from statistics import NormalDist
from threading import Lock
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.render.glyphs import compass
from bot.render.kept import Layers, PixelBox, find_layers, fingerprint, keep_layers
from bot.render.lull import in_a_lull
from bot.render.ornaments import dotted, rhumbs, suns, wavelets
from bot.render.signs import arrowed_star
from bot.render.style import ASSETS, Colour, Style, load_style, mixed
from engine.core.ids import ProvinceId
from engine.core.variant import neighbours_of
from engine.lattice.tiling import Point

P = ParamSpec("P")
T = TypeVar("T")

_NOWHERE: PixelBox = (0, 0, 0, 0)
OPEN_WATER = 255
"""The number in regions.png of water outside the game; 0 is land outside it."""
FOG = 254
"""The number of everything unknown to the viewer, in regions made for one."""


class MapError(LookupError):
    """A variant's map lacks something; the message says what, and in which file."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where things stand at a place, in pixels of regions.png."""

    unit: Point
    label: Point
    dislodged: Point
    centre: Point | None


@dataclass(frozen=True, slots=True)
class Region:
    """A province on the picture: its number in regions.png, its name, and the box around it."""

    id: str
    number: int
    name: str
    kind: str
    box: PixelBox


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Basemap:
    """What a map looks like before anything happens on it.

    Args:
        regions: palette indices, mode L.
        wash: how near a border a pixel of land is, or a shore a pixel of sea; mode L, 255 at the line.
        ink: coasts, borders, water lines, straits and lakes; mode RGBA.
        borders: the provinces between which and each one something can move.

    One made for a viewer in fog has nothing that the viewer doesn't know, so that none of it can be drawn.
    """

    regions: Image.Image
    wash: Image.Image
    ink: Image.Image
    provinces: Mapping[str, Region]
    anchors: Mapping[str, Anchor]
    borders: Mapping[ProvinceId, frozenset[ProvinceId]]
    style: Style

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the map in pixels."""
        return self.regions.size


def once_a_map(find: Callable[Concatenate[Basemap, P], T]) -> Callable[Concatenate[Basemap, P], T]:
    """Caches results about a map for as long as the map exists; one for a viewer in fog soon doesn't.

    Arguments have to be hashable, and are given by their position.
    """
    of_maps = WeakKeyDictionary[Basemap, dict[tuple[object, ...], T]]()

    @wraps(find)
    def found(basemap: Basemap, /, *args: P.args, **kwargs: P.kwargs) -> T:
        known = of_maps.setdefault(basemap, {})
        if args not in known:
            known[args] = find(basemap, *args, **kwargs)
        return known[args]

    return found


_lock = Lock()


def load_basemap(system: str, variant: str, known: frozenset[str] | None = None) -> Basemap:
    """The base of a variant's map, shared between threads; never change its images.

    It is drawn once (about a second) and kept on disk; what a viewer in fog knows of it is not.

    Args:
        known: the provinces that the viewer knows of, in a game with fog; `None`: all.

    Raises:
        FileNotFoundError: the variant has no map.
        MapError: a province has no region on it, or no row in anchors.csv.
    """
    with _lock:
        return _load_basemap(system, variant) if known is None else _load_foggy(system, variant, known)


@cache
def _load_basemap(system: str, variant: str) -> Basemap:
    folder, style = ASSETS / system / variant, load_style(system, variant)
    name, key = f"{system}-{variant}", fingerprint(_sources(folder))
    kept = find_layers(name, key)
    regions = kept.regions if kept else _read_regions(folder / "regions.png")
    boxes = kept.boxes if kept else _boxes(regions)
    provinces = _read_provinces(folder / "provinces.csv", boxes)
    anchors = _read_anchors(folder / "anchors.csv")
    _require_whole(folder.relative_to(ASSETS.parent), provinces, anchors)
    borders = neighbours_of(system, variant)
    if kept is None:
        made = _made(regions, provinces, anchors, borders, _read_waters(folder / "waters.png", regions.size), style)
        keep_layers(name, key, Layers(regions, made.wash, made.ink, boxes))
        kept = find_layers(name, key)  # this copy is shared with other processes
        if kept is None:
            return made
    return Basemap(kept.regions, kept.wash, kept.ink, provinces, anchors, borders, style)


def _sources(folder: Path) -> list[Path]:
    """All files that the layers of a variant's map are made of."""
    styles = [above / "style.toml" for above in (folder.parent, folder.parent.parent)]
    return [path for path in (*styles, *folder.iterdir(), *(ASSETS / "fonts").glob("*")) if path.is_file()]


def _read_regions(path: Path) -> Image.Image:
    with Image.open(path) as picture:
        return Image.frombytes("L", picture.size, picture.tobytes())


@lru_cache(maxsize=4)  # as many as are looked at in a row; each is as large as the map
def _load_foggy(system: str, variant: str, known: frozenset[str]) -> Basemap:
    """The map as if only what is known existed: even land outside the game would reveal coasts."""
    folder, all_of_it = ASSETS / system / variant, _load_basemap(system, variant)
    provinces = {id_: region for id_, region in all_of_it.provinces.items() if id_ in known}
    numbers = {region.number for region in provinces.values()}
    regions = all_of_it.regions.point([number if number in numbers else FOG for number in range(256)])
    anchors = {place: anchor for place, anchor in all_of_it.anchors.items() if place.partition("/")[0] in known}
    borders = {id_: frozenset(near & known) for id_, near in all_of_it.borders.items() if id_ in known}
    waters = ImageChops.multiply(_read_waters(folder / "waters.png", regions.size), _any_of(regions, numbers))
    style = all_of_it.style
    kept = {name: style.decorations[name] for name in ("outside",) if name in style.decorations}
    kept["signs"] = {place: at for place, at in style.decorations.get("signs", {}).items() if place in known}
    return _made(regions, provinces, anchors, borders, waters, replace(style, decorations=kept))


in_a_lull(_load_foggy.cache_clear)


def _made(
    regions: Image.Image,
    provinces: Mapping[str, Region],
    anchors: Mapping[str, Anchor],
    borders: Mapping[ProvinceId, frozenset[ProvinceId]],
    waters: Image.Image,
    style: Style,
) -> Basemap:
    is_sea = [region.number for region in provinces.values() if region.kind == "sea"]
    water = ImageChops.lighter(_any_of(regions, {OPEN_WATER, *is_sea}), waters)
    fog = _any_of(regions, {FOG})
    return Basemap(
        regions=regions,
        wash=_wash(regions, provinces, water, fog),
        ink=_ink(regions, provinces, waters, water, fog, style),
        provinces=provinces,
        anchors=anchors,
        borders=borders,
        style=style,
    )


def region_mask(basemap: Basemap, region: Region) -> Image.Image:
    """The mask of a region within its box; mode L, 255 inside."""
    return basemap.regions.crop(region.box).point(_table({region.number}))


def _read_provinces(path: Path, boxes: Mapping[int, PixelBox]) -> dict[str, Region]:
    result = {}
    for number, row in enumerate(_rows(path), start=1):
        result[row["id"]] = Region(row["id"], number, row["name"], row["kind"], boxes.get(number, _NOWHERE))
    return result


def _require_whole(folder: Path, provinces: Mapping[str, Region], anchors: Mapping[str, Anchor]) -> None:
    for province in provinces.values():
        if province.box == _NOWHERE:
            file = (folder / "regions.png").as_posix()
            raise MapError(f"{file} has no pixel of {province.id}: colour {province.number} of its palette")
        if province.id not in anchors:
            raise MapError(f"{(folder / 'anchors.csv').as_posix()} has no row for {province.id}")


def _boxes(regions: Image.Image) -> dict[int, PixelBox]:
    boxes = {}
    for _, number in regions.getcolors(256) or ():
        assert isinstance(number, int)
        box = regions.point(_table({number})).getbbox()
        if box is not None:
            boxes[number] = box
    return boxes


def _read_waters(path: Path, size: tuple[int, int]) -> Image.Image:
    if not path.exists():
        return Image.new("L", size, 0)
    with Image.open(path) as picture:
        return picture.convert("L")


def _read_anchors(path: Path) -> dict[str, Anchor]:
    return {
        row["place"]: Anchor(
            unit=(float(row["unit_x"]), float(row["unit_y"])),
            label=(float(row["label_x"]), float(row["label_y"])),
            dislodged=(float(row["dislodged_x"]), float(row["dislodged_y"])),
            centre=(float(row["centre_x"]), float(row["centre_y"])) if row["centre_x"] else None,
        )
        for row in _rows(path)
    }


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _table(numbers: Iterable[int]) -> list[int]:
    inside = set(numbers)
    return [255 if number in inside else 0 for number in range(256)]


def _any_of(regions: Image.Image, numbers: Iterable[int]) -> Image.Image:
    return regions.point(_table(numbers))


def _contour(mask: Image.Image, width_px: float, blur_px: float = 1.5) -> Image.Image:
    """A smooth line along the edge of a mask: where the blurred mask is about half."""
    return mask.filter(ImageFilter.GaussianBlur(blur_px)).point(_line_table(width_px, blur_px))


@cache
def _line_table(width_px: float, blur_px: float) -> list[int]:
    """How strong a line is where a blurred step has a value: the value says how far away the edge is."""
    normal = NormalDist(0, blur_px)
    distances = [abs(normal.inv_cdf(value / 255)) for value in range(1, 255)]
    return [0, *(max(0, min(255, round(255 * (width_px / 2 + 0.5 - away)))) for away in distances), 0]


def _region_lines(
    regions: Image.Image, provinces: Iterable[Region], width_px: float, blur_px: float = 1.5
) -> Image.Image:
    """Lines along the edges of these regions."""
    lines = Image.new("L", regions.size, 0)
    for region in provinces:
        box = _grown(region.box, 8, regions.size)
        mask = regions.crop(box).point(_table({region.number}))
        lines.paste(ImageChops.lighter(lines.crop(box), _contour(mask, width_px, blur_px)), box)
    return lines


def _grown(box: PixelBox, by: int, size: tuple[int, int]) -> PixelBox:
    left, top, right, bottom = box
    return max(left - by, 0), max(top - by, 0), min(right + by, size[0]), min(bottom + by, size[1])


def _wash(regions: Image.Image, provinces: Mapping[str, Region], water: Image.Image, fog: Image.Image) -> Image.Image:
    """Nearness to the edge: of its own province on land, of the shore at sea; where fog begins there is no shore."""
    lands = (region for region in provinces.values() if region.kind != "sea")
    lines = _region_lines(regions, lands, 9, 4).filter(ImageFilter.GaussianBlur(8))
    land_wash = lines.point([min(255, round(value * 1.5)) for value in range(256)])
    ashore = ImageChops.invert(ImageChops.lighter(water, fog))
    sea_wash = ashore.filter(ImageFilter.GaussianBlur(26)).point(
        [min(255, round(value * 1.75)) for value in range(256)]
    )
    return Image.composite(sea_wash, land_wash, water)


def _ink(
    regions: Image.Image,
    provinces: Mapping[str, Region],
    waters: Image.Image,
    water: Image.Image,
    fog: Image.Image,
    style: Style,
) -> Image.Image:
    ink = Image.new("RGBA", regions.size, (0, 0, 0, 0))
    colours, sizes = style.colours, style.sizes
    not_water = ImageChops.invert(water)
    # Wherever water ends there is a coast, unless there is fog.
    wet = ImageChops.lighter(water, fog)
    clear = ImageChops.invert(fog.filter(ImageFilter.MaxFilter(7)) if fog.getbbox() else fog)
    seas = [region for region in provinces.values() if region.kind == "sea"]
    lands = [region for region in provinces.values() if region.kind != "sea"]
    # Straits that belong to land, and lakes, are painted over the colour of the land.
    _lay(ink, waters, mixed(colours["sea_shore"], colours["sea"], 0.6), 1.0)
    _lay(ink, ImageChops.multiply(_water_lines(wet), water), colours["sea_ink"], 0.30)
    if "rhumbs" in style.decorations:
        for mask, role in zip(rhumbs(water, style.decorations["rhumbs"]), ("rhumb", "rhumb_in_turn"), strict=True):
            _lay(ink, mask, colours[role], 0.34)
    if "wavelets" in style.decorations:
        _lay(ink, wavelets(water, style.decorations["wavelets"]), colours["sea_ink"], 0.42)
    _lay(ink, ImageChops.multiply(_region_lines(regions, seas, 1.7), water), colours["sea_border"], 0.9)
    _hatch_impassable(ink, regions, lands, not_water, colours["frame"])
    dry_borders = ImageChops.multiply(_region_lines(regions, lands, 1.8), not_water)
    _lay(ink, dry_borders, colours["border"], 0.95)
    _lay(ink, ImageChops.multiply(_contour(wet, sizes["coast"]), clear), colours["coast"], 1.0)
    _draw_links(ink, style)
    for name, ornament in _ORNAMENTS.items():
        if name in style.decorations:
            x, y, radius = style.decorations[name]
            picture = ornament(radius, style)
            ink.alpha_composite(picture, (round(x - picture.width / 2), round(y - picture.height / 2)))
    return ink


def _rose(radius: float, style: Style) -> Image.Image:
    return compass(radius, style.colours["sea_ink"], style.colours["halo"], style.fonts["title"])


def _star(radius: float, style: Style) -> Image.Image:
    return arrowed_star(radius, style.colours["sea_ink"], style.colours["halo"])


def _suns(radius: float, style: Style) -> Image.Image:
    colours = style.colours
    return suns(radius, colours["sun"], colours["sun_too"], colours["ink"], colours["halo"])


_ORNAMENTS: dict[str, Callable[[float, Style], Image.Image]] = {"compass": _rose, "star": _star, "suns": _suns}
"""Small pictures in the decorations, given by middle and radius."""


def _draw_links(ink: Image.Image, style: Style) -> None:
    """Dotted lines across the water between provinces that don't touch, with a mooring at either end."""
    large = Image.new("L", (ink.width * 2, ink.height * 2), 0)
    draw = ImageDraw.Draw(large)
    for link in style.decorations.get("links", ()):
        points = [(2.0 * x, 2.0 * y) for x, y in link["through"]]
        for x, y in dotted(points, 24.0):
            draw.ellipse((x - 5, y - 5, x + 5, y + 5), fill=255)
        for x, y in (points[0], points[-1]):
            draw.ellipse((x - 10, y - 10, x + 10, y + 10), fill=255)
    dots = large.reduce(2)
    halo = dots.filter(ImageFilter.GaussianBlur(2.2)).point([min(255, value * 5) for value in range(256)])
    _lay(ink, halo, style.colours["halo"], 0.85)
    _lay(ink, dots, style.colours["link"], 1.0)


def _water_lines(water: Image.Image) -> Image.Image:
    """Lines that follow the shore, fainter and further apart with the distance, as engravers drew water."""
    land = ImageChops.invert(water)
    lines = Image.new("L", water.size, 0)
    for offset_px, strength in ((6.0, 1.0), (12.5, 0.7), (20.5, 0.45)):
        blur_px = offset_px / 1.3
        normal = NormalDist(0, blur_px)
        away = [99.0, *(-normal.inv_cdf(value / 255) for value in range(1, 255)), -99.0]
        table = [max(0, min(255, round(255 * strength * (1.25 - abs(far - offset_px) / 0.9)))) for far in away]
        lines = ImageChops.lighter(lines, land.filter(ImageFilter.GaussianBlur(blur_px)).point(table))
    return lines


def _hatch_impassable(
    ink: Image.Image, regions: Image.Image, lands: Iterable[Region], not_water: Image.Image, colour: Colour
) -> None:
    closed = _any_of(regions, {region.number for region in lands if region.kind == "impassable"})
    if closed.getbbox() is None:
        return
    lines = Image.new("L", regions.size, 0)
    draw = ImageDraw.Draw(lines)
    width, height = regions.size
    for start in range(-height, width, 13):
        draw.line([(start, height), (start + height, 0)], fill=255, width=2)
        draw.line([(start, 0), (start + height, height)], fill=255, width=2)
    _lay(ink, ImageChops.multiply(ImageChops.multiply(lines, closed), not_water), colour, 0.28)


def _lay(ink: Image.Image, mask: Image.Image, colour: Colour, strength: float) -> None:
    """Draw a colour through a mask over what is there."""
    if strength < 1:
        mask = mask.point([round(value * strength) for value in range(256)])
    layer = Image.new("RGBA", ink.size, (*colour, 0))
    layer.putalpha(mask)
    ink.alpha_composite(layer)
