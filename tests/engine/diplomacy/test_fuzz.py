"""A bounded share of `python -m tests.fuzz`: random phases through the engine, compared with the oracle."""

from __future__ import annotations

from collections import Counter

import pytest

from tests import fuzz
from tests.oracle.movement import Choices
from tests.positions import dense_phase, small_phase

BATCHES = 6


@pytest.mark.parametrize("batch", range(BATCHES))
def test_dense_phases_come_out_as_the_oracle_says(batch: int) -> None:
    counts: Counter[str] = Counter()
    for seed in range(batch * 100, batch * 100 + 100):
        counts += fuzz.check_dense(seed)
    assert counts["dislodged"] > 100
    assert counts["circle"] > 5


@pytest.mark.parametrize("batch", range(BATCHES))
def test_small_positions_come_out_as_the_enumeration_of_all_results_says(batch: int) -> None:
    counts: Counter[str] = Counter()
    for seed in range(batch * 250, batch * 250 + 250):
        counts += fuzz.check_small(seed)
    assert counts["1 consistent results"] > 200
    assert counts["2 consistent results"] > 5


@pytest.mark.parametrize(
    "choices",
    [
        Choices(adjacent_convoy="via_only"),
        Choices(adjacent_convoy="intent_or_land"),
        Choices(retreat_to_convoyed_origin=False, dislodged_affects_convoyed_origin=False),
    ],
    ids=str,
)
def test_other_rule_choices_come_out_as_the_oracle_says(choices: Choices) -> None:
    for seed in range(200):
        fuzz.check_small(seed, choices)
    for seed in range(30):
        fuzz.check_dense(seed, choices)


def test_every_unit_is_offered_what_the_oracle_allows_and_nothing_else() -> None:
    offered = sum(fuzz.check_legality(small_phase(seed)) for seed in range(300))
    offered += sum(fuzz.check_legality(dense_phase(seed, units=14)) for seed in range(20))
    assert offered > 20_000


def test_impossible_orders_are_passed_over_even_where_nobody_checked_them() -> None:
    assert sum(fuzz.check_nonsense(seed) for seed in range(150)) > 150


def test_the_generator_makes_the_same_phase_again() -> None:
    assert dense_phase(7) == dense_phase(7)
    assert small_phase(7) == small_phase(7)
    assert dense_phase(7) != dense_phase(8)


def test_a_dense_phase_has_its_units_in_each_others_way() -> None:
    phases = [dense_phase(seed) for seed in range(50)]
    assert all(len(phase.units) == 34 for phase in phases)
    orders = [text for phase in phases for text in phase.texts.values()]
    share = {verb: sum(f" {verb} " in text for text in orders) / len(orders) for verb in "-SCH"}
    assert share["S"] > 0.25
    assert share["C"] > 0.1
    assert share["H"] < 0.1
