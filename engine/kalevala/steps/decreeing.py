"""The end of a window: a game master's decrees take effect, and those concerned hear of it. Ruling KA195"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.kalevala import invaders
from engine.kalevala.artefacts.facts import USUAL_CELL, Artefact, is_artefact, next_number
from engine.kalevala.board import marauders_of
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import format_figures, has_people, number_of, one_too_many, parse_figures
from engine.kalevala.gods.facts import level_of
from engine.kalevala.kings.facts import find_in
from engine.kalevala.masters import decrees
from engine.kalevala.model import MARAUDER, Decree
from engine.kalevala.modules import has_module
from engine.kalevala.sea.craft import is_craft
from engine.kalevala.steps import archeron, newcomers
from engine.kalevala.steps.loyalty import group_of
from engine.kalevala.window import Window


def come_about(window: Window) -> None:
    """Carry out all decrees in order; forbidden lines and single values are handled elsewhere.

    Raises:
        DocumentError: one of them is impossible in the present position.
    """
    for decree in window.state.decrees:
        if decree.kind in _DEEDS:
            _DEEDS[decree.kind](window, decree)


def _god(window: Window, decree: Decree) -> None:
    ruler, amount = _who(decree), int(decree.words[0])
    god = archeron.god_of(window, ruler)
    if god is None or god.oeh + amount < 0:
        raise DocumentError("ruling", f"{ruler} has no god, or he has less than that")
    oeh = god.oeh + amount
    archeron.keep(window, ruler, replace(god, oeh=oeh))
    args = {"oeh": oeh, "level": level_of(oeh)}
    window.tell("god", [ruler], args, words="decree_god" if amount > 0 else "decree_god_less", amount=abs(amount))


def _give(window: Window, decree: Decree) -> None:
    ruler, place = _who(decree), Province(decree.words[0])
    if window.owners.get(place) != ruler and not window.stack(ruler, place):
        raise DocumentError("ruling", f"{ruler} has neither land nor figures in {place}")
    figures = parse_figures(decree.words[1]) or {}
    if any(map(is_artefact, figures)):
        raise DocumentError("ruling", "“item” makes an artefact; one that is there already has its bearer or its place")
    for item, count in figures.items():
        window.book(ruler, place, item, count, "decree")
    _check_single(window, ruler)
    _tell(window, ruler, decree, place=place, figures=decree.words[1])


def _check_single(window: Window, ruler: PowerId) -> None:
    what = None if window.rulers[ruler].kind == MARAUDER else one_too_many(window.stacks[ruler].values())
    if what is not None:
        raise DocumentError("ruling", f"{ruler} would have more than one {what}")


def _take(window: Window, decree: Decree) -> None:
    ruler, place = _who(decree), Province(decree.words[0])
    for item, count in (parse_figures(decree.words[1]) or {}).items():
        if window.stack(ruler, place).get(item, 0) < count:
            has = format_figures(window.stack(ruler, place)) or "nothing"
            raise DocumentError("ruling", f"{ruler} has {has} in {place}")
        window.book(ruler, place, item, -count, "decree")
        if is_artefact(item):
            del window.artefacts[number_of(item)]
    _tell(window, ruler, decree, place=place, figures=decree.words[1])


def _item(window: Window, decree: Decree) -> None:
    """A new artefact, in a ruler's hands or on a field of land. Ruling KA235"""
    place, points, name, text = decree.words
    at, holder = Province(place), decree.ruler
    _need_land(window, at)
    if holder is not None and not window.stack(holder, at):
        raise DocumentError("ruling", f"{holder} has no figures in {at}")
    cell = USUAL_CELL if USUAL_CELL in window.land.cells(at) else min(window.land.cells(at))
    number = next_number(window.artefacts.values())
    found = Artefact(number, name, at, holder, cell, int(points), text)
    window.artefacts[number] = found
    if holder is not None:
        window.book(holder, at, found.item, 1, "decree")
        _tell(window, holder, decree, place=at)


def _land(window: Window, decree: Decree) -> None:
    new, place = decree.ruler, Province(decree.words[0])
    old = window.owners.get(place)
    if old == new:
        raise DocumentError("ruling", f"{place} is {new or 'nobody'}'s already")
    _need_land(window, place)
    for name in window.rulers:
        if name != new and window.stack(name, place):
            raise DocumentError("ruling", f"figures of {name} stand in {place}")
    if old is not None:
        for rows in (window.newly, window.watch):
            rows.get(old, {}).pop(place, None)
        window.known.setdefault(old, set()).add(place)
        window.permits = [each for each in window.permits if (each.giver, each.where) != (old, place)]
        _tell(window, old, decree, "decree_land_lost", place=place)
    window.contested.pop(place, None)
    if new is None:
        del window.owners[place]
        return
    window.owners[place] = new
    _tell(window, new, decree, place=place)


def _marauders(window: Window, decree: Decree) -> None:
    place, group = Province(decree.words[0]), group_of(window)
    _need_land(window, place)
    owner = window.owners.get(place)
    if owner is not None and window.rulers[owner].kind != MARAUDER:
        raise DocumentError("ruling", f"{place} is {owner}'s")
    if owner is None and any(window.stack(name, place) for name in window.rulers):
        raise DocumentError("ruling", f"somebody stands in {place}")
    group = owner or group
    window.owners[place] = group
    for item, count in (parse_figures(decree.words[1]) or {}).items():
        window.book(group, place, item, count, "decree")


def _protect(window: Window, decree: Decree) -> None:
    ruler, rounds = _who(decree), int(decree.words[0])
    until = window.gr + rounds if rounds else 0
    window.rulers[ruler] = replace(window.rulers[ruler], protected=until)
    _tell(window, ruler, decree, "decree_protect" if rounds else "decree_protect_over", until=until)


def _newcomer(window: Window, decree: Decree) -> None:
    """A ruler without a realm, or whose realm nobody plays, begins as an invader; the old realm is dissolved.

    Ruling KA214
    """
    ruler, place = _who(decree), Province(decree.words[0])
    if not has_module(window.state, "invaders"):
        raise DocumentError("ruling", "this game is played without invaders: its option `invaders` is off")
    _need_no_realm(window, ruler)
    if place in window.owners or place in window.contested or any(place in each for each in window.stacks.values()):
        raise DocumentError("ruling", f"{place} is somebody's, or somebody is there")
    if not invaders.is_empty(window.land, place):
        raise DocumentError("ruling", f"{place} is neither open sea nor empty land")
    until = newcomers.invade(window, ruler, place)
    words = "decree_fleet" if window.land.is_sea(place) else "decree_horde"
    _tell(window, ruler, decree, words, place=place, until=until)


def _allot(window: Window, decree: Decree) -> None:
    """A ruler without a realm is allotted natives' land where the game master says. Source: rules 4.3, ruling KA226"""
    ruler, place = _who(decree), Province(decree.words[0])
    _need_no_realm(window, ruler)
    until = newcomers.settle(window, ruler, place)
    if until is None:
        raise DocumentError("ruling", f"{place} is no whole great field of natives with nobody on it")
    places = window.owned(ruler)
    args = {"kind": decree.kind, "place": place, "until": until}
    window.tell("decree", [ruler], args, words="decree_realm", places=places)


def _role(window: Window, decree: Decree) -> None:
    """A ruler without a realm gets figures in another ruler's land. Source: rules 4.3, ruling KA217"""
    ruler, place = _who(decree), Province(decree.words[0])
    figures = parse_figures(decree.words[1]) or {}
    host = window.owners.get(place)
    _need_no_realm(window, ruler)
    _need_land(window, place)
    if host is None or host == ruler:
        raise DocumentError("ruling", f"{place} is nobody's: a role begins in somebody's land")
    if not has_people(figures) or any(map(is_craft, figures)):
        raise DocumentError("ruling", "a role needs people, and no craft, such as 5L 1K 20RE")
    until = newcomers.take_role(window, ruler, place, figures)
    _check_single(window, ruler)
    _tell(window, ruler, decree, place=place, figures=decree.words[1], host=host, until=until)
    _tell(window, host, decree, "decree_role_host", place=place, guest=ruler, until=until)


def _need_no_realm(window: Window, ruler: PowerId) -> None:
    if ruler in marauders_of(window.state.variant):
        raise DocumentError("ruling", f"{ruler} are marauders whom nobody plays")
    if window.rulers[ruler].is_played and window.owned(ruler):
        raise DocumentError("ruling", f"{ruler} has a realm")


def _reveal(window: Window, decree: Decree) -> None:
    ruler, place = _who(decree), Province(decree.words[0])
    if place in window.known.get(ruler, ()) or window.owners.get(place) == ruler:
        raise DocumentError("ruling", f"{ruler} knows {place}")
    window.known.setdefault(ruler, set()).add(place)
    window.seen.setdefault(ruler, {})[place] = window.gr
    _tell(window, ruler, decree, place=place)


def _hide(window: Window, decree: Decree) -> None:
    ruler, place = _who(decree), Province(decree.words[0])
    if place not in window.known.get(ruler, ()):
        raise DocumentError("ruling", f"{ruler} does not remember {place}")
    window.known[ruler].discard(place)
    window.seen.get(ruler, {}).pop(place, None)
    rows = [row for row in window.explored.get(ruler, []) if row.target != place]
    if ruler in window.explored:
        window.explored[ruler] = rows
    _tell(window, ruler, decree, place=place)


def _weakness(window: Window, decree: Decree) -> None:
    ruler = _who(decree)
    king = window.rulers[ruler].king
    if king is None or find_in(window.stacks[ruler]) is None:
        raise DocumentError("ruling", f"{ruler} has no king")
    window.rulers[ruler] = replace(window.rulers[ruler], king=replace(king, weakness=decree.words[0]))


def _speak(window: Window, decree: Decree) -> None:
    _tell(window, _who(decree), decree, text=decree.words[0])


def _silence(window: Window, decree: Decree) -> None:
    ruler, rounds = _who(decree), int(decree.words[0])
    until = window.gr + rounds if rounds else 0
    window.rulers[ruler] = replace(window.rulers[ruler], silenced=until)
    _tell(window, ruler, decree, "decree_silence" if rounds else "decree_silence_over", until=until)


_DEEDS: Mapping[str, Callable[[Window, Decree], None]] = {
    decrees.GOD: _god,
    decrees.GIVE: _give,
    decrees.TAKE: _take,
    decrees.ITEM: _item,
    decrees.LAND: _land,
    decrees.MARAUDERS: _marauders,
    decrees.PROTECT: _protect,
    decrees.NEWCOMER: _newcomer,
    decrees.ALLOT: _allot,
    decrees.ROLE: _role,
    decrees.REVEAL: _reveal,
    decrees.HIDE: _hide,
    decrees.WEAKNESS: _weakness,
    decrees.TELL: _speak,
    decrees.SILENCE: _silence,
}


def _who(decree: Decree) -> PowerId:
    assert decree.ruler is not None, "every other decree names a ruler"
    return decree.ruler


def _need_land(window: Window, place: Province) -> None:
    if not window.land.cells(place) or window.land.is_sea(place):
        raise DocumentError("ruling", f"{place} is no land")


def _tell(window: Window, ruler: PowerId, decree: Decree, words: str = "", **args: str | int) -> None:
    kind = decree.kind
    window.tell("decree", [ruler], {"kind": kind, **args}, words=words or f"decree_{kind}")
