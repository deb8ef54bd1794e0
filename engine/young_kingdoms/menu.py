"""The guided flow: a unit or the sorcerer, then what it does or casts, then on what. Nothing but legal is offered."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from engine.core.ids import PlaceId, province_of
from engine.core.orders import Menu, Shortlist
from engine.core.phrases import Phrase, phrase
from engine.core.same import once
from engine.core.variant import load_phrases
from engine.provinces.classic.menu import likelihood, name_place, steps_to
from engine.provinces.classic.model import Convoy, SupportMove
from engine.provinces.orders import Hold, Move, Retreat
from engine.provinces.steps import STAY, GuidedOrder, Step, choose, shorten
from engine.young_kingdoms.battlefield import field_of
from engine.young_kingdoms.cards import CARDS
from engine.young_kingdoms.listing import list_orders
from engine.young_kingdoms.model import (
    CASTS,
    SORCERER,
    CardOrder,
    Cast,
    CastAttack,
    CastHere,
    CastOnPlace,
    CastOnUnit,
    CastSelf,
    CastSupport,
    Give,
    Order,
    Place,
    Ride,
    ShareOrder,
    Unshare,
    View,
)
from engine.young_kingdoms.notation import format_order

CAST = "cast"
"""Second step under the sorcerer: a spell is cast; the third is the card's number."""
SELF = "self"
SHARE = "share"
UNSHARE = "unshare"


def menu(view: View, path: Sequence[str], *, orders: Sequence[Order] = ()) -> Menu:
    """The step after the choices in `path`; the first one if there is no such path (any more).

    Nothing is left out because of orders already given: any of them can be replaced.
    """
    return choose(load_phrases(view.state.variant.system), [way for ways in _ways(view) for way in ways.values()], path)


def shortlists(view: View, firsts: Collection[str], orders: Sequence[Order]) -> tuple[Shortlist, ...]:
    """Whole orders of each unit and of the sorcerer, likeliest first: where it can go, then what suits the orders
    given."""
    likely = likelihood(
        field_of(view.state), view.viewer, [order for order in orders if isinstance(order, Move | Convoy)]
    )
    ways = [group[order] for group in _ways(view) for order in sorted(group, key=likely)]
    return shorten(load_phrases(view.state.variant.system), ways, firsts, frozenset(map(format_order, orders)))


@once
def _ways(view: View) -> tuple[Mapping[Order, GuidedOrder], ...]:
    """The legal orders of each subject, each as it is written and with the choices that lead to it."""
    listed = list_orders(field_of(view.state), view.viewer)
    return tuple({order: (format_order(order), _steps(view, order)) for order in orders} for orders in listed.values())


def _steps(view: View, order: Order) -> tuple[Step, ...]:
    """The choices that lead to an order."""
    if isinstance(order, CASTS):
        return _cast_steps(view, order)
    match order:
        case Place(kind, at):
            unit = phrase(f"menu.kind.{kind}")
            first = Step(kind, unit, phrase("menu.which_to_place"))
            return first, Step(at, name_place(view, at), phrase("menu.place_where", unit=unit))
        case ShareOrder(at, power):
            first = Step(SHARE, phrase("menu.share"), phrase("menu.which_unit"))
            where = Step(at, name_place(view, PlaceId(at)), phrase("menu.share_where"))
            name = phrase("menu.power", power=view.state.variant.powers[power].name)
            return first, where, Step(power, name, phrase("menu.share_with"))
        case Unshare(at):
            first = Step(UNSHARE, phrase("menu.unshare"), phrase("menu.which_unit"))
            return first, Step(at, name_place(view, PlaceId(at)), phrase("menu.share_where"))
        case CardOrder() | Give():
            return _card_steps(view, order)
        case Ride(at):
            what = phrase("menu.what", unit=_sorcerer(view, at))
            return _first(view, at), Step("ride", phrase("menu.ride"), what)
        case SupportMove(kind, at, of_kind, of, to) | Convoy(kind, at, of_kind, of, to) if of_kind == SORCERER:
            verb = "convoy" if isinstance(order, Convoy) else "support"
            unit, helped = _unit(view, kind, at), _sorcerer(view, of)
            does = Step(verb, phrase(f"menu.{verb}"), phrase("menu.what", unit=unit))
            whom = Step(f"{SORCERER} {of}", helped, phrase(f"menu.{verb}_whom", unit=unit))
            return Step(province_of(at), unit, phrase("menu.which_unit")), does, whom, _goal(view, helped, to)
        case Hold(kind, at) if kind == SORCERER:
            return _first(view, at), Step("hold", phrase("menu.hold"), phrase("menu.what", unit=_sorcerer(view, at)))
        case Move(kind, at, to, via) if kind == SORCERER:
            unit, verb = _sorcerer(view, at), "via" if via else "move"
            does = Step(verb, phrase(f"menu.{verb}"), phrase("menu.what", unit=unit))
            return (
                _first(view, at),
                does,
                Step(to, name_place(view, to), phrase("menu.where", unit=unit)),
            )
        case Retreat(kind, at, to) if kind == SORCERER:
            unit = _sorcerer(view, at)
            label = phrase("menu.retreat", place=name_place(view, to))
            first = Step(f"{SORCERER} {at}", unit, phrase("menu.which_retreat"))
            return first, Step(to, label, phrase("menu.retreat_where", unit=unit))
        case _:
            return steps_to(view, order)


def _first(view: View, at: PlaceId) -> Step:
    return Step(f"{SORCERER} {at}", _sorcerer(view, at), phrase("menu.which_unit"))


def _sorcerer(view: View, at: PlaceId) -> Phrase:
    return _unit(view, SORCERER, at)


def _unit(view: View, kind: str, at: PlaceId) -> Phrase:
    return phrase("menu.unit", kind=phrase(f"menu.kind.{kind}"), place=name_place(view, at))


def _owned(view: View, kind: str, at: PlaceId) -> Phrase:
    units = [unit for unit in field_of(view.state).units_in(province_of(at)) if unit.kind == kind]
    name = view.state.variant.powers[units[0].power].name if units else ""
    return phrase("menu.helped", kind=phrase(f"menu.kind.{kind}"), place=name_place(view, at), power=name)


def _cast_steps(view: View, order: Cast) -> tuple[Step, ...]:
    sorcerer = view.state.sorcerer(view.viewer)
    assert sorcerer is not None
    unit = _sorcerer(view, sorcerer.at)
    card = CARDS[order.card]
    start = (
        _first(view, sorcerer.at),
        Step(CAST, phrase("menu.cast"), phrase("menu.what", unit=unit)),
        Step(str(order.card), phrase("menu.card", number=order.card, name=card.name), phrase("menu.which_card")),
    )
    on_what = phrase("menu.cast_on", name=card.name)
    match order:
        case CastHere():
            return start
        case CastAttack(_, _, to) | CastOnPlace(_, to):
            return *start, Step(to, name_place(view, to), on_what)
        case CastOnUnit(_, kind, of):
            return *start, Step(f"{kind} {of}", _owned(view, kind, of), on_what)
        case CastSelf(_, to):
            whom = Step(SELF, phrase("menu.self"), on_what)
            return *start, whom, _goal(view, unit, to)
        case CastSupport(_, kind, of, to):
            helped = _owned(view, kind, of)
            return *start, Step(f"{kind} {of}", helped, on_what), _goal(view, helped, to)


def _goal(view: View, helped: Phrase, to: PlaceId | None) -> Step:
    label = phrase("menu.stay") if to is None else phrase("menu.to", place=name_place(view, to))
    return Step(STAY if to is None else to, label, phrase("menu.helped_where", unit=helped))


def _card_steps(view: View, order: CardOrder | Give) -> tuple[Step, ...]:
    """Under the unit that carries the card: what is done with it."""
    unit = _unit(view, order.kind, order.at)
    verb = order.verb if isinstance(order, CardOrder) else "give"
    first = Step(province_of(order.at), unit, phrase("menu.which_unit"))
    what = Step(verb, phrase(f"menu.{verb}"), phrase("menu.what", unit=unit))
    if isinstance(order, CardOrder):
        return first, what
    receiver = view.state.variant.powers[order.power].name if order.power else ""
    label = (
        phrase(
            "menu.helped",
            kind=phrase(f"menu.kind.{order.of_kind}"),
            place=name_place(view, order.of),
            power=receiver,
        )
        if receiver
        else _unit(view, order.of_kind, order.of)
    )
    return (
        first,
        what,
        Step(f"{receiver} {order.of_kind} {order.of}".strip(), label, phrase("menu.give_whom", unit=unit)),
    )
