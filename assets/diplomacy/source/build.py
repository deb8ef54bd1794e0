"""Draw the standard board: natural_earth.json and lines.toml in, regions.png and waters.png of ../standard out.

    python -m assets.diplomacy.source.build [--preview preview.png]

Run by hand, from the checkout's root, after the drawing changed; needs numpy, scipy and Pillow. `projection` below
says how degrees become pixels; `Canvas` keeps what is drawn at twice the final size until the last step.
"""

import argparse
import json
import tomllib
import zlib
from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw
from scipy import ndimage

from assets.source.drawing import (
    Sizes,
    anchor_rows,
    best_block,
    numbers_of,
    preview,
    province_spots,
    read_borders,
    read_rows,
    report,
    smoothed,
    without_specks,
    write_anchors,
    write_regions,
)

HERE = Path(__file__).parent
ASSETS = HERE.parent / "standard"
WIDTH, HEIGHT = 1800, 1640
OVERSAMPLING = 2
SIZES = Sizes(label=(60, 30), unit_box=54, centre_box=26, least=0.98)
BLANK = 255

# Lambert's conformal conic, as printed boards have it.
PARALLELS = (41.0, 61.0)
CENTRE = (13.0, 51.5)
# Where there are many small provinces the map is drawn larger: longitude, latitude, radius, strength.
LENSES = (
    (8.5, 51.0, 0.105, 0.50),
    (21.3, 42.6, 0.095, 0.62),
    (12.3, 43.2, 0.070, 0.45),
    (28.0, 40.6, 0.060, 0.30),
    (-3.0, 54.9, 0.078, 0.66),
    (11.2, 56.2, 0.060, 0.48),
    (5.3, 51.6, 0.045, 0.26),
    (-5.6, 35.9, 0.050, 0.30),
)
# What the picture shows, in projected units (the radius of the Earth is 1): left, top and width.
WINDOW = (-0.390, 0.395, 0.812)


def cone(longitude, latitude):
    """Lambert's conformal conic projection: x to the east, y to the north."""
    radians = np.radians
    first, second = radians(PARALLELS[0]), radians(PARALLELS[1])
    half = lambda angle: np.tan(np.pi / 4 + angle / 2)  # noqa: E731
    exponent = np.log(np.cos(first) / np.cos(second)) / np.log(half(second) / half(first))
    scale = np.cos(first) * half(first) ** exponent / exponent
    radius = scale / half(radians(np.clip(latitude, -60.0, 89.0))) ** exponent
    middle = scale / half(radians(CENTRE[1])) ** exponent
    angle = exponent * radians(longitude - CENTRE[0])
    return radius * np.sin(angle), middle - radius * np.cos(angle)


def projection(longitude, latitude):
    """Final pixels of degrees."""
    x, y = cone(np.asarray(longitude, float), np.asarray(latitude, float))
    shift_x, shift_y = np.zeros_like(x), np.zeros_like(y)
    for lens_longitude, lens_latitude, radius, strength in LENSES:
        centre_x, centre_y = cone(np.float64(lens_longitude), np.float64(lens_latitude))
        weight = strength * np.exp(-((x - centre_x) ** 2 + (y - centre_y) ** 2) / (2 * radius**2))
        shift_x += weight * (x - centre_x)
        shift_y += weight * (y - centre_y)
    left, top, width = WINDOW
    return (x + shift_x - left) / width * WIDTH, (top - y - shift_y) / width * WIDTH


def pixels(flat):
    """Points of a flat list of degrees, as an array of pixels."""
    values = np.array(flat, float).reshape(-1, 2)
    return np.stack(projection(values[:, 0], values[:, 1]), axis=1)


def wriggled(points, name, roughness=0.09, finest=5.0):
    """A line through the points that wanders between them as rivers and ridges do; the same name wanders alike."""
    random = np.random.default_rng(zlib.crc32(name.encode()))
    result = [points[0]]

    def between(start, end, amount):
        step = end - start
        length = np.hypot(*step)
        if length < finest:
            return
        normal = np.array([-step[1], step[0]])
        middle = (start + end) / 2 + normal * amount * np.clip(random.normal(), -1.6, 1.6)
        between(start, middle, amount * 0.95)
        result.append(middle)
        between(middle, end, amount * 0.95)

    for start, end in pairwise(points):
        between(start, end, roughness)
        result.append(end)
    return np.array(result)


def curved(points, steps=12):
    """A smooth curve through the points (Catmull-Rom)."""
    if len(points) < 3:
        return points
    padded = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])
    result = []
    for a, b, c, d in zip(padded[:-3], padded[1:-2], padded[2:-1], padded[3:], strict=True):
        for t in np.linspace(0, 1, steps, endpoint=False):
            result.append(
                0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
            )
    return np.array([*result, points[-1]])


class Canvas:
    """Lines and polygons in pixels, drawn at the working size."""

    def __init__(self):
        self.image = Image.new("L", (WIDTH * OVERSAMPLING, HEIGHT * OVERSAMPLING), 0)
        self.draw = ImageDraw.Draw(self.image)

    def polygon(self, points, value=1):
        self.draw.polygon([tuple(point * OVERSAMPLING) for point in points], fill=value)

    def line(self, points, value=1, width=3):
        self.draw.line([tuple(point * OVERSAMPLING) for point in points], fill=value, width=width)

    @property
    def array(self):
        return np.asarray(self.image)


def load():
    """The data of the drawing and the province ids in their order."""
    with (HERE / "lines.toml").open("rb") as file:
        lines = tomllib.load(file)
    earth = json.loads((HERE / "natural_earth.json").read_text(encoding="utf-8"))
    provinces = read_rows(ASSETS / "provinces.csv")
    return lines, earth, provinces


def land_mask(lines, earth):
    """Where there is land by nature, less what is carved away."""
    canvas = Canvas()
    for ring in earth["land"]:
        canvas.polygon(np.stack(projection(*np.array(ring).T), axis=1))
    for flat in lines["carve"].values():
        canvas.polygon(pixels(flat), 0)
    return canvas.array > 0


def barriers(lines, earth):
    """The border lines on land and at sea."""
    land, sea = Canvas(), Canvas()
    for name in lines["land"]["borders"]:
        for arc in earth["borders"][name]:
            land.line(np.stack(projection(*np.array(arc).T), axis=1))
    for name, flat in lines["land"]["lines"].items():
        land.line(wriggled(pixels(flat), name))
    for flat in lines["sea"]["lines"].values():
        sea.line(curved(pixels(flat)))
    return land.array > 0, sea.array > 0


def grown(mask, barrier, seeds, names):
    """Label the mask: connected parts belong to the seed in them, lines and parts without a seed stay 0."""
    parts, count = ndimage.label(mask & ~barrier)
    _, nearest = ndimage.distance_transform_edt(parts == 0, return_indices=True)
    owner = np.zeros(count + 1, np.int16)
    for name, flat in seeds.items():
        for x, y in pixels(flat) * OVERSAMPLING:
            column, row = round(float(x)), round(float(y))
            if not (0 <= column < mask.shape[1] and 0 <= row < mask.shape[0]):
                continue
            part = parts[nearest[0][row, column], nearest[1][row, column]]
            if owner[part] not in (0, names[name]):
                print(f"{name}: its part belongs to number {owner[part]} already")
            owner[part] = names[name]
    return owner[parts]


def filled(labels, mask):
    """Give every pixel of the mask the nearest label; what has none in its own landmass stays 0."""
    landmass, _ = ndimage.label(mask)
    has_label = np.unique(landmass[labels > 0])
    _, nearest = ndimage.distance_transform_edt(labels == 0, return_indices=True)
    spread = labels[nearest[0], nearest[1]]
    return np.where(mask & np.isin(landmass, has_label), spread, 0)


def drawing():
    """Regions and decorative water at the final size: arrays of region numbers (blank land is 255) and of booleans."""
    lines, earth, provinces = load()
    names = {**numbers_of(provinces), "blank": BLANK}
    sea_names = {row["id"] for row in provinces if row["kind"] == "sea"}
    real_land = land_mask(lines, earth)
    extra = Canvas()
    for polygons in lines["fill"].values():
        for flat in polygons:
            extra.polygon(pixels(flat))
    land = real_land | (extra.array > 0)
    land_lines, sea_lines = barriers(lines, earth)
    land_seeds = {name: seed for name, seed in lines["seeds"].items() if name not in sea_names}
    sea_seeds = {name: seed for name, seed in lines["seeds"].items() if name in sea_names}
    land_labels = filled(grown(land, land_lines, land_seeds, names), land)
    # Islands without a seed are left out: they become sea.
    sea = land_labels == 0
    sea_labels = filled(grown(sea, sea_lines, sea_seeds, names), sea)
    # Lakes and lagoons that no sea reaches go to the land around them.
    labels = np.where(land_labels > 0, land_labels, sea_labels)
    _, nearest = ndimage.distance_transform_edt(labels == 0, return_indices=True)
    labels = smoothed(labels[nearest[0], nearest[1]])
    lakes = Canvas()
    for name, flat in lines["lakes"].items():
        lakes.polygon(wriggled(np.vstack([pixels(flat), pixels(flat)[:1]]), name, 0.16))
    water = (land_labels > 0) & (~real_land | (lakes.array > 0))
    small = labels[OVERSAMPLING // 2 :: OVERSAMPLING, OVERSAMPLING // 2 :: OVERSAMPLING]
    small = without_specks(small)
    small_water = ndimage.gaussian_filter(water.astype(np.float32), 1.2)[::OVERSAMPLING, ::OVERSAMPLING] > 0.5
    return small, small_water, names


def spots_of(coasts):
    """A function (province, mask, corner of its window) -> the points of the province and of its coasts."""

    def spots(province, inside, corner):
        blocks = [SIZES.label]
        words = province["name"].split()
        if province["kind"] == "sea" or inside.sum() > 30000:
            blocks.insert(0, (max(max(map(len, words)) * 13, SIZES.label[0]), SIZES.label[1] + 26 * len(words)))
        block = best_block(inside, blocks, SIZES)
        found = {province["id"]: province_spots(inside, block, SIZES, has_centre=province["centre"] == "yes")}
        for place, (unit_at, label_at) in coasts.items():
            if place.startswith(province["id"] + "/"):
                unit, label = pixels(unit_at)[0] - corner, pixels(label_at)[0] - corner
                found[place] = (unit, label, None, (unit[0] + 40, unit[1] + 28))
        return found

    return spots


def main():
    """Build the pictures and say what is wrong with them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preview", type=Path)
    arguments = parser.parse_args()
    labels, water, names = drawing()
    report(labels, names, read_borders(ASSETS), beside=("blank", "SWI"))
    lines, _, provinces = load()
    if arguments.preview:
        seas = [number for number, row in enumerate(provinces, start=1) if row["kind"] == "sea"]
        preview(labels, names, arguments.preview, seas=seas, painted=[(water, (130, 170, 210))])
    rows = anchor_rows(labels, names, provinces, lines["by_hand"], spots_of(lines["coasts"]))
    write_anchors(ASSETS / "anchors.csv", rows)
    write_regions(ASSETS / "regions.png", np.where(labels == BLANK, 0, labels))
    Image.fromarray(water).save(ASSETS / "waters.png", optimize=True)


if __name__ == "__main__":
    main()
