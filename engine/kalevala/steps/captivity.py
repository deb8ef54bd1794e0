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
from engine.kalevala.working import Round


def hostages(round_: Round) -> tuple[Hostage, ...]:
    """All kings and courts that others hold."""
    return hostages_in(round_.modules)


def _hold(round_: Round, *more: Hostage) -> None:
    rows = [hostage_row(each) for each in (*hostages(round_), *more)]
    round_.modules = {**round_.modules, "hostages": rows}


def end_captivity(round_: Round, gone: list[Hostage]) -> None:
    """They are nobody's hostages any more, whatever becomes of them."""
    rows = [hostage_row(each) for each in hostages(round_) if each not in gone]
    round_.modules = {**round_.modules, "hostages": rows}


def carry_off(round_: Round, ruler: PowerId, captor: PowerId, at: Province) -> None:
    """The king is captive, in his captor's capital or where he was taken. Ruling KA179"""
    found = reigning.find(round_, ruler)
    if found is None:
        return
    figure = found.item
    reigning.change(round_, ruler, lives=0, why="captured")
    prison = round_.capital_of(captor) or next(iter(round_.owned(captor)), at)
    _hold(round_, Hostage(ruler, captor, prison, figure))
    for name in (ruler, captor):
        words = "king_taken" if name == ruler else "king_held"
        args = {"what": "taken", "of": ruler, "captor": captor, "gf": prison}
        round_.tell("king", [name], args, words=words)


# For a ransom


def ransom(round_: Round, ruler: PowerId, line: Line, order: KingRansom) -> None:
    """Offer RE for the ruler's king, or his court. Ruling KA178"""
    have = books.owned_money(round_, ruler)
    if not any(each.ruler == ruler for each in hostages(round_)):
        round_.refuse(ruler, line, "V02")
    elif have < order.amount:
        round_.refuse(ruler, line, "V09", cost=order.amount, have=have)
    else:
        round_.warn(ruler, line, "W5")
        round_.kings_at_work.ransoms[ruler] = line


def release(round_: Round, ruler: PowerId, line: Line, order: KingRelease) -> None:
    """Let a ruler's king and court go, for RE or for nothing. Ruling KA178"""
    if not any((each.ruler, each.captor) == (order.who, ruler) for each in hostages(round_)):
        round_.refuse(ruler, line, "V02")
        return
    if order.amount:
        round_.warn(ruler, line, "W5")
    round_.kings_at_work.releases.append((ruler, line))


def exchange(round_: Round) -> None:
    """Kings and courts are freed if both sides order it, for the captor's price.

    Source: rules 18.8, ruling KA178
    """
    if round_.dice is None:
        return
    paid: set[PowerId] = set()
    for captor, line in round_.kings_at_work.releases:
        order = line.order
        assert isinstance(order, KingRelease)
        who = PowerId(order.who)
        held = [each for each in hostages(round_) if (each.ruler, each.captor) == (who, captor)]
        home = round_.capital_of(who) or next(iter(round_.owned(who)), None)
        if not held or home is None or (order.amount and not _pays(round_, who, order.amount)):
            round_.fail(captor, line, "unmatched")
            continue
        left = order.amount
        for place in sorted(round_.owned(who), key=lambda each: (each != home, order_of(each))):
            part = min(left, round_.money(who, place))
            round_.book(who, place, MONEY, -part, "ransom")
            round_.book(captor, held[0].at, MONEY, part, "ransom")
            left -= part
        paid.add(who)
        _let_go(round_, held, order.amount)
    for ruler, line in round_.kings_at_work.ransoms.items():
        if ruler not in paid:
            round_.fail(ruler, line, "unmatched")


def _pays(round_: Round, ruler: PowerId, price: int) -> bool:
    line = round_.kings_at_work.ransoms.get(ruler)
    is_offered = line is not None and isinstance(line.order, KingRansom) and line.order.amount >= price
    return is_offered and sum(round_.money(ruler, place) for place in round_.owned(ruler)) >= price


def _let_go(round_: Round, held: list[Hostage], price: int) -> None:
    """The king goes home; with his court he counts as having a palace, wherever they are."""
    end_captivity(round_, held)
    for each in held:
        ruler, captor = PowerId(each.ruler), PowerId(each.captor)
        king = round_.rulers[ruler].king
        home = round_.capital_of(ruler) or next(iter(round_.owned(ruler)), None)
        if king is None:
            continue
        if not each.figure:
            reigning.keep(round_, ruler, replace(king, has_palace=True))
        elif home is not None:
            round_.book(ruler, home, each.figure, 1, "freed")
        args = {"what": "freed", "of": ruler, "captor": captor, "gf": each.at, "re": price}
        round_.tell("king", [ruler, captor], args, words="king_freed" if each.figure else "king_court_freed")


# Palaces


def rebuild(round_: Round, ruler: PowerId, line: Line, order: KingPalace) -> None:
    """A new palace for a king who has none. Source: rules 18.4"""
    king = round_.rulers[ruler].king
    if king is None:
        round_.refuse(ruler, line, "V02")
    elif reigning.build_palace(round_, ruler, line, order.cell, "V07" if king.has_palace else None):
        reigning.keep(round_, ruler, replace(king, has_palace=True))
        end_captivity(round_, [each for each in hostages(round_) if each.ruler == ruler and not each.figure])


def palace_of(round_: Round, ruler: PowerId) -> Province | None:
    """The ruler's province with the palace."""
    return next(
        (at for at in round_.owned(ruler) if any(work.is_palace for work in round_.land.works(at))),
        None,
    )


def sack_palace(round_: Round, at: Province, winner: PowerId, loser: PowerId | None) -> bool:
    """A captured palace is plundered and its court killed; it is a tower from now on. Returns whether there was one.

    Source: rules 18.4
    """
    if not any(work.is_palace for work in round_.land.works(at)):
        return False
    make_tower(round_, at)
    round_.book(winner, at, MONEY, SACK, "sack")
    killed = [each for each in hostages(round_) if each.at == at and not each.figure]
    end_captivity(round_, killed)
    king = None if loser is None else round_.rulers[loser].king
    if loser is not None and king is not None:
        reigning.keep(round_, loser, replace(king, has_palace=False))
    concerned = dict.fromkeys((loser, winner, *(PowerId(each.ruler) for each in killed)))
    audience = [name for name in concerned if name is not None]
    round_.tell("king", audience, {"what": "sacked", "gf": at, "re": SACK}, words="king_sacked", winner=winner)
    return True


def make_tower(round_: Round, at: Province) -> None:
    """A palace without a king is an ordinary tower."""
    works = tuple(replace(work, is_palace=False) if work.is_palace else work for work in round_.land.field(at).works)
    round_.set_field(at, works=works)


def watch_palaces(round_: Round) -> None:
    """The court of a conquered palace is captive; a ruined palace is lost. Taking a prison takes the captives."""
    for ruler, own in list(round_.rulers.items()):
        if own.king is None or not own.king.has_palace or palace_of(round_, ruler) is not None:
            continue
        for gf, cell in _palaces_before(round_, ruler):
            at = round_.land.at(gf, cell)
            stands = any(work.is_palace and work.cell == cell for work in round_.land.field(gf).works)
            owner = None if at is None else round_.owners.get(at)
            reigning.keep(round_, ruler, replace(own.king, has_palace=False))
            if not stands or owner is None or at is None:
                reigning.tell(round_, ruler, "palace_lost")
                continue
            _hold(round_, Hostage(ruler, owner, at))
            args = {"what": "court", "of": ruler, "captor": owner, "gf": at}
            round_.tell("king", [ruler, owner], args, words="king_court_taken")
    _open_prisons(round_)


def _palaces_before(round_: Round, ruler: PowerId) -> Iterator[tuple[GfId, int]]:
    """Where rulers' palaces stood when the window opened."""
    land = land_of(round_.state)
    for at in round_.state.owned(ruler):
        for work in land.works(at):
            if work.is_palace and work.cell is not None:
                yield gf_of(at), work.cell


def _open_prisons(round_: Round) -> None:
    """Whoever has taken a prison holds the captives now; their own ruler, and natives, let them go."""
    for each in hostages(round_):
        owner = round_.owners.get(each.at)
        if owner == each.captor or not round_.land.has(each.at):
            continue
        if owner is None or owner == each.ruler:
            _let_go(round_, [each], 0)
        else:
            end_captivity(round_, [each])
            _hold(round_, replace(each, captor=owner))
            args = {"what": "taken", "of": each.ruler, "captor": owner, "gf": each.at}
            words = "king_held" if each.figure else "king_court_taken"
            round_.tell("king", [PowerId(each.ruler), owner], args, words=words)
