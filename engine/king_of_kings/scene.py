"""The position as a picture of squares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.core.events import Event
from engine.core.grid_scene import GridScene
from engine.core.ids import SystemId
from engine.core.outcome import OrderResult
from engine.core.phrases import phrase
from engine.king_of_kings.board import variant_of
from engine.king_of_kings.model import Line, View
from engine.king_of_kings.tables import SYSTEM


def scene(
    view: View, *, orders: Iterable[Line] = (), results: Sequence[OrderResult] = (), events: Sequence[Event] = ()
) -> GridScene:
    """The position with pending orders, or with what came of the turn that began with it, drawn in."""
    state = view.state
    variant = variant_of(state)
    return GridScene(
        system=SystemId(SYSTEM),
        variant=variant.id,
        title=phrase("phase.turn", turn=state.turn),
        size=(state.width, len(state.provinces) // state.width),
        squares={},
        powers=tuple(variant.powers.values()),
        viewer=view.viewer,
    )
