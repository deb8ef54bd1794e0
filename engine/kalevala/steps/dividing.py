"""A great field is divided anew: its parts become provinces, or one province again. Source: rules 8.1, B25"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from engine.core.ids import PowerId
from engine.kalevala.coordinates import GfId, Province, gf_of
from engine.kalevala.figures import plus
from engine.kalevala.land import divided
from engine.kalevala.window import Window

T = TypeVar("T")


def divide(window: Window, gf: GfId, parts: Iterable[frozenset[int]] | None) -> Mapping[Province, Province]:
    """Set the parts of a great field; `None`: natural ones. Returns the new province with most of each old one.

    Everything recorded by province is transferred: owners, figures, permits, knowledge.
    """
    old = {place: window.land.cells(place) for place in window.land.provinces(gf)}
    found = None if parts is None else tuple(tuple(sorted(part)) for part in sorted(parts, key=min))
    if found is not None and {frozenset(part) for part in found} == set(
        divided(window.land.field(gf).cells, None).values()
    ):
        found = None
    window.set_field(gf, parts=found)
    window.forget_land()
    new = {place: window.land.cells(place) for place in window.land.provinces(gf)}
    names = {
        place: min(new, key=lambda other: (-len(cells & new[other]), min(new[other]))) for place, cells in old.items()
    }
    _rename(window, names)
    return names


def _rename(window: Window, names: Mapping[Province, Province]) -> None:
    def now(place: Province) -> Province:
        return names.get(place, place)

    if all(one == other for one, other in names.items()):
        return
    window.owners = {now(place): owner for place, owner in window.owners.items()}
    for ruler, own in window.stacks.items():
        moved: dict[Province, dict[str, int]] = {}
        for place, figures in own.items():
            moved[now(place)] = dict(plus(moved.get(now(place), {}), figures))
        window.stacks[ruler] = moved
        king = window.rulers[ruler]
        capital = None if king.capital is None else now(king.capital)
        defend = {str(now(Province(place))): text for place, text in king.defend.items()}
        window.rulers[ruler] = replace(king, capital=capital, defend=defend)
    marks: dict[tuple[PowerId, Province], Counter[str]] = {}
    for (ruler, place), marked in window.marks.items():
        marks.setdefault((ruler, now(place)), Counter()).update(marked)
    window.marks = marks
    armed: Counter[tuple[PowerId, Province]] = Counter()
    for (ruler, place), money in window.armed.items():
        armed[ruler, now(place)] += money
    window.armed = armed
    window.seen = {ruler: _keys(rows, now) for ruler, rows in window.seen.items()}
    window.newly = {ruler: _keys(rows, now) for ruler, rows in window.newly.items()}
    window.watch = {ruler: _keys(rows, now) for ruler, rows in window.watch.items()}
    window.known = {ruler: {now(place) for place in places} for ruler, places in window.known.items()}
    window.contested = _keys(window.contested, now)
    window.permits = [
        permit if permit.where is None else replace(permit, where=now(permit.where)) for permit in window.permits
    ]
    window.explored = {
        ruler: [replace(row, source=now(row.source), target=now(row.target)) for row in rows]
        for ruler, rows in window.explored.items()
    }
    window.entering = [replace(entry, source=now(entry.source), target=now(entry.target)) for entry in window.entering]
    window.walked = [replace(entry, source=now(entry.source), target=now(entry.target)) for entry in window.walked]
    window.battles_at_work.plans = {ruler: _keys(rows, now) for ruler, rows in window.battles_at_work.plans.items()}
    window.battles_at_work.planned = {ruler: _keys(rows, now) for ruler, rows in window.battles_at_work.planned.items()}
    window.agents = {key: replace(agent, at=now(agent.at)) for key, agent in window.agents.items()}
    window.battles_at_work.fought = {now(place) for place in window.battles_at_work.fought}
    window.battles_at_work.sailed_from = {now(place) for place in window.battles_at_work.sailed_from}
    window.battles_at_work.sacked_from = {now(place) for place in window.battles_at_work.sacked_from}
    window.caravans = {
        key: replace(each, at=now(each.at), bribed_to=None if each.bribed_to is None else now(each.bribed_to))
        for key, each in window.caravans.items()
    }
    window.portals = {ruler: replace(portal, at=now(portal.at)) for ruler, portal in window.portals.items()}
    held = [{**row, "at": now(Province(str(row["at"])))} for row in window.modules.get("hostages", ())]
    if held:
        window.modules = {**window.modules, "hostages": held}


def _keys(rows: Mapping[Province, T], now: Callable[[Province], Province]) -> dict[Province, T]:
    return {now(place): value for place, value in rows.items()}


def reunite(window: Window) -> None:
    """Parts made by battle or treaty that now all have the same owner become one province again. Source: ruling KA46"""
    for gf, field in list(window.fields.items()):
        if field.parts is None:
            continue
        owners = {window.owners.get(place) for place in window.land.provinces(gf)}
        is_contested = any(place in window.contested for place in window.land.provinces(gf))
        if len(owners) == 1 and None not in owners and not is_contested:
            divide(window, gf_of(gf), None)
