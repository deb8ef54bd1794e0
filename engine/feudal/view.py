"""What a viewer may know of a game: the whole position, but not the seed and the future dice."""

from __future__ import annotations

from dataclasses import replace

from engine.core.viewer import Viewer
from engine.feudal.model import State, View


def view(state: State, viewer: Viewer) -> View:
    """The game as a viewer may know it."""
    return View(replace(state, seed="", forced_dice={}), viewer.power)
