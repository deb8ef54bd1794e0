"""Loyalty: which provinces stay with a realm that has lost its ruler, and which go to marauders. Source: rules R-013"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala import books, realms
from engine.kalevala.board import marauders_of
from engine.kalevala.coordinates import Province, order_of
from engine.kalevala.figures import kind_of, with_loads
from engine.kalevala.kings.facts import is_king
from engine.kalevala.model import MARAUDER, Ruler
from engine.kalevala.steps.sailing import leave_craft
from engine.kalevala.trade.fiefs import open_to_claims
from engine.kalevala.window import Window, purpose

LOYAL = 10
"""What a province has to roll to stay loyal."""


@contextmanager
def with_capital(window: Window, ruler: PowerId) -> Iterator[None]:
    """While loyalty is tested, the trade centre by R-010 stands in for a capital just lost. Ruling KA280"""
    lost = window.rulers[ruler].capital
    best = next(iter(books.best_centres(window, ruler)), None)
    centre = None if best is None else window.centre(best)
    if lost is not None and window.capital_of(ruler) is None and centre is not None and centre.centre.arming:
        window.rulers[ruler] = replace(window.rulers[ruler], capital=best)
    yield
    window.rulers[ruler] = replace(window.rulers[ruler], capital=lost)


def try_loyalty(window: Window, ruler: PowerId) -> None:
    """Roll once for each province of the core realm except the capital; disloyal ones go, with their garrisons.

    They go to marauders whom the game already has: a new group would show everybody that a realm has broken up.
    Source: rules R-013, ruling KA76
    """
    if window.dice is None or window.gr <= window.rulers[ruler].loyal_until:
        return
    capital = window.capital_of(ruler)
    asked = sorted((place for place in realms.core_realm(window, ruler) if place != capital), key=order_of)
    lost = []
    for place in asked:
        thrown = window.dice.throw(f"loyal/{ruler}", purpose=purpose("loyal", ruler=ruler, place=place))
        if thrown.total < LOYAL:
            lost.append(place)
    if lost:
        go_over(window, ruler, lost)


def go_over(window: Window, ruler: PowerId, places: list[Province], words: str = "disloyal") -> PowerId:
    """Provinces become marauders', with all that is there except wizard and king. Returns which marauders."""
    group = group_of(window)
    for place in places:
        there = with_loads(window.stack(ruler, place))
        leave_craft(window, ruler, place, {item: count for item, count in there.items() if _stays_loyal(item)})
        for item, count in list(window.stack(ruler, place).items()):
            if _stays_loyal(item):
                _send_home(window, ruler, place, item, count, places)
                continue
            window.book(ruler, place, item, -count, "loyalty")
            window.book(group, place, item, count, "loyalty")
        window.owners[place] = group
        for rows in (window.newly, window.watch):
            rows.get(ruler, {}).pop(place, None)
        window.known.setdefault(ruler, set()).add(place)
    window.permits = [each for each in window.permits if each.giver != ruler or each.where not in places]
    window.tell("marauders", [ruler], {"group": group, "gf": places}, words=words, places=places)
    return group


def _stays_loyal(item: str) -> bool:
    return kind_of(item).code == "Z" or is_king(item)


def withdraw_permits(window: Window, ruler: PowerId) -> None:
    """What a ruler has permitted ends with the ruler. Source: rules 15.2, ruling KA277"""
    window.permits = [each for each in window.permits if each.giver != ruler]


def _send_home(window: Window, ruler: PowerId, place: Province, item: str, count: int, places: list[Province]) -> None:
    """A wizard or king stays with his ruler: he goes to the capital, else to the first province that is left."""
    homes = [home for home in window.owned(ruler) if home not in places]
    capital = window.capital_of(ruler)
    home = capital if capital in homes else next(iter(homes), None)
    if home is not None:
        window.shift(ruler, {item: count}, place, home, is_marked=False)


def group_of(window: Window) -> PowerId:
    """The marauders who hold the least land, the first if several do. If there are none, the variant's first."""
    names = marauders_of(window.state.variant)
    present = [name for name in names if name in window.rulers]
    if not present:
        window.join(names[0], Ruler(kind=MARAUDER, core="A"))
        return names[0]
    return min(present, key=lambda name: (len(window.owned(name)), present.index(name)))


def dissolve(window: Window, ruler: PowerId) -> None:
    """A realm that nobody has taken over becomes marauders' as a whole. Source: rules 8.6, R-012"""
    own = window.rulers[ruler]
    window.rulers[ruler] = replace(own, kind=MARAUDER, was="", protected=0)
    window.fiefs = [open_to_claims(fief, (ruler,)) for fief in window.fiefs]
    places = sorted(window.owned(ruler), key=order_of)
    window.tell("marauders", [ruler], {"group": ruler, "gf": places}, places=places)
