"""What a viewer may know of a game: all but other powers' cards, the hidden ones, and the seed that dealt them."""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import PowerId, province_of
from engine.young_kingdoms.model import Carried, State, View


def view(state: State, viewer: PowerId | None) -> View:
    """The game as a viewer may know it. A power knows which of its units carry cards, but not which cards these are."""
    own = {(province_of(unit.at), False) for unit in state.units if viewer is not None and unit.power == viewer} | {
        (province_of(row.unit.at), True) for row in state.dislodged if row.unit.power == viewer
    }
    seen = replace(
        state,
        seed="",
        forced_dice={},
        hands={} if viewer is None or not state.hand(viewer) else {viewer: state.hand(viewer)},
        hidden={},
        aside=(),
        carried=tuple(
            Carried(one.at, 0, one.is_dislodged) for one in state.carried if (one.at, one.is_dislodged) in own
        ),
    )
    return View(seen, viewer)
