"""That an expectation which holds nothing would be found."""

from __future__ import annotations

from tests.cases import Case
from tests.cases.flip import fails, flips

CASE: Case = {
    "id": "1",
    "title": "It holds",
    "units": ["red A BUD"],
    "turn": [
        {
            "orders": {"red": [["A BUD H", "invalid wrong_phase"]]},
            "dice": {"nomad/1": 1},
            "units": ["red A BUD"],
            "centres": {"BUD": "red"},
            "events": [{"code": "took"}],
            "winners": [],
            "asked": 1,
        }
    ],
}


def _altered() -> dict[str, Case]:
    return dict(flips(CASE, "diplomacy"))


def test_everything_expected_is_altered_and_nothing_given() -> None:
    assert set(_altered()) == {
        "0.orders.red.0.1 = invalidx wrong_phase",
        "0.orders.red.0.1 = invalid wrong_phasex",
        "0.units.0 = redx A BUD",
        "0.units.0 = red Ax BUD",
        "0.units.0 = red A BUDx",
        "0.units = []",
        "0.centres.BUD = redx",
        "0.events.0.code = tookx",
        "0.winners = ['x']",
        "0.asked = 2",
    }


def test_what_a_player_of_cases_does_not_look_at_is_found() -> None:
    def play(case: Case) -> None:
        (turn,) = case["turn"]
        assert {**turn, "centres": None} == {**CASE["turn"][0], "centres": None}

    assert [what for what, case in _altered().items() if not fails(play, case)] == ["0.centres.BUD = redx"]
    assert not fails(play, CASE)
