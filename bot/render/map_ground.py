"""The ground of a map of provinces: each in its owner's colours, with what is printed on it; and the map's palette."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import cycle, product
from typing import NamedTuple

from PIL import Image, ImageChops

from bot.render import glyphs
from bot.render.basemap import FOG, OPEN_WATER, Basemap, Region, once_a_map, region_mask
from bot.render.lull import in_a_lull
from bot.render.map_canvas import MapCanvas
from bot.render.palette import palette_of, sample_of
from bot.render.style import Colour, PowerStyle, Style, mixed
from engine.core.ids import ProvinceId, province_of
from engine.pictures.scene import Scene


def draw_ground(scene: Scene, canvas: MapCanvas) -> Image.Image:
    """The part of the coloured map that the canvas shows, at its size."""
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


@lru_cache(maxsize=4)  # some 600 kB each
def map_palette(basemap: Basemap, powers: tuple[PowerStyle, ...]) -> tuple[tuple[Colour, ...], Image.Image]:
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


in_a_lull(map_palette.cache_clear)


def _meaningful(style: Style, powers: Iterable[PowerStyle]) -> list[Colour]:
    colours = [glyphs.LIGHT, glyphs.DARK, glyphs.GOLD, glyphs.STONE, *style.colours.values()]
    for power in powers:
        paper, paper_edge = style.colours["paper"], style.colours["paper_edge"]
        inside = mixed(power.colour, paper, style.tint["inside"])
        edge = mixed(power.colour, paper_edge, style.tint["edge"])
        colours += [power.colour, inside, edge, mixed(inside, edge, 0.5), mixed(power.ink, inside, style.tint["hatch"])]
        colours += [glyphs.faded(power.colour), mixed(power.colour, glyphs.DARK, 0.5)]
    return colours
