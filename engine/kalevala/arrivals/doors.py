"""The door `/begin`, with the ways in which a ruler can begin. Source: rules 4.3, rulings KA225, KA227"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.doors import Door
from engine.core.phrases import Phrase, phrase
from engine.kalevala import commands
from engine.kalevala.arrivals.facts import may_begin, ways_of
from engine.kalevala.arrivals.orders import Begin
from engine.kalevala.model import EXPECTED, View
from engine.kalevala.orders import Line
from engine.kalevala.sheet import is_asked


def _is_open(view: View, orders: Sequence[Line]) -> bool:
    return is_asked(view) and view.viewer is not None and may_begin(view.state, view.viewer)


def _order(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> str:
    return str(Begin(given["way"].upper()))


def _path(view: View) -> tuple[str, ...]:
    """The path into the guided flow, if there is anything to choose."""
    return ("BEGIN",) if view.viewer is not None and ways_of(view.state, view.viewer) else ()


def _briefing(view: View) -> Phrase | None:
    """Its button, for a ruler who has not begun yet."""
    if not _is_open(view, ()) or view.viewer is None or view.state.rulers[view.viewer].kind != EXPECTED:
        return None
    return phrase("door.begin.briefing") if ways_of(view.state, view.viewer) else None


BEGIN_DOOR: Door[View, Line] = Door(
    info=commands.BEGIN,
    order=_order,
    is_open=_is_open,
    path=_path,
    briefing=_briefing,
)
