"""Cases as data: positions, orders, and what becomes of them. README.md beside this file describes them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from engine.core.outcome import Outcome

FOLDER = Path(__file__).parent
NO_RESULT = "-"
"""What becomes of a line that has no result of its own."""

Case = dict[str, Any]


class BadCase(ValueError):
    """A case that is not written as README.md says."""


def load_cases(pattern: str) -> list[Case]:
    """The cases of the files that fit a pattern, in the order of the files.

    Raises:
        BadCase: one of them lacks what every case has, or two of them have one id.
    """
    cases = load_rows(pattern, "case")
    ids = [case.get("id") for case in cases]
    for case in cases:
        _check(case)
        if ids.count(case["id"]) > 1:
            raise BadCase(f"{case['id']}: two cases have this id")
    return cases


def load_rows(pattern: str, table: str) -> list[Case]:
    """The rows of another table in the files that fit a pattern."""
    files = sorted(FOLDER.glob(pattern))
    return [row for file in files for row in tomllib.loads(file.read_text(encoding="utf-8")).get(table, ())]


def _check(case: Case) -> None:
    name = case.get("id") or case.get("title")
    for key in ("id", "title", "turn"):
        if not case.get(key):
            raise BadCase(f"{name}: no {key}")
    for turn in case["turn"]:
        for power, lines in turn.get("orders", {}).items():
            if not all(isinstance(line, list) and list(map(type, line)) == [str, str] for line in lines):
                raise BadCase(f"{name}: the orders of {power} are not pairs of an order and what becomes of it")
            for order, outcome in lines:
                word, _, codes = outcome.partition(" ")
                if word != NO_RESULT and word not in set(Outcome):
                    raise BadCase(f"{name}: {order!r} can't come to {outcome!r}")
                if word == Outcome.INVALID and not codes:
                    raise BadCase(f"{name}: {order!r} is refused without a code")


def document_of(case: Case) -> dict[str, Any]:
    """The game.json of a case's position."""
    season, year, kind = case["phase"].split()
    units = [dict(zip(("power", "kind", "at"), unit.split(), strict=True)) for unit in case["units"]]
    state: dict[str, Any] = {"units": units}
    if "centres" in case:
        state["centres"] = case["centres"]
    return {
        "format": 1,
        "system": "diplomacy",
        "variant": "standard",
        "options": case.get("options", {}),
        "seed": "case",
        "phase": {"year": int(year), "season": season, "kind": kind},
        "state": state,
    }
