"""An order of another kind of phase is answered with one that can be given now, of the position at hand."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine.core.ids import PowerId, SystemId
from engine.core.reading import example_of, read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.registry import systems

UNIT = re.compile(r"\b(?:FF|[AFHKNSW]) [A-Z]{3}\b")
"""A unit as orders name it."""


@pytest.mark.parametrize(
    ("system", "power", "line", "phases"),
    [
        ("diplomacy", "france", "BUILD A PAR", 0),
        ("diplomacy", "france", "A PAR R BUR", 0),
        ("kregen", "zair", "A ZUL - ZIM", 0),
        ("feudal", "lion", "A PAR H", 0),
        ("feudal", "lion", "BUILD A PAR", 0),
        ("young_kingdoms", "melnibone", "F MEL - DRA", 0),
        ("young_kingdoms", "lormyr", "BUILD A RAM", 1),
    ],
)
def test_an_order_of_another_phase_is_answered_with_one_that_is_possible(
    system: str, power: str, line: str, phases: int
) -> None:
    rules: Any = systems[SystemId(system)]
    state = rules.play.start(variant=rules.info.variants[0], players=max(rules.info.seats), options={}, seed="a")
    for _ in range(phases):
        state = rules.play.adjudicate(state, {}, rules.play.dice(state)).state
    view = rules.sight.view(state, Playing(PowerId(power)))

    (error,) = read_orders(rules, view, line).errors
    told, example = load_phrases(system).render(error.reason), example_of(rules, view)

    assert error.code == "wrong_phase"
    assert not read_orders(rules, view, example).errors
    assert f"For example: `{example}`." in told
    assert not UNIT.findall(told.partition("For example")[0]), "no unit that is somebody else's or nobody's"
