"""What legality lets pass is carried out as it is meant; what can't be carried out, legality refuses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from engine.core.ids import PlaceId, PowerId, province_of
from engine.core.reading import read_orders
from engine.diplomacy.system import DIPLOMACY
from engine.provinces.classic.legality import by_borders, find_flaw
from engine.provinces.classic.model import Convoy, Order, State, SupportHold, SupportMove, View
from engine.provinces.classic.movement import Battle, adjudicate_movement
from engine.provinces.classic.parse import Canonical
from engine.provinces.classic.reach import position_of
from engine.provinces.orders import Hold, Move
from tests.engine.diplomacy.table import state_of

UNITS = (
    "russia A MOS, F STP/SC, A FIN; france A MAR, F POR, F LYO; turkey A CON, F BLA, F AEG; england F NTH, F NWY, A YOR"
)
"""Provinces with two coasts are next to armies and fleets, and armies next to fleets at sea."""


def _every_order(state: State) -> Iterator[tuple[PowerId, Order]]:
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


def test_the_table_of_a_map_says_of_orders_what_is_said_of_them_where_their_units_stand() -> None:
    board = state_of(UNITS).variant.board
    table = by_borders(board)
    by_units: dict[frozenset[tuple[str, str]], list[Order]] = defaultdict(list)
    for order in table:
        by_units[frozenset(_named(order))].append(order)
    for units in list(by_units)[::5]:
        position = position_of(_alone(units))
        for order in by_units[units]:
            assert find_flaw(position, PowerId("france"), order) is None, order
            assert set(position.kind_at.items()) == units, order
    assert len(table) > 4000


def test_the_table_of_a_map_lacks_no_order_that_its_borders_allow() -> None:
    """But for a fleet that is to help another one to a province and names no coast of it, which is not written so."""
    state = state_of(UNITS)
    table, canonical = by_borders(state.variant.board), Canonical(state.variant)
    for _, order in list(_every_order(state))[::3]:
        if order not in table and not isinstance(order, Convoy) and canonical.is_plain(order):
            position = position_of(_alone(_named(order)))
            assert find_flaw(position, PowerId("france"), order) is not None, order


def _alone(units: Iterable[tuple[str, str]]) -> State:
    """A board with these units and no others."""
    return state_of("france " + ", ".join(f"{kind} {at}" for at, kind in units))


def _named(order: Order) -> set[tuple[str, str]]:
    assert isinstance(order, Hold | Move | SupportHold | SupportMove)
    own = {(str(order.at), order.kind)}
    return own | {(str(order.of), order.of_kind)} if isinstance(order, SupportHold | SupportMove) else own


def test_an_order_by_sea_is_judged_again_among_other_units_than_those_among_which_it_was_read() -> None:
    """It carries its plan from reading to resolving."""
    text, power = "A LON - BEL", PowerId("france")
    here, elsewhere = state_of("france A LON, F NTH"), state_of("france A LON, F IRI")
    orders = read_orders(DIPLOMACY, View(here, power), text).values
    assert orders[0].plan.among is here.units  # type: ignore[union-attr]
    for state, counts in ((here, True), (elsewhere, False), (state_of("france A LON, F NTH"), True)):
        result = next(each for each in adjudicate_movement(state, {power: orders}).results if each.subject == "LON")
        assert (result.text == text) is counts
    assert adjudicate_movement(here, {PowerId("england"): orders}).results[0].text != text


def test_an_army_that_is_told_a_coast_goes_to_the_province() -> None:
    state = state_of(UNITS)
    moved = adjudicate_movement(state, {PowerId("france"): [Move("A", PlaceId("MAR"), PlaceId("SPA/NC"))]})
    assert "A SPA" in [f"{unit.kind} {unit.at}" for unit in moved.units]
    assert "A MAR - SPA" in [result.text for result in moved.results]
