"""What a ruler could order within the realm, as complete orders for the guided flow, likeliest first. Rules 32"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.phrases import phrase
from engine.kalevala import books, orders, realms
from engine.kalevala.board import others
from engine.kalevala.coordinates import Edge, Province, direction_between, order_of
from engine.kalevala.counsel import Counsel
from engine.kalevala.figures import format_figures, kind_of, price_of, warriors
from engine.kalevala.modules import has_module
from engine.kalevala.orders import PEOPLE, Whole, named
from engine.kalevala.parties import parts_of
from engine.kalevala.steps import ways
from engine.kalevala.tables import CLASS_PRICE, MOST_HUMANS, MOST_SET_UP, WORKS, Group
from engine.kalevala.window import Window
from engine.lattice.great_fields import Side, inner_neighbours, side_between

_WATCHERS, _MOST_ROUNDS = 5, 10
"""The most that are offered: warriors who keep watch, and great rounds of a permission."""


def explore(counsel: Counsel) -> Whole:
    """What is next to the ruler's warriors, with the first free unit, from fleets at sea first; then what is next to
    what is being explored.
    """
    if not counsel.free_units:
        return
    ee = counsel.free_units[0]
    before = {
        (line.order.source, line.order.target) for line in counsel.standing if isinstance(line.order, orders.Explore)
    }
    armed = [place for place, stack in counsel.state.stacks.get(counsel.ruler, {}).items() if warriors(stack)]
    beyond = [target for _, target in before if target not in armed]
    seen: set[Province] = {target for _, target in before}
    armed.sort(key=lambda place: (not counsel.land.is_sea(place), order_of(place)))
    for source in (*armed, *beyond):
        for target in counsel.around(source):
            order = orders.Explore(ee, source, target)
            is_vain = counsel.state.rulers[counsel.ruler].remembers_bar(source, target, counsel.state.gr)
            if target in seen or is_vain or not counsel.may(order):
                continue
            code = "explored_beyond" if source in beyond else "explored"
            way = phrase(f"direction.{direction_between(source, target)}")
            yield order, counsel.say(code, place=target, source=source, way=way)


def arm(counsel: Counsel) -> Whole:
    """Everything in the realm gathered in one place, or what is in a place and next to it.

    Source: rules 11.2, 11.3
    """
    before = Window(counsel.state, {}, None)
    core = realms.core_realm(before, counsel.ruler)
    if counsel.is_invader:
        yield from _arm_invaders(counsel, before, core)
        return
    people = books.peoples_arming(before, counsel.ruler)
    for at in books.best_centres(before, counsel.ruler):
        near = [place for place in counsel.own if place in counsel.land.links(at) and place in core]
        zones = (
            tuple(place for place in counsel.own if place in core and place != at) if at in core else (),
            tuple(near),
            (),
        )
        offered = set()
        for zone in zones:
            for helpers in ((PEOPLE,), ()) if people and at in core else ((),):
                yielded = sum(books.yields(before, place) for place in (at, *zone)) + people * len(helpers)
                order = orders.Arm(at, min(yielded, MOST_SET_UP), (at, *zone, *helpers))
                people_too = (phrase("menu.people"),) if helpers else ()
                if order.amount and str(order) not in offered and counsel.may(order):
                    offered.add(str(order))
                    yield (
                        order,
                        counsel.say("armed", amount=order.amount, place=at, sources=(at, *zone, *people_too)),
                    )


def _arm_invaders(counsel: Counsel, before: Window, core: set[Province]) -> Whole:
    """What invaders arm without trade centres, all or half of it, in any place of their core realm.

    Source: rules 4.4
    """
    whole = books.peoples_arming(before, counsel.ruler) + books.additional_arming(before, counsel.ruler)
    for at in sorted(core, key=order_of):
        for amount in dict.fromkeys((min(whole, MOST_SET_UP), MOST_SET_UP // 2)):
            order = orders.Arm(at, amount, (at, PEOPLE))
            yield from counsel.tried(order, "armed", amount=amount, place=at, sources=(at, phrase("menu.people")))


def convert(counsel: Counsel) -> Whole:
    """As many as can be made of each item, half of them, then every smaller number."""
    own = counsel.state.rulers[counsel.ruler]
    rank = "" if own.rank == "A" else own.rank
    items = dict.fromkeys((own.core, f"B{rank}", *own.goods, "Se", "Pr/0", "K", "Ag"))
    for item in items:
        for at in realms.realm_of(counsel.trial, counsel.ruler):
            most = _most(counsel, at, item)
            for count in dict.fromkeys((most, most // 2, *range(most, 0, -1))):
                if count:
                    order = orders.Convert(at, named({item: count}))
                    cost = count * price_of(item)
                    what = phrase(f"figure.{kind_of(item).code}", count=count)
                    yield order, counsel.say("converted", place=at, count=count, what=what, cost=cost)


def _most(counsel: Counsel, at: Province, item: str) -> int:
    """How many of an item can be made in a place."""
    price = price_of(item)
    limit = MOST_HUMANS if kind_of(item).group is Group.HUMAN else counsel.trial.most_goods(counsel.ruler, at)
    if counsel.trial.centre(at) is None and not counsel.is_invader:
        return 0
    count = min(limit, counsel.trial.money(counsel.ruler, at)) // max(price, 1)
    while count and not counsel.may(orders.Convert(at, named({item: count}))):
        count //= 2
    return count


def enslave(counsel: Counsel) -> Whole:
    """Slaves from the ruler's own people, where RE were armed on this date."""
    price = CLASS_PRICE[counsel.state.rulers[counsel.ruler].rank]
    for at in counsel.own:
        most = counsel.trial.armed[counsel.ruler, at] // price
        for count in dict.fromkeys((most, most // 2, 1)):
            order = orders.EnslavePeople(at, count)
            if count and counsel.may(order):
                yield order, counsel.say("enslaved", place=at, count=count, cost=count * price)


def move(counsel: Counsel) -> Whole:
    """Parts of each stack to the ruler's provinces next to it, then two steps away."""
    mine, stacks = set(counsel.own), counsel.state.stacks.get(counsel.ruler, {})
    # If there are several, somebody stays behind.
    for source, stack in sorted(stacks.items(), key=lambda each: warriors(each[1]) < 2):
        for target in counsel.land.links(source):
            if target not in mine:
                continue
            for going in parts_of(stack, keeps=1):
                order = orders.Move(named(going), (source, target))
                yield from counsel.tried(order, "moved", source=source, place=target, figures=format_figures(going))
    for source, stack in counsel.state.stacks.get(counsel.ruler, {}).items():
        near = [each for each in counsel.land.links(source) if each in mine]
        farther = {beyond: via for via in near for beyond in counsel.land.links(via) if beyond in mine}
        for target, via in farther.items():
            if target == source or target in near:
                continue
            for going in parts_of(stack, keeps=1):
                order = orders.Move(named(going), (source, via, target))
                yield from counsel.tried(
                    order, "moved_by", source=source, place=target, via=via, figures=format_figures(going)
                )


def build(counsel: Counsel) -> Whole:
    """Towers and fortresses at trade centres, then works whose places the land prescribes, if there is RE for them."""
    for work in ("Tu", "Bf", "BF"):
        for at in counsel.own:
            centre = counsel.land.centre(at)
            cell = centre.cell if centre is not None and centre.cell else 19
            order = orders.Build(at, work, cell)
            is_payable = counsel.trial.money(counsel.ruler, at) >= WORKS[work].step
            if is_payable and counsel.trial.has_warrior(counsel.ruler, at) and counsel.may(order):
                yield order, counsel.say("built", place=at, work=phrase(f"work.{work}"), cell=cell)
    for at in counsel.own:
        for order in _other_works(counsel, at):
            if counsel.trial.money(counsel.ruler, at) >= WORKS[order.work].step and counsel.may(order):
                where = order.edge if order.edge is not None else order.cell
                yield order, counsel.say("built_at", work=phrase(f"work.{order.work}"), where=f"{where}")


def _other_works(counsel: Counsel, at: Province) -> Iterator[orders.Build]:
    """Bridges where a river or a strom runs, temple towers, and walls around the trade centre."""
    field, cells, centre = counsel.land.field(at), counsel.land.cells(at), counsel.land.centre(at)
    for edge in sorted(field.rivers):
        if edge.cell in cells:
            yield orders.Build(at, "Br", edge=edge)
    for cell in counsel.land.beside(at):
        sides = {side_between(cell, other): other for other in inner_neighbours(cell)}
        for side, other in sides.items():
            across = sides.get(side.opposite) if side is not None else None
            if across is not None and other < across and not cells.isdisjoint((other, across)):
                yield orders.Build(at, "BR", cell, banks=(other, across))
    for work in field.works:
        is_grown = work.type == "Tu" or (work.type == "Tt" and work.paid is not None)
        if work.cell is not None and is_grown and has_module(counsel.state, "priests"):
            yield orders.Build(at, "Tt", work.cell)
    if centre is not None and centre.cell in cells:
        for side in Side:
            for has_gate in (True, False):
                yield orders.Build(at, "Ma", edge=Edge(centre.cell, side), has_gate=has_gate)


def work_on_ways(counsel: Counsel) -> Whole:
    """Canals of a few small fields between waters, passes over a ridge, and more RE for those that were begun."""
    for at in counsel.own:
        most = min(counsel.trial.most_goods(counsel.ruler, at), counsel.trial.money(counsel.ruler, at))
        if most <= 0 or not counsel.trial.has_warrior(counsel.ruler, at):
            continue
        for what, cells in ways.likely(counsel.land, counsel.own, at):
            due = ways.left_to_pay(counsel.land, at, what, cells)
            order = orders.WorkOn(at, what, cells, min(most, due))
            if due and counsel.may(order):
                where = ", ".join(map(str, cells))
                yield order, counsel.say("worked", work=phrase(f"work.{what}"), where=where, cost=order.amount, due=due)


def repair(counsel: Counsel) -> Whole:
    """Works that were hit and can be repaired."""
    for at in counsel.own:
        for work in counsel.land.works(at):
            order = orders.Repair(at, work.type, None if work.edge is not None else work.cell, work.edge)
            if not work.is_whole and counsel.may(order):
                where = work.edge if work.edge is not None else work.cell
                yield order, counsel.say("built_at", work=phrase(f"work.{work.type}"), where=f"{where}")


def watch(counsel: Counsel) -> Whole:
    """A few warriors on watch for scouts and agents."""
    for at in counsel.own:
        most = min(_WATCHERS, warriors(counsel.state.stack(counsel.ruler, at)))
        for count in range(1, most + 1):
            order = orders.Watch(at, count)
            yield from counsel.tried(order, "watched", place=at, count=count)


def permit(counsel: Counsel) -> Whole:
    """Each other ruler, everywhere or in one province, for a few lengths of time; nobody without land of one's own."""
    for who in others(counsel.state, counsel.ruler) if counsel.own else ():
        for at in (None, *counsel.own):
            for rounds in (1, 3, _MOST_ROUNDS):
                order = orders.Allow(who, at, rounds)
                code = "permitted" if at else "permitted_all"
                yield order, counsel.say(code, ruler=who, place=at, count=rounds)
