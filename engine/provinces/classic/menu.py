"""The guided flow: unit, then what it does, then where. Each step offers nothing but what is legal.

A path is the values chosen so far; every legal order has one. The texts of choices are the phrases `menu.*`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from engine.core.identity import cached_by_identity
from engine.core.ids import PlaceId, PowerId, province_of
from engine.core.orders import Menu, Shortlist
from engine.core.phrases import phrase
from engine.provinces.classic.listing import list_orders
from engine.provinces.classic.model import Convoy, Order, SupportHold, SupportMove, View
from engine.provinces.classic.notation import format_order, subject
from engine.provinces.classic.reach import Position, position_of
from engine.provinces.orders import Build, Disband, Hold, Kind, Move, Remove, Retreat, Waive
from engine.provinces.phases import PhaseKind
from engine.provinces.steps import STAY, GuidedOrder, Labels, Step, choose, labels_of, shorten


def menu(view: View, path: Sequence[str], *, orders: Sequence[Order] = ()) -> Menu:
    """The step after the choices in `path`; the first one if there is no such path (any more).

    Nothing is left out because of orders already given: any of them can be replaced.
    """
    return choose([way for ways in _ways(view) for way in ways.values()], path)


def shortlists(view: View, firsts: Collection[str], orders: Sequence[Order]) -> tuple[Shortlist, ...]:
    """Whole orders of each unit, likeliest first: where it can go, then what suits the orders already given."""
    likely = likelihood(position_of(view.state), view.viewer, orders)
    ways = [group[order] for group in _ways(view) for order in sorted(group, key=likely)]
    return shorten(ways, firsts, frozenset(map(format_order, orders)))


@cached_by_identity
def _ways(view: View) -> tuple[Mapping[Order, GuidedOrder], ...]:
    """The legal orders of each unit or site, each as it is written and with the choices that lead to it."""
    listed = list_orders(position_of(view.state), view.viewer)
    return tuple(
        {order: (format_order(order), steps_to(view, order)) for order in orders} for orders in listed.values()
    )


def likelihood(position: Position, viewer: PowerId | None, orders: Sequence[Order]) -> Callable[[object], int]:
    """How likely an order of a movement phase is, given those in the sheet: the lower, the likelier."""
    moves = {(order.at, order.to) for order in orders if isinstance(order, Move)}
    carried = {(order.of, order.to) for order in orders if isinstance(order, Convoy)}
    movers = {start for start, _ in moves}
    power_at = {unit.at: unit.power for unit in position.state.units}

    def likely(order: object) -> int:
        match order:
            case Move(_, at, to, via):
                return 0 if not via else 2 if (at, to) in carried else 8
            case Hold():
                return 1
            case SupportMove(_, _, _, of, to) | Convoy(_, _, _, of, to) if (of, to) in moves:
                return 3
            case SupportHold(_, _, _, of) if power_at.get(of) == viewer:
                return 7 if of in movers else 4
            case SupportMove(_, _, _, of, _) | Convoy(_, _, _, of, _) if power_at.get(of) == viewer:
                return 7 if of in movers else 5 + isinstance(order, Convoy)
            case SupportMove() | SupportHold() | Convoy():
                return 9
        # Whatever else a game has, after its units' own moves.
        return 0 if isinstance(order, Retreat | Disband | Build | Remove | Waive) else 2

    return likely


def steps_to(view: View, order: Order) -> tuple[Step, ...]:
    """The choices that lead to an order."""
    say = labels(view)
    if isinstance(order, Waive):
        return (Step(subject(order), say("menu.waive"), phrase("menu.which_site")),)
    if isinstance(order, Build):
        return _steps_to_build(view, order)
    unit = say("menu.unit", kind=say(f"menu.kind.{order.kind}"), place=name_place(view, order.at))
    first = Step(province_of(order.at), unit, phrase(_FIRST[view.state.phase.kind]))
    match order:
        case Hold():
            return first, Step("hold", say("menu.hold"), phrase("menu.what", unit=unit))
        case Move(_, _, to, via_convoy):
            verb = "via" if via_convoy else "move"
            return (
                first,
                Step(verb, say(f"menu.{verb}"), phrase("menu.what", unit=unit)),
                Step(to, name_place(view, to), phrase("menu.where", unit=unit)),
            )
        case SupportHold(_, _, of_kind, of):
            return first, *_steps_to_help(view, unit, "support", of_kind, of)
        case SupportMove(_, _, of_kind, of, to):
            return first, *_steps_to_help(view, unit, "support", of_kind, of, to)
        case Convoy(_, _, of_kind, of, to):
            return first, *_steps_to_help(view, unit, "convoy", of_kind, of, to)
        case Retreat(_, _, to):
            label = say("menu.retreat", place=name_place(view, to))
            return first, Step(to, label, phrase("menu.retreat_where", unit=unit))
        case Disband():
            return first, Step("disband", say("menu.disband"), phrase("menu.retreat_where", unit=unit))
        case Remove():
            return (first,)


_FIRST: Mapping[PhaseKind, str] = {
    PhaseKind.MOVEMENT: "menu.which_unit",
    PhaseKind.RETREATS: "menu.which_retreat",
    PhaseKind.ADJUSTMENTS: "menu.which_removal",
}


def _steps_to_build(view: View, order: Build) -> tuple[Step, ...]:
    say, site = labels(view), province_of(order.at)
    province = name_place(view, PlaceId(site))
    label = say("menu.build", kind=say(f"menu.kind.{order.kind}"), place=name_place(view, order.at))
    value = order.kind if "/" not in order.at else f"{order.kind} {order.at}"
    return (
        Step(site, province, phrase("menu.which_site")),
        Step(value, label, phrase("menu.build_what", place=province)),
    )


def _steps_to_help(
    view: View, unit: str, verb: str, of_kind: Kind, of: PlaceId, to: PlaceId | None = None
) -> tuple[Step, ...]:
    """What comes after the unit that helps: `support` or `convoy`, whom, and where to (`None`: it stays)."""
    say = labels(view)
    power = view.state.variant.powers[position_of(view.state).unit_at[province_of(of)].power].name
    helped = say("menu.helped", kind=say(f"menu.kind.{of_kind}"), place=name_place(view, of), power=power)
    return (
        Step(verb, say(f"menu.{verb}"), phrase("menu.what", unit=unit)),
        Step(province_of(of), helped, phrase(f"menu.{verb}_whom", unit=unit)),
        goal_step(view, helped, to),
    )


def goal_step(view: View, helped: str, to: PlaceId | None) -> Step:
    """Where the unit that is helped goes (`None`: it stays)."""
    say = labels(view)
    label = say("menu.stay") if to is None else say("menu.to", place=name_place(view, to))
    return Step(to or STAY, label, phrase("menu.helped_where", unit=helped))


def labels(view: View) -> Labels:
    """The texts of the choices in the viewer's game."""
    return labels_of(view.state.variant.system)


def name_place(view: View, place: PlaceId) -> str:
    """The full name of a place: "St Petersburg (north coast)"."""
    province = view.state.variant.board.provinces[province_of(place)]
    coast = place.partition("/")[2]
    return labels(view)(f"menu.coast.{coast}" if coast else "menu.place", place=province.name)
