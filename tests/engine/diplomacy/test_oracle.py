"""The oracle itself: it must know the board, get the cases right, and be able to say no."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import PlaceId
from engine.core.variant import load_variant
from engine.provinces.variants import with_board
from tests.cases import Case, load_cases
from tests.oracle.aftermath import Retreating, aftermath, next_phase, removed_in_disorder, retreat_results
from tests.oracle.board import province, standard
from tests.oracle.movement import Position, Unit, is_consistent, judge, read_order, solutions
from tests.positions import small_phase

CASES = load_cases("diplomacy/*.toml")
MOVEMENTS = [case for case in CASES if "movement" in case["phase"] and "options" not in case]


def position_of(case: Case) -> Position:
    """The first turn of a case, with the orders that are not refused."""
    orders = dict(
        read_order(text)
        for written in case["turn"][0]["orders"].values()
        for text, outcome in written
        if not outcome.startswith("invalid")
    )
    return Position([Unit(*unit.split()) for unit in case["units"]], orders)


def case(case_id: str) -> Case:
    """A case by its id."""
    return next(one for one in CASES if one["id"] == case_id)


def test_the_oracle_has_the_same_board_as_the_game() -> None:
    oracle, game = standard(), with_board(load_variant("diplomacy", "standard")).board
    assert oracle.terrain == {at: str(one.terrain) for at, one in game.provinces.items() if one.terrain != "impassable"}
    assert oracle.names == {at: game.provinces[at].name for at in map(province, oracle.terrain)}  # type: ignore[index]
    assert oracle.homes == {at: str(one.home or "") for at, one in game.provinces.items() if one.is_centre}
    assert {at: frozenset(game.army_moves[at]) for at in game.provinces if at in oracle.terrain} == oracle.armies
    assert {at: frozenset(game.fleet_moves[PlaceId(at)]) for at in oracle.fleets} == oracle.fleets


@pytest.mark.parametrize("one", MOVEMENTS, ids=[one["id"] for one in MOVEMENTS])
def test_the_oracle_agrees_with_the_case(one: Case) -> None:
    position = position_of(one)
    found = aftermath(position, judge(position))
    turn: dict[str, Any] = one["turn"][0]
    for power, written in turn["orders"].items():
        for text, outcome in written:
            at, _ = read_order(text)
            if not outcome.startswith("invalid"):
                assert (text, found.outcomes[at]) == (text, outcome)
                assert position.units[at].power == power
    assert sorted(f"{unit.power} {unit}" for unit in found.units) == sorted(turn["units"])
    rows = [
        f"{one.unit.power} {one.unit} from {one.came_from or '-'} retreats {' '.join(one.open_to) or '-'}"
        for one in found.dislodged
    ]
    assert sorted(rows) == sorted(turn.get("dislodged", []))


@pytest.mark.parametrize(
    ("case_id", "number"),
    [
        ("6.A.11", 1),
        ("6.C.1", 2),
        ("6.F.14", 2),
        ("6.F.18", 0),
        ("6.F.19", 1),
        ("6.F.23", 2),
        ("6.F.24", 0),
    ],
)
def test_circles_and_paradoxes_have_two_results_or_none(case_id: str, number: int) -> None:
    assert len(solutions(position_of(case(case_id)))) == number


def test_the_equations_refuse_every_result_but_the_consistent_ones() -> None:
    position = position_of(case("6.E.15"))
    (result,) = solutions(position)
    for move in position.moves:
        assert not is_consistent(position, result | {move: not result[move]})


def test_the_backup_rules_are_used_only_where_the_equations_leave_a_choice() -> None:
    for seed in range(200):
        phase = small_phase(seed)
        position = Position(phase.units, dict(map(read_order, phase.texts.values())))
        ruling, results = judge(position), solutions(position)
        assert (len(results) == 1) == (not ruling.fallbacks), seed
        assert ruling.held or ruling.moved in results, seed
        assert len(results) != 1 or ruling.moved == results[0], seed


def test_a_bounced_retreat_loses_both_units_and_a_free_one_goes() -> None:
    here = Retreating(Unit("italy", "A", "VIE"), "TRI", ("BOH", "TYR"))
    there = Retreating(Unit("italy", "A", "BOH"), "SIL", ("GAL", "TYR"))
    assert retreat_results({here: "TYR", there: "TYR"}) == {here: "disbands", there: "disbands"}
    assert retreat_results({here: "BOH", there: "TYR"}) == {here: "retreats", there: "retreats"}
    assert retreat_results({here: "GAL", there: None}) == {here: "disbands", there: "disbands"}


def test_the_phase_after_a_fall_depends_on_what_there_is_to_adjust() -> None:
    units = [Unit("austria", "A", "BUD"), Unit("austria", "A", "VIE")]
    assert next_phase("fall", 1901, (), {"BUD": "austria", "VIE": "austria"}, units) == "spring 1902 movement"
    owners = {"BUD": "austria", "VIE": "austria", "TRI": "austria"}
    assert next_phase("fall", 1901, (), owners, units) == "winter 1901 adjustments"
    assert next_phase("fall", 1901, (), {"BUD": "austria"}, units) == "winter 1901 adjustments"
    lost = Retreating(Unit("italy", "A", "VEN"), "TRI", ())
    assert next_phase("spring", 1901, (lost,), {}, units) == "fall 1901 movement"


def test_civil_disorder_takes_the_farthest_then_fleets_then_the_alphabet() -> None:
    army, fleet, other = Unit("russia", "A", "BOH"), Unit("russia", "F", "SKA"), Unit("russia", "F", "NTH")
    assert removed_in_disorder([army, fleet, other], ["STP", "WAR"], 2) == [other, fleet]
    assert removed_in_disorder([Unit("italy", "A", "GRE"), Unit("italy", "A", "PIE")], ["NAP"], 1)[0].at == "PIE"
