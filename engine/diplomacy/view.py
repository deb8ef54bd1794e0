"""What a viewer may know of a game: the whole position, but not the seed and the future dice."""

from __future__ import annotations

from dataclasses import replace

from engine.core.identity import cached_by_identity
from engine.core.viewer import Viewer
from engine.provinces.classic.model import State, View


def view(state: State, viewer: Viewer) -> View:
    """The game as a viewer may know it."""
    return View(_shown(state), viewer.power)


@cached_by_identity
def _shown(state: State) -> State:
    """What all may know: one value for all viewers, so that whatever follows from it is worked out once."""
    return replace(state, seed="", forced_dice={})
