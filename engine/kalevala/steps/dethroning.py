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
from engine.kalevala.working import Round


def abdicate(round_: Round) -> None:
    """Kings go who were told to, and those who were not paid on two arming dates. Source: rules 18.2, ruling KA176"""
    if round_.dice is None:
        return
    for ruler, own in list(round_.rulers.items()):
        if own.king is not None and (own.king.unpaid >= UNPAID_DATES or ruler in round_.kings_at_work.abdicating):
            _abdicate(round_, ruler)


def _abdicate(round_: Round, ruler: PowerId) -> None:
    """The province of his palace rebels, and a tenth of all warriors. Source: rules 18.2, ruling KA176"""
    palace = captivity.palace_of(round_, ruler)
    army = sum(warriors(stack) for stack in round_.stacks[ruler].values())
    rebels = -(-army // TITHE)
    _remove(round_, ruler, "abdication")
    if palace is not None:
        rebels -= warriors(round_.stack(ruler, palace))
    gone = _desert(round_, ruler, rebels, palace)
    words = "abdicated" if not gone else "abdicated_left" if palace is None else "abdicated_joined"
    left = tuple(phrase("event.deserters", figures=format_figures(each), gf=place) for place, each in gone.items())
    round_.tell("king", [ruler], {"what": "abdicated"}, words=f"king_{words}", left=left)
    if palace is None:
        return
    group = loyalty.go_over(round_, ruler, [palace], "rebelled")
    for item, count in total(gone.values()).items():
        round_.book(group, palace, item, count, "rebellion")


def _desert(round_: Round, ruler: PowerId, count: int, palace: Province | None) -> dict[Province, dict[str, int]]:
    """This many warriors from outside the province of the palace leave, the cheapest of the lowest province first."""
    gone: dict[Province, dict[str, int]] = {}
    for place in sorted(round_.stacks[ruler].keys() - {palace}, key=order_of):
        stack = round_.stack(ruler, place)
        for item in sorted(stack, key=lambda item: (price_of(item), item)):
            leaving = min(stack.get(item, 0), count) if kind_of(item).is_warrior else 0
            if leaving > 0:
                round_.book(ruler, place, item, -leaving, "rebellion")
                gone.setdefault(place, {})[item] = leaving
                count -= leaving
    return gone


def mourn(round_: Round) -> None:
    """A ruler whose king is dead loses all colonies, and the loyalty of the core realm is tested.

    Source: rules 18.2, KA179
    """
    if round_.dice is None:
        return
    held = {each.ruler for each in captivity.hostages(round_) if each.figure}
    for ruler, own in list(round_.rulers.items()):
        if own.king is None or ruler in held or reigning.find(round_, ruler) is not None:
            continue
        with loyalty.with_capital(round_, ruler):
            _lose_land(round_, ruler)


def _lose_land(round_: Round, ruler: PowerId) -> None:
    colonies = sorted(set(round_.owned(ruler)) - realms.core_realm(round_, ruler), key=order_of)
    _remove(round_, ruler, "death")
    loyalty.withdraw_permits(round_, ruler)
    reigning.tell(round_, ruler, "dead")
    if colonies:
        loyalty.go_over(round_, ruler, colonies, "colonies_lost")
    loyalty.try_loyalty(round_, ruler)


def end_reign(round_: Round, ruler: PowerId) -> None:
    """Remove a ruler's king, wherever he is."""
    if round_.rulers[ruler].king is not None:
        _remove(round_, ruler, "decree")


def _remove(round_: Round, ruler: PowerId, why: str) -> None:
    """Remove the king: his palace becomes a tower, his court goes home."""
    reigning.change(round_, ruler, lives=0, why=why)
    reigning.keep(round_, ruler, None)
    captivity.end_captivity(round_, [each for each in captivity.hostages(round_) if each.ruler == ruler])
    palace = captivity.palace_of(round_, ruler)
    if palace is not None:
        captivity.make_tower(round_, palace)
