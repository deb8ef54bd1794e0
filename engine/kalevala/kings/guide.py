"""What a king could do, as complete orders for the guided flow, likeliest first. Source: rules 18"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from engine.kalevala.counsel import Counsel
from engine.kalevala.figures import MONEY, format_figures, kind_of, price_of
from engine.kalevala.kings.facts import KINDS_OF_KINGS, OEH, PRIEST, VALUE_OF_ZEH, find_in, hostages_in, kind_of_king
from engine.kalevala.kings.orders import (
    KingAbdicate,
    KingCreate,
    KingHeal,
    KingPalace,
    KingPay,
    KingPower,
    KingRansom,
    KingRelease,
)
from engine.kalevala.orders import Order, Whole, named
from engine.kalevala.steps.building import palace_flaw
from engine.kalevala.tables import Group
from engine.lattice.great_fields import CELLS, distance

_PRICES = (20, 40, 60)
_SHARES = (30, 20, 10, 5, 1)
"""How many ZEH one suggestion offers at most."""


def orders_of(counsel: Counsel) -> Whole:
    """In the window of orders: pay, power, healing, a palace, another king."""
    if counsel.state.rulers[counsel.ruler].king is None:
        for kind in KINDS_OF_KINGS:
            text = counsel.say(f"king_text_{kind}")
            for order in _sites(counsel, lambda cell, kind=kind, text=text: KingCreate(kind, text, cell)):  # type: ignore[misc]
                yield order, counsel.say(f"king_create_{kind}")
        return
    yield from counsel.tried(KingPay(OEH), "king_pay")
    yield from counsel.tried(KingHeal(), "king_heal")
    yield from _conversions(counsel)
    for order in _sites(counsel, KingPalace):
        yield order, counsel.say("king_palace")
    yield from counsel.tried(KingAbdicate(), "king_abdicate")


def _conversions(counsel: Counsel) -> Whole:
    """RE, animals or people who could become ZEH."""
    found = find_in(counsel.trial.stacks[counsel.ruler])
    if found is None or kind_of_king(found.item) != PRIEST:
        return
    for item, count in counsel.trial.stack(counsel.ruler, found.at).items():
        if item != MONEY and kind_of(item).group not in (Group.ANIMAL, Group.HUMAN):
            continue
        for zeh in _SHARES:
            needed = -(-VALUE_OF_ZEH * zeh // price_of(item)) if price_of(item) else count + 1
            if needed <= count:
                order = KingPower(zeh, named({item: needed}))
                yield from counsel.tried(order, "king_power", count=zeh, figures=format_figures({item: needed}))


def deeds_of(counsel: Counsel) -> Whole:
    """In the window of deeds: ransom, for the ruler's own captives and for others'."""
    for hostage in hostages_in(counsel.state.modules):
        if hostage.ruler == counsel.ruler:
            for price in _PRICES:
                yield from counsel.tried(KingRansom(price), "king_ransom", count=price, ruler=hostage.captor)
        else:
            for price in (*_PRICES, 0):
                release = KingRelease(hostage.ruler, price)
                yield from counsel.tried(release, "king_release", count=price, ruler=hostage.ruler)


def _sites(counsel: Counsel, order: Callable[[int], Order]) -> Iterator[Order]:
    """An order with the small field of the capital on which the palace could stand, near its trade centre."""
    capital = counsel.trial.capital_of(counsel.ruler)
    if capital is None:
        return
    centre = counsel.land.centre(capital)
    middle = centre.cell if centre is not None and centre.cell else next(iter(counsel.land.cells(capital)), 1)
    towers = {work.cell for work in counsel.land.works(capital) if work.type == "Tu"}
    cells = sorted(range(1, CELLS + 1), key=lambda cell: (cell not in towers, distance(cell, middle), cell))
    fit = (cell for cell in cells if palace_flaw(counsel.trial, counsel.ruler, capital, cell) is None)
    # Any other objection, such as the price, is the same for every field: one try is enough to find out.
    yield from (each for each in map(order, islice(fit, 1)) if counsel.may(each))
