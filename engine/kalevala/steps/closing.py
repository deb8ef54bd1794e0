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
from engine.kalevala.window import Window

PROTECTED_ROUNDS = 3
MOST_MISSED = 3


def drop_out(window: Window) -> None:
    """A contestant with nobody there but a wizard or slaves drops out. The last one left owns the land; without
    one it is natives'.

    Source: rules 15.3, R-112, rulings KA24, KA296
    """
    for province, names in list(window.contested.items()):
        left = tuple(name for name in names if holds_land(window.stack(name, province)))
        if len(left) > 1:
            window.contested[province] = left
            continue
        del window.contested[province]
        if left:
            take_what_lies(window, left[0], province)
            window.owners[province] = left[0]
            window.newly.setdefault(left[0], {})[province] = window.gr
            window.set_centre(province, is_founded=True)
            window.tell("settled", names, {"gf": province, "owner": left[0], "figures": {}})
        else:
            window.tell("lapsed", names, {"gf": province})


def forfeit(window: Window) -> None:
    """What lies in others' land with nobody of its ruler's beside it but a wizard or slaves falls to the owner of the
    land, unless that ruler may be there.

    Source: ruling KA308
    """
    led = {(caravan.ruler, caravan.at) for caravan in window.caravans.values()}
    for ruler, own in list(window.stacks.items()):
        for place, stack in list(own.items()):
            host = window.owners.get(place)
            is_guarded = holds_land(stack) or (ruler, place) in led
            if host in (None, ruler) or is_guarded or is_permitted(window, host, ruler, place):
                continue
            take_unguarded(window, ruler, host, place)


def remember(window: Window) -> None:
    """Explored and lost land is remembered, and when it was seen by scouts, owners, guests, fleets or caravans; land
    that a ruler owns need not be. R-105, KA60, KA323
    """
    before = land_of(window.state)
    for ruler in window.rulers:
        found = {row.target for row in window.explored.get(ruler, ()) if row.result != NOTHING}
        known = window.known.setdefault(ruler, set())
        known |= found
        known -= set(window.owned(ruler))
        held = {now for place in _seen_by_people(window.state, ruler) for now in _named_now(window, before, place)}
        there = {place for place, stack in window.stacks.get(ruler, {}).items() if has_people(stack)}
        there |= {caravan.at for caravan in window.caravans.values() if caravan.ruler == ruler}
        seen = {**window.seen.get(ruler, {}), **dict.fromkeys(found | held | there, window.gr)}
        window.seen[ruler] = {province: gr for province, gr in seen.items() if province in known}
        _remember_centres(window, ruler)


def _seen_by_people(state: State, ruler: PowerId) -> set[Province]:
    """The provinces that a ruler owns, or where people or a caravan of the ruler's are."""
    standing = {place for place, stack in state.stacks.get(ruler, {}).items() if has_people(stack)}
    led = {caravan.at for caravan in caravans_in(state.modules) if caravan.ruler == ruler}
    return {*state.owned(ruler), *standing, *led}


def _named_now(window: Window, before: Land, place: Province) -> Iterable[Province]:
    """A province of before this window; if a battle has divided its field anew, the provinces that are there now."""
    if before.field(place).parts == window.land.field(place).parts:
        return (place,)
    cells = before.cells(place)
    return [part for part in window.land.provinces(gf_of(place)) if cells & window.land.cells(part)]


def _remember_centres(window: Window, ruler: PowerId) -> None:
    """Trade centres are remembered as they were seen before this window, their names apart. Rulings KA238, KA272"""
    if ruler not in window.state.rulers or window.rulers[ruler].kind == MARAUDER:
        return
    before = view_of(window.state, ruler, land_of(window.state))
    shown = {gf: replace(field.centre, name="") for gf, field in before.land.items() if field.centre is not None}
    known = set(map(gf_of, (*window.known.get(ruler, ()), *window.owned(ruler))))
    found = {**before.centres.get(ruler, {}), **shown}
    window.centres[ruler] = {gf: centre for gf, centre in found.items() if gf in known}


def expire(window: Window) -> None:
    """Remove permits that are over."""
    window.permits = [permit for permit in window.permits if permit.until > window.gr]


def count_missing(window: Window) -> None:
    """Count windows missed in a row; the third brings protection, after which the realm is vacant. R-097, R-117

    Game masters are asked, and may decide otherwise. Some windows count for nobody. Rulings KA78, KA291
    """
    for ruler, own in list(window.rulers.items()):
        if not own.is_played or own.has_left:
            continue
        if ruler in window.sheets or window.gr in own.leave:
            window.rulers[ruler] = replace(own, nmr=0)
            continue
        if window.state.is_excused:
            window.tell("excused", [ruler], {"ruler": ruler})
            continue
        missed = own.nmr + 1
        window.rulers[ruler] = replace(own, nmr=missed)
        window.tell("nmr", None, {"ruler": ruler, "count": missed})
        if missed == MOST_MISSED:
            _ask_about(window, ruler)


def _ask_about(window: Window, ruler: PowerId) -> None:
    """Protect the realm for as long as a game master says; or not at all, and count again from none. Ruling KA78"""
    own = window.rulers[ruler]
    decided = window.state.absences.get(ruler)
    if decided == 0:
        window.rulers[ruler] = replace(own, nmr=0)
    else:
        until = window.gr + (decided or PROTECTED_ROUNDS)
        window.rulers[ruler] = replace(own, protected=until if decided else max(own.protected, until))
    window.tell("absence", [], {"ruler": ruler, "rounds": PROTECTED_ROUNDS}, is_for_masters=True, who=str(ruler))


def leave_vacant(window: Window) -> None:
    """A realm whose ruler is still away when protection ends is vacant; a vacant one goes to marauders in the end.

    Provinces that are not loyal leave it at once. If the last window counts for nobody, protection goes on for a great
    round. Source: rules R-012, R-013, R-097, rulings KA7, KA291
    """
    for ruler, own in list(window.rulers.items()):
        if own.protected > window.gr or not own.protected:
            continue
        if own.kind == VACANT:
            loyalty.dissolve(window, ruler)
        elif own.is_played and own.nmr >= MOST_MISSED and window.state.is_excused:
            window.rulers[ruler] = replace(own, protected=window.gr + 1)
        elif own.is_played and own.nmr >= MOST_MISSED:
            _become_vacant(window, ruler, window.gr + PROTECTED_ROUNDS)


def give_up(window: Window) -> None:
    """The realm of a player who has gone is vacant when the window is over: for three great rounds no one may enter it.

    The player's last orders are carried out before. Source: rules 8.6, R-012, ruling KA228
    """
    first = window.gr if window.state.part == ORDERS_PART else window.gr + 1
    for ruler, own in list(window.rulers.items()):
        if own.has_left:
            window.rulers[ruler] = replace(own, has_left=False)
            if own.is_played:
                _become_vacant(window, ruler, first + PROTECTED_ROUNDS - 1)


def _become_vacant(window: Window, ruler: PowerId, until: int) -> None:
    own = window.rulers[ruler]
    was = INVADER if own.kind == INVADER else ""
    window.rulers[ruler] = replace(own, kind=VACANT, was=was, protected=until)
    loyalty.withdraw_permits(window, ruler)
    window.tell("vacant", [ruler], {"ruler": ruler, "until": until})
    with loyalty.with_capital(window, ruler):
        loyalty.try_loyalty(window, ruler)


def begin_anew(window: Window) -> None:
    """Reset what is counted for each great round."""
    for ruler, own in list(window.rulers.items()):
        if own.given != Given():
            window.rulers[ruler] = replace(own, given=Given())
