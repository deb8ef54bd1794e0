"""The guided flow: a unit or the sorcerer, then what it does or casts, then on what. Nothing but legal is offered."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from engine.core.identity import cached_by_identity
from engine.core.ids import PlaceId, province_of
from engine.core.orders import Menu, Shortlist
from engine.core.phrases import phrase
from engine.provinces.classic.menu import goal_step, labels, likelihood, name_place, steps_to
from engine.provinces.classic.model import Convoy, SupportMove
from engine.provinces.orders import Hold, Move, Retreat
from engine.provinces.steps import GuidedOrder, Step, choose, shorten
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
    return choose([way for ways in _ways(view) for way in ways.values()], path)


def shortlists(view: View, firsts: Collection[str], orders: Sequence[Order]) -> tuple[Shortlist, ...]:
    """Whole orders of each unit and of the sorcerer, likeliest first: where it can go, then what suits the orders
    given."""
    likely = likelihood(
        field_of(view.state), view.viewer, [order for order in orders if isinstance(order, Move | Convoy)]
    )
    ways = [group[order] for group in _ways(view) for order in sorted(group, key=likely)]
    return shorten(ways, firsts, frozenset(map(format_order, orders)))


@cached_by_identity
def _ways(view: View) -> tuple[Mapping[Order, GuidedOrder], ...]:
    """The legal orders of each subject, each as it is written and with the choices that lead to it."""
    listed = list_orders(field_of(view.state), view.viewer)
    return tuple({order: (format_order(order), _steps(view, order)) for order in orders} for orders in listed.values())


def _steps(view: View, order: Order) -> tuple[Step, ...]:
    """The choices that lead to an order."""
    if isinstance(order, CASTS):
        return _cast_steps(view, order)
    say = labels(view)
    match order:
        case Place(kind, at):
            unit = say(f"menu.kind.{kind}")
            first = Step(kind, unit, phrase("menu.which_to_place"))
            return first, Step(at, name_place(view, at), phrase("menu.place_where", unit=unit))
        case ShareOrder(at, power):
            first = Step(SHARE, say("menu.share"), phrase("menu.which_unit"))
            where = Step(at, name_place(view, PlaceId(at)), phrase("menu.share_where"))
            name = say("menu.power", power=view.state.variant.powers[power].name)
            return first, where, Step(power, name, phrase("menu.share_with"))
        case Unshare(at):
            first = Step(UNSHARE, say("menu.unshare"), phrase("menu.which_unit"))
            return first, Step(at, name_place(view, PlaceId(at)), phrase("menu.share_where"))
        case CardOrder() | Give():
            return _card_steps(view, order)
        case Ride(at):
            what = phrase("menu.what", unit=_sorcerer(view, at))
            return _first(view, at), Step("ride", say("menu.ride"), what)
        case SupportMove(kind, at, of_kind, of, to) | Convoy(kind, at, of_kind, of, to) if of_kind == SORCERER:
            verb = "convoy" if isinstance(order, Convoy) else "support"
            unit, helped = _unit(view, kind, at), _sorcerer(view, of)
            does = Step(verb, say(f"menu.{verb}"), phrase("menu.what", unit=unit))
            whom = Step(f"{SORCERER} {of}", helped, phrase(f"menu.{verb}_whom", unit=unit))
            return Step(province_of(at), unit, phrase("menu.which_unit")), does, whom, goal_step(view, helped, to)
        case Hold(kind, at) if kind == SORCERER:
            return _first(view, at), Step("hold", say("menu.hold"), phrase("menu.what", unit=_sorcerer(view, at)))
        case Move(kind, at, to, via) if kind == SORCERER:
            unit, verb = _sorcerer(view, at), "via" if via else "move"
            does = Step(verb, say(f"menu.{verb}"), phrase("menu.what", unit=unit))
            return (
                _first(view, at),
                does,
                Step(to, name_place(view, to), phrase("menu.where", unit=unit)),
            )
        case Retreat(kind, at, to) if kind == SORCERER:
            unit = _sorcerer(view, at)
            label = say("menu.retreat", place=name_place(view, to))
            first = Step(f"{SORCERER} {at}", unit, phrase("menu.which_retreat"))
            return first, Step(to, label, phrase("menu.retreat_where", unit=unit))
        case _:
            return steps_to(view, order)


def _first(view: View, at: PlaceId) -> Step:
    return Step(f"{SORCERER} {at}", _sorcerer(view, at), phrase("menu.which_unit"))


def _sorcerer(view: View, at: PlaceId) -> str:
    return _unit(view, SORCERER, at)


def _unit(view: View, kind: str, at: PlaceId) -> str:
    say = labels(view)
    return say("menu.unit", kind=say(f"menu.kind.{kind}"), place=name_place(view, at))


def _owned(view: View, kind: str, at: PlaceId) -> str:
    say = labels(view)
    units = [unit for unit in field_of(view.state).units_in(province_of(at)) if unit.kind == kind]
    name = view.state.variant.powers[units[0].power].name if units else ""
    return say("menu.helped", kind=say(f"menu.kind.{kind}"), place=name_place(view, at), power=name)


def _cast_steps(view: View, order: Cast) -> tuple[Step, ...]:
    sorcerer = view.state.sorcerer(view.viewer)
    assert sorcerer is not None
    say, unit = labels(view), _sorcerer(view, sorcerer.at)
    card = CARDS[order.card]
    code = "menu.card" if isinstance(order, CastHere) else "menu.card_for"
    label = say(code, number=str(order.card), name=say(card.name.code))
    start = (
        _first(view, sorcerer.at),
        Step(CAST, say("menu.cast"), phrase("menu.what", unit=unit)),
        Step(str(order.card), label, phrase("menu.which_card")),
    )
    on_what = phrase("menu.cast_on", name=card.name)
    match order:
        case CastHere():
            return start
        case CastAttack(_, _, to) | CastOnPlace(_, to):
            return *start, Step(to, say("menu.on", what=name_place(view, to)), on_what)
        case CastOnUnit(_, kind, of):
            return *start, Step(f"{kind} {of}", say("menu.on", what=_owned(view, kind, of)), on_what)
        case CastSelf(_, to):
            whom = Step(SELF, say("menu.self"), on_what)
            return *start, whom, goal_step(view, unit, to)
        case CastSupport(_, kind, of, to):
            helped = _owned(view, kind, of)
            return *start, Step(f"{kind} {of}", say("menu.for", what=helped), on_what), goal_step(view, helped, to)


def _card_steps(view: View, order: CardOrder | Give) -> tuple[Step, ...]:
    """Under the unit that carries the card: what is done with it."""
    say, unit = labels(view), _unit(view, order.kind, order.at)
    verb = order.verb if isinstance(order, CardOrder) else "give"
    first = Step(province_of(order.at), unit, phrase("menu.which_unit"))
    what = Step(verb, say(f"menu.{verb}"), phrase("menu.what", unit=unit))
    if isinstance(order, CardOrder):
        return first, what
    receiver = view.state.variant.powers[order.power].name if order.power else ""
    label = (
        say(
            "menu.helped",
            kind=say(f"menu.kind.{order.of_kind}"),
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
