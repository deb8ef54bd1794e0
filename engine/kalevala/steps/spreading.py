"""SPREAD: the winner of a battle spreads figures over the conquered land, before anybody moves. Source: rules R-088"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ids import PowerId
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.figures import is_part
from engine.kalevala.orders import Line, Spread
from engine.kalevala.window import Window


def mark(window: Window, ruler: PowerId, line: Line, order: Spread) -> None:
    """Nothing is left to do for a SPREAD line when the other lines are carried out."""


def spread(window: Window) -> None:
    """Carry out all SPREAD lines, wherever they are in their sheets. Figures that were spread may still move.

    Source: R-088, ruling KA49
    """
    for ruler in window.rulers:
        for line in window.lines(ruler):
            if isinstance(line.order, Spread):
                _spread(window, ruler, line, line.order)


def _spread(window: Window, ruler: PowerId, line: Line, order: Spread) -> None:
    source, target = window.own_place(ruler, order.source), window.find_own(ruler, order.target)
    figures = dict(order.figures)
    if source is None or target is None or not is_part(figures, window.stack(ruler, source)):
        window.refuse(ruler, line, "V02", place=order.source)
    elif not any({source, target} <= site for site in _sites(window, ruler)):
        window.refuse(ruler, line, "V15", place=order.target)
    else:
        window.shift(ruler, figures, source, target, is_marked=False)


def _sites(window: Window, ruler: PowerId) -> Iterator[set[Province]]:
    """The land that the ruler won in battles of the last P4."""
    for row in window.modules.get("sites", ()):
        if row.get("winner") == ruler and row.get("gr") == window.gr - 1:
            named = {Province(str(place)) for place in row.get("gf", ())}
            yield {*named, *(place for place in window.owned(ruler) if Province(gf_of(place)) in named)}
