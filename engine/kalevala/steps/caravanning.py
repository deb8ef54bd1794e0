"""Caravans: formed, moved through own land in P1 and through others' at the start of P4; stopped, dissolved.

Source: rules 21, R-065, R-066, R-069, rulings KA160 to KA167
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from engine.core.ids import PowerId
from engine.kalevala import books
from engine.kalevala.agents.facts import CRAFT
from engine.kalevala.caravans.facts import (
    EXPLORING,
    MOST,
    MOST_IN_LAND,
    TRADING,
    WHOLE,
    Caravan,
    goes_by_sea,
    has_merchant,
    is_within_limits,
    speed_of,
    unhitched,
    unpaid_of,
    upkeep_of,
)
from engine.kalevala.caravans.orders import CaravanDissolve, CaravanForm, CaravanMove, CloseLand
from engine.kalevala.coordinates import Province, gf_of, neighbours_of
from engine.kalevala.figures import MONEY, Figures, format_figures, is_part, kind_of, minus
from engine.kalevala.land import Land
from engine.kalevala.model import ORDERS_PART
from engine.kalevala.orders import Line
from engine.kalevala.sea import waters
from engine.kalevala.sea.craft import landed, on_land
from engine.kalevala.steps.marching import free_in
from engine.kalevala.steps.sailing import remember_sea, seas_of
from engine.kalevala.tables import BANNED, TERRAIN
from engine.kalevala.window import Window


def find(window: Window, ruler: PowerId, number: int) -> Caravan | None:
    """A caravan of the ruler's."""
    return window.caravans.get((ruler, number))


def in_turn(window: Window) -> Iterator[Caravan]:
    """All caravans, by seat and number."""
    seats = {ruler: place for place, ruler in enumerate(window.rulers)}
    yield from sorted(window.caravans.values(), key=lambda each: (seats[each.ruler], each.number))


# Orders


def form(window: Window, ruler: PowerId, line: Line, order: CaravanForm) -> None:
    """Merchants set out with goods, animals and an escort. Boarding ships is a whole move. Rules 21, ruling KA167"""
    at, figures = window.own_place(ruler, order.at), dict(order.figures)
    load = landed(figures)
    if at is None or window.owners.get(at) != ruler:
        window.refuse(ruler, line, "V02", place=order.at)
    elif not is_part(figures, window.unmarked(ruler, at)):
        window.refuse(ruler, line, "V02", place=at, which="few", free=free_in(window, ruler, at))
    elif find(window, ruler, order.number) is not None:
        window.refuse(ruler, line, "V05", number=order.number)
    elif window.breaks_watch(ruler, at, figures):
        window.refuse(ruler, line, "V05", which="watch")
    elif order.number > MOST or not is_within_limits(load):
        which = "caravan_number" if order.number > MOST else "" if has_merchant(load) else "caravan_merchant"
        window.refuse(ruler, line, "V26", place=at, which=which)
    else:
        for item, count in figures.items():
            window.book(ruler, at, item, -count, "caravan")
        window.spent[ruler] += load.get(MONEY, 0)
        kind = EXPLORING if order.is_expedition else TRADING
        boards = goes_by_sea(load) and any(on_land(figures))
        window.caravans_at_work.formed.add((ruler, order.number))
        window.caravans[ruler, order.number] = Caravan(ruler, order.number, at, load, kind, has_moved=boards)
        if order.is_expedition:
            args = {"ruler": ruler, "gf": at, "load": format_figures(load)}
            window.tell("expedition", [ruler], args, is_for_masters=True, who=str(ruler))
        if not window.has_warrior(ruler, at):
            window.warn(ruler, line, "W3", place=at)


def move(window: Window, ruler: PowerId, line: Line, order: CaravanMove) -> None:
    """In the window of orders at once, through own land; in that of deeds at the very beginning of P4.

    Source: rules 21.6
    """
    caravan = find(window, ruler, order.number)
    if caravan is None:
        window.refuse(ruler, line, "V02", which="no_caravan", number=order.number)
        return
    code = _flaw(window, caravan, order.path)
    if code == "V02" and not _is_named(order.path[0], caravan.at):
        window.refuse(ruler, line, code, which="caravan_elsewhere", number=order.number, place=caravan.at)
    elif code == "V02":
        abroad = next(each for each in order.path if _own(window, caravan, each) is None)
        window.refuse(ruler, line, code, place=abroad)
    elif code is not None:
        window.refuse(ruler, line, code, place=order.path[-1])
    elif window.state.part == ORDERS_PART and caravan.bribed_to is not None:
        window.fail(ruler, line, "blocked")  # its ruler's trial knows nothing of that. Ruling KA136
    elif window.state.part == ORDERS_PART:
        way = [_own(window, caravan, each) or each for each in order.path]
        window.caravans[ruler, order.number] = replace(caravan, at=way[-1], has_moved=True)
    else:
        window.caravans_at_work.moving[ruler, order.number] = line
        window.caravans_at_work.bound[ruler, order.number] = order.path[-1]


def _flaw(window: Window, caravan: Caravan, path: Sequence[Province]) -> str | None:
    """The first test that fails, by what its ruler knows. Source: rules 21.6, R-104"""
    known, land = window.sight(caravan.ruler)
    if not _is_named(path[0], caravan.at):
        return "V02"
    if caravan.has_moved or (caravan.ruler, caravan.number) in window.caravans_at_work.moving:
        return "V05"
    own = [_own(window, caravan, each) is not None for each in path]
    if window.state.part == ORDERS_PART and not all(own):
        return "V02"
    if window.state.part != ORDERS_PART and all(own):
        return "V22"
    before = caravan.at
    way = [before]
    for named in path[1:]:
        after = land.meant(named, near=(before,)) or named
        if not _may_be_linked(window, caravan, before, after):
            return "V03"
        way.append(after)
        before = after
    is_charted = all(waters.is_sailed(land, one, other) for one, other in pairwise(way))
    if goes_by_sea(caravan.load) and is_charted and not waters.is_voyage(land, way):
        return "V03"
    if len(path) - 1 > _reach(land, caravan, way):
        return "V04"
    if window.state.part == ORDERS_PART and not all(_has_room(land, caravan, place) for place in way[1:]):
        return "V20"
    is_seen = gf_of(before) in known.land
    return "V20" if is_seen and _is_banned(land.commonest(before), caravan.load) else None


def _reach(land: Land, caravan: Caravan, way: Sequence[Province]) -> int:
    """How far a caravan goes on this way: by ship one farther down stroms, one less where it goes up one.

    Source: rules 21.6, ruling KA281
    """
    speed = speed_of(caravan.load)
    if not goes_by_sea(caravan.load):
        return speed
    currents = {waters.current(land, one, other) for one, other in pairwise(way)}
    return max(1, speed + (-1 if -1 in currents else int(currents == {1})))


def _own(window: Window, caravan: Caravan, named: Province) -> Province | None:
    """The ruler's province that is meant; for a caravan at sea also a sea that its ruler's craft have sailed.

    Ruling KA167
    """
    seas = seas_of(window, caravan.ruler) if goes_by_sea(caravan.load) else ()
    return window.find_own(caravan.ruler, named) or next((sea for sea in sorted(seas) if _is_named(named, sea)), None)


def _may_be_linked(window: Window, caravan: Caravan, one: Province, other: Province) -> bool:
    """Whether a way is open as far as its ruler knows; one that the ruler can't see may be open."""
    known, land = window.sight(caravan.ruler)
    if goes_by_sea(caravan.load):
        return waters.may_be_sailed(land, one, other)
    if {gf_of(one), gf_of(other)} <= known.land.keys():
        return land.is_linked(one, other)
    return gf_of(other) in neighbours_of(gf_of(one))


def _is_named(named: Province, at: Province) -> bool:
    return named in (at, gf_of(at))


def _has_room(land: Land, caravan: Caravan, place: Province) -> bool:
    """Whether the land of a province has room for a whole caravan. Ruling KA164"""
    cells = land.field(place).cells
    return goes_by_sea(caravan.load) or sum(TERRAIN[cells[cell - 1]].room for cell in land.cells(place)) >= WHOLE


def _is_banned(letter: str, load: Figures) -> bool:
    """Whether one of its pieces may not stay on such ground. Source: rules 21.6, R-018"""
    return not goes_by_sea(load) and any(letter in BANNED.get(kind_of(item).code, ()) for item in load)


def dissolve(window: Window, ruler: PowerId, line: Line, order: CaravanDissolve) -> None:
    """Dissolve a caravan: at home always; abroad only without warriors, where the host permits it. Not while another
    line leads it away, or hands over what it carries.

    Source: rules 21.5, ruling KA304
    """
    caravan = find(window, ruler, order.number)
    if caravan is None:
        window.refuse(ruler, line, "V02", which="no_caravan", number=order.number)
        return
    owner = window.owners.get(caravan.at)
    has_men = any(kind_of(item).is_warrior for item in caravan.load)
    is_open = owner is not None and window.state.permits_entry(owner, ruler, caravan.at, window.gr)
    if owner != ruler and (has_men or not is_open):
        window.refuse(ruler, line, "V02", place=caravan.at)
    elif any((each.ruler, each.caravan) == (ruler, order.number) for each in window.bargains.offers):
        window.refuse(ruler, line, "V31", place=caravan.at)
    elif (ruler, order.number) in window.caravans_at_work.moving:
        window.refuse(ruler, line, "V05", place=caravan.at)
    else:
        unpack(window, caravan)


def end(window: Window, caravan: Caravan, taker: PowerId | None = None) -> None:
    """The caravan ends; agents who were hidden in it stay where it was, at sea aboard its craft. KA138, KA198"""
    key = caravan.ruler, caravan.number
    del window.caravans[key]
    for agent in [each for each in window.agents.values() if each.hidden_in == key]:
        aboard = (taker or caravan.ruler, CRAFT) if window.land.is_sea(caravan.at) else None
        window.agents[agent.ruler, agent.number] = replace(agent, at=caravan.at, hidden_in=aboard)


def unpack(window: Window, caravan: Caravan) -> None:
    """The caravan ends, and its load stays where it was. What was formed or has moved in this window of orders moves no
    more in it. Source: rules R-107, ruling KA304
    """
    end(window, caravan)
    key = caravan.ruler, caravan.number
    is_new = caravan.has_moved or key in window.caravans_at_work.formed
    is_marked = is_new and window.state.part == ORDERS_PART
    is_home = window.owners.get(caravan.at) == caravan.ruler
    if is_home:
        window.spent[caravan.ruler] -= caravan.load.get(MONEY, 0)
    for item, count in caravan.load.items():
        why = "caravan" if is_home else "caravan_abroad"
        window.book(caravan.ruler, caravan.at, item, count, why, is_marked=is_marked)


def close(window: Window, ruler: PowerId, line: Line, order: CloseLand) -> None:
    """Bar one of the ruler's provinces to foreign caravans in this P4. Source: rules 21, ruling KA163"""
    at = window.find_own(ruler, order.at)
    if at is None:
        window.refuse(ruler, line, "V02", place=order.at)
    elif not window.has_warrior(ruler, at):
        window.refuse(ruler, line, "V19", place=at)
    else:
        window.caravans_at_work.closed.add(at)


def pay(window: Window) -> None:
    """Men and animals of a caravan are paid by it and from home, or leave, except on the high sea.

    Source: rules 21.7, rulings KA162, KA167
    """
    for caravan in list(in_turn(window)):
        due, money = upkeep_of(caravan.load), caravan.load.get(MONEY, 0)
        load = minus(caravan.load, {MONEY: min(due, money)})
        if due > money and not window.land.is_sea(caravan.at) and not _pay_at_home(window, caravan, due - money):
            left = unpaid_of(load)
            load = minus(unhitched(load), left)
            args = {"left": format_figures(left), "watchers": 0}
            window.tell("unpaid", [caravan.ruler], args, words="unpaid")
            booked = window.accounts[caravan.ruler]
            booked["caravans"] = [*booked.get("caravans", ()), (caravan.name, format_figures(left))]
        _end_or_keep(window, replace(caravan, load=load))


def _pay_at_home(window: Window, caravan: Caravan, amount: int) -> bool:
    """Pay what a caravan can't from the core realm's stores, if they have it all. Returns whether they had.

    Ruling KA162
    """
    ruler = caravan.ruler
    if caravan.kind == EXPLORING or books.store(window, ruler) < amount:
        return False
    booked = window.accounts[ruler]
    rows = booked.get("upkeep", {})
    booked["upkeep"] = {**rows, "caravans": rows.get("caravans", 0) + amount}
    booked["due"], booked["paid"] = booked.get("due", 0) + amount, booked.get("paid", 0) + amount
    for province in books.home_stores(window, ruler):
        part = min(amount, window.money(ruler, province))
        if part:
            window.book(ruler, province, MONEY, -part, "upkeep")
            amount -= part
    return True


def _end_or_keep(window: Window, caravan: Caravan) -> None:
    """Without a merchant, or anybody to steer its ships, a caravan ends. Source: rules 21, ruling KA167"""
    if is_within_limits(caravan.load):
        window.caravans[caravan.ruler, caravan.number] = caravan
    else:
        unpack(window, caravan)


# P4


def travel(window: Window) -> None:
    """All caravans move, by seat and number, before anything else happens on land. Source: rules 5.2"""
    if window.dice is None:
        return
    for caravan in list(in_turn(window)):
        line = window.caravans_at_work.moving.get((caravan.ruler, caravan.number))
        path = line.order.path[1:] if line is not None and isinstance(line.order, CaravanMove) else ()
        end = _go(window, caravan, path if caravan.bribed_to is None else (caravan.bribed_to,))
        is_stopped = line is not None and not _is_named(path[-1], end)
        if line is not None and is_stopped:
            window.fail(caravan.ruler, line, "blocked")
        if end != caravan.at and caravan.bribed_to is not None:
            window.tell("caravan_astray", [caravan.ruler], {"n": caravan.name, "gf": end}, caravan=caravan.name)
        elif is_stopped:
            window.tell("caravan_stopped", [caravan.ruler], {"n": caravan.name, "gf": end}, caravan=caravan.name)
        moved = replace(caravan, at=end, has_moved=end != caravan.at, bribed_to=None)
        window.caravans[caravan.ruler, caravan.number] = moved


def _go(window: Window, caravan: Caravan, path: Sequence[Province]) -> Province:
    """Move it step by step until something bars the way; the owner of land that it enters hears of it.

    Source: rules 21.6
    """
    at = caravan.at
    way = [at]
    for named in path:
        following = _next(window, caravan, at, named)
        if following is None or _is_barred(window, caravan, at, following):
            break
        way.append(following)
        if goes_by_sea(caravan.load) and not waters.is_voyage(window.land, way):
            break
        at = following
        if window.land.is_sea(at):
            remember_sea(window, caravan.ruler, at)
        owner = window.owners.get(at)
        if owner not in (None, caravan.ruler):
            args = {"gf": at, "by": caravan.ruler, "reh": WHOLE}
            window.tell("caravan_seen", [owner], args)
    while at != caravan.at and _is_banned(window.land.commonest(at), caravan.load):
        at = caravan.at  # it turns back rather than leave a part behind
    return at


def _next(window: Window, caravan: Caravan, at: Province, named: Province) -> Province | None:
    """The province that is meant, if a way, or for ships water, leads there."""
    is_open = waters.is_sailed if goes_by_sea(caravan.load) else Land.is_linked
    parts = (each for each in window.land.provinces(gf_of(named)) if _is_named(named, each))
    return next((each for each in parts if is_open(window.land, at, each)), None)


def _is_barred(window: Window, caravan: Caravan, one: Province, other: Province) -> bool:
    """CLOSE on either side, too little room, two foreign caravans there already. Rules 21.6, rulings KA163, KA164"""
    ruler = caravan.ruler
    if any(place in window.caravans_at_work.closed and window.owners.get(place) != ruler for place in (one, other)):
        return True
    if not _has_room(window.land, caravan, other):
        return True
    owner = window.owners.get(other)
    guests = [
        each
        for each in window.caravans.values()
        if gf_of(each.at) == gf_of(other)
        and each.ruler != owner
        and (each.ruler, each.number) != (ruler, caravan.number)
    ]
    return owner not in (None, ruler) and len(guests) >= MOST_IN_LAND


def conclude(window: Window) -> None:
    """In the next great round all caravans may move again. Source: rules 21"""
    for caravan in list(in_turn(window)):
        _end_or_keep(window, replace(caravan, has_moved=False))
