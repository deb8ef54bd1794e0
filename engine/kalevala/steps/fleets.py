"""What becomes of craft after a battle: those aboard sail home, or stay at the shore that was won.

Source: rules 9.3, B18, B22, rulings KA106 to KA109
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from engine.core.ids import PowerId
from engine.kalevala.battle.ending import Vessel
from engine.kalevala.battle.sites import Army
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.figures import MONEY, Figures, format_figures, kind_of, minus, plus, with_loads
from engine.kalevala.model import INVADER
from engine.kalevala.sea.craft import is_craft, with_load
from engine.kalevala.steps.magic import send_home
from engine.kalevala.steps.sailing import remember_sea
from engine.kalevala.window import Entering, Window


def unlade(window: Window, armies: Iterable[Army]) -> None:
    """List what is aboard craft next to them, so that the books of a battle can say who falls."""
    for army in armies:
        for item, count in Counter(army.craft).items():
            window.put(army.ruler, army.province, item, -count)
            for each, number in with_loads({item: count}).items():
                window.put(army.ruler, army.province, each, number)


def settle(
    window: Window,
    vessels: Iterable[Vessel],
    assaults: Iterable[Entering],
    left: Collection[PowerId],
    winner: PowerId | None,
) -> None:
    """Prizes fall to the winner; other loaded craft are where they came from, or where they won a shore or the sea."""
    crews: dict[tuple[PowerId, Province], list[tuple[Vessel, Figures]]] = {}
    prizes = []
    for vessel in vessels:
        at = _whereabouts(window, vessel)
        if at is None:
            continue  # somebody has taken it with the land
        if vessel.is_adrift or vessel.ruler not in left:
            prizes.append(vessel)
            continue
        goal = vessel.target if _is_won(window, vessel, winner) else None
        crews.setdefault((vessel.ruler, at), []).append((vessel, vessel.aboard))
        if goal is not None:
            _move(window, vessel, at, goal)
            crews[vessel.ruler, at].pop()
            crews.setdefault((vessel.ruler, goal), []).append((vessel, vessel.aboard))
            if window.land.is_sea(goal):
                remember_sea(window, vessel.ruler, goal)
    for vessel in prizes:
        at = _whereabouts(window, vessel)
        if at is not None:  # if it fell with the land, another one may have been found in its place
            _take(window, vessel, at, crews, winner)
    for (ruler, at), found in crews.items():
        has_landed = any(entry.ruler == ruler and entry.target == at for entry in assaults)
        is_ashore = has_landed and not window.land.is_sea(at)
        for vessel, aboard in found:
            if not is_ashore:
                _lade(window, ruler, at, vessel, aboard)


def _whereabouts(window: Window, vessel: Vessel) -> Province | None:
    """The province where a craft is now: its home, or the part of it that still belongs to its ruler."""
    wanted = plus(plus({vessel.item: 1}, vessel.aboard), vessel.cargo)
    places = [vessel.home, *(place for place in window.stacks[vessel.ruler] if gf_of(place) == gf_of(vessel.home))]
    return next((place for place in places if _has(window, vessel.ruler, place, wanted)), None)


def _has(window: Window, ruler: PowerId, at: Province, figures: Figures) -> bool:
    here = window.stack(ruler, at)
    return all(here.get(item, 0) >= count for item, count in figures.items())


def _is_won(window: Window, vessel: Vessel, winner: PowerId | None) -> bool:
    """Whether a craft's ruler has won what it came for; the high sea is won once nobody else fights for it."""
    if vessel.target is None:
        return False
    if window.land.is_sea(vessel.target):
        return winner is not None
    return window.owners.get(vessel.target) == vessel.ruler


def _move(window: Window, vessel: Vessel, source: Province, target: Province) -> None:
    everything = plus(plus({vessel.item: 1}, vessel.aboard), vessel.cargo)
    window.shift(vessel.ruler, everything, source, target, is_marked=False)


def _lade(window: Window, ruler: PowerId, at: Province, vessel: Vessel, aboard: Figures) -> None:
    load = plus(aboard, vessel.cargo)
    if load and _has(window, ruler, at, {vessel.item: 1, **load}):
        for item, count in {vessel.item: 1, **load}.items():
            window.put(ruler, at, item, -count)
        window.put(ruler, at, with_load(vessel.item, load), 1)


def _take(
    window: Window,
    vessel: Vessel,
    at: Province,
    crews: dict[tuple[PowerId, Province], list[tuple[Vessel, Figures]]],
    winner: PowerId | None,
) -> None:
    """A prize goes where its captor's craft are, or to the land that was fought for; at sea it gets a crew."""
    battle_at = vessel.target or vessel.home
    taker = winner or window.owners.get(battle_at)
    if taker is None or taker == vessel.ruler:
        crews.setdefault((vessel.ruler, at), []).append((vessel, vessel.aboard))
        return
    places = [place for (ruler, place), rows in crews.items() if ruler == taker and rows]
    goal = battle_at if window.owners.get(battle_at) == taker else next(iter(places), None)
    if goal is None:
        goal = next((place for place in window.owned(taker)), battle_at)
    load = plus(vessel.cargo, vessel.aboard)
    wizards = {item: count for item, count in load.items() if kind_of(item).code == "Z"}
    if wizards:
        send_home(window, vessel.ruler, at, wizards, ())
    for item, count in plus({vessel.item: 1}, minus(load, wizards)).items():
        window.book(vessel.ruler, at, item, -count, "booty")
        window.book(taker, goal, item, count, "booty")
    rows = crews.setdefault((taker, goal), [])
    rows.append((vessel, _prize_crew(rows)))


def _prize_crew(rows: list[tuple[Vessel, Figures]]) -> Figures:
    """One warrior of the largest crew, if somebody stays to steer that craft."""

    def fighting(aboard: Figures) -> int:
        return sum(count for item, count in aboard.items() if kind_of(item).is_warrior)

    place = max(range(len(rows)), key=lambda at: fighting(rows[at][1]), default=None)
    if place is None or fighting(rows[place][1]) < _SHARED:
        return {}
    other, aboard = rows[place]
    man = next(item for item in aboard if kind_of(item).is_warrior)
    rows[place] = other, minus(aboard, {man: 1})
    return {man: 1}


_SHARED = 2


def secure(window: Window) -> None:
    """On the high sea figures for whom no craft has room drown. KA108"""
    if window.dice is None:
        return
    for ruler, own in list(window.stacks.items()):
        for place in [place for place in own if window.land.is_sea(place)]:
            loose = drowning(window, ruler, own[place])
            if loose:
                _drown(window, ruler, place, loose)


def drowning(window: Window, ruler: PowerId, stack: Figures) -> Figures:
    """What drowns of a stack on the high sea. Where invaders have craft, RE are as safe as ashore. KA108, KA211"""
    is_safe = window.rulers[ruler].kind == INVADER and any(map(is_craft, stack))
    kept = {"Z", MONEY} if is_safe else {"Z"}
    return {item: n for item, n in stack.items() if not is_craft(item) and kind_of(item).code not in kept}


def _drown(window: Window, ruler: PowerId, place: Province, loose: Figures) -> None:
    for item, count in loose.items():
        window.book(ruler, place, item, -count, "drowned")
    window.tell("drowned", [ruler], {"gf": place, "figures": format_figures(loose)})
