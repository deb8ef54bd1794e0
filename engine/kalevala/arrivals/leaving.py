"""Rulers whose players have left: noted at once, dealt with when the window is over. Source: rules 8.6, ruling KA228"""

from __future__ import annotations

from dataclasses import replace

from engine.core.acts import Seating
from engine.core.ids import PowerId
from engine.kalevala.model import State


def _left(state: State, ruler: PowerId) -> State:
    return _noted(state, ruler, has_left=state.rulers[ruler].is_played and state.over is None)


def _taken(state: State, ruler: PowerId) -> State:
    return _noted(state, ruler, has_left=False)


def _noted(state: State, ruler: PowerId, *, has_left: bool) -> State:
    return state.replace(rulers={**state.rulers, ruler: replace(state.rulers[ruler], has_left=has_left)})


SEATING: Seating[State] = Seating(left=_left, taken=_taken)
