"""Draw the Eye of the World: kregen.json in, regions.png, waters.png and anchors.csv of ../standard out.

    python -m assets.kregen.source.build [--preview preview.png]

Run by hand, from the checkout's root, after the drawing changed; needs numpy, scipy and Pillow. The data gives each
sector the seeds of Voronoi cells, and the rivers that run through the middle of a sector. Here coasts and borders get
to wander, crowded shores are seen through lenses, islands are drawn larger than they are; what finds no good place by
itself is in by_hand.toml.
"""

import argparse
import json
import tomllib
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw
from scipy import ndimage

from assets.source.drawing import (
    ANCHORS,
    Sizes,
    anchor_rows,
    best_block,
    best_point,
    enlarged,
    largest,
    numbers_of,
    preview,
    province_spots,
    read_borders,
    read_rows,
    report,
    rough,
    seeded,
    smoothed,
    without_corners,
    without_specks,
    write_anchors,
    write_regions,
)

HERE = Path(__file__).parent
ASSETS = HERE.parent / "standard"
OVERSAMPLING = 2
SIZES = Sizes(unit=25, label=(50, 24), unit_box=58, centre_box=34)
NAME_HEIGHT, LETTER_WIDTH = 20, 9.5
ROUGHNESS = ((110, 8.0), (42, 5.0), (17, 2.8), (8, 1.2))
# Where much stands on little land it is drawn larger: middle and radius in the data's pixels, strength.
LENSES = (
    (585, 925, 62, 0.34),
    (660, 862, 40, 0.20),
    (852, 925, 52, 0.34),
    (1105, 935, 52, 0.26),
    (380, 765, 52, 0.30),
    (283, 606, 40, 0.36),
    (632, 318, 46, 0.36),
    (1450, 400, 55, 0.22),
    (1655, 395, 62, 0.36),
    (1600, 300, 40, 0.24),
    (1690, 905, 52, 0.24),
    (1410, 965, 50, 0.18),
    (2085, 600, 55, 0.16),
)
ISLAND_GROWTH_PX, ISLAND_DISTANCE_PX = 13, 26
GROWTH_OF = {"TKN": 5, "ENL": 6}
"""Islands on the border of seas that must go on touching."""
SHORE_PX = 9
"""How far the things of a sea keep from the islands in it."""
STREAM_PX = 9


def load():
    """The data of the map, the sectors in the order of provinces.csv, and what was placed by hand."""
    data = json.loads((HERE / "kregen.json").read_text(encoding="utf-8"))
    with (HERE / "by_hand.toml").open("rb") as file:
        by_hand = tomllib.load(file)
    return data, read_rows(ASSETS / "provinces.csv"), by_hand


def ground(shape):
    """Where each pixel of the picture lies in the data: shaken, and bent by the lenses."""
    down, across = rough(shape, ROUGHNESS, 23), rough(shape, ROUGHNESS, 71)
    y, x = np.indices(shape).astype(np.float32)
    points = np.stack([x / OVERSAMPLING + across, y / OVERSAMPLING + down], axis=-1)
    return enlarged(points, LENSES)


def with_large_islands(labels, provinces, names, wanted):
    """Let islands grow into the water around them, but not near other shores."""
    sea = np.isin(labels, water_numbers(provinces))
    land, _ = ndimage.label(~sea)
    result = labels.copy()
    ragged = rough(labels.shape, ((40, 3.0),), 5)
    for name in islands(provinces, wanted):
        mask = labels == names[name]
        part = np.bincount(land[mask]).argmax()
        away = ndimage.distance_transform_edt(~mask)
        others = ndimage.distance_transform_edt(sea | (land == part))
        reach = (GROWTH_OF.get(name, ISLAND_GROWTH_PX) + ragged) * OVERSAMPLING
        result[sea & (away < reach) & (others > ISLAND_DISTANCE_PX * OVERSAMPLING)] = names[name]
    return result


def islands(provinces, wanted):
    """Land that borders on water alone."""
    seas = {row["id"] for row in provinces if row["kind"] == "sea"}
    for row in provinces:
        around = {name for pair in wanted if row["id"] in pair for name in pair} - {row["id"]}
        if row["id"] not in seas and around <= seas:
            yield row["id"]


def water_numbers(provinces):
    """The regions that are water."""
    return [number for number, row in enumerate(provinces, start=1) if row["kind"] == "sea"]


def streams(data, where, labels, names, waters):
    """The rivers that run through the middle of a sector: their courses, led on to the water at both ends."""
    height, width = labels.shape
    wet = np.isin(labels, waters)
    canvas = Image.new("L", (width, height), 0)
    draw = ImageDraw.Draw(canvas)
    for name, course in data["courses"].items():
        inside = labels == names[name]
        points = [nearest(where, point) for point in course]
        points = [point for point in points if inside[int(point[1]), int(point[0])]]
        ends = [nearest_in(wet, point) for point in (points[0], points[-1])]
        line = [ends[0], *points, ends[1]]
        draw.line(line, fill=255, width=STREAM_PX * OVERSAMPLING, joint="curve")
        for x, y in line:
            reach = STREAM_PX * OVERSAMPLING / 2
            draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=255)
    return ndimage.gaussian_filter(np.asarray(canvas, np.float32), 3) > 127


def nearest(where, point):
    """The pixel that lies nearest to a point of the data."""
    away = ((where[::4, ::4] - np.array(point)) ** 2).sum(axis=-1)
    row, column = np.unravel_index(away.argmin(), away.shape)
    return float(column * 4), float(row * 4)


def nearest_in(mask, point):
    """The pixel of a mask that lies nearest to a pixel."""
    rows, columns = np.nonzero(mask)
    best = ((columns - point[0]) ** 2 + (rows - point[1]) ** 2).argmin()
    return float(columns[best]), float(rows[best])


def drawing(data, provinces):
    """Region numbers, the streams within land, and where in the data each pixel lies; at the final size."""
    names = numbers_of(provinces)
    wanted = read_borders(ASSETS)
    width, height = data["canvas"]
    where = ground((height * OVERSAMPLING, width * OVERSAMPLING))
    seeds = [(seed, names[province["id"]]) for province in data["provinces"] for seed in province["seeds"]]
    labels = smoothed(with_large_islands(seeded(seeds, where), provinces, names, wanted), 2.4)
    water = streams(data, where, labels, names, water_numbers(provinces))
    thinned = np.s_[OVERSAMPLING // 2 :: OVERSAMPLING, OVERSAMPLING // 2 :: OVERSAMPLING]
    small = without_corners(without_specks(labels[thinned], 110), wanted, names)
    return without_specks(small, 110), water[thinned], where[thinned]


def beside(inside, unit, label, centre):
    """Where a dislodged unit stands: beside the unit, clear of label and centre."""
    taken = [(*unit, SIZES.unit, SIZES.unit), (*label, SIZES.label[0] / 2, SIZES.label[1] / 2)]
    if centre is not None:
        taken.append((*centre, SIZES.centre_box / 2, SIZES.centre_box / 2))
    return best_point(inside, 2 * SIZES.unit - 6, taken, (unit[0] + 44, unit[1] - 8), 0.02)


def spots_of(coasts, where, ashore, by_hand):
    """A function (sector, mask, corner of its window) -> the points of the sector and of its coasts.

    Args:
        coasts: where a fleet lies at each, in the data's pixels.
        ashore: what is not near an island's shore.
        by_hand: by sector, what is placed already.
    """

    def spots(province, inside, corner):
        words = province["name"].split()
        if province["kind"] == "sea":
            rows, columns = inside.shape
            inside = inside & ashore[corner[1] : corner[1] + rows, corner[0] : corner[0] + columns]
        wide = max(max(map(len, words)) * LETTER_WIDTH, SIZES.label[0])
        blocks = [(round(wide), SIZES.label[1] + NAME_HEIGHT * len(words))]
        blocks.append((round(max(len(province["name"]) * LETTER_WIDTH, SIZES.label[0])), SIZES.label[1] + NAME_HEIGHT))
        block = best_block(inside, sorted(blocks, reverse=True), SIZES)
        own = province_spots(inside, block, SIZES, has_centre=province["centre"] == "yes")
        given = {kind: np.subtract(at, corner) for kind, at in by_hand.get(province["id"], {}).items()}
        own = [given.get(kind, point) for kind, point in zip(ANCHORS, own, strict=True)]
        found = {province["id"]: (*own[:3], beside(inside, *own[:3]))}
        for place, point in coasts.items():
            if place.startswith(province["id"] + "/"):
                x, y = nearest(where, point)
                unit = (x - corner[0], y - corner[1])
                found[place] = (unit, (unit[0], unit[1] - 30), None, (unit[0] + 30, unit[1] + 20))
        return found

    return spots


def main():
    """Build the pictures and say what is wrong with them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preview", type=Path)
    arguments = parser.parse_args()
    data, provinces, by_hand = load()
    labels, water, where = drawing(data, provinces)
    names, waters = numbers_of(provinces), water_numbers(provinces)
    report(labels, names, read_borders(ASSETS))
    if arguments.preview:
        preview(labels, names, arguments.preview, seas=waters, painted=[(water, (130, 170, 210))])
    island = np.isin(labels, [names[name] for name in islands(provinces, read_borders(ASSETS))])
    far = ndimage.distance_transform_edt(~island) > SHORE_PX
    rows = anchor_rows(labels, names, provinces, by_hand, spots_of(data["coasts"], where, far, by_hand), largest)
    write_anchors(ASSETS / "anchors.csv", rows)
    write_regions(ASSETS / "regions.png", labels)
    Image.fromarray(water).save(ASSETS / "waters.png", optimize=True)


if __name__ == "__main__":
    main()
