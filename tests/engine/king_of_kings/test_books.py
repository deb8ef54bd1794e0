"""Random turns of King of Kings: nothing comes from nowhere, and nothing is lost that nobody told of."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.king_of_kings.model import State
from engine.king_of_kings.turn import run
from engine.king_of_kings.working import Booking, Turn
from tests.random_king_of_kings import RULES, audit, wild_sheet

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"loyalty": True, "capture": True, "storage_gold": 40},
    {"sea_ownership": True, "sea_placement": True, "storage_gold": "none", "storage_food": "none"},
    {"crew": False, "place_and_move": False, "interleave": "by_nation", "nmr": "hold", "loyalty": True},
    {"home_placement": True, "last_man_standing": True, "loyalty": True, "sea_ownership": True, "storage_food": 4},
)


def new_game(players: int, seed: str, **options: Any) -> State:
    return RULES.play.start(variant="classic", players=players, options=options, seed=seed)


def random_turn(state: State, chance: random.Random) -> Turn:
    sheets = {}
    for nation in RULES.play.status(state).to_act:
        text = wild_sheet(state, nation, chance)
        if text is not None:
            sheets[nation] = read_orders(RULES, RULES.sight.view(state, Playing(nation)), text).values
    return run(state, sheets, RULES.play.dice(state).streams())


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(options) or "defaults")
def test_books_balance_in_every_turn_of_a_game(options: dict[str, Any]) -> None:
    chance = random.Random(str(options))
    state = new_game(5, f"books {options}", end_turn=15, **options)
    while state.over is None:
        turn = random_turn(state, chance)
        after = turn.close()
        assert audit(state, turn, after) == [], f"turn {state.turn}"
        assert RULES.play.load(RULES.play.dump(after)) == after
        state = after
    assert state.ending is not None
    assert {row.nation for row in state.ending.ranking} == {
        nation.id for nation in state.nations.values() if not nation.is_monsters
    }


def test_auditor_finds_what_the_ledger_does_not_know() -> None:
    state = new_game(3, "auditor")
    turn = random_turn(state, random.Random(1))
    after = turn.close()
    romans = after.nations[PowerId("romans")]
    richer = replace(after, nations={**after.nations, romans.id: replace(romans, gold=romans.gold + 1)})
    assert any("romans has" in line for line in audit(state, turn, richer))
    turn.ledger.append(Booking(romans.id, "F", -1000, "hunger"))
    assert any("after hunger" in line for line in audit(state, turn, after))
    assert any(line.startswith("told") for line in audit(state, turn, after))
