"""FIEF and ACCEPT: a province held of another ruler for a time, by the consent of both; its end, and claims.

Source: rules 21.4, R-068, R-129, rulings KA144 to KA147
"""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.at_work import FiefOffer
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.figures import count_of, format_figures, has_people, warriors, with_loads
from engine.kalevala.model import MARAUDER, Permit
from engine.kalevala.orders import AcceptFief, Enfeoff, Line
from engine.kalevala.steps.realm import release
from engine.kalevala.trade.fiefs import MOST_ROUNDS, REMINDER, Fief
from engine.kalevala.window import Window

_MERCHANT = "K"


def offer(window: Window, ruler: PowerId, line: Line, order: Enfeoff) -> None:
    """Offer a province, or more time for one that was given, as far as the giver can know; consent shows in P4."""
    place = window.find_own(ruler, order.at)
    old = next((each for each in window.fiefs if each.giver == ruler and each.holder == order.who
                and each.names(order.at)), None)  # fmt: skip
    place = place if place is not None or old is None else old.gf
    if order.who == ruler:
        window.refuse(ruler, line, "V02", which="own_name", place=order.at)
    elif order.who not in window.rulers or place is None:
        window.refuse(ruler, line, "V02", place=order.at)
    elif any(each.ruler == ruler and each.place == place for each in window.bargains.fief_offers):
        window.refuse(ruler, line, "V31", place=place)
    elif order.rounds > MOST_ROUNDS:
        window.refuse(ruler, line, "V07", most=MOST_ROUNDS)
    elif window.owners.get(place) == ruler and not _may_be_given(window, ruler, place, order.who):
        window.refuse(ruler, line, "V26", place=place)
    else:
        window.bargains.fief_offers.append(FiefOffer(ruler, line, order, place))
        window.warn(ruler, line, "W5")


def _may_be_given(window: Window, ruler: PowerId, place: Province, who: str) -> bool:
    """Whether a province can be given: no capital, no seat of king or secret service; a fief only back to its giver.

    Ruling KA144
    """
    held = next((each for each in window.fiefs if each.holder == ruler and each.names(place)), None)
    if held is not None:
        return held.giver == who
    is_seat = any(work.is_headquarters or work.is_palace for work in window.land.works(place))
    return place != window.capital_of(ruler) and not is_seat


def accept(window: Window, ruler: PowerId, line: Line, order: AcceptFief) -> None:
    """Take a fief, or claim one back. A province that the ruler owns already, and not as a fief, can't be taken."""
    is_held = any(each.holder == ruler and each.giver == order.who and each.names(order.at) for each in window.fiefs)
    if order.who == ruler:
        window.refuse(ruler, line, "V02", which="own_name", place=order.at)
    elif order.who not in window.rulers or (_is_own(window, ruler, order.at) and not is_held):
        window.refuse(ruler, line, "V02", place=order.at)
    elif any((each.ruler, each.order) == (ruler, order) for each in window.bargains.fief_consents):
        window.refuse(ruler, line, "V31", place=order.at)
    else:
        window.bargains.fief_consents.append(FiefOffer(ruler, line, order, order.at))
        window.warn(ruler, line, "W5")


def _is_own(window: Window, ruler: PowerId, named: Province) -> bool:
    """Whether everything that a ruler knows by this name is the ruler's."""
    _, known = window.sight(ruler)
    meant = [place for place in known.provinces(gf_of(named)) if named in (place, gf_of(place))]
    return bool(meant) and all(window.owners.get(place) == ruler for place in meant)


def hand_over(window: Window) -> None:
    """After the battles of P4: what both have ordered is done; if they don't agree, nobody learns why it failed.

    Ruling KA145
    """
    if window.dice is None:
        return
    consents = list(window.bargains.fief_consents)
    for one in window.bargains.fief_offers:
        other = next((each for each in consents if _agree(one, each)), None)
        if other is None or not _is_done(window, one):
            window.fail(one.ruler, one.line, "unmatched")
            continue
        consents.remove(other)
    for each in consents:
        if not _is_claimed(window, each):
            window.fail(each.ruler, each.line, "unmatched")
    _end(window)


def _agree(one: FiefOffer, other: FiefOffer) -> bool:
    """Whether a line accepts what another line offers; a name without a part means any part."""
    return (one.order.who, other.order.who) == (other.ruler, one.ruler) and other.place in (one.place, gf_of(one.place))


def _is_done(window: Window, one: FiefOffer) -> bool:
    """Give the province, give it back, or give it for longer. Returns whether that was possible."""
    assert isinstance(one.order, Enfeoff)
    giver, holder, place = one.ruler, PowerId(one.order.who), one.place
    until = window.gr + one.order.rounds
    held = next((each for each in window.fiefs if {each.giver, each.holder} == {giver, holder}
                 and each.names(place)), None)  # fmt: skip
    if held is not None and held.giver == giver:
        if not _held_of(window, held):
            return False
        _change(window, held, replace(held, until=until))
        _tell(window, held.gf, giver, holder, "fief_renewed", until=until)
        return True
    if window.owners.get(place) != giver or place in window.battles_at_work.fought:
        return False
    if held is not None:
        _give_back(window, held)
        return True
    _transfer(window, place, giver, holder)
    window.fiefs = [each for each in window.fiefs if not each.names(place)]
    window.fiefs.append(Fief(place, giver, holder, until))
    _tell(window, place, giver, holder, "fief", until=until, shows=True)
    return True


def _is_claimed(window: Window, one: FiefOffer) -> bool:
    """The giver claims back a fief, if allowed. Returns whether that was possible. Ruling KA146"""
    held = next((each for each in window.fiefs if (each.giver, each.holder) == (one.ruler, one.order.who)
                 and each.names(one.place)), None)  # fmt: skip
    if held is None or not held.is_open or not _is_free(window, held) or _is_fought_over(window, held):
        return False
    _give_back(window, held)
    return True


def _end(window: Window) -> None:
    """Fiefs go back when their time is over, or when the giver has become marauders.

    Source: rules 21.4, ruling KA147
    """
    for fief in list(window.fiefs):
        marauds = window.rulers[fief.giver].kind == MARAUDER and not _is_fought_over(window, fief)
        if (marauds or fief.until <= window.gr) and _is_free(window, fief):
            _give_back(window, fief)
        elif fief.until <= window.gr:
            window.fiefs.remove(fief)
            if not any(fief.names(place) for place in window.owned(fief.giver)):
                _tell(window, fief.gf, fief.giver, fief.holder, "fief_lost")


def _held_of(window: Window, fief: Fief) -> list[Province]:
    """The part of it that the holder still has."""
    return [place for place in window.owned(fief.holder) if fief.names(place)]


def _is_free(window: Window, fief: Fief) -> bool:
    """Whether it can go back: the holder still has it, and is not a group of marauders with men on it. Ruling KA147"""
    places = _held_of(window, fief)
    marauds = window.rulers[fief.holder].kind == MARAUDER
    return bool(places) and not (marauds and any(has_people(window.stack(fief.holder, at)) for at in places))


def _is_fought_over(window: Window, fief: Fief) -> bool:
    return bool(window.battles_at_work.fought.intersection(_held_of(window, fief)))


def _give_back(window: Window, fief: Fief) -> None:
    for place in _held_of(window, fief):
        _transfer(window, place, fief.holder, fief.giver)
    window.fiefs.remove(fief)
    _tell(window, fief.gf, fief.giver, fief.holder, "fief_back", shows=True)


def _change(window: Window, old: Fief, new: Fief) -> None:
    window.fiefs[window.fiefs.index(old)] = new


def _transfer(window: Window, place: Province, old: PowerId, new: PowerId) -> None:
    """The province changes owner; the old owner's figures there are guests for a great round. Source: R-129"""
    window.owners[place] = new
    for rows in (window.newly, window.watch):
        rows.get(old, {}).pop(place, None)
    window.known.setdefault(old, set()).add(place)
    window.permits = [each for each in window.permits if (each.giver, each.where) != (old, place)]
    if window.stack(old, place):
        window.permits.append(Permit(new, old, place, window.gr + 1))


def _tell(
    window: Window, gf: Province, giver: PowerId, holder: PowerId, words: str, *, until: int = 0, shows: bool = False
) -> None:
    """Report what became of a fief to those two rulers only.

    Args:
        shows: the land changes hands between them, so host and guest know of each other's figures there.
    """
    args: dict[str, object] = {"gf": gf, "giver": giver, "holder": holder}
    if until:
        args["until"] = until
    if shows:
        stacks = {name: window.stack(name, gf) for name in (giver, holder)}
        args["figures"] = {name: format_figures(stack) for name, stack in stacks.items() if stack}
    window.tell("fief", (giver, holder), args, words=words)


def confirm(window: Window) -> None:
    """At the end of the next P1 the holder needs a warrior or merchant there, or natives return. Source: R-129"""
    for fief in list(window.fiefs):
        places = _held_of(window, fief)
        if fief.is_entered or not places:
            continue
        if any(_has_taken_seat(window, fief.holder, place) for place in places):
            _change(window, fief, replace(fief, is_entered=True))
            continue
        for place in places:
            release(window, place)
        window.fiefs.remove(fief)
        _tell(window, fief.gf, fief.giver, fief.holder, "fief_lapsed")


def _has_taken_seat(window: Window, ruler: PowerId, place: Province) -> bool:
    """A warrior or merchant of theirs, aboard craft or in a caravan, too."""
    led = (each.load for each in window.caravans.values() if (each.ruler, each.at) == (ruler, place))
    return any(warriors(each) or count_of(each, _MERCHANT) for each in (with_loads(window.stack(ruler, place)), *led))


def remind(window: Window) -> None:
    """Both rulers are reminded two great rounds before the end. Source: R-068"""
    for fief in window.fiefs:
        if fief.until - REMINDER == window.gr and _held_of(window, fief):
            _tell(window, fief.gf, fief.giver, fief.holder, "fief_ends", until=fief.until)
