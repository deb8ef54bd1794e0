"""The end of P4: contests, permits, knowledge, absence.

Source: rules 8.4, 8.6, R-097, R-112, R-117
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.caravans.facts import caravans_in
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.figures import has_people, holds_land
from engine.kalevala.land import Land, land_of
from engine.kalevala.model import INVADER, MARAUDER, NOTHING, ORDERS_PART, VACANT, Given, State
from engine.kalevala.steps import loyalty
from engine.kalevala.steps.entries import take_unguarded, take_what_lies
from engine.kalevala.steps.realm import is_permitted
from engine.kalevala.view import view_of
from engine.kalevala.working import Round

PROTECTED_ROUNDS = 3
MOST_MISSED = 3


def drop_out(round_: Round) -> None:
    """A contestant with nobody there but a wizard or slaves drops out. The last one left owns the land; without
    one it is natives'.

    Source: rules 15.3, R-112, rulings KA24, KA296
    """
    for province, names in list(round_.contested.items()):
        left = tuple(name for name in names if holds_land(round_.stack(name, province)))
        if len(left) > 1:
            round_.contested[province] = left
            continue
        del round_.contested[province]
        if left:
            take_what_lies(round_, left[0], province)
            round_.owners[province] = left[0]
            round_.newly.setdefault(left[0], {})[province] = round_.gr
            round_.set_centre(province, is_founded=True)
            round_.tell("settled", names, {"gf": province, "owner": left[0], "figures": {}})
        else:
            round_.tell("lapsed", names, {"gf": province})


def forfeit(round_: Round) -> None:
    """What lies in others' land with nobody of its ruler's beside it but a wizard or slaves falls to the owner of the
    land, unless that ruler may be there.

    Source: ruling KA308
    """
    led = {(caravan.ruler, caravan.at) for caravan in round_.caravans.values()}
    for ruler, own in list(round_.stacks.items()):
        for place, stack in list(own.items()):
            host = round_.owners.get(place)
            is_guarded = holds_land(stack) or (ruler, place) in led
            if host in (None, ruler) or is_guarded or is_permitted(round_, host, ruler, place):
                continue
            take_unguarded(round_, ruler, host, place)


def remember(round_: Round) -> None:
    """Explored and lost land is remembered, and when it was seen by scouts, owners, guests, fleets or caravans; land
    that a ruler owns need not be. R-105, KA60, KA323
    """
    before = land_of(round_.state)
    for ruler in round_.rulers:
        found = {row.target for row in round_.explored.get(ruler, ()) if row.result != NOTHING}
        known = round_.known.setdefault(ruler, set())
        known |= found
        known -= set(round_.owned(ruler))
        held = {now for place in _seen_by_people(round_.state, ruler) for now in _named_now(round_, before, place)}
        there = {place for place, stack in round_.stacks.get(ruler, {}).items() if has_people(stack)}
        there |= {caravan.at for caravan in round_.caravans.values() if caravan.ruler == ruler}
        seen = {**round_.seen.get(ruler, {}), **dict.fromkeys(found | held | there, round_.gr)}
        round_.seen[ruler] = {province: gr for province, gr in seen.items() if province in known}
        _remember_centres(round_, ruler)


def _seen_by_people(state: State, ruler: PowerId) -> set[Province]:
    """The provinces that a ruler owns, or where people or a caravan of the ruler's are."""
    standing = {place for place, stack in state.stacks.get(ruler, {}).items() if has_people(stack)}
    led = {caravan.at for caravan in caravans_in(state.modules) if caravan.ruler == ruler}
    return {*state.owned(ruler), *standing, *led}


def _named_now(round_: Round, before: Land, place: Province) -> Iterable[Province]:
    """A province of before this window; if a battle has divided its field anew, the provinces that are there now."""
    if before.field(place).parts == round_.land.field(place).parts:
        return (place,)
    cells = before.cells(place)
    return [part for part in round_.land.provinces(gf_of(place)) if cells & round_.land.cells(part)]


def _remember_centres(round_: Round, ruler: PowerId) -> None:
    """Trade centres are remembered as they were seen before this window, their names apart. Rulings KA238, KA272"""
    if ruler not in round_.state.rulers or round_.rulers[ruler].kind == MARAUDER:
        return
    before = view_of(round_.state, ruler, land_of(round_.state))
    shown = {gf: replace(field.centre, name="") for gf, field in before.land.items() if field.centre is not None}
    known = set(map(gf_of, (*round_.known.get(ruler, ()), *round_.owned(ruler))))
    found = {**before.centres.get(ruler, {}), **shown}
    round_.centres[ruler] = {gf: centre for gf, centre in found.items() if gf in known}


def expire(round_: Round) -> None:
    """Remove permits that are over."""
    round_.permits = [permit for permit in round_.permits if permit.until > round_.gr]


def count_missing(round_: Round) -> None:
    """Count windows missed in a row; the third brings protection, after which the realm is vacant. R-097, R-117

    Game masters are asked, and may decide otherwise. Some windows count for nobody. Rulings KA78, KA291
    """
    for ruler, own in list(round_.rulers.items()):
        if not own.is_played or own.has_left:
            continue
        if ruler in round_.sheets or round_.gr in own.leave:
            round_.rulers[ruler] = replace(own, nmr=0)
            continue
        if round_.state.is_excused:
            round_.tell("excused", [ruler], {"ruler": ruler})
            continue
        missed = own.nmr + 1
        round_.rulers[ruler] = replace(own, nmr=missed)
        round_.tell("nmr", None, {"ruler": ruler, "count": missed})
        if missed == MOST_MISSED:
            _ask_about(round_, ruler)


def _ask_about(round_: Round, ruler: PowerId) -> None:
    """Protect the realm for as long as a game master says; or not at all, and count again from none. Ruling KA78"""
    own = round_.rulers[ruler]
    decided = round_.state.absences.get(ruler)
    if decided == 0:
        round_.rulers[ruler] = replace(own, nmr=0)
    else:
        until = round_.gr + (decided or PROTECTED_ROUNDS)
        round_.rulers[ruler] = replace(own, protected=until if decided else max(own.protected, until))
    round_.tell("absence", [], {"ruler": ruler, "rounds": PROTECTED_ROUNDS}, is_for_masters=True, who=str(ruler))


def leave_vacant(round_: Round) -> None:
    """A realm whose ruler is still away when protection ends is vacant; a vacant one goes to marauders in the end.

    Provinces that are not loyal leave it at once. If the last window counts for nobody, protection goes on for a great
    round. Source: rules R-012, R-013, R-097, rulings KA7, KA291
    """
    for ruler, own in list(round_.rulers.items()):
        if own.protected > round_.gr or not own.protected:
            continue
        if own.kind == VACANT:
            loyalty.dissolve(round_, ruler)
        elif own.is_played and own.nmr >= MOST_MISSED and round_.state.is_excused:
            round_.rulers[ruler] = replace(own, protected=round_.gr + 1)
        elif own.is_played and own.nmr >= MOST_MISSED:
            _become_vacant(round_, ruler, round_.gr + PROTECTED_ROUNDS)


def give_up(round_: Round) -> None:
    """The realm of a player who has gone is vacant when the window is over: for three great rounds no one may enter it.

    The player's last orders are carried out before. Source: rules 8.6, R-012, ruling KA228
    """
    first = round_.gr if round_.state.part == ORDERS_PART else round_.gr + 1
    for ruler, own in list(round_.rulers.items()):
        if own.has_left:
            round_.rulers[ruler] = replace(own, has_left=False)
            if own.is_played:
                _become_vacant(round_, ruler, first + PROTECTED_ROUNDS - 1)


def _become_vacant(round_: Round, ruler: PowerId, until: int) -> None:
    own = round_.rulers[ruler]
    was = INVADER if own.kind == INVADER else ""
    round_.rulers[ruler] = replace(own, kind=VACANT, was=was, protected=until)
    loyalty.withdraw_permits(round_, ruler)
    round_.tell("vacant", [ruler], {"ruler": ruler, "until": until})
    with loyalty.with_capital(round_, ruler):
        loyalty.try_loyalty(round_, ruler)


def begin_anew(round_: Round) -> None:
    """Reset what is counted for each great round."""
    for ruler, own in list(round_.rulers.items()):
        if own.given != Given():
            round_.rulers[ruler] = replace(own, given=Given())
