"""Slaves: taking them from a ruler's own people, what they produce, and those whom nobody guards.

Source: rules 23.1 to 23.3, R-073, rulings KA66, KA168, KA169
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.caravans.facts import Caravan
from engine.kalevala.coordinates import GfId, Province, gf_of, order_of
from engine.kalevala.figures import MONEY, Figures, minus, warriors, with_loads
from engine.kalevala.model import INVADER, MARAUDER
from engine.kalevala.orders import EnslavePeople, Line
from engine.kalevala.steps.converting import HUMANS
from engine.kalevala.steps.sailing import leave_craft
from engine.kalevala.tables import CLASS_PRICE, MOST_HUMANS
from engine.kalevala.war.plans import SLAVE, SLAVES_GUARDED
from engine.kalevala.window import Window

AT_WORK = 6
"""How many slaves in a great field produce one RE. Source: rules 23.3"""


def work(window: Window) -> None:
    """Six slaves in a great field produce 1 RE, which may pay for animals, gear and works beyond the 12 RE.

    Source: rules 23.3
    """
    for ruler, own in window.rulers.items():
        fields: defaultdict[GfId, list[Province]] = defaultdict(list)
        for place in window.owned(ruler) if own.kind != MARAUDER else ():
            if window.stack(ruler, place).get(SLAVE):
                fields[gf_of(place)].append(place)
        for places in fields.values():
            made = sum(window.stack(ruler, place)[SLAVE] for place in places) // AT_WORK
            best = min(places, key=lambda place: (-window.stack(ruler, place)[SLAVE], order_of(place)))
            window.book(ruler, best, MONEY, made, "slaves")
            window.made_by_slaves[ruler, best] = made


def enslave(window: Window, ruler: PowerId, line: Line, order: EnslavePeople) -> None:
    """Take slaves from the ruler's people, for RE that were armed there on this date.

    Source: rules 23.2, ruling KA169
    """
    if window.gr % 2:
        window.refuse(ruler, line, "V23", place=order.at)
        return
    at = window.find_own(ruler, order.at)
    if at is None:
        window.refuse_land(ruler, line, order.at)
        return
    own = window.rulers[ruler]
    price = CLASS_PRICE[own.rank] * order.count
    code = None
    if window.centre(at) is None and own.kind != INVADER:
        code = "V08"
    elif window.paid_for[ruler, at, HUMANS] + price > MOST_HUMANS:
        code = "V07"
    elif price > window.armed[ruler, at]:
        code = "V09"
    if code is not None:
        window.refuse(ruler, line, code, place=at, cost=price, have=window.armed[ruler, at])
        return
    window.paid_for[ruler, at, HUMANS] += price
    window.armed[ruler, at] -= price
    window.spent[ruler] += price
    window.book(ruler, at, MONEY, -price, "enslave")
    window.book(ruler, at, SLAVE, order.count, "enslave", is_marked=True)


def count_guards(window: Window) -> None:
    """Slaves beyond six for each warrior of their ruler in the great field are free, and gone, also aboard craft and in
    caravans. Ruling KA66
    """
    for ruler in window.rulers:
        ashore = [(place, with_loads(window.stack(ruler, place)), None) for place in window.stacks.get(ruler, {})]
        led = [(each.at, each.load, each) for each in window.caravans.values() if each.ruler == ruler]
        held: list[tuple[Province, Figures, Caravan | None]] = [*sorted(ashore, key=lambda row: order_of(row[0])), *led]
        men, slaves = Counter[GfId](), Counter[GfId]()
        for place, figures, _ in held:
            men[gf_of(place)] += warriors(figures)
        for place, figures, caravan in held:
            gf, count = gf_of(place), figures.get(SLAVE, 0)
            before = slaves[gf]
            slaves[gf] += count
            free = slaves[gf] - max(before, SLAVES_GUARDED * men[gf])
            if count and free > 0:
                _let_go(window, ruler, place, free, caravan)


def _let_go(window: Window, ruler: PowerId, place: Province, count: int, caravan: Caravan | None) -> None:
    freed = {SLAVE: count}
    if caravan is None:
        leave_craft(window, ruler, place, freed)
        window.book(ruler, place, SLAVE, -count, "slaves")
    else:
        window.caravans[ruler, caravan.number] = replace(caravan, load=minus(caravan.load, freed))
    window.tell("slaves", [ruler], {"gf": place, "free": count}, words="slaves_free", place=place, count=count)
