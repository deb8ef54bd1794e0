"""Craft and what is aboard: `LS[2LB 1On]` is a longship with its load. Source: rules 9.3, 26.1"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from engine.kalevala.figures import (
    MONEY,
    Figures,
    format_figures,
    is_part,
    kind_of,
    load_of,
    minus,
    plus,
    team_of,
    with_loads,
    worth,
)
from engine.kalevala.tables import SPACE, Group

HOLDS: Mapping[str, int] = {"LS": 6, "SS": 8, "FS": 4}
"""How many REH each kind of craft has room for. Source: rules 26.1"""
BULKY = frozenset({"Bt", "Sk", "QuW"})
"""What can be aboard sailing ships only. Source: rules 26.1"""
CARRIER_OF_BULK = "SS"
STEERING = frozenset({"K", "Ag", "KrKö", "AgKö", "PrKö"})
"""Who can steer craft, apart from warriors. Ruling KA100"""


def is_craft(item: str) -> bool:
    """Whether an item is a craft, loaded or empty."""
    return kind_of(item).group is Group.SHIP


def craft_among(figures: Figures) -> Figures:
    """The craft of a stack."""
    return {item: count for item, count in figures.items() if is_craft(item)}


def on_land(figures: Figures) -> Figures:
    """A stack without its craft and what is aboard them."""
    return {item: count for item, count in figures.items() if not is_craft(item)}


def hull_of(item: str) -> str:
    """The craft without its load."""
    return kind_of(item).code


def with_load(hull: str, load: Figures) -> str:
    """A craft with a load."""
    return f"{hull}[{format_figures(load)}]" if any(load.values()) else hull


def laden(item: str, more: Figures) -> str:
    """The craft with more aboard."""
    return with_load(hull_of(item), plus(load_of(item), more))


def lightened(item: str, less: Figures) -> str:
    """The craft with less aboard."""
    return with_load(hull_of(item), minus(load_of(item), less))


@lru_cache(maxsize=10_000)
def _space(item: str) -> int:
    team = sum(team_of(item).values())
    return SPACE.get(kind_of(item).code, 1) + team


def space_of(load: Figures) -> int:
    """How many REH a load takes. Source: rules B2, 26.1"""
    return sum(_space(item) * count for item, count in load.items())


def holds(item: str) -> bool:
    """Whether a craft has room for its load, and may carry it. Source: rules 26.1"""
    hull, load = hull_of(item), load_of(item)
    if any(is_craft(each) for each in load):
        return False
    if hull != CARRIER_OF_BULK and any(kind_of(each).code in BULKY for each in load):
        return False
    return space_of(load) <= HOLDS[hull]


def is_steered(item: str) -> bool:
    """Whether somebody aboard can steer the craft. Ruling KA100"""
    return any(kind_of(each).is_warrior or kind_of(each).code in STEERING for each in load_of(item))


def carries_its_money(item: str) -> bool:
    """Whether those aboard can carry the RE aboard. Source: rules R-019, ruling KA100"""
    load = load_of(item)
    return load.get(MONEY, 0) <= sum(kind_of(each).carries * count for each, count in load.items())


def speed_of(figures: Figures) -> int:
    """How many great fields craft sail together: as far as the slowest. Source: rules 9.3"""
    return min((kind_of(item).speed for item in figures if is_craft(item)), default=0)


def voyage_flaw(figures: Figures) -> str | None:
    """Why craft can't put to sea: V20 for the load, V06 if nobody can steer, or carry the RE."""
    craft = craft_among(figures)
    if not all(map(holds, craft)):
        return "V20"
    if not all(is_steered(item) and carries_its_money(item) for item in craft):
        return "V06"
    return None


def landed(figures: Figures) -> Figures:
    """What is there once everybody has gone ashore: the figures, and the empty craft."""
    return with_loads(figures)


def manned(named: Figures, there: Figures) -> Figures:
    """The named craft with what is left of their loads, and the others of those figures that are there. Ruling KA290"""
    found, left = Counter[str](), Counter(there)
    for item in sorted(
        (item for item, count in named.items() for _ in range(count)), key=lambda item: item not in there
    ):
        if item in there or not is_craft(item):
            best = item
        else:
            like = (each for each in _each(left) if _may_be(each, item))
            best = max(like, key=lambda each: worth(load_of(each)), default=item)
        if left[best] > 0:
            found[best] += 1
            left[best] -= 1
    return dict(found)


def _may_be(craft: str, named: str) -> bool:
    """Whether a craft may be a named one that lost some of those aboard."""
    return hull_of(craft) == hull_of(named) and is_part(load_of(craft), load_of(named)) and is_steered(craft)


def found_aboard(figures: Figures, wanted: Figures) -> list[tuple[str, Figures]] | None:
    """Which craft the wanted figures leave, in written order, and what leaves each.

    `None` if they aren't aboard.
    """
    left = Counter(wanted)
    found: list[tuple[str, Figures]] = []
    for item in _each(figures):
        taken = {each: min(count, left[each]) for each, count in load_of(item).items() if left[each] > 0}
        if taken:
            left.subtract(taken)
            found.append((item, taken))
    return None if any(count > 0 for count in left.values()) else found


def _each(figures: Figures) -> Iterator[str]:
    for item in sorted(craft_among(figures)):
        for _ in range(figures[item]):
            yield item
