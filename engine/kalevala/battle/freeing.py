"""Slaves in a battle whom nobody guards any more, and whom they then help. Source: rules 23.1, R-073, ruling KA168"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from engine.core.ids import PowerId
from engine.kalevala.battle import course
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.coordinates import GfId, gf_of
from engine.kalevala.war.plans import FREED_MAN, SLAVE, SLAVES_GUARDED

JOINS, IS_TAKEN = 11, 10
"""What three dice have to show for a slave to fight, and for a captor to hold him."""


def watch(fight: Fight) -> None:
    """Free, at the end of a round, a ruler's slaves in a great field beyond six for each warrior there."""
    guards: Counter[tuple[PowerId, GfId]] = Counter()
    slaves: defaultdict[tuple[PowerId, GfId], list[Fighter]] = defaultdict(list)
    for each in fight.living():
        key = each.party.ruler, fight.ground.places[each.kf][0]
        guards[key] += each.is_warrior
        if each.code == SLAVE:
            slaves[key].append(each)
    for (ruler, gf), own in slaves.items():
        free = len(own) - SLAVES_GUARDED * guards[ruler, gf]
        if free > 0:
            near = [foe for foe in fight.foes[ruler] if guards[foe, gf]]
            liberator = max(near, key=lambda foe: (guards[foe, gf], foe), default=None)
            _free(fight, own[:free], gf, liberator)


def _free(fight: Fight, slaves: Sequence[Fighter], gf: GfId, liberator: PowerId | None) -> None:
    """Roll for each freed slave: he fights for the ruler who freed him, is enslaved again, or runs away."""
    captor = next((each for each in fight.site.parties if each.ruler == liberator), None)
    if captor is None:
        _let_run(fight, slaves, to=course.RAN)
        return
    needed = IS_TAKEN if captor.enslaves else JOINS
    dice = [(slave, fight.throw("freed", slave).total) for slave in slaves]
    takers = [slave for slave, total in dice if total >= needed]
    rolls, points = tuple(total for _, total in dice), (needed,)
    if takers:
        army = min(
            (each for each in fight.site.armies if each.ruler == captor.ruler),
            key=lambda each: gf not in map(gf_of, filter(None, (each.province, each.target))),
        )
        for slave in takers:
            fight.change_sides(slave, captor, army, SLAVE if captor.enslaves else FREED_MAN)
        to = f"{course.ENSLAVED if captor.enslaves else course.JOINED} {captor.ruler}"
        numbers = tuple(each.number for each in takers)
        fight.record.tell(course.FREED, takers[0], helpers=numbers, rolls=rolls, points=points, to=to)
        rolls = ()
    runs = [slave for slave, total in dice if total < needed]
    if runs:
        _let_run(fight, runs, rolls=rolls, points=points, to=f"{course.RAN} {captor.ruler}")


def _let_run(fight: Fight, slaves: Sequence[Fighter], **more: object) -> None:
    for slave in slaves:
        fight.run_away(slave)
    fight.record.tell(course.FREED, slaves[0], fallen=slaves, **more)
