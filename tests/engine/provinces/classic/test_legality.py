"""What legality lets pass is carried out as it is meant; what can't be carried out, legality refuses."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.ids import province_of
from engine.provinces.classic.legality import find_flaw
from engine.provinces.classic.model import Convoy, Order, State, SupportHold, SupportMove
from engine.provinces.classic.movement import Battle
from engine.provinces.classic.reach import position_of
from engine.provinces.orders import Hold, Move
from tests.engine.diplomacy.table import state_of

UNITS = (
    "russia A MOS, F STP/SC, A FIN; france A MAR, F POR, F LYO; turkey A CON, F BLA, F AEG; england F NTH, F NWY, A YOR"
)
"""Provinces with two coasts are next to armies and fleets, and armies next to fleets at sea."""


def _every_order(state: State) -> Iterator[tuple[str, Order]]:
    places = state.variant.board.places
    for unit in state.units:
        yield unit.power, Hold(unit.kind, unit.at)
        for to in places:
            yield unit.power, Move(unit.kind, unit.at, to)
            yield unit.power, Move(unit.kind, unit.at, to, via_convoy=True)
            for other in state.units:
                yield unit.power, SupportMove(unit.kind, unit.at, other.kind, other.at, to)
                yield unit.power, Convoy(unit.kind, unit.at, other.kind, other.at, to)
        for other in state.units:
            yield unit.power, SupportHold(unit.kind, unit.at, other.kind, other.at)


def test_every_legal_order_is_carried_out_over_land_wherever_it_can() -> None:
    state = state_of(UNITS)
    position, army = position_of(state), position_of(state).reach.army
    legal = 0
    for power, order in _every_order(state):
        if find_flaw(position, power, order) is not None:
            continue
        legal += 1
        battle = Battle(state, {power: [order]})
        assert battle.ordered == 1, order
        if isinstance(order, Move) and order.kind == "A":
            by_land = not order.via_convoy and province_of(order.to) in army[province_of(order.at)]
            assert bool(battle.at_sea) is not by_land, order
    assert legal > 200


def test_an_army_that_is_told_a_coast_goes_to_the_province() -> None:
    state = state_of(UNITS)
    battle = Battle(state, {"france": [Move("A", "MAR", "SPA/NC")]})
    battle.resolve()
    assert "A SPA" in [f"{unit.kind} {unit.at}" for unit in battle.units_after()]
    assert "A MAR - SPA" in [result.text for result in battle.results()]
