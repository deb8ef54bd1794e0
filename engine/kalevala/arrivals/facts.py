"""Who may begin, and how, in the present position. Source: rules 4.3, rulings KA225, KA227"""

from __future__ import annotations

from engine.core.ids import PowerId
from engine.kalevala import invaders
from engine.kalevala.arrivals.allotment import has_room
from engine.kalevala.arrivals.orders import FLEET, HORDE, LAND
from engine.kalevala.figures import has_people
from engine.kalevala.land import land_of
from engine.kalevala.model import EXPECTED, INVADER, ORDERS_PART, State
from engine.kalevala.modules import has_module

WAYS_KEY = "ways"
"""The key, in a ruler's view alone, of the ways to begin; no stored position has it."""


def may_begin(state: State, ruler: PowerId) -> bool:
    """Whether a ruler is about to begin: one who is expected, or who has no land and no people left; an invader from
    the start may still choose."""
    own = state.rulers[ruler]
    if own.kind == EXPECTED:
        return True
    if not own.is_played or state.owned(ruler) or not _has_invaders(state):
        return False
    is_first = own.kind == INVADER and (state.gr, state.part) == (1, ORDERS_PART)
    return is_first or is_fallen(state, ruler)


def is_fallen(state: State, ruler: PowerId) -> bool:
    """Whether a ruler who has entered the game has neither land nor people left."""
    own = state.rulers[ruler]
    if own.kind == EXPECTED or not own.is_played or state.owned(ruler):
        return False
    return not any(map(has_people, state.stacks.get(ruler, {}).values()))


def has_no_realm(state: State, ruler: PowerId) -> bool:
    """Whether a ruler is expected, or has fallen."""
    return state.rulers[ruler].kind == EXPECTED or is_fallen(state, ruler)


def ways_of(state: State, ruler: PowerId) -> tuple[str, ...]:
    """The ways in that are open to a ruler: in a State those for which there is room, in a View those named."""
    if state.is_fogged:
        return tuple(state.modules.get(WAYS_KEY, ()))
    if not may_begin(state, ruler):
        return ()
    land = (LAND,) if state.rulers[ruler].kind == EXPECTED and has_room(state) else ()
    if not _has_invaders(state):
        return land
    at_sea = set(map(land_of(state).is_sea, invaders.rim_places(state)))
    fleet = (FLEET,) if True in at_sea and has_module(state, "sea") else ()
    return (*land, *fleet, *((HORDE,) if False in at_sea else ()))


def _has_invaders(state: State) -> bool:
    return has_module(state, "invaders") or bool(state.options.get("landless", 0))
