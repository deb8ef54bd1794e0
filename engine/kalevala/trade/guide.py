"""Deeds of trade and fiefs as complete orders for the guided flow, likeliest first. Source: rules 21

Whether an offer is possible does not depend on its receiver, so only one of each kind is tried out.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ids import PowerId
from engine.kalevala.board import others
from engine.kalevala.coordinates import Province, gf_of, neighbours_of, order_of
from engine.kalevala.counsel import Counsel
from engine.kalevala.figures import MONEY, Figures, Named, kind_of, minus, price_of
from engine.kalevala.orders import AcceptFief, Enfeoff, Handover, Whole, named, written
from engine.kalevala.steps.entering import named_so_far
from engine.kalevala.steps.trading import MOST_WORTH, TRADED, is_served
from engine.kalevala.tables import KINDS, Group
from engine.kalevala.trade.fiefs import MOST_ROUNDS, Fief, fiefs_in

_BOUGHT = 4
"""How many of a kind are suggested for buying; the line can name any number."""
_GIFT = 10
"""How many RE are suggested as a gift."""
_TERMS = (3, 5, MOST_ROUNDS)


def deals(counsel: Counsel) -> Whole:
    """What could be sold, bought and given away where there is a merchant."""
    places = sorted(counsel.state.stacks.get(counsel.ruler, {}), key=order_of)
    for place in places:
        stack = counsel.trial.stack(counsel.ruler, place)
        if not is_served(stack):
            continue
        left = minus(stack, named_so_far(counsel.trial, counsel.ruler, place))
        partners = _partners(counsel, place)
        found = [
            (given, wanted)
            for given, wanted in _bargains(left)
            if partners and counsel.may(Handover(given, place, partners[0], wanted))
        ]
        for who in partners:
            for given, wanted in found:
                code = "deed_exchanged" if wanted else "deed_given"
                label = counsel.say(code, place=place, given=written(given), wanted=written(wanted))
                yield Handover(given, place, who, wanted), label


def _bargains(left: Figures) -> Iterator[tuple[Named, Named]]:
    """What is given, and for what: goods for RE at their price, RE for goods, gifts."""
    money = min(left.get(MONEY, 0), MOST_WORTH)
    goods = [item for item in left if kind_of(item).group in TRADED and item != MONEY and price_of(item)]
    amounts = [(item, count) for item in goods for count in _amounts(left[item], MOST_WORTH // price_of(item))]
    for item, count in amounts:
        yield named({item: count}), named({MONEY: count * price_of(item)})
    for kind in KINDS.values():
        if kind.group in (Group.ANIMAL, Group.GEAR) and kind.price and _BOUGHT * kind.price <= money:
            yield named({MONEY: _BOUGHT * kind.price}), named({kind.code: _BOUGHT})
    for item, count in amounts:
        yield named({item: count}), ()
    if money:
        yield named({MONEY: min(money, _GIFT)}), ()


def _amounts(count: int, most: int) -> Iterator[int]:
    """All of them, half of them, one."""
    yield from dict.fromkeys(each for each in (min(count, most), min(count, most) // 2, 1) if 0 < each <= most)


def grants(counsel: Counsel) -> Whole:
    """Own land as a fief; fiefs to give back to their givers; fiefs to renew."""
    for fief in _fiefs(counsel):
        who = fief.holder if fief.giver == counsel.ruler else fief.giver
        code = "fief_longer" if fief.giver == counsel.ruler else "fief_returned"
        for rounds in _TERMS if fief.giver == counsel.ruler else (1,):
            order = Enfeoff(fief.gf, who, rounds)
            yield from counsel.tried(order, code, place=fief.gf, ruler=who, count=rounds)
    held = [fief for fief in _fiefs(counsel) if fief.holder == counsel.ruler]
    for place in counsel.state.owned(counsel.ruler):
        partners = _partners(counsel, place)
        if any(fief.names(place) for fief in held) or not partners:
            continue
        if counsel.may(Enfeoff(place, partners[0], MOST_ROUNDS)):
            for who in partners:
                for rounds in _TERMS:
                    yield (
                        Enfeoff(place, who, rounds),
                        counsel.say("fief_given", place=place, ruler=who, count=rounds),
                    )


def consents(counsel: Counsel) -> Whole:
    """Claims, renewals, then known land of others."""
    own = [(fief.gf, fief.holder if fief.giver == counsel.ruler else fief.giver) for fief in _fiefs(counsel)]
    known = [(place, who) for place, who in counsel.state.owners.items() if who != counsel.ruler]
    for place, who in dict.fromkeys((*own, *sorted(known, key=lambda each: order_of(each[0])))):
        order = AcceptFief(place, who)
        yield from counsel.tried(order, "fief_taken", place=place, ruler=who)


def _partners(counsel: Counsel, place: Province) -> list[PowerId]:
    """All other rulers, first those who were seen next to a place."""
    near = {gf_of(place), *neighbours_of(gf_of(place))}
    seen = {owner for at, owner in counsel.state.owners.items() if gf_of(at) in near}
    seen |= {who for who, stacks in counsel.state.stacks.items() if any(gf_of(at) in near for at in stacks)}
    return sorted(others(counsel.state, counsel.ruler), key=lambda who: who not in seen)


def _fiefs(counsel: Counsel) -> list[Fief]:
    """Those that the ruler has given or holds."""
    return fiefs_in(counsel.state.modules)
