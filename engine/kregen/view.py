"""What a viewer may know of a game: all but others' prophecies, and the seed and dice from which duels are drawn."""

from __future__ import annotations

from dataclasses import replace

from engine.core.viewer import Viewer
from engine.kregen.model import State, View


def view(state: State, viewer: Viewer) -> View:
    """The game as a viewer may know it. Source: ruling K21."""
    own = {power: lines for power, lines in state.prophecies.items() if power == viewer.power}
    return View(replace(state, seed="", forced_dice={}, prophecies=own), viewer.power)
