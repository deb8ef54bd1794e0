"""Dislodged units retreat, disband, and keep each other out."""

from __future__ import annotations

from engine.core.ids import PlaceId, PowerId, ProvinceId
from engine.core.outcome import Outcome
from engine.core.variant import load_phrases
from engine.provinces.classic.model import Order, State
from engine.provinces.orders import Disband, Retreat
from tests.engine.diplomacy.table import RULES, state_of

WORDS = load_phrases("diplomacy")

AUSTRIA, ITALY = PowerId("austria"), PowerId("italy")


def retreating() -> State:
    return state_of(
        "germany A TYR, A VIE",
        phase="fall 1901 retreats",
        dislodged=[
            {"power": "italy", "kind": "A", "at": "TYR", "from": "MUN", "retreats": ["VEN", "TRI"]},
            {"power": "austria", "kind": "A", "at": "VIE", "from": "BOH", "retreats": ["TRI", "BUD"]},
        ],
    )


def outcomes(state: State, **orders: Order) -> dict[str, tuple[str, Outcome, str]]:
    sheets = {PowerId(power): [order] for power, order in orders.items()}
    results = RULES.play.adjudicate(state, sheets, RULES.play.dice(state)).results
    return {result.subject: (result.text, result.outcome, result.reason.code) for result in results}


def retreat(at: str, to: str) -> Retreat:
    return Retreat("A", PlaceId(at), PlaceId(to))


def test_units_retreat_to_different_provinces() -> None:
    found = outcomes(retreating(), italy=retreat("TYR", "VEN"), austria=retreat("VIE", "TRI"))
    assert {outcome for _, outcome, _ in found.values()} == {Outcome.RETREATS}


def test_units_that_want_to_go_to_one_province_all_disband() -> None:
    state = retreating()
    sheets = {ITALY: [retreat("TYR", "TRI")], AUSTRIA: [retreat("VIE", "TRI")]}
    resolution = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
    assert [result.outcome for result in resolution.results] == [Outcome.DISBANDS, Outcome.DISBANDS]
    assert WORDS.render(resolution.results[0].reason) == "A VIE wanted to go to TRI too, so it was disbanded"
    assert [unit.at for unit in resolution.state.units] == ["TYR", "VIE"]


def test_two_fleets_meet_in_a_province_on_whatever_coast() -> None:
    state = state_of(
        "italy F WES, F MAO",
        phase="spring 1905 retreats",
        dislodged=[
            {"power": "france", "kind": "F", "at": "WES", "retreats": ["SPA/SC"]},
            {"power": "england", "kind": "F", "at": "MAO", "retreats": ["SPA/NC"]},
        ],
    )
    found = outcomes(
        state,
        france=Retreat("F", PlaceId("WES"), PlaceId("SPA/SC")),
        england=Retreat("F", PlaceId("MAO"), PlaceId("SPA/NC")),
    )
    assert [outcome for _, outcome, _ in found.values()] == [Outcome.DISBANDS, Outcome.DISBANDS]


def test_a_unit_without_an_order_disbands() -> None:
    found = outcomes(retreating(), italy=Disband("A", PlaceId("TYR")))
    assert found == {
        "TYR": ("A TYR D", Outcome.DISBANDS, "outcome.disbanded"),
        "VIE": ("A VIE D", Outcome.DISBANDS, "outcome.no_retreat_order"),
    }


def test_a_retreat_to_where_it_may_not_go_is_passed_over() -> None:
    found = outcomes(retreating(), italy=retreat("TYR", "MUN"))
    assert found["TYR"] == ("A TYR D", Outcome.DISBANDS, "outcome.no_retreat_order")


def test_a_unit_that_retreats_into_a_centre_in_fall_takes_it() -> None:
    state = retreating()
    after = RULES.play.adjudicate(state, {ITALY: [retreat("TYR", "TRI")]}, RULES.play.dice(state)).state
    assert after.centres[ProvinceId("TRI")] == "italy"
    assert after.dislodged == ()
    assert after.phase.code == "W1901A"


def test_who_loses_the_last_unit_without_a_centre_is_out() -> None:
    state = state_of(
        "germany A TYR",
        phase="spring 1901 retreats",
        centres={"MUN": "germany"},
        dislodged=[{"power": "italy", "kind": "A", "at": "TYR", "from": "MUN"}],
    )
    resolution = RULES.play.adjudicate(state, {}, RULES.play.dice(state))
    assert [event.what.code for event in resolution.events] == ["event.eliminated"]
    assert "italy" in RULES.play.status(resolution.state).out
