"""How figures hold a building: they mind gates as ordered, throw ladders down and pour pitch. Source: rules B13 to
B15
"""

from __future__ import annotations

from engine.kalevala.battle import course
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.ground import COVERED, Kf
from engine.kalevala.battle.hazards import endanger, survives
from engine.kalevala.battle.kinds import ELEPHANTS, LADDER, ON_SIEGE_TOWER, ROPE, SIEGE_TOWER, TURTLE
from engine.kalevala.battle.melee import can_be_attacked, fight_duel, points
from engine.kalevala.battle.movement import open_gate
from engine.kalevala.battle.sites import Party
from engine.kalevala.battle.storming import lay_aside
from engine.kalevala.battle.works import Barrier, Stronghold

TIPS, LEAST_FOR_PITCH = 12, 3


# Gates


def open_secretly(fight: Fight) -> None:
    """Open the gates that agents have opened; they are open from the start, whoever is inside. Ruling KA130"""
    for barrier in dict.fromkeys(fight.works.barriers.values()):
        if barrier.has_gate and fight.record.edge(barrier) in fight.site.opened:
            barrier.is_open = barrier.keeps_open = True


def obey_gates(fight: Fight, party: Party) -> None:
    """Carry out GATE lines that are due, if the ruler has somebody inside. Source: rules 32.2"""
    for army in (each for each in fight.site.armies if each.ruler == party.ruler):
        for line in army.plan.gates:
            if line.round != fight.round:
                continue
            for barrier in dict.fromkeys(fight.works.barriers.values()):
                if not barrier.has_gate or fight.record.edge(barrier) not in line.names(army.province):
                    continue
                keeper = _keeper(fight, party, barrier)
                if keeper is None:
                    continue
                barrier.keeps_open = line.is_open
                fight.note_done(army, line)
                if line.is_open and not barrier.is_passable:
                    open_gate(fight, keeper, barrier)
                elif not line.is_open and barrier.is_open:
                    _shut(fight, keeper, barrier)


def shut_gates(fight: Fight, party: Party) -> None:
    """Shut the gates that no order keeps open; figures inside do so when their side has moved. Ruling KA72"""
    for barrier in dict.fromkeys(fight.works.barriers.values()):
        if not barrier.is_open or barrier.keeps_open or barrier.is_broken or barrier.is_breached:
            continue
        keeper = _keeper(fight, party, barrier)
        if keeper is not None:
            _shut(fight, keeper, barrier)


def _keeper(fight: Fight, party: Party, barrier: Barrier) -> Fighter | None:
    """The figure of a ruler that stands behind a gate with no enemy there."""
    if fight.foes_at(party.ruler, barrier.inner):
        return None
    there = [each for each in fight.at[barrier.inner] if each.party.ruler == party.ruler and each.is_human]
    return min(there, key=lambda each: each.number, default=None)


def _shut(fight: Fight, keeper: Fighter, barrier: Barrier) -> None:
    barrier.is_open = False
    fight.changes += 1
    fight.record.tell(course.GATE, keeper, to="shut", work=fight.record.edge(barrier))


# From the platform


def defend(fight: Fight, party: Party) -> None:
    """Let one man on each platform throw a ladder down and one pour pitch; with enemies on it only archers are free to.
    B15
    """
    for hold in fight.works.holds:
        platform = hold.building.platform
        if hold.is_ruined or platform is None:
            continue
        _tip(fight, party, hold, platform)
        _pour(fight, party, hold, platform)
        _strike_across(fight, party, hold, platform)


def _free(fight: Fight, party: Party, platform: Kf) -> Fighter | None:
    """The least valuable figure that has not acted yet; archers come last."""
    has_foes = bool(fight.foes_at(party.ruler, platform))
    there = [
        each
        for each in fight.at[platform]
        if each.party.ruler == party.ruler
        and each.is_warrior
        and each.free
        and not (each.flees or each.is_held)
        and (each.is_bow or not has_foes)
    ]
    return min(there, key=lambda each: (each.is_bow, "ABC".index(each.rank), each.number), default=None)


def _tip(fight: Fight, party: Party, hold: Stronghold, platform: Kf) -> None:
    """Throw a ladder down or cut a rope; whoever is on it rolls for survival. Source: rules B14"""
    leaning = [
        each
        for each in fight.living()
        if each.leans is not None
        and each.code in (LADDER, ROPE)
        and hold.kf in (each.leans.inner, each.leans.outer)
        and each.party.ruler in fight.foes[party.ruler]
    ]
    man = _free(fight, party, platform)
    if not leaning or man is None:
        return
    ladder = min(leaning, key=lambda each: (each.climber is None, each.kf, each.number))
    man.free = False
    thrown = fight.throw("ladder", man)
    climber = ladder.climber
    has_fallen = thrown.total >= TIPS
    fallen = []
    if (
        has_fallen
        and climber is not None
        and climber.is_alive
        and climber.kf == ladder.kf
        and not survives(fight, climber)
    ):
        fallen = [climber]
    fight.record.tell(course.TIP, man, whom=ladder.number, rolls=(thrown.total,), points=(TIPS,), fallen=fallen)
    if has_fallen:
        lay_aside(fight, ladder)
    for each in fallen:
        fight.fall(each)


def _strike_across(fight: Fight, party: Party, hold: Stronghold, platform: Kf) -> None:
    """Let two men on a platform fight the two on top of an adjacent siege tower, on the same level. B14, ruling
    KA155
    """
    towers = [
        each
        for each in fight.living()
        if each.code == SIEGE_TOWER
        and each.leans is not None
        and hold.kf in (each.leans.inner, each.leans.outer)
        and each.party.ruler in fight.foes[party.ruler]
    ]
    for tower in towers:
        for _ in range(ON_SIEGE_TOWER):
            able = [
                each
                for each in fight.at[platform]
                if each.party.ruler == party.ruler
                and each.is_warrior
                and each.free
                and not (each.is_bow or each.flees or each.is_held)
            ]
            foes = [each for each in tower.crew if each.is_alive and can_be_attacked(each)]
            if not able or not foes or fight.foes_at(party.ruler, platform):
                break
            man = min(able, key=lambda each: (-"ABC".index(each.rank), each.number))
            target = min(foes, key=lambda foe: (points(fight, foe, man, platform, is_attack=False), foe.number))
            man.free = False
            mine = points(fight, man, target, target.kf, is_attack=True)
            theirs = points(fight, target, man, platform, is_attack=False)
            fight_duel(fight, man, target, mine, theirs)


def _pour(fight: Fight, party: Party, hold: Stronghold, platform: Kf) -> None:
    """Pour pitch onto the field below with the highest price of enemies, if three stand there; not on forest or water.
    Rules B15
    """
    man = _free(fight, party, platform)
    if man is None:
        return
    below = []
    for barrier in hold.barriers.values():
        kf = barrier.outer if barrier.inner == hold.kf else barrier.inner
        foes = [each for each in fight.foes_at(party.ruler, kf) if _is_exposed(each)]
        if kf in fight.works.at or fight.ground.letters[kf] in (*COVERED, "W") or len(foes) < LEAST_FOR_PITCH:
            continue
        if any(each.party.ruler not in fight.foes[party.ruler] for each in fight.at[kf]):
            continue
        below.append((-sum(each.price for each in foes), kf))
    if not below:
        return
    kf = min(below)[1]
    man.free = False
    there = sorted((each for each in fight.at[kf] if _is_exposed(each)), key=lambda each: each.number)
    endanger(fight, there, course.PITCH, man, kf)


def _is_exposed(fighter: Fighter) -> bool:
    """Whether pitch harms a figure: people and animals outside siege towers and turtles, but no gear.

    Source: rules 26.5, ruling KA74
    """
    is_sheltered = fighter.serves is not None and fighter.serves.code in (SIEGE_TOWER, TURTLE)
    return (fighter.is_human or fighter.code in ELEPHANTS) and not fighter.floats and not is_sheltered
