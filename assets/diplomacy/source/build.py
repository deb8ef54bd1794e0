"""Draw the standard board: natural_earth.json and lines.toml in, regions.png and waters.png of ../standard out.

    python build.py [--preview preview.png]

Run by hand after the drawing changed; needs numpy, scipy and Pillow. `projection` below says how degrees become
pixels, `Drawing` keeps the arrays at twice the final size until the last step.
"""

import argparse
import csv
import json
import tomllib
import zlib
from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scipy import ndimage

HERE = Path(__file__).parent
ASSETS = HERE.parent / "standard"
WIDTH, HEIGHT = 1800, 1640
OVERSAMPLING = 2
UNIT_RADIUS = 29
LABEL_BOX = (60, 30)
MARGIN = 16

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
    with (ASSETS / "provinces.csv").open(encoding="utf-8", newline="") as file:
        provinces = list(csv.DictReader(file))
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


def smoothed(labels, radius=2):
    """Each pixel takes the label that is most frequent around it, so that borders lose their burrs."""
    best = np.zeros(labels.shape, np.float32)
    result = labels.copy()
    for value in np.unique(labels):
        rows, columns = np.nonzero(labels == value)
        window = np.s_[
            max(rows.min() - 8, 0) : rows.max() + 9,
            max(columns.min() - 8, 0) : columns.max() + 9,
        ]
        share = ndimage.gaussian_filter((labels[window] == value).astype(np.float32), radius)
        better = share > best[window]
        result[window][better] = value
        best[window][better] = share[better]
    return result


def drawing():
    """Regions and decorative water at the final size: arrays of region numbers (blank land is 255) and of booleans."""
    lines, earth, provinces = load()
    names = {row["id"]: number for number, row in enumerate(provinces, start=1)}
    names["blank"] = 255
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


def without_specks(labels, least=60):
    """Parts of a region smaller than this many pixels go to what is around them."""
    result = labels.copy()
    for value in np.unique(labels):
        parts, count = ndimage.label(labels == value)
        if count < 2:
            continue
        sizes = ndimage.sum_labels(np.ones_like(parts), parts, np.arange(1, count + 1))
        result[np.isin(parts, np.nonzero(sizes < least)[0] + 1)] = 0
    _, nearest = ndimage.distance_transform_edt(result == 0, return_indices=True)
    return result[nearest[0], nearest[1]]


def contacts(labels):
    """How many pixel sides each pair of regions shares."""
    pairs = {}
    for one, two in ((labels[:, 1:], labels[:, :-1]), (labels[1:], labels[:-1])):
        differ = one != two
        low, high = np.minimum(one, two)[differ], np.maximum(one, two)[differ]
        codes, counts = np.unique(low.astype(np.int64) * 1000 + high, return_counts=True)
        for code, count in zip(codes, counts, strict=True):
            pair = (int(code // 1000), int(code % 1000))
            pairs[pair] = pairs.get(pair, 0) + int(count)
    return pairs


def report(labels, names):
    """Print where the drawing and borders.csv differ."""
    ids = {number: name for name, number in names.items()}
    with (ASSETS / "borders.csv").open(encoding="utf-8", newline="") as file:
        wanted = {frozenset(row[key].partition("/")[0] for key in "ab") for row in csv.DictReader(file)}
    found = contacts(labels)
    drawn = {frozenset((ids[a], ids[b])): count for (a, b), count in found.items()}
    for pair in sorted(wanted, key=sorted):
        if drawn.get(pair, 0) < 18:
            print("missing or short:", *sorted(pair), drawn.get(pair, 0))
    for pair, count in sorted(drawn.items(), key=lambda item: sorted(item[0])):
        if pair not in wanted and not pair & {"blank", "SWI"}:
            print("not wanted:", *sorted(pair), count)
    for name, number in names.items():
        if not (labels == number).any():
            print("no pixels:", name)


def clearances(inside):
    """A function (width, height) -> share of a box of that size around each pixel that is inside."""
    padded = np.pad(inside, 200).astype(np.float32)

    def share(width, height):
        return ndimage.uniform_filter(padded, (height, width))[200:-200, 200:-200]

    return share


def best_spots(inside, block, step=4):
    """Where in a region the unit and its label block stand: ((x, y) of the unit, (x, y) of the block)."""
    share = clearances(inside)
    room = ndimage.distance_transform_edt(np.pad(inside, 1))[1:-1, 1:-1]
    pole = np.unravel_index(ndimage.gaussian_filter(room, 8).argmax(), room.shape)
    unit_fit = share(2 * UNIT_RADIUS - 4, 2 * UNIT_RADIUS - 4)[::step, ::step]
    block_fit = share(*block)[::step, ::step]
    wide, high = block[0] / 2 + UNIT_RADIUS + 4, block[1] / 2 + UNIT_RADIUS + 8
    best, spots = -1e9, None
    rows, columns = np.nonzero((unit_fit > unit_fit.max() - 0.3) & inside[::step, ::step])
    block_rows, block_columns = np.nonzero(block_fit > block_fit.max() - 0.3)
    for row, column in zip(rows, columns, strict=True):
        x, y = column * step, row * step
        across, down = block_columns * step - x, block_rows * step - y
        overlap = np.minimum(wide - np.abs(across), high - np.abs(down)).clip(0)
        score = (
            7 * unit_fit[row, column]
            + 7 * block_fit[block_rows, block_columns]
            - 0.16 * overlap
            - 0.004 * np.hypot(across, down)
            - 0.002 * np.abs(across)
            - 0.004 * np.hypot(x + across / 2 - pole[1], y + down / 2 - pole[0])
            - 0.1 * (down < 0)
        )
        winner = score.argmax()
        if score[winner] > best:
            best = score[winner]
            spots = (x, y), (x + across[winner], y + down[winner])
    return spots


def best_point(inside, box, taken, wish, pull=0.01, step=3):
    """The point where a box fits best, clear of boxes (x, y, half width, half height) that are taken, near the wish."""
    fit = clearances(inside)(box, box)[::step, ::step]
    rows, columns = np.indices(fit.shape) * step
    score = 5 * fit - pull * np.hypot(columns - wish[0], rows - wish[1])
    for x, y, half_width, half_height in taken:
        overlap_x = half_width + box / 2 - np.abs(columns - x)
        overlap_y = half_height + box / 2 - np.abs(rows - y)
        score -= 0.2 * np.clip(np.minimum(overlap_x, overlap_y), 0, None)
    row, column = np.unravel_index(score.argmax(), score.shape)
    return column * step, row * step


def anchors(labels, names, provinces, coasts, by_hand):
    """Rows of anchors.csv, in the order of the provinces, each one's coasts after it."""
    rows = []
    for province in provinces:
        inside = labels == names[province["id"]]
        # What lies at the very edge is under the frame.
        inside[:MARGIN], inside[-MARGIN:], inside[:, :MARGIN], inside[:, -MARGIN:] = False, False, False, False
        top, left = (int(axis.min()) for axis in np.nonzero(inside))
        bottom, right = (int(axis.max()) + 1 for axis in np.nonzero(inside))
        spots = {province["id"]: province_spots(province, inside[top:bottom, left:right])}
        for place, (unit_at, label_at) in coasts.items():
            if place.startswith(province["id"] + "/"):
                unit, label = pixels(unit_at)[0] - (left, top), pixels(label_at)[0] - (left, top)
                spots[place] = (unit, label, None, (unit[0] + 40, unit[1] + 28))
        for place, points in spots.items():
            shifted = [("", "") if point is None else (int(point[0]) + left, int(point[1]) + top) for point in points]
            for point, kind in enumerate(("unit", "label", "centre", "dislodged")):
                shifted[point] = by_hand.get(place, {}).get(kind, shifted[point])
            rows.append([place, *(value for point in shifted for value in point)])
    return rows


def province_spots(province, inside):
    """Unit, label, centre (or None) and dislodged unit of one province, in pixels of its window."""
    blocks = [LABEL_BOX]
    words = province["name"].split()
    if province["kind"] == "sea" or inside.sum() > 30000:
        blocks.insert(0, (max(max(map(len, words)) * 13, LABEL_BOX[0]), LABEL_BOX[1] + 26 * len(words)))
    share = clearances(inside)
    block = next((box for box in blocks if share(*box).max() > 0.98), LABEL_BOX)
    unit, (label_x, block_y) = best_spots(inside, block)
    label = (label_x, block_y - block[1] // 2 + LABEL_BOX[1] // 2)
    taken = [(*unit, UNIT_RADIUS, UNIT_RADIUS), (label_x, block_y, block[0] / 2, block[1] / 2)]
    centre = None
    if province["centre"] == "yes":
        centre = best_point(inside, 26, taken, (label[0] + LABEL_BOX[0] / 2 + 14, label[1]), 0.012)
    away = best_point(inside, 2 * UNIT_RADIUS - 6, taken[:1], (unit[0] + 44, unit[1] - 20), 0.02)
    return unit, label, centre, away


def preview(labels, water, names, path):
    """A plain picture to judge the drawing by."""
    random = np.random.default_rng(4)
    palette = random.integers(110, 240, (256, 3)).astype(np.uint8)
    with (ASSETS / "provinces.csv").open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=1):
            if row["kind"] == "sea":
                palette[number] = (150 + number % 5 * 12, 185 + number % 3 * 10, 225)
    picture = palette[labels]
    edge = np.zeros(labels.shape, bool)
    edge[:, 1:] |= labels[:, 1:] != labels[:, :-1]
    edge[1:] |= labels[1:] != labels[:-1]
    picture[water] = (130, 170, 210)
    picture[edge] = (30, 30, 30)
    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(22)
    for name, number in names.items():
        if (labels == number).any():
            row, column = ndimage.center_of_mass(labels == number)
            draw.text((column, row), name, fill=(0, 0, 0), font=font, anchor="mm")
    image.save(path)


def main():
    """Build the pictures and say what is wrong with them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preview", type=Path)
    arguments = parser.parse_args()
    labels, water, names = drawing()
    report(labels, names)
    if arguments.preview:
        preview(labels, water, names, arguments.preview)
    lines, _, provinces = load()
    with (ASSETS / "anchors.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(
            ["place", "unit_x", "unit_y", "label_x", "label_y", "centre_x", "centre_y", "dislodged_x", "dislodged_y"]
        )
        writer.writerows(anchors(labels, names, provinces, lines["coasts"], lines["by_hand"]))
    regions = Image.fromarray(np.where(labels == 255, 0, labels).astype(np.uint8), "L").convert("P")
    grey = np.repeat((np.arange(256) * 3 % 256).astype(np.uint8), 3)
    regions.putpalette(grey.tobytes())
    regions.save(ASSETS / "regions.png", optimize=True)
    Image.fromarray(water).save(ASSETS / "waters.png", optimize=True)


if __name__ == "__main__":
    main()
