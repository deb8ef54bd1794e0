"""Every case of `tests/cases/diplomacy/*.toml`, played through the public protocol as anybody would."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine import systems
from engine.core.ids import PowerId, SystemId
from engine.core.viewer import Playing
from tests.cases import NO_RESULT, Case, document_of, load_cases

RULES = systems[SystemId("diplomacy")]
SECTIONS = {"6.A": 12, "6.B": 15, "6.C": 9, "6.D": 34, "6.E": 15, "6.F": 25, "6.G": 20, "6.H": 16, "6.I": 7, "6.J": 11}

CASES = load_cases("diplomacy/*.toml")


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: Case) -> None:
    state = RULES.play.load(document_of(case))
    for turn in case["turn"]:
        sheets, refused = {}, {}
        for power, written in turn.get("orders", {}).items():
            sheets[power], refused[power] = _read(state, power, [text for text, _ in written])
        resolution = RULES.play.adjudicate(
            state, {power: list(lines.values()) for power, lines in sheets.items()}, RULES.play.dice(state)
        )
        outcomes = {(result.power, result.subject, result.text): str(result.outcome) for result in resolution.results}
        for power, written in turn.get("orders", {}).items():
            found = [
                _outcome(outcomes, power, sheets[power].get(line), refused[power].get(line))
                for line in range(1, len(written) + 1)
            ]
            assert [[text, outcome] for (text, _), outcome in zip(written, found, strict=True)] == written
        document = RULES.play.dump(resolution.state)
        assert sorted(_unit(row) for row in document["state"]["units"]) == sorted(turn["units"])
        assert sorted(map(_dislodged, resolution.dislodged)) == sorted(turn.get("dislodged", []))
        _check_extras(turn, document)
        state = resolution.state


def _read(state: Any, power: str, texts: list[str]) -> tuple[dict[int, Any], dict[int, str]]:
    """A power's orders that stand, and the codes of those that are refused, both by line."""
    view = RULES.sight.view(state, Playing(PowerId(power)))
    parsed = RULES.orders.parse("\n".join(texts), view)
    errors = [*parsed.errors, *filter(None, RULES.orders.check(view, parsed.orders))]
    refused = {error.line: error.code for error in errors}
    return {read.line: read.order for read in parsed.orders if read.line not in refused}, refused


def _outcome(outcomes: Mapping[tuple[PowerId, str, str], str], power: str, order: Any, refusal: str | None) -> str:
    """What became of one line; one that is refused is `invalid` and has the code, and one written twice has nothing."""
    if refusal is not None:
        return f"invalid {refusal}"
    if order is None:
        return NO_RESULT
    return outcomes[PowerId(power), RULES.orders.subject(order), RULES.orders.format(order)]


def _unit(row: Mapping[str, Any]) -> str:
    return f"{row['power']} {row['kind']} {row['at']}"


def _dislodged(row: Mapping[str, Any]) -> str:
    came_from = row["from"].partition("/")[0] if row["from"] else "-"
    return f"{_unit(row)} from {came_from} retreats {' '.join(sorted(row['retreats'])) or '-'}"


def _check_extras(turn: Mapping[str, Any], document: Mapping[str, Any]) -> None:
    if "next" in turn:
        phase = document["phase"]
        assert f"{phase['season']} {phase['year']} {phase['kind']}" == turn["next"]
    for centre, owner in turn.get("centres", {}).items():
        assert document["state"]["centres"].get(centre) == (owner or None), centre
    if "winners" in turn:
        assert document.get("over", {}).get("winners") == turn["winners"]


def test_every_datc_case_is_there_once_and_none_is_skipped() -> None:
    datc = {f"{section}.{n}" for section, count in SECTIONS.items() for n in range(1, count + 1)}
    assert len(datc) == 164
    ids = [case["id"] for case in load_cases("diplomacy/datc_6?.toml")]
    assert len(ids) == len(set(ids))
    assert set(ids) - {"6.J.9.2"} == datc  # 6.J.9 has two positions
    assert len({case["id"] for case in CASES}) == len(CASES)


def test_every_case_gives_a_board_for_every_turn() -> None:
    for case in CASES:
        for turn in case["turn"]:
            assert isinstance(turn["units"], list), case["id"]
