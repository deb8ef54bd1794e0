"""The guided flow: unit, then what it does, then where. Each step offers nothing but what is legal.

A path is the values chosen so far; every legal order has one. The texts of choices are the phrases `menu.*`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from engine.core.ids import PlaceId, PowerId, province_of
from engine.core.orders import Menu, Shortlist
from engine.core.phrases import Phrase, phrase
from engine.core.same import once
from engine.core.variant import load_phrases
from engine.provinces.classic.listing import list_orders
from engine.provinces.classic.model import Convoy, Order, SupportHold, SupportMove, View
from engine.provinces.classic.notation import format_order, subject
from engine.provinces.classic.reach import Position, position_of
from engine.provinces.orders import Build, Disband, Hold, Kind, Move, Remove, Retreat, Waive
from engine.provinces.phases import PhaseKind
from engine.provinces.steps import STAY, GuidedOrder, Step, choose, shorten


def menu(view: View, path: Sequence[str], *, orders: Sequence[Order] = ()) -> Menu:
    """The step after the choices in `path`; the first one if there is no such path (any more).

    Nothing is left out because of orders already given: any of them can be replaced.
    """
    return choose(load_phrases(view.state.variant.system), [way for ways in _ways(view) for way in ways.values()], path)


def shortlists(view: View, firsts: Collection[str], orders: Sequence[Order]) -> tuple[Shortlist, ...]:
    """Whole orders of each unit, likeliest first: where it can go, then what suits the orders already given."""
    likely = likelihood(position_of(view.state), view.viewer, orders)
    ways = [group[order] for group in _ways(view) for order in sorted(group, key=likely)]
    return shorten(load_phrases(view.state.variant.system), ways, firsts, frozenset(map(format_order, orders)))


@once
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
    if isinstance(order, Waive):
        return (Step(subject(order), phrase("menu.waive"), phrase("menu.which_site")),)
    if isinstance(order, Build):
        return _buildsteps_to(view, order)
    unit = phrase("menu.unit", kind=_kind(order.kind), place=name_place(view, order.at))
    first = Step(province_of(order.at), unit, phrase(_FIRST[view.state.phase.kind]))
    what, where = phrase("menu.what", unit=unit), phrase("menu.where", unit=unit)
    match order:
        case Hold():
            return first, Step("hold", phrase("menu.hold"), what)
        case Move(_, _, to, via_convoy):
            verb = "via" if via_convoy else "move"
            return (
                first,
                Step(verb, phrase(f"menu.{verb}"), what),
                Step(to, name_place(view, to), where),
            )
        case SupportHold(_, _, of_kind, of):
            helped = _helped(view, of_kind, of)
            verb_step = Step("support", phrase("menu.support"), what)
            return (
                first,
                verb_step,
                _unit_step(unit, of, helped, "support"),
                _goal_step(helped, STAY, phrase("menu.stay")),
            )
        case SupportMove(_, _, of_kind, of, to):
            helped = _helped(view, of_kind, of)
            verb_step = Step("support", phrase("menu.support"), what)
            return first, verb_step, _unit_step(unit, of, helped, "support"), _goal_step(helped, to, _to(view, to))
        case Convoy(_, _, of_kind, of, to):
            helped = _helped(view, of_kind, of)
            verb_step = Step("convoy", phrase("menu.convoy"), what)
            return first, verb_step, _unit_step(unit, of, helped, "convoy"), _goal_step(helped, to, _to(view, to))
        case Retreat(_, _, to):
            return first, Step(
                to,
                phrase("menu.retreat", place=name_place(view, to)),
                phrase("menu.retreat_where", unit=unit),
            )
        case Disband():
            return first, Step("disband", phrase("menu.disband"), phrase("menu.retreat_where", unit=unit))
        case Remove():
            return (first,)


_FIRST: Mapping[PhaseKind, str] = {
    PhaseKind.MOVEMENT: "menu.which_unit",
    PhaseKind.RETREATS: "menu.which_retreat",
    PhaseKind.ADJUSTMENTS: "menu.which_removal",
}


def _buildsteps_to(view: View, order: Build) -> tuple[Step, ...]:
    site = province_of(order.at)
    province = name_place(view, PlaceId(site))
    label = phrase("menu.build", kind=_kind(order.kind), place=name_place(view, order.at))
    prompt = phrase("menu.build_what", place=province)
    value = order.kind if "/" not in order.at else f"{order.kind} {order.at}"
    return Step(site, province, phrase("menu.which_site")), Step(value, label, prompt)


def _unit_step(unit: Phrase, of: PlaceId, helped: Phrase, verb: str) -> Step:
    return Step(province_of(of), helped, phrase(f"menu.{verb}_whom", unit=unit))


def _goal_step(helped: Phrase, value: str, label: Phrase) -> Step:
    return Step(value, label, phrase("menu.helped_where", unit=helped))


def _to(view: View, to: PlaceId) -> Phrase:
    return phrase("menu.to", place=name_place(view, to))


def _helped(view: View, kind: Kind, at: PlaceId) -> Phrase:
    power = view.state.variant.powers[position_of(view.state).unit_at[province_of(at)].power].name
    return phrase("menu.helped", kind=_kind(kind), place=name_place(view, at), power=power)


def _kind(kind: Kind) -> Phrase:
    return phrase(f"menu.kind.{kind}")


def name_place(view: View, place: PlaceId) -> Phrase:
    """The full name of a place: "St Petersburg (north coast)"."""
    province = view.state.variant.board.provinces[province_of(place)]
    coast = place.partition("/")[2]
    return phrase(f"menu.coast.{coast}", place=province.name) if coast else phrase("menu.place", place=province.name)
