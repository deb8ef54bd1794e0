"""What legality lets pass is carried out as it is meant; what can't be carried out, legality refuses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from engine.core.ids import PlaceId, PowerId, province_of
from engine.provinces.classic.legality import crossing_of, find_flaw, is_legal, verdict_on, verdicts_by_borders
from engine.provinces.classic.model import Convoy, Order, State, SupportHold, SupportMove
from engine.provinces.classic.movement import Battle, adjudicate_movement
from engine.provinces.classic.parse import Canonical
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
            said = [order for order in asked if is_legal(position, power, order)]
            assert said == legal


def test_the_table_of_a_map_says_of_orders_what_is_said_of_them_where_their_units_stand() -> None:
    board = state_of(UNITS).variant.board
    table = verdicts_by_borders(board)
    by_units: dict[frozenset[tuple[PlaceId, str]], list[Order]] = defaultdict(list)
    for order, verdict in table.items():
        assert verdict.is_possible
        assert verdict.crossing is None
        by_units[verdict.units].append(order)
    for units in list(by_units)[::5]:
        position = position_of(state_of("france " + ", ".join(f"{kind} {at}" for at, kind in units)))
        for order in by_units[units]:
            assert find_flaw(position, PowerId("france"), order) is None, order
            assert crossing_of(position, order) is None, order
            assert set(position.kind_at.items()) == units, order
    assert len(table) > 4000


def test_the_table_of_a_map_lacks_no_order_that_its_borders_allow() -> None:
    """But for a fleet that is to help another one to a province and names no coast of it, which is not written so."""
    state = state_of(UNITS)
    position, table, canonical = position_of(state), verdicts_by_borders(state.variant.board), Canonical(state.variant)
    for power, order in list(_every_order(state))[::3]:
        if order not in table and crossing_of(position, order) is None:
            assert find_flaw(position, PowerId(power), order) is not None or not canonical.is_plain(order), order


def test_an_army_that_is_told_a_coast_goes_to_the_province() -> None:
    state = state_of(UNITS)
    moved = adjudicate_movement(state, {"france": [Move("A", "MAR", "SPA/NC")]})
    assert "A SPA" in [f"{unit.kind} {unit.at}" for unit in moved.units]
    assert "A MAR - SPA" in [result.text for result in moved.results]
