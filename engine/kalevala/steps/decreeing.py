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
from engine.kalevala.working import Round


def come_about(round_: Round) -> None:
    """Carry out all decrees in order; forbidden lines and single values are handled elsewhere.

    Raises:
        DocumentError: one of them is impossible in the present position.
    """
    for decree in round_.state.decrees:
        if decree.kind in _DEEDS:
            _DEEDS[decree.kind](round_, decree)


def _god(round_: Round, decree: Decree) -> None:
    ruler, amount = _who(decree), int(decree.words[0])
    god = archeron.god_of(round_, ruler)
    if god is None or god.oeh + amount < 0:
        raise DocumentError("ruling", f"{ruler} has no god, or he has less than that")
    oeh = god.oeh + amount
    archeron.keep(round_, ruler, replace(god, oeh=oeh))
    args = {"oeh": oeh, "level": level_of(oeh)}
    round_.tell("god", [ruler], args, words="decree_god" if amount > 0 else "decree_god_less", amount=abs(amount))


def _give(round_: Round, decree: Decree) -> None:
    ruler, place = _who(decree), Province(decree.words[0])
    if round_.owners.get(place) != ruler and not round_.stack(ruler, place):
        raise DocumentError("ruling", f"{ruler} has neither land nor figures in {place}")
    figures = parse_figures(decree.words[1]) or {}
    if any(map(is_artefact, figures)):
        raise DocumentError("ruling", "“item” makes an artefact; one that is there already has its bearer or its place")
    for item, count in figures.items():
        round_.book(ruler, place, item, count, "decree")
    _check_single(round_, ruler)
    _tell(round_, ruler, decree, place=place, figures=decree.words[1])


def _check_single(round_: Round, ruler: PowerId) -> None:
    what = None if round_.rulers[ruler].kind == MARAUDER else one_too_many(round_.stacks[ruler].values())
    if what is not None:
        raise DocumentError("ruling", f"{ruler} would have more than one {what}")


def _take(round_: Round, decree: Decree) -> None:
    ruler, place = _who(decree), Province(decree.words[0])
    for item, count in (parse_figures(decree.words[1]) or {}).items():
        if round_.stack(ruler, place).get(item, 0) < count:
            has = format_figures(round_.stack(ruler, place)) or "nothing"
            raise DocumentError("ruling", f"{ruler} has {has} in {place}")
        round_.book(ruler, place, item, -count, "decree")
        if is_artefact(item):
            del round_.artefacts[number_of(item)]
    _tell(round_, ruler, decree, place=place, figures=decree.words[1])


def _item(round_: Round, decree: Decree) -> None:
    """A new artefact, in a ruler's hands or on a field of land. Ruling KA235"""
    place, points, name, text = decree.words
    at, holder = Province(place), decree.ruler
    _need_land(round_, at)
    if holder is not None and not round_.stack(holder, at):
        raise DocumentError("ruling", f"{holder} has no figures in {at}")
    cell = USUAL_CELL if USUAL_CELL in round_.land.cells(at) else min(round_.land.cells(at))
    number = next_number(round_.artefacts.values())
    found = Artefact(number, name, at, holder, cell, int(points), text)
    round_.artefacts[number] = found
    if holder is not None:
        round_.book(holder, at, found.item, 1, "decree")
        _tell(round_, holder, decree, place=at)


def _land(round_: Round, decree: Decree) -> None:
    new, place = decree.ruler, Province(decree.words[0])
    old = round_.owners.get(place)
    if old == new:
        raise DocumentError("ruling", f"{place} is {new or 'nobody'}'s already")
    _need_land(round_, place)
    for name in round_.rulers:
        if name != new and round_.stack(name, place):
            raise DocumentError("ruling", f"figures of {name} stand in {place}")
    if old is not None:
        for rows in (round_.newly, round_.watch):
            rows.get(old, {}).pop(place, None)
        round_.known.setdefault(old, set()).add(place)
        round_.permits = [each for each in round_.permits if (each.giver, each.where) != (old, place)]
        _tell(round_, old, decree, "decree_land_lost", place=place)
    round_.contested.pop(place, None)
    if new is None:
        del round_.owners[place]
        return
    round_.owners[place] = new
    _tell(round_, new, decree, place=place)


def _marauders(round_: Round, decree: Decree) -> None:
    place, group = Province(decree.words[0]), group_of(round_)
    _need_land(round_, place)
    owner = round_.owners.get(place)
    if owner is not None and round_.rulers[owner].kind != MARAUDER:
        raise DocumentError("ruling", f"{place} is {owner}'s")
    if owner is None and any(round_.stack(name, place) for name in round_.rulers):
        raise DocumentError("ruling", f"somebody stands in {place}")
    group = owner or group
    round_.owners[place] = group
    for item, count in (parse_figures(decree.words[1]) or {}).items():
        round_.book(group, place, item, count, "decree")


def _protect(round_: Round, decree: Decree) -> None:
    ruler, rounds = _who(decree), int(decree.words[0])
    until = round_.gr + rounds if rounds else 0
    round_.rulers[ruler] = replace(round_.rulers[ruler], protected=until)
    _tell(round_, ruler, decree, "decree_protect" if rounds else "decree_protect_over", until=until)


def _newcomer(round_: Round, decree: Decree) -> None:
    """A ruler without a realm, or whose realm nobody plays, begins as an invader; the old realm is dissolved.

    Ruling KA214
    """
    ruler, place = _who(decree), Province(decree.words[0])
    if not has_module(round_.state, "invaders"):
        raise DocumentError("ruling", "this game is played without invaders: its option `invaders` is off")
    _need_no_realm(round_, ruler)
    if place in round_.owners or place in round_.contested or any(place in each for each in round_.stacks.values()):
        raise DocumentError("ruling", f"{place} is somebody's, or somebody is there")
    if not invaders.is_empty(round_.land, place):
        raise DocumentError("ruling", f"{place} is neither open sea nor empty land")
    until = newcomers.invade(round_, ruler, place)
    words = "decree_fleet" if round_.land.is_sea(place) else "decree_horde"
    _tell(round_, ruler, decree, words, place=place, until=until)


def _allot(round_: Round, decree: Decree) -> None:
    """A ruler without a realm is allotted natives' land where the game master says. Source: rules 4.3, ruling KA226"""
    ruler, place = _who(decree), Province(decree.words[0])
    _need_no_realm(round_, ruler)
    until = newcomers.settle(round_, ruler, place)
    if until is None:
        raise DocumentError("ruling", f"{place} is no whole great field of natives with nobody on it")
    places = round_.owned(ruler)
    args = {"kind": decree.kind, "place": place, "until": until}
    round_.tell("decree", [ruler], args, words="decree_realm", places=places)


def _role(round_: Round, decree: Decree) -> None:
    """A ruler without a realm gets figures in another ruler's land. Source: rules 4.3, ruling KA217"""
    ruler, place = _who(decree), Province(decree.words[0])
    figures = parse_figures(decree.words[1]) or {}
    host = round_.owners.get(place)
    _need_no_realm(round_, ruler)
    _need_land(round_, place)
    if host is None or host == ruler:
        raise DocumentError("ruling", f"{place} is nobody's: a role begins in somebody's land")
    if not has_people(figures) or any(map(is_craft, figures)):
        raise DocumentError("ruling", "a role needs people, and no craft, such as 5L 1K 20RE")
    until = newcomers.take_role(round_, ruler, place, figures)
    _check_single(round_, ruler)
    _tell(round_, ruler, decree, place=place, figures=decree.words[1], host=host, until=until)
    _tell(round_, host, decree, "decree_role_host", place=place, guest=ruler, until=until)


def _need_no_realm(round_: Round, ruler: PowerId) -> None:
    if ruler in marauders_of(round_.state.variant):
        raise DocumentError("ruling", f"{ruler} are marauders whom nobody plays")
    if round_.rulers[ruler].is_played and round_.owned(ruler):
        raise DocumentError("ruling", f"{ruler} has a realm")


def _reveal(round_: Round, decree: Decree) -> None:
    ruler, place = _who(decree), Province(decree.words[0])
    if place in round_.known.get(ruler, ()) or round_.owners.get(place) == ruler:
        raise DocumentError("ruling", f"{ruler} knows {place}")
    round_.known.setdefault(ruler, set()).add(place)
    round_.seen.setdefault(ruler, {})[place] = round_.gr
    _tell(round_, ruler, decree, place=place)


def _hide(round_: Round, decree: Decree) -> None:
    ruler, place = _who(decree), Province(decree.words[0])
    if place not in round_.known.get(ruler, ()):
        raise DocumentError("ruling", f"{ruler} does not remember {place}")
    round_.known[ruler].discard(place)
    round_.seen.get(ruler, {}).pop(place, None)
    rows = [row for row in round_.explored.get(ruler, []) if row.target != place]
    if ruler in round_.explored:
        round_.explored[ruler] = rows
    _tell(round_, ruler, decree, place=place)


def _weakness(round_: Round, decree: Decree) -> None:
    ruler = _who(decree)
    king = round_.rulers[ruler].king
    if king is None or find_in(round_.stacks[ruler]) is None:
        raise DocumentError("ruling", f"{ruler} has no king")
    round_.rulers[ruler] = replace(round_.rulers[ruler], king=replace(king, weakness=decree.words[0]))


def _speak(round_: Round, decree: Decree) -> None:
    _tell(round_, _who(decree), decree, text=decree.words[0])


def _silence(round_: Round, decree: Decree) -> None:
    ruler, rounds = _who(decree), int(decree.words[0])
    until = round_.gr + rounds if rounds else 0
    round_.rulers[ruler] = replace(round_.rulers[ruler], silenced=until)
    _tell(round_, ruler, decree, "decree_silence" if rounds else "decree_silence_over", until=until)


_DEEDS: Mapping[str, Callable[[Round, Decree], None]] = {
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


def _need_land(round_: Round, place: Province) -> None:
    if not round_.land.cells(place) or round_.land.is_sea(place):
        raise DocumentError("ruling", f"{place} is no land")


def _tell(round_: Round, ruler: PowerId, decree: Decree, words: str = "", **args: str | int) -> None:
    kind = decree.kind
    round_.tell("decree", [ruler], {"kind": kind, **args}, words=words or f"decree_{kind}")
