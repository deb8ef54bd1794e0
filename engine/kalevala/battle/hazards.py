"""What figures suffer without an enemy: rolls for survival, swamp, desert, ice. Source: rules 16.3, B10, B16"""

from __future__ import annotations

from collections.abc import Iterable

from engine.kalevala.battle import course, royalty
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.ground import DANGEROUS, SINKING, Kf
from engine.kalevala.battle.kinds import ELEPHANTS, WIZARD
from engine.kalevala.wizards.spells import PETRIFY

SAFE = 6
SURVIVES, SURVIVES_IN_PHALANX = 10, 11
SURVIVES_APART = {"sP": 8, "QsP": 8, "El": 7, "Mm": 7, "DD": 7, WIZARD: 7}
"""What animals and mortal wizards have to roll; horses need the same as everybody else. Source: rules B10"""


def survives(fight: Fight, fighter: Fighter) -> bool:
    """Roll for a figure; its horse rolls separately."""
    if fighter.is_safe:
        return True
    usual = SURVIVES_IN_PHALANX if fighter.formation is not None else SURVIVES
    number = SURVIVES_APART.get(fighter.code, usual)
    crown = fighter.crown
    if crown is None:
        return fight.survives(fighter, fighter.item, number)
    lives = fight.survives(fighter, fighter.item, royalty.survives_on(crown, number))
    return lives or not royalty.wound(fight, fighter, crown)


def horse_survives(fight: Fight, fighter: Fighter) -> bool:
    """Roll for the horse of a rider."""
    number = SURVIVES_APART.get(fighter.mount, SURVIVES)
    return fighter.is_safe or fight.survives(fighter, fighter.mount, number)


def endure(fight: Fight) -> None:
    """Roll for thirst, frost and mud, once for each field with figures."""
    ground = fight.ground
    for kf, _ in enumerate(fight.at):
        is_mire = fight.land.mires.get(kf, 0) >= fight.round
        if not fight.at[kf] or not (is_mire or ground.letters[kf] in DANGEROUS):
            continue
        if (kf in ground.safe and not is_mire) or all(each.floats for each in fight.at[kf]):
            continue
        there = sorted(fight.at[kf], key=lambda each: each.number)
        total = fight.throw("hazard", kf=kf).total
        if total >= SAFE:
            fight.record.tell(course.HAZARD, there[0], rolls=(total,))
            continue
        fallen = [each for each in there if (each.is_warrior or each.crown) and not survives(fight, each)]
        if is_mire or ground.letters[kf] in SINKING:
            fallen += [each for each in there if each.is_gear]
        fight.record.tell(course.HAZARD, there[0], rolls=(total,), fallen=fallen)
        for each in fallen:
            if each.is_alive:
                fight.fall(each)
        fight.settle_triples()


def endanger(fight: Fight, victims: Iterable[Fighter], kind: str, by: Fighter, kf: Kf) -> None:
    """Let everybody who is overrun or scalded on a field roll for survival, horses apart, and take away who fails.

    Args:
        victims: in the order in which they roll.
        kind: what `by` does to them, as the account of the battle names it.
    """
    fallen, thrown = [], []
    for each in victims:
        if not survives(fight, each):
            fallen.append(each)
        if each.mount and not horse_survives(fight, each) and each not in fallen:
            thrown.append(each)
    fight.record.tell(kind, by, fallen=fallen, work=fight.record.building(kf))
    for each in thrown:
        fight.lose_horse(each)
        fight.record.tell(course.HORSE, each)
    for each in fallen:
        if each.is_alive:
            fight.fall(each)
    fight.settle_triples()


def strike_field(fight: Fight, kf: int) -> list[Fighter]:
    """Let an onager's stone hit a field: everybody there rolls, and gear is lost. Returns the fallen. Source: rules
    B11
    """
    fallen: list[Fighter] = []
    for each in sorted(fight.at[kf], key=lambda each: each.number):
        if each.floats or PETRIFY in each.under:
            continue
        if each.is_craft:
            each.hits += 1  # she may sink of it: afloat.founder
            continue
        if each.is_hauled or not survives(fight, each):
            fallen.append(each)
        if each.mount and not horse_survives(fight, each) and each not in fallen:
            fight.lose_horse(each)
            fight.record.tell(course.HORSE, each)
    return [each for each in fallen if each.code in ELEPHANTS or each.is_hauled or each.is_alive]
