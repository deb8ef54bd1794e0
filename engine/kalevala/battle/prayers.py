"""Priests in battle: they bless, frighten, feed, and break each other's prayers. Source: rules 20.3, 20.4

A priest prays at most once in a round (ruling KA181). Prayers are in `Fighter.under` while they last, like spells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.core.ids import PowerId
from engine.kalevala.battle import course
from engine.kalevala.battle.aims import goal_of, place_of
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Devotion, Enchantment, Fighter
from engine.kalevala.battle.ground import NOWHERE, Kf
from engine.kalevala.battle.magic import contacts, cost_of, is_broken, price_of_counter, targets_in
from engine.kalevala.battle.works import Castle
from engine.kalevala.priests.facts import BREAD, NEEDED, PRAYER, STORE
from engine.kalevala.war.plans import Prayer, Spot
from engine.kalevala.wizards.spells import Meant, Spell

_LASTS = 1
"""For how many rounds a prayer works: until the next turn of the priest's side."""


def priests(fight: Fight, rulers: Iterable[PowerId]) -> Iterator[tuple[Fighter, Devotion]]:
    """The priests of some rulers who can pray now, by number."""
    wanted = set(rulers)
    for each in fight.fighters:
        if each.devotion is not None and each.is_alive and not each.is_held and each.party.ruler in wanted:
            yield each, each.devotion


def pray(fight: Fight, ruler: PowerId) -> None:
    """Let the first priest who can pray each line that is due; prayers for bread wait until there is hunger. Ruling
    KA181
    """
    for priest, devotion in priests(fight, (ruler,)):
        for number, line in enumerate(priest.army.plan.prayers):
            if devotion.prayed_in == fight.round:
                break
            if line.prayer != BREAD and _is_due(fight, priest, number, line) and _do(fight, priest, devotion, line):
                _note(fight, priest, devotion, number, line)


def _is_due(fight: Fight, priest: Fighter, number: int, line: Prayer) -> bool:
    key = priest.party.ruler, priest.army.province, number
    return line.round in (0, fight.round) and line.priest in ("", priest.item) and key not in fight.prayed


def _note(fight: Fight, priest: Fighter, devotion: Devotion, number: int, line: Prayer) -> None:
    devotion.prayed_in = fight.round
    fight.note_done(priest.army, line)
    if not line.is_each:
        fight.prayed.add((priest.party.ruler, priest.army.province, number))


# Blessings and fear


def _do(fight: Fight, priest: Fighter, devotion: Devotion, line: Prayer) -> bool:
    """Carry out a line; returns whether there is anybody to pray for and enough to pay for it. Source: R-061."""
    spell = PRAYER[line.prayer]
    budget = min(devotion.zeh, line.most or STORE)
    if line.fields:
        there = [each for kf in _fields(fight, priest, line) for each in _in_field(fight, priest, spell, kf)]
        targets = _payable(spell, there, line, budget)
    else:
        targets = _best(fight, priest, spell, line, budget)
    if not targets:
        return False
    cost = cost_of(spell, targets)
    devotion.zeh -= cost
    thrown = fight.throw("priest", priest)
    fight.record.tell(
        course.PRAYER,
        priest,
        whom=targets[0].number,
        helpers=tuple(each.number for each in targets),
        path=tuple(map(fight.record.spotted, dict.fromkeys(each.kf for each in targets))),
        rolls=(thrown.total,),
        points=(cost,),
        to=spell.name,
    )
    if thrown.total >= NEEDED and not _is_defied(fight, priest, targets, cost):
        for each in targets:
            each.under[spell.name] = Enchantment(priest.party.ruler, fight.round + _LASTS)
        fight.has_enchanted()
    return True


def _reach(fight: Fight, priest: Fighter) -> set[Kf]:
    """The fields that a priest reaches: his own and those next to it, with all their storeys. Source: rules 20.3"""
    hold = fight.works.at.get(priest.kf)
    here = priest.kf if hold is None else hold.kf
    return {floor for kf in (here, *fight.ground.around[here]) if kf != NOWHERE for floor in _floors(fight, kf)}


def _floors(fight: Fight, kf: Kf) -> Sequence[Kf]:
    hold = fight.works.at.get(kf)
    return (kf,) if hold is None else hold.building.floors


def _fields(fight: Fight, priest: Fighter, line: Prayer) -> list[Kf]:
    """The fields of a line that a priest reaches, with their storeys."""
    near = _reach(fight, priest)
    found = []
    for spot in line.fields:
        kf = _field(fight, priest, line, spot)
        found += [] if kf is None else [floor for floor in _floors(fight, kf) if floor in near]
    return list(dict.fromkeys(found))


def _field(fight: Fight, priest: Fighter, line: Prayer, spot: Spot) -> Kf | None:
    """The field that a line means: as with wizards, in the block's great field unless enemies are meant. Source:
    R-121
    """
    is_foe = PRAYER[line.prayer].meant is Meant.FOE
    return place_of(fight, spot, goal_of(fight, priest) if is_foe else priest.army.province)


def _in_field(fight: Fight, priest: Fighter, spell: Spell, kf: Kf) -> list[Fighter]:
    is_own = spell.meant is Meant.OWN
    return targets_in(fight, priest.party.ruler, spell, kf, is_own=is_own)


def _payable(spell: Spell, there: Sequence[Fighter], line: Prayer, budget: int) -> list[Fighter]:
    """Those who are paid for: all of them or, with MAX, as many by number as the ZEH are enough for."""
    chosen: list[Fighter] = []
    for each in there:
        if cost_of(spell, (*chosen, each)) <= budget:
            chosen.append(each)
        elif not line.most:
            return []
    return chosen


def _best(fight: Fight, priest: Fighter, spell: Spell, line: Prayer, budget: int) -> list[Fighter]:
    """The most valuable field within his reach that he can pay for; of equals the lowest."""
    near = _reach(fight, priest)
    found: list[tuple[int, Kf, list[Fighter]]] = []
    for kf in contacts(fight, priest.party.ruler, is_own=spell.meant is Meant.OWN):
        targets = _payable(spell, _in_field(fight, priest, spell, kf), line, budget) if kf in near else []
        if targets:
            found.append((-sum(each.price for each in targets), kf, targets))
    return min(found, key=lambda row: row[:2])[2] if found else []


def _is_defied(fight: Fight, priest: Fighter, targets: Sequence[Fighter], cost: int) -> bool:
    """Let each enemy priest who reaches the one praying, or somebody prayed for, try once to break it. Ruling KA182"""
    price = price_of_counter(cost)
    places = {priest.kf, *(each.kf for each in targets)}
    for rival, devotion in priests(fight, sorted(fight.foes[priest.party.ruler])):
        if cost < rival.army.plan.counter or devotion.zeh < price or places.isdisjoint(_reach(fight, rival)):
            continue
        devotion.zeh -= price
        if is_broken(fight, course.DEFIED, priest, rival, price):
            return True
    return False


# Bread and water


def feed(fight: Fight, castle: Castle, within: Iterable[Fighter]) -> bool:
    """Let a priest in a castle feed all who are in it in this round; returns whether one did. Source: rules 20.3"""
    holds = [hold for hold in castle.holds if not hold.is_ruined]
    cost = PRAYER[BREAD].base * len(holds)
    for priest, devotion in priests(fight, {each.party.ruler for each in within}):
        if priest.kf not in castle.floors or devotion.prayed_in == fight.round:
            continue
        for number, line in enumerate(priest.army.plan.prayers):
            fields = {_field(fight, priest, line, spot) for spot in line.fields}
            is_here = not fields or not fields.isdisjoint(hold.kf for hold in holds)
            if line.prayer != BREAD or not is_here or not _is_due(fight, priest, number, line):
                continue
            if cost <= min(devotion.zeh, line.most or STORE):
                devotion.zeh -= cost
                _note(fight, priest, devotion, number, line)
                path = tuple(fight.record.spotted(hold.kf) for hold in holds)
                fight.record.tell(course.PRAYER, priest, path=path, points=(cost,), to=BREAD)
                return True
    return False
