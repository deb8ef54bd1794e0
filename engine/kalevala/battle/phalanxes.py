"""Phalanxes: forming, stepping, turning. Their worth in a duel is in `melee`. Source: rules B8"""

from __future__ import annotations

from engine.core.ids import PowerId
from engine.kalevala.battle import course
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter, Formation
from engine.kalevala.battle.ground import Kf
from engine.kalevala.battle.melee import is_front
from engine.kalevala.battle.movement import Lookout
from engine.kalevala.battle.sites import Army
from engine.kalevala.coordinates import gf_of
from engine.lattice.great_fields import Side

SIZE = 4


def form(fight: Fight, kf: Kf, side: Side, *, strikes: bool = False) -> bool:
    """Form a phalanx of four warriors of one kind who are alone on their field, on foot, with room for it."""
    there = fight.at[kf]
    kinds = {(each.item, each.mount, each.party.ruler) for each in there}
    is_fit = len(there) == SIZE and len(kinds) == 1 and all(map(_is_fit, there)) and fight.ground.rooms[kf] >= SIZE
    if is_fit:
        formation = Formation(sorted(there, key=lambda each: each.number), side, strikes)
        fight.join(formation)
        fight.record.tell(course.FORM, formation.members[0], to=side.name)
    return is_fit


def form_up(look: Lookout, ruler: PowerId) -> set[Kf]:
    """Carry out PHALANX lines in battle: four men alone in the field, with no enemy next to it, as their whole move.
    Rules B8
    """
    fight = look.fight
    found = set()
    for army in fight.site.armies:
        for line in army.plan.phalanxes if army.ruler == ruler else ():
            kf = fight.ground.index.get((gf_of(line.at.gf or army.province), line.at.cell))
            there = [] if kf is None else fight.at[kf]
            if kf is None or not there or there[0].party.ruler != ruler or look.is_threatened(kf):
                continue
            side = line.side if line.side is not None else side_ahead(fight, army, kf)
            if form(fight, kf, side, strikes=any(each.at == line.at for each in army.plan.strikes)):
                fight.note_done(army, line)
                found.add(kf)
    return found


def side_ahead(fight: Fight, army: Army, kf: Kf) -> Side:
    """The side toward what an army attacks, or else toward the nearest enemy. Source: rules B8"""
    ground = fight.ground
    own = ground.provinces[kf]
    if army.target is not None and own != army.target:
        goals = ground.cells(army.target)
    else:
        goals = [each.kf for each in fight.living() if each.party.ruler in fight.foes[army.ruler]]
    nearest = min(goals, key=lambda goal: (ground.distance(kf, goal), goal), default=kf)
    return ground.side_toward(kf, nearest)


def _is_fit(fighter: Fighter) -> bool:
    is_busy = fighter.carrier is not None or fighter.serves is not None or fighter.formation is not None
    is_busy = is_busy or fighter.flees or fighter.is_held
    return fighter.is_warrior and not fighter.mount and not is_busy


def go(look: Lookout, formation: Formation, kf: Kf) -> None:
    """Move one step, without attacking in this round, or turn once toward adjacent enemies."""
    fight, first = look.fight, formation.members[0]
    if kf != first.kf:
        side = fight.ground.side(first.kf, kf)
        assert side is not None, "one step"
        formation.side, formation.has_moved = side, True
        for each in formation.members:
            fight.move(each, kf)
            fight.record.tell(course.MOVE, each, path=(fight.record.spotted(kf),))
        return
    beside = [other for other in fight.land.fightable(first.kf) if other != first.kf and other in look.enemies]
    if not beside or any(is_front(fight, formation, first.kf, other) for other in beside):
        return
    wanted = fight.ground.side(first.kf, min(beside))
    assert wanted is not None, "a neighbour"
    clockwise = (wanted - formation.side) % 6 <= 3
    formation.side = Side((formation.side + (1 if clockwise else -1)) % 6)
    fight.record.tell(course.TURN, first, to=formation.side.name)


def is_shielded(fight: Fight, target: Fighter, shooter: Kf) -> bool:
    """Whether a phalanx faces an archer: one of its adjacent fields nearest to him is in its front."""
    if target.formation is None:
        return False
    around = list(fight.land.beside(target.kf))
    nearest = min(fight.ground.distance(shooter, kf) for kf in around) if around else 0
    return any(
        is_front(fight, target.formation, target.kf, kf)
        for kf in around
        if fight.ground.distance(shooter, kf) == nearest
    )
