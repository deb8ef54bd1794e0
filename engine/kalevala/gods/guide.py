"""What a god could do, as complete orders for the guided flow, likeliest first. Source: rules 24"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.kalevala.battle.apparitions import WORKING
from engine.kalevala.board import others
from engine.kalevala.coordinates import Province, gf_of, neighbours_of
from engine.kalevala.counsel import Counsel
from engine.kalevala.figures import format_figures
from engine.kalevala.gods.facts import BASE, UNITS, God, aura_needs, read_god
from engine.kalevala.gods.orders import (
    GodAppear,
    GodAura,
    GodCall,
    GodCarry,
    GodCreate,
    GodEnter,
    GodLearn,
    GodMove,
    GodPass,
    GodScout,
    GodSee,
    GodSpeed,
)
from engine.kalevala.kings.facts import may_call
from engine.kalevala.model import State
from engine.kalevala.orders import Whole
from engine.kalevala.priests.facts import KINGS_CALL, call_costs, callers, zeh_for_king, zeh_of_priests
from engine.kalevala.steps import ways
from engine.kalevala.tables import PASS


def god_in(state: State, ruler: PowerId) -> God | None:
    """The viewer's own god."""
    row = state.rulers[ruler].god
    return None if row is None else read_god(row)


def orders_of(counsel: Counsel) -> Whole:
    """In the window of orders: abilities, an aura, scouting, moves; a weak spot, if he has none."""
    god = god_in(counsel.state, counsel.ruler)
    if god is not None:
        for name in god.may_learn:
            yield from counsel.tried(GodLearn(name), "god_learn", ability=phrase(f"ability.{name}"))
        needed = aura_needs(god.tries)
        yield from counsel.tried(GodAura(), "god_aura", field=god.at, needed=needed)
        for times in range(1, UNITS + 1):
            yield from counsel.tried(GodScout(times), f"god_scout_{times}")
        for field in dict.fromkeys((*god.earlier, god.seat)):
            if field != god.at:
                yield from counsel.tried(GodMove(field), "god_move", field=field)
        if god.stay:
            yield from _miracles_of(counsel, god)
    for place in counsel.state.owned(counsel.ruler):
        cell = min(counsel.land.cells(place), default=19)
        order = GodCreate(counsel.say("god_nameless"), place, cell)
        yield from counsel.tried(order, "god_create", place=place, cell=cell)


def _miracles_of(counsel: Counsel, god: God) -> Whole:
    """Miracles that he has learnt: foreign land to look at, armies to speed up, figures to carry, passes to make."""
    own = counsel.state.owned(counsel.ruler)
    if "SEE" in god.abilities:
        beside = dict.fromkeys(Province(gf) for place in own for gf in neighbours_of(gf_of(place)))
        for place in beside:
            if place not in own and counsel.land.exists(gf_of(place)):
                yield from counsel.tried(GodSee(place), "god_see", place=place)
    if "SPEED" in god.abilities:
        for place in counsel.state.stacks.get(counsel.ruler, {}):
            yield from counsel.tried(GodSpeed(place), "god_speed", place=place)
    if "CARRY" in god.abilities:
        for carried in _to_capital(counsel.state, counsel.ruler):
            figures = format_figures(dict(carried.figures))
            yield from counsel.tried(carried, "god_carry", figures=figures, place=carried.at, to=carried.to)
    for place in own if "PASS" in god.abilities else ():
        for what, cells in ways.likely(counsel.land, set(own), place):
            if what == PASS:
                crossing = GodPass(place, cells)
                yield from counsel.tried(crossing, "god_pass", place=place, cells=", ".join(map(str, cells)))


def _to_capital(state: State, ruler: PowerId) -> Iterator[GodCarry]:
    capital = state.rulers[ruler].capital
    if capital is None:
        return
    for place, stack in state.stacks.get(ruler, {}).items():
        for item in stack:
            yield GodCarry(((item, 1),), place, capital)


def deeds_of(counsel: Counsel) -> Whole:
    """In the window of deeds: fields that he has scouted, and battles into which he may come."""
    god = god_in(counsel.state, counsel.ruler)
    if god is None:
        return
    for field in god.explored:
        yield from counsel.tried(GodEnter(field), "god_enter", field=field)
    abilities = battle_abilities(god)
    for place, foe in _battles(counsel.state, counsel.ruler):
        order = GodAppear(place, counsel.ruler, foe, abilities)
        yield from counsel.tried(order, "god_appear", place=place, foe=foe, abilities=", ".join(abilities))
    zeh = call_zeh(counsel.state, counsel.ruler, abilities[0])
    if zeh:
        code = "god_call_king" if king_calls(counsel.state, counsel.ruler) else "god_call"
        yield from counsel.tried(GodCall(abilities), code, abilities=", ".join(abilities), zeh=zeh)


def call_zeh(state: State, ruler: PowerId, ability: str) -> int:
    """What it costs in ZEH to call a god for an ability with the king or the priests that there are; 0: they can't.

    Source: rules 18.5, R-063
    """
    if king_calls(state, ruler):
        return KINGS_CALL
    count = callers(zeh_of_priests(state.stacks.get(ruler, {}).values()), ability, is_there=False)
    return call_costs(ability, count, is_there=False) if count else 0


def king_calls(state: State, ruler: PowerId) -> bool:
    """Whether a priest king can call the god, and somebody can pay for it. Source: rules 18.5, ruling KA278"""
    stacks = state.stacks.get(ruler, {})
    return may_call(stacks, state.rulers[ruler].king, state.gr) and zeh_for_king(stacks.values()) >= KINGS_CALL


def battle_abilities(god: God) -> tuple[str, ...]:
    """His abilities for battles, in the order in which he would use them; the base ability if he knows no other."""
    known = tuple(name for name in god.abilities if name in WORKING)
    return known or (BASE,)


def _battles(state: State, ruler: PowerId) -> Iterator[tuple[Province, PowerId]]:
    """Where a ruler knows that there could be a battle, and against whom: explored land first, then the ruler's."""
    targets = [row.target for row in state.explored.get(ruler, ())]
    held = ((place, state.owners[place]) for place in dict.fromkeys(targets) if place in state.owners)
    yield from ((place, owner) for place, owner in held if owner != ruler)
    for place in state.owned(ruler):
        yield from ((place, foe) for foe in others(state, ruler))
