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
from engine.kalevala.working import Round

T = TypeVar("T")


def divide(round_: Round, gf: GfId, parts: Iterable[frozenset[int]] | None) -> Mapping[Province, Province]:
    """Set the parts of a great field; `None`: natural ones. Returns the new province with most of each old one.

    Everything recorded by province is transferred: owners, figures, permits, knowledge.
    """
    old = {place: round_.land.cells(place) for place in round_.land.provinces(gf)}
    found = None if parts is None else tuple(tuple(sorted(part)) for part in sorted(parts, key=min))
    if found is not None and {frozenset(part) for part in found} == set(
        divided(round_.land.field(gf).cells, None).values()
    ):
        found = None
    round_.set_field(gf, parts=found)
    round_.forget_land()
    new = {place: round_.land.cells(place) for place in round_.land.provinces(gf)}
    names = {
        place: min(new, key=lambda other: (-len(cells & new[other]), min(new[other]))) for place, cells in old.items()
    }
    _rename(round_, names)
    return names


def _rename(round_: Round, names: Mapping[Province, Province]) -> None:
    def now(place: Province) -> Province:
        return names.get(place, place)

    if all(one == other for one, other in names.items()):
        return
    round_.owners = {now(place): owner for place, owner in round_.owners.items()}
    for ruler, own in round_.stacks.items():
        moved: dict[Province, dict[str, int]] = {}
        for place, figures in own.items():
            moved[now(place)] = dict(plus(moved.get(now(place), {}), figures))
        round_.stacks[ruler] = moved
        king = round_.rulers[ruler]
        capital = None if king.capital is None else now(king.capital)
        defend = {str(now(Province(place))): text for place, text in king.defend.items()}
        round_.rulers[ruler] = replace(king, capital=capital, defend=defend)
    marks: dict[tuple[PowerId, Province], Counter[str]] = {}
    for (ruler, place), marked in round_.marks.items():
        marks.setdefault((ruler, now(place)), Counter()).update(marked)
    round_.marks = marks
    armed: Counter[tuple[PowerId, Province]] = Counter()
    for (ruler, place), money in round_.armed.items():
        armed[ruler, now(place)] += money
    round_.armed = armed
    round_.seen = {ruler: _keys(rows, now) for ruler, rows in round_.seen.items()}
    round_.newly = {ruler: _keys(rows, now) for ruler, rows in round_.newly.items()}
    round_.watch = {ruler: _keys(rows, now) for ruler, rows in round_.watch.items()}
    round_.known = {ruler: {now(place) for place in places} for ruler, places in round_.known.items()}
    round_.contested = _keys(round_.contested, now)
    round_.permits = [
        permit if permit.where is None else replace(permit, where=now(permit.where)) for permit in round_.permits
    ]
    round_.explored = {
        ruler: [replace(row, source=now(row.source), target=now(row.target)) for row in rows]
        for ruler, rows in round_.explored.items()
    }
    round_.entering = [replace(entry, source=now(entry.source), target=now(entry.target)) for entry in round_.entering]
    round_.walked = [replace(entry, source=now(entry.source), target=now(entry.target)) for entry in round_.walked]
    round_.battles_at_work.plans = {ruler: _keys(rows, now) for ruler, rows in round_.battles_at_work.plans.items()}
    round_.battles_at_work.planned = {ruler: _keys(rows, now) for ruler, rows in round_.battles_at_work.planned.items()}
    round_.agents = {key: replace(agent, at=now(agent.at)) for key, agent in round_.agents.items()}
    round_.battles_at_work.fought = {now(place) for place in round_.battles_at_work.fought}
    round_.battles_at_work.sailed_from = {now(place) for place in round_.battles_at_work.sailed_from}
    round_.battles_at_work.sacked_from = {now(place) for place in round_.battles_at_work.sacked_from}
    round_.caravans = {
        key: replace(each, at=now(each.at), bribed_to=None if each.bribed_to is None else now(each.bribed_to))
        for key, each in round_.caravans.items()
    }
    round_.portals = {ruler: replace(portal, at=now(portal.at)) for ruler, portal in round_.portals.items()}
    held = [{**row, "at": now(Province(str(row["at"])))} for row in round_.modules.get("hostages", ())]
    if held:
        round_.modules = {**round_.modules, "hostages": held}


def _keys(rows: Mapping[Province, T], now: Callable[[Province], Province]) -> dict[Province, T]:
    return {now(place): value for place, value in rows.items()}


def reunite(round_: Round) -> None:
    """Parts made by battle or treaty that now all have the same owner become one province again. Source: ruling KA46"""
    for gf, field in list(round_.fields.items()):
        if field.parts is None:
            continue
        owners = {round_.owners.get(place) for place in round_.land.provinces(gf)}
        is_contested = any(place in round_.contested for place in round_.land.provinces(gf))
        if len(owners) == 1 and None not in owners and not is_contested:
            divide(round_, gf_of(gf), None)
