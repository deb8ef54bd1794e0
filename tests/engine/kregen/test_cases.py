"""Every case of `tests/cases/kregen/*.toml`, played through documents and order texts as anybody would.

A case gives all units (`zair A ZIM`, `zair H ZY of magdag`), and where it matters `owners`, `garrisons`, `capitals`,
`plundered`, `had_hero`, `resting`, `options`, `dice`, `dislodged` with the places open to it where they are not the
default (`zair A ZIM SHP,RZK`).
A turn gives orders with the word that must become of each (`invalid <code>` for a refused one, `-` for what has no
result of its own), all that was dislodged, and what must be there afterwards: `units` (all of them, sorted), `owns`,
`plundered`, `gone` (all garrisons that are no more),
`resting`, `winners`, `next`, `events` (codes of events), `silent`, and `passed`: all
results of retreats and builds, also of the phases that passed at once. `why` tells in words why orders failed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from engine.core.ids import PowerId
from engine.core.outcome import Outcome
from engine.core.play import Resolution
from engine.core.viewer import Playing
from engine.kregen.model import Manoeuvre, Order, State, Unit
from engine.kregen.system import KREGEN
from tests.cases import Case, load_cases
from tests.engine.kregen.test_check import words_of

RULES = KREGEN
CASES = load_cases("kregen/*.toml")
_OF_PASSING = (Outcome.RETREATS, Outcome.DISBANDS, Outcome.BUILDS)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: Case) -> None:
    state = RULES.play.load(document_of(case))
    for turn in case["turn"]:
        sheets: dict[PowerId, list[Order]] = {}
        refused: dict[tuple[str, str], str] = {}
        for power, written in turn.get("orders", {}).items():
            text = "\n".join(line for line, _ in written)
            view = RULES.sight.view(state, Playing(PowerId(power)))
            parsed = RULES.orders.parse(text, view)
            verdicts = RULES.orders.check(view, parsed.orders)
            sheets[PowerId(power)] = [
                read.order for read, wrong in zip(parsed.orders, verdicts, strict=True) if wrong is None
            ]
            errors = (*parsed.errors, *filter(None, verdicts))
            refused |= {(power, error.text.strip()): error.code for error in errors}
        resolution = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
        assert RULES.play.load(RULES.play.dump(resolution.state)) == resolution.state
        for power, written in turn.get("orders", {}).items():
            told = [[*line, _outcome(state, resolution, power, line[0], refused)] for line in written]
            assert [(text, found) for text, _, found in told] == [(text, wanted) for text, wanted, _ in told]
        _check(turn, state, resolution)
        state = resolution.state


def document_of(case: Case) -> dict[str, Any]:
    """The game.json of a case's position."""
    season, year, kind = case.get("phase", "spring 1 movement").split()
    position: dict[str, Any] = {
        key: case[key] for key in ("owners", "garrisons", "capitals", "plundered", "had_hero") if key in case
    }
    if "units" in case:
        position["units"] = [_row(unit) for unit in case["units"]]
    if "dislodged" in case:
        position["dislodged"] = [
            {**_row(" ".join(unit)), **({"retreats": places[0].split(",")} if places else {})}
            for *unit, places in ((*row.split()[:3], row.split()[3:]) for row in case["dislodged"])
        ]
    if "resting" in case:
        position["resting"] = [{"power": power, "seasons": seasons} for power, seasons in case["resting"].items()]
    return {
        "seed": "case",
        "options": case.get("options", {}),
        "phase": {"year": int(year), "season": season, "kind": kind},
        "state": position,
        "dice": case.get("dice", {}),
    }


def _outcome(
    state: State, resolution: Resolution[State, Order], power: str, text: str, refused: dict[tuple[str, str], str]
) -> str:
    """What became of a line that was written."""
    if (power, text) in refused:
        return f"invalid {refused[power, text]}"
    orders = RULES.orders.parse(text, RULES.sight.view(state, Playing(PowerId(power)))).orders
    names = {name for read in orders for name in _names(read.order)}
    found = [str(row.outcome) for row in resolution.results if row.power == power and row.text in names]
    return " ".join(sorted(set(found))) or "-"


def _names(order: Order) -> Iterator[str]:
    """What results call an order: one for two fleets has a result for each of them."""
    yield RULES.orders.format(order)
    if isinstance(order, Manoeuvre) and order.is_pair:
        yield RULES.orders.format(replace(order, is_pair=False))


def _written(unit: Unit) -> str:
    return f"{unit.power} {unit.name}" + (f" of {unit.of}" if unit.of else "")


def _row(written: str) -> dict[str, str]:
    return dict(zip(("power", "kind", "at", "", "of"), written.split(), strict=False))


def _check(turn: dict[str, Any], before: State, resolution: Resolution[State, Order]) -> None:
    state = resolution.state
    if "units" in turn:
        assert sorted(map(_written, state.units)) == sorted(turn["units"])
    if "owns" in turn:
        assert {place: state.owners.get(place, "") for place in turn["owns"]} == turn["owns"]
    if "plundered" in turn:
        assert list(state.plundered) == turn["plundered"]
    dislodged = sorted(f"{row['power']} {row['kind']} {row['at']}" for row in resolution.dislodged)
    assert dislodged == sorted(turn.get("dislodged", []))
    assert sorted(set(before.garrisons) - set(state.garrisons)) == sorted(turn.get("gone", []))
    if "resting" in turn:
        assert {unit.power: unit.rests for unit in state.units if unit.rests} == turn["resting"]
    if "winners" in turn:
        assert list(state.over.winners if state.over else ()) == turn["winners"]
    told = [event.what.code.removeprefix("event.") for event in resolution.events]
    assert not set(turn.get("events", ())) - set(told)
    assert not set(turn.get("silent", ())) & set(told)
    if "passed" in turn:
        rows = [[row.power, row.text, str(row.outcome)] for row in resolution.results if row.outcome in _OF_PASSING]
        assert rows == turn["passed"]
    if "why" in turn:
        words = words_of(state)
        reasons = {f"{row.power} {row.text}": words.render(row.reason) for row in resolution.results}
        assert {order: reasons.get(order) for order in turn["why"]} == turn["why"]
    if "next" in turn:
        assert f"{state.phase.season} {state.phase.year} {state.phase.kind}" == turn["next"]
