"""Kings and courts in the hands of others, and what becomes of palaces.

Source: rules 18.4, R-050, rulings KA178, KA179
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala import books
from engine.kalevala.coordinates import GfId, Province, gf_of, order_of
from engine.kalevala.figures import MONEY
from engine.kalevala.kings.facts import SACK, Hostage, hostage_row, hostages_in
from engine.kalevala.kings.orders import KingPalace, KingRansom, KingRelease
from engine.kalevala.land import land_of
from engine.kalevala.orders import Line
from engine.kalevala.steps import reigning
from engine.kalevala.window import Window


def hostages(window: Window) -> tuple[Hostage, ...]:
    """All kings and courts that others hold."""
    return hostages_in(window.modules)


def _hold(window: Window, *more: Hostage) -> None:
    rows = [hostage_row(each) for each in (*hostages(window), *more)]
    window.modules = {**window.modules, "hostages": rows}


def end_captivity(window: Window, gone: list[Hostage]) -> None:
    """They are nobody's hostages any more, whatever becomes of them."""
    rows = [hostage_row(each) for each in hostages(window) if each not in gone]
    window.modules = {**window.modules, "hostages": rows}


def carry_off(window: Window, ruler: PowerId, captor: PowerId, at: Province) -> None:
    """The king is captive, in his captor's capital or where he was taken. Ruling KA179"""
    found = reigning.find(window, ruler)
    if found is None:
        return
    figure = found.item
    reigning.change(window, ruler, lives=0, why="captured")
    prison = window.capital_of(captor) or next(iter(window.owned(captor)), at)
    _hold(window, Hostage(ruler, captor, prison, figure))
    for name in (ruler, captor):
        words = "king_taken" if name == ruler else "king_held"
        args = {"what": "taken", "of": ruler, "captor": captor, "gf": prison}
        window.tell("king", [name], args, words=words)


# For a ransom


def ransom(window: Window, ruler: PowerId, line: Line, order: KingRansom) -> None:
    """Offer RE for the ruler's king, or his court. Ruling KA178"""
    have = books.owned_money(window, ruler)
    if not any(each.ruler == ruler for each in hostages(window)):
        window.refuse(ruler, line, "V02")
    elif have < order.amount:
        window.refuse(ruler, line, "V09", cost=order.amount, have=have)
    else:
        window.warn(ruler, line, "W5")
        window.kings_at_work.ransoms[ruler] = line


def release(window: Window, ruler: PowerId, line: Line, order: KingRelease) -> None:
    """Let a ruler's king and court go, for RE or for nothing. Ruling KA178"""
    if not any((each.ruler, each.captor) == (order.who, ruler) for each in hostages(window)):
        window.refuse(ruler, line, "V02")
        return
    if order.amount:
        window.warn(ruler, line, "W5")
    window.kings_at_work.releases.append((ruler, line))


def exchange(window: Window) -> None:
    """Kings and courts are freed if both sides order it, for the captor's price.

    Source: rules 18.8, ruling KA178
    """
    if window.dice is None:
        return
    paid: set[PowerId] = set()
    for captor, line in window.kings_at_work.releases:
        order = line.order
        assert isinstance(order, KingRelease)
        who = PowerId(order.who)
        held = [each for each in hostages(window) if (each.ruler, each.captor) == (who, captor)]
        home = window.capital_of(who) or next(iter(window.owned(who)), None)
        if not held or home is None or (order.amount and not _pays(window, who, order.amount)):
            window.fail(captor, line, "unmatched")
            continue
        left = order.amount
        for place in sorted(window.owned(who), key=lambda each: (each != home, order_of(each))):
            part = min(left, window.money(who, place))
            window.book(who, place, MONEY, -part, "ransom")
            window.book(captor, held[0].at, MONEY, part, "ransom")
            left -= part
        paid.add(who)
        _let_go(window, held, order.amount)
    for ruler, line in window.kings_at_work.ransoms.items():
        if ruler not in paid:
            window.fail(ruler, line, "unmatched")


def _pays(window: Window, ruler: PowerId, price: int) -> bool:
    line = window.kings_at_work.ransoms.get(ruler)
    is_offered = line is not None and isinstance(line.order, KingRansom) and line.order.amount >= price
    return is_offered and sum(window.money(ruler, place) for place in window.owned(ruler)) >= price


def _let_go(window: Window, held: list[Hostage], price: int) -> None:
    """The king goes home; with his court he counts as having a palace, wherever they are."""
    end_captivity(window, held)
    for each in held:
        ruler, captor = PowerId(each.ruler), PowerId(each.captor)
        king = window.rulers[ruler].king
        home = window.capital_of(ruler) or next(iter(window.owned(ruler)), None)
        if king is None:
            continue
        if not each.figure:
            reigning.keep(window, ruler, replace(king, has_palace=True))
        elif home is not None:
            window.book(ruler, home, each.figure, 1, "freed")
        args = {"what": "freed", "of": ruler, "captor": captor, "gf": each.at, "re": price}
        window.tell("king", [ruler, captor], args, words="king_freed" if each.figure else "king_court_freed")


# Palaces


def rebuild(window: Window, ruler: PowerId, line: Line, order: KingPalace) -> None:
    """A new palace for a king who has none. Source: rules 18.4"""
    king = window.rulers[ruler].king
    if king is None:
        window.refuse(ruler, line, "V02")
    elif reigning.build_palace(window, ruler, line, order.cell, "V07" if king.has_palace else None):
        reigning.keep(window, ruler, replace(king, has_palace=True))
        end_captivity(window, [each for each in hostages(window) if each.ruler == ruler and not each.figure])


def palace_of(window: Window, ruler: PowerId) -> Province | None:
    """The ruler's province with the palace."""
    return next(
        (at for at in window.owned(ruler) if any(work.is_palace for work in window.land.works(at))),
        None,
    )


def sack_palace(window: Window, at: Province, winner: PowerId, loser: PowerId | None) -> bool:
    """A captured palace is plundered and its court killed; it is a tower from now on. Returns whether there was one.

    Source: rules 18.4
    """
    if not any(work.is_palace for work in window.land.works(at)):
        return False
    make_tower(window, at)
    window.book(winner, at, MONEY, SACK, "sack")
    killed = [each for each in hostages(window) if each.at == at and not each.figure]
    end_captivity(window, killed)
    king = None if loser is None else window.rulers[loser].king
    if loser is not None and king is not None:
        reigning.keep(window, loser, replace(king, has_palace=False))
    concerned = dict.fromkeys((loser, winner, *(PowerId(each.ruler) for each in killed)))
    audience = [name for name in concerned if name is not None]
    window.tell("king", audience, {"what": "sacked", "gf": at, "re": SACK}, words="king_sacked", winner=winner)
    return True


def make_tower(window: Window, at: Province) -> None:
    """A palace without a king is an ordinary tower."""
    works = tuple(replace(work, is_palace=False) if work.is_palace else work for work in window.land.field(at).works)
    window.set_field(at, works=works)


def watch_palaces(window: Window) -> None:
    """The court of a conquered palace is captive; a ruined palace is lost. Taking a prison takes the captives."""
    for ruler, own in list(window.rulers.items()):
        if own.king is None or not own.king.has_palace or palace_of(window, ruler) is not None:
            continue
        for gf, cell in _palaces_before(window, ruler):
            at = window.land.at(gf, cell)
            stands = any(work.is_palace and work.cell == cell for work in window.land.field(gf).works)
            owner = None if at is None else window.owners.get(at)
            reigning.keep(window, ruler, replace(own.king, has_palace=False))
            if not stands or owner is None or at is None:
                reigning.tell(window, ruler, "palace_lost")
                continue
            _hold(window, Hostage(ruler, owner, at))
            args = {"what": "court", "of": ruler, "captor": owner, "gf": at}
            window.tell("king", [ruler, owner], args, words="king_court_taken")
    _open_prisons(window)


def _palaces_before(window: Window, ruler: PowerId) -> Iterator[tuple[GfId, int]]:
    """Where rulers' palaces stood when the window opened."""
    land = land_of(window.state)
    for at in window.state.owned(ruler):
        for work in land.works(at):
            if work.is_palace and work.cell is not None:
                yield gf_of(at), work.cell


def _open_prisons(window: Window) -> None:
    """Whoever has taken a prison holds the captives now; their own ruler, and natives, let them go."""
    for each in hostages(window):
        owner = window.owners.get(each.at)
        if owner == each.captor or not window.land.has(each.at):
            continue
        if owner is None or owner == each.ruler:
            _let_go(window, [each], 0)
        else:
            end_captivity(window, [each])
            _hold(window, replace(each, captor=owner))
            args = {"what": "taken", "of": each.ruler, "captor": owner, "gf": each.at}
            words = "king_held" if each.figure else "king_court_taken"
            window.tell("king", [PowerId(each.ruler), owner], args, words=words)
