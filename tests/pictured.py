"""What a game describes for a picture, as the kind of picture that a test expects."""

from __future__ import annotations

from engine.core.depiction import Depiction
from engine.pictures.scene import Scene
from engine.pictures.tiles import TileScene


def as_map(shown: Depiction) -> Scene:
    """A map of provinces."""
    assert isinstance(shown, Scene)
    return shown


def as_board(shown: Depiction) -> TileScene:
    """A board of tiles."""
    assert isinstance(shown, TileScene)
    return shown
