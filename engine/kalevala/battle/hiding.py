"""Agents who come out of hiding in a battle, with those who are with them, and hide again. Source: rules 22.3, KA137

Hiding is not an action: it is done before the side's turn, and once in a round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.core.ids import PowerId
from engine.kalevala.battle import course
from engine.kalevala.battle.deployment import mounted
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.ground import Kf
from engine.kalevala.battle.sites import HiddenGroup, Party
from engine.kalevala.coordinates import gf_of
from engine.kalevala.tables import SPACE

_MIDDLE = 20
"""A small field in the middle of a great one."""
AGENT = "Ag"


def change(fight: Fight, party: Party) -> None:
    """Before a ruler's turn, let those who are due come out of hiding, hide again, or begin to leave."""
    for group in fight.site.hidden:
        if group.army.ruler != party.ruler or fight.round < group.shows:
            continue
        figures = fight.groups.get((party.ruler, group.number))
        if figures is None:
            _emerge(fight, party, group)
            continue
        if group.hides and fight.round >= group.hides:
            _hide(fight, figures)
        if group.leaves and fight.round >= group.leaves:
            for each in figures:
                each.flees = True


def _emerge(fight: Fight, party: Party, group: HiddenGroup) -> None:
    """Put them all on one field; they wait as long as none has room for them."""
    pairs = list(mounted(Counter(group.army.figures)))
    space = sum(SPACE.get(item, 1) for pair in pairs for item in pair if item)
    kf = next(_fields(fight, party.ruler, group, space), None)
    if kf is None:
        return
    figures = [_come(fight, party, group, item, mount, kf) for item, mount in pairs]
    fight.groups[party.ruler, group.number] = figures
    fight.record.emerged += map(fight.record.entrant, figures)
    fight.price_at_start[party.ruler] += sum(each.price for each in figures)
    leader = next(each for each in figures if each.code == AGENT)
    fight.record.tell(course.EMERGED, leader, helpers=tuple(each.number for each in figures))


def _come(fight: Fight, party: Party, group: HiddenGroup, item: str, mount: str, kf: Kf) -> Fighter:
    number = len(fight.fighters) + 1
    fighter = Fighter(number, party, group.army, item, kf, mount=mount, start=kf)
    fight.fighters.append(fighter)
    fight.put(fighter, kf)
    return fighter


def _fields(fight: Fight, ruler: PowerId, group: HiddenGroup, space: int) -> Iterator[Kf]:
    """The fields where they could come out: in their building, or else near the trade centre, away from enemies."""
    ground, province = fight.ground, group.army.province
    gf = gf_of(province)
    hold = None if group.inside is None else fight.works.at.get(ground.index[gf, group.inside])
    if hold is not None and not hold.is_ruined:
        yield from (kf for kf in hold.building.inside if fight.room(kf) >= space)
    middle = ground.centres.get(province, ground.index.get((gf, _MIDDLE), 0))
    near = sorted(ground.cells(province), key=lambda kf: (ground.distance(kf, middle), kf))
    for kf in near:
        is_free = fight.land.is_open(kf) and kf not in fight.works.at and not fight.is_barred(ruler, kf)
        if is_free and fight.room(kf) >= space:
            yield kf


def _hide(fight: Fight, figures: list[Fighter]) -> None:
    """Hide those whom no enemy can strike; the others may hide in a later round."""
    free = [each for each in figures if each.is_alive and not fight.in_contact(each.kf, each.party.ruler)]
    if free:
        fight.record.tell(course.HID, free[0], helpers=tuple(each.number for each in free))
    for each in free:
        fight.hide(each)
