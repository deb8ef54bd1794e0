"""Places that pages and refusals name in their examples: the reader's own, and what is beside them."""

from __future__ import annotations

import re

from engine.kalevala.board import others
from engine.kalevala.coordinates import Province, gf_of, neighbours_of, order_of
from engine.kalevala.model import View

NOWHERE = "…"
_NAMES = re.compile(r"[12]D\+4|2E\+4|2D\+5|\b(?:anna|bert)\b")
"""What the forms of orders name: anna is the reader, 2D+4 and 2E+4 are anna's."""


def home(view: View) -> str:
    """The viewer's capital, or else the first of the viewer's land; `NOWHERE`: there is none."""
    assert view.viewer is not None, "a player's page"
    return view.state.rulers[view.viewer].capital or min(view.state.owned(view.viewer), key=order_of, default=NOWHERE)


def own_beside(view: View, place: str) -> str:
    """More land of the viewer's next to a place; `NOWHERE`: there is none."""
    if place == NOWHERE:
        return NOWHERE
    assert view.viewer is not None, "a player's page"
    near = neighbours_of(gf_of(Province(place)))
    return min((each for each in view.state.owned(view.viewer) if gf_of(each) in near), key=order_of, default=NOWHERE)


def beside(view: View, place: str) -> str:
    """Land next to a place and not the viewer's, if possible such as scouts saw in this round."""
    if place == NOWHERE:
        return NOWHERE
    assert view.viewer is not None, "a player's page"
    own = {gf_of(each) for each in view.state.owned(view.viewer)}
    near = [gf for gf in neighbours_of(gf_of(Province(place))) if gf not in own]
    seen = [row.target for row in view.state.explored.get(view.viewer, ()) if gf_of(row.target) in near]
    return next(iter((*seen, *near)), place)


def at_home(form: str, view: View) -> str:
    """The form of an order with places and rulers of the viewer's own game for those that all forms name."""
    if view.viewer is None:
        return form
    at = home(view)
    if at == NOWHERE:
        at = min(view.state.stacks.get(view.viewer, ()), key=order_of, default=NOWHERE)
    names = {"anna": str(view.viewer), "bert": str(next(iter(others(view.state, view.viewer)), "bert"))}
    if at != NOWHERE:
        near = beside(view, at)
        own = own_beside(view, at)
        other_plane = f"{2 if at.startswith('1') else 1}{gf_of(Province(at))[1:]}"
        names |= {"2D+4": at, "2E+4": near if own == NOWHERE else own, "2D+5": near, "1D+4": other_plane}
    return _NAMES.sub(lambda found: names.get(found[0], found[0]), form)
