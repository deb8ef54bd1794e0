"""Onagers: at fields, buildings and walls. Source: rules B11, B12"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.core.ids import PowerId
from engine.kalevala.battle import course
from engine.kalevala.battle.afloat import founder
from engine.kalevala.battle.boards import Fields
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.ground import EdgeWall, Kf
from engine.kalevala.battle.hazards import strike_field, survives
from engine.kalevala.battle.kinds import CREWS, ONAGER
from engine.kalevala.battle.movement import Lookout
from engine.kalevala.battle.sites import Army
from engine.kalevala.battle.storming import collapse, hit, strike_wall
from engine.kalevala.battle.works import BRIDGE_STANDS, CROSSING_STANDS, Barrier, Stronghold
from engine.kalevala.coordinates import GfId, gf_of, order_of
from engine.kalevala.war.plans import INSIDE, Spot

NEAREST, FARTHEST, HITS, HARDER = 2, 6, 14, 2
"""Least and longest range in KF, the roll needed, and how much more against walls that a god has made harder."""


def throw_all(fight: Fight, ruler: PowerId, fighters: list[Fighter]) -> None:
    """Let onagers throw, by field and number. Source: rules B4"""
    able = [each for each in fighters if each.is_alive and each.free and not each.flees and each.code == ONAGER]
    if not able:
        return
    look = Lookout(fight, ruler)
    for onager in sorted(able, key=lambda each: (each.kf, each.number)):
        crew = [each for each in onager.crew if each.is_alive and not each.is_held]
        if len(crew) >= CREWS[ONAGER] and not look.is_threatened(onager.kf):
            _throw(fight, look, onager, crew)


def _throw(fight: Fight, look: Lookout, onager: Fighter, crew: list[Fighter]) -> None:
    """Throw at the ordered target, or else at the building on the trade centre, or else at the best field."""
    bridge = _bridge_for(fight, onager)
    if bridge is not None:
        _throw_at_bridge(fight, onager, crew, bridge)
        return
    crossing = _crossing_for(fight, onager)
    if crossing is not None:
        _throw_at_crossing(fight, onager, crew, crossing)
        return
    wall = _wall_for(fight, onager)
    hold = None if wall is not None else building_for(fight, onager)
    kf = None if wall is not None or hold is not None else _field_for(look, onager)
    at = wall.inner if wall is not None else hold.kf if hold is not None else kf
    if at is None or not NEAREST <= fight.ground.distance(onager.kf, at) <= FARTHEST:
        return
    if kf is None or kf == _ordered_field(fight, onager):
        _note_order(fight, onager)
    for each in (onager, *crew):
        each.free = False
    climb = max(0, fight.ground.levels[at] - fight.ground.levels[onager.kf])
    thrown = fight.throw("onager", onager)
    needed = HITS + climb + (HARDER if hold is not None and hold.is_hard else 0)
    facts: dict[str, Any] = {"rolls": (thrown.total,), "points": (0, needed)}
    is_hit = thrown.total >= needed
    if wall is not None:
        fight.record.tell(course.ONAGER, onager, work=fight.record.edge(wall), **facts)
        if is_hit:
            strike_wall(fight, onager, wall)
        return
    if hold is not None:
        fallen = _strike_storey(fight, onager, hold) if is_hit else []
        fight.record.tell(course.ONAGER, onager, fallen=fallen, work=fight.record.building(hold.kf), **facts)
    else:
        fallen = strike_field(fight, at) if is_hit else []
        first = fight.foes_at(onager.party.ruler, at)
        fight.record.tell(course.ONAGER, onager, whom=first[0].number if first else 0, fallen=fallen, **facts)
    for each in fallen:
        if each.is_alive:
            fight.this_round.shot_at.add(each.party.ruler)
            fight.fall(each)
    if hold is not None and is_hit:
        hit(fight, onager, hold)
    founder(fight)
    fight.settle_triples()


def _throw_at_bridge(fight: Fight, onager: Fighter, crew: list[Fighter], bridge: EdgeWall) -> None:
    """Throw at a bridge: it falls at the third hit, and the river is an obstacle again. Source: rules B12"""
    if not NEAREST <= fight.ground.distance(onager.kf, bridge.one) <= FARTHEST:
        return
    _note_order(fight, onager)
    for each in (onager, *crew):
        each.free = False
    needed = HITS + max(0, fight.ground.levels[bridge.one] - fight.ground.levels[onager.kf])
    thrown = fight.throw("onager", onager)
    gf, edge = bridge.name
    work = f"{gf}:{edge}"
    fight.record.tell(course.ONAGER, onager, work=work, rolls=(thrown.total,), points=(0, needed))
    if thrown.total < needed:
        return
    fight.works.bridges[bridge] += 1
    if fight.works.bridges[bridge] >= BRIDGE_STANDS:
        fight.land.rivers |= {(bridge.one, bridge.other), (bridge.other, bridge.one)}
        fight.changes += 1
        fight.record.tell(course.BREACH, onager, work=work)


def _throw_at_crossing(fight: Fight, onager: Fighter, crew: list[Fighter], kf: Kf) -> None:
    """Throw at a stream bridge: it bears less with each hit, whoever is on it rolls, and the fifth destroys it. Rules
    27.2
    """
    if not NEAREST <= fight.ground.distance(onager.kf, kf) <= FARTHEST:
        return
    _note_order(fight, onager)
    for each in (onager, *crew):
        each.free = False
    needed = HITS + max(0, fight.ground.levels[kf] - fight.ground.levels[onager.kf])
    thrown = fight.throw("onager", onager)
    is_hit = thrown.total >= needed
    work = fight.record.building(kf)
    there = sorted(fight.at[kf], key=lambda each: each.number) if is_hit else []
    fallen = [each for each in there if each.is_human and not each.floats and not survives(fight, each)]
    fight.record.tell(course.ONAGER, onager, fallen=fallen, work=work, rolls=(thrown.total,), points=(0, needed))
    if not is_hit:
        return
    for each in fallen:
        if each.is_alive:
            fight.this_round.shot_at.add(each.party.ruler)
            fight.fall(each)
    fight.works.crossings[kf] += 1
    fight.changes += 1
    if fight.works.crossings[kf] >= CROSSING_STANDS:
        collapse(fight, onager, kf)
    fight.settle_triples()


def _note_order(fight: Fight, onager: Fighter) -> None:
    if onager.fire is not None:
        fight.note_done(onager.army, onager.fire)


# At what


def value(look: Lookout, onager: Fighter, kf: Kf) -> float:
    """The value of the best target in range of a field, or 0 without one."""
    at = _target(look.fight, onager)
    if at is not None:
        return float(NEAREST <= look.fight.ground.distance(kf, at) <= FARTHEST)
    key = "stone", kf
    found = look.values.get(key)
    if found is None:
        found = look.values[key] = max((worth for worth, _ in _fields(look, onager, kf)), default=0.0)
    return found


def places(look: Lookout, onager: Fighter) -> Fields:
    """The fields with a target in range that are next to no enemy."""
    at = _target(look.fight, onager)
    if at is None:
        return look.within_shot(FARTHEST, is_blind=True)
    return look.board.around(at, FARTHEST) & ~look.board.around(at, NEAREST - 1) & ~look.threatened & ~look.closed


def _target(fight: Fight, onager: Fighter) -> Kf | None:
    """The field of the bridge, wall or building that it is to throw at, or the ordered one; `None`: the best."""
    bridge, crossing = _bridge_for(fight, onager), _crossing_for(fight, onager)
    if bridge is not None or crossing is not None:
        return crossing if bridge is None else bridge.one
    wall, hold = _wall_for(fight, onager), building_for(fight, onager)
    return wall.inner if wall is not None else hold.kf if hold is not None else _ordered_field(fight, onager)


def building_for(fight: Fight, onager: Fighter) -> Stronghold | None:
    """The building that is ordered, or else the enemies' one on the trade centre under attack. Source: rules B27"""
    if onager.fire is not None:
        kf = _ordered_kf(fight, onager)
        return None if kf is None or onager.fire.side is not None else fight.works.at.get(kf)
    target = onager.army.target
    kf = None if target is None else fight.ground.centres.get(target)
    hold = None if kf is None else fight.works.at.get(kf)
    return hold if hold is not None and fight.works.foes_in(fight, onager.party.ruler, hold) else None


def _ordered_kf(fight: Fight, onager: Fighter) -> Kf | None:
    order = onager.fire
    if order is None:
        return None
    gf = _field_meant(fight, onager.army, order.at)
    return fight.ground.index.get((gf, order.at.cell))


def _field_meant(fight: Fight, army: Army, spot: Spot) -> GfId:
    """The great field that a line of a plan is about: the one it names, or else the one attacked. Source: R-121"""
    if spot.gf is not None:
        return gf_of(spot.gf)
    if army.target is not None:
        return gf_of(army.target)
    threats = [other.province for other in fight.site.armies if other.target == army.province]
    return gf_of(min(threats, key=order_of, default=army.province))


def _wall_for(fight: Fight, onager: Fighter) -> Barrier | None:
    """The wall that is ordered, as long as it stands."""
    order, kf = onager.fire, _ordered_kf(fight, onager)
    if order is None or order.side is None or kf is None:
        return None
    found = fight.works.barriers.get((kf, fight.ground.around[kf][order.side]))
    return found if found is not None and found.wall is not None and not found.is_breached else None


def _bridge_for(fight: Fight, onager: Fighter) -> EdgeWall | None:
    """The bridge over a river that is ordered, as long as it stands."""
    order, kf = onager.fire, _ordered_kf(fight, onager)
    if order is None or order.side is None or kf is None:
        return None
    return fight.works.bridge(kf, fight.ground.around[kf][order.side])


def _crossing_for(fight: Fight, onager: Fighter) -> Kf | None:
    """The stream bridge that is ordered, as long as it stands."""
    order, kf = onager.fire, _ordered_kf(fight, onager)
    if order is None or order.side is not None or kf is None:
        return None
    return kf if fight.works.crossings.get(kf, CROSSING_STANDS) < CROSSING_STANDS else None


def _ordered_field(fight: Fight, onager: Fighter) -> Kf | None:
    order, kf = onager.fire, _ordered_kf(fight, onager)
    return kf if order is not None and order.side is None and kf is not None and fight.land.is_open(kf) else None


def _field_for(look: Lookout, onager: Fighter) -> Kf | None:
    ordered = _ordered_field(look.fight, onager)
    if ordered is not None and look.fight.foes_at(onager.party.ruler, ordered):
        return ordered
    found = list(_fields(look, onager, onager.kf))
    return min(found, key=lambda pair: (-pair[0], pair[1]))[1] if found else None


def _fields(look: Lookout, onager: Fighter, kf: Kf) -> Iterator[tuple[float, Kf]]:
    fight = look.fight
    for other, away in look.board.within(kf, FARTHEST):
        if away >= NEAREST and other in look.enemies and other not in fight.works.at:
            hostile = sum(each.price for each in fight.foes_at(onager.party.ruler, other))
            worth = hostile - sum(each.price for each in fight.at[other] if each.party.ruler == onager.party.ruler)
            if worth > 0:
                yield float(worth), other


# What it does


def _strike_storey(fight: Fight, onager: Fighter, hold: Stronghold) -> list[Fighter]:
    """Let those on the platform roll for survival or, without one or if so ordered, those on the ground floor."""
    is_inside = onager.fire is not None and onager.fire.at.level == INSIDE
    platform = hold.building.platform
    kf = hold.kf if is_inside or platform is None else platform
    there = sorted((each for each in fight.at[kf] if each.is_human and not each.floats), key=lambda each: each.number)
    return [each for each in there if not survives(fight, each)]
