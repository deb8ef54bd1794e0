"""Draw the Young Kingdoms: young_kingdoms.json in, regions.png and anchors.csv of ../standard out.

    python build.py [--preview preview.png]

Run by hand after the drawing changed; needs numpy, scipy and Pillow. The data gives each province the seeds of Voronoi
cells; here they get coasts, borders that wander, a few islets, and the void beyond the World's Edge.
"""

import argparse
import csv
import json
import tomllib
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scipy import ndimage
from scipy.spatial import cKDTree

HERE = Path(__file__).parent
ASSETS = HERE.parent / "standard"
# The data's canvas is wide; boards are read on phones, so it is drawn taller.
SCALE_X, SCALE_Y = 1.15, 1.30
OVERSAMPLING = 2
UNIT_RADIUS = 29
LABEL_BOX = (62, 30)
MARGIN = 16
LEAST_BORDER_PX = 18
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
    with (ASSETS / "provinces.csv").open(encoding="utf-8", newline="") as file:
        provinces = list(csv.DictReader(file))
    with (HERE / "by_hand.toml").open("rb") as file:
        by_hand = tomllib.load(file)
    return data, provinces, by_hand


def noise(shape, size, seed):
    """A smooth field of about -1 to 1 with hills this many pixels wide; the same seed gives the same field."""
    random = np.random.default_rng(seed)
    rows, columns = (int(np.ceil(length / size)) + 4 for length in shape)
    coarse = random.uniform(-1.0, 1.0, (rows, columns))
    y, x = np.meshgrid(np.arange(shape[0]) / size + 1, np.arange(shape[1]) / size + 1, indexing="ij")
    return ndimage.map_coordinates(coarse, [y, x], order=3, mode="nearest")


def rough(shape, octaves, seed):
    """Noise in octaves of (width, height of its hills)."""
    return sum(height * noise(shape, width, seed + number) for number, (width, height) in enumerate(octaves))


def cells(data, names, shape):
    """The number of the nearest seed's province for each pixel, the ground shaken so that no border stays straight."""
    octaves = ((90, 9.0), (36, 7.0), (15, 4.2), (7, 2.0))
    down, across = rough(shape, octaves, 11), rough(shape, octaves, 57)
    scale_x, scale_y = SCALE_X * OVERSAMPLING, SCALE_Y * OVERSAMPLING
    y, x = np.indices(shape).astype(np.float32)
    points = np.stack([(x + across * OVERSAMPLING) / scale_x, (y + down * OVERSAMPLING) / scale_y], axis=-1)
    for middle_x, middle_y, radius, strength in LENSES:
        away = points - (middle_x, middle_y)
        points = points - away * strength * np.exp(-(away**2).sum(axis=-1) / (2 * radius**2))[..., None]
    seeds = [(seed, names[province["id"].upper()]) for province in data["provinces"] for seed in province["seeds"]]
    tree = cKDTree(np.array([seed for seed, _ in seeds], float))
    _, nearest = tree.query(points.reshape(-1, 2), workers=1)
    owners = np.array([number for _, number in seeds], np.int16)
    return owners[nearest].reshape(shape)


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


def smoothed(labels, radius=2.4):
    """Each pixel takes the label that is most frequent around it, so that borders lose their burrs."""
    best = np.zeros(labels.shape, np.float32)
    result = labels.copy()
    for value in np.unique(labels):
        rows, columns = np.nonzero(labels == value)
        window = np.s_[max(rows.min() - 8, 0) : rows.max() + 9, max(columns.min() - 8, 0) : columns.max() + 9]
        share = ndimage.gaussian_filter((labels[window] == value).astype(np.float32), radius)
        better = share > best[window]
        result[window][better] = value
        best[window][better] = share[better]
    return result


def without_specks(labels, least=110):
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


def borders():
    """The pairs of provinces that border on each other."""
    with (ASSETS / "borders.csv").open(encoding="utf-8", newline="") as file:
        return {frozenset((row["a"], row["b"])) for row in csv.DictReader(file)}


def without_corners(labels, wanted, names):
    """Take away the short contacts of regions that do not border on each other: a third one grows between them."""
    ids = {number: name for name, number in names.items()}
    result = labels.copy()
    for (one, two), count in contacts(labels).items():
        if VOID in (one, two) or frozenset((ids[one], ids[two])) in wanted or count > 60:
            continue
        touch = ndimage.binary_dilation(result == one) & (result == two)
        touch |= ndimage.binary_dilation(result == two) & (result == one)
        spot = ndimage.binary_dilation(touch, iterations=4)
        others = np.unique(result[ndimage.binary_dilation(spot, iterations=3)])
        neighbours = [
            number
            for number in others
            if number not in (one, two, VOID)
            and frozenset((ids[number], ids[one])) in wanted
            and frozenset((ids[number], ids[two])) in wanted
        ]
        if neighbours:
            result[spot & np.isin(result, (one, two))] = neighbours[0]
    return result


def drawing(data, provinces):
    """Region numbers at the final size, the void being 255."""
    names = {row["id"]: number for number, row in enumerate(provinces, start=1)}
    wanted = borders()
    width, height = data["canvas"]
    shape = round(height * SCALE_Y) * OVERSAMPLING, round(width * SCALE_X) * OVERSAMPLING
    labels = cells(data, names, shape)
    labels = with_islets(labels, provinces, wanted, names)
    edges = [province["id"].upper() for province in data["provinces"] if province.get("world_edge")]
    labels = with_void(smoothed(labels), edges, names)
    small = without_specks(labels[OVERSAMPLING // 2 :: OVERSAMPLING, OVERSAMPLING // 2 :: OVERSAMPLING])
    return without_specks(without_corners(small, wanted, names)), names


def report(labels, names):
    """Print where the drawing and borders.csv differ."""
    ids = {number: name for name, number in names.items()}
    wanted = borders()
    drawn = {frozenset((ids[one], ids[two])): count for (one, two), count in contacts(labels).items() if two != VOID}
    for pair in sorted(wanted, key=sorted):
        if drawn.get(pair, 0) < LEAST_BORDER_PX:
            print("missing or short:", *sorted(pair), drawn.get(pair, 0))
    for pair, count in sorted(drawn.items(), key=lambda item: sorted(item[0])):
        if pair not in wanted:
            print("not wanted:", *sorted(pair), count)


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
    unit_fit = share(2 * UNIT_RADIUS + 6, 2 * UNIT_RADIUS + 6)[::step, ::step]
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


def anchors(labels, names, provinces, by_hand):
    """Rows of anchors.csv, in the order of the provinces."""
    rows = []
    for province in provinces:
        inside = largest(labels == names[province["id"]])
        # What lies at the very edge is under the frame.
        inside[:MARGIN], inside[-MARGIN:], inside[:, :MARGIN], inside[:, -MARGIN:] = False, False, False, False
        top, left = (int(axis.min()) for axis in np.nonzero(inside))
        bottom, right = (int(axis.max()) + 1 for axis in np.nonzero(inside))
        spots = province_spots(province, inside[top:bottom, left:right])
        row = [province["id"]]
        for kind, point in zip(("unit", "label", "centre", "dislodged"), spots, strict=True):
            found = ("", "") if point is None else (int(point[0]) + left, int(point[1]) + top)
            row += by_hand.get(province["id"], {}).get(kind, found)
        rows.append(row)
    return rows


def largest(mask):
    """The largest part of a mask: a province without its islets."""
    parts, count = ndimage.label(mask)
    sizes = ndimage.sum_labels(np.ones_like(parts), parts, np.arange(1, count + 1))
    return parts == sizes.argmax() + 1


def province_spots(province, inside):
    """Unit, label, centre (or None) and dislodged unit of one province, in pixels of its window."""
    words = province["name"].split()
    block = (max(max(map(len, words)) * 13, LABEL_BOX[0]), LABEL_BOX[1] + 26 * len(words))
    share = clearances(inside)
    block = next((box for box in (block, LABEL_BOX) if share(*box).max() > 0.96), LABEL_BOX)
    unit, (label_x, block_y) = best_spots(inside, block)
    label = (label_x, block_y - block[1] // 2 + LABEL_BOX[1] // 2)
    taken = [(*unit, UNIT_RADIUS, UNIT_RADIUS), (label_x, block_y, block[0] / 2, block[1] / 2)]
    centre = None
    if province["centre"] == "yes":
        centre = best_point(inside, 30, taken, (label[0] + LABEL_BOX[0] / 2 + 14, label[1]), 0.012)
    away = best_point(inside, 2 * UNIT_RADIUS - 6, taken[:1], (unit[0] + 44, unit[1] - 20), 0.02)
    return unit, label, centre, away


def preview(labels, names, path):
    """A plain picture to judge the drawing by."""
    palette = np.random.default_rng(4).integers(110, 240, (256, 3)).astype(np.uint8)
    palette[VOID] = (40, 30, 60)
    picture = palette[labels]
    edge = np.zeros(labels.shape, bool)
    edge[:, 1:] |= labels[:, 1:] != labels[:, :-1]
    edge[1:] |= labels[1:] != labels[:-1]
    picture[edge] = (30, 30, 30)
    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image)
    for name, number in names.items():
        row, column = ndimage.center_of_mass(labels == number)
        draw.text((column, row), name, fill=(0, 0, 0), font=ImageFont.load_default(22), anchor="mm")
    image.save(path)


def main():
    """Build the picture and say what is wrong with it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preview", type=Path)
    arguments = parser.parse_args()
    data, provinces, by_hand = load()
    labels, names = drawing(data, provinces)
    report(labels, names)
    if arguments.preview:
        preview(labels, names, arguments.preview)
    with (ASSETS / "anchors.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(
            ["place", "unit_x", "unit_y", "label_x", "label_y", "centre_x", "centre_y", "dislodged_x", "dislodged_y"]
        )
        writer.writerows(anchors(labels, names, provinces, by_hand))
    regions = Image.fromarray(np.where(labels == VOID, 0, labels).astype(np.uint8), "L").convert("P")
    regions.putpalette(np.repeat((np.arange(256) * 3 % 256).astype(np.uint8), 3).tobytes())
    regions.save(ASSETS / "regions.png", optimize=True)


if __name__ == "__main__":
    main()
