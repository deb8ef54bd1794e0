"""The page about caravans: where each is, what it carries and costs, how far it goes; foreign ones in own land. Rules
21
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.doors import Door, Page
from engine.core.phrases import Phrase, phrase
from engine.kalevala import commands
from engine.kalevala.caravans.facts import (
    EXPLORING,
    MERCHANT,
    MOST,
    Caravan,
    caravans_in,
    speed_of,
    strange_ones,
    upkeep_of,
)
from engine.kalevala.coordinates import Province, order_of
from engine.kalevala.example_places import beside, home, own_beside
from engine.kalevala.figures import MONEY, Figures, count_of, format_figures, kind_of, warriors
from engine.kalevala.land import land_of
from engine.kalevala.model import ORDERS_PART, View
from engine.kalevala.modules import has_module
from engine.kalevala.orders import Line
from engine.kalevala.tables import Group


def has_trade(view: View, orders: Sequence[Line] = ()) -> bool:
    """Whether there are caravans, or merchants who could lead one."""
    if view.viewer is None or not has_module(view.state, "merchants"):
        return False
    stacks = view.state.stacks.get(view.viewer, {}).values()
    return bool(view.state.modules.get("caravans")) or any(count_of(stack, MERCHANT) for stack in stacks)


def _show(view: View, orders: Sequence[Line]) -> Page | None:
    if view.viewer is None or not has_trade(view):
        return None
    own = [each for each in caravans_in(view.state.modules) if each.ruler == view.viewer]
    lines = [line for caravan in own for line in _one(view, caravan)] or [phrase("door.caravans.none_yet")]
    for row in sorted(strange_ones(view.state.modules), key=lambda row: order_of(str(row["at"]))):
        place = Province(str(row["at"]))
        is_fleet_there = bool(warriors(view.state.stack(view.viewer, place))) and land_of(view.state).is_sea(place)
        code = "met" if is_fleet_there else "strange" if view.state.owners.get(place) == view.viewer else "spied"
        lines.append(phrase(f"door.caravans.{code}", place=place, load=str(row.get("load", ""))))
    lines.append(_how(view, own))
    return Page(lines=tuple(lines))


def _how(view: View, own: Sequence[Caravan]) -> Phrase:
    """How to form one, unless there are as many as may be, and to move one: a caravan that there is, else the new one.

    In the window of orders it goes through own land, in the window of deeds out of it.
    """
    assert view.viewer is not None, "a player's page"
    stacks = view.state.stacks.get(view.viewer, {})
    start = min((at for at in stacks if count_of(stacks[at], MERCHANT)), key=order_of, default=home(view))
    number = next(iter({*range(1, MOST + 1)} - {each.number for each in own}), None)
    is_orders = view.state.part == ORDERS_PART
    free = (each for each in own if not is_orders or view.state.owners.get(each.at) == view.viewer)
    moved, place = next(((each.number, str(each.at)) for each in free), (number or 1, start))
    there = own_beside if is_orders else beside
    args = {"caravan": moved, "place": place, "beside": there(view, place)}
    if number is None:
        return phrase("door.caravans.how_on", **args)
    load = _example_load(stacks.get(Province(start), {}))
    return phrase("door.caravans.how", number=number, start=start, load=format_figures(load), most=MOST, **args)


def _example_load(figures: Figures) -> Figures:
    """A merchant, with some gear and RE if there are any."""
    goods = next(({item: 1} for item in figures if kind_of(item).group is Group.GEAR), {})
    money = min(figures.get(MONEY, 0), 10)
    return {MERCHANT: 1, **goods, **({MONEY: money} if money else {})}


def _one(view: View, caravan: Caravan) -> Iterator[Phrase]:
    code = "expedition" if caravan.kind == EXPLORING else "caravan"
    args = {"caravan": caravan.name, "place": caravan.at, "load": format_figures(caravan.load)}
    yield phrase(f"door.caravans.{code}", **args)
    due, money = upkeep_of(caravan.load), caravan.load.get(MONEY, 0)
    if due:
        poor = "can_not_pay" if caravan.kind == EXPLORING else "paid_at_home"
        yield phrase(f"door.caravans.{'costs' if money >= due else poor}", cost=due, money=money)
    if caravan.has_moved:
        yield phrase("door.caravans.has_moved")
    else:
        window = "at_home" if view.state.part == ORDERS_PART else "abroad"
        yield phrase(f"door.caravans.{window}", fields=speed_of(caravan.load))


CARAVAN_DOOR: Door[View, Line] = Door(
    info=commands.CARAVAN,
    page=_show,
    is_open=has_trade,
    brings_page=lambda view: False,
)
