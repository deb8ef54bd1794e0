"""How far a realm reaches in a window: where its ruler may arm, what is connected with the capital.

Source: rules 4.4, 8.2, R-010, R-102, rulings KA204, KA209
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.ids import PowerId
from engine.kalevala.coordinates import Province, coordinate_of, gf_of, order_of
from engine.kalevala.figures import has_people, kind_of
from engine.kalevala.model import INVADER
from engine.kalevala.modules import has_module
from engine.kalevala.sea import waters
from engine.kalevala.tables import Group
from engine.kalevala.window import Window


def realm_of(window: Window, ruler: PowerId) -> list[Province]:
    """The provinces in which a ruler may arm: own ones; for invaders also known seas, and natives' land with their
    people. Source: rules 4.4, ruling KA209
    """
    found = set(window.owned(ruler))
    if window.rulers[ruler].kind == INVADER:
        found |= set(map(Province, window.modules.get("seas", {}).get(ruler, ())))
        taken = window.owners.keys() | window.contested.keys()
        found |= {place for place, own in window.stacks[ruler].items() if place not in taken and has_people(own)}
    return sorted(found, key=order_of)


def find_in_realm(window: Window, ruler: PowerId, named: Province) -> Province | None:
    """The province with this name, if the ruler may arm there."""
    if window.rulers[ruler].kind != INVADER:
        return window.find_own(ruler, named)
    realm = realm_of(window, ruler)
    own = window.own_place(ruler, named)
    return own if own in realm else next((place for place in realm if named in (place, gf_of(place))), None)


def core_realm(window: Window, ruler: PowerId) -> set[Province]:
    """The provinces connected with the capital; all of them if there is none. Source: rules 8.2, R-102

    Water is no hindrance if the ruler's craft on either shore can cross it in one round.
    """
    if window.rulers[ruler].kind == INVADER:
        return _invaders_core(window, ruler)
    own = set(window.owned(ruler))
    capital = window.capital_of(ruler)
    if capital is None:
        return own
    planes = _plane_capitals(window, ruler) if has_module(window.state, "planes") else {}
    realm = window.land.connected((capital, *planes.values(), *_beyond_portal(window, ruler, own)), own)
    crossings = _crossings(window, ruler, own) if realm != own else []
    is_growing = True
    while is_growing:
        beyond = {place for ends in crossings if ends & realm for place in ends} - realm
        realm |= window.land.connected(beyond, own)
        is_growing = bool(beyond)
    return realm


def _crossings(window: Window, ruler: PowerId, own: set[Province]) -> list[set[Province]]:
    """For each own province with craft, the province and those that they reach in one round over known waters.

    Source: ruling KA15.
    """
    found: list[set[Province]] = []
    for province in own:
        speeds = [kind_of(item).speed for item in window.stack(ruler, province) if kind_of(item).group is Group.SHIP]
        if speeds:
            _, known = window.sight(ruler)
            found.append({province} | (waters.over_water(known, province, max(speeds)) & own))
    return found


def _invaders_core(window: Window, ruler: PowerId) -> set[Province]:
    """The largest connected area of an invader's realm, over land and water; the first if several are equal.

    Rules 4.4
    """
    left = set(realm_of(window, ruler))
    best: set[Province] = set()
    for start in sorted(left, key=order_of):
        area = connected_by_water(window, start, left)
        left -= area
        best = max(best, area, key=len)
    return best


def connected_by_water(window: Window, start: Province, within: Iterable[Province]) -> set[Province]:
    """The provinces among some that can be reached from one over links, and over the seas among them."""
    left = set(within)
    frontier = [start] if start in left else []
    area = set(frontier)
    while frontier:
        here = frontier.pop()
        near = {place for place in left - area if _is_beside(window, here, place)}
        area |= near
        frontier += near
    return area


def _is_beside(window: Window, one: Province, other: Province) -> bool:
    is_sea = window.land.is_sea(one) or window.land.is_sea(other)
    return other in window.land.links(one) or (is_sea and waters.is_sailed(window.land, one, other))


def peoples_capital(window: Window, ruler: PowerId) -> Province | None:
    """Where the people's arming is set up: the capital, or the best trade centre of another chosen plane.

    Source: rules 8.2, ruling KA25
    """
    if not has_module(window.state, "planes"):
        return window.capital_of(ruler)
    return _plane_capitals(window, ruler).get(window.rulers[ruler].people, window.capital_of(ruler))


def is_peoples_plane(window: Window, ruler: PowerId, province: Province) -> bool:
    """Whether the people's arming can be set up on the plane of a province."""
    capital = peoples_capital(window, ruler)
    return capital is None or coordinate_of(capital).plane == coordinate_of(province).plane


def _plane_capitals(window: Window, ruler: PowerId) -> dict[int, Province]:
    """The capital of each plane: the ruler's own, and elsewhere the best trade centre. Source: rules 8.2, R-010"""
    found: dict[int, Province] = {}
    shards = _shards(window, ruler)
    places = [place for place in window.owned(ruler) if _value(window, place) and place not in shards]
    for place in sorted(places, key=lambda place: (-_value(window, place), order_of(place))):
        found.setdefault(coordinate_of(place).plane, place)
    capital = window.capital_of(ruler)
    return found if capital is None else {**found, coordinate_of(capital).plane: capital}


def _value(window: Window, province: Province) -> int:
    centre = window.centre(province)
    return 0 if centre is None else centre.centre.arming


def _shards(window: Window, ruler: PowerId) -> set[Province]:
    """The ruler's land on planes other than the capital's, reached by portals: colonies. Rules 14.4, KA204"""
    capital = window.capital_of(ruler)
    if capital is None:
        return set()
    plane = coordinate_of(capital).plane
    own = set(window.owned(ruler))
    ends = [place for place in own if window.land.field(place).portal is not None and _plane(place) != plane]
    return window.land.connected(ends, own) if ends else set()


def _beyond_portal(window: Window, ruler: PowerId, own: set[Province]) -> list[Province]:
    """Where the ruler's portal leads while the mystic holds the rift open, at either end of it.

    Source: rules 14.4
    """
    portal, mystic = window.portals.get(ruler), window.find_mystic(ruler)
    if portal is None or mystic is None or not portal.is_whole:
        return []
    ends = gf_of(portal.at), portal.to
    return [place for place in own if gf_of(place) in ends] if gf_of(mystic[0]) in ends else []


def _plane(place: Province) -> int:
    return coordinate_of(place).plane
