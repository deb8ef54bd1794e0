"""What legality lets pass is carried out as it is meant; what can't be carried out, legality refuses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from engine.core.ids import PowerId, province_of
from engine.provinces.classic.legality import find_flaw, first_legal, verdict_on
from engine.provinces.classic.model import Convoy, Order, State, SupportHold, SupportMove
from engine.provinces.classic.movement import Battle, adjudicate_movement
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


def test_what_is_legal_counts_and_nothing_else_does() -> None:
    state = state_of(UNITS)
    position, army = position_of(state), position_of(state).reach.army
    legal: list[tuple[PowerId, Order]] = []
    illegal: dict[PowerId, list[Order]] = defaultdict(list)
    for power, order in _every_order(state):
        if find_flaw(position, power, order) is None:
            legal.append((power, order))
        else:
            illegal[power].append(order)
    for power, order in legal:
        moved = adjudicate_movement(state, {power: [*illegal[power], order]})
        counting = [result.subject for result in moved.results if result.reason.code != "outcome.no_order"]
        assert counting == [province_of(order.at)], order  # type: ignore[union-attr]
        if isinstance(order, Move) and order.kind == "A":
            by_land = not order.via_convoy and province_of(order.to) in army[province_of(order.at)]
            assert bool(Battle(state, {power: [order]}).at_sea) is not by_land, order
        illegal[power] = illegal[power][:20]
    assert len(legal) > 200


def test_what_was_said_of_an_order_is_said_again_only_where_it_holds() -> None:
    """Verdicts are remembered by order; the same one is asked about where other units stand, of other powers."""
    positions = [
        state_of(UNITS),
        state_of("russia A MOS, F STP/NC, F FIN; france F MAR, A POR, F NTH; turkey F CON; england A NWY, A YOR"),
        state_of("france A MOS, F STP/SC, A FIN; russia A MAR, F POR, F LYO; england A CON, F AEG, F NTH, F NWY"),
    ]
    asked = list(dict.fromkeys(order for state in positions for _, order in _every_order(state)))[::29]
    for state in (*positions, *reversed(positions)):
        position = position_of(state)
        for power in state.variant.powers:
            legal = [order for order in asked if find_flaw(position, power, order) is None]
            for order in asked:
                verdict_on(position, power, order)
            said = [order for order in asked if first_legal(position, power, [order])]
            assert said == legal


def test_an_army_that_is_told_a_coast_goes_to_the_province() -> None:
    state = state_of(UNITS)
    moved = adjudicate_movement(state, {"france": [Move("A", "MAR", "SPA/NC")]})
    assert "A SPA" in [f"{unit.kind} {unit.at}" for unit in moved.units]
    assert "A MAR - SPA" in [result.text for result in moved.results]
