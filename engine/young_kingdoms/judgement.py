"""How a computer's player thinks about the Young Kingdoms: as about Diplomacy, with a sorcerer and its spells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.judgement import Intent, Judgement, in_characters
from engine.provinces.classic import judgement as classic
from engine.provinces.classic.reach import FLEET
from engine.provinces.judgement import AppealMap, Outline, Piece
from engine.provinces.orders import Kind
from engine.young_kingdoms.cards import CARDS
from engine.young_kingdoms.model import CastSupport, Order, Place, State, View

_SORCERER = 1.5
"""What a living sorcerer counts, in units."""
_COST = 8
_SAILS = frozenset({FLEET})


def outline(state: State) -> Outline:
    """What of a position counts: Diplomacy's, and the sorcerers, who fight no battles by themselves."""
    plain = classic.outline(state)
    sorcerers = [Piece(unit.power, unit.kind, province_of(unit.at), 0) for unit in state.sorcerers]
    alive = [Piece(unit.power, unit.kind, ProvinceId(""), _SORCERER) for unit in state.sorcerers]
    return Outline(plain.powers, (*sorcerers, *plain.pieces, *alive), plain.owners, plain.winners)


def appeal(state: State, power: PowerId, caution: float = 1.0) -> Callable[[Order], float]:
    """How much a power would like an order to work. Spells appeal by what a trial shows of them alone."""
    field = _field(state, caution)

    def pull(kind: Kind, at: PlaceId) -> float:
        return field.pull(power, kind, province_of(at))

    def judge(order: Order) -> float:
        if isinstance(order, Place):
            return pull(order.kind, order.at)
        return classic.liking(order, pull)

    return judge


def intent(order: Order) -> Intent | None:
    """What an order is about."""
    match order:
        case CastSupport(_, _, of, to):
            origin = province_of(of)
            return Intent("", "", (origin, province_of(to or of)))
        case _:
            return classic.intent(order)


def _field(state: State, caution: float) -> AppealMap:
    return AppealMap(state.variant.board, outline(state), sails=_SAILS, caution=caution)


def imagine(view: View) -> State:
    """What the viewer knows. A card that a unit of its own carries is any that it doesn't hold, say the first ones."""
    state = view.state
    unknown = (number for number in CARDS if number not in state.hand(view.viewer))
    return replace(state, carried=tuple(replace(one, card=next(unknown)) for one in state.carried))


JUDGEMENT: Judgement[State, View, Order] = in_characters(
    lambda caution: Judgement(
        imagine=imagine,
        measure=lambda state: _field(state, caution).measure(outline),
        intent=intent,
        appeal=partial(appeal, caution=caution),
        cost=_COST,
    )
)
