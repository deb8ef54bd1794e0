"""Books balance in games of rulers at random, and each game replays equal; tables of pay at their edges.

Many more games: `python -m tests.play_random kalevala --games 200 --until-year 12`.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from engine.answers import answer_line
from engine.core.ids import PowerId, SystemId
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala.document import load
from engine.kalevala.system import KALEVALA
from engine.kalevala.tables import PAY_GROUPS, pay_group
from engine.registry import systems
from tests.play_random import play
from tests.random_kalevala import wild_sheet


@pytest.mark.parametrize("seed", ["random 1001", "random 1002"])
def test_a_game_at_random_balances_and_replays(seed: str) -> None:
    played = play(systems[SystemId("kalevala")], seed, years=5)
    assert played.phases == 10
    assert played.outcomes["ENTER succeeds"]
    assert played.outcomes["CONVERT succeeds"]


def test_a_game_at_random_by_batch_alone() -> None:
    """Every answer has words, and documents read back."""
    chance = random.Random("batch")
    game: dict[str, Any] = {"system": "kalevala", "seed": "batch"}
    for _ in range(10):
        state = load(game)
        sheets = {ruler: wild_sheet(state, ruler, chance) or "" for ruler in KALEVALA.play.status(state).to_act}
        answer = answer_line(json.dumps({"game": game, "orders": sheets}).encode())
        assert "error" not in answer
        assert all(event["text"] and event["to"] is not None for event in answer["events"])
        assert all(row["text"] for row in answer["results"])
        assert all(roll["for"] for roll in answer["rolls"])
        game = answer["game"]


@pytest.mark.parametrize(
    ("rank", "count", "cost"),
    [("A", 60, 0), ("A", 61, 8), ("A", 180, 140), ("B", 45, 0), ("B", 46, 8), ("C", 90, 140), ("D", 44, 140)],
)
def test_core_troops_cost_by_groups(rank: str, count: int, cost: int) -> None:
    """Source: rules 17.6"""
    assert PAY_GROUPS[pay_group(rank, count)].cost == cost


def test_the_players_ledger_has_the_next_upkeep_and_nothing_that_could_pass_for_unpaid() -> None:
    """In a file about the present position, no upkeep has been paid yet, and no RE spent."""
    document = {
        "system": "kalevala",
        "phase": {"gr": 3, "part": 3},
        "state": {
            "rulers": {"anna": {}, "bert": {}},
            "owners": {"2D+4": "anna", "2D+5": "bert"},
            "stacks": {"anna": {"2D+4": "9LB 12IP 30RE"}, "bert": {"2D+5": "1L"}},
        },
    }
    view = KALEVALA.sight.view(load(document), Playing(PowerId("anna")))
    words = load_phrases("kalevala")
    table, upkeep = KALEVALA.telling.ledger(view).sections
    lines = [words.render(line).split() for line in table.lines]
    assert [" ".join(line[:-1]) for line in lines] == [
        "City units",
        "RE in your stores",
        "Upkeep due next, in RE",
        "Core troops",
        "Auxiliaries",
    ]
    due = int(lines[2][-1])
    assert due > 0
    assert sum(int(words.render(line).split()[-1]) for line in upkeep.lines) == due
