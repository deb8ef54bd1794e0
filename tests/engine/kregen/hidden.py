"""What a State of Kregen holds that others may not know: prophecies, and what the duels to come will draw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import Playing, Viewer
from engine.kregen.model import State
from engine.kregen.prophecy import Prophecy
from engine.kregen.system import KREGEN
from engine.provinces.phases import PhaseKind


def variants(state: State, viewer: Viewer) -> Iterator[State]:
    """The same with no prophecies of others, with many, and with dice that are settled."""
    own = {power: lines for power, lines in state.prophecies.items() if power == viewer.power}
    yield replace(state, prophecies=own)
    others = {power: _foretold(state, power) for power in state.variant.powers if power != viewer.power}
    yield replace(state, prophecies={**own, **{power: lines for power, lines in others.items() if lines}})
    yield replace(state, forced_dice={"duel/ZY": 5})


def _foretold(state: State, power: PowerId) -> tuple[Prophecy, ...]:
    """Prophecies are written with the moves, whatever the phase is by now."""
    view = KREGEN.sight.view(replace(state, phase=replace(state.phase, kind=PhaseKind.MOVEMENT)), Playing(power))
    lines = [f"remove: {unit.kind} {unit.at}" for unit in state.units if unit.power == power]
    return tuple(one for one in read_orders(KREGEN, view, "\n".join(lines)).values if isinstance(one, Prophecy))
