"""How reigns end: kings abdicate or have died, and what their rulers lose by it.

Source: rules 18.2, rulings KA176, KA179
"""

from __future__ import annotations

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.kalevala import realms
from engine.kalevala.coordinates import Province, order_of
from engine.kalevala.figures import format_figures, kind_of, price_of, total, warriors
from engine.kalevala.kings.facts import TITHE, UNPAID_DATES
from engine.kalevala.steps import captivity, loyalty, reigning
from engine.kalevala.window import Window


def abdicate(window: Window) -> None:
    """Kings go who were told to, and those who were not paid on two arming dates. Source: rules 18.2, ruling KA176"""
    if window.dice is None:
        return
    for ruler, own in list(window.rulers.items()):
        if own.king is not None and (own.king.unpaid >= UNPAID_DATES or ruler in window.kings_at_work.abdicating):
            _abdicate(window, ruler)


def _abdicate(window: Window, ruler: PowerId) -> None:
    """The province of his palace rebels, and a tenth of all warriors. Source: rules 18.2, ruling KA176"""
    palace = captivity.palace_of(window, ruler)
    army = sum(warriors(stack) for stack in window.stacks[ruler].values())
    rebels = -(-army // TITHE)
    _remove(window, ruler, "abdication")
    if palace is not None:
        rebels -= warriors(window.stack(ruler, palace))
    gone = _desert(window, ruler, rebels, palace)
    words = "abdicated" if not gone else "abdicated_left" if palace is None else "abdicated_joined"
    left = tuple(phrase("event.deserters", figures=format_figures(each), gf=place) for place, each in gone.items())
    window.tell("king", [ruler], {"what": "abdicated"}, words=f"king_{words}", left=left)
    if palace is None:
        return
    group = loyalty.go_over(window, ruler, [palace], "rebelled")
    for item, count in total(gone.values()).items():
        window.book(group, palace, item, count, "rebellion")


def _desert(window: Window, ruler: PowerId, count: int, palace: Province | None) -> dict[Province, dict[str, int]]:
    """This many warriors from outside the province of the palace leave, the cheapest of the lowest province first."""
    gone: dict[Province, dict[str, int]] = {}
    for place in sorted(window.stacks[ruler].keys() - {palace}, key=order_of):
        stack = window.stack(ruler, place)
        for item in sorted(stack, key=lambda item: (price_of(item), item)):
            leaving = min(stack.get(item, 0), count) if kind_of(item).is_warrior else 0
            if leaving > 0:
                window.book(ruler, place, item, -leaving, "rebellion")
                gone.setdefault(place, {})[item] = leaving
                count -= leaving
    return gone


def mourn(window: Window) -> None:
    """A ruler whose king is dead loses all colonies, and the loyalty of the core realm is tested.

    Source: rules 18.2, KA179
    """
    if window.dice is None:
        return
    held = {each.ruler for each in captivity.hostages(window) if each.figure}
    for ruler, own in list(window.rulers.items()):
        if own.king is None or ruler in held or reigning.find(window, ruler) is not None:
            continue
        with loyalty.with_capital(window, ruler):
            _lose_land(window, ruler)


def _lose_land(window: Window, ruler: PowerId) -> None:
    colonies = sorted(set(window.owned(ruler)) - realms.core_realm(window, ruler), key=order_of)
    _remove(window, ruler, "death")
    loyalty.withdraw_permits(window, ruler)
    reigning.tell(window, ruler, "dead")
    if colonies:
        loyalty.go_over(window, ruler, colonies, "colonies_lost")
    loyalty.try_loyalty(window, ruler)


def end_reign(window: Window, ruler: PowerId) -> None:
    """Remove a ruler's king, wherever he is."""
    if window.rulers[ruler].king is not None:
        _remove(window, ruler, "decree")


def _remove(window: Window, ruler: PowerId, why: str) -> None:
    """Remove the king: his palace becomes a tower, his court goes home."""
    reigning.change(window, ruler, lives=0, why=why)
    reigning.keep(window, ruler, None)
    captivity.end_captivity(window, [each for each in captivity.hostages(window) if each.ruler == ruler])
    palace = captivity.palace_of(window, ruler)
    if palace is not None:
        captivity.make_tower(window, palace)
