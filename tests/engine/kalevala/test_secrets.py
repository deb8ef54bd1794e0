"""What a ruler can't see changes nothing of what he is shown: views, receipts, suggestions, reports.

Source: rules 31, 33, R-105
"""

from __future__ import annotations

import random

import pytest

from engine.core.ids import PowerId
from engine.core.outcome import Outcome
from engine.core.reading import read_orders
from engine.core.viewer import EVERYBODY, Playing
from engine.kalevala.document import load
from engine.kalevala.model import State
from engine.kalevala.system import KALEVALA, seen_document
from tests.engine.kalevala.hidden import variants
from tests.rulers import wild_sheet

RULES = KALEVALA


def worlds(seed: str, windows: int) -> list[State]:
    """The positions of a random game."""
    chance = random.Random(seed)
    state = load({"system": "kalevala", "seed": seed})
    found = [state]
    for _ in range(windows):
        sheets = {}
        for ruler in RULES.play.status(state).to_act:
            text = wild_sheet(state, ruler, chance)
            if text is not None:
                sheets[ruler] = read_orders(RULES, RULES.sight.view(state, Playing(ruler)), text).values
        state = RULES.play.adjudicate(state, sheets, RULES.play.dice(state)).state
        found.append(state)
    return found


@pytest.mark.parametrize("seed", ["vainamoinen", "ilmarinen", "lemminkainen"])
def test_what_is_hidden_changes_nothing_that_is_shown(seed: str) -> None:
    chance = random.Random(seed)
    for state in worlds(seed, 9):
        for ruler in RULES.play.status(state).to_act:
            text = wild_sheet(state, ruler, chance) or "PASS"
            shown = all_that_is_shown(state, ruler, text)
            for other in variants(state, Playing(ruler)):
                assert all_that_is_shown(other, ruler, text) == shown


def all_that_is_shown(state: State, ruler: PowerId, text: str) -> tuple[object, ...]:
    """Everything that the rules say to a ruler before a window closes."""
    view = RULES.sight.view(state, Playing(ruler))
    parsed = RULES.orders.parse(text, view)
    assert RULES.orders.rehearse is not None
    return (
        view,
        seen_document(view),
        RULES.sight.atlas(view).spaces.keys(),
        parsed,
        RULES.orders.rehearse(view, parsed.orders),
        RULES.orders.advise(view, parsed.orders),
        RULES.orders.template(view, ()),
        RULES.orders.missing(view, ()),
        RULES.telling.briefing(view),
        RULES.telling.text_board(view),
    )


@pytest.mark.parametrize("seed", ["kullervo", "aino"])
def test_the_deadline_refuses_what_the_receipt_refused_and_nothing_else(seed: str) -> None:
    """So that no result tells by a refusal what the ruler could not know, and no receipt promises too much."""
    chance = random.Random(seed)
    state = load({"system": "kalevala", "seed": seed})
    assert RULES.orders.rehearse is not None
    for _ in range(16):
        sheets, foreseen = {}, {}
        for ruler in RULES.play.status(state).to_act:
            view = RULES.sight.view(state, Playing(ruler))
            orders = RULES.orders.parse(wild_sheet(state, ruler, chance) or "PASS", view).orders
            sheets[ruler] = [read.order for read in orders]
            lines = RULES.orders.rehearse(view, orders).lines
            foreseen[ruler] = {each.line: each.code for each in lines if each.level == "error"}
        done = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
        refused: dict[PowerId, dict[int, str]] = {ruler: {} for ruler in sheets}
        for result in done.results:
            if result.outcome is Outcome.INVALID:
                refused[result.power][int(result.subject)] = result.codes[0]
        assert refused == foreseen
        state = done.state


def test_everybody_knows_the_rulers_by_name_and_nothing_else() -> None:
    for state in worlds("louhi", 3):
        public = seen_document(RULES.sight.view(state, EVERYBODY))["state"]
        assert list(public["rulers"]) == list(state.rulers)
        assert not any(public[key] for key in ("gf", "owners", "stacks"))
        assert not any(public["rulers"].values())


def test_the_worlds_differ() -> None:
    """The test's own eyes: each world that looks the same is another one."""
    state = worlds("ahti", 3)[-1]
    for other in variants(state, Playing(PowerId("anna"))):
        assert other != state
