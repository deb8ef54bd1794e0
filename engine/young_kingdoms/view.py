"""What a viewer may know of a game: all but other powers' cards, the hidden ones, and the seed that dealt them."""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import province_of
from engine.core.viewer import Viewer
from engine.young_kingdoms.model import Carried, State, View


def view(state: State, viewer: Viewer) -> View:
    """The game as a viewer may know it. A power knows which of its units carry cards, but not which cards these are.

    Source: rules 5.
    """
    power = viewer.power
    own = {(province_of(unit.at), False) for unit in state.units if power is not None and unit.power == power} | {
        (province_of(row.unit.at), True) for row in state.dislodged if row.unit.power == power
    }
    seen = replace(
        state,
        seed="",
        forced_dice={},
        hands={} if power is None or not state.hand(power) else {power: state.hand(power)},
        hidden={},
        aside=(),
        carried=tuple(
            Carried(one.at, 0, one.is_dislodged) for one in state.carried if (one.at, one.is_dislodged) in own
        ),
    )
    return View(seen, power)
