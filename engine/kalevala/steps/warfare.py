"""P4: battles are fought, and what follows: land, booty, plunder, slaves. Source: rules 5.2, 16.2, B22 to B25"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.kalevala.at_work import Numbered
from engine.kalevala.battle.course import TWELVE, course_to_json
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.figures import Figures, format_figures, is_part, kind_of, price_of, warriors, without_numbers
from engine.kalevala.sea.craft import manned
from engine.kalevala.steps import aftermath, ambushes, apparitions, conquest, entries, fleets, plunder
from engine.kalevala.steps.aftermath import FoughtBattle
from engine.kalevala.steps.dividing import reunite
from engine.kalevala.steps.entries import assaults
from engine.kalevala.steps.mustering import Muster, is_from_beyond, muster
from engine.kalevala.steps.quarrels import muster_quarrel, quarrels
from engine.kalevala.war.plans import (
    SACK,
    Cast,
    Challenge,
    Detail,
    Fire,
    GateOrder,
    PalaceTaking,
    Phalanx,
    Placing,
    Planned,
    Plunder,
    Prayer,
    Raze,
    Wreck,
)
from engine.kalevala.window import Booking, Entering, Window, in_seat_order


def fight(window: Window) -> None:
    """Rulers at war on the same land, then all attacks on land in which somebody stands, as battles, in order."""
    if window.dice is None:
        return
    while places := quarrels(window):  # one may leave nothing to fight for elsewhere
        _fight_over(window, places[0])
    waiting = {(entry.ruler, entry.order.ee) for entry in assaults(window)}
    while waiting:
        # A battle may divide a great field anew, so the others are mustered by the present names of its parts.
        first = muster(window, [entry for entry in window.entering if (entry.ruler, entry.order.ee) in waiting])[0]
        _carry_out(window, first)
        waiting -= {(entry.ruler, entry.order.ee) for entry in first.assaults}
        waiting -= set(_fallen_out(window, waiting))
    _follow_up(window)


def _fallen_out(window: Window, waiting: Collection[Numbered]) -> Iterator[Numbered]:
    """Attacks from beyond their site, whose figures a battle where they started has taken; fleets go with their rest.

    KA290
    """
    for number, entry in enumerate(list(window.entering)):
        figures, stack = dict(entry.order.figures), window.stack(entry.ruler, entry.source)
        key = entry.ruler, entry.order.ee
        if key not in waiting or not is_from_beyond(window, entry) or is_part(figures, stack):
            continue
        crews = manned(figures, stack) if window.land.is_sea(entry.source) else {}
        if crews:
            window.entering[number] = replace(entry, order=replace(entry.order, figures=tuple(crews.items())))
        else:
            window.void(entry.ruler, entry.line, "V02", place=entry.source)
            yield key


def _fight_over(window: Window, place: Province) -> None:
    """Contestants at war fight over what they contest; who is beaten has entered it in vain. Source: R-041, KA275"""
    battle = _carry_out(window, muster_quarrel(window, place))
    for entry in window.entering:
        if entry.target == place and entry.ruler in battle.roles.keys() - battle.left:
            window.fail(entry.ruler, entry.line, "beaten", place=place)


def _carry_out(window: Window, mustered: Muster) -> FoughtBattle:
    """Fight a battle out; book the losses, the places of figures, the owners of land and the booty; report it all."""
    place = mustered.site.place
    window.battles_at_work.numbers[place] += 1
    numbered = replace(mustered, site=replace(mustered.site, number=window.battles_at_work.numbers[place]))
    battle = aftermath.fight_battle(window, numbered)
    site, end = battle.site, battle.end
    window.battles_at_work.fought.update(site.provinces)
    window.battles_at_work.carried_out |= end.carried_out
    window.battles_at_work.sailed_from.update(
        entry.source for entry in battle.assaults if is_from_beyond(window, entry)
    )
    fleets.unlade(window, site.armies)
    ambushes.come_out(window, end)
    already, booked = len(window.events), len(window.bookings)
    aftermath.book_kings(window, end)
    aftermath.book_prayers(window, end)
    apparitions.come_home(window, end.gods)
    window.gods_at_work.heard.update(end.heard)
    apparitions.lose_spots(window, end.spots_taken)
    aftermath.book_artefacts(window, end)
    aftermath.book_losses(window, end)
    aftermath.book_magic(window, end)
    aftermath.book_hits(window, end)
    aftermath.set_down(window, end)
    ambushes.go_in(window, end)
    ambushes.part(window, site, end)
    taken = conquest.divide(battle) if end.course.end == TWELVE else conquest.conquer(battle)
    plunder.desecrate(battle)
    fleets.settle(window, end.vessels, battle.assaults, battle.left, end.course.winner)
    plunder.enslave(battle)
    for entry in battle.assaults:
        entries.rename(window, entry)
    _judge(battle)
    follows = window.events[already:]
    del window.events[already:]
    _tell(battle, taken, window.bookings[booked:])
    window.events += follows
    return battle


def _judge(battle: FoughtBattle) -> None:
    """The results of the ENTER lines."""
    window = battle.window
    for entry in battle.assaults:
        if entry.ruler not in battle.left:
            window.fail(entry.ruler, entry.line, "beaten", place=entry.target)
        elif window.land.is_sea(entry.target) and battle.end.course.end != TWELVE:
            continue
        elif window.owners.get(entry.target) != entry.ruler and not _shares_victory(battle, entry):
            window.fail(entry.ruler, entry.line, "undecided", place=entry.target)


def _shares_victory(battle: FoughtBattle, entry: Entering) -> bool:
    owner = battle.window.owners.get(entry.target)
    return battle.end.course.end != TWELVE and owner in battle.left and owner != battle.owners.get(entry.target)


def _tell(battle: FoughtBattle, taken: Iterable[Province], booked: Iterable[Booking]) -> None:
    """Report the battle to those who were on the site or own land there, then what changed hands.

    Source: rules 34.2.

    Args:
        taken: what is no longer its owner's.
        booked: the bookings of the battle.
    """
    window = battle.window
    course, losses = battle.end.course, _losses(battle, booked)
    args = {
        "id": battle.site.place,
        "gf": list(battle.site.provinces),
        "sides": _camps(battle),
        "kr": course.length,
        "end": course.end,
        "winner": course.winner,
        "losses": {ruler: format_figures(items) for ruler, items in losses.items()},
        "course": course_to_json(course),
    }
    winner = course.winner
    words = "battle_undecided" if winner is None else f"battle_{course.end}"
    lost = tuple(
        phrase("event.losses", ruler=ruler, figures=format_figures(items)) for ruler, items in losses.items()
    ) or (phrase("event.no_losses"),)
    # Goods abroad, without people of their ruler's, see nothing.
    owners = [owner for owner in battle.owners.values() if owner is not None]
    audience = list(in_seat_order(window, (*battle.roles, *owners)))
    window.tell("battle", audience, args, words=words, place=battle.site.place, lost=lost)
    if battle.is_ruled:
        window.tell("battle_ruled", audience, {"id": battle.site.place}, place=battle.site.place)
    _tell_conquests(battle, taken)


def _camps(battle: FoughtBattle) -> list[list[PowerId]]:
    """Those who took part, by side: nobody in a camp fought another one of it."""
    camps: list[list[PowerId]] = []
    for party in battle.site.parties:
        camp = next((camp for camp in camps if not any(battle.are_foes(party.ruler, name) for name in camp)), None)
        if camp is None:
            camps.append([party.ruler])
        else:
            camp.append(party.ruler)
    return camps


def _losses(battle: FoughtBattle, booked: Iterable[Booking]) -> dict[PowerId, Figures]:
    """Who died, mortal wizards of the beaten too, and what fell to others: animals, gear, RE. Source: R-114"""
    found: defaultdict[PowerId, Counter[str]] = defaultdict(Counter)
    for ruler, items in battle.end.course.lost.items():
        found[ruler].update(items)
    for booking in booked:
        if booking.why in ("booty", "beaten") and booking.amount < 0:
            found[booking.ruler][without_numbers(booking.item)] -= booking.amount
    order = [party.ruler for party in battle.site.parties]
    return {
        ruler: dict(found[ruler]) for ruler in (*order, *(each for each in found if each not in order)) if found[ruler]
    }


def _tell_conquests(battle: FoughtBattle, taken: Iterable[Province]) -> None:
    window = battle.window
    changes: dict[tuple[PowerId | None, PowerId], list[Province]] = {}
    for place in taken:
        for part in window.land.provinces(gf_of(place)) if not window.land.has(place) else (place,):
            owner, now = battle.owners[place], window.owners.get(part)
            if now is not None and now != owner:
                changes.setdefault((owner, now), []).append(part)
    for (owner, now), places in changes.items():
        args = {"gf": places, "from": owner, "to": now, "battle": battle.site.place}
        to = [name for name in window.rulers if name in (owner, now)]
        window.tell("conquered", to, args, words="conquered_in_battle", places=places, winner=now)


def _follow_up(window: Window) -> None:
    """Entries that start in conquered land go on with what is left: its winner's figures spread out as they need. So do
    fleets after a fight on the high sea.

    R-119, KA44, KA290
    """
    for number, entry in enumerate(window.entering):
        is_waiting = (entry.ruler, entry.order.ee) not in window.entered
        if not is_waiting or entry.source not in window.battles_at_work.fought:
            continue
        if window.land.is_sea(entry.source):
            crews = manned(dict(entry.order.figures), window.stack(entry.ruler, entry.source))
            if crews:
                window.entering[number] = replace(entry, order=replace(entry.order, figures=tuple(crews.items())))
            continue
        if window.owners.get(entry.source) != entry.ruler:
            continue
        _gather(window, entry)
        there = window.stack(entry.ruler, entry.source)
        figures = {item: min(count, there.get(item, 0)) for item, count in entry.order.figures}
        spare = warriors(there) - 1
        for item in sorted(figures, key=price_of):
            if kind_of(item).is_warrior and warriors(figures) > spare:
                figures[item] = max(0, figures[item] - (warriors(figures) - spare))
        named = tuple((item, count) for item, count in figures.items() if count)
        if named and named != entry.order.figures:
            window.entering[number] = replace(entry, order=replace(entry.order, figures=named))


def _gather(window: Window, entry: Entering) -> None:
    """Figures for an entry from conquered land come from where it was attacked."""
    ruler, place = entry.ruler, entry.source
    origins = [
        other.source
        for other in window.entering
        if (other.ruler, other.target) == (ruler, place) and other.source in window.battles_at_work.fought
    ]
    for item, count in entry.order.figures:
        for origin in origins:
            missing = count + kind_of(item).is_warrior - window.stack(ruler, place).get(item, 0)
            moved = min(max(0, missing), window.stack(ruler, origin).get(item, 0))
            if moved:
                window.shift(ruler, {item: moved}, origin, place, is_marked=False)


def march_on(window: Window) -> None:
    """Entries that start where other entries brought their figures; they may lead to battles too. Ruling KA19"""
    entries.march_on(window, fight)


_DEEDS = (Placing, Phalanx, GateOrder, Fire, Wreck, Cast, Challenge, Prayer, Plunder, Raze)
"""Lines of plans that say what is to be done; others say what is to be kept to."""


def void_plans(window: Window) -> None:
    """BATTLE blocks for a province where there was none, and lines that never came about. Rules 33.1, ruling KA314"""
    if window.dice is None:
        return
    of_use = window.battles_at_work.fought | window.battles_at_work.sailed_from | window.battles_at_work.sacked_from
    for ruler, own in window.battles_at_work.planned.items():
        for place, lines in own.items():
            for line in lines:
                if window.is_refused(ruler, line):
                    continue
                if place not in of_use:
                    window.void(ruler, line, "V02", place=place)
                elif isinstance(line.order, Planned) and _is_idle(window, ruler, place, line.order.what):
                    window.fail(ruler, line, "idle", place=place)


def _is_idle(window: Window, ruler: PowerId, place: Province, what: Detail) -> bool:
    is_deed = isinstance(what, _DEEDS) or what == PalaceTaking(SACK)
    named = window.battles_at_work.plans[ruler][place].at  # the province may have another name by now
    return is_deed and (ruler, named, what) not in window.battles_at_work.carried_out


def join_parts(window: Window) -> None:
    """Parts of a divided field that one ruler holds again become one province."""
    if window.dice is not None:
        reunite(window)
