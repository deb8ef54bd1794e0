"""Where things stand at a place: its first unit in the middle, further units and signs in the free room around it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from bot.render.basemap import Anchor, Basemap, Region
from engine.core.ids import PlaceId, province_of
from engine.lattice.tiling import Point
from engine.pictures.scene import Arrow, ArrowKind, Mark, Scene, UnitMark

_Circle = tuple[Point, float]

_AROUND: tuple[Point, ...] = (
    (-1.5, -0.62), (1.5, -0.62), (-1.5, 0.72), (1.5, 0.72), (0.0, -1.85), (0.0, 1.85), (-2.15, 0.0), (2.15, 0.0),
    (-1.1, -1.9), (1.1, -1.9), (-1.1, 1.9), (1.1, 1.9),
)  # fmt: skip
"""Where something may stand next to a unit, in the unit's radii; the best place is taken."""
STACK_STEP = 0.52
"""How far apart units of the same kind are, one behind the other, in radii: to the right and up."""
_ON_THE_UNIT: dict[str, Point] = {"barred": (0.0, -0.1), "horde": (0.78, -0.72)}


@dataclass(frozen=True, slots=True)
class Spots:
    """The middle of everything that stands on the map, in pixels of regions.png."""

    units: dict[UnitMark, Point] = field(default_factory=dict)
    marks: dict[Mark, Point] = field(default_factory=dict)
    builds: dict[Arrow, Point] = field(default_factory=dict)


def spots(scene: Scene, basemap: Basemap, signs: Collection[str]) -> Spots:
    """Find a place for everything. Signs of places come first, so that they stay where they are from phase to phase.

    Args:
        signs: the kinds of marks that stand where there is room.
    """
    found = Spots()
    radius = basemap.style.sizes["unit"]
    taken: defaultdict[str, list[_Circle]] = defaultdict(list)
    given = basemap.style.decorations.get("signs", {})
    for mark in scene.marks:
        province = province_of(mark.place)
        if mark.kind not in signs or province not in basemap.provinces:
            continue
        if mark.kind in _ON_THE_UNIT:
            at = basemap.anchors[province].unit
            away = _ON_THE_UNIT[mark.kind]
            found.marks[mark] = (at[0] + away[0] * radius, at[1] + away[1] * radius)
        elif province in given and not taken[province]:
            found.marks[mark] = (given[province][0], given[province][1])
            taken[province].append((found.marks[mark], radius * 0.62))
        else:
            found.marks[mark] = _free(basemap, province, taken[province], 0.62)
    for province in {province_of(unit.place) for unit in scene.units if unit.is_dislodged}:
        if province in basemap.anchors:
            taken[province].append((basemap.anchors[province].dislodged, radius))
    occupied: set[tuple[str, bool]] = set()
    for unit in scene.units:
        province = province_of(unit.place)
        if province not in basemap.anchors:
            continue
        anchor = basemap.anchors.get(unit.place, basemap.anchors[province])
        if (province, unit.is_dislodged) in occupied:
            size = basemap.style.scales.get(unit.kind, 1.0)
            found.units[unit] = _free(basemap, province, taken[province], 1.05 * size)
        else:
            found.units[unit] = anchor.dislodged if unit.is_dislodged else anchor.unit
        occupied.add((province, unit.is_dislodged))
    for arrow in scene.arrows:
        if arrow.kind is ArrowKind.BUILD and province_of(arrow.start) in basemap.anchors:
            province = province_of(arrow.start)
            is_free = (province, False) not in occupied
            found.builds[arrow] = _of_build(basemap, found, arrow, taken[province], is_free=is_free)
            occupied.add((province, False))
    return found


def tie(basemap: Basemap, place: str, spot: Point) -> Point | None:
    """Where in its own land a token that found room only outside is tied; `None`: it is inside."""
    province = province_of(PlaceId(place))
    region = basemap.provinces[province]
    if _region_at(basemap, spot) == region.number:
        return None
    end = basemap.anchors.get(place, basemap.anchors[province]).unit
    far = math.dist(spot, end)
    for step in range(0, math.ceil(far), 2):
        at = spot[0] + (end[0] - spot[0]) * step / far, spot[1] + (end[1] - spot[1]) * step / far
        if _region_at(basemap, at) == region.number:
            return at
    return end


def _of_build(basemap: Basemap, found: Spots, build: Arrow, taken: list[_Circle], *, is_free: bool) -> Point:
    """Where a unit is built: in the middle if nothing is there, behind one of its kind, or beside what there is."""
    province = province_of(build.start)
    if is_free:
        return basemap.anchors.get(build.start, basemap.anchors[province]).unit
    for unit, at in found.units.items():
        if _is_alike(unit, build):
            step = basemap.style.sizes["unit"] * STACK_STEP * unit.count
            return at[0] + step, at[1] - step
    return _free(basemap, province, taken, 1.05 * basemap.style.scales.get(build.unit_kind, 1.0))


def _is_alike(unit: UnitMark, build: Arrow) -> bool:
    """Whether what is built joins a unit of the same kind."""
    return (unit.power, unit.kind, unit.place) == (build.power, build.unit_kind, build.start)


def _free(basemap: Basemap, province: str, taken: list[_Circle], size: float) -> Point:
    """Take the best free spot around the unit."""
    anchor = basemap.anchors[province]
    radius = basemap.style.sizes["unit"]
    choices = [(anchor.unit[0] + x * radius, anchor.unit[1] + y * radius) for x, y in _AROUND]
    choices.append(anchor.dislodged)
    region = basemap.provinces[province]
    best = min(choices, key=lambda spot: _cost(basemap, region, anchor, taken, spot, radius * size))
    taken.append((best, radius * size))
    return best


def _cost(
    basemap: Basemap, region: Region, anchor: Anchor, taken: Sequence[_Circle], spot: Point, reach: float
) -> float:
    """How bad a spot is: what it covers, and how much of it is outside its region."""
    sizes = basemap.style.sizes
    turns = [turn * math.pi / 4 for turn in range(8)]
    edge = [(spot[0] + reach * math.cos(turn), spot[1] + reach * math.sin(turn)) for turn in turns]
    cost = sum(0.6 for point in edge if _region_at(basemap, point) != region.number)
    obstacles = [*taken, (anchor.unit, sizes["unit"])]
    if anchor.centre is not None:
        obstacles.append((anchor.centre, sizes["centre"]))
    cost += sum(7.0 * max(0.0, 1 - math.dist(spot, at) / (reach + other)) for at, other in obstacles)
    across, down = abs(spot[0] - anchor.label[0]), spot[1] - anchor.label[1]
    if across < reach + 30 and abs(down) < reach + 14:
        cost += 4.0
    # The name may be written below, a line for each word.
    elif across < reach + 36 and 0 < down < reach + 14 + sizes["name"] * len(region.name.split()):
        cost += 1.0
    return cost


def _region_at(basemap: Basemap, point: Point) -> int:
    """The number of the region at a point; -1 outside of the map and under its frame."""
    x, y = round(point[0]), round(point[1])
    width, height = basemap.size
    if not (14 <= x < width - 14 and 14 <= y < height - 14):
        return -1
    value = basemap.regions.getpixel((x, y))
    return int(value) if isinstance(value, (int, float)) else -1
