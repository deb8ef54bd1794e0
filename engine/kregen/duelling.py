"""For which heroes numbers may be sent in a season, and what their owner has sent. Source: rules 8."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.specialities import Duellist
from engine.diplomacy.model import PhaseKind
from engine.kregen.listing import heroes_of, rivals
from engine.kregen.model import Duel, Order, View, format_order


def duellists(view: View, orders: Sequence[Order]) -> tuple[Duellist, ...]:
    """The viewer's heroes with whom they could meet and the numbers sent for them; only in a move season."""
    state, viewer = view.state, view.viewer
    if viewer is None or state.over or state.phase.kind is not PhaseKind.MOVEMENT:
        return ()
    sent = {order.at: format_order(order) for order in orders if isinstance(order, Duel)}
    return tuple(
        Duellist(hero.name, rivals(state, hero), sent.get(hero.sector, ""), f"duel {hero.name} ")
        for hero in heroes_of(state, viewer)
    )
