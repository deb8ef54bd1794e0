"""How a computer's player thinks about a game of armies and fleets by Diplomacy's orders."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.judgement import Intent, Judgement, in_characters
from engine.provinces.classic.model import Convoy, Order, State, SupportHold, SupportMove, View
from engine.provinces.classic.reach import FLEET
from engine.provinces.judgement import AppealMap, Outline, Piece
from engine.provinces.orders import Build, Hold, Kind, Move, Remove, Retreat

_DRIVEN = 0.5
"""The weight of a unit that has to retreat."""
_SAILS = frozenset({FLEET})


def outline(state: State) -> Outline:
    """What of a position counts."""
    pieces = [Piece(unit.power, unit.kind, province_of(unit.at)) for unit in state.units]
    pieces += [Piece(row.unit.power, row.unit.kind, ProvinceId(""), _DRIVEN) for row in state.dislodged]
    return Outline(tuple(state.variant.powers), pieces, state.centres, () if state.over is None else state.over.winners)


def appeal(state: State, power: PowerId, caution: float = 1.0) -> Callable[[Order], float]:
    """How much a power would like an order to work."""
    field = _field(state, caution)

    def pull(kind: Kind, at: PlaceId) -> float:
        return field.pull(power, kind, province_of(at))

    return lambda order: liking(order, pull)


def liking(order: object, pull: Callable[[Kind, PlaceId], float]) -> float:
    """How much an order appeals, by how good it is to have a unit in a place."""
    match order:
        case Move(via_convoy=True):
            return 0.0  # nobody can say that it will be carried
        case Move(kind, _, to) | Retreat(kind, _, to):
            return pull(kind, to)
        case Hold(kind, at) | Build(kind, at):
            return pull(kind, at)
        case Remove(kind, at):
            return 1 / (1 + pull(kind, at))
        case _:
            return 0.0


def intent(order: object) -> Intent | None:
    """What an order is about."""
    match order:
        case Hold(_, at):
            return Intent(province_of(at), province_of(at))
        case Move(_, at, to) | Retreat(_, at, to):
            return Intent(province_of(at), province_of(to))
        case SupportHold(_, at, _, of):
            return Intent(province_of(at), province_of(at), (province_of(of), province_of(of)))
        case SupportMove(_, at, _, of, to) | Convoy(_, at, _, of, to):
            return Intent(province_of(at), province_of(at), (province_of(of), province_of(to)))
        case _:
            return None


def _field(state: State, caution: float) -> AppealMap:
    return AppealMap(state.variant.board, outline(state), sails=_SAILS, caution=caution)


JUDGEMENT: Judgement[State, View, Order] = in_characters(
    lambda caution: Judgement(
        imagine=lambda view: view.state,
        measure=lambda state: _field(state, caution).measure(outline),
        intent=intent,
        appeal=partial(appeal, caution=caution),
    )
)
