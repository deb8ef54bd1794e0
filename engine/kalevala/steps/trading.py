"""HANDOVER: deeds of trade between two rulers, who need not know each other. Both have to order the same.

Source: rules 21.3, R-067, rulings KA140 to KA143, KA309
"""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.agents.facts import purse_of
from engine.kalevala.at_work import TradeOffer
from engine.kalevala.caravans.facts import Caravan, is_within_limits
from engine.kalevala.coordinates import Province, gf_of, neighbours_of, order_of
from engine.kalevala.figures import (
    MONEY,
    Figures,
    Named,
    common,
    count_of,
    format_figures,
    is_part,
    kind_of,
    minus,
    of_group,
    plus,
    total,
    worth,
)
from engine.kalevala.land import Land
from engine.kalevala.orders import Handover, Line
from engine.kalevala.steps import spying
from engine.kalevala.steps.entering import named_so_far
from engine.kalevala.tables import Group
from engine.kalevala.window import Window

MOST_WORTH = 60
"""The most RE that either side of a deed may be worth. Source: rules R-067"""
TRADED = (Group.ANIMAL, Group.GEAR, Group.ARTEFACT, Group.MONEY)
_MERCHANTS = ("K", "Ag")


def offer(window: Window, ruler: PowerId, line: Line, order: Handover) -> None:
    """One side of a deed, tested against what its ruler can know; P4 shows whether there is another side."""
    if order.who == ruler and not order.agent:
        window.refuse(ruler, line, "V02", which="own_name", place=order.at)
        return
    if order.agent:
        flaw = _agent_flaw(window, ruler, order)
        if flaw is not None:
            code, _, which = flaw.partition(" ")
            window.refuse(ruler, line, code, which=which, place=order.at, most=MOST_WORTH)
            return
        if order.who != ruler:
            window.bargains.offers.append(TradeOffer(ruler, line, order, window.agents[ruler, order.agent].at))
            window.warn(ruler, line, "W5")
            return
    figures = dict(order.figures)
    caravan = _caravan(window, ruler, order)
    place = _place(window, ruler, order) if caravan is None else _where(window, caravan)
    if PowerId(order.who) not in window.rulers or place is None:
        window.refuse(ruler, line, "V02", place=order.at)
        return
    stack = window.stack(ruler, place) if caravan is None else caravan.load
    named = named_so_far(window, ruler, place) if caravan is None else _promised(window, caravan)
    # Of what earlier lines take, what is there now; the rest comes only with an entry. Source: rules R-119
    if not is_part(plus(figures, common(named, stack)), stack):
        window.refuse(ruler, line, "V31", place=place)
    elif order.agent and not _reaches(window.sight(ruler)[1], place, window.agents[ruler, order.agent].at):
        window.refuse(ruler, line, "V03")
    elif not _is_carried(stack, figures, dict(order.wanted)):
        window.refuse(ruler, line, "V06", place=place)
    elif max(worth(figures), worth(dict(order.wanted))) > MOST_WORTH:
        window.refuse(ruler, line, "V07", most=MOST_WORTH)
    elif not (_is_traded(figures) and _is_traded(dict(order.wanted))):
        window.refuse(ruler, line, "V26")
    elif caravan is not None and not is_within_limits(_at_most(caravan, named, order)):
        window.refuse(ruler, line, "V26", which="room")
    else:
        number = caravan.number if caravan is not None else None
        window.bargains.offers.append(TradeOffer(ruler, line, order, place, number))
        if order.who != ruler:
            window.warn(ruler, line, "W5")


def _agent_flaw(window: Window, ruler: PowerId, order: Handover) -> str | None:
    """Why an agent can't get what a line says, and which of several reasons it is: he takes RE alone, as a gift.

    Ruling KA309
    """
    agent = spying.find(window, ruler, order.agent)
    if agent is None:
        return f"V02 {spying.lack(window, ruler, order.agent)}"
    if gf_of(agent.at) not in (gf_of(order.at), *neighbours_of(gf_of(order.at))):
        return "V02 elsewhere"
    if PowerId(order.who) not in window.rulers:
        return "V02 handover"
    taken, paid = (order.figures, order.wanted) if order.who == ruler else (order.wanted, order.figures)
    if paid or any(item != MONEY for item, _ in taken):
        return "V26 to_agent"
    if worth(dict(taken)) > MOST_WORTH:
        return "V07 handover"
    promised = (each.order for each in window.bargains.offers if (each.ruler, each.order.agent) == (ruler, order.agent))
    due = sum(worth(dict(each.wanted or each.figures)) for each in promised)
    return "V06 purse" if agent.money + due + worth(dict(taken)) > purse_of(agent.group) else None


def _at_most(caravan: Caravan, promised: Figures, order: Handover) -> Figures:
    """What a caravan would carry after a deed for which it had as much room as it can have by then."""
    return plus(minus(caravan.load, plus(promised, dict(order.figures))), dict(order.wanted))


def _caravan(window: Window, ruler: PowerId, order: Handover) -> Caravan | None:
    """The caravan that has all that is named, there or next to it, once it has moved. Rulings KA141, KA165"""
    near = {gf_of(order.at), *neighbours_of(gf_of(order.at))}
    found = [
        each
        for each in window.caravans.values()
        if each.ruler == ruler and gf_of(_where(window, each)) in near and is_part(dict(order.figures), each.load)
    ]
    if not found or (not order.figures and _place(window, ruler, order) is not None):
        return None
    return min(found, key=lambda each: (gf_of(_where(window, each)) != gf_of(order.at), each.number))


def _where(window: Window, caravan: Caravan) -> Province:
    """Where it will be according to the lines so far."""
    return window.caravans_at_work.bound.get((caravan.ruler, caravan.number), caravan.at)


def _promised(window: Window, caravan: Caravan) -> Figures:
    """What other deeds of this window promise from it."""
    mine = (each for each in window.bargains.offers if (each.ruler, each.caravan) == (caravan.ruler, caravan.number))
    return total(dict(each.order.figures) for each in mine)


def _place(window: Window, ruler: PowerId, order: Handover) -> Province | None:
    """Where people of the ruler's have everything that is named: there, else next to it. Ruling KA141"""
    gf = gf_of(order.at)
    near = {gf, *neighbours_of(gf)}
    places = [place for place in window.stacks[ruler] if gf_of(place) in near]
    for place in sorted(places, key=lambda each: (each != order.at, gf_of(each) != gf, order_of(each))):
        stack = window.stack(ruler, place)
        if of_group(stack, Group.HUMAN) and is_part(dict(order.figures), stack):
            return place
    return None


def _is_carried(stack: Figures, given: Figures, wanted: Figures) -> bool:
    """RE go from merchant to merchant; whatever else is given, from a merchant to anybody. Ruling KA142"""
    needs_one = bool(given) or MONEY in wanted
    return not needs_one or is_served(stack)


def is_served(stack: Figures) -> bool:
    """Whether there is a merchant or agent among the figures."""
    return any(count_of(stack, code) for code in _MERCHANTS)


def _is_traded(figures: Figures) -> bool:
    """Whether these can be traded in a deed. Ruling KA143"""
    return all(kind_of(item).group in TRADED for item in figures)


def exchange(window: Window) -> None:
    """At the start of P4, each deed that two rulers ordered in the same words is done in full; any other not at all."""
    left = sorted(window.bargains.offers, key=lambda each: (each.ruler, each.line.number))
    while left:
        one = left.pop(0)
        if one.order.who == one.ruler:
            _supply(window, one)
            continue
        other = next((each for each in left if _is_met(window, one, each)), None)
        if other is None:
            window.fail(one.ruler, one.line, "unmatched")
            continue
        left.remove(other)
        _hand_over(window, one, other)
        _hand_over(window, other, one)
        _tell(window, one, other)


def _is_met(window: Window, one: TradeOffer, other: TradeOffer) -> bool:
    """Whether two offers are the two sides of a deed, in the same great field or in two that touch.

    Source: rules 21.1.
    """
    return (
        (one.order.who, other.order.who) == (other.ruler, one.ruler)
        and gf_of(one.order.at) == gf_of(other.order.at)
        and (one.order.figures, one.order.wanted) == (other.order.wanted, other.order.figures)
        and _are_together(window, one, other)
    )


def _are_together(window: Window, one: TradeOffer, other: TradeOffer) -> bool:
    """Whether goods and people are in the same great field, or in two that touch; and whether there is room."""
    places = []
    for offer, taken in ((one, other), (other, one)):
        if offer.order.agent:
            agent = spying.find(window, offer.ruler, offer.order.agent)
            if agent is None:
                return False
            places.append(agent.at)
            continue
        caravan = _led_by(window, offer)
        if offer.caravan is not None and caravan is None:
            return False
        there = window.stack(offer.ruler, offer.place) if caravan is None else caravan.load
        if not (is_part(dict(offer.order.figures), there) and of_group(there, Group.HUMAN)):
            return False  # a vortex has pulled them away
        if caravan is not None and not is_within_limits(_after(caravan.load, offer, taken)):
            return False
        places.append(offer.place if caravan is None else caravan.at)
    return places[0] == places[1] or places[1] in window.land.links(places[0])


def _led_by(window: Window, offer: TradeOffer) -> Caravan | None:
    return None if offer.caravan is None else window.caravans.get((offer.ruler, offer.caravan))


def _after(load: Figures, gives: TradeOffer, takes: TradeOffer) -> Figures:
    return plus(minus(load, dict(gives.order.figures)), dict(takes.order.figures))


def _hand_over(window: Window, one: TradeOffer, other: TradeOffer) -> None:
    for offer, sign in ((one, -1), (other, 1)):
        if offer.order.agent and sign > 0:
            _pay_agent(window, offer, one.order.figures)
            continue
        caravan = _led_by(window, offer)
        if caravan is None:
            for item, count in one.order.figures:
                window.book(offer.ruler, offer.place, item, sign * count, "trade")
            continue
        change = minus if sign < 0 else plus
        load = change(caravan.load, dict(one.order.figures))
        window.caravans[caravan.ruler, caravan.number] = replace(caravan, load=load)


def _reaches(land: Land, place: Province, agent: Province) -> bool:
    """Whether RE get from a place to an agent: he is there, or next to it. Ruling KA309"""
    return place == agent or agent in land.links(place)


def _supply(window: Window, offer: TradeOffer) -> None:
    """A merchant hands RE to an agent of the same ruler's. Ruling KA309"""
    agent, caravan = spying.find(window, offer.ruler, offer.order.agent), _led_by(window, offer)
    there = window.stack(offer.ruler, offer.place) if caravan is None else caravan.load
    at = offer.place if caravan is None else caravan.at
    is_near = agent is not None and _reaches(window.land, at, agent.at)
    is_gone = offer.caravan is not None and caravan is None
    if is_gone or not is_near or not is_part(dict(offer.order.figures), there):
        window.fail(offer.ruler, offer.line, "unmatched")
        return
    if caravan is None:
        for item, count in offer.order.figures:
            window.book(offer.ruler, at, item, -count, "trade")
    else:
        load = minus(caravan.load, dict(offer.order.figures))
        window.caravans[caravan.ruler, caravan.number] = replace(caravan, load=load)
    _pay_agent(window, offer, offer.order.figures)


def _pay_agent(window: Window, offer: TradeOffer, paid: Named) -> None:
    agent = window.agents[offer.ruler, offer.order.agent]
    money = dict(paid)[MONEY]
    window.agents[agent.ruler, agent.number] = replace(agent, money=agent.money + money)
    window.tell("agent_supplied", [agent.ruler], {"agent": agent.name, "gf": agent.at, "re": money})


def _tell(window: Window, one: TradeOffer, other: TradeOffer) -> None:
    """Report the deed to those two rulers only."""
    giver, taker = (one, other) if one.order.figures else (other, one)
    given, paid = (format_figures(dict(each.order.figures)) for each in (giver, taker))
    args = {"gf": gf_of(one.order.at), "giver": giver.ruler, "taker": taker.ruler, "given": given, "paid": paid}
    window.tell("handover", (one.ruler, other.ruler), args, words="handover" if paid else "gift")
