"""Coasts, heights and vegetation of a world, from noise over all its small fields. Source: rules 12.1, R-094"""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.dice import Dice
from engine.kalevala.tables import TERRAIN
from engine.kalevala.world.mesh import MOUNTAINS, WATER, Mesh, quantile
from engine.kalevala.world.noise import Noise
from engine.lattice.great_fields import CELLS

LEAST_LAND = 12
"""How many small fields of land a great field that is not pure water has. Source: rules R-094"""
_ENOUGH_LAND = 24
_HOME_LAND = 32
_LEAST_OPEN = 20
_LEAST_PART = 5
"""The fewest small fields of a province that is cut off; smaller ones are joined or drowned."""
_COAST = 4
# Shares of the land.
_MOUNTAINS, _BERGLAND, _HIGHLAND = 0.035, 0.10, 0.24
_FOREST, _DESERT, _SWAMP, _JUNGLE, _ICE = 0.34, 0.05, 0.05, 0.03, 0.04
_FADE = 6
"""Within how many steps of a home hazards fade away."""
_FORESTS = {"T": "t", "H": "h", "B": "b"}
_DESERTS = {"T": "D", "H": "E", "B": "C"}
_ICES = {"T": "I", "H": "J", "B": "K"}
_SWAMPS = {"T": "S", "H": "U"}
_JUNGLES = {"T": "M", "H": "V"}


def shape(mesh: Mesh, dice: Dice) -> list[float]:
    """Give every small field its terrain. Returns the heights, which decide how waters flow."""
    regions = mesh.regions
    sea = [at for field in sorted(regions.sea) for at in mesh.cells(field)]
    home = [at for field in sorted(regions.settled) for at in mesh.cells(field)]
    capitals = [at for own in regions.homes for at in mesh.cells(own[0])]
    from_sea, from_home = mesh.steps_from(sea, 6), mesh.steps_from(home, _FADE)
    _draw_coasts(mesh, dice, from_sea, from_home)
    from_water = mesh.steps_from((at for at in range(len(mesh)) if mesh.letters[at] == WATER), 5)
    heights = _heights(mesh, dice, from_water)
    _raise(mesh, heights, from_home)
    for at in capitals:
        if mesh.letters[at] in "BG":
            mesh.letters[at] = "H"
    _smooth(mesh)
    mend(mesh)
    _cover(mesh, dice, heights, from_home, from_water)
    return heights


def _draw_coasts(mesh: Mesh, dice: Dice, from_sea: list[int], from_home: list[int]) -> None:
    """The sea cuts bays into the land next to it, and there are lakes here and there."""
    bays, lakes = (
        Noise(dice, name, widths).over(mesh.points) for name, widths in (("bays", (7, 3)), ("lakes", (9, 4)))
    )
    wet = [0.0] * len(mesh)
    for at in range(len(mesh)):
        if from_sea[at] <= 5:
            wet[at] = 1.25 + 6 * (bays[at] - 0.42) - from_sea[at]
        elif from_home[at]:
            wet[at] = 8 * (lakes[at] - 0.86)
        else:
            wet[at] = -1
    for field in range(len(mesh.regions.fields)):
        cells = mesh.cells(field)
        if field in mesh.regions.sea:
            for at in cells:
                mesh.letters[at] = WATER
            continue
        least = _HOME_LAND if field in mesh.regions.settled else _ENOUGH_LAND
        wettest = sorted((at for at in cells if wet[at] > 0), key=lambda at: (-wet[at], at))
        for at in wettest[: CELLS - least]:
            mesh.letters[at] = WATER


def _heights(mesh: Mesh, dice: Dice, from_water: list[int]) -> list[float]:
    """Hills, with ridges in chains between them; coasts lie low."""
    hills = Noise(dice, "hills", (22, 11, 5.5, 2.75)).over(mesh.points)
    ridges = Noise(dice, "ridges", (26, 9)).over(mesh.points)
    found = []
    for at in range(len(mesh)):
        ridge = 1 - abs(2 * ridges[at] - 1)
        found.append(0.6 * hills[at] + 0.4 * ridge * ridge - 0.05 * max(0, _COAST - from_water[at]))
    return found


def _raise(mesh: Mesh, heights: list[float], from_home: list[int]) -> None:
    dry = [at for at in range(len(mesh)) if mesh.letters[at] != WATER]
    mountains = quantile([heights[at] for at in dry], _MOUNTAINS)
    bergland = quantile([heights[at] for at in dry], _MOUNTAINS + _BERGLAND)
    highland = quantile([heights[at] for at in dry], _MOUNTAINS + _BERGLAND + _HIGHLAND)
    for at in dry:
        height = heights[at]
        if height > mountains and from_home[at]:
            mesh.letters[at] = MOUNTAINS
        elif height > bergland:
            mesh.letters[at] = "B"
        elif height > highland:
            mesh.letters[at] = "H"


def _smooth(mesh: Mesh) -> None:
    """Lower what is more than one level above the land next to it."""
    by_level = {1: "T", 2: "H", 3: "B", 4: MOUNTAINS}
    for _ in range(3):
        for at in range(len(mesh)):
            level = TERRAIN[mesh.letters[at]].level
            if level > 2:
                beside = [TERRAIN[mesh.letters[other]].level for other in mesh.around(at)]
                lowest = min((each for each in beside if each), default=level)
                if level > lowest + 1:
                    mesh.letters[at] = by_level[lowest + 1]


def mend(mesh: Mesh) -> None:
    """Join or drown parts that are cut off and too small, and keep homes whole."""
    for field in range(len(mesh.regions.fields)):
        if field not in mesh.regions.sea:
            _mend_field(mesh, field, is_home=field in mesh.regions.settled)


def _mend_field(mesh: Mesh, field: int, *, is_home: bool) -> None:
    while True:
        parts = mesh.parts(field)
        if sum(map(len, parts)) < _LEAST_OPEN:
            _turn(mesh, [at for at in mesh.cells(field) if mesh.letters[at] == MOUNTAINS], "B")
            parts = mesh.parts(field)
        small = [part for part in parts[1:] if is_home or len(part) < _LEAST_PART]
        if not small:
            return
        part = small[-1]
        own = set(mesh.cells(field))
        walls = {other for at in part for other in mesh.around(at) if other in own and mesh.letters[other] == MOUNTAINS}
        if walls:
            _turn(mesh, walls, "B")
        elif sum(map(len, parts)) - len(part) >= LEAST_LAND:
            _turn(mesh, part, WATER)
        else:
            shore = {other for at in part for other in mesh.around(at) if other in own}
            _turn(mesh, shore, "T")


def _turn(mesh: Mesh, cells: Iterable[int], letter: str) -> None:
    for at in cells:
        if not mesh.is_land(at) or letter == WATER:
            mesh.letters[at] = letter


def _cover(mesh: Mesh, dice: Dice, heights: list[float], from_home: list[int], from_water: list[int]) -> None:
    """Forests, and in stretches far from homes deserts in the south, ice in the north, swamps and jungle."""
    points = mesh.points
    woods = Noise(dice, "woods", (11, 5, 2.5)).over(points)
    rain = Noise(dice, "rain", (24, 12, 5)).over(points)
    mires = Noise(dice, "mires", (12, 5)).over(points)
    cold = Noise(dice, "cold", (26, 8)).over(points)
    north, south = min(y for _, y in points), max(y for _, y in points)
    land = [at for at in range(len(mesh)) if mesh.letters[at] in "THB"]
    southern = {at: (points[at][1] - north) / max(1.0, south - north) for at in land}
    fade = {at: 0.25 * max(0, _FADE - from_home[at]) / _FADE for at in land}
    low = {at: 0.3 * (1 - heights[at]) for at in land}
    wooded = {at: woods[at] for at in land}
    dry = {at: 0.4 * southern[at] - rain[at] - fade[at] for at in land}
    icy = {at: cold[at] - 0.9 * southern[at] - fade[at] for at in land}
    marshy = {at: mires[at] + low[at] - fade[at] for at in land}
    jungly = {at: rain[at] + 0.5 * southern[at] - 0.05 * from_water[at] - fade[at] for at in land}
    for values, share, covers in (
        (wooded, _FOREST, _FORESTS),
        (jungly, _JUNGLE, _JUNGLES),
        (marshy, _SWAMP, _SWAMPS),
        (dry, _DESERT, _DESERTS),
        (icy, _ICE, _ICES),
    ):
        limit = quantile(list(values.values()), share)
        for at in land:
            bare = _BARE[mesh.letters[at]]
            hazard = covers is not _FORESTS
            if values[at] > limit and bare in covers and not (hazard and not from_home[at]):
                mesh.letters[at] = covers[bare]


_BARE = {covered: bare for covers in (_FORESTS, _DESERTS, _ICES, _SWAMPS, _JUNGLES) for bare, covered in covers.items()}
_BARE |= {bare: bare for bare in "THB"}
