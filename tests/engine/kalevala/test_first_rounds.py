"""The first two great rounds of `small`, as six rulers might play them: facts that hold whatever the dice show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.core.ids import PowerId
from engine.core.outcome import Outcome
from engine.core.play import Resolution
from engine.core.reading import adjudicate_texts, read_orders
from engine.core.viewer import Playing
from engine.kalevala.coordinates import Province
from engine.kalevala.document import load
from engine.kalevala.model import State, TradeCentre, View
from engine.kalevala.orders import Line
from engine.kalevala.system import KALEVALA
from tests import random_kalevala

RULES = KALEVALA
OPENING = {
    "fina": "EXPLORE 1 2C+8 > 2D+8\nEXPLORE 2 2C+7 > 2C+6\nEXPLORE 3 2C+7 > 2D+7",
    "anna": "EXPLORE 1 2F+7 > 2G+6\nEXPLORE 2 2E+7 > 2E+6\nEXPLORE 3 2E+6 > 2E+5",
    "bert": "EXPLORE 1 2H+4 > 2H+3\nEXPLORE 2 2G+5 > 2G+4",
    "carl": "EXPLORE 1 2G+2 > 2F+2\nEXPLORE 2 2G+3 > 2F+3",
    "dora": "EXPLORE 1 2D+3 > 2C+4\nEXPLORE 2 2E+3 > 2E+4",
    "emil": "EXPLORE 1 2B+6 > 2B+7\nEXPLORE 2 2C+5 > 2C+6",
}
SETTLERS = {
    "fina": 'ENTER 4 2C+8 B 2D+8 5L LOSS 2L NAME "Nordhafen"\nENTER 5 2C+7 B 2C+6 4L LOSS 1L',
    "anna": 'ENTER 4 2F+7 B 2G+6 5L LOSS 2L NAME "Ostmarkt"',
    "bert": 'ENTER 4 2H+4 B 2H+3 3LB LOSS 1LB NAME "Suedtor"',
    "carl": 'ENTER 4 2G+2 B 2F+2 2SC LOSS 1SC NAME "Waldrand"',
    "dora": 'ENTER 4 2D+3 B 2C+4 5A LOSS 2A NAME "Seeblick"',
    "emil": 'ENTER 4 2B+6 B 2B+7 3AB LOSS 1AB NAME "Wurezburg"\nENTER 5 2C+5 B 2C+6 2AB LOSS 1AB',
}
ARMING = {
    "fina": 'ARM 2B+8 34 FROM 2B+8,2C+7,PEOPLE\nCONVERT 2B+8 7L 7B\nLETTER emil "Let me have the hills of 2C+6"',
    "anna": "ARM 2E+8 32 FROM 2E+8,PEOPLE\nARM 2F+7 6 FROM 2F+7,2E+7\nARM 2G+6 4 FROM 2G+6\n"
    "CONVERT 2E+8 6L 4On\nCONVERT 2F+7 6Le",
    "bert": "PERMIT carl 2H+3 3\nCONVERT 2H+5 5LB 2BB 4IP",
    "carl": "EXPLORE 1 2H+2 > 2H+3\nCONVERT 2H+2 4SC",
    "dora": "ARM 2E+2 40 FROM 2E+2,2D+3,2E+3,PEOPLE\nBUILD 2E+2 Bf KF 19",
    "emil": 'LETTER fina "Take them, and keep the peace"\nCONVERT 2B+5 4AB 6Wi',
}
GUESTS = {
    "fina": "SETTLE 2C+6 TO fina",
    "emil": "SETTLE 2C+6 TO fina",
    "carl": "ENTER 2 2H+2 E 2H+3 2SC",
    "anna": "PASS",
    "bert": "PASS",
    "dora": "PASS",
}
WINDOWS = (OPENING, SETTLERS, ARMING, GUESTS)


@pytest.fixture(scope="module", params=["one", "two", "three"])
def played(request: pytest.FixtureRequest) -> list[Resolution[State, Line]]:
    """The four windows; each game has other dice."""
    state = load({"system": "kalevala", "seed": request.param, "dice": {"explore/anna/3": [50]}})
    found = []
    for texts in WINDOWS:
        resolution, errors = adjudicate_texts(RULES, state, {PowerId(ruler): text for ruler, text in texts.items()})
        assert not any(errors.values())
        sheets = {
            PowerId(ruler): read_orders(RULES, view_of(state, ruler), text).values for ruler, text in texts.items()
        }
        assert not random_kalevala.audit_sheets(state, sheets)
        found.append(resolution)
        state = resolution.state
    return found


def view_of(state: State, ruler: str) -> View:
    return RULES.sight.view(state, Playing(PowerId(ruler)))


def told(resolution: Resolution[State, Line], code: str) -> list[tuple[tuple[str, ...], Mapping[str, Any]]]:
    """The events of a code: for whom, and what."""
    return [
        (tuple(sorted(event.audience or ())), event.facts.args)
        for event in resolution.events
        if event.facts is not None and event.facts.code == code
    ]


def outcomes(resolution: Resolution[State, Line], ruler: str) -> list[tuple[Outcome, tuple[str, ...]]]:
    return [(result.outcome, result.codes) for result in resolution.results if result.power == ruler]


def test_all_scouts_arrive_and_those_who_meet_are_told(played: list[Resolution[State, Line]]) -> None:
    first = played[0]
    assert {result.outcome for result in first.results} == {Outcome.SUCCEEDS}
    assert told(first, "scouts_met") == [(("emil", "fina"), {"gf": "2C+6"})]
    deep = next(args for _, args in told(first, "explored") if args["to"] == "2E+5")
    assert deep["owner"] == "wolves"
    assert deep["stacks"] == {"wolves": "10A 4B"}
    assert deep["hz"]["type"] == "Phstd"
    cut = next(args for _, args in told(first, "explored") if args["to"].startswith("2D+7"))
    assert cut["to"] == "2D+7/1"
    assert "?" in cut["gf"]["kf"]


def test_six_occupations_and_one_contest(played: list[Resolution[State, Line]]) -> None:
    second = played[1]
    occupied = told(second, "occupied")
    assert [(to, args["gf"], args["losses"], args["hz"]["name"]) for to, args in occupied] == [
        (("emil",), "2B+7", 4, "Wurezburg"),
        (("dora",), "2C+4", 4, "Seeblick"),
        (("fina",), "2D+8", 4, "Nordhafen"),
        (("carl",), "2F+2", 4, "Waldrand"),
        (("anna",), "2G+6", 4, "Ostmarkt"),
        (("bert",), "2H+3", 4, "Suedtor"),
    ]
    assert [args["gf"] for _, args in told(second, "contested")] == ["2C+6"]
    assert second.state.contested == {"2C+6": ("emil", "fina")}
    assert "2C+6" not in second.state.owners


def test_the_fog_is_right_on_every_map(played: list[Resolution[State, Line]]) -> None:
    second = played[1].state
    seen = view_of(second, "anna").state
    assert set(seen.land) == {"2E+7", "2E+8", "2F+7", "2G+6", "2E+6", "2E+5"}
    assert seen.land["2E+5"].centre is None  # type: ignore[index]
    assert set(seen.owners.values()) == {"anna"}
    assert set(view_of(second, "fina").state.stacks["emil"]) == {"2C+6"}  # type: ignore[index]
    assert "emil" not in view_of(second, "bert").state.stacks


def test_trade_centres_that_scouts_saw_are_remembered_by_their_ruler_alone(
    played: list[Resolution[State, Line]],
) -> None:
    second = played[1].state
    seen = {"2E+5": TradeCentre("Phstd"), "2E+6": TradeCentre("Mkt", is_founded=False)}
    assert dict(view_of(second, "anna").state.centres) == {"anna": seen}
    assert all(set(view_of(second, ruler).state.centres) <= {ruler} for ruler in second.rulers)
    assert "2E+8" in second.centres[PowerId("anna")], "one's own, for the day when it is lost"


def test_arming_by_zones_and_newly_occupied_land(played: list[Resolution[State, Line]]) -> None:
    third = played[2]
    assert outcomes(third, "anna") == [
        (Outcome.SUCCEEDS, ("ok",)),
        (Outcome.SUCCEEDS, ("ok",)),
        (Outcome.INVALID, ("V25",)),
        (Outcome.SUCCEEDS, ("ok",)),
        (Outcome.SUCCEEDS, ("ok",)),
    ]
    assert third.state.stack(PowerId("anna"), "2F+7")["Le"] == 6  # type: ignore[arg-type]
    assert third.state.stack(PowerId("anna"), "2E+8")["On"] == 4  # type: ignore[arg-type]
    for _, ledger in told(third, "ledger"):
        assert ledger["arming"] == 24
        assert ledger["people"] == 16
        assert ledger["re_after"] == ledger["re_before"] + 40 - ledger["spent"] - ledger["paid"]
    letters = told(third, "letter")
    assert [(to, args["from"]) for to, args in letters] == [(("emil",), "fina"), (("fina",), "emil")]


def test_the_contest_is_settled_and_the_guest_seen_by_both(played: list[Resolution[State, Line]]) -> None:
    last = played[3]
    assert last.state.owners["2C+6"] == "fina"  # type: ignore[index]
    assert [args["owner"] for _, args in told(last, "settled")] == ["fina"]
    assert told(last, "entered") == [
        (("bert", "carl"), {"gf": "2H+3", "figures": "2SC", "guest": "carl", "host": "bert"})
    ]
    for one, other in (("bert", "carl"), ("carl", "bert")):
        seen = view_of(last.state, one).state
        assert seen.stack(PowerId(other), "2H+3")  # type: ignore[arg-type]
        assert set(seen.stacks[PowerId(other)]) == {"2H+3"}
    assert (last.state.gr, last.state.part) == (3, 1)


def test_nobody_is_told_what_is_not_for_him(played: list[Resolution[State, Line]]) -> None:
    for resolution in played:
        for event in resolution.events:
            assert event.facts is not None
            if event.facts.code in ("explored", "ledger", "occupied", "sorcery", "letter"):
                assert event.audience is not None
                assert len(event.audience) == 1
        assert all(result.audience == frozenset((result.power,)) for result in resolution.results)


def test_lost_land_is_remembered_from_the_round_in_which_it_was_lost() -> None:
    position = {
        "rulers": {"anna": {}, "bert": {}},
        "gf": {"2D+5": {"hz": {"type": "Mkt", "kf": 19, "name": "Vanha"}}},
        "owners": {"2D+4": "anna", "2D+5": "bert", "2H+4": "bert"},
        "stacks": {"anna": {"2D+4": "9L"}, "bert": {"2H+4": "4L"}},
        "explored": {"anna": [{"ee": 1, "from": "2D+4", "to": "2D+5", "result": "FULL"}]},
    }
    state = load({"system": "kalevala", "phase": {"gr": 3, "part": 3}, "state": position})
    resolution, _ = adjudicate_texts(RULES, state, {PowerId("anna"): "ENTER 2 2D+4 K 2D+5 8L"})
    seen = view_of(resolution.state, "bert").state
    assert resolution.state.owners[Province("2D+5")] == "anna"
    assert seen.seen[PowerId("bert")] == {"2D+5": 3}
    assert seen.centres[PowerId("bert")] == {"2D+5": TradeCentre("Mkt")}, "without the name"
