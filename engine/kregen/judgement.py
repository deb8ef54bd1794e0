"""How a computer's player thinks about Kregen: cities and capitals for the nations, X and fleets for the pirates.

To a nation an X is worth what it keeps from the pirates; a city that was plundered is worth less to everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.judgement import Chance, Intent, Judgement, in_characters
from engine.kregen.land import land_of
from engine.kregen.listing import asked_heroes, duel_of, reached
from engine.kregen.model import (
    ARMY,
    FLEET,
    HERO,
    PIRATES,
    STRENGTHS,
    Capital,
    Convoy,
    Duel,
    Go,
    Grant,
    Manoeuvre,
    Order,
    Sail,
    State,
    Support,
    View,
    With,
)
from engine.kregen.omens import possible_refuges
from engine.kregen.prophecy import BUILD, REMOVE, Plan, Prophecy, Refuge
from engine.kregen.supply import worth
from engine.provinces.judgement import AppealMap, Outline, Piece
from engine.provinces.orders import Build, Kind, Remove, Retreat
from engine.provinces.phases import PhaseKind

_DRIVEN = 0.5
_DENIED = 0.3
"""What an X is worth to a nation, in cities: pirates need nearly all of them."""
_COMPANY = 0.5
"""How much a hero likes to go with a unit of its own."""
_COST = 15
_SPREAD = 2
"""How far from 50 a number for a duel may lie, times the wildness."""
_CAREFUL = 1.0
"""Up to which wildness a player foretells."""
_REFUGES, _PLANNED = 4, 8
_SAILS = frozenset({FLEET})


def outline(state: State) -> Outline:
    """What of a position counts."""
    land = land_of(state.variant)
    pieces = [Piece(unit.power, unit.kind, unit.sector, _strength(unit.kind)) for unit in state.units]
    pieces += [
        Piece(row.unit.power, row.unit.kind, ProvinceId(""), _DRIVEN * _strength(row.unit.kind))
        for row in state.dislodged
    ]
    places = dict.fromkeys((*land.city, *land.pirate_centres))
    owners = {place: state.owners.get(place) for place in places}
    winners = () if state.over is None else state.over.winners
    return Outline(
        tuple(state.variant.powers), pieces, owners, winners, lambda power, place: _value(state, place, power)
    )


def _strength(kind: Kind) -> float:
    return STRENGTHS[kind] / STRENGTHS[ARMY]


def _value(state: State, place: ProvinceId, power: PowerId) -> float:
    """What a city or X is worth to a power, in cities; to the pirates all are alike, for each keeps a fleet."""
    return 1.0 if power == PIRATES else worth(state, place, power) / 2 or _DENIED


def appeal(state: State, power: PowerId, caution: float = 1.0) -> Callable[[Order], float]:
    """How much a power would like an order to work."""
    field = _field(state, caution)

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


def is_tried(order: Order) -> bool:
    """Numbers for duels can't be tried without the referee's; what is granted or foretold shows nothing in a trial."""
    return not isinstance(order, Duel | Grant | Prophecy)


def besides(state: State, power: PowerId, orders: Sequence[Order], chance: Chance, wildness: float) -> list[Order]:
    """A number for each hero that could have to duel, and what is to be done after the season.

    Against 50 nothing does better than 49 or 51, so a number lies near 50; the loser is captured, for he can be used.
    """
    if state.phase.kind is not PhaseKind.MOVEMENT:
        return []
    found: list[Order] = []
    for hero in asked_heroes(state, power):
        number = 50 + round(_SPREAD * wildness * (chance.random() - chance.random()))
        found.append(duel_of(state, hero, number, is_capture=True))
    if state.options["prophetic"] and wildness <= _CAREFUL:
        found += _foretold(state, power, orders)
    return found


def _foretold(state: State, power: PowerId, orders: Sequence[Order]) -> Iterator[Prophecy]:
    """For each unit that somebody could push where it retreats, then what is built and what removed: best first."""
    field, land = _field(state), land_of(state.variant)

    def pull(kind: Kind, at: PlaceId) -> float:
        return field.pull(power, kind, province_of(at))

    pushed = {at for unit in state.units if unit.power != power for at in reached(state, unit)}
    own = [unit for unit in state.units if unit.power == power and not unit.rests]
    stops = [(act.kind, _end(act.at, act)) for act in orders if isinstance(act, Manoeuvre)]
    for kind, at in dict.fromkeys((*((unit.kind, unit.sector) for unit in own), *stops)):
        if at in pushed:
            refuges = [PlaceId(place) for place in possible_refuges(state, kind, at)]
            refuges.sort(key=lambda place: -pull(kind, place))
            if refuges:
                yield Prophecy(Refuge(kind, at, tuple(refuges[:_REFUGES]), disbands=kind != HERO))
    kinds = (FLEET,) if power == PIRATES else (ARMY, FLEET)
    sites = land.pirate_centres if power == PIRATES else land.starting_cities(power)
    builds = [
        (kind, place) for site in sites for kind in kinds for place in land.places(site) if land.can_stand(kind, place)
    ]
    builds.sort(key=lambda built: -_strength(built[0]) * 2 - pull(*built))
    yield Prophecy(Plan(BUILD, tuple(builds[:_PLANNED])))
    last = sorted((unit for unit in own if unit.kind != HERO), key=lambda unit: pull(unit.kind, unit.at))
    if last:
        yield Prophecy(Plan(REMOVE, tuple((unit.kind, unit.at) for unit in last[:_PLANNED])))


def _field(state: State, caution: float = 1.0) -> AppealMap:
    places: Mapping[ProvinceId, object] = outline(state).owners
    return AppealMap(state.variant.board, outline(state), sails=_SAILS, goals=frozenset(places), caution=caution)


JUDGEMENT: Judgement[State, View, Order] = in_characters(
    lambda caution: Judgement(
        imagine=lambda view: view.state,
        measure=lambda state: _field(state, caution).measure(outline),
        intent=intent,
        appeal=partial(appeal, caution=caution),
        is_tried=is_tried,
        besides=besides,
        cost=_COST,
    )
)
