"""Make the map of Feudal Europe from the standard board's drawing: its land, numbered anew, in unnamed water.

    python build.py

Run it again whenever one of the two drawings' sources changes. `[by_hand]` of placing.toml moves single anchors.
"""

import csv
import tomllib
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
TARGET = HERE.parent / "standard"
SOURCE = HERE.parents[1] / "diplomacy" / "standard"
BLANK, WATER = 0, 255
# Half the sizes of what stands on the map, and how far from its unit a castle may stand.
CASTLE, UNIT, LABEL, REACH = 23, 30, (31, 15), 110


def rows(path):
    """The rows of a table."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def numbering():
    """The new number for each of the old drawing's: land keeps its province, every sea is just water."""
    mine = {row["id"]: number for number, row in enumerate(rows(TARGET / "provinces.csv"), start=1)}
    table = [BLANK] * 256
    for number, row in enumerate(rows(SOURCE / "provinces.csv"), start=1):
        table[number] = mine.get(row["id"], WATER if row["kind"] == "sea" else BLANK)
    return table


def regions():
    """The drawing in the new numbers."""
    with Image.open(SOURCE / "regions.png") as picture:
        old = Image.frombytes("L", picture.size, picture.tobytes())
    new = Image.frombytes("P", old.size, old.point(numbering()).tobytes())
    new.putpalette([value * 3 % 256 for value in range(256) for _ in range(3)])
    return new


def anchors():
    """Where things stand on the old board."""
    mine = {row["id"] for row in rows(TARGET / "provinces.csv")}
    for row in rows(SOURCE / "anchors.csv"):
        if row["place"] in mine:
            yield row


def move(row, by_hand, kind):
    """Put one kind of thing where a hand has put it."""
    if kind in by_hand.get(row["place"], {}):
        row[f"{kind}_x"], row[f"{kind}_y"] = by_hand[row["place"]][kind]


def boxes(placed):
    """What takes room on the map, as (left, top, right, bottom): units with their crowns, and labels."""
    for row in placed:
        x, y = int(row["unit_x"]), int(row["unit_y"])
        yield x - UNIT, y - UNIT - 14, x + UNIT, y + UNIT + 4
        x, y = int(row["label_x"]), int(row["label_y"])
        yield x - LABEL[0], y - LABEL[1], x + LABEL[0], y + LABEL[1]


def with_room_for_castles(placed, picture):
    """Move the centres to where a castle covers least of units, labels and the neighbours' land."""
    drawn = Image.frombytes("L", picture.size, picture.tobytes())
    numbers = {row["id"]: number for number, row in enumerate(rows(TARGET / "provinces.csv"), start=1)}
    taken = list(boxes(placed))
    for row in placed:
        if not row["centre_x"]:
            continue
        wish = int(row["unit_x"]), int(row["unit_y"])
        spots = [
            (x, y)
            for x in range(max(wish[0] - REACH, CASTLE), min(wish[0] + REACH, picture.width - CASTLE), 3)
            for y in range(max(wish[1] - REACH, CASTLE), min(wish[1] + REACH, picture.height - CASTLE), 3)
        ]
        at = max(spots, key=lambda spot: worth(drawn, numbers[row["place"]], taken, spot, wish))
        row["centre_x"], row["centre_y"] = at


def worth(drawn, number, taken, spot, wish):
    """How good a place for a castle is."""
    x, y = spot
    counts = drawn.crop((x - CASTLE, y - CASTLE, x + CASTLE, y + CASTLE)).histogram()
    share = counts[number] / (2 * CASTLE) ** 2
    elsewhere = 1 - share - counts[WATER] / (2 * CASTLE) ** 2
    far = ((x - wish[0]) ** 2 + (y - wish[1]) ** 2) ** 0.5
    result = 6 * share - 4 * elsewhere - 0.012 * far - (9 if share < 0.5 else 0)
    for left, top, right, bottom in taken:
        across = min(x + CASTLE, right) - max(x - CASTLE, left)
        down = min(y + CASTLE, bottom) - max(y - CASTLE, top)
        if across > 0 and down > 0:
            result -= 0.35 * min(across, down) + 0.3
    return result


def main():
    """Write regions.png, waters.png and anchors.csv."""
    picture = regions()
    picture.save(TARGET / "regions.png", optimize=True)
    (TARGET / "waters.png").write_bytes((SOURCE / "waters.png").read_bytes())
    placed = list(anchors())
    with (HERE / "placing.toml").open("rb") as file:
        by_hand = tomllib.load(file)["by_hand"]
    for row in placed:
        for kind in ("unit", "label", "dislodged"):
            move(row, by_hand, kind)
    with_room_for_castles(placed, picture)
    for row in placed:
        move(row, by_hand, "centre")
    with (TARGET / "anchors.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(placed[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(placed)


if __name__ == "__main__":
    main()
