"""The guided flow: each step offers nothing but what is legal. The texts of choices are the phrases `menu.*`.

A path is the values chosen so far; every legal order has one. In winter the first choice may be `default`, which is
all of the default builds in one order sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from engine.core.identity import cached_by_identity
from engine.core.ids import PlaceId, PowerId
from engine.core.orders import Menu, Shortlist
from engine.core.phrases import Phrase, phrase
from engine.core.variant import load_phrases
from engine.feudal import choosing
from engine.feudal.adjustments import default_builds, quota_of
from engine.feudal.legality import units_by_place
from engine.feudal.listing import legal
from engine.feudal.model import BARBARIANS, Castle, Choose, Immobilize, Order, State, Support, View, format_order
from engine.provinces.orders import Build, Disband, Hold, Move, Retreat, Waive
from engine.provinces.phases import PhaseKind
from engine.provinces.steps import STAY, GuidedOrder, Labels, Step, choose, labels_of, shorten

DEFAULT = "default"
"""The choice that takes all default builds."""


def menu(view: View, path: Sequence[str], *, orders: Sequence[Order] = ()) -> Menu:
    """The step after the choices in `path`; the first one if there is no such path (any more).

    Nothing is left out because of orders already given: any of them can be replaced.
    """
    ways = _with_default(view, [way for group in _ways(view) for way in group.values()])
    return choose(ways, path)


def shortlists(view: View, firsts: Collection[str], orders: Sequence[Order]) -> tuple[Shortlist, ...]:
    """Whole orders of each unit, entry or centre, likeliest first: where it can go, then what suits the orders
    given."""
    likely = _likelihood(view, orders)
    ways = _with_default(view, [group[order] for group in _ways(view) for order in sorted(group, key=likely)])
    return shorten(ways, firsts, frozenset(map(format_order, orders)))


@cached_by_identity
def _ways(view: View) -> tuple[Mapping[Order, GuidedOrder], ...]:
    """The legal orders of each subject, each as it is written and with the choices that lead to it."""
    if view.viewer is None:
        return ()
    groups = legal(view).values()
    return tuple(
        {order: (format_order(order), _steps(view.state, view.viewer, order)) for order in group} for group in groups
    )


def _with_default(view: View, ways: Sequence[GuidedOrder]) -> Sequence[GuidedOrder]:
    """In winter all of the default builds are the first choice."""
    if not ways or view.viewer is None or view.state.phase.kind is not PhaseKind.ADJUSTMENTS:
        return ways
    return [_default(view.state, view.viewer, prompt=ways[0][1][0].prompt), *ways]


def _likelihood(view: View, orders: Sequence[Order]) -> Callable[[Order], int]:
    """How likely an order is, given those in the sheet: the lower, the likelier."""
    moves = {(order.at, order.to) for order in orders if isinstance(order, Move)}
    movers = {start for start, _ in moves}
    chosen = {order.centre for order in orders if isinstance(order, Choose)}
    own = {unit.at for unit in view.state.units if unit.power == view.viewer}

    def likely(order: Order) -> int:
        match order:
            case Choose(_, centre):
                return centre in chosen
            case Hold():
                return 1
            case Support(_, _, _, of, to) if of in own and of is not None:
                if to is not None and (of, to) in moves:
                    return 2
                return 6 if of in movers else 3 if to is None else 4
            case Support():
                return 7
            case Immobilize():
                return 5
        return 0

    return likely


def _default(state: State, viewer: PowerId, prompt: Phrase) -> tuple[str, tuple[Step, ...]]:
    label = load_phrases(state.variant.system).render(phrase("menu.default"))
    return "; ".join(map(format_order, default_builds(state, viewer))), (Step(DEFAULT, label, prompt),)


def _steps(state: State, viewer: PowerId | None, order: Order) -> tuple[Step, ...]:
    """The choices that lead to an order."""
    say = _labels(state)
    match order:
        case Choose(rank, centre):
            return (
                Step(
                    str(rank),
                    say("menu.rank", rank=str(rank)),
                    phrase("menu.which_rank", most=choosing.list_length(state, _id(viewer))),
                ),
                Step(centre, _centre(state, _id(viewer), centre), phrase("menu.which_centre", rank=rank)),
            )
        case Castle(centre):
            which = phrase("menu.which_castle")
            return Step("castle", say("menu.castle"), which), Step(centre, _place(state, centre), which)
        case Build(kind, at):
            quota = quota_of(state, _id(viewer))
            which = phrase("menu.which_site", units=quota.units, knights=quota.knights, wizards=quota.wizards)
            what = phrase("menu.build_what", place=at)
            return Step(at, _place(state, at), which), Step(kind, say(f"menu.kind.{kind}"), what)
        case Waive():
            return (Step("waive", say("menu.waive"), phrase("menu.waive")),)
    unit = say("menu.unit", kind=say(f"menu.kind.{order.kind}"), place=_place(state, order.at))
    is_retreat = isinstance(order, Retreat | Disband)
    first = Step(order.at, unit, phrase("menu.which_retreat" if is_retreat else "menu.which_unit"))
    what, where = phrase("menu.what", unit=unit), phrase("menu.where", unit=unit)
    match order:
        case Hold():
            return first, Step("hold", say("menu.hold"), what)
        case Move(_, _, to):
            return first, Step("move", say("menu.move"), what), Step(to, _place(state, to), where)
        case Support(_, _, _, of, to, is_distant):
            verb = "distant" if is_distant else "support"
            helped = say("menu.nomads") if of is None else _helped(state, of)
            goal = say("menu.stay") if to is None else say("menu.to", place=_place(state, to))
            return (
                first,
                Step(verb, say(f"menu.{verb}"), what),
                Step(of or "nomads", helped, phrase("menu.support_whom", unit=unit)),
                Step(to or STAY, goal, phrase("menu.where", unit=helped)),
            )
        case Immobilize(_, _, _, of):
            step = Step("immobilize", say("menu.immobilize"), what)
            return first, step, Step(of, _helped(state, of), phrase("menu.immobilize_whom", unit=unit))
        case Retreat(_, _, to):
            label = say("menu.retreat", place=_place(state, to))
            return first, Step(to, label, phrase("menu.retreat_where", unit=unit))
        case Disband():
            return first, Step("disband", say("menu.disband"), phrase("menu.retreat_where", unit=unit))


def _id(viewer: PowerId | None) -> PowerId:
    return viewer or PowerId("")


def _labels(state: State) -> Labels:
    return labels_of(state.variant.system)


def _centre(state: State, viewer: PowerId, centre: PlaceId) -> str:
    """A centre with how far it is from the nearest own one."""
    place = _place(state, centre)
    if not choosing.standing_centres(state, viewer):
        return place
    own, moves = choosing.nearest_own(state, viewer, centre)
    return _labels(state)("menu.centre_at", place=place, moves=str(moves), own=_place(state, own))


def _place(state: State, place: PlaceId) -> str:
    return _labels(state)("menu.place", place=place)


def _helped(state: State, at: PlaceId) -> str:
    say, unit = _labels(state), units_by_place(state)[at]
    kind = "BARBARIAN" if unit.power == BARBARIANS else unit.kind
    code = "menu.unit" if unit.power == BARBARIANS else "menu.helped"
    return say(code, kind=say(f"menu.kind.{kind}"), place=_place(state, at), power=unit.power)
