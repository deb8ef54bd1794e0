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
from engine.core.reading import adjudicate_texts, read_orders
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


@pytest.mark.parametrize(
    ("sheet", "moved", "words"),
    [
        ("MOVE 2L 15RE 2D+5 > 2D+4", 15, "The difference of 15 RE came from elsewhere"),
        ("BOARD 1L 7RE 2D+4 FS", -7, "The difference of 7 RE went elsewhere"),
        ("CARAVAN 1 FORM 2D+4 1K 5RE", 0, "you spent 5"),
        ("PASS", 0, "you now have 30 RE."),
    ],
)
def test_the_sum_of_a_ledger_is_what_there_is(sheet: str, moved: int, words: str) -> None:
    """RE that a guest carries home, or abroad, are neither earned nor spent. Source: rules 10.1, ruling KA324"""
    document = {
        "system": "kalevala",
        "phase": {"gr": 3, "part": 1},
        "options": {"merchants": True, "sea": True},
        "state": {
            "rulers": {"anna": {}, "bert": {}},
            "owners": {"2D+4": "anna", "2D+5": "bert"},
            "gf": {"2D+4": {"kf": "T" * 40 + "W" * 8}},
            "stacks": {"anna": {"2D+4": "3L 1K FS 30RE", "2D+5": "2L 20RE"}, "bert": {"2D+5": "1L"}},
            "permits": [{"of": "bert", "to": "anna", "gf": "ALL", "until": 9}],
        },
    }
    done, _ = adjudicate_texts(KALEVALA, load(document), {PowerId("anna"): sheet})
    event = next(each for each in done.events if each.facts is not None and each.facts.code == "ledger")
    assert event.facts is not None
    rows = event.facts.args
    assert rows["moved"] == moved
    assert rows["re_before"] + rows["moved"] - rows["spent"] - rows["paid"] == rows["re_after"]
    assert words in load_phrases("kalevala").render(event.what)


def test_a_receipt_says_who_could_not_be_paid() -> None:
    """As many as leave then. Source: rules R-108"""
    document = {
        "system": "kalevala",
        "phase": {"gr": 3, "part": 1},
        "state": {
            "rulers": {"anna": {"goods": ["IP", "On"], "core": "L"}, "bert": {}},
            "owners": {"2D+4": "anna", "2D+5": "bert"},
            "stacks": {"anna": {"2D+4": "50L 9BB 9IP 2RE"}, "bert": {"2D+5": "1L"}},
        },
    }
    state, words = load(document), load_phrases("kalevala")
    done, _ = adjudicate_texts(KALEVALA, state, {PowerId("anna"): "WATCH 2D+4 1"})
    told = [words.render(each.what) for each in done.events if each.facts is not None and each.facts.code == "unpaid"]
    assert told == ["You could not pay your watchers (1), who no longer keep watch, nor these, who left: 1BB 9IP."]
    view = KALEVALA.sight.view(state, Playing(PowerId("anna")))
    assert KALEVALA.orders.rehearse is not None
    receipt = KALEVALA.orders.rehearse(view, read_orders(KALEVALA, view, "WATCH 2D+4 1").orders)
    assert [words.render(each) for each in receipt.left[-2:]] == [
        "You can't pay these, and they will leave: 1BB 9IP",
        "You can't pay all your watchers: 1 will no longer keep watch",
    ]
