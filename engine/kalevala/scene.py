"""The position as a picture. Until the land is drawn as hexagons it shows the rulers alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.core.events import Event
from engine.core.outcome import OrderResult
from engine.core.phrases import phrase
from engine.kalevala.board import variant_of
from engine.kalevala.info import SYSTEM
from engine.kalevala.model import View
from engine.kalevala.orders import Line
from engine.lattice.squares import Squares
from engine.pictures.tiles import TileScene


def scene(
    view: View, *, orders: Iterable[Line] = (), results: Sequence[OrderResult[Line]] = (), events: Sequence[Event] = ()
) -> TileScene:
    """The rulers of the game."""
    variant = variant_of(view.state)
    return TileScene(
        system=SYSTEM,
        variant=variant.id,
        title=phrase("board.title", time=view.state.time),
        board=Squares(1, 1),
        tiles={},
        powers=tuple(variant.powers.values()),
        marches=(),
        legend=(),
        key=(),
        viewer=view.viewer,
    )
