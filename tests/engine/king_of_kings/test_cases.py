"""Every case of tests/cases/king_of_kings: a position and sheets, and what must become of every line and of the rest.

`tests/cases/README.md` describes the keys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.core.phrases import Phrase
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY, Playing
from engine.king_of_kings.model import State
from engine.king_of_kings.results import level_of
from engine.king_of_kings.system import KING_OF_KINGS
from engine.king_of_kings.tables import standard
from tests.cases import Case, load_cases

RULES = KING_OF_KINGS
ROOT = Path(__file__).resolve().parents[3]
CASES = load_cases("king_of_kings/*.toml")
STATE = ("map", "nations", "provinces", "troops", "terrain", "tactics", "build")


def document_of(case: Case) -> dict[str, Any]:
    """The game.json of a case's position."""
    return {
        "format": 1,
        "system": "king_of_kings",
        "seed": case.get("seed", "case"),
        "phase": {"turn": case.get("phase", 1)},
        "options": case.get("options", {}),
        "dice": case.get("dice", {}),
        "state": {key: case[key] for key in STATE if key in case},
    }


def carry_out(state: State, turn: Case) -> tuple[list[dict[str, Any]], dict[str, Any], list[str]]:
    """The entries, the next document, and the codes of the events of a turn."""
    absent = [name.lower() for name in turn.get("absent", ())]
    sheets, refused = {}, {}
    texts = {name.lower(): "\n".join(line for line, _ in lines) for name, lines in turn.get("orders", {}).items()}
    assert set(texts) <= set(state.nations), "orders of a nation that there is not"
    for nation in state.nations:
        if nation in absent:
            continue
        reading = read_orders(RULES, RULES.sight.view(state, Playing(nation)), texts.get(nation, ""))
        sheets[nation], refused[nation] = reading.values, reading.errors
    resolution = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
    rows = RULES.telling.rows.of_results(RULES.sight.view(state, EVERYBODY), resolution.results, refused, _say)
    document = json.loads(json.dumps(RULES.play.dump(resolution.state)))
    assert RULES.play.load(document) == resolution.state
    for event in resolution.events:
        assert _say(event.what)
    return rows, document, [event.what.code for event in resolution.events]


def _say(what: Phrase) -> str:
    return load_phrases("king_of_kings").render(what)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: Case) -> None:
    """Every line's entries are those of the case, and so is what it says of the position afterwards."""
    assert case["source"]
    document = document_of(case)
    for turn in case["turn"]:
        rows, document, events = carry_out(RULES.play.load(document), turn)
        for name in {row["nation"].lower() for row in rows} | {name.lower() for name in turn.get("orders", {})}:
            entries = [row for row in rows if row["nation"].lower() == name]
            _compare_entries(turn, name, entries)
        assert {name.lower() for name in turn.get("remarks", {})} <= {row["nation"].lower() for row in rows}
        for name, texts in turn.get("texts", {}).items():
            said = {str(row["line"]): row["text"] for row in rows if row["nation"].lower() == name.lower()}
            assert {line: said[line] for line in texts} == texts
        left = iter(events)
        assert all(code in left for code in turn.get("events", ())), events
        _compare(turn.get("after", {}), document)


def _compare_entries(turn: Case, name: str, entries: list[dict[str, Any]]) -> None:
    """Each line that was written has its outcome, and what is said beyond these lines stands in `remarks`."""
    (written,) = [rows for nation, rows in turn.get("orders", {}).items() if nation.lower() == name] or [[]]
    codes: dict[int, list[str]] = {}
    remarks = []
    for row in entries:
        part = "" if row["part"] is None else f"/{row['part']}"
        if 1 <= row["line"] <= len(written):
            codes.setdefault(row["line"], []).append(f"{row['code']}{part}")
        else:
            remarks.append(f"{row['line']}{part} {row['code']}")
    assert [[text, outcome_of(codes.get(line, []))] for line, (text, _) in enumerate(written, 1)] == written
    assert remarks == next((rows for nation, rows in turn.get("remarks", {}).items() if nation.lower() == name), [])


def outcome_of(codes: Sequence[str]) -> str:
    """What a case says of a line: `succeeds`, `altered W02`, `invalid ok/1 E06/2`, or `-` of one that is no order.

    An order of several parts has a code for each of them, with its number.
    """
    if not codes:
        return "-"
    if set(codes) == {"ok"}:
        return "succeeds"
    levels = {level_of(code.partition("/")[0]) for code in codes}
    outcome = "invalid" if "error" in levels else "altered" if "warning" in levels else "succeeds"
    return " ".join((outcome, *codes))


def _compare(after: dict[str, Any], document: dict[str, Any]) -> None:
    state = document["state"]
    assert set(after) <= {"turn", "ended", "result", "nations", "provinces"}
    if "turn" in after:
        assert document["phase"]["turn"] == after["turn"]
    if "ended" in after:
        assert document["phase"].get("ended", False) == after["ended"]
    nations = {row["name"].lower(): row for row in state["nations"]}
    for name, wanted in after.get("nations", {}).items():
        row = nations[name.lower()]
        assert {key: _part(row[key], value) for key, value in wanted.items()} == wanted, name
    places = {f"{row['x']},{row['y']}": row for row in state["provinces"]}
    for place, wanted in after.get("provinces", {}).items():
        row = places.get(place, {"units": {}, "owner": None, "loyal_to": None, "name": None, "tactic": "T"})
        if "terrain" in wanted:
            x, y = map(int, place.split(","))
            row = {"terrain": _terrain_of(state["map"][y][x]), **row}
        # TOML knows no null: "" stands for nobody.
        assert {key: row[key] if row[key] is not None else "" for key in wanted} == wanted, place
    if "result" in after:
        wanted = after["result"]
        assert {key: _ranking(state["result"][key], value) for key, value in wanted.items()} == wanted


def _part(found: Any, wanted: Any) -> Any:
    """Of a table (the statuses) only what the case names."""
    if isinstance(wanted, dict):
        return {key: found[key] for key in wanted}
    return "" if found is None else found


def _ranking(found: Any, wanted: Any) -> Any:
    """Of each row of a ranking only what the case names."""
    if isinstance(wanted, list) and wanted and isinstance(wanted[0], dict):
        assert len(found) == len(wanted)
        return [{key: row[key] for key in keys} for row, keys in zip(found, wanted, strict=True)]
    return found


def _terrain_of(letter: str) -> str:
    return next(kind.name for kind in standard().terrain.values() if kind.letter == letter)


def _all_cases() -> list[Case]:
    """Those of this file's runner and those of moves and battles."""
    return [*CASES, *load_cases("king_of_kings/moves/*.toml")]


def test_every_worked_example_has_a_case() -> None:
    told = " ".join(f"{case['title']} {case['source']}" for case in _all_cases())
    assert [number for number in range(1, 15) if not re.search(rf"\bW{number}\b", told)] == []


def test_every_code_is_provoked() -> None:
    wanted = {f"E{number:02}" for number in range(1, 24)} | {f"W{number:02}" for number in range(1, 10)}
    found = {code for case in _all_cases() for code in re.findall(r"\b[EW]\d\d\b", _expected(case))}
    assert sorted(wanted - found) == []


def _expected(case: Case) -> str:
    return str({key: value for key, value in case.items() if key not in ("title", "source")})


def test_every_ruling_is_tested() -> None:
    """Each number of the table in docs/rulings.md is the source of a case or of a test of this folder."""
    sources = " ".join(case["source"] for case in _all_cases())
    sources += " ".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    rulings = re.findall(r"^\| (K-\d\d) ", (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rulings) > 70
    assert [ruling for ruling in rulings if ruling not in sources] == []


def test_cases_have_titles_of_their_own() -> None:
    titles = [case["title"] for case in CASES]
    assert len(titles) == len(set(titles))
    assert list(Path(__file__).parents[2].glob("cases/king_of_kings/*.toml"))
