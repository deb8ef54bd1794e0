"""Artefacts: ARTEFACT in P1; at the end of each window, where each artefact is and who has come to see it.

Source: rules 16.2, 19.2, 19.3, rulings KA230 to KA235
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.artefacts.facts import Artefact, artefacts_in, artefacts_of
from engine.kalevala.artefacts.orders import BearArtefact, LayArtefact, TakeArtefact
from engine.kalevala.caravans.facts import EXPLORING, Caravan
from engine.kalevala.coordinates import Province, gf_of, order_of
from engine.kalevala.figures import has_people, number_of, worth
from engine.kalevala.orders import Line
from engine.kalevala.window import Window


def take(window: Window, ruler: PowerId, line: Line, order: TakeArtefact) -> None:
    """A ruler with people or an expedition in a province picks up what lies there. Ruling KA232"""
    place = _meant(window, ruler, order)
    seen, _ = window.sight(ruler)
    known = {each.number: each.at for each in artefacts_in(seen.modules) if each.holder is None}
    lying = [each for each in _lying(window, place) if each.number in known]
    has_men, caravan = has_people(window.stack(ruler, place)), _expedition(window, ruler, place)
    has_taken = not lying and any(each.holder == ruler and each.at == place for each in window.artefacts.values())
    if place not in known.values() or has_taken or not (has_men or caravan is not None):
        window.refuse(ruler, line, "V02", place=order.at)
        return
    if not lying or _first(window, place) != ruler:
        window.void(ruler, line, "V02", place=order.at)
        return
    for each in lying:
        window.artefacts[each.number] = replace(each, holder=ruler)
        if has_men:
            window.book(ruler, place, each.item, 1, "artefact")
        elif caravan is not None:
            caravan = replace(caravan, load={**caravan.load, each.item: 1})
            window.caravans[ruler, caravan.number] = caravan
    host = window.owners.get(place)
    names = [each.name for each in lying]
    told = {"gf": place, "names": names, "by": ruler}
    window.tell("artefact_taken", [ruler], told, artefacts=names)
    if host not in (None, ruler) and window.dice is not None:
        window.tell("artefact_taken", [host], told, words="artefact_lost", artefacts=names)


def _meant(window: Window, ruler: PowerId, order: TakeArtefact) -> Province:
    """The province that a line means; of a divided great field a part where the ruler has somebody. R-082"""
    near = (each for each in window.caravans.values() if each.ruler == ruler)
    led = (each.at for each in near if order.at in (each.at, gf_of(each.at)))
    return window.own_place(ruler, order.at) or next(led, order.at)


def _lying(window: Window, place: Province) -> list[Artefact]:
    return [each for each in window.artefacts.values() if each.holder is None and each.at == place]


def _first(window: Window, place: Province) -> PowerId:
    """Who gets it if several rulers want it: the owner of the land, else the one with the most valuable figures there.

    Ruling KA232
    """
    wanting = [
        ruler
        for ruler in window.rulers
        if any(
            isinstance(each.order, TakeArtefact) and _meant(window, ruler, each.order) == place
            for each in window.lines(ruler)
        )
        and (has_people(window.stack(ruler, place)) or _expedition(window, ruler, place) is not None)
    ]
    owner = window.owners.get(place)
    return max(wanting, key=lambda ruler: (ruler == owner, worth(window.state.stack(ruler, place))))


def _expedition(window: Window, ruler: PowerId, place: Province) -> Caravan | None:
    """The expedition of a ruler in a province. Source: rules 21.2, ruling KA161"""
    led = (each for each in window.caravans.values() if (each.ruler, each.at, each.kind) == (ruler, place, EXPLORING))
    return min(led, key=lambda each: each.number, default=None)


def lay(window: Window, ruler: PowerId, line: Line, order: LayArtefact) -> None:
    """Leave an artefact on a small field, for anybody who comes there. Ruling KA232"""
    place = window.own_place(ruler, order.at)
    found = window.artefacts.get(number_of(order.item))
    if place is None or found is None or not window.stack(ruler, place).get(order.item):
        window.refuse(ruler, line, "V02", place=order.at)
    elif order.cell not in window.land.cells(place):
        window.refuse(ruler, line, "V20", place=place)
    elif not window.unmarked(ruler, place).get(order.item):
        window.refuse(ruler, line, "V05", place=place)
    else:
        window.book(ruler, place, order.item, -1, "artefact")
        window.artefacts[found.number] = replace(found, at=place, holder=None, cell=order.cell, bearer="")


def choose_bearer(window: Window, ruler: PowerId, line: Line, order: BearArtefact) -> None:
    """Say which kind of figure bears an artefact, from now on. Ruling KA231"""
    found = window.artefacts.get(number_of(order.item))
    if found is None or found.number not in _held(window, ruler):
        window.refuse(ruler, line, "V02")
    else:
        window.artefacts[found.number] = replace(found, bearer=order.bearer)


def _held(window: Window, ruler: PowerId) -> set[int]:
    """The artefacts that a ruler has, in stacks, caravans and agents' hands."""
    return {number for holder, _, number in _whereabouts(window) if holder == ruler}


def places(window: Window) -> list[Province]:
    """Where each artefact is now, whoever has it."""
    held = {number: place for _, place, number in _whereabouts(window)}
    return [held.get(number, each.at) for number, each in window.artefacts.items()]


def _whereabouts(window: Window) -> Iterator[tuple[PowerId, Province, int]]:
    """Who has each artefact, and where."""
    for ruler, own in window.stacks.items():
        for place in sorted(own, key=order_of):
            yield from ((ruler, place, number) for number in artefacts_of(own[place]))
    for caravan in window.caravans.values():
        yield from ((caravan.ruler, caravan.at, number) for number in artefacts_of(caravan.load))
    for agent in window.agents.values():
        yield from ((agent.ruler, agent.at, number) for number in artefacts_of(agent.group))


def settle(window: Window) -> None:
    """Where each artefact is now. Rulers who now have it, or see it lying there, learn what it is. Ruling KA233

    One that nobody has any more, because its ship or its bearers were lost, lies where it was last.
    """
    drop_unguarded(window)
    held = {number: (ruler, place) for ruler, place, number in _whereabouts(window)}
    for number, before in list(window.artefacts.items()):
        holder, at = held.get(number, (None, before.at))
        if holder is None:
            at = window.land.at(gf_of(at), before.cell) or next(iter(window.land.provinces(gf_of(at))), at)
        bearer = before.bearer if holder == before.holder else ""
        now = replace(before, at=at, holder=holder, bearer=bearer)
        aware = {holder} if holder is not None else set(_onlookers(window, at))
        for ruler in (each for each in window.rulers if each in aware - now.seen_by):
            args = {"gf": at, "n": number, "name": now.name, "gp": now.points, "text": now.text, "held": bool(holder)}
            code = "artefact_had" if holder is not None else "artefact_seen"
            words = f"{code}_text" if now.text else code
            window.tell("artefact", [ruler], args, words=words, item=now.item)
        window.artefacts[number] = replace(now, seen_by=now.seen_by | aware)


def drop_unguarded(window: Window) -> None:
    """Abroad, nobody has an artefact any more beside which none of their people are left."""
    for each in list(window.artefacts.values()):
        for ruler, own in window.stacks.items():
            for place in [place for place, stack in own.items() if each.item in stack and not has_people(stack)]:
                if window.owners.get(place) != ruler:
                    window.book(ruler, place, each.item, -1, "artefact")
                    window.artefacts[each.number] = replace(each, at=place)


def _onlookers(window: Window, place: Province) -> Iterator[PowerId]:
    """Who sees what lies in a province: its owner, and rulers with people or a caravan there."""
    led = {each.ruler for each in window.caravans.values() if each.at == place}
    for ruler in window.rulers:
        if window.owners.get(place) == ruler or ruler in led or has_people(window.stack(ruler, place)):
            yield ruler
