"""Draw the Young Kingdoms: young_kingdoms.json in, regions.png and anchors.csv of ../standard out.

    python -m assets.young_kingdoms.source.build [--preview preview.png]

Run by hand, from the checkout's root, after the drawing changed; needs numpy, scipy and Pillow. The data gives each
province the seeds of Voronoi cells; here they get coasts, borders that wander, a few islets, and the void beyond the
World's Edge.
"""

import argparse
import json
import tomllib
from pathlib import Path

import numpy as np
from scipy import ndimage

from assets.source.drawing import (
    Sizes,
    anchor_rows,
    best_block,
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
# The data's canvas is wide; boards are read on phones, so it is drawn taller.
SCALE_X, SCALE_Y = 1.15, 1.30
OVERSAMPLING = 2
SIZES = Sizes()
VOID = 255
# Where much stands on little land it is drawn larger: middle and radius in the data's pixels, strength.
LENSES = (
    (703, 312, 50, 0.42),
    (655, 560, 58, 0.34),
    (760, 668, 46, 0.42),
    (447, 933, 54, 0.44),
    (1050, 218, 46, 0.36),
    (1000, 742, 60, 0.12),
)


def load():
    """The data of the map, the provinces in the order of provinces.csv, and what was placed by hand."""
    data = json.loads((HERE / "young_kingdoms.json").read_text(encoding="utf-8"))
    provinces = read_rows(ASSETS / "provinces.csv")
    with (HERE / "by_hand.toml").open("rb") as file:
        by_hand = tomllib.load(file)
    return data, provinces, by_hand


def cells(data, names, shape):
    """The number of the nearest seed's province for each pixel, the ground shaken so that no border stays straight."""
    octaves = ((90, 9.0), (36, 7.0), (15, 4.2), (7, 2.0))
    down, across = rough(shape, octaves, 11), rough(shape, octaves, 57)
    scale_x, scale_y = SCALE_X * OVERSAMPLING, SCALE_Y * OVERSAMPLING
    y, x = np.indices(shape).astype(np.float32)
    points = np.stack([(x + across * OVERSAMPLING) / scale_x, (y + down * OVERSAMPLING) / scale_y], axis=-1)
    seeds = [(seed, names[province["id"].upper()]) for province in data["provinces"] for seed in province["seeds"]]
    return seeded(seeds, enlarged(points, LENSES))


def with_islets(labels, provinces, wanted, names):
    """Sprinkle islets off the coasts: each belongs to the shore that it lies off."""
    is_sea = np.zeros(256, bool)
    for row in provinces:
        is_sea[names[row["id"]]] = row["kind"] == "sea"
    sea = is_sea[labels]
    distance, nearest = ndimage.distance_transform_edt(sea, return_indices=True)
    shore = labels[nearest[0], nearest[1]]
    field = rough(labels.shape, ((44, 1.0), (13, 0.3)), 401)
    away = distance / OVERSAMPLING
    spots = sea & (field > 0.80) & (away > 10) & (away < 34)
    parts, count = ndimage.label(spots)
    result = labels.copy()
    allowed = {(names[one], names[two]) for pair in wanted for one in pair for two in pair if one != two}
    for number, window in enumerate(ndimage.find_objects(parts), start=1):
        part = parts[window] == number
        owner = np.bincount(shore[window][part]).argmax()
        waters = set(np.unique(labels[window][part]).tolist())
        if part.sum() > 420 and len(waters) == 1 and (owner, *waters) in allowed:
            result[window][part] = owner
    print(count, "places for islets")
    return result


def with_void(labels, edges, names):
    """Where the lands of the World's Edge reach the edge of the picture they crumble into nothing."""
    height, width = labels.shape
    y, x = np.indices(labels.shape)
    rim = np.minimum.reduce([x, y, width - 1 - x, height - 1 - y]) / OVERSAMPLING
    on_edge = np.isin(labels, [names[place] for place in edges])
    depth = ndimage.gaussian_filter(on_edge.astype(np.float32), 26 * OVERSAMPLING)
    ragged = rough(labels.shape, ((60, 12.0), (22, 9.0), (9, 5.0)), 733)
    result = labels.copy()
    reach = np.clip(depth * 2.2, 0, 1)
    inland = ndimage.distance_transform_edt(on_edge) / OVERSAMPLING
    result[(rim < 62 * reach + ragged * reach) & (inland > 24 + ragged / 2)] = VOID
    return result


def drawing(data, provinces):
    """Region numbers at the final size, the void being 255."""
    names = numbers_of(provinces)
    wanted = read_borders(ASSETS)
    width, height = data["canvas"]
    shape = round(height * SCALE_Y) * OVERSAMPLING, round(width * SCALE_X) * OVERSAMPLING
    labels = cells(data, names, shape)
    labels = with_islets(labels, provinces, wanted, names)
    edges = [province["id"].upper() for province in data["provinces"] if province.get("world_edge")]
    labels = with_void(smoothed(labels, 2.4), edges, names)
    small = without_specks(labels[OVERSAMPLING // 2 :: OVERSAMPLING, OVERSAMPLING // 2 :: OVERSAMPLING], 110)
    return without_specks(without_corners(small, wanted, names, beside=(VOID,)), 110), names


def spots_of(province, inside, _corner):
    """The points of one province."""
    words = province["name"].split()
    block = max(max(map(len, words)) * 13, SIZES.label[0]), SIZES.label[1] + 26 * len(words)
    block = best_block(inside, (block, SIZES.label), SIZES)
    return {province["id"]: province_spots(inside, block, SIZES, has_centre=province["centre"] == "yes")}


def main():
    """Build the picture and say what is wrong with it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preview", type=Path)
    arguments = parser.parse_args()
    data, provinces, by_hand = load()
    labels, names = drawing(data, provinces)
    report(labels, names, read_borders(ASSETS), beside=(VOID,))
    if arguments.preview:
        preview(labels, names, arguments.preview, painted=[(VOID, (40, 30, 60))])
    write_anchors(ASSETS / "anchors.csv", anchor_rows(labels, names, provinces, by_hand, spots_of, largest))
    write_regions(ASSETS / "regions.png", np.where(labels == VOID, 0, labels))


if __name__ == "__main__":
    main()
