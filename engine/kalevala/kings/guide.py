"""What a king could do, as complete orders for the guided flow, likeliest first. Source: rules 18"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from engine.kalevala.agents.guide import Cabinet
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


@dataclass(frozen=True, slots=True)
class Throne:
    """What a ruler who has a king, or wants one, can order."""

    cabinet: Cabinet

    @property
    def has_king(self) -> bool:
        """Whether there is a king, free or captive."""
        return self.cabinet.state.rulers[self.cabinet.ruler].king is not None

    def sites(self, order: Callable[[int], Order]) -> Iterator[Order]:
        """An order with the small field of the capital on which the palace could stand, near its trade centre."""
        cabinet = self.cabinet
        capital = cabinet.trial.capital_of(cabinet.ruler)
        if capital is None:
            return
        centre = cabinet.land.centre(capital)
        middle = centre.cell if centre is not None and centre.cell else next(iter(cabinet.land.cells(capital)), 1)
        towers = {work.cell for work in cabinet.land.works(capital) if work.type == "Tu"}
        cells = sorted(range(1, CELLS + 1), key=lambda cell: (cell not in towers, distance(cell, middle), cell))
        fit = (cell for cell in cells if palace_flaw(cabinet.trial, cabinet.ruler, capital, cell) is None)
        # Any other objection, such as the price, is the same for every field: one try is enough to find out.
        yield from (each for each in map(order, islice(fit, 1)) if cabinet.may(each))

    def tried(self, order: Order, code: str, **args: object) -> Whole:
        """The order, if it would not be refused."""
        return self.cabinet.tried(order, code, **args)


def orders_of(throne: Throne) -> Whole:
    """In the window of orders: pay, power, healing, a palace, another king."""
    cabinet = throne.cabinet
    if not throne.has_king:
        for kind in KINDS_OF_KINGS:
            text = cabinet.say(f"king_text_{kind}")
            for order in throne.sites(lambda cell, kind=kind, text=text: KingCreate(kind, text, cell)):  # type: ignore[misc]
                yield order, cabinet.say(f"king_create_{kind}")
        return
    yield from throne.tried(KingPay(OEH), "king_pay")
    yield from throne.tried(KingHeal(), "king_heal")
    yield from _conversions(throne)
    for order in throne.sites(KingPalace):
        yield order, cabinet.say("king_palace")
    yield from throne.tried(KingAbdicate(), "king_abdicate")


def _conversions(throne: Throne) -> Whole:
    """RE, animals or people who could become ZEH."""
    cabinet = throne.cabinet
    found = find_in(cabinet.trial.stacks[cabinet.ruler])
    if found is None or kind_of_king(found.item) != PRIEST:
        return
    for item, count in cabinet.trial.stack(cabinet.ruler, found.at).items():
        if item != MONEY and kind_of(item).group not in (Group.ANIMAL, Group.HUMAN):
            continue
        for zeh in _SHARES:
            needed = -(-VALUE_OF_ZEH * zeh // price_of(item)) if price_of(item) else count + 1
            if needed <= count:
                order = KingPower(zeh, named({item: needed}))
                yield from throne.tried(order, "king_power", count=zeh, figures=format_figures({item: needed}))


def deeds_of(throne: Throne) -> Whole:
    """In the window of deeds: ransom, for the ruler's own captives and for others'."""
    cabinet = throne.cabinet
    for hostage in hostages_in(cabinet.state.modules):
        if hostage.ruler == cabinet.ruler:
            for price in _PRICES:
                yield from throne.tried(KingRansom(price), "king_ransom", count=price, ruler=hostage.captor)
        else:
            for price in (*_PRICES, 0):
                release = KingRelease(hostage.ruler, price)
                yield from throne.tried(release, "king_release", count=price, ruler=hostage.ruler)
