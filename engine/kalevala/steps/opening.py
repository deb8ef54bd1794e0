"""The opening of P1: capitals are found, wizards replaced, marauders arm.

Source: rules 8.2, 8.4, 19.5, R-010, R-011
"""

from __future__ import annotations

from dataclasses import replace

from engine.kalevala import books
from engine.kalevala.coordinates import Province
from engine.kalevala.model import INVADER, MARAUDER, REALM
from engine.kalevala.orders import Capital
from engine.kalevala.tables import ADDITIONAL_ARMING, CLASS_PRICE, MOST_HUMANS
from engine.kalevala.window import Window


def open_books(window: Window) -> None:
    """Note what every realm has before anything else happens."""
    for ruler in window.rulers:
        window.accounts[ruler]["re_before"] = books.owned_money(window, ruler)


def end_invasions(window: Window) -> None:
    """Invaders whose trade centres arm more than the additional 64 RE are a realm from now on. Source: rules R-128"""
    for ruler, own in window.rulers.items():
        if books.settles_down(window, ruler):
            window.rulers[ruler] = replace(own, kind=REALM)
            window.tell("settled_down", [ruler], {"re": ADDITIONAL_ARMING})


def name_capitals(window: Window) -> None:
    """A ruler without a capital gets one: as ordered, else the best trade centre.

    Source: rules 8.2, R-010, ruling KA6
    """
    for ruler, own in window.rulers.items():
        if own.kind in (MARAUDER, INVADER) or window.capital_of(ruler) is not None:
            continue
        best = [place for place in books.best_centres(window, ruler) if _is_fit(window, place)]
        ordered = (
            window.find_own(ruler, line.order.at) for line in window.lines(ruler) if isinstance(line.order, Capital)
        )
        chosen = next((place for place in ordered if place in best), best[0] if best else None)
        old = own.capital
        if chosen == old or (chosen is None and old is None):
            continue
        window.rulers[ruler] = replace(own, capital=chosen)
        window.accounts[ruler]["capital"] = chosen
        if old is not None or window.state.rulers[ruler].kind == INVADER:
            words = "capital" if chosen is not None else "capital_lost"
            window.tell("capital", [ruler], {"gf": chosen, "old": old}, words=words)


def _is_fit(window: Window, province: Province) -> bool:
    centre = window.centre(province)
    return centre is not None and centre.centre.arming > 0


def arm_marauders(window: Window) -> None:
    """On even rounds each trade centre of marauders adds its value in A warriors there. Source: rules R-011"""
    if window.gr % 2:
        return
    for ruler, own in window.rulers.items():
        if own.kind != MARAUDER:
            continue
        for province in window.owned(ruler):
            count = min(books.yields(window, province), MOST_HUMANS) // CLASS_PRICE["A"]
            window.book(ruler, province, own.weapon, count, "marauders")
