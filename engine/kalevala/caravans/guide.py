"""What could be ordered of caravans, as whole orders for the guided flow, likeliest first. Source: rules 21"""

from __future__ import annotations

from collections.abc import Iterator

from engine.kalevala.agents.orders import Seize
from engine.kalevala.caravans.facts import (
    BIG,
    MERCHANT,
    MOST,
    MOST_BIG,
    ROOM,
    Caravan,
    goes_by_sea,
    speed_of,
    strange_ones,
)
from engine.kalevala.caravans.orders import CaravanDissolve, CaravanForm, CaravanMove, CloseLand
from engine.kalevala.coordinates import Province, gf_of, neighbours_of
from engine.kalevala.counsel import Counsel
from engine.kalevala.figures import MONEY, Figures, format_figures, kind_of
from engine.kalevala.model import ORDERS_PART
from engine.kalevala.orders import Whole, named
from engine.kalevala.sea import waters
from engine.kalevala.sea.craft import HOLDS, craft_among, space_of
from engine.kalevala.tables import SPACE, Group

_ESCORT = 2
_MOST_CLOSED = 12


def orders_of(counsel: Counsel) -> Whole:
    """Orders for the window of orders: ways through own land, new caravans, caravans to dissolve."""
    yield from _ways(counsel)
    yield from _formed(counsel)
    yield from _dissolved(counsel)


def deeds_of(counsel: Counsel) -> Whole:
    """Orders for the window of deeds: ways into other land, and deeds against foreign caravans."""
    yield from _ways(counsel)
    for row in strange_ones(counsel.state.modules):
        place = Province(str(row["at"]))
        yield from counsel.tried(Seize(place), "caravan_seize", place=place)
    yield from _dissolved(counsel)
    for place in counsel.state.owned(counsel.ruler)[:_MOST_CLOSED]:
        yield from counsel.tried(CloseLand(place), "caravan_close", place=place)


def _formed(counsel: Counsel) -> Whole:
    taken = {each.number for each in _caravans(counsel)}
    number = next((n for n in range(1, MOST + 1) if n not in taken), None)
    for place in counsel.state.owned(counsel.ruler) if number is not None else ():
        stack = counsel.trial.stack(counsel.ruler, place)
        if stack.get(MERCHANT) and number is not None:
            for load in dict.fromkeys(map(named, _loads(stack))):
                figures = format_figures(dict(load))
                yield from counsel.tried(CaravanForm(number, place, load), "caravan_form", place=place, figures=figures)


def _loads(stack: Figures) -> Iterator[Figures]:
    """Loads: a merchant with all gear and animals that fit, with and without an escort; with half of the RE; alone."""
    goods: dict[str, int] = {}
    room, big = ROOM, MOST_BIG
    for item, count in stack.items():
        kind = kind_of(item)
        if kind.group not in (Group.GEAR, Group.ANIMAL) or "(" in item or "/" in item:
            continue
        if kind.code in BIG:
            going = min(count, big)
            big -= going
        else:
            space = SPACE.get(kind.code, 1)
            going = min(count, room // space) if space else count
            room -= space * going
        if going:
            goods[item] = going
    men = next((item for item in stack if kind_of(item).is_warrior and stack[item] > _ESCORT), None)
    yield from _shipped(stack, men)
    escort = {men: _ESCORT} if men is not None and room >= 0 else {}
    money = {MONEY: stack[MONEY] // 2} if stack.get(MONEY, 0) > 1 else {}
    yield {MERCHANT: 1, **goods, **escort, **money}
    yield {MERCHANT: 1, **goods, **money}
    yield {MERCHANT: 1, **money}


def _shipped(stack: Figures, men: str | None) -> Iterator[Figures]:
    """Craft as they are loaded; an empty one with a merchant, a man, and whatever else fits."""
    laden = {item: count for item, count in craft_among(stack).items() if "[" in item}
    if laden:
        yield laden
    for hull in (item for item in craft_among(stack) if item in HOLDS):
        load = {hull: 1, MERCHANT: 1} | ({men: 1} if men is not None else {})
        for item, count in stack.items():
            room = HOLDS[hull] - space_of({each: number for each, number in load.items() if each != hull})
            if kind_of(item).group is Group.GEAR and "/" not in item and "(" not in item and item not in BIG:
                load[item] = min(count, room // max(space_of({item: 1}), 1))
        yield {item: count for item, count in load.items() if count}


def _ways(counsel: Counsel) -> Whole:
    for caravan in _caravans(counsel):
        for path in _paths(counsel, caravan):
            order = CaravanMove(caravan.number, (caravan.at, *path))
            yield from counsel.tried(order, "caravan_move", caravan=caravan.name, place=path[-1])


def _paths(counsel: Counsel, caravan: Caravan) -> Iterator[tuple[Province, ...]]:
    """Ways of one step, then of two, including fields where nobody has figures."""
    at_sea = goes_by_sea(caravan.load)
    near = list(_beside(counsel, caravan.at, at_sea=at_sea))
    yield from ((one,) for one in near)
    if speed_of(caravan.load) > 1:
        seen = {caravan.at, *near}
        for one in near:
            for two in _beside(counsel, one, at_sea=at_sea):
                if two not in seen:
                    seen.add(two)
                    yield (one, two)


def _beside(counsel: Counsel, place: Province, *, at_sea: bool) -> Iterator[Province]:
    """Where a way may lead from a province; for ships, known waters."""
    if at_sea:
        for gf in neighbours_of(gf_of(place)):
            there = counsel.land.provinces(gf) or (Province(gf),)
            yield from (each for each in there if waters.may_be_sailed(counsel.land, place, each))
        return
    links = counsel.land.links(place) if gf_of(place) in counsel.state.land else ()
    yield from links
    if counsel.state.part != ORDERS_PART:
        known = {gf_of(each) for each in links}
        around = (gf for gf in neighbours_of(gf_of(place)) if gf not in known and gf not in counsel.state.land)
        yield from (Province(gf) for gf in around)


def _dissolved(counsel: Counsel) -> Whole:
    for caravan in _caravans(counsel):
        order = CaravanDissolve(caravan.number)
        yield from counsel.tried(order, "caravan_dissolve", caravan=caravan.name, place=caravan.at)


def _caravans(counsel: Counsel) -> list[Caravan]:
    """The ruler's caravans, including those formed in this window."""
    return sorted(
        (each for each in counsel.trial.caravans.values() if each.ruler == counsel.ruler), key=lambda each: each.number
    )
