"""Tests of `engine.provinces.classic.menu`: the guided flow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.provinces.classic.model import View
from tests.engine.diplomacy.table import RULES, accepted, view_of, words
from tests.positions import dense_phase


def choices(view: View, *path: str) -> list[tuple[str, str]]:
    return [(choice.value, choice.label) for choice in RULES.orders.menu(view, path).choices]


def walk(view: View, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Every order that the menu leads to."""
    step = RULES.orders.menu(view, path)
    assert words().render(step.prompt)
    if step.order is not None:
        assert step.choices == ()
        yield step.order
    values = [choice.value for choice in step.choices]
    assert len(set(values)) == len(values)
    for choice in step.choices:
        assert 1 <= len(choice.label) <= 100
        assert 1 <= len(choice.value) <= 100
        yield from walk(view, (*path, choice.value))


def test_first_the_unit_then_what_it_does_then_where() -> None:
    view = view_of("england")
    assert choices(view) == [("EDI", "Fleet Edinburgh"), ("LON", "Fleet London"), ("LVP", "Army Liverpool")]
    assert choices(view, "LVP") == [("hold", "holds"), ("move", "moves to…"), ("support", "supports…")]
    assert choices(view, "LVP", "support") == [
        ("EDI", "Fleet Edinburgh (England)"),
        ("LON", "Fleet London (England)"),
    ]
    assert choices(view, "LVP", "support", "EDI") == [
        ("stay", "to hold where it is"),
        ("CLY", "to Clyde"),
        ("YOR", "to Yorkshire"),
    ]
    assert RULES.orders.menu(view, ["LVP", "support", "EDI", "YOR"]).order == "A LVP S F EDI - YOR"
    assert RULES.orders.menu(view, ["LVP", "hold"]).order == "A LVP H"


def test_a_shortlist_begins_with_moves_and_what_fits_the_orders_that_stand() -> None:
    view = view_of("england", "england A LVP, F EDI, F LON; france F ENG")
    standing = read_orders(RULES, view, "F EDI - YOR").values
    (army,) = RULES.orders.shortlists(view, {"LVP"}, standing)
    labels = [order.label for order in army.orders]
    assert labels[0].startswith("moves to")
    assert labels.index("supports Fleet Edinburgh (England) to Yorkshire") == labels.index("holds") + 1
    assert army.stands == ()
    (fleet,) = RULES.orders.shortlists(view, {"EDI"}, standing)
    assert fleet.stands == ("F EDI - YOR",)


def test_coasts_are_named_in_full() -> None:
    view = view_of("france", "france F MAO")
    assert ("SPA/NC", "Spain (north coast)") in choices(view, "MAO", "move")


def test_an_outdated_path_starts_again() -> None:
    view = view_of("england")
    assert RULES.orders.menu(view, ["BRE", "move"]) == RULES.orders.menu(view, [])
    assert RULES.orders.menu(view, ["LVP", "move", "MOS"]) == RULES.orders.menu(view, [])


def test_who_has_nothing_to_order_is_told_so() -> None:
    for view in (view_of(None), view_of("austria", "italy A ROM")):
        step = RULES.orders.menu(view, [])
        assert (step.choices, step.order) == ((), None)
        assert words().render(step.prompt)


GONE = [{"power": "austria", "kind": "A", "at": "VIE", "from": "BOH", "retreats": ["GAL", "TYR"]}]
POSITIONS: list[tuple[str, str, dict[str, Any]]] = [
    ("austria", "germany A VIE", {"phase": "spring 1901 retreats", "dislodged": GONE}),
    ("russia", "russia A WAR", {"phase": "winter 1901 adjustments", "centres": {"STP": "russia", "MOS": "russia"}}),
    ("russia", "russia A WAR, F BOT", {"phase": "winter 1901 adjustments", "centres": {"STP": "russia"}}),
]


@pytest.mark.parametrize(("power", "units", "more"), POSITIONS, ids=["retreats", "builds", "removals"])
def test_every_legal_order_of_other_phases_has_a_path(power: str, units: str, more: dict[str, Any]) -> None:
    view = view_of(power, units, **more)
    found = list(walk(view))
    legal = [RULES.orders.format(order) for orders in RULES.orders.legal(view).values() for order in orders]
    assert sorted(found) == sorted(legal)
    for order in found:
        assert accepted(view, order) == [order]


@pytest.mark.parametrize("seed", range(2))
def test_every_legal_order_has_a_path(seed: int) -> None:
    phase = dense_phase(seed, units=16)
    state = RULES.play.load(phase.document())
    for power in phase.sheets:
        view = RULES.sight.view(state, Playing(PowerId(power)))
        legal = [RULES.orders.format(order) for orders in RULES.orders.legal(view).values() for order in orders]
        assert sorted(walk(view)) == sorted(legal)
