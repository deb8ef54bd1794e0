"""Every case of `tests/cases/young_kingdoms/*.toml`, played through the public protocol as anybody would.

Besides what a case of Diplomacy has: `fortresses`, `hands`, `hidden`, `carried`, `shares`, `aside` as in documents,
before and after; a unit with a fourth word `horde`; `alive`, the sorcerers' powers that are left. Cards that a case
does not name are nowhere. `why` has codes of reasons; `defaults` is what a power is told, after the turn, of orders
that are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.young_kingdoms.system import YOUNG_KINGDOMS
from tests.cases import Case, load_cases

RULES = YOUNG_KINGDOMS
WORDS = load_phrases("young_kingdoms")
CASES = load_cases("young_kingdoms/*.toml")
_KEPT = ("fortresses", "hands", "hidden", "carried", "shares", "strong", "aside")


def document_of(case: Case) -> dict[str, Any]:
    """The game.json of a case's position."""
    season, year, kind = case.get("phase", "spring 1401 movement").split()
    state: dict[str, Any] = {"hands": {}, "hidden": {}, "fortresses": {}, "units": [_row(u) for u in case["units"]]}
    state |= {key: case[key] for key in (*_KEPT, "centres") if key in case}
    return {
        "system": "young_kingdoms",
        "options": case.get("options", {}),
        "seed": "case",
        "phase": {"year": int(year), "season": season, "kind": kind},
        "state": state,
    }


def _row(text: str) -> dict[str, Any]:
    power, kind, at, *more = text.split()
    return {"power": power, "kind": kind, "at": at, **({"horde": True} if "horde" in more else {})}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: Case) -> None:
    state = RULES.play.load(document_of(case))
    for turn in case["turn"]:
        orders = turn.get("orders", {})
        readings = {
            power: read_orders(
                RULES, RULES.sight.view(state, Playing(PowerId(power))), "\n".join(text for text, _ in written)
            )
            for power, written in orders.items()
        }
        sheets = {PowerId(power): reading.values for power, reading in readings.items()}
        resolution = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
        outcomes = {(result.power, result.text): str(result.outcome) for result in resolution.results}
        for power, written in orders.items():
            found = [_outcome(outcomes, power, readings[power], line) for line in range(1, len(written) + 1)]
            assert [[text, outcome] for (text, _), outcome in zip(written, found, strict=True)] == written
        reasons = {(result.power, result.text): result.reason.code for result in resolution.results}
        for power, order, code in turn.get("why", []):
            assert reasons[PowerId(power), order] == f"outcome.{code}"
        document = RULES.play.dump(resolution.state)
        assert sorted(map(_unit, document["state"]["units"])) == sorted(turn["units"])
        if "dislodged" in turn or document["state"]["dislodged"]:
            assert sorted(map(_dislodged, resolution.dislodged)) == sorted(turn.get("dislodged", []))
        for power, sentences in turn.get("defaults", {}).items():
            told = RULES.orders.otherwise(RULES.sight.view(resolution.state, Playing(PowerId(power))), ())
            assert " ".join(map(WORDS.render, told)) == sentences
        _check_extras(turn, document)
        state = resolution.state


def _outcome(outcomes: Mapping[tuple[PowerId, str], str], power: str, reading: Any, line: int) -> str:
    """The word for a line; a refused one is `invalid` and its code."""
    errors = [error for error in reading.errors if error.line == line]
    if errors:
        return f"invalid {errors[0].code}"
    read = next(read for read in reading.orders if read.line == line)
    return outcomes[PowerId(power), RULES.orders.format(read.order)]


def _unit(row: Mapping[str, Any]) -> str:
    return f"{row['power']} {row['kind']} {row['at']}" + (" horde" if row.get("horde") else "")


def _dislodged(row: Mapping[str, Any]) -> str:
    retreats = " ".join(sorted(row["retreats"])) or "-"
    return f"{row['power']} {row['kind']} {row['at']} from {row['from'] or '-'} retreats {retreats}"


def _check_extras(turn: Mapping[str, Any], document: Mapping[str, Any]) -> None:
    state = document["state"]
    if "next" in turn:
        phase = document["phase"]
        assert f"{phase['season']} {phase['year']} {phase['kind']}" == turn["next"]
    for at, fortress in turn.get("fortresses", {}).items():
        assert state["fortresses"].get(at, {}).get("strength", 0) == fortress["strength"], at
        assert state["fortresses"].get(at, {}).get("owner") == fortress.get("owner"), at
    for key in ("hands", "hidden", "carried", "shares", "homes", "aside"):
        if key in turn:
            assert state[key] == turn[key], key
    for centre, owner in turn.get("centres", {}).items():
        assert state["centres"][centre] == (owner or None), centre
    if "winners" in turn:
        assert document.get("over", {}).get("winners", []) == turn["winners"]
