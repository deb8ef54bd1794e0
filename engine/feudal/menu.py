"""The guided flow: each step offers nothing but what is legal. What the choices read comes from the phrases `menu.*`.

A path is the values chosen so far; every legal order has one. In winter the first choice may be `default`, which is
all of the default builds in one order sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.ids import PlaceId, PowerId
from engine.core.orders import Choice, Menu
from engine.core.phrases import Catalogue, Phrase, phrase
from engine.core.variant import load_phrases
from engine.feudal import choosing
from engine.feudal.adjustments import default_builds, quota_of
from engine.feudal.legality import units_by_place
from engine.feudal.listing import legal
from engine.feudal.model import BARBARIANS, Castle, Choose, Immobilize, Order, State, Support, View, format_order
from engine.provinces.classic.model import Build, Disband, Hold, Move, PhaseKind, Retreat, Waive

DEFAULT = "default"
"""The choice that takes all default builds."""
STAY = "stay"
"""The last choice of a support that helps a unit where it stands."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A choice on the way to an order: its value, what it reads, and the question that it answers."""

    value: str
    label: Phrase
    prompt: Phrase


def menu(view: View, path: Sequence[str], *, orders: Sequence[Order] = ()) -> Menu:
    """The step after the choices in `path`; the first one if there is no such path (any more).

    Orders that stand leave nothing out: any can be replaced.
    """
    state, viewer = view.state, view.viewer
    listed = [(order, _steps(state, viewer, order)) for orders in legal(view).values() for order in orders]
    if not listed or viewer is None:
        return Menu(phrase("menu.nothing"), ())
    is_winter = state.phase.kind is PhaseKind.ADJUSTMENTS
    if is_winter and list(path) == [DEFAULT]:
        return Menu(phrase("menu.done"), (), "; ".join(map(format_order, default_builds(state, viewer))))
    reached = [(order, steps) for order, steps in listed if [step.value for step in steps[: len(path)]] == list(path)]
    if not reached:
        reached, path = listed, ()
    depth = len(path)
    order, steps = reached[0]
    if len(steps) == depth:
        return Menu(phrase("menu.done"), (), format_order(order))
    words = load_phrases(state.variant.system)
    choices = {step.value: _choice(words, step) for step in (steps[depth] for _, steps in reached)}
    if is_winter and not depth:
        builds = ", ".join(f"{build.kind} {build.at}" for build in default_builds(state, viewer))
        choices = {DEFAULT: Choice(DEFAULT, words.render(phrase("menu.default", builds=builds))[:100]), **choices}
    return Menu(steps[depth].prompt, tuple(choices.values()))


def _choice(words: Catalogue, step: _Step) -> Choice:
    return Choice(step.value, words.render(step.label)[:100])


def _steps(state: State, viewer: PowerId | None, order: Order) -> tuple[_Step, ...]:
    """The choices that lead to an order."""
    match order:
        case Choose(rank, centre):
            number = phrase("menu.rank", rank=rank)
            return (
                _Step(str(rank), number, phrase("menu.which_rank", most=choosing.list_length(state, _id(viewer)))),
                _Step(centre, _centre(state, _id(viewer), centre), phrase("menu.which_centre", rank=rank)),
            )
        case Castle(centre):
            return (_Step(centre, _place(centre), phrase("menu.which_castle")),)
        case Build(kind, at):
            quota = quota_of(state, _id(viewer))
            which = phrase("menu.which_site", units=quota.units, knights=quota.knights, wizards=quota.wizards)
            what = phrase("menu.build_what", place=at)
            return _Step(at, _place(at), which), _Step(kind, _kind(kind), what)
        case Waive():
            return (_Step("waive", phrase("menu.waive"), phrase("menu.waive")),)
    unit = _unit(order.kind, order.at)
    is_retreat = isinstance(order, Retreat | Disband)
    first = _Step(order.at, unit, phrase("menu.which_retreat" if is_retreat else "menu.which_unit"))
    what, where = phrase("menu.what", unit=unit), phrase("menu.where", unit=unit)
    match order:
        case Hold():
            return first, _Step("hold", phrase("menu.hold"), what)
        case Move(_, _, to):
            return first, _Step("move", phrase("menu.move"), what), _Step(to, _place(to), where)
        case Support(_, _, _, of, to, is_distant):
            verb = "distant" if is_distant else "support"
            helped = phrase("menu.nomads") if of is None else _helped(state, of)
            goal = phrase("menu.stay") if to is None else phrase("menu.to", place=_place(to))
            return (
                first,
                _Step(verb, phrase(f"menu.{verb}"), what),
                _Step(of or "nomads", helped, phrase("menu.support_whom", unit=unit)),
                _Step(to or STAY, goal, phrase("menu.where", unit=helped)),
            )
        case Immobilize(_, _, _, of):
            step = _Step("immobilize", phrase("menu.immobilize"), what)
            return first, step, _Step(of, _helped(state, of), phrase("menu.immobilize_whom", unit=unit))
        case Retreat(_, _, to):
            label = phrase("menu.retreat", place=_place(to))
            return first, _Step(to, label, phrase("menu.retreat_where", unit=unit))
        case Disband():
            return first, _Step("disband", phrase("menu.disband"), phrase("menu.retreat_where", unit=unit))


def _id(viewer: PowerId | None) -> PowerId:
    return viewer or PowerId("")


def _centre(state: State, viewer: PowerId, centre: PlaceId) -> Phrase:
    """A centre with how far it is from the nearest own one."""
    if not choosing.standing_centres(state, viewer):
        return _place(centre)
    own, moves = choosing.nearest_own(state, viewer, centre)
    return phrase("menu.centre_at", place=_place(centre), moves=moves, own=_place(own))


def _kind(kind: str) -> Phrase:
    return phrase(f"menu.kind.{kind}")


def _place(place: PlaceId) -> Phrase:
    return phrase("menu.place", place=place)


def _unit(kind: str, at: PlaceId) -> Phrase:
    return phrase("menu.unit", kind=_kind(kind), place=_place(at))


def _helped(state: State, at: PlaceId) -> Phrase:
    unit = units_by_place(state)[at]
    kind = "BARBARIAN" if unit.power == BARBARIANS else unit.kind
    code = "menu.unit" if unit.power == BARBARIANS else "menu.helped"
    return phrase(code, kind=_kind(kind), place=_place(at), power=unit.power)
