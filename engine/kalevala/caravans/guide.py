"""What could be ordered of caravans, as whole orders for the guided flow, likeliest first. Source: rules 21"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
from engine.kalevala.sea.craft import HOLDS, craft_among, space_of
from engine.kalevala.tables import SPACE, Group

_ESCORT = 2
_MOST_CLOSED = 12


@dataclass(frozen=True, slots=True)
class Caravanserai(Counsel):
    """The caravans and merchants of a ruler, and what they could do."""

    @property
    def own(self) -> list[Caravan]:
        """The ruler's caravans, including those formed in this window."""
        return sorted(
            (each for each in self.trial.caravans.values() if each.ruler == self.ruler), key=lambda each: each.number
        )


def orders_of(inn: Caravanserai) -> Whole:
    """Orders for the window of orders: ways through own land, new caravans, caravans to dissolve."""
    yield from _ways(inn)
    yield from _formed(inn)
    yield from _dissolved(inn)


def deeds_of(inn: Caravanserai) -> Whole:
    """Orders for the window of deeds: ways into other land, and deeds against foreign caravans."""
    yield from _ways(inn)
    for row in strange_ones(inn.state.modules):
        place = Province(str(row["at"]))
        yield from inn.tried(Seize(place), "caravan_seize", place=place)
    yield from _dissolved(inn)
    for place in inn.state.owned(inn.ruler)[:_MOST_CLOSED]:
        yield from inn.tried(CloseLand(place), "caravan_close", place=place)


def _formed(inn: Caravanserai) -> Whole:
    taken = {each.number for each in inn.own}
    number = next((n for n in range(1, MOST + 1) if n not in taken), None)
    for place in inn.state.owned(inn.ruler) if number is not None else ():
        stack = inn.trial.stack(inn.ruler, place)
        if stack.get(MERCHANT) and number is not None:
            for load in dict.fromkeys(map(named, _loads(stack))):
                figures = format_figures(dict(load))
                yield from inn.tried(CaravanForm(number, place, load), "caravan_form", place=place, figures=figures)


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


def _ways(inn: Caravanserai) -> Whole:
    for caravan in inn.own:
        for path in _paths(inn, caravan):
            order = CaravanMove(caravan.number, (caravan.at, *path))
            yield from inn.tried(order, "caravan_move", caravan=caravan.name, place=path[-1])


def _paths(inn: Caravanserai, caravan: Caravan) -> Iterator[tuple[Province, ...]]:
    """Ways of one step, then of two, including fields where nobody has figures."""
    at_sea = goes_by_sea(caravan.load)
    near = list(_beside(inn, caravan.at, at_sea=at_sea))
    yield from ((one,) for one in near)
    if speed_of(caravan.load) > 1:
        seen = {caravan.at, *near}
        for one in near:
            for two in _beside(inn, one, at_sea=at_sea):
                if two not in seen:
                    seen.add(two)
                    yield (one, two)


def _beside(inn: Caravanserai, place: Province, *, at_sea: bool) -> Iterator[Province]:
    """Where a way may lead from a province; for ships, known waters."""
    if at_sea:
        for gf in neighbours_of(gf_of(place)):
            there = inn.land.provinces(gf) or (Province(gf),)
            yield from (each for each in there if inn.land.may_be_sailed(place, each))
        return
    links = inn.land.links(place) if gf_of(place) in inn.state.land else ()
    yield from links
    if inn.state.part != ORDERS_PART:
        known = {gf_of(each) for each in links}
        around = (gf for gf in neighbours_of(gf_of(place)) if gf not in known and gf not in inn.state.land)
        yield from (Province(gf) for gf in around)


def _dissolved(inn: Caravanserai) -> Whole:
    for caravan in inn.own:
        order = CaravanDissolve(caravan.number)
        yield from inn.tried(order, "caravan_dissolve", caravan=caravan.name, place=caravan.at)
