"""Tests of `engine.provinces.classic.report`: the lines of a closed phase read like sentences."""

from __future__ import annotations

import pytest

from engine.core.ids import PowerId
from engine.core.viewer import EVERYBODY
from engine.provinces.classic.model import State
from tests.engine.diplomacy.table import RULES, state_of, words
from tests.engine.diplomacy.test_adjudicate import play
from tests.pictured import as_map

FULL = "germany A MUN, F BER; italy A VEN; austria A BOH; france A PAR; england A LON, F NTH; russia F SKA, F DEN"


def lines_of(state: State, power: str, **orders: str) -> list[str]:
    resolution = play(state, **orders)
    report = RULES.telling.report(RULES.sight.view(resolution.state, EVERYBODY), resolution.results, resolution.events)
    (section,) = (section for section in report.sections if section.title.args.get("power") == PowerId(power))
    return [words().render(line) for line in section.lines]


@pytest.mark.parametrize(
    ("power", "orders", "line"),
    [
        ("germany", {"germany": "A MUN - BER"}, "✗ A MUN - BER bounced: F BER of the same power stayed there"),
        ("germany", {"germany": "A MUN - BOH"}, "✗ A MUN - BOH bounced: A BOH stayed there, 1 against 1"),
        ("germany", {"germany": "A MUN S F BER", "austria": "A BOH - MUN"}, "✗ A MUN S F BER was cut: A BOH attacked"),
        (
            "germany",
            {"germany": "A MUN S A PAR - BUR"},
            "✗ A MUN S A PAR - BUR had no effect: A PAR was not ordered to go there",
        ),
        (
            "england",
            {"england": "A LON - NWY"},
            "✗ A LON - NWY was not convoyed: no chain of fleets carried it all the way",
        ),
        (
            "england",
            {"england": "A LON - NWY; F NTH C A LON - NWY", "russia": "F SKA - NTH; F DEN S F SKA - NTH"},
            "✗ A LON - NWY came to nothing: the convoy was broken by the loss of F NTH",
        ),
        ("italy", {"italy": "A VEN H"}, "✓ A VEN H"),
        ("italy", {}, "– A VEN H (no order)"),
    ],
)
def test_a_line_says_what_became_of_an_order_and_why(power: str, orders: dict[str, str], line: str) -> None:
    assert line in lines_of(state_of(FULL), power, **orders)


def test_a_dislodged_unit_is_counted_until_it_is_gone() -> None:
    state = state_of("austria A TYR, A TRI; italy A VEN")
    resolution = play(state, austria="A TYR - VEN\nA TRI S A TYR - VEN")
    report = RULES.telling.report(RULES.sight.view(resolution.state, EVERYBODY), resolution.results, resolution.events)
    assert "Italy: 3 centres, 1 unit" in [words().render(line) for line in report.sections[-1].lines]
    legend = as_map(RULES.telling.scene(RULES.sight.view(resolution.state, EVERYBODY))).legend
    assert dict(next(row for row in legend if row.power == "italy").figures)["units"] == 1


def test_a_removal_that_was_ordered_is_told_as_done_and_another_with_its_reason() -> None:
    state = state_of("austria A BUD, A VIE", phase="winter 1901 adjustments", centres={"BUD": "austria"})
    assert lines_of(state, "austria", austria="REMOVE A VIE") == ["✓ REMOVE A VIE"]
    (line,) = lines_of(state, "austria")
    assert line == "– REMOVE A VIE: no order, so the unit farthest away was removed"
