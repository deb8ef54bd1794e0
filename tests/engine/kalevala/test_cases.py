"""The cases in tests/cases/kalevala, through the same door as `python -m engine batch`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from engine.answers import answer_line
from tests.cases import Case, load_cases

_LATER = {"V28", "V29"}
POSSIBLE = {f"V{number:02}" for number in range(1, 32)} - _LATER | {f"W{number}" for number in range(1, 7)}
"""The codes that a line can have; V28 and V29 belong to modules that are not there yet."""


CASES = load_cases("kalevala/*.toml")
OUTCOMES = {"refused": "invalid", "changed": "altered"}
"""Its answers have words of their own for two outcomes; cases use those of `engine.core.outcome`."""


def document_of(case: Mapping[str, Any]) -> dict[str, Any]:
    gr, part = case.get("phase", [1, 1])
    document = {
        "system": "kalevala",
        "seed": case.get("seed", ""),
        "options": case.get("options", {}),
        "dice": case.get("dice", {}),
        "phase": {"gr": gr, "part": part},
    }
    return document if case.get("start") else {**document, "state": case.get("state", {})}


def ask(**request: Any) -> dict[str, Any]:
    answer = answer_line(json.dumps(request).encode())
    assert "error" not in answer, answer
    return answer


def said(row: Mapping[str, Any]) -> str:
    codes = row["codes"] or ([row["why"]] if row["why"] else [])
    return " ".join((OUTCOMES.get(row["outcome"], row["outcome"]), *codes))


def is_like(wanted: object, found: object) -> bool:
    """Whether all that is wanted is found; what else there is does not matter."""
    if isinstance(wanted, Mapping):
        return isinstance(found, Mapping) and all(is_like(value, found.get(key)) for key, value in wanted.items())
    if isinstance(wanted, list) and any(isinstance(each, Mapping) for each in wanted):
        return isinstance(found, list) and len(found) == len(wanted) and all(map(is_like, wanted, found))
    return found is None if wanted == "nothing" else wanted == found


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: Case) -> None:
    game = document_of(case)
    for turn in case["turn"]:
        given = turn.get("orders", {})
        orders = {power: [order for order, _ in lines] for power, lines in given.items()}
        answer = ask(game=game, orders=orders)
        game = answer["game"]
        found = {power: [said(row) for row in answer["results"] if row["power"] == power] for power in orders}
        assert found == {power: [result for _, result in lines] for power, lines in given.items()}
        for wanted in turn.get("events", ()):
            alike = [event for event in answer["events"] if event["code"] == wanted["code"]]
            assert any(is_like(wanted, event) for event in alike), (wanted, alike)
        assert not set(turn.get("silent", ())) & {event["code"] for event in answer["events"]}
        for key, wanted in turn.get("after", {}).items():
            assert is_like(wanted, game["state"].get(key)), (key, game["state"].get(key))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_receipt_says_before_what_the_result_says_after(case: Case) -> None:
    """What is refused at the deadline is refused in the receipt, with the same code, and nothing else is."""
    for power, lines in case["turn"][0].get("orders", {}).items():
        answer = ask(game=document_of(case), orders={power: [order for order, _ in lines]}, check=power)
        if "unread" in answer:
            continue  # whom nobody plays gets no receipt
        refused = {row["line"]: row["code"] for row in answer["errors"]}
        wanted = {
            number: result.split()[1] for number, (_, result) in enumerate(lines, 1) if result.startswith("invalid")
        }
        assert refused == wanted, power


def test_every_code_has_a_case() -> None:
    found = {
        word
        for case in CASES
        for turn in case["turn"]
        for lines in turn.get("orders", {}).values()
        for _, result in lines
        for word in result.split()
    }
    assert not POSSIBLE - found
