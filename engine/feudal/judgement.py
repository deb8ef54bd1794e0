"""How a computer's player thinks about Feudal Europe: centres, castles, a King who must not fall."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.core.ids import PlaceId, PowerId, ProvinceId
from engine.core.judgement import Intent, Judgement, in_characters
from engine.feudal.model import (
    KING,
    KNIGHT,
    WIZARD,
    Castle,
    Choose,
    Order,
    State,
    Support,
    Unit,
    View,
)
from engine.provinces.judgement import AppealMap, Outline, Piece
from engine.provinces.orders import Build, Hold, Kind, Move, Retreat

_STRENGTH = {KNIGHT: 2.0, KING: 2.5, WIZARD: 1.0}
_DRIVEN = 0.5
_UNWANTED = -1.0
"""Of a new list: sending it gives back the centre that the last one got. Source: rule 3"""
_COST = 3


def outline(state: State) -> Outline:
    """What of a position counts."""
    pieces = [Piece(unit.power, unit.kind, ProvinceId(unit.at), _strength(unit)) for unit in state.units]
    pieces += [
        Piece(row.unit.power, row.unit.kind, ProvinceId(""), _DRIVEN * _strength(row.unit)) for row in state.dislodged
    ]
    owners = {ProvinceId(centre): owner for centre, owner in state.centres.items()}
    return Outline(state.powers, pieces, owners, () if state.over is None else state.over.winners)


def _strength(unit: Unit) -> float:
    return _STRENGTH.get(unit.kind, 1.0)


def appeal(state: State, power: PowerId, caution: float = 1.0) -> Callable[[Order], float]:
    """How much a power would like an order to work."""
    field = _field(state, caution)

    def pull(kind: Kind, at: PlaceId) -> float:
        return field.pull(power, kind, ProvinceId(at))

    def judge(order: Order) -> float:
        match order:
            case Move(kind, _, to) | Retreat(kind, _, to):
                return pull(kind, to)
            case Hold(kind, at):
                return pull(kind, at)
            case Build(kind, at):
                return _STRENGTH.get(kind, 1.0) + pull(kind, at)
            case Choose() if power in state.setup.got:
                return _UNWANTED
            case Choose(_, centre) | Castle(centre):
                return pull(KING, centre)
            case _:
                return 0.0

    return judge


def intent(order: Order) -> Intent | None:
    """What an order is about; the entries of a list of centres each want another one."""
    match order:
        case Hold(_, at):
            return Intent(at, at)
        case Move(_, at, to) | Retreat(_, at, to):
            return Intent(at, to)
        case Support(_, at, _, of, to):
            return Intent(at, at, (of or "", to or of or ""))
        case Choose(rank, centre):
            return Intent(f"choice {rank}", centre)
        case _:
            return None


def _field(state: State, caution: float) -> AppealMap:
    return AppealMap(state.variant.board, outline(state), sails=frozenset(), caution=caution)


JUDGEMENT: Judgement[State, View, Order] = in_characters(
    lambda caution: Judgement(
        imagine=lambda view: view.state,
        measure=lambda state: _field(state, caution).measure(outline),
        intent=intent,
        appeal=partial(appeal, caution=caution),
        cost=_COST,
    )
)
