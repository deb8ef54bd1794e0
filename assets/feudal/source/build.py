"""Make the map of Feudal Europe from the drawing of Diplomacy's standard board: its land, numbered anew, in unnamed water.

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
COLUMNS = {"unit": ("unit_x", "unit_y"), "label": ("label_x", "label_y"), "centre": ("centre_x", "centre_y")}
COLUMNS["dislodged"] = ("dislodged_x", "dislodged_y")


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
    """Where things stand: as on the old board, but for what was moved by hand."""
    with (HERE / "placing.toml").open("rb") as file:
        by_hand = tomllib.load(file)["by_hand"]
    mine = {row["id"] for row in rows(TARGET / "provinces.csv")}
    for row in rows(SOURCE / "anchors.csv"):
        if row["place"] in mine:
            for kind, point in by_hand.get(row["place"], {}).items():
                row.update(zip(COLUMNS[kind], point, strict=True))
            yield row


def main():
    """Write regions.png, waters.png and anchors.csv."""
    regions().save(TARGET / "regions.png", optimize=True)
    (TARGET / "waters.png").write_bytes((SOURCE / "waters.png").read_bytes())
    placed = list(anchors())
    with (TARGET / "anchors.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(placed[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(placed)


if __name__ == "__main__":
    main()
