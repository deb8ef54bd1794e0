"""How a computer's player thinks about Kregen: cities and capitals for the nations, X and fleets for the pirates.

To a nation an X is worth what it keeps from the pirates; a city that was plundered is worth less to everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.judgement import Intent, Judgement, Worth
from engine.kregen.eye import eye_of
from engine.kregen.model import (
    ARMY,
    FLEET,
    HERO,
    STRENGTHS,
    Capital,
    Convoy,
    Go,
    Manoeuvre,
    Order,
    Sail,
    State,
    Support,
    View,
    With,
)
from engine.kregen.supply import worth
from engine.provinces.judgement import AppealMap, Outline, Piece
from engine.provinces.orders import Build, Kind, Remove, Retreat

_DRIVEN = 0.5
_DENIED = 0.5
"""What an X is worth to a nation, in cities: pirates need nearly all of them."""
_COMPANY = 0.5
"""How much a hero likes to go with a unit of its own."""
_COST = 20
_SAILS = frozenset({FLEET})


def outline(state: State) -> Outline:
    """What of a position counts."""
    eye = eye_of(state.variant)
    pieces = [Piece(unit.power, unit.kind, unit.sector, _strength(unit.kind)) for unit in state.units]
    pieces += [
        Piece(row.unit.power, row.unit.kind, ProvinceId(""), _DRIVEN * _strength(row.unit.kind))
        for row in state.dislodged
    ]
    places = dict.fromkeys((*eye.city, *eye.pirate_centres))
    owners = {place: state.owners.get(place) for place in places}
    winners = () if state.over is None else state.over.winners
    return Outline(
        tuple(state.variant.powers), pieces, owners, winners, lambda power, place: _value(state, place, power)
    )


def _strength(kind: Kind) -> float:
    return STRENGTHS[kind] / STRENGTHS[ARMY]


def _value(state: State, place: ProvinceId, power: PowerId) -> float:
    """What a city or X is worth to a power, in cities."""
    return worth(state, place, power) / 2 or _DENIED


def measure(state: State) -> Callable[[State], Worth]:
    """Tells how well each power stands after the phase."""
    field = _field(state)
    return lambda after: field.worth(outline(after))


def appeal(state: State, power: PowerId) -> Callable[[Order], float]:
    """How much a power would like an order to work."""
    field = _field(state)

    def pull(kind: Kind, at: PlaceId | ProvinceId) -> float:
        return field.pull(power, kind, province_of(PlaceId(at)))

    def judge(order: Order) -> float:
        match order:
            case Manoeuvre(kind="H", steps=(With(),)):
                return _COMPANY
            case Manoeuvre(kind="H"):
                return 0.0
            case Manoeuvre(kind, at, steps, is_late) if not is_late and not any(
                isinstance(s, Convoy | Sail) for s in steps
            ):
                return pull(kind, _end(at, order))
            case Retreat(kind, _, to):
                return pull(kind, to)
            case Build(kind, at):
                return _strength(kind) * 2 + pull(kind, at)
            case Remove(kind, at):
                return 1 / (1 + pull(kind, at))
            case Capital(at):
                return 1.0 + pull(ARMY, at)
            case _:
                return 0.0

    return judge


def _end(at: ProvinceId, order: Manoeuvre) -> ProvinceId:
    """Where a unit means to stand when the season is over."""
    for step in reversed(order.steps):
        if isinstance(step, Go | Sail):
            return province_of(PlaceId(step.to))
    return at


def intent(order: Order) -> Intent | None:
    """What an order is about. A hero's place is its own: it goes with whom it is with."""
    match order:
        case Manoeuvre(kind, at) if kind == HERO:
            return Intent(f"{HERO} {at}", f"{HERO} {at}")
        case Manoeuvre(_, at, steps):
            helped = next((step for step in steps if isinstance(step, Support)), None)
            if helped is not None:
                return Intent(at, _end(at, order), (helped.of, helped.to or helped.of))
            return Intent(at, _end(at, order))
        case Retreat(kind, at, to) if kind == HERO:
            return Intent(f"{HERO} {at}", f"{HERO} {to}")
        case Retreat(_, at, to):
            return Intent(province_of(at), province_of(to))
        case _:
            return None


def _field(state: State) -> AppealMap:
    places: Mapping[ProvinceId, object] = outline(state).owners
    return AppealMap(state.variant.board, outline(state), sails=_SAILS, goals=frozenset(places))


JUDGEMENT: Judgement[State, View, Order] = Judgement(
    imagine=lambda view: view.state, measure=measure, intent=intent, appeal=appeal, cost=_COST
)
