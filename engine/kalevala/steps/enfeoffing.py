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
from engine.kalevala.working import Round

_MERCHANT = "K"


def offer(round_: Round, ruler: PowerId, line: Line, order: Enfeoff) -> None:
    """Offer a province, or more time for one that was given, as far as the giver can know; consent shows in P4."""
    place = round_.find_own(ruler, order.at)
    old = next((each for each in round_.fiefs if each.giver == ruler and each.holder == order.who
                and each.names(order.at)), None)  # fmt: skip
    place = place if place is not None or old is None else old.gf
    if order.who == ruler:
        round_.refuse(ruler, line, "V02", which="own_name", place=order.at)
    elif order.who not in round_.rulers or place is None:
        round_.refuse(ruler, line, "V02", place=order.at)
    elif any(each.ruler == ruler and each.place == place for each in round_.bargains.fief_offers):
        round_.refuse(ruler, line, "V31", place=place)
    elif order.rounds > MOST_ROUNDS:
        round_.refuse(ruler, line, "V07", most=MOST_ROUNDS)
    elif round_.owners.get(place) == ruler and not _may_be_given(round_, ruler, place, order.who):
        round_.refuse(ruler, line, "V26", place=place)
    else:
        round_.bargains.fief_offers.append(FiefOffer(ruler, line, order, place))
        round_.warn(ruler, line, "W5")


def _may_be_given(round_: Round, ruler: PowerId, place: Province, who: str) -> bool:
    """Whether a province can be given: no capital, no seat of king or secret service; a fief only back to its giver.

    Ruling KA144
    """
    held = next((each for each in round_.fiefs if each.holder == ruler and each.names(place)), None)
    if held is not None:
        return held.giver == who
    is_seat = any(work.is_headquarters or work.is_palace for work in round_.land.works(place))
    return place != round_.capital_of(ruler) and not is_seat


def accept(round_: Round, ruler: PowerId, line: Line, order: AcceptFief) -> None:
    """Take a fief, or claim one back. A province that the ruler owns already, and not as a fief, can't be taken."""
    is_held = any(each.holder == ruler and each.giver == order.who and each.names(order.at) for each in round_.fiefs)
    if order.who == ruler:
        round_.refuse(ruler, line, "V02", which="own_name", place=order.at)
    elif order.who not in round_.rulers or (_is_own(round_, ruler, order.at) and not is_held):
        round_.refuse(ruler, line, "V02", place=order.at)
    elif any((each.ruler, each.order) == (ruler, order) for each in round_.bargains.fief_consents):
        round_.refuse(ruler, line, "V31", place=order.at)
    else:
        round_.bargains.fief_consents.append(FiefOffer(ruler, line, order, order.at))
        round_.warn(ruler, line, "W5")


def _is_own(round_: Round, ruler: PowerId, named: Province) -> bool:
    """Whether everything that a ruler knows by this name is the ruler's."""
    _, known = round_.sight(ruler)
    meant = [place for place in known.provinces(gf_of(named)) if named in (place, gf_of(place))]
    return bool(meant) and all(round_.owners.get(place) == ruler for place in meant)


def hand_over(round_: Round) -> None:
    """After the battles of P4: what both have ordered is done; if they don't agree, nobody learns why it failed.

    Ruling KA145
    """
    if round_.dice is None:
        return
    consents = list(round_.bargains.fief_consents)
    for one in round_.bargains.fief_offers:
        other = next((each for each in consents if _agree(one, each)), None)
        if other is None or not _is_done(round_, one):
            round_.fail(one.ruler, one.line, "unmatched")
            continue
        consents.remove(other)
    for each in consents:
        if not _is_claimed(round_, each):
            round_.fail(each.ruler, each.line, "unmatched")
    _end(round_)


def _agree(one: FiefOffer, other: FiefOffer) -> bool:
    """Whether a line accepts what another line offers; a name without a part means any part."""
    return (one.order.who, other.order.who) == (other.ruler, one.ruler) and other.place in (one.place, gf_of(one.place))


def _is_done(round_: Round, one: FiefOffer) -> bool:
    """Give the province, give it back, or give it for longer. Returns whether that was possible."""
    assert isinstance(one.order, Enfeoff)
    giver, holder, place = one.ruler, PowerId(one.order.who), one.place
    until = round_.gr + one.order.rounds
    held = next((each for each in round_.fiefs if {each.giver, each.holder} == {giver, holder}
                 and each.names(place)), None)  # fmt: skip
    if held is not None and held.giver == giver:
        if not _held_of(round_, held):
            return False
        _change(round_, held, replace(held, until=until))
        _tell(round_, held.gf, giver, holder, "fief_renewed", until=until)
        return True
    if round_.owners.get(place) != giver or place in round_.battles_at_work.fought:
        return False
    if held is not None:
        _give_back(round_, held)
        return True
    _transfer(round_, place, giver, holder)
    round_.fiefs = [each for each in round_.fiefs if not each.names(place)]
    round_.fiefs.append(Fief(place, giver, holder, until))
    _tell(round_, place, giver, holder, "fief", until=until, shows=True)
    return True


def _is_claimed(round_: Round, one: FiefOffer) -> bool:
    """The giver claims back a fief, if allowed. Returns whether that was possible. Ruling KA146"""
    held = next((each for each in round_.fiefs if (each.giver, each.holder) == (one.ruler, one.order.who)
                 and each.names(one.place)), None)  # fmt: skip
    if held is None or not held.is_open or not _is_free(round_, held) or _is_fought_over(round_, held):
        return False
    _give_back(round_, held)
    return True


def _end(round_: Round) -> None:
    """Fiefs go back when their time is over, or when the giver has become marauders.

    Source: rules 21.4, ruling KA147
    """
    for fief in list(round_.fiefs):
        marauds = round_.rulers[fief.giver].kind == MARAUDER and not _is_fought_over(round_, fief)
        if (marauds or fief.until <= round_.gr) and _is_free(round_, fief):
            _give_back(round_, fief)
        elif fief.until <= round_.gr:
            round_.fiefs.remove(fief)
            if not any(fief.names(place) for place in round_.owned(fief.giver)):
                _tell(round_, fief.gf, fief.giver, fief.holder, "fief_lost")


def _held_of(round_: Round, fief: Fief) -> list[Province]:
    """The part of it that the holder still has."""
    return [place for place in round_.owned(fief.holder) if fief.names(place)]


def _is_free(round_: Round, fief: Fief) -> bool:
    """Whether it can go back: the holder still has it, and is not a group of marauders with men on it. Ruling KA147"""
    places = _held_of(round_, fief)
    marauds = round_.rulers[fief.holder].kind == MARAUDER
    return bool(places) and not (marauds and any(has_people(round_.stack(fief.holder, at)) for at in places))


def _is_fought_over(round_: Round, fief: Fief) -> bool:
    return bool(round_.battles_at_work.fought.intersection(_held_of(round_, fief)))


def _give_back(round_: Round, fief: Fief) -> None:
    for place in _held_of(round_, fief):
        _transfer(round_, place, fief.holder, fief.giver)
    round_.fiefs.remove(fief)
    _tell(round_, fief.gf, fief.giver, fief.holder, "fief_back", shows=True)


def _change(round_: Round, old: Fief, new: Fief) -> None:
    round_.fiefs[round_.fiefs.index(old)] = new


def _transfer(round_: Round, place: Province, old: PowerId, new: PowerId) -> None:
    """The province changes owner; the old owner's figures there are guests for a great round. Source: R-129"""
    round_.owners[place] = new
    for rows in (round_.newly, round_.watch):
        rows.get(old, {}).pop(place, None)
    round_.known.setdefault(old, set()).add(place)
    round_.permits = [each for each in round_.permits if (each.giver, each.where) != (old, place)]
    if round_.stack(old, place):
        round_.permits.append(Permit(new, old, place, round_.gr + 1))


def _tell(
    round_: Round, gf: Province, giver: PowerId, holder: PowerId, words: str, *, until: int = 0, shows: bool = False
) -> None:
    """Report what became of a fief to those two rulers only.

    Args:
        shows: the land changes hands between them, so host and guest know of each other's figures there.
    """
    args: dict[str, object] = {"gf": gf, "giver": giver, "holder": holder}
    if until:
        args["until"] = until
    if shows:
        stacks = {name: round_.stack(name, gf) for name in (giver, holder)}
        args["figures"] = {name: format_figures(stack) for name, stack in stacks.items() if stack}
    round_.tell("fief", (giver, holder), args, words=words)


def confirm(round_: Round) -> None:
    """At the end of the next P1 the holder needs a warrior or merchant there, or natives return. Source: R-129"""
    for fief in list(round_.fiefs):
        places = _held_of(round_, fief)
        if fief.is_entered or not places:
            continue
        if any(_has_taken_seat(round_, fief.holder, place) for place in places):
            _change(round_, fief, replace(fief, is_entered=True))
            continue
        for place in places:
            release(round_, place)
        round_.fiefs.remove(fief)
        _tell(round_, fief.gf, fief.giver, fief.holder, "fief_lapsed")


def _has_taken_seat(round_: Round, ruler: PowerId, place: Province) -> bool:
    """A warrior or merchant of theirs, aboard craft or in a caravan, too."""
    led = (each.load for each in round_.caravans.values() if (each.ruler, each.at) == (ruler, place))
    return any(warriors(each) or count_of(each, _MERCHANT) for each in (with_loads(round_.stack(ruler, place)), *led))


def remind(round_: Round) -> None:
    """Both rulers are reminded two great rounds before the end. Source: R-068"""
    for fief in round_.fiefs:
        if fief.until - REMINDER == round_.gr and _held_of(round_, fief):
            _tell(round_, fief.gf, fief.giver, fief.holder, "fief_ends", until=fief.until)
