"""A line that can't be read because a word of the order language is misspelt comes with the order that was meant."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import PowerId, SystemId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.registry import systems


def _hints(system: str, power: str, line: str, *, phases: int = 0) -> list[tuple[str, ...]]:
    rules: Any = systems[SystemId(system)]
    variant = rules.info.variants[0]
    state = rules.play.start(variant=variant, players=max(rules.info.seats_in(variant)), options={}, seed="a")
    for _ in range(phases):
        state = rules.play.adjudicate(state, {}, rules.play.dice(state)).state
    reading = read_orders(rules, rules.sight.view(state, Playing(PowerId(power))), line)
    assert not reading.orders
    return [error.hints for error in reading.errors]


@pytest.mark.parametrize(
    ("system", "power", "line", "phases", "meant"),
    [
        ("diplomacy", "france", "A PAR moev BUR", 0, "A PAR - BUR"),
        ("diplomacy", "france", "A PAR suport A MAR - BUR", 0, "A PAR S A MAR - BUR"),
        ("diplomacy", "france", "Armee PAR to BUR", 0, "A PAR - BUR"),
        ("kregen", "zair", "biuld A ZIM", 0, "BUILD A ZIM"),
        ("kregen", "akhram", "capitol AKH", 0, "capital AKH"),
        ("feudal", "lion", "chooze PAR", 0, "CHOOSE 1 PAR"),
        ("young_kingdoms", "lormyr", "A RAM hlod", 1, "A RAM H"),
    ],
)
def test_a_misspelt_keyword_is_guessed(system: str, power: str, line: str, phases: int, meant: str) -> None:
    assert _hints(system, power, line, phases=phases) == [(meant,)]


@pytest.mark.parametrize(
    "line",
    [
        "biuld A PAR",  # nobody builds in Spring
        "A PAR suport A BUD",  # out of reach
        "hello, shall we move on?",
        "A PAR " + "moev " * 40 + "BUR",
    ],
)
def test_nothing_is_guessed_that_could_not_be_ordered(line: str) -> None:
    assert _hints("diplomacy", "france", line) == [()]


def test_of_a_long_text_only_the_first_lines_are_guessed() -> None:
    hints = _hints("diplomacy", "france", "\n".join(["A PAR moev BUR"] * 30))
    assert hints == [("A PAR - BUR",)] * 20 + [()] * 10
