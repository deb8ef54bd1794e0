"""Cut Europe out of Natural Earth's 1:50m countries (TopoJSON of the npm package world-atlas): natural_earth.json.

    python extract.py countries-50m.json

Run by hand, once. Keeps the land as rings and each common border of two countries as lines, in degrees.
"""

import json
import sys
from pathlib import Path

WEST, EAST, SOUTH, NORTH = -32.0, 62.0, 24.0, 76.0


def decoded(topology):
    """The arcs as lists of (longitude, latitude)."""
    (scale_x, scale_y), (move_x, move_y) = (topology["transform"][key] for key in ("scale", "translate"))
    arcs = []
    for arc in topology["arcs"]:
        x = y = 0
        points = []
        for step_x, step_y in arc:
            x, y = x + step_x, y + step_y
            points.append((round(x * scale_x + move_x, 3), round(y * scale_y + move_y, 3)))
        arcs.append(points)
    return arcs


def rings_of(geometry):
    """All rings of a Polygon or MultiPolygon, as lists of arc numbers."""
    if geometry["type"] == "Polygon":
        return geometry["arcs"]
    return [ring for polygon in geometry.get("arcs", []) for ring in polygon]


def is_inside(points):
    """Whether any of it lies in our part of the world."""
    return any(WEST < x < EAST and SOUTH < y < NORTH for x, y in points)


def main():
    """Read the topology named on the command line, write the extract beside this file."""
    topology = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    arcs = decoded(topology)
    users = {}
    for country in topology["objects"]["countries"]["geometries"]:
        for ring in rings_of(country):
            for number in ring:
                users.setdefault(number if number >= 0 else ~number, set()).add(country["properties"]["name"])
    borders = {}
    for number, names in users.items():
        if len(names) == 2 and is_inside(arcs[number]):
            borders.setdefault("|".join(sorted(names)), []).append(arcs[number])
    land = []
    for ring in rings_of(topology["objects"]["land"]["geometries"][0]):
        points = []
        for number in ring:
            arc = arcs[number] if number >= 0 else arcs[~number][::-1]
            points += arc if not points else arc[1:]
        if is_inside(points):
            land.append(points)
    extract = {"land": land, "borders": dict(sorted(borders.items()))}
    text = json.dumps(extract, separators=(",", ":"), ensure_ascii=False)
    Path(__file__).with_name("natural_earth.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
