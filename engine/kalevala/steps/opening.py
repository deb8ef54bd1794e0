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
from engine.kalevala.working import Round


def open_books(round_: Round) -> None:
    """Note what every realm has before anything else happens."""
    for ruler in round_.rulers:
        round_.accounts[ruler]["re_before"] = books.owned_money(round_, ruler)


def end_invasions(round_: Round) -> None:
    """Invaders whose trade centres arm more than the additional 64 RE are a realm from now on. Source: rules R-128"""
    for ruler, own in round_.rulers.items():
        if books.settles_down(round_, ruler):
            round_.rulers[ruler] = replace(own, kind=REALM)
            round_.tell("settled_down", [ruler], {"re": ADDITIONAL_ARMING})


def name_capitals(round_: Round) -> None:
    """A ruler without a capital gets one: as ordered, else the best trade centre.

    Source: rules 8.2, R-010, ruling KA6
    """
    for ruler, own in round_.rulers.items():
        if own.kind in (MARAUDER, INVADER) or round_.capital_of(ruler) is not None:
            continue
        best = [place for place in books.best_centres(round_, ruler) if _is_fit(round_, place)]
        ordered = (
            round_.find_own(ruler, line.order.at) for line in round_.lines(ruler) if isinstance(line.order, Capital)
        )
        chosen = next((place for place in ordered if place in best), best[0] if best else None)
        old = own.capital
        if chosen == old or (chosen is None and old is None):
            continue
        round_.rulers[ruler] = replace(own, capital=chosen)
        round_.accounts[ruler]["capital"] = chosen
        if old is not None or round_.state.rulers[ruler].kind == INVADER:
            words = "capital" if chosen is not None else "capital_lost"
            round_.tell("capital", [ruler], {"gf": chosen, "old": old}, words=words)


def _is_fit(round_: Round, province: Province) -> bool:
    centre = round_.centre(province)
    return centre is not None and centre.centre.arming > 0


def arm_marauders(round_: Round) -> None:
    """On even rounds each trade centre of marauders adds its value in A warriors there. Source: rules R-011"""
    if round_.gr % 2:
        return
    for ruler, own in round_.rulers.items():
        if own.kind != MARAUDER:
            continue
        for province in round_.owned(ruler):
            count = min(books.yields(round_, province), MOST_HUMANS) // CLASS_PRICE["A"]
            round_.book(ruler, province, own.weapon, count, "marauders")
