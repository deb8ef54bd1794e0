"""What the drawings of maps have in common: rough ground, smooth regions, a check against borders.csv, and anchors.

The scripts `assets/<system>/source/build.py` import it; the bot never does. Needs numpy, scipy and Pillow, which are
installed by hand. A drawing is an array of region numbers (rows of provinces.csv, counted from 1), `names` tells the
number of each province, a point is (x, y) in pixels.
"""

import csv
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scipy import ndimage
from scipy.spatial import cKDTree

LEAST_BORDER_PX = 18
MARGIN = 16
ANCHORS = ("unit", "label", "centre", "dislodged")


@dataclass(frozen=True)
class Sizes:
    """What takes room on the map, in pixels: half a unit's width, the box of an id, the boxes that a unit and a
    centre's sign would like to have free, and how much of a label's box must lie inside."""

    unit: int = 29
    label: tuple[int, int] = (62, 30)
    unit_box: int = 64
    centre_box: int = 30
    least: float = 0.96


def read_rows(path):
    """The rows of a table."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_borders(folder):
    """The pairs of provinces that border on each other."""
    rows = read_rows(folder / "borders.csv")
    return {frozenset(row[key].partition("/")[0] for key in "ab") for row in rows}


def numbers_of(provinces):
    """The region number of each province."""
    return {row["id"]: number for number, row in enumerate(provinces, start=1)}


# The ground


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


def seeded(seeds, points):
    """The number of the nearest seed's province at each point.

    Args:
        seeds: (x, y) and number of each.
        points: an array that ends in (x, y).
    """
    tree = cKDTree(np.array([seed for seed, _ in seeds], float))
    _, nearest = tree.query(points.reshape(-1, 2), workers=1)
    owners = np.array([number for _, number in seeds], np.int16)
    return owners[nearest].reshape(points.shape[:-1])


def enlarged(points, lenses):
    """Where on the unbent ground the points are, if it is seen through lenses: (x, y, radius, strength) of each."""
    for middle_x, middle_y, radius, strength in lenses:
        away = points - (middle_x, middle_y)
        points = points - away * strength * np.exp(-(away**2).sum(axis=-1) / (2 * radius**2))[..., None]
    return points


# The regions


def smoothed(labels, radius=2):
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


def without_corners(labels, wanted, names, *, beside=(), least=60):
    """Take away the short contacts of regions that do not border on each other: a third one grows between them.

    Args:
        wanted: the pairs that border.
        beside: numbers that are no province.
        least: contacts longer than this many pixels are left, for `report` to tell.
    """
    ids = {number: name for name, number in names.items()}
    result = labels.copy()
    for (one, two), count in contacts(labels).items():
        if {one, two} & set(beside) or frozenset((ids[one], ids[two])) in wanted or count > least:
            continue
        touch = ndimage.binary_dilation(result == one) & (result == two)
        touch |= ndimage.binary_dilation(result == two) & (result == one)
        spot = ndimage.binary_dilation(touch, iterations=4)
        others = np.unique(result[ndimage.binary_dilation(spot, iterations=3)])
        neighbours = [
            number
            for number in others
            if number not in (one, two, *beside)
            and frozenset((ids[number], ids[one])) in wanted
            and frozenset((ids[number], ids[two])) in wanted
        ]
        if neighbours:
            result[spot & np.isin(result, (one, two))] = neighbours[0]
    return result


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


def largest(mask):
    """The largest part of a mask: a province without its islets."""
    parts, count = ndimage.label(mask)
    sizes = ndimage.sum_labels(np.ones_like(parts), parts, np.arange(1, count + 1))
    return parts == sizes.argmax() + 1


def report(labels, names, wanted, beside=()):
    """Print where the drawing and the borders differ, but for regions beside the board (names or numbers)."""
    ids = {number: name for name, number in names.items()}
    found = {frozenset((ids.get(a, a), ids.get(b, b))): count for (a, b), count in contacts(labels).items()}
    drawn = {pair: count for pair, count in found.items() if not pair & set(beside)}
    for pair in sorted(wanted, key=sorted):
        if drawn.get(pair, 0) < LEAST_BORDER_PX:
            print("missing or short:", *sorted(pair), drawn.get(pair, 0))
    for pair, count in sorted(drawn.items(), key=lambda item: sorted(item[0])):
        if pair not in wanted:
            print("not wanted:", *sorted(pair), count)
    for name, number in names.items():
        if not (labels == number).any():
            print("no pixels:", name)


# Where things stand


def clearances(inside):
    """A function (width, height) -> share of a box of that size around each pixel that is inside."""
    padded = np.pad(inside, 200).astype(np.float32)

    def share(width, height):
        return ndimage.uniform_filter(padded, (height, width))[200:-200, 200:-200]

    return share


def best_spots(inside, block, sizes, step=4):
    """Where in a region the unit and its label block stand: ((x, y) of the unit, (x, y) of the block)."""
    share = clearances(inside)
    room = ndimage.distance_transform_edt(np.pad(inside, 1))[1:-1, 1:-1]
    pole = np.unravel_index(ndimage.gaussian_filter(room, 8).argmax(), room.shape)
    unit_fit = share(sizes.unit_box, sizes.unit_box)[::step, ::step]
    block_fit = share(*block)[::step, ::step]
    wide, high = block[0] / 2 + sizes.unit + 4, block[1] / 2 + sizes.unit + 8
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


def best_block(inside, blocks, sizes):
    """The first block that has room, or the box of an id."""
    share = clearances(inside)
    return next((box for box in blocks if share(*box).max() > sizes.least), sizes.label)


def province_spots(inside, block, sizes, *, has_centre):
    """Unit, label, centre (or None) and dislodged unit of a province, in pixels of its window."""
    unit, (label_x, block_y) = best_spots(inside, block, sizes)
    label = (label_x, block_y - block[1] // 2 + sizes.label[1] // 2)
    taken = [(*unit, sizes.unit, sizes.unit), (label_x, block_y, block[0] / 2, block[1] / 2)]
    centre = None
    if has_centre:
        centre = best_point(inside, sizes.centre_box, taken, (label[0] + sizes.label[0] / 2 + 14, label[1]), 0.012)
    away = best_point(inside, 2 * sizes.unit - 6, taken[:1], (unit[0] + 44, unit[1] - 20), 0.02)
    return unit, label, centre, away


def anchor_rows(labels, names, provinces, by_hand, spots_of, part: Callable = np.asarray):
    """Rows of anchors.csv in the order of the provinces, each one's coasts after it.

    Args:
        by_hand: by place, where its things stand that found no good place by themselves.
        spots_of: (province, its mask in a window, the window's corner) -> by place, the points of `ANCHORS` in it.
        part: which part of a region counts.
    """
    rows = []
    for province in provinces:
        inside = part(labels == names[province["id"]])
        # What lies at the very edge is under the frame.
        inside[:MARGIN], inside[-MARGIN:], inside[:, :MARGIN], inside[:, -MARGIN:] = False, False, False, False
        top, left = (int(axis.min()) for axis in np.nonzero(inside))
        bottom, right = (int(axis.max()) + 1 for axis in np.nonzero(inside))
        for place, spots in spots_of(province, inside[top:bottom, left:right], (left, top)).items():
            row = [place]
            for kind, point in zip(ANCHORS, spots, strict=True):
                found = ("", "") if point is None else (int(point[0]) + left, int(point[1]) + top)
                row += by_hand.get(place, {}).get(kind, found)
            rows.append(row)
    return rows


# Files


def write_anchors(path, rows):
    """Write anchors.csv."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["place", *(f"{kind}_{axis}" for kind in ANCHORS for axis in "xy")])
        writer.writerows(rows)


def write_regions(path, labels):
    """Write regions.png, with greys that tell neighbours apart."""
    regions = Image.fromarray(labels.astype(np.uint8), "L").convert("P")
    regions.putpalette(np.repeat((np.arange(256) * 3 % 256).astype(np.uint8), 3).tobytes())
    regions.save(path, optimize=True)


def preview(labels, names, path, *, seas=(), painted=()):
    """A plain picture to judge the drawing by.

    Args:
        seas: numbers that are painted as water.
        painted: masks or numbers with the colour over it.
    """
    palette = np.random.default_rng(4).integers(110, 240, (256, 3)).astype(np.uint8)
    for number in seas:
        palette[number] = (150 + number % 5 * 12, 185 + number % 3 * 10, 225)
    picture = palette[labels]
    for what, colour in painted:
        picture[labels == what if isinstance(what, int) else what] = colour
    edge = np.zeros(labels.shape, bool)
    edge[:, 1:] |= labels[:, 1:] != labels[:, :-1]
    edge[1:] |= labels[1:] != labels[:-1]
    picture[edge] = (30, 30, 30)
    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image)
    for name, number in names.items():
        if (labels == number).any():
            row, column = ndimage.center_of_mass(labels == number)
            draw.text((column, row), name, fill=(0, 0, 0), font=ImageFont.load_default(22), anchor="mm")
    image.save(path)
