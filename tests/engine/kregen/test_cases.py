"""Every case of `tests/cases/kregen/*.toml`, played through documents and order texts as anybody would.

A case gives all units (`zair A ZIM`), and where it matters `owners`, `garrisons`, `capitals`, `dice`. A turn gives
orders with the word that must become of each (`invalid <code>` for a refused one), and what must be there afterwards:
`units` (all of them, sorted), `owns`, `plundered`, `dislodged`, `garrisons_left`, `resting`, `winners`, `next`.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import PowerId
from engine.core.system import Resolution
from engine.kregen.model import Order, State
from engine.kregen.system import Kregen
from tests.cases import Case, load_cases

RULES = Kregen()
CASES = load_cases("kregen/*.toml")


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: Case) -> None:
    state = RULES.load(document_of(case))
    for turn in case["turn"]:
        sheets: dict[PowerId, list[Order]] = {}
        refused: dict[tuple[str, str], str] = {}
        for power, written in turn.get("orders", {}).items():
            text = "\n".join(line for line, _ in written)
            view = RULES.view(state, PowerId(power))
            parsed = RULES.parse(text, view)
            illegal = RULES.check(view, parsed.orders)
            bad = {(error.line, error.order) for error in illegal}
            sheets[PowerId(power)] = [
                read.order for read in parsed.orders if (read.line, RULES.format(read.order)) not in bad
            ]
            refused |= {(power, error.text.strip()): error.code for error in (*parsed.errors, *illegal)}
        resolution = RULES.adjudicate(state, sheets, RULES.dice(state))
        assert RULES.load(RULES.dump(resolution.state)) == resolution.state
        for power, written in turn.get("orders", {}).items():
            told = [[*line, _outcome(state, resolution, power, line[0], refused)] for line in written]
            assert [(text, found) for text, _, found in told] == [(text, wanted) for text, wanted, _ in told]
        _check(turn, resolution)
        state = resolution.state


def document_of(case: Case) -> dict[str, Any]:
    """The game.json of a case's position."""
    season, year, kind = case.get("phase", "spring 1 movement").split()
    position: dict[str, Any] = {
        key: case[key] for key in ("owners", "garrisons", "capitals", "plundered", "had_hero") if key in case
    }
    if "units" in case:
        position["units"] = [dict(zip(("power", "kind", "at"), unit.split(), strict=True)) for unit in case["units"]]
    return {
        "seed": "case",
        "phase": {"year": int(year), "season": season, "kind": kind},
        "state": position,
        "dice": case.get("dice", {}),
    }


def _outcome(
    state: State, resolution: Resolution[State], power: str, text: str, refused: dict[tuple[str, str], str]
) -> str:
    """What became of a line that was written."""
    if (power, text) in refused:
        return f"invalid {refused[power, text]}"
    orders = RULES.parse(text, RULES.view(state, PowerId(power))).orders
    names = {RULES.format(read.order) for read in orders}
    found = [str(row.outcome) for row in resolution.results if row.power == power and row.order in names]
    return " ".join(sorted(set(found))) or "-"


def _check(turn: dict[str, Any], resolution: Resolution[State]) -> None:
    state = resolution.state
    if "units" in turn:
        assert sorted(f"{unit.power} {unit.name}" for unit in state.units) == sorted(turn["units"])
    if "owns" in turn:
        assert {place: state.owners.get(place, "") for place in turn["owns"]} == turn["owns"]
    if "plundered" in turn:
        assert list(state.plundered) == turn["plundered"]
    if "dislodged" in turn:
        assert sorted(f"{row['power']} {row['kind']} {row['at']}" for row in resolution.dislodged) == sorted(
            turn["dislodged"]
        )
    if "gone" in turn:
        assert not set(turn["gone"]) & set(state.garrisons)
    if "resting" in turn:
        assert {unit.power: unit.rests for unit in state.units if unit.rests} == turn["resting"]
    if "winners" in turn:
        assert list(state.over.winners if state.over else ()) == turn["winners"]
    if "next" in turn:
        assert f"{state.phase.season} {state.phase.year} {state.phase.kind}" == turn["next"]
