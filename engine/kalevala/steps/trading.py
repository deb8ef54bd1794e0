"""HANDOVER: deeds of trade between two rulers, who need not know each other; both order the same, or nothing happens.

Source: rules 21.3, R-067, rulings KA140 to KA143
"""

from __future__ import annotations

from engine.core.ids import PowerId
from engine.kalevala.coordinates import Province, gf_of, neighbours_of, order_of
from engine.kalevala.figures import MONEY, Figures, count_of, format_figures, is_part, kind_of, minus, of_group, worth
from engine.kalevala.orders import Handover, Line
from engine.kalevala.steps.entering import named_so_far
from engine.kalevala.tables import Group
from engine.kalevala.working import Round, TradeOffer

MOST_WORTH = 60
"""RE that either side of a deed may be worth. Source: rules R-067"""
TRADED = (Group.ANIMAL, Group.GEAR, Group.MONEY)
_MERCHANTS = ("K", "Ag")


def offer(round_: Round, ruler: PowerId, line: Line, order: Handover) -> None:
    """One side of a deed, as far as its ruler can know; the other side shows in P4."""
    figures = dict(order.figures)
    place = _place(round_, ruler, order)
    if PowerId(order.who) not in round_.rulers or place is None:
        round_.refuse(ruler, line, "V02", place=order.at)
    elif not is_part(figures, minus(round_.stack(ruler, place), named_so_far(round_, ruler, place))):
        round_.refuse(ruler, line, "V31", place=place)
    elif not _is_carried(round_.stack(ruler, place), figures, dict(order.wanted)):
        round_.refuse(ruler, line, "V06", place=place)
    elif max(worth(figures), worth(dict(order.wanted))) > MOST_WORTH:
        round_.refuse(ruler, line, "V07", most=MOST_WORTH)
    elif not (_is_traded(figures) and _is_traded(dict(order.wanted))):
        round_.refuse(ruler, line, "V26")
    else:
        round_.offers.append(TradeOffer(ruler, line, order, place))
        round_.warn(ruler, line, "W5")


def _place(round_: Round, ruler: PowerId, order: Handover) -> Province | None:
    """Where people of the ruler stand with all that is named: there, else next to it. Ruling KA141"""
    gf = gf_of(order.at)
    near = {gf, *neighbours_of(gf)}
    places = [place for place in round_.stacks[ruler] if gf_of(place) in near]
    for place in sorted(places, key=lambda each: (each != order.at, gf_of(each) != gf, order_of(each))):
        stack = round_.stack(ruler, place)
        if of_group(stack, Group.HUMAN) and is_part(dict(order.figures), stack):
            return place
    return None


def _is_carried(stack: Figures, given: Figures, wanted: Figures) -> bool:
    """RE go from merchant to merchant; whatever else is given, from a merchant to anybody. Ruling KA142"""
    needs_one = bool(given) or MONEY in wanted
    return not needs_one or is_served(stack)


def is_served(stack: Figures) -> bool:
    """Whether a merchant, or an agent, stands among the figures."""
    return any(count_of(stack, code) for code in _MERCHANTS)


def _is_traded(figures: Figures) -> bool:
    """Whether a deed may be about these. Ruling KA143"""
    return all(kind_of(item).group in TRADED for item in figures)


def exchange(round_: Round) -> None:
    """The first of P4: each deed that two rulers ordered in the same words is done whole; any other not at all."""
    left = sorted(round_.offers, key=lambda each: (each.ruler, each.line.number))
    while left:
        one = left.pop(0)
        other = next((each for each in left if _is_met(round_, one, each)), None)
        if other is None:
            round_.fail(one.ruler, one.line, "unmatched")
            continue
        left.remove(other)
        _hand_over(round_, one, other)
        _hand_over(round_, other, one)
        _tell(round_, one, other)


def _is_met(round_: Round, one: TradeOffer, other: TradeOffer) -> bool:
    """Whether two offers are the two sides of a deed, in the same great field or in two that touch."""
    return (
        (one.order.who, other.order.who) == (other.ruler, one.ruler)
        and gf_of(one.order.at) == gf_of(other.order.at)
        and (one.order.figures, one.order.wanted) == (other.order.wanted, other.order.figures)
        and (one.place == other.place or other.place in round_.land.links(one.place))
    )


def _hand_over(round_: Round, one: TradeOffer, other: TradeOffer) -> None:
    for item, count in one.order.figures:
        round_.book(one.ruler, one.place, item, -count, "trade")
        round_.book(other.ruler, other.place, item, count, "trade")


def _tell(round_: Round, one: TradeOffer, other: TradeOffer) -> None:
    """The deed, to those two alone."""
    giver, taker = (one, other) if one.order.figures else (other, one)
    given, paid = (format_figures(dict(each.order.figures)) for each in (giver, taker))
    args = {"gf": gf_of(one.order.at), "giver": giver.ruler, "taker": taker.ruler, "given": given, "paid": paid}
    round_.tell("handover", (one.ruler, other.ruler), args, words="handover" if paid else "gift")
