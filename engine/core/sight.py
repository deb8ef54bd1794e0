"""From the whole truth to what one viewer may know of it: all secrets are kept here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from engine.core.variant import Variant
from engine.core.viewer import Viewer

S = TypeVar("S")
"""A system's State: the whole truth. Frozen."""
V = TypeVar("V")
"""A system's View: what one viewer may know of a State. Frozen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight(Generic[S, V]):
    """What can be seen of a game."""

    view: Callable[[S, Viewer], V]
    """What a viewer may know. If the rules have no master who sees everything, `MASTER` sees what everybody does."""

    atlas: Callable[[V], Variant]
    """The powers and the spaces of the map that the viewer knows of. All code that names them uses this, so that
    no completion, hint or refusal reveals a place that the viewer has not seen. In a game with fog pictures draw
    only these spaces (`Scene.known`)."""

    document: Callable[[V], Mapping[str, Any]]
    """The viewer's knowledge in the form of a game.json, for programs, without seed and dice."""
