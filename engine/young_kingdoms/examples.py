"""For newcomers to the Young Kingdoms: orders to begin with, the sorcerer's and those of its cards too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.ids import ProvinceId, province_of
from engine.core.phrases import Phrase, phrase
from engine.provinces.classic.examples import examples_among
from engine.provinces.orders import Move, Retreat
from engine.young_kingdoms.battlefield import field_of
from engine.young_kingdoms.model import (
    CASTS,
    SORCERER,
    CastAttack,
    CastOnPlace,
    CastOnUnit,
    CastSupport,
    Order,
    Place,
    View,
)
from engine.young_kingdoms.notation import format_order
from engine.young_kingdoms.status import status
from engine.young_kingdoms.suggest import legal


def examples(view: View) -> tuple[Phrase, ...]:
    """Those of armies and fleets, a way of the sorcerer, one spell of each card in hand, the places of the set-up."""
    if view.viewer not in status(view.state).to_act:
        return ()
    orders = [order for listed in legal(view).values() for order in listed]
    of_sorcerer = [order for order in orders if getattr(order, "kind", None) == SORCERER]
    others = [
        order
        for order in orders
        if (order not in of_sorcerer or isinstance(order, Retreat)) and not _meets_standing_army(view, order)
    ]
    common = tuple(examples_among(view.state, others))
    return (*common, *_placings(orders), *_ways(view, of_sorcerer), *_spells(view, orders, common))


def _meets_standing_army(view: View, order: Order) -> bool:
    """Whether a move leads to where somebody else's standing army would stop it without help."""
    if not isinstance(order, Move):
        return False
    fortress = view.state.fortresses.get(province_of(order.to))
    return fortress is not None and fortress.strength > 0 and fortress.owner != view.viewer


def _placings(orders: list[Order]) -> Iterator[Phrase]:
    first: dict[str, Place] = {}
    for order in orders:
        if isinstance(order, Place):
            first.setdefault(order.kind, order)
    for order in first.values():
        kind = phrase(f"key.kind_{order.kind}")
        yield phrase("example.place", order=format_order(order), kind=kind, place=province_of(order.at))


def _ways(view: View, orders: list[Order]) -> Iterator[Phrase]:
    is_sea = field_of(view.state).reach.is_sea
    for order in [order for order in orders if isinstance(order, Move) and not order.via_convoy][:1]:
        code = "example.board" if is_sea(province_of(order.to)) else "example.sorcerer"
        yield phrase(code, order=format_order(order), place=province_of(order.to))


def _spells(view: View, orders: list[Order], others: Sequence[Phrase]) -> Iterator[Phrase]:
    """Rather those that support a move among the other examples, and none that gets in its way if there is a choice."""
    shown, places = {each.args["order"] for each in others}, {each.args.get("place") for each in others}
    casts = [order for order in orders if isinstance(order, CASTS) and not _harms_own(view, order)]
    casts.sort(key=lambda order: (_supported(order) not in shown, _struck(order) in places))
    first = {order.card: order for order in reversed(casts)}
    for card in sorted(first):
        code = "example.cast_support" if _supported(first[card]) in shown else "example.cast"
        yield phrase(code, order=format_order(first[card]), name=phrase(f"card.name.{card}"), card=card)


def _struck(spell: Order) -> ProvinceId | None:
    """The space that a spell attacks or closes."""
    return province_of(spell.to) if isinstance(spell, CastAttack | CastOnPlace) else None


def _supported(spell: Order) -> str:
    """The move that a spell supports, as it is written; empty: none."""
    if not isinstance(spell, CastSupport) or spell.to is None:
        return ""
    return format_order(Move(spell.of_kind, spell.of, spell.to))


def _harms_own(view: View, spell: Order) -> bool:
    """Whether a spell is aimed at a unit of the viewer's own, or at the space where one stands."""
    field = field_of(view.state)
    match spell:
        case CastOnUnit(_, kind, of):
            return field.find_unit(kind, of, view.viewer) is not None
        case CastAttack(_, _, to) | CastOnPlace(_, to):
            return any(unit.power == view.viewer for unit in field.units_in(province_of(to)))
        case _:
            return False
