"""What a realm yields and what it costs, worked out but not yet paid. Source: rules 11.1, 17.6, 25.5"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.core.ids import PowerId
from engine.kalevala import realms
from engine.kalevala.agents.facts import Agent, upkeep_of
from engine.kalevala.coordinates import GfId, Province, gf_of, neighbours_of, order_of
from engine.kalevala.figures import kind_of, team_of, with_loads
from engine.kalevala.kings.facts import OEH, hostages_in
from engine.kalevala.kings.facts import UPKEEP as KING_UPKEEP
from engine.kalevala.model import INVADER, REALM, SPECIAL, VACANT
from engine.kalevala.sea import waters
from engine.kalevala.sea.craft import craft_among, speed_of
from engine.kalevala.tables import (
    ADDITIONAL_ARMING,
    FREE_ANIMALS,
    PAY_GROUPS,
    PAY_UNIT,
    PEOPLES_ARMING,
    pay_group,
)
from engine.kalevala.window import Window


def yields(window: Window, province: Province) -> int:
    """What the trade centre of a province arms. Nothing at the first date after it was plundered. Source: rules 11.1"""
    centre = window.centre(province)
    if centre is None:
        return 0
    last_date = window.gr - 2
    return 0 if centre.plundered and centre.plundered >= last_date else centre.centre.arming


def city_units(window: Window, ruler: PowerId) -> Fraction:
    """The trade centres of a ruler in city units."""
    centres = (window.centre(province) for province in window.owned(ruler))
    return sum((centre.centre.city_units for centre in centres if centre is not None), Fraction(0))


def peoples_arming(window: Window, ruler: PowerId) -> int:
    """What the people arm on top of that. Source: rules 8.2, 11.1, R-128"""
    own = window.rulers[ruler]
    is_realm = own.kind in (REALM, SPECIAL, VACANT)
    if own.kind == INVADER:
        return PEOPLES_ARMING
    return PEOPLES_ARMING if is_realm and window.capital_of(ruler) is not None else 0


def additional_arming(window: Window, ruler: PowerId) -> int:
    """What invaders arm on top of that, less what their trade centres arm. Source: rules R-128"""
    if window.rulers[ruler].kind != INVADER:
        return 0
    return max(0, ADDITIONAL_ARMING - centres_value(window, ruler))


def settles_down(window: Window, ruler: PowerId) -> bool:
    """Whether a ruler's trade centres end the time as an invader in the next P1. Source: rules 4.4, R-128"""
    return window.rulers[ruler].kind == INVADER and centres_value(window, ruler) > ADDITIONAL_ARMING


def centres_value(window: Window, ruler: PowerId) -> int:
    """What all trade centres of a ruler are worth on an arming date."""
    return sum(_value(window, province) for province in window.owned(ruler))


def best_centres(window: Window, ruler: PowerId) -> list[Province]:
    """The provinces with a trade centre: highest value first, then by coordinate. Source: rules R-010"""
    found = [province for province in window.owned(ruler) if window.centre(province) is not None]
    return sorted(found, key=lambda province: (-_value(window, province), order_of(province)))


def _value(window: Window, province: Province) -> int:
    centre = window.centre(province)
    return 0 if centre is None else centre.centre.arming


def ceil(count: int, unit: int) -> int:
    """How many units a number makes, the last one perhaps incomplete."""
    return -(-count // unit)


@dataclass(frozen=True, slots=True)
class Aboard:
    """How many auxiliaries and animals of each class are in fleets far from home. Source: rules 17.6, ruling KA284"""

    auxiliaries: Mapping[str, int]
    animals: Mapping[str, int]

    @property
    def cost(self) -> int:
        """What they cost on the spot."""
        return _cost(self.auxiliaries) + _cost(self.animals)


def _cost(counts: Mapping[str, int]) -> int:
    """One RE for each unit of a class that is begun."""
    return sum(ceil(count, PAY_UNIT[rank]) for rank, count in counts.items())


@dataclass(frozen=True, slots=True)
class Account:
    """What a ruler has to pay for, and what it costs. Source: rules 17.6, 25.5, R-045

    Args:
        core: the core troops, on all planes together. Ruling KA286
        auxiliaries, animals: how many of each class.
        colonies: what core troops in each colony, and in fleets far from home, cost on the spot, by its provinces.
        fleets: who else has to be paid on the spot in fleets far from home, by their seas.
        others: watchers, agents, mystic, roads, canals and passes in RE.
        king: what the king gets once all others are paid. Ruling KA176
    """

    core: int
    group: int
    auxiliaries: dict[str, int]
    animals: dict[str, int]
    colonies: dict[tuple[Province, ...], int]
    fleets: dict[tuple[Province, ...], Aboard]
    others: dict[str, int]
    king: int = 0

    @property
    def core_cost(self) -> int:
        """What all core troops cost at home: their group's pay less that of the colonies."""
        return max(0, PAY_GROUPS[self.group].cost - sum(self.colonies.values()))

    @property
    def home_auxiliaries(self) -> dict[str, int]:
        """Those whom the core realm pays."""
        return _less(self.auxiliaries, [each.auxiliaries for each in self.fleets.values()])

    @property
    def home_animals(self) -> dict[str, int]:
        """Those for which the core realm pays, as for auxiliaries."""
        return _less(self.animals, [each.animals for each in self.fleets.values()])

    @property
    def home_due(self) -> int:
        """What the core realm pays."""
        return self.core_cost + _cost(self.home_auxiliaries) + _cost(self.home_animals) + sum(self.others.values())

    @property
    def on_the_spot(self) -> dict[tuple[Province, ...], int]:
        """What is paid in each colony, and in fleets far from home."""
        costs = Counter(self.colonies) + Counter({area: each.cost for area, each in self.fleets.items()})
        return dict(costs)

    @property
    def due(self) -> int:
        """What the whole realm pays."""
        return self.home_due + sum(self.on_the_spot.values()) + self.king

    def rows(self) -> dict[str, int]:
        """What each group costs, as the ledger says."""
        return {
            "core": self.core_cost + sum(self.colonies.values()),
            "aux": _cost(self.home_auxiliaries) + sum(_cost(each.auxiliaries) for each in self.fleets.values()),
            "animals": _cost(self.home_animals) + sum(_cost(each.animals) for each in self.fleets.values()),
            **self.others,
            "king": self.king,
        }


def _less(counts: Mapping[str, int], others: Iterable[Mapping[str, int]]) -> dict[str, int]:
    aboard = sum(map(Counter, others), Counter[str]())
    return {rank: count - aboard[rank] for rank, count in counts.items()}


def account(window: Window, ruler: PowerId) -> Account:
    """What a ruler has to pay for now."""
    own = window.rulers[ruler]
    core: Counter[Province] = Counter()
    auxiliaries: Counter[str] = Counter()
    beasts: Counter[str] = Counter()
    agents = mystics = 0
    for province, stack in window.stacks[ruler].items():
        for item, count in with_loads(stack).items():
            kind = kind_of(item)
            beasts += _beasts(item, count)
            if kind.is_warrior:
                if own.is_core(kind.code):
                    core[province] += count
                else:
                    auxiliaries[kind.rank] += count
            elif kind.code == "Ag":
                agents += count
            elif kind.code == "My":
                mystics += count
    # Invaders pay for all from all stores. Source: rules 4.4, ruling KA210
    fleets = [] if own.kind == INVADER else _far_fleets(window, ruler)
    animals = _paid_animals(window, ruler, beasts)
    total = sum(core.values())
    group = pay_group(own.rank, total)
    return Account(
        core=total,
        group=group,
        auxiliaries={rank: auxiliaries[rank] for rank in PAY_UNIT},
        animals={rank: animals[rank] for rank in PAY_UNIT},
        colonies=_colonies(window, ruler, core, fleets) if PAY_GROUPS[group].cost else {},
        fleets={area: _aboard(window, ruler, area) for area in fleets},
        others={
            "watchers": sum(window.watch.get(ruler, {}).values()),
            "agents": 2 * agents + _agents_at_home(window, ruler),
            "mystic": 2 * mystics,
            **_ways(window, ruler),
        },
        king=KING_UPKEEP if is_paid_now(window, ruler) and window.kings_at_work.pay.get(ruler) != OEH else 0,
    )


def is_paid_now(window: Window, ruler: PowerId) -> bool:
    """Whether a ruler has a king who is paid in this great round: on arming dates after he came. Source: rules 18.3"""
    is_held = any(each.ruler == ruler and each.figure for each in hostages_in(window.modules))
    has_one = window.rulers[ruler].king is not None and ruler not in window.kings_at_work.crowned
    return has_one and not is_held and window.gr % 2 == 0


def _agents_at_home(window: Window, ruler: PowerId) -> int:
    """What agents with their groups cost in own land; abroad they pay themselves. Source: rules 22.3, ruling KA122"""
    return sum(
        upkeep_of(agent) for agent in window.agents.values() if agent.ruler == ruler and is_at_home(window, agent)
    )


def is_at_home(window: Window, agent: Agent) -> bool:
    """Whether an agent is free in own land, where his ruler pays him."""
    return agent.captor is None and _is_own(window, agent.ruler, agent.at)


def _paid_animals(window: Window, ruler: PowerId, beasts: Counter[str]) -> Counter[str]:
    """How many animals of each class are paid for: invaders keep some for nothing. Source: rules 25.5, R-090"""
    own = window.rulers[ruler]
    found: Counter[str] = Counter()
    for code, count in beasts.items():
        found[kind_of(code).upkeep] += count
    if own.kind != INVADER:
        return found
    if not centres_value(window, ruler):
        return Counter({rank: max(0, count - FREE_ANIMALS[rank]) for rank, count in found.items()})
    left = FREE_ANIMALS[own.rank]
    for code in dict.fromkeys(own.goods):
        free = min(left, beasts[code])
        left -= free
        found[kind_of(code).upkeep] -= free
    return found


def _beasts(item: str, count: int) -> Counter[str]:
    """The animals that need upkeep among so many figures of a kind, by their codes."""
    kind = kind_of(item)
    own = {kind.code: count} if kind.upkeep and not kind.is_warrior else {}
    return Counter(own) + Counter({animal: each * count for animal, each in team_of(item).items()})


def _aboard(window: Window, ruler: PowerId, seas: Iterable[Province]) -> Aboard:
    """The auxiliaries and animals in fleets. Source: rules 17.6, ruling KA284"""
    auxiliaries: Counter[str] = Counter()
    animals: Counter[str] = Counter()
    for sea in seas:
        for item, count in with_loads(window.stack(ruler, sea)).items():
            kind = kind_of(item)
            if kind.is_warrior and not window.rulers[ruler].is_core(kind.code):
                auxiliaries[kind.rank] += count
            for animal, each in _beasts(item, count).items():
                animals[kind_of(animal).upkeep] += each
    return Aboard(auxiliaries, animals)


def _colonies(
    window: Window, ruler: PowerId, core: Counter[Province], fleets: Iterable[tuple[Province, ...]]
) -> dict[tuple[Province, ...], int]:
    """What the core troops of each colony, and of fleets far from home, cost there. Source: rules 8.3, R-045"""
    own = window.rulers[ruler]
    if own.kind == INVADER:
        return {}
    unit = PAY_UNIT[own.rank]
    outside = set(window.owned(ruler)) - realms.core_realm(window, ruler)
    areas = (*window.land.areas(outside), *fleets)
    counts = {area: sum(core[province] for province in area) for area in areas}
    return {area: ceil(count, unit) for area, count in counts.items() if count}


def _far_fleets(window: Window, ruler: PowerId) -> list[tuple[Province, ...]]:
    """The seas with fleets that can't reach own land in one great round, those that reach each other together.

    Source: rules 17.6, ruling KA284
    """
    left = [place for place in window.stacks[ruler] if window.land.is_sea(place)]
    own = set(window.owned(ruler))
    ways = {place: _sailed_from(window, ruler, place) for place in left}
    found = []
    while left:
        area = {left.pop(0)}
        while more := {place for place in left if any(place in ways[one] or one in ways[place] for one in area)}:
            area |= more
            left = [place for place in left if place not in more]
        if not any(ways[place] & own for place in area):
            found.append(tuple(sorted(area, key=order_of)))
    return found


def _sailed_from(window: Window, ruler: PowerId, sea: Province) -> set[Province]:
    """Where the craft on a sea can get in one great round: own land and known seas. Source: rules 9.3, ruling KA101"""
    open_to = {*window.owned(ruler), *map(Province, window.modules.get("seas", {}).get(ruler, ()))}
    reached = frontier = {sea}
    for _ in range(speed_of(craft_among(window.stack(ruler, sea)))):
        beside = {gf for place in frontier for gf in (gf_of(place), *neighbours_of(gf_of(place)))}
        near = [place for place in open_to - reached if gf_of(place) in beside]
        frontier = {place for place in near if any(waters.is_sailed(window.land, one, place) for one in frontier)}
        reached = reached | frontier
    return reached


def _ways(window: Window, ruler: PowerId) -> dict[str, int]:
    """Roads 1 RE, canals and passes 2 RE for each great field, not for those in others' parts of it.

    Source: rules 13.1, 13.2, R-035, ruling KA287
    """
    works: dict[GfId, set[str]] = {}
    for province in window.owners:
        if window.owners[province] == ruler:
            here = (work.type for work in window.land.works(province) if not work.until)
            works.setdefault(gf_of(province), set()).update(here)
    return {
        "roads": sum(window.land.field(gf).has_road for gf in works),
        "canals": 2 * sum("canal" in here for here in works.values()),
        "passes": 2 * sum("pass" in here for here in works.values()),
    }


def home_stores(window: Window, ruler: PowerId) -> list[Province]:
    """Where the core realm's RE lie: by coordinate, the capital last. Source: rules R-046"""
    capital = window.capital_of(ruler)
    return sorted(_stores(window, ruler), key=lambda province: (province == capital, order_of(province)))


def store(window: Window, ruler: PowerId) -> int:
    """The RE in the core realm."""
    return sum(window.money(ruler, province) for province in _stores(window, ruler))


def _stores(window: Window, ruler: PowerId) -> set[Province]:
    """Where RE are paid from: the core realm; of invaders all their realm, which has no colonies. Source: rules 4.4

    A ruler who has no realm pays from what the people carry. Ruling KA217
    """
    realm = realms.realm_of(window, ruler)
    if not realm:
        return set(window.stacks[ruler])
    return set(realm) if window.rulers[ruler].kind == INVADER else realms.core_realm(window, ruler)


def owned_money(window: Window, ruler: PowerId) -> int:
    """The RE in all of a ruler's provinces; if there are none, wherever the ruler's people are. Ruling KA217"""
    realm = realms.realm_of(window, ruler)
    places = (place for place in window.stacks[ruler] if not realm or place in realm)
    return sum(window.money(ruler, place) for place in places)


def _is_own(window: Window, ruler: PowerId, province: Province) -> bool:
    if window.rulers[ruler].kind == INVADER:
        return province in realms.realm_of(window, ruler)
    return window.owners.get(province) == ruler


def number(value: Fraction) -> int | float:
    """City units as JSON: whole or halves."""
    return int(value) if value.denominator == 1 else float(value)


def ledger(window: Window, ruler: PowerId) -> dict[str, Any]:
    """The ledger of the present position. Source: rules 10.1"""
    costs = account(window, ruler)
    booked = window.accounts[ruler]
    now = owned_money(window, ruler)
    rows: dict[str, Any] = {
        "city_units": number(city_units(window, ruler)),
        "arming": booked.get("arming", 0),
        "people": booked.get("people", 0),
        "additional": booked.get("additional", 0),
        "re_before": booked.get("re_before", now),
        "slaves": sum(count for (who, _), count in window.made_by_slaves.items() if who == ruler),
        "spent": window.spent[ruler],
        "upkeep": booked.get("upkeep", costs.rows()),
        "due": booked.get("due", costs.due),
        "paid": booked.get("paid", 0),
        "re_after": now,
        "core": costs.core,
        "aux": sum(costs.auxiliaries.values()),
        "group": booked.get("group", costs.group),
    }
    came_in = sum(rows[name] for name in ("re_before", "arming", "people", "additional", "slaves"))
    # What went into or out of the realm without being earned or spent. Ruling KA324
    return {**rows, "moved": now - came_in + rows["spent"] + rows["paid"]}
