"""The hand of cards as its holder sees it, and which orders play or give away a card."""

from __future__ import annotations

from engine.core.ids import SystemId
from engine.core.phrases import phrase
from engine.core.scene import CardFace
from engine.core.scene import Hand as HandPicture
from engine.core.specialities import CardDeed
from engine.young_kingdoms.cards import Card, Effect
from engine.young_kingdoms.cards import hand as cards_of
from engine.young_kingdoms.menu import CAST, menu
from engine.young_kingdoms.model import CASTS, CardOrder, Give, Order, View
from engine.young_kingdoms.notation import format_order
from engine.young_kingdoms.suggest import legal


def hand(view: View) -> HandPicture | None:
    """The cards of the viewer's sorcerer; `None`: it has none."""
    state, viewer = view.state, view.viewer
    if viewer is None or not state.has_sorcerer(viewer):
        return None
    return HandPicture(
        system=SystemId(state.variant.system),
        variant=state.variant.id,
        title=phrase("card.hand", power=state.variant.powers[viewer].name),
        cards=tuple(CardFace(card.number, card.name, card.words, _emblem(card)) for card in cards_of(view)),
        viewer=viewer,
    )


def _emblem(card: Card) -> str:
    if card.effect in (Effect.SUPPORT, Effect.ATTACK):
        return f"{card.effect}_{card.over}"
    return str(card.effect)


def card_orders(view: View, deed: CardDeed) -> tuple[str, ...]:
    """The legal orders that cast a card, or that hand on, drop or destroy a carried one."""
    return tuple(format_order(order) for orders in legal(view).values() for order in orders if _is_deed(order, deed))


def _is_deed(order: Order, deed: CardDeed) -> bool:
    return isinstance(order, CASTS if deed is CardDeed.CAST else (Give, CardOrder))


def card_path(view: View, deed: CardDeed) -> tuple[str, ...]:
    """The choices of the guided flow that come before the card; empty where nothing of the sort can be done."""
    wanted = {CAST} if deed is CardDeed.CAST else {"give"}
    for first in menu(view, ()).choices:
        for second in menu(view, (first.value,)).choices:
            if second.value in wanted:
                return (first.value, second.value) if deed is CardDeed.CAST else (first.value,)
    return ()
