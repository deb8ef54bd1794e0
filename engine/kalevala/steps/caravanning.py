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
from engine.kalevala.working import Round


def find(round_: Round, ruler: PowerId, number: int) -> Caravan | None:
    """A caravan of the ruler's."""
    return round_.caravans.get((ruler, number))


def in_turn(round_: Round) -> Iterator[Caravan]:
    """All caravans, by seat and number."""
    seats = {ruler: place for place, ruler in enumerate(round_.rulers)}
    yield from sorted(round_.caravans.values(), key=lambda each: (seats[each.ruler], each.number))


# Orders


def form(round_: Round, ruler: PowerId, line: Line, order: CaravanForm) -> None:
    """Merchants set out with goods, animals and an escort. Boarding ships is a whole move. Rules 21, ruling KA167"""
    at, figures = round_.own_place(ruler, order.at), dict(order.figures)
    load = landed(figures)
    if at is None or round_.owners.get(at) != ruler:
        round_.refuse(ruler, line, "V02", place=order.at)
    elif not is_part(figures, round_.unmarked(ruler, at)):
        round_.refuse(ruler, line, "V02", place=at, which="few", free=free_in(round_, ruler, at))
    elif find(round_, ruler, order.number) is not None:
        round_.refuse(ruler, line, "V05", number=order.number)
    elif round_.breaks_watch(ruler, at, figures):
        round_.refuse(ruler, line, "V05", which="watch")
    elif order.number > MOST or not is_within_limits(load):
        which = "caravan_number" if order.number > MOST else "" if has_merchant(load) else "caravan_merchant"
        round_.refuse(ruler, line, "V26", place=at, which=which)
    else:
        for item, count in figures.items():
            round_.book(ruler, at, item, -count, "caravan")
        round_.spent[ruler] += load.get(MONEY, 0)
        kind = EXPLORING if order.is_expedition else TRADING
        boards = goes_by_sea(load) and any(on_land(figures))
        round_.caravans_at_work.formed.add((ruler, order.number))
        round_.caravans[ruler, order.number] = Caravan(ruler, order.number, at, load, kind, has_moved=boards)
        if order.is_expedition:
            args = {"ruler": ruler, "gf": at, "load": format_figures(load)}
            round_.tell("expedition", [ruler], args, is_for_masters=True, who=str(ruler))
        if not round_.has_warrior(ruler, at):
            round_.warn(ruler, line, "W3", place=at)


def move(round_: Round, ruler: PowerId, line: Line, order: CaravanMove) -> None:
    """In the window of orders at once, through own land; in that of deeds at the very beginning of P4.

    Source: rules 21.6
    """
    caravan = find(round_, ruler, order.number)
    if caravan is None:
        round_.refuse(ruler, line, "V02", which="no_caravan", number=order.number)
        return
    code = _flaw(round_, caravan, order.path)
    if code == "V02" and not _is_named(order.path[0], caravan.at):
        round_.refuse(ruler, line, code, which="caravan_elsewhere", number=order.number, place=caravan.at)
    elif code == "V02":
        abroad = next(each for each in order.path if _own(round_, caravan, each) is None)
        round_.refuse(ruler, line, code, place=abroad)
    elif code is not None:
        round_.refuse(ruler, line, code, place=order.path[-1])
    elif round_.state.part == ORDERS_PART and caravan.bribed_to is not None:
        round_.fail(ruler, line, "blocked")  # its ruler's trial knows nothing of that. Ruling KA136
    elif round_.state.part == ORDERS_PART:
        way = [_own(round_, caravan, each) or each for each in order.path]
        round_.caravans[ruler, order.number] = replace(caravan, at=way[-1], has_moved=True)
    else:
        round_.caravans_at_work.moving[ruler, order.number] = line
        round_.caravans_at_work.bound[ruler, order.number] = order.path[-1]


def _flaw(round_: Round, caravan: Caravan, path: Sequence[Province]) -> str | None:
    """The first test that fails, by what its ruler knows. Source: rules 21.6, R-104"""
    known, land = round_.sight(caravan.ruler)
    if not _is_named(path[0], caravan.at):
        return "V02"
    if caravan.has_moved or (caravan.ruler, caravan.number) in round_.caravans_at_work.moving:
        return "V05"
    own = [_own(round_, caravan, each) is not None for each in path]
    if round_.state.part == ORDERS_PART and not all(own):
        return "V02"
    if round_.state.part != ORDERS_PART and all(own):
        return "V22"
    before = caravan.at
    way = [before]
    for named in path[1:]:
        after = land.meant(named, near=(before,)) or named
        if not _may_be_linked(round_, caravan, before, after):
            return "V03"
        way.append(after)
        before = after
    is_charted = all(waters.is_sailed(land, one, other) for one, other in pairwise(way))
    if goes_by_sea(caravan.load) and is_charted and not waters.is_voyage(land, way):
        return "V03"
    if len(path) - 1 > _reach(land, caravan, way):
        return "V04"
    if round_.state.part == ORDERS_PART and not all(_has_room(land, caravan, place) for place in way[1:]):
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


def _own(round_: Round, caravan: Caravan, named: Province) -> Province | None:
    """The ruler's province that is meant; for a caravan at sea also a sea that its ruler's craft have sailed.

    Ruling KA167
    """
    seas = seas_of(round_, caravan.ruler) if goes_by_sea(caravan.load) else ()
    return round_.find_own(caravan.ruler, named) or next((sea for sea in sorted(seas) if _is_named(named, sea)), None)


def _may_be_linked(round_: Round, caravan: Caravan, one: Province, other: Province) -> bool:
    """Whether a way is open as far as its ruler knows; one that the ruler can't see may be open."""
    known, land = round_.sight(caravan.ruler)
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


def dissolve(round_: Round, ruler: PowerId, line: Line, order: CaravanDissolve) -> None:
    """Dissolve a caravan: at home always; abroad only without warriors, where the host permits it. Not while another
    line leads it away, or hands over what it carries.

    Source: rules 21.5, ruling KA304
    """
    caravan = find(round_, ruler, order.number)
    if caravan is None:
        round_.refuse(ruler, line, "V02", which="no_caravan", number=order.number)
        return
    owner = round_.owners.get(caravan.at)
    has_men = any(kind_of(item).is_warrior for item in caravan.load)
    is_open = owner is not None and round_.state.permits_entry(owner, ruler, caravan.at, round_.gr)
    if owner != ruler and (has_men or not is_open):
        round_.refuse(ruler, line, "V02", place=caravan.at)
    elif any((each.ruler, each.caravan) == (ruler, order.number) for each in round_.bargains.offers):
        round_.refuse(ruler, line, "V31", place=caravan.at)
    elif (ruler, order.number) in round_.caravans_at_work.moving:
        round_.refuse(ruler, line, "V05", place=caravan.at)
    else:
        unpack(round_, caravan)


def end(round_: Round, caravan: Caravan, taker: PowerId | None = None) -> None:
    """The caravan ends; agents who were hidden in it stay where it was, at sea aboard its craft. KA138, KA198"""
    key = caravan.ruler, caravan.number
    del round_.caravans[key]
    for agent in [each for each in round_.agents.values() if each.hidden_in == key]:
        aboard = (taker or caravan.ruler, CRAFT) if round_.land.is_sea(caravan.at) else None
        round_.agents[agent.ruler, agent.number] = replace(agent, at=caravan.at, hidden_in=aboard)


def unpack(round_: Round, caravan: Caravan) -> None:
    """The caravan ends, and its load stays where it was. What was formed or has moved in this window of orders moves no
    more in it. Source: rules R-107, ruling KA304
    """
    end(round_, caravan)
    key = caravan.ruler, caravan.number
    is_new = caravan.has_moved or key in round_.caravans_at_work.formed
    is_marked = is_new and round_.state.part == ORDERS_PART
    is_home = round_.owners.get(caravan.at) == caravan.ruler
    if is_home:
        round_.spent[caravan.ruler] -= caravan.load.get(MONEY, 0)
    for item, count in caravan.load.items():
        why = "caravan" if is_home else "caravan_abroad"
        round_.book(caravan.ruler, caravan.at, item, count, why, is_marked=is_marked)


def close(round_: Round, ruler: PowerId, line: Line, order: CloseLand) -> None:
    """Bar one of the ruler's provinces to foreign caravans in this P4. Source: rules 21, ruling KA163"""
    at = round_.find_own(ruler, order.at)
    if at is None:
        round_.refuse(ruler, line, "V02", place=order.at)
    elif not round_.has_warrior(ruler, at):
        round_.refuse(ruler, line, "V19", place=at)
    else:
        round_.caravans_at_work.closed.add(at)


def pay(round_: Round) -> None:
    """Men and animals of a caravan are paid by it and from home, or leave, except on the high sea.

    Source: rules 21.7, rulings KA162, KA167
    """
    for caravan in list(in_turn(round_)):
        due, money = upkeep_of(caravan.load), caravan.load.get(MONEY, 0)
        load = minus(caravan.load, {MONEY: min(due, money)})
        if due > money and not round_.land.is_sea(caravan.at) and not _pay_at_home(round_, caravan, due - money):
            left = unpaid_of(load)
            load = minus(unhitched(load), left)
            args = {"left": format_figures(left), "watchers": 0}
            round_.tell("unpaid", [caravan.ruler], args, words="unpaid")
            booked = round_.accounts[caravan.ruler]
            booked["caravans"] = [*booked.get("caravans", ()), (caravan.name, format_figures(left))]
        _end_or_keep(round_, replace(caravan, load=load))


def _pay_at_home(round_: Round, caravan: Caravan, amount: int) -> bool:
    """Pay what a caravan can't from the core realm's stores, if they have it all. Returns whether they had.

    Ruling KA162
    """
    ruler = caravan.ruler
    if caravan.kind == EXPLORING or books.store(round_, ruler) < amount:
        return False
    booked = round_.accounts[ruler]
    rows = booked.get("upkeep", {})
    booked["upkeep"] = {**rows, "caravans": rows.get("caravans", 0) + amount}
    booked["due"], booked["paid"] = booked.get("due", 0) + amount, booked.get("paid", 0) + amount
    for province in books.home_stores(round_, ruler):
        part = min(amount, round_.money(ruler, province))
        if part:
            round_.book(ruler, province, MONEY, -part, "upkeep")
            amount -= part
    return True


def _end_or_keep(round_: Round, caravan: Caravan) -> None:
    """Without a merchant, or anybody to steer its ships, a caravan ends. Source: rules 21, ruling KA167"""
    if is_within_limits(caravan.load):
        round_.caravans[caravan.ruler, caravan.number] = caravan
    else:
        unpack(round_, caravan)


# P4


def travel(round_: Round) -> None:
    """All caravans move, by seat and number, before anything else happens on land. Source: rules 5.2"""
    if round_.dice is None:
        return
    for caravan in list(in_turn(round_)):
        line = round_.caravans_at_work.moving.get((caravan.ruler, caravan.number))
        path = line.order.path[1:] if line is not None and isinstance(line.order, CaravanMove) else ()
        end = _go(round_, caravan, path if caravan.bribed_to is None else (caravan.bribed_to,))
        is_stopped = line is not None and not _is_named(path[-1], end)
        if line is not None and is_stopped:
            round_.fail(caravan.ruler, line, "blocked")
        if end != caravan.at and caravan.bribed_to is not None:
            round_.tell("caravan_astray", [caravan.ruler], {"n": caravan.name, "gf": end}, caravan=caravan.name)
        elif is_stopped:
            round_.tell("caravan_stopped", [caravan.ruler], {"n": caravan.name, "gf": end}, caravan=caravan.name)
        moved = replace(caravan, at=end, has_moved=end != caravan.at, bribed_to=None)
        round_.caravans[caravan.ruler, caravan.number] = moved


def _go(round_: Round, caravan: Caravan, path: Sequence[Province]) -> Province:
    """Move it step by step until something bars the way; the owner of land that it enters hears of it.

    Source: rules 21.6
    """
    at = caravan.at
    way = [at]
    for named in path:
        following = _next(round_, caravan, at, named)
        if following is None or _is_barred(round_, caravan, at, following):
            break
        way.append(following)
        if goes_by_sea(caravan.load) and not waters.is_voyage(round_.land, way):
            break
        at = following
        if round_.land.is_sea(at):
            remember_sea(round_, caravan.ruler, at)
        owner = round_.owners.get(at)
        if owner not in (None, caravan.ruler):
            args = {"gf": at, "by": caravan.ruler, "reh": WHOLE}
            round_.tell("caravan_seen", [owner], args)
    while at != caravan.at and _is_banned(round_.land.commonest(at), caravan.load):
        at = caravan.at  # it turns back rather than leave a part behind
    return at


def _next(round_: Round, caravan: Caravan, at: Province, named: Province) -> Province | None:
    """The province that is meant, if a way, or for ships water, leads there."""
    is_open = waters.is_sailed if goes_by_sea(caravan.load) else Land.is_linked
    parts = (each for each in round_.land.provinces(gf_of(named)) if _is_named(named, each))
    return next((each for each in parts if is_open(round_.land, at, each)), None)


def _is_barred(round_: Round, caravan: Caravan, one: Province, other: Province) -> bool:
    """CLOSE on either side, too little room, two foreign caravans there already. Rules 21.6, rulings KA163, KA164"""
    ruler = caravan.ruler
    if any(place in round_.caravans_at_work.closed and round_.owners.get(place) != ruler for place in (one, other)):
        return True
    if not _has_room(round_.land, caravan, other):
        return True
    owner = round_.owners.get(other)
    guests = [
        each
        for each in round_.caravans.values()
        if gf_of(each.at) == gf_of(other)
        and each.ruler != owner
        and (each.ruler, each.number) != (ruler, caravan.number)
    ]
    return owner not in (None, ruler) and len(guests) >= MOST_IN_LAND


def conclude(round_: Round) -> None:
    """In the next great round all caravans may move again. Source: rules 21"""
    for caravan in list(in_turn(round_)):
        _end_or_keep(round_, replace(caravan, has_moved=False))
