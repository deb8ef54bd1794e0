"""Building, waiving, removing, and what civil disorder takes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.ids import PlaceId, PowerId
from engine.core.outcome import Outcome
from engine.provinces.classic.adjustments import adjudicate_adjustments
from engine.provinces.classic.model import Order, State
from engine.provinces.classic.rulebook import PRESETS, RemovalDistance, Rulebook
from engine.provinces.orders import Build, Remove, Waive
from tests.engine.diplomacy.table import RULES, state_of

WINTER = "winter 1901 adjustments"
RUSSIA, FRANCE = PowerId("russia"), PowerId("france")


def close(state: State, power: PowerId, *orders: Order) -> tuple[list[tuple[str, Outcome]], list[str], list[str]]:
    """Results, units on the board and events after a power's orders."""
    resolution = RULES.play.adjudicate(state, {power: list(orders)}, RULES.play.dice(state))
    units = [f"{unit.kind} {unit.at}" for unit in resolution.state.units if unit.power == power]
    results = [(result.text, result.outcome) for result in resolution.results if result.power == power]
    return results, units, [event.what.code for event in resolution.events]


def build(kind: str, at: str) -> Build:
    return Build(kind, PlaceId(at))


def remove(kind: str, at: str) -> Remove:
    return Remove(kind, PlaceId(at))


def russia(units: str = "", owned: str = "MOS STP SEV WAR") -> State:
    return state_of(units, phase=WINTER, centres=dict.fromkeys(owned.split(), "russia"))


def test_units_are_built_in_own_vacant_home_centres() -> None:
    results, units, _ = close(russia(), RUSSIA, build("F", "STP/NC"), build("A", "MOS"), Waive())
    assert units == ["A MOS", "F STP/NC"]
    assert results == [
        ("BUILD A MOS", Outcome.BUILDS), ("BUILD F STP/NC", Outcome.BUILDS), ("WAIVE", Outcome.SUCCEEDS),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "order",
    [
        build("F", "STP"),
        build("F", "MOS"),
        build("A", "STP/NC"),
        build("A", "SWE"),
        build("A", "WAR"),
        build("A", "BER"),
    ],
)
def test_an_impossible_build_is_passed_over(order: Build) -> None:
    owned = dict.fromkeys(["MOS", "STP", "SEV", "WAR", "SWE"], "russia") | {"BER": "germany"}
    state = state_of("germany A WAR", phase=WINTER, centres=owned)
    assert close(state, RUSSIA, order) == ([], [], ["event.builds_left"])


def test_of_two_builds_in_one_centre_and_of_too_many_the_first_count() -> None:
    state = russia("russia A UKR, A LVN", owned="MOS STP SEV WAR")
    results, _, _ = close(state, RUSSIA, build("A", "MOS"), build("A", "MOS"), build("A", "WAR"), build("A", "SEV"))
    assert [order for order, _ in results] == ["BUILD A MOS", "BUILD A WAR"]


def test_builds_that_nobody_ordered_are_told() -> None:
    _, units, events = close(russia(), RUSSIA, build("A", "MOS"))
    assert (units, events) == (["A MOS"], ["event.builds_left"])


def test_the_named_units_are_removed_and_no_more() -> None:
    state = russia("russia A UKR, A LVN, A GAL", owned="MOS STP")
    results, units, _ = close(state, RUSSIA, remove("A", "GAL"), remove("A", "UKR"))
    assert results == [("REMOVE A GAL", Outcome.DISBANDS)]
    assert units == ["A LVN", "A UKR"]


def test_missing_removals_take_the_farthest_then_fleets_then_by_name() -> None:
    # Portugal is far away; Finland and Livonia are as near as the Gulf of Bothnia.
    state = russia("russia A POR, A FIN, A LVN, F BOT, A MOS", owned="STP MOS")
    results, units, _ = close(state, RUSSIA)
    assert [order for order, _ in results] == ["REMOVE F BOT", "REMOVE A FIN", "REMOVE A POR"]
    assert units == ["A LVN", "A MOS"]


def test_without_any_centre_everything_goes() -> None:
    assert close(russia("russia A UKR, F BLA", owned=""), RUSSIA)[1] == []


@pytest.mark.parametrize(("owned", "code"), [("", "no_centre_left"), ("STP", "civil_disorder")])
def test_no_order_is_missed_where_all_have_to_go(owned: str, code: str) -> None:
    state = russia("russia A UKR, F BLA", owned=owned)
    found = adjudicate_adjustments(state, {})
    assert {result.reason.code for result in found.results} == {f"outcome.{code}"}


def with_rule(state: State, rule: RemovalDistance) -> State:
    return replace(state, rulebook=Rulebook(removal_distance=rule))


def test_distance_is_measured_as_the_rulebook_says() -> None:
    # Owned: Sweden, next to the fleet at Denmark. Homes: Warsaw is one step from Silesia, two over any border from
    # Berlin; the fleet there would sail three to St Petersburg.
    state = state_of("russia A DEN, F BER", phase=WINTER, centres={"SWE": "russia"})
    gone = {rule: close(with_rule(state, rule), RUSSIA)[0][0][0] for rule in RemovalDistance}
    assert gone == {
        RemovalDistance.OWNED_CENTRES: "REMOVE F BER",
        RemovalDistance.HOME_CENTRES: "REMOVE F BER",
        RemovalDistance.HOME_CENTRES_ANY_WAY: "REMOVE A DEN",
    }


def test_an_option_changes_one_rule_of_a_preset() -> None:
    document = {"options": {"rulebook": "webdiplomacy", "removal_distance": "owned_centres"}}
    expected = replace(PRESETS["webdiplomacy"], removal_distance=RemovalDistance.OWNED_CENTRES)
    assert RULES.play.load(document).rulebook == expected
