"""Places that the pages of special orders name in their examples: the reader's own, and what is beside them."""

from __future__ import annotations

from engine.kalevala.coordinates import Province, gf_of, neighbours_of, order_of
from engine.kalevala.model import View

NOWHERE = "…"


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
