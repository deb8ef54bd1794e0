"""What a god could do, as whole orders for the guided flow, likeliest first. Source: rules 24"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.core.ids import PowerId
from engine.kalevala.god_orders import GodAura, GodCreate, GodEnter, GodLearn, GodMove, GodScout
from engine.kalevala.gods import UNITS, God, aura_needs, read_god
from engine.kalevala.land import Land
from engine.kalevala.model import State
from engine.kalevala.orders import Order, Whole


def god_in(state: State, ruler: PowerId) -> God | None:
    """The viewer's own god."""
    row = state.rulers[ruler].god
    return None if row is None else read_god(row)


def orders_of(state: State, land: Land, ruler: PowerId, may: Callable[[Order], bool], say: Callable[..., str]) -> Whole:
    """In the window of orders: abilities, an aura, scouting, ways; a weak spot, where he has none."""
    god = god_in(state, ruler)
    if god is not None:
        for name in god.may_learn:
            yield from _tried(may, GodLearn(name), say("god_learn", ability=say(f"ability_{name}")))
        needed = aura_needs(god.tries)
        yield from _tried(may, GodAura(), say("god_aura", field=god.at, needed=needed))
        for times in range(1, UNITS + 1):
            yield from _tried(may, GodScout(times), say(f"god_scout_{times}"))
        for field in dict.fromkeys((*god.earlier, god.seat)):
            if field != god.at:
                yield from _tried(may, GodMove(field), say("god_move", field=field))
    for place in state.owned(ruler):
        cell = min(land.cells(place), default=19)
        order = GodCreate(say("god_nameless"), place, cell)
        yield from _tried(may, order, say("god_create", place=place, cell=cell))


def deeds_of(state: State, land: Land, ruler: PowerId, may: Callable[[Order], bool], say: Callable[..., str]) -> Whole:
    """In the window of deeds: fields that he has scouted."""
    god = god_in(state, ruler)
    for field in god.explored if god is not None else ():
        yield from _tried(may, GodEnter(field), say("god_enter", field=field))


def _tried(may: Callable[[Order], bool], order: Any, label: str) -> Whole:
    if may(order):
        yield order, label
