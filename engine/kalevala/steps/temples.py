"""Temples: gifts, the ZEH of priests, the oracle, and treasures. Source: rules 20.1, R-006, R-059"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engine.core.ids import PowerId
from engine.kalevala.agents.facts import NEAR, RULER
from engine.kalevala.coordinates import GfId, Province
from engine.kalevala.figures import MONEY, number_of
from engine.kalevala.model import Work
from engine.kalevala.orders import Line
from engine.kalevala.priests.facts import (
    FARTHEST_SIGN,
    FREE,
    ORACLE_PRICES,
    RE_FOR_ZEH,
    STORE,
    has_priest,
    is_priest,
    is_temple,
    priest_item,
    priests_among,
)
from engine.kalevala.priests.orders import Gift, Oracle, Pray
from engine.kalevala.steps.converting import pay
from engine.kalevala.steps.questions import answer, hint, is_within
from engine.kalevala.window import Booking, Window

TREASURE = "TS"
"""The entry for RE of treasures in the books; they belong to nobody, and go with the land."""
_NOBODY = PowerId("")
_TOWER = "Tu"
_DEATHS = ("battle", "murdered", "drowned", "crossing")
"""The ways of losing a priest that count as death, after which part of his ZEH comes back."""


# Lines


def receive(window: Window, ruler: PowerId, line: Line, order: Gift | Pray | Oracle) -> None:
    """Keep a line for a temple until all others have been carried out. Source: R-006"""
    code = _flaw(window, ruler, order)
    if code is not None:
        window.refuse(ruler, line, code, place=order.at)
        return
    window.temples_at_work.waiting.append((ruler, line))


def serve(window: Window) -> None:
    """Carry out the lines for temples, in written order: gifts, ZEH, questions. Source: R-006, ruling KA86"""
    waiting, window.temples_at_work.waiting = window.temples_at_work.waiting, []
    for ruler, line in waiting:
        order = line.order
        at = window.find_own(ruler, order.at) if isinstance(order, Gift | Pray | Oracle) else None
        if at is None or not treasuries(window, at):
            window.refuse(ruler, line, "V02" if at is None else "V21", place=at)
            continue
        before = window.spent[ruler]
        _SERVICES[type(order)](window, ruler, line, at, order)
        window.costs[ruler, line.number] = window.spent[ruler] - before


def _flaw(window: Window, ruler: PowerId, order: Gift | Pray | Oracle) -> str | None:
    """What is wrong with a line apart from the RE; nothing that the ruler can't know plays a part. Source: R-104"""
    at = window.find_own(ruler, order.at)
    if at is None:
        return "V02"
    others = [name for name in window.state.rulers if name != ruler]
    if isinstance(order, Oracle) and order.question == RULER and order.about not in others:
        return "V02"
    if not treasuries(window, at):
        return "V21"
    if isinstance(order, Oracle) and order.question == NEAR and not is_within(at, order.about, FARTHEST_SIGN):
        return "V04"
    return None


def _give(window: Window, ruler: PowerId, line: Line, at: Province, order: Gift) -> None:
    amount = min(order.amount, window.money(ruler, at))
    if not amount:
        window.refuse(ruler, line, "V09", place=at, cost=order.amount, have=0)
        return
    if amount < order.amount:
        window.warn(ruler, line, "W1", amount=amount)
    pay(window, ruler, at, amount, "gift")
    fill(window, at, treasuries(window, at)[0], amount, "gift")


def _pray(window: Window, ruler: PowerId, line: Line, at: Province, order: Pray) -> None:
    """RE of the treasure become ZEH, two to one. Source: rules 20.1"""
    priests = [item for item in priests_among(window.stack(ruler, at)) if order.priest in ("", item)]
    if not priests:
        window.refuse(ruler, line, "V02", place=at)
        return
    priest, have = priests[0], treasure_at(window, at)
    room = (STORE - number_of(priest)) * RE_FOR_ZEH
    amount = min(order.amount, have, room) // RE_FOR_ZEH * RE_FOR_ZEH
    if not amount:
        window.refuse(ruler, line, "V07" if not room else "V09", place=at, cost=RE_FOR_ZEH, have=have)
        return
    if amount < order.amount:
        window.warn(ruler, line, "W1", amount=amount)
    take(window, at, amount, "zeh")
    window.change_number(ruler, at, priest, priest_item(number_of(priest) + amount // RE_FOR_ZEH), "zeh")


def _ask(window: Window, ruler: PowerId, line: Line, at: Province, order: Oracle) -> None:
    """The payment, and the answer: the full one for its price, a vague one for less. Source: R-059, ruling KA87"""
    have = treasure_at(window, at)
    if have < order.amount:
        window.refuse(ruler, line, "V09", place=at, cost=order.amount, have=have)
        return
    take(window, at, order.amount, "oracle")
    if window.dice is None:
        return
    facts: dict[str, Any] = {"gf": at, "question": order.question, "re": order.amount}
    if order.question == FREE:
        _ask_master(window, ruler, facts, order.about)
        return
    is_vague = order.amount < ORACLE_PRICES[order.question]
    found = (hint if is_vague else answer)(window, order.question, order.about)
    if found is None:
        take(window, at, -order.amount, "oracle")
        window.void(ruler, line, "V02", place=order.about)
        return
    args, words = found
    facts = {**facts, "temple": at, "vague": is_vague, **args}
    window.tell("oracle", [ruler], facts, words="oracle_vague" if is_vague else "oracle", place=at, answer=words)


def _ask_master(window: Window, ruler: PowerId, facts: Mapping[str, Any], asked: str) -> None:
    """A question in words: game masters read it, and answer by a ruling. Ruling KA88"""
    window.temples_at_work.questions[ruler] += 1
    number = window.temples_at_work.questions[ruler]
    facts = {**facts, "asked": asked, "number": number}
    window.tell("oracle", [ruler], facts, words="oracle_asked", is_for_masters=True, asker=ruler)
    said = window.state.answers.get((ruler, number))
    if said is not None:
        window.tell("oracle", [ruler], {**facts, "answer": said}, words="oracle_answered")


_SERVICES: Mapping[type, Callable[[Window, PowerId, Line, Province, Any], None]] = {
    Gift: _give,
    Pray: _pray,
    Oracle: _ask,
}


# Treasures


def treasuries(window: Window, at: Province) -> list[Work]:
    """The finished temples of a province, by their small fields."""
    return sorted((work for work in window.land.works(at) if is_temple(work)), key=lambda work: work.cell or 0)


def treasure_at(window: Window, at: Province) -> int:
    """The RE in all of them."""
    return sum(work.treasure for work in treasuries(window, at))


def change(window: Window, gf: GfId | Province, work: Work, new: Work, why: str) -> None:
    """Change a temple; what its treasure gained or lost is booked."""
    works = list(window.land.field(gf).works)
    works[works.index(work)] = new
    window.set_field(gf, works=tuple(works))
    if new.treasure != work.treasure:
        window.bookings.append(Booking(_NOBODY, TREASURE, new.treasure - work.treasure, why))


def place_of(window: Window, gf: GfId, work: Work) -> Province | None:
    """The province of a work, also of one in the water."""
    return next((place for place in window.land.provinces(gf) if window.land.belongs(place, work)), None)


def fill(window: Window, at: Province, temple: Work, amount: int, why: str) -> None:
    """More RE in a treasure."""
    change(window, at, temple, replace(temple, treasure=temple.treasure + amount), why)


def take(window: Window, at: Province, amount: int, why: str) -> None:
    """RE out of the treasures of a province, the first one first; a negative amount goes back into it."""
    for temple in treasuries(window, at):
        part = min(amount, temple.treasure)
        if part:
            fill(window, at, temple, -part, why)
            amount -= part


def emptied(window: Window, ruler: PowerId, at: Province, work: Work, why: str = "treasure") -> Work:
    """A temple without its treasure, which falls to a ruler in the province. Ruling KA89"""
    bare = replace(work, treasure=0)
    if work.treasure:
        change(window, at, work, bare, why)
        window.book(ruler, at, MONEY, work.treasure, why)
    return bare


def desecrate(window: Window, ruler: PowerId, at: Province, temple: Work, why: str) -> None:
    """The temple becomes a tower; its treasure is the ruler's."""
    bare = emptied(window, ruler, at, temple, why)
    change(window, at, bare, replace(bare, type=_TOWER), why)


# Steps


def forsake(window: Window) -> None:
    """Temples without a priest at the end of P1 are towers from then on. Source: rules 20.1, ruling KA89"""
    for ruler in window.rulers:
        for at in window.owned(ruler):
            if has_priest(ruler, at, window.stack(ruler, at), window.caravans.values(), window.agents.values()):
                continue
            for temple in treasuries(window, at):
                desecrate(window, ruler, at, temple, "treasure")
                args = {"gf": at, "kf": temple.cell, "re": temple.treasure}
                words = "temple_forsaken" if temple.treasure else "temple_forsaken_empty"
                window.tell("temple", [ruler], args, words=words)


def inherit(window: Window) -> None:
    """Half the ZEH of priests who died come back as RE, into the first treasure. Source: rules 20.2, ruling KA180"""
    for booking in list(window.bookings):
        is_dead = booking.amount < 0 and booking.why in _DEATHS and is_priest(booking.item)
        amount = -booking.amount * (number_of(booking.item) // 2) if is_dead else 0
        found = next(
            ((at, temple) for at in window.owned(booking.ruler) for temple in treasuries(window, at)),
            None,
        )
        if amount and found is not None:
            at, temple = found
            fill(window, at, temple, amount, "inherited")
            window.tell("temple", [booking.ruler], {"gf": at, "kf": temple.cell, "re": amount}, words="temple_inherits")
