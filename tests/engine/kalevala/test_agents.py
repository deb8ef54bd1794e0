"""Agents: the risk that they are found, what strangers see of them, and windows of random games full of them."""

from __future__ import annotations

import random

import pytest

from engine.core.ids import PowerId
from engine.core.orders import Menu
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.kalevala.agents import ABROAD, AT_HOME, risk_of
from engine.kalevala.document import load
from engine.kalevala.model import State
from engine.kalevala.system import KALEVALA, seen_document
from engine.kalevala.view import view
from engine.kalevala.writing import dump
from tests.engine.kalevala.hidden import variants
from tests.engine.kalevala.test_secrets import all_that_is_shown
from tests.rulers import audit_sheets, wild_sheet


@pytest.mark.parametrize(
    ("risk", "wanted"),
    [
        (risk_of(ABROAD, 40, 3), 35),
        (risk_of(ABROAD, 40, 10), 5),
        (risk_of(ABROAD, 40, 3, watchers=1), 70),
        (risk_of(ABROAD, 40, 3, is_empty=True), 18),
        (risk_of(ABROAD, 90, 0, watchers=3), 95),
        (risk_of(AT_HOME, 0, 8), 5),
    ],
)
def test_the_risk_of_an_agent_is_that_of_example_e_7(risk: int, wanted: int) -> None:
    assert risk == wanted


def a_game(gr: int = 3, part: int = 1) -> State:
    """Anna's agents at home, abroad and held; one of Bert's who was found."""
    tower = {"type": "Tu", "kf": 19, "ghz": True, "gates": ["19/SE"]}
    return load(
        {
            "system": "kalevala",
            "seed": "agents",
            "phase": {"gr": gr, "part": part},
            "state": {
                "rulers": {"anna": {}, "bert": {}, "carl": {}},
                "gf": {
                    "2D+4": {"hz": {"type": "Std", "kf": 19}, "works": [tower]},
                    "2D+5": {"hz": {"type": "Std", "kf": 19}, "works": [tower]},
                },
                "owners": {"2D+4": "anna", "2C+4": "anna", "2D+5": "bert", "2D+6": "bert", "2D+7": "carl"},
                "stacks": {
                    "anna": {"2D+4": "9L 1Ag 80RE", "2C+4": "4L"},
                    "bert": {"2D+5": "9L 2IP 60RE", "2D+6": "3L"},
                    "carl": {"2D+7": "3L 9RE"},
                },
                "agents": [
                    {"ruler": "anna", "n": 1, "at": "2D+5", "group": "1L", "re": 60, "scouted": part == 3},
                    {"ruler": "anna", "n": 2, "at": "2D+7", "re": 10, "captive": "carl", "exposed": True},
                    {"ruler": "bert", "n": 1, "at": "2C+4", "re": 30, "exposed": True},
                    {"ruler": "carl", "n": 4, "at": "2D+4", "group": "2L", "re": 30},
                ],
            },
        }
    )


@pytest.mark.parametrize("part", [1, 3])
def test_strangers_see_captives_and_those_who_were_found_and_no_more(part: int) -> None:
    state = a_game(part=part)
    rows = {ruler: seen_document(view(state, Playing(ruler)))["state"].get("agents") for ruler in state.rulers}
    assert rows[PowerId("bert")] == [row for row in dump(state)["state"]["agents"] if row["ruler"] == "bert"]
    assert rows[PowerId("carl")][0] == {"at": "2D+7", "of": "anna"}
    assert [row["at"] for row in rows[PowerId("anna")]] == ["2D+5", "2D+7", "2C+4"]
    assert rows[PowerId("anna")][2] == {"at": "2C+4", "of": "bert", "exposed": True}


@pytest.mark.parametrize("part", [1, 3])
def test_hidden_agents_change_nothing_that_others_are_shown(part: int) -> None:
    state = a_game(part=part)
    for ruler in state.rulers:
        text = wild_sheet(state, ruler, random.Random(f"{ruler}{part}")) or "PASS"
        shown = all_that_is_shown(state, ruler, text)
        for other in variants(state, Playing(ruler)):
            assert all_that_is_shown(other, ruler, text) == shown


def test_the_books_of_windows_full_of_agents_balance() -> None:
    chance = random.Random("spies")
    told: set[str] = set()
    for game in range(4):
        state = a_game().replace(seed=f"{game}")
        for _ in range(6):
            sheets = {}
            for ruler in KALEVALA.play.status(state).to_act:
                text = wild_sheet(state, ruler, chance)
                if text is not None:
                    sheets[ruler] = read_orders(KALEVALA, KALEVALA.sight.view(state, Playing(ruler)), text).values
            assert audit_sheets(state, sheets) == []
            done = KALEVALA.play.adjudicate(state, sheets, KALEVALA.play.dice(state))
            told |= {event.facts.code for event in done.events if event.facts is not None}
            state = done.state
            assert load(dump(state)) == state
    assert {"agent_moved", "agent_found", "deed", "misdeed", "answer"} <= told


def test_the_guide_offers_what_agents_can_do() -> None:
    for part, wanted in ((1, "AGENT 1 SCOUT"), (3, "AGENT 1 DO MURDER 1L")):
        found = KALEVALA.orders.menu(view(a_game(part=part), Playing(PowerId("anna"))), ("AGENT", "Ag1"))
        assert isinstance(found, Menu)
        assert wanted in [choice.value for choice in found.choices]
        assert not [choice.label for choice in found.choices if choice.label != choice.label.strip()]
