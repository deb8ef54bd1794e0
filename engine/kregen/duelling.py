"""Which heroes could come to a duel in a season, and what their owner has sent for them. Source: rules 8."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.ids import PowerId
from engine.core.system import Duellist
from engine.diplomacy.model import PhaseKind
from engine.kregen.listing import could_meet, heroes_of
from engine.kregen.model import HERO, Duel, Order, State, Unit, View, format_order


def asked_heroes(state: State, viewer: PowerId) -> tuple[Unit, ...]:
    """The viewer's heroes that could meet another power's in this season and should have a number for it."""
    return tuple(hero for hero in heroes_of(state, viewer) if rivals(state, hero))


def rivals(state: State, hero: Unit) -> tuple[PowerId, ...]:
    """The powers whose heroes a hero could meet in this season, in map order of these."""
    others = [unit for unit in state.units if unit.kind == HERO and unit.power != hero.power and not unit.rests]
    return tuple(dict.fromkeys(other.power for other in others if could_meet(state, hero, other)))


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
