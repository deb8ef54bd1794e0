"""Fog: games in which a viewer knows only a part of the board make their View from a document of that part alone.

    State → reduce(state, viewer) → document → read(document, viewer) → View

`reduce` is then the only place where anything is kept secret: parse, check, suggest, menu, scene and the rest see a
View, a View is read from the document, and nothing can reveal what the document leaves out. The contract tests check
this: a View equals the one that is read from its document (`tests/contract/test_fog.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.core.documents import seen_document
from engine.core.sight import S, Sight, V
from engine.core.variant import Variant
from engine.core.viewer import Viewer


def sight_through_fog(
    *,
    reduce: Callable[[S, Viewer], Mapping[str, Any]],
    read: Callable[[Mapping[str, Any], Viewer], V],
    document: Callable[[V], Mapping[str, Any]],
    atlas: Callable[[V], Variant],
    has_master: bool = False,
) -> Sight[S, V]:
    """The sight of a game with fog.

    Args:
        reduce: the game.json with nothing in it but what the viewer may know; seed and dice are left out in any case.
        read: the View of such a document, made from nothing else.
        document: the document that a View was read from, or an equal one.
    """

    def view(state: S, viewer: Viewer) -> V:
        return read(seen_document(reduce(state, viewer)), viewer)

    return Sight(view=view, atlas=atlas, document=document, read=read, has_master=has_master)
