"""For newcomers to the Young Kingdoms: orders to begin with, the sorcerer's and those of its cards too."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ids import province_of
from engine.core.phrases import Phrase, phrase
from engine.provinces.classic.examples import examples_among
from engine.provinces.orders import Move, Retreat
from engine.young_kingdoms.model import CASTS, SORCERER, Order, Place, View
from engine.young_kingdoms.notation import format_order
from engine.young_kingdoms.status import status
from engine.young_kingdoms.suggest import legal


def examples(view: View) -> tuple[Phrase, ...]:
    """Those of armies and fleets, a way of the sorcerer, one spell of each card in hand, the places of the set-up."""
    if view.viewer not in status(view.state).to_act:
        return ()
    orders = [order for listed in legal(view).values() for order in listed]
    of_sorcerer = [order for order in orders if getattr(order, "kind", None) == SORCERER]
    others = [order for order in orders if order not in of_sorcerer or isinstance(order, Retreat)]
    return (*examples_among(view.state, others), *_placings(orders), *_ways(of_sorcerer), *_spells(orders))


def _placings(orders: list[Order]) -> Iterator[Phrase]:
    first: dict[str, Place] = {}
    for order in orders:
        if isinstance(order, Place):
            first.setdefault(order.kind, order)
    for order in first.values():
        yield phrase("example.place", order=format_order(order), place=province_of(order.at))


def _ways(orders: list[Order]) -> Iterator[Phrase]:
    for order in [order for order in orders if isinstance(order, Move) and not order.via_convoy][:1]:
        yield phrase("example.sorcerer", order=format_order(order), place=province_of(order.to))


def _spells(orders: list[Order]) -> Iterator[Phrase]:
    first = {order.card: order for order in reversed(orders) if isinstance(order, CASTS)}
    for card in sorted(first):
        yield phrase("example.cast", order=format_order(first[card]), name=phrase(f"card.name.{card}"), card=card)
