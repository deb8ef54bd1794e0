"""Every case of `tests/cases/feudal/*.toml`, played through the public protocol as anybody would.

Beyond what `tests/cases` tells: a unit may name a home (`barbarians A DEN SWE`), an outcome the code of the refusal
(`invalid centre_too_near`); a case may have `castles`, `dice`, `dislodged`, `magic`, `out`, `powers` and `setup`. A
turn may tell all `players_units` or `barbarians` (place and home) alone, all `castles`, who is `out`, `why` an order
ended so, and with how much of its strength a knight's support `counted`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.system import Resolution
from engine.feudal.model import Order, State
from engine.feudal.system import Feudal
from tests.cases import Case, load_cases

RULES = Feudal()
CASES = load_cases("feudal/*.toml")


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: Case) -> None:
    state = RULES.load(document_of(case))
    for turn in case["turn"]:
        if "dice" in turn:
            state = RULES.load({**RULES.dump(state), "dice": turn["dice"]})
        sheets: dict[PowerId, list[Order]] = {}
        refused: dict[tuple[str, str], str] = {}
        for power, written in turn.get("orders", {}).items():
            reading = read_orders(RULES, RULES.view(state, PowerId(power)), "\n".join(text for text, _ in written))
            sheets[PowerId(power)] = list(reading.values)
            refused |= {(power, error.text): error.code for error in reading.errors}
        resolution = RULES.adjudicate(state, sheets, RULES.dice(state))
        found = _outcomes(turn, state, resolution, refused)
        assert found == {power: [list(line) for line in lines] for power, lines in turn.get("orders", {}).items()}
        _check(turn, resolution)
        state = resolution.state


def document_of(case: Case) -> dict[str, Any]:
    """The game.json of a case's position."""
    season, year, kind = case["phase"].split()
    position: dict[str, Any] = {
        key: case[key] for key in ("castles", "dislodged", "magic", "out", "powers", "setup") if key in case
    }
    if "units" in case:
        position["units"] = [
            dict(zip(("power", "kind", "at", "home"), unit.split(), strict=False)) for unit in case["units"]
        ]
    if "centres" in case:
        position["centres"] = case["centres"]
    return {
        "system": "feudal",
        "options": case.get("options", {}),
        "seed": case.get("seed", "case"),
        "phase": {"year": int(year), "season": season, "kind": kind},
        "state": position,
        "dice": case.get("dice", {}),
    }


def _outcomes(
    turn: Mapping[str, Any], state: State, resolution: Resolution[State], refused: Mapping[tuple[str, str], str]
) -> dict[str, list[list[str]]]:
    """What became of every line that was written."""
    told = {(result.power, result.order): str(result.outcome) for result in resolution.results}
    found: dict[str, list[list[str]]] = {}
    for power, written in turn.get("orders", {}).items():
        view = RULES.view(state, PowerId(power))
        lines = found.setdefault(power, [])
        for text, _ in written:
            if (power, text) in refused:
                lines.append([text, f"invalid {refused[power, text]}"])
                continue
            orders = [RULES.format(read.order) for read in RULES.parse(text, view).orders]
            lines.append([text, " ".join(told.get((PowerId(power), order), "?") for order in orders)])
    return found


def _check(turn: Mapping[str, Any], resolution: Resolution[State]) -> None:
    document = RULES.dump(resolution.state)
    position, phase = document["state"], document["phase"]
    if "units" in turn:
        assert sorted(map(_unit, position["units"])) == sorted(turn["units"])
    if "players_units" in turn:
        own = [row for row in position["units"] if row["power"] not in ("nomads", "barbarians")]
        assert sorted(map(_unit, own)) == sorted(turn["players_units"])
    if "barbarians" in turn:
        own = [row for row in position["units"] if row["power"] == "barbarians"]
        assert sorted(f"{row['at']} {row['home']}" for row in own) == sorted(turn["barbarians"])
    rows = [
        f"{_unit(row)} from {row['from'] or '-'} retreats {' '.join(row['retreats']) or '-'}"
        for row in resolution.dislodged
    ]
    assert sorted(rows) == sorted(turn.get("dislodged", []))
    for centre, owner in turn.get("centres", {}).items():
        assert position["centres"].get(centre) == (owner or None), centre
    for key in ("castles", "out", "magic"):
        if key in turn:
            assert position[key] == turn[key]
    if "setup" in turn:
        assert position.get("setup") == turn["setup"]
    if "next" in turn:
        assert f"{phase['season']} {phase['year']} {phase['kind']}" == turn["next"]
    assert document.get("over", {}).get("winners") == turn.get("winners")
    reasons = {(str(result.power), result.order): result.reason for result in resolution.results}
    for power, order, code in turn.get("why", []):
        assert reasons[power, order].code == f"outcome.{code}"
    for power, order, count in turn.get("counted", []):
        assert reasons[power, order].args.get("count", 2) == count


def _unit(row: Mapping[str, Any]) -> str:
    return f"{row['power']} {row['kind']} {row['at']}"


def test_ids_are_unique() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)
