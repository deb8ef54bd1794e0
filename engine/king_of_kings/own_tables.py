"""The tables of a game that differ from the standard ones, in words: what a scenario's players need to know."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.phrases import Phrase, phrase
from engine.core.report import Section, SectionKind
from engine.king_of_kings import tables
from engine.king_of_kings.model import Rulebook, Terrain, Troop


def own_tables(rules: Rulebook) -> tuple[Section, ...]:
    """A section for each table that a scenario replaced or changed, with what differs from the rules."""
    sections = (("troops", _troops(rules)), ("terrain", _terrain(rules)), ("tactics", _tactics(rules)))
    found = ((name, tuple(lines)) for name, lines in sections)
    return tuple(Section(phrase(f"own.{name}"), lines, SectionKind.DETAIL) for name, lines in found if lines)


def _troops(rules: Rulebook) -> Iterator[Phrase]:
    if rules.troops == tables.standard().troops:
        return
    yield phrase("own.troop_head")
    for troop in rules.troops.values():
        numbers = {name: getattr(troop, name) for name in tables.NUMBERS}
        also = tuple(_also(troop))
        yield phrase("own.troop", symbol=troop.symbol, name=troop.name, also=also or ("-",), **numbers)


def _also(troop: Troop) -> Iterator[Phrase]:
    """What else a type can do. Source: rules 2.1"""
    for flag in sorted(troop.flags):
        yield phrase(f"own.{flag}")
    for what in ("morale_bonus", "hit_bonus"):
        if bonus := getattr(troop, what):
            yield phrase(f"own.{what}", bonus=bonus)


def _terrain(rules: Rulebook) -> Iterator[Phrase]:
    base = tables.standard()
    changed = [
        kind
        for name, kind in rules.terrain.items()
        if kind != base.terrain.get(name) or rules.build.get(name) != base.build.get(name)
    ]
    if changed:
        yield phrase("own.terrain_head")
    for kind in changed:
        also = tuple(_kind_also(rules, kind))
        yield phrase(
            "own.kind",
            letter=kind.letter,
            name=kind.name,
            food=kind.food,
            gold=kind.gold,
            wood=kind.wood,
            move=kind.move,
            cap="-" if kind.cap is None else kind.cap,
            also=also or ("-",),
        )


def _kind_also(rules: Rulebook, kind: Terrain) -> Iterator[Phrase]:
    """What a terrain is apart from its numbers: whether it is sea, and what it can be improved to.

    Source: rules 2.2, 4.3
    """
    if kind.is_sea:
        yield phrase("own.sea")
    if entry := rules.build.get(kind.name):
        yield phrase("own.becomes", to=entry.to, percent=entry.percent)


def _tactics(rules: Rulebook) -> Iterator[Phrase]:
    base = tables.standard().tactics
    for (attack, defence), (attacker, defender) in rules.tactics.items():
        if base[attack, defence] != (attacker, defender):
            yield phrase("own.tactic", attack=attack.value, defence=defence.value, attacker=attacker, defender=defender)
